//! The floating-point mode that Embree wants its callers to set.

use std::arch::asm;

/// Results that are denormal become zero (flush to zero), and so do operands (denormals are zero).
const FLUSH: u32 = 1 << 15 | 1 << 6;

/// Denormal numbers count as zero on this thread for as long as this lives.
pub(super) struct DenormalsAreZero {
    before: u32,
}

impl DenormalsAreZero {
    pub(super) fn set() -> Self {
        let before = control();
        set_control(before | FLUSH);
        Self { before }
    }
}

impl Drop for DenormalsAreZero {
    fn drop(&mut self) {
        set_control(self.before);
    }
}

fn control() -> u32 {
    let mut value = 0_u32;
    // SAFETY: stores the control register into four bytes that are ours.
    unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
    value
}

fn set_control(value: u32) {
    // SAFETY: the value was read from the register, but for two bits that say how denormal numbers
    // are taken. Between set and restored only Embree and copies of numbers run.
    unsafe {
        asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack, preserves_flags, readonly));
    };
}

#[cfg(test)]
mod tests {
    use super::{DenormalsAreZero, FLUSH, control};

    #[test]
    fn mode_is_restored() {
        let before = control();
        {
            let _flushed = DenormalsAreZero::set();
            assert_eq!(control() & FLUSH, FLUSH);
        }
        assert_eq!(control(), before);
    }
}

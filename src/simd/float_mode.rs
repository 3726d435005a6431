//! IEEE arithmetic in any floating-point mode of the caller: some flush subnormal numbers to zero
//! or change the direction of rounding, and either would change the decisions of a kernel.
#![cfg_attr(
    any(target_arch = "x86_64", target_arch = "aarch64"),
    expect(unsafe_code, reason = "reads and writes the floating-point control register")
)]

use register::{DEFAULT, MODE_BITS, Register, read, write};

/// Runs `work` with rounding to nearest, subnormals kept, exceptions masked, and restores the mode,
/// also when `work` panics.
pub fn with_default_float_mode<T>(work: impl FnOnce() -> T) -> T {
    struct Restore(Register);

    impl Drop for Restore {
        fn drop(&mut self) {
            write(self.0);
        }
    }

    /// Not inlined: the compiler does not know that arithmetic depends on the register, and could
    /// move it across the switch. It takes all code to run in the default mode.
    #[inline(never)]
    fn call<T>(work: impl FnOnce() -> T) -> T {
        work()
    }

    let found = read();
    let _restored_on_drop = (found & MODE_BITS != DEFAULT & MODE_BITS).then(|| {
        write(found & !MODE_BITS | DEFAULT);
        Restore(found)
    });
    call(work)
}

#[cfg(target_arch = "x86_64")]
mod register {
    use std::arch::asm;

    pub(super) type Register = u32;

    /// All exceptions masked, round to nearest, no flushing (Intel SDM volume 1, section 10.2.3).
    pub(super) const DEFAULT: Register = 0x1f80;
    /// Everything but the six sticky exception flags.
    pub(super) const MODE_BITS: Register = !0x3f;

    pub(super) fn read() -> Register {
        let mut value: Register = 0;
        // SAFETY: stores four bytes to a local; every x86-64 CPU has the instruction.
        unsafe { asm!("stmxcsr [{}]", in(reg) &raw mut value, options(nostack, preserves_flags)) };
        value
    }

    pub(super) fn write(value: Register) {
        // SAFETY: loads four bytes from a local: a value read before, with defined bits changed, so
        // no reserved bit is set. The compiler takes code to run in the default mode, and all that
        // runs between two writes does: the first writes that mode, the second, also after a panic,
        // the one that was found, in which the caller runs anyway. The work in between is a call
        // that is not inlined, so that none of its arithmetic moves beyond a write. The register is
        // the thread's own.
        unsafe { asm!("ldmxcsr [{}]", in(reg) &raw const value, options(nostack)) };
    }
}

#[cfg(target_arch = "aarch64")]
mod register {
    use std::arch::asm;

    pub(super) type Register = u64;

    /// Round to nearest, no flushing, no alternative NaN handling.
    pub(super) const DEFAULT: Register = 0;
    /// AHP, DN, FZ, RMode, FZ16, the trap enables, and NEP, AH and FIZ.
    pub(super) const MODE_BITS: Register = 0x07c8_9f07;

    pub(super) fn read() -> Register {
        let value: Register;
        // SAFETY: reads a register that user code may read.
        unsafe { asm!("mrs {}, fpcr", out(reg) value, options(nomem, nostack, preserves_flags)) };
        value
    }

    pub(super) fn write(value: Register) {
        // SAFETY: writes a register that user code may write. Code between two writes runs in the
        // default mode, which the compiler takes for granted: see the same function for x86-64.
        unsafe { asm!("msr fpcr, {}", in(reg) value, options(nostack, preserves_flags)) };
    }
}

/// WASM has no mode. Other targets are left as they are.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
mod register {
    pub(super) type Register = u32;
    pub(super) const DEFAULT: Register = 0;
    pub(super) const MODE_BITS: Register = 0;
    pub(super) fn read() -> Register {
        0
    }
    pub(super) fn write(_: Register) {}
}

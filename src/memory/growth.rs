//! Growth of the buffers of a cast, and a switch that keeps them as short as possible.
//!
//! A buffer that grew in an earlier cast hides that a later one reserves too little. With the switch on, every cast
//! starts with new buffers of exactly the length that it reserves.

use std::sync::atomic::{AtomicBool, Ordering};

static TIGHT: AtomicBool = AtomicBool::new(false);

/// Sets whether buffers are as short as possible. The answers do not depend on it: it is for tests.
pub fn set_tight_buffers(tight: bool) {
    TIGHT.store(tight, Ordering::Relaxed);
}

fn are_tight() -> bool {
    TIGHT.load(Ordering::Relaxed)
}

/// The buffers of the last cast on this thread; empty ones with the switch on.
#[inline(always)]
pub(crate) fn reused<T: Default>(left: T) -> T {
    if are_tight() { T::default() } else { left }
}

/// Grows `buffer` to at least `needed`: to `roomy` if it is too short and the switch is off.
#[inline(always)]
pub(crate) fn grow<T: Clone>(buffer: &mut Vec<T>, needed: usize, roomy: usize, value: T) {
    if buffer.len() < needed {
        grow_to(buffer, if are_tight() { needed } else { roomy.max(needed) }, value);
    }
}

#[cold]
fn grow_to<T: Clone>(buffer: &mut Vec<T>, length: usize, value: T) {
    buffer.resize(length, value);
}

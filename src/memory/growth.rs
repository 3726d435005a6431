//! How the buffers of a cast grow, and a switch that keeps them as small as they may be.
//!
//! A buffer that has grown for an earlier cast hides that a later one asks for too little of it. With the switch on,
//! every cast starts with new buffers, and each has the length that was asked for and no more.

use std::sync::atomic::{AtomicBool, Ordering};

static TIGHT: AtomicBool = AtomicBool::new(false);

/// Sets whether buffers are as small as they may be. The answers do not depend on it: it is for tests.
pub fn set_tight_buffers(tight: bool) {
    TIGHT.store(tight, Ordering::Relaxed);
}

fn are_tight() -> bool {
    TIGHT.load(Ordering::Relaxed)
}

/// What the last cast on this thread left, or nothing where buffers are tight.
#[inline(always)]
pub(crate) fn reused<T: Default>(left: T) -> T {
    if are_tight() { T::default() } else { left }
}

/// Makes `buffer` at least `needed` long; `roomy` long if it is too short and buffers are not tight.
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

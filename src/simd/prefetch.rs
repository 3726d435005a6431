//! Prefetching.
#![cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the prefetch instruction is an intrinsic")
)]

pub(crate) const LINE: usize = 64;

#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the address is that of a live value, and SSE is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

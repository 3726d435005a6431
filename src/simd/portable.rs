//! The backend that every CPU of the target can run. Where those have NEON or SIMD128, its lanes are
//! in `pairs.rs`, elsewhere in `eights.rs`.

use wide::i32x4;

use super::backend::Enter;

/// Four `f32`, or three and an unused lane: for work on points and boxes that is too small to enter
/// a [`dispatch`](super::dispatch) for. Every operation is the IEEE 754 one; the result for NaN
/// is unspecified.
pub(crate) use wide::f32x4 as Quad;

/// Three, and 0 in the last lane.
#[inline(always)]
pub(crate) fn of_three([x, y, z]: [f32; 3]) -> Quad {
    Quad::new([x, y, z, 0.0])
}

/// The bits of four numbers, from 0 to below 2¹¹ and truncated, with two zeros after each.
#[inline(always)]
pub(crate) fn spaced_bits(numbers: Quad) -> [u32; 4] {
    let mut bits = numbers.fast_trunc_int();
    for (by, kept) in [(16, 0x0700_00ff), (8, 0x0700_f00f), (4, 0x430c_30c3), (2, 0x4924_9249)] {
        bits = (bits | bits << by) & i32x4::splat(kept);
    }
    bits.to_array().map(i32::cast_unsigned)
}

/// The vectors that the target is compiled for. The token needs no proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Portable;

impl Enter for Portable {
    const NAME: &str = "portable";

    fn detect() -> Option<Self> {
        Some(Self)
    }

    /// A call as into the other backends: with this work in it, the choice of a backend would save
    /// registers for all.
    #[inline(never)]
    fn enter<R>(self, work: impl FnOnce(Self) -> R) -> R {
        work(self)
    }
}

//! The vocabulary of the kernels.

use std::fmt::Debug;
use std::ops::{Add, BitAnd, Mul, Sub};

/// How many lanes a vector has, whatever the backend.
pub(crate) const LANES: usize = 8;

/// One backend's vectors of eight lanes.
///
/// The value itself has no size. It proves that the CPU has the instructions: only the entry
/// functions of [`dispatch`](super::dispatch) can make one. A kernel is written once, as an
/// `#[inline(always)]` function over `L: Lanes`; a kernel that is not inlined into its entry still
/// answers right, at several times the price. So kernels loop over lanes with `for` and not through
/// `array::map` or iterator adaptors, which are functions of their own: `array::map` over vectors
/// made the AVX2 and AVX-512 backends as slow as the portable one.
///
/// Every operation is the IEEE 754 one, rounded to nearest, and nothing is fused: the results are
/// equal bit for bit on every backend.
pub(crate) trait Lanes: Copy + Debug {
    /// Eight `f32`.
    type F32: Real<Scalar = f32, Mask = Self::Mask>;
    /// Eight `u32`, only ever moved about.
    type U32: Copy;
    /// A yes or no for each lane.
    type Mask: Mask;

    /// `value` in every lane.
    fn splat(self, value: f32) -> Self::F32;

    /// Lane `i` from `values[i]`.
    fn load(self, values: &[f32; LANES]) -> Self::F32;

    /// Lane `i` to `into[i]`.
    fn store(self, values: Self::F32, into: &mut [f32; LANES]);

    /// Lane `i` from `values[i]`.
    fn load_u32(self, values: &[u32; LANES]) -> Self::U32;

    /// Writes the lanes of `values` that `mask` names to the front of `into`, in their order, and
    /// says how many they are. What follows them in `into` is unspecified.
    fn keep(self, mask: Self::Mask, values: Self::U32, into: &mut [u32; LANES]) -> u32;

    /// Writes the lanes with `low ≤ high`, their `low` and their `values`, to the front of the two
    /// arrays, and says how many they are: first the lane that bits 0..3 of `order` name, if it is
    /// among them, then that of bits 3..6, and so on. What follows them is unspecified.
    fn keep_in_order(
        self,
        order: u32,
        low: Self::F32,
        high: Self::F32,
        values: Self::U32,
        into: (&mut [f32; LANES], &mut [u32; LANES]),
    ) -> u32;
}

/// Eight floating-point numbers.
pub(crate) trait Real: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// What one lane holds.
    type Scalar: Copy;
    /// What a comparison gives.
    type Mask: Mask;

    /// `self < other ? self : other`: where either is NaN, the answer is `other`.
    fn min(self, other: Self) -> Self;

    /// `self > other ? self : other`: where either is NaN, the answer is `other`.
    fn max(self, other: Self) -> Self;

    /// `self < other`; false where either is NaN.
    fn lt(self, other: Self) -> Self::Mask;

    /// `self ≤ other`; false where either is NaN.
    fn le(self, other: Self) -> Self::Mask;
}

/// A yes or no for each of eight lanes.
pub(crate) trait Mask: Copy + BitAnd<Output = Self> {
    /// Bit `i` is set where lane `i` says yes; the bits above are zero.
    fn bits(self) -> u8;
}

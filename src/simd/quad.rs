//! Four `f32` in 128 bits, which every CPU has that has vectors at all: for work on points and boxes
//! that is too small to enter a [`dispatch`](fn@super::dispatch) for.

use wide::f32x4;

use super::macros::{inlined, operators};

/// Four `f32`, or three and an unused lane.
///
/// Every operation is the IEEE 754 one; the result for NaN is unspecified.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Quad(f32x4);

impl Quad {
    inlined! {
        pub(crate) fn new(values: [f32; 4]) -> Self = Self(f32x4::new(values));
        pub(crate) fn splat(value: f32) -> Self = Self(f32x4::splat(value));
        /// Three, and 0 in the last lane.
        pub(crate) fn of_three([x, y, z]: [f32; 3]) -> Self = Self::new([x, y, z, 0.0]);
        /// The magnitudes.
        pub(crate) fn abs(self) -> Self = Self(self.0.abs());
        /// These, which are not negative, with the signs of `other`.
        pub(crate) fn with_sign_of(self, other: Self) -> Self = Self(self.0 | (other.0 & f32x4::splat(-0.0)));
        /// The lanes whose sign is set, as bits.
        pub(crate) fn negative(self) -> u32 = self.0.to_bitmask();
        pub(crate) fn to_array(self) -> [f32; 4] = self.0.to_array();
        /// The lesser, lane by lane; of two zeros either.
        pub(crate) fn min(self, other: Self) -> Self = Self(self.0.fast_min(other.0));
        /// The greater, lane by lane; of two zeros either.
        pub(crate) fn max(self, other: Self) -> Self = Self(self.0.fast_max(other.0));
        /// `then` in the lanes where `self < other`, else `otherwise`.
        pub(crate) fn if_less(self, other: Self, then: Self, otherwise: Self) -> Self =
            Self(self.0.simd_lt(other.0).bitselect(then.0, otherwise.0));
        /// The integer parts of values from −2³¹ to below 2³¹.
        pub(crate) fn truncate(self) -> [i32; 4] = self.0.fast_trunc_int().to_array();
        /// Lane `j` of row `i` becomes lane `i` of row `j`.
        pub(crate) fn transpose(rows: [Self; 4]) -> [Self; 4] =
            bytemuck::cast(f32x4::transpose(bytemuck::cast(rows)));
    }
}

operators!([] Quad:
    Add add |a, b| Self(a.0 + b.0),
    Sub sub |a, b| Self(a.0 - b.0),
    Mul mul |a, b| Self(a.0 * b.0),
    Div div |a, b| Self(a.0 / b.0)
);

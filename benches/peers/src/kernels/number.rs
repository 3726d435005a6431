//! The two precisions, as the contestants written here use them.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `f32` or `f64`.
pub(crate) trait Number:
    lanecast::primitive::ExactScalar
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// As it is written.
    const NAME: &'static str;

    /// By how much the coordinates of a primitive may be off, in a scene of ten units each way:
    /// about a hundred units in the last place.
    const TOLERANCE: f64;

    /// The nearest number of this precision.
    fn rounded(value: f64) -> Self;

    /// The square root.
    fn root(self) -> Self;

    /// The lesser; the second if either is NaN. One instruction, unlike the standard library's.
    #[inline(always)]
    fn least(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    /// The greater; the second if either is NaN.
    #[inline(always)]
    fn greatest(self, other: Self) -> Self {
        if self > other { self } else { other }
    }
}

impl Number for f32 {
    const NAME: &'static str = "f32";
    const TOLERANCE: f64 = 1e-4;

    fn rounded(value: f64) -> Self {
        value as Self
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
}

impl Number for f64 {
    const NAME: &'static str = "f64";
    const TOLERANCE: f64 = 2e-13;

    fn rounded(value: f64) -> Self {
        value
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }
}

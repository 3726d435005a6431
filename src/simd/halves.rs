//! Two vectors as one of twice the lanes: `f64` takes two registers where `f32` takes one.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::lanes::{Mask, Real};

/// The first `HALF` lanes and the others, of numbers or of a mask.
#[derive(Debug, Clone, Copy)]
pub struct Halves<X, const HALF: usize>(pub(super) X, pub(super) X);

impl<R: Real, const HALF: usize> Real for Halves<R, HALF> {
    type Scalar = R::Scalar;
    type Mask = Halves<R::Mask, HALF>;

    #[inline(always)]
    fn splat(self, value: R::Scalar) -> Self {
        let half = self.0.splat(value);
        Self(half, half)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        Self(self.0.min(other.0), self.1.min(other.1))
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        Self(self.0.max(other.0), self.1.max(other.1))
    }

    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        Halves(self.0.lt(other.0), self.1.lt(other.1))
    }

    #[inline(always)]
    fn le(self, other: Self) -> Self::Mask {
        Halves(self.0.le(other.0), self.1.le(other.1))
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }

    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }

    #[inline(always)]
    fn select(self, mask: Self::Mask, other: Self) -> Self {
        Self(self.0.select(mask.0, other.0), self.1.select(mask.1, other.1))
    }
}

impl<M: Mask, const HALF: usize> Mask for Halves<M, HALF> {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.bits() | self.1.bits() << HALF
    }
}

macro_rules! operators {
    ($($operator:ident $method:ident),+) => {
        $(impl<X: $operator<Output = X>, const HALF: usize> $operator for Halves<X, HALF> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0), self.1.$method(other.1))
            }
        })+
    };
}

operators!(Add add, Sub sub, Mul mul, Div div, BitAnd bitand, BitOr bitor);

impl<X: Not<Output = X>, const HALF: usize> Not for Halves<X, HALF> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

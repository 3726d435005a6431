//! Vectors and masks made of others: two as one of twice the lanes, and a mask of what has operators.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::lanes::{Mask, Real};

/// Implements operators of a type, each as a function of the two values.
macro_rules! operators {
    (one [$($generics:tt)*] $type:ty: $operator:ident $method:ident |$a:ident, $b:ident| $result:expr) => {
        impl<$($generics)*> std::ops::$operator for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, $b: Self) -> Self {
                let $a = self;
                $result
            }
        }
    };
    ($generics:tt $type:ty: $($operator:ident $method:ident |$a:ident, $b:ident| $result:expr),+) => {
        $(operators!(one $generics $type: $operator $method |$a, $b| $result);)+
    };
}

pub(super) use operators;

/// The first `N` lanes and the others, of numbers or of a mask: `f64` takes two registers where `f32` takes one.
#[derive(Debug, Clone, Copy)]
pub struct Halves<X, const N: usize>(pub(super) X, pub(super) X);

impl<R: Real, const N: usize> Real for Halves<R, N> {
    type Scalar = R::Scalar;
    type Mask = Halves<R::Mask, N>;

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

operators!([X: Add<Output = X>, const N: usize] Halves<X, N>: Add add |a, b| Self(a.0 + b.0, a.1 + b.1));
operators!([X: Sub<Output = X>, const N: usize] Halves<X, N>: Sub sub |a, b| Self(a.0 - b.0, a.1 - b.1));
operators!([X: Mul<Output = X>, const N: usize] Halves<X, N>: Mul mul |a, b| Self(a.0 * b.0, a.1 * b.1));
operators!([X: Div<Output = X>, const N: usize] Halves<X, N>: Div div |a, b| Self(a.0 / b.0, a.1 / b.1));
operators!([X: BitAnd<Output = X>, const N: usize] Halves<X, N>: BitAnd bitand |a, b| Self(a.0 & b.0, a.1 & b.1));
operators!([X: BitOr<Output = X>, const N: usize] Halves<X, N>: BitOr bitor |a, b| Self(a.0 | b.0, a.1 | b.1));

impl<X: Not<Output = X>, const N: usize> Not for Halves<X, N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0, !self.1)
    }
}

impl<M: Mask, const N: usize> Mask for Halves<M, N> {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.bits() | self.1.bits() << N
    }
}

/// A mask of what has operators. A comparison sets all bits of a lane, or a bit for each lane.
#[derive(Debug, Clone, Copy)]
pub struct Yes<B>(pub(super) B);

operators!([B: BitAnd<Output = B>] Yes<B>: BitAnd bitand |a, b| Self(a.0 & b.0));
operators!([B: BitOr<Output = B>] Yes<B>: BitOr bitor |a, b| Self(a.0 | b.0));

impl<B: Not<Output = B>> Not for Yes<B> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

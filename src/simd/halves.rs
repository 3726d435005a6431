//! Vectors and masks made of others: two as one of twice the lanes, and a mask of what has
//! operators.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Not, Sub};

use super::lanes::{Mask, Real};
use super::macros::{inlined, operators, real};

/// The first `N` lanes and the others, of numbers or of a mask: `f64` takes two registers where
/// `f32` takes one.
#[derive(Debug, Clone, Copy)]
#[allow(unreachable_pub, reason = "reachable where a vector of another crate has it as its type")]
pub struct Halves<X, const N: usize>(pub(super) X, pub(super) X);

real!([R: Real, const N: usize] Halves<R, N>: R::Scalar, Halves<R::Mask, N>, |a, b|
    splat Self(a.0.splat(b), a.1.splat(b)),
    min Self(a.0.min(b.0), a.1.min(b.1)),
    max Self(a.0.max(b.0), a.1.max(b.1)),
    lt Halves(a.0.lt(b.0), a.1.lt(b.1)),
    le Halves(a.0.le(b.0), a.1.le(b.1)),
    abs Self(a.0.abs(), a.1.abs()),
    sqrt Self(a.0.sqrt(), a.1.sqrt()),
    select(mask) Self(a.0.select(mask.0, b.0), a.1.select(mask.1, b.1)),
    mul_sub(less) Self(a.0.mul_sub(b.0, less.0), a.1.mul_sub(b.1, less.1)),
    mul_add(more) Self(a.0.mul_add(b.0, more.0), a.1.mul_add(b.1, more.1)),
    max_abs Self(a.0.max_abs(b.0), a.1.max_abs(b.1)),
    loose_min Self(a.0.loose_min(b.0), a.1.loose_min(b.1)),
    loose_max Self(a.0.loose_max(b.0), a.1.loose_max(b.1))
);

operators!([X: Add<Output = X>, const N: usize] Halves<X, N>: Add add |a, b| Self(a.0 + b.0, a.1 + b.1));
operators!([X: Sub<Output = X>, const N: usize] Halves<X, N>: Sub sub |a, b| Self(a.0 - b.0, a.1 - b.1));
operators!([X: Mul<Output = X>, const N: usize] Halves<X, N>: Mul mul |a, b| Self(a.0 * b.0, a.1 * b.1));
operators!([X: Div<Output = X>, const N: usize] Halves<X, N>: Div div |a, b| Self(a.0 / b.0, a.1 / b.1));
operators!([X: BitAnd<Output = X>, const N: usize] Halves<X, N>: BitAnd bitand |a, b| Self(a.0 & b.0, a.1 & b.1));
operators!([X: BitOr<Output = X>, const N: usize] Halves<X, N>: BitOr bitor |a, b| Self(a.0 | b.0, a.1 | b.1));

impl<X: Not<Output = X>, const N: usize> Not for Halves<X, N> {
    type Output = Self;
    inlined! { fn not(self) -> Self = Self(!self.0, !self.1); }
}

impl<M: Mask, const N: usize> Mask for Halves<M, N> {
    inlined! { fn bits(self) -> u32 = M::bits_of_both(self.0, self.1, N); }
}

/// A mask of what has operators. A comparison sets all bits of a lane, or a bit for each lane.
#[derive(Debug, Clone, Copy)]
pub struct Yes<B>(pub(super) B);

operators!([B: BitAnd<Output = B>] Yes<B>: BitAnd bitand |a, b| Self(a.0 & b.0));
operators!([B: BitOr<Output = B>] Yes<B>: BitOr bitor |a, b| Self(a.0 | b.0));

impl<B: Not<Output = B>> Not for Yes<B> {
    type Output = Self;
    inlined! { fn not(self) -> Self = Self(!self.0); }
}

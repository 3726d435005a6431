//! Numbers of twice the precision of `f64`.

use std::ops::{Add, Div, Mul, Sub};

use crate::simd::Real;

/// The unevaluated sum of two `f64`, the second at most half a unit in the last place of the first:
/// 106 bits. Plain, or in lanes.
///
/// With u = 2⁻⁵³, sums and differences are off by at most 3u² + 13u³ of their value, products with
/// an `f64` by 1.5u² + 4u³, other products by 7u², quotients by 15u² + 56u³: each is zero only if
/// it truly is, and its sign is never wrong. The product of two `f64` is exact, and so is the sign
/// of a sum or a difference of two such.
///
/// That holds while the first parts stay below 2⁹⁹⁰ in magnitude and no product's last bit below
/// 2⁻¹⁰⁷⁴: factors of at least 2⁻⁴⁸⁰ see to that. Beyond, results are coarser, infinite or NaN.
/// Nothing is fused, since not every CPU can: products are split after Veltkamp and Dekker.
///
/// Joldes, Muller and Popescu, "Tight and Rigorous Error Bounds for Basic Building Blocks of
/// Double-Word Arithmetic", ACM TOMS 44(2), 2017: algorithms 6, 7, 10 and 17.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Double<R = f64> {
    /// The nearest `f64`.
    pub(crate) high: R,
    pub(super) low: R,
}

impl Double {
    pub(crate) const ZERO: Self = Self { high: 0.0, low: 0.0 };
}

impl<R: Real<Scalar = f64>> Double<R> {
    #[inline(always)]
    pub(crate) fn of(high: R) -> Self {
        Self { high, low: high.splat(0.0) }
    }

    /// a − b, exactly.
    #[inline(always)]
    pub(crate) fn difference(a: R, b: R) -> Self {
        two_sum(a, a.splat(0.0) - b)
    }

    /// a · b, exactly.
    #[inline(always)]
    pub(crate) fn product(a: R, b: R) -> Self {
        let high = a * b;
        let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
        let low = a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low);
        Self { high, low }
    }

    /// The product with an `f64`: DWTimesFP1, algorithm 7.
    #[inline(always)]
    pub(crate) fn times(self, factor: R) -> Self {
        let product = Self::product(self.high, factor);
        let sum = fast_two_sum(product.high, self.low * factor);
        fast_two_sum(sum.high, sum.low + product.low)
    }
}

/// a + b exactly (Møller and Knuth).
#[inline(always)]
pub(super) fn two_sum<R: Real<Scalar = f64>>(a: R, b: R) -> Double<R> {
    let high = a + b;
    let of_b = high - a;
    let of_a = high - of_b;
    Double { high, low: (a - of_a) + (b - of_b) }
}

/// a + b exactly where a is 0 or has no smaller exponent than b (Dekker).
#[inline(always)]
pub(super) fn fast_two_sum<R: Real<Scalar = f64>>(a: R, b: R) -> Double<R> {
    let high = a + b;
    Double { high, low: b - (high - a) }
}

/// a as the sum of two numbers of at most 26 bits, whose products are exact (Veltkamp).
#[inline(always)]
fn split<R: Real<Scalar = f64>>(a: R) -> (R, R) {
    const SPLITTER: f64 = ((1 << 27) + 1) as f64;
    let scaled = a.splat(SPLITTER) * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

impl<R: Real<Scalar = f64>> Add for Double<R> {
    type Output = Self;

    /// AccurateDWPlusDW, algorithm 6.
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        let high = two_sum(self.high, other.high);
        let low = two_sum(self.low, other.low);
        let sum = fast_two_sum(high.high, high.low + low.high);
        fast_two_sum(sum.high, low.low + sum.low)
    }
}

impl<R: Real<Scalar = f64>> Sub for Double<R> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        let zero = other.high.splat(0.0);
        self + Self { high: zero - other.high, low: zero - other.low }
    }
}

impl<R: Real<Scalar = f64>> Mul for Double<R> {
    type Output = Self;

    /// DWTimesDW1, algorithm 10.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let crossed = self.high * other.low + self.low * other.high;
        fast_two_sum(product.high, product.low + crossed)
    }
}

impl<R: Real<Scalar = f64>> Div for Double<R> {
    type Output = Self;

    /// DWDivDW2, algorithm 17.
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        let high = self.high / other.high;
        let back = other.times(high);
        let rest = (self.high - back.high) + (self.low - back.low);
        fast_two_sum(high, rest / other.high)
    }
}

//! Numbers of twice the precision of `f64`.

use std::ops::{Add, Div, Sub};

/// The unevaluated sum of two `f64`, the second at most half a unit in the last place of the first:
/// 106 bits and the exponents of `f64`.
///
/// With u = 2⁻⁵³, sums and differences are off by at most 3u² + 13u³ of their value, products with an
/// `f64` by 1.5u² + 4u³, quotients by 15u² + 56u³: each is zero only if it truly is, and its sign is never
/// wrong. The product of two `f64` is exact, and so is the sign of a sum or a difference of two such.
///
/// That holds while the first parts stay below 2⁹⁹⁰ in magnitude and no product's last bit below 2⁻¹⁰⁷⁴:
/// factors of at least 2⁻⁴⁸⁰ see to that. Beyond, results are coarser, infinite or NaN. Nothing is fused,
/// since not every CPU can: products are split after Veltkamp and Dekker.
///
/// Joldes, Muller and Popescu, "Tight and Rigorous Error Bounds for Basic Building Blocks of Double-Word
/// Arithmetic", ACM TOMS 44(2), 2017: algorithms 6, 7 and 17.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub struct Double {
    pub(super) high: f64,
    pub(super) low: f64,
}

impl Double {
    /// a · b, exactly.
    #[inline(always)]
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        let ((a_high, a_low), (b_high, b_low)) = (split(a), split(b));
        let low = a_low * b_low - (((high - a_high * b_high) - a_low * b_high) - a_high * b_low);
        Self { high, low }
    }

    /// The product with an `f64`: DWTimesFP1, algorithm 7.
    #[inline(always)]
    pub(crate) fn times(self, factor: f64) -> Self {
        let product = Self::product(self.high, factor);
        let sum = fast_two_sum(product.high, self.low * factor);
        fast_two_sum(sum.high, sum.low + product.low)
    }

    /// The nearest `f64`.
    #[inline(always)]
    pub(crate) fn rounded(self) -> f64 {
        self.high
    }
}

impl From<f64> for Double {
    #[inline(always)]
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

/// a + b exactly (Møller and Knuth).
#[inline(always)]
pub(super) fn two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let of_b = high - a;
    let of_a = high - of_b;
    Double { high, low: (a - of_a) + (b - of_b) }
}

/// a + b exactly where a is 0 or has no smaller exponent than b (Dekker).
#[inline(always)]
fn fast_two_sum(a: f64, b: f64) -> Double {
    let high = a + b;
    Double { high, low: b - (high - a) }
}

/// a as the sum of two numbers of at most 26 bits, whose products are exact (Veltkamp).
#[inline(always)]
fn split(a: f64) -> (f64, f64) {
    const SPLITTER: f64 = ((1 << 27) + 1) as f64;
    let scaled = SPLITTER * a;
    let high = scaled - (scaled - a);
    (high, a - high)
}

impl Add for Double {
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

impl Sub for Double {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + Self { high: -other.high, low: -other.low }
    }
}

impl Div for Double {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use num_rational::BigRational;

    fn exact(x: f64) -> BigRational {
        BigRational::from_float(x).expect("finite")
    }

    fn value(x: Double) -> BigRational {
        assert_eq!(x.high + x.low, x.high, "{x:?} is not normalised");
        exact(x.high) + exact(x.low)
    }

    /// Numbers with exponents near enough to each other that they interact.
    struct Numbers(Random);

    impl Numbers {
        fn bits(&mut self) -> u64 {
            self.0.bits()
        }

        fn single(&mut self) -> f64 {
            let exponent = 1023 - 30 + self.bits() % 60;
            // Few bits, so that sums cancel and products tie, as often as many.
            let fraction = self.bits() & (u64::MAX << [0, 20, 40, 50][self.bits() as usize % 4]);
            f64::from_bits((self.bits() & 1 << 63) | exponent << 52 | fraction >> 12)
        }

        fn double(&mut self) -> Double {
            let high = self.single();
            let low = high * (self.single() * 2_f64.powi(-30 - 54));
            fast_two_sum(high, low)
        }
    }

    fn within(found: Double, expected: &BigRational, units: f64) {
        let unit_squared = exact(units * 2_f64.powi(-106));
        let zero = exact(0.0);
        let magnitude = if *expected < zero { -expected.clone() } else { expected.clone() };
        let off = value(found) - expected.clone();
        let off = if off < zero { -off } else { off };
        assert!(off <= unit_squared * magnitude, "{found:?} is not {expected}");
    }

    #[test]
    fn operations_are_as_precise_as_the_paper_proves() {
        let mut numbers = Numbers(Random::new(1));
        for _ in 0..20_000 {
            let (a, mut b) = (numbers.double(), numbers.double());
            if numbers.bits().is_multiple_of(3) {
                // Almost all of it cancels.
                b = Double { high: -a.high, low: numbers.double().high * a.low };
                b = fast_two_sum(b.high, b.low);
            }
            within(a + b, &(value(a) + value(b)), 3.01);
            within(a - b, &(value(a) - value(b)), 3.01);
            within(a.times(b.high), &(value(a) * exact(b.high)), 1.51);
            within(a / b, &(value(a) / value(b)), 15.01);
        }
    }

    #[test]
    fn difference_of_two_products_is_never_of_the_wrong_sign() {
        let mut numbers = Numbers(Random::new(2));
        for _ in 0..20_000 {
            let (a, b, c) = (numbers.single(), numbers.single(), numbers.single());
            // The neighbours of the quotient: the products agree to a few bits.
            let d = f64::from_bits((a * b / c).to_bits().wrapping_add(numbers.bits() % 3).wrapping_sub(1));
            let truth = exact(a) * exact(b) - exact(c) * exact(d);
            let found = Double::product(a, b) - Double::product(c, d);
            assert_eq!(found > Double::from(0.0), truth > exact(0.0), "{a:e} {b:e} {c:e} {d:e}");
            assert_eq!(found < Double::from(0.0), truth < exact(0.0), "{a:e} {b:e} {c:e} {d:e}");
        }
    }

    #[test]
    fn products_are_exact_down_to_factors_of_two_to_the_minus_480() {
        let mut numbers = Numbers(Random::new(3));
        for _ in 0..1_000 {
            let [a, b] = [numbers.single(), numbers.single()].map(|x| x * 2_f64.powi(-450));
            assert_eq!(value(Double::product(a, b)), exact(a) * exact(b), "{a:e} {b:e}");
        }
    }
}

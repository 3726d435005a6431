//! Numbers of about twice the digits of `f64`: the sum of two `f64`, of which the second is at most
//! half a unit in the last place of the first. The operations and their bounds are those of Joldes,
//! Muller and Popescu, "Tight and Rigorous Error Bounds for Basic Building Blocks of Double-Word
//! Arithmetic", ACM Transactions on Mathematical Software 44(2), 2017.
//!
//! The engine has such numbers too. These share no code with them, and take products by fused
//! operations.

use std::ops::{Add, Div, Mul, Sub};

/// A number in which what is given is a few of its roundings, at most, off.
pub trait Wide:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + From<f64>
{
    /// Whether its operations take so long that it is worth a test in `f64` to do without.
    const IS_DEAR: bool;

    /// The product of two numbers of the engine's precision, exactly.
    fn product(a: f64, b: f64) -> Self;

    /// The nearest; of the same sign.
    fn to_f64(self) -> f64;
}

/// For numbers of `f32`.
impl Wide for f64 {
    const IS_DEAR: bool = false;

    fn product(a: f64, b: f64) -> Self {
        a * b
    }

    fn to_f64(self) -> f64 {
        self
    }
}

/// For numbers of `f64`. A sum or a difference is off by 3 · 2⁻¹⁰⁶ of its value at most, whatever
/// cancels, so its sign is right; a product by 5 · 2⁻¹⁰⁶; a quotient by 2⁻¹⁰⁰.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Double {
    high: f64,
    low: f64,
}

impl Double {
    /// Of two numbers, the first of which is 0 or not the lesser in magnitude.
    fn of_ordered(high: f64, low: f64) -> Self {
        let sum = high + low;
        Self { high: sum, low: low - (sum - high) }
    }

    /// The sum of any two, exactly.
    fn sum(a: f64, b: f64) -> Self {
        let sum = a + b;
        let of_b = sum - a;
        Self { high: sum, low: (a - (sum - of_b)) + (b - of_b) }
    }
}

impl Wide for Double {
    const IS_DEAR: bool = true;

    /// As long as neither overflows nor comes near the least numbers.
    fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        Self { high, low: a.mul_add(b, -high) }
    }

    fn to_f64(self) -> f64 {
        self.high
    }
}

impl From<f64> for Double {
    fn from(high: f64) -> Self {
        Self { high, low: 0.0 }
    }
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let (high, low) = (Self::sum(self.high, other.high), Self::sum(self.low, other.low));
        let sum = Self::of_ordered(high.high, high.low + low.high);
        Self::of_ordered(sum.high, low.low + sum.low)
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, Self { high, low }: Self) -> Self {
        self + Self { high: -high, low: -low }
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let crossed = self.high.mul_add(other.low, self.low * other.high);
        Self::of_ordered(product.high, product.low + crossed)
    }
}

impl Div for Double {
    type Output = Self;
    /// Digit by digit, of which each is an `f64`.
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * first.into();
        let second = rest.high / other.high;
        let third = (rest - other * second.into()).high / other.high;
        Self::of_ordered(first, second) + third.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Exact;
    use crate::random::Random;

    fn exact(x: Double) -> Exact {
        Exact::from_f64(x.high) + Exact::from_f64(x.low)
    }

    /// Of all sizes, and as often as not so near to another that nearly all of it cancels.
    #[test]
    fn operations_are_off_by_no_more_than_stated() {
        let random = &mut Random::new(1);
        for number in 0..20_000 {
            let mut any = || {
                let size = 2_f64.powi(random.below(200) as i32 - 100);
                (random.unit_f64() - 0.5) * size
            };
            let (a, b, c) = (any(), any(), any());
            let first = Double::sum(a, b * 2_f64.powi(-50));
            let second = match number % 3 {
                0 => Double::sum(c, any() * 1e-17),
                1 => Double { low: first.low + f64::EPSILON * first.low, ..first },
                _ => Double { high: -first.high, low: first.low },
            };
            let [x, y] = [first, second].map(exact);
            for (found, expected, digits) in [
                (first + second, &x + &y, 104),
                (first - second, &x - &y, 104),
                (first * second, &x * &y, 103),
                (first / second, &x / &y, 100),
                (Double::product(a, c), Exact::from_f64(a) * Exact::from_f64(c), 1000),
            ] {
                let off = (exact(found) - &expected).abs();
                assert!(
                    off <= expected.abs() * Exact::power(-digits),
                    "{first:?} {second:?}: {found:?}, not {}",
                    expected.to_f64()
                );
            }
        }
    }
}

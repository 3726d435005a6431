//! Numbers without rounding: what the references compute with.

use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

use num_bigint::{BigInt, Sign};

/// A rational number, `over / under · 2^two` with `under` > 0.
///
/// It is never brought to lowest terms: formulas here are short, and cross-multiplying is cheaper
/// than a greatest common divisor after each step.
#[derive(Debug, Clone)]
pub struct Exact {
    over: BigInt,
    under: BigInt,
    two: i64,
}

impl Exact {
    pub fn of(whole: i64) -> Self {
        Self { over: whole.into(), under: 1.into(), two: 0 }
    }

    /// 2 to the power of `two`.
    pub fn power(two: i64) -> Self {
        Self { two, ..Self::of(1) }
    }

    /// A finite number as what it stands for.
    pub fn from_f64(value: f64) -> Self {
        assert!(value.is_finite(), "{value} is no number");
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i64, (bits & ((1 << 52) - 1)) as i64);
        let (whole, two) =
            if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        // Few digits keep what is computed from them short.
        let zeros = if whole == 0 { 0 } else { i64::from(whole.trailing_zeros()) };
        let whole = whole >> zeros;
        Self { two: two + zeros, ..Self::of(if value.is_sign_negative() { -whole } else { whole }) }
    }

    /// Nearly the same, for messages.
    pub fn to_f64(&self) -> f64 {
        let (over, over_two) = leading(&self.over);
        let (under, under_two) = leading(&self.under);
        // In two steps: a power that overflows may still have a product that does not.
        let two = (self.two + over_two - under_two).clamp(-2000, 2000) as i32;
        over / under * 2_f64.powi(two / 2) * 2_f64.powi(two - two / 2)
    }

    pub fn is_zero(&self) -> bool {
        self.over.sign() == Sign::NoSign
    }

    pub fn is_negative(&self) -> bool {
        self.over.sign() == Sign::Minus
    }

    pub fn abs(&self) -> Self {
        if self.is_negative() { -self.clone() } else { self.clone() }
    }

    pub fn square(&self) -> Self {
        self * self
    }

    /// Bounds on the square root of a number that is not negative, a relative 2⁻¹²⁰ apart or less.
    pub fn square_root(&self) -> [Self; 2] {
        assert!(!self.is_negative(), "the root of {}", self.to_f64());
        if self.is_zero() {
            return [self.clone(), self.clone()];
        }
        // The root of over · under / under² · 2^two, shifted by an even number until it is long.
        let product = &self.over * &self.under;
        let shift = 2 * (130 + i64::from(self.two.rem_euclid(2) == 1)) - self.two.rem_euclid(2);
        let root = (product << shift as usize).sqrt();
        let of = |over| Self { over, under: self.under.clone(), two: (self.two - shift) / 2 };
        [of(root.clone()), of(root + 1)]
    }
}

/// The first digits of a whole number, and by which power of two they are to be multiplied.
fn leading(whole: &BigInt) -> (f64, i64) {
    let shift = whole.bits().saturating_sub(60);
    let digits = i64::try_from(whole >> shift).expect("at most 60 bits");
    (digits as f64, shift as i64)
}

/// Two numerators over the product of the denominators, at the same power of two.
fn side_by_side(a: &Exact, b: &Exact) -> (BigInt, BigInt, i64) {
    let two = a.two.min(b.two);
    let (left, right) = (&a.over * &b.under, &b.over * &a.under);
    (left << (a.two - two) as usize, right << (b.two - two) as usize, two)
}

impl Add for &Exact {
    type Output = Exact;
    fn add(self, other: Self) -> Exact {
        let (left, right, two) = side_by_side(self, other);
        Exact { over: left + right, under: &self.under * &other.under, two }
    }
}

impl Mul for &Exact {
    type Output = Exact;
    fn mul(self, other: Self) -> Exact {
        let two = self.two + other.two;
        Exact { over: &self.over * &other.over, under: &self.under * &other.under, two }
    }
}

impl Div for &Exact {
    type Output = Exact;
    fn div(self, other: Self) -> Exact {
        assert!(!other.is_zero(), "division by zero");
        let (over, under) = (&self.over * &other.under, &self.under * &other.over);
        let two = self.two - other.two;
        if other.is_negative() {
            Exact { over: -over, under: -under, two }
        } else {
            Exact { over, under, two }
        }
    }
}

impl Neg for Exact {
    type Output = Self;
    fn neg(self) -> Self {
        Self { over: -self.over, ..self }
    }
}

impl Sub for &Exact {
    type Output = Exact;
    fn sub(self, other: Self) -> Exact {
        self + &-other.clone()
    }
}

impl Neg for &Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        -self.clone()
    }
}

macro_rules! also_by_value {
    ($($operation:ident $method:ident),*) => {$(
        impl $operation for Exact {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                $operation::$method(&self, &other)
            }
        }

        impl $operation<&Self> for Exact {
            type Output = Self;
            fn $method(self, other: &Self) -> Self {
                $operation::$method(&self, other)
            }
        }

        impl $operation<Exact> for &Exact {
            type Output = Exact;
            fn $method(self, other: Exact) -> Exact {
                $operation::$method(self, &other)
            }
        }
    )*};
}

also_by_value!(Add add, Sub sub, Mul mul, Div div);

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        // Most comparisons are between numbers of different signs: no need to multiply.
        let signs = self.over.sign().cmp(&other.over.sign());
        signs.then_with(|| {
            let (left, right, _) = side_by_side(self, other);
            left.cmp(&right)
        })
    }
}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Exact {}

/// A rational number or an end of the line of numbers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extended {
    NegativeInfinity,
    Finite(Exact),
    Infinity,
}

use Extended::{Finite, Infinity, NegativeInfinity};

impl Extended {
    /// What a number that is not NaN stands for.
    pub fn from_f64(value: f64) -> Self {
        assert!(!value.is_nan(), "NaN is no number");
        match value {
            f64::INFINITY => Infinity,
            f64::NEG_INFINITY => NegativeInfinity,
            _ => Finite(Exact::from_f64(value)),
        }
    }

    pub fn finite(&self) -> Option<&Exact> {
        match self {
            Finite(value) => Some(value),
            _ => None,
        }
    }

    /// The image under t ↦ (t − `origin`) / `direction`, with `direction` ≠ 0.
    pub fn parameter(&self, origin: &Exact, direction: &Exact) -> Self {
        match self {
            Finite(value) => Finite(&(value - origin) / direction),
            infinite => {
                if (*infinite == Infinity) == direction.is_negative() {
                    NegativeInfinity
                } else {
                    Infinity
                }
            }
        }
    }

    /// The number moved by `distance`; an infinite one stays.
    pub fn moved(&self, distance: &Exact) -> Self {
        match self {
            Finite(value) => Finite(value + distance),
            infinite => infinite.clone(),
        }
    }

    pub fn to_f64(&self) -> f64 {
        match self {
            NegativeInfinity => f64::NEG_INFINITY,
            Finite(value) => value.to_f64(),
            Infinity => f64::INFINITY,
        }
    }
}

impl From<Exact> for Extended {
    fn from(value: Exact) -> Self {
        Finite(value)
    }
}

#[test]
fn arithmetic_is_that_of_rationals() {
    let third = &Exact::of(1) / &Exact::of(-3);
    assert_eq!(&third * &Exact::of(-6), Exact::of(2));
    assert_eq!(&third + &third, &Exact::of(4) / &Exact::of(-6));
    assert!(third < Exact::of(0) && third.abs() > Exact::from_f64(1.0 / 3.0));
    for value in
        [0.0, -0.0, 1.0, -2.5, 1e300, -1e-300, f64::from_bits(1), f64::MAX, f64::MIN_POSITIVE]
    {
        assert_eq!(Exact::from_f64(value).to_f64(), value);
    }
    let largest = Exact::from_f64(f64::MAX);
    assert!(&largest + &Exact::from_f64(f64::from_bits(1)) > largest);
}

#[test]
fn roots_are_bounded_from_both_sides() {
    for value in [2.0, 4.0, 0.5, 3e-9, 7e40, 1e-301, 0.0] {
        let value = &Exact::from_f64(value) / &Exact::of(7);
        let [low, high] = value.square_root();
        assert!(low.square() <= value && value <= high.square());
        assert!(&high - &low <= &high * &Exact::power(-120));
    }
}

//! Exact numbers with a bound on how far from them a computed one may be.

use crate::exact::{Exact, Extended};

/// Any number from `value` − `error` to `value` + `error`.
#[derive(Debug, Clone)]
pub struct Near {
    pub value: Exact,
    pub error: Exact,
}

impl Near {
    pub fn new(value: Exact, error: Exact) -> Self {
        Self { value, error }
    }

    pub fn plus(&self, other: &Self) -> Self {
        Self::new(&self.value + &other.value, &self.error + &other.error)
    }

    pub fn minus(&self, other: &Self) -> Self {
        Self::new(&self.value - &other.value, &self.error + &other.error)
    }

    pub fn times(&self, other: &Self) -> Self {
        let crossed = &(&self.value.abs() * &other.error) + &(&other.value.abs() * &self.error);
        Self::new(&self.value * &other.value, &crossed + &(&self.error * &other.error))
    }

    /// The quotient, if the divisor cannot be zero.
    pub fn over(&self, other: &Self) -> Option<Self> {
        other.sign()?;
        let quotient = &self.value / &other.value;
        let error = &self.error + &(&quotient.abs() * &other.error);
        Some(Self::new(quotient, &error / &(&other.value.abs() - &other.error)))
    }

    /// The sign, if it is certain and not zero: whether it is negative.
    pub fn sign(&self) -> Option<bool> {
        (self.value.abs() > self.error).then(|| self.value.is_negative())
    }

    pub fn least(&self) -> Extended {
        (&self.value - &self.error).into()
    }

    pub fn most(&self) -> Extended {
        (&self.value + &self.error).into()
    }

    /// Whether a number is one of these.
    pub fn holds(&self, number: &Exact) -> bool {
        (number - &self.value).abs() <= self.error
    }
}

#[test]
fn what_is_computed_of_any_of_them_is_one_of_the_result() {
    let near = |value: f64, error: f64| Near::new(Exact::from_f64(value), Exact::from_f64(error));
    let (a, b) = (near(3.0, 0.5), near(-2.0, 0.25));
    let quotient = a.over(&b).expect("not zero");
    for x in [2.5, 3.0, 3.5].map(Exact::from_f64) {
        for y in [-2.25, -2.0, -1.75].map(Exact::from_f64) {
            assert!(a.plus(&b).holds(&(&x + &y)) && a.minus(&b).holds(&(&x - &y)));
            assert!(a.times(&b).holds(&(&x * &y)) && quotient.holds(&(&x / &y)));
        }
    }
    assert!(!a.plus(&b).holds(&Exact::of(2)) && !quotient.holds(&Exact::of(0)));
    assert!(a.over(&near(0.5, 0.5)).is_none());
}

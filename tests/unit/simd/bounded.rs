use std::ops::{Add, Div, Mul, Sub};

use super::Real;

/// A number of `f32`, and by how much it may be off: each operation adds the most that it may round
/// off numbers as great as its result.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounded {
    pub(crate) value: f32,
    pub(crate) error: f64,
}

impl Bounded {
    /// The sum of an exact number and an error, rounded.
    pub(crate) fn new(value: f32, error: f64) -> Self {
        let unit = f64::from(value.abs().next_up()) - f64::from(value.abs());
        Self { value, error: error + 0.5 * unit }
    }

    pub(crate) fn exact(value: f32) -> Self {
        Self { value, error: 0.0 }
    }
}

impl Add for Bounded {
    type Output = Self;

    fn add(self, b: Self) -> Self {
        Self::new(self.value + b.value, self.error + b.error)
    }
}

impl Sub for Bounded {
    type Output = Self;

    fn sub(self, b: Self) -> Self {
        Self::new(self.value - b.value, self.error + b.error)
    }
}

impl Mul for Bounded {
    type Output = Self;

    fn mul(self, b: Self) -> Self {
        let [a_size, b_size] = [self, b].map(|number| f64::from(number.value.abs()));
        Self::new(
            self.value * b.value,
            a_size * b.error + b_size * self.error + self.error * b.error,
        )
    }
}

impl Div for Bounded {
    type Output = Self;

    fn div(self, _: Self) -> Self {
        unreachable!("first stages do not divide")
    }
}

impl Real for Bounded {
    type Scalar = f32;
    type Mask = bool;

    fn splat(self, value: f32) -> Self {
        Self::exact(value)
    }

    fn min(self, other: Self) -> Self {
        if self.lt(other) { self } else { other }
    }

    fn max(self, other: Self) -> Self {
        if other.lt(self) { self } else { other }
    }

    fn lt(self, other: Self) -> bool {
        self.value < other.value
    }

    fn le(self, other: Self) -> bool {
        self.value <= other.value
    }

    fn abs(self) -> Self {
        Self { value: self.value.abs(), ..self }
    }

    fn sqrt(self) -> Self {
        unreachable!("first stages have no roots")
    }

    fn select(self, mask: bool, other: Self) -> Self {
        if mask { self } else { other }
    }
}

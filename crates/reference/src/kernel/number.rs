//! The two precisions, as the tests need them.

use lanecast::primitive::ExactScalar;

use crate::exact::{Exact, Extended};

/// `f32` or `f64`.
pub trait Number: ExactScalar {
    const NAME: &'static str;
    /// The unit roundoff is 2 to the power of minus this.
    const DIGITS: i64;
    /// Coordinates of cases differ in scale by powers of two of this.
    const SCALE_STEP: i32;

    /// The nearest number of this precision.
    fn of_f64(value: f64) -> Self;

    fn bits(self) -> u64;

    /// What a finite number stands for.
    fn exact(self) -> Exact {
        Exact::from_f64(self.to_f64())
    }

    /// What a number that is not NaN stands for.
    fn extended(self) -> Extended {
        Extended::from_f64(self.to_f64())
    }

    /// So many units of roundoff.
    fn roundoffs(count: i64) -> Exact {
        &Exact::of(count) * &Exact::power(-Self::DIGITS)
    }

    /// A direction's component as the tests take it: one whose reciprocal overflows counts as zero.
    fn component(self) -> Exact {
        let component = self.exact();
        // Numbers from the largest and half of the last place on are rounded to infinity.
        let largest =
            &Exact::from_f64(Self::INFINITE_T.to_f64()) * &(&Exact::of(2) - &Self::roundoffs(1));
        let overflows = &component.abs() * &largest <= Exact::of(1);
        if overflows { Exact::of(0) } else { component }
    }

    /// Whether `t` is neither so small that it has lost digits nor so large that it counts as
    /// infinite, with room for a few roundings.
    fn holds_parameter(t: &Extended) -> bool {
        let Extended::Finite(t) = t else { return true };
        let size = t.abs();
        size.is_zero()
            || &Exact::from_f64(Self::MIN_POSITIVE.to_f64()) * &Exact::of(4) < size
                && size < &Exact::from_f64(Self::INFINITE_T.to_f64()) / &Exact::of(4)
    }
}

impl Number for f32 {
    const NAME: &'static str = "f32";
    const DIGITS: i64 = 24;
    const SCALE_STEP: i32 = 20;

    fn of_f64(value: f64) -> Self {
        value as Self
    }

    fn bits(self) -> u64 {
        self.to_bits().into()
    }
}

impl Number for f64 {
    const NAME: &'static str = "f64";
    const DIGITS: i64 = 53;
    const SCALE_STEP: i32 = 100;

    fn of_f64(value: f64) -> Self {
        value
    }

    fn bits(self) -> u64 {
        self.to_bits()
    }
}

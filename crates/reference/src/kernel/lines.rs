//! Lines, rays and segments in exact numbers, and the parts of them that lie between planes.

use lanecast::{Ray, Segment};

use super::number::Number;
use crate::exact::{Exact, Extended};

/// All points `origin + t · direction` with `t_min ≤ t ≤ t_max`.
#[derive(Debug, Clone)]
pub struct ExactLine {
    pub origin: Vec<Exact>,
    pub direction: Vec<Exact>,
    pub t_min: Extended,
    pub t_max: Extended,
}

impl ExactLine {
    /// A ray, its direction taken as it is.
    pub fn of_ray<T: Number, const D: usize>(ray: &Ray<T, D>) -> Self {
        Self {
            origin: ray.origin.iter().map(|x| x.exact()).collect(),
            direction: ray.direction.iter().map(|x| x.exact()).collect(),
            t_min: ray.t_min.extended(),
            t_max: ray.t_max.extended(),
        }
    }

    /// A ray as the box tests document it: components whose reciprocal overflows count as zero.
    pub fn of_ray_by_reciprocals<T: Number, const D: usize>(ray: &Ray<T, D>) -> Self {
        let direction = ray.direction.iter().map(|x| x.component()).collect();
        Self { direction, ..Self::of_ray(ray) }
    }

    pub fn of_segment<T: Number, const D: usize>(segment: &Segment<T, D>) -> Self {
        let origin: Vec<Exact> = segment.start.iter().map(|x| x.exact()).collect();
        let end = segment.end.iter().map(|x| x.exact());
        let direction = end.zip(&origin).map(|(end, start)| &end - start).collect();
        Self { origin, direction, t_min: Exact::of(0).into(), t_max: Exact::of(1).into() }
    }

    pub fn at(&self, t: &Exact) -> Vec<Exact> {
        self.origin.iter().zip(&self.direction).map(|(o, d)| o + &(t * d)).collect()
    }

    pub fn interval(&self) -> Interval {
        Interval { from: self.t_min.clone(), to: self.t_max.clone() }
    }
}

/// All t with `from ≤ t ≤ to`; none where `from > to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    pub from: Extended,
    pub to: Extended,
}

impl Interval {
    pub fn whole() -> Self {
        Self { from: Extended::NegativeInfinity, to: Extended::Infinity }
    }

    pub fn empty() -> Self {
        Self { from: Extended::Infinity, to: Extended::NegativeInfinity }
    }

    pub fn is_empty(&self) -> bool {
        // No t is infinite.
        self.from > self.to
            || self.from == Extended::Infinity
            || self.to == Extended::NegativeInfinity
    }

    pub fn and(&self, other: &Self) -> Self {
        Self {
            from: self.from.clone().max(other.from.clone()),
            to: self.to.clone().min(other.to.clone()),
        }
    }

    /// The least interval that holds both.
    pub fn or(&self, other: &Self) -> Self {
        Self {
            from: self.from.clone().min(other.from.clone()),
            to: self.to.clone().max(other.to.clone()),
        }
    }

    /// Where `low ≤ origin + t · direction ≤ high`.
    pub fn between(origin: &Exact, direction: &Exact, low: &Extended, high: &Extended) -> Self {
        if low > high {
            return Self::empty();
        }
        if direction.is_zero() {
            let origin = Extended::from(origin.clone());
            return if *low <= origin && origin <= *high { Self::whole() } else { Self::empty() };
        }
        let (near, far) = if direction.is_negative() { (high, low) } else { (low, high) };
        Self { from: near.parameter(origin, direction), to: far.parameter(origin, direction) }
    }

    /// Every t further from the middle by `distance`, or nearer if it is negative.
    pub fn widened(&self, distance: &Exact) -> Self {
        Self { from: self.from.moved(&-distance.clone()), to: self.to.moved(distance) }
    }
}

/// Whether `found` differs from `expected` by no more than so many units of roundoff of it;
/// infinite ends must be equal.
pub fn within<T: Number>(found: T, expected: &Extended, roundoffs: i64) -> bool {
    if found.is_nan() {
        return false;
    }
    match (found.extended(), expected) {
        (Extended::Finite(found), Extended::Finite(expected)) => {
            (&found - expected).abs() <= &expected.abs() * &T::roundoffs(roundoffs)
        }
        (found, expected) => found == *expected,
    }
}

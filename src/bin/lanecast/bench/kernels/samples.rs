//! Lines and primitives of which about one pair in ten meets.

use crate::rays::Random;
use lanecast::primitive::{Aabb, Sphere};
use lanecast::{Columns, Ray, RayBatch, Record, Scalar, Segment};

/// What can be drawn at random, in and around the unit cube.
pub(super) trait Sample: Record {
    fn sample(random: &mut Random) -> Self;

    /// Columns, in the order of the numbers of a record, as the library takes them.
    fn columns<'a>(columns: &[&'a [Self::Scalar]]) -> lanecast::Result<Columns<'a, Self>>;
}

/// Some columns from a place on.
fn from<'a, T, const N: usize>(columns: &[&'a [T]], first: usize) -> [&'a [T]; N] {
    std::array::from_fn(|place| columns[first + place])
}

fn number<T: Scalar>(random: &mut Random) -> T {
    T::of(random.unit() as f32)
}

fn point<T: Scalar, const D: usize>(random: &mut Random) -> [T; D] {
    std::array::from_fn(|_| number(random))
}

impl<T: Scalar, const D: usize> Sample for Ray<T, D> {
    fn sample(random: &mut Random) -> Self {
        Self::segment(point(random), point(random))
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        RayBatch::from_columns(from(columns, 0), from(columns, D))?
            .with_intervals(columns[2 * D], columns[2 * D + 1])
    }
}

impl<T: Scalar> Sample for Segment<T> {
    fn sample(random: &mut Random) -> Self {
        Self::new(point(random), point(random))
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts([from(columns, 0), from(columns, 3)])
    }
}

impl<T: Scalar, const D: usize> Sample for Aabb<T, D> {
    fn sample(random: &mut Random) -> Self {
        let min: [T; D] = point(random);
        let size: [T; D] = point(random);
        Self { min, max: std::array::from_fn(|axis| min[axis] + T::of(0.4) * size[axis]) }
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts([from(columns, 0), from(columns, D)])
    }
}

impl<T: Scalar> Sample for Sphere<T> {
    fn sample(random: &mut Random) -> Self {
        Self::new(point(random), T::of(0.25) * number(random))
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts(from(columns, 0))
    }
}

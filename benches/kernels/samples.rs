//! Lines and primitives of which one pair in ten to a hundred meets, of triangles one in some
//! hundred.

use lanecast::primitive::{Aabb, Disc, Obb, Sphere, Triangle, TriangleWithNormal};
use lanecast::{
    Ray, RayBatch, Scalar, Segment,
    columns::{Columns, Record},
};

/// What can be drawn at random, in and around the unit cube, from numbers between 0 and 1.
pub(super) trait Sample: Record {
    fn sample(uniform: &mut impl FnMut() -> f32) -> Self;

    /// Columns, in the order of the numbers of a record, as the library takes them.
    fn columns<'a>(columns: &[&'a [Self::Scalar]]) -> lanecast::Result<Columns<'a, Self>>;
}

/// Some columns from a place on.
fn from<'a, T, const N: usize>(columns: &[&'a [T]], first: usize) -> [&'a [T]; N] {
    std::array::from_fn(|place| columns[first + place])
}

/// All columns, three to a row.
fn rows<'a, T, const N: usize>(columns: &[&'a [T]]) -> [[&'a [T]; 3]; N] {
    std::array::from_fn(|row| from(columns, 3 * row))
}

fn number<T: Scalar>(uniform: &mut impl FnMut() -> f32) -> T {
    T::of(uniform())
}

fn point<T: Scalar, const D: usize>(uniform: &mut impl FnMut() -> f32) -> [T; D] {
    std::array::from_fn(|_| number(uniform))
}

impl<T: Scalar, const D: usize> Sample for Ray<T, D> {
    fn sample(uniform: &mut impl FnMut() -> f32) -> Self {
        Self::segment(point(uniform), point(uniform))
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        RayBatch::from_columns(from(columns, 0), from(columns, D))?
            .with_intervals(columns[2 * D], columns[2 * D + 1])
    }
}

impl<T: Scalar> Sample for Segment<T> {
    fn sample(uniform: &mut impl FnMut() -> f32) -> Self {
        Self::new(point(uniform), point(uniform))
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts([from(columns, 0), from(columns, 3)])
    }
}

impl<T: Scalar, const D: usize> Sample for Aabb<T, D> {
    fn sample(uniform: &mut impl FnMut() -> f32) -> Self {
        let min: [T; D] = point(uniform);
        let size: [T; D] = point(uniform);
        Self { min, max: std::array::from_fn(|axis| min[axis] + T::of(0.4) * size[axis]) }
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts([from(columns, 0), from(columns, D)])
    }
}

impl<T: Scalar> Sample for Sphere<T> {
    fn sample(uniform: &mut impl FnMut() -> f32) -> Self {
        Self::new(point(uniform), T::of(0.25) * number(uniform))
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts(from(columns, 0))
    }
}

impl<T: Scalar> Sample for Obb<T> {
    fn sample(uniform: &mut impl FnMut() -> f32) -> Self {
        let half_extents = point::<T, 3>(uniform).map(|size| T::of(0.2) * size);
        Self { center: point(uniform), axes: rotation(uniform), half_extents }
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts(rows(columns))
    }
}

/// The rows of the matrix that a quaternion stands for, in the precision asked for: `f64` would
/// refuse axes that were rounded to `f32`.
fn rotation<T: Scalar>(uniform: &mut impl FnMut() -> f32) -> [[T; 3]; 3] {
    let two = T::of(2.0);
    let [x, y, z]: [T; 3] = point(uniform);
    let w = T::of(0.25) + number(uniform);
    let scale = two / (w * w + x * x + y * y + z * z);
    let one_less = |sum: T| T::ONE - scale * sum;
    [
        [one_less(y * y + z * z), scale * (x * y - z * w), scale * (x * z + y * w)],
        [scale * (x * y + z * w), one_less(x * x + z * z), scale * (y * z - x * w)],
        [scale * (x * z - y * w), scale * (y * z + x * w), one_less(x * x + y * y)],
    ]
}

/// Small ones, which a line meets once in some hundred, as in a mesh: [`Watertight`] decides hits
/// lane by lane, and its speed depends on how many there are.
///
/// [`Watertight`]: lanecast::primitive::Watertight
impl<T: Scalar> Sample for Triangle<T> {
    fn sample(uniform: &mut impl FnMut() -> f32) -> Self {
        let corner: [T; 3] = point(uniform);
        Self::new(std::array::from_fn(|_| {
            let offset: [T; 3] = point(uniform);
            std::array::from_fn(|axis| T::of(0.8) * corner[axis] + T::of(0.2) * offset[axis])
        }))
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts(rows(columns))
    }
}

impl<T: Scalar> Sample for TriangleWithNormal<T> {
    fn sample(uniform: &mut impl FnMut() -> f32) -> Self {
        Triangle::sample(uniform).with_normal()
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts(rows(columns))
    }
}

impl<T: Scalar> Sample for Disc<T> {
    fn sample(uniform: &mut impl FnMut() -> f32) -> Self {
        let normal = point::<T, 3>(uniform).map(|component| component - T::of(0.5));
        Self { center: point(uniform), normal, radius: T::of(0.4) * number(uniform) }
    }

    fn columns<'a>(columns: &[&'a [T]]) -> lanecast::Result<Columns<'a, Self>> {
        Columns::from_parts(from(columns, 0))
    }
}

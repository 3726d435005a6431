//! The sphere.

use crate::columns::{Columns, Record, Row, plain_numbers};
use crate::simd::Scalar;

/// A ball: all points at most `radius` from `center`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Sphere<T = f32> {
    /// The middle.
    pub center: [T; 3],
    /// At least 0; a sphere whose radius is negative or NaN is never met.
    pub radius: T,
}

/// Any number of spheres as columns: x, y and z of the centers, and radii.
pub type SphereBatch<'a, T = f32> = Columns<'a, Sphere<T>>;

plain_numbers!(Sphere);

impl<T: Scalar> Record for Sphere<T> {
    type Scalar = T;
    type Shape = Row<4>;

    fn column_name(place: usize) -> &'static str {
        ["center x", "center y", "center z", "radius"][place]
    }
}

impl<T: Scalar> Sphere<T> {
    /// The sphere around `center`.
    pub const fn new(center: [T; 3], radius: T) -> Self {
        Self { center, radius }
    }
}

//! The disc.

use crate::columns::{Columns, Record, Row, plain_numbers};
use crate::simd::Scalar;

/// A flat disc: the points of a plane at most `radius` from `center`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Disc<T = f32> {
    /// The middle.
    pub center: [T; 3],
    /// Square to the plane, of any length but zero. It points to the front.
    pub normal: [T; 3],
    /// At least 0; a disc whose radius is negative or NaN is never met.
    pub radius: T,
}

/// Any number of discs as columns: x, y and z of the centers and of the normals, and radii.
pub type DiscBatch<'a, T = f32> = Columns<'a, Disc<T>>;

plain_numbers!(Disc);

impl<T: Scalar> Record for Disc<T> {
    type Scalar = T;
    type Shape = Row<7>;

    fn column_name(place: usize) -> &'static str {
        ["center x", "center y", "center z", "normal x", "normal y", "normal z", "radius"][place]
    }
}

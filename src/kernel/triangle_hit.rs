//! Hits on triangles.

use crate::simd::Scalar;
use crate::value::Side;

/// Where a line, ray or segment passes through a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleHit<T = f32> {
    /// The ray parameter of the point.
    pub t: T,
    /// The weight of the second vertex.
    pub u: T,
    /// The weight of the third vertex; the first has 1 − u − v.
    pub v: T,
    /// From which side the line comes.
    pub side: Side,
}

impl<T: Scalar> TriangleHit<T> {
    pub(super) fn new(code: u8, &[t, u, v]: &[T; 3]) -> Self {
        Self { t, u, v, side: Side::of_code(code) }
    }
}

//! Hits on triangles.

use super::test::Test;
use super::watertight::{Exactly, Watertight};
use crate::error::Result;
use crate::simd::Scalar;
use crate::value::{Ray, Side, Triangle};

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

impl<T: Exactly> Triangle<T> {
    /// Where a line, ray or segment passes through the triangle, from either side, by the
    /// [watertight](Watertight) test; `None` if they do not meet.
    ///
    /// ```
    /// use lanecast::primitive::{Side, Triangle};
    /// use lanecast::Ray;
    /// let triangle = Triangle::new([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    /// let hit = triangle.intersect(&Ray::segment([1.0, 2.0, 3.0], [1.0, 2.0, -1.0]))?.expect("they meet");
    /// assert_eq!((hit.t, hit.u, hit.v, hit.side), (0.75, 0.25, 0.5, Side::Front));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect).
    pub fn intersect(&self, ray: &Ray<T>) -> Result<Option<TriangleHit<T>>> {
        Watertight::TWO_SIDED.intersect(self, ray)
    }
}

//! The triangle.

use crate::columns::{Columns, Record, Rows, plain_numbers};
use crate::math::{cross, sub};
use crate::simd::{Scalar, with_default_float_mode};

/// A triangle by its three vertices; edges and vertices belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Triangle<T = f32> {
    /// The front is where they are seen to run counter-clockwise.
    pub vertices: [[T; 3]; 3],
}

/// A triangle that carries the normal of its plane, for tests that else would compute it for each line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct TriangleWithNormal<T = f32> {
    /// As of the [triangle](Triangle::vertices).
    pub vertices: [[T; 3]; 3],
    /// (v1 − v0) × (v2 − v0), not normalised: its length is twice the area, and weights are measured
    /// by it. Any other vector gives wrong answers.
    pub normal: [T; 3],
}

/// Any number of triangles as columns: x, y and z of the first vertex, of the second, of the third.
pub type TriangleBatch<'a, T = f32> = Columns<'a, Triangle<T>>;

/// Any number of triangles with normals as columns: the vertices as of a [`TriangleBatch`], then x, y
/// and z of the normal.
pub type TriangleWithNormalBatch<'a, T = f32> = Columns<'a, TriangleWithNormal<T>>;

plain_numbers!(Triangle);
plain_numbers!(TriangleWithNormal);

const COLUMNS: [&str; 12] = [
    "first vertex x",
    "first vertex y",
    "first vertex z",
    "second vertex x",
    "second vertex y",
    "second vertex z",
    "third vertex x",
    "third vertex y",
    "third vertex z",
    "normal x",
    "normal y",
    "normal z",
];

impl<T: Scalar> Record for Triangle<T> {
    type Scalar = T;
    type Shape = Rows<3, 3>;

    fn column_name(place: usize) -> &'static str {
        COLUMNS[place]
    }
}

impl<T: Scalar> Record for TriangleWithNormal<T> {
    type Scalar = T;
    type Shape = Rows<4, 3>;

    fn column_name(place: usize) -> &'static str {
        COLUMNS[place]
    }
}

impl<T: Scalar> Triangle<T> {
    /// The triangle of three vertices.
    pub const fn new(vertices: [[T; 3]; 3]) -> Self {
        Self { vertices }
    }

    /// The same triangle with the normal of its plane: tests answer for both with the same bits.
    #[must_use]
    pub fn with_normal(&self) -> TriangleWithNormal<T> {
        with_default_float_mode(|| {
            let [a, b, c] = self.vertices;
            let normal = cross(sub(b, a), sub(c, a));
            TriangleWithNormal { vertices: self.vertices, normal }
        })
    }
}

//! Triangle meshes as they are given to a scene, of either precision.

use crate::error::{Error, Result};
use crate::math::LARGEST_COORDINATE;
use crate::simd::Scalar;

/// A mesh in the caller's memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mesh<'a, T = f32> {
    pub(super) vertices: &'a [[T; 3]],
    pub(super) triangles: &'a [[u32; 3]],
}

impl<T: Scalar> Mesh<'_, T> {
    /// Without triangles.
    pub(super) const EMPTY: Self = Self { vertices: &[], triangles: &[] };

    /// Refuses vertices and indices that a tree cannot be built of.
    pub(super) fn check(&self, geometry_id: u32) -> Result<()> {
        let Self { vertices, triangles } = *self;
        let bound = T::of(LARGEST_COORDINATE);
        let usable = |position: &[T; 3]| position.iter().all(|x| x.abs() <= bound);
        if let Some(vertex) = vertices.iter().position(|position| !usable(position)) {
            let position = vertices[vertex].map(T::to_f64);
            return Err(Error::UnusableVertex { geometry_id, vertex, position });
        }
        for (primitive_id, triangle) in (0..).zip(triangles) {
            if let Some(&vertex) = triangle.iter().find(|&&vertex| vertex as usize >= vertices.len()) {
                return Err(Error::VertexOutOfRange {
                    geometry_id,
                    primitive_id,
                    vertex,
                    vertices: vertices.len(),
                });
            }
        }
        Ok(())
    }

    /// The corners of a triangle.
    pub(super) fn corners(&self, triangle: usize) -> [[T; 3]; 3] {
        let [a, b, c] = self.triangles[triangle];
        [self.vertices[a as usize], self.vertices[b as usize], self.vertices[c as usize]]
    }
}

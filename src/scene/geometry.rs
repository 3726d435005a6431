//! Geometries as they are given to a scene.

use std::sync::Arc;

use super::mesh::Mesh;
use crate::error::Result;
use crate::leaf::{Primitives, Shape};
use crate::memory::Memory;
use crate::simd::Scalar;
use crate::value::{Aabb, Obb, Sphere};

/// Primitives of one kind, for [`SceneBuilder::geometry`](crate::SceneBuilder::geometry) and
/// [`Scene::replace`](crate::Scene::replace).
///
/// Those two check it; constructors do not.
#[derive(Debug, Clone)]
pub struct Geometry<'a, T = f32>(Content<'a, T>);

#[derive(Debug, Clone)]
enum Content<'a, T> {
    Mesh(Mesh<'a, T>),
    Other(Shape),
}

impl<'a, T: Scalar> Geometry<'a, T> {
    /// Triangles, each of three vertices by their places in `vertices`. The primitive id of a triangle is its place in
    /// `triangles`. A mesh may be empty.
    pub const fn triangle_mesh(vertices: &'a [[T; 3]], triangles: &'a [[u32; 3]]) -> Self {
        Self(Content::Mesh(Mesh { vertices, triangles }))
    }

    /// A geometry without primitives: to [replace](crate::Scene::replace) another by it removes the other.
    pub const fn empty() -> Self {
        Self::triangle_mesh(&[], &[])
    }

    /// The number of primitives.
    pub fn primitive_count(&self) -> usize {
        match &self.0 {
            Content::Mesh(mesh) => mesh.triangles.len(),
            Content::Other(shape) => shape.count(),
        }
    }

    /// The number of triangles, if it is a mesh; else 0.
    pub(super) fn triangle_count(&self) -> usize {
        self.mesh().map_or(0, |mesh| mesh.triangles.len())
    }

    /// The mesh, if it is one.
    pub(super) const fn mesh(&self) -> Option<Mesh<'a, T>> {
        match &self.0 {
            Content::Mesh(mesh) => Some(*mesh),
            Content::Other(_) => None,
        }
    }

    /// The shape, if it is not a mesh.
    pub(super) fn into_shape(self) -> Option<Shape> {
        match self.0 {
            Content::Mesh(_) => None,
            Content::Other(shape) => Some(shape),
        }
    }

    /// Refuses content that a scene cannot hold; errors name this id.
    pub(super) fn check(&self, geometry_id: u32) -> Result<()> {
        match &self.0 {
            Content::Mesh(mesh) => mesh.check(geometry_id),
            Content::Other(shape) => shape.check(geometry_id),
        }
    }
}

impl Geometry<'_> {
    /// Boxes: a line meets the surface of a box twice, where it enters and where it leaves, and touching counts.
    /// The front is outside, and normals point outwards. An empty box is never met, and a segment that begins and ends in one
    /// of its faces does not meet the box. `t` is computed in `f64`, by a difference and a quotient for each face, and rounded
    /// once. A line that passes an edge by less than 2⁻⁴⁸ of its `t` there may meet the box or not.
    pub fn boxes(boxes: &[Aabb]) -> Self {
        Self(Content::Other(Shape::boxes(Memory::copied(boxes))))
    }

    /// Oriented boxes: as [`boxes`](Self::boxes), in the frame of their axes as given, by A·(o − c) and A·d in `f64`. The
    /// rows of A are the axes, c is the center.
    pub fn oriented_boxes(boxes: &[Obb]) -> Self {
        Self(Content::Other(Shape::oriented_boxes(Memory::copied(boxes))))
    }

    /// Spheres: a line meets the surface of a sphere twice, where it enters and where it leaves; a line that grazes it does so
    /// at one `t`. A sphere with a negative radius is never met. `t` is that of
    /// [`SphereRoots`](crate::primitive::SphereRoots) in `f64`, rounded once.
    pub fn spheres(spheres: &[Sphere]) -> Self {
        Self(Content::Other(Shape::spheres(Memory::copied(spheres))))
    }

    /// Primitives of your own, tested one by one with the rays that meet their boxes. Scene files cannot hold them, as their
    /// content is unknown.
    pub fn primitives(primitives: Arc<dyn Primitives>) -> Self {
        Self(Content::Other(Shape::Own(primitives)))
    }
}

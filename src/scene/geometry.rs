//! What rays can meet, on its way into a scene.

use std::sync::Arc;

use super::mesh::Mesh;
use crate::error::Result;
use crate::leaf::{Primitives, Shape};
use crate::memory::Memory;
use crate::value::{Aabb, Obb, Sphere};

/// Primitives of one kind, to be a geometry of a scene: what [`SceneBuilder::geometry`](crate::SceneBuilder::geometry) adds
/// and [`Scene::replace`](crate::Scene::replace) exchanges.
///
/// Nothing is looked at before it comes into a scene.
#[derive(Debug, Clone)]
pub struct Geometry<'a>(Content<'a>);

#[derive(Debug, Clone)]
enum Content<'a> {
    Mesh(Mesh<'a>),
    Other(Shape),
}

impl<'a> Geometry<'a> {
    /// Triangles, each of three vertices by their places in `vertices`. The primitive id of a triangle is its place in
    /// `triangles`. A mesh may be empty.
    pub const fn triangle_mesh(vertices: &'a [[f32; 3]], triangles: &'a [[u32; 3]]) -> Self {
        Self(Content::Mesh(Mesh { vertices, triangles }))
    }

    /// Nothing: what is replaced by it is removed.
    pub const fn empty() -> Self {
        Self::triangle_mesh(&[], &[])
    }

    /// Boxes: a line meets the surface of a box twice, where it enters and where it leaves, and touching counts.
    /// Outside is the front, and where normals point to. An empty box is never met, and neither is a box by a segment that
    /// begins and ends in one of its faces. `t` is found in `f64`, by a difference and a quotient for each face, and
    /// rounded once; a line that passes an edge by less than 2⁻⁴⁸ of its `t` there may meet the box or not.
    pub fn boxes(boxes: &[Aabb]) -> Self {
        Self(Content::Other(Shape::boxes(Memory::copied(boxes))))
    }

    /// Oriented boxes, met as [`boxes`](Self::boxes) are, by their axes as they are: A·(o − c) and A·d in `f64` for the
    /// axes as rows of A and c the center.
    pub fn oriented_boxes(boxes: &[Obb]) -> Self {
        Self(Content::Other(Shape::oriented_boxes(Memory::copied(boxes))))
    }

    /// Spheres: a line meets the surface of a sphere twice, where it enters and where it leaves, and so does one that
    /// touches it, at one `t`. One of a negative radius is never met. `t` is what
    /// [`SphereRoots`](crate::primitive::SphereRoots) finds in `f64`, rounded once.
    pub fn spheres(spheres: &[Sphere]) -> Self {
        Self(Content::Other(Shape::spheres(Memory::copied(spheres))))
    }

    /// Primitives of your own. They are asked one by one, about rays that meet their boxes. Scene files cannot hold them,
    /// as nobody else knows what they are made of.
    pub fn primitives(primitives: Arc<dyn Primitives>) -> Self {
        Self(Content::Other(Shape::Own(primitives)))
    }

    /// How many primitives there are.
    pub fn primitive_count(&self) -> usize {
        match &self.0 {
            Content::Mesh(mesh) => mesh.triangles.len(),
            Content::Other(shape) => shape.count(),
        }
    }

    /// How many of them are triangles of a mesh.
    pub(super) fn triangle_count(&self) -> usize {
        self.mesh().map_or(0, |mesh| mesh.triangles.len())
    }

    /// The mesh, if it is one.
    pub(super) const fn mesh(&self) -> Option<Mesh<'a>> {
        match &self.0 {
            Content::Mesh(mesh) => Some(*mesh),
            Content::Other(_) => None,
        }
    }

    /// What it is of, if it is no mesh.
    pub(super) fn into_shape(self) -> Option<Shape> {
        match self.0 {
            Content::Mesh(_) => None,
            Content::Other(shape) => Some(shape),
        }
    }

    /// Finds what a scene cannot hold as the geometry of this id.
    pub(super) fn check(&self, geometry_id: u32) -> Result<()> {
        match &self.0 {
            Content::Mesh(mesh) => mesh.check(geometry_id),
            Content::Other(shape) => shape.check(geometry_id),
        }
    }
}

//! Geometries that are no meshes, and the methods of the builder that add them.

use std::sync::Arc;

use super::{Geometry, Precision, SceneBuilder};
use crate::error::Result;
use crate::kernel::ExactScalar;
use crate::leaf::Shape;
use crate::leaf::surface::{Cylinder, HeightField, Primitives, RoundCone, SignedDistance};
use crate::value::{Aabb, Obb, Sphere};

impl<T: ExactScalar> Geometry<'_, T> {
    /// Boxes: a line meets the surface of a box where it enters and where it leaves, and touching
    /// counts. The front is outside. An empty box is never met, nor is one in whose face a segment
    /// begins and ends. `t` is computed in `f64`, by a difference and a quotient for each face, and
    /// rounded once more in `f32`. A line that passes an edge by less than 2⁻⁴⁸ of its `t` may meet
    /// it or not.
    pub fn boxes(boxes: &[Aabb<T>]) -> Self {
        Self::of(Shape::of(boxes))
    }

    /// Oriented boxes: as [`boxes`](Self::boxes), by A·(o − c) and A·d in `f64`, with the axes as
    /// rows of A and the center c.
    pub fn oriented_boxes(boxes: &[Obb<T>]) -> Self {
        Self::of(Shape::of(boxes))
    }

    /// Spheres: a line meets the surface where it enters and where it leaves, at one `t` if it
    /// grazes. A negative radius is never met. `t` is that of
    /// [`SphereRoots`](crate::primitive::SphereRoots) in `f64`, rounded once more in `f32`.
    pub fn spheres(spheres: &[Sphere<T>]) -> Self {
        Self::of(Shape::of(spheres))
    }

    /// Round cones: a line meets the surface where it enters and where it leaves. [`RoundCone`]
    /// states what is exact.
    pub fn round_cones(cones: &[RoundCone<T>]) -> Self {
        Self::of(Shape::of(cones))
    }

    /// Capped cylinders: a line meets the surface where it enters and where it leaves. [`Cylinder`]
    /// states what is exact.
    pub fn cylinders(cylinders: &[Cylinder<T>]) -> Self {
        Self::of(Shape::of(cylinders))
    }

    /// The solid where a function is negative, met by sphere tracing. [`SignedDistance`] states
    /// what is certain. Scene files cannot hold it.
    pub fn signed_distance<F>(solid: SignedDistance<F, T>) -> Self
    where
        F: Fn([f64; 3]) -> f64 + Send + Sync + 'static,
        T: 'static,
    {
        Self::primitives(Arc::new(solid))
    }

    /// A [field of heights](HeightField), whose primitives are triangles.
    pub fn height_field(field: HeightField<T>) -> Self {
        Self::of(Shape::HeightField(field.into()))
    }

    /// Primitives of your own, tested one by one with the rays that meet their boxes. Scene files
    /// cannot hold them.
    pub fn primitives(primitives: Arc<dyn Primitives<T>>) -> Self {
        Self::of(Shape::Own(primitives))
    }
}

impl<T: Precision> SceneBuilder<'_, T> {
    /// Adds [boxes](Geometry::boxes), with the errors of [`primitives`](Self::primitives).
    pub fn boxes(self, boxes: &[Aabb<T>]) -> Result<Self> {
        self.geometry(Geometry::boxes(boxes))
    }

    /// Adds [oriented boxes](Geometry::oriented_boxes), with the errors of
    /// [`primitives`](Self::primitives) and [`Obb::new`].
    pub fn oriented_boxes(self, boxes: &[Obb<T>]) -> Result<Self> {
        self.geometry(Geometry::oriented_boxes(boxes))
    }

    /// Adds [spheres](Geometry::spheres), with the errors of [`primitives`](Self::primitives).
    pub fn spheres(self, spheres: &[Sphere<T>]) -> Result<Self> {
        self.geometry(Geometry::spheres(spheres))
    }

    /// Adds [round cones](Geometry::round_cones), with the errors of
    /// [`primitives`](Self::primitives).
    pub fn round_cones(self, cones: &[RoundCone<T>]) -> Result<Self> {
        self.geometry(Geometry::round_cones(cones))
    }

    /// Adds [capped cylinders](Geometry::cylinders), with the errors of
    /// [`primitives`](Self::primitives).
    pub fn cylinders(self, cylinders: &[Cylinder<T>]) -> Result<Self> {
        self.geometry(Geometry::cylinders(cylinders))
    }

    /// Adds the [solid where a function is negative](SignedDistance), with the errors of
    /// [`primitives`](Self::primitives).
    pub fn signed_distance<F>(self, solid: SignedDistance<F, T>) -> Result<Self>
    where
        F: Fn([f64; 3]) -> f64 + Send + Sync + 'static,
    {
        self.geometry(Geometry::signed_distance(solid))
    }

    /// Adds a [field of heights](HeightField);
    /// [`Error::UnusableVertex`](crate::Error::UnusableVertex) names a vertex, by its place among
    /// the heights, with a coordinate infinite or beyond 2¹⁰⁰,
    /// [`Error::TooManyTriangles`](crate::Error::TooManyTriangles) beyond 2³⁰ primitives.
    pub fn height_field(self, field: HeightField<T>) -> Result<Self> {
        self.geometry(Geometry::height_field(field))
    }

    /// Adds [primitives of your own](Geometry::primitives).
    /// [`Error::UnusableBounds`](crate::Error::UnusableBounds) names the first whose box has a NaN,
    /// or is not empty and has a coordinate not finite or beyond 2¹⁰⁰;
    /// [`Error::TooManyTriangles`](crate::Error::TooManyTriangles) beyond 2³⁰ primitives.
    pub fn primitives(self, primitives: Arc<dyn Primitives<T>>) -> Result<Self> {
        self.geometry(Geometry::primitives(primitives))
    }
}

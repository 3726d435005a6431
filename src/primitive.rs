//! Primitives, and tests of lines, rays and segments against them.
//!
//! | a line, ray or segment against | tests |
//! |---|---|
//! | a box: [`Aabb`], or a rectangle in the plane: [`Rect`] | [`Slab`], [`EnteredFace`], [`FaceByFace`], [`Clip`] |
//! | an oriented box: [`Obb`] | [`Slab`], [`EnteredFace`], [`SeparatingAxes`] |
//! | a triangle: [`Triangle`], [`TriangleWithNormal`] | [`Watertight`], [`TripleProduct`] |
//! | a sphere: [`Sphere`] | [`SphereRoots`] |
//! | a disc: [`Disc`] | [`DiscPlane`] |
//!
//! A [`Test`] is a value. It answers for one primitive, for a [`Block`] of eight, and through
//! [`Bulk`] for columns of any length, in `f32` and `f64`: with the same bits on every backend and
//! in every form. To call a test by itself, import the trait: `Slab.intersect(&aabb, &ray)`.
//!
//! A line, a ray and a segment differ by their interval alone: \[−∞, ∞\], \[0, ∞\], \[0, 1\], or
//! any other, closed at both ends. [`Clip`] alone takes a [`Segment`](crate::Segment), by its two
//! ends.
//!
//! # Tested pairs
//!
#![doc = include_str!("kernel/catalogue.md")]

pub use crate::kernel::{
    Block, BlockHits, Bulk, BulkClosest, Clip, ClippedSegment, Defects, DiscHit, DiscPlane,
    EnteredFace, ExactScalar, Face, FaceByFace, FaceHit, FacePoint, HitList, HitTable, IntervalHit,
    ObbHit, SeparatingAxes, Slab, SphereHit, SphereRoots, Test, TriangleHit, TripleProduct,
    Watertight,
};
pub use crate::leaf::surface::{
    Cylinder, HeightField, NearestPoint, NearestPoints, Primitives, RoundCone, SignedDistance,
    SurfacePoint, quad_point,
};
pub use crate::value::{
    Aabb, AabbBatch, Contact, Culling, Disc, DiscBatch, Line, Obb, ObbBatch, Rect, RectBatch,
    SegmentBatch, Side, Sphere, SphereBatch, Triangle, TriangleBatch, TriangleWithNormal,
    TriangleWithNormalBatch,
};

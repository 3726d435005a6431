//! Plain values: rays, primitives and their options, each with its columns.
//!
//! | file | type |
//! |---|---|
//! | `ray` | rays, segments, grids of points, and groups of 64 rays |
//! | `aabb`, `obb` | boxes, axis-aligned and oriented |
//! | `primitives` | triangles, spheres and discs |
//! | `side` | which sides of a surface count, and which touches are hits |
//! | `affine` | transforms of instances |
//!
//! A value knows no test: [`kernel`](crate::kernel) has those.

mod aabb;
mod affine;
mod obb;
mod primitives;
mod ray;
mod side;

pub use aabb::{Aabb, AabbBatch, Rect, RectBatch};
pub use affine::Affine;
pub use obb::{Obb, ObbBatch};
pub use primitives::{
    Disc, DiscBatch, Sphere, SphereBatch, Triangle, TriangleBatch, TriangleWithNormal,
    TriangleWithNormalBatch,
};
pub(crate) use ray::{GROUP, GroupColumn, Heading, RayGroup, RayParts, RayShape, RaySource, picture};
pub use ray::{Line, PointGrid, Ray, RayBatch, Segment, SegmentBatch};
pub(crate) use side::Rules;
pub use side::{Contact, Culling, Side};

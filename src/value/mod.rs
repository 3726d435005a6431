//! Plain values: rays, primitives, sides and transforms, with their columns. A value knows no test: those are in
//! [`kernel`](crate::kernel).

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

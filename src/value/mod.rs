//! Plain values: rays, primitives, sides and transforms, with their columns. A value knows no test:
//! those are in [`kernel`](crate::kernel).

mod affine;
mod obb;
mod primitives;
mod ray;
mod region;
#[cfg(feature = "serde")]
mod serde;
mod side;

pub use affine::Affine;
pub use obb::{Obb, ObbBatch};
pub use primitives::{
    Aabb, AabbBatch, Disc, DiscBatch, Rect, RectBatch, Sphere, SphereBatch, Triangle,
    TriangleBatch, TriangleWithNormal, TriangleWithNormalBatch,
};
pub(crate) use ray::{GROUP, GroupColumn, Heading, RayGroup, RayParts, RayShape, RaySource};
pub use ray::{Line, PointGrid, Ray, RayBatch, Segment, SegmentBatch};
pub(crate) use region::Extent;
pub use region::{ClipDepth, Frustum, Region};
pub(crate) use side::Rules;
pub use side::{Contact, Culling, Side};

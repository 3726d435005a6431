//! Plain values: rays, primitives and their options, one type per file, each with its columns.
//!
//! | file | type |
//! |---|---|
//! | `ray` | rays, segments, grids of points, and groups of 64 rays |
//! | `aabb`, `obb` | boxes, axis-aligned and oriented |
//! | `triangle`, `sphere`, `disc` | the other primitives |
//! | `side`, `contact` | which sides of a surface count, and which touches are hits |
//! | `affine` | transforms of instances |
//!
//! A value knows no test: [`kernel`](crate::kernel) has those.

mod aabb;
mod affine;
mod contact;
mod disc;
mod obb;
mod ray;
mod side;
mod sphere;
mod triangle;

pub use aabb::{Aabb, AabbBatch, Rect, RectBatch};
pub use affine::Affine;
pub use contact::Contact;
pub(crate) use contact::Rules;
pub use disc::{Disc, DiscBatch};
pub use obb::{Obb, ObbBatch};
pub(crate) use ray::{GROUP, GroupColumn, Heading, RayGroup, RaySource};
pub use ray::{Line, PointGrid, Ray, RayBatch, Segment, SegmentBatch};
pub(crate) use ray::{RayParts, RayShape, picture};
pub use side::{Culling, Side};
pub use sphere::{Sphere, SphereBatch};
pub use triangle::{Triangle, TriangleBatch, TriangleWithNormal, TriangleWithNormalBatch};

//! The catalogue: tests of lines, rays and segments against one primitive, a block of eight, or
//! columns, a file a test. A test knows no tree and no file. The watertight one takes six:
//! `exact_products` is its arithmetic, `far` gives the `t` of far-reaching triangles, `ends` finds
//! hits near the ends of an interval, `resolve` decides doubtful hits, and `certain` answers any
//! hit.

mod bulk;
mod certain;
mod clip;
mod disc_plane;
pub(crate) mod ends;
mod exact_products;
pub(crate) mod far;
mod obb;
mod resolve;
mod slab;
mod sphere_roots;
mod test;
mod triple_product;
pub(crate) mod watertight;

pub use bulk::{Bulk, Closest as BulkClosest, Defects, HitList, HitTable};
pub(crate) use certain::RoundedInterval;
pub use clip::{Clip, ClippedSegment};
pub use disc_plane::{DiscHit, DiscPlane};
pub use exact_products::ExactScalar;
pub use obb::{ObbHit, SeparatingAxes};
pub(crate) use resolve::{Doubt, resolve};
pub use slab::{EnteredFace, Face, FaceByFace, FaceHit, FacePoint, IntervalHit, Slab};
pub use sphere_roots::{SphereHit, SphereRoots};
pub use test::{Block, BlockHits, Test};
pub use triple_product::{TriangleHit, TripleProduct};
pub use watertight::Watertight;
pub(crate) use watertight::{LoneRay, Met};

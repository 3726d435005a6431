//! The catalogue: tests of lines, rays and segments against one primitive, a block of eight, or columns.
//!
//! | file | tests |
//! |---|---|
//! | `slab`, `clip` | axis-aligned boxes |
//! | `obb` | oriented boxes |
//! | `watertight`, `triple_product` | triangles; `exact_products` is their arithmetic, `ends` decides at the ends of an interval, `certain` what needs no decision for any hit |
//! | `sphere_roots`, `disc_plane` | spheres and discs |
//! | `test` | the trait of all tests, and eight primitives in lanes |
//! | `bulk` | columns of any length |
//!
//! A test knows no tree and no file.

mod bulk;
mod certain;
mod clip;
mod disc_plane;
pub(crate) mod ends;
mod exact_products;
mod obb;
mod slab;
mod sphere_roots;
mod test;
mod triple_product;
pub(crate) mod watertight;

pub use bulk::{Bulk, Closest as BulkClosest, Defects, HitList, HitTable};
pub(crate) use certain::AnyInterval;
pub use clip::{Clip, ClippedSegment};
pub use disc_plane::{DiscHit, DiscPlane};
pub use exact_products::ExactScalar;
pub use obb::{ObbHit, SeparatingAxes};
pub use slab::{EnteredFace, Face, FaceByFace, FaceHit, FacePoint, IntervalHit, Slab};
pub use sphere_roots::{SphereHit, SphereRoots};
pub use test::{Block, BlockHits, Test};
pub use triple_product::{TriangleHit, TripleProduct};
pub use watertight::Watertight;
pub(crate) use watertight::{Met, Passage};

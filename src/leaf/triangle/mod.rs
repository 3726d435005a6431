//! Blocks of eight triangles.
//!
//! | file | what it does |
//! |---|---|
//! | `block` | a block of `f32`, and one ray |
//! | `group` | groups of rays |
//! | `pairs` | rays of a stream, and pairs of a ray and a triangle |
//! | `block_f64`, `group_f64`, `pairs_f64` | the same for triangles of `f64` |
//! | `sheared` | what both precisions have in common |
//! | `reject_f64` | rejects lines in `f32` that miss triangles of `f64` |
//! | `closest_point` | points |

mod block;
mod block_f64;
mod closest_point;
mod group;
mod group_f64;
mod pairs;
mod pairs_f64;
mod reject_f64;
mod sheared;

pub(crate) use block::{TriangleBlock, WatertightRay};
pub(crate) use block_f64::{TriangleBlockF64, WatertightRayF64};
pub(super) use closest_point::nearest_of_one;
pub(crate) use group::{TrianglesFromOrigin, WatertightRays};
pub(crate) use sheared::ShearedRays;

//! Blocks of eight triangles in `f32` and `f64`: against one ray (`block`), groups, open pairs, and
//! points.

mod block;
mod block_f64;
mod cells;
mod closest_point;
mod group;
mod pairs;
mod pairs_f64;
mod reject_f64;
mod separated;
mod sheared;

pub(crate) use block::{TriangleBlock, WatertightRay};
pub(crate) use block_f64::{TriangleBlockF64, WatertightRayF64};
pub(crate) use closest_point::{closest_of_triangle, closest_of_triangles, foot, foot_at};
pub(crate) use group::{GivenRays, TrianglesFromOrigin, WatertightRays};
pub(crate) use sheared::ShearedRays;

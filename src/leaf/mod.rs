//! Leaves: what traversal calls when a ray reaches primitives.
//!
//! | file | what it does |
//! |---|---|
//! | `block` | the traits of a leaf: one ray, pairs, groups, streams, points |
//! | `plain` | decides in plain `f64`, and reports where that is not enough |
//! | `triangle` | blocks of eight triangles in `f32` and `f64`: reject, decide, settle exactly |
//! | `surface` | boxes, spheres and primitives of the caller, tested one by one |
//! | `view` | instances as seen by a point query |

mod block;
mod plain;
mod surface;
mod triangle;
mod view;

pub(crate) use block::{Decided, Foot, Found, PairBlock, PreparedRay, RayBlock};
pub use surface::{NearestPoint, NearestPoints, Primitives, SurfacePoint};
pub(crate) use surface::{Shape, before_mirrors};
pub(crate) use triangle::{
    ShearedRays, TriangleBlock, TriangleBlockF64, TrianglesFromOrigin, WatertightRay, WatertightRayF64,
    WatertightRays,
};
pub(crate) use view::{Carried, InPlace, View};

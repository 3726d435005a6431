//! Leaves: the tests that traversal calls when a ray reaches primitives. `block` has the traits,
//! `triangle` the blocks of eight that lanes test, `surface` the primitives that are tested one by
//! one.

mod block;
pub(crate) mod surface;
mod triangle;
mod view;

pub(crate) use block::{Decided, Foot, Found, PairBlock, PreparedRay, RayBlock, TriangleLeaf};
pub(crate) use surface::{
    NearestPoint, Plane, Primitives, Shape, Solid, SurfacePoint, before_mirrors,
};
pub(crate) use triangle::{
    GivenRays, ShearedRays, TriangleBlock, TriangleBlockF64, TrianglesFromOrigin, WatertightRay,
    WatertightRayF64, WatertightRays, closest_of_triangle, closest_of_triangles, foot_at,
};
pub(crate) use view::{Carried, InPlace, Placed, View};

//! Millions of rays against scenes of triangle meshes, boxes, spheres and shapes of the caller's own: SIMD lanes,
//! trees of eight-wide nodes, many rays in flight per core.
//!
//! - **Exact.** The tree hides nothing: a [`Scene`] answers what testing every primitive would answer, bit
//!   for bit ([`Scene::scan`] does just that). A ray through an edge or a vertex that triangles share
//!   meets at least one of them.
//! - **The same bits everywhere.** Backend, threads, the order of a batch and the caller's floating-point
//!   mode change nothing in an answer. Of hits at equal `t` the lower ids come first.
//! - **Batches.** Rays lie in memory as the caller has them ([`RayBatch`] borrows columns, pairs of
//!   triples or rows) and answers fill columns that are reused.
//! - **Bad input has an answer.** A ray that cannot be cast gets a [`Status`] that says why, in its row;
//!   a mesh that is wrong gives an [`Error`] that names the geometry and the index.
//!
//! # A batch
//!
//! ```
//! use lanecast::{CastOptions, HitBatch, INVALID_ID, RayBatch, Scene, Status};
//!
//! // A square in the plane z = 0.
//! let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
//! let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
//!
//! let origins = [[0.75, 0.25, 2.0], [0.5, 0.5, 2.0], [5.0, 5.0, 2.0], [0.0, 0.0, 2.0]];
//! let directions = [[0.0, 0.0, -1.0], [0.0, 0.0, -1.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0]];
//! let rays = RayBatch::from_pairs(&origins, &directions)?;
//!
//! let mut hits = HitBatch::new();
//! scene.closest_hit_batch(&rays, &CastOptions::new(), &mut hits)?;
//!
//! assert_eq!(hits.status, [Status::Hit, Status::Hit, Status::Miss, Status::ZeroDirection]);
//! assert_eq!(hits.t, [2.0, 2.0, f32::INFINITY, f32::INFINITY]);
//! // The second ray goes through the diagonal: both triangles are met at t = 2, the lower id wins.
//! assert_eq!(hits.primitive_id, [0, 0, INVALID_ID, INVALID_ID]);
//! # Ok::<(), lanecast::Error>(())
//! ```
//!
//! # One ray
//!
//! ```
//! # use lanecast::{Ray, Scene};
//! # let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
//! # let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
//! // A segment is a ray whose t runs from 0 to 1, both included: this one ends on the square.
//! assert!(scene.any_hit(&Ray::segment([0.5, 0.2, 1.0], [0.5, 0.2, 0.0]))?);
//! # Ok::<(), lanecast::Error>(())
//! ```
//!
//! # Points
//!
//! ```
//! use lanecast::{CastOptions, ClosestPointBatch, Scene};
//! let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]];
//! let solid = Scene::from_triangles(&vertices, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])?;
//! let points = [[1.0, 0.5, 1.0], [-3.0, -4.0, 1.0], [9.0, 9.0, 9.0]];
//! let mut closest = ClosestPointBatch::new();
//! solid.closest_point_batch(&points, 5.0, &CastOptions::new(), &mut closest)?;
//! assert_eq!(closest.distance, [0.5, 5.0, f32::INFINITY]);
//! assert_eq!(closest.point[..2], [[1.0, 0.0, 1.0], [0.0, 0.0, 1.0]]);
//! assert_eq!((solid.contains(points[0])?, solid.signed_distance(points[0])?), (true, -0.5));
//! # Ok::<(), lanecast::Error>(())
//! ```
//!
//! # Rays that nobody has to write
//!
//! [`makers`] has cameras, scanners, hemispheres and light. A batch of their rays, or of those of a caller's own
//! [`Maker`], is made chunk by chunk while it is answered, and takes no memory.
//!
//! # Without a scene
//!
//! [`primitive`] has the tests by themselves: lines, rays and segments against boxes, oriented boxes,
//! triangles, spheres and discs, in `f32` and `f64`, for one pair, for a block of eight and, with
//! [`Bulk`], for columns of any length.
//!
//! ```
//! use lanecast::primitive::{AabbBatch, Slab};
//! use lanecast::{Aabb, Bulk, HitList, Ray, RayBatch};
//! let boxes = [0.0, 4.0, 8.0].map(|x| Aabb { min: [x, 0.0, 0.0], max: [x + 1.0, 1.0, 1.0] });
//! let segments = [Ray::segment([0.5; 3], [5.0, 0.5, 0.5]), Ray::segment([9.0, 3.0, 0.0], [9.0, 2.0, 0.0])];
//! let mut touched = HitList::new();
//! Bulk::new(Slab).list(&RayBatch::from_rays(&segments), &AabbBatch::from_slice(&boxes)?, &mut touched)?;
//! assert_eq!((touched.of_line(0), touched.of_line(1)), (&[0, 1][..], &[][..]));
//! # Ok::<(), lanecast::Error>(())
//! ```
//!
//! # Conventions
//!
//! - `t` is the ray parameter: the point is `origin + t · direction`. Directions need not be unit
//!   vectors, and `t` is not a distance unless they are.
//! - Intervals \[`t_min`, `t_max`\] are closed, and so are boxes and triangles: touching counts, but
//!   where crossings are counted. Only a ray that runs in a triangle's own plane, and so sees it exactly edge-on,
//!   does not meet it.
//! - A hit on a triangle is within the interval if its reported `t` is, or if its exact `t` is, computed from the
//!   numbers as given without rounding. So a ray that starts exactly on a triangle meets it, at a `t` of 0 or a
//!   rounding above, and a ray cast again with the interval \[t, t\] of a hit finds that hit again. A computed point
//!   seldom lies exactly on a surface. Let rays from there [skip](CastOptions::skip) the primitive that they start
//!   on; or let shadow and bounce rays start a little off the surface along its normal (a ten-thousandth of the
//!   scene's size is plenty and harmless), or after it with `t_min`:
//!
//!   ```
//!   # use lanecast::{Ray, Scene};
//!   # let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
//!   let (on_surface, normal, to_sun) = ([0.25, 0.25, 0.0], [0.0, 0.0, 1.0], [0.5, 0.0, 1.0]);
//!   let off: [f32; 3] = std::array::from_fn(|axis| on_surface[axis] + 1e-4 * normal[axis]);
//!   assert!(scene.any_hit(&Ray::new(on_surface, to_sun))?);
//!   assert!(!scene.any_hit(&Ray::new(off, to_sun))?);
//!   # Ok::<(), lanecast::Error>(())
//!   ```
//! - `u` and `v` are the weights of a triangle's second and third vertex.
//! - A geometric normal is (v1 − v0) × (v2 − v0), right-handed and not normalised.
//! - `closest_hit` and `any_hit` miss nothing that a ray touches. `count_hits`, `all_hits` and `nearest_hits`
//!   report each [crossing](Contact::Crossing) of a surface once, though it be through an edge or a vertex that triangles share,
//!   so that a ray enters a closed surface as often as it leaves it, and may cross nothing at the rim of an open
//!   surface, where `closest_hit` hits; told [so](CastOptions::contact), they report
//!   every triangle touched.
//! - Coordinates of a scene are `f32` of at most 2¹⁰⁰ in magnitude. At survey coordinates that is coarse (0.25 at 4
//!   million): there use [`SceneF64`]. `t` is off by a few parts in 10⁷ of the
//!   distance between the ray's origin and the triangle, more at grazing incidence. Rays that start very
//!   far away, compared with the size of the scene, are answered slowly.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `parallel` | yes | large batches and builds spread over the cores with rayon |
//! | `scene-files` | no | `Scene::save` and `Scene::open`: scenes in files that open at once |
//!
//! With `default-features = false` the bare engine is left: `wide`, `bytemuck`, `libm` and `thiserror`,
//! and `rustix` on Linux. The package `lanecast-io` reads and writes files of meshes, rays and answers.

// The tests of the engine and its unit tests draw the same numbers and rays.
#[cfg(test)]
extern crate self as lanecast;

mod batch;
mod chunks;
mod columns;
mod error;
mod hit;
mod kernel;
mod leaf;
pub mod makers;
mod math;
mod memory;
pub mod primitive;
mod query;
#[cfg(test)]
#[path = "../tests/common/random.rs"]
#[expect(dead_code, unreachable_pub, reason = "the tests of the engine use the rest")]
mod random;
mod scan;
mod scene;
mod shapes;
mod simd;
mod status;
#[cfg(feature = "scene-files")]
mod store;
mod threads;
mod traverse;
mod tree;
mod value;

pub use batch::CastOptions;
pub use chunks::{Progress, Watch};
pub use columns::{Columns, Maker, Record};
pub use error::{Error, FileProblem, Result};
pub use hit::{
    AllHitsBatch, AnyHitBatch, ClosestPoint, ClosestPointBatch, CostBatch, CountBatch, DistanceBatch, Hit,
    HitBatch, INVALID_ID, InsideBatch, Limit, LineHitBatch, LineHits, Radius, SightMatrix,
};
pub use kernel::{Bulk, Closest, Defects, HitList, HitTable};
pub use query::Coherence;
pub use scene::{
    Filtered, FilteredF64, FilteredF64Scan, FilteredScan, Geometry, GeometryView, OpenEdge, Pick, PickLimit,
    Scene, SceneBuilder, SceneF64, SceneF64Builder, SceneF64Scan, SceneScan, Welded,
};
pub use simd::{BACKEND_VARIABLE, Backend, Scalar};
pub use status::Status;
pub use threads::Threads;
pub use tree::{BuildQuality, BvhStatistics};
pub use value::{
    Aabb, Affine, Contact, Culling, Line, PointGrid, Ray, RayBatch, Segment, SegmentBatch, Side,
};

/// What tests set to reach every path of a cast. No answer depends on any of it.
#[doc(hidden)]
pub mod testing {
    pub use crate::memory::set_tight_buffers;
    pub use crate::query::Way;
}

/// What `lanecast-io` shares with the engine, of the same version: no part of the public API.
#[doc(hidden)]
pub mod support {
    pub use crate::error::{excerpt, excerpt_of_name};
    #[cfg(feature = "scene-files")]
    pub use crate::store::Replacement;
}

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

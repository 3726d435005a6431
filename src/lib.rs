//! Millions of rays against scenes of triangle meshes, boxes, spheres and shapes of the caller's
//! own: SIMD lanes, trees of eight-wide nodes, many rays in flight per core.
//!
//! - **Exact.** A [`Scene`] gives the answers of testing every primitive
//!   ([`brute_force`](Cast::brute_force)), bit for bit. A ray through a shared edge or vertex of
//!   triangles meets at least one of them.
//! - **The same bits everywhere.** Backend, threads, the order of a batch and the caller's
//!   floating-point mode change nothing in an answer. At equal `t` the lowest ids come first.
//! - **Batches.** Rays stay in the caller's memory. Answers are owned, fill a batch that is reused,
//!   or go to own columns.
//! - **Bad input has an answer:** a [`Status`] in the row of the ray, or an [`Error`] that names
//!   the geometry and the index.
//!
//! # Requests
//!
//! A request is rays or points, a scene and options. Setters take the options, and the last method
//! is the query.
//!
//! ```
//! use lanecast::{Culling, HitBatch, INVALID_ID, Ray, RayBatch, Scene, Status};
//! // A square in the plane z = 0.
//! let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
//! let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
//! let origins = [[0.5, 0.5, 2.0], [5.0, 5.0, 2.0], [0.0, 0.0, 2.0]];
//! let directions = [[0.0, 0.0, -1.0], [0.0, 0.0, -1.0], [0.0, 0.0, 0.0]];
//! let rays = RayBatch::from_pairs(&origins, &directions)?;
//!
//! let hits = scene.cast(&rays).closest()?;
//! assert_eq!(hits.status(), [Status::Hit, Status::Miss, Status::ZeroDirection]);
//! assert_eq!(hits.t(), [2.0, f32::INFINITY, f32::INFINITY]);
//! // The first ray goes through the diagonal and meets both triangles at t = 2: the lowest id wins.
//! assert_eq!(hits.primitive_id(), [0, INVALID_ID, INVALID_ID]);
//!
//! // Batch after batch without allocation, with options.
//! let mut hits = HitBatch::new();
//! scene.cast(&rays).culling(Culling::Front).closest_into(&mut hits)?;
//! assert_eq!(hits.status()[0], Status::Miss);
//!
//! // One ray. A segment is a ray whose t runs from 0 to 1, both included: this one ends on the square.
//! assert!(scene.cast(&Ray::segment([0.5, 0.2, 1.0], [0.5, 0.2, 0.0])).any()?);
//! assert_eq!(scene.point([0.5, 0.5, 3.0]).distance()?, 3.0);
//! # Ok::<(), lanecast::Error>(())
//! ```
//!
//! The package `lanecast-makers` has the rays of cameras, scanners, hemispheres and light, made
//! while they are answered, and `lanecast-io` the files of meshes, rays and answers. The repository
//! has an example for each kind of user: `examples/batches.rs` casts millions of rays,
//! `examples/kernels.rs` measures tests, `examples/embedding.rs` shows a program with structs and
//! frames of its own.
//!
#![doc = include_str!("capabilities.md")]
//!
//! # Conventions
//!
//! - `t` is the ray parameter: the point is `origin + t · direction`. It is a distance only for
//!   directions of length 1.
//! - Intervals \[`t_min`, `t_max`\], boxes and triangles are closed: touching counts, except where
//!   crossings are counted. A ray in a triangle's own plane, which sees the triangle exactly
//!   edge-on, does not meet it.
//! - A hit on a triangle is within the interval if its reported `t` is, or if its exact `t` is,
//!   computed without rounding. So a ray that starts exactly on a triangle meets it, at a `t` of 0
//!   or a rounding above, and one cast again with the interval \[t, t\] of a hit finds that hit
//!   again. A computed point seldom lies exactly on a surface: let rays from there
//!   [skip](Cast::skip) the primitive that they start on, or start a little off it, along its
//!   normal (a ten-thousandth of the scene's size is plenty and harmless) or by `t_min`.
//! - `u` and `v` are the weights of a triangle's second and third vertex.
//! - A geometric normal is (v1 − v0) × (v2 − v0), right-handed and not normalised.
//! - `closest` and `any` miss nothing that a ray touches. `count`, `all` and `nearest` report each
//!   [crossing](Contact::Crossing) of a surface once, also through an edge or a vertex that
//!   triangles share, or every triangle touched (see [`Cast::contact`]). So a ray enters a closed
//!   surface as often as it leaves it, and may cross nothing at the rim of an open surface, where
//!   `closest` hits.
//! - Coordinates of a scene are at most 2¹⁰⁰ in magnitude. `f32` is coarse at survey coordinates
//!   (0.25 at 4 million): use a [`Scene<f64>`](Scene#scenes-of-f64) there. In `f32`, `t` is off by
//!   a few parts in 10⁷ of itself at triangles of any size, [more at grazing
//!   incidence](crate::primitive::Watertight#how-far-off-t-is). Rays from very far away are
//!   answered slowly.
//!
//! # In practice
//!
//! **Debug builds** without optimisation are some 60 times slower. Optimise the engine in your
//! `Cargo.toml`; your own package stays as it is, since no traversal is compiled in it:
//!
//! ```toml
//! [profile.dev.package.lanecast]
//! opt-level = 3
//! ```
//!
//! **Memory.** Each thread that casts keeps its buffers until it ends: chunks of 32,768 rays leave
//! 4.7 MB for `f32` and 6.3 MB for `f64`, pictures wider than 4,096 pixels up to twice as much, and
//! chunks of 262,144 rays in no order up to 9 MB more, or 18 MB. The lists of rays that go through
//! the tree in streams come on top: a megabyte or so for each level of a deep tree that all rays of
//! a chunk walk. A cast frees lists above 64 MB at its end, so a thread keeps at most 96 MB. Pools
//! of [`Threads::exactly`] end when the last clone is dropped.
//!
//! # Features
//!
//! `parallel`, on by default, spreads large batches and builds over the cores with rayon.
//! `scene-files`, off by default, adds `Scene::save` and `Scene::open`; `mint`, off too,
//! conversions of points, directions and transforms. The package `lanecast-io` reads and writes
//! files of meshes, rays and answers.
//!
//! Programs whose crates are compiled with `--cfg=lanecast_small`, such as modules for pages, have
//! about a quarter less machine code: rays that do not go in groups go one by one, and every tree is
//! built with [`BuildQuality::Balanced`]. Answers are the same; rays in no order take longer,
//! above all at content whose boxes overlap much.
//!
//! `serde`, off too, serialises plain values: [`Ray`], [`Segment`], [`Hit`] and the other single
//! answers, [`Status`], [`Side`], [`Culling`], [`Contact`], the primitives (without
//! [`TriangleWithNormal`](primitive::TriangleWithNormal), whose normal follows from its vertices),
//! [`Affine`] as its three [rows](Affine::rows), [`Frustum`] as its planes, [`ClipDepth`] and
//! [`PointGrid`]. Values whose constructors check them are checked as they are deserialised. Ends
//! of intervals, `t` and distances may be infinite: formats without infinities, such as JSON, have
//! null there. Infinite corners of an [`Aabb`] do not come back from these.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use lanecast::{Affine, Ray};
//! let ray = Ray::<f32>::new([0.0, 0.5, 0.0], [0.0, 0.0, 1.0]);
//! let text = r#"{"origin":[0.0,0.5,0.0],"direction":[0.0,0.0,1.0],"t_min":0.0,"t_max":null}"#;
//! assert_eq!(serde_json::to_string(&ray)?, text);
//! assert_eq!(serde_json::from_str::<Ray>(text)?, ray);
//!
//! let map = "[[2.0, 0.0, 0.0, 1.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0]]";
//! assert_eq!(serde_json::from_str::<Affine>(map)?.point([1.0; 3]), [3.0, 2.0, 2.0]);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

// The tests of the engine and its unit tests draw the same numbers and rays.
#[cfg(test)]
extern crate self as lanecast;

pub mod answers;
pub mod cast;
mod chunks;
pub mod columns;
mod error;
mod kernel;
mod leaf;
mod math;
mod memory;
pub mod primitive;
mod query;
mod scan;
pub mod scene;
mod shapes;
mod simd;
mod status;
#[cfg(feature = "scene-files")]
mod store;
mod threads;
mod traverse;
mod tree;
mod value;

#[cfg(test)]
use lanecast_reference::random;

pub use answers::{Hit, HitBatch, INVALID_ID};
pub use cast::{Cast, CastOptions, SightLines};
pub use chunks::{Progress, Watch};
pub use columns::{Maker, PointBatch};
pub use error::{Error, FileProblem, Result};
pub use scene::{Change, Geometry, Precision, Scene, SceneBuilder};
pub use simd::{BACKEND_VARIABLE, Backend, Scalar};
pub use status::Status;
pub use threads::{Tasks, Threads};
pub use traverse::Coherence;
pub use tree::BuildQuality;
pub use value::{
    Aabb, Affine, ClipDepth, Contact, Culling, Frustum, PointGrid, Ray, RayBatch, Region, Segment,
    Side,
};

/// What tests set to reach every path of a cast. No answer depends on any of it.
#[doc(hidden)]
pub mod testing {
    pub use crate::memory::set_tight_buffers;
    pub use crate::traverse::Way;
}

/// What the other packages of lanecast share with the engine, of the same version: no part of the
/// public API.
#[doc(hidden)]
pub mod support {
    pub use crate::error::{excerpt, excerpt_of_name};
    pub use crate::math::mixed;
    pub use crate::simd::with_default_float_mode;
    #[cfg(feature = "scene-files")]
    pub use crate::store::{Replacement, behind_links};

    /// The results of `work` for each item, in order, on these threads.
    pub fn map_on<T: Send, R: Send>(
        threads: &crate::Threads,
        items: Vec<T>,
        work: &(dyn Fn(T) -> R + Sync),
    ) -> Vec<R> {
        threads.map(items, work)
    }
}

/// The examples of the README are tests too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

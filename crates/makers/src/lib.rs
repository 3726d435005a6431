//! Makers for [`lanecast`]: the rays of cameras, scanners and light.
//!
//! | maker | rays | order |
//! |---|---|---|
//! | [`Pinhole`] | from an eye through the pixels of a picture | line by line, from the top |
//! | [`Panorama`] | from an eye in all directions, by longitude and latitude | line by line, from the top |
//! | [`Grid`] | parallel, side by side: X-rays, rain, an [orthographic](Grid::orthographic) camera | line by line |
//! | [`Lidar`] | of a scanner, standing or moving: spinning, with prisms, across its track, or by a table | firing after firing, beam by beam |
//! | [`Footprint`] | in a cone around each ray of another maker: beams that widen | ray by ray |
//! | [`Hemisphere`] | from points into the hemisphere around their normals | point by point |
//! | [`Sunlight`] | from points towards lights, such as the [`Sun`] at a time and place | light by light |
//!
//! [`RayBatch::made`](lanecast::RayBatch::made) gives a batch for every query, whose rays are made
//! chunk by chunk while it is answered: 10⁹ rays need no memory beside their answers. A caller's
//! own [`Maker`](lanecast::Maker) works the same way, and so do the engine's lines of sight,
//! [`SightLines`](lanecast::SightLines).
//!
//! A [`Receiver`] makes measurements of the hits of a scanner: range noise, lost pulses, several
//! returns of a beam that meets several surfaces, their intensities by the [`Reflectance`] of what
//! is hit.
//!
//! ```
//! use lanecast::{RayBatch, Scene};
//! use lanecast_makers::Pinhole;
//!
//! let vertices = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
//! let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
//! // From 2 above, with a field of view of 90 degrees: the square is half as high as the picture, and a quarter as wide.
//! let camera = Pinhole::looking_at([0.0, 0.0, 2.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0, [8, 4])?;
//! let seen = scene.cast(&RayBatch::made(&camera)).any()?;
//! assert_eq!(seen.status().iter().filter(|status| status.is_hit()).count(), 2 * 2);
//! # Ok::<(), lanecast::Error>(())
//! ```
//!
//! Makers compute in `f64`, with the same functions on every machine (not the sine of the system),
//! and round to `f32` once, so the same options give the same rays everywhere; [`Wide`] gives those
//! of `f64`, for scenes of `f64`. Rays from points are of the precision of the points. Unless a
//! maker states another, the interval of every ray is \[0, ∞\];
//! [`RayBatch::with_interval`](lanecast::RayBatch::with_interval) sets another.
//!
//! Rays of a batch are made in this package's code: where you optimise the engine in debug builds,
//! do so here too, by `opt-level = 3` under `[profile.dev.package.lanecast-makers]`.
#![warn(clippy::disallowed_methods)]

mod common;
mod footprint;
mod grid;
mod hemisphere;
mod lidar;
mod panorama;
mod pinhole;
mod pose;
mod receiver;
mod reflectance;
mod sun;
mod sweep;
mod wide;

pub use common::Number;
pub use footprint::Footprint;
pub use grid::Grid;
pub use hemisphere::{Hemisphere, Spread};
pub use lidar::{Beam, Lidar, Pulse, Shot};
pub use panorama::Panorama;
pub use pinhole::Pinhole;
pub use pose::Pose;
pub use receiver::{Keep, Measured, NotUnit, Receiver, Return, ReturnBatch};
pub use reflectance::{Geometries, Reflectance};
pub use sun::{Sun, Sunlight, Utc};
pub use sweep::Prism;
pub use wide::Wide;

/// The example of the README is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

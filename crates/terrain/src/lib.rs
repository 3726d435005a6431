//! What is computed of a grid of heights by the rays of [`lanecast`].
//!
//! | method of [`Terrain`] | for each pixel |
//! |---|---|
//! | [`viewshed_counts`](Terrain::viewshed_counts), [`viewshed_bits`](Terrain::viewshed_bits) | how many observers see it; which |
//! | [`horizon`](Terrain::horizon) | the elevation of the horizon towards azimuths |
//! | [`sky_view`](Terrain::sky_view) | the share of the sky that is open |
//! | [`sun_hours`](Terrain::sun_hours) | for how long the sun shines on it |
//!
//! Arrays go in and come out; `lanecast-io` reads and writes rasters. Answers are a value for each
//! pixel, row by row. All is computed in `f64`, and has the same bits on every backend and any
//! number of threads. The earth is flat here: neither its curvature nor refraction is taken into
//! account, so that beyond some kilometres far heights seem higher than they are.
//!
//! Each call takes the options of its casts ([`CastOptions`](lanecast::CastOptions): threads and
//! backend) and a watcher, which hears of the progress of the whole calculation, in rays, and may
//! stop it ([`Watch`](lanecast::Watch)).
#![warn(clippy::disallowed_methods)]

mod ground;
mod horizon;
mod sky;
mod sun;
mod viewshed;
mod work;

pub use ground::Terrain;
pub use horizon::{View, azimuths};
pub use sky::Plane;
pub use sun::suns;
pub use viewshed::{Seen, Sight};
pub use work::unwatched;

/// The example of the README is a test too.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

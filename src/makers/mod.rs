//! Rays as cameras, scanners and light send them.
//!
//! | maker | rays | in the order |
//! |---|---|---|
//! | [`Pinhole`] | from an eye through the pixels of a picture | line by line, from the top |
//! | [`Panorama`] | from an eye all around, by longitude and latitude | line by line, from the top |
//! | [`Grid`] | side by side: X-rays, rain, an [orthographic](Grid::orthographic) camera | line by line |
//! | [`Lidar`] | of a spinning scanner, standing or on its way | firing after firing, beam by beam |
//! | [`Hemisphere`] | from points of surfaces, all over the side that their normals show | point by point |
//! | [`SightLines`] | from each observer to each target | observer by observer |
//! | [`Sunlight`] | from points towards the light, of a [`Sun`] for a time and place or others | light by light |
//!
//! A maker is a few numbers. [`RayBatch::made`](crate::RayBatch::made) makes a batch of it that every query takes, and
//! whose rays are made chunk by chunk while it is answered: a billion rays need no memory but that of their answers.
//! Each is also found by itself, with [`RayBatch::ray`](crate::RayBatch::ray), for points and pictures. What a caller's
//! own [`Maker`](crate::Maker) makes goes the same ways.
//!
//! ```
//! use lanecast::makers::Pinhole;
//! use lanecast::{AnyHitBatch, CastOptions, RayBatch, Scene};
//!
//! let vertices = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
//! let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [0, 2, 3]])?;
//! // From 2 above, a quarter of the way around: the square is as high as the picture, and half as wide.
//! let camera = Pinhole::looking_at([0.0, 0.0, 2.0], [0.0; 3], [0.0, 1.0, 0.0], 90.0, [8, 4])?;
//! let mut seen = AnyHitBatch::default();
//! scene.any_hit_batch(&RayBatch::made(&camera), &CastOptions::new(), &mut seen)?;
//! assert_eq!(seen.status.iter().filter(|status| status.is_hit()).count(), 2 * 2);
//! # Ok::<(), lanecast::Error>(())
//! ```
//!
//! Makers compute in `f64`, with the same functions everywhere (no sine of the system's), and round to `f32` once, so
//! that the same options give the same rays on every machine. Unless a maker says otherwise the interval of every ray is
//! \[0, ∞\], and [`RayBatch::with_interval`](crate::RayBatch::with_interval) gives them another. Options that no rays
//! can be made of are refused with an [`Error::UnusableField`](crate::Error::UnusableField), which names the maker and
//! the option.

mod checks;
mod grid;
mod hemisphere;
mod lidar;
mod panorama;
mod pinhole;
mod pose;
mod runs;
mod sight_lines;
mod sun;
mod sunlight;
mod utc;
mod vector;
mod view;

pub use grid::Grid;
pub use hemisphere::{Hemisphere, Spread};
pub use lidar::{Beam, Lidar};
pub use panorama::Panorama;
pub use pinhole::Pinhole;
pub use pose::Pose;
pub use sight_lines::SightLines;
pub use sun::Sun;
pub use sunlight::Sunlight;
pub use utc::Utc;

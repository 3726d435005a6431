//! The rays of makers in `f64`.

use crate::common::*;

/// A maker that computes its rays in `f64` and rounds them to either precision.
pub(crate) trait InBoth: Sync {
    fn count(&self) -> usize;

    fn make_rays<T: Number>(&self, first: usize, rays: &mut [Ray<T>]);
}

/// The rays of a maker in `f64`, as it computes them, for scenes of `f64`: at survey coordinates a
/// [`Lidar`](crate::Lidar) or a [`Pinhole`](crate::Pinhole) stands where it was placed, and not at
/// the nearest `f32`.
///
/// ```
/// use lanecast::{RayBatch, SceneBuilder};
/// use lanecast_makers::{Beam, Lidar, Pose, Wide};
/// let [east, north] = [500_000.1, 5_600_000.2];
/// let wall = [[east - 9.0, north + 4.0, -9.0], [east + 9.0, north + 4.0, -9.0], [east, north + 4.0, 9.0]];
/// let scene = SceneBuilder::<f64>::default().triangle_mesh(&wall, &[[0, 1, 2]])?.build()?;
/// let there = [Pose::standing([east, north, 0.0])];
/// let lidar = Lidar::new(&Beam::fan(1, [0.0, 0.0]), 4)?.carried(&there, 0.0, 0.1, 1)?;
/// let hits = scene.cast(RayBatch::made(&Wide::new(&lidar))).closest()?;
/// assert!((hits.t()[0] - 4.0).abs() < 1e-9);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Wide<'a, M>(&'a M);

#[expect(private_bounds, reason = "makers of this package")]
impl<'a, M: InBoth> Wide<'a, M> {
    /// Those of a [`Grid`](crate::Grid), a [`Lidar`](crate::Lidar), a [`Panorama`](crate::Panorama)
    /// or a [`Pinhole`](crate::Pinhole).
    pub const fn new(maker: &'a M) -> Self {
        Self(maker)
    }
}

impl Wide<'_, crate::Pinhole> {
    /// [`Pinhole::ray_through`](crate::Pinhole::ray_through) in `f64`.
    pub fn ray_through(&self, at: [f64; 2]) -> Ray<f64> {
        with_default_float_mode(|| self.0.through(at))
    }
}

impl<M: InBoth> Maker<Ray<f64>> for Wide<'_, M> {
    fn len(&self) -> usize {
        self.0.count()
    }

    fn make(&self, first: usize, rays: &mut [Ray<f64>]) {
        self.0.make_rays(first, rays);
    }
}

/// Makers whose rays are of `f32` by themselves.
macro_rules! narrow {
    ($($maker:ty),*) => {$(
        impl Maker<Ray> for $maker {
            fn len(&self) -> usize {
                self.count()
            }

            fn make(&self, first: usize, rays: &mut [Ray]) {
                self.make_rays(first, rays);
            }
        }
    )*};
}

narrow!(crate::Grid, crate::Lidar, crate::Panorama, crate::Pinhole);

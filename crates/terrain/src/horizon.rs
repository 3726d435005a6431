//! How high the ground stands around a pixel.

use crate::Terrain;
use crate::ground::{Eyes, not_negative, refused};
use crate::work::{PIECE, Work};
use lanecast::answers::AnyHitBatch;
use lanecast::support::with_default_float_mode;
use lanecast::{CastOptions, Error, Result, Watch};

/// Where there is no ground in some direction.
const STRAIGHT_DOWN: f64 = -90.0;

/// From where, how far and how exactly a horizon is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// How far eyes are above the ground. At 0 it is a millionth of a pixel's width, as rays that
    /// start on the ground would meet it: 0.0001 degrees of a horizon at most.
    pub height: f64,
    /// How far ground counts, along the ground; infinite for all.
    pub max_distance: f64,
    /// By how many degrees an elevation may be wrong, from 0.001 to 45.
    pub tolerance: f64,
}

impl Default for View {
    /// From the ground, at any distance, to 0.01 degrees.
    fn default() -> Self {
        Self { height: 0.0, max_distance: f64::INFINITY, tolerance: 0.01 }
    }
}

impl View {
    /// How often the interval of 180 degrees in which an elevation is has to be halved, so that its
    /// middle is near enough.
    fn steps(&self) -> usize {
        let halves = std::iter::successors(Some(90.0), |half| Some(half / 2.0));
        halves.take_while(|half| *half > self.tolerance).count()
    }

    fn check(&self) -> Result<()> {
        not_negative("horizon", "height", self.height)?;
        if self.max_distance != f64::INFINITY {
            not_negative("horizon", "max_distance", self.max_distance)?;
        }
        if !(0.001..=45.0).contains(&self.tolerance) {
            let problem = format!("is {}; it must be from 0.001 to 45 degrees", self.tolerance);
            return Err(refused("horizon", "tolerance", &problem));
        }
        Ok(())
    }
}

/// So many azimuths at even steps, in degrees from north.
pub fn azimuths(count: usize) -> Vec<f64> {
    (0..count).map(|number| 360.0 * number as f64 / count as f64).collect()
}

impl Terrain {
    /// The elevation of the horizon towards each azimuth, for each pixel in degrees: the greatest
    /// angle with the horizontal at which a ray from above the pixel touches the ground; −90 where
    /// there is no ground in that direction, NaN at pixels without data. Azimuths are in degrees
    /// clockwise from north, which is where y grows, such as [`azimuths`]; the pixels of the first
    /// come first.
    ///
    /// It is found by bisection: as eyes are above the ground, a ray meets it if and only if some
    /// ray above it in the same vertical plane does. Where ground stands at a distance as high as
    /// the upper ray, the lower one is under the ground there, and has come through its surface
    /// before. So [`rays_of_horizon`](Self::rays_of_horizon) rays decide all elevations of an
    /// azimuth, and the tolerance holds for whatever terrain; but where a horizon is below −89
    /// degrees, holes may make it up to a degree lower.
    ///
    /// ```
    /// use lanecast::{CastOptions, SceneBuilder};
    /// use lanecast_terrain::{Terrain, View, unwatched};
    /// let heights = [0.0, 0.0, 10.0].repeat(3);
    /// let transform = [10.0, 0.0, 0.0, 0.0, -10.0, 0.0];
    /// let terrain = Terrain::new(&heights, [3, 3], transform, SceneBuilder::default())?;
    /// let view = View { tolerance: 0.001, ..View::default() };
    /// let east = terrain.horizon(&[90.0], &view, &CastOptions::new(), &unwatched)?;
    /// assert!((east[3] - 0.5_f64.atan().to_degrees()).abs() < 0.002);
    /// assert_eq!(east[5], -90.0);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnusableField`](lanecast::Error::UnusableField): an azimuth that is not finite, a
    /// height or a distance that is negative, a tolerance beside its range.
    /// [`Error::AnswersTooLarge`](lanecast::Error::AnswersTooLarge) if memory does not hold them,
    /// [`Error::Stopped`](lanecast::Error::Stopped) by the watcher, and those of casts.
    pub fn horizon(
        &self,
        azimuths: &[f64],
        view: &View,
        options: &CastOptions<'_, f64>,
        watch: &Watch<'_>,
    ) -> Result<Vec<f64>> {
        let (pixels, mut all) = (self.heights().len(), Vec::new());
        let rows = pixels.saturating_mul(azimuths.len());
        all.try_reserve_exact(rows).map_err(|_| Error::AnswersTooLarge { rows })?;
        all.resize(rows, f64::NAN);
        let total = self.rays_of_horizon(view).saturating_mul(azimuths.len());
        let mut work = Work::new(options, watch, total);
        for (azimuth, found) in azimuths.iter().zip(all.chunks_mut(pixels.max(1))) {
            self.each_horizon(*azimuth, view, &mut work, |pixel, elevation| {
                found[pixel as usize] = elevation;
            })?;
        }
        Ok(all)
    }

    /// How many rays [`horizon`](Self::horizon) casts for an azimuth.
    pub fn rays_of_horizon(&self, view: &View) -> usize {
        self.pixels().len() * view.steps()
    }

    /// Passes the horizon of each pixel with data.
    pub(crate) fn each_horizon(
        &self,
        azimuth: f64,
        view: &View,
        work: &mut Work<'_>,
        mut found: impl FnMut(u32, f64),
    ) -> Result<()> {
        view.check()?;
        if !azimuth.is_finite() {
            return Err(refused("horizon", "azimuth", &format!("is {azimuth}; it must be finite")));
        }
        with_default_float_mode(|| {
            let (east, north) = sin_cos(azimuth);
            let mut hits = AnyHitBatch::default();
            for pixels in self.pixels().chunks(PIECE) {
                // The lower ends of intervals that all have the same length, twice a half.
                let (mut low, mut half) = (vec![STRAIGHT_DOWN; pixels.len()], 90.0);
                for _ in 0..view.steps() {
                    let towards = |place: usize| {
                        let (rise, level) = sin_cos(low[place] + half);
                        ([east * level, north * level, rise], view.max_distance / level)
                    };
                    let eyes = Eyes { terrain: self, pixels, height: view.height, towards };
                    self.meet(&eyes, work, &mut hits)?;
                    for (low, status) in low.iter_mut().zip(hits.status()) {
                        *low += if status.is_hit() { half } else { 0.0 };
                    }
                    half /= 2.0;
                }
                for (pixel, low) in pixels.iter().zip(low) {
                    found(*pixel, if low == STRAIGHT_DOWN { low } else { low + half });
                }
            }
            Ok(())
        })
    }
}

/// Of an angle in degrees; exact at multiples of 90.
pub(crate) fn sin_cos(degrees: f64) -> (f64, f64) {
    let turned = degrees % 360.0;
    let quarters = libm::round(turned / 90.0);
    let (sine, cosine) = libm::sincos((turned - 90.0 * quarters).to_radians());
    match quarters as i32 & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

//! Who sees what.

use crate::Terrain;
use crate::ground::{not_negative, refused};
use crate::work::{PIECE, Work};
use lanecast::answers::SightMatrix;
use lanecast::{CastOptions, Result, SightLines, Watch};

/// The part of a line, at each end, where nothing blocks it: ends may lie on the ground.
const PART: f64 = 1e-6;
/// The bits of a value.
const MOST_OBSERVERS: usize = u32::BITS as usize;

/// What is to be seen of pixels, and how far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sight {
    /// How far above the centre of a pixel is what is to be seen.
    pub target_height: f64,
    /// How far observers see along the ground; infinite for all.
    pub max_distance: f64,
}

impl Default for Sight {
    /// The ground itself, at any distance.
    fn default() -> Self {
        Self { target_height: 0.0, max_distance: f64::INFINITY }
    }
}

/// What is seen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Seen {
    /// For each pixel the number of observers that see it, or a bit for each, the lowest for the
    /// first; 0 where there are no data.
    pub pixels: Vec<u32>,
    /// How many lines of sight were cast: from an observer to a pixel that is near enough.
    pub lines: u64,
    /// How many of them nothing blocks.
    pub in_sight: u64,
}

impl Terrain {
    /// How many eyes see each pixel: those from which nothing touches the line to the place above
    /// the centre of the pixel. The first and the last millionth of a line do not count. None of
    /// the eyes is one that sees nothing.
    ///
    /// ```
    /// use lanecast::{CastOptions, SceneBuilder};
    /// use lanecast_terrain::{Sight, Terrain, unwatched};
    /// let heights = [0.0, 0.0, 9.0, 0.0, 0.0].repeat(2);
    /// let terrain = Terrain::new(&heights, [2, 5], [1.0, 0.0, 0.0, 0.0, -1.0, 0.0], SceneBuilder::default())?;
    /// let options = CastOptions::new();
    /// let eyes = terrain.eyes(&[[0.0, 0.0], [2.0, -0.5], [77.0, 0.0]], 1.5, &options)?;
    /// assert_eq!(eyes[1..], [Some([2.0, -0.5, 10.5]), None]);
    /// let seen = terrain.viewshed_counts(&eyes, &Sight::default(), &options, &unwatched)?;
    /// assert_eq!(seen.pixels, [2, 2, 2, 1, 1, 2, 2, 2, 1, 1]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnusableField`](lanecast::Error::UnusableField): a height or a distance that is
    /// negative or NaN. [`Error::Stopped`](lanecast::Error::Stopped) by the watcher, and those of
    /// casts.
    pub fn viewshed_counts(
        &self,
        eyes: &[Option<[f64; 3]>],
        sight: &Sight,
        options: &CastOptions<'_, f64>,
        watch: &Watch<'_>,
    ) -> Result<Seen> {
        self.viewshed(eyes, sight, options, watch, |value, _| value + 1)
    }

    /// Which eyes see each pixel, as [`viewshed_counts`](Self::viewshed_counts) decides it.
    ///
    /// # Errors
    /// Those of counts, and `UnusableField` beyond 32 eyes.
    pub fn viewshed_bits(
        &self,
        eyes: &[Option<[f64; 3]>],
        sight: &Sight,
        options: &CastOptions<'_, f64>,
        watch: &Watch<'_>,
    ) -> Result<Seen> {
        if eyes.len() > MOST_OBSERVERS {
            let problem =
                format!("are {}; a pixel has bits for {MOST_OBSERVERS} at most", eyes.len());
            return Err(refused("viewshed", "observers", &problem));
        }
        self.viewshed(eyes, sight, options, watch, |value, eye| value | 1 << eye)
    }

    /// Changes the value of each pixel by each eye that sees it.
    fn viewshed(
        &self,
        eyes: &[Option<[f64; 3]>],
        sight: &Sight,
        options: &CastOptions<'_, f64>,
        watch: &Watch<'_>,
        change: impl Fn(u32, usize) -> u32,
    ) -> Result<Seen> {
        let raised = not_negative("viewshed", "target_height", sight.target_height)?;
        let most = sight.max_distance;
        if most != f64::INFINITY {
            not_negative("viewshed", "max_distance", most)?;
        }
        let mut seen = Seen { pixels: vec![0; self.heights().len()], ..Seen::default() };
        let lines = eyes.iter().flatten().count() * self.pixels().len();
        let mut work = Work::new(options, watch, lines);
        let (mut matrix, mut targets, mut near) = (SightMatrix::default(), Vec::new(), Vec::new());
        for (number, eye) in eyes.iter().enumerate() {
            let Some(eye) = *eye else { continue };
            for pixels in self.pixels().chunks(PIECE) {
                targets.clear();
                near.clear();
                for &pixel in pixels {
                    let [x, y, ground] = self.point(pixel);
                    if libm::hypot(x - eye[0], y - eye[1]) <= most {
                        targets.push([x, y, ground + raised]);
                        near.push(pixel as usize);
                    }
                }
                let from = [eye];
                let lines = SightLines::new(&from, &targets)?.shortened(PART)?;
                work.part(pixels.len(), |options| {
                    self.scene().sight(&lines).with(options).matrix_into(&mut matrix)
                })?;
                seen.lines += near.len() as u64;
                for (target, &pixel) in near.iter().enumerate() {
                    if matrix.sees(0, target) {
                        seen.pixels[pixel] = change(seen.pixels[pixel], number);
                        seen.in_sight += 1;
                    }
                }
            }
        }
        Ok(seen)
    }
}

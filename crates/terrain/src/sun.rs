//! How long the sun shines on a pixel.

use crate::Terrain;
use crate::ground::{Eyes, not_negative, refused};
use crate::work::{PIECE, Work};
use lanecast::answers::AnyHitBatch;
use lanecast::support::with_default_float_mode;
use lanecast::{CastOptions, Result, Watch};
use lanecast_makers::{Sun, Utc};

/// The most steps of time.
const MOST_STEPS: f64 = 10_000_000.0;

/// Where the sun is between two times, as seen from a place: in the middle of each step of so many
/// seconds, of which the last may be shorter, and how many hours the step has.
///
/// ```
/// use lanecast_makers::Utc;
/// let [from, to] = [8, 10].map(|hour| Utc { year: 2026, month: 6, day: 21, hour, minute: 0, second: 0.0 });
/// let suns = lanecast_terrain::suns(from, to, 2700.0, 47.4, 8.5)?;
/// let hours: Vec<f64> = suns.iter().map(|(_, hours)| *hours).collect();
/// assert_eq!(hours, [0.75, 0.75, 0.5]);
/// assert!(suns[0].0.altitude < suns[2].0.altitude);
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// # Errors
/// [`Error::UnusableField`](lanecast::Error::UnusableField): times that no calendar has, a latitude
/// or longitude beside its range, an end that is not after the start, and a step that is not above 0 or that
/// makes more than 10⁷ of them.
pub fn suns(
    from: Utc,
    to: Utc,
    step: f64,
    latitude: f64,
    longitude: f64,
) -> Result<Vec<(Sun, f64)>> {
    with_default_float_mode(|| {
        let seconds = from.seconds_until(&to)?;
        if seconds <= 0.0 {
            return Err(refused("sun hours", "to", "is not after the start"));
        }
        let steps = libm::ceil(seconds / step);
        if !(step > 0.0 && steps <= MOST_STEPS) {
            let problem = format!(
                "is {step} seconds; it must be above 0, and go into the time 10^7 times at most"
            );
            return Err(refused("sun hours", "step", &problem));
        }
        let sun = |number: usize| {
            let start = number as f64 * step;
            let length = step.min(seconds - start);
            let middle = from.after(start + length / 2.0)?;
            Ok((Sun::at(middle, latitude, longitude)?, length / 3600.0))
        };
        (0..steps as usize).map(sun).collect()
    })
}

impl Terrain {
    /// For how many hours the sun shines on each pixel, if it stands in each of these places for so
    /// many, such as those of [`suns`]; NaN at pixels without data.
    ///
    /// A sun that is not above the horizontal shines nowhere. The ray from a point at a height above
    /// the centre of the pixel goes to the middle of the sun. North is where y grows.
    ///
    /// # Errors
    /// [`Error::UnusableField`](lanecast::Error::UnusableField): a height that is negative, or a sun
    /// that is nowhere. [`Error::Stopped`](lanecast::Error::Stopped) by the watcher, and those of
    /// casts.
    pub fn sun_hours(
        &self,
        suns: &[(Sun, f64)],
        height: f64,
        options: &CastOptions<'_, f64>,
        watch: &Watch<'_>,
    ) -> Result<Vec<f64>> {
        not_negative("sun hours", "height", height)?;
        let is_somewhere =
            |(sun, hours): &(Sun, f64)| (sun.azimuth + sun.altitude + hours).is_finite();
        if let Some(number) = suns.iter().position(|sun| !is_somewhere(sun)) {
            let problem = format!("have none at {number} that is finite: {:?}", suns[number]);
            return Err(refused("sun hours", "suns", &problem));
        }
        with_default_float_mode(|| {
            let up: Vec<_> = suns.iter().filter(|(sun, _)| sun.altitude > 0.0).collect();
            let mut work = Work::new(options, watch, up.len().saturating_mul(self.pixels().len()));
            let mut found = vec![f64::NAN; self.heights().len()];
            let mut hits = AnyHitBatch::default();
            for pixels in self.pixels().chunks(PIECE) {
                let mut sums = vec![0.0; pixels.len()];
                for (sun, hours) in &up {
                    let direction = sun.direction();
                    let towards = |_: usize| (direction, f64::INFINITY);
                    let eyes = Eyes { terrain: self, pixels, height, towards };
                    self.meet(&eyes, &mut work, &mut hits)?;
                    for (sum, status) in sums.iter_mut().zip(hits.status()) {
                        *sum += if status.is_hit() { 0.0 } else { *hours };
                    }
                }
                for (pixel, sum) in pixels.iter().zip(sums) {
                    found[*pixel as usize] = sum;
                }
            }
            Ok(found)
        })
    }
}

//! A spinning laser scanner: a vertical fan of beams that turns and moves.

use super::checks::Asked;
use super::pose::{Path, Pose};
use super::runs::for_each_run;
use super::vector::{Vector, ray};
use crate::columns::Maker;
use crate::error::Result;
use crate::simd::with_default_float_mode;
use crate::value::Ray;

const ASKED: Asked = Asked("lidar");

/// One laser of a scanner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beam {
    /// The angle above the scanner's plane, in degrees.
    pub elevation: f64,
    /// The angle ahead of the scanner's azimuth, in degrees, clockwise seen from above.
    pub azimuth: f64,
}

impl Beam {
    /// A number of beams, evenly from the lowest to the highest elevation in degrees, with an azimuth of 0. A single beam has the
    /// lowest elevation.
    pub fn fan(beams: u32, [lowest, highest]: [f64; 2]) -> Vec<Self> {
        with_default_float_mode(|| {
            let between = f64::from(beams.saturating_sub(1).max(1));
            let elevation = |beam: u32| lowest + (highest - lowest) * f64::from(beam) / between;
            (0..beams).map(|beam| Self { elevation: elevation(beam), azimuth: 0.0 }).collect()
        })
    }
}

/// A scanner that fires all its beams at once, turns on a step, and fires again.
///
/// In the scanner's own axes z is up, and azimuths are clockwise from y, seen from above, so x is at 90 degrees: as on a map
/// with y to the north. Rays are in the order of firings, beam after beam in each. Directions have length 1: `t` is the
/// distance. Set the range of the scanner as [interval](crate::RayBatch::with_interval) of all rays.
///
/// ```
/// use lanecast::RayBatch;
/// use lanecast::makers::{Beam, Lidar, Pose};
/// // 16 beams, 1800 firings a turn, ten turns a second, for two turns along x at 20 m a second.
/// let poses = [0.0, 1.0].map(|time| Pose { time, ..Pose::standing([20.0 * time, 0.0, 1.8]) });
/// let lidar = Lidar::new(&Beam::fan(16, [-15.0, 15.0]), 1800)?.carried(&poses, 0.0, 0.1, 2)?;
/// let rays = RayBatch::made(&lidar);
/// assert_eq!(rays.len(), 16 * 1800 * 2);
/// assert_eq!(rays.ray(16 * 1800).origin, [2.0, 0.0, 1.8]);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Lidar {
    /// The directions of the beams at azimuth 0.
    beams: Vec<Vector>,
    /// The number of firings in a turn.
    steps: usize,
    /// The azimuths, in degrees, of the first firing of a turn and of the first firing after it.
    sector: [f64; 2],
    turns: usize,
    start: f64,
    seconds: f64,
    path: Path,
}

impl Lidar {
    /// A scanner with these beams, upright at the origin, that fires `steps` times in one turn, first at azimuth 0.
    ///
    /// # Errors
    /// [`Error::UnusableField`](crate::Error::UnusableField): there are no `beams` or one has an angle that is not
    /// finite or an elevation beyond 90 degrees, `steps` is 0, or the rays are more than can be counted.
    pub fn new(beams: &[Beam], steps: u32) -> Result<Self> {
        with_default_float_mode(|| {
            let Ok(count) = u32::try_from(beams.len()) else {
                return ASKED.refuse("beams", format!("are {}; at most 2^32 - 1 will do", beams.len()));
            };
            if count == 0 {
                return ASKED.refuse("beams", "are none; there must be one at least");
            }
            let mut directions = Vec::with_capacity(beams.len());
            for (number, beam) in beams.iter().enumerate() {
                if !(beam.elevation.abs() <= 90.0 && beam.azimuth.is_finite()) {
                    let problem = format!(
                        "have elevation {} and azimuth {} at {number}; elevations are at most 90 degrees",
                        beam.elevation, beam.azimuth
                    );
                    return ASKED.refuse("beams", problem);
                }
                let (rise, level) = libm::sincos(beam.elevation.to_radians());
                let (x, y) = libm::sincos(beam.azimuth.to_radians());
                directions.push([level * x, level * y, rise]);
            }
            Ok(Self {
                beams: directions,
                steps: ASKED.size("steps", [steps, count])?[0],
                sector: [0.0, 360.0],
                turns: 1,
                start: 0.0,
                seconds: 0.0,
                path: Path::new(ASKED, &[Pose::standing([0.0; 3])])?,
            })
        })
    }

    /// The same scanner with turns from one azimuth to another, in degrees. If the second is less, it turns
    /// counter-clockwise. The last firing of a turn is one step before the second azimuth.
    ///
    /// # Errors
    /// [`Error::UnusableField`](crate::Error::UnusableField) if an azimuth is not finite.
    pub fn sector(self, sector: [f64; 2]) -> Result<Self> {
        if sector.iter().all(|azimuth| azimuth.is_finite()) {
            Ok(Self { sector, ..self })
        } else {
            ASKED.refuse("sector", format!("is {sector:?}; azimuths must be finite"))
        }
    }

    /// The same scanner, standing still at a pose; the time of the pose does not matter.
    ///
    /// # Errors
    /// [`Error::UnusableField`](crate::Error::UnusableField) if the position is not finite or beyond 2¹⁰⁰, or the
    /// rotation is zero.
    pub fn standing(self, pose: Pose) -> Result<Self> {
        let poses = [Pose { time: 0.0, ..pose }];
        with_default_float_mode(|| Ok(Self { path: Path::new(ASKED, &poses)?, ..self }))
    }

    /// The same scanner, moving along `poses`, which are in the order of time. It fires first at `start`, a turn takes
    /// `seconds`, and it makes `turns` turns. Between two poses it moves on a straight line and rotates evenly, the short way
    /// round. It stands still during a firing.
    ///
    /// # Errors
    /// [`Error::UnusableField`](crate::Error::UnusableField): there are no `poses` or one has a position or a rotation
    /// that cannot be used, their times do not ascend or do not cover all firings (a single one does), `start` is not
    /// finite, `seconds` not finite or negative, `turns` 0, or the rays are more than can be counted.
    pub fn carried(self, poses: &[Pose], start: f64, seconds: f64, turns: u32) -> Result<Self> {
        with_default_float_mode(|| {
            let path = Path::new(ASKED, poses)?;
            if !start.is_finite() {
                return ASKED.refuse("start", format!("is {start}; it must be finite"));
            }
            if !(seconds.is_finite() && seconds >= 0.0) {
                return ASKED
                    .refuse("seconds", format!("are {seconds}; they must be finite and not negative"));
            }
            let rays = (turns as usize).checked_mul(self.len());
            if !matches!(rays, Some(1..)) {
                return ASKED
                    .refuse("turns", format!("are {turns}; there must be a ray, and all be counted"));
            }
            let lidar = Self { path, start, seconds, turns: turns as usize, ..self };
            let [from, to] = lidar.path.times();
            let last = lidar.time(lidar.steps * lidar.turns - 1);
            if start < from || last > to {
                let problem = format!("are for {from} to {to} s, but it fires from {start} to {last} s");
                return ASKED.refuse("poses", problem);
            }
            Ok(lidar)
        })
    }

    /// The time of firing of ray number `ray`.
    pub fn time_of(&self, ray: usize) -> f64 {
        with_default_float_mode(|| self.time(ray / self.beams.len()))
    }

    fn time(&self, firing: usize) -> f64 {
        self.start + self.seconds * (firing as f64 / self.steps as f64)
    }
}

impl Maker<Ray> for Lidar {
    fn len(&self) -> usize {
        self.beams.len() * self.steps * self.turns
    }

    fn make(&self, first: usize, rays: &mut [Ray]) {
        for_each_run(self.beams.len(), first, rays, |firing, place, rays| {
            let [from, to] = self.sector;
            let azimuth = from + (to - from) * ((firing % self.steps) as f64 / self.steps as f64);
            let (sine, cosine) = libm::sincos(azimuth.to_radians());
            let pose = self.path.at(self.time(firing));
            for (made, &[x, y, z]) in rays.iter_mut().zip(&self.beams[place..]) {
                let direction = [x * cosine + y * sine, y * cosine - x * sine, z];
                *made = ray(pose.position, pose.turned(direction));
            }
        });
    }
}

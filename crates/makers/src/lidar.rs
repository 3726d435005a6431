//! A spinning laser scanner: a vertical fan of beams that turns and moves.

use crate::common::*;
use crate::wide::InBoth;

const ASKED: Asked = Asked("lidar");

/// One laser of a scanner, by its angles in degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beam {
    /// Above the scanner's plane.
    pub elevation: f64,
    /// Ahead of the scanner's azimuth, clockwise seen from above.
    pub azimuth: f64,
    /// How long after the others of its firing it is fired, in seconds: a scanner's lasers take
    /// turns, and it turns and moves on between them.
    pub delay: f64,
}

impl Beam {
    /// Beams evenly from the lowest to the highest elevation in degrees, at azimuth 0, without a
    /// delay; a single one at the lowest.
    pub fn fan(beams: u32, [lowest, highest]: [f64; 2]) -> Vec<Self> {
        let between = f64::from(beams.saturating_sub(1).max(1));
        let elevation = |beam: u32| lowest + (highest - lowest) * f64::from(beam) / between;
        let beam = |beam| Self { elevation: elevation(beam), azimuth: 0.0, delay: 0.0 };
        with_default_float_mode(|| (0..beams).map(beam).collect())
    }
}

/// A scanner that fires all its beams, at once or one after the other, turns on a step, and fires
/// again.
///
/// In the scanner's own axes z is up, and azimuths are clockwise from y, seen from above: as on a
/// map with y to the north. Rays are in the order of firings, beam after beam in each. Directions
/// have length 1: `t` is the distance.
///
/// ```
/// use lanecast::RayBatch;
/// use lanecast_makers::{Beam, Lidar, Pose};
/// // 16 beams, 1800 firings a turn, ten turns a second, for two turns along x at 20 m a second.
/// let poses = [0.0, 1.0].map(|time| Pose { time, ..Pose::standing([20.0 * time, 0.0, 1.8]) });
/// let lidar = Lidar::new(&Beam::fan(16, [-15.0, 15.0]), 1800)?.carried(&poses, 0.0, 0.1, 2)?;
/// let rays = RayBatch::made(&lidar);
/// assert_eq!(rays.len(), 16 * 1800 * 2);
/// assert_eq!(rays.ray(16 * 1800).origin, [2.0, 0.0, 1.8]);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Lidar {
    beams: Vec<Laser>,
    /// The number of firings in a turn.
    steps: usize,
    /// The azimuths, in degrees, of the first firing of a turn and of the first firing after it.
    sector: [f64; 2],
    turns: usize,
    start: f64,
    seconds: f64,
    /// In the order of time, with rotations of length 1.
    path: Vec<Pose>,
    /// How a single pose moves: the velocity, and degrees a second around its z.
    velocity: Vector,
    yaw_rate: f64,
}

/// When a ray of a [`Lidar`] is fired, and by what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pulse {
    /// The time in seconds.
    pub time: f64,
    /// The number of the beam.
    pub beam: usize,
    /// The azimuth in the scanner's own axes, in degrees from 0 to 360, 360 excluded: how far it
    /// has turned, and that of the beam.
    pub azimuth: f64,
}

/// A beam as it is fired.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Laser {
    /// The direction where the scanner's azimuth is 0.
    direction: Vector,
    azimuth: f64,
    delay: f64,
}

impl Laser {
    /// Its ray where the scanner has turned so far and is so placed.
    #[inline(always)]
    fn fired<T: Number>(&self, ((sine, cosine), pose): &Aim) -> Ray<T> {
        let [x, y, z] = self.direction;
        ray(pose.position, pose.turned([x * cosine + y * sine, y * cosine - x * sine, z]))
    }
}

/// How far a scanner has turned, as sine and cosine, and its pose.
type Aim = ((f64, f64), Pose);

impl std::fmt::Debug for Lidar {
    /// Shows how much it holds.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Lidar");
        shown
            .field("beams", &self.beams.len())
            .field("steps", &self.steps)
            .field("turns", &self.turns)
            .field("poses", &self.path.len())
            .finish_non_exhaustive()
    }
}

impl Lidar {
    /// A scanner with these beams, upright at the origin, that fires `steps` times in one turn,
    /// first at azimuth 0.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: no `beams`, 0 `steps`, or too many rays. [`Error::UnusableRow`]: a beam with an angle not finite,
    /// an elevation beyond 90 degrees, or a delay negative or not finite.
    pub fn new(beams: &[Beam], steps: u32) -> Result<Self> {
        with_default_float_mode(|| {
            ensure!(!beams.is_empty(), ASKED, "beams", "are none; there must be one at least");
            let laser = |(row, &Beam { elevation, azimuth, delay }): (usize, &Beam)| {
                let refused = |problem| unusable("beams", row, problem);
                if !(elevation.abs() <= 90.0 && azimuth.is_finite()) {
                    return Err(refused(format!(
                        "the elevation is {elevation} and the azimuth {azimuth}; elevations are at most 90 degrees, azimuths finite"
                    )));
                }
                if !(delay >= 0.0 && delay.is_finite()) {
                    return Err(refused(format!(
                        "the delay is {delay}; delays are finite and not negative"
                    )));
                }
                let (rise, level) = libm::sincos(elevation.to_radians());
                let (x, y) = libm::sincos(azimuth.to_radians());
                Ok(Laser { direction: [level * x, level * y, rise], azimuth, delay })
            };
            let lasers = beams.iter().enumerate().map(laser).collect::<Result<_>>()?;
            let steps = steps as usize;
            let is_counted = matches!(steps.checked_mul(beams.len()), Some(1..));
            ensure!(
                is_counted,
                ASKED,
                "steps",
                "are {steps}; there must be a ray, and all be counted"
            );
            let (sector, path) = ([0.0, 360.0], vec![Pose::standing([0.0; 3])]);
            let (turns, start, seconds) = (1, 0.0, 0.0);
            let (velocity, yaw_rate) = ([0.0; 3], 0.0);
            Ok(Self {
                beams: lasers,
                steps,
                sector,
                turns,
                start,
                seconds,
                path,
                velocity,
                yaw_rate,
            })
        })
    }

    /// The same scanner with turns from one azimuth to another, in degrees. If the second is less,
    /// it turns counter-clockwise. The last firing of a turn is one step before the second azimuth.
    /// [`Error::UnusableField`] if one is not finite.
    pub fn sector(self, sector: [f64; 2]) -> Result<Self> {
        let are_finite = sector.iter().all(|azimuth| azimuth.is_finite());
        ensure!(are_finite, ASKED, "sector", "is {sector:?}; azimuths must be finite");
        Ok(Self { sector, ..self })
    }

    /// The same scanner, moving along `poses`, in the order of time, on straight lines and rotating
    /// evenly, the short way round; one pose is for all times. It fires first at `start`, and makes
    /// `turns`, each in `seconds`. Each beam starts from the pose at its own time.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: no `poses`, or times that do not cover all firings; `start` not finite, `seconds` not finite or
    /// negative, 0 `turns`, or too many rays to count. [`Error::UnusableRow`]: a pose with a
    /// position or a rotation that cannot be used, or with a time that does not ascend.
    pub fn carried(self, poses: &[Pose], start: f64, seconds: f64, turns: u32) -> Result<Self> {
        with_default_float_mode(|| {
            let path = path(poses)?;
            ensure!(start.is_finite(), ASKED, "start", "is {start}; it must be finite");
            let is_usable = seconds.is_finite() && seconds >= 0.0;
            ensure!(
                is_usable,
                ASKED,
                "seconds",
                "are {seconds}; they must be finite and not negative"
            );
            let is_counted = matches!((turns as usize).checked_mul(self.len()), Some(1..));
            ensure!(
                is_counted,
                ASKED,
                "turns",
                "are {turns}; there must be a ray, and all be counted"
            );
            let lidar = Self { path, start, seconds, turns: turns as usize, ..self };
            let last = lidar.last();
            if let [Pose { time: from, .. }, .., Pose { time: to, .. }] = lidar.path[..] {
                let found = format_args!("are for {from} to {to} s");
                let covers = from <= start && last <= to;
                ensure!(covers, ASKED, "poses", "{found}, but it fires from {start} to {last} s");
            }
            Ok(lidar)
        })
    }

    /// The same scanner where it has one pose, moving on from that: on a straight line, by
    /// `velocity` a second, and turning around its own z by `yaw_rate` degrees a second,
    /// counter-clockwise seen from above. It is at its pose at the time of that.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: `velocity` for a scanner with several poses, or out of range when it fires last; `yaw_rate` not
    /// finite.
    pub fn moving(self, velocity: [f64; 3], yaw_rate: f64) -> Result<Self> {
        with_default_float_mode(|| {
            let poses = self.path.len();
            ensure!(
                poses == 1,
                ASKED,
                "velocity",
                "is for a scanner with one pose; there are {poses}"
            );
            ensure!(yaw_rate.is_finite(), ASKED, "yaw_rate", "is {yaw_rate}; it must be finite");
            ASKED.point("velocity", velocity)?;
            let lidar = Self { velocity, yaw_rate, ..self };
            for time in [lidar.start, lidar.last()] {
                ASKED.point("velocity", lidar.pose_at(time).position)?;
            }
            Ok(lidar)
        })
    }

    /// When ray number `ray` is fired, and by what. Panics if there is no such ray.
    pub fn pulse(&self, ray: usize) -> Pulse {
        assert!(ray < self.len(), "ray {ray} of {}", self.len());
        with_default_float_mode(|| {
            let (firing, beam) = (ray / self.beams.len(), ray % self.beams.len());
            let Laser { azimuth, delay, .. } = self.beams[beam];
            let azimuth = self.azimuth(firing, delay) + azimuth;
            let azimuth = azimuth - 360.0 * libm::floor(azimuth / 360.0);
            // What is a little below 0 is rounded up.
            let azimuth = if azimuth < 360.0 { azimuth } else { 0.0 };
            Pulse { time: self.time(firing) + delay, beam, azimuth }
        })
    }

    fn time(&self, firing: usize) -> f64 {
        self.start + self.seconds * (firing as f64 / self.steps as f64)
    }

    /// The time of the last pulse.
    fn last(&self) -> f64 {
        let delay = self.beams.iter().fold(0.0_f64, |most, laser| most.max(laser.delay));
        self.time(self.steps * self.turns - 1) + delay
    }

    /// How far the scanner has turned, so long after a firing begins.
    fn azimuth(&self, firing: usize, delay: f64) -> f64 {
        let [from, to] = self.sector;
        let turned = if self.seconds > 0.0 { delay / self.seconds } else { 0.0 };
        from + (to - from) * ((firing % self.steps) as f64 / self.steps as f64 + turned)
    }

    // Compiled into the loop over beams it takes the registers of that.
    #[inline(never)]
    fn aim(&self, firing: usize, delay: f64) -> Aim {
        let turn = libm::sincos(self.azimuth(firing, delay).to_radians());
        (turn, self.pose_at(self.time(firing) + delay))
    }

    /// The pose at a time for which there are poses.
    fn pose_at(&self, time: f64) -> Pose {
        let next = self.path.partition_point(|pose| pose.time <= time);
        if let ([.., a], [b, ..]) = self.path.split_at(next) {
            let part = (time - a.time) / (b.time - a.time);
            let position = add(a.position, scale(sub(b.position, a.position), part));
            return Pose { time, position, rotation: between(a.rotation, b.rotation, part) };
        }
        // The only one, or the last.
        let pose = self.path[next.saturating_sub(1)];
        if self.velocity == [0.0; 3] && self.yaw_rate == 0.0 {
            return Pose { time, ..pose };
        }
        let passed = time - pose.time;
        let position = add(pose.position, scale(self.velocity, passed));
        let (sine, cosine) = libm::sincos((0.5 * self.yaw_rate * passed).to_radians());
        let [x, y, z, w] = pose.rotation;
        // The product of the rotation and (0, 0, sine, cosine).
        let rotation = [
            x * cosine + y * sine,
            y * cosine - x * sine,
            z * cosine + w * sine,
            w * cosine - z * sine,
        ];
        Pose { time, position, rotation }
    }
}

impl InBoth for Lidar {
    fn count(&self) -> usize {
        self.beams.len() * self.steps * self.turns
    }

    fn make_rays<T: Number>(&self, first: usize, rays: &mut [Ray<T>]) {
        make_runs(self.beams.len(), first, rays, |firing, beam, run| {
            let begun = self.aim(firing, 0.0);
            for (ray, laser) in run.iter_mut().zip(&self.beams[beam..]) {
                *ray = if laser.delay == 0.0 {
                    laser.fired(&begun)
                } else {
                    laser.fired(&self.aim(firing, laser.delay))
                };
            }
        });
    }
}

/// A position and a rotation at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The time in seconds, from any origin.
    pub time: f64,
    /// The position.
    pub position: [f64; 3],
    /// The rotation from its own axes to those of the scene: a quaternion x, y, z, w, of any length
    /// but zero.
    pub rotation: [f64; 4],
}

impl Pose {
    /// Upright at a position, at time 0.
    pub const fn standing(position: [f64; 3]) -> Self {
        Self { time: 0.0, position, rotation: [0.0, 0.0, 0.0, 1.0] }
    }

    /// A direction in its own axes, carried to the axes of the scene; the rotation's length must
    /// be 1.
    #[inline(always)]
    fn turned(&self, direction: Vector) -> Vector {
        let [x, y, z, w] = self.rotation;
        let axis = [x, y, z];
        // d + 2 a × (a × d + w d)
        let inner = add(cross(axis, direction), scale(direction, w));
        add(direction, scale(cross(axis, inner), 2.0))
    }
}

fn unusable(field: &'static str, row: usize, problem: String) -> Error {
    Error::UnusableRow { maker: ASKED.0, field, row, problem }
}

/// Checks poses, and gives rotations the length 1.
fn path(poses: &[Pose]) -> Result<Vec<Pose>> {
    ensure!(!poses.is_empty(), ASKED, "poses", "are none; there must be one at least");
    let mut before = f64::NEG_INFINITY;
    let checked = |(row, pose): (usize, &Pose)| {
        let &Pose { time, position, rotation } = pose;
        let refused = |problem| unusable("poses", row, problem);
        if ASKED.point("position", position).is_err() {
            return Err(refused(format!(
                "the position is {position:?}; it must be finite and at most 2^100 in magnitude"
            )));
        }
        let length = length(rotation);
        if !(1e-100..=1e100).contains(&length) {
            return Err(refused(format!("the quaternion {rotation:?} is no rotation")));
        }
        if !time.is_finite() {
            return Err(refused(format!("the time is {time}; times must be finite")));
        }
        if time <= before {
            return Err(refused(format!("the time {time} follows {before}; times must ascend")));
        }
        before = time;
        Ok(Pose { time, position, rotation: rotation.map(|x| x / length) })
    };
    poses.iter().enumerate().map(checked).collect()
}

/// A part of the short way from one rotation to another (Shoemake, "Animating Rotation with
/// Quaternion Curves", 1985).
fn between(a: [f64; 4], b: [f64; 4], part: f64) -> [f64; 4] {
    let cosine: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    // A rotation and its negative are the same.
    let (sign, cosine) = if cosine < 0.0 { (-1.0, -cosine) } else { (1.0, cosine) };
    // Where the angle is too small to divide by its sine, the straight line is the arc.
    let angle = if cosine > 1.0 - 1e-9 { 0.0 } else { libm::acos(cosine) };
    let sine = libm::sin(angle);
    let share = |x: f64| if angle == 0.0 { x } else { libm::sin(x * angle) / sine };
    let [from, to] = [share(1.0 - part), share(part)];
    let blend: [f64; 4] = std::array::from_fn(|i| from * a[i] + sign * to * b[i]);
    let length = length(blend);
    blend.map(|x| x / length)
}

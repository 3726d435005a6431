//! A laser scanner: beams that are turned or bent from firing to firing, carried along poses.

use crate::common::*;
use crate::pose::{Pose, Way};
use crate::sweep::{Moment, Prism, Sweep, Turn};
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

/// A shot of a pattern: when a scanner fires within a turn, and whereto.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shot {
    /// In seconds after the turn begins.
    pub time: f64,
    /// In degrees clockwise from y, seen from above.
    pub azimuth: f64,
    /// In degrees above the plane of x and y.
    pub elevation: f64,
    /// The number of the beam, of which [`Pulse`] tells.
    pub beam: u32,
}

impl Shot {
    /// Sets the times of shots, one after the other, evenly within a turn of so many seconds.
    pub fn spread(shots: &mut [Self], seconds: f64) {
        let count = shots.len() as f64;
        let times = (0..).map(|shot: usize| seconds * (shot as f64 / count));
        with_default_float_mode(|| {
            shots.iter_mut().zip(times).for_each(|(shot, time)| shot.time = time);
        });
    }
}

/// A scanner that fires all its beams, at once or one after the other, turns on a step, and fires
/// again.
///
/// In the scanner's own axes z is up, and azimuths are clockwise from y, seen from above: as on a
/// map with y to the north. Rays are in the order of firings, beam after beam in each. Directions
/// have length 1: `t` is the distance.
///
/// | scanner | whereto it fires |
/// |---|---|
/// | [`new`](Self::new) | around its z: a spinning scanner, or a [`sector`](Self::sector) of a turn |
/// | [`swath`](Self::swath) | across its y, line by line: a polygon mirror of an airborne scanner |
/// | [`prisms`](Self::prisms) | around its y, on a rosette that goes on from turn to turn |
/// | [`from_pattern`](Self::from_pattern) | wherever a table has it fire in each turn |
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
    sweep: Sweep,
    turns: usize,
    start: f64,
    seconds: f64,
    way: Way,
}

/// When a ray of a [`Lidar`] is fired, and by what.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pulse {
    /// The time in seconds.
    pub time: f64,
    /// The number of the beam.
    pub beam: usize,
    /// The azimuth in the scanner's own axes, in degrees from 0 to 360, 360 excluded: how far it
    /// has turned, and that of the beam. Of a [`swath`](Lidar::swath) the angle from straight down,
    /// to the right.
    pub azimuth: f64,
}

/// A beam as it is fired.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Laser {
    /// The direction where the scanner has not turned.
    direction: Vector,
    azimuth: f64,
    delay: f64,
    number: u32,
}

impl Laser {
    /// Row `row` of a field, fired so long after its firing begins; `delays` names that time.
    fn new(
        (field, delays): (&'static str, &str),
        row: usize,
        [elevation, azimuth, delay]: [f64; 3],
        number: u32,
    ) -> Result<Self> {
        if !(elevation.abs() <= 90.0 && azimuth.is_finite()) {
            return Err(ASKED.row(field, row, format!(
                "the elevation is {elevation} and the azimuth {azimuth}; elevations are at most 90 degrees, azimuths finite"
            )));
        }
        if !(delay >= 0.0 && delay.is_finite()) {
            return Err(ASKED.row(
                field,
                row,
                format!("the {delays} is {delay}; {delays}s are finite and not negative"),
            ));
        }
        let (rise, level) = libm::sincos(elevation.to_radians());
        let (x, y) = libm::sincos(azimuth.to_radians());
        Ok(Self { direction: [level * x, level * y, rise], azimuth, delay, number })
    }

    /// Its ray where the scanner has turned so far and is so placed.
    #[inline(always)]
    fn fired<T: Number>(&self, (turn, pose): &Aim) -> Ray<T> {
        ray(pose.position, pose.turned(turn.carry(self.direction)))
    }
}

/// How a scanner has turned, and its pose.
type Aim = (Turn, Pose);

impl std::fmt::Debug for Lidar {
    /// Shows how much it holds.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Lidar");
        shown
            .field("beams", &self.beams.len())
            .field("steps", &self.steps)
            .field("turns", &self.turns)
            .field("poses", &self.way.poses.len())
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
        let laser = |(row, &Beam { elevation, azimuth, delay }): (usize, &Beam)| {
            Laser::new(("beams", "delay"), row, [elevation, azimuth, delay], row as u32)
        };
        with_default_float_mode(|| {
            ensure!(!beams.is_empty(), ASKED, "beams", "are none; there must be one at least");
            let lasers = beams.iter().enumerate().map(laser).collect::<Result<Vec<_>>>()?;
            let steps = steps as usize;
            let is_counted = matches!(steps.checked_mul(lasers.len()), Some(1..));
            ensure!(
                is_counted,
                ASKED,
                "steps",
                "are {steps}; there must be a ray, and all be counted"
            );
            Ok(Self::standing(lasers, steps, Sweep::Level([0.0, 360.0])))
        })
    }

    /// A scanner, upright at the origin, that fires these shots in one turn, a ray each, in their
    /// order, and does not turn itself. Turns repeat the pattern.
    ///
    /// ```
    /// use lanecast::RayBatch;
    /// use lanecast_makers::{Lidar, Pose, Shot};
    /// let shot = |azimuth| Shot { time: 0.0, azimuth, elevation: -10.0, beam: 0 };
    /// let mut zigzag: Vec<_> = [-20.0, -10.0, 0.0, 10.0, 20.0, 0.0].map(shot).into();
    /// Shot::spread(&mut zigzag, 0.1);
    /// let there = [Pose::standing([0.0, 0.0, 1.8])];
    /// let lidar = Lidar::from_pattern(&zigzag)?.carried(&there, 0.0, 0.1, 20)?;
    /// assert_eq!(RayBatch::made(&lidar).len(), 6 * 20);
    /// assert_eq!((lidar.pulse(7).azimuth, lidar.pulse(9).time), (350.0, 0.1 + 0.05));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnusableField`]: no shots in `pattern`. [`Error::UnusableRow`]: one with an angle not finite, an elevation beyond
    /// 90 degrees, or a time negative or not finite.
    pub fn from_pattern(pattern: &[Shot]) -> Result<Self> {
        let laser = |(row, &Shot { time, azimuth, elevation, beam }): (usize, &Shot)| {
            Laser::new(("pattern", "time"), row, [elevation, azimuth, time], beam)
        };
        with_default_float_mode(|| {
            let is_empty = pattern.is_empty();
            ensure!(!is_empty, ASKED, "pattern", "has no shot; there must be one at least");
            let lasers = pattern.iter().enumerate().map(laser).collect::<Result<_>>()?;
            Ok(Self::standing(lasers, 1, Sweep::Still))
        })
    }

    fn standing(beams: Vec<Laser>, steps: usize, sweep: Sweep) -> Self {
        Self { beams, steps, sweep, turns: 1, start: 0.0, seconds: 0.0, way: Way::standing() }
    }

    /// The same scanner with turns from one azimuth to another, in degrees. If the second is less,
    /// it turns counter-clockwise. The last firing of a turn is one step before the second azimuth.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: `sector` not finite, or for a scanner with a pattern.
    pub fn sector(self, sector: [f64; 2]) -> Result<Self> {
        let are_finite = sector.iter().all(|azimuth| azimuth.is_finite());
        ensure!(are_finite, ASKED, "sector", "is {sector:?}; azimuths must be finite");
        self.swept("sector", Sweep::Level(sector))
    }

    /// The same scanner lying on its side, as a polygon mirror scans a swath below an aircraft that
    /// flies along y: each turn is a line across y, of which the firings go evenly from one angle
    /// to the other. Angles are in degrees from straight down, positive to the right (x). A beam's
    /// azimuth is added to them, and its elevation is how far it looks ahead.
    ///
    /// `duty` is the part of a line's time in which it fires, from its beginning: a mirror turns
    /// on to its next facet in the rest.
    ///
    /// ```
    /// use lanecast_makers::{Beam, Lidar, Pose};
    /// // 100 lines a second, each of 600 pulses in half of its time, from 1000 above at 60 a second.
    /// let there = [Pose::standing([0.0, 0.0, 1000.0])];
    /// let down = Beam { elevation: 0.0, azimuth: 0.0, delay: 0.0 };
    /// let lines = Lidar::new(&[down], 600)?.swath([-30.0, 30.0], 0.5)?.carried(&there, 0.0, 0.01, 200)?;
    /// let lines = lines.moving([0.0, 60.0, 0.0], 0.0)?;
    /// let middle = lines.pulse(600 + 300);
    /// assert_eq!((middle.azimuth, middle.time), (0.0, 0.01 + 0.0025));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnusableField`]: `swath` with an angle not finite, with a duty not above 0 or beyond 1, or for a scanner with a pattern.
    pub fn swath(self, angles: [f64; 2], duty: f64) -> Result<Self> {
        let are_finite = angles.iter().all(|angle| angle.is_finite());
        ensure!(are_finite, ASKED, "swath", "is {angles:?}; angles must be finite");
        let is_part = duty > 0.0 && duty <= 1.0;
        ensure!(is_part, ASKED, "swath", "has a duty of {duty}; it must be above 0 and at most 1");
        self.swept("swath", Sweep::Across { angles, duty })
    }

    /// The same scanner with its beams bent by prisms that rotate while it fires: beams along y
    /// (elevation and azimuth 0) follow a rosette around y. Prisms turn on from turn to turn, so
    /// that with rates in no simple proportion no turn repeats another, and more and more of the
    /// field of view is covered. Other beams are turned as those along y.
    ///
    /// They turn with time: `carried` comes first, with the seconds of a turn.
    ///
    /// ```
    /// use lanecast_makers::{Beam, Lidar, Pose, Prism};
    /// // A field of view of 40 degrees, in frames of 0.1 s with 10,000 pulses each.
    /// let prism = |rate| Prism { deflection: 10.0, rate, phase: 0.0 };
    /// let ahead = Beam { elevation: 0.0, azimuth: 0.0, delay: 0.0 };
    /// let there = [Pose::standing([0.0, 0.0, 1.5])];
    /// let frames = Lidar::new(&[ahead], 10_000)?.carried(&there, 0.0, 0.1, 20)?;
    /// let rosette = frames.prisms(&[prism(97.3), prism(-61.7)])?;
    /// // Both prisms bend the first pulse to the right.
    /// assert_eq!(rosette.pulse(0).azimuth.round(), 20.0);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnusableField`]: no `prisms`, or deflections of together more than 90 degrees, or for a scanner with a pattern;
    /// `seconds` of 0. [`Error::UnusableRow`]: a prism with a number not finite, or a negative deflection.
    pub fn prisms(self, prisms: &[Prism]) -> Result<Self> {
        with_default_float_mode(|| {
            ensure!(!prisms.is_empty(), ASKED, "prisms", "are none; there must be one at least");
            for (row, &Prism { deflection, rate, phase }) in prisms.iter().enumerate() {
                let refused = |problem| Err(ASKED.row("prisms", row, problem));
                if !(0.0..=90.0).contains(&deflection) {
                    return refused(format!(
                        "the deflection is {deflection}; it must be from 0 to 90 degrees"
                    ));
                }
                if !(rate.is_finite() && phase.is_finite()) {
                    return refused(format!(
                        "the rate is {rate} and the phase {phase}; they must be finite"
                    ));
                }
            }
            let sum: f64 = prisms.iter().map(|prism| prism.deflection).sum();
            let is_usable = sum <= 90.0;
            ensure!(
                is_usable,
                ASKED,
                "prisms",
                "have deflections of together {sum}; at most 90 degrees were expected"
            );
            self.swept("prisms", Sweep::Prisms(prisms.to_vec()))?.timed()
        })
    }

    /// The same scanner with its beams aimed so by a field.
    fn swept(self, field: &'static str, sweep: Sweep) -> Result<Self> {
        let has_pattern = self.sweep == Sweep::Still;
        let verb = if field == "prisms" { "are" } else { "is" };
        ensure!(!has_pattern, ASKED, field, "{verb} for a scanner with beams; this has a pattern");
        Ok(Self { sweep, ..self })
    }

    /// Checks that a turn takes as long as its pattern or its prisms need.
    fn timed(self) -> Result<Self> {
        let (seconds, last) = (self.seconds, self.latest());
        let turns = matches!(self.sweep, Sweep::Prisms(_));
        let is_usable = !turns || seconds > 0.0;
        ensure!(is_usable, ASKED, "seconds", "are 0; prisms turn while turns take some time");
        let overlaps = self.sweep == Sweep::Still && self.turns > 1 && last > seconds;
        ensure!(
            !overlaps,
            ASKED,
            "seconds",
            "are {seconds}, but the last shot of the pattern is at {last} s, and turns follow each other"
        );
        Ok(self)
    }

    /// The same scanner, moving along `poses`, in the order of time, on straight lines and rotating
    /// evenly, the short way round; one pose is for all times. It fires first at `start`, and makes
    /// `turns`, each in `seconds`. Each beam starts from the pose at its own time.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: no `poses`, or times that do not cover all firings; `start` not finite, `seconds` not finite or
    /// negative, or less than a pattern takes; 0 `turns`, or too many rays to count. [`Error::UnusableRow`]: a pose with a
    /// position or a rotation that cannot be used, or with a time that does not ascend.
    pub fn carried(self, poses: &[Pose], start: f64, seconds: f64, turns: u32) -> Result<Self> {
        with_default_float_mode(|| {
            let way = self.way.clone().along(ASKED, poses)?;
            ensure!(start.is_finite(), ASKED, "start", "is {start}; it must be finite");
            let is_usable = seconds.is_finite() && seconds >= 0.0;
            ensure!(
                is_usable,
                ASKED,
                "seconds",
                "are {seconds}; they must be finite and not negative"
            );
            let turns = turns as usize;
            let of_turn = self.beams.len() * self.steps;
            let is_counted = matches!(turns.checked_mul(of_turn), Some(1..));
            ensure!(
                is_counted,
                ASKED,
                "turns",
                "are {turns}; there must be a ray, and all be counted"
            );
            let lidar = Self { way, start, seconds, turns, ..self }.timed()?;
            lidar.way.covers(ASKED, [start, lidar.last()])?;
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
            let times = [self.start, self.last()];
            let way = self.way.moving(ASKED, velocity, yaw_rate, times)?;
            Ok(Self { way, ..self })
        })
    }

    /// When ray number `ray` is fired, and by what. Panics if there is no such ray.
    pub fn pulse(&self, ray: usize) -> Pulse {
        assert!(ray < self.len(), "ray {ray} of {}", self.len());
        with_default_float_mode(|| {
            let (firing, beam) = (ray / self.beams.len(), ray % self.beams.len());
            let laser @ &Laser { azimuth, delay, number, .. } = &self.beams[beam];
            let moment = self.moment(firing, delay);
            let azimuth = match self.sweep {
                Sweep::Prisms(_) => {
                    let [x, y, _] = self.sweep.at(moment).carry(laser.direction);
                    libm::atan2(x, y).to_degrees()
                }
                _ => self.sweep.angle(moment) + azimuth,
            };
            let azimuth = azimuth - 360.0 * libm::floor(azimuth / 360.0);
            // What is a little below 0 is rounded up.
            let azimuth = if azimuth < 360.0 { azimuth } else { 0.0 };
            Pulse { time: self.time(firing) + delay, beam: number as usize, azimuth }
        })
    }

    /// The seconds from the first firing to another.
    fn passed(&self, firing: usize) -> f64 {
        let steps = self.steps as f64;
        let turns = match self.sweep.duty() {
            1.0 => firing as f64 / steps,
            duty => (firing / self.steps) as f64 + duty * ((firing % self.steps) as f64 / steps),
        };
        self.seconds * turns
    }

    fn time(&self, firing: usize) -> f64 {
        self.start + self.passed(firing)
    }

    /// The longest delay.
    fn latest(&self) -> f64 {
        self.beams.iter().fold(0.0_f64, |most, laser| most.max(laser.delay))
    }

    /// The time of the last pulse.
    fn last(&self) -> f64 {
        self.time(self.steps * self.turns - 1) + self.latest()
    }

    /// So long after a firing begins.
    fn moment(&self, firing: usize, delay: f64) -> Moment {
        Moment {
            within: (firing % self.steps) as f64 / self.steps as f64,
            delayed: if self.seconds > 0.0 { delay / self.seconds } else { 0.0 },
            passed: self.passed(firing) + delay,
        }
    }

    // Compiled into the loop over beams it takes the registers of that.
    #[inline(never)]
    fn aim(&self, firing: usize, delay: f64) -> Aim {
        (self.sweep.at(self.moment(firing, delay)), self.way.at(self.time(firing) + delay))
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

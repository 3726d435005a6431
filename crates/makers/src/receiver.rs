//! What a scanner makes of the hits of its pulses: returns, with errors as measurements have them.

use crate::Reflectance;
use crate::common::*;
use lanecast::support::mixed;
use lanecast::{HitBatch, INVALID_ID, RayBatch};
use std::f64::consts::TAU;

const ASKED: Asked = Asked("receiver");

/// Which returns of a pulse are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Keep {
    /// The one of most power; of equals the first.
    #[default]
    Strongest,
    /// The nearest.
    First,
    /// The farthest.
    Last,
    /// All, the nearest first.
    All,
}

/// A return of a pulse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Return<T = f32> {
    /// The distance that is measured along the axis of the pulse.
    pub distance: T,
    /// The row of the hit with the greatest part in it.
    pub row: usize,
    /// Which of the pulse's returns that are received it is, from 1, and how many these are: more
    /// than are kept, perhaps.
    pub number: u32,
    /// See [`number`](Self::number).
    pub count: u32,
    /// The angle in degrees, from 0 to 90, between that hit's ray and the line along the normal of
    /// the surface, from whichever side it is met: 0 head-on. NaN where hits came without normals.
    pub incidence: f32,
    /// The power that came back, as [`Receiver`] has it: 1 for a whole beam that meets a white
    /// surface head-on at the reference range, or at any distance where there is none. NaN where
    /// hits came without normals.
    pub intensity: f32,
}

/// A return with its place and what it met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured<T = f32> {
    /// As in [`Return`].
    pub distance: T,
    /// So far along the axis of the pulse.
    pub point: [T; 3],
    /// As in [`Return`].
    pub number: u32,
    /// As in [`Return`].
    pub count: u32,
    /// As in [`Return`].
    pub incidence: f32,
    /// As in [`Return`].
    pub intensity: f32,
    /// What the hit with the greatest part in it met.
    pub primitive_id: u32,
    /// See [`primitive_id`](Self::primitive_id).
    pub geometry_id: u32,
    /// See [`primitive_id`](Self::primitive_id); [`INVALID_ID`] of what is in no instance.
    pub instance_id: u32,
}

/// The axis of a pulse whose `t` is no distance: its direction is not of length 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NotUnit {
    /// The row of the ray.
    pub row: usize,
    /// The length of its direction.
    pub length: f64,
}

impl std::fmt::Display for NotUnit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let length = self.length;
        write!(f, "the direction is {length} long; 1 was expected, so that t is the distance")
    }
}

impl std::error::Error for NotUnit {}

/// Lengths of directions that differ less from 1 are rounded.
const ROUNDED: f64 = 1e-5;

/// The returns of pulses, one pulse after the other. A batch that is passed again reuses its
/// memory.
#[derive(Clone, Default, PartialEq)]
pub struct ReturnBatch<T = f32> {
    /// Where the returns of each pulse end.
    ends: Vec<usize>,
    returns: Vec<Return<T>>,
}

impl<T> std::fmt::Debug for ReturnBatch<T> {
    /// Shows how much it holds.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("ReturnBatch");
        shown
            .field("pulses", &self.ends.len())
            .field("returns", &self.returns.len())
            .finish_non_exhaustive()
    }
}

impl<T: Number> ReturnBatch<T> {
    /// No pulses, and no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of pulses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no pulse.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The returns of a pulse, the nearest first before noise. Panics if there is no such pulse.
    pub fn of_pulse(&self, pulse: usize) -> &[Return<T>] {
        let start = pulse.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.returns[start..self.ends[pulse]]
    }

    /// The returns of all pulses.
    pub fn returns(&self) -> &[Return<T>] {
        &self.returns
    }

    /// The returns of all pulses with their places, by the rays and hits of which they were made:
    /// the axis of a pulse is its first ray. [`NotUnit`] for the first of them with returns whose
    /// direction is not of length 1. Panics if there are not as many hits as rays.
    pub fn measured(
        &self,
        rays: &RayBatch<'_, T>,
        hits: &HitBatch<T>,
    ) -> std::result::Result<Vec<Measured<T>>, NotUnit> {
        assert_eq!(hits.len(), rays.len(), "hits of other rays");
        with_default_float_mode(|| {
            let width = rays.len() / self.len().max(1);
            let mut measured = Vec::with_capacity(self.returns.len());
            for pulse in 0..self.len() {
                let of_pulse = self.of_pulse(pulse);
                if of_pulse.is_empty() {
                    continue;
                }
                let row = pulse * width;
                let axis = rays.ray(row);
                let [origin, direction] =
                    [axis.origin, axis.direction].map(|vector| vector.map(T::to_f64));
                let length = length(direction);
                if (length - 1.0).abs() > ROUNDED {
                    return Err(NotUnit { row, length });
                }
                measured.extend(of_pulse.iter().map(|found| {
                    let &Return { distance, row, number, count, incidence, intensity } = found;
                    let along = distance.to_f64();
                    let point = std::array::from_fn(|axis| {
                        T::of_f64(origin[axis] + direction[axis] * along)
                    });
                    let ids = [hits.primitive_id(), hits.geometry_id(), hits.instance_id()];
                    let [primitive_id, geometry_id, instance_id] =
                        ids.map(|ids| ids.get(row).copied().unwrap_or(INVALID_ID));
                    Measured {
                        distance,
                        point,
                        number,
                        count,
                        incidence,
                        intensity,
                        primitive_id,
                        geometry_id,
                        instance_id,
                    }
                }));
            }
            Ok(measured)
        })
    }
}

/// A receiver: it gathers the hits of the rays of a pulse to returns, loses weak ones, and measures
/// their distances with noise.
///
/// A pulse has the same number of rays as every other, with weights, which are the shares of its
/// energy: one ray, or those of a [`Footprint`](crate::Footprint). Directions have length 1, so
/// that `t` is the distance.
///
/// 1. **Power.** A surface scatters light as Lambert's law has it, and fills the part of the beam
///    that meets it. So a hit at distance d, met at an angle of incidence θ with the normal, sends
///    back the power P = w · ρ · cos θ · (r / d)², where w is the ray's weight, ρ the
///    [reflectance](Reflectance) of what is hit, 1 unless given, and r the reference range: P is 1
///    for a whole beam that meets a white surface head-on at r. This is the radar equation for
///    extended targets, all constants of scanner and air being within r: Wagner,
///    Ullrich, Ducic, Melzer and Studnicka, "Gaussian decomposition and calibration of a novel
///    small-footprint full-waveform digitising airborne laser scanner", ISPRS Journal 60 (2006).
/// 2. **Returns.** The hits of a pulse in the order of distance are one return as long as each is
///    less than the resolution behind the one before. Its power is their sum, its distance their
///    mean by w · ρ · cos θ. Echoes of a pulse that are less than half its length apart overlap, so
///    that is the resolution of a scanner. That a beam's echo is the sum of those of rays within it
///    is how HELIOS++ does it: Winiwarter et al., "Virtual laser scanning with HELIOS++", Remote
///    Sensing of Environment 269 (2022). The intensity of a return is its power; without a
///    reference range it is the sum of w · ρ · cos θ, as scanners have it that correct for
///    distances.
/// 3. **Detection.** A return is received with the probability P, and surely from P = 1 on. Without
///    a reference range all are.
/// 4. **Noise.** A normally distributed error with mean 0 and a standard deviation of σ + ρ · d is
///    added to the distance, which is at least 0 then.
///
/// Random numbers depend only on the seed, the number of the pulse and that of its return: the same
/// seed gives the same bits on every machine, for any number of threads and any cut into pieces,
/// and detection does not change noise. With neither noise nor reference range, and one ray for
/// each pulse, distances are the `t` of the hits, bit for bit.
///
/// ```
/// use lanecast::{RayBatch, Scene};
/// use lanecast_makers::{Beam, Footprint, Keep, Lidar, Receiver, ReturnBatch};
/// // A wall at y = 10 ahead, and another at y = 4 that covers its left half.
/// let wall = |y: f32, x: f32| [[-9.0, y, -9.0], [x, y, -9.0], [x, y, 9.0], [-9.0, y, 9.0]];
/// let scene = Scene::from_triangles(&[wall(4.0, 0.0), wall(10.0, 9.0)].concat(), &[[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])?;
/// let lidar = Lidar::new(&Beam::fan(1, [0.0, 0.0]), 4)?;
/// let beams = Footprint::new(&lidar, 3.0, 19)?;
/// let rays = RayBatch::made(&beams);
/// let hits = scene.cast(&rays).geometric_normals(true).closest()?;
/// let receiver = Receiver::new().reference_range(100.0)?.resolution(0.5)?.keep(Keep::All);
/// let returns = receiver.returns(0, beams.weights(), &rays, &hits)?;
/// // The beam straight ahead meets both.
/// let distances: Vec<f32> = returns.of_pulse(0).iter().map(|found| found.distance.round()).collect();
/// assert_eq!(distances, [4.0, 10.0]);
/// let measured = returns.measured(&rays, &hits)?;
/// assert_eq!((measured[1].point[1].round(), measured[1].primitive_id, measured[1].count), (10.0, 2, 2));
/// // Each has about half of the beam, and the farther one is (10 / 4)² times as weak.
/// let [near, far] = [0, 1].map(|which| measured[which].intensity);
/// assert!(measured[0].incidence < 0.1 && near > 4.0 * far);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Receiver<'a> {
    seed: u64,
    /// The standard deviation of distances: constant, and for each unit of distance.
    deviation: [f64; 2],
    reference_range: f64,
    resolution: f64,
    keep: Keep,
    reflectance: Option<&'a Reflectance>,
}

impl Default for Receiver<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a> Receiver<'a> {
    /// A receiver without errors, which keeps the strongest return; the seed is 0.
    pub const fn new() -> Self {
        let (deviation, reference_range, resolution) = ([0.0; 2], f64::INFINITY, 0.0);
        let (keep, reflectance) = (Keep::Strongest, None);
        Self { seed: 0, deviation, reference_range, resolution, keep, reflectance }
    }

    /// The same receiver with other random numbers.
    #[must_use]
    pub const fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same receiver with an error of distances, whose standard deviation is `constant` +
    /// `proportional` · distance. [`Error::UnusableField`], named `noise`, if one is negative or
    /// not finite.
    pub fn range_noise(self, constant: f64, proportional: f64) -> Result<Self> {
        for part in [constant, proportional] {
            let is_usable = part >= 0.0 && part.is_finite();
            ensure!(
                is_usable,
                ASKED,
                "noise",
                "has a part of {part}; it must be finite and not negative"
            );
        }
        Ok(Self { deviation: [constant, proportional], ..self })
    }

    /// The same receiver that surely receives what meets a white surface head-on up to this range,
    /// and beyond that, or aslant, less and less. [`Error::UnusableField`] if it is not above 0; ∞
    /// is a receiver that loses nothing.
    pub fn reference_range(self, range: f64) -> Result<Self> {
        ensure!(range > 0.0, ASKED, "reference_range", "is {range}; it must be above 0");
        Ok(Self { reference_range: range, ..self })
    }

    /// The same receiver with this resolution: returns of a pulse are at least so far apart.
    /// [`Error::UnusableField`] if it is negative or NaN.
    pub fn resolution(self, resolution: f64) -> Result<Self> {
        let is_usable = resolution >= 0.0;
        ensure!(is_usable, ASKED, "resolution", "is {resolution}; it must not be negative");
        Ok(Self { resolution, ..self })
    }

    /// The same receiver that keeps these returns.
    #[must_use]
    pub const fn keep(self, keep: Keep) -> Self {
        Self { keep, ..self }
    }

    /// The same receiver of light that surfaces scatter with this reflectance.
    #[must_use]
    pub const fn reflectance(self, reflectance: &'a Reflectance) -> Self {
        Self { reflectance: Some(reflectance), ..self }
    }

    /// Whether pulses of so many rays need hits with
    /// [normals](lanecast::Cast::geometric_normals) to be received: for all but whole pulses of a
    /// receiver without a reference range. Without them these have distances and no intensity.
    pub fn needs_normals(&self, rays: usize) -> bool {
        rays > 1 || self.reference_range < f64::INFINITY
    }

    /// The returns of pulses from number `first` on. Each has as many of the `rays`, and of their
    /// closest `hits`, as there are `weights`.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] if there are not as many hits as rays or, where they are
    /// [needed](Self::needs_normals), normals. [`Error::RowWidth`] if the rays are not of whole
    /// pulses.
    pub fn returns<T: Number>(
        &self,
        first: usize,
        weights: &[f64],
        rays: &RayBatch<'_, T>,
        hits: &HitBatch<T>,
    ) -> Result<ReturnBatch<T>> {
        let mut returns = ReturnBatch::new();
        self.returns_into(first, weights, rays, hits, &mut returns)?;
        Ok(returns)
    }

    /// [`returns`](Self::returns) into a batch, whose memory is reused; after an error it is empty.
    pub fn returns_into<T: Number>(
        &self,
        first: usize,
        weights: &[f64],
        rays: &RayBatch<'_, T>,
        hits: &HitBatch<T>,
        returns: &mut ReturnBatch<T>,
    ) -> Result<()> {
        returns.ends.clear();
        returns.returns.clear();
        let expect = |column, found| {
            let expected = rays.len();
            if found == expected {
                Ok(())
            } else {
                Err(Error::ColumnLength { column, found, expected })
            }
        };
        expect("hits", hits.len())?;
        if self.needs_normals(weights.len()) {
            expect("geometric_normal", hits.geometric_normal().len())?;
        }
        let width = weights.len();
        if width == 0 || !rays.len().is_multiple_of(width) {
            return Err(Error::RowWidth { found: rays.len(), width });
        }
        with_default_float_mode(|| {
            let mut echoes = Vec::with_capacity(width);
            for (pulse, start) in (first..).zip((0..rays.len()).step_by(width)) {
                let echo = |(row, &weight): (usize, &f64)| {
                    hits.status()[row].is_hit().then(|| self.echo(row, weight, rays, hits))
                };
                echoes.clear();
                echoes.extend((start..).zip(weights).filter_map(echo));
                echoes.sort_unstable_by(|a, b| {
                    a.distance.total_cmp(&b.distance).then(a.row.cmp(&b.row))
                });
                self.receive(pulse as u64, &echoes, &mut returns.returns);
                returns.ends.push(returns.returns.len());
            }
        });
        Ok(())
    }

    /// What a hit sends back.
    fn echo<T: Number>(
        &self,
        row: usize,
        weight: f64,
        rays: &RayBatch<'_, T>,
        hits: &HitBatch<T>,
    ) -> Echo {
        let distance = hits.t()[row].to_f64();
        let Some(normal) = hits.geometric_normal().get(row) else {
            // Whole pulses, all of which are received.
            return Echo { distance, row, cosine: f64::NAN, energy: 1.0, power: f64::NAN };
        };
        let [direction, normal] = [rays.ray(row).direction, *normal].map(|v| v.map(T::to_f64));
        let lengths = length(direction) * length(normal);
        // Primitives of the caller's own may have no normal.
        let cosine =
            if lengths > 0.0 { (dot(direction, normal) / lengths).abs().min(1.0) } else { 1.0 };
        let reflectance = self.reflectance.map_or(1.0, |reflectance| {
            let id = |ids: &[u32]| ids.get(row).copied().unwrap_or(INVALID_ID);
            let [instance, geometry, primitive] =
                [hits.instance_id(), hits.geometry_id(), hits.primitive_id()].map(id);
            reflectance.at(instance, geometry, primitive)
        });
        let energy = weight * reflectance * cosine;
        let range = if self.reference_range < f64::INFINITY { self.reference_range } else { 1.0 };
        let ratio = range / distance;
        Echo { distance, row, cosine, energy, power: energy * (ratio * ratio) }
    }

    /// Appends the returns of the echoes of a pulse, which are in the order of distance.
    fn receive<T: Number>(&self, pulse: u64, echoes: &[Echo], returns: &mut Vec<Return<T>>) {
        let mut best: Option<(Echo, Return<T>)> = None;
        let (start, mut count) = (returns.len(), 0);
        let overlap =
            |before: &Echo, after: &Echo| after.distance - before.distance < self.resolution;
        for (number, together) in (0..).zip(echoes.chunk_by(overlap)) {
            let echo = Echo::sum(together);
            if !self.detects(pulse, number, echo.power) {
                continue;
            }
            count += 1;
            let distance = self.measured(pulse, number, echo.distance);
            let found = Return {
                distance,
                row: echo.row,
                number: count,
                count,
                incidence: libm::acos(echo.cosine).to_degrees() as f32,
                intensity: self.intensity(&echo) as f32,
            };
            match self.keep {
                Keep::All => returns.push(found),
                Keep::First => best = best.or(Some((echo, found))),
                Keep::Last => best = Some((echo, found)),
                Keep::Strongest => {
                    best = best
                        .filter(|(before, _)| before.power >= echo.power)
                        .or(Some((echo, found)));
                }
            }
        }
        returns.extend(best.map(|(_, found)| found));
        returns[start..].iter_mut().for_each(|found| found.count = count);
    }

    /// Two random numbers for a return of a pulse; those of another `use_of` are independent.
    fn random(&self, pulse: u64, number: u64, use_of: u64) -> [f64; 2] {
        random(mixed(self.seed).wrapping_add(2 * number + use_of), pulse)
    }

    fn intensity(&self, echo: &Echo) -> f64 {
        let is_corrected = self.reference_range == f64::INFINITY && !echo.power.is_nan();
        if is_corrected { echo.energy } else { echo.power }
    }

    fn detects(&self, pulse: u64, number: u64, power: f64) -> bool {
        self.reference_range == f64::INFINITY || self.random(pulse, number, 0)[0] < power
    }

    fn measured<T: Number>(&self, pulse: u64, number: u64, distance: f64) -> T {
        let [constant, proportional] = self.deviation;
        let deviation = constant + proportional * distance;
        if deviation == 0.0 {
            return T::of_f64(distance);
        }
        // Box and Muller, "A Note on the Generation of Random Normal Deviates", 1958.
        let [u, v] = self.random(pulse, number, 1);
        let normal = (-2.0 * libm::log(1.0 - u)).sqrt() * libm::cos(TAU * v);
        T::of_f64((distance + deviation * normal).max(0.0))
    }
}

/// What comes back to the receiver from a hit, or from several that cannot be told apart.
#[derive(Debug, Clone, Copy)]
struct Echo {
    distance: f64,
    /// The row of the hit, or of the one with most power.
    row: usize,
    /// That of its angle of incidence; NaN without a normal.
    cosine: f64,
    /// The weight in means.
    energy: f64,
    power: f64,
}

impl Echo {
    /// That of hits in the order of distance, of which there is one at least.
    fn sum(together: &[Self]) -> Self {
        let Self { distance: nearest, mut row, mut cosine, .. } = together[0];
        let mut most = together[0].power;
        let (mut energy, mut power, mut behind) = (0.0, 0.0, 0.0);
        for echo in together {
            // By differences, so that the mean of equal distances is the same distance.
            behind += echo.energy * (echo.distance - nearest);
            energy += echo.energy;
            power += echo.power;
            if echo.power > most {
                (row, cosine, most) = (echo.row, echo.cosine, echo.power);
            }
        }
        let distance = if behind > 0.0 { nearest + behind / energy } else { nearest };
        Self { distance, row, cosine, energy, power }
    }
}

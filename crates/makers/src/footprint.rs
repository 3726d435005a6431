//! The rays of a beam that widens: a cone around each ray of another maker.

use crate::common::*;
use std::f64::consts::PI;

const ASKED: Asked = Asked("footprint");

/// The most rays of a beam.
const MOST: u32 = 1 << 12;

/// The angle by which each ray of a cone is turned on from the one before: Vogel, "A better way to
/// construct the sunflower head", Mathematical Biosciences 44 (1979).
const GOLDEN_ANGLE: f64 = PI * (3.0 - 2.236_067_977_499_79);

/// Rays within the cone of each ray of another maker, such as the beams of a
/// [`Lidar`](crate::Lidar) that widen with distance.
///
/// The cone has its apex where the ray starts. Its full angle is the divergence of the beam: where
/// the irradiance of a Gaussian beam is 1/e² of that on its axis. The rays of a cone follow each
/// other: the first is the ray of the maker, bit for bit, and the others go outwards to the rim on
/// a spiral, each for the same area. [`weights`](Self::weights) have the share of the beam's energy
/// that each stands for.
#[derive(Clone)]
pub struct Footprint<'a, T = f32> {
    beams: &'a dyn Maker<Ray<T>>,
    /// The cosine of each ray's angle with the axis, and its parts along the axis's tangents.
    cone: Vec<[f64; 3]>,
    weights: Vec<f64>,
}

impl<'a, T: Number> Footprint<'a, T> {
    /// `rays` rays in the cone of each ray of `beams`, with a full angle of `divergence`
    /// milliradians.
    ///
    /// # Errors
    /// [`Error::UnusableField`]: a `divergence` negative, not finite or beyond 2000, 0 or more than 4096 `rays`, or more rays of
    /// all beams than can be counted.
    pub fn new(beams: &'a dyn Maker<Ray<T>>, divergence: f64, rays: u32) -> Result<Self> {
        with_default_float_mode(|| {
            ASKED.within("divergence", divergence, 0.0..=2000.0)?;
            ASKED.within("rays", rays, 1..=MOST)?;
            ASKED.counted("rays", beams.len(), rays as usize)?;
            let rings = f64::from(rays.max(2) - 1);
            let direction = |ray: u32| {
                let angle = 0.5e-3 * divergence * (f64::from(ray) / rings).sqrt();
                let (off, along) = libm::sincos(angle);
                let (sine, cosine) = libm::sincos(GOLDEN_ANGLE * f64::from(ray));
                [along, off * cosine, off * sine]
            };
            // The energy of a Gaussian beam within a part of the area of its cross-section, all of
            // which is within 1/e².
            let within = |part: f64| 1.0 - libm::exp(-2.0 * part.clamp(0.0, 1.0));
            let share = |ray: u32| {
                let [inner, outer] =
                    [-0.5, 0.5].map(|half| within((f64::from(ray) + half) / rings));
                (outer - inner) / within(1.0)
            };
            let weights = if rays == 1 { vec![1.0] } else { (0..rays).map(share).collect() };
            Ok(Self { beams, cone: (0..rays).map(direction).collect(), weights })
        })
    }

    /// The share of a beam's energy of each ray of its cone (the irradiance of a Gaussian beam over
    /// the area for which the ray stands); their sum is 1.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

impl<T: Number> Maker<Ray<T>> for Footprint<'_, T> {
    fn len(&self) -> usize {
        self.beams.len() * self.cone.len()
    }

    fn make(&self, first: usize, rays: &mut [Ray<T>]) {
        make_lines(self.cone.len(), first, rays, |beam| {
            let mut axis = [Ray::new([T::ZERO; 3], [T::ZERO; 3])];
            self.beams.make(beam, &mut axis);
            let [axis] = axis;
            let direction = axis.direction.map(T::to_f64);
            let (forward, length) = (unit(direction), length(direction));
            let [x, y] = tangents(forward);
            move |place| {
                // One that cannot be cast has no cone, and its defect is that of all.
                if place == 0 || !(length > 0.0 && length.is_finite()) {
                    return axis;
                }
                let [along, right, up] = self.cone[place];
                let turned = add(scale(forward, along), add(scale(x, right), scale(y, up)));
                Ray { direction: scale(turned, length).map(T::of_f64), ..axis }
            }
        });
    }
}

impl<T> std::fmt::Debug for Footprint<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Footprint")
            .field("beams", &self.beams.len())
            .field("rays", &self.cone.len())
            .finish()
    }
}

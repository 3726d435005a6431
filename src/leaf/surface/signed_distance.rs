//! Solids by a function of points, met by sphere tracing.

use std::fmt;

use super::boxes::slabs;
use super::{Primitives, SurfacePoint};
use crate::error::{Error, Result};
use crate::math::{largest, power_of_two};
use crate::simd::{Scalar, with_default_float_mode};
use crate::value::{Aabb, Ray};

/// The solid within a box where a function of points is negative, met by sphere tracing: a
/// primitive for [`SceneBuilder::signed_distance`](crate::SceneBuilder::signed_distance).
///
/// The function need not be a distance, but no difference of two values may be more than
/// `lipschitz` times the distance of the points: 1 for distances and for anything less. It is asked
/// in the primitive's own frame, at any points of the box or a tolerance beside it, and must answer
/// alike each time, on any thread. Outside of the box it counts as positive, so that the box cuts
/// the solid off with flat faces.
///
/// # What is certain
///
/// Let f be the function and p(t) the line of a ray.
///
/// - At a point that is reported the line enters or leaves the box, within the solid; or f changes
///   its sign there: it is negative on one side and not on the other, within the rounding of `t` to
///   `f32` or `f64`.
/// - If f is below −`tolerance` at one place of the line, and above `tolerance` at another, or the
///   line leaves the box on the way, a point between both is reported. Nothing is certain within
///   the tolerance: a sheet thinner than about `tolerance` / `lipschitz`, or a solid that a line
///   grazes no deeper, is met or not.
/// - Each line enters as often as it leaves, and points can be [inside](crate::Cast::contains): as
///   often as these say.
/// - Neither the interval of a ray nor other primitives change the hits that are found; a known hit
///   ends the march.
///
/// Steps are |f| / `lipschitz`, and at least half of `tolerance` / `lipschitz`, from where the line
/// enters the box: a line takes no more than twice its length in the box times `lipschitz` /
/// `tolerance`, and where f is a distance far fewer. [`max_steps`](Self::max_steps) bounds them.
/// After so many, and at a NaN of f, the line ends: behind that nothing is met, and a line that is
/// in the solid then leaves it there.
///
/// All this holds if f is exact. If it is off by e, so are its signs where |f| ≤ e: choose a
/// tolerance above 4 e.
///
/// Normals are differences of f over the tolerance; those of the box where it cuts. Queries of
/// closest points and distances refuse it, as bounds of a distance do not give the point. Costs are
/// those of the function, some 10 to 100 calls for a ray that meets the box.
///
/// ```
/// use lanecast::primitive::SignedDistance;
/// use lanecast::{Aabb, Ray, SceneBuilder};
/// // A torus around z.
/// let torus = |[x, y, z]: [f64; 3]| (x.hypot(y) - 2.0).hypot(z) - 0.5;
/// let around = Aabb { min: [-3.0, -3.0, -1.0], max: [3.0, 3.0, 1.0] };
/// let scene = SceneBuilder::new().signed_distance(SignedDistance::new(torus, around, 1.0, 1e-6)?)?.build()?;
/// let hits = scene.cast(&Ray::new([-4.0, 0.0, 0.0], [1.0, 0.0, 0.0])).all()?;
/// assert_eq!(hits.iter().map(|hit| hit.t).collect::<Vec<_>>(), [1.5, 2.5, 5.5, 6.5]);
/// assert!(scene.point([0.0, 2.0, 0.25]).contains()?);
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// Hart, "Sphere tracing: a geometric method for the antialiased ray tracing of implicit surfaces",
/// The Visual Computer 12, 1996.
#[derive(Clone)]
pub struct SignedDistance<F, T: Scalar = f32> {
    function: F,
    bounds: Aabb<T>,
    lipschitz: f64,
    tolerance: f64,
    max_steps: u32,
}

impl<F: Fn([f64; 3]) -> f64, T: Scalar> SignedDistance<F, T> {
    /// The solid, with at most 65,536 steps for a line. [`Error::UnusableField`] if `lipschitz` or
    /// `tolerance` is not finite and above 0.
    pub fn new(function: F, bounds: Aabb<T>, lipschitz: f64, tolerance: f64) -> Result<Self> {
        with_default_float_mode(|| {
            for (field, value) in [("Lipschitz bound", lipschitz), ("tolerance", tolerance)] {
                if !(value > 0.0 && value.is_finite()) {
                    let problem = format!("is {value}; it must be finite and above 0");
                    return Err(Error::UnusableField { maker: "signed distance", field, problem });
                }
            }
            Ok(Self { function, bounds, lipschitz, tolerance, max_steps: 1 << 16 })
        })
    }

    /// The most steps for a line, each of which asks the function once.
    #[must_use]
    pub fn max_steps(self, max_steps: u32) -> Self {
        Self { max_steps, ..self }
    }

    /// The differences of the function along the axes.
    fn gradient(&self, point: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| {
            let at = |off: f64| {
                let mut beside = point;
                beside[axis] += off;
                (self.function)(beside)
            };
            at(self.tolerance) - at(-self.tolerance)
        })
    }
}

impl<F, T: Scalar> fmt::Debug for SignedDistance<F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignedDistance").field("bounds", &self.bounds).finish_non_exhaustive()
    }
}

impl<F: Fn([f64; 3]) -> f64 + Send + Sync, T: Scalar> Primitives<T> for SignedDistance<F, T> {
    fn count(&self) -> usize {
        1
    }

    fn bounds(&self, _: u32) -> Aabb<T> {
        self.bounds
    }

    /// # Why nothing deeper than the tolerance is missed
    ///
    /// A step from a place where |f| is above half the tolerance ends no later than f can be 0, so
    /// f keeps its sign. From any other place it is half the tolerance over the Lipschitz bound, so
    /// on the way |f| is at most the tolerance. So each place where it is more is on a step of the
    /// first kind, which begins with the same sign, and every change of the sign between two such
    /// steps is looked for.
    fn intersect(&self, _: u32, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
        let [origin, direction, min, max] =
            [ray.origin, ray.direction, self.bounds.min, self.bounds.max].map(|v| v.map(T::to_f64));
        if (0..3).any(|axis| min[axis] > max[axis]) {
            return;
        }
        let Some([enter, exit]) = slabs(origin, direction, min, max) else { return };
        let scale = power_of_two(largest(&direction));
        let length =
            direction.iter().map(|d| (d / scale) * (d / scale)).sum::<f64>().sqrt() * scale;
        let (threshold, per_value) = (0.5 * self.tolerance, 1.0 / (self.lipschitz * length));
        let at = |t: f64| [0, 1, 2].map(|axis| origin[axis] + t * direction[axis]);
        let mut report = |t: f64, face: Option<(usize, f64)>| {
            let normal = match face {
                Some((axis, sign)) => [0, 1, 2].map(|other| if other == axis { sign } else { 0.0 }),
                None => self.gradient(at(t)),
            };
            meet(SurfacePoint::at(t, normal));
        };
        let first = enter.0;
        // `seen` is the last place with a certain sign.
        let (mut t, mut seen, mut inside, mut starts_inside) = (first, first, false, false);
        for step in 0.. {
            let value = if step < self.max_steps { (self.function)(at(t)) } else { f64::NAN };
            if value.is_nan() {
                if inside {
                    report(t, None);
                }
                return;
            }
            starts_inside |= step == 0 && value < 0.0;
            if value.abs() > threshold {
                let changes = (value < 0.0) != inside;
                if changes && !inside && seen == first && starts_inside {
                    report(first, Some((enter.1, enter.2)));
                } else if changes {
                    report(self.change(seen, t, inside, &at), None);
                }
                (seen, inside) = (t, value < 0.0);
            }
            if t >= exit.0 {
                if inside && value < 0.0 {
                    report(exit.0, Some((exit.1, exit.2)));
                } else if inside {
                    report(self.change(seen, t, inside, &at), None);
                }
                return;
            }
            // All further hits are behind the last place with a certain sign.
            if T::nearest_to(seen) > ray.t_max {
                return;
            }
            let next = t + value.abs().max(threshold) * per_value;
            t = if next > t { next } else { t.next_up() }.min(exit.0);
        }
    }

    fn tells_in_order(&self) -> bool {
        true
    }

    fn is_closed(&self) -> bool {
        true
    }
}

impl<F: Fn([f64; 3]) -> f64, T: Scalar> SignedDistance<F, T> {
    /// A `t` at which the sign changes from one side to the other, by bisection down to the
    /// rounding of `t`.
    fn change(
        &self,
        mut low: f64,
        mut high: f64,
        inside: bool,
        at: &dyn Fn(f64) -> [f64; 3],
    ) -> f64 {
        loop {
            let middle = low + 0.5 * (high - low);
            if middle <= low || middle >= high || T::nearest_to(low) == T::nearest_to(high) {
                return high;
            }
            if ((self.function)(at(middle)) < 0.0) == inside {
                low = middle;
            } else {
                high = middle;
            }
        }
    }
}

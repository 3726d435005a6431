//! Round cones as surfaces.
//!
//! A cone is the union of three convex solids: two balls, and the part of a cone between the
//! circles in which it touches them. So a line enters it where it first enters one of these, and
//! leaves it where it last leaves one. There are no cases to distinguish, and at a seam the
//! rounding errors of one solid are inside of another.

use super::{NearestPoint, Surface, SurfacePoint, Vector};
use crate::math::{add, cross, dot, largest, power_of_two, sub};
use crate::simd::{MapEach, Scalar};
use crate::value::{Aabb, Affine, Ray, RoundCone, Sphere};

fn times(factor: f64, v: Vector) -> Vector {
    v.map_each(|x| factor * x)
}

/// A round cone in `f64`, seen from the center of its first ball.
struct Solid {
    /// The center of the second ball.
    axis: Vector,
    radii: [f64; 2],
    /// `None` where one ball holds the other.
    slope: Option<Slope>,
}

/// The lateral surface: all points of which the distance from the axis times c is r₀ − k times
/// their place along it.
struct Slope {
    unit: Vector,
    length: f64,
    /// (r₀ − r₁) / length, and c² = 1 − k².
    k: f64,
    c_squared: f64,
}

impl Solid {
    /// `None` if a radius is negative or NaN.
    fn new<T: Scalar>(cone: &RoundCone<T>) -> Option<Self> {
        let ([start, end], radii) =
            (cone.ends.map_each(|end| end.map(T::to_f64)), cone.radii.map(T::to_f64));
        if !(radii[0] >= 0.0 && radii[1] >= 0.0) {
            return None;
        }
        let axis = sub(end, start);
        let (length, fall) = (dot(axis, axis).sqrt(), radii[0] - radii[1]);
        let slope = (length > fall.abs()).then(|| Slope {
            unit: times(1.0 / length, axis),
            length,
            k: fall / length,
            c_squared: (length - fall) * (length + fall) / (length * length),
        });
        Some(Self { axis, radii, slope })
    }

    /// The parameter of the greater ball, of equals the first.
    fn greater(&self) -> f64 {
        if self.radii[0] < self.radii[1] { 1.0 } else { 0.0 }
    }

    /// The parameter of the ball that touches the surface at a point of it.
    fn parameter(&self, point: Vector) -> f64 {
        let Some(Slope { unit, length, k, c_squared }) = &self.slope else { return self.greater() };
        // Nearly one ball in the other: c² is small, and the quotient anything, but no NaN.
        let s =
            (dot(point, *unit) - self.radii[0] * k) / (length * c_squared).max(f64::MIN_POSITIVE);
        s.clamp(0.0, 1.0)
    }

    /// Where the line from `origin` along a unit vector enters and leaves it.
    fn chord(&self, origin: Vector, along: Vector) -> Option<[f64; 2]> {
        let mut chord = [f64::INFINITY, f64::NEG_INFINITY];
        let mut widen = |[start, end]: [f64; 2]| {
            if start <= end {
                chord = [chord[0].min(start), chord[1].max(end)];
            }
        };
        for (center, radius) in [([0.0; 3], self.radii[0]), (self.axis, self.radii[1])] {
            let from = sub(origin, center);
            let foot = -dot(from, along);
            let off = add(from, times(foot, along));
            let squared = radius * radius - dot(off, off);
            if squared >= 0.0 {
                widen([foot - squared.sqrt(), foot + squared.sqrt()]);
            }
        }
        if let Some(lateral) =
            self.slope.as_ref().and_then(|slope| slope.chord(self.radii, origin, along))
        {
            widen(lateral);
        }
        (chord[0] <= chord[1]).then_some(chord)
    }
}

impl Slope {
    /// The part of a line within the cone between the two circles.
    ///
    /// There r₀ − k x is at least c² r₁ ≥ 0, so of the double cone c² ρ² ≤ (r₀ − k x)² it is the
    /// right half.
    fn chord(&self, radii: [f64; 2], origin: Vector, along: Vector) -> Option<[f64; 2]> {
        let &Self { unit, length, k, c_squared } = self;
        let (x, dx) = (dot(origin, unit), dot(along, unit));
        let (off, d_off) = (sub(origin, times(x, unit)), sub(along, times(dx, unit)));
        let (g, dg) = (radii[0] - k * x, -k * dx);
        let a = c_squared * dot(d_off, d_off) - dg * dg;
        let b = c_squared * dot(off, d_off) - g * dg;
        let c = c_squared * dot(off, off) - g * g;
        let mut within = if dx == 0.0 {
            let is_between = radii[0] * k <= x && x <= length + radii[1] * k;
            is_between.then_some([f64::NEG_INFINITY, f64::INFINITY])?
        } else {
            let (one, other) = ((radii[0] * k - x) / dx, (length + radii[1] * k - x) / dx);
            [one.min(other), one.max(other)]
        };
        let mut cut = |start: f64, end: f64| within = [within[0].max(start), within[1].min(end)];
        let discriminant = b * b - a * c;
        // Away from 0, so that no digit is lost.
        let q = -(b + discriminant.max(0.0).sqrt().copysign(b));
        if a > 0.0 {
            if discriminant < 0.0 {
                return None;
            }
            let roots = if q == 0.0 { [0.0, 0.0] } else { [q / a, c / q] };
            cut(roots[0].min(roots[1]), roots[0].max(roots[1]));
        } else if a < 0.0 {
            // The line is within outside of the roots, on either side in one half of the double
            // cone: g grows in the right one.
            let roots = if q == 0.0 { [0.0, 0.0] } else { [q / a, c / q] };
            if dg > 0.0 {
                cut(roots[0].max(roots[1]), f64::INFINITY);
            } else {
                cut(f64::NEG_INFINITY, roots[0].min(roots[1]));
            }
        } else if b != 0.0 {
            let root = c / (-2.0 * b);
            if b > 0.0 { cut(f64::NEG_INFINITY, root) } else { cut(root, f64::INFINITY) }
        } else if c > 0.0 {
            return None;
        }
        (within[0] <= within[1]).then_some(within)
    }
}

/// The least square of the sine of the angle between a line and the axis at which the line is taken
/// from its point nearest to the axis.
const FAR_FROM_PARALLEL: f64 = 1e-4;

impl<T: Scalar> Surface<T> for RoundCone<T> {
    /// Empty if a radius is negative.
    fn bounds(&self) -> Aabb<T> {
        let [a, b] = [0, 1].map_each(|end| Sphere::new(self.ends[end], self.radii[end]).bounds());
        let [a_empty, b_empty] = self.radii.map_each(|radius| radius < T::ZERO);
        if a_empty || b_empty {
            return Aabb::EMPTY;
        }
        let has_nan = a.min.into_iter().chain(a.max).any(T::is_nan);
        // `merged` passes over NaN.
        if has_nan { a } else { b.merged(&a).merged(&b) }
    }

    fn each_point(&self, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
        let Some(solid) = Solid::new(self) else { return };
        let direction = ray.direction.map(T::to_f64);
        let scale = 1.0 / power_of_two(largest(&direction));
        let scaled = times(scale, direction);
        let length = dot(scaled, scaled).sqrt();
        let along = times(1.0 / length, scaled);
        let mut origin = sub(ray.origin.map(T::to_f64), self.ends[0].map(T::to_f64));
        // The line starts near the axis, so that squares of a far origin do not take the digits of
        // the radii.
        let middle = times(0.5, solid.axis);
        let mut before = dot(sub(middle, origin), along);
        if let Some(Slope { unit, .. }) = &solid.slope {
            let off = sub(origin, times(dot(origin, *unit), *unit));
            let d_off = sub(along, times(dot(along, *unit), *unit));
            let square = dot(d_off, d_off);
            if square > FAR_FROM_PARALLEL {
                before = -dot(off, d_off) / square;
            }
        }
        origin = add(origin, times(before, along));
        for at in solid.chord(origin, along).into_iter().flatten() {
            let point = add(origin, times(at, along));
            let s = solid.parameter(point);
            let normal = sub(point, times(s, solid.axis));
            let t = (before + at) / length * scale;
            meet(SurfacePoint { u: T::nearest_to(s), ..SurfacePoint::at(t, normal) });
        }
    }

    /// The closest point lies straight from the center of the ball that touches the surface there,
    /// which lies on the normal of the cone through the point. `placed` may turn, mirror and scale
    /// alike in all directions.
    fn nearest_point(&self, point: Vector, placed: &Affine) -> Option<NearestPoint<T>> {
        let solid = Solid::new(self)?;
        let is_in_place = *placed == Affine::IDENTITY;
        let local = if is_in_place { point } else { placed.about_back(point) };
        let start = self.ends[0].map(T::to_f64);
        let from = sub(local, start);
        let (mut s, mut otherwise) = (solid.greater(), [1.0, 0.0, 0.0]);
        if let Some(Slope { unit, length, k, c_squared }) = &solid.slope {
            let (c, x) = (c_squared.sqrt(), dot(from, *unit));
            let off = sub(from, times(x, *unit));
            s = ((c * x - k * dot(off, off).sqrt()) / (length * c).max(f64::MIN_POSITIVE))
                .clamp(0.0, 1.0);
            // A point on the axis is as near to the surface all around.
            let least =
                (1..3).fold(
                    0,
                    |least, axis| if unit[axis].abs() < unit[least].abs() { axis } else { least },
                );
            let mut square = [0.0; 3];
            square[least] = 1.0;
            let square = cross(*unit, square);
            otherwise = match s {
                0.0 => times(-1.0, *unit),
                1.0 => *unit,
                _ => add(times(*k, *unit), times(c / dot(square, square).sqrt(), square)),
            };
        }
        let base = times(s, solid.axis);
        let off = sub(from, base);
        let length = dot(off, off).sqrt();
        let direction = if length > 0.0 { times(1.0 / length, off) } else { otherwise };
        let normal = times((1.0 - s) * solid.radii[0] + s * solid.radii[1], direction);
        let nearest = add(start, add(base, normal));
        let nearest = if is_in_place { nearest } else { placed.point(nearest) };
        Some(NearestPoint { u: T::nearest_to(s), ..NearestPoint::at(nearest, normal) })
    }
}

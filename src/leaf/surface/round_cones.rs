//! Round cones.
//!
//! A cone is the union of three convex solids: two balls, and the part of a cone between the
//! circles in which it touches them. So a line enters it where it first enters one of these, and
//! leaves it where it last leaves one. There are no cases to distinguish, and at a seam the
//! rounding errors of one solid are inside of another.

use super::axis::{NearLine, direction_off, roots, split, square_to, times};
use super::planes::{Plane, Planes};
use super::solid::{any_near_between, room_at_ball};
use super::{GeometryView, NearestPoint, Solid, Surface, SurfacePoint, Vector};
use crate::columns::plain_numbers;
use crate::kernel::ExactScalar;
use crate::leaf::view::Placed;
use crate::math::{add, dot, largest, sub};
use crate::simd::{MapEach, Scalar};
use crate::value::{Aabb, Affine, Ray, Sphere};

/// The convex hull of two balls: a segment of a cable, a branch, a hair, a strand of a curve.
///
/// It is all points at most r(s) from c(s), for any s from 0 to 1, with
/// c(s) = (1 − s) · `ends[0]` + s · `ends[1]`, and r(s) alike between the radii: two caps, which are
/// parts of spheres, and between them the cone that touches both spheres. Segments of a curve that share an end and its
/// radius meet in a sphere, without a gap.
///
/// In a scene a cone is a closed surface: a line meets it where it enters and where it leaves, in
/// one `t` if it grazes. Two cones that overlap are two surfaces, each of which counts. The front
/// is outside. `u` of a hit is s of the ball that touches the surface there: 0 on the first cap, 1
/// on the other, linear along the cone; `v` is 0. The normal leads from c(u) to the point.
///
/// - If one ball holds the other, also where they have the same center, the cone is the greater
///   one, of equals the first, and `u` is that of its end.
/// - A radius of 0 makes a tip; two of them a segment, which only a line that meets it exactly in
///   `f64` meets.
/// - A cone with a negative radius is never met; NaN is an error of the
///   [builder](crate::SceneBuilder::round_cones).
///
/// Queries of [closest points](crate::Scene::points) and distances take them in place and where
/// instances keep angles, to 2⁻²⁰; an instance that stretches or shears them is
/// [refused](crate::Error::NotForPoints), as a map makes no round cone of one.
///
/// `t` is the root of a quadratic in `f64`, rounded once more in `f32`. It is as if the surface
/// were off by 2⁻⁴⁰ of the sum of the cone's length, its radii, and its distance from the ray's
/// origin; a line that passes by no more than that may meet it or not. That holds up to 2²⁰ as long
/// as wide.
///
/// ```
/// use lanecast::primitive::RoundCone;
/// use lanecast::{Ray, SceneBuilder};
/// // A curve: points and radii.
/// let curve = [([0.0, 0.0, 0.0], 1.0), ([4.0, 0.0, 0.0], 1.0), ([8.0, 3.0, 0.0], 0.5)];
/// let cones: Vec<_> = curve.windows(2).map(|w| RoundCone { ends: [w[0].0, w[1].0], radii: [w[0].1, w[1].1] }).collect();
/// let scene = SceneBuilder::new().round_cones(&cones)?.build()?;
/// let hit = scene.cast(&Ray::new([1.0, 0.0, 5.0], [0.0, 0.0, -1.0])).closest()?.expect("a hit");
/// assert_eq!((hit.t, hit.u, hit.primitive_id), (4.0, 0.25, 0));
/// assert!(scene.point([6.0, 1.5, 0.5]).contains()?);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct RoundCone<T = f32> {
    /// The centers of the balls.
    pub ends: [[T; 3]; 2],
    /// The radii of the balls, in the same order.
    pub radii: [T; 2],
}

plain_numbers!(RoundCone: 8);

/// A round cone in `f64`, seen from the center of its first ball.
struct Seen {
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

impl Seen {
    /// `None` if a radius is negative or NaN.
    fn new<T: Scalar>(cone: &RoundCone<T>) -> Option<Self> {
        let RoundCone { ends: [start, end], radii } = cone.hull()?;
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
        let ((x, off), (dx, d_off)) = (split(origin, unit), split(along, unit));
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
        if a > 0.0 {
            if discriminant < 0.0 {
                return None;
            }
            let [start, end] = roots([a, b, c], discriminant);
            cut(start, end);
        } else if a < 0.0 {
            // The line is within outside of the roots, on either side in one half of the double
            // cone: g grows in the right one.
            let [start, end] = roots([a, b, c], discriminant.max(0.0));
            if dg > 0.0 {
                cut(end, f64::INFINITY);
            } else {
                cut(f64::NEG_INFINITY, start);
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

impl<T: ExactScalar> Surface<T> for RoundCone<T> {
    /// The image of a round cone under a map that stretches is the hull of two ellipsoids: from
    /// inside, the distance to it is no least over one parameter.
    const TAKES_ALL_MAPS: bool = false;

    fn view(cones: &[Self]) -> GeometryView<'_, T> {
        GeometryView::RoundCones(cones)
    }

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
        let Some(seen) = Seen::new(self) else { return };
        let unit = seen.slope.as_ref().map(|slope| slope.unit);
        let line = NearLine::new(ray, self.ends[0], times(0.5, seen.axis), unit);
        for at in seen.chord(line.origin, line.along).into_iter().flatten() {
            let point = line.point(at);
            let s = seen.parameter(point);
            let normal = sub(point, times(s, seen.axis));
            meet(SurfacePoint { u: T::nearest_to(s), ..SurfacePoint::at(line.t(at), normal) });
        }
    }

    /// The closest point lies straight from the center of the ball that touches the surface there,
    /// which lies on the normal of the cone through the point. `placed` may turn, mirror and scale
    /// alike in all directions.
    fn nearest_point(&self, point: Vector, placed: &Affine) -> Option<NearestPoint<T>> {
        let seen = Seen::new(self)?;
        let is_in_place = *placed == Affine::IDENTITY;
        let local = if is_in_place { point } else { placed.about_back(point) };
        let start = self.ends[0].map(T::to_f64);
        let from = sub(local, start);
        let mut s = seen.greater();
        let mut direction = None;
        let mut otherwise = [1.0, 0.0, 0.0];
        if let Some(Slope { unit, length, k, c_squared }) = &seen.slope {
            let (c, (x, off)) = (c_squared.sqrt(), split(from, *unit));
            s = ((c * x - k * dot(off, off).sqrt()) / (length * c).max(f64::MIN_POSITIVE))
                .clamp(0.0, 1.0);
            // A point on the axis is as near to the surface all around.
            let square = square_to(*unit);
            let square = times(1.0 / dot(square, square).sqrt(), square);
            if s == 0.0 {
                otherwise = times(-1.0, *unit);
            } else if s == 1.0 {
                otherwise = *unit;
            } else {
                // The normal of the cone, by the side on which the point is. The difference of the
                // point and its base loses it near the axis.
                let outwards = direction_off(off, from, square);
                direction = Some(add(times(*k, *unit), times(c, outwards)));
            }
        }
        let base = times(s, seen.axis);
        let direction =
            direction.unwrap_or_else(|| direction_off(sub(from, base), from, otherwise));
        let normal = times((1.0 - s) * seen.radii[0] + s * seen.radii[1], direction);
        let nearest = add(start, add(base, normal));
        let nearest = if is_in_place { nearest } else { placed.point(nearest) };
        Some(NearestPoint { u: T::nearest_to(s), ..NearestPoint::at(nearest, normal) })
    }

    fn solid(&self) -> Option<impl Solid> {
        self.hull()
    }
}

impl<T: Scalar> RoundCone<T> {
    /// The same in `f64`; `None` if a radius is negative or NaN.
    pub(super) fn hull(&self) -> Option<RoundCone<f64>> {
        let radii = self.radii.map(T::to_f64);
        let ends = self.ends.map_each(|end| end.map(T::to_f64));
        radii.iter().all(|&radius| radius >= 0.0).then_some(RoundCone { ends, radii })
    }
}

impl RoundCone<f64> {
    /// The greatest magnitude of its coordinates.
    fn reach(&self) -> f64 {
        let reach = |end: usize| largest(&self.ends[end]) + self.radii[end];
        largest(&[0, 1].map_each(reach))
    }
}

impl Solid for RoundCone<f64> {
    fn overlaps_planes(&self, planes: &[Plane]) -> bool {
        let planes = Planes { planes, reach: self.reach() };
        planes.hold_between(self.radii, |plane| {
            (plane.normal, self.ends.map_each(|center| planes.value(plane, center)))
        })
    }

    fn overlaps_ball(&self, placed: &Placed, radius: f64) -> bool {
        let Self { ends: [start, end], radii } = *self;
        let room = room_at_ball(placed, radius, self.reach());
        let nearest = |s: f64| {
            let center = add(start, sub(end, start).map_each(|x| s * x));
            let own = radii[0] + s * (radii[1] - radii[0]);
            let off = sub(placed.back, center);
            if dot(off, off) <= own * own {
                return None;
            }
            Some(Sphere::new(center, own).nearest_point(placed.point, &placed.map)?.point)
        };
        let beyond = |along: Vector| {
            let stretched = dot(along, along).sqrt();
            radii.map_each(|own| own * stretched)
        };
        any_near_between(placed, [radius, room], &self.ends, nearest, beyond)
    }
}

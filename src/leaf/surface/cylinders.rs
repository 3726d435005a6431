//! Capped cylinders.
//!
//! A cylinder is what an endless one has in common with the slab between the planes of its caps. So
//! a line enters it where it is first in both, and leaves it where it first leaves one of them.

use super::axis::{NearLine, direction_off, roots, split, square_to, times};
use super::nearest_direction::nearest_direction;
use super::planes::{Plane, Planes};
use super::solid::{any_near_between, room_at_ball};
use super::{GeometryView, NearestPoint, Solid, Surface, SurfacePoint, Vector};
use crate::columns::plain_numbers;
use crate::kernel::ExactScalar;
use crate::leaf::view::Placed;
use crate::math::{add, cross, dot, largest, sub};
use crate::simd::{MapEach, Scalar};
use crate::value::{Aabb, Affine, Ray};

/// A solid cylinder with flat caps: a pole, a trunk, a pipe, a tank.
///
/// It is all points no farther than `radius` from the axis, the line through both ends, between the
/// planes through the ends that are square to it. Caps, side and rims belong to it.
///
/// In a scene a cylinder is a closed surface: a line meets it where it enters and where it leaves,
/// in one `t` if it grazes. The front is outside. `u` of a hit is the place along the axis: 0 on the
/// first cap, 1 on the other, linear along the side; `v` is 0. The normal of the side leads from
/// the axis to the point, that of a cap along the axis and outwards. A rim has that of the cap for
/// rays, that of the side for closest points.
///
/// - A radius of 0 makes a segment, which only a line that meets it exactly in `f64` meets.
/// - A cylinder with a negative radius is never met, nor is one whose ends are the same, or less
///   than 10⁻¹⁵⁰ apart: it has no direction. NaN is an error of the
///   [builder](crate::SceneBuilder::cylinders).
///
/// Queries of [closest points](crate::Scene::points) and distances take them in place and where
/// instances keep angles, to 2⁻²⁰; an instance that stretches or shears them is
/// [refused](crate::Error::NotForPoints). Of faces as near to a point within, the side comes first,
/// then the first cap.
///
/// `t` is the root of a quadratic or a quotient in `f64`, rounded once more in `f32`. It is as if
/// the surface were off by 2⁻⁴⁰ of the sum of the cylinder's length, its radius, and its distance
/// from the ray's origin; a line that passes by no more than that may meet it or not. That holds up
/// to 2²⁰ as long as wide.
///
/// ```
/// use lanecast::primitive::Cylinder;
/// use lanecast::{Ray, SceneBuilder};
/// let pole = Cylinder { ends: [[0.0, 0.0, 0.0], [0.0, 0.0, 8.0]], radius: 0.5 };
/// let scene = SceneBuilder::new().cylinders(&[pole])?.build()?;
/// let hit = scene.cast(&Ray::new([-3.0, 0.0, 2.0], [1.0, 0.0, 0.0])).closest()?.expect("a hit");
/// assert_eq!((hit.t, hit.u), (2.5, 0.25));
/// // The cap is flat.
/// let hit = scene.cast(&Ray::new([0.25, 0.0, 9.0], [0.0, 0.0, -1.0])).closest()?.expect("a hit");
/// assert_eq!((hit.t, hit.u), (1.0, 1.0));
/// assert_eq!(scene.point([0.0, 3.5, 12.0]).distance()?, 5.0);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Cylinder<T = f32> {
    /// The centers of the caps.
    pub ends: [[T; 3]; 2],
    /// The radius of the caps and the side.
    pub radius: T,
}

plain_numbers!(Cylinder: 7);

/// A cylinder in `f64`, seen from the center of its first cap.
struct Seen {
    /// The direction of its axis.
    unit: Vector,
    length: f64,
    radius: f64,
}

/// A part of the surface: a cap, by its place along the axis from 0 to 1, or the side.
#[derive(Clone, Copy, PartialEq)]
enum Face {
    Cap(f64),
    Side,
}

/// The ends of what a line has in common with a solid: where it enters and leaves, and by which
/// face.
type Chord = [(f64, Face); 2];

/// The squares of lesser lengths lose digits or vanish.
const LEAST_LENGTH: f64 = 1e-150;

impl Seen {
    /// `None` if its radius is negative or NaN, or it has no direction.
    fn new<T: Scalar>(cylinder: &Cylinder<T>) -> Option<Self> {
        let [start, end] = cylinder.ends.map_each(|end| end.map(T::to_f64));
        let (axis, radius) = (sub(end, start), cylinder.radius.to_f64());
        let length = dot(axis, axis).sqrt();
        let unit = times(1.0 / length, axis);
        (radius >= 0.0 && length >= LEAST_LENGTH).then_some(Self { unit, length, radius })
    }

    /// Where a line is between the planes of the caps.
    fn between_caps(&self, x: f64, dx: f64) -> Option<Chord> {
        if dx == 0.0 {
            let is_between = 0.0 <= x && x <= self.length;
            return is_between
                .then_some([(f64::NEG_INFINITY, Face::Side), (f64::INFINITY, Face::Side)]);
        }
        let caps = [(-x / dx, Face::Cap(0.0)), ((self.length - x) / dx, Face::Cap(1.0))];
        Some(if dx > 0.0 { caps } else { [caps[1], caps[0]] })
    }

    /// Where a line is within the endless cylinder; `off` and `d_off` are the parts of its origin
    /// and of a unit vector along it that are square to the axis.
    fn within_side(&self, off: Vector, d_off: Vector) -> Option<Chord> {
        let a = dot(d_off, d_off);
        let c = dot(off, off) - self.radius * self.radius;
        if a == 0.0 {
            return (c <= 0.0)
                .then_some([(f64::NEG_INFINITY, Face::Side), (f64::INFINITY, Face::Side)]);
        }
        let b = dot(off, d_off);
        // b² − a c, by the distance of the line from the axis: as b and c are large where the line
        // is nearly parallel to it, their difference would lose digits.
        let twist = cross(off, d_off);
        let discriminant = a * (self.radius * self.radius) - dot(twist, twist);
        if discriminant < 0.0 {
            return None;
        }
        let [start, end] = roots([a, b, c], discriminant);
        Some([(start, Face::Side), (end, Face::Side)])
    }

    /// Where a line enters and leaves it.
    fn chord(&self, line: &NearLine) -> Option<Chord> {
        let ((x, off), (dx, d_off)) = (split(line.origin, self.unit), split(line.along, self.unit));
        let (caps, side) = (self.between_caps(x, dx)?, self.within_side(off, d_off)?);
        let enter = if caps[0].0 >= side[0].0 { caps[0] } else { side[0] };
        let exit = if caps[1].0 <= side[1].0 { caps[1] } else { side[1] };
        if enter.0 <= exit.0 {
            return Some([enter, exit]);
        }
        // A line that touches a rim is not lost by the rounding of both.
        let room = 8.0 * f64::EPSILON * (self.radius + enter.0.abs().max(exit.0.abs()));
        let between = 0.5 * (enter.0 + exit.0);
        (enter.0 - exit.0 <= room).then_some([(between, enter.1), (between, exit.1)])
    }
}

impl<T: ExactScalar> Surface<T> for Cylinder<T> {
    /// The image of a cylinder under a map that stretches has other lengths square to its side in
    /// every direction.
    const TAKES_ALL_MAPS: bool = false;

    fn view(cylinders: &[Self]) -> GeometryView<'_, T> {
        GeometryView::Cylinders(cylinders)
    }

    /// Around both caps: a disc of radius r square to a unit vector a reaches r √(1 − aᵢ²) along the
    /// axis i. Empty if it is never met.
    fn bounds(&self) -> Aabb<T> {
        let mut numbers = self.ends.as_flattened().iter().chain([&self.radius]);
        if !numbers.all(|x| x.is_finite()) {
            let nan = T::nearest_to(f64::NAN);
            return Aabb { min: [nan; 3], max: [nan; 3] };
        }
        let Some(Seen { unit, radius, .. }) = Seen::new(self) else { return Aabb::EMPTY };
        let reach = [0, 1, 2].map_each(|axis| {
            let [y, z] = [unit[(axis + 1) % 3], unit[(axis + 2) % 3]];
            // With room for its own rounding.
            radius * (y * y + z * z).sqrt() * (1.0 + 8.0 * f64::EPSILON)
        });
        let [a, b] = self.ends.map_each(|end| Aabb {
            min: [0, 1, 2]
                .map_each(|axis| T::nearest_to(end[axis].to_f64() - reach[axis]).next_down()),
            max: [0, 1, 2]
                .map_each(|axis| T::nearest_to(end[axis].to_f64() + reach[axis]).next_up()),
        });
        a.merged(&b)
    }

    fn each_point(&self, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
        let Some(seen) = Seen::new(self) else { return };
        let Seen { unit, length, .. } = seen;
        let line = NearLine::new(ray, self.ends[0], times(0.5 * length, unit), Some(unit));
        for (at, face) in seen.chord(&line).into_iter().flatten() {
            let (u, normal) = match face {
                Face::Cap(u) => (u, times(2.0 * u - 1.0, unit)),
                Face::Side => {
                    let (x, off) = split(line.point(at), unit);
                    ((x / length).clamp(0.0, 1.0), off)
                }
            };
            meet(SurfacePoint { u: T::nearest_to(u), ..SurfacePoint::at(line.t(at), normal) });
        }
    }

    /// In the half-plane from the axis through the point the cylinder is a rectangle: from outside
    /// the clamped point is closest, from within that on the nearest of its sides. `placed` may
    /// turn, mirror and scale alike in all directions.
    fn nearest_point(&self, point: Vector, placed: &Affine) -> Option<NearestPoint<T>> {
        let Seen { unit, length, radius } = Seen::new(self)?;
        let is_in_place = *placed == Affine::IDENTITY;
        let local = if is_in_place { point } else { placed.about_back(point) };
        let start = self.ends[0].map(T::to_f64);
        let from = sub(local, start);
        let (x, off) = split(from, unit);
        let away = dot(off, off).sqrt();
        // A point on the axis is as near to the side all around.
        let square = square_to(unit);
        let outwards = direction_off(off, from, times(1.0 / dot(square, square).sqrt(), square));
        let (mut nearest, mut face) = ([x.clamp(0.0, length), away.min(radius)], Face::Side);
        if away <= radius {
            if x < 0.0 {
                face = Face::Cap(0.0);
            } else if x > length {
                face = Face::Cap(1.0);
            } else {
                let to_cap = x.min(length - x);
                if to_cap < radius - away {
                    face = Face::Cap(if x <= length - x { 0.0 } else { 1.0 });
                }
                nearest = match face {
                    Face::Cap(u) => [u * length, away],
                    Face::Side => [x, radius],
                };
            }
        }
        let [x, away] = nearest;
        let normal = match face {
            Face::Cap(u) => times(2.0 * u - 1.0, unit),
            Face::Side => outwards,
        };
        let nearest = add(start, add(times(x, unit), times(away, outwards)));
        let nearest = if is_in_place { nearest } else { placed.point(nearest) };
        Some(NearestPoint { u: T::nearest_to(x / length), ..NearestPoint::at(nearest, normal) })
    }

    fn solid(&self) -> Option<impl Solid> {
        let Seen { unit, radius, .. } = Seen::new(self)?;
        let ends = self.ends.map_each(|end| end.map(T::to_f64));
        let one = square_to(unit);
        let one = times(radius / dot(one, one).sqrt(), one);
        Some(Discs { ends, across: [one, cross(unit, one)], radius })
    }
}

/// A cylinder as all discs between its caps.
struct Discs {
    ends: [Vector; 2],
    /// Two vectors of the length of the radius, square to the axis and to each other.
    across: [Vector; 2],
    radius: f64,
}

impl Discs {
    /// How far a disc reaches beyond its center along a vector, in the directions of `across`.
    fn beyond(&self, along: Vector) -> [f64; 2] {
        self.across.map_each(|across| dot(across, along))
    }

    /// No coordinate is of greater magnitude.
    fn reach(&self) -> f64 {
        largest(self.ends.as_flattened()) + self.radius
    }
}

impl Solid for Discs {
    /// A disc is what the map by `across` makes of a ball of radius 1.
    fn overlaps_planes(&self, planes: &[Plane]) -> bool {
        let planes = Planes { planes, reach: self.reach() };
        planes.hold_between([1.0; 2], |plane| {
            let [x, y] = self.beyond(plane.normal);
            ([x, y, 0.0], self.ends.map_each(|center| planes.value(plane, center)))
        })
    }

    /// A map makes an ellipse of a disc: an ellipsoid without thickness.
    fn overlaps_ball(&self, placed: &Placed, radius: f64) -> bool {
        let room = room_at_ball(placed, radius, self.reach());
        let [one, other] = self.across.map_each(|across| placed.map.vector(across));
        let [start, end] = self.ends.map_each(|end| placed.map.point(end));
        let nearest = |s: f64| {
            let center = add(start, times(s, sub(end, start)));
            let [x, y, _] = nearest_direction([one, other, [0.0; 3]], sub(placed.point, center));
            Some(add(center, add(times(x, one), times(y, other))))
        };
        let beyond = |along: Vector| {
            let [x, y] = self.beyond(along);
            [(x * x + y * y).sqrt(); 2]
        };
        any_near_between(placed, [radius, room], &self.ends, nearest, beyond)
    }
}

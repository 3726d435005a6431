//! What the library's ray makers leave open: where up is, and how far off a surface rays start.

pub(crate) use lanecast_reference::rays::{diagonal, random_rays};

use crate::vector::{Vector, add, cross, length, nearest, scale, sub, unit, wide};
use lanecast::{Aabb, Ray};
use lanecast_io::Coordinate;
use lanecast_makers::Sun;

/// A ray from a point in a direction, rounded.
pub(crate) fn ray<T: Coordinate>(origin: Vector, direction: Vector) -> Ray<T> {
    Ray::new(nearest(origin), nearest(direction))
}

/// The point of a ray at `t`, computed in `f64` and rounded once.
pub(crate) fn point_at<T: Coordinate>(ray: &Ray<T>, t: T) -> [T; 3] {
    nearest(add(wide(ray.origin), scale(wide(ray.direction), t.to_f64())))
}

/// The unit vector towards the sun, whose azimuth and altitude are given in degrees. With z up, y
/// is north and x east; with another `up`, north is where that turns y to.
pub(crate) fn towards_sun([azimuth, altitude]: [f64; 2], up: Vector) -> Vector {
    let up = unit(up);
    let [x, y] = level_axes(up);
    let [east, north, rise] = Sun { azimuth, altitude }.direction();
    add(add(scale(x, east), scale(y, north)), scale(up, rise))
}

/// East and north for a given up: x and y for z, x and −z for y.
pub(crate) fn level_axes(up: Vector) -> [Vector; 2] {
    let reference = if up[2].abs() > 0.9 { [0.0, 1.0, 0.0] } else { [0.0, 0.0, -1.0] };
    let east = unit(cross(reference, up));
    [east, cross(up, east)]
}

/// How far above a surface a ray must start so as not to meet it again at once.
///
/// Points computed from hits lie off their triangle by a few roundings at the size of the scene's
/// coordinates; this is some hundred of them.
pub(crate) fn clearance<T: Coordinate>(bounds: &Aabb<T>) -> f64 {
    let (min, max) = (wide(bounds.min), wide(bounds.max));
    let farthest = min.iter().chain(&max).fold(0.0_f64, |far, &x| far.max(x.abs()));
    farthest.max(length(sub(max, min))) * 128.0 * T::UNIT_ROUNDOFF.to_f64()
}

#[cfg(test)]
#[path = "../tests/unit/rays.rs"]
mod tests;

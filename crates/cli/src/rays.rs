//! What the library's ray makers leave open: where up is, and how far off a surface rays start.

pub(crate) use lanecast_reference::rays::{diagonal, random_rays};

use crate::vector::{Vector, add, cross, from_f32, scale, to_f32, unit};
use lanecast::{Aabb, Ray};
use lanecast_makers::Sun;

/// A ray from a point in a direction, rounded to `f32`.
pub(crate) fn ray(origin: Vector, direction: Vector) -> Ray {
    Ray::new(to_f32(origin), to_f32(direction))
}

/// The point of a ray at `t`, computed in `f64` and rounded to `f32` once.
pub(crate) fn point_at(ray: &Ray, t: f32) -> [f32; 3] {
    to_f32(add(from_f32(ray.origin), scale(from_f32(ray.direction), f64::from(t))))
}

/// The unit vector towards the sun, whose azimuth and altitude are given in degrees. With z up, y is north and x east;
/// with another `up`, north is where that turns y to.
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
/// Points computed from hits lie off their triangle by a few roundings of `f32` at the size of the
/// scene's coordinates; this is some hundred of them.
pub(crate) fn clearance(bounds: &Aabb) -> f64 {
    let farthest = bounds.min.iter().chain(&bounds.max).fold(0.0_f64, |far, &x| far.max(f64::from(x).abs()));
    farthest.max(diagonal(bounds)) / f64::from(1 << 17)
}

#[cfg(test)]
#[path = "../tests/unit/rays.rs"]
mod tests;

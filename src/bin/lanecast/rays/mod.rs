//! Ray makers: rays as cameras, scanners and light send them. The same arguments give the same rays.

mod hemisphere;
mod lidar;
mod pinhole;
mod random;
mod sun;

pub(crate) use hemisphere::hemisphere_direction;
pub(crate) use lidar::Scanner;
pub(crate) use pinhole::Pinhole;
pub(crate) use random::{Random, random_rays};
pub(crate) use sun::{level_axes, towards_sun};

use crate::vector::{Vector, add, from_f32, length, scale, to_f32};
use lanecast::{Aabb, Ray};

/// A ray from a point in a direction, rounded to `f32`.
pub(crate) fn ray(origin: Vector, direction: Vector) -> Ray {
    Ray::new(to_f32(origin), to_f32(direction))
}

/// How far above a surface a ray must start so as not to meet it again at once.
///
/// Points computed from hits lie off their triangle by a few roundings of `f32` at the size of the
/// scene's coordinates; this is some hundred of them.
pub(crate) fn clearance(bounds: &Aabb) -> f64 {
    let farthest = bounds.min.iter().chain(&bounds.max).fold(0.0_f64, |far, &x| far.max(f64::from(x).abs()));
    farthest.max(diagonal(bounds)) / f64::from(1 << 17)
}

/// The length of a box from corner to corner.
pub(crate) fn diagonal(bounds: &Aabb) -> f64 {
    if bounds.is_empty() {
        return 0.0;
    }
    length(std::array::from_fn(|axis| f64::from(bounds.max[axis]) - f64::from(bounds.min[axis])))
}

/// The middle of a box.
pub(crate) fn center(bounds: &Aabb) -> Vector {
    scale(add(from_f32(bounds.min), from_f32(bounds.max)), 0.5)
}

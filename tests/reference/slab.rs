//! A ray against a box, slab by slab.

use lanecast::{Aabb, Ray};

use super::{LEAST, ROUNDOFF, interval, vector};

/// Where the ray is within the box: from the first to the second `t`, or nowhere.
///
/// A direction component of zero leaves the ray inside that slab for every `t` if its origin lies
/// in the closed slab, and outside for every `t` otherwise.
pub fn overlap(ray: &Ray, min: [f64; 3], max: [f64; 3]) -> Option<[f64; 2]> {
    let (origin, direction) = (vector(ray.origin), vector(ray.direction));
    let [mut enter, mut exit] = interval(ray);
    for axis in 0..3 {
        if min[axis] > max[axis] {
            return None;
        }
        if direction[axis] == 0.0 {
            if origin[axis] < min[axis] || origin[axis] > max[axis] {
                return None;
            }
            continue;
        }
        let one = (min[axis] - origin[axis]) / direction[axis];
        let other = (max[axis] - origin[axis]) / direction[axis];
        enter = enter.max(one.min(other));
        exit = exit.min(one.max(other));
    }
    (enter <= exit).then_some([enter, exit])
}

pub fn exact(ray: &Ray, aabb: &Aabb) -> Option<[f64; 2]> {
    overlap(ray, vector(aabb.min), vector(aabb.max))
}

/// The overlap with the box grown by what the kernel may be off by: a few units in the last place
/// of the greatest coordinates of the box and of the ray's origin, whatever else is tested with it.
///
/// The kernel promises to move planes by at most 12ε(X + M) for the box and 12ε(O + P) + 4ε O and the
/// least normal number for the ray, X and O being the magnitudes along the axis, M the greatest of
/// the box, and P that of the origin along the longest axis of the direction; this grows the box by
/// twice that.
pub fn grown(ray: &Ray, aabb: &Aabb) -> Option<[f64; 2]> {
    let [min, max] = grown_planes(ray, aabb);
    overlap(ray, min, max)
}

fn grown_planes(ray: &Ray, aabb: &Aabb) -> [[f64; 3]; 2] {
    let (min, max, origin) = (vector(aabb.min), vector(aabb.max), vector(ray.origin));
    let finite = |x: f64| if x.is_finite() { x.abs() } else { 0.0 };
    let magnitude: [f64; 3] = std::array::from_fn(|axis| finite(min[axis]).max(finite(max[axis])));
    let greatest = magnitude.iter().fold(0.0_f64, |greatest, &x| greatest.max(x));
    let longest =
        (0..3).fold(
            0,
            |longest, axis| {
                if ray.direction[axis].abs() > ray.direction[longest].abs() { axis } else { longest }
            },
        );
    let margin: [f64; 3] = std::array::from_fn(|axis| {
        24.0 * ROUNDOFF * (magnitude[axis] + greatest + origin[axis].abs() + origin[longest].abs())
            + 8.0 * ROUNDOFF * origin[axis].abs()
            + 2.0 * f64::from(f32::MIN_POSITIVE)
            + 4.0 * LEAST
    });
    [
        std::array::from_fn(|axis| min[axis] - margin[axis]),
        std::array::from_fn(|axis| max[axis] + margin[axis]),
    ]
}

/// Whether the ray passes a plane of the grown box at a `t` that `f32` cannot hold: all such are
/// infinite and alike to the kernel.
pub fn beyond_f32(ray: &Ray, aabb: &Aabb) -> bool {
    grown_planes(ray, aabb).iter().any(|planes| {
        (0..3).any(|axis| {
            let (origin, direction) = (f64::from(ray.origin[axis]), f64::from(ray.direction[axis]));
            direction != 0.0 && ((planes[axis] - origin) / direction).abs() > 1e38
        })
    })
}

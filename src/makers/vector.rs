//! Points and directions in `f64`: rays are rounded to `f32` when made.

use crate::value::Ray;

pub(super) use crate::math::{add, cross, dot, sub};

/// A point or a direction.
pub(super) type Vector = [f64; 3];

pub(super) fn scale(a: Vector, factor: f64) -> Vector {
    [a[0] * factor, a[1] * factor, a[2] * factor]
}

pub(super) fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The same direction with length 1; a zero vector stays zero.
pub(super) fn unit(a: Vector) -> Vector {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}

/// Two unit vectors perpendicular to the unit vector `axis` and to each other; the three are right-handed.
pub(super) fn tangents(axis: Vector) -> [Vector; 2] {
    let [x, y, z] = axis.map(f64::abs);
    // The coordinate axis that lies farthest from `axis`.
    let other = if x <= y && x <= z {
        [1.0, 0.0, 0.0]
    } else if y <= z {
        [0.0, 1.0, 0.0]
    } else {
        [0.0, 0.0, 1.0]
    };
    let first = unit(cross(other, axis));
    [first, cross(axis, first)]
}

pub(super) fn from_f32(a: [f32; 3]) -> Vector {
    [f64::from(a[0]), f64::from(a[1]), f64::from(a[2])]
}

pub(super) fn to_f32(a: Vector) -> [f32; 3] {
    [a[0] as f32, a[1] as f32, a[2] as f32]
}

/// A ray from a point in a direction, rounded to `f32`.
pub(super) fn ray(origin: Vector, direction: Vector) -> Ray {
    Ray::new(to_f32(origin), to_f32(direction))
}

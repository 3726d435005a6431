//! Lines seen from near the axis of a shape, and vectors square to the axis.

use super::Vector;
use crate::math::{add, cross, dot, largest, power_of_two, sub};
use crate::simd::{MapEach, Scalar};
use crate::value::Ray;

pub(super) fn times(factor: f64, v: Vector) -> Vector {
    v.map_each(|x| factor * x)
}

/// The parts of a vector along a unit vector, as a factor, and square to it.
pub(super) fn split(v: Vector, unit: Vector) -> (f64, Vector) {
    let along = dot(v, unit);
    (along, sub(v, times(along, unit)))
}

/// A vector square to a unit vector, of some length.
pub(super) fn square_to(unit: Vector) -> Vector {
    let least = (1..3)
        .fold(0, |least, axis| if unit[axis].abs() < unit[least].abs() { axis } else { least });
    let mut axis = [0.0; 3];
    axis[least] = 1.0;
    cross(unit, axis)
}

/// The direction of what is left of a vector `from` without its part along an axis; `otherwise` if
/// that is no more than rounding leaves: it would lead anywhere, and not square to the axis.
pub(super) fn direction_off(off: Vector, from: Vector, otherwise: Vector) -> Vector {
    let length = dot(off, off).sqrt();
    if length > 8.0 * f64::EPSILON * largest(&from) { times(1.0 / length, off) } else { otherwise }
}

/// The line of a ray, by lengths from a point of it that is near an axis, so that squares of a far
/// origin do not take the digits of the radii.
pub(super) struct NearLine {
    /// The point, seen from the start of the axis.
    pub(super) origin: Vector,
    /// A unit vector.
    pub(super) along: Vector,
    /// The length from the ray's origin to the point.
    before: f64,
    /// The ray's direction has the length `length` / `scale`.
    length: f64,
    scale: f64,
}

/// The least square of the sine of the angle between a line and the axis at which the line is taken
/// from its point nearest to the axis.
const FAR_FROM_PARALLEL: f64 = 1e-4;

impl NearLine {
    /// The line near an axis from `start` along a unit vector, if there is one; `middle` is the
    /// middle of the axis as seen from its start.
    pub(super) fn new<T: Scalar>(
        ray: &Ray<T>,
        start: [T; 3],
        middle: Vector,
        unit: Option<Vector>,
    ) -> Self {
        let direction = ray.direction.map(T::to_f64);
        let scale = 1.0 / power_of_two(largest(&direction));
        let scaled = times(scale, direction);
        let length = dot(scaled, scaled).sqrt();
        let along = times(1.0 / length, scaled);
        let origin = sub(ray.origin.map(T::to_f64), start.map(T::to_f64));
        let mut before = dot(sub(middle, origin), along);
        if let Some(unit) = unit {
            let ((_, off), (_, d_off)) = (split(origin, unit), split(along, unit));
            let square = dot(d_off, d_off);
            if square > FAR_FROM_PARALLEL {
                before = -dot(off, d_off) / square;
            }
        }
        let origin = add(origin, times(before, along));
        Self { origin, along, before, length, scale }
    }

    /// The point at a length.
    pub(super) fn point(&self, at: f64) -> Vector {
        add(self.origin, times(at, self.along))
    }

    /// The ray's parameter at a length.
    pub(super) fn t(&self, at: f64) -> f64 {
        (self.before + at) / self.length * self.scale
    }
}

/// The roots of a x² + 2 b x + c with a ≠ 0, ascending; `discriminant` is b² − a c, which is not
/// negative. With −b they are the negatives of these, to the last bit: where a line is reversed.
pub(super) fn roots([a, b, c]: [f64; 3], discriminant: f64) -> [f64; 2] {
    let [one, other] = if b == 0.0 {
        let root = discriminant.sqrt() / a;
        [-root, root]
    } else {
        // Away from 0, so that no digit is lost.
        let q = -(b + discriminant.sqrt().copysign(b));
        [q / a, c / q]
    };
    [one.min(other), one.max(other)]
}

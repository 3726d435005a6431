//! Three numbers in `f64`: points and directions.
//!
//! Of inputs of `f32` a difference, a product or a short sum in `f64` is off by some 1e-16 of its
//! terms, and the kernels by some 1e-6. Of inputs of `f64` both are off by 1e-16: what must be
//! known better is computed in [`Double`].

use crate::double::{Double, Wide};
use lanecast::Scalar;

/// The unit roundoff of `f32`.
pub const ROUNDOFF: f64 = 1.0 / (1_u64 << 24) as f64;

/// The unit roundoff of `f64`.
pub const FINE: f64 = 0.5 * f64::EPSILON;

/// The least positive `f32`.
pub const LEAST: f64 = f32::from_bits(1) as f64;

/// A point or a direction.
pub type Vector = [f64; 3];

/// A vector of the engine's, exactly.
pub fn vector<T: Scalar>(v: [T; 3]) -> Vector {
    v.map(T::to_f64)
}

/// The nearest vector of the engine's.
pub fn rounded<T: Numbers>(v: Vector) -> [T; 3] {
    v.map(T::nearest)
}

pub fn minus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

pub fn plus(a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|axis| a[axis] + b[axis])
}

pub fn times(s: f64, a: Vector) -> Vector {
    a.map(|x| s * x)
}

pub fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn length(a: Vector) -> f64 {
    dot(a, a).sqrt()
}

/// The same direction with length 1; NaN of a zero vector.
pub fn unit(a: Vector) -> Vector {
    times(1.0 / length(a), a)
}

/// The numbers of a precision, as tests make them, and what the engine promises of them.
pub trait Numbers: lanecast::Precision {
    /// Numbers with room for the product of two.
    type Finer: Wide;

    /// The unit roundoff.
    const ROUNDOFF: f64;
    /// The least positive number.
    const LEAST: f64;
    /// How far the weights of a hit on a triangle may be off, and `t` in parts of the greatest `t`
    /// at a vertex, beside the rounding of the vertices; as much again for those of the reference
    /// where they are of `f64`.
    const OF_WEIGHTS: f64;
    const OF_REACH: f64;

    fn nearest(x: f64) -> Self;
}

impl Numbers for f32 {
    type Finer = f64;

    const ROUNDOFF: f64 = ROUNDOFF;
    const LEAST: f64 = LEAST;
    const OF_WEIGHTS: f64 = 2.0 * ROUNDOFF;
    const OF_REACH: f64 = 1.0 / (1_u64 << 47) as f64;

    fn nearest(x: f64) -> Self {
        x as Self
    }
}

impl Numbers for f64 {
    type Finer = Double;

    const ROUNDOFF: f64 = FINE;
    const LEAST: f64 = Self::from_bits(1);
    const OF_WEIGHTS: f64 = 1.0 / (1_u64 << 47) as f64;
    const OF_REACH: f64 = 1.0 / (1_u64 << 46) as f64;

    fn nearest(x: f64) -> Self {
        x
    }
}

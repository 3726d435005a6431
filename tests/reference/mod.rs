//! What the kernels should answer, in `f64`, written for reading. Shares no code with the source.
//!
//! Inputs are `f32`, so a difference, a product or a short sum of them in `f64` is off by some
//! 1e-16 of its terms. The kernels are off by some 1e-6. What the references say is therefore the
//! truth for every comparison that leaves the kernels the margins stated here.
#![allow(dead_code, unreachable_pub, reason = "every test binary uses its own part of this")]

use lanecast::Ray;

pub mod crossing;
pub mod frame;
pub mod inside;
pub mod nearest;
pub mod shape;
pub mod triangle;

/// The unit roundoff of `f32`.
pub const ROUNDOFF: f64 = 1.0 / (1u64 << 24) as f64;

/// The least positive `f32`.
pub const LEAST: f64 = f32::from_bits(1) as f64;

pub type Vector = [f64; 3];

pub fn vector(v: [f32; 3]) -> Vector {
    v.map(f64::from)
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

pub fn unit(a: Vector) -> Vector {
    times(1.0 / length(a), a)
}

/// The ray's interval in `f64`.
pub fn interval(ray: &Ray) -> [f64; 2] {
    [f64::from(ray.t_min), f64::from(ray.t_max)]
}

//! Three numbers in `f64`: points and directions.
//!
//! Inputs are `f32`, so a difference, a product or a short sum of them in `f64` is off by some 1e-16 of its terms. The
//! kernels are off by some 1e-6.

/// The unit roundoff of `f32`.
pub const ROUNDOFF: f64 = 1.0 / (1_u64 << 24) as f64;

/// The unit roundoff of `f64`.
pub const FINE: f64 = 0.5 * f64::EPSILON;

/// The least positive `f32`.
pub const LEAST: f64 = f32::from_bits(1) as f64;

/// A point or a direction.
pub type Vector = [f64; 3];

/// A vector of `f32`, exactly.
pub fn vector(v: [f32; 3]) -> Vector {
    v.map(f64::from)
}

/// The nearest vector of `f32`.
pub fn rounded(v: Vector) -> [f32; 3] {
    v.map(|x| x as f32)
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

/// The numbers of a precision, as tests make them.
pub trait Numbers: lanecast::Precision {
    fn nearest(x: f64) -> Self;
}

impl Numbers for f32 {
    fn nearest(x: f64) -> Self {
        x as Self
    }
}

impl Numbers for f64 {
    fn nearest(x: f64) -> Self {
        x
    }
}

//! Oriented boxes and rays in either precision, by hand.

use lanecast::Ray;
use lanecast::primitive::Obb;
use lanecast_reference::kernel::number::Number;

/// What a test needs to know of a precision beyond the reference's own.
pub(crate) trait Precision: Number {
    /// Rotations have entries of so many bits: as few as the tolerance allows, so that products
    /// with small whole numbers are exact.
    const AXIS_BITS: i32;
}

impl Precision for f32 {
    const AXIS_BITS: i32 = 18;
}

impl Precision for f64 {
    const AXIS_BITS: i32 = 42;
}

pub(crate) fn of<T: Precision>(v: [f64; 3]) -> [T; 3] {
    v.map(T::of_f64)
}

pub(crate) const IDENTITY: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// Two turns by the angle of the triangle 3-4-5, about z and about x.
pub(crate) const TURNED_TWICE: [[f64; 3]; 3] =
    [[0.6, 0.8, 0.0], [-0.48, 0.36, 0.8], [0.64, -0.48, 0.6]];

/// Axes whose products with small whole numbers are exact.
pub(crate) fn short<T: Precision>(axes: [[f64; 3]; 3]) -> [[T; 3]; 3] {
    let scale = 2.0_f64.powi(T::AXIS_BITS);
    axes.map(|axis| axis.map(|x| T::of_f64((x * scale).round() / scale)))
}

pub(crate) fn obb<T: Precision>(
    center: [f64; 3],
    axes: [[f64; 3]; 3],
    half_extents: [f64; 3],
) -> Obb<T> {
    Obb::new(of(center), short(axes), of(half_extents)).expect("a sound box")
}

pub(crate) fn ray<T: Precision>(
    origin: [f64; 3],
    direction: [f64; 3],
    [t_min, t_max]: [f64; 2],
) -> Ray<T> {
    Ray {
        origin: of(origin),
        direction: of(direction),
        t_min: T::of_f64(t_min),
        t_max: T::of_f64(t_max),
    }
}

pub(crate) const LINE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
pub(crate) const RAY: [f64; 2] = [0.0, f64::INFINITY];
pub(crate) const SEGMENT: [f64; 2] = [0.0, 1.0];

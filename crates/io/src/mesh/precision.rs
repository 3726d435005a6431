//! The precision of coordinates, and which need `f64`.

use super::compiled::Compiled;
use crate::hits::Values;
use lanecast::Precision;

/// The precision of coordinates of meshes, rays, points and answers: `f32` or `f64`.
#[expect(private_bounds, reason = "there are no others: how they are read is not for callers")]
pub trait Coordinate: Precision + std::str::FromStr + Compiled {
    /// The nearest number of this precision, infinite beyond its range.
    fn nearest(value: f64) -> Self;

    /// Such numbers as the values of a column.
    fn values(values: &[Self]) -> Values<'_>;
}

impl Coordinate for f32 {
    fn nearest(value: f64) -> Self {
        value as Self
    }

    fn values(values: &[Self]) -> Values<'_> {
        Values::F32(values)
    }
}

impl Coordinate for f64 {
    fn nearest(value: f64) -> Self {
        value
    }

    fn values(values: &[Self]) -> Values<'_> {
        Values::F64(values)
    }
}

/// How coarse `f32` is for a mesh, where rounding to it shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coarseness {
    /// The distance between neighbouring `f32` at the coordinate of greatest magnitude.
    pub spacing: f32,
    /// How many such steps make the longest side of the box around the mesh.
    pub steps: u32,
}

impl Coarseness {
    /// The rule by which a mesh needs `f64`: the longest side of the box around it, from its least corner to its greatest, is
    /// shorter than 2²⁰ steps between neighbouring `f32` at the coordinate of greatest magnitude. So it does wherever that
    /// coordinate is 16 times as large as that side or larger, and nowhere up to 8 times. `None` where `f32` is fine enough: it
    /// moves no coordinate by more than 1/2,000,000 of that side then. `None` for a box without extent too.
    pub fn of_f32([min, max]: [[f64; 3]; 2]) -> Option<Self> {
        const FINE_ENOUGH: f64 = (1 << 20) as f64;
        let farthest = min.iter().chain(&max).fold(0.0_f64, |farthest, x| farthest.max(x.abs())) as f32;
        let size = (0..3).fold(0.0_f64, |size, axis| size.max(max[axis] - min[axis]));
        let spacing = farthest.next_up() - farthest;
        let steps = size / f64::from(spacing);
        (size > 0.0 && steps < FINE_ENOUGH).then_some(Self { spacing, steps: steps as u32 })
    }
}

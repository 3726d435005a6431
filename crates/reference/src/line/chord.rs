//! Where a line goes through a solid: what brute force finds of boxes, oriented boxes and spheres.
//!
//! The engine answers in `f64`, and for `f32` rounds `t` once. So does this, by other steps, and
//! says how far apart the two may be.

use super::Passage;
use crate::vector::{Numbers, Vector};
use lanecast::Side;

/// Where a line enters a solid and where it leaves it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chord {
    /// Each as the least and the greatest `t` that rounding to `f64` leaves possible.
    pub ends: [[f64; 2]; 2],
    /// The normals at both ends, outwards, if it is known which face has them.
    pub normals: [Option<(Vector, f64)>; 2],
    /// Whether the line meets the solid for certain; if not, it passes its edge by less than
    /// rounding may do.
    pub is_certain: bool,
}

impl Chord {
    /// The same with what the engine tells of it: `t` in its precision.
    pub fn passages<T: Numbers>(&self) -> [Passage; 2] {
        [0, 1].map(|end| {
            let ([least, greatest], side) = (self.ends[end], [Side::Front, Side::Back][end]);
            let [t, fine] = if least.is_finite() && greatest.is_finite() {
                [0.5 * (least + greatest), 0.5 * (greatest - least)]
            } else {
                [0.0, f64::INFINITY]
            };
            let t_error = 1.01 * (fine + T::ROUNDOFF * t.abs()) + T::LEAST;
            let (weights, weight_errors, normal) = ([0.0; 2], [0.0; 2], self.normals[end]);
            Passage { t, t_error, weights, weight_errors, crosses: true, side, normal }
        })
    }
}

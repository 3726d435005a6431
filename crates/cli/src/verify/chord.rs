//! Where a line goes through a solid: what brute force finds of boxes, oriented boxes and spheres.
//!
//! The engine answers in `f64` and rounds `t` once. So does this, by other steps, and says how far apart the two may be.

use super::reference::{LEAST, Passage, ROUNDOFF};

/// The unit roundoff of `f64`.
pub(super) const FINE: f64 = 0.5 * f64::EPSILON;

/// Where a line enters a solid and where it leaves it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Chord {
    /// Each as the least and the greatest `t` that rounding to `f64` leaves possible.
    pub(super) ends: [[f64; 2]; 2],
    /// Whether the line meets the solid for certain; if not, it passes its edge by less than rounding may do.
    pub(super) is_certain: bool,
}

impl Chord {
    /// The same with what the engine tells of it: `t` in `f32`.
    pub(super) fn passages(&self) -> [Passage; 2] {
        self.ends.map(|[least, greatest]| {
            let [t, fine] = if least.is_finite() && greatest.is_finite() {
                [0.5 * (least + greatest), 0.5 * (greatest - least)]
            } else {
                [0.0, f64::INFINITY]
            };
            let t_error = 1.01 * (fine + ROUNDOFF * t.abs()) + LEAST;
            Passage { t, t_error, weights: [0.0; 2], weight_errors: [0.0; 2], crosses: true }
        })
    }
}

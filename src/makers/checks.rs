//! Checks of the options of makers.

use super::vector::{Vector, length};
use crate::error::{Error, Result};
use crate::math::LARGEST_COORDINATE;

/// A maker, by its name in errors.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked(pub(super) &'static str);

impl Asked {
    /// The error of an unusable field, with the reason.
    pub(super) fn refuse<T>(self, field: &'static str, problem: impl Into<String>) -> Result<T> {
        Err(Error::UnusableField { maker: self.0, field, problem: problem.into() })
    }

    /// A number within the bound on coordinates.
    pub(super) fn number(self, field: &'static str, x: f64) -> Result<f64> {
        if x.abs() <= f64::from(LARGEST_COORDINATE) {
            Ok(x)
        } else {
            self.refuse(field, format!("is {x}; it must be finite and at most 2^100 in magnitude"))
        }
    }

    /// A point, or a direction that may be zero.
    pub(super) fn point(self, field: &'static str, point: Vector) -> Result<Vector> {
        if point.iter().all(|x| x.abs() <= f64::from(LARGEST_COORDINATE)) {
            Ok(point)
        } else {
            self.refuse(field, format!("is {point:?}; it must be finite and at most 2^100 in magnitude"))
        }
    }

    /// A direction with a length.
    pub(super) fn direction(self, field: &'static str, direction: Vector) -> Result<Vector> {
        // Beyond this a square is beyond what `f64` holds.
        let least = 1.0 / f64::from(LARGEST_COORDINATE);
        let direction = self.point(field, direction)?;
        if length(direction) >= least {
            Ok(direction)
        } else {
            self.refuse(field, format!("is {direction:?}, which has no direction"))
        }
    }

    /// Checks the numbers of rays to the side and down; returns their product.
    pub(super) fn size(self, field: &'static str, size: [u32; 2]) -> Result<[usize; 2]> {
        let [width, height] = size.map(|side| side as usize);
        match width.checked_mul(height) {
            Some(1..) => Ok([width, height]),
            _ => {
                self.refuse(field, format!("is {width} x {height}; there must be a ray, and all be counted"))
            }
        }
    }
}

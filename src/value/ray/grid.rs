//! Points on a grid, computed on demand.

use std::ops::Range;

use crate::columns::rows;
use crate::error::{Error, Result};
use crate::math::LARGEST_COORDINATE;
use crate::simd::{Scalar, with_default_float_mode};

/// The points `origin + i · spacing` along each axis, for so many i from 0 on.
///
/// They are numbered along x first, then y, then z: point (i, j, k) of nx × ny × nz has the number
/// (k · ny + j) · nx + i, as in an array of the shape (nz, ny, nx). Each is computed in `f64`, and
/// rounded to `f32` once.
///
/// ```
/// use lanecast::PointGrid;
/// let grid = PointGrid::new([0.0, 0.0, 1.0], [0.5, 1.0, 0.0], [3, 2, 1])?;
/// assert_eq!((grid.len(), grid.point(5)), (6, [1.0, 1.0, 1.0]));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PointGrid<T = f32> {
    origin: [T; 3],
    spacing: [T; 3],
    counts: [usize; 3],
}

impl<T: Scalar> PointGrid<T> {
    /// The grid of so many points along x, y and z. A spacing may be negative or 0, and a grid may
    /// have no points.
    ///
    /// # Errors
    /// [`Error::UnusableGrid`] for a number that is not finite, a coordinate beyond 2¹⁰⁰, or more
    /// points than `usize::MAX`.
    pub fn new(origin: [T; 3], spacing: [T; 3], counts: [usize; 3]) -> Result<Self> {
        let refused = |axis, reason| Err(Error::UnusableGrid { axis, reason });
        let within = |x: f64| x.abs() <= f64::from(LARGEST_COORDINATE);
        for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
            if !(within(origin[axis].to_f64()) && spacing[axis].is_finite()) {
                return refused(
                    name,
                    "origin and spacing must be finite, and the origin at most 2^100",
                );
            }
            let reach = counts[axis].saturating_sub(1) as f64 * spacing[axis].to_f64();
            if !within(origin[axis].to_f64() + reach) {
                return refused(name, "points must be at most 2^100 in magnitude");
            }
        }
        let counted = counts.into_iter().try_fold(1_usize, usize::checked_mul);
        // The product may overflow on its way to 0.
        if counted.is_none() && !counts.contains(&0) {
            return refused("z", "there are more points than can be counted");
        }
        Ok(Self { origin, spacing, counts })
    }

    /// The number of points along x, y and z.
    pub const fn counts(&self) -> [usize; 3] {
        self.counts
    }

    /// The number of points.
    pub const fn len(&self) -> usize {
        let [x, y, z] = self.counts;
        x.wrapping_mul(y).wrapping_mul(z)
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Point number `index`. Panics if `index` is not below [`len`](Self::len).
    pub fn point(&self, index: usize) -> [T; 3] {
        assert!(index < self.len(), "point {index} of a grid of {}", self.len());
        with_default_float_mode(|| self.at(index))
    }

    fn at(&self, index: usize) -> [T; 3] {
        let [x, y, _] = self.counts;
        let place = [index % x, index / x % y, index / x / y];
        let at = |axis: usize| {
            self.origin[axis].to_f64() + place[axis] as f64 * self.spacing[axis].to_f64()
        };
        [0, 1, 2].map(|axis| T::nearest_to(at(axis)))
    }

    pub(crate) fn points(&self, rows: Range<usize>) -> Vec<[T; 3]> {
        with_default_float_mode(|| rows.map(|index| self.at(index)).collect())
    }
}

rows! {
    /// The points in the order of their numbers.
    [T: Scalar] PointGrid<T> => [T; 3], Self::len, Self::point
}

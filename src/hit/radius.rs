//! How far to look around points.

use crate::error::{Error, Result};

/// How far away what is nearest to each point of a batch may be, itself included; [`f32::INFINITY`] for wherever it is.
///
/// ```
/// use lanecast::Radius;
/// let (every_point_the_same, each_its_own) = (Radius::from(0.5), Radius::from(&[0.5, f32::INFINITY]));
/// assert_eq!(every_point_the_same, Radius::Same(0.5));
/// assert_eq!(each_its_own, Radius::PerPoint(&[0.5, f32::INFINITY]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Radius<'a> {
    /// All points the same.
    Same(f32),
    /// A column: each point its own.
    PerPoint(&'a [f32]),
}

impl From<f32> for Radius<'_> {
    fn from(radius: f32) -> Self {
        Self::Same(radius)
    }
}

impl<'a> From<&'a [f32]> for Radius<'a> {
    fn from(radii: &'a [f32]) -> Self {
        Self::PerPoint(radii)
    }
}

impl<'a> From<&'a Vec<f32>> for Radius<'a> {
    fn from(radii: &'a Vec<f32>) -> Self {
        Self::PerPoint(radii)
    }
}

impl<'a, const N: usize> From<&'a [f32; N]> for Radius<'a> {
    fn from(radii: &'a [f32; N]) -> Self {
        Self::PerPoint(radii)
    }
}

impl Radius<'_> {
    /// Finds a column that is not as long as there are points.
    pub(crate) fn check(&self, points: usize) -> Result<()> {
        match self {
            Self::PerPoint(radii) if radii.len() != points => {
                Err(Error::ColumnLength { column: "radii", found: radii.len(), expected: points })
            }
            _ => Ok(()),
        }
    }

    /// The radius of a point.
    #[inline(always)]
    pub(crate) fn of(&self, point: usize) -> f32 {
        match *self {
            Self::Same(radius) => radius,
            Self::PerPoint(radii) => radii[point],
        }
    }

    /// The points from this one on.
    #[must_use]
    pub(crate) fn skip(self, points: usize) -> Self {
        match self {
            Self::Same(_) => self,
            Self::PerPoint(radii) => Self::PerPoint(&radii[points..]),
        }
    }
}

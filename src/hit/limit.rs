//! How many hits are asked for.

use std::ops::Range;

use crate::error::{Error, Result};

/// How many of its hits each ray of a batch asks for, at most.
///
/// ```
/// use lanecast::Limit;
/// let (every_ray_five, each_its_own) = (Limit::from(5), Limit::from(&[1, 0, 8]));
/// assert_eq!((every_ray_five, each_its_own), (Limit::Same(5), Limit::PerRay(&[1, 0, 8])));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit<'a> {
    /// All rays as many.
    Same(u32),
    /// A column: each ray its own.
    PerRay(&'a [u32]),
}

impl From<u32> for Limit<'_> {
    fn from(limit: u32) -> Self {
        Self::Same(limit)
    }
}

impl<'a> From<&'a [u32]> for Limit<'a> {
    fn from(limits: &'a [u32]) -> Self {
        Self::PerRay(limits)
    }
}

impl<'a> From<&'a Vec<u32>> for Limit<'a> {
    fn from(limits: &'a Vec<u32>) -> Self {
        Self::PerRay(limits)
    }
}

impl<'a, const N: usize> From<&'a [u32; N]> for Limit<'a> {
    fn from(limits: &'a [u32; N]) -> Self {
        Self::PerRay(limits)
    }
}

impl Limit<'_> {
    /// Finds a column that is not as long as there are rays.
    pub(crate) fn check(&self, rays: usize) -> Result<()> {
        match self {
            Self::PerRay(limits) if limits.len() != rays => {
                Err(Error::ColumnLength { column: "limits", found: limits.len(), expected: rays })
            }
            _ => Ok(()),
        }
    }

    /// The limits of some rays.
    pub(crate) fn slice(self, rows: Range<usize>) -> Self {
        match self {
            Self::PerRay(limits) => Self::PerRay(&limits[rows]),
            same => same,
        }
    }

    /// The limit of a ray.
    #[inline]
    pub(crate) fn of(&self, ray: usize) -> u32 {
        match *self {
            Self::Same(limit) => limit,
            Self::PerRay(limits) => limits[ray],
        }
    }
}

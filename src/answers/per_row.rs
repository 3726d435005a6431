//! One value for all rays or points of a batch, or a column of values.

use std::ops::Range;

use crate::columns::expect_length;
use crate::error::Result;

/// A value for all rays or points of a batch, or a column with one for each.
///
/// ```
/// use lanecast::answers::PerRow;
/// let (every_ray_five, each_its_own) = (PerRow::from(5), PerRow::from(&[1, 0, 8]));
/// assert_eq!((every_ray_five, each_its_own), (PerRow::Same(5), PerRow::Each(&[1, 0, 8])));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PerRow<'a, V> {
    /// The same for all.
    Same(V),
    /// A column: each row its own.
    Each(&'a [V]),
}

impl<V: std::fmt::Debug> std::fmt::Debug for PerRow<'_, V> {
    /// Shows a value, and of a column its length.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Same(value) => f.debug_tuple("Same").field(value).finish(),
            Self::Each(column) => {
                f.debug_struct("Each").field("len", &column.len()).finish_non_exhaustive()
            }
        }
    }
}

impl<V> From<V> for PerRow<'_, V> {
    fn from(value: V) -> Self {
        Self::Same(value)
    }
}

impl<'a, V> From<&'a [V]> for PerRow<'a, V> {
    fn from(column: &'a [V]) -> Self {
        Self::Each(column)
    }
}

impl<'a, V> From<&'a Vec<V>> for PerRow<'a, V> {
    fn from(column: &'a Vec<V>) -> Self {
        Self::Each(column)
    }
}

impl<'a, V, const N: usize> From<&'a [V; N]> for PerRow<'a, V> {
    fn from(column: &'a [V; N]) -> Self {
        Self::Each(column)
    }
}

impl<V: Copy> PerRow<'_, V> {
    /// Refuses a column whose length is not `rows`; messages call it `name`.
    pub(crate) fn check(&self, name: &'static str, rows: usize) -> Result<()> {
        match self {
            Self::Each(column) => expect_length(name, column.len(), rows),
            Self::Same(_) => Ok(()),
        }
    }

    #[inline(always)]
    pub(crate) fn of(&self, row: usize) -> V {
        match *self {
            Self::Same(value) => value,
            Self::Each(column) => column[row],
        }
    }

    #[must_use]
    pub(crate) fn slice(self, rows: Range<usize>) -> Self {
        match self {
            Self::Same(_) => self,
            Self::Each(column) => Self::Each(&column[rows]),
        }
    }
}

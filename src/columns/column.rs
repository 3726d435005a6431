//! One column of numbers in any memory layout.

use std::ops::Range;

use crate::simd::{LINE, prefetch};

/// One column, borrowed from the caller's memory.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Column<'a, T> {
    /// Every `stride`-th value of a slice, from `first` on. Stride 1 is a plain column, 3 a component
    /// of `[[f32; 3]]`, 6 or 8 a component of rows: one shape, and so a batch never copies.
    Strided {
        /// The slice with the values.
        values: &'a [T],
        /// The index of the first.
        first: usize,
        /// The distance from one to the next.
        stride: usize,
    },
    /// The same value in every row.
    Constant(T),
}

impl<'a, T: Copy> Column<'a, T> {
    pub(crate) const fn plain(values: &'a [T]) -> Self {
        Self::of_rows(values, 0, 1)
    }

    pub(crate) const fn of_rows(values: &'a [T], component: usize, width: usize) -> Self {
        Self::Strided { values, first: component, stride: width }
    }

    #[inline(always)]
    pub(crate) fn get(&self, row: usize) -> T {
        match *self {
            Self::Strided { values, first, stride } => values[first + row * stride],
            Self::Constant(value) => value,
        }
    }

    /// Rows `row` to `row + 7`.
    #[inline(always)]
    pub(crate) fn eight(&self, row: usize) -> [T; 8] {
        match *self {
            Self::Strided { values, first, stride: 1 } => {
                *values[first + row..].first_chunk().expect("eight rows from here on")
            }
            Self::Strided { values, first, stride } => {
                let values = &values[first + row * stride..][..7 * stride + 1];
                let mut eight = [values[0]; 8];
                for (place, value) in eight.iter_mut().enumerate() {
                    *value = values[place * stride];
                }
                eight
            }
            Self::Constant(value) => [value; 8],
        }
    }

    /// The rows whose components these columns are, in order and complete, if they are.
    #[inline(always)]
    pub(crate) fn rows_of<const N: usize>(columns: [&Self; N]) -> Option<&'a [[T; N]]> {
        let Self::Strided { values: all, first: begin, .. } = *columns[0] else { return None };
        for (component, column) in columns.into_iter().enumerate() {
            match *column {
                Self::Strided { values, first, stride }
                    if stride == N && first == begin + component && std::ptr::eq(values, all) => {}
                _ => return None,
            }
        }
        Some(all.get(begin..)?.as_chunks().0)
    }

    /// Whether other numbers lie between two rows.
    pub(crate) fn is_spread(&self) -> bool {
        !matches!(self, Self::Strided { stride: 1, .. })
    }

    /// Prefetches some rows, clamped to the column.
    #[inline(always)]
    pub(crate) fn prefetch_rows(&self, rows: Range<usize>) {
        if let Self::Strided { values, first, stride } = *self {
            let line = const { LINE / size_of::<T>() };
            // One prefetch per cache line.
            let step = if stride > line / 2 { stride } else { line };
            for place in (first + rows.start * stride..first + rows.end * stride).step_by(step.max(1)) {
                if let Some(value) = values.get(place) {
                    prefetch(value);
                }
            }
        }
    }

    pub(crate) fn skip(self, rows: usize) -> Self {
        match self {
            Self::Strided { values, first, stride } => {
                Self::Strided { values, first: first + rows * stride, stride }
            }
            Self::Constant(_) => self,
        }
    }

    /// The `count` rows from `start` on, if they are contiguous.
    #[inline(always)]
    pub(crate) fn plain_rows(&self, start: usize, count: usize) -> Option<&'a [T]> {
        match *self {
            Self::Strided { values, first, stride: 1 } => values.get(first + start..)?.get(..count),
            _ => None,
        }
    }

    /// The common value of all rows, if there is one.
    #[inline(always)]
    pub(crate) fn constant(&self) -> Option<T> {
        match *self {
            Self::Constant(value) => Some(value),
            Self::Strided { .. } => None,
        }
    }

    /// The number of rows before the first that begins a cache line; 0 if unknown.
    pub(crate) fn rows_before_cache_line(&self) -> usize {
        match *self {
            Self::Strided { values, first, stride: 1 } => match values.get(first..) {
                // Values that are not a whole number of steps from it never begin one.
                Some(rows) => Some(rows.as_ptr().align_offset(LINE)).filter(|&rows| rows < LINE).unwrap_or(0),
                None => 0,
            },
            _ => 0,
        }
    }

    /// Copies the rows from `start` on, as many as `into` holds.
    pub(crate) fn copy_to(&self, start: usize, into: &mut [T]) {
        match *self {
            Self::Strided { values, first, stride: 1 } => {
                into.copy_from_slice(&values[first + start..][..into.len()]);
            }
            Self::Strided { values, first, stride } => {
                let mut values = &values[first + start * stride..];
                // Four at a time; one at a time the loop counter dominates.
                let (fours, rest) = into.as_chunks_mut::<4>();
                for four in fours {
                    let group = &values[..3 * stride + 1];
                    *four = [group[0], group[stride], group[2 * stride], group[3 * stride]];
                    values = values.get(4 * stride..).unwrap_or_default();
                }
                for (into, value) in rest.iter_mut().zip(values.iter().step_by(stride)) {
                    *into = *value;
                }
            }
            Self::Constant(value) => into.fill(value),
        }
    }
}

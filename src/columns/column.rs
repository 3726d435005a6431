//! One column of numbers, wherever they lie.

use crate::simd::Vectors;

/// One column, borrowed from the caller's memory as it lies.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Column<'a, T> {
    /// Every `stride`-th value of a slice, from `first` on. Stride 1 is a plain column, 3 a component
    /// of `[[f32; 3]]`, 6 or 8 a component of rows: one shape, and so a batch never copies.
    Strided {
        /// Where the values lie.
        values: &'a [T],
        /// The place of the first.
        first: usize,
        /// From one to the next.
        stride: usize,
    },
    /// The same value in every row.
    Constant(T),
}

impl<'a, T: Copy + bytemuck::Zeroable> Column<'a, T> {
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

    pub(crate) fn skip(self, rows: usize) -> Self {
        match self {
            Self::Strided { values, first, stride } => {
                Self::Strided { values, first: first + rows * stride, stride }
            }
            Self::Constant(_) => self,
        }
    }

    /// The rows from `start` on, as many as a vector has lanes, of a column that has `len` rows; zeros
    /// where there are no more.
    #[inline(always)]
    pub(crate) fn load<V: Vectors<T>>(&self, lanes: V, start: usize, len: usize) -> V::Real {
        let count = V::COUNT.min(len - start);
        let mut row: V::Row = bytemuck::Zeroable::zeroed();
        match *self {
            // The common case is one load, without a loop over lanes.
            Self::Strided { values, first, stride: 1 } if count == V::COUNT => {
                row.as_mut().copy_from_slice(&values[first + start..][..V::COUNT]);
            }
            Self::Strided { values, first, stride } => {
                for (lane, value) in row.as_mut().iter_mut().enumerate().take(count) {
                    *value = values[first + (start + lane) * stride];
                }
            }
            Self::Constant(value) => return lanes.splat(value),
        }
        lanes.load(&row)
    }
}

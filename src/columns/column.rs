//! One column of numbers in any memory layout.

use std::ops::Range;

use super::{expect_rows, shown};
use crate::error::{Error, Result};
use crate::simd::{LINE, Scalar, prefetch};

#[derive(Debug, Clone, Copy)]
pub(crate) enum Column<'a, T> {
    /// Every `stride`-th value of a slice, from `first` on. Stride 1 is a plain column, 3 a
    /// component of `[[f32; 3]]`, 6 or 8 a component of rows: one shape, and so a batch never
    /// copies.
    Strided { values: &'a [T], first: usize, stride: usize },
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

    /// Prefetches some rows, clamped to the column.
    #[inline(always)]
    pub(crate) fn prefetch_rows(&self, rows: Range<usize>) {
        if let Self::Strided { values, first, stride } = *self {
            let line = const { LINE / size_of::<T>() };
            // One prefetch per cache line.
            let step = if stride > line / 2 { stride } else { line };
            for place in
                (first + rows.start * stride..first + rows.end * stride).step_by(step.max(1))
            {
                if let Some(value) = values.get(place) {
                    prefetch(value);
                }
            }
        }
    }

    pub(crate) fn skip(mut self, rows: usize) -> Self {
        if let Self::Strided { first, stride, .. } = &mut self {
            *first += rows * *stride;
        }
        self
    }

    /// The `count` rows from `start` on, if they are contiguous.
    #[inline(always)]
    pub(crate) fn plain_rows(&self, start: usize, count: usize) -> Option<&'a [T]> {
        match *self {
            Self::Strided { values, first, stride: 1 } => values.get(first + start..)?.get(..count),
            _ => None,
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

/// One number of each row: a slice, a column of a table, or a field of each of the caller's
/// structs.
///
/// ```
/// use lanecast::columns::Strided;
/// use lanecast::RayBatch;
/// use std::mem::offset_of;
/// #[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
/// #[repr(C)]
/// struct Beam { channel: u32, position: [f32; 3], heading: [f32; 3] }
///
/// let beams = [Beam { channel: 7, position: [1.0, 2.0, 3.0], heading: [0.0, 0.0, 1.0] }];
/// let field = |offset: usize, axis: usize| Strided::<f32>::of_field(&beams, offset + 4 * axis);
/// let vector = |offset| Ok::<_, lanecast::Error>([field(offset, 0)?, field(offset, 1)?, field(offset, 2)?]);
/// let rays = RayBatch::from_strided(vector(offset_of!(Beam, position))?, vector(offset_of!(Beam, heading))?)?;
/// assert_eq!((rays.ray(0).origin, rays.ray(0).direction), ([1.0, 2.0, 3.0], [0.0, 0.0, 1.0]));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Strided<'a, T> {
    pub(crate) column: Column<'a, T>,
    pub(crate) len: usize,
}

shown!([T] Strided<'_, T> as "Strided", self { "len": self.len });

impl<'a, T: Scalar, V: AsRef<[T]> + ?Sized> From<&'a V> for Strided<'a, T> {
    fn from(values: &'a V) -> Self {
        let values = values.as_ref();
        Self { column: Column::plain(values), len: values.len() }
    }
}

impl<'a, T: Scalar> Strided<'a, T> {
    /// Column `component` of a table that is `width` numbers wide. [`Error::RowWidth`] if the slice
    /// does not divide into rows, or `component` is not below `width`.
    pub fn of_rows(values: &'a [T], component: usize, width: usize) -> Result<Self> {
        if component >= width {
            return Err(Error::RowWidth { found: values.len(), width });
        }
        Ok(Self {
            column: Column::of_rows(values, component, width),
            len: expect_rows(values.len(), width)?,
        })
    }

    /// `len` numbers of a slice, `step` apart from number `first` on: a column of an array whose
    /// rows lie in any way. With a step of 0 it is one number, `len` times.
    ///
    /// ```
    /// use lanecast::columns::Strided;
    /// use lanecast::primitive::SphereBatch;
    /// // Two spheres of which each second number counts.
    /// let table = [0.0, 9.0, 1.0, 9.0, 2.0, 9.0, 4.0, 9.0, 5.0, 9.0, 6.0];
    /// let column = |first| Strided::every(&table, first, 6, 2);
    /// let spheres =
    ///     SphereBatch::from_strided_parts([column(0)?, column(2)?, column(4)?, Strided::every(&[7.0], 0, 0, 2)?])?;
    /// assert_eq!((spheres.get(1).center, spheres.get(1).radius), ([4.0, 5.0, 6.0], 7.0));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// [`Error::ColumnLength`] if the slice ends before the last of them: it tells the length of
    /// the slice, and the one needed.
    pub fn every(values: &'a [T], first: usize, step: usize, len: usize) -> Result<Self> {
        let last =
            len.saturating_sub(1).checked_mul(step).and_then(|steps| steps.checked_add(first));
        let expected = last.map_or(usize::MAX, |last| last.saturating_add(1));
        if len == 0 {
            return Ok(Self { column: Column::plain(&[]), len });
        }
        if expected > values.len() {
            return Err(Error::ColumnLength { column: "every", found: values.len(), expected });
        }
        let column = match step {
            0 => Column::Constant(values[first]),
            _ => Column::of_rows(values, first, step),
        };
        Ok(Self { column, len })
    }

    /// The field of each struct at this offset in bytes, as `std::mem::offset_of!` gives it.
    ///
    /// # Errors
    /// [`Error::UnusableField`] if the structs are not aligned or sized as numbers `T`, or no
    /// number is at the offset.
    pub fn of_field<S: bytemuck::NoUninit>(structs: &'a [S], offset: usize) -> Result<Self> {
        let (size, number) = (size_of::<S>(), size_of::<T>());
        let unusable = || {
            let problem = format!("{offset} is not that of a number of {number} bytes in {size}");
            Error::UnusableField { maker: "Strided", field: "offset", problem }
        };
        let values = bytemuck::try_cast_slice(structs).map_err(|_| unusable())?;
        if !size.is_multiple_of(number) || !offset.is_multiple_of(number) || offset >= size {
            return Err(unusable());
        }
        Ok(Self {
            column: Column::of_rows(values, offset / number, size / number),
            len: structs.len(),
        })
    }
}

//! Numbers at equal distances in the caller's memory.

use super::{Column, Columns, PartsOf, Record, Shape, expect_length};
use crate::error::{Error, Result};
use crate::simd::Scalar;

/// One number of each row: a slice, a column of a table, or a field of each of the caller's structs.
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
#[derive(Debug, Clone, Copy)]
pub struct Strided<'a, T> {
    pub(crate) column: Column<'a, T>,
    pub(crate) len: usize,
}

impl<'a, T: Scalar> From<&'a [T]> for Strided<'a, T> {
    fn from(values: &'a [T]) -> Self {
        Self { column: Column::plain(values), len: values.len() }
    }
}

impl<'a, T: Scalar> Strided<'a, T> {
    /// Column `component` of a table that is `width` numbers wide.
    ///
    /// # Errors
    /// [`Error::RowWidth`] if the slice does not divide into rows, or `component` is not below `width`.
    pub fn of_rows(values: &'a [T], component: usize, width: usize) -> Result<Self> {
        if component >= width || !values.len().is_multiple_of(width) {
            return Err(Error::RowWidth { found: values.len(), width });
        }
        Ok(Self { column: Column::of_rows(values, component, width), len: values.len() / width })
    }

    /// The field of each struct at this offset in bytes, as `std::mem::offset_of!` gives it.
    ///
    /// # Errors
    /// [`Error::UnusableField`] if the size of the structs is not a multiple of the size of `T`, they are less aligned than
    /// `T`, or the offset is beyond them or not a multiple of the size of `T`.
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
        Ok(Self { column: Column::of_rows(values, offset / number, size / number), len: structs.len() })
    }
}

impl<'a, V: Record> Columns<'a, V> {
    /// Strided columns of equal length, one for each number of a record, in the arrangement of the record.
    ///
    /// # Errors
    /// [`Error::ColumnLength`] names the first column whose length differs; records with rules are
    /// checked, and the first that breaks one is named.
    pub fn from_strided_parts(columns: PartsOf<V, Strided<'a, V::Scalar>>) -> Result<Self> {
        let len = V::Shape::at(&columns, 0).len;
        let mut parts = V::Shape::filled(Column::Constant(V::Scalar::ZERO));
        for place in 0..V::Shape::COUNT {
            let strided = *V::Shape::at(&columns, place);
            expect_length(V::column_name(place), strided.len, len)?;
            *V::Shape::at_mut(&mut parts, place) = strided.column;
        }
        Self { parts, len, made: None }.checked()
    }
}

//! Rows of adjacent values in any memory layout.

use super::shown;
use crate::error::{Error, Result};

/// Rows of `N` adjacent values that lie a fixed number of values apart: vertices and the indices of
/// triangles where they lie, as a slice of arrays, in interleaved buffers, or as a field of each of
/// the caller's structs. Nothing is copied.
///
/// Whatever takes such rows takes references to slices, arrays and vectors of `[V; N]` too.
/// [`Strided`](super::Strided) is one number of each row, [`PointBatch`](crate::PointBatch) a column
/// for each axis.
///
/// ```
/// use lanecast::columns::StridedRows;
/// use lanecast::{Ray, SceneBuilder};
/// use std::mem::offset_of;
/// #[derive(Clone, Copy, bytemuck::Zeroable, bytemuck::Pod)]
/// #[repr(C)]
/// struct Vertex { position: [f32; 3], colour: u32, texture: [f32; 2] }
///
/// let vertex = |position| Vertex { position, colour: 7, texture: [0.5; 2] };
/// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]].map(vertex);
/// let positions: StridedRows<f32, 3> = StridedRows::of_field(&vertices, offset_of!(Vertex, position))?;
/// let scene = SceneBuilder::new().triangle_mesh(positions, &[[0, 1, 2]])?.build()?;
/// let hit = scene.cast(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0])).closest()?.expect("a hit");
/// assert_eq!((hit.t, hit.u, hit.v), (1.0, 0.25, 0.5));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct StridedRows<'a, V, const N: usize> {
    /// From the first value of the first row on.
    values: &'a [V],
    step: usize,
    len: usize,
}

shown!([V, const N: usize] StridedRows<'_, V, N> as "StridedRows", self {
    "len": self.len,
    "width": N,
    "step": self.step,
});

impl<'a, V, const N: usize, R: AsRef<[[V; N]]> + ?Sized> From<&'a R> for StridedRows<'a, V, N> {
    fn from(rows: &'a R) -> Self {
        let rows = rows.as_ref();
        Self { values: rows.as_flattened(), step: N, len: rows.len() }
    }
}

impl<'a, V, const N: usize> StridedRows<'a, V, N> {
    /// `len` rows of a slice, of which each begins `step` values after the one before, the first at
    /// value `first`. Rows may overlap, as triangles of a strip do.
    ///
    /// ```
    /// use lanecast::{SceneBuilder, columns::StridedRows};
    /// // Three vertices, each with a weight behind it but the last.
    /// let table = [0.0, 0.0, 0.0, 9.0, 1.0, 0.0, 0.0, 9.0, 0.0, 1.0, 0.0];
    /// let vertices = StridedRows::every(&table, 0, 4, 3)?;
    /// assert_eq!(vertices.get(1), [1.0, 0.0, 0.0]);
    /// let scene = SceneBuilder::new().triangle_mesh(vertices, &[[0, 1, 2]])?.build()?;
    /// assert_eq!(scene.bounds().max, [1.0, 1.0, 0.0]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::ColumnLength`] if the slice ends before the last row does: it tells the length of
    /// the slice, and the one needed. [`Error::UnusableField`] if the step of more than one row is
    /// 0.
    pub fn every(values: &'a [V], first: usize, step: usize, len: usize) -> Result<Self> {
        if len == 0 {
            return Ok(Self { values: &[], step, len });
        }
        if step == 0 && len > 1 {
            // As many rows as any number says, more than memory holds, would have to be read.
            let problem = "0 makes all rows one".into();
            return Err(Error::UnusableField { maker: "StridedRows", field: "step", problem });
        }
        let steps = (len - 1).checked_mul(step);
        let expected =
            steps.map_or(usize::MAX, |steps| steps.saturating_add(first).saturating_add(N));
        if expected > values.len() {
            return Err(Error::ColumnLength { column: "every", found: values.len(), expected });
        }
        Ok(Self { values: &values[first..expected], step, len })
    }

    /// The field of `N` values `V` of each struct at this offset in bytes, as `std::mem::offset_of!`
    /// gives it.
    ///
    /// # Errors
    /// [`Error::UnusableField`] if the structs are not aligned or sized as values `V`, or no such
    /// row is at the offset.
    pub fn of_field<S: bytemuck::NoUninit>(structs: &'a [S], offset: usize) -> Result<Self>
    where
        V: bytemuck::AnyBitPattern,
    {
        let (size, value) = (size_of::<S>(), size_of::<V>());
        let fits = value > 0
            && size.is_multiple_of(value)
            && offset.is_multiple_of(value)
            && N.checked_mul(value)
                .and_then(|row| row.checked_add(offset))
                .is_some_and(|end| end <= size);
        match bytemuck::try_cast_slice(structs) {
            Ok(values) if fits => Self::every(values, offset / value, size / value, structs.len()),
            _ => {
                let problem =
                    format!("{offset} is not that of {N} numbers of {value} bytes in {size}");
                Err(Error::UnusableField { maker: "StridedRows", field: "offset", problem })
            }
        }
    }

    /// The number of rows.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<'a, V: Copy, const N: usize> StridedRows<'a, V, N> {
    /// Row number `index`. Panics if `index` is not below [`len`](Self::len).
    #[inline(always)]
    pub fn get(&self, index: usize) -> [V; N] {
        assert!(index < self.len, "row {index} of {}", self.len);
        *self.values[index * self.step..].first_chunk().expect("rows lie within the values")
    }

    /// The place of the first row that is as said. Over contiguous rows a walk along the slice takes
    /// half the time of one by numbers.
    pub(crate) fn position(&self, is_found: impl Fn(&[V; N]) -> bool) -> Option<usize> {
        match self.as_slice() {
            Some(rows) => rows.iter().position(is_found),
            None => self.iter().position(|row| is_found(&row)),
        }
    }

    /// Copies the rows to a slice of as many.
    pub(crate) fn copy_to(&self, into: &mut [[V; N]]) {
        match self.as_slice() {
            Some(rows) => into.copy_from_slice(rows),
            None => into.iter_mut().zip(self).for_each(|(into, row)| *into = row),
        }
    }

    /// The rows as a slice, if they are contiguous.
    fn as_slice(&self) -> Option<&'a [[V; N]]> {
        (self.step == N || self.len < 2).then(|| &self.values.as_chunks().0[..self.len])
    }
}

super::rows! {
    /// The rows in order.
    ['a, V: Copy, const N: usize] StridedRows<'a, V, N> => [V; N], Self::len, Self::get
}

//! Columns of answers in the caller's memory.
#![expect(
    unsafe_code,
    reason = "columns that share the caller's rows, as fields of one struct, are disjoint"
)]

use std::marker::PhantomData;
use std::ptr::NonNull;

use crate::error::{Error, Result};
use crate::status::Status;

/// A column of answers in the caller's memory: a slice, or a field of each of the caller's structs.
#[derive(Debug)]
pub struct ColumnMut<'a, V> {
    /// The first value; each further one lies `stride` bytes on. All are aligned, initialised and
    /// valid, and exclusively borrowed for `'a`.
    first: NonNull<V>,
    stride: usize,
    len: usize,
    borrowed: PhantomData<&'a mut V>,
}

// SAFETY: a column is the only `&mut` to each of its values.
unsafe impl<V: Send> Send for ColumnMut<'_, V> {}

impl<'a, V> From<&'a mut [V]> for ColumnMut<'a, V> {
    fn from(values: &'a mut [V]) -> Self {
        let (len, stride) = (values.len(), size_of::<V>());
        Self { first: NonNull::from(values).cast(), stride, len, borrowed: PhantomData }
    }
}

impl<'a, V> From<&'a mut Vec<V>> for ColumnMut<'a, V> {
    fn from(values: &'a mut Vec<V>) -> Self {
        values.as_mut_slice().into()
    }
}

impl<'a, V, const N: usize> From<&'a mut [V; N]> for ColumnMut<'a, V> {
    fn from(values: &'a mut [V; N]) -> Self {
        values.as_mut_slice().into()
    }
}

impl<'a> From<&'a mut [u8]> for ColumnMut<'a, Status> {
    /// Statuses as their [codes](Status::code); 0 in all rows from now on, as not every byte is a
    /// status.
    fn from(codes: &'a mut [u8]) -> Self {
        ColumnMut::<u8>::from(codes).into_statuses()
    }
}

impl<'a> ColumnMut<'a, u8> {
    /// A column of statuses as their [codes](Status::code); 0 in all rows from now on, as not every
    /// byte is a status.
    pub fn into_statuses(mut self) -> ColumnMut<'a, Status> {
        // Statuses are of one byte, `repr(u8)`.
        const { assert!(size_of::<Status>() == size_of::<u8>()) };
        self.fill_with(std::iter::repeat(Status::Miss.code()));
        ColumnMut {
            first: self.first.cast(),
            stride: self.stride,
            len: self.len,
            borrowed: PhantomData,
        }
    }
}

impl<'a, V: bytemuck::Pod> ColumnMut<'a, V> {
    /// A column of `len` values in memory that Rust does not know, such as that of a caller in C.
    /// The first value is at `first`, each further one lies `stride` bytes on.
    ///
    /// ```
    /// use lanecast::{Ray, Scene, answers::HitColumns, columns::ColumnMut};
    /// use std::ptr::NonNull;
    /// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let rays = [2.0, 3.0].map(|z| Ray::new([0.25, 0.25, z], [0.0, 0.0, -1.0]));
    /// // Of four numbers every other one.
    /// let mut memory = [9.0_f32; 4];
    /// // SAFETY: two numbers, eight bytes apart, which nobody else uses meanwhile.
    /// let t = unsafe { ColumnMut::from_raw_parts(NonNull::from(&mut memory).cast::<f32>(), 8, 2) };
    /// scene.cast(&rays).closest_into(HitColumns::new().t(t))?;
    /// assert_eq!(memory, [2.0, 9.0, 3.0, 9.0]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Safety
    /// For `'a` all values are initialised and may be read and written, and nobody else does either. `first` and
    /// `stride` are multiples of the alignment of `V`, and `stride` is at least its size.
    pub const unsafe fn from_raw_parts(first: NonNull<V>, stride: usize, len: usize) -> Self {
        Self { first, stride, len, borrowed: PhantomData }
    }
}

impl<'a, V: Copy> ColumnMut<'a, V> {
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// The values as a slice, if they are contiguous.
    pub(crate) fn into_slice(self) -> std::result::Result<&'a mut [V], Self> {
        if self.stride != size_of::<V>() {
            return Err(self);
        }
        // SAFETY: the values are contiguous, and exclusively borrowed for `'a`. They are valid: the
        // caller's, of the caller's type; fields of `Pod` structs, of which any bytes are values of
        // a `Pod` field, and none is padding; of a `Pod` type, by `from_raw_parts`; or codes of
        // statuses, by `into_statuses`, over which only statuses were written since.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.first.as_ptr(), self.len) })
    }

    pub(crate) fn take_first(&mut self, rows: usize) -> Self {
        assert!(rows <= self.len, "{rows} rows of {}", self.len);
        let taken = Self { len: rows, ..*self };
        self.len -= rows;
        if self.len > 0 {
            // SAFETY: there is a value at that place.
            self.first = unsafe { self.first.byte_add(rows * self.stride) };
        }
        taken
    }

    /// Writes values to the rows, from the first on, until either end.
    pub fn fill_with(&mut self, values: impl IntoIterator<Item = V>) {
        for (row, value) in (0..self.len).zip(values) {
            // SAFETY: `row` is below `len`: the place is aligned and ours.
            unsafe { self.first.byte_add(row * self.stride).write(value) };
        }
    }
}

/// The fields of a slice of the caller's structs as columns for answers.
///
/// ```
/// use lanecast::{Ray, Scene, answers::HitColumns, columns::Fields};
/// #[derive(Clone, Copy, Default, bytemuck::Zeroable, bytemuck::Pod)]
/// #[repr(C)]
/// struct Sample { intensity: f32, range: f32, triangle: u32 }
///
/// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let rays = [Ray::new([0.25, 0.25, 5.0], [0.0, 0.0, -1.0]); 2];
/// let mut samples = [Sample::default(); 2];
/// let mut fields = Fields::of(&mut samples);
/// let (range, triangle) = (std::mem::offset_of!(Sample, range), std::mem::offset_of!(Sample, triangle));
/// let columns = HitColumns::new().t(fields.column::<f32>(range)?).primitive_id(fields.column::<u32>(triangle)?);
/// scene.cast(&rays).closest_into(columns)?;
/// assert_eq!((samples[1].range, samples[1].triangle), (5.0, 0));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug)]
pub struct Fields<'a> {
    first: NonNull<u8>,
    size: usize,
    align: usize,
    len: usize,
    /// The bytes of each struct that belong to columns.
    taken: Vec<std::ops::Range<usize>>,
    borrowed: PhantomData<&'a mut u8>,
}

impl<'a> Fields<'a> {
    /// The fields of these structs.
    pub fn of<S: bytemuck::Pod>(structs: &'a mut [S]) -> Self {
        let (len, size, align) = (structs.len(), size_of::<S>(), align_of::<S>());
        let first = NonNull::from(structs).cast();
        Self { first, size, align, len, taken: Vec::new(), borrowed: PhantomData }
    }

    /// The field at this offset in bytes, as a column.
    ///
    /// # Errors
    /// [`Error::UnusableField`] if the field reaches beyond the struct, is not aligned, or overlaps
    /// with one taken before.
    pub fn column<V: bytemuck::Pod>(&mut self, offset: usize) -> Result<ColumnMut<'a, V>> {
        let bytes = offset..offset.saturating_add(size_of::<V>());
        let overlaps =
            self.taken.iter().any(|taken| taken.start < bytes.end && bytes.start < taken.end);
        let is_aligned =
            offset.is_multiple_of(align_of::<V>()) && self.align.is_multiple_of(align_of::<V>());
        if bytes.end > self.size || overlaps || !is_aligned {
            let problem = format!(
                "{offset} is not that of a field by itself, aligned, in {} bytes",
                self.size
            );
            return Err(Error::UnusableField { maker: "Fields", field: "offset", problem });
        }
        self.taken.push(bytes);
        let first = if self.len == 0 {
            NonNull::dangling()
        } else {
            // SAFETY: there is a struct, and the field lies within it.
            unsafe { self.first.add(offset).cast() }
        };
        Ok(ColumnMut { first, stride: self.size, len: self.len, borrowed: PhantomData })
    }

    /// The field of one byte at this offset, as a column of [codes](Status::code) of statuses;
    /// until written, of misses. Errors are those of [`column`](Self::column).
    pub fn statuses(&mut self, offset: usize) -> Result<ColumnMut<'a, Status>> {
        self.column::<u8>(offset).map(ColumnMut::into_statuses)
    }
}

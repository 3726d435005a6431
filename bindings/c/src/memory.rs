//! Buffers of the caller: what a pointer, a stride and a count must be, and columns and rows of
//! them where they lie.

use std::ffi::c_void;
use std::ops::Range;
use std::ptr::NonNull;

use bytemuck::{Pod, Zeroable};
use lanecast::Scalar;
use lanecast::Status;
use lanecast::columns::{ColumnMut, Strided, StridedRows};

use crate::border::{Failure, LANECAST_OUT_OF_RESOURCES};

/// One number of each row: the first, and how many bytes on the next one lies. With a stride of 0
/// the number is that of all rows.
#[repr(C)]
#[derive(Debug, Clone, Copy, Zeroable)]
pub struct lanecast_column {
    pub data: *const c_void,
    pub stride: usize,
}

/// A vector of each row: the first x, y and z, and how many bytes on the next ones lie. Structs and
/// arrays of three have z two numbers after x; columns may lie anywhere. With a stride of 0 the
/// vector is that of all rows.
#[repr(C)]
#[derive(Debug, Clone, Copy, Zeroable)]
pub struct lanecast_vectors {
    pub x: *const c_void,
    pub y: *const c_void,
    pub z: *const c_void,
    pub stride: usize,
}

/// Rows of numbers that lie side by side: the first number of the first row, the number of rows, and
/// how many bytes on the next row begins.
#[repr(C)]
#[derive(Debug, Clone, Copy, Zeroable)]
pub struct lanecast_rows {
    pub data: *const c_void,
    pub count: usize,
    pub stride: usize,
}

/// Where a column of answers is written: the first place, and how many bytes on the next one lies.
/// A column that is null is not wanted.
#[repr(C)]
#[derive(Debug, Clone, Copy, Zeroable)]
pub struct lanecast_answers {
    pub data: *mut c_void,
    pub stride: usize,
}

/// Slices are at most so long.
const MOST_BYTES: usize = isize::MAX as usize;

/// The number of values from the first of the first row to the last of the last one, if rows of
/// `width` values of type `V` can lie so.
fn span<V>(
    name: &str,
    data: *const c_void,
    (rows, width): (usize, usize),
    stride: usize,
) -> Result<usize, Failure> {
    let (size, align) = (size_of::<V>(), align_of::<V>());
    if data.is_null() {
        return Err(Failure::argument(name, format!("it is null; {rows} rows were expected")));
    }
    if !(data as usize).is_multiple_of(align) {
        return Err(Failure::argument(
            name,
            format!("its address is no multiple of {align}, the alignment of its numbers"),
        ));
    }
    if !stride.is_multiple_of(size) {
        return Err(Failure::argument(
            name,
            format!("its stride of {stride} bytes is no multiple of {size}, the size of a number"),
        ));
    }
    let last = (rows - 1).checked_mul(stride / size);
    let values = last.and_then(|last| last.checked_add(width));
    values
        .filter(|values| values.checked_mul(size).is_some_and(|bytes| bytes <= MOST_BYTES))
        .ok_or_else(|| {
            Failure::argument(
                name,
                format!("{rows} rows with a stride of {stride} bytes reach beyond memory"),
            )
        })
}

/// A column of numbers.
///
/// # Safety
/// If rows are there, so many numbers lie in memory as `column` says, and nobody writes them for
/// `'a`.
pub(crate) unsafe fn column<'a, T: Scalar>(
    name: &str,
    column: lanecast_column,
    rows: usize,
) -> Result<Strided<'a, T>, Failure> {
    if rows == 0 {
        return Ok(Strided::every(&[], 0, 1, 0)?);
    }
    let values = span::<T>(name, column.data, (rows, 1), column.stride)?;
    // SAFETY: they lie there, by the caller; the address is aligned, and the length fits. Of the
    // bytes between numbers, which may be of any kind, none is read.
    let values = unsafe { std::slice::from_raw_parts(column.data.cast(), values) };
    Ok(Strided::every(values, 0, column.stride / size_of::<T>(), rows)?)
}

/// Three columns, of vectors.
///
/// # Safety
/// As for [`column`].
pub(crate) unsafe fn vectors<'a, T: Scalar>(
    name: &str,
    vectors: lanecast_vectors,
    rows: usize,
) -> Result<[Strided<'a, T>; 3], Failure> {
    let of = |axis: &str, data| {
        let vector = lanecast_column { data, stride: vectors.stride };
        // SAFETY: by the caller.
        unsafe { column(&format!("{name}.{axis}"), vector, rows) }
    };
    Ok([of("x", vectors.x)?, of("y", vectors.y)?, of("z", vectors.z)?])
}

/// Rows of `N` numbers where they lie.
///
/// # Safety
/// As for [`column`].
pub(crate) unsafe fn rows<'a, V: Pod, const N: usize>(
    name: &str,
    given: lanecast_rows,
) -> Result<StridedRows<'a, V, N>, Failure> {
    if given.count == 0 {
        return Ok(StridedRows::from(&[]));
    }
    let values = expect_rows_apart::<V, N>(name, given)?;
    // SAFETY: as in `column`.
    let values: &'a [V] = unsafe { std::slice::from_raw_parts(given.data.cast(), values) };
    Ok(StridedRows::every(values, 0, given.stride / size_of::<V>(), given.count)?)
}

/// The number of values from the first to the last, if rows do not reach into each other.
fn expect_rows_apart<V, const N: usize>(name: &str, rows: lanecast_rows) -> Result<usize, Failure> {
    let width = N * size_of::<V>();
    if rows.stride < width {
        let problem = format!(
            "its stride is {} bytes; at least the {width} of a row were expected",
            rows.stride
        );
        return Err(Failure::argument(name, problem));
    }
    span::<V>(name, rows.data, (rows.count, N), rows.stride)
}

/// Rows of `N` numbers, copied.
///
/// # Safety
/// As for [`column`].
pub(crate) unsafe fn copied_rows<V: Pod, const N: usize>(
    name: &str,
    given: lanecast_rows,
) -> Result<Vec<[V; N]>, Failure> {
    // SAFETY: by the caller.
    let rows = unsafe { rows::<V, N>(name, given) }?;
    let mut copied = Vec::new();
    copied.try_reserve_exact(rows.len()).map_err(|_| {
        let message = format!("{name}: memory does not hold a copy of {} rows", rows.len());
        Failure::new(LANECAST_OUT_OF_RESOURCES, message)
    })?;
    copied.extend(&rows);
    Ok(copied)
}

/// A slice, or none if it is null.
///
/// # Safety
/// It is null, or so many values lie there, and nobody writes them for `'a`.
pub(crate) unsafe fn slice<'a, V>(
    name: &str,
    data: *const V,
    count: usize,
) -> Result<Option<&'a [V]>, Failure> {
    if data.is_null() {
        return Ok(None);
    }
    if count == 0 {
        return Ok(Some(&[]));
    }
    let values = span::<V>(name, data.cast(), (count, 1), size_of::<V>())?;
    // SAFETY: as in `column`.
    Ok(Some(unsafe { std::slice::from_raw_parts(data, values) }))
}

/// The same for values without which the call cannot be: none only if none is counted.
///
/// # Safety
/// As for [`slice`].
pub(crate) unsafe fn all_of<'a, V>(
    name: &str,
    data: *const V,
    count: usize,
) -> Result<&'a [V], Failure> {
    // SAFETY: by the caller.
    match unsafe { slice(name, data, count) }? {
        Some(values) => Ok(values),
        None if count == 0 => Ok(&[]),
        None => Err(Failure::argument(name, format!("it is null; {count} values were expected"))),
    }
}

/// Reads a column that an earlier call wrote.
///
/// # Safety
/// It is null, or so many values lie there, and nobody writes them for `'a`.
pub(crate) unsafe fn written<'a, V: Pod>(
    name: &str,
    answers: lanecast_answers,
    rows: usize,
) -> Result<impl Fn(usize) -> V + use<'a, V>, Failure> {
    let values = match rows {
        0 => &[],
        _ => {
            let values = span::<V>(name, answers.data, (rows, 1), answers.stride)?;
            // SAFETY: as in `column`.
            unsafe { std::slice::from_raw_parts(answers.data.cast::<V>(), values) }
        }
    };
    let step = answers.stride / size_of::<V>();
    Ok(move |row: usize| values[row * step])
}

/// Columns of answers of one call, which must not overlap.
#[derive(Default)]
pub(crate) struct Places {
    /// The bytes that each column reaches over, its stride and the size of its values.
    taken: Vec<(&'static str, Range<usize>, usize, usize)>,
}

impl Places {
    /// A column of `rows` answers; none if it is not wanted.
    ///
    /// # Safety
    /// It is null, or so many values may be written there for `'a`, and nobody else reads or writes
    /// them meanwhile.
    pub(crate) unsafe fn column<'a, V: Pod>(
        &mut self,
        name: &'static str,
        answers: lanecast_answers,
        rows: usize,
    ) -> Result<Option<ColumnMut<'a, V>>, Failure> {
        // SAFETY: by the caller.
        let taken = unsafe { self.take::<V>(name, answers, rows) }?;
        // SAFETY: any bytes are values of a `Pod` type; the rest is by the caller and `take`.
        Ok(taken.map(|first| unsafe { ColumnMut::from_raw_parts(first, answers.stride, rows) }))
    }

    /// The same for statuses, as their codes.
    ///
    /// # Safety
    /// As for [`column`](Self::column).
    pub(crate) unsafe fn statuses<'a>(
        &mut self,
        answers: lanecast_answers,
        rows: usize,
    ) -> Result<Option<ColumnMut<'a, Status>>, Failure> {
        // SAFETY: by the caller.
        Ok(unsafe { self.column::<u8>("status", answers, rows) }?.map(ColumnMut::into_statuses))
    }

    unsafe fn take<V>(
        &mut self,
        name: &'static str,
        answers: lanecast_answers,
        rows: usize,
    ) -> Result<Option<NonNull<V>>, Failure> {
        let (size, align) = (size_of::<V>(), align_of::<V>());
        let lanecast_answers { data, stride } = answers;
        let Some(first) = NonNull::new(data.cast::<V>()) else { return Ok(None) };
        if rows == 0 {
            return Ok(None);
        }
        let refused = |problem: String| Err(Failure::argument(name, problem));
        if !(data as usize).is_multiple_of(align) || !stride.is_multiple_of(align) {
            return refused(format!(
                "its address and its stride of {stride} bytes must be multiples of {align}, the alignment of its values"
            ));
        }
        if stride < size {
            return refused(format!(
                "its stride is {stride} bytes; at least the {size} of a value were expected"
            ));
        }
        let begin = data as usize;
        let reach = (rows - 1).checked_mul(stride).and_then(|last| last.checked_add(size));
        let end =
            reach.filter(|&reach| reach <= MOST_BYTES).and_then(|reach| begin.checked_add(reach));
        let Some(end) = end else {
            return refused(format!(
                "{rows} rows with a stride of {stride} bytes reach beyond memory"
            ));
        };
        for (other, bytes, other_stride, other_size) in &self.taken {
            // Fields of the same structs lie in turn.
            let apart =
                |from: usize, to: usize, size: usize| (to.wrapping_sub(from)) % stride >= size;
            let in_turn = stride == *other_stride
                && (if begin >= bytes.start {
                    apart(bytes.start, begin, *other_size)
                        && (begin - bytes.start) % stride + size <= stride
                } else {
                    apart(begin, bytes.start, size)
                        && (bytes.start - begin) % stride + other_size <= stride
                });
            if begin < bytes.end && bytes.start < end && !in_turn {
                return refused(format!("it lies in the same memory as the column {other}"));
            }
        }
        self.taken.push((name, begin..end, stride, size));
        Ok(Some(first))
    }
}

/// A struct that begins with its size, and may have grown since the caller was compiled, or be older
/// here: what is missing is zero.
///
/// # Safety
/// `V` is of plain numbers and pointers, of which zeros are values, and its first field is a `usize`
/// with its size. The pointer is null, or so many bytes as the size says are there.
pub(crate) unsafe fn sized<V: Copy>(name: &str, given: *const V) -> Result<V, Failure> {
    if given.is_null() {
        return Err(Failure::argument(name, "it is null; a struct was expected"));
    }
    if !given.is_aligned() {
        return Err(Failure::argument(name, "it is not aligned"));
    }
    // SAFETY: the first field is the size.
    let size = unsafe { given.cast::<usize>().read() };
    let known = size_of::<V>();
    if size < size_of::<usize>() || size > MOST_STRUCT {
        let problem = format!("its size is {size}; sizeof of it was expected");
        return Err(Failure::argument(name, problem));
    }
    let mut value = std::mem::MaybeUninit::<V>::zeroed();
    // SAFETY: so many bytes are there, by the caller, and here.
    unsafe {
        std::ptr::copy_nonoverlapping(
            given.cast::<u8>(),
            value.as_mut_ptr().cast(),
            size.min(known),
        );
    }
    for place in known..size {
        // SAFETY: below the size.
        if unsafe { given.cast::<u8>().add(place).read() } != 0 {
            let problem = format!(
                "it has {size} bytes, of which this version knows {known}, and others are set"
            );
            return Err(Failure::argument(name, problem));
        }
    }
    // SAFETY: zeros are values of `V`, and so are the caller's bytes.
    Ok(unsafe { value.assume_init() })
}

/// No struct of the header grows beyond it, and a size that nobody set is most likely greater.
const MOST_STRUCT: usize = 4096;

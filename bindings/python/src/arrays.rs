//! NumPy arrays as columns: arguments read where they lie in memory.
#![expect(unsafe_code, reason = "the numbers between the rows of an array are part of one slice")]

use crate::errors::{plain, raised, refused};
use crate::number::Number;
use lanecast::columns::Strided;
use numpy::prelude::*;
use numpy::{IxDyn, PyArrayDyn, PyReadonlyArray, PyUntypedArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyTuple;

/// A function of `_arrays.py`.
fn of_python<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static ARRAYS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let imported = || PyModule::import(py, "lanecast._arrays").map(Bound::unbind);
    ARRAYS.get_or_try_init(py, imported)?.bind(py).getattr(name)
}

/// An argument as an array of any dtype: itself, or what `_arrays.py` makes of it.
pub(crate) fn array_of<'py>(
    argument: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyUntypedArray>> {
    if let Ok(array) = value.cast::<PyUntypedArray>()
        && !is_masked(array)
    {
        return Ok(array.clone());
    }
    Ok(of_python(value.py(), "array_of")?.call1((argument, value))?.cast_into()?)
}

/// Whether an array has a mask, as only those of other classes than NumPy's own have.
pub(crate) fn is_masked(array: &Bound<'_, PyUntypedArray>) -> bool {
    !array.is_exact_instance_of::<PyUntypedArray>() && array.hasattr("mask").unwrap_or(false)
}

/// Whether f32 holds the numbers of an array as they are, whatever they are.
pub(crate) fn fits_f32(array: &Bound<'_, PyUntypedArray>) -> bool {
    let dtype = array.dtype();
    dtype.itemsize() < if dtype.kind() == b'f' { 8 } else { 4 }
}

/// An argument as an array of `T`, aligned and with strides of whole numbers, none of them
/// negative. The array itself where it is such; a copy of an array of the other precision or of
/// whole numbers, and of what is no array.
pub(crate) fn floats<'py, T: Number>(
    argument: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArray<'py, T, IxDyn>> {
    let size = size_of::<T>() as isize;
    let fits = |array: &&Bound<'py, PyArrayDyn<T>>| {
        let is_aligned = (array.data() as usize).is_multiple_of(align_of::<T>());
        let lies_well = |&stride: &isize| stride >= 0 && stride % size == 0;
        array.is_empty() || is_aligned && array.strides().iter().all(lies_well)
    };
    let array = array_of(argument, value)?;
    let array = match array.cast::<PyArrayDyn<T>>().ok().filter(fits) {
        Some(array) => array.clone(),
        None => {
            let dtype = array.dtype();
            if !matches!((dtype.kind(), dtype.itemsize()), (b'f', 4 | 8) | (b'i' | b'u', _)) {
                let problem = format!("its dtype is {dtype}; float32 or float64 was expected");
                return Err(PyTypeError::new_err(format!("{argument}: {problem}")));
            }
            let converted = of_python(value.py(), "converted")?
                .call1((array, T::DTYPE))?
                .cast_into::<PyArrayDyn<T>>()?;
            // Long arrays take long.
            value.py().check_signals()?;
            converted
        }
    };
    readonly(argument, &array)
}

/// A few numbers as an array of any shape, whatever holds them.
pub(crate) fn numbers<'py>(
    argument: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<PyReadonlyArray<'py, f64, IxDyn>> {
    let array = of_python(value.py(), "numbers")?.call1((argument, value))?;
    readonly(argument, &array.cast_into()?)
}

/// The array, unless a query writes to its memory.
fn readonly<'py, T: Number>(
    argument: &str,
    array: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<PyReadonlyArray<'py, T, IxDyn>> {
    array
        .try_readonly()
        .map_err(|_| refused(argument, "it shares memory with an array that is written to"))
}

/// The numbers of an array from its first to its last, with what lies between them.
fn span<'a, T: Number>(array: &'a PyReadonlyArray<'_, T, IxDyn>) -> &'a [T] {
    if array.is_empty() {
        return &[];
    }
    let reach =
        |(&length, &stride): (&usize, &isize)| (length - 1) * (stride as usize / size_of::<T>());
    let last: usize = array.shape().iter().zip(array.strides()).map(reach).sum();
    // SAFETY: `floats` made it aligned, with strides of whole numbers that are not negative; so all
    // between the first and the last number is memory of the array that this one views,
    // initialised, and held by `array`, which lets no query write there.
    unsafe { std::slice::from_raw_parts(array.data(), last + 1) }
}

/// Rows of some numbers each: an array of which the last dimension is a row, and the others say how
/// answers are arranged.
pub(crate) struct Table<'py, T: Number> {
    array: PyReadonlyArray<'py, T, IxDyn>,
    shape: Vec<usize>,
    width: usize,
}

/// The leading dimensions and the width of an argument of shape (..., width), for one of these
/// widths.
pub(crate) fn split<'a>(
    argument: &str,
    shape: &'a [usize],
    widths: &[usize],
) -> PyResult<(&'a [usize], usize)> {
    if let Some((&width, leading)) = shape.split_last().filter(|(width, _)| widths.contains(width))
    {
        return Ok((leading, width));
    }
    let expected: Vec<_> = widths.iter().map(|width| format!("(..., {width})")).collect();
    let problem = format!("its shape is {}; {} was expected", shown(shape), expected.join(" or "));
    Err(refused(argument, problem))
}

impl<'py, T: Number> Table<'py, T> {
    /// Reads an argument of shape (..., width), for one of these widths.
    pub(crate) fn of(
        argument: &str,
        value: &Bound<'py, PyAny>,
        widths: &[usize],
    ) -> PyResult<Self> {
        let mut array = floats::<T>(argument, value)?;
        let (leading, width) = split(argument, array.shape(), widths)?;
        let leading = leading.to_vec();
        if leading.len() != 1 {
            let rows = leading.iter().product::<usize>();
            // A view where the strides allow it.
            let flat = array.call_method1("reshape", ((rows, width),))?;
            array = floats::<T>(argument, &flat)?;
        }
        Ok(Self { array, shape: leading, width })
    }

    /// The dimensions of the answers.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// The numbers in one place of all rows.
    pub(crate) fn column(&self, place: usize) -> PyResult<Strided<'_, T>> {
        let [row, number] = [0, 1].map(|axis| self.array.strides()[axis] as usize / size_of::<T>());
        Strided::every(span(&self.array), place * number, row, self.array.shape()[0])
            .map_err(raised)
    }

    pub(crate) fn vector(&self, first: usize) -> PyResult<[Strided<'_, T>; 3]> {
        Ok([self.column(first)?, self.column(first + 1)?, self.column(first + 2)?])
    }
}

/// An array in this shape, as NumPy broadcasts it: a view.
pub(crate) fn broadcast_to<'py>(
    argument: &str,
    array: &Bound<'py, PyUntypedArray>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    let py = array.py();
    let numpy = PyModule::import(py, "numpy")?;
    numpy.call_method1("broadcast_to", (array, PyTuple::new(py, shape)?)).map_err(|_| {
        let [found, shape] = [array.shape(), shape].map(shown);
        refused(argument, format!("its shape is {found}, which does not broadcast to {shape}"))
    })
}

/// The shape of both, as NumPy broadcasts them.
pub(crate) fn broadcast_shapes(a: &[usize], b: &[usize]) -> Option<Vec<usize>> {
    let rank = a.len().max(b.len());
    let length = |shape: &[usize], place: usize| {
        (place + shape.len()).checked_sub(rank).map_or(1, |place| shape[place])
    };
    let both = (0..rank).map(|place| match (length(a, place), length(b, place)) {
        (a, b) if a == b || b == 1 => Some(a),
        (1, b) => Some(b),
        _ => None,
    });
    both.collect()
}

/// One number for all rows, or an array of one for each.
pub(crate) enum PerRow<'py, T: Number> {
    Same(T),
    Each(PyReadonlyArray<'py, T, IxDyn>),
}

impl<'py, T: Number> PerRow<'py, T> {
    /// Reads an argument that is a number, or an array that is broadcast to this shape.
    pub(crate) fn of(argument: &str, value: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Self> {
        // NumPy takes an array of one number for a number, and Python a bool.
        let is_array = value.cast::<PyUntypedArray>().is_ok_and(|array| array.ndim() > 0);
        if !is_array && let Some(number) = plain::<f64>(value) {
            return Ok(Self::Same(T::nearest(number)));
        }
        let mut array = floats::<T>(argument, value)?;
        if array.shape() != shape {
            let wide = broadcast_to(argument, array.as_untyped(), shape)?;
            array = floats::<T>(argument, &wide)?;
        }
        if shape.len() != 1 {
            array = floats::<T>(argument, &array.call_method1("reshape", (-1,))?)?;
        }
        Ok(Self::Each(array))
    }

    /// So many numbers.
    pub(crate) fn numbers(&self, rows: usize) -> Vec<T> {
        match self {
            Self::Same(number) => vec![*number; rows],
            Self::Each(array) => array.as_array().iter().copied().collect(),
        }
    }

    /// As a column of so many rows.
    pub(crate) fn column(&self, rows: usize) -> PyResult<Strided<'_, T>> {
        match self {
            Self::Same(number) => Strided::every(std::slice::from_ref(number), 0, 0, rows),
            Self::Each(array) => {
                Strided::every(span(array), 0, array.strides()[0] as usize / size_of::<T>(), rows)
            }
        }
        .map_err(raised)
    }
}

/// Points, one after the other in memory: a copy only if the argument is of another precision or
/// lies otherwise.
pub(crate) struct Vectors<'py, T: Number>(PyReadonlyArray<'py, T, IxDyn>);

impl<'py, T: Number> Vectors<'py, T> {
    /// Reads an argument of shape (n, 3).
    pub(crate) fn of(argument: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        let mut array = floats::<T>(argument, value)?;
        if !matches!(array.shape(), [_, 3] | [0]) {
            let shape = shown(array.shape());
            return Err(refused(argument, format!("its shape is {shape}; (n, 3) was expected")));
        }
        if !array.is_c_contiguous() {
            array = floats::<T>(argument, &array.call_method1("copy", ("C",))?)?;
        }
        Ok(Self(array))
    }

    /// Reads an argument of shape (..., 3), and tells the dimensions of the rows.
    pub(crate) fn of_any_shape(
        argument: &str,
        value: &Bound<'py, PyAny>,
    ) -> PyResult<(Self, Vec<usize>)> {
        let array = floats::<T>(argument, value)?;
        let (leading, _) = split(argument, array.shape(), &[3])?;
        let rows: usize = leading.iter().product();
        let flat = array.call_method1("reshape", ((rows, 3),))?;
        Ok((Self::of(argument, &flat)?, leading.to_vec()))
    }

    pub(crate) fn rows(&self) -> PyResult<&[[T; 3]]> {
        Ok(self.0.as_slice()?.as_chunks().0)
    }
}

/// A shape as Python shows it.
pub(crate) fn shown(shape: &[usize]) -> String {
    match shape {
        [length] => format!("({length},)"),
        _ => format!("({})", shape.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The place of a row among answers of this shape, as Python writes it: `[3]`, `[0, 3]`, nothing
/// for a single one.
pub(crate) fn index_of(row: usize, shape: &[usize]) -> String {
    let mut places = Vec::new();
    let mut rest = row;
    for &length in shape.iter().rev() {
        places.push((rest % length).to_string());
        rest /= length;
    }
    places.reverse();
    if places.is_empty() { String::new() } else { format!("[{}]", places.join(", ")) }
}

//! NumPy arrays of ids, masks, and the vertices of triangles.

use crate::arrays::{array_of, broadcast_to, index_of, is_masked, shown};
use crate::errors::refused;
use crate::out::shaped;
use numpy::prelude::*;
use numpy::{IxDyn, PyArrayDyn, PyReadonlyArray, PyUntypedArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Whole numbers of 32 bits, contiguous: ids, masks, and the vertices of triangles.
pub(crate) enum Ids<'py> {
    Lent(PyReadonlyArray<'py, u32, IxDyn>),
    Made(Vec<u32>, Vec<usize>),
}

impl<'py> Ids<'py> {
    /// Reads an argument of whole numbers. Those that no u32 holds are refused; −1 is the id of
    /// nothing if `none` says so.
    pub(crate) fn of(argument: &str, value: &Bound<'py, PyAny>, none: bool) -> PyResult<Self> {
        let array = array_of(argument, value)?;
        let written = |_| refused(argument, "it shares memory with an array that is written to");
        if let Ok(array) = array.cast::<PyArrayDyn<u32>>()
            && array.is_c_contiguous()
            && (array.data() as usize).is_multiple_of(align_of::<u32>())
        {
            return Ok(Self::Lent(array.try_readonly().map_err(written)?));
        }
        let dtype = array.dtype();
        if !matches!(dtype.kind(), b'i' | b'u') && !array.is_empty() {
            if value.cast::<PyUntypedArray>().is_ok_and(is_masked) {
                return Err(refused(argument, "whole numbers that are not masked were expected"));
            }
            let problem = format!("its dtype is {dtype}; whole numbers were expected");
            return Err(PyTypeError::new_err(format!("{argument}: {problem}")));
        }
        let shape = array.shape().to_vec();
        // The greatest of 64 bits are no negative ones.
        let is_unsigned = dtype.kind() == b'u';
        let (py, width) = (value.py(), if is_unsigned { "uint64" } else { "int64" });
        // The array itself where it is contiguous and of that width.
        let wide = PyModule::import(py, "numpy")?.call_method1("require", (array, width, "CA"))?;
        let wide = wide.call_method1("reshape", (-1,))?;
        // Long arrays take long.
        py.check_signals()?;
        let refuse = |(place, id): (usize, String)| {
            let place = index_of(place, &shape);
            refused(&format!("{argument}{place}"), format!("{id} is not within 0 and 2^32 - 1"))
        };
        let ids = if is_unsigned {
            let wide = wide.cast::<PyArrayDyn<u64>>()?.try_readonly().map_err(written)?;
            narrowed(py, wide.as_slice()?, |_| None, refuse)
        } else {
            let of_none = |id| (none && id == -1).then_some(lanecast::INVALID_ID);
            let wide = wide.cast::<PyArrayDyn<i64>>()?.try_readonly().map_err(written)?;
            narrowed(py, wide.as_slice()?, of_none, refuse)
        };
        Ok(Self::Made(ids?, shape))
    }

    /// Reads an argument of whole numbers that are broadcast to this shape.
    pub(crate) fn of_shape(
        argument: &str,
        value: &Bound<'py, PyAny>,
        shape: &[usize],
        none: bool,
    ) -> PyResult<Self> {
        let ids = Self::of(argument, value, none)?;
        if ids.shape() == shape {
            return Ok(ids);
        }
        let py = value.py();
        let array = match ids {
            Self::Lent(array) => array.as_any().clone(),
            Self::Made(ids, shape) => shaped(py, ids, &shape)?,
        };
        let wide = broadcast_to(argument, array.cast()?, shape)?;
        let wide = PyModule::import(py, "numpy")?.call_method1("ascontiguousarray", (wide,))?;
        Self::of(argument, &wide, none)
    }

    pub(crate) fn shape(&self) -> &[usize] {
        match self {
            Self::Lent(array) => array.shape(),
            Self::Made(_, shape) => shape,
        }
    }

    pub(crate) fn values(&self) -> PyResult<&[u32]> {
        match self {
            Self::Lent(array) => Ok(array.as_slice()?),
            Self::Made(ids, _) => Ok(ids),
        }
    }

    /// Rows of `N`: the argument must be of shape (N rows, `N`).
    pub(crate) fn rows<const N: usize>(&self, argument: &str) -> PyResult<&[[u32; N]]> {
        if !matches!(self.shape(), &[_, width] if width == N) && self.shape() != [0] {
            let problem = format!("its shape is {}; (n, {N}) was expected", shown(self.shape()));
            return Err(refused(argument, problem));
        }
        Ok(self.values()?.as_chunks().0)
    }
}

/// Numbers between two questions whether a signal has come.
const PIECE: usize = 1 << 20;

/// Numbers as u32, with what `of_others` makes of those that are out of range; else what `refuse`
/// makes of the place of the first, and of what it is.
fn narrowed<V: Copy + ToString + TryInto<u32>>(
    py: Python<'_>,
    numbers: &[V],
    of_others: impl Fn(V) -> Option<u32>,
    refuse: impl Fn((usize, String)) -> PyErr,
) -> PyResult<Vec<u32>> {
    let mut ids = Vec::with_capacity(numbers.len());
    for piece in numbers.chunks(PIECE) {
        for &number in piece {
            let id = number.try_into().ok().or_else(|| of_others(number));
            ids.push(id.ok_or_else(|| refuse((ids.len(), number.to_string())))?);
        }
        py.check_signals()?;
    }
    Ok(ids)
}

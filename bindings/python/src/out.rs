//! Answers: columns written into arrays of their own or of the caller, and the classes of Python
//! that hold them.

use crate::arrays::{is_masked, shown};
use crate::errors::refused;
use crate::number::Number;
use lanecast::Status;
use numpy::prelude::*;
use numpy::{Element, IxDyn, PyArrayDyn, PyReadwriteArray, PyUntypedArray};
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

/// A class of `_answers.py`.
pub(crate) fn class_of_answers<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    static ANSWERS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let module = ANSWERS
        .get_or_try_init(py, || PyModule::import(py, "lanecast._answers").map(Bound::unbind));
    module?.bind(py).getattr(name)
}

/// An answer of a class of `_answers.py`.
pub(crate) fn answer<'py>(
    py: Python<'py>,
    class: &str,
    columns: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    class_of_answers(py, class)?.call1(columns)
}

/// An array in another shape.
pub(crate) fn reshaped<'py>(
    array: &Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    array.call_method1("reshape", (PyTuple::new(array.py(), shape)?,))
}

/// A new array.
pub(crate) fn new_array<'py, V: Element>(py: Python<'py>, shape: &[usize]) -> Filled<'py, V> {
    PyArrayDyn::<V>::zeros(py, IxDyn(shape), false).readwrite()
}

/// Numbers as an array of this shape, without a copy.
pub(crate) fn shaped<'py, V: Element>(
    py: Python<'py>,
    numbers: Vec<V>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    reshaped(&numpy::PyArray1::from_vec(py, numbers), shape)
}

/// The codes of statuses.
pub(crate) fn codes_of(statuses: &[Status]) -> Vec<u8> {
    statuses.iter().map(|status| status.code()).collect()
}

/// The caller's arrays in place of new ones: a dict, or answers of an earlier call.
pub(crate) struct Out<'a, 'py>(pub(crate) Option<&'a Bound<'py, PyAny>>);

impl<'py> Out<'_, 'py> {
    /// The array for the column of this name and shape, if it is wanted: a new one, or the
    /// caller's.
    pub(crate) fn array<V: Element>(
        &self,
        py: Python<'py>,
        name: &str,
        shape: &[usize],
    ) -> PyResult<Option<Filled<'py, V>>> {
        let Some(out) = self.0 else {
            return Ok(Some(new_array(py, shape)));
        };
        // Answers of one column go to an array.
        let is_array = out.is_instance_of::<PyUntypedArray>();
        let given = match out.cast::<PyDict>() {
            _ if is_array => Some(out.clone()),
            Ok(dict) => dict.get_item(name)?,
            Err(_) => out.getattr_opt(name)?,
        };
        let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(None) };
        let argument = if is_array { name.to_owned() } else { format!("out[{name:?}]") };
        let Ok(array) = given.cast::<PyArrayDyn<V>>() else {
            let found = given.cast::<PyUntypedArray>().map(|array| array.dtype().to_string());
            let found = found.unwrap_or_else(|_| "not that of an array".to_owned());
            let problem = format!("its dtype is {found}; {} was expected", V::get_dtype(py));
            return Err(PyTypeError::new_err(format!("{argument}: {problem}")));
        };
        if is_masked(array.as_untyped()) {
            return Err(refused(&argument, "it is masked; an array without a mask was expected"));
        }
        if array.shape() != shape {
            let problem =
                format!("its shape is {}; {} was expected", shown(array.shape()), shown(shape));
            return Err(refused(&argument, problem));
        }
        if !array.is_c_contiguous() {
            return Err(refused(&argument, "its numbers do not lie one after the other in memory"));
        }
        if !(array.data() as usize).is_multiple_of(align_of::<V>()) {
            return Err(refused(&argument, "its numbers are not aligned in memory"));
        }
        let cannot = |error| refused(&argument, format!("it cannot be written to: {error}"));
        Ok(Some(array.try_readwrite().map_err(cannot)?))
    }

    /// The array for answers of one column, given as the argument of this name.
    pub(crate) fn only<V: Element>(
        &self,
        py: Python<'py>,
        name: &str,
        shape: &[usize],
    ) -> PyResult<Filled<'py, V>> {
        let array = match self.0 {
            Some(out) if !out.is_instance_of::<PyUntypedArray>() => None,
            _ => self.array::<V>(py, name, shape)?,
        };
        array.ok_or_else(|| refused(name, "an array was expected"))
    }

    /// Refuses what has none of these columns, and names that are none of them.
    pub(crate) fn check(&self, columns: &[&str]) -> PyResult<()> {
        let Some(out) = self.0 else { return Ok(()) };
        let Ok(dict) = out.cast::<PyDict>() else {
            if columns.iter().any(|column| matches!(out.getattr_opt(*column), Ok(Some(_)))) {
                return Ok(());
            }
            return Err(refused(
                "out",
                "a dict of arrays by the names of columns, or answers of an earlier call, were expected",
            ));
        };
        for name in dict.keys() {
            let name: String = name.extract()?;
            if !columns.contains(&&*name) {
                let problem =
                    format!("there is no column {name:?}; there are {}", columns.join(", "));
                return Err(refused("out", problem));
            }
        }
        Ok(())
    }
}

/// An array that is being filled.
pub(crate) type Filled<'py, V> = PyReadwriteArray<'py, V, IxDyn>;

/// The array, or None.
pub(crate) fn finished<'py, V: Element>(
    py: Python<'py>,
    filled: impl Into<Option<Filled<'py, V>>>,
) -> Bound<'py, PyAny> {
    match filled.into() {
        Some(filled) => {
            let array: &Bound<'py, PyArrayDyn<V>> = &filled;
            array.clone().into_any()
        }
        None => py.None().into_bound(py),
    }
}

/// The columns that hits and closest points have in common, as far as they are wanted.
pub(crate) struct Common<'py, T: Element> {
    pub(crate) status: Option<Filled<'py, u8>>,
    /// The statuses in place of an array, as they are always asked for.
    pub(crate) own_status: Vec<u8>,
    pub(crate) ids: [Option<Filled<'py, u32>>; 3],
    pub(crate) weights: [Option<Filled<'py, T>>; 2],
    pub(crate) normal: Option<Filled<'py, T>>,
}

impl<'py, T: Number> Common<'py, T> {
    pub(crate) fn of(
        py: Python<'py>,
        out: &Out<'_, 'py>,
        shape: &[usize],
        has_instances: bool,
        has_normals: bool,
    ) -> PyResult<Self> {
        let status = out.array(py, "status", shape)?;
        let rows = shape.iter().product();
        // What the caller has arrays for is wanted.
        let of_caller = out.0.is_some();
        let instance_id = of_caller || has_instances;
        let normal = of_caller || has_normals;
        Ok(Self {
            own_status: if status.is_none() { vec![0; rows] } else { Vec::new() },
            status,
            ids: [
                out.array(py, "primitive_id", shape)?,
                out.array(py, "geometry_id", shape)?,
                if instance_id { out.array(py, "instance_id", shape)? } else { None },
            ],
            weights: [out.array(py, "u", shape)?, out.array(py, "v", shape)?],
            normal: if normal { out.array(py, "normal", &[shape, &[3]].concat())? } else { None },
        })
    }

    /// The codes of the statuses.
    pub(crate) fn codes(&mut self) -> PyResult<&mut [u8]> {
        codes(&mut self.status, &mut self.own_status)
    }

    /// The answer of a class that has some columns behind the status.
    pub(crate) fn answer<const N: usize>(
        self,
        py: Python<'py>,
        class: &str,
        columns: [Bound<'py, PyAny>; N],
    ) -> PyResult<Bound<'py, PyAny>> {
        let behind = self.ids.map(|ids| finished(py, ids)).into_iter();
        let behind = behind.chain(self.weights.map(|weights| finished(py, weights)));
        let all = [finished(py, self.status)].into_iter().chain(columns).chain(behind);
        let all: Vec<_> = all.chain([finished(py, self.normal)]).collect();
        answer(py, class, PyTuple::new(py, all)?)
    }
}

pub(crate) fn codes<'a>(
    status: &'a mut Option<Filled<'_, u8>>,
    own_status: &'a mut [u8],
) -> PyResult<&'a mut [u8]> {
    status.as_mut().map_or(Ok(own_status), |status| Ok(status.as_slice_mut()?))
}

/// Has columns of these names filled into the arrays that are there.
macro_rules! fill {
    ($columns:ident: $($name:ident),+) => {
        $(if let Some(array) = $name.as_mut() {
            $columns = $columns.$name(array.as_slice_mut()?);
        })+
    };
}
pub(crate) use fill;

/// Has the common columns filled.
macro_rules! fill_common {
    ($columns:ident: $common:expr) => {
        let $crate::out::Common { status, own_status, ids, weights, normal } = &mut $common;
        let [primitive_id, geometry_id, instance_id] = ids;
        let [u, v] = weights;
        $columns = $columns.status($crate::out::codes(status, own_status)?);
        $crate::out::fill!($columns: primitive_id, geometry_id, instance_id, u, v);
        if let Some(normal) = normal {
            $columns = $columns.geometric_normal(normal.as_slice_mut()?.as_chunks_mut().0);
        }
    };
}
pub(crate) use fill_common;

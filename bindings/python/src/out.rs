//! Answers: columns written into arrays of their own or of the caller, and the classes of Python
//! that hold them.

use crate::arrays::{is_masked, shown};
use crate::errors::refused;
use crate::number::Number;
use lanecast::Status;
use lanecast::columns::ColumnMut;
use lanecast_queries::{Column, InColumns, Kind, Places};
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

    /// The array for a column of answers of a form.
    fn column<V: Element>(
        &self,
        py: Python<'py>,
        form: Form,
        name: &str,
        shape: &[usize],
    ) -> PyResult<Option<Filled<'py, V>>> {
        match form {
            Form::Array => self.only(py, "out", shape).map(Some),
            Form::Class(_) | Form::Hits | Form::WithoutStatus(_) => self.array(py, name, shape),
        }
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

/// What a query returns.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// Arrays in a class of `_answers.py`, statuses first.
    Class(&'static str),
    /// The same in the class of hits, with points behind the columns of the engine.
    Hits,
    /// The same, where statuses go to an argument of their own.
    WithoutStatus(&'static str),
    /// An array.
    Array,
}

/// The array of a column.
enum Array<'py, T: Element> {
    Number(Filled<'py, T>),
    Count(Filled<'py, u32>),
    Signed(Filled<'py, i32>),
    Float(Filled<'py, f32>),
}

/// The arrays for answers, as far as they are wanted.
pub(crate) struct Arrays<'py, T: Element> {
    form: Form,
    status: Option<Filled<'py, u8>>,
    /// The statuses in place of an array, as they are always asked for.
    own_status: Vec<u8>,
    columns: Vec<(&'static str, Option<Array<'py, T>>)>,
    /// Of hits, where they are.
    point: Option<Filled<'py, T>>,
    /// Whether `t` is there for the points alone.
    hides_t: bool,
}

impl<'py, T: Number> Arrays<'py, T> {
    /// Arrays of these dimensions. Columns that are `left_out` are there only if the caller has
    /// arrays for them.
    pub(crate) fn of<A: InColumns>(
        py: Python<'py>,
        form: Form,
        out: &Out<'_, 'py>,
        shape: &[usize],
        left_out: &[&str],
    ) -> PyResult<Self> {
        let is_hits = matches!(form, Form::Hits);
        let status = if let Form::Class(_) | Form::Hits = form {
            let names = A::COLUMNS.iter().map(|column| column.name);
            let names = std::iter::once("status").chain(names).chain(is_hits.then_some("point"));
            out.check(&names.collect::<Vec<_>>())?;
            out.array(py, "status", shape)?
        } else {
            None
        };
        let vectors = [shape, &[3]].concat();
        let has_points = is_hits && !(out.0.is_none() && left_out.contains(&"point"));
        let point = if has_points { out.array(py, "point", &vectors)? } else { None };
        let column = |&Column { name, kind }: &Column| {
            if out.0.is_none() && left_out.contains(&name) {
                return Ok((name, None));
            }
            let array = match kind {
                Kind::Number => out.column(py, form, name, shape)?.map(Array::Number),
                Kind::Vector => out.column(py, form, name, &vectors)?.map(Array::Number),
                Kind::Count => out.column(py, form, name, shape)?.map(Array::Count),
                Kind::Signed => out.column(py, form, name, shape)?.map(Array::Signed),
                Kind::Float => out.column(py, form, name, shape)?.map(Array::Float),
            };
            Ok((name, array))
        };
        let mut columns = A::COLUMNS.iter().map(column).collect::<PyResult<Vec<_>>>()?;
        let no_t = columns.iter_mut().find(|(name, array)| *name == "t" && array.is_none());
        let hides_t = point.is_some() && no_t.is_some();
        if let Some((_, t)) = no_t.filter(|_| hides_t) {
            *t = Some(Array::Number(new_array(py, shape)));
        }
        let own_status =
            if status.is_none() { vec![0; shape.iter().product()] } else { Vec::new() };
        Ok(Self { form, status, own_status, columns, point, hides_t })
    }

    /// What the engine writes to.
    pub(crate) fn columns<A: InColumns>(&mut self) -> PyResult<A::Columns<'_, T>> {
        let Self { status, own_status, columns, .. } = self;
        let columns = columns.iter_mut().map(|(name, array)| (*name, array.as_mut())).collect();
        A::columns(&mut Unwritten { status: Some(codes(status, own_status)?), columns })
    }

    /// The codes of the statuses.
    pub(crate) fn codes(&mut self) -> PyResult<&mut [u8]> {
        codes(&mut self.status, &mut self.own_status)
    }

    /// Has the points of hits located, if they are wanted, by their codes and their `t`.
    pub(crate) fn locate(
        &mut self,
        locate: impl FnOnce(&[u8], &[T], &mut [[T; 3]]) -> PyResult<()>,
    ) -> PyResult<()> {
        let Self { status, own_status, columns, point, .. } = self;
        let t = columns.iter_mut().find(|(name, _)| *name == "t");
        if let (Some(point), Some((_, Some(Array::Number(t))))) = (point, t) {
            let points = point.as_slice_mut()?.as_chunks_mut().0;
            locate(codes(status, own_status)?, t.as_slice()?, points)?;
        }
        Ok(())
    }

    /// As Python has them.
    pub(crate) fn answer(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let hides_t = self.hides_t;
        let mut columns = self.columns.into_iter().map(|(name, array)| match array {
            Some(_) if name == "t" && hides_t => py.None().into_bound(py),
            Some(Array::Number(array)) => finished(py, array),
            Some(Array::Count(array)) => finished(py, array),
            Some(Array::Signed(array)) => finished(py, array),
            Some(Array::Float(array)) => finished(py, array),
            None => py.None().into_bound(py),
        });
        let all = |last: Option<Bound<'py, PyAny>>| {
            let all = std::iter::once(finished(py, self.status)).chain(&mut columns).chain(last);
            PyTuple::new(py, all.collect::<Vec<_>>())
        };
        match self.form {
            Form::Class(class) => answer(py, class, all(None)?),
            Form::Hits => answer(py, "Hits", all(Some(finished(py, self.point)))?),
            Form::WithoutStatus(class) => {
                answer(py, class, PyTuple::new(py, columns.collect::<Vec<_>>())?)
            }
            Form::Array => Ok(columns.next().expect("a column")),
        }
    }
}

fn codes<'a>(
    status: &'a mut Option<Filled<'_, u8>>,
    own_status: &'a mut [u8],
) -> PyResult<&'a mut [u8]> {
    status.as_mut().map_or(Ok(own_status), |status| Ok(status.as_slice_mut()?))
}

/// The arrays that the engine has not got yet.
struct Unwritten<'o, 'py, T: Element> {
    status: Option<&'o mut [u8]>,
    columns: Vec<(&'static str, Option<&'o mut Array<'py, T>>)>,
}

impl<'o, 'py, T: Element> Unwritten<'o, 'py, T> {
    fn take(&mut self, name: &str) -> Option<&'o mut Array<'py, T>> {
        self.columns.iter_mut().find(|(of, _)| *of == name)?.1.take()
    }
}

/// The numbers of an array of this kind.
macro_rules! numbers {
    ($array:expr, $kind:ident) => {
        match $array {
            Some(Array::$kind(array)) => Some(array.as_slice_mut()?),
            Some(_) => unreachable!("arrays are made by the kinds of columns"),
            None => None,
        }
    };
}

impl<'o, T: Number> Places<'o, T> for Unwritten<'o, '_, T> {
    type Error = PyErr;

    fn status(&mut self) -> PyResult<Option<ColumnMut<'o, Status>>> {
        Ok(self.status.take().map(|codes| ColumnMut::from(codes).into_statuses()))
    }

    fn number(&mut self, name: &'static str) -> PyResult<Option<ColumnMut<'o, T>>> {
        Ok(numbers!(self.take(name), Number).map(ColumnMut::from))
    }

    fn vector(&mut self, name: &'static str) -> PyResult<Option<ColumnMut<'o, [T; 3]>>> {
        let numbers = numbers!(self.take(name), Number);
        Ok(numbers.map(|numbers| ColumnMut::from(numbers.as_chunks_mut().0)))
    }

    fn count(&mut self, name: &'static str) -> PyResult<Option<ColumnMut<'o, u32>>> {
        Ok(numbers!(self.take(name), Count).map(ColumnMut::from))
    }

    fn signed(&mut self, name: &'static str) -> PyResult<Option<ColumnMut<'o, i32>>> {
        Ok(numbers!(self.take(name), Signed).map(ColumnMut::from))
    }

    fn float(&mut self, name: &'static str) -> PyResult<Option<ColumnMut<'o, f32>>> {
        Ok(numbers!(self.take(name), Float).map(ColumnMut::from))
    }
}

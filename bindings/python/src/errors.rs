//! Errors of the engine as Python's exceptions.

use lanecast::{Error, FileProblem, Status};
use pyo3::exceptions::{
    PyFileNotFoundError, PyIndexError, PyMemoryError, PyOSError, PyPermissionError, PyRuntimeError,
    PyTypeError, PyValueError,
};
use pyo3::prelude::*;

/// The exception for an error of the engine: what names something absent is an `IndexError`, what a file or the system refuses
/// an `OSError`, and all else a `ValueError`.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn raised(error: Error) -> PyErr {
    let message = error.to_string();
    match error {
        Error::UnknownGeometry { .. } | Error::UnknownPrimitive { .. } | Error::UnknownInstance { .. } => {
            PyIndexError::new_err(message)
        }
        Error::SceneFile { problem: FileProblem::System { kind, .. }, .. } => match kind {
            std::io::ErrorKind::NotFound => PyFileNotFoundError::new_err(message),
            std::io::ErrorKind::PermissionDenied => PyPermissionError::new_err(message),
            _ => PyOSError::new_err(message),
        },
        Error::AnswersTooLarge { .. } => PyMemoryError::new_err(message),
        Error::Stopped { .. } => PyRuntimeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// The exception for an error that names a field, which is another argument of Python.
pub(crate) fn of_argument(error: Error, name: &str, argument: &'static str) -> PyErr {
    raised(match error {
        Error::UnusableField { maker, field, problem } if field == name => {
            Error::UnusableField { maker, field: argument, problem }
        }
        error => error,
    })
}

/// The exception for an error of reading or writing files.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn raised_by_file(error: lanecast_io::Error) -> PyErr {
    let message = error.to_string();
    match error.system().map(std::io::Error::kind) {
        Some(std::io::ErrorKind::NotFound) => PyFileNotFoundError::new_err(message),
        Some(std::io::ErrorKind::PermissionDenied) => PyPermissionError::new_err(message),
        Some(_) => PyOSError::new_err(message),
        None => PyValueError::new_err(message),
    }
}

/// A `ValueError` about an argument.
pub(crate) fn refused(argument: &str, problem: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{argument}: {problem}"))
}

/// An argument as a value of this type; else a `TypeError` about it.
pub(crate) fn extracted<'a, 'py, V: FromPyObject<'a, 'py>>(
    argument: &str,
    value: &'a Bound<'py, PyAny>,
) -> PyResult<V> {
    value.extract().map_err(|error: V::Error| {
        let error: PyErr = error.into();
        PyTypeError::new_err(format!("{argument}: {}", error.value(value.py())))
    })
}

/// What an argument of a few words means.
pub(crate) fn one_of<V: Copy>(argument: &str, value: &Bound<'_, PyAny>, of: &[(&str, V)]) -> PyResult<V> {
    let word = value.extract::<String>().ok();
    let found = of.iter().find(|(name, _)| word.as_deref() == Some(*name));
    found.map(|&(_, meaning)| meaning).ok_or_else(|| {
        let names: Vec<_> = of.iter().map(|(name, _)| format!("{name:?}")).collect();
        refused(argument, format!("it is {value:?}; {} was expected", names.join(" or ")))
    })
}

/// What is wrong with a ray or a point of this status.
pub(crate) fn defect(status: Status) -> &'static str {
    match status {
        Status::Miss | Status::Hit => "there is nothing wrong with it",
        Status::InvalidOrigin => "a coordinate is NaN, infinite or out of range",
        Status::InvalidDirection => "a component of the direction is NaN or infinite",
        Status::ZeroDirection => "the direction is zero",
        Status::DirectionOutOfRange => "the direction is too long or too short for its precision",
        Status::InvalidInterval => "t_min, t_max or the radius is NaN",
        Status::EmptyInterval => "t_min is greater than t_max, or the radius is negative",
    }
}

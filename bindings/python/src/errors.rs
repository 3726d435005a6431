//! Errors of the engine as Python's exceptions.

use lanecast::{Error, FileProblem, Status};
use pyo3::exceptions::{
    PyIndexError, PyMemoryError, PyOSError, PyRuntimeError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt};
use std::io::ErrorKind;

/// The exception for an error of the engine: what names something absent is an `IndexError`, what a
/// file or the system refuses an `OSError`, and all else a `ValueError`.
pub(crate) fn raised(error: Error) -> PyErr {
    let message = match &error {
        Error::UnusableField { maker, field, problem } => {
            let they = ["are ", "have ", "hold "].iter().any(|verb| problem.starts_with(verb));
            format!("{}: {} {problem}", argument(maker, field), if they { "they" } else { "it" })
        }
        Error::UnusableRow { field, row, problem, .. } => format!("{field}[{row}]: {problem}"),
        // Of all that this package puts into scenes.
        Error::NotClosed { .. } => {
            let message = error.to_string();
            let geometry = message.split(": ").next().unwrap_or_default();
            format!("{geometry}: it is a HeightField, which has no inside")
        }
        _ => error.to_string(),
    };
    match error {
        Error::UnknownGeometry { .. }
        | Error::UnknownPrimitive { .. }
        | Error::UnknownInstance { .. } => PyIndexError::new_err(message),
        Error::SceneFile { problem: FileProblem::System { kind, errno, .. }, path } => {
            let reason = message.strip_prefix(&format!("{path}: ")).unwrap_or(&message);
            of_system(kind, errno, reason, &path)
        }
        Error::AnswersTooLarge { .. } => PyMemoryError::new_err(message),
        Error::Stopped { .. } => PyRuntimeError::new_err(message),
        _ => PyValueError::new_err(message),
    }
}

/// The argument of Python that a field of the engine's is.
fn argument<'a>(maker: &'a str, field: &'a str) -> &'a str {
    match (maker, field) {
        ("pinhole", "field_of_view") => "fov",
        ("footprint", "rays") => "number",
        ("receiver", "noise") => "range_noise",
        ("generalised_winding", _) => maker,
        ("overlap", _) => "region",
        _ => field,
    }
}

/// The exception for an error of reading or writing files.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn raised_by_file(error: lanecast_io::Error) -> PyErr {
    match error.system() {
        Some(system) => {
            of_system(system.kind(), system.raw_os_error(), &system.to_string(), error.file())
        }
        None => PyValueError::new_err(error.to_string()),
    }
}

/// The `OSError` with this number, of which Python knows the class, such as `FileNotFoundError`.
fn of_system(kind: ErrorKind, errno: Option<i32>, reason: &str, path: &str) -> PyErr {
    // Other systems number errors otherwise.
    let errno = errno.filter(|_| cfg!(unix)).or(match kind {
        ErrorKind::NotFound => Some(2),
        ErrorKind::PermissionDenied => Some(13),
        _ => None,
    });
    let reason = reason.split(" (os error").next().unwrap_or_default();
    match errno {
        Some(errno) => PyOSError::new_err((errno, reason.to_owned(), path.to_owned())),
        None => PyOSError::new_err(format!("{path}: {reason}")),
    }
}

/// A `ValueError` about an argument.
pub(crate) fn refused(argument: &str, problem: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(format!("{argument}: {problem}"))
}

/// Types of plain arguments.
pub(crate) trait Plain {
    /// What is expected of such an argument.
    const EXPECTED: &str;
}

macro_rules! plain {
    ($($type:ty: $expected:literal),* $(,)?) => {
        $(impl Plain for $type {
            const EXPECTED: &str = $expected;
        })*
    };
}

plain!(
    bool: "True or False",
    f64: "a number",
    String: "a text",
    u32: "a whole number from 0 to 2^32 - 1",
    u64: "a whole number from 0 to 2^64 - 1",
    usize: "a whole number from 0 on",
    Vec<u32>: "a list of whole numbers from 0 to 2^32 - 1",
    Vec<usize>: "a list of whole numbers from 0 on",
);

/// An argument as a value of this type. Bools are no numbers.
pub(crate) fn plain<'a, 'py, V: FromPyObject<'a, 'py> + Plain>(
    value: &'a Bound<'py, PyAny>,
) -> Option<V> {
    let is_number =
        value.is_exact_instance_of::<PyFloat>() || value.is_exact_instance_of::<PyInt>();
    let is_switch = !is_number && V::EXPECTED != bool::EXPECTED && value.extract::<bool>().is_ok();
    value.extract().ok().filter(|_| !is_switch)
}

/// The same; else a `TypeError` about it.
pub(crate) fn extracted<'a, 'py, V: FromPyObject<'a, 'py> + Plain>(
    argument: &str,
    value: &'a Bound<'py, PyAny>,
) -> PyResult<V> {
    expected_as(argument, V::EXPECTED, value)
}

/// The same with words for what is expected.
fn expected_as<'a, 'py, V: FromPyObject<'a, 'py> + Plain>(
    argument: &str,
    expected: &str,
    value: &'a Bound<'py, PyAny>,
) -> PyResult<V> {
    plain(value).ok_or_else(|| {
        let shown = value.repr().map(|text| text.to_string()).unwrap_or_default();
        let shown = if shown.len() < 50 { shown } else { format!("of {}", value.get_type()) };
        PyTypeError::new_err(format!("{argument}: it is {shown}; {expected} was expected"))
    })
}

/// Arguments by their names, for `from_py_with`.
pub(crate) mod argument {
    use super::{expected_as, extracted};
    use pyo3::prelude::*;

    macro_rules! named {
        ($($name:ident: $type:ty),* $(,)?) => {
            $(pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
                extracted(stringify!($name), value)
            })*
        };
    }

    named!(
        geometry_id: u32,
        primitive_id: u32,
        instance_id: u32,
        instance: u32,
        mask: u32,
        name: String,
        user_data: u64,
        count: u32,
        observer: usize,
        target: usize,
    );

    /// It stands where directions do in other queries.
    pub(crate) fn limit(value: &Bound<'_, PyAny>) -> PyResult<u32> {
        expected_as("limit", "a whole number from 0 to 2^32 - 1, before directions,", value)
    }

    /// A distance, where a switch may have been meant.
    pub(crate) fn weld(value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        if value.is_none() {
            return Ok(None);
        }
        expected_as("weld", "a distance, such as closing_tolerance() gives,", value).map(Some)
    }
}

/// What an argument of a few words means.
pub(crate) fn one_of<V: Copy>(
    argument: &str,
    value: &Bound<'_, PyAny>,
    of: &[(&str, V)],
) -> PyResult<V> {
    let word = value.extract::<String>().ok();
    let found = of.iter().find(|(name, _)| word.as_deref() == Some(*name));
    found.map(|&(_, meaning)| meaning).ok_or_else(|| {
        let names: Vec<_> = of.iter().map(|(name, _)| format!("{name:?}")).collect();
        refused(argument, format!("it is {value:?}; {} was expected", names.join(" or ")))
    })
}

/// What is wrong with a ray or a point of this status, in a scene of f64 or not.
pub(crate) fn defect(status: Status, of_points: bool, is_f64: bool) -> &'static str {
    match status {
        Status::Miss | Status::Hit => "there is nothing wrong with it",
        Status::InvalidOrigin => "a coordinate is NaN, infinite or out of range",
        Status::InvalidDirection if is_f64 => "a component of the direction is NaN or infinite",
        Status::InvalidDirection => "a component of the direction is NaN or infinite in float32",
        Status::ZeroDirection if is_f64 => "the direction is zero",
        Status::ZeroDirection => "the direction is zero in float32",
        Status::DirectionOutOfRange => "the direction is too long or too short for its precision",
        Status::InvalidInterval if of_points => "the radius is NaN",
        Status::InvalidInterval => "t_min or t_max is NaN",
        Status::EmptyInterval if of_points => "the radius is negative",
        Status::EmptyInterval => "t_min is greater than t_max",
    }
}

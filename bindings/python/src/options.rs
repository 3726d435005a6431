//! Options of queries. Signatures are made of `lanecast_queries::arguments!`, and options that are in
//! none of its rows are refused. The stubs are checked against these signatures.

use lanecast_io::meant_column;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The first lines of a query's docstring, of which Python makes its signature.
macro_rules! signature {
    ($query:ident) => {
        concat!(stringify!($query), "($self, ", lanecast_queries::arguments!($query), ")\n--\n")
    };
}

/// The options that are given to a query, or the error for the first that it does not take.
macro_rules! options {
    ($query:ident, $given:expr) => {
        $crate::options::Options::of(lanecast_queries::arguments!($query), $given)
    };
}

/// Options with their names.
pub(crate) struct Options<'py>(pub(crate) Vec<(&'static str, Bound<'py, PyAny>)>);

impl<'py> Options<'py> {
    pub(crate) fn of(
        arguments: &'static str,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let (_, taken) = arguments.split_once("*, ").expect("options behind a star");
        let taken = || taken.split(", ").filter_map(|option| Some(option.split_once('=')?.0));
        let read = |(name, value): (Bound<'py, PyAny>, _)| {
            let name: String = name.extract()?;
            if let Some(found) = taken().find(|taken| *taken == name) {
                return Ok((found, value));
            }
            let meant = meant_column(&name, &taken().collect::<Vec<_>>());
            let meant = meant.map(|meant| format!("; did you mean {meant:?}?"));
            let meant = meant.unwrap_or_default();
            let problem = format!("there is no argument {name:?} of this query{meant}");
            Err(PyTypeError::new_err(problem))
        };
        given.into_iter().flatten().map(read).collect::<PyResult<_>>().map(Self)
    }

    /// The value of an option, unless it is None or not given.
    pub(crate) fn get(&self, name: &str) -> Option<&Bound<'py, PyAny>> {
        self.iter()
            .find(|(given, value)| *given == name && !value.is_none())
            .map(|(_, value)| value)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &Bound<'py, PyAny>)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

//! Options of queries, and of what builds and changes scenes. Signatures are made of `arguments!`, and
//! options that are in none of its rows are refused. The stubs are checked against these signatures.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The arguments of a call as Python writes them, a literal; those of queries are for all bindings.
macro_rules! arguments {
    (builds) => {
        "precision='auto', quality='balanced', weld=None, backend=None, threads=None, progress=None"
    };
    (Scene) => {
        concat!("vertices, triangles, *, ", arguments!(builds))
    };
    (build) => {
        concat!("*items, ", arguments!(builds))
    };
    (from_mesh) => {
        concat!("mesh, *, ", arguments!(builds))
    };
    (changes) => {
        "quality='balanced', threads=None, progress=None"
    };
    (refit) => {
        "meshes, *, threads=None, progress=None"
    };
    (rebuild) => {
        concat!("*, ", arguments!(changes))
    };
    (add) => {
        concat!("*geometries, ", arguments!(changes))
    };
    (remove) => {
        concat!("*geometry_ids, ", arguments!(changes))
    };
    (replace) => {
        concat!("geometries, *, ", arguments!(changes))
    };
    (surface) => {
        "rays, hits, directions=None, *, vertex_normals=None, threads=None, progress=None"
    };
    (statistics) => {
        "*, others=False"
    };
    ($query:ident) => {
        lanecast_queries::arguments!($query)
    };
}

/// The first lines of a call's docstring, of which Python makes its signature: that of a method, or
/// of what needs no scene.
macro_rules! signature {
    (static $call:ident) => {
        concat!(stringify!($call), "(", arguments!($call), ")\n--\n")
    };
    ($call:ident) => {
        concat!(stringify!($call), "($self, ", arguments!($call), ")\n--\n")
    };
}

/// The options that are given to a call, or the error for the first that it does not take.
macro_rules! options {
    ($call:ident, $given:expr) => {
        $crate::options::Options::of(stringify!($call), arguments!($call), $given)
    };
}

/// Options with their names.
pub(crate) struct Options<'py>(Vec<(&'static str, Bound<'py, PyAny>)>);

impl<'py> Options<'py> {
    pub(crate) fn of(
        call: &str,
        arguments: &'static str,
        given: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let (_, taken) = arguments.split_once('*').expect("options behind a star");
        let taken = || taken.split(", ").filter_map(|option| Some(option.split_once('=')?.0));
        let read = |(name, value): (Bound<'py, PyAny>, _)| {
            let given: String = name.extract()?;
            if let Some(found) = taken().find(|taken| *taken == given) {
                return Ok((found, value));
            }
            // Others too, such as `directions`.
            let known = arguments.split(", ").filter_map(|argument| argument.split('=').next());
            let known: Vec<_> = known.map(|name| name.trim_start_matches('*')).collect();
            let keywords = PyModule::import(name.py(), "lanecast._keywords")?;
            Err(PyErr::from_value(keywords.call_method1("unknown", (given, call, known))?))
        };
        given.into_iter().flatten().map(read).collect::<PyResult<_>>().map(Self)
    }

    /// The value of an option, unless it is None or not given.
    pub(crate) fn get(&self, name: &str) -> Option<&Bound<'py, PyAny>> {
        self.iter()
            .find(|(given, value)| *given == name && !value.is_none())
            .map(|(_, value)| value)
    }

    /// Takes an option out, if it is given; its value, unless that is None.
    pub(crate) fn take(&mut self, name: &str) -> Option<Bound<'py, PyAny>> {
        let place = self.0.iter().position(|(given, _)| *given == name)?;
        Some(self.0.remove(place).1).filter(|value| !value.is_none())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &Bound<'py, PyAny>)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

//! The arguments of queries in one table, as Python writes them: signatures are made of it, and
//! options that are in none are refused by it. The stubs are checked against these signatures.

use lanecast_io::meant_column;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Makes the macro `arguments` of rows: the name of a query or of options of several, a text, and
/// the row that follows the text.
macro_rules! table {
    ($($name:ident: $text:literal $($rest:ident)?;)*) => {
        macro_rules! arguments {
            $(($name) => { concat!($text $(, arguments!($rest))?) };)*
        }
    };
}

// Options stand behind a star, and none of their defaults has a comma.
table! {
    calls: "brute_force=False, threads=None, backend=None, progress=None";

    hits: "t_min=None, t_max=None, culling='none', mask=None, skip=None, invalid='raise', " calls;
    rays: "coherence='detect', " hits;
    closest_hit: "rays, directions=None, *, normals=False, out=None, " rays;
    farthest_hit: "" closest_hit;
    any_hit: "rays, directions=None, *, out=None, status=None, " rays;
    count_hits: "rays, directions=None, *, contact='crossing', out=None, status=None, " rays;
    all_hits: "rays, directions=None, *, contact='crossing', " rays;
    nearest_hits: "rays, limit, directions=None, *, contact='crossing', " rays;
    cost: "rays, directions=None, *, status=None, " rays;
    line_hits: "lines, directions=None, *, normals=False, " rays;
    lidar_returns: "rays, receiver=None, *, " rays;
    pick: "ray, direction=None, limit='all', *, " hits;

    points: "invalid='raise', " calls;
    closest_point: "points, *, radius=None, normals=False, out=None, " points;
    nearest_points: "points, count, *, radius=None, " points;
    points_within: "points, radius, *, " points;
    distance: "points, *, " points;
    signed_distance: "points, *, generalised_winding=None, " points;
    contains: "" signed_distance;
    winding_number: "points, *, accuracy=2.0, " points;
    occupancy: "origin, spacing, counts, *, packed=False, generalised_winding=None, " calls;

    lines: "shorten=0.0, observers_on=None, targets_on=None, mask=0xffffffff, \
        culling='none', " calls;
    sight: "observers, targets, *, packed=False, " lines;
    first_obstacle: "observers, targets, observer, target, *, " lines;

    overlap: "region, *, mask=0xffffffff, brute_force=False, backend=None";
    overlaps_any: "" overlap;
}

/// The first lines of a query's docstring, of which Python makes its signature.
macro_rules! signature {
    ($query:ident) => {
        concat!(stringify!($query), "($self, ", arguments!($query), ")\n--\n")
    };
}

/// The options that are given to a query, or the error for the first that it does not take.
macro_rules! options {
    ($query:ident, $given:expr) => {
        $crate::options::Options::of(arguments!($query), $given)
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

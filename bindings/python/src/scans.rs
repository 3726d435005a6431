//! Returns of a scanner as files, by the writers that the program has.

use crate::errors::{raised_by_file, refused};
use lanecast::{Status, Threads};
use lanecast_io::{TableWriter, Values};
use numpy::prelude::*;
use numpy::{Element, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ops::Range;
use std::path::PathBuf;

/// So many rows are written between two looks for signals.
const PIECE: usize = 1 << 18;

/// The numbers of a column.
enum Column<'py> {
    F32(PyReadonlyArray1<'py, f32>),
    F64(PyReadonlyArray1<'py, f64>),
    I32(PyReadonlyArray1<'py, i32>),
    I64(PyReadonlyArray1<'py, i64>),
}

/// An array of these numbers, one behind the other in memory.
fn numbers<'py, V: Element>(array: &Bound<'py, PyAny>) -> Option<PyReadonlyArray1<'py, V>> {
    let array = array.cast::<PyArray1<V>>().ok().filter(|array| array.is_c_contiguous())?;
    array.try_readonly().ok()
}

impl<'py> Column<'py> {
    fn new(name: &str, array: &Bound<'py, PyAny>) -> PyResult<Self> {
        let column = (numbers(array).map(Self::F32))
            .or_else(|| numbers(array).map(Self::F64))
            .or_else(|| numbers(array).map(Self::I32))
            .or_else(|| numbers(array).map(Self::I64));
        column.ok_or_else(|| refused(name, "it is no array of numbers of its column"))
    }

    fn len(&self) -> usize {
        match self {
            Self::F32(array) => array.len(),
            Self::F64(array) => array.len(),
            Self::I32(array) => array.len(),
            Self::I64(array) => array.len(),
        }
    }

    fn values(&self, rows: Range<usize>) -> PyResult<Values<'_>> {
        Ok(match self {
            Self::F32(array) => Values::F32(&array.as_slice()?[rows]),
            Self::F64(array) => Values::F64(&array.as_slice()?[rows]),
            Self::I32(array) => Values::I32(&array.as_slice()?[rows]),
            Self::I64(array) => Values::I64(&array.as_slice()?[rows]),
        })
    }
}

/// Writes returns, columns by their names in their order, and the status of each, to a file in the
/// format of its extension.
#[pyfunction(name = "_write_returns")]
#[expect(clippy::needless_pass_by_value, reason = "as PyO3 makes it")]
pub(crate) fn write_returns(
    py: Python<'_>,
    path: PathBuf,
    columns: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let mut named = Vec::new();
    for (name, array) in columns.iter() {
        let name: String = name.extract()?;
        let column = Column::new(&name, &array)?;
        named.push((name, column));
    }
    let rows = named.first().map_or(0, |(_, column)| column.len());
    let statuses = vec![Status::Hit; PIECE.min(rows)];
    let piece = |rows: Range<usize>| -> PyResult<Vec<(&str, Values<'_>)>> {
        let status = ("status", Values::Status(&statuses[..rows.len()]));
        let columns =
            named.iter().map(|(name, column)| Ok((&**name, column.values(rows.clone())?)));
        columns.chain([Ok(status)]).collect()
    };
    let created = TableWriter::create(&path, None, &piece(0..0)?).map_err(raised_by_file)?;
    let mut writer = created.threads(&Threads::ALL);
    for start in (0..rows).step_by(PIECE) {
        let columns = piece(start..rows.min(start + PIECE))?;
        py.detach(|| writer.write(&columns)).map_err(raised_by_file)?;
        py.check_signals()?;
    }
    py.detach(|| writer.finish()).map_err(raised_by_file)
}

//! Rows as the vertices of a PLY file, with a property for each column.
//!
//! A PLY file begins with the number of its vertices, which is known only at the end, so rows are
//! spooled to a temporary file.

use super::values::{Named, Values, rows};
use super::writer::{Sink, write_in_blocks};
use crate::error::Problem;
use crate::excerpt;
use crate::output::Output;
use lanecast::Threads;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

/// `f64` holds integers up to here.
const EXACT: u64 = 1 << 53;

pub(super) struct PlySink {
    output: Output,
    spool: BufWriter<File>,
    /// The places of the columns in the order of properties.
    order: Vec<usize>,
    /// The types and names of the properties.
    properties: String,
    rows: u64,
}

/// The type of the property for a column; none of text.
pub(super) fn type_of((name, values): &Named<'_>) -> Option<&'static str> {
    match values {
        Values::I64(_) if is_small(name) => Some("int"),
        Values::I64(_) | Values::OptionI64(_) => Some("double"),
        Values::F64(_) | Values::OptionF64(_) => Some("double"),
        Values::I32(_) => Some("int"),
        Values::F32(_) | Values::OptionF32(_) => Some("float"),
        Values::Bool(_) | Values::OptionBool(_) | Values::Status(_) => Some("uchar"),
        Values::Text(_) | Values::OptionText(_) => None,
    }
}

/// Primitives are fewer than 2³¹; other integers of 64 bits have no type of their own in PLY.
fn is_small(name: &str) -> bool {
    name == "primitive_id"
}

impl PlySink {
    /// A file with properties of these [types](type_of).
    pub(super) fn new(
        output: Output,
        columns: &[Named<'_>],
        types: &[&'static str],
    ) -> Result<Self, Problem> {
        let place = |axis: &str| {
            let is_axis = |(name, values): &Named<'_>| {
                let is_float = matches!(
                    values,
                    Values::F32(_) | Values::F64(_) | Values::OptionF32(_) | Values::OptionF64(_)
                );
                *name == axis && is_float
            };
            columns.iter().position(is_axis)
        };
        let (Some(x), Some(y), Some(z)) = (place("x"), place("y"), place("z")) else {
            let what = "a PLY file needs points: there are no columns x, y and z";
            return Err(what.to_owned().into());
        };
        let is_word = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
        if let Some((name, _)) = columns.iter().find(|(name, _)| !is_word(name)) {
            let what =
                format!("column \"{}\": a property of PLY is called by one word", excerpt(name));
            return Err(what.into());
        }
        let mut order = vec![x, y, z];
        order.extend((0..columns.len()).filter(|place| ![x, y, z].contains(place)));
        let property = |&place: &usize| format!("property {} {}\n", types[place], columns[place].0);
        let properties = order.iter().map(property).collect();
        let spool = BufWriter::new(output.spool()?);
        Ok(Self { output, spool, order, properties, rows: 0 })
    }
}

impl Sink for PlySink {
    fn write(&mut self, columns: &[Named<'_>], threads: &Threads) -> Result<(), Problem> {
        let (rows, order) = (rows(columns), &self.order);
        self.rows += rows as u64;
        write_in_blocks(&mut self.spool, rows, threads, &|block, bytes| {
            for row in block {
                for &place in order {
                    write_value(bytes, columns[place], row)?;
                }
            }
            Ok(())
        })
    }

    fn finish(self: Box<Self>) -> Result<(), Problem> {
        let Self { mut output, spool, properties, rows, .. } = *self;
        let mut spool = spool.into_inner().map_err(io::IntoInnerError::into_error)?;
        spool.rewind()?;
        write!(
            output,
            "ply\nformat binary_little_endian 1.0\nelement vertex {rows}\n{properties}end_header\n"
        )?;
        io::copy(&mut spool, &mut output)?;
        Ok(output.finish()?)
    }
}

/// Refuses an integer that the type of the property does not hold.
fn write_value(to: &mut impl Write, (name, values): Named<'_>, row: usize) -> Result<(), Problem> {
    let (values, row) = values.at(row).unwrap_or((values, row));
    let beyond =
        || Problem::Content(format!("column \"{name}\": a number is beyond what PLY holds"));
    match values {
        Values::I64(values) if is_small(name) => {
            let value = i32::try_from(values[row]).map_err(|_| beyond())?;
            to.write_all(&value.to_le_bytes())?;
        }
        Values::I64(values) if values[row].unsigned_abs() > EXACT => return Err(beyond()),
        Values::I64(values) => to.write_all(&(values[row] as f64).to_le_bytes())?,
        _ => values.write(row, to)?,
    }
    Ok(())
}

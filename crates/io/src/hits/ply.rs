//! Rows as the vertices of a PLY file, with a property for each column.
//!
//! A PLY file begins with the number of its vertices, which is known only at the end, so rows are
//! spooled to a temporary file.

use super::values::{Named, Values};
use super::writer::Sink;
use crate::error::{FileName, Result};
use crate::output::Output;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

pub(super) struct PlySink {
    name: FileName,
    output: Output,
    spool: BufWriter<File>,
    /// The places of the columns in the order of properties.
    order: Vec<usize>,
    /// The types and names of the properties.
    properties: String,
    rows: u64,
}

impl PlySink {
    pub(super) fn new(name: FileName, output: Output, columns: &[Named<'_>]) -> Result<Self> {
        let place = |axis: &str| {
            let is_axis = |(name, values): &Named<'_>| {
                *name == axis && matches!(values, Values::F32(_) | Values::F64(_))
            };
            columns.iter().position(is_axis)
        };
        let (Some(x), Some(y), Some(z)) = (place("x"), place("y"), place("z")) else {
            return Err(name.content("a PLY file needs points: there are no columns x, y and z"));
        };
        let mut order = vec![x, y, z];
        order.extend((0..columns.len()).filter(|place| ![x, y, z].contains(place)));
        let property = |&place: &usize| {
            let (name, values) = columns[place];
            format!("property {} {name}\n", type_of(name, values))
        };
        let properties = order.iter().map(property).collect();
        let spool = BufWriter::new(output.spool().map_err(|error| name.system(error))?);
        Ok(Self { name, output, spool, order, properties, rows: 0 })
    }
}

impl Sink for PlySink {
    fn write(&mut self, columns: &[Named<'_>]) -> Result<()> {
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        self.rows += rows as u64;
        for row in 0..rows {
            for &place in &self.order {
                let (column, values) = columns[place];
                let bytes = bytes_of(column, values, row).ok_or_else(|| {
                    self.name.content(format_args!(
                        "column \"{column}\": a number is beyond what PLY holds"
                    ))
                })?;
                self.spool.write_all(bytes.as_ref()).map_err(|error| self.name.system(error))?;
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let Self { name, mut output, spool, properties, rows, .. } = *self;
        let assemble = || {
            let mut spool = spool.into_inner().map_err(io::IntoInnerError::into_error)?;
            spool.rewind()?;
            write!(
                output,
                "ply\nformat binary_little_endian 1.0\nelement vertex {rows}\n{properties}end_header\n"
            )?;
            io::copy(&mut spool, &mut output)?;
            output.finish()
        };
        assemble().map_err(|error: io::Error| name.system(error))
    }
}

/// Primitives are fewer than 2³¹; other integers of 64 bits have no type of their own in PLY.
fn is_small(name: &str) -> bool {
    name == "primitive_id"
}

fn type_of(name: &str, values: Values<'_>) -> &'static str {
    match values {
        Values::I64(_) if is_small(name) => "int",
        Values::I64(_) | Values::F64(_) => "double",
        Values::I32(_) => "int",
        Values::F32(_) => "float",
        Values::Bool(_) | Values::Status(_) => "uchar",
        Values::Text(_) => unreachable!("text was refused"),
    }
}

/// The bytes of a value, at most eight.
struct Bytes {
    bytes: [u8; 8],
    length: usize,
}

impl<const N: usize> From<[u8; N]> for Bytes {
    fn from(value: [u8; N]) -> Self {
        let mut bytes = [0; 8];
        bytes[..N].copy_from_slice(&value);
        Self { bytes, length: N }
    }
}

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// `None` if the type of the property does not hold the value.
fn bytes_of(name: &str, values: Values<'_>, row: usize) -> Option<Bytes> {
    const EXACT: u64 = 1 << 53;
    Some(match values {
        Values::I64(values) if is_small(name) => {
            i32::try_from(values[row]).ok()?.to_le_bytes().into()
        }
        Values::I64(values) => {
            let value = Some(values[row]).filter(|value| value.unsigned_abs() <= EXACT)?;
            (value as f64).to_le_bytes().into()
        }
        Values::I32(values) => values[row].to_le_bytes().into(),
        Values::F32(values) => values[row].to_le_bytes().into(),
        Values::F64(values) => values[row].to_le_bytes().into(),
        Values::Bool(values) => [u8::from(values[row])].into(),
        Values::Status(values) => [values[row].code()].into(),
        Values::Text(_) => unreachable!("text was refused"),
    })
}

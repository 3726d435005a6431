//! Hits as NPZ: a zip of one NPY array per column.
//!
//! An array's header tells its length, which is known only at the end, so each column is spooled
//! to a temporary file of its own and the zip is put together in [`Sink::finish`].

use super::values::{Named, Values};
use super::writer::Sink;
use crate::error::{FileName, Result};
use crate::npy::NpyHeader;
use crate::output::{Output, explain};
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Entries from here on need the 64-bit fields of the zip format.
const LARGE: u64 = 0xffff_0000;

pub(super) struct NpzSink {
    name: FileName,
    output: Output,
    columns: Vec<Spool>,
    rows: u64,
}

struct Spool {
    name: &'static str,
    descr: &'static str,
    file: BufWriter<File>,
}

impl NpzSink {
    pub(super) fn new(name: FileName, output: Output, columns: &[Named<'_>]) -> Result<Self> {
        let spool = |&(column_name, values): &Named<'_>| {
            Ok(Spool {
                name: column_name,
                descr: descr(values),
                file: BufWriter::new(output.spool().map_err(|error| name.system(error))?),
            })
        };
        let columns = columns.iter().map(spool).collect::<Result<_>>()?;
        Ok(Self { name, output, columns, rows: 0 })
    }

    /// Puts the zip together in `to`, which must be able to seek: sizes then stand before the data,
    /// where readers that do not look at the end of the file expect them.
    fn assemble(columns: Vec<Spool>, rows: u64, to: &mut File) -> io::Result<()> {
        let mut zip = ZipWriter::new(BufWriter::new(to));
        for Spool { name, descr, file } in columns {
            let mut data = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            let header = NpyHeader::of_column(descr, rows);
            let size = header.len() as u64 + data.stream_position()?;
            data.rewind()?;
            // No clock and no rights of this machine: the same hits make the same bytes.
            let options = SimpleFileOptions::default()
                .compression_method(CompressionMethod::Stored)
                .last_modified_time(DateTime::default())
                .unix_permissions(0o644)
                .large_file(size >= LARGE);
            zip.start_file(format!("{name}.npy"), options)?;
            zip.write_all(&header)?;
            io::copy(&mut data, &mut zip)?;
        }
        zip.finish()?.flush()
    }
}

impl Sink for NpzSink {
    fn write(&mut self, columns: &[Named<'_>]) -> Result<()> {
        self.rows += columns.first().map_or(0, |(_, values)| values.len() as u64);
        for (spool, &(_, values)) in self.columns.iter_mut().zip(columns) {
            write_values(&mut spool.file, values).map_err(|error| self.name.system(error))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        let Self { name, mut output, columns, rows } = *self;
        let assemble = || {
            if let Some(file) = output.as_file()? {
                Self::assemble(columns, rows, file)?;
            } else {
                let mut whole = output.spool()?;
                Self::assemble(columns, rows, &mut whole)?;
                whole.rewind()?;
                io::copy(&mut whole, &mut output)?;
            }
            output.finish()
        };
        assemble().map_err(|error| explain(&name, error.into()))
    }
}

/// NumPy's name for the type of a column, whatever the byte order of this machine.
fn descr(values: Values<'_>) -> &'static str {
    match values {
        Values::I64(_) => "<i8",
        Values::I32(_) => "<i4",
        Values::F32(_) => "<f4",
        Values::F64(_) => "<f8",
        Values::Bool(_) => "|b1",
        Values::Status(_) => "|u1",
        Values::Text(_) => unreachable!("text was refused"),
    }
}

fn write_values(to: &mut impl Write, values: Values<'_>) -> io::Result<()> {
    match values {
        Values::I64(values) => {
            values.iter().try_for_each(|value| to.write_all(&value.to_le_bytes()))
        }
        Values::I32(values) => {
            values.iter().try_for_each(|value| to.write_all(&value.to_le_bytes()))
        }
        Values::F32(values) => {
            values.iter().try_for_each(|value| to.write_all(&value.to_le_bytes()))
        }
        Values::F64(values) => {
            values.iter().try_for_each(|value| to.write_all(&value.to_le_bytes()))
        }
        Values::Bool(values) => {
            values.iter().try_for_each(|value| to.write_all(&[u8::from(*value)]))
        }
        Values::Status(values) => values.iter().try_for_each(|value| to.write_all(&[value.code()])),
        Values::Text(_) => unreachable!("text was refused"),
    }
}

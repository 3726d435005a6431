//! Hits as NPZ: a zip of one NPY array per column.
//!
//! An array's header tells its length, which is known only at the end, so each column is spooled
//! to a temporary file of its own and the zip is put together in [`Sink::finish`].

use super::values::{Named, Values, rows};
use super::writer::Sink;
use crate::error::Problem;
use crate::npy::NpyHeader;
use crate::output::Output;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Entries from here on need the 64-bit fields of the zip format.
const LARGE: u64 = 0xffff_0000;

pub(super) struct NpzSink {
    output: Output,
    columns: Vec<Spool>,
    rows: u64,
}

struct Spool {
    name: &'static str,
    type_name: &'static str,
    file: BufWriter<File>,
}

/// NumPy's name for the type of a column, whatever the byte order of this machine; none of text.
pub(super) const fn type_of((_, values): &Named<'_>) -> Option<&'static str> {
    match values {
        Values::I64(_) => Some("<i8"),
        Values::I32(_) => Some("<i4"),
        Values::F32(_) => Some("<f4"),
        Values::F64(_) => Some("<f8"),
        Values::Bool(_) => Some("|b1"),
        Values::Status(_) => Some("|u1"),
        Values::Text(_) => None,
    }
}

impl NpzSink {
    /// A file of columns of these [types](type_of).
    pub(super) fn new(
        output: Output,
        columns: &[Named<'_>],
        types: &[&'static str],
    ) -> Result<Self, Problem> {
        let spool = |(&(name, _), &type_name): (&Named<'_>, &&'static str)| {
            Ok(Spool { name, type_name, file: BufWriter::new(output.spool()?) })
        };
        let columns = columns.iter().zip(types).map(spool).collect::<io::Result<_>>()?;
        Ok(Self { output, columns, rows: 0 })
    }

    /// Puts the zip together in `to`, which must be able to seek: sizes then stand before the data,
    /// where readers that do not look at the end of the file expect them.
    fn assemble(columns: Vec<Spool>, rows: u64, to: &mut File) -> io::Result<()> {
        let mut zip = ZipWriter::new(BufWriter::new(to));
        for Spool { name, type_name, file } in columns {
            let mut data = file.into_inner().map_err(io::IntoInnerError::into_error)?;
            let header = NpyHeader::of_column(type_name, rows);
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
    fn write(&mut self, columns: &[Named<'_>]) -> Result<(), Problem> {
        self.rows += rows(columns) as u64;
        for (spool, (_, values)) in self.columns.iter_mut().zip(columns) {
            (0..values.len()).try_for_each(|row| values.write(row, &mut spool.file))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), Problem> {
        let Self { mut output, columns, rows } = *self;
        if let Some(file) = output.as_file()? {
            Self::assemble(columns, rows, file)?;
        } else {
            let mut whole = output.spool()?;
            Self::assemble(columns, rows, &mut whole)?;
            whole.rewind()?;
            io::copy(&mut whole, &mut output)?;
        }
        Ok(output.finish()?)
    }
}

//! Rays as comma-separated values with a header.

use super::Rows;
use super::columns::{Columns, ID_NAME, NAMES};
use crate::io::error::{FileName, Result};
use crate::ray::Ray;
use ::csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder, Trim};
use std::io::{self, Read};
use std::str::FromStr;

/// A quote that is never closed must not draw the rest of the file into memory.
const LONGEST_RECORD: usize = 1 << 20;

pub(super) struct CsvRows {
    file: FileName,
    reader: Reader<Metered>,
    columns: Columns,
    record: ByteRecord,
}

impl CsvRows {
    pub(super) fn open(file: FileName, reader: Box<dyn Read + Send>) -> Result<Self> {
        let metered = Metered { reader, since_record: 0 };
        let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(metered);
        let header = reader.byte_headers().map_err(|error| explain(&file, error))?;
        if header.is_empty() {
            return Err(file.content("no header: the file is empty"));
        }
        let names: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
        let columns = Columns::find(&names).map_err(|what| file.content(what))?;
        Ok(Self { file, reader, columns, record: ByteRecord::new() })
    }

    fn ray(&self) -> Result<Ray> {
        let mut ray = Ray::new([0.0; 3], [0.0; 3]);
        let numbers = bytemuck::cast_mut::<Ray, [f32; 8]>(&mut ray);
        for ((number, column), name) in numbers.iter_mut().zip(self.columns.numbers).zip(NAMES) {
            if let Some(column) = column {
                *number = self.field(column, name, "a number")?;
            }
        }
        Ok(ray)
    }

    fn field<T: FromStr>(&self, column: usize, name: &str, kind: &str) -> Result<T> {
        let field = self.record.get(column).unwrap_or_default();
        let value = std::str::from_utf8(field).ok().and_then(|text| text.parse().ok());
        value.ok_or_else(|| {
            let line = self.record.position().map_or(0, ::csv::Position::line);
            let field: String = String::from_utf8_lossy(field).chars().take(40).collect();
            self.file.at_line(line, format_args!("column \"{name}\": {field:?} is not {kind}"))
        })
    }
}

impl Rows for CsvRows {
    fn read(&mut self, max_rows: usize, rays: &mut Vec<Ray>, ids: &mut Vec<i64>) -> Result<()> {
        for _ in 0..max_rows {
            self.reader.get_mut().since_record = 0;
            let more = self.reader.read_byte_record(&mut self.record);
            if !more.map_err(|error| explain(&self.file, error))? {
                break;
            }
            rays.push(self.ray()?);
            if let Some(column) = self.columns.ray_id {
                ids.push(self.field(column, ID_NAME, "a whole number")?);
            }
        }
        Ok(())
    }

    fn has_ids(&self) -> bool {
        self.columns.ray_id.is_some()
    }
}

fn explain(file: &FileName, error: ::csv::Error) -> crate::io::Error {
    match error.into_kind() {
        ErrorKind::Io(error) if error.kind() == io::ErrorKind::FileTooLarge => file.content(error),
        ErrorKind::Io(error) => file.system(error),
        ErrorKind::UnequalLengths { pos, expected_len, len } => file.at_line(
            pos.map_or(0, |position| position.line()),
            format_args!("{len} fields, but the header has {expected_len}"),
        ),
        other => file.content(format_args!("{other:?}")),
    }
}

/// Counts what has been read since the last record, and stops at a record without end.
struct Metered {
    reader: Box<dyn Read + Send>,
    since_record: usize,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.since_record > LONGEST_RECORD {
            let what = format!("a record longer than {LONGEST_RECORD} bytes: perhaps a quote is not closed");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        let read = self.reader.read(buffer)?;
        self.since_record += read;
        Ok(read)
    }
}

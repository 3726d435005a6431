//! Rows as comma-separated values with a header.

use super::columns::Columns;
use super::{Moved, Row, Rows, WHOLE, no_number};
use crate::error::{FileName, Result, counted};
use crate::excerpt;
use ::csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder, Trim};
use std::io::{self, BufRead, BufReader, Read};

/// A quote that is never closed must not draw the rest of the file into memory.
const LONGEST_RECORD: usize = 1 << 20;

pub(super) struct CsvRows<R> {
    file: FileName,
    reader: Reader<Lines>,
    columns: Columns<R>,
    record: ByteRecord,
}

impl<R: Row> CsvRows<R> {
    pub(super) fn open(file: FileName, reader: Box<dyn Read + Send>) -> Result<Self> {
        let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(Lines::new(reader));
        let header = reader.byte_headers().cloned();
        let header = header.map_err(|error| explain(&file, reader.get_ref(), error))?;
        if header.is_empty() {
            return Err(file.content("no header: the file is empty"));
        }
        let names: Vec<_> = header.iter().map(String::from_utf8_lossy).collect();
        let hint = match &names[..] {
            [_] => "; columns are separated by commas",
            names if names.iter().all(|name| name.parse::<f64>().is_ok()) => {
                "; the first line must name the columns"
            }
            _ => "",
        };
        let columns = Columns::find(&names).map_err(|what| file.content(what + hint))?;
        Ok(Self { file, reader, columns, record: ByteRecord::new() })
    }

    fn row(&self, moved: &mut Moved) -> Result<R> {
        let mut row = R::BLANK;
        for (place, (number, (column, name))) in
            row.numbers().iter_mut().zip(self.columns.named()).enumerate()
        {
            if let Some(column) = column {
                // Nothing is known of it, and the status of the row will say so.
                *number = if self.is_empty(column) {
                    no_number()
                } else {
                    self.field(column, name, "a number", |text| moved.nearest_to_text(place, text))?
                };
            }
        }
        Ok(row)
    }

    fn is_empty(&self, column: usize) -> bool {
        self.record.get(column).is_some_and(<[u8]>::is_empty)
    }

    fn field<T>(
        &self,
        column: usize,
        name: &str,
        kind: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        let field = self.record.get(column).unwrap_or_default();
        let value = std::str::from_utf8(field).ok().and_then(parse);
        value.ok_or_else(|| {
            let line = self.reader.get_ref().record_line;
            let field = String::from_utf8_lossy(field);
            let field = excerpt(&field);
            self.file.at_line(line, format_args!("column \"{name}\": {field:?} is not {kind}"))
        })
    }
}

impl<R: Row> Rows<R> for CsvRows<R> {
    fn read(
        &mut self,
        max_rows: usize,
        rows: &mut Vec<R>,
        ids: &mut Vec<i64>,
        moved: &mut Moved,
    ) -> Result<()> {
        for _ in 0..max_rows {
            self.reader.get_mut().record_length = 0;
            match self.reader.read_byte_record(&mut self.record) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return Err(explain(&self.file, self.reader.get_ref(), error)),
            }
            rows.push(self.row(moved)?);
            if let Some(column) = self.columns.id {
                ids.push(self.field(column, R::ID_NAME, WHOLE, |text| text.parse().ok())?);
            }
        }
        Ok(())
    }

    fn has_ids(&self) -> bool {
        self.columns.id.is_some()
    }

    fn ignored(&self) -> &[String] {
        &self.columns.ignored
    }
}

fn explain(file: &FileName, lines: &Lines, error: ::csv::Error) -> crate::Error {
    let line = lines.record_line;
    match error.into_kind() {
        ErrorKind::Io(error) if is_of_quotes(error.kind()) => file.at_line(line, error),
        ErrorKind::Io(error) => file.system(error),
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            file.at_line(line, format_args!("{}, but the header has {expected_len}", counted(len, "field")))
        }
        other => file.foreign("", format_args!("{other:?}")),
    }
}

/// What [`Lines`] says of a record, and not the system.
fn is_of_quotes(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::FileTooLarge | io::ErrorKind::UnexpectedEof)
}

/// Hands out one line at a time, so that its own count says where the record at hand began: the
/// parser counts no blank lines and takes `\r\n` for two. Every line ends in `\n` here, and blank
/// lines between records are left out. It also stops at a record without end: one of which more is asked for when its
/// last line has ended stands in a quote.
struct Lines {
    reader: BufReader<Box<dyn Read + Send>>,
    /// Lines that have been read to their end.
    ended: u64,
    /// Whether the last byte handed out ended a line.
    at_end: bool,
    /// Whether a `\n` that comes next belongs to the end of line before it.
    after_return: bool,
    /// The line on which the record at hand begins, counted from 1.
    record_line: u64,
    /// The bytes handed out of the record at hand.
    record_length: usize,
}

impl Lines {
    fn new(reader: Box<dyn Read + Send>) -> Self {
        let reader = BufReader::with_capacity(1 << 16, reader);
        Self { reader, ended: 0, at_end: true, after_return: false, record_line: 1, record_length: 0 }
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.record_length > LONGEST_RECORD {
            let what = format!("a record longer than {LONGEST_RECORD} bytes: perhaps a quote is not closed");
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        loop {
            let text = self.reader.fill_buf()?;
            let text = &text[..text.len().min(buffer.len())];
            let Some(&first) = text.first() else {
                if self.record_length == 0 || buffer.is_empty() {
                    return Ok(0);
                }
                if !std::mem::replace(&mut self.at_end, true) {
                    buffer[0] = b'\n';
                    return Ok(1);
                }
                let what = "a quote is not closed";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, what));
            };
            if std::mem::take(&mut self.after_return) && first == b'\n' {
                self.reader.consume(1);
                continue;
            }
            let end = text.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            let length = end.map_or(text.len(), |end| end + 1);
            let line = &mut buffer[..length];
            line.copy_from_slice(&text[..length]);
            self.reader.consume(length);

            if self.record_length == 0 {
                self.record_line = self.ended + 1;
            }
            if let Some(end) = end {
                self.ended += 1;
                self.after_return = line[end] == b'\r';
                line[end] = b'\n';
                if end == 0 && self.record_length == 0 {
                    continue;
                }
            }
            self.at_end = end.is_some();
            self.record_length += length;
            return Ok(length);
        }
    }
}

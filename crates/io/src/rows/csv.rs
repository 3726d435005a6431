//! Rows as values between commas, semicolons or tabs, with a header.

use super::columns::Columns;
use super::lines::{next_bytes, refuse_utf16};
use super::{Chunk, Row, Rows, Source};
use crate::error::{FileName, InFile, Result, counted};
use crate::excerpt;
use ::csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder, Trim};
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// A quote that is never closed must not draw the rest of the file into memory.
const LONGEST_RECORD: usize = 1 << 20;
/// What may separate columns; at as many of several, the first.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];
const MARK_OF_UTF8: &[u8] = b"\xef\xbb\xbf";

/// A table as text, record by record.
pub(super) struct Table {
    file: FileName,
    reader: Reader<Lines>,
    pub(super) names: Vec<String>,
    record: ByteRecord,
}

impl Table {
    pub(super) fn open(file: FileName, reader: Box<dyn Read + Send>) -> Result<Self> {
        let mut reader = BufReader::with_capacity(1 << 16, reader);
        let mut head = first_line(&mut reader).in_file(&file)?;
        refuse_utf16(&file, &head)?;
        if head.starts_with(MARK_OF_UTF8) {
            head.drain(..MARK_OF_UTF8.len());
        }
        let separator = separator(&head);
        let lines = Lines::new(Box::new(Cursor::new(head).chain(reader)), separator);
        let mut reader =
            ReaderBuilder::new().delimiter(separator).trim(Trim::All).from_reader(lines);
        let header = reader.byte_headers().cloned();
        let header = header.map_err(|error| explain(&file, reader.get_ref(), error))?;
        if header.is_empty() {
            return Err(file.content("no header: the file is empty"));
        }
        let names = header.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
        Ok(Self { file, reader, names, record: ByteRecord::new() })
    }

    /// Goes on to the next record; `false` at the end.
    pub(super) fn next(&mut self) -> Result<bool> {
        self.reader.get_mut().record_length = 0;
        let read = self.reader.read_byte_record(&mut self.record);
        read.map_err(|error| explain(&self.file, self.reader.get_ref(), error))
    }

    /// What the record has in a column. What is no text is no number either, and is said to be
    /// none.
    pub(super) fn field(&self, column: usize) -> Cow<'_, str> {
        let field = self.record.get(column).unwrap_or_default();
        let lossy = |_| String::from_utf8_lossy(field);
        std::str::from_utf8(field).map_or_else(lossy, Cow::Borrowed)
    }

    /// Something wrong with a field of the record.
    pub(super) fn wrong(&self, column: &str, field: &str, kind: &str) -> crate::Error {
        let (line, name, field) =
            (self.reader.get_ref().record_line, excerpt(column), excerpt(field));
        self.file.at_line(line, format_args!("column \"{name}\": {field:?} is not {kind}"))
    }
}

/// A file up to the end of its first line that is not blank.
fn first_line<R: Read>(reader: &mut BufReader<R>) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    loop {
        let there = next_bytes(reader)?;
        let is_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let length = there.iter().position(is_end).map_or(there.len(), |end| end + 1);
        let ended = there[..length].last().is_none_or(is_end);
        head.extend_from_slice(&there[..length]);
        reader.consume(length);
        if length == 0 || ended && !head.trim_ascii().is_empty() || head.len() > LONGEST_RECORD {
            return Ok(head);
        }
    }
}

/// What stands between the names of a header most often, outside of quotes.
fn separator(head: &[u8]) -> u8 {
    let mut counts = [0_usize; SEPARATORS.len()];
    let mut is_quoted = false;
    for byte in head {
        is_quoted ^= *byte == b'"';
        if let Some(place) =
            SEPARATORS.iter().position(|separator| separator == byte).filter(|_| !is_quoted)
        {
            counts[place] += 1;
        }
    }
    let most = counts.into_iter().max().unwrap_or_default();
    counts.iter().position(|count| *count == most).map_or(b',', |place| SEPARATORS[place])
}

struct CsvRows {
    table: Table,
    columns: Columns,
}

pub(super) fn open<R: Row>(file: FileName, reader: Box<dyn Read + Send>) -> Result<Source<R>> {
    let table = Table::open(file, reader)?;
    let hint = match &table.names[..] {
        [_] => "; columns are separated by commas, semicolons or tabs",
        names if names.iter().all(|name| name.parse::<f64>().is_ok()) => {
            "; the first line must name the columns"
        }
        _ => "",
    };
    let found = Columns::find::<R>(&table.names);
    let (columns, ignored) = found.map_err(|what| table.file.content(what + hint))?;
    let has_ids = columns.id.is_some();
    Ok(Source::new(CsvRows { table, columns }, None, has_ids, ignored))
}

impl<R: Row> Rows<R> for CsvRows {
    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()> {
        for _ in 0..max_rows {
            if !self.table.next()? {
                break;
            }
            let table = &self.table;
            let wrong = |name: &str, field: &str, kind: &str| table.wrong(name, field, kind);
            self.columns.read_text(chunk, |column| table.field(column), wrong)?;
        }
        Ok(())
    }
}

fn explain(file: &FileName, lines: &Lines, error: ::csv::Error) -> crate::Error {
    let line = lines.record_line;
    match error.into_kind() {
        ErrorKind::Io(error) if is_of_quotes(error.kind()) => file.at_line(line, error),
        ErrorKind::Io(error) => file.system(error),
        ErrorKind::UnequalLengths { expected_len, len, .. } => file.at_line(
            line,
            format_args!("{}, but the header has {expected_len}", counted(len, "field")),
        ),
        other => file.foreign("", format_args!("{other:?}")),
    }
}

/// What [`Lines`] says of a record, and not the system.
fn is_of_quotes(kind: io::ErrorKind) -> bool {
    matches!(kind, io::ErrorKind::FileTooLarge | io::ErrorKind::UnexpectedEof)
}

/// Hands out one line at a time, so that its own count says where the record at hand began: the
/// parser counts no blank lines and takes `\r\n` for two. Every line ends in `\n` here, and blank
/// lines between records are left out. It also stops at a record without end: one of which more is
/// asked for when its last line has ended stands in a quote. Blanks before a quote are left out:
/// the parser sees a quote at the beginning of a field alone.
struct Lines {
    reader: BufReader<Box<dyn Read + Send>>,
    separator: u8,
    /// Where the next byte stands.
    place: Place,
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

/// Where a byte stands in a record.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Where a field begins, but for blanks.
    Start,
    Plain,
    Quoted,
    /// Behind a quote in a quoted field, which ends it unless another follows.
    Quote,
}

impl Lines {
    fn new(reader: Box<dyn Read + Send>, separator: u8) -> Self {
        Self {
            reader: BufReader::with_capacity(1 << 16, reader),
            separator,
            place: Place::Start,
            ended: 0,
            at_end: true,
            after_return: false,
            record_line: 1,
            record_length: 0,
        }
    }

    /// Leaves out blanks where a field begins; how much is left.
    fn without_blanks(&mut self, text: &mut [u8]) -> usize {
        // Most lines have no quotes, and blanks around numbers are the parser's.
        if self.place == Place::Start && text.ends_with(b"\n") && !text.contains(&b'"') {
            return text.len();
        }
        let mut kept = 0;
        for at in 0..text.len() {
            let byte = text[at];
            let ends = byte == self.separator || byte == b'\n';
            self.place = match (self.place, byte) {
                (Place::Start, b' ' | b'\t') if !ends => continue,
                (Place::Start, b'"') | (Place::Quote, b'"') => Place::Quoted,
                (Place::Quoted, b'"') => Place::Quote,
                (Place::Quoted, _) => Place::Quoted,
                _ if ends => Place::Start,
                _ => Place::Plain,
            };
            text[kept] = byte;
            kept += 1;
        }
        kept
    }
}

impl Read for Lines {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.record_length > LONGEST_RECORD {
            let what = format!(
                "a record longer than {LONGEST_RECORD} bytes: perhaps a quote is not closed"
            );
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
                    self.without_blanks(&mut buffer[..1]);
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
            let kept = self.without_blanks(&mut buffer[..length]);
            if kept > 0 {
                return Ok(kept);
            }
        }
    }
}

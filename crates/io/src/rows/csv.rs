//! Rows as values between commas, semicolons or tabs, with a header.

use super::columns::Columns;
use super::lines::{next_bytes, refuse_utf16};
use super::{Chunk, Column, Row, Rows, Source};
use crate::error::{FileName, InFile, Result, counted};
use crate::excerpt;
use ::csv::{ByteRecord, ErrorKind, Reader, ReaderBuilder};
use lanecast::Threads;
use lanecast::support::map_on;
use memchr::{memchr, memchr2};
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// A quote that is never closed must not draw the rest of the file into memory.
const LONGEST_RECORD: usize = 1 << 20;
/// What may separate columns; at as many of several, the first.
const SEPARATORS: [u8; 3] = [b',', b';', b'\t'];
const MARK_OF_UTF8: &[u8] = b"\xef\xbb\xbf";
/// What a thread makes rows of at a time: so many lines, or the line that ends behind so many bytes.
const LINES: usize = 1 << 12;
const BYTES: usize = 1 << 18;
/// And no more than so many bytes by all threads.
const BYTES_AT_ONCE: usize = 1 << 25;

/// A table as text, record by record.
pub(super) struct Table {
    file: FileName,
    reader: Reader<Lines>,
    pub(super) names: Vec<String>,
    record: ByteRecord,
}

/// Lines that can be read by themselves, as each is a whole record or blank.
struct Block {
    text: Vec<u8>,
    /// How many lines there are before it.
    before: u64,
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
        let mut table = Self::of_lines(file, lines, Vec::new());
        if !table.read()? || table.record.is_empty() {
            return Err(table.file.content("no header: the file is empty"));
        }
        let name = |name: &[u8]| String::from_utf8_lossy(name.trim_ascii()).into_owned();
        table.names = table.record.iter().map(name).collect();
        Ok(table)
    }

    /// Records with these names of columns.
    fn of_lines(file: FileName, lines: Lines, names: Vec<String>) -> Self {
        let mut reader = ReaderBuilder::new();
        // Lengths are compared with that of the header, which blocks of lines have not.
        reader.delimiter(lines.separator).has_headers(false).flexible(true);
        Self { file, reader: reader.from_reader(lines), names, record: ByteRecord::new() }
    }

    /// Goes on to the next record; `false` at the end.
    pub(super) fn next(&mut self) -> Result<bool> {
        let is_there = self.read()?;
        let (found, expected) = (self.record.len(), self.names.len());
        if is_there && found != expected {
            let what = format_args!("{}, but the header has {expected}", counted(found, "field"));
            return Err(self.file.at_line(self.reader.get_ref().record_line, what));
        }
        Ok(is_there)
    }

    fn read(&mut self) -> Result<bool> {
        self.reader.get_mut().record_length = 0;
        let read = self.reader.read_byte_record(&mut self.record);
        read.map_err(|error| explain(&self.file, self.reader.get_ref(), error))
    }

    /// What the record has in a column. What is no text is no number either, and is said to be
    /// none.
    pub(super) fn field(&self, column: usize) -> Cow<'_, str> {
        let field = self.record.get(column).unwrap_or_default().trim_ascii();
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
    threads: Threads,
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
    let rows = CsvRows { table, columns, threads: Threads::ONE };
    Ok(Source::new(rows, None, has_ids, ignored))
}

impl<R: Row> Rows<R> for CsvRows {
    fn set_threads(&mut self, threads: &Threads) {
        self.threads = threads.clone();
    }

    fn columns(&mut self) -> Option<&mut Columns> {
        Some(&mut self.columns)
    }

    fn keep(&mut self, names: &[String]) -> Result<Vec<Column>> {
        self.columns.keep(names, |_| Ok(Column::Text(Vec::new()))).in_file(&self.table.file)
    }

    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()> {
        while chunk.rows.len() < max_rows {
            let (mut blocks, mut left) = (Vec::new(), max_rows - chunk.rows.len());
            let (mut bytes, mut failed) = (0, None);
            while blocks.len() < 2 * self.threads.count() && left > 0 && bytes < BYTES_AT_ONCE {
                let lines = self.table.reader.get_mut();
                let before = lines.ended;
                match lines.take(left.min(LINES)).in_file(&self.table.file) {
                    Ok(Some(text)) => {
                        left -= (lines.ended - before) as usize;
                        bytes += text.len();
                        blocks.push(Block { text, before });
                    }
                    Ok(None) => break,
                    // What is wrong with the lines before comes first.
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
            }
            if blocks.is_empty() && failed.is_none() {
                break;
            }
            let Table { file, reader, names, .. } = &self.table;
            let (separator, columns) = (reader.get_ref().separator, &self.columns);
            let parts = map_on(&self.threads, blocks, &|Block { text, before }| {
                let lines = Lines::new(Box::new(Cursor::new(text)), separator);
                let lines = Lines { ended: before, ..lines };
                let mut table = Table::of_lines(file.clone(), lines, names.clone());
                let mut part = Chunk::new(columns.none_kept());
                read_all(&mut table, columns, usize::MAX, &mut part).map(|()| part)
            });
            for part in parts {
                chunk.append(part?);
            }
            failed.map_or(Ok(()), Err)?;
        }
        let left = max_rows - chunk.rows.len();
        read_all(&mut self.table, &self.columns, left, chunk)
    }
}

/// Appends the rows of a table, at most so many.
fn read_all<R: Row>(
    table: &mut Table,
    columns: &Columns,
    most: usize,
    chunk: &mut Chunk<R>,
) -> Result<()> {
    for _ in 0..most {
        if !table.next()? {
            break;
        }
        let table = &*table;
        let wrong = |name: &str, field: &str, kind: &str| table.wrong(name, field, kind);
        columns.read_text(chunk, |column| table.field(column), wrong)?;
    }
    Ok(())
}

fn explain(file: &FileName, lines: &Lines, error: ::csv::Error) -> crate::Error {
    let line = lines.record_line;
    match error.into_kind() {
        ErrorKind::Io(error) if is_of_quotes(error.kind()) => file.at_line(line, error),
        ErrorKind::Io(error) => file.system(error),
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
    /// Whether every line so far could be [taken](Self::take) as it is.
    is_plain: bool,
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
            is_plain: true,
            place: Place::Start,
            ended: 0,
            at_end: true,
            after_return: false,
            record_line: 1,
            record_length: 0,
        }
    }

    /// The next lines, at most so many, as they are, if each is a record or blank. `None` at the
    /// end, and from the first line on that has a quote or a mark of UTF-8, ends in `\r` alone or
    /// goes on and on.
    fn take(&mut self, most: usize) -> io::Result<Option<Vec<u8>>> {
        let (mut text, mut whole, mut lines) = (Vec::new(), 0, 0);
        if std::mem::take(&mut self.after_return)
            && next_bytes(&mut self.reader)?.starts_with(b"\n")
        {
            self.reader.consume(1);
        }
        while self.is_plain && lines < most && whole < BYTES {
            let there = next_bytes(&mut self.reader)?;
            let end = memchr(b'\n', there);
            let read = end.map_or(there.len(), |end| end + 1);
            text.extend_from_slice(&there[..read]);
            self.reader.consume(read);
            let line = &text[whole..];
            let is_odd = memchr2(b'"', b'\r', line)
                .is_some_and(|place| !matches!(line[place..], [b'\r'] | [b'\r', b'\n']));
            if is_odd || line.starts_with(MARK_OF_UTF8) || line.len() > LONGEST_RECORD {
                self.is_plain = false;
            } else if end.is_some() || read == 0 && !line.is_empty() {
                whole = text.len();
                lines += 1;
            } else if read == 0 {
                break;
            }
        }
        let rest = text.split_off(whole);
        if !rest.is_empty() {
            let reader = std::mem::replace(&mut self.reader, BufReader::new(Box::new(io::empty())));
            let reader: Box<dyn Read + Send> = Box::new(Cursor::new(rest).chain(reader));
            self.reader = BufReader::with_capacity(1 << 16, reader);
        }
        self.ended += lines as u64;
        Ok((lines > 0).then_some(text))
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

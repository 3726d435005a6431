//! Rows as records of one layout, behind a header that says it: the points of PLY and PCD files, as
//! text or binary.

use super::columns::Columns;
use super::lines::Lines;
use super::scalar::{Scalar, Whole};
use super::{Chunk, Column, Row, Rows, Source};
use crate::error::{FileName, InFile, Result, counted};
use crate::excerpt;
use std::borrow::Cow;

/// Records are read in pieces, so that a header which promises too much costs no memory.
const PIECE: usize = 8192;
const PIECE_BYTES: usize = 1 << 20;

/// One number of a record.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) scalar: Scalar,
}

/// What a header says of the records behind it.
pub(super) struct Layout {
    pub(super) fields: Vec<Field>,
    pub(super) count: u64,
    pub(super) is_text: bool,
    /// What a record is called, for messages.
    pub(super) what: &'static str,
    /// The same of many.
    pub(super) whats: &'static str,
    /// Whether the numbers of a record may stand in several lines.
    pub(super) spans_lines: bool,
    /// Reads over what may follow; nothing else does.
    pub(super) rest: Option<Rest>,
}

type Rest = Box<dyn FnOnce(&mut Lines) -> Result<()> + Send>;

struct Records {
    file: FileName,
    lines: Lines,
    layout: Layout,
    columns: Columns,
    /// The type of ids.
    id_type: Option<Whole>,
    /// Where each field begins in a record, and how long that is.
    offsets: Vec<usize>,
    size: usize,
    done: u64,
    bytes: Vec<u8>,
}

/// The records behind a header.
pub(super) fn open<R: Row>(file: FileName, lines: Lines, layout: Layout) -> Result<Source<R>> {
    let names: Vec<_> = layout.fields.iter().map(|field| field.name.as_str()).collect();
    let (mut columns, ignored) = Columns::find::<R>(&names).in_file(&file)?;
    columns.by_header = true;
    let no_id = || file.content(format_args!("\"{}\" is not a whole number", R::ID_NAME));
    let id_type = columns.id.map(|id| layout.fields[id].scalar.whole().ok_or_else(no_id));
    let id_type = id_type.transpose()?;
    let mut size = 0;
    let mut offsets = Vec::with_capacity(layout.fields.len());
    for field in &layout.fields {
        offsets.push(size);
        size += field.scalar.size();
    }
    let (count, has_ids, bytes) = (layout.count, id_type.is_some(), Vec::new());
    let rows = Records { file, lines, layout, columns, id_type, offsets, size, done: 0, bytes };
    Ok(Source::new(rows, Some(count), has_ids, ignored))
}

impl Records {
    fn truncated(&self) -> crate::Error {
        let Layout { what, count, .. } = self.layout;
        self.file.content(format_args!("truncated: {what} {} of {count} is incomplete", self.done))
    }

    fn read_binary<R: Row>(&mut self, count: usize, chunk: &mut Chunk<R>) -> Result<()> {
        self.bytes.resize(count * self.size, 0);
        let there = self.lines.fill(&mut self.bytes)?;
        for record in self.bytes[..there].chunks_exact(self.size.max(1)) {
            let at = |field: usize| {
                let Field { scalar, .. } = &self.layout.fields[field];
                (*scalar, &record[self.offsets[field]..][..scalar.size()])
            };
            let mut row = R::BLANK;
            for (place, (number, column)) in
                row.numbers().iter_mut().zip(&self.columns.numbers).enumerate()
            {
                if let &Some(column) = column {
                    let (scalar, bytes) = at(column);
                    *number = scalar.number(bytes, place, &mut chunk.moved);
                }
            }
            chunk.rows.push(row);
            if let Some((column, id_type)) = self.columns.id.zip(self.id_type) {
                let beyond =
                    |id| self.file.content(format_args!("id {id} is beyond 64 bits with a sign"));
                chunk.ids.push(id_type.read(at(column).1).map_err(beyond)?);
            }
            for ((column, _), values) in self.columns.kept.iter().zip(&mut chunk.kept) {
                let (scalar, bytes) = at(*column);
                let beyond = |value| {
                    let (Layout { what, fields, .. }, done) = (&self.layout, self.done);
                    let name = excerpt(&fields[*column].name);
                    self.file.content(format_args!(
                        "{what} {done}: \"{name}\": {value} is beyond 64 bits with a sign"
                    ))
                };
                values.push_number(scalar, bytes).map_err(beyond)?;
            }
            self.done += 1;
        }
        if there < self.bytes.len() { Err(self.truncated()) } else { Ok(()) }
    }

    fn read_text<R: Row>(&mut self, chunk: &mut Chunk<R>) -> Result<()> {
        let (mut text, mut found, expected) = (String::new(), 0, self.layout.fields.len());
        while found == 0 || self.layout.spans_lines && found < expected {
            let line = self.lines.next()?.ok_or_else(|| self.truncated())?;
            found += line.split_ascii_whitespace().count();
            text = if text.is_empty() { line } else { text + " " + &line };
        }
        let (words, lines): (Vec<_>, _) = (text.split_ascii_whitespace().collect(), &self.lines);
        if found != expected {
            let found = counted(found as u64, "value");
            return Err(lines.wrong(format_args!("{found}, but the header has {expected}")));
        }
        let wrong = |name: &str, word: &str, kind: &str| lines.wrong_value(name, word, kind);
        self.columns.read_text(chunk, |column| Cow::Borrowed(words[column]), wrong)?;
        self.done += 1;
        Ok(())
    }

    /// Refuses what follows the last record and what may follow that, blanks aside.
    fn end(&mut self) -> Result<()> {
        if let Some(rest) = self.layout.rest.take() {
            rest(&mut self.lines)?;
        }
        let mut byte = [0];
        while self.lines.fill(&mut byte)? > 0 {
            if !byte[0].is_ascii_whitespace() && byte[0] != 0 {
                let Layout { count, whats, .. } = self.layout;
                let what = format_args!("more follows the {count} {whats} that the header counts");
                return Err(self.file.content(what));
            }
        }
        Ok(())
    }
}

impl<R: Row> Rows<R> for Records {
    fn keep(&mut self, names: &[String]) -> Result<Vec<Column>> {
        let kind = |place: usize| Ok(Column::of_scalar(self.layout.fields[place].scalar.kind));
        self.columns.keep(names, kind).in_file(&self.file)
    }

    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()> {
        while chunk.rows.len() < max_rows && self.done < self.layout.count {
            if self.layout.is_text {
                self.read_text(chunk)?;
            } else {
                let left = self.layout.count - self.done;
                let wanted = left.min((max_rows - chunk.rows.len()) as u64);
                let piece = (PIECE_BYTES / self.size.max(1)).clamp(1, PIECE);
                self.read_binary(wanted.min(piece as u64) as usize, chunk)?;
            }
        }
        if self.done == self.layout.count { self.end() } else { Ok(()) }
    }
}

//! Rows as records of one layout, behind a header that says it: the points of PLY and PCD files, as
//! text or binary.

use super::columns::Columns;
use super::lines::Lines;
use super::scalar::Scalar;
use super::{Moved, Row, Rows, WHOLE};
use crate::error::{FileName, Result, counted};
use crate::excerpt;

/// Records are read in pieces, so that a header which promises too much costs no memory.
const PIECE: usize = 8192;
const PIECE_BYTES: usize = 1 << 20;

/// One number of a record.
#[derive(Debug, Clone)]
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

pub(super) struct Records<R> {
    file: FileName,
    lines: Lines,
    layout: Layout,
    columns: Columns<R>,
    /// Where each field begins in a record, and how long that is.
    offsets: Vec<usize>,
    size: usize,
    done: u64,
    bytes: Vec<u8>,
}

impl<R: Row> Records<R> {
    pub(super) fn new(file: FileName, lines: Lines, layout: Layout) -> Result<Self> {
        let names: Vec<_> = layout.fields.iter().map(|field| field.name.as_str()).collect();
        let columns = Columns::find(&names).map_err(|what| file.content(what))?;
        if let Some(id) = columns.id
            && !layout.fields[id].scalar.kind.is_whole()
        {
            return Err(file.content(format_args!("\"{}\" is not a whole number", R::ID_NAME)));
        }
        let mut size = 0;
        let mut offsets = Vec::with_capacity(layout.fields.len());
        for field in &layout.fields {
            offsets.push(size);
            size += field.scalar.size();
        }
        Ok(Self { file, lines, layout, columns, offsets, size, done: 0, bytes: Vec::new() })
    }

    fn truncated(&self) -> crate::Error {
        let Layout { what, count, .. } = self.layout;
        self.file.content(format_args!("truncated: {what} {} of {count} is incomplete", self.done))
    }

    fn read_binary(
        &mut self,
        count: usize,
        rows: &mut Vec<R>,
        ids: &mut Vec<i64>,
        moved: &mut Moved,
    ) -> Result<()> {
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
                    *number = scalar.number(bytes, place, moved);
                }
            }
            rows.push(row);
            if let Some(column) = self.columns.id {
                let (scalar, bytes) = at(column);
                let beyond =
                    |id| self.file.content(format_args!("id {id} is beyond 64 bits with a sign"));
                ids.push(scalar.id(bytes).map_err(beyond)?);
            }
            self.done += 1;
        }
        if there < self.bytes.len() { Err(self.truncated()) } else { Ok(()) }
    }

    fn read_text(
        &mut self,
        rows: &mut Vec<R>,
        ids: &mut Vec<i64>,
        moved: &mut Moved,
    ) -> Result<()> {
        let (mut text, mut found, expected) = (String::new(), 0, self.layout.fields.len());
        while found == 0 || self.layout.spans_lines && found < expected {
            let line = self.lines.next()?.ok_or_else(|| self.truncated())?;
            found += line.split_ascii_whitespace().count();
            text = if text.is_empty() { line } else { text + " " + &line };
        }
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        if found != expected {
            return Err(self.lines.wrong(format_args!(
                "{}, but the header has {expected}",
                counted(found as u64, "value")
            )));
        }
        let wrong = |name: &str, word: &str, kind: &str| {
            self.lines.wrong(format_args!("\"{name}\": {:?} is not {kind}", excerpt(word)))
        };
        let mut row = R::BLANK;
        for (place, (number, (column, name))) in
            row.numbers().iter_mut().zip(self.columns.named()).enumerate()
        {
            if let Some(column) = column {
                let word = words[column];
                let parsed = moved.nearest_to_text(place, word);
                *number = parsed.ok_or_else(|| wrong(name, word, "a number"))?;
            }
        }
        rows.push(row);
        if let Some(column) = self.columns.id {
            let word = words[column];
            ids.push(word.parse().map_err(|_| wrong(R::ID_NAME, word, WHOLE))?);
        }
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

impl<R: Row> Rows<R> for Records<R> {
    fn total(&self) -> Option<u64> {
        Some(self.layout.count)
    }

    fn read(
        &mut self,
        max_rows: usize,
        rows: &mut Vec<R>,
        ids: &mut Vec<i64>,
        moved: &mut Moved,
    ) -> Result<()> {
        let before = rows.len();
        while rows.len() - before < max_rows && self.done < self.layout.count {
            if self.layout.is_text {
                self.read_text(rows, ids, moved)?;
            } else {
                let left =
                    (self.layout.count - self.done).min((max_rows - (rows.len() - before)) as u64);
                let piece = (PIECE_BYTES / self.size.max(1)).clamp(1, PIECE);
                self.read_binary(left.min(piece as u64) as usize, rows, ids, moved)?;
            }
        }
        if self.done == self.layout.count { self.end() } else { Ok(()) }
    }

    fn has_ids(&self) -> bool {
        self.columns.id.is_some()
    }

    fn ignored(&self) -> &[String] {
        &self.columns.ignored
    }
}

//! Points as lines of numbers, of which the first three are x, y and z unless a header says
//! otherwise. A number alone in the first line counts the points, as scanners write it.

use super::columns::Columns;
use super::lines::Lines;
use super::{Moved, Row, Rows, WHOLE, no_number};
use crate::error::{FileName, Result, counted};
use crate::excerpt;
use std::io::Read;

pub(super) struct XyzRows<R> {
    lines: Lines,
    columns: Columns<R>,
    /// How many numbers a line has.
    width: usize,
    /// The first line of numbers, which tells whether there is a header.
    first: Option<String>,
    /// How many points the first line counts.
    count: Option<u64>,
    done: u64,
}

impl<R: Row> XyzRows<R> {
    pub(super) fn open(file: &FileName, reader: Box<dyn Read + Send>) -> Result<Self> {
        let mut lines = Lines::new(file.clone(), reader);
        let mut first = next(&mut lines)?;
        let count = first.as_deref().and_then(|line| line.parse().ok());
        if count.is_some() {
            first = next(&mut lines)?;
        }
        let words = first.as_deref().map(words).unwrap_or_default();
        let is_number = |word: &&str| word.is_empty() || word.parse::<f64>().is_ok();
        let is_header = !words.is_empty()
            && !words.iter().all(is_number)
            && words.iter().all(|word| is_name(word));
        // Without names the columns that follow are called by their numbers, from 1.
        let named = |place: usize| match R::NAMES.get(place) {
            Some(name) if place < R::REQUIRED => (*name).to_owned(),
            _ => (place + 1).to_string(),
        };
        let names: Vec<String> = match (is_header, first.is_some()) {
            (true, _) => words.iter().map(|&word| word.to_owned()).collect(),
            (false, true) if words.len() < R::REQUIRED => {
                let (found, required) = (words.len(), R::REQUIRED);
                return Err(lines.wrong(format_args!(
                    "{}; expected {required} at least",
                    counted(found as u64, "value")
                )));
            }
            (false, true) => (0..words.len()).map(named).collect(),
            (false, false) => (0..R::REQUIRED).map(named).collect(),
        };
        let columns = Columns::find(&names).map_err(|what| file.content(what))?;
        let width = names.len();
        Ok(Self { lines, columns, width, first: first.filter(|_| !is_header), count, done: 0 })
    }

    /// Whether all points have come that the first line counts.
    fn check_end(&self) -> Result<()> {
        match self.count {
            Some(count) if count != self.done => {
                let done = self.done;
                Err(self.lines.wrong(format_args!(
                    "truncated: the first line counts {count} points, {done} are there"
                )))
            }
            _ => Ok(()),
        }
    }

    fn row(&self, line: &str, ids: &mut Vec<i64>, moved: &mut Moved) -> Result<R> {
        let words = words(line);
        if words.len() != self.width {
            let (found, width) = (words.len(), self.width);
            return Err(self.lines.wrong(format_args!(
                "{}, but the first line has {width}",
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
            *number = match column.map(|column| words[column]) {
                None => continue,
                // Nothing is known of it, and the status of the row will say so.
                Some("") => no_number(),
                Some(word) => moved
                    .nearest_to_text(place, word)
                    .ok_or_else(|| wrong(name, word, "a number"))?,
            };
        }
        if let Some(word) = self.columns.id.map(|column| words[column]) {
            ids.push(word.parse().map_err(|_| wrong(R::ID_NAME, word, WHOLE))?);
        }
        Ok(row)
    }
}

impl<R: Row> Rows<R> for XyzRows<R> {
    fn total(&self) -> Option<u64> {
        self.count
    }

    fn read(
        &mut self,
        max_rows: usize,
        rows: &mut Vec<R>,
        ids: &mut Vec<i64>,
        moved: &mut Moved,
    ) -> Result<()> {
        for _ in 0..max_rows {
            let line = match self.first.take() {
                Some(first) => first,
                None => match next(&mut self.lines)? {
                    Some(line) => line,
                    None => return self.check_end(),
                },
            };
            if self.count == Some(self.done) {
                return Err(self.lines.wrong(format_args!(
                    "more follows the {} points that the first line counts",
                    self.done
                )));
            }
            rows.push(self.row(&line, ids, moved)?);
            self.done += 1;
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

/// The next line that is neither blank nor a remark.
fn next(lines: &mut Lines) -> Result<Option<String>> {
    while let Some(line) = lines.next()? {
        let line = line.trim_start_matches('\u{feff}');
        // `//` is how CloudCompare begins its headers.
        if !line.is_empty() && !line.starts_with('#') && !line.starts_with("//") {
            return Ok(Some(line.to_owned()));
        }
    }
    Ok(None)
}

/// The words of a line, between commas or semicolons if it has some, and otherwise between blanks.
fn words(line: &str) -> Vec<&str> {
    match line.find([',', ';']) {
        Some(at) => line.split(&line[at..=at]).map(str::trim).collect(),
        None => line.split_ascii_whitespace().collect(),
    }
}

/// Whether a word may be the name of a column: a number that was misspelt begins with a digit or a
/// sign.
fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && word.parse::<f64>().is_err()
}

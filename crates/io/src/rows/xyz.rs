//! Points as lines of numbers, of which the first three are x, y and z unless a header says
//! otherwise. A number alone in the first line counts the points, as scanners write it.

use super::columns::Columns;
use super::lines::Lines;
use super::{Chunk, Column, Row, Rows, Source};
use crate::error::{FileName, InFile, Result, counted};
use std::borrow::Cow;
use std::io::Read;

struct XyzRows {
    file: FileName,
    lines: Lines,
    columns: Columns,
    /// How many numbers a line has.
    width: usize,
    /// The first line of numbers, which tells whether there is a header.
    first: Option<String>,
    /// How many points the first line counts.
    count: Option<u64>,
    done: u64,
}

pub(super) fn open<R: Row>(file: &FileName, reader: Box<dyn Read + Send>) -> Result<Source<R>> {
    let mut lines = Lines::new(file.clone(), reader);
    let mut first = next(&mut lines)?;
    let count = first.as_deref().and_then(|line| line.parse().ok());
    if count.is_some() {
        first = next(&mut lines)?;
    }
    let words = first.as_deref().map(words).unwrap_or_default();
    let is_number = |word: &&str| word.is_empty() || word.parse::<f64>().is_ok();
    let is_header =
        !words.is_empty() && !words.iter().all(is_number) && words.iter().all(|word| is_name(word));
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
    let found = Columns::find::<R>(&names);
    let (columns, ignored) = found.in_file(file)?;
    let (width, has_ids) = (names.len(), columns.id.is_some());
    let first = first.filter(|_| !is_header);
    let rows = XyzRows { file: file.clone(), lines, columns, width, first, count, done: 0 };
    Ok(Source::new(rows, count, has_ids, ignored))
}

impl XyzRows {
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
}

impl<R: Row> Rows<R> for XyzRows {
    fn columns(&mut self) -> Option<&mut Columns> {
        Some(&mut self.columns)
    }

    fn keep(&mut self, names: &[String]) -> Result<Vec<Column>> {
        self.columns.keep(names, |_| Ok(Column::Text(Vec::new()))).in_file(&self.file)
    }

    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()> {
        while chunk.rows.len() < max_rows {
            let line = match self.first.take() {
                Some(first) => first,
                None => match next(&mut self.lines)? {
                    Some(line) => line,
                    None => return self.check_end(),
                },
            };
            let lines = &self.lines;
            if self.count == Some(self.done) {
                return Err(lines.wrong(format_args!(
                    "more follows the {} points that the first line counts",
                    self.done
                )));
            }
            let words = words(&line);
            if words.len() != self.width {
                let (found, width) = (counted(words.len() as u64, "value"), self.width);
                return Err(lines.wrong(format_args!("{found}, but the first line has {width}")));
            }
            let wrong = |name: &str, word: &str, kind: &str| lines.wrong_value(name, word, kind);
            self.columns.read_text(chunk, |column| Cow::Borrowed(words[column]), wrong)?;
            self.done += 1;
        }
        Ok(())
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

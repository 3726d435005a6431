//! Files of rays and of points as streams of chunks, one format per file; what they share is here.

mod array;
mod columns;
mod csv;
mod format;
#[cfg(feature = "tables")]
mod ipc;
mod kept;
#[cfg(feature = "las")]
mod las;
mod lines;
mod lzf;
mod moved;
mod near;
mod npy;
mod npz;
#[cfg(feature = "tables")]
mod pages;
mod pcd;
mod ply;
mod points;
mod rays;
mod records;
mod scalar;
#[cfg(feature = "tables")]
mod table;
#[cfg(feature = "tables")]
mod thrift;
mod values;
mod xyz;

pub use kept::{Column, Keep};
pub use near::meant_column;
pub use points::{PointChunk, PointReader};
pub use rays::{RayChunk, RayReader, meant_ray_column};
pub use values::read_values;

use super::error::{Error, FileName, InFile, Result, extension, unknown_format};
use crate::Values;
use crate::mesh::Coordinate;
use columns::Columns;
use format::{Format, Input};
use kept::ROWS_THAT_TELL;
use lanecast::Threads;
use moved::Moved;
use std::collections::HashSet;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// What an id is, for messages.
const WHOLE: &str = "a whole number of 64 bits with a sign";
const KNOWN: &str = if cfg!(feature = "tables") {
    "npy, npz, csv, parquet, arrow, feather, ipc, arrows"
} else {
    "npy, npz, csv"
};
/// The formats of clouds of points, which have no rays.
const CLOUDS: &str = if cfg!(feature = "las") {
    "ply, pcd, xyz, asc, pts, txt, las, laz"
} else {
    "ply, pcd, xyz, asc, pts, txt"
};

/// What a row of a file is: so many numbers, each with the name of its column, and perhaps an id.
pub(crate) trait Row: bytemuck::Pod + Send {
    /// Their precision.
    type Number: Coordinate;
    /// What it is called, for messages.
    const WHAT: &'static str;
    /// The names of its numbers, in the order of its memory. The first three are the coordinates of
    /// a place.
    const NAMES: &'static [&'static str];
    /// How many of them must be there: the first. An array has so many to a row, or all.
    const REQUIRED: usize;
    /// The name of the column of ids.
    const ID_NAME: &'static str;
    /// What its columns are called elsewhere.
    const ALIASES: near::Aliases;
    /// The shapes that an array of rows may have, for messages.
    const SHAPES: &'static str;
    /// The name of such an array in an NPZ file.
    const ARRAY: &'static str;
    /// The names of arrays there that hold three numbers of each row, with the first of them.
    const TRIPLES: &'static [(&'static str, usize)];
    /// Whether files of clouds hold such rows.
    const IN_CLOUDS: bool;
    /// What it is where no column says otherwise.
    const BLANK: Self;

    /// Its numbers.
    fn numbers(&mut self) -> &mut [Self::Number] {
        bytemuck::cast_slice_mut(std::slice::from_mut(self))
    }
}

/// The ids of the rays or points of a chunk.
#[derive(Clone, Copy, PartialEq)]
pub enum RayIds<'a> {
    /// Row numbers, from this one on.
    Rows(u64),
    /// One id for each.
    Given(&'a [i64]),
}

impl std::fmt::Debug for RayIds<'_> {
    /// Shows where row numbers begin, or how many ids there are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Rows(first) => f.debug_tuple("Rows").field(first).finish(),
            Self::Given(ids) => {
                f.debug_struct("Given").field("len", &ids.len()).finish_non_exhaustive()
            }
        }
    }
}

impl<'a> RayIds<'a> {
    /// The given ids, or else row numbers.
    fn new(given: Option<&'a Vec<i64>>, first_row: u64) -> Self {
        given.map_or(Self::Rows(first_row), |ids| Self::Given(ids))
    }

    /// The id of the ray or point at `index` of the chunk.
    ///
    /// # Panics
    /// If ids are given and there is none at `index`.
    pub fn get(&self, index: usize) -> i64 {
        match self {
            Self::Rows(first) => (first + index as u64) as i64,
            Self::Given(ids) => ids[index],
        }
    }
}

/// Some rows of a file.
pub(crate) struct Chunk<R> {
    rows: Vec<R>,
    /// Their ids, if the file names its rows.
    ids: Vec<i64>,
    /// Their values of the columns that are kept.
    kept: Vec<Column>,
    moved: Moved,
}

impl<R: Row> Chunk<R> {
    /// No rows, with room for values of columns like these.
    fn new(kept: Vec<Column>) -> Self {
        Self { rows: Vec::new(), ids: Vec::new(), kept, moved: Moved::default() }
    }

    /// Appends the rows of another.
    fn append(&mut self, mut other: Self) {
        self.rows.append(&mut other.rows);
        self.ids.append(&mut other.ids);
        self.kept.iter_mut().zip(&mut other.kept).for_each(|(column, more)| column.append(more));
        self.moved.most = self.moved.most.max(other.moved.most);
    }

    /// Some of its rows.
    fn part(&self, rows: Range<usize>) -> Self {
        Self {
            rows: self.rows[rows.clone()].to_vec(),
            ids: self.ids.get(rows.clone()).unwrap_or_default().to_vec(),
            kept: self.kept.iter().map(|column| column.of_rows(rows.clone())).collect(),
            moved: Moved { most: self.moved.most },
        }
    }
}

/// A format: hands out the rows of a file, in order.
pub(crate) trait Rows<R>: Send {
    /// Rows may be read on these threads.
    fn set_threads(&mut self, _threads: &Threads) {}

    /// Its columns, where their kinds are told by what stands in them: in files of text.
    fn columns(&mut self) -> Option<&mut Columns> {
        None
    }

    /// Reads the columns of these names too, instead of those named before; their kinds, as columns
    /// without values. Those of text are text.
    fn keep(&mut self, names: &[String]) -> Result<Vec<Column>>;

    /// Whether the column of this name can be kept; after that none is.
    fn can_keep(&mut self, name: &str) -> bool {
        self.keep(&[name.to_owned()]).is_ok()
    }

    /// Appends rows until there are `max_rows`, with their ids if the file has them and what is
    /// kept; fewer only at the end.
    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()>;
}

/// A file of rows: what its beginning says of them, and how far it has been read.
pub(crate) struct Source<R> {
    rows: Box<dyn Rows<R>>,
    /// How many rows there are, where the file says so at its start.
    total: Option<u64>,
    /// Whether the file names its rows.
    has_ids: bool,
    /// Of what its ids are text: what is said of them unless that is asked for.
    text_ids: Option<Error>,
    /// The names of columns that are no part of a row.
    ignored: Vec<String>,
    /// The columns that are kept, without values.
    kept: Vec<(String, Column)>,
    /// Rows that were read to tell the kinds of columns, and how many of them are handed out.
    ahead: Option<(Chunk<R>, usize)>,
    next_row: u64,
}

/// Where rows are read from.
pub(crate) enum Opening<'a> {
    /// A file, in the format of an extension, or else in its own; `-` is standard input.
    File(&'a Path, Option<&'a str>),
    /// Anything, with a name for errors.
    Reader(&'a str, Box<dyn Read + Send>),
}

/// Names among which others are looked for: there may be very many of both.
fn set_of(names: &[String]) -> HashSet<&str> {
    names.iter().map(String::as_str).collect()
}

/// What is not a number.
fn no_number<T: Coordinate>() -> T {
    T::nearest(f64::NAN)
}

impl<R: Row> Source<R> {
    pub(crate) fn open(input: Opening<'_>) -> Result<Self> {
        match input {
            Opening::File(path, given) if path == Path::new("-") => {
                Self::of_pipe(FileName::standard_input(), Box::new(std::io::stdin()), given)
            }
            Opening::File(path, given) => Self::of_file(path, given),
            Opening::Reader(name, reader) => Self::of_pipe(FileName::named(name), reader, None),
        }
    }

    fn of_file(path: &Path, given: Option<&str>) -> Result<Self> {
        let name = FileName::of(path);
        let file = File::open(path).in_file(&name)?;
        let kind = file.metadata().in_file(&name)?.file_type();
        if kind.is_dir() {
            return Err(name.content("is a directory"));
        }
        if !kind.is_file() {
            return Self::of_pipe(name, Box::new(file), given);
        }
        let format = match given {
            Some(given) => Self::format(&name, given)?,
            None => Self::format(&name, &extension(path))?,
        };
        format.open(name, Input::File(file))
    }

    /// Reads from anything; its first bytes say which format it is, unless one is given.
    fn of_pipe(name: FileName, pipe: Box<dyn Read + Send>, given: Option<&str>) -> Result<Self> {
        let (format, input) = match given {
            Some(given) => (Self::format(&name, given)?, Input::Pipe(pipe)),
            None => Format::of_pipe::<R>(&name, pipe)?,
        };
        format.open(name, input)
    }

    /// The format of an extension.
    fn format(name: &FileName, extension: &str) -> Result<Format> {
        Format::of_extension::<R>(extension).ok_or_else(|| {
            let clouds = if R::IN_CLOUDS { [", ", CLOUDS].concat() } else { String::new() };
            name.content(unknown_format(R::WHAT, extension, &[KNOWN, &clouds].concat()))
        })
    }

    /// Rows of which nothing has been read.
    fn new(
        rows: impl Rows<R> + 'static,
        total: Option<u64>,
        has_ids: bool,
        ignored: Vec<String>,
    ) -> Self {
        Self {
            rows: Box::new(rows),
            total,
            has_ids,
            text_ids: None,
            ignored,
            kept: Vec::new(),
            ahead: None,
            next_row: 0,
        }
    }

    /// Keeps columns from here on; nothing has been read.
    pub(crate) fn keep(&mut self, keep: &Keep<'_>) -> Result<()> {
        let mut names = keep.columns.to_vec();
        if keep.all {
            let mut known = set_of(keep.columns);
            known.extend(keep.without);
            let more = self.ignored.iter().filter(|name| !known.contains(name.as_str()));
            names.extend(more.filter(|name| self.rows.can_keep(name)).cloned());
        }
        let is_named = names.iter().any(|name| name == R::ID_NAME);
        if is_named {
            // Then it is a column as others are.
            self.text_ids = None;
            if let Some(columns) = self.rows.columns() {
                (columns.id, self.has_ids) = (None, false);
            }
        }
        let may_be_text = keep.text_ids && !is_named;
        // Of a table its schema says so, of text the first row.
        let are_text = may_be_text && self.text_ids.take().is_some();
        let is_asked =
            may_be_text && self.rows.columns().is_some_and(|columns| columns.id.is_some());
        if are_text || is_asked {
            names.insert(0, R::ID_NAME.to_owned());
        }
        let mut kept = self.rows.keep(&names)?;
        let mut ahead = Chunk::new(kept.clone());
        if is_asked {
            self.has_ids = !self.ids_are_text(&mut ahead)?;
            if self.has_ids {
                names.remove(0);
                kept.remove(0);
            }
        }
        if !(keep.as_written || kept.is_empty()) && self.rows.columns().is_some() {
            self.rows.read(ROWS_THAT_TELL, &mut ahead)?;
            let ids = usize::from(is_asked && !self.has_ids);
            for column in &mut ahead.kept[ids..] {
                *column = std::mem::replace(column, Column::Text(Vec::new())).told_by_text();
            }
            kept = ahead.kept.iter().map(Column::none).collect();
            if let Some(columns) = self.rows.columns() {
                columns.kept.iter_mut().zip(&kept).for_each(|(to, kind)| to.1 = kind.clone());
            }
        }
        let is_kept = set_of(&names);
        self.ignored.retain(|name| !is_kept.contains(name.as_str()));
        self.kept = names.into_iter().zip(kept).collect();
        self.ahead = (!ahead.rows.is_empty()).then_some((ahead, 0));
        Ok(())
    }

    /// Whether ids, which are kept as the first column of text, are text: so says the first row,
    /// which is read. If not, they are kept no more.
    fn ids_are_text(&mut self, ahead: &mut Chunk<R>) -> Result<bool> {
        let id = self.rows.columns().and_then(|columns| columns.id.take());
        self.rows.read(1, ahead)?;
        let Some(Column::Text(texts)) = ahead.kept.first() else { return Ok(false) };
        let ids = texts.iter().map(|text| text.as_deref().unwrap_or_default().parse());
        let Ok(ids) = ids.collect::<Result<Vec<i64>, _>>() else { return Ok(true) };
        (ahead.ids, _) = (ids, ahead.kept.remove(0));
        if let Some(columns) = self.rows.columns() {
            (columns.id, _) = (id, columns.kept.remove(0));
        }
        Ok(false)
    }

    pub(crate) fn set_threads(&mut self, threads: &Threads) {
        self.rows.set_threads(threads);
    }

    /// Replaces what is in the chunk by the next rows; `false` when there are none left.
    fn next_chunk(
        &mut self,
        max_rows: usize,
        rows: &mut Vec<R>,
        ids: &mut Option<Vec<i64>>,
        kept: &mut Vec<Column>,
        first_row: &mut u64,
        moved: &mut f64,
    ) -> Result<bool> {
        if let Some(error) = self.text_ids.take() {
            return Err(error);
        }
        rows.clear();
        kept.iter_mut().for_each(Column::clear);
        if !kept.iter().map(|column| column.values().none()).eq(self.kept().map(|(_, none)| none)) {
            *kept = self.kept.iter().map(|(_, column)| column.clone()).collect();
        }
        let mut chunk = Chunk {
            rows: std::mem::take(rows),
            ids: ids.take().unwrap_or_default(),
            kept: std::mem::take(kept),
            moved: Moved::default(),
        };
        chunk.ids.clear();
        let max_rows = max_rows.max(1);
        if let Some((ahead, from)) = &mut self.ahead {
            let to = ahead.rows.len().min(*from + max_rows);
            chunk.append(ahead.part(*from..to));
            *from = to;
            if to == ahead.rows.len() {
                self.ahead = None;
            }
        }
        if chunk.rows.len() < max_rows {
            self.rows.read(max_rows, &mut chunk)?;
        }
        *first_row = self.next_row;
        self.next_row += chunk.rows.len() as u64;
        *moved = chunk.moved.most;
        *ids = self.has_ids.then_some(chunk.ids);
        *rows = chunk.rows;
        *kept = chunk.kept;
        Ok(!rows.is_empty())
    }

    /// The columns that are kept, with no values of their kinds.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (&str, Values<'static>)> {
        self.kept.iter().map(|(name, column)| (name.as_str(), column.values().none()))
    }
}

impl<R> std::fmt::Debug for Source<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source")
            .field("total", &self.total)
            .field("next_row", &self.next_row)
            .finish()
    }
}

#[cfg(all(test, not(feature = "tables")))]
#[path = "../../tests/unit/rows/no_table.rs"]
mod tests;

//! Files of rays and of points as streams of chunks, one format per file; what they share is here.

mod array;
mod columns;
mod csv;
mod format;
#[cfg(feature = "tables")]
mod ipc;
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
mod values;
mod xyz;

pub use near::meant_column;
pub use points::{PointChunk, PointReader};
pub use rays::{RayChunk, RayReader, meant_ray_column};
pub use values::read_values;

use super::error::{FileName, InFile, Result, extension, unknown_format};
use crate::mesh::Coordinate;
use format::{Format, Input};
use lanecast::Threads;
use moved::Moved;
use std::fs::File;
use std::io::Read;
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
    moved: Moved,
}

impl<R> Chunk<R> {
    /// Appends the rows of another.
    fn append(&mut self, mut other: Self) {
        self.rows.append(&mut other.rows);
        self.ids.append(&mut other.ids);
        self.moved.most = self.moved.most.max(other.moved.most);
    }
}

/// A format: hands out the rows of a file, in order.
pub(crate) trait Rows<R>: Send {
    /// Rows may be read on these threads.
    fn set_threads(&mut self, _threads: &Threads) {}

    /// Appends at most `max_rows` rows, and their ids if the file has them; none only at the end.
    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()>;
}

/// A file of rows: what its beginning says of them, and how far it has been read.
pub(crate) struct Source<R> {
    rows: Box<dyn Rows<R>>,
    /// How many rows there are, where the file says so at its start.
    total: Option<u64>,
    /// Whether the file names its rows.
    has_ids: bool,
    /// The names of columns that are no part of a row.
    ignored: Vec<String>,
    next_row: u64,
}

/// Where rows are read from.
pub(crate) enum Opening<'a> {
    /// A file, in the format of an extension, or else in its own; `-` is standard input.
    File(&'a Path, Option<&'a str>),
    /// Anything, with a name for errors.
    Reader(&'a str, Box<dyn Read + Send>),
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
        Self { rows: Box::new(rows), total, has_ids, ignored, next_row: 0 }
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
        first_row: &mut u64,
        moved: &mut f64,
    ) -> Result<bool> {
        rows.clear();
        let mut chunk = Chunk {
            rows: std::mem::take(rows),
            ids: ids.take().unwrap_or_default(),
            moved: Moved::default(),
        };
        chunk.ids.clear();
        self.rows.read(max_rows.max(1), &mut chunk)?;
        *first_row = self.next_row;
        self.next_row += chunk.rows.len() as u64;
        *moved = chunk.moved.most;
        *ids = self.has_ids.then_some(chunk.ids);
        *rows = chunk.rows;
        Ok(!rows.is_empty())
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

//! Files of rays and of points as streams of chunks, one format per file; what they share is here.

mod array;
mod columns;
mod csv;
#[cfg(feature = "tables")]
mod ipc;
#[cfg(feature = "las")]
mod las;
mod lines;
mod lzf;
mod moved;
mod near;
#[cfg(not(feature = "tables"))]
mod no_table;
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
mod sniff;
#[cfg(feature = "tables")]
mod table;
mod values;
mod xyz;

pub use near::meant_column;
pub use points::{PointChunk, PointReader};
pub use rays::{RayChunk, RayReader, meant_ray_column};
pub use values::read_values;

use super::error::{FileName, Result, extension, unknown_format};
use crate::mesh::Coordinate;
use moved::Moved;
#[cfg(not(feature = "tables"))]
use no_table as table;
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

/// A format: hands out the rows of a file, in order.
pub(crate) trait Rows<R>: Send {
    /// How many rows there are, where the file says so at its start.
    fn total(&self) -> Option<u64> {
        None
    }

    /// Appends at most `max_rows` rows, and their ids if the file has them; none only at the end.
    fn read(
        &mut self,
        max_rows: usize,
        rows: &mut Vec<R>,
        ids: &mut Vec<i64>,
        moved: &mut Moved,
    ) -> Result<()>;

    /// Whether the file names its rows.
    fn has_ids(&self) -> bool {
        false
    }

    /// The names of columns that are no part of a row.
    fn ignored(&self) -> &[String] {
        &[]
    }
}

#[cfg(feature = "las")]
fn open_las<R: Row>(name: FileName, file: File) -> Result<Box<dyn Rows<R>>> {
    Ok(Box::new(las::LasRows::open(name, file)?))
}

#[cfg(not(feature = "las"))]
fn open_las<R: Row>(name: FileName, _: File) -> Result<Box<dyn Rows<R>>> {
    Err(name.without_las())
}

/// A file of rows, and how far it has been read.
pub(crate) struct Source<R> {
    rows: Box<dyn Rows<R>>,
    next_row: u64,
}

/// Where rows are read from.
pub(crate) enum Opening<'a> {
    /// A file; `-` is standard input.
    File(&'a Path),
    /// Anything, with a name for errors.
    Reader(&'a str, Box<dyn Read + Send>),
}

/// What is not a number.
fn no_number<T: Coordinate>() -> T {
    T::nearest(f64::NAN)
}

impl<R: Row> Source<R> {
    pub(crate) fn new(input: Opening<'_>) -> Result<Self> {
        match input {
            Opening::File(path) => Self::open(path),
            Opening::Reader(name, reader) => Self::sniffed(FileName::named(name), reader),
        }
    }

    fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Self::sniffed(FileName::standard_input(), Box::new(std::io::stdin()));
        }
        let name = FileName::of(path);
        let extension = extension(path);
        let file = File::open(path).map_err(|error| name.system(error))?;
        let kind = file.metadata().map_err(|error| name.system(error))?.file_type();
        let rows: Box<dyn Rows<R>> = match extension.as_str() {
            _ if kind.is_dir() => return Err(name.content("is a directory")),
            _ if !kind.is_file() => return Self::sniffed(name, Box::new(file)),
            "npy" => Box::new(npy::NpyRows::open(name, array::Input::File(file))?),
            "npz" => Box::new(npz::NpzRows::open(name, file)?),
            "csv" => Box::new(csv::CsvRows::open(name, Box::new(file))?),
            "parquet" => table::parquet(name, file)?,
            "arrow" | "feather" | "ipc" | "arrows" => table::arrow(name, file)?,
            "ply" if R::IN_CLOUDS => ply::open(name, Box::new(file))?,
            "las" | "laz" if R::IN_CLOUDS => open_las(name, file)?,
            "pcd" if R::IN_CLOUDS => pcd::open(name, Box::new(file))?,
            "xyz" | "asc" | "pts" | "txt" if R::IN_CLOUDS => {
                Box::new(xyz::XyzRows::open(&name, Box::new(file))?)
            }
            _ => {
                let clouds = if R::IN_CLOUDS { [", ", CLOUDS].concat() } else { String::new() };
                return Err(name.content(unknown_format(
                    R::WHAT,
                    &extension,
                    &[KNOWN, &clouds].concat(),
                )));
            }
        };
        Ok(Self { rows, next_row: 0 })
    }

    /// Reads from anything; its first bytes say which format it is.
    fn sniffed(name: FileName, reader: Box<dyn Read + Send>) -> Result<Self> {
        Ok(Self { rows: sniff::open(name, reader)?, next_row: 0 })
    }

    /// Replaces what is in the chunk by the next rows; `false` when there are none left.
    fn next_chunk(
        &mut self,
        max_rows: usize,
        rows: &mut Vec<R>,
        ids: &mut Option<Vec<i64>>,
        first_row: &mut u64,
        most_moved: &mut f64,
    ) -> Result<bool> {
        let mut moved = Moved::default();
        let mut found = ids.take().unwrap_or_default();
        found.clear();
        rows.clear();
        *first_row = self.next_row;
        self.rows.read(max_rows.max(1), rows, &mut found, &mut moved)?;
        *most_moved = moved.most;
        self.next_row += rows.len() as u64;
        *ids = self.rows.has_ids().then_some(found);
        Ok(!rows.is_empty())
    }
}

impl<R> std::fmt::Debug for Source<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Source")
            .field("total", &self.rows.total())
            .field("next_row", &self.next_row)
            .finish()
    }
}

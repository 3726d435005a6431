//! Ray files as a stream of chunks, one format per file; what they share is here.

mod columns;
mod csv;
mod ipc;
mod npy;
mod sniff;
mod table;

use super::error::{FileName, Result, extension, unknown_format};
use crate::ray::Ray;
use std::fs::File;
use std::io::Read;
use std::path::Path;

const KNOWN: &str = "npy, csv, parquet, arrow, feather, ipc, arrows";

/// Some rays of a file, in its order.
#[derive(Debug, Clone, Default)]
pub struct RayChunk {
    /// The row of the first ray, counted from 0 over the whole file.
    pub first_row: u64,
    /// The rays; those of a file without intervals have \[0, ∞\].
    pub rays: Vec<Ray>,
    /// The column `ray_id`, as long as `rays`, if the file has one.
    pub ray_id: Option<Vec<i64>>,
}

impl RayChunk {
    /// What names the rays of this chunk in an answer.
    pub fn ids(&self) -> RayIds<'_> {
        match &self.ray_id {
            Some(ids) => RayIds::Given(ids),
            None => RayIds::Rows(self.first_row),
        }
    }
}

/// The ids of the rays of a chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RayIds<'a> {
    /// Row numbers, from this one on.
    Rows(u64),
    /// One id per ray.
    Given(&'a [i64]),
}

impl RayIds<'_> {
    /// The id of the ray at `index` of the chunk.
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

/// Reads a file of rays chunk by chunk.
///
/// ```
/// use lanecast::io::{RayChunk, RayReader};
/// let file = "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n1,0,5,0,0,-1\n";
/// let mut reader = RayReader::from_reader("example", file.as_bytes())?;
/// let mut chunk = RayChunk::default();
/// while reader.next_chunk(1000, &mut chunk)? {
///     assert_eq!(chunk.rays[1].origin, [1.0, 0.0, 5.0]);
/// }
/// # Ok::<(), lanecast::io::Error>(())
/// ```
pub struct RayReader {
    source: Box<dyn Rows>,
    next_row: u64,
}

/// A format: hands out the rows of a file, in order.
trait Rows: Send {
    /// How many rows there are, where the file says so at its start.
    fn total(&self) -> Option<u64> {
        None
    }

    /// Appends at most `max_rows` rays, and their ids if the file has them; none only at the end.
    fn read(&mut self, max_rows: usize, rays: &mut Vec<Ray>, ids: &mut Vec<i64>) -> Result<()>;

    /// Whether the file names its rays.
    fn has_ids(&self) -> bool {
        false
    }
}

impl RayReader {
    /// Opens a file of rays; `-` is standard input.
    ///
    /// The extension (in any case) says which format it is: `.npy`, `.csv`, `.parquet`, or Arrow
    /// IPC as `.arrow`, `.feather`, `.ipc`, `.arrows` (file or stream, as its first bytes say).
    /// Standard input and other pipes are told by their first bytes.
    ///
    /// - An NPY array has the shape (N, 6), `ox oy oz dx dy dz`, or (N, 8), with `t_min t_max`; f32
    ///   or f64, either byte order, C or Fortran order.
    /// - A table has columns `ox oy oz dx dy dz` and perhaps `t_min t_max` and `ray_id`, in any
    ///   order; others are passed over. Numbers may be of any numeric type and must not be null.
    ///   Text may say `inf`, `-inf` and `nan`.
    ///
    /// Every value is rounded to the nearest `f32`. Without `t_min` and `t_max` the interval is
    /// \[0, ∞\].
    ///
    /// # Errors
    /// The file cannot be read, its extension is unknown, its header is malformed, or a column is
    /// missing.
    pub fn open(path: &Path) -> Result<Self> {
        if path == Path::new("-") {
            return Self::sniffed(FileName::standard_input(), Box::new(std::io::stdin()));
        }
        let name = FileName::of(path);
        let extension = extension(path);
        let file = File::open(path).map_err(|error| name.system(error))?;
        let kind = file.metadata().map_err(|error| name.system(error))?.file_type();
        let source: Box<dyn Rows> = match extension.as_str() {
            _ if kind.is_dir() => return Err(name.content("is a directory")),
            _ if !kind.is_file() => return Self::sniffed(name, Box::new(file)),
            "npy" => Box::new(npy::NpyRows::open(name, npy::Input::File(file))?),
            "csv" => Box::new(csv::CsvRows::open(name, Box::new(file))?),
            "parquet" => Box::new(table::TableRows::parquet(name, file)?),
            "arrow" | "feather" | "ipc" | "arrows" => Box::new(table::TableRows::arrow(name, file)?),
            _ => return Err(name.content(unknown_format("ray", &extension, KNOWN))),
        };
        Ok(Self { source, next_row: 0 })
    }

    /// Reads rays from anything; its first bytes say which format it is, and `name` stands for it
    /// in errors.
    ///
    /// Parquet, which is read from its end, and an array in Fortran order are first copied to a
    /// temporary file.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Result<Self> {
        Self::sniffed(FileName::named(name), Box::new(reader))
    }

    fn sniffed(name: FileName, reader: Box<dyn Read + Send>) -> Result<Self> {
        Ok(Self { source: sniff::open(name, reader)?, next_row: 0 })
    }

    /// How many rays the file holds, where it says so at its start (NPY and Parquet).
    pub fn total(&self) -> Option<u64> {
        self.source.total()
    }

    /// Replaces what is in `chunk` by the next rays: `max_rows` of them, or fewer at the end.
    /// `false` when there are none left.
    ///
    /// # Errors
    /// The file is truncated or malformed; the message names the line or row. The chunk is
    /// unspecified then, and the reader should not be used any more.
    pub fn next_chunk(&mut self, max_rows: usize, chunk: &mut RayChunk) -> Result<bool> {
        let max_rows = max_rows.max(1);
        let mut ids = chunk.ray_id.take().unwrap_or_default();
        ids.clear();
        chunk.rays.clear();
        chunk.first_row = self.next_row;
        self.source.read(max_rows, &mut chunk.rays, &mut ids)?;
        self.next_row += chunk.rays.len() as u64;
        chunk.ray_id = self.source.has_ids().then_some(ids);
        Ok(!chunk.rays.is_empty())
    }
}

impl std::fmt::Debug for RayReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RayReader").field("total", &self.total()).field("next_row", &self.next_row).finish()
    }
}

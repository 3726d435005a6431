//! Rays from files.

use super::near::{self, Aliases};
use super::{Column, Keep, Opening, RayIds, Row, Source};
use crate::Values;
use crate::error::Result;
use crate::mesh::Coordinate;
use lanecast::{Ray, Threads};
use std::io::Read;
use std::path::Path;

impl<T: Coordinate> Row for Ray<T> {
    type Number = T;
    const WHAT: &'static str = "ray";
    const NAMES: &'static [&'static str] = &["ox", "oy", "oz", "dx", "dy", "dz", "t_min", "t_max"];
    const REQUIRED: usize = 6;
    const ID_NAME: &'static str = "ray_id";
    const ALIASES: Aliases = &[
        ("x0", "ox"),
        ("y0", "oy"),
        ("z0", "oz"),
        ("orgx", "ox"),
        ("orgy", "oy"),
        ("orgz", "oz"),
        ("originx", "ox"),
        ("originy", "oy"),
        ("originz", "oz"),
        ("dirx", "dx"),
        ("diry", "dy"),
        ("dirz", "dz"),
        ("directionx", "dx"),
        ("directiony", "dy"),
        ("directionz", "dz"),
        ("tnear", "t_min"),
        ("mint", "t_min"),
        ("tfar", "t_max"),
        ("maxt", "t_max"),
        ("rayindex", "ray_id"),
        ("indexray", "ray_id"),
    ];
    const SHAPES: &'static str = "(N, 6), (N, 8), (N, 2, 3), (6,) or (8,)";
    const ARRAY: &'static str = "rays";
    const TRIPLES: &'static [(&'static str, usize)] = &[("origins", 0), ("directions", 3)];
    const IN_CLOUDS: bool = false;
    const BLANK: Self =
        Self { origin: [T::ZERO; 3], direction: [T::ZERO; 3], t_min: T::ZERO, t_max: T::INFINITY };
}

/// The column of rays, or of `others`, that was most likely meant by a name that is none of these,
/// if any.
///
/// ```
/// assert_eq!(lanecast_io::meant_ray_column("dirX", &["mask"]), Some("dx"));
/// assert_eq!(lanecast_io::meant_ray_column("Mask", &["mask"]), Some("mask"));
/// assert_eq!(lanecast_io::meant_ray_column("intensity", &["mask"]), None);
/// ```
pub fn meant_ray_column(name: &str, others: &[&'static str]) -> Option<&'static str> {
    type Row = Ray<f32>;
    let known = Row::NAMES.iter().copied().chain([Row::ID_NAME]).chain(others.iter().copied());
    near::meant(name, known, Row::ALIASES)
}

/// Some rays of a file, in its order.
#[derive(Clone)]
pub struct RayChunk<T = f32> {
    /// The row of the first ray, counted from 0 over the whole file.
    pub first_row: u64,
    /// The rays; those of a file without intervals have \[0, ∞\].
    pub rays: Vec<Ray<T>>,
    /// The column `ray_id`, as long as `rays`, if the file has one.
    pub ray_id: Option<Vec<i64>>,
    /// The columns that are [kept](RayReader::keep), each as long as `rays`.
    pub kept: Vec<Column>,
    /// By how much rounding to `T` moved a coordinate of an origin at most: 0 for numbers of `f32`,
    /// and for those of `f64` that are read as `f64`. Decimal numbers count as the nearest `f64`;
    /// what is not finite, or beyond 1e30, does not count.
    pub moved: f64,
}

impl<T> std::fmt::Debug for RayChunk<T> {
    /// Shows how many there are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("RayChunk");
        shown
            .field("first_row", &self.first_row)
            .field("rays", &self.rays.len())
            .finish_non_exhaustive()
    }
}

impl<T> Default for RayChunk<T> {
    fn default() -> Self {
        Self { first_row: 0, rays: Vec::new(), ray_id: None, kept: Vec::new(), moved: 0.0 }
    }
}

impl<T> RayChunk<T> {
    /// What names the rays of this chunk in an answer.
    pub fn ids(&self) -> RayIds<'_> {
        RayIds::new(self.ray_id.as_ref(), self.first_row)
    }
}

/// Reads a file of rays chunk by chunk, in `f32` or `f64`.
///
/// ```
/// use lanecast_io::{RayChunk, RayReader};
/// let file = "ox,oy,oz,dx,dy,dz\n0,0,5,0,0,-1\n1,0,5,0,0,-1\n";
/// let mut reader = RayReader::<f32>::from_reader("example", file.as_bytes())?;
/// let mut chunk = RayChunk::default();
/// while reader.next_chunk(1000, &mut chunk)? {
///     assert_eq!(chunk.rays[1].origin, [1.0, 0.0, 5.0]);
/// }
/// # Ok::<(), lanecast_io::Error>(())
/// ```
#[derive(Debug)]
pub struct RayReader<T: Coordinate = f32>(Source<Ray<T>>);

impl<T: Coordinate> RayReader<T> {
    /// Opens a file of rays; `-` is standard input.
    ///
    /// The extension (in any case) says which format it is: `.npy`, `.npz`, `.csv`, `.parquet`, or
    /// Arrow IPC as `.arrow`, `.feather`, `.ipc`, `.arrows` (file or stream, as its first bytes
    /// say). Standard input and other pipes are told by their first bytes. Parquet and Arrow IPC
    /// need the feature `tables`.
    ///
    /// - An NPY array has the shape (N, 6), `ox oy oz dx dy dz`, (N, 8), with `t_min t_max`, or (N,
    ///   2, 3), origin and direction; one ray may be (6,) or (8,). Floats of 2, 4 and 8 bytes and
    ///   integers of 1 to 8, either byte order, C or Fortran order.
    /// - An NPZ file, compressed or not, has such an array called `rays`, or `arr_0` alone, or
    ///   arrays (N, 3) called `origins` and `directions`, or (N,) called as the columns of a table.
    ///   Arrays (N,) called `t_min`, `t_max` and `ray_id` may be there too.
    /// - A table has columns `ox oy oz dx dy dz` and perhaps `t_min t_max` and `ray_id`, in any
    ///   order; those of CSV stand between commas, semicolons or tabs, those of Arrow may be places
    ///   in a dictionary. Others are passed over and [named](Self::ignored_columns), but one that
    ///   is nearly called as these (`tmax`, `dir_x`) is an error. Numbers may be of any numeric
    ///   type. Text may say `inf`, `-inf` and `nan`. A number that is null, or an empty field,
    ///   becomes NaN, which gives the ray a [status](lanecast::Status) that says so; an id must not
    ///   be null, nor text unless such ids are [kept](Self::keep).
    ///
    /// Every value is rounded once, to the nearest `T`. Without `t_min` and `t_max` the interval is
    /// \[0, ∞\].
    ///
    /// # Errors
    /// The file cannot be read, its extension is unknown, its format needs the feature `tables`,
    /// its header is malformed, or a column is missing.
    pub fn open(path: &Path) -> Result<Self> {
        T::rays(Opening::File(path, None)).map(Self)
    }

    /// Opens a file as one with this extension, such as `csv`, whatever its name or its first bytes
    /// say; `-` is standard input.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_as(path: &Path, extension: &str) -> Result<Self> {
        T::rays(Opening::File(path, Some(extension))).map(Self)
    }

    /// Reads rays from anything; its first bytes say which format it is, and `name` stands for it
    /// in errors.
    ///
    /// Parquet and NPZ, which are read from their end, and an array in Fortran order are first
    /// copied to a temporary file.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Result<Self> {
        T::rays(Opening::Reader(name, Box::new(reader))).map(Self)
    }

    /// Reads on these threads, where the format lets it; unless told, on the one that asks.
    pub fn threads(mut self, threads: &Threads) -> Self {
        self.0.set_threads(threads);
        self
    }

    /// Keeps further columns of the file beside the rays of each chunk. To be called once, before
    /// anything is read; of files of text this reads the first rows.
    ///
    /// All formats but NPY have such columns: of NPZ arrays (N,) or (N, 1) of numbers or booleans,
    /// of Parquet and Arrow IPC numbers, booleans and text. Integers become i64, other numbers f32
    /// if they have 32 bits or fewer, and else f64.
    ///
    /// ```
    /// use lanecast_io::{Column, Keep, RayChunk, RayReader};
    /// let file = "ox,oy,oz,dx,dy,dz,beam\n0,0,5,0,0,-1,7\n1,0,5,0,0,-1,\n";
    /// let columns = ["beam".to_owned()];
    /// let mut reader = RayReader::<f32>::from_reader("example", file.as_bytes())?
    ///     .keep(&Keep { columns: &columns, ..Keep::default() })?;
    /// let mut chunk = RayChunk::default();
    /// reader.next_chunk(1000, &mut chunk)?;
    /// assert!(chunk.kept == [Column::I64(vec![Some(7), None])]);
    /// # Ok::<(), lanecast_io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The file cannot be read, has no column of such a name, or holds in it what is not kept.
    pub fn keep(mut self, keep: &Keep<'_>) -> Result<Self> {
        self.0.keep(keep)?;
        Ok(self)
    }

    /// The names of the columns that are kept, in the order of a chunk's, with no values of their
    /// kinds. Ids of text come first.
    pub fn kept_columns(&self) -> impl Iterator<Item = (&str, Values<'static>)> {
        self.0.kept()
    }

    /// How many rays the file holds, where it says so at its start (NPY, NPZ and Parquet).
    pub fn total(&self) -> Option<u64> {
        self.0.total
    }

    /// The names of the columns that are no part of a row and not [kept](Self::keep), in the order
    /// of the file: they are not read. A name that nearly is that of a column is an error instead.
    pub fn ignored_columns(&self) -> &[String] {
        &self.0.ignored
    }

    /// Replaces what is in `chunk` by the next rays: `max_rows` of them, or fewer at the end.
    /// `false` when there are none left.
    ///
    /// # Errors
    /// The file is truncated or malformed; the message names the line or row. The chunk is
    /// unspecified then, and the reader should not be used any more.
    pub fn next_chunk(&mut self, max_rows: usize, chunk: &mut RayChunk<T>) -> Result<bool> {
        let RayChunk { first_row, rays, ray_id, kept, moved } = chunk;
        self.0.next_chunk(max_rows, rays, ray_id, kept, first_row, moved)
    }
}

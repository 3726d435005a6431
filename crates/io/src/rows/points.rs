//! Points from files.

use super::near::Aliases;
use super::{Column, Keep, Opening, RayIds, Row, Source};
use crate::Values;
use crate::error::Result;
use crate::mesh::Coordinate;
use lanecast::Threads;
use std::io::Read;
use std::path::Path;

impl<T: Coordinate> Row for [T; 3] {
    type Number = T;
    const WHAT: &'static str = "point";
    const NAMES: &'static [&'static str] = &["x", "y", "z"];
    const REQUIRED: usize = 3;
    const ID_NAME: &'static str = "point_id";
    const ALIASES: Aliases = &[
        ("posx", "x"),
        ("posy", "y"),
        ("posz", "z"),
        ("positionx", "x"),
        ("positiony", "y"),
        ("positionz", "z"),
        ("pointx", "x"),
        ("pointy", "y"),
        ("pointz", "z"),
        ("pointindex", "point_id"),
    ];
    const SHAPES: &'static str = "(N, 3) or (3,)";
    const ARRAY: &'static str = "points";
    const TRIPLES: &'static [(&'static str, usize)] = &[];
    const IN_CLOUDS: bool = true;
    const BLANK: Self = [T::ZERO; 3];
}

/// Some points of a file, in its order.
#[derive(Clone)]
pub struct PointChunk<T = f32> {
    /// The row of the first point, counted from 0 over the whole file.
    pub first_row: u64,
    /// The points.
    pub points: Vec<[T; 3]>,
    /// The column `point_id`, as long as `points`, if the file has one.
    pub point_id: Option<Vec<i64>>,
    /// The columns that are [kept](PointReader::keep), each as long as `points`.
    pub kept: Vec<Column>,
    /// By how much rounding to `T` moved a coordinate at most: 0 for numbers of `f32`, and for
    /// those of `f64` that are read as `f64`. Decimal numbers count as the nearest `f64`; what is
    /// not finite, or beyond 1e30, does not count.
    pub moved: f64,
}

impl<T> std::fmt::Debug for PointChunk<T> {
    /// Shows how many there are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("PointChunk");
        shown
            .field("first_row", &self.first_row)
            .field("points", &self.points.len())
            .finish_non_exhaustive()
    }
}

impl<T> Default for PointChunk<T> {
    fn default() -> Self {
        Self { first_row: 0, points: Vec::new(), point_id: None, kept: Vec::new(), moved: 0.0 }
    }
}

impl<T> PointChunk<T> {
    /// What names the points of this chunk in an answer.
    pub fn ids(&self) -> RayIds<'_> {
        RayIds::new(self.point_id.as_ref(), self.first_row)
    }
}

/// Reads a file of points chunk by chunk, in `f32` or `f64`.
///
/// ```
/// use lanecast_io::{PointChunk, PointReader};
/// let file = "x,y,z\n0,0,5\n1,0,5\n";
/// let mut reader = PointReader::<f32>::from_reader("example", file.as_bytes())?;
/// let mut chunk = PointChunk::default();
/// while reader.next_chunk(1000, &mut chunk)? {
///     assert_eq!(chunk.points, [[0.0, 0.0, 5.0], [1.0, 0.0, 5.0]]);
/// }
/// # Ok::<(), lanecast_io::Error>(())
/// ```
#[derive(Debug)]
pub struct PointReader<T: Coordinate = f32>(Source<[T; 3]>);

impl<T: Coordinate> PointReader<T> {
    /// Opens a file of points; `-` is standard input. The formats are those of
    /// [`RayReader`](super::RayReader), and PLY, PCD, XYZ, LAS and LAZ. XYZ is told by its
    /// extensions alone: text from a pipe is CSV, with a header, unless it is [opened
    /// as](Self::open_as) something else.
    ///
    /// - An NPY array has the shape (N, 3), `x y z`; one point may be (3,). An NPZ file has such an
    ///   array called `points`, or `arr_0` alone, or arrays (N,) called as the columns of a table.
    /// - A table has columns `x y z` and perhaps `point_id`, in any order. Others are passed over
    ///   and [named](Self::ignored_columns), but one that is nearly called as these (`X`,
    ///   `point id`) is an error.
    ///
    /// - Of a PLY file the vertices are read, and of their properties `x y z` and perhaps
    ///   `point_id`; other elements are read over. Of a PCD file such fields are read, in text,
    ///   binary or packed; its `VIEWPOINT` moves no point.
    /// - An XYZ file (`.xyz`, `.asc`, `.pts`, `.txt`) has a point in each line, as numbers between
    ///   blanks, commas or semicolons, `x y z` first unless a header names the columns. A whole
    ///   number alone in the first line counts the points. Lines that begin with `#` or `//` are
    ///   remarks. Other columns are [called](Self::ignored_columns) by their numbers, from 1, where
    ///   they have no name.
    ///
    /// - Of a LAS or LAZ file (feature `las`) the positions are read: whole numbers that its header
    ///   scales and moves, in `f64`.
    ///
    /// Every value is rounded once, to the nearest `T`: to `f32` at 500 kilometres, where surveys
    /// are, that is 3 cm. A number that is null, or an empty field, becomes NaN, which gives the
    /// point a [status](lanecast::Status) that says so.
    ///
    /// # Errors
    /// The file cannot be read, its extension is unknown, its format needs the feature `tables`,
    /// its header is malformed, or a column is missing.
    pub fn open(path: &Path) -> Result<Self> {
        T::points(Opening::File(path, None)).map(Self)
    }

    /// Opens a file as one with this extension, such as `csv`, whatever its name or its first bytes
    /// say; `-` is standard input.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_as(path: &Path, extension: &str) -> Result<Self> {
        T::points(Opening::File(path, Some(extension))).map(Self)
    }

    /// Reads points from anything; its first bytes say which format it is, and `name` stands for it
    /// in errors.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Result<Self> {
        T::points(Opening::Reader(name, Box::new(reader))).map(Self)
    }

    /// Reads on these threads, where the format lets it; unless told, on the one that asks.
    pub fn threads(mut self, threads: &Threads) -> Self {
        self.0.set_threads(threads);
        self
    }

    /// Keeps further columns of the file beside the points of each chunk, as
    /// [`RayReader::keep`](super::RayReader::keep) does; of PLY, PCD, LAS and LAZ they are numbers.
    ///
    /// # Errors
    /// As there.
    pub fn keep(mut self, keep: &Keep<'_>) -> Result<Self> {
        self.0.keep(keep)?;
        Ok(self)
    }

    /// The names of the columns that are kept, in the order of a chunk's, with no values of their
    /// kinds. Ids of text come first.
    pub fn kept_columns(&self) -> impl Iterator<Item = (&str, Values<'static>)> {
        self.0.kept()
    }

    /// How many points the file holds, where it says so at its start (NPY, NPZ and Parquet).
    pub fn total(&self) -> Option<u64> {
        self.0.total
    }

    /// The names of the columns that are no part of a row and not [kept](Self::keep), in the order
    /// of the file: they are not read. A name that nearly is that of a column is an error instead.
    pub fn ignored_columns(&self) -> &[String] {
        &self.0.ignored
    }

    /// Replaces what is in `chunk` by the next points: `max_rows` of them, or fewer at the end.
    /// `false` when there are none left.
    ///
    /// # Errors
    /// The file is truncated or malformed; the message names the line or row. The chunk is
    /// unspecified then, and the reader should not be used any more.
    pub fn next_chunk(&mut self, max_rows: usize, chunk: &mut PointChunk<T>) -> Result<bool> {
        let PointChunk { first_row, points, point_id, kept, moved } = chunk;
        self.0.next_chunk(max_rows, points, point_id, kept, first_row, moved)
    }
}

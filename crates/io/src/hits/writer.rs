//! Writers of files of answers: the common door of all formats.

#[cfg(feature = "tables")]
use super::arrow::ArrowSink;
use super::csv::CsvSink;
#[cfg(feature = "las")]
use super::las::LasSink;
use super::npz::NpzSink;
use super::points::{PointSink, XyzSink};
use super::values::{Named, Values, no_text, rows};
use super::{Answers, HitFormat, HitKind, Vectors};
use crate::cloud::CloudFormat;
use crate::error::{FileName, InFile, Problem, Result, extension, unknown_format};
use crate::excerpt;
use crate::mesh::Coordinate;
use crate::output::{Output, is_standard, name_of};
use crate::rows::RayIds;
use lanecast::Threads;
use lanecast::support::map_on;
use std::io::Write;
use std::marker::PhantomData;
use std::ops::Range;
use std::path::Path;

const TABLES: &str = if cfg!(feature = "tables") {
    "npz, csv, parquet, arrow, feather, ipc, arrows"
} else {
    "npz, csv"
};
const CLOUDS: &str =
    if cfg!(feature = "las") { "ply, pcd, xyz, asc, las, laz" } else { "ply, pcd, xyz, asc" };

/// A format: takes the values of columns and makes a file of them.
pub(super) trait Sink: Send {
    /// So many rows will be written. An NPZ file can be written in place then.
    fn expect_rows(&mut self, _rows: u64) -> Result<(), Problem> {
        Ok(())
    }

    /// Appends rows; the columns are always the same. No byte depends on the threads.
    fn write(&mut self, columns: &[Named<'_>], threads: &Threads) -> Result<(), Problem>;
    fn finish(self: Box<Self>) -> Result<(), Problem>;
}

/// How many rows a thread makes bytes of at a time.
const BLOCK: usize = 1 << 12;

/// Appends the bytes of some rows.
type Encode<'a> = &'a (dyn Fn(Range<usize>, &mut Vec<u8>) -> Result<(), Problem> + Sync);

/// Writes rows in their order, encoded by blocks on all threads.
pub(super) fn write_in_blocks(
    to: &mut impl Write,
    rows: usize,
    threads: &Threads,
    encode: Encode<'_>,
) -> Result<(), Problem> {
    let blocks: Vec<_> =
        (0..rows).step_by(BLOCK).map(|start| start..rows.min(start + BLOCK)).collect();
    for some in blocks.chunks(2 * threads.count()) {
        let encoded = map_on(threads, some.to_vec(), &|block| {
            let mut bytes = Vec::new();
            encode(block, &mut bytes).map(|()| bytes)
        });
        for bytes in encoded {
            to.write_all(&bytes?)?;
        }
    }
    Ok(())
}

/// Opens a file with these columns, whose rows are not written yet.
fn open(
    path: &Path,
    format: Option<HitFormat>,
    columns: &[Named<'_>],
) -> Result<(FileName, Box<dyn Sink>, bool)> {
    let format = match format {
        Some(HitFormat::ArrowFile) if is_standard(path) => HitFormat::ArrowStream,
        Some(format) => format,
        None if is_standard(path) => HitFormat::Csv,
        None => {
            let extension = extension(path);
            HitFormat::from_extension(&extension).ok_or_else(|| {
                let known = [TABLES, CLOUDS].join(", ");
                FileName::of(path).content(unknown_format("hit", &extension, &known))
            })?
        }
    };
    let twice = columns
        .iter()
        .enumerate()
        .find(|(place, (name, _))| columns[..*place].iter().any(|(before, _)| before == name));
    if let Some((_, (name, _))) = twice {
        let name = excerpt(name);
        return Err(name_of(path).content(format_args!("two columns are called \"{name}\"")));
    }
    // Text is refused before the output is opened.
    let has_nulls = match format {
        HitFormat::Cloud(format) => format == CloudFormat::Xyz,
        _ => format != HitFormat::Npz,
    };
    let is_text =
        |(_, values): &&Named<'_>| matches!(values, Values::Text(_) | Values::OptionText(_));
    if let Some((column, _)) = columns.iter().find(is_text).filter(|_| !has_nulls) {
        return Err(name_of(path).content(no_text(column)));
    }
    #[cfg(not(feature = "las"))]
    if matches!(format, HitFormat::Cloud(CloudFormat::Las | CloudFormat::Laz)) {
        return Err(FileName::of(path).without_las());
    }
    let (output, name) = Output::create(path)?;
    let sink: Result<Box<dyn Sink>, Problem> = match format {
        HitFormat::Npz => NpzSink::new(output, columns).map(boxed),
        HitFormat::Csv => CsvSink::new(output, columns).map(boxed),
        HitFormat::Cloud(CloudFormat::Xyz) => XyzSink::new(output, columns).map(boxed),
        #[cfg(feature = "las")]
        HitFormat::Cloud(format @ (CloudFormat::Las | CloudFormat::Laz)) => {
            LasSink::new(output, columns, format).map(boxed)
        }
        HitFormat::Cloud(format) => PointSink::new(output, columns, format).map(boxed),
        #[cfg(feature = "tables")]
        _ => ArrowSink::new(output, columns, format).map(boxed),
        #[cfg(not(feature = "tables"))]
        _ => return Err(name.without_tables()),
    };
    sink.in_file(&name).map(|sink| (name, sink, has_nulls))
}

fn boxed(sink: impl Sink + 'static) -> Box<dyn Sink> {
    Box::new(sink)
}

/// The columns of answers with further ones behind them, or, of one that is called as the first,
/// which names the rows, in its place.
fn joined<'a>(own: &[Named<'a>], more: &[Named<'a>]) -> Result<Vec<Named<'a>>, String> {
    let mut columns = own.to_vec();
    for (name, values) in more {
        match own.iter().position(|(own, _)| own == name) {
            None => columns.push((name, *values)),
            Some(0) => columns[0].1 = *values,
            Some(_) => {
                let name = excerpt(name);
                return Err(format!(
                    "the answers have a column \"{name}\" of their own; a further one needs another name"
                ));
            }
        }
    }
    Ok(columns)
}

/// Writes a file of hits chunk by chunk, those of scenes of `f32` or of `f64`.
///
/// The bytes depend on the answers only, not on how they are cut into chunks. The file appears
/// under its name when [`finish`](Self::finish) succeeds; a writer that is dropped before leaves
/// no file.
///
/// ```
/// use lanecast_io::{HitKind, HitWriter, RayIds};
/// use lanecast::{Ray, Scene};
/// # let folder = std::env::temp_dir().join(format!("lanecast-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("hits.csv");
/// let mut writer = HitWriter::<f32>::create(&path, None, HitKind::Any)?;
/// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let rays = [0.25, 9.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// writer.write(RayIds::Rows(0), &scene.cast(&rays).any()?)?;
/// writer.finish()?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "ray_id,status,hit\n0,hit,true\n1,miss,false\n");
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HitWriter<T = f32> {
    kind: HitKind,
    table: TableWriter,
    precision: PhantomData<fn() -> T>,
}

impl<T: Coordinate> HitWriter<T> {
    /// Opens a file of hits; `-` is standard output.
    ///
    /// Without a format the extension says it (`.npz`, `.csv`, `.parquet`; `.arrow`, `.feather` and
    /// `.ipc` for the Arrow file, `.arrows` for the stream; those of [`CloudFormat`]), and standard
    /// output is CSV. The Arrow file format on standard output becomes the stream format, which
    /// pipes need.
    ///
    /// # Errors
    /// The extension is unknown, the format needs the feature `tables` or `las` or columns that the
    /// kind does not have, or the file cannot be created.
    pub fn create(path: &Path, format: Option<HitFormat>, kind: HitKind) -> Result<Self> {
        Self::create_with(path, format, kind, &[])
    }

    /// The same with further columns behind those of the kind, of these names and kinds; the values
    /// are not written yet. One that is called `ray_id` or `point_id`, as the first column of the
    /// kind, stands in its place.
    ///
    /// # Errors
    /// As [`create`](Self::create); a column is of text, and the format NPZ or one of points; it is
    /// called as another one.
    pub fn create_with(
        path: &Path,
        format: Option<HitFormat>,
        kind: HitKind,
        more: &[(&str, Values<'_>)],
    ) -> Result<Self> {
        let columns = joined(&T::columns_of(kind), more).in_file(&name_of(path))?;
        let table = TableWriter::create(path, format, &columns)?;
        Ok(Self { kind, table, precision: PhantomData })
    }

    /// Makes the bytes of CSV, Parquet and points on these threads; unless told, on the one that
    /// writes. No byte depends on it.
    pub fn threads(self, threads: &Threads) -> Self {
        Self { table: self.table.threads(threads), ..self }
    }

    /// Tells how many rows will be written, before the first is: one for each ray or point, unless
    /// the file is of all hits. NPZ is written in one go then, not from a file for each column, and
    /// [`finish`](Self::finish) refuses another number of rows; other formats, and pipes, do not
    /// look at it. No byte depends on it.
    ///
    /// # Errors
    /// The system refuses, or rows were written already.
    pub fn expect_rows(self, rows: u64) -> Result<Self> {
        Ok(Self { table: self.table.expect_rows(rows)?, ..self })
    }

    /// Appends the answers to the rays or points called `ids`: a batch of those that [`Answers`]
    /// lists, as the kind of the file demands.
    ///
    /// # Errors
    /// The system refuses ([`Error::is_broken_pipe`](crate::Error::is_broken_pipe) tells a pipe
    /// that was closed), the answers are of another kind or come without the normals that the kind
    /// has, or there are not as many as ids.
    pub fn write<'a>(&mut self, ids: RayIds<'_>, answers: impl Into<Answers<'a, T>>) -> Result<()> {
        self.write_with(ids, answers, Vectors::default(), &[])
    }

    /// The same for a kind with points or normals, and for a file with further columns.
    ///
    /// # Errors
    /// As [`write`](Self::write); there are not as many vectors as the kind demands, or the further
    /// columns are others or of another length than those of the kind.
    pub fn write_with<'a>(
        &mut self,
        ids: RayIds<'_>,
        answers: impl Into<Answers<'a, T>>,
        vectors: Vectors<'_, T>,
        more: &[(&str, Values<'_>)],
    ) -> Result<()> {
        let answers = T::table(self.kind, ids, answers.into(), vectors);
        let answers = answers.in_file(&self.table.name)?;
        let columns = joined(&answers.columns(), more).in_file(&self.table.name)?;
        self.table.write(&columns)
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// The system refuses, or there are not as many rows as were [told](Self::expect_rows) of NPZ.
    pub fn finish(self) -> Result<()> {
        self.table.finish()
    }
}

impl<T> std::fmt::Debug for HitWriter<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = &self.table.name;
        f.debug_struct("HitWriter").field("name", name).field("kind", &self.kind).finish()
    }
}

/// Writes a file of columns of any names chunk by chunk, in the formats of hits, as a [`HitWriter`]
/// does.
///
/// ```
/// use lanecast_io::{TableWriter, Values};
/// # let folder = std::env::temp_dir().join(format!("lanecast-doc-table-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).unwrap();
/// let path = folder.join("scan.csv");
/// let columns = [("x", Values::F32(&[0.5])), ("time", Values::F64(&[0.25])), ("pulse", Values::I64(&[7]))];
/// let mut writer = TableWriter::create(&path, None, &columns)?;
/// writer.write(&columns)?;
/// writer.finish()?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "x,time,pulse\n0.5,0.25,7\n");
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), lanecast_io::Error>(())
/// ```
pub struct TableWriter {
    name: FileName,
    sink: Box<dyn Sink>,
    /// The columns without values.
    columns: Vec<(String, Values<'static>)>,
    /// How many rows were written, and whether a value may be null.
    rows: u64,
    has_nulls: bool,
    threads: Threads,
}

impl TableWriter {
    /// Opens a file with columns of these names and kinds; the values are not written yet. The
    /// format is told as by [`HitWriter::create`].
    ///
    /// # Errors
    /// The extension is unknown, the format needs the feature `tables` or `las`, a file of points is
    /// to have no columns `x`, `y` and `z` of floats or a name that its format does not hold, two
    /// columns have one name, or the file cannot be created.
    pub fn create(
        path: &Path,
        format: Option<HitFormat>,
        columns: &[(&str, Values<'_>)],
    ) -> Result<Self> {
        let (name, sink, has_nulls) = open(path, format, columns)?;
        let columns =
            columns.iter().map(|&(name, values)| (name.to_owned(), values.none())).collect();
        Ok(Self { name, sink, columns, rows: 0, has_nulls, threads: Threads::ONE })
    }

    /// Makes the bytes of CSV, Parquet and points on these threads; unless told, on the one that
    /// writes. No byte depends on it.
    pub fn threads(self, threads: &Threads) -> Self {
        Self { threads: threads.clone(), ..self }
    }

    /// Tells how many rows will be written, before the first is. NPZ is written in one go then, not
    /// from a file for each column, and [`finish`](Self::finish) refuses another number of rows;
    /// other formats, and pipes, do not look at it. No byte depends on it.
    ///
    /// # Errors
    /// The system refuses, or rows were written already.
    pub fn expect_rows(mut self, rows: u64) -> Result<Self> {
        self.sink.expect_rows(rows).in_file(&self.name)?;
        Ok(self)
    }

    /// Appends rows: the columns that the file was opened with, in the same order.
    ///
    /// # Errors
    /// The system refuses ([`Error::is_broken_pipe`](crate::Error::is_broken_pipe) tells a pipe
    /// that was closed), the columns are others, not of equal length, or hold a number that the
    /// format does not, such as an integer or a boolean that is null in NPZ and files of points.
    pub fn write(&mut self, columns: &[(&str, Values<'_>)]) -> Result<()> {
        let of = columns.iter().map(|(name, values)| (*name, values.none()));
        if !of.eq(self.columns.iter().map(|(name, none)| (name.as_str(), *none))) {
            return Err(self.name.content("the rows have other columns than the file"));
        }
        let rows = rows(columns);
        if let Some((column, values)) = columns.iter().find(|(_, values)| values.len() != rows) {
            let found = values.len();
            let what = format_args!("column \"{column}\" holds {found} values for {rows} rows");
            return Err(self.name.content(what));
        }
        let null = columns.iter().find_map(|(name, values)| Some((name, values.null()?)));
        if let (Some((column, row)), false) = (null, self.has_nulls) {
            let (column, row) = (excerpt(column), self.rows + row as u64);
            return Err(self.name.content(format_args!(
                "row {row}: column \"{column}\" is null, which npz and files of points hold of floats alone"
            )));
        }
        self.rows += rows as u64;
        self.sink.write(columns, &self.threads).in_file(&self.name)
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// The system refuses, there are not as many rows as were [told](Self::expect_rows) of NPZ, or a
    /// point of LAS is not finite.
    pub fn finish(self) -> Result<()> {
        self.sink.finish().in_file(&self.name)
    }
}

impl std::fmt::Debug for TableWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableWriter")
            .field("name", &self.name)
            .field("columns", &self.columns)
            .finish()
    }
}

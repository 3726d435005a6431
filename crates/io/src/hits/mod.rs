//! Files of hits and of answers to points as a stream of chunks, one format per file; what they share is here.

#[cfg(feature = "tables")]
mod arrow;
mod csv;
mod npz;
mod table;

use super::error::{FileName, Result, extension, unknown_format};
use super::output::{Output, is_standard};
use super::rows::RayIds;
use lanecast::{
    HitBatch, Status,
    answers::{
        AllHitsBatch, AnyHitBatch, ClosestPointBatch, CostBatch, CountBatch, DistanceBatch, InsideBatch,
        LineHitBatch,
    },
};
use std::borrow::Cow;
use std::path::Path;
use table::Table;

const KNOWN: &str =
    if cfg!(feature = "tables") { "npz, csv, parquet, arrow, feather, ipc, arrows" } else { "npz, csv" };

/// Which question a file answers, and so which columns it has.
///
/// | kind | columns | rows |
/// |---|---|---|
/// | closest | `ray_id status t primitive_id geometry_id instance_id u v` | one per ray |
/// | closest with normals | the same and `nx ny nz` | one per ray |
/// | line | the columns of closest and, for what lies behind, `behind_t` to `behind_v` | one per ray |
/// | any | `ray_id status hit` | one per ray |
/// | count | `ray_id status count` | one per ray |
/// | cost | `ray_id status nodes boxes leaves triangles lanes_filled` | one per ray |
/// | all | `ray_id t primitive_id geometry_id instance_id u v` | one per hit |
/// | closest point | `point_id status distance x y z primitive_id geometry_id instance_id u v` | one per point |
/// | distance | `point_id status distance` | one per point |
/// | inside | `point_id status inside` | one per point |
///
/// `ray_id`, `point_id`, `primitive_id`, `count` and the counts of a cost are i64, `geometry_id` and `instance_id` i32,
/// `hit` and `inside` are booleans, the others f32. A ray that meets nothing has `t` = ∞ and ids −1, and so has a point to
/// which nothing is near with its `distance`; `instance_id` is −1
/// for what is in no instance. `status` is the word of [`Status::name`],
/// in NPZ the number of [`Status::code`] as u8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitKind {
    /// The closest hit of each ray.
    Closest,
    /// The closest hit of each ray, with the geometric normal (not normalised).
    ClosestWithNormals,
    /// The hits on either side of each ray's origin: those where `t` ≥ 0 first. The status is a hit if there is any.
    Line,
    /// Whether each ray meets anything.
    Any,
    /// How many primitives each ray meets; how often it crosses a surface, which may be 0 at the rim of an open surface
    /// where there is a closest hit.
    Count,
    /// What it cost to find the closest hit of each ray: the columns of a [`CostBatch`], and
    /// [how full](CostBatch::lanes_filled) the lanes were.
    Cost,
    /// Every hit of every ray, sorted by ray, then `t`.
    All,
    /// What is nearest to each point.
    ClosestPoint,
    /// How far each point is, signed or not.
    Distance,
    /// Which points are inside.
    Inside,
}

/// The format of a hit file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitFormat {
    /// A zip of NumPy arrays, one per column, not compressed.
    Npz,
    /// Comma-separated values with a header; floats in the fewest digits that read back to the
    /// same value, infinity as `inf`.
    Csv,
    /// Parquet, compressed with Snappy; with the feature `tables`.
    Parquet,
    /// Arrow IPC, file format; with the feature `tables`.
    ArrowFile,
    /// Arrow IPC, stream format; with the feature `tables`.
    ArrowStream,
}

impl HitFormat {
    /// The format for an extension, in any case and without its dot, whether or not its feature is on.
    ///
    /// ```
    /// use lanecast_io::HitFormat;
    /// assert_eq!(HitFormat::from_extension("parquet"), Some(HitFormat::Parquet));
    /// assert_eq!(HitFormat::from_extension("docx"), None);
    /// ```
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_lowercase().as_str() {
            "npz" => Some(Self::Npz),
            "csv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            "arrow" | "feather" | "ipc" => Some(Self::ArrowFile),
            "arrows" => Some(Self::ArrowStream),
            _ => None,
        }
    }
}

/// The answers to a chunk of rays or points, of any kind.
#[derive(Debug, Clone, Copy)]
pub enum Answers<'a> {
    /// For [`HitKind::Closest`] and [`HitKind::ClosestWithNormals`].
    Closest(&'a HitBatch),
    /// For [`HitKind::Line`].
    Line(&'a LineHitBatch),
    /// For [`HitKind::Any`].
    Any(&'a AnyHitBatch),
    /// For [`HitKind::Count`].
    Count(&'a CountBatch),
    /// For [`HitKind::Cost`].
    Cost(&'a CostBatch),
    /// For [`HitKind::All`].
    All(&'a AllHitsBatch),
    /// For [`HitKind::ClosestPoint`].
    ClosestPoint(&'a ClosestPointBatch),
    /// For [`HitKind::Distance`].
    Distance(&'a DistanceBatch),
    /// For [`HitKind::Inside`].
    Inside(&'a InsideBatch),
}

macro_rules! answers_of {
    ($($kind:ident: $batch:ty,)*) => {$(
        impl<'a> From<&'a $batch> for Answers<'a> {
            fn from(batch: &'a $batch) -> Self {
                Self::$kind(batch)
            }
        }
    )*};
}

answers_of! {
    Closest: HitBatch,
    Line: LineHitBatch,
    Any: AnyHitBatch,
    Count: CountBatch,
    Cost: CostBatch,
    All: AllHitsBatch,
    ClosestPoint: ClosestPointBatch,
    Distance: DistanceBatch,
    Inside: InsideBatch,
}

impl<'a> Answers<'a> {
    /// What became of each ray or point.
    pub fn status(&self) -> Cow<'a, [Status]> {
        Cow::Borrowed(match self {
            Self::Closest(hits) => hits.status(),
            Self::Line(hits) => return (0..hits.len()).map(|row| hits.status(row)).collect(),
            Self::Any(hits) => hits.status(),
            Self::Count(counts) => counts.status(),
            Self::Cost(costs) => costs.status(),
            Self::All(hits) => hits.status(),
            Self::ClosestPoint(closest) => closest.status(),
            Self::Distance(distances) => distances.status(),
            Self::Inside(inside) => inside.status(),
        })
    }
}

/// Writes a file of hits chunk by chunk.
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
/// let mut writer = HitWriter::create(&path, None, HitKind::Any)?;
/// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let rays = [0.25, 9.0].map(|x| Ray::new([x, 0.25, 1.0], [0.0, 0.0, -1.0]));
/// writer.write(RayIds::Rows(0), &scene.cast(&rays).any()?)?;
/// writer.finish()?;
/// assert_eq!(std::fs::read_to_string(&path).unwrap(), "ray_id,status,hit\n0,hit,true\n1,miss,false\n");
/// # std::fs::remove_dir_all(&folder).unwrap();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct HitWriter {
    name: FileName,
    kind: HitKind,
    sink: Box<dyn Sink>,
    table: Table,
}

/// A format: takes tables with the columns of one kind and makes a file of them.
trait Sink: Send {
    fn write(&mut self, table: &Table) -> Result<()>;
    fn finish(self: Box<Self>) -> Result<()>;
}

impl HitWriter {
    /// Opens a file of hits; `-` is standard output.
    ///
    /// Without a format the extension says it (`.npz`, `.csv`, `.parquet`; `.arrow`, `.feather` and
    /// `.ipc` for the Arrow file, `.arrows` for the stream), and standard output is CSV. The Arrow
    /// file format on standard output becomes the stream format, which pipes need.
    ///
    /// # Errors
    /// The extension is unknown, the format needs the feature `tables`, or the file cannot be created.
    pub fn create(path: &Path, format: Option<HitFormat>, kind: HitKind) -> Result<Self> {
        let format = match format {
            Some(HitFormat::ArrowFile) if is_standard(path) => HitFormat::ArrowStream,
            Some(format) => format,
            None if is_standard(path) => HitFormat::Csv,
            None => {
                let extension = extension(path);
                HitFormat::from_extension(&extension)
                    .ok_or_else(|| FileName::of(path).content(unknown_format("hit", &extension, KNOWN)))?
            }
        };
        let (output, name) = Output::create(path)?;
        let table = Table::of(kind);
        let sink: Box<dyn Sink> = match format {
            HitFormat::Npz => Box::new(npz::NpzSink::new(name.clone(), output, &table)?),
            HitFormat::Csv => Box::new(csv::CsvSink::new(name.clone(), output, &table)?),
            #[cfg(feature = "tables")]
            _ => Box::new(arrow::ArrowSink::new(name.clone(), output, kind, format)?),
            #[cfg(not(feature = "tables"))]
            _ => return Err(name.without_tables()),
        };
        Ok(Self { name, kind, sink, table })
    }

    /// Appends the answers to the rays or points called `ids`: a batch of those that [`Answers`] lists, as the kind of the
    /// file demands.
    ///
    /// # Errors
    /// The system refuses ([`Error::is_broken_pipe`](super::Error::is_broken_pipe) tells a pipe
    /// that was closed), the answers are of another kind or come without the normals that the kind
    /// has, or there are not as many as ids.
    pub fn write<'a>(&mut self, ids: RayIds<'_>, answers: impl Into<Answers<'a>>) -> Result<()> {
        self.table.clear();
        self.table.fill(self.kind, ids, answers.into()).map_err(|what| self.name.content(what))?;
        self.sink.write(&self.table)
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// The system refuses.
    pub fn finish(self) -> Result<()> {
        self.sink.finish()
    }
}

impl std::fmt::Debug for HitWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HitWriter").field("name", &self.name).field("kind", &self.kind).finish()
    }
}

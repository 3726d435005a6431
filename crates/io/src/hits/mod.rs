//! Files of hits and of answers to points as a stream of chunks, one format per file; what they
//! share is here.

mod archive;
#[cfg(feature = "tables")]
mod arrow;
mod csv;
#[cfg(feature = "las")]
mod las;
mod npz;
mod points;
pub(crate) mod table;
mod values;
mod writer;

pub use values::Values;
pub(crate) use values::{Named, Value};
pub use writer::{HitWriter, TableWriter};

use crate::cloud::CloudFormat;
use crate::mesh::Coordinate;
use lanecast::{
    HitBatch, Status,
    answers::{
        AllHitsBatch, AnyHitBatch, ClosestPointBatch, CostBatch, CountBatch, DistanceBatch,
        InsideBatch, LineHitBatch,
    },
};
use std::borrow::Cow;

/// Which question a file answers, and so which columns it has.
///
/// | kind | columns | rows |
/// |---|---|---|
/// | closest | `ray_id status t primitive_id geometry_id instance_id u v` | one per ray |
/// | closest with points | the same and `x y z` | one per ray |
/// | closest with normals | the same and `nx ny nz` | one per ray |
/// | line | the columns of closest and, for what lies behind, `behind_t` to `behind_v` | one per ray |
/// | any | `ray_id status hit` | one per ray |
/// | count | `ray_id status count` | one per ray |
/// | cost | `ray_id status nodes boxes leaves triangles lanes_filled` | one per ray |
/// | all | `ray_id t primitive_id geometry_id instance_id u v`, with points `x y z` | one per hit |
/// | closest point | `point_id status distance x y z primitive_id geometry_id instance_id u v` | one per point |
/// | distance | `point_id status distance` | one per point |
/// | inside | `point_id status inside` | one per point |
///
/// `ray_id`, `point_id`, `primitive_id`, `count` and the counts of a cost are i64, `geometry_id`
/// and `instance_id` i32, `hit` and `inside` are booleans, `lanes_filled` f32, the others f32 or,
/// of a [`HitWriter`] of f64, f64. A ray that meets nothing has `t` = ∞ and ids −1, and so has a
/// point to which nothing is near with its `distance`; its vectors are NaN, `x y z` of a point and
/// the batch's own `nx ny nz` of a ray. in NPZ the number of [`Status::code`] as u8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitKind {
    /// The closest hit of each ray.
    Closest {
        /// With its point.
        points: bool,
        /// With its normal.
        normals: bool,
    },
    /// The hits on either side of each ray's origin: those where `t` ≥ 0 first. The status is a hit
    /// if there is any.
    Line,
    /// Whether each ray meets anything.
    Any,
    /// How many primitives each ray meets; how often it crosses a surface, which may be 0 at the
    /// rim of an open surface where there is a closest hit.
    Count,
    /// What it cost to find the closest hit of each ray: the columns of a [`CostBatch`], and
    /// [how full](CostBatch::lanes_filled) the lanes were.
    Cost,
    /// Every hit of every ray, sorted by ray, then `t`.
    All {
        /// With its point.
        points: bool,
    },
    /// What is nearest to each point.
    ClosestPoint,
    /// How far each point is, signed or not.
    Distance,
    /// Which points are inside.
    Inside,
}

impl HitKind {
    /// The closest hit of each ray, without its point and its normal.
    pub const CLOSEST: Self = Self::Closest { points: false, normals: false };
    /// Every hit of every ray, without its point.
    pub const ALL: Self = Self::All { points: false };
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
    /// A file of points, with the columns that its format has a place for. Only for files with the
    /// columns `x`, `y` and `z` of floats.
    Cloud(CloudFormat),
}

impl HitFormat {
    /// The format for an extension, in any case and without its dot, whether or not its feature is
    /// on.
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
            other => CloudFormat::from_extension(other).map(Self::Cloud),
        }
    }
}

/// The answers to a chunk of rays or points, of any kind.
#[derive(Debug, Clone, Copy)]
pub enum Answers<'a, T = f32> {
    /// For [`HitKind::Closest`].
    Closest(&'a HitBatch<T>),
    /// For [`HitKind::Line`].
    Line(&'a LineHitBatch<T>),
    /// For [`HitKind::Any`].
    Any(&'a AnyHitBatch),
    /// For [`HitKind::Count`].
    Count(&'a CountBatch),
    /// For [`HitKind::Cost`].
    Cost(&'a CostBatch),
    /// For [`HitKind::All`].
    All(&'a AllHitsBatch<T>),
    /// For [`HitKind::ClosestPoint`].
    ClosestPoint(&'a ClosestPointBatch<T>),
    /// For [`HitKind::Distance`].
    Distance(&'a DistanceBatch<T>),
    /// For [`HitKind::Inside`].
    Inside(&'a InsideBatch),
}

macro_rules! answers_of {
    ($($kind:ident: $batch:ty,)*) => {$(
        impl<'a, T> From<&'a $batch> for Answers<'a, T> {
            fn from(batch: &'a $batch) -> Self {
                Self::$kind(batch)
            }
        }
    )*};
}

answers_of! {
    Closest: HitBatch<T>,
    Line: LineHitBatch<T>,
    Any: AnyHitBatch,
    Count: CountBatch,
    Cost: CostBatch,
    All: AllHitsBatch<T>,
    ClosestPoint: ClosestPointBatch<T>,
    Distance: DistanceBatch<T>,
    Inside: InsideBatch,
}

/// What files of [`HitKind::Closest`] and [`HitKind::All`] may hold beside the hits: a row for each
/// hit.
#[derive(Clone, Copy, Default)]
pub struct Vectors<'a, T = f32> {
    /// The points of hits, for kinds with points.
    pub points: &'a [[T; 3]],
    /// The normals, for kinds with normals; if there are none, the batch's own, which are not
    /// normalised.
    pub normals: &'a [[T; 3]],
}

impl<T> std::fmt::Debug for Vectors<'_, T> {
    /// Shows how many there are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Vectors");
        shown
            .field("points", &self.points.len())
            .field("normals", &self.normals.len())
            .finish_non_exhaustive()
    }
}

impl<'a, T: Coordinate> Answers<'a, T> {
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

//! Answers: single values, and batches as columns, which the macro in `batch` declares. Those to
//! rays are in `hits`, `counts` and `lists`, those to points in `of_points` and `lists`.
//! `numbering` turns the numbers of a scene's primitives into ids, `per_row` is one value for all
//! rows, or a column.

mod batch;
mod counts;
mod hits;
mod lists;
mod numbering;
mod of_points;
mod per_row;
mod sight_matrix;

pub(crate) use batch::{Answers, With};
use batch::{answers, values};
pub use counts::{
    AnyHitBatch, AnyHitColumns, Cost, CostBatch, CostColumns, CountBatch, CountColumns,
    SignedCountBatch, SignedCountColumns,
};
pub(crate) use counts::{AnyHitRows, CostRows, CountRows, SignedCountRows};
pub(crate) use hits::{Candidate, HitRows, SurfaceRows};
pub use hits::{
    Hit, HitBatch, HitColumns, INVALID_ID, LineHitBatch, LineHitColumns, LineHits, PrimitiveIds,
    SurfaceBatch, SurfaceColumns, SurfaceHit,
};
pub use lists::{AllHitsBatch, Lists, NearPointBatch};
pub(crate) use numbering::Numbering;
pub(crate) use of_points::InsideRows;
pub use of_points::{
    ClosestPoint, ClosestPointBatch, ClosestPointColumns, DistanceBatch, DistanceColumns,
    InsideBatch, InsideColumns, WindingBatch, WindingColumns,
};
pub use per_row::PerRow;
pub use sight_matrix::SightMatrix;

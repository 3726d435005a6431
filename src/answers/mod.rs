//! Answers: single values, and batches as columns, which the macro in `batch` declares. `numbering`
//! turns the numbers of a scene's primitives into ids, `per_row` is one value for all rows, or a
//! column.

mod batch;
mod hits;
mod lists;
mod numbering;
mod per_row;
mod sight_matrix;
mod without_hits;

pub(crate) use batch::{Answers, With};
use batch::{answers, values};
pub(crate) use hits::{Candidate, HitRows, SurfaceRows};
pub use hits::{
    Hit, HitBatch, HitColumns, INVALID_ID, LineHitBatch, LineHits, PrimitiveIds, SurfaceBatch,
    SurfaceColumns, SurfaceHit,
};
pub use lists::{AllHitsBatch, Lists, NearPointBatch};
pub(crate) use numbering::Numbering;
pub use per_row::PerRow;
pub use sight_matrix::SightMatrix;
pub use without_hits::{
    AnyHitBatch, AnyHitColumns, ClosestPoint, ClosestPointBatch, ClosestPointColumns, Cost,
    CostBatch, CostColumns, CountBatch, CountColumns, DistanceBatch, DistanceColumns, InsideBatch,
    InsideColumns, WindingBatch, WindingColumns,
};
pub(crate) use without_hits::{AnyHitRows, CostRows, CountRows, InsideRows};

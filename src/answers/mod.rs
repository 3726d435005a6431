//! Answers: single values, and batches as columns, which the macro in `batch` declares. `numbering` turns the numbers of a
//! scene's primitives into ids, `per_row` is one value for all rows, or a column.

mod batch;
mod closest_hits;
mod counts;
mod hit;
mod numbering;
mod per_row;
mod points;
mod sight_matrix;

pub(crate) use batch::{Answers, With};
use batch::{answers, values};
pub(crate) use closest_hits::HitRows;
pub use closest_hits::{HitBatch, HitColumns, LineHitBatch, LineHits};
pub use counts::{
    AnyHitBatch, AnyHitColumns, CostBatch, CostColumns, CountBatch, CountColumns, InsideBatch, InsideColumns,
};
pub(crate) use counts::{AnyHitRows, CostRows, CountRows, InsideRows};
pub(crate) use hit::Candidate;
pub use hit::{AllHitsBatch, Hit, INVALID_ID};
pub(crate) use numbering::Numbering;
pub use per_row::PerRow;
pub use points::{ClosestPoint, ClosestPointBatch, ClosestPointColumns, DistanceBatch, DistanceColumns};
pub use sight_matrix::SightMatrix;

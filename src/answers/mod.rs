//! Answers: single values, and batches as columns, which the macro in `batch` declares. `numbering` turns the numbers of a
//! scene's primitives into ids, `per_row` is one value for all rows, or a column.

mod batch;
mod counts;
mod hits;
mod numbering;
mod per_row;
mod points;
mod sight_matrix;

pub(crate) use batch::{Answers, With};
use batch::{answers, values};
pub use counts::{
    AnyHitBatch, AnyHitColumns, CostBatch, CostColumns, CountBatch, CountColumns, InsideBatch, InsideColumns,
};
pub(crate) use counts::{AnyHitRows, CostRows, CountRows, InsideRows};
pub use hits::{AllHitsBatch, Hit, HitBatch, HitColumns, INVALID_ID, LineHitBatch, LineHits};
pub(crate) use hits::{Candidate, HitRows};
pub(crate) use numbering::Numbering;
pub use per_row::PerRow;
pub use points::{ClosestPoint, ClosestPointBatch, ClosestPointColumns, DistanceBatch, DistanceColumns};
pub use sight_matrix::SightMatrix;

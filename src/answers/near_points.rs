//! The primitives near each point of a batch.

use super::ClosestPoint;
use crate::simd::Scalar;
use crate::status::Status;

/// The nearest primitives to each point of a batch, or all within a radius, in compressed rows.
///
/// Those of point `i` are at `offsets()[i]` up to `offsets()[i + 1]`, in the order of their distances, then ids.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NearPointBatch<T = f32> {
    pub(crate) status: Vec<Status>,
    pub(crate) offsets: Vec<usize>,
    pub(crate) points: Vec<ClosestPoint<T>>,
}

impl<T: Scalar> NearPointBatch<T> {
    /// No rows, and no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.status.len()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.status.is_empty()
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.status.clear();
        self.offsets.clear();
        self.points.clear();
    }

    /// The status of each point: a hit if a primitive is within the radius, else a miss; or the defect of point or radius.
    pub fn status(&self) -> &[Status] {
        &self.status
    }

    /// The start of each point's primitives; one longer than there are points, and empty before the first batch.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The closest points of the primitives, one point of the batch after the other.
    pub fn points(&self) -> &[ClosestPoint<T>] {
        &self.points
    }

    /// The closest points of the primitives near point `index`, nearest first. Panics if there is no such point.
    pub fn of_point(&self, index: usize) -> &[ClosestPoint<T>] {
        &self.points[self.offsets[index]..self.offsets[index + 1]]
    }
}

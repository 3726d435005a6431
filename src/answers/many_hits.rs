//! All hits, or the nearest hits, of each ray of a batch.

use super::Hit;
use crate::simd::Scalar;
use crate::status::Status;

/// Every hit of every ray of a batch, or the nearest of each, in compressed rows.
///
/// The hits of ray `i` are those from `offsets()[i]` up to `offsets()[i + 1]`, in the order of `t`, then
/// `instance_id`, `geometry_id` and `primitive_id`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AllHitsBatch<T = f32> {
    pub(crate) status: Vec<Status>,
    pub(crate) offsets: Vec<usize>,
    pub(crate) hits: Vec<Hit<T>>,
}

impl<T: Scalar> AllHitsBatch<T> {
    /// No rows, and no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of rays.
    pub fn len(&self) -> usize {
        self.status.len()
    }

    /// Whether there is no ray.
    pub fn is_empty(&self) -> bool {
        self.status.is_empty()
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.status.clear();
        self.offsets.clear();
        self.hits.clear();
    }

    /// The status of each ray: hit, miss, or the reason why it was not cast.
    pub fn status(&self) -> &[Status] {
        &self.status
    }

    /// The start of each ray's hits; one longer than there are rays, and empty before the first batch.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The hits of all rays, one ray after the other.
    pub fn hits(&self) -> &[Hit<T>] {
        &self.hits
    }

    /// The hits of ray `index`, nearest first.
    ///
    /// # Panics
    /// If there is no such ray.
    pub fn of_ray(&self, index: usize) -> &[Hit<T>] {
        &self.hits[self.offsets[index]..self.offsets[index + 1]]
    }
}

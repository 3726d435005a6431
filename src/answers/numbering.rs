//! One number for every primitive of a scene.
//!
//! Kernels and trees carry a single `u32`. Numbers run through the geometries in the order of
//! adding, so that comparing numbers compares (geometry id, primitive id).

use std::ops::Range;

use super::{Candidate, Hit, INVALID_ID};
use crate::simd::Scalar;

#[derive(Debug, Clone, Default)]
pub(crate) struct Numbering {
    /// The first number of each geometry, and last the number of primitives.
    starts: Vec<u32>,
}

impl Numbering {
    /// Numbers geometries with these counts of primitives, whose sum fits in 32 bits.
    pub(crate) fn new(counts: impl IntoIterator<Item = u32>) -> Self {
        let ends = counts.into_iter().scan(0, |total, count| {
            *total += count;
            Some(*total)
        });
        Self { starts: std::iter::once(0).chain(ends).collect() }
    }

    /// The numbering with these [`starts`](Self::starts); `None` if no numbering has them.
    #[cfg(feature = "scene-files")]
    pub(crate) fn of_starts(starts: &[u32]) -> Option<Self> {
        (starts.first() == Some(&0) && starts.is_sorted()).then(|| Self { starts: starts.to_vec() })
    }

    pub(crate) fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// Whether there is a single geometry: numbers are then its primitives' ids.
    #[inline]
    pub(crate) fn is_of_one(&self) -> bool {
        self.starts.len() == 2
    }

    pub(crate) fn numbers(&self, geometry_id: u32) -> Range<u32> {
        self.starts[geometry_id as usize]..self.starts[geometry_id as usize + 1]
    }

    /// The number of a primitive; `None` if there is no such primitive.
    pub(crate) fn number(&self, geometry_id: u32, primitive_id: u32) -> Option<u32> {
        let [start, end] = *self.starts.get(geometry_id as usize..)?.first_chunk()?;
        start.checked_add(primitive_id).filter(|&number| number < end)
    }

    pub(crate) fn count(&self) -> usize {
        self.starts.last().copied().unwrap_or(0) as usize
    }

    /// (geometry id, primitive id) of a number.
    #[inline]
    pub(crate) fn ids(&self, number: u32) -> (u32, u32) {
        // One geometry is the common case, and needs no search.
        if self.is_of_one() {
            return (0, number);
        }
        // An empty geometry shares its start with the next, so the last start at or below is the
        // right one. The last entry is no start and is left out: a damaged file may hold any
        // number.
        let starts = &self.starts[..self.starts.len() - 1];
        let geometry = starts.partition_point(|&start| start <= number) - 1;
        (geometry as u32, number - self.starts[geometry])
    }

    #[inline]
    pub(crate) fn hit<T: Scalar>(&self, candidate: &Candidate<T>) -> Hit<T> {
        let (geometry_id, primitive_id) = self.ids(candidate.number);
        let &Candidate { t, u, v, .. } = candidate;
        Hit { t, primitive_id, geometry_id, instance_id: INVALID_ID, u, v }
    }
}

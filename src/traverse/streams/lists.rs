//! Lists of rays of a stream, in one buffer.
//!
//! Vectors are loaded whole, so every list must be readable up to the next multiple of
//! [`MAX_LANES`] entries. The buffer ensures that: it is always [`MAX_LANES`] entries longer than
//! the space reserved, and no caller computes room.

use crate::memory::grow;
use crate::simd::{LANES, Lanes, MAX_LANES, MAX_STREAM_RAYS, NO_ENTRY};

/// The lists; each is named by its start and its length.
#[derive(Default)]
pub(super) struct Lists {
    entries: Vec<u32>,
}

impl Lists {
    /// Frees the buffer if it is above 64 MB, at the end of a cast: a deep tree that all rays walk
    /// takes a megabyte a level.
    pub(super) fn free_if_large(&mut self) {
        if self.entries.len() > 1 << 24 {
            *self = Self::default();
        }
    }

    /// Clears all lists and writes one at the start. Returns the first free place.
    pub(super) fn begin(&mut self, list: &[u32]) -> usize {
        self.reserve(list.len());
        self.entries[..list.len()].copy_from_slice(list);
        list.len().next_multiple_of(MAX_LANES)
    }

    /// Reserves room for lists that end at `end`.
    #[inline(always)]
    fn reserve(&mut self, end: usize) {
        let needed = end + MAX_LANES;
        grow(&mut self.entries, needed, 2 * needed, NO_ENTRY);
    }

    /// The first entry of a list.
    #[inline(always)]
    pub(super) fn first(&self, first: usize) -> u32 {
        self.entries[first]
    }

    /// A list, with the entries behind it up to a multiple of [`MAX_LANES`].
    #[inline(always)]
    pub(super) fn list(&self, first: usize, length: usize) -> &[u32] {
        &self.entries[first..first + length.next_multiple_of(MAX_LANES)]
    }

    /// Removes the entries beyond the limits of their rays. Returns the number of the others.
    #[inline(always)]
    pub(super) fn compact<L: Lanes>(
        &mut self,
        lanes: L,
        first: usize,
        length: usize,
        limits: &[f32; MAX_STREAM_RAYS],
    ) -> usize {
        lanes.compact(
            &mut self.entries[first..first + length.next_multiple_of(MAX_LANES)],
            length,
            limits,
        )
    }

    /// Eight lists of one entry each, to be written from `free` on.
    #[inline(always)]
    pub(super) fn eight_of_one(&mut self, free: usize) -> &mut [u32; LANES] {
        self.reserve(free + LANES);
        (&mut self.entries[free..free + LANES]).try_into().expect("eight are eight")
    }

    /// A list, readable up to a multiple of [`MAX_LANES`], and eight lists to be written at `free`,
    /// behind it. Each of the eight has `stride` entries, a multiple of [`MAX_LANES`].
    #[inline(always)]
    pub(super) fn list_and_eight(
        &mut self,
        (first, length): (usize, usize),
        free: usize,
        stride: usize,
    ) -> (&[u32], &mut [u32]) {
        let end = free + LANES * stride;
        self.reserve(end);
        let (before, eight) = self.entries[..end].split_at_mut(free);
        (&before[first..first + length.next_multiple_of(MAX_LANES)], eight)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/traverse/streams/lists.rs"]
mod tests;

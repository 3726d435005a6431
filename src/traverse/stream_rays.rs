//! The rays of a stream, shared by its steps.

use super::slab::SlabRecord;
use crate::simd::MAX_STREAM_RAYS;

/// The rays of a stream as boxes know them, by their numbers.
pub(super) struct StreamRays {
    /// Made ready for boxes.
    pub(super) slabs: Vec<SlabRecord>,
    /// Where each ray ends: as in its slabs, and NaN once it is settled.
    pub(super) limits: Box<[f32; MAX_STREAM_RAYS]>,
    /// How many intervals have been narrowed: what was within them all at a number is so as long as it stays.
    pub(super) narrowed: u32,
}

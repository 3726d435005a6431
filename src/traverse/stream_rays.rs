//! The rays of a stream, shared by its steps.

use super::slab::SlabRecord;
use crate::simd::MAX_STREAM_RAYS;

/// The rays of a stream as boxes see them, by their numbers.
pub(super) struct StreamRays {
    /// Prepared for boxes.
    pub(super) slabs: Vec<SlabRecord>,
    /// The limit of each ray: that of its slabs, NaN once it is settled.
    pub(super) limits: Box<[f32; MAX_STREAM_RAYS]>,
    /// The count of narrowed intervals. A list made at the present count needs no compaction.
    pub(super) narrowed: u32,
}

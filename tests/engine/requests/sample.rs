//! Structs of a caller's, with fields for answers.

use bytemuck::{Pod, Zeroable};
use lanecast::Status;

/// A record of a caller's, with room for answers between other things.
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Sample {
    /// What must stay, as `flags` and `weight` must.
    pub(super) name: u32,
    pub(super) t: f32,
    pub(super) status: u8,
    pub(super) flags: [u8; 3],
    pub(super) normal: [f32; 3],
    pub(super) primitive_id: u32,
    pub(super) weight: f32,
    pub(super) u: f32,
    pub(super) v: f32,
    pub(super) geometry_id: u32,
    pub(super) instance_id: u32,
    pub(super) numbers: [u32; 4],
    pub(super) winding: i32,
}

impl Sample {
    /// Full of what no query answers.
    pub(super) fn stale(row: usize) -> Self {
        Self {
            name: row as u32,
            t: -7.0,
            status: 77,
            flags: [1, 2, 3],
            normal: [-7.0; 3],
            primitive_id: 77,
            weight: row as f32,
            u: -7.0,
            v: -7.0,
            geometry_id: 77,
            instance_id: 77,
            numbers: [77; 4],
            winding: 77,
        }
    }
}

pub(super) fn samples(rows: usize) -> Vec<Sample> {
    (0..rows).map(Sample::stale).collect()
}

/// Values of each row, from the caller's structs.
pub(super) fn column<V>(samples: &[Sample], value: fn(&Sample) -> V) -> Vec<V> {
    samples.iter().map(value).collect()
}

pub(super) fn codes(status: &[Status]) -> Vec<u8> {
    status.iter().map(|status| status.code()).collect()
}

/// What no column was made of is as it was.
pub(super) fn assert_others_kept(samples: &[Sample]) {
    for (row, sample) in samples.iter().enumerate() {
        let Sample { name, flags, weight, .. } = Sample::stale(row);
        assert_eq!((sample.name, sample.flags, sample.weight), (name, flags, weight), "row {row}");
    }
}

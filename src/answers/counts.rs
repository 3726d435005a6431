//! Answers to rays without a hit in them: any hit, counts, costs.

use super::answers;
use crate::columns::rows;
use crate::status::Status;

answers! {
    /// Whether each ray of a batch meets anything.
    AnyHitBatch, AnyHitColumns, AnyHitRows {
        /// The status of each ray: hit, miss, or the reason why it was not cast.
        status: Status = Status::Miss,
    }
}

rows! {
    /// Whether each ray meets anything, in order; `None` if it was not cast.
    [] AnyHitBatch => Option<bool>, Self::len, |any: &Self, row: usize| {
        any.status[row].answer(any.status[row].is_hit())
    }
}

answers! {
    /// The number of hits of each ray of a batch.
    CountBatch, CountColumns, CountRows {
        /// The status of each ray: hit, miss, or the reason why it was not cast.
        status: Status = Status::Miss,
        /// The number of hits within the ray's interval. The number of
        /// [crossings](crate::Contact::Crossing) may be 0 at the rim of an open surface, where
        /// there is a closest hit.
        count: u32 = 0,
    }
}

rows! {
    /// The number of hits of each ray, in order; `None` if it was not cast.
    [] CountBatch => Option<u32>, Self::len, |counts: &Self, row: usize| {
        counts.status[row].answer(counts.count[row])
    }
}

answers! {
    /// How much deeper each ray of a batch is inside at its end than at its start.
    SignedCountBatch, SignedCountColumns, SignedCountRows {
        /// The status of each ray: hit, miss, or the reason why it was not cast.
        status: Status = Status::Miss,
        /// The number of hits at fronts within the ray's interval, where it enters, less that at
        /// backs, where it leaves.
        count: i32 = 0,
    }
}

rows! {
    /// The signed count of each ray, in order; `None` if it was not cast.
    [] SignedCountBatch => Option<i32>, Self::len, |counts: &Self, row: usize| {
        counts.status[row].answer(counts.count[row])
    }
}

/// The cost of finding the closest hit of a ray, as in the columns of a [`CostBatch`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Cost {
    /// Tests of nodes.
    pub nodes: u32,
    /// Boxes in those nodes.
    pub boxes: u32,
    /// Tests of leaves.
    pub leaves: u32,
    /// Primitives in those leaves.
    pub primitives: u32,
}

answers! {
    /// The cost of finding the closest hit of each ray of a batch.
    ///
    /// A test is one step of the walk: the ray against the eight lanes of one node or one leaf,
    /// some of which may be empty. Tests are counted for each ray by itself, although rays share
    /// them in groups and streams.
    ///
    /// In a scene that holds more than triangles, costs are the sum over all trees at which the ray
    /// is cast, each with the ray's own interval: the tree over boxes and spheres, and every
    /// instance whose box it meets. The closest hit goes to the nearest instance first and not
    /// beyond a hit. The search for instances is not counted.
    CostBatch, CostColumns, CostRows {
        /// The status of each ray: hit, miss, or the reason why it was not cast.
        status: Status = Status::Miss,
        /// Tests of nodes: inner nodes with whose boxes the ray was tested.
        nodes: u32 = 0,
        /// Boxes in those nodes, at most eight each: lanes without a child do not count.
        boxes: u32 = 0,
        /// Tests of leaves: blocks of primitives with which the ray was tested. By brute force
        /// these are all blocks.
        leaves: u32 = 0,
        /// Primitives in those leaves, at most eight each, met or not: lanes without a primitive do
        /// not count.
        primitives: u32 = 0,
    }
}

rows! {
    /// The cost of each ray, in order; `None` if it was not cast.
    [] CostBatch => Option<Cost>, Self::len, |costs: &Self, row: usize| {
        costs.status[row].answer(Cost {
            nodes: costs.nodes[row],
            boxes: costs.boxes[row],
            leaves: costs.leaves[row],
            primitives: costs.primitives[row],
        })
    }
}

impl CostBatch {
    /// The part of the lanes in use in the tests of ray `index`: (`boxes` + `primitives`) / (8 ·
    /// (`nodes` + `leaves`)), or 0 without tests. Panics if there is no such ray.
    pub fn lanes_filled(&self, index: usize) -> f32 {
        let tests = u64::from(self.nodes[index]) + u64::from(self.leaves[index]);
        let filled = u64::from(self.boxes[index]) + u64::from(self.primitives[index]);
        // In `f64` both are exact, and only the quotient is rounded.
        if tests == 0 { 0.0 } else { (filled as f64 / (8 * tests) as f64) as f32 }
    }
}

//! Answers without hits: any hit, counts, inside or outside, costs.

use super::answers;
use crate::status::Status;

answers! {
    /// Whether each ray of a batch meets anything.
    AnyHitBatch, AnyHitColumns, AnyHitRows {
        /// The status of each ray: hit, miss, or the reason why it was not cast.
        status: Status = Status::Miss,
    }
}

answers! {
    /// Whether each point of a batch is inside.
    InsideBatch, InsideColumns, InsideRows {
        /// A hit for points inside, a miss for points outside; else the defect of the point.
        status: Status = Status::Miss,
        /// The winding number of the surface around the point: 1 inside a solid whose triangles have their fronts outside,
        /// −1 if they have their backs outside, 2 in the overlap of two solids, 0 outside and in a cavity. A box or a
        /// sphere counts 1 wherever it is placed. A mesh with its fronts outside, in an instance that mirrors, counts −1.
        winding: i32 = 0,
    }
}

answers! {
    /// The number of hits of each ray of a batch.
    CountBatch, CountColumns, CountRows {
        /// The status of each ray: hit, miss, or the reason why it was not cast.
        status: Status = Status::Miss,
        /// The number of hits within the ray's interval. The number of [crossings](crate::Contact::Crossing) may be 0 at
        /// the rim of an open surface, where there is a closest hit.
        count: u32 = 0,
    }
}

answers! {
    /// The cost of finding the closest hit of each ray of a batch.
    ///
    /// A test is one step of the walk: the ray against the eight lanes of one node or one leaf, some of which may be empty.
    /// Tests are counted for each ray by itself, although rays share them in groups and streams.
    ///
    /// In a scene that holds more than triangles, costs are the sum over all trees at which the ray is cast, each with the
    /// ray's own interval: the tree over boxes and spheres, and every instance whose box the ray meets. The closest hit goes
    /// to the nearest instance first and not to instances beyond a hit, so it mostly takes fewer tests in instances. The
    /// search for these instances is not counted.
    CostBatch, CostColumns, CostRows {
        /// The status of each ray: hit, miss, or the reason why it was not cast.
        status: Status = Status::Miss,
        /// Tests of nodes: inner nodes with whose boxes the ray was tested.
        nodes: u32 = 0,
        /// Boxes in those nodes, at most eight each: lanes without a child do not count.
        boxes: u32 = 0,
        /// Tests of leaves: blocks of primitives with which the ray was tested. By brute force these are all blocks.
        leaves: u32 = 0,
        /// Primitives in those leaves, at most eight each, met or not: lanes without a primitive do not count.
        primitives: u32 = 0,
    }
}

impl CostBatch {
    /// The part of the lanes in use in the tests of ray `index`, from 0 to 1:
    /// (`boxes` + `primitives`) / (8 · (`nodes` + `leaves`)). 0 for a ray without tests.
    /// Panics if there is no such ray.
    pub fn lanes_filled(&self, index: usize) -> f32 {
        let tests = u64::from(self.nodes[index]) + u64::from(self.leaves[index]);
        let filled = u64::from(self.boxes[index]) + u64::from(self.primitives[index]);
        // In `f64` both are exact, and only the quotient is rounded.
        if tests == 0 { 0.0 } else { (filled as f64 / (8 * tests) as f64) as f32 }
    }
}

//! The stack of a group.

use std::cell::Cell;

use crate::memory::{grow, reused};
use crate::simd::LANES;

/// Children to be visited, whose boxes the hull met, or the rays themselves.
#[derive(Default)]
pub(super) struct GroupStack {
    pub(super) parents: Vec<u32>,
    /// The slot of each in its parent, plus eight where the rays have met its box.
    pub(super) slots: Vec<u32>,
    /// The `t` at which the hull or the first of the rays enters. Kept up only for queries that
    /// narrow.
    pub(super) t_enter: Vec<f32>,
    /// The rays that met its own box, or that of its parent where the hull met its own.
    pub(super) rays: Vec<u64>,
    /// The count.
    pub(super) count: usize,
}

thread_local! {
    /// The memory of the last cast on this thread.
    static STACK: Cell<GroupStack> = Cell::default();
}

impl GroupStack {
    /// An empty stack with room for `most` children.
    pub(super) fn new(most: usize) -> Self {
        let mut stack = reused(STACK.take());
        // Eight are stored at a time; those beyond the children met do not count.
        let capacity = most + LANES;
        grow(&mut stack.parents, capacity, capacity, 0);
        grow(&mut stack.slots, capacity, capacity, 0);
        grow(&mut stack.t_enter, capacity, capacity, 0.0);
        grow(&mut stack.rays, capacity, capacity, 0);
        stack.count = 0;
        stack
    }

    /// Keeps the memory for the next cast.
    pub(super) fn put_back(self) {
        STACK.set(self);
    }
}

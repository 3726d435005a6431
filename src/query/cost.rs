//! What it costs to find the first primitive along each ray.

use crate::hit::Candidate;
use crate::primitive::Side;
use crate::query::{Closest, Each, Query};
use crate::status::Status;

/// Counts what is visited on the way to the closest hit.
pub(crate) struct Cost<'a> {
    pub(crate) status: &'a mut [Status],
    pub(crate) nodes: &'a mut [u32],
    pub(crate) primitives: &'a mut [u32],
}

/// The first hit so far and what was visited.
#[derive(Clone, Copy)]
pub(crate) struct Visited {
    closest: Closest,
    nodes: u32,
    primitives: u32,
}

impl Query for Cost<'_> {
    type State = Visited;
    type Group = Each<Visited>;

    const NARROWS: bool = true;
    const MAY_GROUP: bool = false;
    const MAY_STREAM: bool = false;
    const MAY_GO_ALONE: bool = false;
    const START: Visited = Visited { closest: Closest::NONE, nodes: 0, primitives: 0 };

    #[inline(always)]
    fn offer(
        &mut self,
        _row: usize,
        state: &mut Visited,
        candidate: Candidate,
        _: Side,
        _: impl FnOnce() -> [f32; 3],
    ) {
        state.closest.offer(candidate);
    }

    #[inline(always)]
    fn t_max(state: &Visited, t_max: f32) -> f32 {
        state.closest.t_max(t_max)
    }

    #[inline(always)]
    fn visit_node(state: &mut Visited) {
        state.nodes += 1;
    }

    #[inline(always)]
    fn visit_leaf(state: &mut Visited, primitives: impl FnOnce() -> usize) {
        state.primitives += primitives() as u32;
    }

    fn finish(&mut self, row: usize, state: &Visited) {
        self.status[row] = if state.closest.found() { Status::Hit } else { Status::Miss };
        self.nodes[row] = state.nodes;
        self.primitives[row] = state.primitives;
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.status[row] = defect;
        self.nodes[row] = 0;
        self.primitives[row] = 0;
    }
}

//! What it costs to find the first primitive along each ray.

use crate::hit::{Candidate, CostBatch};
use crate::kernel::ExactScalar;
use crate::query::{Closest, Each, Query};
use crate::status::Status;
use crate::value::Side;

/// Counts what is visited on the way to the closest hit.
pub(crate) struct Cost<'a> {
    status: &'a mut [Status],
    nodes: &'a mut [u32],
    boxes: &'a mut [u32],
    leaves: &'a mut [u32],
    primitives: &'a mut [u32],
}

impl<'a> Cost<'a> {
    /// Makes room for `rays` rows in `batch` and cuts them into chunks.
    pub(crate) fn chunks(batch: &'a mut CostBatch, rays: usize, chunk: usize) -> impl Iterator<Item = Self> {
        let CostBatch { status, nodes, boxes, leaves, primitives } = batch;
        status.resize(rays, Status::Miss);
        for column in [&mut *nodes, &mut *boxes, &mut *leaves, &mut *primitives] {
            column.resize(rays, 0);
        }
        let of_nodes = nodes.chunks_mut(chunk).zip(boxes.chunks_mut(chunk));
        let of_leaves = leaves.chunks_mut(chunk).zip(primitives.chunks_mut(chunk));
        status.chunks_mut(chunk).zip(of_nodes.zip(of_leaves)).map(
            |(status, ((nodes, boxes), (leaves, primitives)))| Self {
                status,
                nodes,
                boxes,
                leaves,
                primitives,
            },
        )
    }

    fn write<T>(&mut self, row: usize, status: Status, visited: &Visited<T>) {
        self.status[row] = status;
        self.nodes[row] = visited.nodes;
        self.boxes[row] = visited.boxes;
        self.leaves[row] = visited.leaves;
        self.primitives[row] = visited.primitives;
    }
}

/// The first hit so far and what was visited.
#[derive(Clone, Copy)]
pub(crate) struct Visited<T = f32> {
    closest: Closest<T>,
    nodes: u32,
    boxes: u32,
    leaves: u32,
    primitives: u32,
}

impl<T: ExactScalar> Query<T> for Cost<'_> {
    type State = Visited<T>;
    type Group = Each<Visited<T>>;

    const NARROWS: bool = true;
    const MAY_GROUP: bool = false;
    const MAY_STREAM: bool = false;
    const MAY_GO_ALONE: bool = false;
    const COUNTS_VISITS: bool = true;
    const START: Visited<T> =
        Visited { closest: Closest::NONE, nodes: 0, boxes: 0, leaves: 0, primitives: 0 };

    #[inline(always)]
    fn offer(
        &mut self,
        _row: usize,
        state: &mut Visited<T>,
        candidate: Candidate<T>,
        _: Side,
        _: impl Fn() -> [T; 3],
    ) {
        state.closest.offer(candidate);
    }

    #[inline(always)]
    fn t_max(state: &Visited<T>, t_max: T) -> T {
        state.closest.t_max(t_max)
    }

    #[inline(always)]
    fn visit_nodes(state: &mut Visited<T>, [nodes, boxes]: [u32; 2]) {
        state.nodes += nodes;
        state.boxes += boxes;
    }

    #[inline(always)]
    fn visit_leaf(state: &mut Visited<T>, primitives: impl FnOnce() -> usize) {
        state.leaves += 1;
        state.primitives += primitives() as u32;
    }

    fn finish(&mut self, row: usize, state: &Visited<T>) {
        let status = if state.closest.found() { Status::Hit } else { Status::Miss };
        self.write(row, status, state);
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.write(row, defect, &<Self as Query<T>>::START);
    }
}

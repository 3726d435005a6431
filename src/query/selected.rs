//! A query that is offered only some of what its rays meet.

use std::ops::Range;

use crate::hit::Candidate;
use crate::kernel::ExactScalar;
use crate::query::{Each, Query};
use crate::status::Status;
use crate::value::Side;

/// Says which hits count.
pub(crate) trait Accept<T = f32> {
    /// Whether the hit of the ray in `row` counts. Asked any number of times, in any order.
    fn accepts(&self, row: usize, candidate: &Candidate<T>, side: Side) -> bool;
}

/// Hands on to `query` what `accept` accepts.
pub(crate) struct Selected<'q, Q, A> {
    pub(crate) query: &'q mut Q,
    pub(crate) accept: A,
}

impl<T: ExactScalar, Q: Query<T>, A: Accept<T>> Query<T> for Selected<'_, Q, A> {
    type State = Q::State;
    type Group = Each<Q::State>;

    const NARROWS: bool = Q::NARROWS;
    const MAY_GROUP: bool = Q::MAY_GROUP;
    const MAY_STREAM: bool = Q::MAY_STREAM;
    const MAY_GO_ALONE: bool = Q::MAY_GO_ALONE;
    const COUNTS_CONTACTS: bool = Q::COUNTS_CONTACTS;
    const COUNTS_VISITS: bool = Q::COUNTS_VISITS;
    const START: Q::State = Q::START;

    #[inline(always)]
    fn offer(
        &mut self,
        row: usize,
        state: &mut Q::State,
        candidate: Candidate<T>,
        side: Side,
        geometric_normal: impl Fn() -> [T; 3],
    ) {
        if self.accept.accepts(row, &candidate, side) {
            self.query.offer(row, state, candidate, side, geometric_normal);
        }
    }

    #[inline(always)]
    fn t_max(state: &Q::State, t_max: T) -> T {
        Q::t_max(state, t_max)
    }

    #[inline(always)]
    fn is_settled(state: &Q::State) -> bool {
        Q::is_settled(state)
    }

    #[inline(always)]
    fn visit_nodes(state: &mut Q::State, nodes_and_boxes: [u32; 2]) {
        Q::visit_nodes(state, nodes_and_boxes);
    }

    #[inline(always)]
    fn visit_leaf(state: &mut Q::State, primitives: impl FnOnce() -> usize) {
        Q::visit_leaf(state, primitives);
    }

    #[inline(always)]
    fn prefetch(&self, rows: Range<usize>) {
        self.query.prefetch(rows);
    }

    #[inline(always)]
    fn finish(&mut self, row: usize, state: &Q::State) {
        self.query.finish(row, state);
    }

    #[inline(always)]
    fn finish_run(&mut self, first: usize, states: &[Q::State]) {
        self.query.finish_run(first, states);
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.query.refuse(row, defect);
    }
}

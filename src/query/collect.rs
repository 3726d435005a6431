//! Queries behind a pointer: traversal is compiled for [`Collect`], and not for each of them.
//!
//! Only closest and any hit of all that there is, and costs, have a traversal of their own. Others do so much with a hit that a
//! call is nothing beside it.

use std::ops::Range;

use super::{Each, Query};
use crate::hit::Candidate;
use crate::kernel::ExactScalar;
use crate::simd::Scalar;
use crate::status::Status;
use crate::value::Side;

/// What becomes of the hits of the rays of a chunk.
pub(crate) trait Sink<T> {
    /// Takes a hit of the ray in `row`, which comes from that side. Says up to which `t` further hits matter: below
    /// everything where none does.
    fn offer(
        &mut self,
        row: usize,
        candidate: Candidate<T>,
        side: Side,
        geometric_normal: &dyn Fn() -> [T; 3],
    ) -> T;

    /// So many boxes of a node are tested against the ray in `row`.
    fn visit_node(&mut self, row: usize, boxes: usize);

    /// So many primitives of a leaf are tested against the ray in `row`.
    fn visit_leaf(&mut self, row: usize, primitives: usize);

    /// Prefetches the answers in these rows, as far as there are any.
    fn prefetch(&self, rows: Range<usize>);

    /// Forgets the hits of the rays in these rows, which are cast anew.
    fn forget(&mut self, rows: &[u32]);

    /// The ray in `row` has met all there is.
    fn finish(&mut self, row: usize);

    /// The ray in `row` is not cast.
    fn refuse(&mut self, row: usize, defect: Status);
}

/// A query and what it knows of each ray of a chunk.
pub(crate) struct Known<'q, Q: Query<T>, T: Scalar = f32> {
    query: &'q mut Q,
    states: &'q mut [Q::State],
}

impl<'q, T: Scalar, Q: Query<T>> Known<'q, Q, T> {
    /// With a state for each ray, all as at the [start](Query::START).
    pub(crate) fn new(query: &'q mut Q, states: &'q mut [Q::State]) -> Self {
        Self { query, states }
    }
}

impl<T: Scalar, Q: Query<T>> Sink<T> for Known<'_, Q, T> {
    fn offer(
        &mut self,
        row: usize,
        candidate: Candidate<T>,
        side: Side,
        geometric_normal: &dyn Fn() -> [T; 3],
    ) -> T {
        let state = &mut self.states[row];
        self.query.offer(row, state, candidate, side, geometric_normal);
        if Q::is_settled(state) { T::NEG_INFINITY } else { Q::t_max(state, T::INFINITY) }
    }

    fn visit_node(&mut self, row: usize, boxes: usize) {
        Q::visit_nodes(&mut self.states[row], [1, boxes as u32]);
    }

    fn visit_leaf(&mut self, row: usize, primitives: usize) {
        Q::visit_leaf(&mut self.states[row], || primitives);
    }

    fn prefetch(&self, rows: Range<usize>) {
        self.query.prefetch(rows);
    }

    fn forget(&mut self, rows: &[u32]) {
        for &row in rows {
            self.states[row as usize] = Q::START;
        }
    }

    fn finish(&mut self, row: usize) {
        self.query.finish(row, &self.states[row]);
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.query.refuse(row, defect);
    }
}

/// Hands all hits on to a [`Sink`], whose query narrows as this does.
pub(crate) struct Collect<'s, T, const NARROWS: bool> {
    sink: &'s mut dyn Sink<T>,
    may_stream: bool,
}

impl<'s, T, const NARROWS: bool> Collect<'s, T, NARROWS> {
    /// `may_stream` as the query behind the sink [says](Query::may_stream).
    pub(crate) fn new(sink: &'s mut dyn Sink<T>, may_stream: bool) -> Self {
        Self { sink, may_stream }
    }
}

impl<T: ExactScalar, const NARROWS: bool> Query<T> for Collect<'_, T, NARROWS> {
    /// Up to which `t` further hits matter.
    type State = T;
    type Group = Each<T>;

    const NARROWS: bool = NARROWS;
    const START: T = T::INFINITY;

    fn may_stream(&self) -> bool {
        self.may_stream
    }

    #[inline(always)]
    fn offer(
        &mut self,
        row: usize,
        end: &mut T,
        candidate: Candidate<T>,
        side: Side,
        geometric_normal: impl Fn() -> [T; 3],
    ) {
        *end = self.sink.offer(row, candidate, side, &geometric_normal);
    }

    #[inline(always)]
    fn t_max(end: &T, t_max: T) -> T {
        if *end < t_max { *end } else { t_max }
    }

    #[inline(always)]
    fn is_settled(end: &T) -> bool {
        *end == T::NEG_INFINITY
    }

    fn prefetch(&self, rows: Range<usize>) {
        self.sink.prefetch(rows);
    }

    fn forget(&mut self, rows: &[u32]) {
        self.sink.forget(rows);
    }

    fn finish(&mut self, row: usize, _: &T) {
        self.sink.finish(row);
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.sink.refuse(row, defect);
    }
}

//! The cost of the closest hit of each ray.

use super::{Cast, Hit, Kind, Precision, RaysOf, Result, Scalar, Side, Sink, Status, in_rows, owned};
use crate::answers::{CostBatch, CostColumns, CostRows};

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// The cost of finding the first primitive that each ray meets; [`CostBatch`] states what counts in scenes that
    /// hold more than triangles. Unlike all other answers, costs depend on the tree. Errors are those of
    /// [`closest`](Self::closest).
    pub fn cost(&self) -> Result<CostBatch> {
        owned(|costs| self.cost_into(costs))
    }

    /// [`cost`](Self::cost) into a batch, whose memory is reused, or into the caller's columns; errors are those of
    /// [`closest_into`](Self::closest_into).
    pub fn cost_into<'o>(&self, costs: impl Into<CostColumns<'o>>) -> Result<()> {
        self.answer::<CostBatch>(costs.into(), |chunk, rows| chunk.run(&mut Cost::new(rows)))
    }
}

/// Counts the visits on the way to the closest hit.
pub(super) struct Cost<'a, T> {
    rows: CostRows<'a>,
    /// The first hit of each ray in the present tree.
    t: Vec<T>,
}

impl<'a, T: Scalar> Cost<'a, T> {
    pub(super) fn new(rows: CostRows<'a>) -> Self {
        let t = vec![T::INFINITY; rows.status.len()];
        Self { rows, t }
    }
}

impl<T: Scalar> Sink<T> for Cost<'_, T> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { counts_visits: true, ..Kind::NEAREST }
    }

    fn offer(&mut self, row: usize, hit: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        if hit.t < self.t[row] {
            self.t[row] = hit.t;
        }
    }

    fn end(&self, row: usize) -> T {
        self.t[row]
    }

    fn begin_tree(&mut self) {
        self.t.fill(T::INFINITY);
    }

    fn visit(&mut self, row: usize, visits: [u32; 4]) {
        let CostRows { nodes, boxes, leaves, primitives, .. } = &mut self.rows;
        for (column, more) in [nodes, boxes, leaves, primitives].into_iter().zip(visits) {
            column[row] = column[row].saturating_add(more);
        }
    }
}

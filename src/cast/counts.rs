//! Answers without hits: whether each ray hits anything, how often, and the cost of its closest hit.

use super::{
    AnyHitRows, Cast, Hit, Kind, OneRay, Precision, RaysOf, Result, Scalar, Side, Sink, Status, in_rows,
    met_or_refused, owned,
};
use crate::answers::{
    AnyHitBatch, AnyHitColumns, CostBatch, CostColumns, CostRows, CountBatch, CountColumns, CountRows,
};
use crate::query::{Direct, Family};

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// Whether each ray meets any primitive.
    pub fn any(&self) -> Result<AnyHitBatch> {
        owned(|hits| self.any_into(hits))
    }

    /// [`any`](Self::any) into a batch or the caller's columns, as [`closest_into`](Self::closest_into).
    pub fn any_into<'o>(&self, hits: impl Into<AnyHitColumns<'o>>) -> Result<()> {
        self.answer::<AnyHitBatch>(hits.into(), |plan, chunk, rows| plan.run(chunk, &mut Any { rows }))
    }

    /// The number of crossings of each ray, or of touches with [`Contact::Touch`](crate::Contact::Touch). A crossing
    /// through an edge or a vertex that triangles share counts once. A box or a sphere counts where the ray enters and
    /// where it leaves. At the rim of an open surface, where [`closest`](Self::closest) hits, it may be 0.
    pub fn count(&self) -> Result<CountBatch> {
        owned(|counts| self.count_into(counts))
    }

    /// [`count`](Self::count) into a batch or the caller's columns, as [`closest_into`](Self::closest_into).
    pub fn count_into<'o>(&self, counts: impl Into<CountColumns<'o>>) -> Result<()> {
        self.answer::<CountBatch>(counts.into(), |plan, chunk, rows| plan.run(chunk, &mut Count { rows }))
    }

    /// The cost of finding the first primitive that each ray meets, as [`CostBatch`] states: it depends on the tree.
    pub fn cost(&self) -> Result<CostBatch> {
        owned(|costs| self.cost_into(costs))
    }

    /// [`cost`](Self::cost) into a batch or the caller's columns, as [`closest_into`](Self::closest_into).
    pub fn cost_into<'o>(&self, costs: impl Into<CostColumns<'o>>) -> Result<()> {
        self.answer::<CostBatch>(costs.into(), |plan, chunk, rows| {
            plan.run(chunk.clone(), &mut Cost { rows, t: vec![T::INFINITY; chunk.len()] });
        })
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// Whether the ray meets any primitive.
    // Always: the request is then never stored, and takes no time.
    #[inline(always)]
    pub fn any(&self) -> Result<bool> {
        let OneRay { scene, ray } = self.asked;
        if self.options.is_plain_at(scene) {
            return met_or_refused(T::any(scene, self.options.backend_of(scene), ray));
        }
        self.copied().find_any()
    }

    #[inline(never)]
    fn find_any(self) -> Result<bool> {
        let mut status = Status::Miss;
        self.as_batch().any_into(AnyHitColumns::new().status(std::slice::from_mut(&mut status)))?;
        met_or_refused(status)
    }

    /// The number of crossings or [touches](crate::Contact::Touch) of the ray, as [of a batch](Cast::count).
    pub fn count(&self) -> Result<u32> {
        let (mut status, mut count) = ([Status::Miss], [0]);
        self.as_batch().count_into(CountColumns::new().status(&mut status).count(&mut count))?;
        met_or_refused(status[0]).map(|_| count[0])
    }
}

pub(super) struct Any<'a> {
    pub(super) rows: AnyHitRows<'a>,
}

impl<T: Scalar> Sink<T> for Any<'_> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { family: Family::Any, narrows: false, ..Kind::NEAREST }
    }

    fn direct(&mut self) -> Direct<'_, T> {
        Direct::Any(self.rows.status)
    }

    fn offer(&mut self, row: usize, _: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
    }

    fn end(&self, row: usize) -> T {
        if self.rows.status[row].is_hit() { T::NEG_INFINITY } else { T::INFINITY }
    }
}

struct Count<'a> {
    rows: CountRows<'a>,
}

impl<T: Scalar> Sink<T> for Count<'_> {
    in_rows!();

    fn offer(&mut self, row: usize, _: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        self.rows.count[row] = self.rows.count[row].saturating_add(1);
    }
}

/// Counts the visits on the way to the closest hit.
struct Cost<'a, T> {
    rows: CostRows<'a>,
    /// The first hit of each ray in the present tree.
    t: Vec<T>,
}

impl<T: Scalar> Sink<T> for Cost<'_, T> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { counts_visits: true, ..Kind::NEAREST }
    }

    fn offer(&mut self, row: usize, hit: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        self.t[row] = hit.t.min(self.t[row]);
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

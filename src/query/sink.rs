//! Sinks, one for each query, which receive the hits of rays; and the queries that traversal offers
//! those to.
//!
//! A sink receives hits in any order, with ids and normals of the outermost scene, and its answers
//! do not depend on that order. It is called through a pointer: traversal is compiled for
//! [`Collect`], and not for each sink.

use std::ops::ControlFlow;

use super::group_state::{finish_each, offer_each};
use super::{HitContext, Needs, Offer, Place, Query};
use crate::answers::{Candidate, Hit, HitRows};
use crate::chunks::{Chunk, OF_OWN};
use crate::kernel::{ExactScalar, Met};
use crate::simd::{Scalar, Vectors};
use crate::status::Status;
use crate::value::{GROUP, Side};

/// The traversal that finds the hits of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Closest,
    Any,
    Collect,
    /// As `Collect`, and [counts](Sink::visit) visits.
    CountVisits,
}

/// What a sink asks of the traversal that finds its hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) family: Family,
    /// Whether a hit narrows the interval of its ray, as [`Query::narrows`] says.
    pub(crate) narrows: bool,
    /// Whether the number of hits matters. If not, touches count where primitives share a point, so
    /// as not to lose the hit, and a hit may be offered twice, so that rays may be cast again at a
    /// tree.
    pub(crate) counts_contacts: bool,
    /// Whether hits can be [forgotten](Sink::forget), so that rays may be cast anew where nothing
    /// else was offered.
    pub(crate) forgets: bool,
}

impl Kind {
    /// One hit of each ray is the answer, however often it is offered: the nearest, as hits narrow,
    /// unless the sink says otherwise.
    pub(crate) const ONE_HIT: Self =
        Self { family: Family::Collect, narrows: true, counts_contacts: false, forgets: true };
    /// Each hit changes the answer, and is offered once, unless [forgotten](Sink::forget) between.
    pub(crate) const ALL: Self = Self { narrows: false, counts_contacts: true, ..Self::ONE_HIT };
}

/// The rows that the traversal of a [`Family`] fills.
pub(crate) enum Direct<'a, T> {
    /// None: hits are offered.
    None,
    Closest(HitRows<'a, T>),
    Any(&'a mut [Status]),
}

pub(crate) trait Sink<T: Scalar> {
    /// All hits, unless it says otherwise.
    fn kind(&self) -> Kind {
        Kind::ALL
    }

    /// Sets all rows to no hit.
    fn reset(&mut self);

    /// The rows, for the traversal of the family if it has one of its own, which fills all of them.
    fn direct(&mut self) -> Direct<'_, T> {
        Direct::None
    }

    fn status(&self) -> &[Status];

    /// Takes a hit of the ray in `row`, which comes from that side.
    fn offer(
        &mut self,
        row: usize,
        hit: &Hit<T>,
        side: Side,
        geometric_normal: &dyn Fn() -> [T; 3],
    );

    /// The end of the interval, included, in which further hits of the ray in `row` matter; −∞ if
    /// none does.
    fn end(&self, _row: usize) -> T {
        T::INFINITY
    }

    /// Replaces `into` by the [end](Self::end) of the ray in each of these rows of a place; −∞ for
    /// refused rays.
    fn ends(&self, rows: &[u32], place: &Place<'_, T>, into: &mut Vec<T>) {
        into.clear();
        into.extend(rows.iter().map(|&row| {
            let row = place.row(row as usize);
            if self.status()[row].is_invalid() { T::NEG_INFINITY } else { self.end(row) }
        }));
    }

    /// Forgets the hits of the ray in `row`, which is cast again at the same content.
    fn forget(&mut self, row: usize) {
        self.refuse(row, Status::Miss);
    }

    /// Refuses the ray in `row`, which is not cast.
    fn refuse(&mut self, row: usize, defect: Status);

    /// The following hits are of another tree.
    fn begin_tree(&mut self) {}

    /// Adds the visits of the ray in `row`: nodes, boxes in them, leaves, primitives in them.
    fn visit(&mut self, _row: usize, _visits: [u32; 4]) {}
}

/// Offers the hits of a scene part to a sink, if they count, by their ids and the rows of the
/// chunk.
pub(crate) struct Offers<'s, T: Scalar> {
    sink: &'s mut dyn Sink<T>,
    context: HitContext<'s, T>,
    /// Whether hits may be forgotten or offered again.
    may_recast: bool,
    chunk: &'s Chunk<'s>,
    /// The [work](Chunk::work) of an offer.
    work: u32,
}

impl<'s, T: Scalar> Offers<'s, T> {
    /// `nothing_offered`: whether no hit was offered to the sink yet.
    pub(crate) fn new(
        sink: &'s mut dyn Sink<T>,
        context: HitContext<'s, T>,
        nothing_offered: bool,
        chunk: &'s Chunk<'s>,
    ) -> Self {
        let kind = sink.kind();
        let may_recast = !kind.counts_contacts || (nothing_offered && kind.forgets);
        let work = if context.selection.filter.is_some() { OF_OWN } else { 4 };
        Self { sink, context, may_recast, chunk, work }
    }

    /// Counts work on other things than offers; breaks if the call is to stop.
    #[inline(always)]
    pub(crate) fn work(&self, units: u32) -> ControlFlow<()> {
        self.chunk.work(units)
    }

    /// Offers a hit from that side. Returns the end of the interval in which further hits matter:
    /// none if the call is to stop.
    pub(crate) fn offer(
        &mut self,
        row: usize,
        candidate: &Candidate<T>,
        side: Side,
        normal: &dyn Fn() -> [T; 3],
    ) -> T {
        if self.chunk.work(self.work).is_break() {
            return T::NEG_INFINITY;
        }
        let HitContext { numbering, place, .. } = self.context;
        let row = place.row(row);
        let hit = Hit { instance_id: place.instance_id, ..numbering.hit(candidate) };
        let side = if place.is_mirrored { side.other() } else { side };
        if self.context.accepts(row, &hit, side) {
            match place.carry_normal {
                Some(carry) => self.sink.offer(row, &hit, side, &|| carry(normal())),
                None => self.sink.offer(row, &hit, side, normal),
            }
        }
        self.sink.end(row)
    }

    /// Offers a hit whose side and normal do not matter, where all hits count.
    pub(crate) fn offer_hit(&mut self, row: usize, hit: &Hit<T>) {
        let place = self.context.place;
        let hit = Hit { instance_id: place.instance_id, ..*hit };
        self.sink.offer(place.row(row), &hit, Side::Front, &|| [T::ZERO; 3]);
    }

    pub(crate) fn end(&self, row: usize) -> T {
        self.sink.end(self.context.place.row(row))
    }

    pub(crate) fn counts_visits(&self) -> bool {
        self.sink.kind().family == Family::CountVisits
    }

    pub(crate) fn visit(&mut self, row: usize, visits: [u32; 4]) {
        self.sink.visit(self.context.place.row(row), visits);
    }

    /// Refuses a ray of the outermost scene. A ray that got its defect in the frame of an instance
    /// meets nothing there.
    pub(crate) fn refuse(&mut self, row: usize, defect: Status) {
        if self.context.place.is_whole() {
            self.sink.refuse(row, defect);
        }
    }

    fn forget(&mut self, rows: &[u32]) {
        if self.sink.kind().counts_contacts {
            for &row in rows {
                self.sink.forget(self.context.place.row(row as usize));
            }
        }
    }
}

/// Passes all hits to a sink. One query for all sinks: what differs between these is asked while
/// rays are cast, not compiled.
pub(crate) struct Collect<'s, T: Scalar> {
    offers: Offers<'s, T>,
    kind: Kind,
}

impl<'s, T: Scalar> Collect<'s, T> {
    pub(crate) fn new(offers: Offers<'s, T>) -> Self {
        Self { kind: offers.sink.kind(), offers }
    }
}

impl<T: ExactScalar> Query<T> for Collect<'_, T> {
    /// The end of the interval in which further hits matter.
    type State = T;
    type Group = [T; GROUP];

    const NEEDS: Needs = Needs { may_narrow: true, ..Needs::ALL_HITS };
    const START: T = T::INFINITY;
    const GROUP_START: [T; GROUP] = [T::INFINITY; GROUP];

    #[inline(always)]
    fn narrows(&self) -> bool {
        self.kind.narrows
    }

    #[inline(always)]
    fn counts_visits(&self) -> bool {
        self.kind.family == Family::CountVisits
    }

    fn may_stream(&self) -> bool {
        self.offers.may_recast
    }

    #[inline(always)]
    fn offer(
        &mut self,
        row: usize,
        end: &mut T,
        hit: Candidate<T>,
        side: Side,
        normal: impl Fn() -> [T; 3],
    ) {
        *end = self.offers.offer(row, &hit, side, &normal);
    }

    #[inline(always)]
    fn offer_vector<V: Vectors<T>, M: Met<V::Real>>(
        &mut self,
        states: &mut [T; GROUP],
        lanes: V,
        offer: Offer<'_, V::Real, M>,
        normal: impl Fn() -> [T; 3],
    ) -> u32 {
        offer_each(self, states, lanes, offer, normal)
    }

    #[inline(always)]
    fn t_max(end: &T, t_max: T) -> T {
        if *end < t_max { *end } else { t_max }
    }

    #[inline(always)]
    fn is_settled(end: &T) -> bool {
        *end == T::NEG_INFINITY
    }

    fn visit(&mut self, row: usize, visits: [u32; 4]) {
        self.offers.visit(row, visits);
    }

    fn forget(&mut self, rows: &[u32]) {
        self.offers.forget(rows);
    }

    fn finish(&mut self, _: usize, _: &T) {}

    #[inline(always)]
    fn finish_group(&mut self, states: &[T; GROUP], rows: &[u32; GROUP], lanes: u64) {
        finish_each(self, states, rows, lanes);
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.offers.refuse(row, defect);
    }
}

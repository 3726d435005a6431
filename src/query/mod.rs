//! What traversal knows of queries: where hits go, which of them count, and when a ray ends.
//!
//! Traversal and brute force offer every hit within the interval that still matters; no answer
//! depends on their order. `closest_hit` and `any_hit` have traversals of their own, without a call
//! for each hit; all other queries of rays are [`sinks`](sink), which [`cast`](crate::cast) has.
//! A sink says its [`Kind`] while rays are cast, of which the [`Family`] picks the [`Query`] that
//! finds its hits; [`Needs`] are those of a [`Query`], which traversal is compiled for.

mod any_hit;
mod closest_hit;
mod closest_point;
mod group_state;
mod line_hits;
mod selection;
mod sink;

pub(crate) use any_hit::AnyHit;
pub(crate) use closest_hit::{ClosestHit, ClosestInto, SingleClosestHit};
pub(crate) use closest_point::{Asked, KeepNearest, Nearest, PointAnswer, Visible, squared_radius};
pub(crate) use group_state::Offer;
pub(crate) use line_hits::Half;
pub(crate) use selection::{HitContext, Masks, Place, Selection};
pub(crate) use sink::{Collect, Direct, Family, Kind, Offers, Sink};

use std::ops::Range;

use crate::answers::Candidate;
use crate::kernel::Met;
use crate::simd::{Scalar, Vectors};
use crate::status::Status;
use crate::value::{Contact, Culling, GROUP, Rules, Side};

/// Every line that touches a primitive meets it.
pub(crate) const TOUCH: Rules = Rules { culling: Culling::None, contact: Contact::Touch };

/// What a query needs of traversal, which is compiled for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Needs {
    /// Whether a hit may narrow the interval of its ray; whether it does, the query
    /// [says](Query::narrows).
    pub(crate) may_narrow: bool,
    /// Whether [`offer`](Query::offer) itself passes over hits beyond the interval that still
    /// matters, and no hit settles a ray.
    pub(crate) compares: bool,
    /// Whether every touch counts: the kernels of the query then have no code for crossings.
    pub(crate) touches: bool,
    /// Whether any hit settles a ray, whatever its t, side and weights: the query then gets hits of
    /// which no more is known by [`take_certain_hit`](Query::take_certain_hit).
    pub(crate) any_hit_settles: bool,
    /// Whether the state of a group is all that its hits change, so that its rays can be cast again
    /// from the start.
    pub(crate) forgets: bool,
}

impl Needs {
    /// All hits, in any order.
    pub(crate) const ALL_HITS: Self = Self {
        may_narrow: false,
        compares: false,
        touches: false,
        any_hit_settles: false,
        forgets: false,
    };
}

/// A query that traversal is compiled for: the states of the rays of a chunk, of precision `T`.
pub(crate) trait Query<T: Scalar = f32>: Sized {
    type State: Copy;

    /// The states of the rays of a group: columns, or an array of single states, whose methods
    /// `group_state` has.
    type Group: Copy;

    const NEEDS: Needs;

    const START: Self::State;

    const GROUP_START: Self::Group;

    /// Whether hits narrow the intervals of their rays. If so, traversal visits near children first
    /// and drops those beyond the interval; if not, it visits them in any order and does not
    /// compare again.
    #[inline(always)]
    fn narrows(&self) -> bool {
        Self::NEEDS.may_narrow
    }

    /// Whether visits of nodes and leaves are [counted](Self::visit). All rays then go one by one:
    /// those in groups and streams share visits.
    #[inline(always)]
    fn counts_visits(&self) -> bool {
        false
    }

    /// Whether these rays may go in streams. A stream that does not pay is given up, and its hits
    /// are [offered again](Self::forget), which matters to a query with answers outside of its
    /// states.
    fn may_stream(&self) -> bool {
        true
    }

    /// Takes a hit of the ray in `row`, which comes from that side.
    fn offer(
        &mut self,
        row: usize,
        state: &mut Self::State,
        hit: Candidate<T>,
        side: Side,
        normal: impl Fn() -> [T; 3],
    );

    /// Takes the hits of a vector of rays of a group with one primitive. Returns the rays that no
    /// further hit can change, as bits.
    fn offer_vector<V: Vectors<T>, M: Met<V::Real>>(
        &mut self,
        group: &mut Self::Group,
        lanes: V,
        offer: Offer<'_, V::Real, M>,
        normal: impl Fn() -> [T; 3],
    ) -> u32;

    /// The rules by which lines meet primitives.
    #[inline(always)]
    fn rules(rules: Rules) -> Rules {
        if Self::NEEDS.touches { Rules { contact: Contact::Touch, ..rules } } else { rules }
    }

    /// The upper end of the interval that still matters, included: another hit at the `t` of the
    /// closest may have lower ids.
    #[inline(always)]
    fn t_max(_state: &Self::State, t_max: T) -> T {
        t_max
    }

    /// Takes a hit of which nothing else is known; called only if [any hit
    /// settles](Needs::any_hit_settles) a ray.
    #[inline(always)]
    fn take_certain_hit(_state: &mut Self::State) {}

    /// The same for a hit of each ray in these lanes of a group.
    #[inline(always)]
    fn take_certain_hits(_group: &mut Self::Group, _lanes: u64) {}

    /// Whether no further hit can change the answer.
    #[inline(always)]
    fn is_settled(_state: &Self::State) -> bool {
        false
    }

    /// Adds visits of the ray in `row`: nodes, boxes in them, leaves, primitives in them.
    fn visit(&mut self, _row: usize, _visits: [u32; 4]) {}

    /// Prefetches the answers in these rows, clamped to the batch.
    #[inline(always)]
    fn prefetch(&self, _rows: Range<usize>) {}

    /// Forgets the hits of the rays in these rows, which are cast again with new states.
    fn forget(&mut self, _rows: &[u32]) {}

    /// Finishes the ray in `row`: all its hits were offered.
    fn finish(&mut self, row: usize, state: &Self::State);

    /// Finishes the rays in the rows from `first` on.
    fn finish_run(&mut self, first: usize, states: &[Self::State]) {
        for (row, state) in states.iter().enumerate() {
            self.finish(first + row, state);
        }
    }

    /// The same for any rows.
    fn finish_rows(&mut self, rows: &[u32], states: &[Self::State]) {
        for (&row, state) in rows.iter().zip(states) {
            self.finish(row as usize, state);
        }
    }

    /// The same for the rays in these lanes of a group.
    fn finish_group(&mut self, group: &Self::Group, rows: &[u32; GROUP], lanes: u64);

    /// Refuses the ray in `row`, which is not cast.
    fn refuse(&mut self, row: usize, defect: Status);
}

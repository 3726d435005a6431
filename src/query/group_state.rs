//! The states of a query for the rays of a group: hits by vectors, and arrays of single states.

use super::Query;
use crate::answers::Candidate;
use crate::kernel::Met;
use crate::simd::{Mask, Real, Scalar, Vectors, set_bits};
use crate::value::{GROUP, GroupColumn, Side};

/// The hits of a vector of rays with one primitive, and their context.
pub(crate) struct Offer<'a, R: Real, M> {
    /// The hits, which are within the rays' intervals.
    pub(crate) met: M,
    pub(crate) number: u32,
    /// The place of the vector in the group.
    pub(crate) vector: usize,
    pub(crate) rows: &'a [u32; GROUP],
    /// The upper ends of the intervals of the group's rays. A query that narrows lowers them, as
    /// [`Query::t_max`] says.
    pub(crate) t_max: &'a mut GroupColumn<R::Scalar>,
}

/// [`Query::offer_vector`] of a query whose rays keep their single states in a group.
#[inline(always)]
pub(super) fn offer_each<T: Scalar, Q: Query<T>, V: Vectors<T>, M: Met<V::Real>>(
    query: &mut Q,
    states: &mut [Q::State; GROUP],
    lanes: V,
    Offer { met, number, vector, rows, t_max }: Offer<'_, V::Real, M>,
    normal: impl Fn() -> [T; 3],
) -> u32 {
    let mut columns: [V::Row; 3] = bytemuck::Zeroable::zeroed();
    let ((hits, from_front, t), [u, v]) = (met.hits(), met.weights());
    lanes.store(t, &mut columns[0]);
    lanes.store(u, &mut columns[1]);
    lanes.store(v, &mut columns[2]);
    let (mut settled, front) = (0, from_front.bits());
    for lane in set_bits(hits.bits()) {
        let place = (vector * V::COUNT + lane) % GROUP;
        let [t, u, v] =
            [columns[0].as_ref()[lane], columns[1].as_ref()[lane], columns[2].as_ref()[lane]];
        let candidate = Candidate { t, u, v, number };
        let side = Side::front_if(front >> lane & 1 == 1);
        let state = &mut states[place];
        query.offer(rows[place] as usize, state, candidate, side, &normal);
        if Q::NEEDS.may_narrow {
            t_max.set(place, Q::t_max(state, t_max.get(place)));
        }
        settled |= u32::from(Q::is_settled(state)) << lane;
    }
    settled
}

/// [`Query::finish_group`] of the same.
#[inline(always)]
pub(super) fn finish_each<T: Scalar, Q: Query<T>>(
    query: &mut Q,
    states: &[Q::State; GROUP],
    rows: &[u32; GROUP],
    lanes: u64,
) {
    for lane in set_bits(lanes) {
        query.finish(rows[lane] as usize, &states[lane]);
    }
}

/// The first row of an eighth of the group, if all its lanes are set and their rows, which ascend,
/// are consecutive.
#[inline(always)]
pub(super) fn run(rows: &[u32; GROUP], lanes: u64, eighth: usize) -> Option<usize> {
    let (first, last) = (rows[8 * eighth], rows[8 * eighth + 7]);
    (lanes >> (8 * eighth) & 0xff == 0xff && last.wrapping_sub(first) == 7)
        .then_some(first as usize)
}

#[inline(always)]
pub(super) fn in_eighth(lanes: u64, eighth: usize) -> impl Iterator<Item = usize> {
    set_bits(lanes & 0xff << (8 * eighth))
}

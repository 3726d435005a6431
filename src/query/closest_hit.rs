//! The closest hit of each ray: the traversal of its own.

use std::ops::Range;

use crate::answers::{Candidate, Hit, HitRows, INVALID_ID, Numbering};
use crate::columns::Column;
use crate::error::{Error, Result};
use crate::kernel::{ExactScalar, Met};
use crate::query::group_state::{finish_each, in_eighth, offer_each, run};
use crate::query::{Needs, Offer, Offers, Query};
use crate::simd::{MapEach, Mask, Real, Scalar, Vectors};
use crate::status::Status;
use crate::value::{GROUP, GroupColumn, Side};

pub(crate) struct ClosestHit<'a, T: Scalar = f32> {
    pub(crate) numbering: &'a Numbering,
    pub(crate) into: ClosestInto<'a, T>,
}

/// Where closest hits go.
pub(crate) enum ClosestInto<'a, T: Scalar> {
    /// To the rows of the rays.
    Rows(HitRows<'a, T>),
    /// To a sink that may know nearer hits elsewhere.
    Sink(Offers<'a, T>),
}

impl<T: Scalar> HitRows<'_, T> {
    /// Writes an eighth of a group to consecutive rows.
    #[inline(always)]
    fn write_eight(
        &mut self,
        first: usize,
        hits: &ClosestColumns<T>,
        eighth: usize,
        numbering: &Numbering,
    ) {
        let rows = first..first + 8;
        let t = hits.t.eighth(eighth);
        // The values before any hit are those of a miss.
        self.t[rows.clone()].copy_from_slice(t);
        self.u[rows.clone()].copy_from_slice(hits.u.eighth(eighth));
        self.v[rows.clone()].copy_from_slice(hits.v.eighth(eighth));
        // In local arrays: writes to slices that may overlap are not vectorised.
        let status = t.map_each(|t| if t.is_finite() { Status::Hit } else { Status::Miss });
        let primitive_ids = hits.number.eighth(eighth).map_each(T::number);
        let geometry_ids =
            primitive_ids.map_each(|id| if id == INVALID_ID { INVALID_ID } else { 0 });
        self.status[rows.clone()].copy_from_slice(&status);
        self.primitive_id[rows.clone()].copy_from_slice(&primitive_ids);
        self.geometry_id[rows.clone()].copy_from_slice(&geometry_ids);
        find_ids(numbering, &mut self.geometry_id[rows.clone()], &mut self.primitive_id[rows]);
    }
}

/// Turns numbers in place of primitive ids into ids, in scenes of more than one geometry.
#[inline(always)]
fn find_ids(numbering: &Numbering, geometry_ids: &mut [u32], primitive_ids: &mut [u32]) {
    if !numbering.is_of_one() {
        for (geometry_id, primitive_id) in geometry_ids.iter_mut().zip(primitive_ids) {
            if *primitive_id != INVALID_ID {
                (*geometry_id, *primitive_id) = numbering.ids(*primitive_id);
            }
        }
    }
}

/// Sets each row of a column by the state of its ray.
#[inline(always)]
fn set<T, V>(column: &mut [V], states: &[Candidate<T>], value: impl Fn(&Candidate<T>) -> V) {
    for (place, state) in column.iter_mut().zip(states) {
        *place = value(state);
    }
}

/// The first hit of a single ray, without columns.
///
/// Plain numbers: a `Result` is stored in pieces, and a move of the whole right after it would wait
/// for those stores.
pub(crate) struct SingleClosestHit<T = f32> {
    pub(crate) closest: Candidate<T>,
    /// The reason why the ray was not cast; a miss if it was.
    pub(crate) defect: Status,
}

impl<T: Scalar> SingleClosestHit<T> {
    pub(crate) const NOTHING: Self = Self { closest: Candidate::NONE, defect: Status::Miss };

    #[inline(always)]
    pub(crate) fn answer(&self, numbering: &Numbering) -> Result<Option<Hit<T>>> {
        match self.defect {
            Status::Miss => Ok(self.closest.found().then(|| numbering.hit(&self.closest))),
            status => Err(Error::InvalidRay { status }),
        }
    }
}

impl<T: ExactScalar> Query<T> for SingleClosestHit<T> {
    type State = Candidate<T>;
    type Group = [Candidate<T>; GROUP];

    const NEEDS: Needs = Needs { may_narrow: true, ..Needs::ALL_HITS };
    const START: Candidate<T> = Candidate::NONE;
    const GROUP_START: Self::Group = [Candidate::NONE; GROUP];

    #[inline(always)]
    fn offer(
        &mut self,
        _: usize,
        known: &mut Candidate<T>,
        hit: Candidate<T>,
        _: Side,
        _: impl Fn() -> [T; 3],
    ) {
        if hit.comes_before(known) {
            *known = hit;
        }
    }

    #[inline(always)]
    fn offer_vector<V: Vectors<T>, M: Met<V::Real>>(
        &mut self,
        states: &mut [Candidate<T>; GROUP],
        lanes: V,
        offer: Offer<'_, V::Real, M>,
        normal: impl Fn() -> [T; 3],
    ) -> u32 {
        offer_each(self, states, lanes, offer, normal)
    }

    #[inline(always)]
    fn t_max(closest: &Candidate<T>, t_max: T) -> T {
        Real::min(t_max, closest.t)
    }

    #[inline(always)]
    fn finish(&mut self, _: usize, closest: &Candidate<T>) {
        self.closest = *closest;
    }

    #[inline(always)]
    fn finish_group(&mut self, states: &[Candidate<T>; GROUP], rows: &[u32; GROUP], lanes: u64) {
        finish_each(self, states, rows, lanes);
    }

    fn refuse(&mut self, _: usize, defect: Status) {
        self.defect = defect;
    }
}

/// The first hits so far of the rays of a group as columns.
#[derive(Clone, Copy)]
pub(crate) struct ClosestColumns<T = f32> {
    t: GroupColumn<T>,
    u: GroupColumn<T>,
    v: GroupColumn<T>,
    /// The numbers as bits of the same type, so that they are compared and selected like `t`.
    number: GroupColumn<T>,
}

impl<T: Scalar> ClosestColumns<T> {
    fn closest(&self, lane: usize) -> Candidate<T> {
        let number = self.number.get(lane).number();
        Candidate { t: self.t.get(lane), u: self.u.get(lane), v: self.v.get(lane), number }
    }
}

impl<T: ExactScalar> Query<T> for ClosestHit<'_, T> {
    type State = Candidate<T>;
    type Group = ClosestColumns<T>;

    const NEEDS: Needs =
        Needs { may_narrow: true, compares: true, touches: true, forgets: true, ..Needs::ALL_HITS };
    const START: Candidate<T> = Candidate::NONE;
    const GROUP_START: ClosestColumns<T> = ClosestColumns {
        t: GroupColumn::of(Candidate::<T>::NONE.t),
        u: GroupColumn::of(Candidate::<T>::NONE.u),
        v: GroupColumn::of(Candidate::<T>::NONE.v),
        number: GroupColumn::of(T::NO_NUMBER),
    };

    #[inline(always)]
    fn offer(
        &mut self,
        _: usize,
        known: &mut Candidate<T>,
        hit: Candidate<T>,
        _: Side,
        _: impl Fn() -> [T; 3],
    ) {
        hit.replace_if_before(known);
    }

    #[inline(always)]
    fn offer_vector<V: Vectors<T>, M: Met<V::Real>>(
        &mut self,
        closest: &mut ClosestColumns<T>,
        lanes: V,
        Offer { met, number, vector, t_max, .. }: Offer<'_, V::Real, M>,
        _: impl Fn() -> [T; 3],
    ) -> u32 {
        let (hits, _, t) = met.hits();
        let number = lanes.splat(T::of_number(number));
        let (known_t, known_number) =
            (closest.t.load(lanes, vector), closest.number.load(lanes, vector));
        // As `Candidate::comes_before`. Before any hit the number is NaN and `t` is infinite.
        let comes_before = t.lt(known_t) | (t.le(known_t) & number.lt(known_number));
        let better = hits & comes_before;
        if better.bits() == 0 {
            return 0;
        }
        let [u, v] = met.weights();
        closest.t.store(lanes, t.select(better, known_t), vector);
        closest.u.store(lanes, u.select(better, closest.u.load(lanes, vector)), vector);
        closest.v.store(lanes, v.select(better, closest.v.load(lanes, vector)), vector);
        closest.number.store(lanes, number.select(better, known_number), vector);
        t_max.store(lanes, t.select(better, t_max.load(lanes, vector)), vector);
        0
    }

    #[inline(always)]
    fn t_max(closest: &Candidate<T>, t_max: T) -> T {
        Real::min(t_max, closest.t)
    }

    #[inline(always)]
    fn prefetch(&self, rows: Range<usize>) {
        if let ClosestInto::Rows(HitRows { status, t, primitive_id, geometry_id, u, v, .. }) =
            &self.into
        {
            for ids in [primitive_id, geometry_id] {
                Column::plain(ids).prefetch_rows(rows.clone());
            }
            for numbers in [t, u, v] {
                Column::plain(numbers).prefetch_rows(rows.clone());
            }
            Column::plain(status).prefetch_rows(rows);
        }
    }

    fn finish(&mut self, row: usize, closest: &Candidate<T>) {
        match &mut self.into {
            ClosestInto::Sink(offers) if closest.found() => {
                offers.offer_hit(row, &self.numbering.hit(closest));
            }
            ClosestInto::Rows(rows) if closest.found() => {
                rows.write(row, Status::Hit, &self.numbering.hit(closest));
            }
            ClosestInto::Rows(rows) => rows.write(row, Status::Miss, &Hit::NONE),
            ClosestInto::Sink(_) => {}
        }
    }

    /// Column by column, a few rows at a time: row after row, with a branch on whether there is a
    /// hit, took a tenth of the time of rays that end after a node or two.
    #[inline(always)]
    fn finish_run(&mut self, first: usize, states: &[Candidate<T>]) {
        let rows = first..first + states.len();
        let ClosestInto::Rows(HitRows { status, t, primitive_id, geometry_id, u, v, .. }) =
            &mut self.into
        else {
            return rows.zip(states).for_each(|(row, closest)| self.finish(row, closest));
        };
        for (first, states) in rows.step_by(GROUP).zip(states.chunks(GROUP)) {
            let rows = first..first + states.len();
            // The values before any hit are those of a miss.
            set(&mut t[rows.clone()], states, |closest| closest.t);
            set(&mut u[rows.clone()], states, |closest| closest.u);
            set(&mut v[rows.clone()], states, |closest| closest.v);
            set(&mut status[rows.clone()], states, Candidate::status);
            let (primitive_id, geometry_id) =
                (&mut primitive_id[rows.clone()], &mut geometry_id[rows]);
            set(primitive_id, states, |closest| closest.number);
            set(geometry_id, states, |closest| if closest.found() { 0 } else { INVALID_ID });
            find_ids(self.numbering, geometry_id, primitive_id);
        }
    }

    fn finish_rows(&mut self, rows: &[u32], states: &[Candidate<T>]) {
        let ClosestInto::Rows(HitRows { status, t, primitive_id, geometry_id, u, v, .. }) =
            &mut self.into
        else {
            return rows
                .iter()
                .zip(states)
                .for_each(|(&row, closest)| self.finish(row as usize, closest));
        };
        for (&row, closest) in rows.iter().zip(states) {
            let row = row as usize;
            t[row] = closest.t;
            u[row] = closest.u;
            v[row] = closest.v;
            status[row] = closest.status();
            (geometry_id[row], primitive_id[row]) = if closest.found() {
                self.numbering.ids(closest.number)
            } else {
                (INVALID_ID, INVALID_ID)
            };
        }
    }

    #[inline(always)]
    fn finish_group(&mut self, closest: &ClosestColumns<T>, rows: &[u32; GROUP], lanes: u64) {
        for eighth in 0..GROUP / 8 {
            if let (ClosestInto::Rows(rows), Some(first)) =
                (&mut self.into, run(rows, lanes, eighth))
            {
                rows.write_eight(first, closest, eighth, self.numbering);
            } else {
                for lane in in_eighth(lanes, eighth) {
                    self.finish(rows[lane] as usize, &closest.closest(lane));
                }
            }
        }
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        match &mut self.into {
            ClosestInto::Rows(rows) => rows.write(row, defect, &Hit::NONE),
            ClosestInto::Sink(offers) => offers.refuse(row, defect),
        }
    }
}

//! The first primitive along each ray.

use std::ops::Range;

use crate::error::{Error, Result};
use crate::hit::{Candidate, Hit, HitBatch, INVALID_ID, Numbering};
use crate::kernel::{ExactScalar, Met};
use crate::query::group::{in_eighth, run};
use crate::query::{Each, GroupState, Half, Offer, Query};
use crate::simd::{LINE, Mask, PER_LINE, Real, Scalar, Vectors, prefetch};
use crate::status::Status;
use crate::value::{GROUP, GroupColumn, Side};

/// Keeps the hit that comes first; at equal `t` the lower ids.
pub(crate) struct ClosestHit<'a, T = f32> {
    pub(crate) numbering: &'a Numbering,
    pub(crate) columns: HitColumns<'a, T>,
}

/// Where the answers go: the rows of one chunk in a [`HitBatch`], or one hit.
pub(crate) struct HitColumns<'a, T = f32> {
    status: &'a mut [Status],
    t: &'a mut [T],
    primitive_id: &'a mut [u32],
    geometry_id: &'a mut [u32],
    u: &'a mut [T],
    v: &'a mut [T],
    /// Empty where normals are not asked for.
    geometric_normal: &'a mut [[T; 3]],
}

impl<'a, T: Scalar> HitColumns<'a, T> {
    /// Makes room for `rays` rows in `batch` and cuts them into chunks.
    pub(crate) fn chunks(
        batch: &'a mut HitBatch<T>,
        rays: usize,
        normals: bool,
        chunk: usize,
    ) -> impl Iterator<Item = Self> {
        batch.status.resize(rays, Status::Miss);
        batch.t.resize(rays, T::ZERO);
        batch.primitive_id.resize(rays, 0);
        batch.geometry_id.resize(rays, 0);
        batch.u.resize(rays, T::ZERO);
        batch.v.resize(rays, T::ZERO);
        batch.instance_id.clear();
        batch.geometric_normal.resize(if normals { rays } else { 0 }, [T::ZERO; 3]);
        let mut normals = batch.geometric_normal.chunks_mut(chunk);
        let columns = batch.status.chunks_mut(chunk).zip(batch.t.chunks_mut(chunk));
        let ids = batch.primitive_id.chunks_mut(chunk).zip(batch.geometry_id.chunks_mut(chunk));
        let weights = batch.u.chunks_mut(chunk).zip(batch.v.chunks_mut(chunk));
        columns.zip(ids).zip(weights).map(move |(((status, t), (primitive_id, geometry_id)), (u, v))| Self {
            status,
            t,
            primitive_id,
            geometry_id,
            u,
            v,
            geometric_normal: normals.next().unwrap_or_default(),
        })
    }

    /// The statuses and the `t`, for those who turn lines round.
    pub(super) fn status_and_t(&mut self) -> (&mut [Status], &mut [T]) {
        (&mut *self.status, &mut *self.t)
    }

    fn write(&mut self, row: usize, status: Status, hit: &Hit<T>) {
        self.status[row] = status;
        self.t[row] = hit.t;
        self.primitive_id[row] = hit.primitive_id;
        self.geometry_id[row] = hit.geometry_id;
        self.u[row] = hit.u;
        self.v[row] = hit.v;
    }

    /// Writes an eighth of a group to rows that follow each other.
    #[inline(always)]
    fn write_eight(
        &mut self,
        first: usize,
        columns: &ClosestColumns<T>,
        eighth: usize,
        numbering: &Numbering,
    ) {
        let rows = first..first + 8;
        let t = columns.t.eighth(eighth);
        // What stands where nothing is known is what a miss is to hold.
        self.t[rows.clone()].copy_from_slice(t);
        self.u[rows.clone()].copy_from_slice(columns.u.eighth(eighth));
        self.v[rows.clone()].copy_from_slice(columns.v.eighth(eighth));
        // Made apart from where it is kept: what may overlap is not vectorised.
        let mut status = [Status::Miss; 8];
        for (status, t) in status.iter_mut().zip(t) {
            *status = if t.is_finite() { Status::Hit } else { Status::Miss };
        }
        self.status[rows.clone()].copy_from_slice(&status);
        let mut numbers = [0; 8];
        for (number, bits) in numbers.iter_mut().zip(columns.number.eighth(eighth)) {
            *number = bits.number();
        }
        let (geometry_id, primitive_id) =
            (&mut self.geometry_id[rows.clone()], &mut self.primitive_id[rows.clone()]);
        if numbering.is_of_one() {
            primitive_id.copy_from_slice(&numbers);
            let mut ids = [0; 8];
            for (id, number) in ids.iter_mut().zip(numbers) {
                *id = if number == INVALID_ID { INVALID_ID } else { 0 };
            }
            geometry_id.copy_from_slice(&ids);
        } else {
            for ((geometry_id, primitive_id), number) in geometry_id.iter_mut().zip(primitive_id).zip(numbers)
            {
                (*geometry_id, *primitive_id) =
                    if number == INVALID_ID { (INVALID_ID, INVALID_ID) } else { numbering.ids(number) };
            }
        }
    }
}

/// The first hit so far.
#[derive(Clone, Copy)]
pub(crate) struct Closest<T = f32>(Candidate<T>);

impl<T: Scalar> Closest<T> {
    pub(crate) const NONE: Self = Self(Candidate::NONE);

    /// Keeps the candidate if it comes before what is known. Says whether it did.
    #[inline(always)]
    pub(crate) fn offer(&mut self, candidate: Candidate<T>) -> bool {
        let better = candidate.comes_before(&self.0);
        if better {
            self.0 = candidate;
        }
        better
    }

    /// The upper end of the interval that still matters.
    #[inline(always)]
    pub(crate) fn t_max(&self, t_max: T) -> T {
        // Not below the hit: what lies at the same `t` may have the lower ids.
        Real::min(t_max, self.0.t)
    }

    #[inline(always)]
    pub(crate) fn found(&self) -> bool {
        self.0.number != INVALID_ID
    }
}

/// The first hit of a single ray, without columns.
///
/// As plain numbers: a `Result` is put together from pieces, and to move it as a whole right afterwards waits for
/// them.
pub(crate) struct SingleClosestHit<T = f32> {
    /// What was found.
    pub(crate) closest: Closest<T>,
    /// Why the ray was not cast; a miss if it was.
    pub(crate) defect: Status,
}

impl<T: Scalar> SingleClosestHit<T> {
    pub(crate) const NOTHING: Self = Self { closest: Closest::NONE, defect: Status::Miss };

    /// The answer in the terms of the scene.
    #[inline(always)]
    pub(crate) fn answer(&self, numbering: &Numbering) -> Result<Option<Hit<T>>> {
        match self.defect {
            Status::Miss => Ok(self.closest.found().then(|| numbering.hit(&self.closest.0))),
            status => Err(Error::InvalidRay { status }),
        }
    }
}

impl<T: Scalar> SingleClosestHit<T> {
    /// The hit of a line that was found along one half of it, if one was.
    pub(crate) fn on_line(&self, half: Half, numbering: &Numbering) -> Option<Hit<T>> {
        let (candidate, _) = half.of_line(&self.closest.0, Side::Front);
        self.closest.found().then(|| numbering.hit(&candidate))
    }
}

impl<T: ExactScalar> Query<T> for SingleClosestHit<T> {
    type State = Closest<T>;
    type Group = Each<Closest<T>>;

    const NARROWS: bool = true;
    const START: Closest<T> = Closest::NONE;

    #[inline(always)]
    fn offer(
        &mut self,
        _: usize,
        closest: &mut Closest<T>,
        candidate: Candidate<T>,
        _: Side,
        _: impl Fn() -> [T; 3],
    ) {
        closest.offer(candidate);
    }

    #[inline(always)]
    fn t_max(closest: &Closest<T>, t_max: T) -> T {
        closest.t_max(t_max)
    }

    #[inline(always)]
    fn finish(&mut self, _: usize, closest: &Closest<T>) {
        self.closest = *closest;
    }

    fn refuse(&mut self, _: usize, defect: Status) {
        self.defect = defect;
    }
}

/// The first hits so far of the rays of a group, as columns.
#[derive(Clone, Copy)]
pub(crate) struct ClosestColumns<T = f32> {
    t: GroupColumn<T>,
    u: GroupColumn<T>,
    v: GroupColumn<T>,
    /// The numbers in the bits of the same type, so that they are compared and chosen as `t` is.
    number: GroupColumn<T>,
}

impl<T: Scalar> ClosestColumns<T> {
    fn closest(&self, lane: usize) -> Closest<T> {
        let number = self.number.get(lane).number();
        Closest(Candidate { t: self.t.get(lane), u: self.u.get(lane), v: self.v.get(lane), number })
    }
}

impl<T: ExactScalar> GroupState<ClosestHit<'_, T>, T> for ClosestColumns<T> {
    const START: Self = Self {
        t: GroupColumn::of(Candidate::<T>::NONE.t),
        u: GroupColumn::of(Candidate::<T>::NONE.u),
        v: GroupColumn::of(Candidate::<T>::NONE.v),
        number: GroupColumn::of(T::NO_NUMBER),
    };
    const FORGETS: bool = true;

    #[inline(always)]
    fn restart(&mut self) {
        *self = <Self as GroupState<ClosestHit<'_, T>, T>>::START;
    }

    #[inline(always)]
    fn offer<V: Vectors<T>, M: Met<V::Real>>(
        &mut self,
        _: &mut ClosestHit<'_, T>,
        lanes: V,
        Offer { met, number, vector, t_max, .. }: Offer<'_, V::Real, M>,
        _: impl Fn() -> [T; 3],
    ) -> u32 {
        let t = met.t();
        let number = lanes.splat(T::of_number(number));
        let (known_t, known_number) = (self.t.load(lanes, vector), self.number.load(lanes, vector));
        // As `Candidate::comes_before`. Where nothing is known its number is NaN, and `t` infinite.
        let comes_before = t.lt(known_t) | (t.le(known_t) & number.lt(known_number));
        let better = met.met() & comes_before;
        if better.bits() == 0 {
            return 0;
        }
        let [u, v] = met.weights();
        self.t.store(lanes, t.select(better, known_t), vector);
        self.u.store(lanes, u.select(better, self.u.load(lanes, vector)), vector);
        self.v.store(lanes, v.select(better, self.v.load(lanes, vector)), vector);
        self.number.store(lanes, number.select(better, known_number), vector);
        // Not below the hit: what lies at the same `t` may have the lower ids.
        t_max.store(lanes, t.select(better, t_max.load(lanes, vector)), vector);
        0
    }

    #[inline(always)]
    fn finish(&self, query: &mut ClosestHit<'_, T>, rows: &[u32; GROUP], lanes: u64) {
        for eighth in 0..GROUP / 8 {
            if let Some(first) = run(rows, lanes, eighth) {
                query.columns.write_eight(first, self, eighth, query.numbering);
            } else {
                for lane in in_eighth(lanes, eighth) {
                    query.finish(rows[lane] as usize, &self.closest(lane));
                }
            }
        }
    }
}

impl<T: ExactScalar> Query<T> for ClosestHit<'_, T> {
    type State = Closest<T>;
    type Group = ClosestColumns<T>;

    const NARROWS: bool = true;
    const START: Closest<T> = Closest::NONE;

    #[inline(always)]
    fn offer(
        &mut self,
        _row: usize,
        closest: &mut Closest<T>,
        candidate: Candidate<T>,
        _: Side,
        _: impl Fn() -> [T; 3],
    ) {
        closest.offer(candidate);
    }

    #[inline(always)]
    fn t_max(closest: &Closest<T>, t_max: T) -> T {
        closest.t_max(t_max)
    }

    #[inline(always)]
    fn prefetch(&self, rows: Range<usize>) {
        let HitColumns { status, t, primitive_id, geometry_id, u, v, .. } = &self.columns;
        let rows = rows.start..rows.end.min(t.len());
        for row in rows.clone().step_by(PER_LINE) {
            prefetch(&primitive_id[row]);
            prefetch(&geometry_id[row]);
        }
        for row in rows.clone().step_by(const { LINE / size_of::<T>() }) {
            prefetch(&t[row]);
            prefetch(&u[row]);
            prefetch(&v[row]);
        }
        if let Some(status) = status.get(rows.start) {
            prefetch(status);
        }
    }

    fn finish(&mut self, row: usize, closest: &Closest<T>) {
        if closest.found() {
            self.columns.write(row, Status::Hit, &self.numbering.hit(&closest.0));
        } else {
            self.columns.write(row, Status::Miss, &Hit::NONE);
        }
    }

    /// Column by column, a few rows at a time: one row after the other, with a branch on whether anything was
    /// found, took a tenth of the time of rays that end after a node or two.
    #[inline(always)]
    fn finish_run(&mut self, first: usize, states: &[Closest<T>]) {
        let rows = first..first + states.len();
        let HitColumns { status, t, primitive_id, geometry_id, u, v, .. } = &mut self.columns;
        let places = status[rows.clone()].chunks_mut(GROUP).zip(t[rows.clone()].chunks_mut(GROUP));
        let ids =
            primitive_id[rows.clone()].chunks_mut(GROUP).zip(geometry_id[rows.clone()].chunks_mut(GROUP));
        let weights = u[rows.clone()].chunks_mut(GROUP).zip(v[rows.clone()].chunks_mut(GROUP));
        let blocks = places.zip(ids).zip(weights).zip(states.chunks(GROUP));
        for ((((status, t), (primitive_id, geometry_id)), (u, v)), states) in blocks {
            // What stands where nothing is known is what a miss is to hold.
            for (t, Closest(candidate)) in t.iter_mut().zip(states) {
                *t = candidate.t;
            }
            for (u, Closest(candidate)) in u.iter_mut().zip(states) {
                *u = candidate.u;
            }
            for (v, Closest(candidate)) in v.iter_mut().zip(states) {
                *v = candidate.v;
            }
            for (status, closest) in status.iter_mut().zip(states) {
                *status = if closest.found() { Status::Hit } else { Status::Miss };
            }
            for (id, Closest(candidate)) in primitive_id.iter_mut().zip(states) {
                *id = candidate.number;
            }
            for (id, closest) in geometry_id.iter_mut().zip(states) {
                *id = if closest.found() { 0 } else { INVALID_ID };
            }
            if !self.numbering.is_of_one() {
                for (geometry_id, primitive_id) in geometry_id.iter_mut().zip(primitive_id) {
                    if *primitive_id != INVALID_ID {
                        (*geometry_id, *primitive_id) = self.numbering.ids(*primitive_id);
                    }
                }
            }
        }
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.columns.write(row, defect, &Hit::NONE);
    }
}

/// The same with the normal of each hit.
pub(crate) struct WithNormals<'q, 'a, T = f32>(pub(crate) &'q mut ClosestHit<'a, T>);

impl<T: ExactScalar> WithNormals<'_, '_, T> {
    fn normal(&mut self, row: usize) -> &mut [T; 3] {
        &mut self.0.columns.geometric_normal[row]
    }
}

impl<T: ExactScalar> Query<T> for WithNormals<'_, '_, T> {
    type State = Closest<T>;
    type Group = Each<Closest<T>>;

    const NARROWS: bool = true;
    const START: Closest<T> = Closest::NONE;

    fn offer(
        &mut self,
        row: usize,
        closest: &mut Closest<T>,
        candidate: Candidate<T>,
        _: Side,
        geometric_normal: impl Fn() -> [T; 3],
    ) {
        if closest.offer(candidate) {
            *self.normal(row) = geometric_normal();
        }
    }

    fn t_max(closest: &Closest<T>, t_max: T) -> T {
        closest.t_max(t_max)
    }

    fn prefetch(&self, rows: Range<usize>) {
        self.0.prefetch(rows);
    }

    fn finish(&mut self, row: usize, closest: &Closest<T>) {
        if !closest.found() {
            *self.normal(row) = [T::ZERO; 3];
        }
        self.0.finish(row, closest);
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        *self.normal(row) = [T::ZERO; 3];
        self.0.refuse(row, defect);
    }
}

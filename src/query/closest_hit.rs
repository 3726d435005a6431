//! The first primitive along each ray.

use crate::hit::{Candidate, Hit, HitBatch, INVALID_ID, Numbering};
use crate::query::Query;
use crate::status::Status;

/// Keeps the hit that comes first; at equal `t` the lower ids. `NORMALS` is how many normals a ray
/// carries: one if they are asked for, else none.
pub(crate) struct ClosestHit<'a, const NORMALS: usize> {
    pub(crate) numbering: &'a Numbering,
    pub(crate) columns: HitColumns<'a>,
}

/// Where the answers go: the rows of one chunk in a [`HitBatch`], or one hit.
pub(crate) struct HitColumns<'a> {
    status: &'a mut [Status],
    t: &'a mut [f32],
    primitive_id: &'a mut [u32],
    geometry_id: &'a mut [u32],
    u: &'a mut [f32],
    v: &'a mut [f32],
    /// Empty where normals are not asked for.
    geometric_normal: &'a mut [[f32; 3]],
}

impl<'a> HitColumns<'a> {
    /// Makes room for `rays` rows in `batch` and cuts them into chunks.
    pub(crate) fn chunks(
        batch: &'a mut HitBatch,
        rays: usize,
        normals: bool,
        chunk: usize,
    ) -> impl Iterator<Item = Self> {
        batch.status.resize(rays, Status::Miss);
        batch.t.resize(rays, 0.0);
        batch.primitive_id.resize(rays, 0);
        batch.geometry_id.resize(rays, 0);
        batch.u.resize(rays, 0.0);
        batch.v.resize(rays, 0.0);
        batch.geometric_normal.resize(if normals { rays } else { 0 }, [0.0; 3]);
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

    /// A single row, without normals.
    pub(crate) fn of_one(status: &'a mut Status, hit: &'a mut Hit) -> Self {
        use std::slice::from_mut;
        Self {
            status: from_mut(status),
            t: from_mut(&mut hit.t),
            primitive_id: from_mut(&mut hit.primitive_id),
            geometry_id: from_mut(&mut hit.geometry_id),
            u: from_mut(&mut hit.u),
            v: from_mut(&mut hit.v),
            geometric_normal: &mut [],
        }
    }

    fn write(&mut self, row: usize, status: Status, hit: &Hit) {
        self.status[row] = status;
        self.t[row] = hit.t;
        self.primitive_id[row] = hit.primitive_id;
        self.geometry_id[row] = hit.geometry_id;
        self.u[row] = hit.u;
        self.v[row] = hit.v;
    }
}

/// The first hit so far.
#[derive(Clone, Copy)]
pub(crate) struct Closest(Candidate);

impl Closest {
    pub(crate) const NONE: Self = Self(Candidate::NONE);

    /// Keeps the candidate if it comes before what is known. Says whether it did.
    #[inline(always)]
    pub(crate) fn offer(&mut self, candidate: Candidate) -> bool {
        let better = candidate.comes_before(&self.0);
        if better {
            self.0 = candidate;
        }
        better
    }

    /// The upper end of the interval that still matters.
    #[inline(always)]
    pub(crate) fn t_max(&self, t_max: f32) -> f32 {
        // Not below the hit: what lies at the same `t` may have the lower ids.
        t_max.min(self.0.t)
    }

    pub(crate) fn found(&self) -> bool {
        self.0 != Candidate::NONE
    }
}

impl<const NORMALS: usize> Query for ClosestHit<'_, NORMALS> {
    /// The first hit so far, and its normal if wanted.
    type State = (Closest, [[f32; 3]; NORMALS]);

    const NARROWS: bool = true;
    const START: Self::State = (Closest::NONE, [[0.0; 3]; NORMALS]);

    #[inline(always)]
    fn offer(
        &mut self,
        _row: usize,
        (closest, normals): &mut Self::State,
        candidate: Candidate,
        geometric_normal: impl FnOnce() -> [f32; 3],
    ) {
        if closest.offer(candidate)
            && let [normal, ..] = normals.as_mut_slice()
        {
            *normal = geometric_normal();
        }
    }

    #[inline(always)]
    fn t_max((closest, _): &Self::State, t_max: f32) -> f32 {
        closest.t_max(t_max)
    }

    fn finish(&mut self, row: usize, (closest, normals): &Self::State) {
        if closest.found() {
            self.columns.write(row, Status::Hit, &self.numbering.hit(&closest.0));
        } else {
            self.columns.write(row, Status::Miss, &Hit::NONE);
        }
        if let [normal, ..] = normals.as_slice() {
            self.columns.geometric_normal[row] = *normal;
        }
    }

    fn finish_run(&mut self, first: usize, states: &[Self::State]) {
        let rows = first..first + states.len();
        let HitColumns { status, t, primitive_id, geometry_id, u, v, geometric_normal } = &mut self.columns;
        let places = status[rows.clone()].iter_mut().zip(&mut t[rows.clone()]);
        let ids = primitive_id[rows.clone()].iter_mut().zip(&mut geometry_id[rows.clone()]);
        let weights = u[rows.clone()].iter_mut().zip(&mut v[rows.clone()]);
        for ((((status, t), (primitive_id, geometry_id)), (u, v)), (Closest(candidate), _)) in
            places.zip(ids).zip(weights).zip(states)
        {
            // What stands where nothing is known is what a miss is to hold.
            (*t, *u, *v) = (candidate.t, candidate.u, candidate.v);
            let found = candidate.number != INVALID_ID;
            *status = if found { Status::Hit } else { Status::Miss };
            (*geometry_id, *primitive_id) =
                if found { self.numbering.ids(candidate.number) } else { (INVALID_ID, INVALID_ID) };
        }
        if NORMALS > 0 {
            for (into, (_, normals)) in geometric_normal[rows].iter_mut().zip(states) {
                *into = normals[0];
            }
        }
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.columns.write(row, defect, &Hit::NONE);
        if NORMALS > 0 {
            self.columns.geometric_normal[row] = [0.0; 3];
        }
    }
}

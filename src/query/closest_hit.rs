//! The first primitive along each ray.

use crate::hit::{Candidate, Hit, HitBatch, Status};
use crate::numbering::Numbering;
use crate::query::Query;

/// Keeps the hit that comes first; at equal `t` the lower ids. `NORMALS` asks for normals too.
pub(crate) struct ClosestHit<'a, const NORMALS: bool> {
    pub(crate) numbering: &'a Numbering,
    pub(crate) columns: HitColumns<'a>,
}

/// The rows of one chunk in a [`HitBatch`].
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

    fn write(&mut self, row: usize, status: Status, hit: &Hit) {
        self.status[row] = status;
        self.t[row] = hit.t;
        self.primitive_id[row] = hit.primitive_id;
        self.geometry_id[row] = hit.geometry_id;
        self.u[row] = hit.u;
        self.v[row] = hit.v;
    }
}

/// The first hit so far, and its normal if wanted.
#[derive(Clone, Copy)]
pub(crate) struct Closest {
    candidate: Candidate,
    geometric_normal: [f32; 3],
}

impl<const NORMALS: bool> Query for ClosestHit<'_, NORMALS> {
    type State = Closest;

    const NARROWS: bool = true;
    const START: Closest = Closest { candidate: Candidate::NONE, geometric_normal: [0.0; 3] };

    #[inline(always)]
    fn offer(
        &mut self,
        _row: usize,
        state: &mut Closest,
        candidate: Candidate,
        geometric_normal: impl FnOnce() -> [f32; 3],
    ) {
        if candidate.comes_before(&state.candidate) {
            state.candidate = candidate;
            if NORMALS {
                state.geometric_normal = geometric_normal();
            }
        }
    }

    #[inline(always)]
    fn t_max(state: &Closest, t_max: f32) -> f32 {
        // Not below: what lies at the same `t` may have the lower ids.
        t_max.min(state.candidate.t)
    }

    fn finish(&mut self, row: usize, state: &Closest) {
        if state.candidate == Candidate::NONE {
            self.columns.write(row, Status::Miss, &Hit::NONE);
        } else {
            self.columns.write(row, Status::Hit, &self.numbering.hit(&state.candidate));
        }
        if NORMALS {
            self.columns.geometric_normal[row] = state.geometric_normal;
        }
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.columns.write(row, defect, &Hit::NONE);
        if NORMALS {
            self.columns.geometric_normal[row] = [0.0; 3];
        }
    }
}

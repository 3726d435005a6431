//! One function per query: makes room for the answers and casts chunk by chunk.

use super::{CastOptions, chunk_size, for_each_chunk};
use crate::error::Result;
use crate::hit::{AllHitsBatch, AnyHitBatch, CostBatch, CountBatch, HitBatch, Status};
use crate::numbering::Numbering;
use crate::query::{AllHits, AnyHit, Casting, ClosestHit, Cost, CountHits, HitColumns, Query, Target};
use crate::ray::RayBatch;
use crate::simd::{Backend, Kernel, Lanes, dispatch};

/// Work on one chunk of rays, ready to be run on any lanes.
struct Chunk<'a, T, Q> {
    target: &'a T,
    rays: RayBatch<'a>,
    how: Casting,
    query: &'a mut Q,
}

impl<T: Target, Q: Query> Kernel for Chunk<'_, T, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        self.target.cast(lanes, &self.rays, self.how, self.query);
    }
}

/// Everything a query needs beside its rays.
pub(crate) struct Caster<'a, T> {
    pub(crate) target: &'a T,
    pub(crate) numbering: &'a Numbering,
    pub(crate) backend: Backend,
}

impl<T: Target> Caster<'_, T> {
    fn cast(&self, rays: RayBatch<'_>, options: &CastOptions<'_>, query: &mut impl Query) {
        let how = Casting { culling: options.culling, in_flight: options.in_flight };
        dispatch(self.backend, Chunk { target: self.target, rays, how, query });
    }

    pub(crate) fn closest_hit(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        hits: &mut HitBatch,
    ) -> Result<()> {
        let chunk = chunk_size(rays.len(), options);
        let parts = HitColumns::chunks(hits, rays.len(), options.normals, chunk);
        for_each_chunk(rays.len(), chunk, parts, options, |range, columns| {
            let (rays, numbering) = (rays.slice(range), self.numbering);
            if options.normals {
                self.cast(rays, options, &mut ClosestHit::<1> { numbering, columns });
            } else {
                self.cast(rays, options, &mut ClosestHit::<0> { numbering, columns });
            }
        })
    }

    pub(crate) fn any_hit(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        hits: &mut AnyHitBatch,
    ) -> Result<()> {
        let chunk = chunk_size(rays.len(), options);
        hits.status.resize(rays.len(), Status::Miss);
        for_each_chunk(rays.len(), chunk, hits.status.chunks_mut(chunk), options, |range, status| {
            self.cast(rays.slice(range), options, &mut AnyHit { status });
        })
    }

    pub(crate) fn count_hits(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        counts: &mut CountBatch,
    ) -> Result<()> {
        let chunk = chunk_size(rays.len(), options);
        counts.status.resize(rays.len(), Status::Miss);
        counts.count.resize(rays.len(), 0);
        let parts = counts.status.chunks_mut(chunk).zip(counts.count.chunks_mut(chunk));
        for_each_chunk(rays.len(), chunk, parts, options, |range, (status, count)| {
            self.cast(rays.slice(range), options, &mut CountHits { status, count });
        })
    }

    pub(crate) fn cost(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        costs: &mut CostBatch,
    ) -> Result<()> {
        let chunk = chunk_size(rays.len(), options);
        costs.status.resize(rays.len(), Status::Miss);
        costs.nodes.resize(rays.len(), 0);
        costs.primitives.resize(rays.len(), 0);
        let counts = costs.nodes.chunks_mut(chunk).zip(costs.primitives.chunks_mut(chunk));
        let parts = costs.status.chunks_mut(chunk).zip(counts);
        for_each_chunk(rays.len(), chunk, parts, options, |range, (status, (nodes, primitives))| {
            self.cast(rays.slice(range), options, &mut Cost { status, nodes, primitives });
        })
    }

    pub(crate) fn all_hits(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        hits: &mut AllHitsBatch,
    ) -> Result<()> {
        let chunk = chunk_size(rays.len(), options);
        hits.status.resize(rays.len(), Status::Miss);
        let mut found = vec![Vec::new(); rays.len().div_ceil(chunk)];
        let parts = hits.status.chunks_mut(chunk).zip(&mut found);
        for_each_chunk(rays.len(), chunk, parts, options, |range, (status, found)| {
            let mut query = AllHits { status, found: Vec::new() };
            self.cast(rays.slice(range), options, &mut query);
            *found = query.into_sorted();
        })?;
        hits.offsets.clear();
        hits.hits.clear();
        hits.offsets.reserve(rays.len() + 1);
        hits.hits.reserve(found.iter().map(Vec::len).sum());
        for (start, found) in (0..rays.len()).step_by(chunk).zip(&found) {
            let mut rest = found.iter().peekable();
            for row in 0..chunk.min(rays.len() - start) {
                hits.offsets.push(hits.hits.len());
                while let Some((_, candidate)) = rest.next_if(|(of_row, _)| *of_row as usize == row) {
                    hits.hits.push(self.numbering.hit(candidate));
                }
            }
        }
        hits.offsets.push(hits.hits.len());
        Ok(())
    }
}

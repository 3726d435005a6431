//! One function per query: makes room for the answers and casts chunk by chunk.

use std::ops::Range;

use super::selection::{Filter, Masks, PerRay, Selection};
use super::{CastOptions, Plan, for_each_chunk};
use crate::error::{Error, Result};
use crate::hit::{
    AllHitsBatch, AnyHitBatch, Candidate, CostBatch, CountBatch, Hit, HitBatch, InsideBatch, Limit,
    LineHitBatch, LineHits, Numbering,
};
use crate::kernel::ExactScalar;
use crate::query::{
    AllHits, AnyHit, Casting, ClosestHit, Collect, Cost, CountHits, Half, HitColumns, Known, NearestHits,
    Query, Selected, SingleClosestHit, Target, Winding, WithNormals,
};
use crate::simd::{Backend, with_default_float_mode};
use crate::status::Status;
use crate::value::{Contact, Culling, Ray, RayBatch};

/// Everything a query needs beside its rays.
///
/// `X` is what rays of `T` are cast at.
pub(crate) struct Caster<'a, X, T = f32> {
    pub(crate) target: X,
    pub(crate) numbering: &'a Numbering,
    pub(crate) masks: &'a Masks,
    pub(crate) filter: Filter<'a, T>,
    pub(crate) backend: Backend,
}

impl<T: ExactScalar, X: Target<T>> Caster<'_, X, T> {
    /// What counts of the hits of rays in these rows.
    fn selection<'s>(&'s self, each: &PerRay<'s>, rows: Range<usize>) -> Selection<'s, T> {
        Selection::new(each, rows, self.masks, self.numbering, self.filter)
    }

    /// Casts the rays in these rows, a chunk of all.
    pub(super) fn cast<Q: Query<T>>(
        &self,
        rays: &RayBatch<'_, T>,
        rows: Range<usize>,
        options: &CastOptions<'_>,
        plan: &Plan,
        query: &mut Q,
    ) {
        let (accept, how) = (self.selection(&options.each, rows.clone()), plan.casting::<T, Q>(options));
        let mut room = Vec::new();
        let rays = &rays.stored(rows, &mut room);
        if accept.selects() {
            self.collect(rays, how, &mut Selected { query, accept });
        } else {
            self.target.cast(self.backend, rays, how, query);
        }
    }

    /// The same for a query that is not worth a traversal of its own.
    fn cast_collecting<Q: Query<T>>(
        &self,
        rays: &RayBatch<'_, T>,
        rows: Range<usize>,
        options: &CastOptions<'_>,
        plan: &Plan,
        query: &mut Q,
    ) {
        let (accept, how) = (self.selection(&options.each, rows.clone()), plan.casting::<T, Q>(options));
        let mut room = Vec::new();
        self.collect(&rays.stored(rows, &mut room), how, &mut Selected { query, accept });
    }

    /// Casts all rays, and calls the query for each hit.
    fn collect<Q: Query<T>>(&self, rays: &RayBatch<'_, T>, how: Casting<'_>, query: &mut Q) {
        let (may_stream, mut states) = (query.may_stream(), vec![Q::START; rays.len()]);
        let known = &mut Known::new(query, &mut states);
        if Q::NARROWS {
            self.target.cast(self.backend, rays, how, &mut Collect::<T, true>::new(known, may_stream));
        } else {
            self.target.cast(self.backend, rays, how, &mut Collect::<T, false>::new(known, may_stream));
        }
    }

    /// Casts a single ray where the caller is, without a batch around the answer.
    fn cast_one<Q: Query<T>>(&self, ray: &Ray<T>, query: &mut Q) {
        self.collect_one(ray, self.selection(&PerRay::default(), 0..1), query);
    }

    /// The same of which not all hits may count.
    fn collect_one<Q: Query<T>>(&self, ray: &Ray<T>, accept: Selection<'_, T>, query: &mut Q) {
        let (query, mut states) = (&mut Selected { query, accept }, [Q::START]);
        let known = &mut Known::new(query, &mut states);
        if Q::NARROWS {
            let query = &mut Collect::<T, true>::new(known, false);
            self.target.cast_single(self.backend, ray, Q::RULES, query);
        } else {
            let query = &mut Collect::<T, false>::new(known, false);
            self.target.cast_single(self.backend, ray, Q::RULES, query);
        }
    }

    /// Whether all hits of a single ray count, as far as the scene says.
    fn takes_all(&self) -> bool {
        // Asked directly: a selection of no columns took a single ray 74 instructions of 1400.
        !self.masks.hide() && !self.filter.is_some()
    }

    pub(crate) fn closest_hit_of(&self, ray: &Ray<T>) -> Result<Option<Hit<T>>> {
        let Self { ref target, numbering, backend, .. } = *self;
        if self.takes_all() {
            return target.closest_of(backend, ray).answer(numbering);
        }
        let mut query = SingleClosestHit::NOTHING;
        self.cast_one(ray, &mut query);
        query.answer(numbering)
    }

    pub(crate) fn line_hits_of(&self, line: &Ray<T>) -> Result<LineHits<T>> {
        let Self { ref target, numbering, backend, .. } = *self;
        if let Some(status) = line.defect() {
            return Err(Error::InvalidRay { status });
        }
        let first = |half: Half| {
            let ray = &with_default_float_mode(|| half.ray(line));
            if ray.defect().is_some() {
                // Nothing of the line is on this side.
                return None;
            }
            let mut query = SingleClosestHit::NOTHING;
            if self.takes_all() {
                query = target.closest_of(backend, ray);
            } else {
                self.collect_one(ray, self.selection(&PerRay::default(), 0..1).along(half), &mut query);
            }
            with_default_float_mode(|| query.on_line(half, numbering))
        };
        Ok(LineHits { ahead: first(Half::Ahead), behind: first(Half::Behind) })
    }

    pub(crate) fn any_hit_of(&self, ray: &Ray<T>) -> Result<bool> {
        let mut status = Status::Miss;
        let query = &mut AnyHit { status: std::slice::from_mut(&mut status) };
        if self.takes_all() {
            self.target.cast_single(self.backend, ray, <AnyHit<'_> as Query<T>>::RULES, query);
        } else {
            self.cast_one(ray, query);
        }
        met_or_refused(status)
    }

    pub(crate) fn count_hits_of(&self, ray: &Ray<T>) -> Result<u32> {
        let (mut status, mut count) = (Status::Miss, 0);
        let (status_row, count_row) = (std::slice::from_mut(&mut status), std::slice::from_mut(&mut count));
        self.cast_one(ray, &mut CountHits { status: status_row, count: count_row });
        met_or_refused(status).map(|_| count)
    }

    pub(crate) fn all_hits_of(&self, ray: &Ray<T>) -> Result<Vec<Hit<T>>> {
        let mut status = Status::Miss;
        let mut query = AllHits { status: std::slice::from_mut(&mut status), found: Vec::new() };
        self.cast_one(ray, &mut query);
        let found = query.into_sorted();
        self.hits_or_refused(&found, status)
    }

    pub(crate) fn nearest_hits_of(&self, ray: &Ray<T>, limit: u32) -> Result<Vec<Hit<T>>> {
        let mut status = Status::Miss;
        let mut query = NearestHits::new(std::slice::from_mut(&mut status), 0, Limit::Same(limit));
        self.cast_one(ray, &mut query);
        let found = query.into_sorted();
        self.hits_or_refused(&found, status)
    }

    /// The hits of a single ray in the terms of the scene, or why it was not cast.
    fn hits_or_refused(&self, found: &[(u32, Candidate<T>)], status: Status) -> Result<Vec<Hit<T>>> {
        met_or_refused(status)?;
        Ok(found.iter().map(|(_, candidate)| self.numbering.hit(candidate)).collect())
    }

    pub(crate) fn closest_hit(
        &self,
        rays: &RayBatch<'_, T>,
        options: &CastOptions<'_>,
        hits: &mut HitBatch<T>,
    ) -> Result<()> {
        let plan = Plan::new(rays, options).inspect_err(|_| hits.clear())?;
        let chunk = plan.chunk;
        let parts = HitColumns::chunks(hits, rays.len(), options.normals, chunk);
        for_each_chunk(rays.len(), chunk, parts, options, |rows, columns| {
            let mut query = ClosestHit { numbering: self.numbering, columns };
            if options.normals {
                self.cast_collecting(rays, rows, options, &plan, &mut WithNormals(&mut query));
            } else {
                self.cast(rays, rows, options, &plan, &mut query);
            }
        })
        .inspect_err(|_| hits.clear())
    }

    pub(crate) fn line_hits(
        &self,
        lines: &RayBatch<'_, T>,
        options: &CastOptions<'_>,
        hits: &mut LineHitBatch<T>,
    ) -> Result<()> {
        let plan = Plan::new(lines, options).inspect_err(|_| hits.clear())?;
        let chunk = plan.chunk;
        let LineHitBatch { ahead, behind } = hits;
        let columns = |batch| HitColumns::chunks(batch, lines.len(), options.normals, chunk);
        let parts = columns(ahead).zip(columns(behind));
        for_each_chunk(lines.len(), chunk, parts, options, |rows, (ahead, behind)| {
            for (half, columns) in [(Half::Ahead, ahead), (Half::Behind, behind)] {
                self.cast_half(half, lines, rows.clone(), options, &plan, columns);
            }
        })
        .inspect_err(|_| hits.clear())
    }

    /// Casts one half of the lines in these rows, as rays made for that.
    fn cast_half(
        &self,
        half: Half,
        lines: &RayBatch<'_, T>,
        rows: Range<usize>,
        options: &CastOptions<'_>,
        plan: &Plan,
        columns: HitColumns<'_, T>,
    ) {
        let lines = &lines.slice(rows.clone());
        let rays: Vec<Ray<T>> =
            with_default_float_mode(|| (0..lines.len()).map(|row| half.ray(&lines.ray(row))).collect());
        let (rays, accept) = (&RayBatch::from_rays(&rays), self.selection(&options.each, rows).along(half));
        let mut how = plan.casting::<T, ClosestHit<'_, T>>(options);
        how.rules.culling = half.culling(how.rules.culling);
        let mut query = ClosestHit { numbering: self.numbering, columns };
        if options.normals {
            self.collect(rays, how, &mut Selected { query: &mut WithNormals(&mut query), accept });
        } else if accept.selects() {
            self.collect(rays, how, &mut Selected { query: &mut query, accept });
        } else {
            self.target.cast(self.backend, rays, how, &mut query);
        }
        with_default_float_mode(|| half.turn_back(lines, &mut query.columns));
    }

    pub(crate) fn any_hit(
        &self,
        rays: &RayBatch<'_, T>,
        options: &CastOptions<'_>,
        hits: &mut AnyHitBatch,
    ) -> Result<()> {
        let plan = Plan::new(rays, options).inspect_err(|_| hits.clear())?;
        let chunk = plan.chunk;
        hits.status.resize(rays.len(), Status::Miss);
        for_each_chunk(rays.len(), chunk, hits.status.chunks_mut(chunk), options, |rows, status| {
            self.cast(rays, rows, options, &plan, &mut AnyHit { status });
        })
        .inspect_err(|_| hits.clear())
    }

    pub(crate) fn count_hits(
        &self,
        rays: &RayBatch<'_, T>,
        options: &CastOptions<'_>,
        counts: &mut CountBatch,
    ) -> Result<()> {
        let plan = Plan::new(rays, options).inspect_err(|_| counts.clear())?;
        let chunk = plan.chunk;
        counts.status.resize(rays.len(), Status::Miss);
        counts.count.resize(rays.len(), 0);
        let parts = counts.status.chunks_mut(chunk).zip(counts.count.chunks_mut(chunk));
        for_each_chunk(rays.len(), chunk, parts, options, |rows, (status, count)| {
            self.cast_collecting(rays, rows, options, &plan, &mut CountHits { status, count });
        })
        .inspect_err(|_| counts.clear())
    }

    pub(crate) fn winding(
        &self,
        rays: &RayBatch<'_, T>,
        options: &CastOptions<'_>,
        inside: &mut InsideBatch,
    ) -> Result<()> {
        let plan = Plan::new(rays, options).inspect_err(|_| inside.clear())?;
        let chunk = plan.chunk;
        inside.status.resize(rays.len(), Status::Miss);
        inside.winding.resize(rays.len(), 0);
        let parts = inside.status.chunks_mut(chunk).zip(inside.winding.chunks_mut(chunk));
        for_each_chunk(rays.len(), chunk, parts, options, |rows, (status, winding)| {
            self.cast_collecting(rays, rows, options, &plan, &mut Winding { status, winding });
        })
        .inspect_err(|_| inside.clear())
    }

    /// How often the surface goes around the points of a chunk, beside other work on them.
    pub(super) fn wind(
        &self,
        points: &[[T; 3]],
        options: &CastOptions<'_>,
        status: &mut [Status],
        winding: &mut [i32],
    ) {
        let (rays, plan) = (&RayBatch::from_points(points, AWAY.map(T::of)), Plan::of_chunks(points.len()));
        let query = &mut Winding { status, winding };
        self.cast_collecting(rays, 0..rays.len(), &crossing(options), &plan, query);
    }

    pub(crate) fn cost(
        &self,
        rays: &RayBatch<'_, T>,
        options: &CastOptions<'_>,
        costs: &mut CostBatch,
    ) -> Result<()> {
        let plan = Plan::new(rays, options).inspect_err(|_| costs.clear())?;
        let chunk = plan.chunk;
        let parts = Cost::chunks(costs, rays.len(), chunk);
        for_each_chunk(rays.len(), chunk, parts, options, |rows, mut cost| {
            let accept = self.selection(&options.each, rows.clone());
            let (mut room, how) = (Vec::new(), plan.casting::<T, Cost<'_>>(options));
            let (rays, query) = (&rays.stored(rows, &mut room), &mut Selected { query: &mut cost, accept });
            self.target.cast(self.backend, rays, how, query);
        })
        .inspect_err(|_| costs.clear())
    }

    pub(crate) fn all_hits(
        &self,
        rays: &RayBatch<'_, T>,
        options: &CastOptions<'_>,
        hits: &mut AllHitsBatch<T>,
    ) -> Result<()> {
        let plan = Plan::new(rays, options).inspect_err(|_| hits.clear())?;
        self.put_together(rays, options, &plan, hits, |rows, status| {
            let mut query = AllHits { status, found: Vec::new() };
            self.cast_collecting(rays, rows, options, &plan, &mut query);
            query.into_sorted()
        })
    }

    pub(crate) fn nearest_hits(
        &self,
        rays: &RayBatch<'_, T>,
        limit: Limit<'_>,
        options: &CastOptions<'_>,
        hits: &mut AllHitsBatch<T>,
    ) -> Result<()> {
        limit.check(rays.len()).inspect_err(|_| hits.clear())?;
        let plan = Plan::new(rays, options).inspect_err(|_| hits.clear())?;
        self.put_together(rays, options, &plan, hits, |rows, status| {
            let mut query = NearestHits::new(status, rows.start, limit);
            self.cast_collecting(rays, rows, options, &plan, &mut query);
            query.into_sorted()
        })
    }

    /// Puts together the hits of all chunks, which `cast` gives by row within the chunk, then in order.
    fn put_together(
        &self,
        rays: &RayBatch<'_, T>,
        options: &CastOptions<'_>,
        plan: &Plan,
        hits: &mut AllHitsBatch<T>,
        cast: impl Fn(Range<usize>, &mut [Status]) -> Vec<(u32, Candidate<T>)> + Sync + Send,
    ) -> Result<()> {
        let chunk = plan.chunk;
        hits.status.resize(rays.len(), Status::Miss);
        let mut found = vec![Vec::new(); rays.len().div_ceil(chunk)];
        let parts = hits.status.chunks_mut(chunk).zip(&mut found);
        for_each_chunk(rays.len(), chunk, parts, options, |rows, (status, found)| {
            *found = cast(rows, status);
        })
        .inspect_err(|_| hits.clear())?;
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

/// Which way rays go to count how often a surface goes around where they start: along an axis, since shearing then moves
/// no vertex, and a subtraction is all that is rounded.
pub(crate) const AWAY: [f32; 3] = [1.0, 0.0, 0.0];

/// The same options for rays that count crossings.
pub(crate) fn crossing<'w>(options: &CastOptions<'w>) -> CastOptions<'w> {
    CastOptions {
        each: PerRay::default(),
        contact: Contact::Crossing,
        culling: Culling::None,
        ..options.clone()
    }
}

/// Whether a ray met something, or why it was not cast.
pub(crate) fn met_or_refused(status: Status) -> Result<bool> {
    if status.is_invalid() { Err(Error::InvalidRay { status }) } else { Ok(status.is_hit()) }
}

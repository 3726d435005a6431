//! Trees of `f64`, and rays at their leaves. Boxes see rays of `f32`, leaves those given.
//!
//! The first stage of groups at a leaf is in `f32` too: each ray against all primitives, or each
//! primitive against vectors of rays, whichever takes fewer vectors. Vectors of `f64` decide the
//! rest, and scalar arithmetic the rays that pass too near an edge for plain `f64`.

use std::ops::Range;

use super::chunk_rays::{ChunkRays, LeafVisit};
use super::groups::{ActiveGroup, take_vector, vectors_of};
use super::plan::test_each_f64;
use super::slab::SlabAxes;
use super::{Numbered, Target, count};
use crate::leaf::{
    PairBlock, RayBlock, ShearedRays, TriangleBlockF64, TriangleLeaf, WatertightRayF64,
};
use crate::query::Query;
use crate::simd::{Backend, BothPrecisions, LANES, Lanes, Mask, Real, Vectors, call, set_bits};
use crate::status::Status;
use crate::threads::Spread;
use crate::tree::viewpoint::{ANCHOR, Viewpoint, not_below};
use crate::tree::{AnchoredBvh, BoxFrame, BuildQuality, Bvh, Fetch, Leaf};
use crate::value::{
    Aabb, GROUP, GroupColumn, Heading, Ray, RayBatch, RayGroup, RayParts, RaySource,
};

impl Target<f64> for AnchoredBvh<TriangleBlockF64> {
    type Block = TriangleBlockF64;
    type Viewpoint = Viewpoint;
    type Rays<'a, 'r>
        = ChunkRaysF64<'a, 'r>
    where
        'r: 'a;

    fn build(
        count: usize,
        triangles: &impl Fetch<Content = Numbered<f64>>,
        quality: BuildQuality,
        spread: Spread<'_>,
    ) -> Option<Self> {
        let box_of = |&(corners, _): &Numbered<f64>| Aabb::of_points(corners);
        let fill = |block: &mut TriangleBlockF64, triangles: &[_], _| block.fill(triangles);
        AnchoredBvh::build(count, triangles, box_of, fill, quality, spread)
    }

    fn of_parts(bvh: Bvh<TriangleBlockF64>, viewpoint: Viewpoint, bounds: Aabb<f64>) -> Self {
        Self { bvh, viewpoint, bounds }
    }

    fn refit(
        &mut self,
        rewrite: impl Fn(&mut TriangleBlockF64) + Sync,
        spread: Spread<'_>,
    ) -> Option<()> {
        let box_of = |block: &TriangleBlockF64| {
            Aabb::of_points(block.triangles().flat_map(|(corners, _)| corners))
        };
        AnchoredBvh::refit(self, rewrite, box_of, spread)
    }

    fn copy(&self, spread: Spread<'_>) -> Option<Self> {
        AnchoredBvh::copy(self, spread)
    }

    fn bounds(&self) -> Aabb<f64> {
        self.bounds
    }

    #[inline(always)]
    fn bvh(&self) -> &Bvh<TriangleBlockF64> {
        &self.bvh
    }

    fn bvh_mut(&mut self) -> &mut Bvh<TriangleBlockF64> {
        &mut self.bvh
    }

    #[inline(always)]
    fn viewpoint(&self) -> &Viewpoint {
        &self.viewpoint
    }

    #[inline(always)]
    fn chunk_rays<'a, 'r>(&'a self, rays: &'a RayBatch<'r, f64>) -> ChunkRaysF64<'a, 'r> {
        ChunkRaysF64 {
            tree: self,
            batch: rays,
            source: RaySource::new(rays),
            rays: RayGroup::EMPTY,
            scale: GroupColumn::ZERO,
        }
    }

    #[inline(always)]
    fn seen(&self, ray: &Ray<f64>) -> Result<(SlabAxes, [f32; 2], f64), Status> {
        if let Some(defect) = ray.find_defect() {
            return Err(defect);
        }
        let (seen, scale) = self.viewpoint.ray(ray);
        let axes = SlabAxes::if_sound_and_in_range(&seen, ANCHOR, self.bvh.range, 1.0);
        let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(&seen));
        Ok((axes, [seen.t_min, seen.t_max], scale))
    }
}

/// Rays of `f64`.
pub(crate) struct ChunkRaysF64<'a, 'r> {
    tree: &'a AnchoredBvh<TriangleBlockF64>,
    batch: &'a RayBatch<'r, f64>,
    source: RaySource<'r, f64>,
    /// The rays gathered last.
    rays: RayGroup<f64>,
    /// The factors of their `t` in box tests.
    scale: GroupColumn<f64>,
}

impl ChunkRays for ChunkRaysF64<'_, '_> {
    type Scalar = f64;
    type Block = TriangleBlockF64;
    type Group = PreparedGroup;

    fn ray(&self, row: u32) -> Ray<f64> {
        self.batch.ray(row as usize)
    }

    fn prefetch(&self, rows: Range<usize>) {
        self.source.prefetch(rows);
    }

    fn gather(&mut self, backend: Backend, rows: &[u32], into: &mut RayGroup) -> u64 {
        let Self { tree, source, rays, scale, .. } = self;
        call!(backend, lanes => {
            rays.gather_wide(lanes.widest(), source, rows);
            tree.viewpoint.group(lanes.widest(), rays, into, scale);
            rays.surely_sound(lanes.widest())
        })
    }

    fn find_defect(&self, _: &RayGroup, lane: usize) -> Option<Status> {
        self.rays.ray(lane).find_defect()
    }

    #[inline(always)]
    fn prepare<L: Lanes>(&self, lanes: L, _: &RayGroup, into: &mut [WatertightRayF64; GROUP]) {
        TriangleBlockF64::prepare_each(lanes.widest(), &self.rays, &self.scale, into);
    }

    /// Left out are rays too far away for `f32`, and rays nearly as long along two axes: `f32` may
    /// lose which is longer, and all rays of a group are longest along the same axis.
    fn fit(&self, backend: Backend, seen: &RayGroup) -> u64 {
        let given = &self.rays;
        call!(backend, lanes => {
            let wide = lanes.widest();
            seen.surely_sound(wide) & seen.headings(wide).agree_on_longest(&given.headings(wide))
        })
    }

    #[inline(always)]
    fn prepare_group<L: Lanes>(
        &self,
        lanes: L,
        seen: &RayGroup,
        heading: Heading,
        into: &mut Self::Group,
    ) {
        into.rays.prepare(lanes.widest(), &self.rays, heading);
        let t_max = into.t_max.0.iter_mut().zip(&self.rays.columns.t_max.0);
        for (lane, (t_max, &came_with)) in t_max.enumerate() {
            *t_max = if seen.live >> lane & 1 == 1 { came_with } else { f64::NEG_INFINITY };
        }
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes, Q: Query<f64>>(
        visit: &mut LeafVisit<'_, '_, Self, Q>,
        lanes: L,
        rays: u64,
    ) -> bool {
        let (wide, undecided) = (lanes.widest(), visit.undecided(lanes, rays & visit.group.live));
        let mut changed = 0;
        for (primitive, mut left) in undecided.into_iter().enumerate() {
            while left != 0 {
                let lanes = <L::Widest as Vectors<f64>>::COUNT;
                let (vector, open) = take_vector(&mut left, lanes);
                // Rays settled by an earlier primitive of the leaf drop out.
                let open = open & (visit.group.live >> (vector * lanes)) as u32;
                if open != 0 {
                    changed |= u64::from(visit.decide(wide, primitive, (vector, open)))
                        << (vector * lanes);
                }
            }
        }
        visit.offers.query.narrows() && visit.narrow(wide, changed)
    }
}

/// The rays of a group.
#[derive(Clone, Copy, bytemuck::Zeroable)]
pub(crate) struct PreparedGroup {
    /// Prepared for primitives.
    rays: ShearedRays<f64>,
    /// The `t_max` of each ray, lowered by hits that narrow; −∞ in lanes without a ray of the
    /// heading.
    t_max: GroupColumn<f64>,
}

impl<Q: Query<f64>> LeafVisit<'_, '_, ChunkRaysF64<'_, '_>, Q> {
    /// The rays that may meet each primitive of a leaf. Those that certainly hit are settled where
    /// that is all a query asks.
    #[inline(always)]
    fn undecided<L: Lanes>(&mut self, lanes: L, rays: u64) -> [u64; LANES] {
        let (wide, block, prepared) = (lanes.widest(), self.block, &self.prepared.rays);
        let (mut undecided, mut certain) = ([0; LANES], 0);
        let (RayParts { t_min, t_max, .. }, culling) =
            (&self.chunk_rays.rays.columns, self.offers.rules.culling);
        // A vector of rays is prepared once and tested against each primitive; a ray against all.
        let vectors = vectors_of(rays, count::<L::Widest>());
        if !test_each_f64(rays.count_ones(), block.count(), vectors) {
            let mut left = rays;
            while left != 0 {
                let (vector, some) = take_vector(&mut left, count::<L::Widest>());
                let mut open = [0; LANES];
                let any_hit = Q::NEEDS.any_hit_settles.then_some(([t_min, t_max], culling));
                let hit = some & block.undecided_rays(wide, prepared, vector, any_hit, &mut open);
                certain |= u64::from(hit) << (vector * count::<L::Widest>());
                for (undecided, open) in undecided.iter_mut().zip(open) {
                    *undecided |= u64::from(some & open) << (vector * count::<L::Widest>());
                }
            }
        } else {
            let filled = block.filled(lanes);
            for lane in set_bits(rays) {
                let ray = TriangleBlockF64::prepared_ray(prepared, lane);
                let mut open = filled;
                if Q::NEEDS.any_hit_settles {
                    let interval = [t_min.get(lane), t_max.get(lane)];
                    let [hit, unknown] = block.any_hit(lanes, &ray, culling, interval);
                    certain |= u64::from(hit != 0) << lane;
                    open &= unknown;
                } else {
                    open &= block.undecided(lanes, &ray);
                }
                for primitive in set_bits(open) {
                    undecided[primitive] |= 1 << lane;
                }
            }
        }
        if Q::NEEDS.any_hit_settles {
            Q::take_certain_hits(&mut self.offers.known, certain);
            self.group.live &= !certain;
        }
        undecided
    }

    /// Decides a primitive for some rays of a vector, and offers the hits. Returns the rays with
    /// one, as bits.
    #[inline(always)]
    fn decide<V: Vectors<f64>>(
        &mut self,
        lanes: V,
        primitive: usize,
        (vector, open): (usize, u32),
    ) -> u32 {
        let Self { chunk_rays, block, offers, .. } = self;
        let PreparedGroup { rays, t_max } = self.prepared;
        let ActiveGroup { rows, live, .. } = &mut *self.group;
        let RayParts { t_min, t_max: came_with, .. } = &chunk_rays.rays.columns;
        let interval = [t_min.load(lanes, vector), came_with.load(lanes, vector)];
        let mut met =
            block.decide_rays(lanes, primitive, rays, (vector, interval), offers.rules.culling);
        let one_by_one = open & (!met.is_plain.bits() | met.doubtful.bits());
        // Earlier hits may have narrowed the interval.
        met.met = met.met & !met.doubtful & met.t.le(t_max.load(lanes, vector));
        let mut changed = met.met.bits();
        if changed != 0 {
            offers.offer(lanes, (*block, primitive), (vector, met), t_max, (rows, live));
        }
        for lane in set_bits(one_by_one) {
            let place = vector * V::COUNT + lane;
            let ray =
                (place, &chunk_rays.rays.ray(place), &TriangleBlockF64::prepared_ray(rays, place));
            let met = offers.decide((*block, primitive), ray, t_max, (rows, live));
            changed |= u32::from(met) << lane;
        }
        changed
    }

    /// Narrows the intervals that boxes see, for some rays. Returns whether any became narrower.
    #[inline(always)]
    fn narrow<V: BothPrecisions>(&mut self, lanes: V, rays: u64) -> bool {
        let (t_max, scale, seen) =
            (&self.prepared.t_max, &self.chunk_rays.scale, &mut self.group.slabs.t_max);
        let mut narrows = false;
        let mut left = rays;
        while left != 0 {
            let (vector, _) = take_vector(&mut left, count::<V>());
            let before = seen.load(lanes, vector);
            let after: <V as Vectors<f32>>::Real =
                not_below(t_max.load_wide(lanes, vector) * scale.load_wide(lanes, vector));
            narrows |= after.lt(before).bits() != 0;
            seen.store(lanes, after.min(before), vector);
        }
        narrows
    }
}

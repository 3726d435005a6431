//! Trees of `f32`, and rays at their leaves: one primitive against a vector of rays, or against
//! each.

use std::ops::Range;

use super::chunk_rays::{ChunkRays, LeafVisit};
use super::groups::{ActiveGroup, in_vector, vectors_of};
use super::plan::test_each;
use super::slab::SlabAxes;
use super::{Numbered, Target, count};
use crate::answers::Candidate;
use crate::kernel::watertight::{Passage, decide, undecided};
use crate::kernel::{Doubt, Met, RoundedInterval};
use crate::leaf::{
    GivenRays, PairBlock, RayBlock, TriangleBlock, TriangleLeaf, TrianglesFromOrigin,
    WatertightRay, WatertightRays,
};
use crate::query::Query;
use crate::simd::{
    Backend, LANES, Lanes, MapEach, Mask, Real, Rearrange, Single, Vectors, Widening, set_bits,
};
use crate::status::Status;
use crate::threads::Spread;
use crate::tree::{BuildQuality, Bvh, Fetch, Leaf, OwnFrame};
use crate::value::{
    Aabb, GROUP, GroupColumn, Heading, Ray, RayBatch, RayGroup, RayParts, RaySource, Side,
};

impl Target<f32> for Bvh<TriangleBlock> {
    type Block = TriangleBlock;
    type Viewpoint = OwnFrame;
    type Rays<'a, 'r>
        = ChunkRaysF32<'a, 'r>
    where
        'r: 'a;

    fn build(
        count: usize,
        triangles: &impl Fetch<Content = Numbered<f32>>,
        quality: BuildQuality,
        spread: Spread<'_>,
    ) -> Option<Self> {
        let box_of = |&(corners, _): &Numbered<f32>| Aabb::of_points(corners);
        let fill = |block: &mut TriangleBlock, triangles: &[_], _| block.fill(triangles);
        Bvh::build(None, count, triangles, box_of, fill, quality, spread)
    }

    fn of_parts(bvh: Bvh<TriangleBlock>, _: OwnFrame, _: Aabb) -> Self {
        bvh
    }

    fn refit(
        &mut self,
        rewrite: impl Fn(&mut TriangleBlock) + Sync,
        spread: Spread<'_>,
    ) -> Option<()> {
        let box_of = |block: &TriangleBlock| {
            Aabb::of_points(block.triangles().flat_map(|(corners, _)| corners))
        };
        Bvh::refit(self, None, rewrite, box_of, spread)
    }

    fn copy(&self, spread: Spread<'_>) -> Option<Self> {
        Bvh::copy(self, spread)
    }

    fn bounds(&self) -> Aabb {
        self.bounds
    }

    #[inline(always)]
    fn bvh(&self) -> &Self {
        self
    }

    fn bvh_mut(&mut self) -> &mut Self {
        self
    }

    #[inline(always)]
    fn viewpoint(&self) -> &OwnFrame {
        &OwnFrame
    }

    #[inline(always)]
    fn chunk_rays<'a, 'r>(&'a self, rays: &'a RayBatch<'r>) -> ChunkRaysF32<'a, 'r> {
        ChunkRaysF32 { rays, source: RaySource::new(rays) }
    }

    #[inline(always)]
    fn seen(&self, ray: &Ray) -> Result<(SlabAxes, [f32; 2], f64), Status> {
        let axes = match SlabAxes::if_sound_and_in_range(ray, self.arena.anchor, self.range, 1.0) {
            Some(axes) => axes,
            None => match ray.find_defect() {
                Some(defect) => return Err(defect),
                None => SlabAxes::unbounded(ray),
            },
        };
        Ok((axes, [ray.t_min, ray.t_max], 1.0))
    }
}

/// Rays of `f32`.
pub(crate) struct ChunkRaysF32<'a, 'r> {
    rays: &'a RayBatch<'r>,
    source: RaySource<'r>,
}

impl ChunkRays for ChunkRaysF32<'_, '_> {
    type Scalar = f32;
    type Block = TriangleBlock;
    type Group = WatertightRays;

    fn ray(&self, row: u32) -> Ray {
        self.rays.ray(row as usize)
    }

    #[inline(always)]
    fn prefetch(&self, rows: Range<usize>) {
        self.source.prefetch(rows);
    }

    fn gather(&mut self, backend: Backend, rows: &[u32], into: &mut RayGroup) -> u64 {
        into.gather_on(backend, &self.source, rows)
    }

    fn find_defect(&self, seen: &RayGroup, lane: usize) -> Option<Status> {
        seen.ray(lane).find_defect()
    }

    #[inline(always)]
    fn prepare<L: Lanes>(&self, lanes: L, seen: &RayGroup, into: &mut [WatertightRay; GROUP]) {
        TriangleBlock::prepare_each(lanes.widest(), seen, into);
    }

    #[inline(always)]
    fn prepare_group<L: Lanes>(
        &self,
        lanes: L,
        seen: &RayGroup,
        heading: Heading,
        into: &mut WatertightRays,
    ) {
        into.prepare(lanes.widest(), seen, heading);
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes, Q: Query>(
        visit: &mut LeafVisit<'_, '_, Self, Q>,
        lanes: L,
        rays: u64,
    ) -> bool {
        let (block, mut filled) = (visit.block, visit.block.filled(lanes));
        let mut from_origin = bytemuck::Zeroable::zeroed();
        let start_together = visit.prepared.start_together;
        if start_together {
            filled &= block.reject_from_origin(lanes, visit.prepared, &mut from_origin);
        }
        let from_origin = start_together.then_some(&from_origin);
        // A vector of rays is tested against each primitive, a ray against all of them.
        let vectors = vectors_of(rays, count::<L::Widest>()) as u32;
        let each = test_each(rays.count_ones(), filled.count_ones(), vectors);
        let mut may_meet = [rays; LANES];
        if each {
            (filled, may_meet) = visit.test_each(lanes, from_origin, (filled, rays));
        }
        visit.test(lanes.widest(), from_origin, filled, (&may_meet, each))
    }
}

impl<Q: Query> LeafVisit<'_, '_, ChunkRaysF32<'_, '_>, Q> {
    /// Tests some primitives, each against the rays that may meet it; `each`: whether these were
    /// [tested](Self::test_each) one by one. Returns whether any interval may be narrower.
    #[inline(always)]
    fn test<V: Rearrange<Real: Widening>>(
        &mut self,
        lanes: V,
        from_origin: Option<&TrianglesFromOrigin>,
        primitives: u8,
        (may_meet, each): (&[u64; LANES], bool),
    ) -> bool {
        // Each pair is decided at once: collecting open pairs first, to decide them without a
        // branch between the vectors, was 5 to 7% slower in the kitchen and the city and 4% faster
        // at the dragon. One loop for both ways, as deciding is most of the machine code of a leaf.
        let mut narrows = false;
        for primitive in set_bits(primitives) {
            for vector in GroupColumn::<f32>::vectors::<V>() {
                let some = in_vector::<V>(may_meet[primitive] & self.group.live, vector);
                if some != 0
                    && (each || self.is_open(lanes, primitive, from_origin, (vector, some)))
                {
                    self.decide(lanes, primitive, from_origin, vector);
                    narrows = self.offers.query.narrows();
                }
            }
        }
        narrows
    }

    /// Whether some rays of a vector may meet a primitive. Those that certainly do are settled
    /// where that is all a query asks.
    #[inline(always)]
    fn is_open<V: Rearrange>(
        &mut self,
        lanes: V,
        primitive: usize,
        from_origin: Option<&TrianglesFromOrigin>,
        (vector, some): (usize, u32),
    ) -> bool {
        let vertices = self.prepared.sheared(lanes, self.block, primitive, from_origin, vector);
        let open = undecided(&vertices) & lanes.mask_of_bits(some);
        if !Q::NEEDS.any_hit_settles || open.bits() == 0 {
            return open.bits() != 0;
        }
        let RayParts { t_min, t_max, .. } = &self.group.rays.columns;
        let interval = [t_min.load(lanes, vector), t_max.load(lanes, vector)];
        let interval =
            RoundedInterval::new(self.prepared.rays.direction_z.load(lanes, vector), interval);
        let [hit, unknown] = interval.classify(&vertices, self.offers.rules.culling, open);
        self.settle_certain(u64::from(hit.bits()) << (vector * V::COUNT));
        unknown.bits() != 0
    }

    /// Tests rays one by one against all of these primitives together. Returns the primitives that
    /// some may meet, and the rays that may meet each. Those that certainly hit are settled where
    /// that is all a query asks.
    #[inline(always)]
    fn test_each<L: Lanes>(
        &mut self,
        lanes: L,
        from_origin: Option<&TrianglesFromOrigin>,
        (primitives, rays): (u8, u64),
    ) -> (u8, [u64; LANES]) {
        let primitives = lanes.mask_of_bits(primitives.into());
        let (mut may_meet, mut some) = ([0; LANES], 0);
        for lane in set_bits(rays & self.group.live) {
            let vertices = self.prepared.sheared_of_one(lanes, self.block, from_origin, lane);
            let open = undecided(&vertices) & primitives;
            let mut bits = open.bits();
            if Q::NEEDS.any_hit_settles && bits != 0 {
                let RayParts { t_min, t_max, .. } = &self.group.rays.columns;
                let interval = [t_min.get(lane), t_max.get(lane)];
                let interval =
                    RoundedInterval::new(self.prepared.rays.direction_z.get(lane), interval);
                let [hit, unknown] =
                    interval.splat(lanes).classify(&vertices, self.offers.rules.culling, open);
                bits = unknown.bits();
                if hit.bits() != 0 {
                    self.settle_certain(1 << lane);
                    continue;
                }
            }
            some |= bits;
            for primitive in set_bits(bits) {
                may_meet[primitive % LANES] |= 1 << lane;
            }
        }
        (some as u8, may_meet)
    }

    /// Settles rays that certainly hit.
    #[inline(always)]
    fn settle_certain(&mut self, rays: u64) {
        Q::take_certain_hits(&mut self.offers.known, rays);
        self.group.live &= !rays;
    }

    /// Decides a primitive for a vector of rays, and offers the hits.
    #[inline(always)]
    fn decide<V: Vectors<f32, Real: Widening>>(
        &mut self,
        lanes: V,
        primitive: usize,
        from_origin: Option<&TrianglesFromOrigin>,
        vector: usize,
    ) {
        let (block, rules) = (self.block, Q::rules(self.offers.rules));
        let RayParts { t_min, t_max, .. } = &self.group.rays.columns;
        let interval = [t_min.load(lanes, vector), t_max.load(lanes, vector)];
        let vertices = self.prepared.sheared(lanes, block, primitive, from_origin, vector);
        let direction_z = self.prepared.rays.direction_z.load(lanes, vector);
        let given = GivenRays { lanes, block, lane: primitive, rays: self.prepared, vector };
        let Some(mut passage) = decide(&vertices, &given, direction_z, rules, interval) else {
            return;
        };
        let doubtful = passage.doubtful.bits() & in_vector::<V>(self.group.live, vector);
        if doubtful != 0 {
            self.resolve(lanes, primitive, &passage, (vector, doubtful));
        }
        let ActiveGroup { rows, slabs, live, .. } = &mut *self.group;
        // Earlier hits may have narrowed the interval.
        let limit = slabs.t_max.load(lanes, vector);
        passage.met = passage.met & !passage.doubtful & passage.t.le(limit);
        self.offers.offer(
            lanes,
            (block, primitive),
            (vector, passage),
            &mut slabs.t_max,
            (rows, live),
        );
    }

    /// Offers the doubtful hits of some rays of a vector that count.
    #[cold]
    fn resolve<V: Vectors<f32, Real: Widening>>(
        &mut self,
        lanes: V,
        primitive: usize,
        passage: &Passage<V::Real>,
        (vector, doubtful): (usize, u32),
    ) {
        let number = self.block.number(primitive);
        let mut values: [V::Row; 3] = bytemuck::Zeroable::zeroed();
        let [u, v] = passage.weights();
        for (row, column) in values.iter_mut().zip([passage.t, u, v]) {
            lanes.store(column, row);
        }
        let (is_far, front) = (passage.is_far.bits(), passage.front.bits());
        for lane in set_bits(doubtful) {
            let of_lane = values.each_ref().map_each(|row| row.as_ref()[lane]);
            let doubt = if is_far >> lane & 1 == 1 { Doubt::Far } else { Doubt::NearEnd };
            let place = vector * V::COUNT + lane;
            let ActiveGroup { rays, rows, slabs, live, .. } = &mut *self.group;
            let resolved = self.block.resolve(primitive, &rays.ray(place), (doubt, of_lane));
            if let Some([t, u, v]) = resolved
                && t <= slabs.t_max.get(place)
            {
                let met = (Candidate { t, u, v, number }, Side::front_if(front >> lane & 1 == 1));
                self.offers.offer(
                    Single,
                    (self.block, primitive),
                    (place, met),
                    &mut slabs.t_max,
                    (rows, live),
                );
            }
        }
    }
}

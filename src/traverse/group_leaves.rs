//! Groups at leaves, and the leaves of `f32`: one primitive against a vector of rays.

use std::ops::Range;

use super::chunk_rays::{ChunkRays, ChunkRaysF32, PreparedOf};
use super::groups::{ActiveGroup, GroupLeaves, in_vector};
use crate::kernel::Met;
use crate::leaf::{LeafBlock, RayBlock};
use crate::query::{Casting, GroupState, Offer, Query};
use crate::simd::{Backend, Kernel, Lanes, Mask, Real, Scalar, Single, Vectors, Widening, call, set_bits};
use crate::tree::arena::{Arena, Reference};
use crate::value::{GROUP, GroupColumn, Ray, RayGroup, RayParts, Rules};

/// The leaves of the tree, and the rays of a chunk.
pub(super) struct GroupLeafTest<'a, P: ChunkRays, Q: Query<P::Scalar>> {
    backend: Backend,
    arena: &'a Arena<P::Block>,
    /// The rays of the chunk, and those gathered last.
    pub(super) chunk: P,
    /// Prepared for primitives, once the first leaf is reached.
    pub(super) prepared: P::Group,
    is_prepared: bool,
    pub(super) offers: GroupOffers<'a, P::Scalar, Q>,
}

impl<'a, P: ChunkRays, Q: Query<P::Scalar>> GroupLeafTest<'a, P, Q> {
    pub(super) fn new(
        backend: Backend,
        arena: &'a Arena<P::Block>,
        chunk: P,
        how: Casting<'_>,
        query: &'a mut Q,
    ) -> Self {
        Self {
            backend,
            arena,
            chunk,
            prepared: bytemuck::Zeroable::zeroed(),
            is_prepared: false,
            offers: GroupOffers { rules: how.rules, query, known: Q::Group::START },
        }
    }
}

impl<P: ChunkRays, Q: Query<P::Scalar>> GroupLeaves for GroupLeafTest<'_, P, Q> {
    fn narrows(&self) -> bool {
        Q::NARROWS
    }

    fn forgets(&self) -> bool {
        Q::Group::FORGETS
    }

    fn prefetch_rays(&self, rows: Range<usize>) {
        self.chunk.prefetch(rows);
    }

    fn prefetch_answers(&self, rows: Range<usize>) {
        self.offers.query.prefetch(rows);
    }

    fn gather(&mut self, rows: &[u32], into: &mut RayGroup) -> u64 {
        let [sound, fit] = call(self.backend, Gathering { chunk: &mut self.chunk, rows, into });
        for lane in set_bits(into.live & !sound) {
            if let Some(defect) = self.chunk.find_defect(into, lane) {
                self.offers.query.refuse(rows[lane] as usize, defect);
                into.live &= !(1 << lane);
            }
        }
        let left_out = into.live & !fit;
        into.live &= fit;
        left_out
    }

    fn start(&mut self) {
        self.is_prepared = false;
        self.offers.known.restart();
    }

    fn visit(&mut self, leaf: Reference, rays: u64, group: ActiveGroup<'_>) -> bool {
        call(self.backend, LeafVisit { leaves: self, leaf, rays, group })
    }

    fn finish(&mut self, rows: &[u32; GROUP], lanes: u64) {
        self.offers.known.finish(self.offers.query, rows, lanes);
    }
}

/// Gathers rays. Returns those that certainly have no defect, and those that boxes can test in a group.
struct Gathering<'g, P> {
    chunk: &'g mut P,
    rows: &'g [u32],
    into: &'g mut RayGroup,
}

impl<P: ChunkRays> Kernel for Gathering<'_, P> {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [u64; 2] {
        let sound = self.chunk.gather(lanes, self.rows, self.into);
        [sound, self.chunk.fit(lanes, self.into)]
    }
}

/// See [`GroupLeaves::visit`].
struct LeafVisit<'v, 'a, P: ChunkRays, Q: Query<P::Scalar>> {
    leaves: &'v mut GroupLeafTest<'a, P, Q>,
    leaf: Reference,
    rays: u64,
    group: ActiveGroup<'v>,
}

impl<P: ChunkRays, Q: Query<P::Scalar>> Kernel for LeafVisit<'_, '_, P, Q> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Self { leaves, leaf, rays, mut group } = self;
        if !leaves.is_prepared {
            leaves.chunk.prepare_group(lanes, group.rays, group.heading, &mut leaves.prepared);
            leaves.is_prepared = true;
        }
        P::visit_leaf(leaves, lanes, leaves.arena.block(leaf), rays, &mut group)
    }
}

/// The query, and what it knows of the rays of a group.
pub(super) struct GroupOffers<'a, T: Scalar, Q: Query<T>> {
    pub(super) rules: Rules,
    query: &'a mut Q,
    known: Q::Group,
}

impl<T: Scalar, Q: Query<T>> GroupOffers<'_, T, Q> {
    /// Offers the hits of a vector of rays with a primitive.
    #[inline(always)]
    pub(super) fn offer<V: Vectors<T>, M: Met<V::Real>, B: RayBlock<T>>(
        &mut self,
        lanes: V,
        (block, primitive): (&B, usize),
        (vector, met): (usize, M),
        t_max: &mut GroupColumn<T>,
        (rows, live): (&[u32; GROUP], &mut u64),
    ) {
        let offer = Offer { met, number: block.number(primitive), vector, rows, t_max };
        let settled = self.known.offer(self.query, lanes, offer, || block.geometric_normal(primitive));
        *live &= !(u64::from(settled) << (vector * V::COUNT));
    }

    /// Decides a primitive for the ray in a lane, and offers the hit. Returns whether there is one.
    #[inline(always)]
    pub(super) fn decide<B: RayBlock<T>>(
        &mut self,
        (block, primitive): (&B, usize),
        (lane, ray, prepared): (usize, &Ray<T>, &B::PreparedRay),
        t_max: &mut GroupColumn<T>,
        group: (&[u32; GROUP], &mut u64),
    ) -> bool {
        let found = block.decide(primitive, prepared, self.rules, [ray.t_min, ray.t_max]);
        let Some(found) = found else { return false };
        match found.settled(|| block.settle(primitive, ray)) {
            Some(candidate) if candidate.t <= t_max.get(lane) => {
                let met = (candidate, found.side);
                self.offer(Single, (block, primitive), (lane, met), t_max, group);
                true
            }
            _ => false,
        }
    }
}

impl<B: LeafBlock, Q: Query> GroupLeafTest<'_, ChunkRaysF32<'_, '_, B>, Q> {
    /// Tests some primitives of a leaf against some of the rays. Returns whether any interval may be
    /// narrower.
    #[inline(always)]
    pub(super) fn test_leaf<V: Vectors<f32, Real: Widening>>(
        &mut self,
        lanes: V,
        block: &B,
        from_origin: Option<&B::FromOrigin>,
        (primitives, rays): (u8, u64),
        group: &mut ActiveGroup<'_>,
    ) -> bool {
        // Each pair is decided at once: collecting open pairs first, to decide them without a branch between
        // the vectors, was 5 to 7% slower in the kitchen and the city and 4% faster at the dragon.
        let mut narrows = false;
        for primitive in set_bits(primitives) {
            for vector in GroupColumn::<f32>::vectors::<V>() {
                let some = in_vector::<V>(rays & *group.live, vector);
                if some != 0
                    && some & block.undecided_rays(lanes, primitive, from_origin, &self.prepared, vector) != 0
                {
                    self.decide(lanes, (block, primitive), from_origin, vector, group);
                    narrows = Q::NARROWS;
                }
            }
        }
        narrows
    }

    /// Decides a primitive for a vector of rays, and offers the hits.
    #[inline(always)]
    fn decide<V: Vectors<f32, Real: Widening>>(
        &mut self,
        lanes: V,
        (block, primitive): (&B, usize),
        from_origin: Option<&B::FromOrigin>,
        vector: usize,
        group: &mut ActiveGroup<'_>,
    ) {
        let RayParts { t_min, t_max, .. } = &group.rays.columns;
        let (interval, rules) = ([t_min.load(lanes, vector), t_max.load(lanes, vector)], self.offers.rules);
        let passage =
            block.decide_rays(lanes, primitive, from_origin, &self.prepared, (vector, interval), rules);
        let Some(mut passage) = passage else { return };
        for lane in set_bits(passage.near_end.bits() & in_vector::<V>(*group.live, vector)) {
            self.decide_near_end((block, primitive), vector * V::COUNT + lane, group);
        }
        // Earlier hits may have narrowed the interval.
        let t_max = &mut group.slabs.t_max;
        passage.met = passage.met & !passage.near_end & passage.t.le(t_max.load(lanes, vector));
        let of_group = (group.rows, &mut *group.live);
        self.offers.offer(lanes, (block, primitive), (vector, passage), t_max, of_group);
    }

    /// Decides a primitive for one ray near an end of its interval, and offers the hit.
    #[cold]
    fn decide_near_end(&mut self, pair: (&B, usize), lane: usize, group: &mut ActiveGroup<'_>) {
        let ray = group.rays.ray(lane);
        let prepared: PreparedOf<ChunkRaysF32<'_, '_, B>> = B::prepare(&ray);
        let of_group = (group.rows, &mut *group.live);
        self.offers.decide(pair, (lane, &ray, &prepared), &mut group.slabs.t_max, of_group);
    }
}

//! Groups of `f32` at leaves: one primitive against a vector of rays.

use std::ops::Range;

use super::groups::{ActiveGroup, GroupLeaves, in_vector};
use crate::answers::Candidate;
use crate::kernel::Met;
use crate::leaf::LeafBlock;
use crate::query::{Casting, GroupState, Offer, Query};
use crate::simd::{Backend, Kernel, Lanes, Mask, Real, Single, Vectors, Widening, call, set_bits};
use crate::tree::arena::{Arena, Reference};
use crate::value::{GROUP, GroupColumn, RayBatch, RayGroup, RayParts, RaySource, Rules, Side};

/// The leaves of the tree, and the rays of a chunk of `f32`.
pub(super) struct GroupLeafTest<'a, 'r, B: LeafBlock, Q: Query> {
    backend: Backend,
    arena: &'a Arena<B>,
    source: RaySource<'r>,
    rules: Rules,
    query: &'a mut Q,
    /// Prepared for primitives, once the first leaf is reached.
    prepared: B::PreparedRays,
    is_prepared: bool,
    /// The state of the query.
    known: Q::Group,
}

impl<'a, 'r, B: LeafBlock, Q: Query> GroupLeafTest<'a, 'r, B, Q> {
    pub(super) fn new(
        backend: Backend,
        arena: &'a Arena<B>,
        rays: &RayBatch<'r>,
        how: Casting<'_>,
        query: &'a mut Q,
    ) -> Self {
        Self {
            backend,
            arena,
            source: RaySource::new(rays),
            rules: how.rules,
            query,
            prepared: bytemuck::Zeroable::zeroed(),
            is_prepared: false,
            known: Q::Group::START,
        }
    }

    /// Tests some primitives of a leaf against some of the rays. Returns whether any interval may be
    /// narrower.
    #[inline(always)]
    fn test_leaf<V: Vectors<f32, Real: Widening>>(
        &mut self,
        lanes: V,
        block: &B,
        from_origin: Option<&B::FromOrigin>,
        [primitives, rays]: [u64; 2],
        group: &mut ActiveGroup<'_>,
    ) -> bool {
        // Each pair is decided at once: collecting open pairs first, to decide them without a branch between
        // the vectors, was 5 to 7% slower in the kitchen and the city and 4% faster at the dragon.
        let mut narrows = false;
        for primitive in set_bits(primitives as u8) {
            for vector in GroupColumn::<f32>::vectors::<V>() {
                let some = in_vector::<V>(rays & *group.live, vector);
                if some != 0
                    && some & block.undecided_rays(lanes, primitive, from_origin, &self.prepared, vector) != 0
                {
                    self.decide(lanes, block, primitive, from_origin, vector, group);
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
        block: &B,
        primitive: usize,
        from_origin: Option<&B::FromOrigin>,
        vector: usize,
        group: &mut ActiveGroup<'_>,
    ) {
        let RayParts { t_min, t_max, .. } = &group.rays.columns;
        let interval = [t_min.load(lanes, vector), t_max.load(lanes, vector)];
        let passage =
            block.decide_rays(lanes, primitive, from_origin, &self.prepared, (vector, interval), self.rules);
        let Some(mut passage) = passage else { return };
        for lane in set_bits(passage.near_end.bits() & in_vector::<V>(*group.live, vector)) {
            let side = Side::front_if(passage.front().bits() >> lane & 1 == 1);
            self.settle(block, primitive, vector * V::COUNT + lane, side, group);
        }
        // Earlier hits may have narrowed the interval.
        let limit = group.slabs.t_max.load(lanes, vector);
        passage.met = passage.met & !passage.near_end & passage.t.le(limit);
        let number = block.number(primitive);
        let offer = Offer { met: passage, number, vector, rows: group.rows, t_max: &mut group.slabs.t_max };
        let settled = self.known.offer(self.query, lanes, offer, || block.geometric_normal(primitive));
        *group.live &= !(u64::from(settled) << (vector * V::COUNT));
    }

    /// Offers the hit of one ray near an end of its interval, if it counts.
    #[cold]
    fn settle(&mut self, block: &B, primitive: usize, lane: usize, side: Side, group: &mut ActiveGroup<'_>) {
        let Some([t, u, v]) = block.settle(primitive, &group.rays.ray(lane)) else { return };
        if t > group.slabs.t_max.get(lane) {
            return;
        }
        let number = block.number(primitive);
        let met = (Candidate { t, u, v, number }, side);
        let offer = Offer { met, number, vector: lane, rows: group.rows, t_max: &mut group.slabs.t_max };
        let settled = self.known.offer(self.query, Single, offer, || block.geometric_normal(primitive));
        *group.live &= !(u64::from(settled) << lane);
    }
}

impl<B: LeafBlock, Q: Query> GroupLeaves for GroupLeafTest<'_, '_, B, Q> {
    fn narrows(&self) -> bool {
        Q::NARROWS
    }

    fn forgets(&self) -> bool {
        Q::Group::FORGETS
    }

    fn prefetch_rays(&self, rows: Range<usize>) {
        self.source.prefetch(rows);
    }

    fn prefetch_answers(&self, rows: Range<usize>) {
        self.query.prefetch(rows);
    }

    fn gather(&mut self, rows: &[u32], into: &mut RayGroup) -> u64 {
        let sound = call(self.backend, Gathering { source: &self.source, rows, into });
        for lane in set_bits(into.live & !sound) {
            if let Some(defect) = into.ray(lane).find_defect() {
                self.query.refuse(rows[lane] as usize, defect);
                into.live &= !(1 << lane);
            }
        }
        0
    }

    fn start(&mut self) {
        self.is_prepared = false;
        self.known.restart();
    }

    fn visit(&mut self, leaf: Reference, rays: u64, group: ActiveGroup<'_>) -> bool {
        call(self.backend, LeafVisit { leaves: self, leaf, rays, group })
    }

    fn finish(&mut self, rows: &[u32; GROUP], lanes: u64) {
        call(self.backend, Finishing { known: &self.known, query: self.query, rows, lanes });
    }
}

/// Gathers rays. Returns those that certainly have no defect, as bits.
struct Gathering<'a, 'r> {
    source: &'a RaySource<'r>,
    rows: &'a [u32],
    into: &'a mut RayGroup,
}

impl Kernel for Gathering<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> u64 {
        let wide = lanes.widest();
        self.into.gather(wide, self.source, self.rows);
        self.into.surely_sound(wide)
    }
}

/// See [`GroupLeaves::finish`].
struct Finishing<'a, Q: Query> {
    known: &'a Q::Group,
    query: &'a mut Q,
    rows: &'a [u32; GROUP],
    lanes: u64,
}

impl<Q: Query> Kernel for Finishing<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        self.known.finish(self.query, self.rows, self.lanes);
    }
}

/// See [`GroupLeaves::visit`].
struct LeafVisit<'v, 'a, 'r, B: LeafBlock, Q: Query> {
    leaves: &'v mut GroupLeafTest<'a, 'r, B, Q>,
    leaf: Reference,
    rays: u64,
    group: ActiveGroup<'v>,
}

impl<B: LeafBlock, Q: Query> Kernel for LeafVisit<'_, '_, '_, B, Q> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Self { leaves, leaf, rays, mut group } = self;
        let (block, wide) = (leaves.arena.block(leaf), lanes.widest());
        if !leaves.is_prepared {
            B::prepare_group(wide, group.rays, group.heading, &mut leaves.prepared);
            leaves.is_prepared = true;
        }
        let filled = block.filled(lanes);
        if B::start_together(&leaves.prepared) {
            let mut from_origin = bytemuck::Zeroable::zeroed();
            let undecided = block.reject_from_origin(lanes, &leaves.prepared, &mut from_origin);
            leaves.test_leaf(
                wide,
                block,
                Some(&from_origin),
                [u64::from(filled & undecided), rays],
                &mut group,
            )
        } else {
            leaves.test_leaf(wide, block, None, [u64::from(filled), rays], &mut group)
        }
    }
}

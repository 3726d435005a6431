//! The leaves of a tree of primitives, tested against lists of rays.

use super::walk::{Visit, Walk};
use super::{StreamLeaves, StreamRays};
use crate::leaf::{PairBlock, PreparedRay, RayBlock};
use crate::query::Query;
use crate::simd::{
    Backend, LANES, Lanes, MAX_LANES, Mask, Real, Rearrange, call, number_of, prefetch,
};
use crate::traverse::chunk_rays::{ChunkRays, LaidOutOf, PreparedOf};
use crate::traverse::count;
use crate::traverse::pairs::{OpenPairs, Pair, PairRays, PairStage, RAYS};
use crate::traverse::plan::{Plan, TUNING};
use crate::traverse::ready::Ready;
use crate::tree::arena::{Arena, Reference};

/// The leaves of the tree, and the states of the query.
pub(super) struct StreamLeafTest<'a, 'r, P: ChunkRays, Q: Query<P::Scalar>> {
    backend: Backend,
    arena: &'a Arena<P::Block>,
    plan: Plan<'a>,
    query: &'a mut Q,
    /// A ray's place among them is its number.
    rays: &'a Ready<'r, P>,
    pub(super) states: Vec<Q::State>,
    /// The primitives of a leaf that many rays are at.
    laid_out: LaidOutOf<P>,
    /// The open pairs of the leaf.
    open: OpenPairs<P::Block, P::Scalar>,
}

impl<'a, 'r, P: ChunkRays, Q: Query<P::Scalar>> StreamLeafTest<'a, 'r, P, Q> {
    /// For prepared rays to which nothing has been offered.
    pub(super) fn new(
        backend: Backend,
        arena: &'a Arena<P::Block>,
        rays: &'a Ready<'r, P>,
        plan: Plan<'a>,
        query: &'a mut Q,
    ) -> Self {
        Self {
            backend,
            arena,
            plan,
            query,
            states: vec![Q::START; rays.rows.len()],
            rays,
            laid_out: bytemuck::Zeroable::zeroed(),
            open: OpenPairs::new(),
        }
    }
}

impl<P: ChunkRays, Q: Query<P::Scalar>> StreamLeaves for StreamLeafTest<'_, '_, P, Q> {
    fn visit(&mut self, walk: &mut Walk, slab_rays: &mut StreamRays) {
        let mut made = None;
        call!(self.backend, lanes => loop {
            let length = walk.compact(lanes, slab_rays);
            let Visit { reference, first, .. } = walk.next;
            let list = (walk.lists.list(first, length), length);
            self.test(lanes, (reference, &mut made), list, slab_rays);
            if !walk.is_leaf_on_top() {
                break;
            }
            walk.pop();
        });
    }
}

impl<P: ChunkRays, Q: Query<P::Scalar>> StreamLeafTest<'_, '_, P, Q> {
    /// Tests the primitives of the leaf against the first `length` rays of the list, which is
    /// readable up to a multiple of [`MAX_LANES`].
    #[inline(always)]
    fn test<L: Lanes>(
        &mut self,
        lanes: L,
        (leaf, made): (Reference, &mut Option<P::Block>),
        (list, length): (&[u32], usize),
        slab_rays: &mut StreamRays,
    ) {
        if length == 0 {
            return;
        }
        if self.plan.chunk.work(8 + length as u32).is_break() {
            return slab_rays.settle_all();
        }
        let block = self.arena.block(leaf, made);
        let lays_out =
            P::Block::CAN_LAY_OUT && count::<L::Widest>() > LANES && length >= TUNING.many_at_leaf;
        if lays_out {
            block.lay_out(&mut self.laid_out);
        }
        // In longer lists a branch for each ray takes longer than deciding pairs in vectors.
        let settles =
            Q::NEEDS.any_hit_settles && P::Block::IS_CERTAIN_FIRST && length < TUNING.many_at_leaf;
        for first in (0..length).step_by(RAYS) {
            let here = RAYS.min(length - first);
            let list = (&list[first..first + here.next_multiple_of(MAX_LANES)], here);
            self.open.clear();
            if lays_out {
                self.reject_together(lanes.widest(), block.filled(lanes), list);
            } else {
                self.reject_each(lanes, (block, settles), list, slab_rays);
            }
            let Self { rays, plan, query, states, open, .. } = &mut *self;
            let at_leaf = &mut StreamPairRays { block, rays, states, slab_rays: &mut *slab_rays };
            PairStage { ready: rays, query: *query, rules: plan.rules }
                .decide(lanes, open, at_leaf);
        }
    }

    /// Tests the rays one by one and adds their open pairs, or first settles those that certainly
    /// hit.
    #[inline(always)]
    fn reject_each<L: Lanes>(
        &mut self,
        lanes: L,
        (block, settles): (&P::Block, bool),
        (list, length): (&[u32], usize),
        slab_rays: &mut StreamRays,
    ) {
        let (rays, list) = (self.rays.prepared(), &list[..length]);
        let mut open = [0; RAYS];
        for (place, (open, &entry)) in open.iter_mut().zip(list).enumerate() {
            if let Some(&later) = list.get(place + 8) {
                prefetch(&rays[usize::from(number_of(later))]);
            }
            let number = usize::from(number_of(entry));
            let ray = &rays[number];
            if settles {
                let interval =
                    ray.given_interval([self.rays.t_min[number], slab_rays.limits[number]]);
                let [hit, undecided] = block.any_hit(lanes, ray, self.plan.rules.culling, interval);
                *open = undecided;
                if hit != 0 {
                    *open = 0;
                    Q::take_certain_hit(&mut self.states[number]);
                    slab_rays.settle(number_of(entry));
                }
            } else {
                *open = block.undecided(lanes, ray);
            }
        }
        // In a loop of its own, as in flight.
        for (&open, &entry) in open.iter().zip(list) {
            self.open.add(lanes, number_of(entry), open);
        }
    }

    /// The same for vectors of rays against each laid-out primitive of `filled`.
    #[inline(always)]
    fn reject_together<V: Rearrange>(
        &mut self,
        lanes: V,
        filled: u8,
        (list, length): (&[u32], usize),
    ) {
        for first in (0..length).step_by(V::COUNT) {
            let there = lanes.first((length - first).min(V::COUNT) as u32);
            // Behind the list lie old entries, maybe of rays that are no more.
            let known =
                lanes.of_bits(lanes.load_u32(&list[first..])).select(there, lanes.splat(0.0));
            let mut entries = [0; MAX_LANES];
            lanes.store_u32(lanes.to_bits(known), &mut entries);
            let mut pairs = [Pair::default(); MAX_LANES];
            for (pair, &entry) in pairs.iter_mut().zip(&entries) {
                *pair = Pair::of(number_of(entry).into());
            }
            P::Block::undecided_laid_out(
                lanes,
                &self.laid_out,
                filled,
                (self.rays.prepared(), &entries),
                |lane, undecided| self.open.add_rays(lanes, &pairs, there.bits() & undecided, lane),
            );
        }
    }
}

/// The rays of a stream at a leaf, by their numbers.
struct StreamPairRays<'a, 'r, P: ChunkRays, Q: Query<P::Scalar>> {
    block: &'a P::Block,
    rays: &'a Ready<'r, P>,
    states: &'a mut [Q::State],
    slab_rays: &'a mut StreamRays,
}

impl<'a, P: ChunkRays, Q: Query<P::Scalar>> PairRays<'a, P, Q> for StreamPairRays<'a, '_, P, Q> {
    #[inline(always)]
    fn block(&self, _ray: usize) -> &'a P::Block {
        self.block
    }

    #[inline(always)]
    fn prepared(&self, ray: usize) -> &'a PreparedOf<P> {
        &self.rays.prepared()[ray]
    }

    #[inline(always)]
    fn interval(&self, ray: usize) -> [f32; 2] {
        [self.rays.t_min[ray], self.slab_rays.limits[ray]]
    }

    #[inline(always)]
    fn row(&self, ray: usize) -> Option<u32> {
        Some(self.rays.rows[ray])
    }

    #[inline(always)]
    fn state(&mut self, ray: usize) -> &mut Q::State {
        &mut self.states[ray]
    }

    #[inline(always)]
    fn prefetch_state(&self, ray: usize) {
        prefetch(&self.states[ray]);
    }

    #[inline(always)]
    fn narrow(&mut self, ray: usize, limit: f32) {
        self.slab_rays.narrow(ray, limit);
    }

    #[inline(always)]
    fn settle(&mut self, ray: usize) {
        self.slab_rays.settle(ray as u16);
    }
}

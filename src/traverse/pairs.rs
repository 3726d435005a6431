//! Open pairs: a ray and a primitive that the first stage of the test did not reject.
//!
//! Pairs are collected from many rays and decided together, in vectors. A ray leaves zero to two
//! pairs open at a leaf, which no branch predictor can guess. Streams and rays in flight share this
//! stage.

use super::chunk_rays::{ChunkRays, PreparedOf};
use super::plan::TUNING;
use super::ready::Ready;
use crate::leaf::{Decided, Found, PairBlock, PreparedRay, RayBlock};
use crate::query::Query;
use crate::simd::{LANES, Lanes, MAX_LANES, Rearrange, Scalar, set_bits};
use crate::tree::Leaf;
use crate::value::{GROUP, GroupColumn, Rules};

/// The most rays whose pairs are collected before they are decided.
pub(super) const RAYS: usize = 64;

/// Room for the pairs of all of them, and for the lanes stored beyond the last pair.
const ROOM: usize = RAYS * LANES + MAX_LANES;

/// A ray's number and a lane of the block that it is at.
#[derive(Debug, Clone, Copy, Default, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub(super) struct Pair(u32);

impl Pair {
    /// A ray and the first lane.
    #[inline(always)]
    pub(super) const fn of(ray: u32) -> Self {
        Self(ray << LANES.trailing_zeros())
    }

    #[inline(always)]
    const fn ray(self) -> usize {
        (self.0 >> LANES.trailing_zeros()) as usize
    }

    #[inline(always)]
    const fn lane(self) -> usize {
        self.0 as usize % LANES
    }
}

/// Pairs of a ray and a primitive that are still to be decided.
pub(super) struct OpenPairs<B: PairBlock<T>, T: Scalar = f32> {
    pairs: [Pair; ROOM],
    count: usize,
    /// The pairs under decision, side by side, and their results.
    gathered: B::Pairs,
    /// The intervals of their rays as boxes see them.
    intervals: [GroupColumn; 2],
    decided: Decided<T>,
}

impl<B: PairBlock<T>, T: Scalar> OpenPairs<B, T> {
    /// None.
    pub(super) fn new() -> Self {
        Self {
            pairs: [Pair::default(); ROOM],
            count: 0,
            gathered: bytemuck::Zeroable::zeroed(),
            intervals: [GroupColumn::ZERO; 2],
            decided: bytemuck::Zeroable::zeroed(),
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds the open lanes of a ray, as bits; at most [`RAYS`] times after a
    /// [`clear`](Self::clear).
    ///
    /// All lanes are stored and the end moves on by the open ones: their number is unpredictable
    /// for a branch. As a loop over lanes, compilers make scalars of it or not by what is around.
    #[inline(always)]
    pub(super) fn add<L: Lanes>(&mut self, lanes: L, ray: u16, mask: u8) {
        const IN_ORDER: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];
        let Pair(first) = Pair::of(ray.into());
        let pairs = lanes.or(lanes.splat_u32(first), lanes.load_u32(&IN_ORDER));
        let start = self.count.min(ROOM - LANES);
        let into = bytemuck::cast_slice_mut(&mut self.pairs[start..start + LANES]);
        self.count += lanes.compress_store_bits(mask.into(), pairs, into) as usize;
    }

    /// Adds the rays of a vector, as bits, that left a lane of their block open; no more in all
    /// than [`add`](Self::add) would.
    #[inline(always)]
    pub(super) fn add_rays<V: Rearrange>(
        &mut self,
        lanes: V,
        rays: &[Pair; MAX_LANES],
        bits: u32,
        lane: usize,
    ) {
        let into = bytemuck::cast_slice_mut(&mut self.pairs[self.count..]);
        self.count += lanes.compress_indices(bits, bytemuck::cast_slice(rays), lane as u32, into);
    }

    /// Gathers a pair into one of [`GROUP`](crate::value::GROUP) places: its block, and its ray
    /// with the interval that boxes see.
    #[inline(always)]
    fn gather(
        &mut self,
        place: usize,
        pair: Pair,
        block: &B,
        ray: &B::PreparedRay,
        interval: [f32; 2],
    ) {
        block.put_pair(pair.lane(), ray, &mut self.gathered, place);
        for (column, end) in self.intervals.iter_mut().zip(interval) {
            column.set(place, end);
        }
    }

    /// Decides the first `count` gathered pairs. The first bits name those that certainly hit,
    /// where `any` hit settles rays; the others the lines that meet their primitives within the
    /// intervals that boxes see.
    ///
    /// The interval is compared again when a hit is offered, as an earlier hit may have narrowed
    /// it.
    #[inline(always)]
    fn decide<L: Lanes>(&mut self, lanes: L, count: usize, rules: Rules, any: bool) -> [u64; 2] {
        B::decide_pairs(
            lanes,
            &self.gathered,
            count,
            rules,
            any,
            &self.intervals,
            &mut self.decided,
        )
    }

    /// The hit of a pair that meets.
    #[inline(always)]
    fn found(&self, place: usize, number: u32) -> Found<T> {
        self.decided.found(place, number)
    }
}

/// The rays of open pairs by their numbers: those of a stream, or those in flight.
pub(super) trait PairRays<'a, P: ChunkRays, Q: Query<P::Scalar>> {
    /// The leaf that a ray is at.
    fn block(&self, ray: usize) -> &'a P::Block;

    /// A ray prepared for primitives.
    fn prepared(&self, ray: usize) -> &'a PreparedOf<P>;

    /// The interval of a ray as boxes see it.
    fn interval(&self, ray: usize) -> [f32; 2];

    /// The row of a ray in the chunk.
    fn row(&self, ray: usize) -> Option<u32>;

    fn state(&mut self, ray: usize) -> &mut Q::State;

    #[inline(always)]
    fn prefetch_state(&self, _ray: usize) {}

    /// Lowers the end of the interval that boxes see.
    fn narrow(&mut self, ray: usize, limit: f32);

    /// Takes a ray out of the walk: no further hit can change its answer.
    fn settle(&mut self, ray: usize);
}

/// Decides open pairs and offers their hits to the query.
pub(super) struct PairStage<'a, 'r, P: ChunkRays, Q: Query<P::Scalar>> {
    pub(super) ready: &'a Ready<'r, P>,
    pub(super) query: &'a mut Q,
    pub(super) rules: Rules,
}

impl<P: ChunkRays, Q: Query<P::Scalar>> PairStage<'_, '_, P, Q> {
    #[inline(always)]
    pub(super) fn decide<'a, L: Lanes>(
        &mut self,
        lanes: L,
        open: &mut OpenPairs<P::Block, P::Scalar>,
        rays: &mut impl PairRays<'a, P, Q>,
    ) where
        P: 'a,
    {
        let rules = Q::rules(self.rules);
        if open.count < TUNING.few_pairs {
            for place in 0..open.count {
                let pair = open.pairs[place];
                let (block, prepared) = (rays.block(pair.ray()), rays.prepared(pair.ray()));
                let interval = prepared.given_interval(rays.interval(pair.ray()));
                if let Some(found) = block.decide(pair.lane(), prepared, rules, interval) {
                    self.offer(pair, block, found, rays);
                }
            }
            return;
        }
        for first in (0..open.count).step_by(GROUP) {
            let here = GROUP.min(open.count - first);
            for place in 0..here {
                let pair = open.pairs[first + place];
                let ray = pair.ray();
                rays.prefetch_state(ray);
                let interval = rays.interval(ray);
                open.gather(place, pair, rays.block(ray), rays.prepared(ray), interval);
            }
            let [certain, met] = open.decide(lanes, here, rules, Q::NEEDS.any_hit_settles);
            for place in set_bits(certain) {
                let ray = open.pairs[first + place].ray();
                Q::take_certain_hit(rays.state(ray));
                rays.settle(ray);
            }
            for place in set_bits(met) {
                let pair = open.pairs[first + place];
                let block = rays.block(pair.ray());
                let found = open.found(place, block.number(pair.lane()));
                self.offer(pair, block, found, rays);
            }
        }
    }

    /// Offers a hit to the query.
    #[inline(always)]
    fn offer<'a>(
        &mut self,
        pair: Pair,
        block: &P::Block,
        found: Found<P::Scalar>,
        rays: &mut impl PairRays<'a, P, Q>,
    ) where
        P: 'a,
    {
        let ray = pair.ray();
        let Some(row) = rays.row(ray) else { return };
        let prepared = rays.prepared(ray);
        let [t_min, t_max] = prepared.interval(rays.interval(ray));
        let resolve = |found| block.resolve(pair.lane(), &self.ready.ray(row), found);
        let Some(candidate) = found.resolved(resolve) else { return };
        // An earlier hit may have narrowed the interval.
        if !(Q::NEEDS.compares || t_min <= candidate.t && candidate.t <= t_max) {
            return;
        }
        let (row, state) = (self.ready.given_row(row), rays.state(ray));
        let normal = || block.geometric_normal(pair.lane());
        self.query.offer(row, state, candidate, found.side, normal);
        let is_settled = Q::is_settled(state);
        if self.query.narrows() {
            let limit = prepared.limit(Q::t_max(state, t_max));
            rays.narrow(ray, limit);
        }
        if is_settled {
            rays.settle(ray);
        }
    }
}

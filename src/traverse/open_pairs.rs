//! Open pairs: a ray and a primitive that the first stage of the test did not reject.
//!
//! Pairs are collected from many rays and decided together, in vectors. A ray leaves zero to two
//! pairs open at a leaf, which no branch predictor can guess.

use crate::leaf::{Decided, Found, PairBlock};
use crate::simd::{LANES, Lanes, MAX_LANES, Rearrange, Scalar};
use crate::value::{GroupColumn, Rules};

/// The most rays whose pairs are collected before they are decided.
pub(super) const RAYS: usize = 64;

/// Room for the pairs of all of them, and for the lanes stored beyond the last pair.
const ROOM: usize = RAYS * LANES + MAX_LANES;

/// Fewer pairs are decided one by one: a vector takes as long whether it is full or not, and vector
/// loads of freshly stored scalars stall.
pub(super) const FEWEST: usize = 4;

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
    pub(super) const fn ray(self) -> usize {
        (self.0 >> LANES.trailing_zeros()) as usize
    }

    #[inline(always)]
    pub(super) const fn lane(self) -> usize {
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

    /// The count.
    #[inline(always)]
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    pub(super) fn pair(&self, place: usize) -> Pair {
        self.pairs[place]
    }

    /// Gathers a pair into one of [`GROUP`](crate::value::GROUP) places: its block, and its ray
    /// with the interval that boxes see.
    #[inline(always)]
    pub(super) fn gather(
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
    pub(super) fn decide<L: Lanes>(
        &mut self,
        lanes: L,
        count: usize,
        rules: Rules,
        any: bool,
    ) -> [u64; 2] {
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
    pub(super) fn found(&self, place: usize, number: u32) -> Found<T> {
        self.decided.found(place, number)
    }
}

//! Rays and primitives of which the first stage of the test left open whether they meet.
//!
//! They are collected from many rays and decided together, a vector of pairs at a time: what one ray leaves open
//! at a leaf is a primitive or two, or nothing, and no branch can guess which.

use crate::leaf::{Decided, Found, PairBlock};
use crate::simd::{LANES, LANES_OF, Lanes, MAX_LANES, Rearrange, Scalar};
use crate::value::{GroupColumn, Rules};

/// How many rays may leave something open before it is decided.
pub(super) const RAYS: usize = 64;

/// Room for what each of them leaves open, and for the lanes stored beyond the last pair.
const ROOM: usize = RAYS * LANES + MAX_LANES;

/// Fewer pairs are decided one by one: a vector of them takes as long whether it is full or not, and what has
/// been put side by side number by number cannot be read as a vector at once.
pub(super) const FEWEST: usize = 6;

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
    /// Those that are decided together, side by side, and what came of them.
    gathered: B::Pairs,
    /// What boxes know of the intervals of their rays.
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
            decided: Decided::NONE,
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Adds what a ray left open, as the bits of lanes; at most [`RAYS`] times after a
    /// [`clear`](Self::clear).
    ///
    /// All lanes are stored, and only those that are open move the end on: how many there are is a coin toss.
    #[inline(always)]
    pub(super) fn add(&mut self, ray: u16, mask: u8) {
        let first = self.count % (ROOM - LANES);
        let into: &mut [Pair; LANES] =
            (&mut self.pairs[first..first + LANES]).try_into().expect("eight are eight");
        for (pair, &lane) in into.iter_mut().zip(&LANES_OF[usize::from(mask)]) {
            *pair = Pair(u32::from(ray) << LANES.trailing_zeros() | u32::from(lane));
        }
        self.count += mask.count_ones() as usize;
    }

    /// Adds those rays of a vector, as bits, that left a lane of their block open; as many in all as would be
    /// added one by one.
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

    /// How many there are.
    #[inline(always)]
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    pub(super) fn pair(&self, place: usize) -> Pair {
        self.pairs[place]
    }

    /// Puts a pair, its ray with what boxes know of its interval, and its block, side by side with others: at one of
    /// [`GROUP`](crate::value::GROUP) places.
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

    /// Decides the first `count` of those side by side. The bits say which lines meet their primitives within what boxes
    /// know of their rays' intervals.
    ///
    /// Whether one does is a coin toss. Those that are left are asked again when they are offered, as one before may
    /// have narrowed the interval, but that is seldom, and guessed right.
    #[inline(always)]
    pub(super) fn decide<L: Lanes>(&mut self, lanes: L, count: usize, rules: Rules) -> u64 {
        B::decide_pairs(lanes, &self.gathered, count, rules, &self.intervals, &mut self.decided)
    }

    /// What came of a pair that does meet.
    #[inline(always)]
    pub(super) fn found(&self, place: usize, number: u32) -> Found<T> {
        self.decided.found(place, number)
    }
}

//! The rays of a chunk of either precision, and their first test at leaves.

use std::marker::PhantomData;

use super::count;
use super::open::{OpenPairs, Pair};
use crate::leaf::{LeafBlock, PairBlock, RayBlock};
use crate::simd::{LANES, Lanes, MAX_LANES, Rearrange, Scalar, number_of, prefetch, set_bits};
use crate::status::Status;
use crate::value::{GROUP, Ray, RayBatch, RayGroup, RaySource};

/// With this many rays at a leaf, and vectors of sixteen lanes, each primitive is tested against vectors of
/// rays; with fewer, each ray against all primitives. The primitives have to be laid out for it.
///
/// In the kitchen and the city, where most rays are among hundreds at a leaf, streams go 1.04 times as fast;
/// from 16 rays on the dragon's lose 4%, and with vectors of eight all scenes lose as much.
const FEWEST_TOGETHER: usize = 32;

/// A ray of a chunk, prepared for leaves.
pub(super) type PreparedOf<P> = <<P as ChunkRays>::Block as RayBlock<<P as ChunkRays>::Scalar>>::PreparedRay;

/// The rays of a chunk. Boxes see all in `f32`; leaves see them in their own precision.
pub(super) trait ChunkRays {
    /// Their precision.
    type Scalar: Scalar;

    /// The leaves.
    type Block: PairBlock<Self::Scalar>;

    /// Gathers the rays in these rows, one to [`GROUP`] of them, as boxes see them. Returns the rays that
    /// certainly have no defect, as bits.
    fn gather<L: Lanes>(&mut self, lanes: L, rows: &[u32], into: &mut RayGroup) -> u64;

    /// Prepares each of the rays gathered last for leaves; the result for one with a defect is unspecified.
    fn prepare<L: Lanes>(&self, lanes: L, seen: &RayGroup, into: &mut [PreparedOf<Self>; GROUP]);

    /// The defect of one of the rays gathered last.
    fn find_defect(&self, seen: &RayGroup, lane: usize) -> Option<Status>;

    /// The interval of a ray as given, where boxes see `seen`.
    fn given_interval(ray: &PreparedOf<Self>, seen: [f32; 2]) -> [Self::Scalar; 2];

    /// The interval of a ray as narrowed, where boxes see `seen`.
    fn interval(ray: &PreparedOf<Self>, seen: [f32; 2]) -> [Self::Scalar; 2];

    /// The limit for boxes of a ray that ends at `t_max`.
    fn limit(ray: &PreparedOf<Self>, t_max: Self::Scalar) -> f32;

    /// The ray in a row, as given.
    fn ray(&self, row: u32) -> Ray<Self::Scalar>;

    /// Primitives of a leaf laid out for many rays.
    type LaidOut: bytemuck::Zeroable;

    /// Lays them out if that pays for this many rays, and returns whether it does.
    fn lay_out<L: Lanes>(lanes: L, block: &Self::Block, rays: usize, into: &mut Self::LaidOut) -> bool;

    /// Tests the rays of a list and adds the open pairs. The list is readable up to a multiple of
    /// [`MAX_LANES`].
    fn reject<L: Lanes>(
        lanes: L,
        block: &Self::Block,
        laid_out: Option<&Self::LaidOut>,
        list: StreamList<'_, PreparedOf<Self>>,
        open: &mut OpenPairs<Self::Block, Self::Scalar>,
    );
}

/// Rays of a stream at one leaf.
#[derive(Clone, Copy)]
pub(super) struct StreamList<'a, R> {
    /// Their entries, readable up to a multiple of [`MAX_LANES`].
    pub(super) entries: &'a [u32],
    pub(super) length: usize,
    /// All rays of the stream, by their numbers.
    pub(super) rays: &'a [R],
    /// The number of the empty ray behind the last.
    pub(super) sentinel: u16,
}

impl<R> StreamList<'_, R> {
    /// Tests the rays one by one and adds the open pairs.
    #[inline(always)]
    pub(super) fn reject_each<L: Lanes, T: Scalar, B: PairBlock<T, PreparedRay = R>>(
        self,
        lanes: L,
        block: &B,
        open: &mut OpenPairs<B, T>,
    ) {
        let entries = &self.entries[..self.length];
        for (place, &entry) in entries.iter().enumerate() {
            if let Some(&later) = entries.get(place + 8) {
                prefetch(&self.rays[usize::from(number_of(later))]);
            }
            let number = number_of(entry);
            let mask = block.undecided(lanes, &self.rays[usize::from(number)]);
            open.add(number, mask);
        }
    }
}

/// Rays of `f32`.
pub(super) struct ChunkRaysF32<'a, 'c, B> {
    rays: &'a RayBatch<'c>,
    source: RaySource<'c>,
    blocks: PhantomData<B>,
}

impl<'a, 'c, B> ChunkRaysF32<'a, 'c, B> {
    #[inline(always)]
    pub(super) fn new(rays: &'a RayBatch<'c>) -> Self {
        Self { rays, source: RaySource::new(rays), blocks: PhantomData }
    }
}

impl<B: LeafBlock> ChunkRays for ChunkRaysF32<'_, '_, B> {
    type Scalar = f32;
    type Block = B;
    type LaidOut = B::LaidOut;

    #[inline(always)]
    fn gather<L: Lanes>(&mut self, lanes: L, rows: &[u32], into: &mut RayGroup) -> u64 {
        let wide = lanes.widest();
        into.gather(wide, &self.source, rows);
        into.surely_sound(wide)
    }

    #[inline(always)]
    fn prepare<L: Lanes>(&self, lanes: L, seen: &RayGroup, into: &mut [B::PreparedRay; GROUP]) {
        B::prepare_each(lanes.widest(), seen, into);
    }

    fn find_defect(&self, seen: &RayGroup, lane: usize) -> Option<Status> {
        seen.ray(lane).find_defect()
    }

    #[inline(always)]
    fn given_interval(ray: &B::PreparedRay, [t_min, _]: [f32; 2]) -> [f32; 2] {
        [t_min, B::t_max(ray)]
    }

    #[inline(always)]
    fn interval(_: &B::PreparedRay, seen: [f32; 2]) -> [f32; 2] {
        seen
    }

    #[inline(always)]
    fn limit(_: &B::PreparedRay, t_max: f32) -> f32 {
        t_max
    }

    fn ray(&self, row: u32) -> Ray {
        self.rays.ray(row as usize)
    }

    #[inline(always)]
    fn lay_out<L: Lanes>(_: L, block: &B, rays: usize, into: &mut B::LaidOut) -> bool {
        let pays = count::<L::Widest>() > LANES && rays >= FEWEST_TOGETHER;
        if pays {
            block.lay_out(into);
        }
        pays
    }

    #[inline(always)]
    fn reject<L: Lanes>(
        lanes: L,
        block: &B,
        laid_out: Option<&B::LaidOut>,
        list: StreamList<'_, B::PreparedRay>,
        open: &mut OpenPairs<B>,
    ) {
        match laid_out {
            Some(laid_out) => reject_together(lanes.widest(), block.filled(lanes), laid_out, list, open),
            None => list.reject_each(lanes, block, open),
        }
    }
}

/// Tests vectors of rays against each laid-out primitive of `filled`, and adds the open pairs.
#[inline(always)]
fn reject_together<B: LeafBlock, V: Rearrange>(
    lanes: V,
    filled: u8,
    laid_out: &B::LaidOut,
    list: StreamList<'_, B::PreparedRay>,
    open: &mut OpenPairs<B>,
) {
    let mut numbers = [0; MAX_LANES];
    for first in (0..list.length).step_by(V::COUNT) {
        let left = list.length - first;
        lanes.unpack(&list.entries[first..], left, list.sentinel, &mut numbers);
        let there = u32::MAX >> (32 - left.min(V::COUNT));
        let rays = B::take(lanes, list.rays, &numbers);
        let mut pairs = [Pair::default(); MAX_LANES];
        for (pair, &number) in pairs.iter_mut().zip(&numbers) {
            *pair = Pair::of(number);
        }
        for lane in set_bits(filled) {
            let bits = there & B::undecided_taken(lanes, lane, laid_out, &rays);
            open.add_rays(lanes, &pairs, bits, lane);
        }
    }
}

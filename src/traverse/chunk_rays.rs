//! The rays of a chunk, of either precision: where they come from, and what they are asked at a leaf.

use std::marker::PhantomData;

use super::count;
use super::open::{OpenPairs, Pair};
use crate::leaf::{LeafBlock, PairBlock, RayBlock};
use crate::simd::{LANES, Lanes, MAX_LANES, Rearrange, Scalar, number_of, prefetch, set_bits};
use crate::status::Status;
use crate::value::{GROUP, Ray, RayBatch, RayGroup, RaySource};

/// From so many rays on each primitive of a leaf is tested against vectors of rays, where these have sixteen lanes;
/// before, each ray against all primitives. The primitives have to be laid out for it.
///
/// In the kitchen and the city, where most rays are among hundreds at a leaf, streams go 1.04 times as fast; from 16
/// rays on the dragon's lose 4%, and with vectors of eight all lose as much.
const FEWEST_TOGETHER: usize = 32;

/// A ray of a chunk, prepared for leaves.
pub(super) type PreparedOf<P> = <<P as ChunkRays>::Block as RayBlock<<P as ChunkRays>::Scalar>>::PreparedRay;

/// The rays of a chunk. Boxes see all in `f32`; the primitives in leaves see them as they are.
pub(super) trait ChunkRays {
    /// What they are made of.
    type Scalar: Scalar;

    /// The leaves.
    type Block: PairBlock<Self::Scalar>;

    /// Takes the rays in these rows, at least one and at most [`GROUP`], as boxes see them. Says which of them
    /// certainly have no defect.
    fn gather<L: Lanes>(&mut self, lanes: L, rows: &[u32], into: &mut RayGroup) -> u64;

    /// Makes each of the rays taken last ready for leaves; what comes of one with a defect is unspecified.
    fn prepare<L: Lanes>(&self, lanes: L, seen: &RayGroup, into: &mut [PreparedOf<Self>; GROUP]);

    /// What is wrong with one of the rays taken last.
    fn find_defect(&self, seen: &RayGroup, lane: usize) -> Option<Status>;

    /// The interval with which a ray came, where boxes know of `seen`.
    fn given_interval(ray: &PreparedOf<Self>, seen: [f32; 2]) -> [Self::Scalar; 2];

    /// What is left of the interval of a ray, where boxes know of `seen`.
    fn interval(ray: &PreparedOf<Self>, seen: [f32; 2]) -> [Self::Scalar; 2];

    /// Up to where boxes count for a ray that ends at `t_max`.
    fn limit(ray: &PreparedOf<Self>, t_max: Self::Scalar) -> f32;

    /// The ray in a row, as it came.
    fn ray(&self, row: u32) -> Ray<Self::Scalar>;

    /// What the primitives of a leaf that many rays are at are laid out in.
    type LaidOut: bytemuck::Zeroable;

    /// Lays them out if that pays for so many rays, and says whether it does.
    fn lay_out<L: Lanes>(lanes: L, block: &Self::Block, rays: usize, into: &mut Self::LaidOut) -> bool;

    /// Adds what the rays of a list, readable up to a multiple of [`MAX_LANES`], leave open.
    fn reject<L: Lanes>(
        lanes: L,
        block: &Self::Block,
        laid_out: Option<&Self::LaidOut>,
        list: StreamList<'_, PreparedOf<Self>>,
        open: &mut OpenPairs<Self::Block, Self::Scalar>,
    );
}

/// Some of the rays of a stream.
#[derive(Clone, Copy)]
pub(super) struct StreamList<'a, R> {
    /// Their entries, readable up to a multiple of [`MAX_LANES`].
    pub(super) entries: &'a [u32],
    pub(super) length: usize,
    /// All rays of the stream, by their numbers.
    pub(super) rays: &'a [R],
    /// The number of the one behind the last, which meets nothing.
    pub(super) sentinel: u16,
}

impl<R> StreamList<'_, R> {
    /// Adds what the rays leave open, one after the other.
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
    type LaidOut = B::Rows;

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
    fn lay_out<L: Lanes>(_: L, block: &B, rays: usize, into: &mut B::Rows) -> bool {
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
        laid_out: Option<&B::Rows>,
        list: StreamList<'_, B::PreparedRay>,
        open: &mut OpenPairs<B>,
    ) {
        match laid_out {
            Some(laid_out) => reject_together(lanes.widest(), block.filled(lanes), laid_out, list, open),
            None => list.reject_each(lanes, block, open),
        }
    }
}

/// Sees which rays of the list leave open whether they meet the primitives that are laid out, which bits name.
#[inline(always)]
fn reject_together<B: LeafBlock, V: Rearrange>(
    lanes: V,
    filled: u8,
    laid_out: &B::Rows,
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

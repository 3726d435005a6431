//! What casts of either precision have in common: a tree, and the rays of a chunk as it sees them.

use std::marker::PhantomData;
use std::ops::Range;

use super::count;
use super::group_leaves::GroupLeafTest;
use super::groups::ActiveGroup;
use super::open::{OpenPairs, Pair};
use super::slab::SlabAxes;
use crate::leaf::{LeafBlock, PairBlock, RayBlock};
use crate::query::Query;
use crate::simd::{LANES, Lanes, MAX_LANES, Rearrange, Scalar, number_of, prefetch};
use crate::status::Status;
use crate::tree::Bvh;
use crate::value::{GROUP, Heading, Ray, RayBatch, RayGroup, RaySource};

/// With this many rays at a leaf, and vectors of sixteen lanes, each primitive is tested against vectors of
/// rays; with fewer, each ray against all primitives. The primitives have to be laid out for it.
///
/// In the kitchen and the city, where most rays are among hundreds at a leaf, streams go 1.04 times as fast;
/// from 16 rays on the dragon's lose 4%, and with vectors of eight all scenes lose as much.
const FEWEST_TOGETHER: usize = 32;

/// A tree that rays of `T` are cast at. Its boxes are of `f32`.
pub(super) trait RayTree<T: Scalar>: Sync {
    /// The leaves.
    type Block: PairBlock<T>;

    /// The rays of a chunk.
    type Chunk<'a, 'r>: ChunkRays<Scalar = T, Block = Self::Block>
    where
        Self: 'a,
        'r: 'a;

    fn bvh(&self) -> &Bvh<Self::Block>;

    fn chunk<'a, 'r>(&'a self, rays: &'a RayBatch<'r, T>) -> Self::Chunk<'a, 'r>;

    /// A ray prepared for boxes, its interval there, and prepared for leaves; or its defect.
    fn seen(&self, ray: &Ray<T>) -> Result<(SlabAxes, [f32; 2], PreparedFor<Self::Block, T>), Status>;
}

/// A ray prepared for a block.
pub(super) type PreparedFor<B, T> = <B as RayBlock<T>>::PreparedRay;

/// A ray of a chunk, prepared for leaves.
pub(super) type PreparedOf<P> = PreparedFor<<P as ChunkRays>::Block, <P as ChunkRays>::Scalar>;

/// The rays of a chunk. Boxes see all in `f32`; leaves see them in their own precision.
pub(super) trait ChunkRays: Sized {
    /// Their precision.
    type Scalar: Scalar;

    /// The leaves.
    type Block: PairBlock<Self::Scalar>;

    /// The ray in a row, as given.
    fn ray(&self, row: u32) -> Ray<Self::Scalar>;

    /// Prefetches the rays in these rows, clamped to the batch.
    fn prefetch(&self, rows: Range<usize>);

    /// Gathers the rays in these rows, one to [`GROUP`] of them, as boxes see them. Returns the rays that
    /// certainly have no defect, as bits.
    fn gather<L: Lanes>(&mut self, lanes: L, rows: &[u32], into: &mut RayGroup) -> u64;

    /// The defect of one of the rays gathered last.
    fn find_defect(&self, seen: &RayGroup, lane: usize) -> Option<Status>;

    /// Prepares each of the rays gathered last for leaves; the result for one with a defect is unspecified.
    fn prepare<L: Lanes>(&self, lanes: L, seen: &RayGroup, into: &mut [PreparedOf<Self>; GROUP]);

    /// The rays gathered last, prepared together for leaves.
    type Group: bytemuck::Zeroable;

    /// The rays gathered last that boxes can test in a group, as bits.
    #[inline(always)]
    fn fit<L: Lanes>(&self, _: L, _seen: &RayGroup) -> u64 {
        u64::MAX
    }

    /// Prepares the live rays, all of one heading.
    fn prepare_group<L: Lanes>(&self, lanes: L, seen: &RayGroup, heading: Heading, into: &mut Self::Group);

    /// Tests a leaf against some of the rays of a group. Returns whether any interval may be narrower.
    fn visit_leaf<L: Lanes, Q: Query<Self::Scalar>>(
        test: &mut GroupLeafTest<'_, Self, Q>,
        lanes: L,
        block: &Self::Block,
        rays: u64,
        group: &mut ActiveGroup<'_>,
    ) -> bool;

    /// Primitives of a leaf laid out for the many rays of a stream.
    type LaidOut: bytemuck::Zeroable;

    /// Lays them out if that pays for this many rays, and returns whether it does.
    #[inline(always)]
    fn lay_out<L: Lanes>(_: L, _: &Self::Block, _rays: usize, _: &mut Self::LaidOut) -> bool {
        false
    }

    /// Tests the rays of a list and adds the open pairs. The list is readable up to a multiple of
    /// [`MAX_LANES`].
    #[inline(always)]
    fn reject<L: Lanes>(
        lanes: L,
        block: &Self::Block,
        _laid_out: Option<&Self::LaidOut>,
        list: StreamList<'_, PreparedOf<Self>>,
        open: &mut OpenPairs<Self::Block, Self::Scalar>,
    ) {
        list.reject_each(lanes, block, open);
    }
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
    fn reject_each<L: Lanes, T: Scalar, B: PairBlock<T, PreparedRay = R>>(
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

impl<B: LeafBlock> RayTree<f32> for Bvh<B> {
    type Block = B;
    type Chunk<'a, 'r>
        = ChunkRaysF32<'a, 'r, B>
    where
        'r: 'a;

    #[inline(always)]
    fn bvh(&self) -> &Self {
        self
    }

    #[inline(always)]
    fn chunk<'a, 'r>(&'a self, rays: &'a RayBatch<'r>) -> ChunkRaysF32<'a, 'r, B> {
        ChunkRaysF32 { rays, source: RaySource::new(rays), blocks: PhantomData }
    }

    #[inline(always)]
    fn seen(&self, ray: &Ray) -> Result<(SlabAxes, [f32; 2], B::PreparedRay), Status> {
        let axes = match SlabAxes::if_sound_and_in_range(ray, self.arena.anchor, self.range, 1.0) {
            Some(axes) => axes,
            None => match ray.find_defect() {
                Some(defect) => return Err(defect),
                None => SlabAxes::unbounded(ray),
            },
        };
        Ok((axes, [ray.t_min, ray.t_max], B::prepare(ray)))
    }
}

/// Rays of `f32`.
pub(super) struct ChunkRaysF32<'a, 'r, B> {
    rays: &'a RayBatch<'r>,
    source: RaySource<'r>,
    blocks: PhantomData<B>,
}

impl<B: LeafBlock> ChunkRays for ChunkRaysF32<'_, '_, B> {
    type Scalar = f32;
    type Block = B;
    type Group = B::PreparedRays;
    type LaidOut = B::LaidOut;

    fn ray(&self, row: u32) -> Ray {
        self.rays.ray(row as usize)
    }

    fn prefetch(&self, rows: Range<usize>) {
        self.source.prefetch(rows);
    }

    #[inline(always)]
    fn gather<L: Lanes>(&mut self, lanes: L, rows: &[u32], into: &mut RayGroup) -> u64 {
        let wide = lanes.widest();
        into.gather(wide, &self.source, rows);
        into.surely_sound(wide)
    }

    fn find_defect(&self, seen: &RayGroup, lane: usize) -> Option<Status> {
        seen.ray(lane).find_defect()
    }

    #[inline(always)]
    fn prepare<L: Lanes>(&self, lanes: L, seen: &RayGroup, into: &mut [B::PreparedRay; GROUP]) {
        B::prepare_each(lanes.widest(), seen, into);
    }

    #[inline(always)]
    fn prepare_group<L: Lanes>(
        &self,
        lanes: L,
        seen: &RayGroup,
        heading: Heading,
        into: &mut B::PreparedRays,
    ) {
        B::prepare_group(lanes.widest(), seen, heading, into);
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes, Q: Query>(
        test: &mut GroupLeafTest<'_, Self, Q>,
        lanes: L,
        block: &B,
        rays: u64,
        group: &mut ActiveGroup<'_>,
    ) -> bool {
        let (wide, filled) = (lanes.widest(), block.filled(lanes));
        if !B::start_together(&test.prepared) {
            return test.test_leaf(wide, block, None, (filled, rays), group);
        }
        let mut from_origin = bytemuck::Zeroable::zeroed();
        let filled = filled & block.reject_from_origin(lanes, &test.prepared, &mut from_origin);
        test.test_leaf(wide, block, Some(&from_origin), (filled, rays), group)
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
        let mut pairs = [Pair::default(); MAX_LANES];
        for (pair, &number) in pairs.iter_mut().zip(&numbers) {
            *pair = Pair::of(number);
        }
        B::undecided_laid_out(lanes, laid_out, filled, (list.rays, &numbers), |lane, bits| {
            open.add_rays(lanes, &pairs, there & bits, lane);
        });
    }
}

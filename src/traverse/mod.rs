//! Traversal of rays and points: in groups, in streams, many rays in flight, or one by one.

mod box_tree;
mod box_visits;
mod by_octant;
mod chunk_rays;
mod closest_point;
mod group_leaves;
mod groups;
mod in_flight;
mod pairs;
mod rays_f32;
mod rays_f64;
mod ready;
mod rows;
mod single;
pub(crate) mod slab;
mod streams;

pub(crate) use box_tree::{BallLine, BoxBlock, BoxTree, SeenRay};
pub(crate) use closest_point::{FindNearest, Measuring, PointVisitor, SinglePoints};
pub(crate) use single::{RayStack, Visitor};
use slab::SlabAxes;
pub(crate) use slab::{STRETCHED, SlabLanes};
pub(crate) use streams::BoxContents;

use crate::kernel::ExactScalar;
use crate::leaf::{PairBlock, TriangleLeaf};
use crate::query::{Casting, Coherence, GroupState, Pace, Query, SingleClosestHit, Way};
use crate::simd::{Backend, LANES, Lanes, Real, Vectors, dispatch};
use crate::status::Status;
use crate::tree::{Bvh, Leaf, Sees};
use crate::value::{GROUP, Ray, RayBatch};
use by_octant::{ByOctant, OCTANTS};
pub(crate) use chunk_rays::ChunkRays;
use group_leaves::GroupLeafTest;
use ready::Ready;
use rows::ChunkRows;
use single::{SingleAny, SingleClosest, SingleRays};
use streams::Walked;

/// Rays in disorder that are cast together, and show whether the others are better cast octant by
/// octant.
const PILOT: usize = 1 << 15;

/// Whether streams of one octant pay where a stream of all octants went so: copies take as long as
/// a third of a visit a ray, and lists eight times as long save most visits. Where most rays are of
/// one octant, as those of a shuffled picture, lists would not be longer.
const fn is_better_by_octant(rays: usize, walked: &Walked) -> bool {
    10 * walked.visits >= 3 * rays && 2 * walked.most_of_an_octant <= rays
}

/// Trees up to this size, in bytes, stay in the caches, where prefetching only costs: up to 5% at
/// 3.5 MB; at 64 MB it gains up to 25%.
const PREFETCH_FROM: usize = 8 << 20;

/// The fewest rays for which rays in flight pay; fewer are cast one by one. In a tree of 19 MB
/// flight pays from 10 to 16 rays on; in one of 3.5 MB from 32 to 64 for closest hits, and from 128
/// for any hit, which takes fewer steps that wait for memory. Coherent rays wait less: 16
/// neighbours of a picture take 1.3 times as long in flight.
const fn fewest_in_flight(far: bool, narrows: bool) -> usize {
    match (far, narrows) {
        (true, _) => 16,
        (false, true) => 64,
        (false, false) => 128,
    }
}

/// The fewest rays for which a stream pays, by whether the tree exceeds the caches: there rays have
/// to share more of their nodes. Streams of 256 diffuse rays at the dragon are 1.3 times as slow as
/// flight, streams of 2048 no slower; in the kitchen streams pay from 256 on.
const fn fewest_in_stream(far: bool) -> usize {
    if far { 2048 } else { 256 }
}

/// Whether a batch of this size tries groups.
const fn go_in_groups(rays: usize, coherence: Coherence) -> bool {
    match coherence {
        Coherence::Detect => rays >= GROUP,
        Coherence::Coherent => true,
        Coherence::Incoherent => false,
    }
}

/// Whether a batch of this size goes one by one, where `fewest` go in flight.
fn goes_alone(rays: usize, how: Casting<'_>, fewest: usize) -> bool {
    match how.way {
        Some(way) => way == Way::OneByOne,
        None => rays < fewest,
    }
}

/// The lanes of a vector.
const fn count<V: Vectors<f32>>() -> usize {
    V::COUNT
}

/// Room for eight on a stack.
#[inline(always)]
fn room<T>(stack: &mut [T], top: usize) -> &mut [T; LANES] {
    (&mut stack[top..top + LANES]).try_into().expect("eight are eight")
}

/// Puts what belongs to the boxes met on a stack, from `top` on: where hits narrow with the `t` of
/// entry, and in this order of slots, the nearest last. Returns how many these are.
#[inline(always)]
fn push<L: Lanes>(
    lanes: L,
    narrows: bool,
    (stack, t_enters, top): (&mut [u32], &mut [f32], usize),
    (order, by_slot): (u32, &[u32; LANES]),
    (t_enter, t_exit): (L::F32, L::F32),
) -> usize {
    let (by_slot, into) = (lanes.load_u32(by_slot), room(stack, top));
    let met = if narrows {
        lanes.compress_store_in_order(order, t_enter, t_exit, by_slot, (room(t_enters, top), into))
    } else {
        lanes.compress_store(t_enter.le(t_exit), by_slot, into)
    };
    met as usize
}

impl<B: Leaf> Bvh<B> {
    /// Casts rays in streams as long as these pay, and the rest in flight.
    fn cast_many<P: ChunkRays<Block = B>, Q: Query<P::Scalar>>(
        &self,
        backend: Backend,
        (chunk, given_rows): (P, Option<&[u32]>),
        rows: ChunkRows,
        how: Casting<'_>,
        query: &mut Q,
    ) {
        let (fewest, tries_streams) = match how.way {
            Some(way) => (1, matches!(way, Way::Streams | Way::StreamsByOctant)),
            None => (fewest_in_stream(self.arena.bytes() > PREFETCH_FROM), true),
        };
        let in_streams = !Q::COUNTS_VISITS
            && query.may_stream()
            && tries_streams
            && rows.length() >= fewest
            && (how.way.is_some() || how.streams.with(Pace::tries));
        let room = if in_streams { rows.length().clamp(GROUP, streams::MOST) } else { GROUP };
        let mut ready = Ready::new(self, chunk, given_rows, rows, room);
        if !Q::COUNTS_VISITS && in_streams {
            // Groups may have left too few rays.
            while how.chunk.work(0).is_continue()
                && ready.fill(backend, streams::MOST, query)
                && ready.are_in_range
                && ready.rows.len() >= fewest
            {
                let walked = streams::cast(self, backend, &mut ready, how, query);
                // Lists of one octant would be longer: that these are short says nothing about
                // them.
                let by_octant = how.disorder
                    && walked
                        .as_ref()
                        .is_some_and(|walked| is_better_by_octant(ready.rows.len(), walked));
                if by_octant {
                    how.streams.set_by_octant();
                }
                if how.way.is_none() {
                    let pays = by_octant || walked.as_ref().is_some_and(|walked| walked.paid);
                    how.streams.with(|pace| pace.record(pays));
                }
                if walked.is_none() {
                    break;
                }
            }
        }
        if ready.has_more() && how.chunk.work(0).is_continue() {
            in_flight::cast(self, backend, &mut ready, how, query);
        }
        ready.put_back();
    }
}

/// A tree that rays of precision `T` are cast at. Its boxes are of `f32`.
pub(crate) trait Target<T: ExactScalar = f32>: Sync + Sized {
    /// The leaves.
    type Block: PairBlock<T> + TriangleLeaf<T>;

    /// How boxes see coordinates.
    type Viewpoint: Sees<T>;

    /// The rays of a chunk.
    type Chunk<'a, 'r>: ChunkRays<Scalar = T, Block = Self::Block>
    where
        Self: 'a,
        'r: 'a;

    fn bvh(&self) -> &Bvh<Self::Block>;

    fn bvh_mut(&mut self) -> &mut Bvh<Self::Block>;

    fn viewpoint(&self) -> &Self::Viewpoint;

    fn chunk<'a, 'r>(&'a self, rays: &'a RayBatch<'r, T>) -> Self::Chunk<'a, 'r>;

    /// A single ray prepared for boxes, its interval there, and the factor of its `t` there; or its
    /// defect.
    fn seen(&self, ray: &Ray<T>) -> Result<(SlabAxes, [f32; 2], f64), Status>;

    /// Casts `rays` and offers their hits to `query`; row `i` is ray `i` of `rays`.
    fn cast<Q: Query<T>>(
        &self,
        backend: Backend,
        rays: &RayBatch<'_, T>,
        how: Casting<'_>,
        query: &mut Q,
    ) {
        let bvh = self.bvh();
        if how.disorder || how.way == Some(Way::StreamsByOctant) {
            return self.cast_in_disorder(backend, rays, how, query);
        }
        let mut rows = ChunkRows::new(rays.len(), how.row_width);
        if !Q::COUNTS_VISITS && go_in_groups(rays.len(), how.coherence) {
            let leaves = &mut GroupLeafTest::new(backend, &bvh.arena, self.chunk(rays), how, query);
            let narrows_and_forgets = (Q::NARROWS, Q::Group::FORGETS);
            groups::cast(bvh, backend, &mut rows, how.coherence, narrows_and_forgets, leaves);
        }
        let fewest = fewest_in_flight(bvh.arena.bytes() > PREFETCH_FROM, Q::NARROWS);
        if !Q::COUNTS_VISITS && goes_alone(rays.len(), how, fewest) {
            return dispatch(backend, SingleRays { tree: self, rays, rows: &mut rows, how, query });
        }
        bvh.cast_many(backend, (self.chunk(rays), None), rows, how, query);
    }

    /// The same for rays in no order, as they lie until a stream shows that they are better cast
    /// octant by octant.
    fn cast_in_disorder<Q: Query<T>>(
        &self,
        backend: Backend,
        rays: &RayBatch<'_, T>,
        how: Casting<'_>,
        query: &mut Q,
    ) {
        let (bvh, mut first) = (self.bvh(), 0);
        // Fewer make streams of one octant that are too short.
        let fewest = OCTANTS * fewest_in_stream(bvh.arena.bytes() > PREFETCH_FROM);
        let go_by_octant = |left: usize| match how.way {
            Some(way) => way == Way::StreamsByOctant,
            None => how.streams.go_by_octant() && left >= fewest,
        };
        while first < rays.len() && !go_by_octant(rays.len() - first) {
            let rows = first..rays.len().min(first + PILOT);
            bvh.cast_many(
                backend,
                (self.chunk(rays), None),
                ChunkRows::run(rows.clone()),
                how,
                query,
            );
            first = rows.end;
            if how.chunk.advance(rows.len()).is_break() {
                return;
            }
        }
        if first == rays.len() {
            return;
        }
        let by_octant = ByOctant::new(rays, first..rays.len());
        for (rays, given_rows) in by_octant.parts::<T>() {
            let rows = ChunkRows::run(0..rays.len());
            bvh.cast_many(backend, (self.chunk(&rays), Some(given_rows)), rows, how, query);
            if how.chunk.advance(given_rows.len()).is_break() {
                break;
            }
        }
        by_octant.put_back();
    }

    /// Whether a ray by itself hits anything. Every touch counts.
    fn any_of(&self, backend: Backend, ray: &Ray<T>) -> Status {
        dispatch(backend, SingleAny { tree: self, ray })
    }

    /// The first hit of a ray by itself. Every touch counts.
    fn closest_of(&self, backend: Backend, ray: &Ray<T>) -> SingleClosestHit<T> {
        dispatch(backend, SingleClosest { tree: self, ray })
    }
}

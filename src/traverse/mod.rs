//! Walking rays through the tree: in groups, in streams, many at once but each on its own way, or one by one; and
//! points.

mod anchored;
mod anchored_groups;
mod box_tree;
mod chunk_rays;
mod chunk_rays_f64;
mod closest_point;
mod group_leaves;
mod groups;
mod in_flight;
mod lists;
mod octants;
mod open;
mod ready;
mod rows;
mod single;
pub(crate) mod slab;
mod stream_rays;
mod streams;
mod walk;

pub(crate) use box_tree::{BoxBlock, BoxTree, Overlap};
pub(crate) use closest_point::PointVisitor;
pub(crate) use single::{RayStack, Visitor};
pub(crate) use slab::{STRETCHED, SlabAxes, SlabLanes};

use crate::leaf::LeafBlock;
use crate::query::{Casting, Coherence, Query, SingleClosestHit, Target, Way};
use crate::simd::{Backend, LANES, Vectors, dispatch};
use crate::tree::{Bvh, Leaf};
use crate::value::{GROUP, Ray, RayBatch, Rules};
use chunk_rays::{ChunkRays, ChunkRaysF32};
use group_leaves::GroupLeafTest;
use ready::Ready;
use rows::Rows;
use single::{Single, SingleClosest, SingleRays};

/// Trees of up to this many bytes are near enough to the core that prefetching only costs. Measured
/// with and without on 1 MB of second and 32 MB of third level cache: a tree of 3.5 MB is 5% slower
/// with it, one of 19 MB 3 to 7% faster, one of 64 MB 15 to 25%.
const PREFETCH_FROM: usize = 8 << 20;

/// Fewer rays are cast one after the other, by whether the tree is far from the core and whether hits narrow
/// the ray: to have them in flight begins to pay at 10 to 16 rays in a tree of 19 MB, and in one of 3.5 MB
/// between 32 and 64 for closest hits and at 128 for any hit, which takes fewer steps that wait. Rays that share
/// their nodes, as neighbours of a picture, wait less: 16 of them take 1.3 times as long in flight.
const fn fewest_in_flight(far: bool, narrows: bool) -> usize {
    match (far, narrows) {
        (true, _) => 16,
        (false, true) => 64,
        (false, false) => 128,
    }
}

/// Fewer rays make no stream, in trees that are far from the core or near: there rays have to share more of
/// their way. With 256 rays in streams diffuse rays at the dragon are 1.3 times as slow as in flight, with
/// 2048 no slower; in the kitchen they gain from 256 on.
const fn fewest_in_stream(far: bool) -> usize {
    if far { 2048 } else { 256 }
}

/// Whether so many rays are tried in groups.
const fn go_in_groups(rays: usize, coherence: Coherence) -> bool {
    match coherence {
        Coherence::Detect => rays >= GROUP,
        Coherence::Coherent => true,
        Coherence::Incoherent => false,
    }
}

/// Whether so many rays, where `fewest` would go in flight, go one after the other.
fn goes_alone(rays: usize, how: Casting<'_>, fewest: usize) -> bool {
    match how.way {
        Some(way) => way == Way::OneByOne,
        None => rays < fewest,
    }
}

/// How many lanes a vector has.
const fn count<V: Vectors<f32>>() -> usize {
    V::COUNT
}

/// Room for eight on a stack.
#[inline(always)]
fn room<T>(stack: &mut [T], top: usize) -> &mut [T; LANES] {
    (&mut stack[top..top + LANES]).try_into().expect("eight are eight")
}

impl<B: Leaf> Bvh<B> {
    /// Casts rays in streams, and where these do not pay many at once.
    fn cast_many<P: ChunkRays<Block = B>, Q: Query<P::Scalar>>(
        &self,
        backend: Backend,
        rays: usize,
        chunk: P,
        rows: Rows,
        how: Casting<'_>,
        query: &mut Q,
    ) {
        let (fewest, tries_streams) = match how.way {
            Some(way) => (1, way == Way::Streams),
            None => (fewest_in_stream(self.arena.bytes() > PREFETCH_FROM), true),
        };
        let in_streams = query.may_stream()
            && tries_streams
            && rays >= fewest
            && (how.way.is_some() || how.streams.tries());
        let room = if in_streams { rays.clamp(GROUP, streams::MOST) } else { GROUP };
        let mut ready = Ready::new(self, chunk, rows, room);
        if Q::MAY_STREAM && in_streams {
            // What groups have left may be too few.
            while ready.fill(backend, streams::MOST, query)
                && ready.are_in_range
                && ready.rows.len() >= fewest
            {
                let pays = streams::cast(self, backend, &mut ready, how, query);
                if how.way.is_none() {
                    how.streams.record(pays);
                }
                if !pays {
                    break;
                }
            }
        }
        in_flight::cast(self, backend, &mut ready, how, query);
        ready.put_back();
    }
}

impl<B: LeafBlock> Target for Bvh<B> {
    fn cast<Q: Query>(&self, backend: Backend, rays: &RayBatch<'_>, how: Casting<'_>, query: &mut Q) {
        let mut rows = Rows::new(rays.len(), how.row_width);
        if Q::MAY_GROUP && go_in_groups(rays.len(), how.coherence) {
            let leaves = &mut GroupLeafTest::new(backend, &self.arena, rays, how, query);
            groups::cast(self, backend, &mut rows, how.coherence, leaves);
        }
        let far = self.arena.bytes() > PREFETCH_FROM;
        if Q::MAY_GO_ALONE && goes_alone(rays.len(), how, fewest_in_flight(far, Q::NARROWS)) {
            let rules = how.rules;
            return dispatch(backend, SingleRays { tree: self, rays, rows: &mut rows, rules, query });
        }
        self.cast_many(backend, rays.len(), ChunkRaysF32::new(rays), rows, how, query);
    }

    fn cast_single<Q: Query>(&self, backend: Backend, ray: &Ray, rules: Rules, query: &mut Q) {
        dispatch(backend, Single { tree: self, ray, rules, query });
    }

    fn closest_of(&self, backend: Backend, ray: &Ray) -> SingleClosestHit {
        dispatch(backend, SingleClosest { tree: self, ray })
    }
}

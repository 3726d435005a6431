//! Traversal of rays and points: in groups, in streams, many rays in flight, or one by one.

mod box_tree;
mod box_visits;
mod by_octant;
mod chunk_rays;
mod closest_point;
mod facts;
mod group_leaves;
mod groups;
mod in_flight;
mod order;
mod pairs;
mod picture;
mod plan;
mod ready;
mod rows;
mod single;
pub(crate) mod slab;
mod streams;
mod tree_f32;
mod tree_f64;

pub(crate) use box_tree::{BallLine, BoxBlock, BoxRay, BoxTree};
pub(crate) use closest_point::{
    Measuring, NearTriangle, PointVisitor, find_closest_points, visit_near_leaves,
};
pub(crate) use plan::{BatchFacts, Plan, TUNING};
pub use plan::{Coherence, Way};
pub(crate) use single::{RayStack, Visitor};
use slab::SlabAxes;
pub(crate) use slab::{STRETCHED, SlabLanes};
pub(crate) use streams::BoxContents;

use crate::kernel::ExactScalar;
use crate::leaf::{PairBlock, TriangleLeaf};
use crate::query::{Query, SingleClosestHit};
use crate::simd::{Backend, LANES, Lanes, Real, Vectors, dispatch};
use crate::status::Status;
use crate::threads::Spread;
use crate::tree::{BoxFrame, BuildQuality, Bvh, Fetch, Leaf};
use crate::value::{Aabb, GROUP, Ray, RayBatch};
use by_octant::ByOctant;
pub(crate) use chunk_rays::ChunkRays;
use group_leaves::GroupLeafTest;
use ready::Ready;
use rows::ChunkRows;

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
        (chunk_rays, given_rows): (P, Option<&[u32]>),
        rows: ChunkRows,
        plan: Plan<'_>,
        query: &mut Q,
    ) {
        let fewest = plan.fewest_in_stream();
        let in_streams = query.may_stream() && rows.length() >= fewest && plan.tries_streams();
        let room = if in_streams { rows.length().clamp(GROUP, streams::MOST) } else { GROUP };
        let mut ready = Ready::new(self, chunk_rays, given_rows, rows, room);
        if in_streams {
            // Groups may have left too few rays.
            while plan.chunk.work(0).is_continue()
                && ready.fill(backend, streams::MOST, query)
                && ready.are_in_range
                && ready.rows.len() >= fewest
            {
                let walked = streams::cast(self, backend, &mut ready, plan, query);
                plan.record_stream(ready.rows.len(), self.arena.bytes(), walked.as_ref());
                if walked.is_none() {
                    break;
                }
            }
        }
        if ready.has_more() && plan.chunk.work(0).is_continue() {
            in_flight::cast(self, backend, &mut ready, plan, query);
        }
        ready.put_back();
    }
}

/// A triangle with its number within the scene.
pub(crate) type Numbered<T> = ([[T; 3]; 3], u32);

/// A tree of triangles of `T` that rays are cast at. Its boxes are of `f32`.
pub(crate) trait Target<T: ExactScalar = f32>:
    Clone + std::fmt::Debug + Send + Sync
{
    /// The leaves.
    type Block: PairBlock<T> + TriangleLeaf<T>;

    /// How boxes see coordinates.
    type Viewpoint: BoxFrame<T>;

    /// The rays of a chunk as the tree sees them.
    type Rays<'a, 'r>: ChunkRays<Scalar = T, Block = Self::Block>
    where
        Self: 'a,
        'r: 'a;

    /// `None` if the triangles are too many, or `spread` is to stop.
    fn build(
        count: usize,
        triangles: &impl Fetch<Content = Numbered<T>>,
        quality: BuildQuality,
        spread: Spread<'_>,
    ) -> Option<Self>;

    /// The tree of these parts.
    fn of_parts(bvh: Bvh<Self::Block>, viewpoint: Self::Viewpoint, bounds: Aabb<T>) -> Self;

    /// Lets `rewrite` move the triangles of all leaves, and fits all boxes. `None` if it is to
    /// stop: then the tree is of no use.
    fn refit(
        &mut self,
        rewrite: impl Fn(&mut Self::Block) + Sync,
        spread: Spread<'_>,
    ) -> Option<()>;

    /// A copy with memory of its own; `None` if it is to stop.
    fn copy(&self, spread: Spread<'_>) -> Option<Self>;

    fn bounds(&self) -> Aabb<T>;

    fn bvh(&self) -> &Bvh<Self::Block>;

    fn bvh_mut(&mut self) -> &mut Bvh<Self::Block>;

    fn viewpoint(&self) -> &Self::Viewpoint;

    fn chunk_rays<'a, 'r>(&'a self, rays: &'a RayBatch<'r, T>) -> Self::Rays<'a, 'r>;

    /// A single ray prepared for boxes, its interval there, and the factor of its `t` there; or its
    /// defect.
    fn seen(&self, ray: &Ray<T>) -> Result<(SlabAxes, [f32; 2], f64), Status>;

    /// Casts `rays` and offers their hits to `query`; row `i` is ray `i` of `rays`.
    fn cast<Q: Query<T>>(
        &self,
        backend: Backend,
        rays: &RayBatch<'_, T>,
        plan: Plan<'_>,
        query: &mut Q,
    ) {
        let bvh = self.bvh();
        let alone = cfg!(lanecast_small) || query.counts_visits();
        if plan.may_go_by_octant() && !alone {
            return self.cast_in_disorder(backend, rays, plan, query);
        }
        let mut rows = ChunkRows::new(rays.len(), plan.facts.row_width);
        let tries_groups = !plan.may_go_by_octant() && !query.counts_visits();
        if tries_groups && plan.goes_in_groups(rays.len()) {
            let narrows_and_forgets = (query.narrows(), Q::NEEDS.forgets);
            let leaves =
                &mut GroupLeafTest::new(backend, &bvh.arena, self.chunk_rays(rays), plan, query);
            groups::cast(bvh, backend, &mut rows, plan.coherence, narrows_and_forgets, leaves);
        }
        if plan.goes_one_by_one(rays.len()) || alone {
            return dispatch!(backend, lanes => {
                single::cast_each(lanes, self, rays, &mut rows, plan, query);
            });
        }
        bvh.cast_many(backend, (self.chunk_rays(rays), None), rows, plan, query);
    }

    /// The same for rays in no order, as they lie until a stream shows that they are better cast
    /// octant by octant.
    fn cast_in_disorder<Q: Query<T>>(
        &self,
        backend: Backend,
        rays: &RayBatch<'_, T>,
        plan: Plan<'_>,
        query: &mut Q,
    ) {
        let (bvh, mut first) = (self.bvh(), 0);
        while first < rays.len() && !plan.goes_by_octant(rays.len() - first) {
            let rows = first..rays.len().min(first + TUNING.chunk_lengths[1]);
            bvh.cast_many(
                backend,
                (self.chunk_rays(rays), None),
                ChunkRows::run(rows.clone()),
                plan,
                query,
            );
            first = rows.end;
            if plan.chunk.advance(rows.len()).is_break() {
                return;
            }
        }
        if first == rays.len() {
            return;
        }
        let by_octant = ByOctant::new(rays, first..rays.len());
        for (rays, given_rows) in by_octant.parts::<T>() {
            let rows = ChunkRows::run(0..rays.len());
            bvh.cast_many(backend, (self.chunk_rays(&rays), Some(given_rows)), rows, plan, query);
            if plan.chunk.advance(given_rows.len()).is_break() {
                break;
            }
        }
        by_octant.put_back();
    }

    /// Whether a ray by itself hits anything. Every touch counts.
    fn any_of(&self, backend: Backend, ray: &Ray<T>) -> Status {
        dispatch!(backend, move lanes => single::any_of(lanes, self, ray))
    }

    /// The first hit of a ray by itself. Every touch counts.
    fn closest_of(&self, backend: Backend, ray: &Ray<T>) -> SingleClosestHit<T> {
        dispatch!(backend, move lanes => single::closest_of(lanes, self, ray))
    }
}

//! Traversal of rays of `f64`: in [groups](super::anchored_groups), in streams, in flight, or one by one.

use super::anchored_groups::GroupLeafTestF64;
use super::chunk_rays_f64::ChunkRaysF64;
use super::rows::ChunkRows;
use super::single::{OneRay, SingleAny, SingleClosest, SingleRays};
use super::single::{RayStack, Visitor};
use super::slab::{SlabAxes, SlabLanes};
use super::{PREFETCH_FROM, fewest_in_flight, go_in_groups, goes_alone, groups};
use crate::leaf::LeafBlockF64;
use crate::query::{Casting, Query, SingleClosestHit, Target};
use crate::simd::{Backend, Lanes, dispatch, set_bits};
use crate::status::Status;
use crate::tree::viewpoint::{ANCHOR, not_below};
use crate::tree::{AnchoredBvh, Leaf};
use crate::value::{Ray, RayBatch, Rules};

impl<B: Leaf> AnchoredBvh<B> {
    /// A ray without defect as boxes see it: prepared, its interval, and the factor of its `t`.
    #[inline(always)]
    fn seen(&self, ray: &Ray<f64>) -> (SlabAxes, [f32; 2], f64) {
        let (ray, scale) = self.viewpoint.ray(ray);
        let axes = SlabAxes::if_sound_and_in_range(&ray, ANCHOR, self.bvh.range, 1.0);
        (axes.unwrap_or_else(|| SlabAxes::unbounded(&ray)), [ray.t_min, ray.t_max], scale)
    }
}

impl<B: LeafBlockF64> Target<f64> for AnchoredBvh<B> {
    fn cast<Q: Query<f64>>(
        &self,
        backend: Backend,
        rays: &RayBatch<'_, f64>,
        how: Casting<'_>,
        query: &mut Q,
    ) {
        let mut rows = ChunkRows::new(rays.len(), how.row_width);
        if Q::MAY_GROUP && go_in_groups(rays.len(), how.coherence) {
            let leaves = &mut GroupLeafTestF64::new(backend, self, rays, how, query);
            groups::cast(&self.bvh, backend, &mut rows, how.coherence, leaves);
        }
        let fewest = fewest_in_flight(self.bvh.arena.bytes() > PREFETCH_FROM, Q::NARROWS);
        if Q::MAY_GO_ALONE && goes_alone(rays.len(), how, fewest) {
            let rules = how.rules;
            return dispatch(backend, SingleRays { tree: self, rays, rows: &mut rows, rules, query });
        }
        self.bvh.cast_many(backend, rays.len(), ChunkRaysF64::new(self, rays), rows, how, query);
    }

    fn any_of(&self, backend: Backend, ray: &Ray<f64>) -> Status {
        dispatch(backend, SingleAny { tree: self, ray })
    }

    fn closest_of(&self, backend: Backend, ray: &Ray<f64>) -> SingleClosestHit<f64> {
        dispatch(backend, SingleClosest { tree: self, ray })
    }
}

impl<B: LeafBlockF64> OneRay<f64> for AnchoredBvh<B> {
    fn stack_size(&self) -> usize {
        self.bvh.stack
    }

    #[inline(always)]
    fn cast_ray<L: Lanes, Q: Query<f64>>(
        &self,
        lanes: L,
        stack: &mut RayStack,
        row: usize,
        ray: &Ray<f64>,
        rules: Rules,
        query: &mut Q,
    ) {
        if let Some(defect) = ray.find_defect() {
            return query.refuse(row, defect);
        }
        let (axes, interval, scale) = self.seen(ray);
        let prepared = B::with_scale(B::prepare(ray), scale);
        let mut leaf_test = SingleLeafTest { row, ray, prepared, rules, query, state: Q::START };
        self.bvh.walk(lanes, stack, axes, interval, &mut leaf_test);
        let SingleLeafTest { query, state, .. } = leaf_test;
        query.finish(row, &state);
    }
}

/// Tests a ray against the leaves that it visits.
struct SingleLeafTest<'a, B: LeafBlockF64, Q: Query<f64>> {
    row: usize,
    ray: &'a Ray<f64>,
    prepared: B::PreparedRay,
    rules: Rules,
    query: &'a mut Q,
    state: Q::State,
}

impl<B: LeafBlockF64, Q: Query<f64>> Visitor<B> for SingleLeafTest<'_, B, Q> {
    const NARROWS: bool = Q::NARROWS;

    #[inline(always)]
    fn visit_node(&mut self, boxes: impl FnOnce() -> usize) {
        if Q::COUNTS_VISITS {
            Q::visit_nodes(&mut self.state, [1, boxes() as u32]);
        }
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &B, _: &SlabLanes<L>, t_max: &mut f32) -> bool {
        let Self { row, ray, ref prepared, rules, ref mut query, ref mut state } = *self;
        Q::visit_leaf(state, || block.count());
        let mut offered = false;
        for lane in set_bits(block.undecided(lanes, prepared)) {
            if let Some(found) = block.decide(lane, prepared, rules, [ray.t_min, ray.t_max])
                && let Some(candidate) = found.settled(|| block.settle(lane, ray))
            {
                query.offer(row, state, candidate, found.side, || block.geometric_normal(lane));
                offered = true;
            }
        }
        if Q::NARROWS && offered {
            *t_max = not_below(Q::t_max(state, ray.t_max) * B::scale(prepared));
        }
        Q::is_settled(state)
    }
}

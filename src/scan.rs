//! Brute force: every ray against every primitive. The oracle that the tree is held against.

use crate::primitive::{LeafBlock, Rules};
use crate::query::{Casting, Query, Target};
use crate::ray::{Ray, RayBatch};
use crate::simd::Lanes;

/// The blocks of a scene, without a tree.
pub(crate) struct Scan<'a, B> {
    pub(crate) blocks: &'a [B],
}

impl<B: LeafBlock> Target for Scan<'_, B> {
    #[inline(always)]
    fn cast<L: Lanes, Q: Query>(&self, lanes: L, rays: &RayBatch<'_>, how: Casting<'_>, query: &mut Q) {
        for row in 0..rays.len() {
            self.cast_ray(lanes, row, &rays.ray(row), how.rules::<Q>(), query);
        }
    }

    #[inline(always)]
    fn cast_single<L: Lanes, Q: Query>(&self, lanes: L, ray: &Ray, rules: Rules, query: &mut Q) {
        self.cast_ray(lanes, 0, ray, rules, query);
    }
}

impl<B: LeafBlock> Scan<'_, B> {
    #[inline(always)]
    fn cast_ray<L: Lanes, Q: Query>(&self, lanes: L, row: usize, ray: &Ray, rules: Rules, query: &mut Q) {
        if let Some(defect) = ray.find_defect() {
            return query.refuse(row, defect);
        }
        let prepared = B::prepare(ray);
        let mut state = Q::START;
        for block in self.blocks {
            Q::visit_leaf(&mut state, || block.count());
            // The whole interval, every time: the oracle skips nothing.
            let interval = [ray.t_min, ray.t_max];
            block.intersect(lanes, &prepared, interval, rules, |lane, candidate, side| {
                query.offer(row, &mut state, candidate, side, || block.geometric_normal(lane));
            });
        }
        query.finish(row, &state);
    }
}

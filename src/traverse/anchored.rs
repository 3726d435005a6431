//! Trees of `f64`: boxes see rays of `f32`, leaves those given.

use std::ops::Range;

use super::anchored_groups::{PreparedGroup, lanes_of, take_vector};
use super::chunk_rays::{ChunkRays, RayTree};
use super::group_leaves::GroupLeafTest;
use super::groups::ActiveGroup;
use super::slab::SlabAxes;
use crate::leaf::LeafBlockF64;
use crate::query::Query;
use crate::simd::Lanes;
use crate::status::Status;
use crate::tree::viewpoint::ANCHOR;
use crate::tree::{AnchoredBvh, Bvh};
use crate::value::{GROUP, GroupColumn, Heading, Ray, RayBatch, RayGroup};

impl<B: LeafBlockF64> RayTree<f64> for AnchoredBvh<B> {
    type Block = B;
    type Chunk<'a, 'r>
        = ChunkRaysF64<'a, 'r, B>
    where
        'r: 'a;

    #[inline(always)]
    fn bvh(&self) -> &Bvh<B> {
        &self.bvh
    }

    #[inline(always)]
    fn chunk<'a, 'r>(&'a self, rays: &'a RayBatch<'r, f64>) -> ChunkRaysF64<'a, 'r, B> {
        ChunkRaysF64 { tree: self, source: rays, rays: RayGroup::EMPTY, scale: GroupColumn::ZERO }
    }

    #[inline(always)]
    fn seen(&self, ray: &Ray<f64>) -> Result<(SlabAxes, [f32; 2], B::PreparedRay), Status> {
        if let Some(defect) = ray.find_defect() {
            return Err(defect);
        }
        let (seen, scale) = self.viewpoint.ray(ray);
        let axes = SlabAxes::if_sound_and_in_range(&seen, ANCHOR, self.bvh.range, 1.0);
        let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(&seen));
        Ok((axes, [seen.t_min, seen.t_max], B::prepare_scaled(ray, scale)))
    }
}

/// Rays of `f64`.
pub(super) struct ChunkRaysF64<'a, 'r, B> {
    tree: &'a AnchoredBvh<B>,
    source: &'a RayBatch<'r, f64>,
    /// The rays gathered last.
    pub(super) rays: RayGroup<f64>,
    /// The factors of their `t` in box tests.
    pub(super) scale: GroupColumn<f64>,
}

impl<B: LeafBlockF64> ChunkRays for ChunkRaysF64<'_, '_, B> {
    type Scalar = f64;
    type Block = B;
    type Group = PreparedGroup<B::PreparedRays>;
    type LaidOut = ();

    fn ray(&self, row: u32) -> Ray<f64> {
        self.source.ray(row as usize)
    }

    fn prefetch(&self, rows: Range<usize>) {
        self.source.prefetch(rows);
    }

    #[inline(always)]
    fn gather<L: Lanes>(&mut self, lanes: L, rows: &[u32], into: &mut RayGroup) -> u64 {
        self.rays.look_up(self.source, rows);
        self.tree.viewpoint.group(lanes.widest(), &self.rays, into, &mut self.scale);
        self.rays.surely_sound(lanes.widest())
    }

    fn find_defect(&self, _: &RayGroup, lane: usize) -> Option<Status> {
        self.rays.ray(lane).find_defect()
    }

    #[inline(always)]
    fn prepare<L: Lanes>(&self, lanes: L, _: &RayGroup, into: &mut [B::PreparedRay; GROUP]) {
        B::prepare_each(lanes.widest(), &self.rays, &self.scale, into);
    }

    /// Left out are rays too far away for `f32`, and rays nearly as long along two axes: `f32` may lose which is
    /// longer, and all rays of a group are longest along the same axis.
    #[inline(always)]
    fn fit<L: Lanes>(&self, lanes: L, seen: &RayGroup) -> u64 {
        let wide = lanes.widest();
        seen.surely_sound(wide) & seen.headings(wide).agree_on_longest(&self.rays.headings(wide))
    }

    #[inline(always)]
    fn prepare_group<L: Lanes>(&self, lanes: L, seen: &RayGroup, heading: Heading, into: &mut Self::Group) {
        B::prepare_group(lanes.widest(), &self.rays, heading, &mut into.rays);
        let t_max = into.t_max.all_mut().iter_mut().zip(self.rays.columns.t_max.all());
        for (lane, (t_max, &came_with)) in t_max.enumerate() {
            *t_max = if seen.live >> lane & 1 == 1 { came_with } else { f64::NEG_INFINITY };
        }
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes, Q: Query<f64>>(
        test: &mut GroupLeafTest<'_, Self, Q>,
        lanes: L,
        block: &B,
        rays: u64,
        group: &mut ActiveGroup<'_>,
    ) -> bool {
        let (wide, undecided) = (lanes.widest(), test.undecided(lanes, block, rays & *group.live));
        let mut changed = 0;
        for (primitive, mut left) in undecided.into_iter().enumerate() {
            while left != 0 {
                let lanes = lanes_of::<L::Widest>();
                let (vector, open) = take_vector(&mut left, lanes);
                // Rays settled by an earlier primitive of the leaf drop out.
                let open = open & (*group.live >> (vector * lanes)) as u32;
                if open != 0 {
                    let met = test.decide(wide, (block, primitive), (vector, open), group);
                    changed |= u64::from(met) << (vector * lanes);
                }
            }
        }
        Q::NARROWS && test.narrow(wide, changed, group)
    }
}

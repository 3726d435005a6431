//! The rays of a chunk of `f64`.

use std::ops::Range;

use super::chunk_rays::{ChunkRays, StreamList};
use super::open::OpenPairs;
use crate::leaf::LeafBlockF64;
use crate::simd::Lanes;
use crate::status::Status;
use crate::tree::AnchoredBvh;
use crate::tree::viewpoint::not_below;
use crate::value::{GROUP, GroupColumn, Ray, RayBatch, RayGroup};

/// Rays of `f64`.
pub(super) struct ChunkRaysF64<'a, 'c, B> {
    tree: &'a AnchoredBvh<B>,
    source: &'a RayBatch<'c, f64>,
    /// The rays gathered last.
    pub(super) rays: RayGroup<f64>,
    /// The factors of their `t` in box tests.
    pub(super) scale: GroupColumn<f64>,
}

impl<'a, 'c, B> ChunkRaysF64<'a, 'c, B> {
    #[inline(always)]
    pub(super) fn new(tree: &'a AnchoredBvh<B>, source: &'a RayBatch<'c, f64>) -> Self {
        Self { tree, source, rays: RayGroup::EMPTY, scale: GroupColumn::ZERO }
    }

    /// Prefetches the rays in these rows, clamped to the batch.
    #[inline(always)]
    pub(super) fn prefetch(&self, rows: Range<usize>) {
        self.source.prefetch(rows);
    }
}

impl<B: LeafBlockF64> ChunkRays for ChunkRaysF64<'_, '_, B> {
    type Scalar = f64;
    type Block = B;
    type LaidOut = ();

    #[inline(always)]
    fn gather<L: Lanes>(&mut self, lanes: L, rows: &[u32], into: &mut RayGroup) -> u64 {
        self.rays.look_up(self.source, rows);
        self.tree.viewpoint.group(lanes.widest(), &self.rays, into, &mut self.scale);
        self.rays.surely_sound(lanes.widest())
    }

    #[inline(always)]
    fn prepare<L: Lanes>(&self, lanes: L, _: &RayGroup, into: &mut [B::PreparedRay; GROUP]) {
        B::prepare_each(lanes.widest(), &self.rays, &self.scale, into);
    }

    fn find_defect(&self, _: &RayGroup, lane: usize) -> Option<Status> {
        self.rays.ray(lane).find_defect()
    }

    #[inline(always)]
    fn given_interval(ray: &B::PreparedRay, _: [f32; 2]) -> [f64; 2] {
        B::interval(ray)
    }

    /// The given interval; none for a settled ray, whose limit is NaN.
    #[inline(always)]
    fn interval(ray: &B::PreparedRay, [_, seen]: [f32; 2]) -> [f64; 2] {
        let [t_min, t_max] = B::interval(ray);
        [t_min, if seen.is_nan() { f64::NAN } else { t_max }]
    }

    #[inline(always)]
    fn limit(ray: &B::PreparedRay, t_max: f64) -> f32 {
        not_below(t_max * B::scale(ray))
    }

    fn ray(&self, row: u32) -> Ray<f64> {
        self.source.ray(row as usize)
    }

    #[inline(always)]
    fn lay_out<L: Lanes>(_: L, _: &B, _: usize, (): &mut ()) -> bool {
        false
    }

    #[inline(always)]
    fn reject<L: Lanes>(
        lanes: L,
        block: &B,
        _: Option<&()>,
        list: StreamList<'_, B::PreparedRay>,
        open: &mut OpenPairs<B, f64>,
    ) {
        list.reject_each(lanes, block, open);
    }
}

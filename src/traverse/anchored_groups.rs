//! Groups at leaves of `f64`.
//!
//! Boxes see a group of `f32`. The first stage at a leaf is in `f32` too: each ray against all primitives, or
//! each primitive against vectors of rays, whichever takes fewer vectors. Vectors of `f64` decide the rest,
//! and scalar arithmetic the rays that pass too near an edge for plain `f64`.

use super::anchored::ChunkRaysF64;
use super::count;
use super::group_leaves::GroupLeafTest;
use super::groups::ActiveGroup;
use crate::leaf::LeafBlockF64;
use crate::query::Query;
use crate::simd::{BothPrecisions, LANES, Lanes, Mask, Real, Vectors, set_bits};
use crate::tree::viewpoint::not_below;
use crate::value::{GroupColumn, RayParts};

/// The rays of a group.
#[derive(Clone, Copy, bytemuck::Zeroable)]
pub(super) struct PreparedGroup<R> {
    /// Prepared for primitives.
    pub(super) rays: R,
    /// The `t_max` of each ray, lowered by hits that narrow; −∞ in lanes without a ray of the heading.
    pub(super) t_max: GroupColumn<f64>,
}

impl<B: LeafBlockF64, Q: Query<f64>> GroupLeafTest<'_, ChunkRaysF64<'_, '_, B>, Q> {
    /// The rays that may meet each primitive of a leaf.
    #[inline(always)]
    pub(super) fn undecided<L: Lanes>(&self, lanes: L, block: &B, rays: u64) -> [u64; LANES] {
        let (wide, prepared) = (lanes.widest(), &self.prepared.rays);
        let mut undecided = [0; LANES];
        // A vector of rays is prepared once and tested against each primitive; a ray against all.
        if vectors_of(rays, count::<L::Widest>()) * (block.count() + 1) <= 2 * rays.count_ones() as usize {
            let mut left = rays;
            while left != 0 {
                let (vector, some) = take_vector(&mut left, count::<L::Widest>());
                let mut open = [0; LANES];
                block.undecided_rays(wide, prepared, vector, &mut open);
                for (undecided, open) in undecided.iter_mut().zip(open) {
                    *undecided |= u64::from(some & open) << (vector * count::<L::Widest>());
                }
            }
        } else {
            let filled = (1_u16 << block.count()) - 1;
            for lane in set_bits(rays) {
                let open = block.undecided(lanes, &B::prepared_ray(prepared, lane)) & filled as u8;
                for primitive in set_bits(open) {
                    undecided[primitive] |= 1 << lane;
                }
            }
        }
        undecided
    }

    /// Decides a primitive for some rays of a vector, and offers the hits. Returns the rays with one, as bits.
    #[inline(always)]
    pub(super) fn decide<V: Vectors<f64>>(
        &mut self,
        lanes: V,
        (block, primitive): (&B, usize),
        (vector, open): (usize, u32),
        group: &mut ActiveGroup<'_>,
    ) -> u32 {
        let Self { chunk, prepared: PreparedGroup { rays, t_max }, offers, .. } = self;
        let RayParts { t_min, t_max: came_with, .. } = &chunk.rays.columns;
        let interval = [t_min.load(lanes, vector), came_with.load(lanes, vector)];
        let mut met = block.decide_rays(lanes, primitive, rays, (vector, interval), offers.rules.culling);
        let one_by_one = open & (!met.is_plain.bits() | met.near_end.bits());
        // Earlier hits may have narrowed the interval.
        met.met = met.met & !met.near_end & met.t.le(t_max.load(lanes, vector));
        let mut changed = met.met.bits();
        if changed != 0 {
            let of_group = (group.rows, &mut *group.live);
            offers.offer(lanes, (block, primitive), (vector, met), t_max, of_group);
        }
        for lane in set_bits(one_by_one) {
            let place = vector * V::COUNT + lane;
            let ray = (place, &chunk.rays.ray(place), &B::prepared_ray(rays, place));
            let of_group = (group.rows, &mut *group.live);
            let met = offers.decide((block, primitive), ray, t_max, of_group);
            changed |= u32::from(met) << lane;
        }
        changed
    }

    /// Narrows the intervals that boxes see, for some rays. Returns whether any became narrower.
    #[inline(always)]
    pub(super) fn narrow<V: BothPrecisions>(&self, lanes: V, rays: u64, group: &mut ActiveGroup<'_>) -> bool {
        let (t_max, scale) = (&self.prepared.t_max, &self.chunk.scale);
        let mut narrows = false;
        let mut left = rays;
        while left != 0 {
            let (vector, _) = take_vector(&mut left, count::<V>());
            let (low, high) = (2 * vector, 2 * vector + 1);
            let t_max = lanes.join(t_max.load(lanes, low), t_max.load(lanes, high));
            let scale = lanes.join(scale.load(lanes, low), scale.load(lanes, high));
            let before = group.slabs.t_max.load(lanes, vector);
            let after: <V as Vectors<f32>>::Real = not_below(t_max * scale);
            narrows |= after.lt(before).bits() != 0;
            group.slabs.t_max.store(lanes, after.min(before), vector);
        }
        narrows
    }
}

/// The lanes of a vector of `f64`.
pub(super) const fn lanes_of<V: Vectors<f64>>() -> usize {
    V::COUNT
}

/// Removes the rays in the vector of the first ray, which has this many lanes; returns the vector and their
/// bits.
#[inline(always)]
pub(super) const fn take_vector(rays: &mut u64, lanes: usize) -> (usize, u32) {
    let vector = rays.trailing_zeros() as usize / lanes;
    let of_vector = u64::MAX >> (64 - lanes);
    let some = *rays >> (vector * lanes) & of_vector;
    *rays &= !(of_vector << (vector * lanes));
    (vector, some as u32)
}

/// The number of vectors of this many lanes that the rays are in.
#[inline(always)]
const fn vectors_of(mut rays: u64, lanes: usize) -> usize {
    let mut count = 0;
    while rays != 0 {
        take_vector(&mut rays, lanes);
        count += 1;
    }
    count
}

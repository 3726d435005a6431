//! Rays of streams and flights: small records, gathered as a vector or loaded one by one. And the
//! slab test that all rays but single ones share.

use crate::math::UNIT_ROUNDOFF;
use crate::simd::{Lanes, MAX_STREAM_RAYS, MapEach, Mask, Real, Rearrange, number_of};
use crate::tree::FiniteRange;
use crate::tree::aabb_block::{ENDLESS, LOST, SLACK};
use crate::value::{GROUP, RayGroup};

/// A ray prepared for the slab test without its `t_min`, in half a cache line.
///
/// The rays of a stream are gathered from anywhere, node after node, and these loads dominate:
/// separate origins for near and far planes made records twice as long. Here both are computed from
/// one origin and one slack, the greatest of the three axes. The product of origin and reciprocal
/// is rounded before the slack is added, and the sum after: as often as with two origins, so that
/// the proof at [`AabbBlock`](crate::tree::AabbBlock) covers it.
///
/// A ray out of the [finite range](FiniteRange) meets every box.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(32))]
pub(crate) struct SlabRecord {
    /// Origin times reciprocal, negated.
    offset: [f32; 3],
    /// The outward shift of planes, along each axis.
    slack: f32,
    /// 1 / direction; of components that count as zero see [`AabbBlock`](crate::tree::AabbBlock).
    /// Negative where the component is.
    inv_direction: [f32; 3],
    /// The greatest `t` that counts; a query lowers it as it finds hits.
    pub(crate) t_max: f32,
}

/// The shift of planes by the ray that meets the triangles in them.
pub(crate) const PER_REACH: f32 = 2.0 * SLACK;

impl SlabRecord {
    /// The value of an empty place.
    pub(crate) const NONE: Self =
        Self { offset: [0.0; 3], slack: 0.0, inv_direction: [1.0; 3], t_max: f32::NEG_INFINITY };

    /// Prepares each ray of a group for boxes widened for `anchor`, and returns which of them are
    /// in range; the result for a ray with a defect is unspecified. Planes are shifted by
    /// `per_reach` of the distance between origin and anchor, [`PER_REACH`] at least.
    #[inline(always)]
    pub(crate) fn prepare_group<V: Rearrange>(
        lanes: V,
        group: &RayGroup,
        (anchor, per_reach): ([f32; 3], f32),
        range: FiniteRange,
        into: &mut [Self; GROUP],
    ) -> u64 {
        let mut are_in_range = 0;
        let (zero, one) = (lanes.splat(0.0), lanes.splat(1.0));
        for (vector, into) in into.chunks_exact_mut(V::COUNT).enumerate() {
            let ray = group.vector(lanes, vector);
            let mut inverse = [zero; 3];
            let (mut longest, mut shortest_inverse) = (zero, lanes.splat(f32::INFINITY));
            let (mut reach, mut farthest) = (zero, zero);
            for (axis, &anchor) in anchor.iter().enumerate() {
                longest = ray.direction[axis].abs().max(longest);
                inverse[axis] = one / ray.direction[axis];
                shortest_inverse = inverse[axis].abs().min(shortest_inverse);
                reach = (ray.origin[axis] - lanes.splat(anchor)).abs().max(reach);
                farthest = ray.origin[axis].abs().max(farthest);
            }
            let negligible = lanes.splat(UNIT_ROUNDOFF) * longest;
            // No second division: the reciprocal of the longest is known.
            let endless = lanes.splat(ENDLESS) * shortest_inverse;
            let slack = lanes.splat(per_reach) * reach
                + lanes.splat(4.0 * UNIT_ROUNDOFF) * farthest
                + lanes.splat(f32::MIN_POSITIVE) * (one + lanes.splat(LOST) * longest);
            let in_range = range.holds(longest, ray.origin);
            are_in_range |= u64::from(in_range.bits()) << (vector * V::COUNT);
            let slack = slack.select(in_range, lanes.splat(f32::MAX));
            let mut offset = [zero; 3];
            for axis in 0..3 {
                let direction = ray.direction[axis];
                let backwards = direction.lt(zero);
                let endless = (zero - endless).select(backwards, endless);
                let bounded = endless.select(direction.abs().le(negligible), inverse[axis]);
                // The slack times this is the greatest number; a plane times it vanishes beside
                // that.
                let unbounded = (zero - one).select(backwards, one);
                inverse[axis] = bounded.select(in_range, unbounded);
                offset[axis] = ((zero - ray.origin[axis]) * bounded).select(in_range, zero);
            }
            let into: &mut [[[f32; 4]; 2]] = bytemuck::cast_slice_mut(into);
            lanes.store_transposed([offset[0], offset[1], offset[2], slack], 0, into);
            lanes.store_transposed([inverse[0], inverse[1], inverse[2], ray.t_max], 1, into);
        }
        are_in_range
    }

    /// One ray, from `t_min` on.
    #[inline(always)]
    pub(crate) fn from(&self, t_min: f32) -> SlabVector<f32> {
        SlabVector::moved(self.offset, self.slack, self.inv_direction, [t_min, self.t_max])
    }

    /// The reciprocals along each axis, and `t_max`, of the first rays, one per lane, as columns.
    #[inline(always)]
    pub(crate) fn inverses_and_t_max<V: Rearrange>(lanes: V, rays: &[Self]) -> [V::Real; 4] {
        let rays: &[[[f32; 4]; 2]] = bytemuck::cast_slice(rays);
        lanes.gather_transposed(|lane| &rays[lane], 1)
    }
}

/// Rays prepared for the slab test: vectors, with a ray in each lane or one in all; numbers, of one
/// ray; or columns, of a group.
#[derive(Debug, Clone, Copy, Default, bytemuck::Zeroable)]
pub(crate) struct SlabVector<R> {
    /// Origins times reciprocals, negated: a plane is met at itself times the reciprocal, and this.
    pub(super) near_offset: [R; 3],
    pub(super) far_offset: [R; 3],
    pub(super) inv_direction: [R; 3],
    /// The least `t` that counts.
    pub(crate) t_min: R,
    /// The greatest `t` that counts; a query lowers it as it finds hits.
    pub(crate) t_max: R,
}

impl<R> SlabVector<R> {
    /// `f` of each number.
    #[inline(always)]
    pub(super) fn map<U: Copy>(&self, f: impl Fn(&R) -> U) -> SlabVector<U> {
        SlabVector {
            near_offset: self.near_offset.each_ref().map_each(&f),
            far_offset: self.far_offset.each_ref().map_each(&f),
            inv_direction: self.inv_direction.each_ref().map_each(&f),
            t_min: f(&self.t_min),
            t_max: f(&self.t_max),
        }
    }
}

impl SlabVector<f32> {
    /// Bit `axis` is set where the direction's component is negative.
    #[inline(always)]
    pub(crate) fn octant(&self) -> usize {
        let [x, y, z] = self.inv_direction.map_each(|inverse| usize::from(inverse < 0.0));
        x | y << 1 | z << 2
    }

    /// The ray in all lanes.
    #[inline(always)]
    pub(crate) fn in_lanes<L: Lanes>(&self, lanes: L) -> SlabVector<L::F32> {
        self.map(|&number| lanes.splat(number))
    }
}

impl<R: Real<Scalar = f32>> SlabVector<R> {
    /// From an offset for both planes of an axis, which are moved by the slack.
    #[inline(always)]
    fn moved(offset: [R; 3], slack: R, inv_direction: [R; 3], [t_min, t_max]: [R; 2]) -> Self {
        let (mut near_offset, mut far_offset) = (offset, offset);
        for axis in 0..3 {
            let moved = slack * inv_direction[axis].abs();
            near_offset[axis] = offset[axis] - moved;
            far_offset[axis] = offset[axis] + moved;
        }
        Self { near_offset, far_offset, inv_direction, t_min, t_max }
    }

    /// Gathers the rays of the first entries, one per lane, from `t_min` on.
    ///
    /// Sixteen bits name a ray of the table, so no number is checked; and numbers are read from the
    /// list, as it takes longer to extract them from a vector.
    #[inline(always)]
    pub(crate) fn take<V: Rearrange<Real = R>>(
        lanes: V,
        rays: &[SlabRecord; MAX_STREAM_RAYS],
        entries: &[u32],
        t_min: R,
    ) -> Self {
        let rays: &[[[f32; 4]; 2]; MAX_STREAM_RAYS] = bytemuck::cast_ref(rays);
        let ray = |lane: usize| &rays[usize::from(number_of(entries[lane]))];
        let [x, y, z, slack] = lanes.gather_transposed(ray, 0);
        let [inverse_x, inverse_y, inverse_z, t_max] = lanes.gather_transposed(ray, 1);
        Self::moved([x, y, z], slack, [inverse_x, inverse_y, inverse_z], [t_min, t_max])
    }

    /// [`slabs`](Self::slabs) of rays of any octants, by the least and the greatest planes.
    #[inline(always)]
    pub(crate) fn slabs_of_any_octant(&self, [least, greatest]: [[R; 3]; 2]) -> (R, R) {
        let zero = self.t_min.splat(0.0);
        let (mut near, mut far) = (least, greatest);
        for axis in 0..3 {
            let backwards = self.inv_direction[axis].lt(zero);
            near[axis] = greatest[axis].select(backwards, least[axis]);
            far[axis] = least[axis].select(backwards, greatest[axis]);
        }
        self.slabs([near, far])
    }

    /// The overlap of the interval of the ray with the box in each lane, by the planes that are
    /// near and far for the octant, as (t_enter, t_exit); empty, which is a miss, where t_enter >
    /// t_exit.
    #[inline(always)]
    pub(crate) fn slabs(&self, [near, far]: [[R; 3]; 2]) -> (R, R) {
        let (mut t_enter, mut t_exit) = (self.t_min, self.t_max);
        for axis in 0..3 {
            let t_near = near[axis].mul_add(self.inv_direction[axis], self.near_offset[axis]);
            let t_far = far[axis].mul_add(self.inv_direction[axis], self.far_offset[axis]);
            t_enter = t_near.loose_max(t_enter);
            t_exit = t_far.loose_min(t_exit);
        }
        (t_enter, t_exit)
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/traverse/slab/record.rs"]
mod tests;

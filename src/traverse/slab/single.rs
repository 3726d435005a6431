//! A single ray prepared for the slab test with the least latency, as it waits for that before the
//! first node.

use crate::math::UNIT_ROUNDOFF;
use crate::simd::{Lanes, Quad, Real, of_three};
use crate::tree::aabb_block::{ENDLESS, LOST, SLACK};
use crate::tree::{AabbBlock, FiniteRange};
use crate::value::{Line, Ray, RayParts};

/// The shift of planes for an origin at a distance of 1 from the anchor.
pub(crate) const STRETCHED: f32 = 2.0 * SLACK + 4.0 * UNIT_ROUNDOFF;

/// The numbers of [`SlabLanes`]: by axis, in the first three lanes.
#[derive(Clone, Copy)]
pub(crate) struct SlabAxes {
    near_offset: Quad,
    far_offset: Quad,
    inverse: Quad,
}

impl SlabAxes {
    /// Prepares a ray for boxes widened for `anchor`; `None` if it may have a defect, or may be out
    /// of the [finite range](FiniteRange).
    ///
    /// Conservative as proved at [`AabbBlock`], with two differences. There a component of the
    /// direction counts as zero up to ε of the longest, c, and its reciprocal is 4 / εc; here only
    /// up to ε / 4, where 1 / d comes to the same: the proof for components that do not count as
    /// zero holds at any size. And the slack is that of a [`SlabRecord`](super::SlabRecord), with
    /// the distance of the origin from 0 replaced by a bound: its distance from the anchor plus
    /// that of the anchor from 0.
    ///
    /// The ray that meets the content of a box may differ from this one by `stretch` times a test's
    /// own rounding; 1 if not at all.
    #[inline(always)]
    pub(crate) fn if_sound_and_in_range(
        ray: &Ray,
        anchor: [f32; 3],
        range: FiniteRange,
        stretch: f32,
    ) -> Option<Self> {
        let &Ray { origin, direction, t_min, t_max } = ray;
        let sound = Ray::surely_sound(&RayParts { origin, direction, t_min, t_max });
        let (origin, direction) = (of_three(origin), of_three(direction));
        let length = direction.abs();
        let longest = greatest(length);
        let reach = greatest((origin - of_three(anchor)).abs());
        // One branch for all checks.
        if !(sound & range.surely_holds(longest, reach)) {
            return None;
        }
        let slack = stretch * STRETCHED * reach
            + (4.0 * UNIT_ROUNDOFF * range.anchor + f32::MIN_POSITIVE * (1.0 + LOST * longest));
        let size = (Quad::splat(1.0) / length).fast_min(Quad::splat(ENDLESS / longest));
        let inverse = with_sign_of(size, direction);
        let (offset, moved) = (-origin * inverse, Quad::splat(slack) * size);
        Some(Self { near_offset: offset - moved, far_offset: offset + moved, inverse })
    }

    /// A ray that meets every box.
    #[inline(always)]
    pub(crate) fn unbounded(ray: &Ray) -> Self {
        // Signs and sizes such that only an empty box, whose planes are infinite, is not met.
        let inverse = with_sign_of(Quad::splat(f32::MIN_POSITIVE), of_three(ray.direction));
        Self { near_offset: Quad::splat(-f32::MAX), far_offset: Quad::splat(f32::MAX), inverse }
    }
}

/// A ray prepared as those of a [`SlabVector`](super::SlabVector), in all lanes.
///
/// A ray out of the [finite range](FiniteRange) meets every box.
#[derive(Clone, Copy)]
pub(crate) struct SlabLanes<L: Lanes> {
    near_offset: [L::F32; 3],
    far_offset: [L::F32; 3],
    inverse: [L::F32; 3],
    t_min: L::F32,
    octant: usize,
}

impl<L: Lanes> SlabLanes<L> {
    /// The ray from `t_min` on.
    #[inline(always)]
    pub(crate) fn new(lanes: L, axes: SlabAxes, t_min: f32) -> Self {
        let in_lanes = |axes: Quad| {
            let [x, y, z, _] = axes.to_array();
            [lanes.splat(x), lanes.splat(y), lanes.splat(z)]
        };
        Self {
            near_offset: in_lanes(axes.near_offset),
            far_offset: in_lanes(axes.far_offset),
            inverse: in_lanes(axes.inverse),
            t_min: lanes.splat(t_min),
            octant: axes.inverse.to_bitmask() as usize,
        }
    }

    /// Bit `axis` is set where the direction's component is negative; for −0 it is, too.
    #[inline(always)]
    pub(crate) fn octant(&self) -> usize {
        self.octant & 7
    }

    /// The overlap of the ray's interval up to `t_max` with each box, as (t_enter, t_exit); empty,
    /// which is a miss, where t_enter > t_exit.
    #[inline(always)]
    pub(crate) fn slabs(&self, lanes: L, boxes: &AabbBlock, t_max: f32) -> (L::F32, L::F32) {
        let [near, far] = boxes.near_and_far(lanes, self.octant());
        let zero = lanes.splat(0.0);
        let (mut t_near, mut t_far) = ([zero; 3], [zero; 3]);
        for axis in 0..3 {
            t_near[axis] = near[axis].mul_add(self.inverse[axis], self.near_offset[axis]);
            t_far[axis] = far[axis].mul_add(self.inverse[axis], self.far_offset[axis]);
        }
        // In pairs, which shortens the dependency chain.
        let last = t_near[2].loose_max(self.t_min);
        let t_enter = t_near[0].loose_max(t_near[1]).loose_max(last);
        let first = t_far[2].loose_min(lanes.splat(t_max));
        let t_exit = t_far[0].loose_min(t_far[1]).loose_min(first);
        (t_enter, t_exit)
    }
}

/// Sizes, which are not negative, with the signs of other numbers.
#[inline(always)]
fn with_sign_of(sizes: Quad, signs: Quad) -> Quad {
    sizes | (signs & Quad::splat(-0.0))
}

/// The greatest of the first three lanes.
#[inline(always)]
fn greatest(of: Quad) -> f32 {
    let [x, y, z, _] = of.to_array();
    Real::max(Real::max(x, y), z)
}

#[cfg(test)]
#[path = "../../../tests/unit/traverse/slab/single.rs"]
mod tests;

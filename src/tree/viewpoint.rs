//! Trees over primitives of `f64`: boxes of `f32` around an anchor of `f64`.
//!
//! Relative to a [`Viewpoint`] survey coordinates are small, and boxes of `f32` around them as tight as those of any
//! scene. So nodes, and all traversal of them, are in `f32`; leaves decide in `f64`, in the coordinates of the scene. The
//! viewpoint lies amid most of the primitives, so that a far one makes no box wider but its own.
//!
//! # Why no hit is lost
//!
//! Coordinates are taken relative to the viewpoint and scaled by a power of two. They are rounded once in `f64` and once to
//! `f32`, boxes outwards. A ray o + t·d is rounded to `f32` as o' + t·d'. Write ε for 2⁻²⁴; all numbers below are scaled. At a
//! `t` at which the ray meets the content of a box, the two lie apart by at most ε(|o| + t|d|) ≤ ε(|o| + X) along an axis,
//! where X is the greatest distance along that axis from the origin to a corner of the box; the rounding of the test in `f64`
//! adds some 2⁻⁴⁶(X + Z). A triangle of `f32` may be reported up to (2X + 5Z)ε away from its box, as proved at
//! [`AabbBlock`](super::aabb_block::AabbBlock), and planes are moved by 12ε(X + Z), divided between box and ray by their
//! distances from the tree's own anchor, which is 0. With |c| for that of the box this is 12ε(|o| + |c|) along the axis alone,
//! where X is at most |o| + |c|. The test of the planes takes (3X + Z)ε of it; more than 9ε(|o| + |c|) is left, and ε(|o| + X)
//! is no more than a quarter of that. For the planes of an axis along which the direction counts as zero, as much is left.
//!
//! Directions are scaled by a power of two that brings the longest component to [1, 2), and `t` by its reciprocal and
//! by the scale of the coordinates. The scale is chosen such that the farthest coordinate is [`FARTHEST`]: a part in
//! 2¹⁵⁰ of that is still a normal `f32`. Smaller numbers count as zero; the slack has room for that.

use super::{BuildQuality, Bvh, Leaf};
use crate::columns::Shape;
use crate::math::{median, power_of_two};
use crate::simd::{BothPrecisions, Real, Widening};
use crate::threads::Spread;
use crate::value::{Aabb, GroupColumn, Ray, RayGroup, RayParts, RayShape};

/// The anchor for which boxes are widened: the viewpoint, in scaled coordinates.
pub(crate) const ANCHOR: [f32; 3] = [0.0; 3];

#[derive(Debug, Clone)]
pub(crate) struct AnchoredBvh<B> {
    pub(crate) bvh: Bvh<B>,
    pub(crate) viewpoint: Viewpoint,
    pub(crate) bounds: Aabb<f64>,
}

impl<B: Leaf> AnchoredBvh<B> {
    /// As [`Bvh::build`]. No box is empty, and coordinates are at most 2¹⁰⁰.
    pub(crate) fn build(
        count: usize,
        box_of: impl Fn(u32) -> Aabb<f64> + Sync,
        block: impl Fn(&[u32], [f32; 3]) -> B + Sync,
        quality: BuildQuality,
        spread: Spread,
    ) -> Option<Self> {
        let boxes = (0..count as u32).map(&box_of);
        let bounds = boxes.fold(Aabb::EMPTY, |all, aabb| all.merged(&aabb));
        let viewpoint = Viewpoint::amid(count, &box_of, &bounds);
        let box_of = |index| viewpoint.box_of(&box_of(index));
        let bvh = Bvh::build(Some(ANCHOR), count, box_of, block, quality, spread)?;
        Some(Self { bvh, viewpoint, bounds })
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Viewpoint {
    anchor: [f64; 3],
    /// The factor of coordinates relative to the anchor, a power of two.
    scale: f64,
}

/// The scaled distance of the farthest coordinate, within a factor of two. Rays from 2⁶⁰ times farther are
/// still in the [finite range](super::aabb_block::FiniteRange).
const FARTHEST: f64 = (1_u64 << 32) as f64;

impl Viewpoint {
    /// The median of the boxes along each axis.
    pub(crate) fn amid(count: usize, box_of: impl Fn(u32) -> Aabb<f64>, bounds: &Aabb<f64>) -> Self {
        /// The median is that of at most this many boxes, evenly sampled.
        const ASKED: usize = 1 << 12;
        if count == 0 {
            return Self { anchor: [0.0; 3], scale: 1.0 };
        }
        let asked = (0..count).step_by(count.div_ceil(ASKED)).map(|index| box_of(index as u32));
        let middle = |Aabb { min, max }: Aabb<f64>| [0, 1, 2].map(|axis| 0.5 * (min[axis] + max[axis]));
        let anchor = median(&asked.map(middle).collect::<Vec<_>>());
        let mut reach = 0.0_f64;
        for (axis, anchor) in anchor.into_iter().enumerate() {
            reach = reach.max(bounds.max[axis] - anchor).max(anchor - bounds.min[axis]);
        }
        // Keeps all scales within the powers of two of `f64`.
        let reach = reach.max(1.0 / FARTHEST.powi(5));
        Self { anchor, scale: FARTHEST / power_of_two(reach) }
    }

    pub(crate) fn box_of(&self, aabb: &Aabb<f64>) -> Aabb {
        let seen = |x: f64, axis: usize| ((x - self.anchor[axis]) * self.scale) as f32;
        Aabb {
            min: [0, 1, 2].map(|axis| seen(aabb.min[axis], axis).next_down()),
            max: [0, 1, 2].map(|axis| seen(aabb.max[axis], axis).next_up()),
        }
    }

    /// A ray without defect, scaled, and the factor of its `t`.
    #[inline(always)]
    pub(crate) fn ray(&self, ray: &Ray<f64>) -> (Ray, f64) {
        let [x, y, z] = ray.direction.map(f64::abs);
        let (seen, scale) = self.parts(ray, power_of_two(x.max(y).max(z)));
        (rounded(&seen), scale)
    }

    /// Each ray of a group as by [`ray`](Self::ray); the result for one with a defect is unspecified.
    #[inline(always)]
    pub(crate) fn group<V: BothPrecisions>(
        &self,
        lanes: V,
        rays: &RayGroup<f64>,
        into: &mut RayGroup,
        scale: &mut GroupColumn<f64>,
    ) {
        into.live = rays.live;
        let [x, y, z] = &rays.columns.direction;
        for vector in GroupColumn::<f64>::vectors::<V>() {
            let longest = x.load(lanes, vector).abs().max(y.load(lanes, vector).abs());
            scale.store(lanes, z.load(lanes, vector).abs().max(longest), vector);
        }
        for longest in &mut scale.0 {
            *longest = power_of_two(*longest);
        }
        for vector in GroupColumn::<f32>::vectors::<V>() {
            let (low, high) = (2 * vector, 2 * vector + 1);
            let longest = lanes.join(scale.load(lanes, low), scale.load(lanes, high));
            let mut both = RayShape::filled(longest);
            for (both, column) in both.in_order_mut().into_iter().zip(rays.columns.in_order()) {
                *both = lanes.join(column.load(lanes, low), column.load(lanes, high));
            }
            let seen = rounded(&self.parts(&both, longest).0);
            for (column, &seen) in into.columns.in_order_mut().into_iter().zip(seen.in_order()) {
                column.store(lanes, seen, vector);
            }
        }
        for longest in &mut scale.0 {
            *longest *= self.scale;
        }
    }

    /// Scaled rays, not yet rounded to `f32`, and the factors of their `t`. `longest` is the greatest power of two that is
    /// not above the longest component of a direction.
    #[inline(always)]
    fn parts<R: Real<Scalar = f64>>(&self, rays: &RayParts<R, 3>, longest: R) -> (RayParts<R, 3>, R) {
        let shrink = longest.splat(1.0) / longest;
        let scale = longest * longest.splat(self.scale);
        let mut seen = *rays;
        for axis in 0..3 {
            let anchor = longest.splat(self.anchor[axis]);
            seen.origin[axis] = (rays.origin[axis] - anchor) * longest.splat(self.scale);
            seen.direction[axis] = rays.direction[axis] * shrink;
        }
        (seen.t_min, seen.t_max) = (rays.t_min * scale, rays.t_max * scale);
        (seen, scale)
    }
}

/// Rounds rays to `f32`: to nearest, intervals outwards.
#[inline(always)]
fn rounded<R: Widening>(rays: &RayParts<R::Wide, 3>) -> RayParts<R, 3> {
    let t_min: R = not_below(rays.t_min.splat(0.0) - rays.t_min);
    let zero = t_min.splat(0.0);
    let mut seen = RayShape::filled(zero);
    for axis in 0..3 {
        seen.origin[axis] = R::narrow(rays.origin[axis]);
        seen.direction[axis] = R::narrow(rays.direction[axis]);
    }
    (seen.t_min, seen.t_max) = (zero - t_min, not_below(rays.t_max));
    seen
}

/// Rounds up to `f32`: one or two steps above the nearest, and by the least normal number. Finding the least such number
/// takes a branch that is mispredicted every other time: a tenth of the time of a camera ray.
#[inline(always)]
pub(crate) fn not_below<R: Widening>(x: R::Wide) -> R {
    let nearest = R::narrow(x);
    // Below the least finite number there is nothing to step from.
    let nearest = nearest.max(nearest.splat(f32::MIN));
    nearest + (nearest.abs() * nearest.splat(f32::EPSILON) + nearest.splat(f32::MIN_POSITIVE))
}

#[cfg(test)]
#[path = "../../tests/unit/tree/viewpoint.rs"]
mod tests;

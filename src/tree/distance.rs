//! Lower bounds of the distance of a point from boxes.

use super::aabb_block::AabbBlock;
use crate::simd::{Lanes, Real};

/// Bounds of how far [`squared_distances`](AabbBlock::squared_distances) exceeds the truth, and a little
/// more: relative, and where numbers are subnormal.
const SLACK: f64 = 8.0 / (1 << 24) as f64;
const LEAST_SLACK: f64 = f64::from_bits((1023 - 140) << 52);

impl AabbBlock {
    /// The squared distance of a point to each of the eight boxes, 0 within; and yes where there is a box that is not
    /// empty and of which a primitive may be as near as [`reach`] says.
    ///
    /// # Why no primitive is lost
    ///
    /// Let d be the distance of the point to the box of the primitives, w to the wider box that is tested, ε the unit
    /// roundoff of `f32` and η that of `f64`. What is computed here comes to at most w²(1 + ε)⁵, and 2⁻¹⁴⁸ where products
    /// are subnormal: each side is a difference, rounded relative to itself, and then there are a product and two sums.
    /// [`reach`] adds 8ε and 2⁻¹⁴⁰ to the squared distance of the nearest primitive so far before it is rounded to
    /// `f32`. So if a box is left out, w² is above that distance by a part of more than ε.
    ///
    /// The squared distance that is computed for a primitive in the box is that of a point which lies in the box but
    /// for rounding in `f64`: its root is at least d − kη(d + s), with a small k and with s for the longest diagonal of
    /// the box. The tested box is wider by 12ε of its reach on every axis, which is much more than kηs, and so that is at
    /// least w(1 − kη): the primitive is farther than the nearest so far, and not as near.
    #[inline(always)]
    pub(crate) fn squared_distances<L: Lanes>(
        &self,
        lanes: L,
        point: &[L::F32; 3],
        reach: f32,
    ) -> (L::F32, L::Mask) {
        let zero = lanes.splat(0.0);
        let mut outside = [zero; 3];
        for axis in 0..3 {
            let [min, max] = &self.bounds[axis];
            let (below, above) = (lanes.load(min) - point[axis], point[axis] - lanes.load(max));
            outside[axis] = below.max(above).max(zero);
        }
        let [x, y, z] = outside;
        let squared_distance = x * x + y * y + z * z;
        // Squares may overflow; differences do so only for empty boxes.
        let there = x.lt(lanes.splat(f32::INFINITY));
        (squared_distance, there & squared_distance.le(lanes.splat(reach)))
    }
}

/// The squared distance, as [`squared_distances`](AabbBlock::squared_distances) computes it, up to which a
/// box may hold a primitive at `squared_distance`.
#[inline(always)]
pub(crate) fn reach(squared_distance: f64) -> f32 {
    (squared_distance * (1.0 + SLACK) + LEAST_SLACK) as f32
}

//! Rejects triangles that are too far from a point, in lanes of `f32`, before `f64` measures the
//! rest.
//!
//! Along any vector w a triangle is at least min (w · (vertex − point)) / |w| away from the point.
//! Two vectors serve: that from the point to the triangle's box, the better one beside the
//! triangle, and its normal, the better one above it. Neither has to be exact.
//!
//! # Why nothing near is rejected
//!
//! With ε = 2⁻²⁴, a difference of coordinates is off by ε of itself, and so the product of w with
//! one by at most 4ε of r = (|w₁| + |w₂| + |w₃|) · the greatest component of any difference, which
//! is itself computed to 4ε: 8ε r is taken off the least product. What is left is compared by its
//! square with the squared limit times |w|², both of which have fewer than eight roundings: 16ε are
//! added to the limit. Where products are subnormal, |w|² and the square are off by less than 2⁻¹⁴⁷:
//! 2⁻¹²⁰(1 + limit) is added, and a product whose square is above that is far from subnormal. Where
//! a square overflows, the comparison of infinities or NaN rejects nothing, or the product is above
//! the limit by far.
//!
//! `f64` may find a triangle nearer than it is, by less than 2⁻⁴⁰ of its farthest vertex, as boxes
//! allow it ([`AabbBlock`](crate::tree::AabbBlock)). r is at least |w| times the greatest component,
//! and the distance of a vertex is at most twice that: the 8ε r have room for it.

use crate::math::{UNIT_ROUNDOFF, cross, sub};
use crate::simd::{Lanes, MapEach, Mask, Real};

/// The lanes whose triangle may have a point within the limit, a squared distance as
/// [boxes](crate::tree::AabbBlock::squared_distances) compute it, as bits.
#[inline(always)]
pub(super) fn not_separated<L: Lanes>(
    lanes: L,
    vertices: [[L::F32; 3]; 3],
    point: &[L::F32; 3],
    limit: f32,
) -> u8 {
    let zero = lanes.splat(0.0);
    let [a, b, c] = vertices.map_each(|vertex| sub(vertex, *point));
    let (mut to_box, mut longest) = ([zero; 3], zero);
    for axis in 0..3 {
        let least = a[axis].loose_min(b[axis]).loose_min(c[axis]);
        let greatest = a[axis].loose_max(b[axis]).loose_max(c[axis]);
        to_box[axis] = least.loose_max(greatest.loose_min(zero));
        longest = longest.loose_max(least.max_abs(greatest));
    }
    let differences = [a, b, c];
    let near = is_near::<L>(to_box, differences, longest, limit);
    let normal = cross(sub(b, a), sub(c, a));
    // Towards the triangle.
    let along = product(normal, a);
    let negative = along.lt(zero);
    let normal = normal.map_each(|x| (zero - x).select(negative, x));
    (near & is_near::<L>(normal, differences, longest, limit)).bits() as u8
}

/// Whether, along `w`, a triangle may have a point within the limit.
#[inline(always)]
fn is_near<L: Lanes>(
    w: [L::F32; 3],
    differences: [[L::F32; 3]; 3],
    longest: L::F32,
    limit: f32,
) -> L::Mask {
    let [at_a, at_b, at_c] = differences.map_each(|difference| product(w, difference));
    let least = at_a.loose_min(at_b).loose_min(at_c);
    let reach = (w[0].abs() + w[1].abs() + w[2].abs()) * longest;
    let off = least - longest.splat(8.0 * UNIT_ROUNDOFF) * reach;
    let more = longest.splat(SUBNORMAL * (1.0 + limit));
    let most = product(w, w).mul_add(longest.splat(limit * (1.0 + 16.0 * UNIT_ROUNDOFF)), more);
    !(longest.splat(0.0).lt(off) & most.lt(off * off))
}

/// 2⁻¹²⁰.
const SUBNORMAL: f32 = f32::from_bits((127 - 120) << 23);

#[inline(always)]
fn product<R: Real>(a: [R; 3], b: [R; 3]) -> R {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}

#[cfg(test)]
#[path = "../../../tests/unit/leaf/triangle/separated.rs"]
mod tests;

//! Certain answers to any hit, from the rounded numbers of the first stage of the watertight test: most hits lie well inside
//! the interval, and most others are of rays that start on a surface, with the triangle that they start from.

use super::watertight::{edge_functions, rounded_difference};
use crate::math::LARGEST_COORDINATE;
use crate::simd::{Mask, Real, Vectors};
use crate::value::Culling;

/// See [`AnyInterval::classify`]: 512 ε.
const START_ERROR: f32 = 1.0 / (1 << 15) as f32;

/// 2⁻¹²⁰: more than what underflow takes from a few products.
const UNDERFLOW: f32 = f32::from_bits((127 - 120) << 23);

/// The interval of a ray, along the z of the sheared space.
#[derive(Clone, Copy)]
pub(crate) struct AnyInterval<R> {
    /// The depths between which points are certainly within the interval; the first exceeds the second if there are none.
    inside: [R; 2],
    /// The depth at `t_min`, rounded.
    start: R,
    /// 1 or −1, as the sign of the direction.
    forwards: R,
}

impl AnyInterval<f32> {
    /// The same in every lane.
    #[inline(always)]
    pub(crate) fn splat<V: Vectors<f32>>(self, lanes: V) -> AnyInterval<V::Real> {
        let Self { inside, start, forwards } = self;
        let inside = inside.map(|depth| lanes.splat(depth));
        AnyInterval { inside, start: lanes.splat(start), forwards: lanes.splat(forwards) }
    }
}

impl<R: Real<Scalar = f32>> AnyInterval<R> {
    #[inline(always)]
    pub(crate) fn new(direction_z: R, [t_min, t_max]: [R; 2]) -> Self {
        let (zero, one) = (t_min.splat(0.0), t_min.splat(1.0));
        let (backwards, per_t) = (direction_z.lt(zero), direction_z.abs());
        let first = t_min.max(zero) * per_t;
        // No greater t is certain: 2¹⁰⁰ is within its range.
        let last = t_max.min(zero.splat(LARGEST_COORDINATE)) * per_t;
        Self {
            inside: [(zero - last).select(backwards, first), (zero - first).select(backwards, last)],
            start: t_min * direction_z,
            forwards: (zero - one).select(backwards, one),
        }
    }

    /// The lines that certainly hit their sheared triangles within the interval, by either contact, and those for which
    /// that is unknown, among the `undecided`; the others certainly do not hit.
    ///
    /// The rounded products that an edge function is the difference of are ordered as the exact ones, or equal. So a rounded
    /// edge function that is not 0 has the sign of the exact one, and a line for which all three have one sign passes through
    /// the inside. A product of two of them is above 0 only if their signs are equal; it may underflow, or be NaN if one is
    /// NaN, and then nothing is certain.
    ///
    /// A hit: the depth of the passage is a mean of those of the vertices, with the edge functions as weights. All three lie
    /// between the given depths, and so on one side of the origin: then the second stage adds numbers of one sign, and its t
    /// is off by at most 2⁻⁵⁰ of its value before it is rounded to `f32`, which is monotonic. A depth beyond the rounded
    /// product of an end and direction_z is beyond the exact product, which has 48 bits, and so by 2⁻⁴⁸ of it at least.
    ///
    /// A miss: the passage lies before the start s if the mean of the vertices' depths from there, with the edge functions
    /// as weights, is negative. With ε = 2⁻²⁴, G the greatest magnitude of a sheared coordinate and |z − s| ≤ G + |s|, an
    /// edge function is off by at most 4.1 ε G² and at most 2.1 G²; so the sum of three products is off by 37 ε G² (G + |s|),
    /// and 7 ε G² |s| for the rounded s. And no exact t may lie within: it lies 72 ε H F D + 2 ε |z| A from the rounded one,
    /// in the same units, as [`ends`](super::ends::ERROR) says, at most 384 ε G³ by
    /// [the coarse factors](super::ends::coarse_factors). All that is less than 512 ε G² (G + |s|).
    #[inline(always)]
    pub(crate) fn classify(
        &self,
        vertices: &[[R; 3]; 3],
        culling: Culling,
        undecided: R::Mask,
    ) -> [R::Mask; 2] {
        let [u, v, w] = edge_functions!(vertices, rounded_difference);
        let [[_, _, a], [_, _, b], [_, _, c]] = *vertices;
        let zero = u.splat(0.0);
        let passes = undecided & zero.lt(u * v) & zero.lt(u * w);
        let counts = match culling {
            Culling::None => passes,
            Culling::Back => passes & zero.lt(u),
            Culling::Front => passes & u.lt(zero),
        };
        let [first, last] = self.inside;
        let hit = counts & first.lt(a.min(b).min(c)) & a.max(b).max(c).lt(last);
        let unknown = undecided & !hit;
        if unknown.bits() == 0 {
            return [hit, unknown];
        }
        let start = self.start;
        let beyond = (u * (a - start) + v * (b - start) + w * (c - start)) * self.forwards;
        let beyond = (zero - beyond).select(u.lt(zero), beyond);
        let mut greatest = zero;
        for coordinate in vertices.as_flattened() {
            greatest = greatest.max(coordinate.abs());
        }
        let error = greatest * greatest * (greatest + start.abs()) * zero.splat(START_ERROR);
        let before = beyond.lt(zero - (error + zero.splat(UNDERFLOW)));
        [hit, unknown & !(passes & (before | !counts))]
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/certain.rs"]
mod tests;

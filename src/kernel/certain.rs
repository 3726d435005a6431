//! Certain answers from the rounded numbers of the first stage of the watertight test: most hits
//! lie well inside the interval, and most others are of rays that start on a surface, with the
//! triangle that they start from.

use super::ends::SHEAR_ERROR;
use super::far::MOST_BEYOND;
use super::watertight::{edge_functions, rounded_difference};
use crate::math::LARGEST_COORDINATE;
use crate::simd::{MapEach, Mask, Real, Scalar, Vectors};
use crate::value::Culling;

/// See [`RoundedInterval::classify`]: 128 ε.
const ERROR: f32 = 1.0 / (1 << 17) as f32;

/// 2⁻¹¹²: more than what underflow takes from a few products, and than a `t` needs that is rounded
/// to a subnormal number. That moves a passage to an end s, in depth by at most |d| 2⁻¹⁵⁰ ≤ 2⁻⁵⁰
/// for a direction d ≤ 2¹⁰⁰, and so the sum by A 2⁻⁵⁰ ≤ W² 2⁻⁴⁸. The reported t alone is rounded
/// so, not the exact one. What else the sum is off by there is as [`RoundedInterval::classify`]
/// says, for depths that differ from s by R at most: 37 ε W² R, which 128 ε H F R exceeds, and 4 ε
/// W² |s| ≤ 2 ε W² H for the rounded s. So at least 126 ε W³ of the error is left, and W² 2⁻⁴⁸
/// exceeds that by at most 1.3 · 2⁻¹¹³.
const UNDERFLOW: f32 = f32::from_bits((127 - 112) << 23);

/// Twice as far as the `t` of a [far-reaching](super::far) triangle may lie beyond those of its
/// vertices.
const BEYOND: f32 = 2.0 * MOST_BEYOND * f32::UNIT_ROUNDOFF;

/// The interval of a ray, as depths along its direction in the sheared space.
#[derive(Clone, Copy)]
pub(crate) struct RoundedInterval<R> {
    /// The depths between which points are certainly within the interval; the first exceeds the
    /// second if there are none.
    inside: [R; 2],
    /// The depths at the ends, rounded.
    ends: [R; 2],
    /// 1 or −1, as the sign of the direction along z.
    forwards: R,
}

impl RoundedInterval<f32> {
    /// The same in every lane.
    #[inline(always)]
    pub(crate) fn splat<V: Vectors<f32>>(self, lanes: V) -> RoundedInterval<V::Real> {
        let [inside, ends] =
            [self.inside, self.ends].map_each(|depths| depths.map_each(|depth| lanes.splat(depth)));
        RoundedInterval { inside, ends, forwards: lanes.splat(self.forwards) }
    }
}

impl<R: Real<Scalar = f32>> RoundedInterval<R> {
    #[inline(always)]
    pub(crate) fn new(direction_z: R, [t_min, t_max]: [R; 2]) -> Self {
        let (zero, one, per_t) = (t_min.splat(0.0), t_min.splat(1.0), direction_z.abs());
        let beyond = zero.splat(BEYOND);
        let first = t_min.max(zero) * per_t;
        // No greater t is certain: 2¹⁰⁰ is within its range.
        let last = t_max.min(zero.splat(LARGEST_COORDINATE)) * per_t;
        Self {
            inside: [first + first * beyond, last - last.abs() * beyond],
            ends: [t_min * per_t, t_max * per_t],
            forwards: (zero - one).select(direction_z.lt(zero), one),
        }
    }

    /// Of the `undecided` lines those that certainly hit their sheared triangles within the
    /// interval, by either contact, and those for which it is unknown whether they hit; the others
    /// certainly do not.
    ///
    /// The rounded products that an edge function is the difference of are ordered as the exact
    /// ones, or equal. So a rounded edge function that is not 0 has the sign of the exact one, and
    /// a line for which all three have one sign passes through the inside. A product of two of them
    /// is above 0 only if their signs are equal; it may underflow, or be NaN if one is NaN, and
    /// then nothing is certain.
    ///
    /// The depth z of the passage is the mean of those of the vertices, with the edge functions as
    /// weights. Where all three lie beyond the start, which is not behind the origin, or before the
    /// end, the second stage adds terms of which each is off by at most 2⁻⁵⁰ of its value: its t is
    /// beyond (1 − 2⁻⁵⁰) of the nearest, or before (1 + 2⁻⁵⁰) of the farthest, until it is rounded
    /// to `f32`, which is monotonic. A depth beyond the rounded product of an end and direction_z
    /// is beyond the exact product, which has 48 bits, and so by 2⁻⁴⁸ of it at least. The end is
    /// not beyond t = 2¹⁰⁰ there. A depth beyond the end by 16 ε of itself is beyond it also where
    /// t is that of the plane.
    ///
    /// Where they lie on both sides of an end s, or of both ends, the weighted sum of their depths
    /// from there has a sign. With ε = 2⁻²⁴, W the greatest magnitude of a sheared x or y, Z of a
    /// z, H the greater of W and Z + |s|, and R how far the triangle reaches along z, at most the
    /// sum of two differences: an edge function is at most 2.1 W² and off by at most 4.1 ε W², and
    /// a depth from s is at most Z + |s|; so the sum of three products is off by 37 ε W² (Z + |s|),
    /// and by 7 ε W²
    /// |s| for the rounded s. And t, as reported and exact, has to lie on the same side: these lie 72 ε H F D + 2.5 ε |z| A
    /// from the passage, in the same units, as [`ends`](super::ends::ERROR) says, with F = W + 8.25
    /// ε H, D = R + F and A ≤ 4 W². All that is less than 128 ε H F D. A sum that overflows on the
    /// way is not finite at last, and says nothing.
    #[inline(always)]
    pub(crate) fn classify(
        &self,
        vertices: &[[R; 3]; 3],
        culling: Culling,
        undecided: R::Mask,
    ) -> [R::Mask; 2] {
        let [u, v, w] = edge_functions!(vertices, rounded_difference);
        let zero = u.splat(0.0);
        let passes = undecided & zero.lt(u * v) & zero.lt(u * w);
        let depths = vertices.map_each(|[_, _, z]| z * self.forwards);
        let nearest = depths[0].loose_min(depths[1]).loose_min(depths[2]);
        let farthest = depths[0].loose_max(depths[1]).loose_max(depths[2]);
        let counts = match culling {
            Culling::None => passes,
            Culling::Back => passes & zero.lt(u),
            Culling::Front => passes & u.lt(zero),
        };
        let [first, last] = self.inside;
        let (is_ahead, is_before_end) = (first.lt(nearest), farthest.lt(last));
        let hit = counts & is_ahead & is_before_end;
        let unknown = undecided & !hit & !(passes & !counts);
        if unknown.bits() == 0 {
            return [hit, unknown];
        }
        let mut width = zero;
        for [x, y, _] in vertices {
            width = width.max_abs(*x).max_abs(*y);
        }
        let distance = farthest.loose_max(zero - nearest);
        let weighted = Weighted { areas: [u.abs(), v.abs(), w.abs()], depths, width, distance };
        let [before, beyond] = weighted.sides(self.ends[1].select(is_ahead, self.ends[0]));
        // Of an ahead triangle the end is that of the interval, else its start.
        let (inside, outside) = (
            passes & (before & is_ahead | beyond & !is_ahead),
            passes & (before & !is_ahead | beyond & is_ahead),
        );
        let (mut hit, mut missed) = (hit | counts & inside & (is_ahead | is_before_end), outside);
        // Beyond the start, and the triangle is on both sides of the end too.
        let across = counts & inside & !is_ahead & !is_before_end;
        if across.bits() != 0 {
            let [before, beyond] = weighted.sides(self.ends[1]);
            (hit, missed) = (hit | across & before, missed | across & beyond);
        }
        [hit, unknown & !hit & !missed]
    }
}

/// Rounded edge functions as weights of the depths of three vertices, and the greatest magnitudes
/// of their x and y, and of their depths.
struct Weighted<R> {
    areas: [R; 3],
    depths: [R; 3],
    width: R,
    distance: R,
}

impl<R: Real<Scalar = f32>> Weighted<R> {
    /// Whether the passage is certainly before a depth, and whether beyond: see
    /// [`RoundedInterval::classify`].
    #[inline(always)]
    fn sides(&self, end: R) -> [R::Mask; 2] {
        let Self { areas: [u, v, w], depths, width, distance } = *self;
        let [a, b, c] = depths.map_each(|depth| depth - end);
        let beyond = u * a + v * b + w * c;
        let zero = end.splat(0.0);
        let height = width.loose_max(distance + end.abs());
        let far = width + height * zero.splat(SHEAR_ERROR * f32::UNIT_ROUNDOFF);
        let reach = (depths[1] - depths[0]).abs() + (depths[2] - depths[0]).abs();
        let error = height * zero.splat(ERROR) * far * (reach + far) + zero.splat(UNDERFLOW);
        let is_finite = beyond.abs().lt(zero.splat(f32::INFINITY));
        [is_finite & error.lt(zero - beyond), is_finite & error.lt(beyond)]
    }
}

#[cfg(test)]
#[path = "../../tests/unit/kernel/certain.rs"]
mod tests;

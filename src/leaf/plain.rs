//! Decides the watertight test of `f64` in plain `f64` where that is exact enough.

use crate::kernel::ends::ERROR;
use crate::kernel::{Met, ends};
use crate::simd::{Mask, Real, Scalar};
use crate::value::Culling;

/// The hits of lines of `f64` along z with sheared triangles, in plain `f64` at a tenth of the price of
/// [`decide`](crate::kernel::watertight::decide).
///
/// The sign of an edge function that is not 0 is right: see [`undecided`](crate::kernel::watertight::undecided).
/// The edge function is off by at most ε(|p| + |q|) and ε of itself, where p and q are its products; all three by
/// 17ε of the area if all products add up to at most 16 times that, as in triangles that are not too thin. A weight
/// is off by as much, by 2ε for the sum that makes the area, and by 2ε for multiplying by the reciprocal, which
/// saves two divisions out of four: less than 2⁻⁴⁸ in all. In thinner triangles the weights might be anything, and
/// `t` such that the ray has left the box of the triangle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainMet<R: Real> {
    /// The lines that plain `f64` decides; all of them cross the inside of their triangle.
    pub(crate) is_plain: R::Mask,
    /// The lines from the front.
    pub(super) front: R::Mask,
    /// Of the plain lines, those with a hit within the interval, or near an end.
    pub(crate) met: R::Mask,
    /// The hits of which [`settle`](crate::kernel::ends::settle) has to decide whether they count.
    pub(crate) near_end: R::Mask,
    pub(crate) t: R,
    /// Twice the areas of the second and the third vertex, and the reciprocal of that of the triangle.
    areas: [R; 2],
    per_area: R,
}

impl<R: Real<Scalar = f64>> PlainMet<R> {
    /// Intersects lines along z with sheared triangles, within their intervals.
    #[inline(always)]
    pub(in crate::leaf) fn new(
        vertices: &[[R; 3]; 3],
        direction_z: R,
        culling: Culling,
        interval: [R; 2],
    ) -> Self {
        const THIN: f64 = 1.0 / 16.0;
        // Well above the numbers where products are subnormal.
        const SMALL: f64 = 1e-150;
        let &[[ax, ay, az], [bx, by, bz], [cx, cy, cz]] = vertices;
        let [[up, uq], [vp, vq], [wp, wq]] = [[cx * by, cy * bx], [ax * cy, ay * cx], [bx * ay, by * ax]];
        let [u, v, w] = [up - uq, vp - vq, wp - wq];
        let zero = u.splat(0.0);
        let front = zero.lt(u) & zero.lt(v) & zero.lt(w);
        let back = u.lt(zero) & v.lt(zero) & w.lt(zero);
        let area = u + v + w;
        let products = up.abs() + uq.abs() + vp.abs() + vq.abs() + wp.abs() + wq.abs();
        let is_thick = (u.splat(THIN) * products).le(area.abs()) & u.splat(SMALL).le(area.abs());
        let is_plain = (front | back) & is_thick;
        let per_area = u.splat(1.0) / area;
        // `t` is that of the first vertex plus the weighted differences: if all vertices are at one `t`, the result is
        // exactly that, for any weights and any first vertex. Adding 0 maps −0 to 0.
        let t = (az + (v * (bz - az) + w * (cz - az)) * per_area) / direction_z + zero;
        let counts = match culling {
            Culling::None => is_plain,
            Culling::Back => is_plain & front,
            Culling::Front => is_plain & !front,
        };
        let met = counts & t.abs().lt(t.splat(f64::INFINITY));
        let [t_min, t_max] = interval;
        let is_within = t_min.le(t) & t.le(t_max);
        let mut near_end = met & !is_within;
        if near_end.bits() != 0 {
            let outside = ends::outside(t, interval);
            near_end = near_end & ends::may_be_near(vertices, outside, direction_z);
            if near_end.bits() != 0 {
                // The error of the weights moves `t` by at most 2 · 2⁻⁴⁸ of the extent of the triangle, and the operations
                // by a few ε of the greatest `t` at a vertex.
                let [height, far, reach, distance] = ends::factors(vertices);
                let of_shearing = height * far * per_area.abs() * t.splat(f64::from(ERROR));
                let of_weights = (reach + distance) * t.splat(80.0);
                let roundoff = t.splat(f64::UNIT_ROUNDOFF);
                let error = (of_shearing * reach + of_weights) * roundoff / direction_z.abs();
                near_end = near_end & ends::may_belong_inside(outside, error, t);
            }
        }
        Self { is_plain, front, met: met & is_within | near_end, near_end, t, areas: [v, w], per_area }
    }
}

impl<R: Real<Scalar = f64>> Met<R> for PlainMet<R> {
    #[inline(always)]
    fn hits(&self) -> (R::Mask, R::Mask, R) {
        (self.met, self.front, self.t)
    }

    #[inline(always)]
    fn weights(&self) -> [R; 2] {
        [self.areas[0] * self.per_area, self.areas[1] * self.per_area]
    }
}

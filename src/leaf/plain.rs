//! Decides the watertight test of `f64` in plain `f64` where that is exact enough, and in twice the precision
//! elsewhere.

use crate::kernel::ends::ERROR;
use crate::kernel::watertight::decide;
use crate::kernel::{Met, ends};
use crate::simd::{Mask, Real, Scalar};
use crate::value::{Culling, Rules, Side};

/// Crossings of lines along z with sheared triangles in plain `f64`, at a tenth of the price of [`decide`].
///
/// The sign of an edge function that is not 0 is right: see [`undecided`](crate::kernel::watertight::undecided).
/// The edge function is off by at most ε(|p| + |q|) and ε of itself, where p and q are its products; all three by
/// 17ε of the area if all products add up to at most 16 times that, as in triangles that are not too thin. A weight
/// is off by as much, by 2ε for the sum that makes the area, and by 2ε for multiplying by the reciprocal, which
/// saves two divisions out of four: less than 2⁻⁴⁸ in all. In thinner triangles the weights might be anything, and
/// `t` such that the ray has left the box of the triangle.
#[derive(Debug, Clone, Copy)]
pub(in crate::leaf) struct PlainPassage<R: Real> {
    /// The lines that plain `f64` decides. All of them cross the inside of their triangle; the others take
    /// [`decide`].
    pub(in crate::leaf) is_plain: R::Mask,
    /// The lines from the front.
    pub(in crate::leaf) front: R::Mask,
    /// Twice the areas of the second and the third vertex, and the reciprocal of that of the triangle.
    areas: [R; 2],
    per_area: R,
}

impl<R: Real<Scalar = f64>> PlainPassage<R> {
    #[inline(always)]
    pub(in crate::leaf) fn new(&[[ax, ay, _], [bx, by, _], [cx, cy, _]]: &[[R; 3]; 3]) -> Self {
        const THIN: f64 = 1.0 / 16.0;
        // Well above the numbers where products are subnormal.
        const SMALL: f64 = 1e-150;
        let [[up, uq], [vp, vq], [wp, wq]] = [[cx * by, cy * bx], [ax * cy, ay * cx], [bx * ay, by * ax]];
        let [u, v, w] = [up - uq, vp - vq, wp - wq];
        let zero = u.splat(0.0);
        let front = zero.lt(u) & zero.lt(v) & zero.lt(w);
        let back = u.lt(zero) & v.lt(zero) & w.lt(zero);
        let area = u + v + w;
        let products = up.abs() + uq.abs() + vp.abs() + vq.abs() + wp.abs() + wq.abs();
        let is_thick = (u.splat(THIN) * products).le(area.abs()) & u.splat(SMALL).le(area.abs());
        Self { is_plain: (front | back) & is_thick, front, areas: [v, w], per_area: u.splat(1.0) / area }
    }

    /// `t` is that of the first vertex plus the weighted differences: if all vertices are at one `t`, the result is
    /// exactly that, for any weights and any first vertex.
    #[inline(always)]
    pub(in crate::leaf) fn t(
        &self,
        &[[_, _, az], [_, _, bz], [_, _, cz]]: &[[R; 3]; 3],
        direction_z: R,
    ) -> R {
        let [v, w] = self.areas;
        let t = (az + (v * (bz - az) + w * (cz - az)) * self.per_area) / direction_z;
        // Maps −0 to 0.
        t + t.splat(0.0)
    }

    /// The lines whose `t` is outside of the interval, but so near an end that
    /// [`settle`](crate::kernel::ends::settle) has to decide.
    ///
    /// The error of the weights moves `t` by at most 2 · 2⁻⁴⁸ of the extent of the triangle, and the operations by
    /// a few ε of the greatest `t` at a vertex.
    #[inline(always)]
    fn near_end(
        &self,
        vertices: &[[R; 3]; 3],
        direction_z: R,
        t: R,
        interval: [R; 2],
        are_outside: R::Mask,
    ) -> R::Mask {
        let outside = ends::outside(t, interval);
        let may_be_near = are_outside & ends::may_be_near(vertices, outside, direction_z);
        if may_be_near.bits() == 0 {
            return may_be_near;
        }
        let [height, far, reach, distance] = ends::factors(vertices);
        let of_shearing = height * far * self.per_area.abs() * t.splat(f64::from(ERROR));
        let of_weights = (reach + distance) * t.splat(80.0);
        let error = (of_shearing * reach + of_weights) * t.splat(f64::UNIT_ROUNDOFF) / direction_z.abs();
        may_be_near & ends::may_belong_inside(outside, error, t)
    }

    /// The lines from a side that counts.
    #[inline(always)]
    pub(in crate::leaf) fn counts(&self, culling: Culling) -> R::Mask {
        match culling {
            Culling::None => self.is_plain,
            Culling::Back => self.is_plain & self.front,
            Culling::Front => self.is_plain & !self.front,
        }
    }

    /// The weights of the second and the third vertex.
    #[inline(always)]
    pub(in crate::leaf) fn weights(&self) -> [R; 2] {
        [self.areas[0] * self.per_area, self.areas[1] * self.per_area]
    }
}

/// The hits of lines of `f64` that plain `f64` decides.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainMet<R: Real> {
    passage: PlainPassage<R>,
    /// The lines with a hit within the interval, or near an end; only lines that plain `f64` decides.
    pub(crate) met: R::Mask,
    /// The hits whose `t` is so little outside of the interval that [`settle`](crate::kernel::ends::settle) has to
    /// decide whether they count.
    pub(crate) near_end: R::Mask,
    pub(crate) t: R,
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
        let passage = PlainPassage::new(vertices);
        let t = passage.t(vertices, direction_z);
        let met = passage.counts(culling) & t.abs().lt(t.splat(f64::INFINITY));
        let [t_min, t_max] = interval;
        let is_within = t_min.le(t) & t.le(t_max);
        let mut near_end = met & !is_within;
        if near_end.bits() != 0 {
            near_end = passage.near_end(vertices, direction_z, t, interval, near_end);
        }
        Self { passage, met: met & is_within | near_end, near_end, t }
    }

    /// Of which lines this tells.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> R::Mask {
        self.passage.is_plain
    }
}

impl<R: Real<Scalar = f64>> Met<R> for PlainMet<R> {
    #[inline(always)]
    fn met(&self) -> R::Mask {
        self.met
    }

    #[inline(always)]
    fn front(&self) -> R::Mask {
        self.passage.front
    }

    #[inline(always)]
    fn t(&self) -> R {
        self.t
    }

    #[inline(always)]
    fn weights(&self) -> [R; 2] {
        self.passage.weights()
    }
}

/// The hit of a line of `f64` along z with a sheared triangle, as t, u and v, and its side: in
/// [plain](PlainPassage) `f64` where that is enough, else by [`decide`].
#[inline(always)]
pub(in crate::leaf) fn decide_f64(
    vertices: &[[f64; 3]; 3],
    direction_z: f64,
    rules: Rules,
    interval: [f64; 2],
) -> Option<Decision> {
    let plain = PlainMet::new(vertices, direction_z, rules.culling, interval);
    if !plain.is_plain() {
        let passage = decide(vertices, direction_z, rules, interval).filter(|passage| passage.met)?;
        let [u, v] = passage.weights();
        return Some(Decision {
            values: [passage.t, u, v],
            side: passage.side(),
            near_end: passage.near_end,
        });
    }
    let [u, v] = plain.weights();
    let (values, side) = ([plain.t, u, v], Side::front_if(plain.front()));
    plain.met.then_some(Decision { values, side, near_end: plain.near_end })
}

/// The hit of one line of `f64`: t, u and v.
pub(in crate::leaf) struct Decision {
    pub(in crate::leaf) values: [f64; 3],
    pub(in crate::leaf) side: Side,
    /// Whether `t` is so little outside of the interval that [`settle`](crate::kernel::ends::settle) has to decide
    /// whether the hit counts.
    pub(in crate::leaf) near_end: bool,
}

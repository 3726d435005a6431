//! Where plain `f64` is enough to decide the watertight test in `f64`, and where it takes twice the precision.

use crate::kernel::ends::ERROR;
use crate::kernel::watertight::decide;
use crate::kernel::{Met, ends};
use crate::simd::{Mask, Real, Scalar};
use crate::value::{Culling, Rules, Side};

/// Where lines of `f64` along z pass through sheared triangles as plain `f64` says, at a tenth of the price of [`decide`].
///
/// That an edge function above or below 0 has the right sign is told at [`undecided`](crate::kernel::watertight::undecided). It is off by at most ε(|p| + |q|)
/// and ε of itself, where p and q are its products; all three by 17ε of the area where all products add up to at most 16
/// times that, as in triangles that are not too thin. So much a weight is off, and by 2ε for the sum that makes the area,
/// and 2ε for being multiplied by what divides by it, which spares two divisions out of four: less than 2⁻⁴⁸ in all. In
/// thinner ones the weights might be anything, and `t` such that the ray has left the triangle's box by then.
#[derive(Debug, Clone, Copy)]
pub(in crate::leaf) struct PlainPassage<R: Real> {
    /// Of which lines this tells. All that it tells of pass through the inside of their triangle; of others it takes
    /// [`decide`] to say where they are.
    pub(in crate::leaf) is_plain: R::Mask,
    /// Which come from the front.
    pub(in crate::leaf) front: R::Mask,
    /// Twice the areas that belong to the second and the third vertex, and what divides them by that of the triangle.
    areas: [R; 2],
    per_area: R,
}

impl<R: Real<Scalar = f64>> PlainPassage<R> {
    #[inline(always)]
    pub(in crate::leaf) fn new(&[[ax, ay, _], [bx, by, _], [cx, cy, _]]: &[[R; 3]; 3]) -> Self {
        const THIN: f64 = 1.0 / 16.0;
        // Near it nothing is lost where products are subnormal.
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

    /// `t` is that of the first vertex and what the weights add to it: where all vertices are at one, it is that, whatever
    /// the weights round to and whichever vertex is the first.
    #[inline(always)]
    pub(in crate::leaf) fn t(
        &self,
        &[[_, _, az], [_, _, bz], [_, _, cz]]: &[[R; 3]; 3],
        direction_z: R,
    ) -> R {
        let [v, w] = self.areas;
        let t = (az + (v * (bz - az) + w * (cz - az)) * self.per_area) / direction_z;
        // Turns −0 into 0.
        t + t.splat(0.0)
    }

    /// Which of those whose `t` is not within their interval are so near an end that it takes
    /// [`settle`](crate::kernel::ends::settle) to say whether they count.
    ///
    /// What the weights are off by moves `t` by at most 2 · 2⁻⁴⁸ of how far the triangle reaches, and the operations by a
    /// few ε of the greatest `t` at a vertex.
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

    /// Which of them pass from a side that counts.
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

/// What lines of `f64` meet, as far as it is plain.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainMet<R: Real> {
    passage: PlainPassage<R>,
    /// Which meet it within their interval, or near an end. What is not told of is not among them.
    pub(crate) met: R::Mask,
    /// Which of these have a `t` so little outside of the interval that it takes [`settle`](crate::kernel::ends::settle) to say
    /// whether they count.
    pub(crate) near_end: R::Mask,
    pub(crate) t: R,
}

impl<R: Real<Scalar = f64>> PlainMet<R> {
    /// Where lines along z meet sheared triangles within their intervals.
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

/// Where a line of `f64` along z meets a sheared triangle, as t, u and v, and from which side: where it
/// [will do](PlainPassage) by plain `f64`, and else as [`decide`] says.
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

/// What one line of `f64` meets: t, u and v.
pub(in crate::leaf) struct Decision {
    pub(in crate::leaf) values: [f64; 3],
    pub(in crate::leaf) side: Side,
    /// Whether `t` is so little outside of the interval that it takes [`settle`](crate::kernel::ends::settle) to say whether it
    /// counts.
    pub(in crate::leaf) near_end: bool,
}

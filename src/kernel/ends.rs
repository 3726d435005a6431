//! Hits near the ends of a closed interval.
//!
//! A hit whose rounded `t` is within the interval counts, so that a second query with the reported
//! `t` finds it again. A hit whose `t` is outside, but by no more than rounding can explain, is
//! *near an end*: [`resolve`](super::resolve) decides it from the coordinates as given.

use super::exact_products::ExactProducts;
use crate::simd::{Mask, Real, Scalar};

/// The extent of a sheared triangle along z.
#[inline(always)]
fn depth<R: Real>(&[[_, _, a], [_, _, b], [_, _, c]]: &[[R; 3]; 3]) -> R {
    (b - a).abs() + (c - a).abs()
}

/// Whether the error of `t` may be as great as its distance `outside` of the interval.
///
/// `t` lies between the `t` of the vertices, and so does that of the exact plane where the line
/// meets the triangle. Rounding moves neither by more than 4 ε of the greatest of these, which
/// exceeds that of the first vertex by the depth at most.
#[inline(always)]
pub(crate) fn may_be_near<R: Real<Scalar = T>, T: Scalar>(
    vertices: &[[R; 3]; 3],
    outside: R,
    direction_z: R,
) -> R::Mask {
    let (stretch, rounding) =
        (outside.splat(T::of(1.0 + 1.0 / 512.0)), outside.splat(T::of(16.0) * T::UNIT_ROUNDOFF));
    let distance = vertices[0][2].abs();
    (outside * direction_z).abs().le(depth(vertices) * stretch + distance * rounding)
}

/// How far off the x and y of a sheared vertex may be, in ε H: see [`ERROR`].
pub(super) const SHEAR_ERROR: f32 = 8.25;

/// H, F and D of [`ERROR`], and Z.
#[inline(always)]
pub(crate) fn factors<R: Real<Scalar = T>, T: Scalar>(vertices: &[[R; 3]; 3]) -> [R; 4] {
    let [x, _, z] = vertices[0];
    let (mut width, mut distance) = (x.abs().max(x.splat(T::MIN_POSITIVE)), z.abs());
    for [x, y, z] in vertices {
        (width, distance) = (width.max(x.abs()).max(y.abs()), distance.max(z.abs()));
    }
    let height = width.max(distance);
    let far = width + height * height.splat(T::of(SHEAR_ERROR) * T::UNIT_ROUNDOFF);
    [height, far, depth(vertices) + far, distance]
}

/// How far off the `t` of a line that exactly meets the triangle may be, in ε H F D / (A |d|),
/// beside 2 ε of itself.
///
/// A is twice the area of the sheared triangle, d the direction's z, W the greatest magnitude of a
/// sheared x or y, Z of a z, H the greater of these. Shearing moves each vertex by at most η = 2 ε
/// X + 4 ε Z along x and y, as [`Watertight`](crate::primitive::Watertight) says, where X ≤ W + Z +
/// η: so η ≤ 8.2 ε H. It changes an edge function, a difference of two products, by at most 4 η
/// (W + η) ≤ 33 ε H F with F = W + 8.25 ε H. The exact t is the mean of the `t` of the vertices with
/// the exact edge functions as weights, so that of the rounded ones is off by the sum of their
/// errors, each times how far the `t` of a vertex lies from the exact one, over A: at most 33 ε H F
/// · 2 R / (A |d|), where R is how far the triangle reaches along z, for two of three vertices may
/// be as far as that. z is rounded too, by ε Z: the `t` of a vertex by ε Z / |d| ≤ 4 ε H W² / (A
/// |d|), as A ≤ 4 W² in a square around the origin, and R by 2 ε Z ≤ 2 ε H. With D = R + F all that
/// is less than 72 ε H F D / (A |d|). W counts as at least the least normal number: ε of that is
/// what a product that underflows may be off by.
pub(crate) const ERROR: f32 = 72.0;

/// Whether a `t` that is off by at most `error`, and 2 ε of itself, may belong inside; where either
/// is NaN it may.
#[inline(always)]
pub(crate) fn may_belong_inside<R: Real<Scalar = T>, T: Scalar>(
    outside: R,
    error: R,
    t: R,
) -> R::Mask {
    let rounding = t.splat(T::of(2.5) * T::UNIT_ROUNDOFF);
    !(error + t.abs() * rounding).lt(outside)
}

/// The distance of a finite `t` outside of the interval.
#[inline(always)]
pub(crate) fn outside<R: Real>(t: R, [t_min, t_max]: [R; 2]) -> R {
    (t_min - t).max(t - t_max)
}

/// Hits of which the computed `t` lies outside of the interval.
pub(crate) struct Outside<X: ExactProducts> {
    pub(crate) vertices: [[X; 3]; 3],
    pub(crate) t: X,
    pub(crate) interval: [X; 2],
    pub(crate) direction_z: X,
    pub(crate) divisor: X::Wide,
}

impl<X: ExactProducts> Outside<X> {
    /// Those of which the exact `t` may lie within: first by a cheap bound of the error, then by a
    /// tighter one.
    #[inline(always)]
    pub(crate) fn may_belong_inside(&self, of: X::Mask) -> X::Mask {
        let Self { ref vertices, t, interval, direction_z, divisor } = *self;
        let outside = outside(t, interval);
        let near_end = of & may_be_near(vertices, outside, direction_z);
        if near_end.bits() == 0 {
            return near_end;
        }
        let [height, far, reach, _] = factors(vertices);
        let error = X::error(divisor, ERROR, [height, far, reach]);
        near_end & may_belong_inside(outside, error, t)
    }

    /// Whether a single line's `t` lies beyond the coarsest bound of the error, which takes few
    /// operations: most rays that start beside a triangle.
    #[inline(always)]
    pub(crate) fn is_surely_beyond(&self) -> bool {
        let Self { ref vertices, t, interval, divisor, .. } = *self;
        // Upper bounds of H, F and D. R is at most 4 Z.
        let of = |number: f32| t.splat(X::Scalar::of(number));
        let mut greatest = t.splat(X::Scalar::MIN_POSITIVE);
        for coordinate in vertices.as_flattened() {
            greatest = greatest.max(coordinate.abs());
        }
        let error = X::error(divisor, ERROR, [greatest, greatest * of(1.01), greatest * of(5.1)]);
        may_belong_inside(outside(t, interval), error, t).bits() == 0
    }

    /// The rest in a call, so that a single ray keeps its registers for the nodes.
    #[cold]
    #[inline(never)]
    pub(crate) fn may_belong_inside_cold(&self, of: X::Mask) -> X::Mask {
        self.may_belong_inside(of)
    }
}

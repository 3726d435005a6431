//! Hits near the ends of a closed interval.
//!
//! A hit whose rounded `t` is within the interval counts, so that a second query with the reported `t` finds it again. A hit
//! whose `t` is outside, but by no more than rounding can explain, is *near an end*: [`settle`] decides it from the
//! coordinates as given.

use std::cmp::Ordering;

use super::exact_products::ExactProducts;
use crate::math::{Coordinate, determinant, determinant_sign, power_of_two, sub};
use crate::simd::{MapEach, Mask, Real, Scalar};
use crate::value::Ray;

/// The extent of a sheared triangle along z.
#[inline(always)]
fn depth<R: Real>(&[[_, _, a], [_, _, b], [_, _, c]]: &[[R; 3]; 3]) -> R {
    (b - a).abs() + (c - a).abs()
}

/// Whether the error of `t` may be as great as its distance `outside` of the interval.
///
/// `t` lies between the `t` of the vertices, and so does that of the exact plane where the line meets the triangle.
/// Rounding moves neither by more than 4 ε of the greatest of these, which exceeds that of the first vertex by the depth
/// at most.
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

/// How far off the `t` of a line that exactly meets the triangle may be, in ε H F D / (A |d|), beside 2 ε of itself.
///
/// A is twice the area of the sheared triangle, d the direction's z, W the greatest magnitude of a sheared x or y, Z of a z,
/// H the greater of these. Shearing moves each vertex by at most η = 2 ε X + 4 ε Z along x and y, as
/// [`Watertight`](crate::primitive::Watertight) says, where X ≤ W + Z + η: so η ≤ 8.2 ε H. It changes an edge function, a difference of
/// two products, by at most 4 η (W + η) ≤ 33 ε H F with F = W + 8.25 ε H. The exact t is the mean of the `t` of the
/// vertices with the exact edge functions as weights, so that of the rounded ones is off by the sum of their errors, each
/// times how far the `t` of a vertex lies from the exact one, over A: at most 33 ε H F · 2 R / (A |d|), where R is how far the
/// triangle reaches along z, for two of three vertices may be as far as that. z is rounded too, by ε Z: the `t` of a vertex
/// by ε Z / |d| ≤ 4 ε H W² / (A |d|), as A ≤ 4 W² in a square around the origin, and R by 2 ε Z ≤ 2 ε H. With
/// D = R + F all that is less than 72 ε H F D / (A |d|). W counts as at least the least normal number: ε of that is what a
/// product that underflows may be off by.
pub(crate) const ERROR: f32 = 72.0;

/// Whether a `t` that is off by at most `error`, and 2 ε of itself, may belong inside; where either is NaN it may.
#[inline(always)]
pub(crate) fn may_belong_inside<R: Real<Scalar = T>, T: Scalar>(outside: R, error: R, t: R) -> R::Mask {
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
    /// Those of which the exact `t` may lie within: first by a cheap bound of the error, then by a tighter one.
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

    /// Whether a single line's `t` lies beyond the coarsest bound of the error, which takes few operations: most rays
    /// that start beside a triangle.
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

/// t, u and v of a hit near an end of the ray's interval whose `t` lies outside; `None` if it does not count.
///
/// It counts if the line meets the triangle in exact arithmetic at a t within the closed interval. A line that meets it
/// by rounding alone has no exact t: such a hit stands for one of a neighbour, which is tested itself.
///
/// Exact for `f32`; for `f64` while no coordinate other than 0 is below 2⁻²⁰⁰ of the largest, and no exact t other than 0
/// is below 2⁻⁴⁰⁰ of the greatest that it could be.
#[cold]
#[inline(never)]
pub(crate) fn settle<T: Scalar>(corners: &[[T; 3]; 3], ray: &Ray<T>) -> Option<[T; 3]> {
    let line = ExactLine::new(corners, ray);
    if line.is_certainly_outside([ray.t_min, ray.t_max]) {
        return None;
    }
    let side = line.side_met()?;
    if line.compare_t(ray.t_min, side).is_lt() || line.compare_t(ray.t_max, side).is_gt() {
        return None;
    }
    // Adding zero maps −0 to 0.
    let [t, u, v] = line.exact_values().map_each(|x| T::nearest_to(x) + T::ZERO);
    // A `t` that rounds beyond an end is at most a rounding away from it.
    let least = if t < ray.t_min { ray.t_min } else { t };
    Some([if ray.t_max < least { ray.t_max } else { least }, u, v])
}

/// 2⁻⁸⁰⁰: more than what underflow takes from a product of three coordinates.
const UNDERFLOW: f64 = f64::from_bits((1023 - 800) << 52);

const TINY: f64 = f64::from_bits((1023 - 400) << 52);

fn difference(a: [f64; 3], b: [f64; 3]) -> [Coordinate; 3] {
    [0, 1, 2].map_each(|axis| Coordinate::difference(a[axis], b[axis]))
}

struct ExactLine {
    corners: [[f64; 3]; 3],
    origin: [f64; 3],
    direction: [f64; 3],
    /// The factor of `t` in these coordinates, which powers of two scale so that products of three stay within `f64`.
    scale: f64,
}

impl ExactLine {
    fn new<T: Scalar>(corners: &[[T; 3]; 3], ray: &Ray<T>) -> Self {
        let wide = |point: [T; 3]| point.map(T::to_f64);
        let (corners, origin, direction) = (corners.map(wide), wide(ray.origin), wide(ray.direction));
        // Products of three `f32` stay within the range anyway.
        if const { size_of::<T>() == size_of::<f32>() } {
            return Self { corners, origin, direction, scale: 1.0 };
        }
        let largest =
            |largest: f64, numbers: &[f64]| numbers.iter().fold(largest, |most, x| most.max(x.abs()));
        let of_corners = largest(f64::MIN_POSITIVE, corners.as_flattened());
        let of_points = 1.0 / power_of_two(largest(of_corners, &origin));
        let of_direction = 1.0 / power_of_two(largest(f64::MIN_POSITIVE, &direction));
        Self {
            corners: corners.map_each(|corner| corner.map_each(|x| x * of_points)),
            origin: origin.map_each(|x| x * of_points),
            direction: direction.map_each(|x| x * of_direction),
            scale: of_points / of_direction,
        }
    }

    /// Whether rounded arithmetic is enough to see that the exact t lies outside of the interval, as for most rays that start
    /// just off a surface. The t is the quotient of two determinants. In units of 2⁻⁵³ of their permanents these are off by less than 10; the
    /// constant is for products that underflow.
    fn is_certainly_outside<T: Scalar>(&self, [t_min, t_max]: [T; 2]) -> bool {
        let ([a, b, c], origin, d) = (self.corners, self.origin, self.direction);
        let (ab, ac, from) = (sub(b, a), sub(c, a), sub(a, origin));
        let [mut area, mut area_sum, mut volume, mut volume_sum] = [0.0; 4];
        for (i, j, k) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            let (first, second) = (ab[j] * ac[k], ab[k] * ac[j]);
            let (normal, sum) = (first - second, first.abs() + second.abs());
            (area, area_sum) = (area + normal * d[i], area_sum + sum * d[i].abs());
            (volume, volume_sum) = (volume + normal * from[i], volume_sum + sum * from[i].abs());
        }
        let bound = |sum: f64| sum * 2.0_f64.powi(-48) + UNDERFLOW;
        let certain = |value: f64, sum: f64| if value.abs() > bound(sum) { value.signum() } else { 0.0 };
        let side = certain(area, area_sum);
        let beyond = |end: T| {
            let end = end.to_f64() * self.scale;
            side * certain(volume - end * area, volume_sum + end.abs() * area_sum)
        };
        beyond(t_min) < 0.0 || beyond(t_max) > 0.0
    }

    fn corners_from_origin(&self) -> [[Coordinate; 3]; 3] {
        self.corners.map_each(|corner| difference(corner, self.origin))
    }

    fn edges(&self) -> [[Coordinate; 3]; 2] {
        let [a, b, c] = self.corners;
        [difference(b, a), difference(c, a)]
    }

    /// t, u and v of the hit, off by a few units in the last place.
    fn exact_values(&self) -> [f64; 3] {
        let ([a, b, c], [ab, ac]) = (self.corners_from_origin(), self.edges());
        let direction = self.direction.map(Coordinate::new);
        let area = determinant(&ab, &ac, &direction);
        let [u, v] = [determinant(&c, &a, &direction), determinant(&a, &b, &direction)];
        [determinant(&ab, &ac, &a) / area / self.scale, u / area, v / area]
    }

    /// The sign of the determinant of two edges and the direction, if the line meets the triangle but not along its plane.
    fn side_met(&self) -> Option<Ordering> {
        let [a, b, c] = self.corners_from_origin();
        let direction = self.direction.map(Coordinate::new);
        let mut side = Ordering::Equal;
        // The volumes spanned by the direction and two vertices, for each edge; their sum is that with two edges.
        for (from, to) in [(&b, &c), (&c, &a), (&a, &b)] {
            match determinant_sign(from, to, &direction) {
                Ordering::Equal => {}
                sign if side == Ordering::Equal || sign == side => side = sign,
                _ => return None,
            }
        }
        (side != Ordering::Equal).then_some(side)
    }

    /// The order of the exact t and an end of the interval, if the line meets the triangle from that
    /// [side](Self::side_met).
    fn compare_t<T: Scalar>(&self, end: T, side: Ordering) -> Ordering {
        let scaled_end = end.to_f64() * self.scale;
        // Products with larger numbers could overflow: where numbers are scaled, no two points are 4 apart along any axis,
        // and the direction's longest component is at least 1.
        if scaled_end.abs() > f64::from(f32::MAX) {
            return 0.0_f64.total_cmp(&scaled_end);
        }
        // Products with smaller numbers would underflow; in `f32` they do not.
        if scaled_end.abs() < TINY && end != T::ZERO {
            return self.compare_t(T::ZERO, side).then(T::ZERO.to_f64().total_cmp(&end.to_f64()));
        }
        // From the nearest vertex: if that is the end itself, all is 0 without further arithmetic.
        let from_end = self.corners.map_each(|corner| {
            let less = |axis| {
                Coordinate::less_product(corner[axis], self.origin[axis], scaled_end, self.direction[axis])
            };
            [0, 1, 2].map(less)
        });
        let length = |vector: &[Coordinate; 3]| vector.iter().map(|x| x.magnitude).sum::<f64>();
        let [first, second, third] = &from_end;
        let nearer = |p, q| if length(q) < length(p) { q } else { p };
        let [ab, ac] = self.edges();
        let sign = determinant_sign(&ab, &ac, nearer(nearer(first, second), third));
        if side.is_gt() { sign } else { sign.reverse() }
    }
}

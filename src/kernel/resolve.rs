//! Doubtful hits: those that lanes leave to be resolved one by one, from the coordinates as given.
//! They are near an end of the interval, or some of those with far-reaching triangles.

use std::cmp::Ordering;

use crate::math::{Coordinate, determinant, determinant_sign, power_of_two, sub};
use crate::simd::{MapEach, Scalar};
use crate::value::Ray;

/// Why a hit is doubtful.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// `t` is so little outside of the interval that the hit may count.
    NearEnd,
    /// The triangle reaches so far beyond the hit that lanes do not give `t` well.
    Far,
}

impl Doubt {
    #[inline(always)]
    pub(crate) fn of(doubtful: bool, is_far: bool) -> Option<Self> {
        doubtful.then_some(if is_far { Self::Far } else { Self::NearEnd })
    }
}

/// t, u and v of a doubtful hit, given those of the sheared triangle; `None` if it does not
/// count.
#[cold]
#[inline(never)]
pub(crate) fn resolve<T: Scalar>(
    corners: &[[T; 3]; 3],
    ray: &Ray<T>,
    (doubt, of_sheared): (Doubt, [T; 3]),
) -> Option<[T; 3]> {
    match doubt {
        Doubt::NearEnd => at_end(corners, ray),
        Doubt::Far => at_plane(corners, ray, of_sheared),
    }
}

/// t, u and v of a hit near an end of the ray's interval whose `t` lies outside; `None` if it does
/// not count.
///
/// It counts if the line meets the triangle in exact arithmetic at a t within the closed interval.
/// A line that meets it by rounding alone has no exact t: such a hit stands for one of a neighbour,
/// which is tested itself.
///
/// Exact for `f32`; for `f64` while no coordinate other than 0 is below 2⁻²⁰⁰ of the largest, and
/// no exact t other than 0 is below 2⁻⁴⁰⁰ of the greatest that it could be.
fn at_end<T: Scalar>(corners: &[[T; 3]; 3], ray: &Ray<T>) -> Option<[T; 3]> {
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
    /// The factor of `t` in these coordinates, which powers of two scale so that products of three
    /// stay within `f64`.
    scale: f64,
}

impl ExactLine {
    fn new<T: Scalar>(corners: &[[T; 3]; 3], ray: &Ray<T>) -> Self {
        let wide = |point: [T; 3]| point.map(T::to_f64);
        let (corners, origin, direction) =
            (corners.map(wide), wide(ray.origin), wide(ray.direction));
        // Products of three `f32` stay within the range anyway.
        if const { size_of::<T>() == size_of::<f32>() } {
            return Self { corners, origin, direction, scale: 1.0 };
        }
        let largest = |largest: f64, numbers: &[f64]| {
            numbers.iter().fold(largest, |most, x| most.max(x.abs()))
        };
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

    /// Whether rounded arithmetic is enough to see that the exact t lies outside of the interval,
    /// as for most rays that start just off a surface. The t is the quotient of two determinants.
    /// In units of 2⁻⁵³ of their permanents these are off by less than 10; the constant is for
    /// products that underflow.
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
        let certain =
            |value: f64, sum: f64| if value.abs() > bound(sum) { value.signum() } else { 0.0 };
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

    /// The sign of the determinant of two edges and the direction, if the line meets the triangle
    /// but not along its plane.
    fn side_met(&self) -> Option<Ordering> {
        let [a, b, c] = self.corners_from_origin();
        let direction = self.direction.map(Coordinate::new);
        let mut side = Ordering::Equal;
        // The volumes spanned by the direction and two vertices, for each edge; their sum is that
        // with two edges.
        for (from, to) in [(&b, &c), (&c, &a), (&a, &b)] {
            match determinant_sign(from, to, &direction) {
                Ordering::Equal => {}
                sign if side == Ordering::Equal || sign == side => side = sign,
                _ => return None,
            }
        }
        (side != Ordering::Equal).then_some(side)
    }

    /// The order of the exact t and an end of the interval, if the line meets the triangle from
    /// that [side](Self::side_met).
    fn compare_t<T: Scalar>(&self, end: T, side: Ordering) -> Ordering {
        let scaled_end = end.to_f64() * self.scale;
        // Products with larger numbers could overflow: where numbers are scaled, no two points are
        // 4 apart along any axis, and the direction's longest component is at least 1.
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
                Coordinate::less_product(
                    corner[axis],
                    self.origin[axis],
                    scaled_end,
                    self.direction[axis],
                )
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

/// t, u and v of a hit with a far-reaching triangle of which [`meet_plane`](super::far::meet_plane)
/// is not good; `None` if it does not count.
///
/// They are the exact ones, rounded, where the line meets the triangle in exact arithmetic. Else,
/// where it passes beside the triangle by no more than shearing rounds, they stay those of the
/// sheared triangle: the line may be nowhere near the triangle where it meets the plane. The hit
/// counts if that `t` is within the interval, or if the exact `t` is.
fn at_plane<T: Scalar>(corners: &[[T; 3]; 3], ray: &Ray<T>, of_sheared: [T; 3]) -> Option<[T; 3]> {
    let line = ExactLine::new(corners, ray);
    // Adding zero maps −0 to 0.
    let exact = || line.exact_values().map_each(|x| T::nearest_to(x) + T::ZERO);
    let values = if line.side_met().is_some() { exact() } else { of_sheared };
    if ray.t_min <= values[0] && values[0] <= ray.t_max {
        Some(values)
    } else {
        at_end(corners, ray)
    }
}

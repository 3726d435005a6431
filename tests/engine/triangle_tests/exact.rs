//! Lines against triangles in exact rational arithmetic: every `f32` and `f64` is a fraction.

use crate::triangle_tests::answers::bits_of;
use lanecast::primitive::{Triangle, TriangleHit};
use lanecast::{Ray, Scalar};
use num_rational::BigRational;

pub(crate) type Fraction = BigRational;

/// # Panics
/// If `x` is infinite or NaN.
pub(crate) fn fraction<T: Scalar>(x: T) -> Fraction {
    Fraction::from_float(x.to_f64()).expect("a finite number")
}

pub(crate) fn magnitude(x: &Fraction) -> Fraction {
    if *x < fraction(0.0) { -x } else { x.clone() }
}

fn fractions<T: Scalar>(v: [T; 3]) -> [Fraction; 3] {
    v.map(fraction)
}

fn minus(a: &[Fraction; 3], b: &[Fraction; 3]) -> [Fraction; 3] {
    std::array::from_fn(|axis| &a[axis] - &b[axis])
}

fn cross(a: &[Fraction; 3], b: &[Fraction; 3]) -> [Fraction; 3] {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        &a[next] * &b[last] - &a[last] * &b[next]
    })
}

fn dot(a: &[Fraction; 3], b: &[Fraction; 3]) -> Fraction {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn largest(v: &[Fraction; 3]) -> Fraction {
    let [x, y, z] = [magnitude(&v[0]), magnitude(&v[1]), magnitude(&v[2])];
    x.max(y).max(z)
}

/// A line and the plane of a triangle.
#[derive(Debug, Clone)]
pub(crate) struct Passage {
    /// −direction · normal: above 0 where the line comes from the front.
    pub(crate) d: Fraction,
    /// t, and the weights of the three vertices, times d.
    pub(crate) t_d: Fraction,
    pub(crate) weights_d: [Fraction; 3],
    /// The largest components of the edges at the first vertex, of the direction, and of the way from
    /// that vertex to the origin.
    pub(crate) sizes: [Fraction; 3],
}

/// The signed volumes of a line and a triangle, as they lie.
pub(crate) fn passage<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>) -> Passage {
    let (origin, direction) = (fractions(ray.origin), fractions(ray.direction));
    let [a, b, c] = triangle.vertices.map(fractions);
    let (ab, ac, from_a) = (minus(&b, &a), minus(&c, &a), minus(&origin, &a));
    let normal = cross(&ab, &ac);
    let d = -dot(&direction, &normal);
    let t_d = dot(&from_a, &normal);
    // The point of passage p spans with a and c, over all, the weight of b.
    let [u_d, v_d] = {
        let offset: [Fraction; 3] = std::array::from_fn(|axis| &from_a[axis] * &d + &t_d * &direction[axis]);
        let square = dot(&normal, &normal);
        if square == fraction(0.0) {
            [square.clone(), square]
        } else {
            [dot(&cross(&offset, &ac), &normal) / &square, dot(&cross(&ab, &offset), &normal) / &square]
        }
    };
    let sizes = [largest(&ab).max(largest(&ac)), largest(&direction), largest(&from_a)];
    Passage { t_d, weights_d: [&d - &u_d - &v_d, u_d, v_d], d, sizes }
}

/// What a line's hit becomes where the line is cut to a ray's closed interval.
#[derive(Debug)]
pub(crate) enum InInterval {
    Missed,
    /// It stays as it is.
    Kept,
    /// Its t, u and v are these, rounded.
    Moved([Fraction; 3]),
}

/// It counts if its `t` is within the interval, or if the exact `t` is where the line meets the triangle as it lies.
pub(crate) fn in_interval<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>, t: T) -> InInterval {
    if ray.t_min <= t && t <= ray.t_max {
        return InInterval::Kept;
    }
    let Passage { d, t_d, weights_d, .. } = passage(ray, triangle);
    let zero = fraction(0.0);
    let meets = d != zero && weights_d.iter().all(|weight| weight * &d >= zero);
    if !meets {
        return InInterval::Missed;
    }
    let [_, u_d, v_d] = weights_d;
    let exact = [t_d / &d, u_d / &d, v_d / &d];
    let begins = ray.t_min == T::NEG_INFINITY || fraction(ray.t_min) <= exact[0];
    let ends = ray.t_max == T::INFINITY || exact[0] <= fraction(ray.t_max);
    if begins && ends { InInterval::Moved(exact) } else { InInterval::Missed }
}

/// Holds the watertight test of a ray against what becomes of the hit of its line.
pub(crate) fn check_in_interval<T: Scalar>(
    ray: &Ray<T>,
    triangle: &Triangle<T>,
    of_line: Option<TriangleHit<T>>,
    found: Option<TriangleHit<T>>,
) {
    let context = || format!("{found:?} of {ray:?} {triangle:?}, on the line {of_line:?}");
    let Some(on_line) = of_line else { return assert!(found.is_none(), "{}", context()) };
    match in_interval(ray, triangle, on_line.t) {
        InInterval::Missed => assert!(found.is_none(), "{}", context()),
        InInterval::Kept => assert_eq!(bits_of(found), bits_of(of_line), "{}", context()),
        InInterval::Moved(exact) => {
            let hit = found.unwrap_or_else(|| panic!("nothing {}", context()));
            assert!(ray.t_min <= hit.t && hit.t <= ray.t_max && hit.side == on_line.side, "{}", context());
            let unit = fraction(T::UNIT_ROUNDOFF) * fraction(8.0);
            for (found, exact) in [hit.t, hit.u, hit.v].into_iter().zip(&exact) {
                let error = magnitude(exact) * &unit + fraction(T::MIN_POSITIVE);
                assert!(magnitude(&(fraction(found) - exact)) <= error, "{}", context());
            }
        }
    }
}

/// Where the watertight test's line meets a triangle: exactly, from the sheared coordinates on, which
/// are rounded as the test documents.
#[derive(Debug, Clone)]
pub(crate) struct ShearedMeeting {
    pub(crate) front: bool,
    pub(crate) t: Fraction,
    pub(crate) u: Fraction,
    pub(crate) v: Fraction,
    /// The greatest t of a vertex.
    pub(crate) reach: Fraction,
}

/// Which axis the test names z.
fn longest_axis<T: Scalar>(ray: &Ray<T>) -> usize {
    let size = |axis: usize| ray.direction[axis].to_f64().abs();
    (0..3).fold(0, |longest, axis| if size(axis) > size(longest) { axis } else { longest })
}

/// The vertices relative to the origin, sheared so that the line runs along `z`, and rounded: along the axis after z,
/// along the one before, and along z.
fn sheared_vertices<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>, z: usize) -> [[Fraction; 3]; 3] {
    let (x, y) = ((z + 1) % 3, (z + 2) % 3);
    triangle.vertices.map(|vertex| {
        let along = vertex[z] - ray.origin[z];
        let moved =
            |axis: usize| vertex[axis] - ray.origin[axis] - ray.direction[axis] / ray.direction[z] * along;
        fractions([moved(x), moved(y), along])
    })
}

/// Whether a line that runs beside the ray's, by very little, passes through the inside of the sheared triangle; and
/// if so, whether from the front.
pub(crate) fn crossed_from_front(ray: &Ray, triangle: &Triangle) -> Option<bool> {
    let z = longest_axis(ray);
    // Less than what any two different products of sheared coordinates differ by, whatever they are multiplied with.
    let first = fraction(2_f64.powi(-450));
    let second = &first * &first;
    let forwards = ray.direction[z] > 0.0;
    let (by_x, by_y) = if forwards { (first, second) } else { (second, first) };
    let [a, b, c] = sheared_vertices(ray, triangle, z).map(|[x, y, _]| [x - &by_x, y - &by_y]);
    let area = |[px, py]: &[Fraction; 2], [qx, qy]: &[Fraction; 2]| px * qy - py * qx;
    let areas = [area(&b, &c), area(&c, &a), area(&a, &b)];
    let zero = fraction(0.0);
    if areas.iter().all(|area| *area > zero) {
        Some(!forwards)
    } else if areas.iter().all(|area| *area < zero) {
        Some(forwards)
    } else {
        None
    }
}

pub(crate) fn sheared_meeting<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>) -> Option<ShearedMeeting> {
    let z = longest_axis(ray);
    let rounded = sheared_vertices(ray, triangle, z);
    let [a, b, c] = &rounded;
    let area = |p: &[Fraction; 3], q: &[Fraction; 3]| &p[0] * &q[1] - &p[1] * &q[0];
    let zero = fraction(0.0);
    // Seen against z, x and y run the other way round.
    let along_z = fraction(ray.direction[z]);
    let turn = fraction(if along_z < zero { 1.0 } else { -1.0 });
    let weights = [area(b, c) * &turn, area(c, a) * &turn, area(a, b) * &turn];
    let front = weights.iter().all(|w| *w >= zero);
    let total = &weights[0] + &weights[1] + &weights[2];
    if total == zero || !(front || weights.iter().all(|w| *w <= zero)) {
        return None;
    }
    let [wa, wb, wc] = weights.map(|w| w / &total);
    let t = (wa * &a[2] + &wb * &b[2] + &wc * &c[2]) / &along_z;
    let reach = [a, b, c].map(|p| magnitude(&p[2])).into_iter().max()? / magnitude(&along_z);
    Some(ShearedMeeting { front, t, u: wb, v: wc, reach })
}

//! Lines against triangles without rounding, in either precision: as they lie, and as the
//! watertight test sees them.

use crate::exact::Exact;
use lanecast::primitive::Triangle;
use lanecast::{Ray, Scalar};

/// # Panics
/// If `x` is infinite or NaN.
pub fn exactly<T: Scalar>(x: T) -> Exact {
    Exact::from_f64(x.to_f64())
}

fn exacts<T: Scalar>(v: [T; 3]) -> [Exact; 3] {
    v.map(exactly)
}

fn minus(a: &[Exact; 3], b: &[Exact; 3]) -> [Exact; 3] {
    std::array::from_fn(|axis| &a[axis] - &b[axis])
}

fn cross(a: &[Exact; 3], b: &[Exact; 3]) -> [Exact; 3] {
    std::array::from_fn(|axis| {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        &a[next] * &b[last] - &a[last] * &b[next]
    })
}

fn dot(a: &[Exact; 3], b: &[Exact; 3]) -> Exact {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}

fn largest(v: &[Exact; 3]) -> Exact {
    let [x, y, z] = [v[0].abs(), v[1].abs(), v[2].abs()];
    x.max(y).max(z)
}

/// A line and the plane of a triangle.
#[derive(Debug, Clone)]
pub struct SignedVolumes {
    /// −direction · normal: above 0 where the line comes from the front.
    pub d: Exact,
    /// t, and the weights of the three vertices, times d.
    pub t_d: Exact,
    pub weights_d: [Exact; 3],
    /// The largest components of the edges at the first vertex, of the direction, and of the way
    /// from that vertex to the origin.
    pub sizes: [Exact; 3],
}

/// The signed volumes of a line and a triangle, as they lie.
pub fn signed_volumes<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>) -> SignedVolumes {
    let (origin, direction) = (exacts(ray.origin), exacts(ray.direction));
    let [a, b, c] = triangle.vertices.map(exacts);
    let (ab, ac, from_a) = (minus(&b, &a), minus(&c, &a), minus(&origin, &a));
    let normal = cross(&ab, &ac);
    let d = -dot(&direction, &normal);
    let t_d = dot(&from_a, &normal);
    // The point of passage p spans with a and c, over all, the weight of b.
    let [u_d, v_d] = {
        let offset: [Exact; 3] =
            std::array::from_fn(|axis| &from_a[axis] * &d + &t_d * &direction[axis]);
        let square = dot(&normal, &normal);
        if square == exactly(0.0) {
            [square.clone(), square]
        } else {
            [
                dot(&cross(&offset, &ac), &normal) / &square,
                dot(&cross(&ab, &offset), &normal) / &square,
            ]
        }
    };
    let sizes = [largest(&ab).max(largest(&ac)), largest(&direction), largest(&from_a)];
    SignedVolumes { t_d, weights_d: [&d - &u_d - &v_d, u_d, v_d], d, sizes }
}

/// What a line's hit becomes where the line is cut to a ray's closed interval.
#[derive(Debug)]
pub enum InInterval {
    Missed,
    /// It stays as it is.
    Kept,
    /// Its t, u and v are these, rounded.
    Moved(Box<[Exact; 3]>),
}

/// It counts if its `t` is within the interval, or if the exact `t` is where the line meets the
/// triangle as it lies.
pub fn in_interval<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>, t: T) -> InInterval {
    if ray.t_min <= t && t <= ray.t_max {
        return InInterval::Kept;
    }
    let SignedVolumes { d, t_d, weights_d, .. } = signed_volumes(ray, triangle);
    let zero = exactly(0.0);
    let meets = d != zero && weights_d.iter().all(|weight| weight * &d >= zero);
    if !meets {
        return InInterval::Missed;
    }
    let [_, u_d, v_d] = weights_d;
    let exact = [t_d / &d, u_d / &d, v_d / &d];
    let begins = ray.t_min == T::NEG_INFINITY || exactly(ray.t_min) <= exact[0];
    let ends = ray.t_max == T::INFINITY || exact[0] <= exactly(ray.t_max);
    if begins && ends { InInterval::Moved(Box::new(exact)) } else { InInterval::Missed }
}

/// Where the watertight test's line meets a triangle: exactly, from the sheared coordinates on,
/// which are rounded as the test documents.
#[derive(Debug, Clone)]
pub struct ShearedMeeting {
    pub front: bool,
    pub t: Exact,
    pub u: Exact,
    pub v: Exact,
    /// The greatest t of a vertex.
    pub reach: Exact,
}

/// Which axis the test names z.
fn longest_axis<T: Scalar>(ray: &Ray<T>) -> usize {
    let size = |axis: usize| ray.direction[axis].to_f64().abs();
    (0..3).fold(0, |longest, axis| if size(axis) > size(longest) { axis } else { longest })
}

/// The vertices relative to the origin, sheared so that the line runs along `z`, and rounded: along
/// the axis after z, along the one before, and along z.
fn sheared_vertices<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>, z: usize) -> [[Exact; 3]; 3] {
    let (x, y) = ((z + 1) % 3, (z + 2) % 3);
    triangle.vertices.map(|vertex| {
        let along = vertex[z] - ray.origin[z];
        let moved = |axis: usize| {
            vertex[axis] - ray.origin[axis] - ray.direction[axis] / ray.direction[z] * along
        };
        exacts([moved(x), moved(y), along])
    })
}

/// Whether a line that runs beside the ray's, by very little, passes through the inside of the
/// sheared triangle; and if so, whether from the front.
pub fn crossed_from_front<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>) -> Option<bool> {
    let z = longest_axis(ray);
    // Less than what any two different products of sheared coordinates differ by, whatever they are
    // multiplied with.
    let first = exactly(2_f64.powi(-450));
    let second = &first * &first;
    let forwards = ray.direction[z] > T::ZERO;
    let (by_x, by_y) = if forwards { (first, second) } else { (second, first) };
    let [a, b, c] = sheared_vertices(ray, triangle, z).map(|[x, y, _]| [x - &by_x, y - &by_y]);
    let area = |[px, py]: &[Exact; 2], [qx, qy]: &[Exact; 2]| px * qy - py * qx;
    let areas = [area(&b, &c), area(&c, &a), area(&a, &b)];
    let zero = exactly(0.0);
    if areas.iter().all(|area| *area > zero) {
        Some(!forwards)
    } else if areas.iter().all(|area| *area < zero) {
        Some(forwards)
    } else {
        None
    }
}

pub fn sheared_meeting<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>) -> Option<ShearedMeeting> {
    let z = longest_axis(ray);
    let rounded = sheared_vertices(ray, triangle, z);
    let [a, b, c] = &rounded;
    let area = |p: &[Exact; 3], q: &[Exact; 3]| &p[0] * &q[1] - &p[1] * &q[0];
    let zero = exactly(0.0);
    // Seen against z, x and y run the other way round.
    let along_z = exactly(ray.direction[z]);
    let turn = exactly(if along_z < zero { 1.0 } else { -1.0 });
    let weights = [area(b, c) * &turn, area(c, a) * &turn, area(a, b) * &turn];
    let front = weights.iter().all(|w| *w >= zero);
    let total = &weights[0] + &weights[1] + &weights[2];
    if total == zero || !(front || weights.iter().all(|w| *w <= zero)) {
        return None;
    }
    let [wa, wb, wc] = weights.map(|w| w / &total);
    let t = (wa * &a[2] + &wb * &b[2] + &wc * &c[2]) / &along_z;
    let reach = [a, b, c].map(|p| p[2].abs()).into_iter().max()? / along_z.abs();
    Some(ShearedMeeting { front, t, u: wb, v: wc, reach })
}

//! The closest point of a triangle.
//!
//! It is the nearest of the closest points of its features: the three vertices, the three edges if
//! the point lies beside them, the face if it lies above it. Each is a point of the triangle, so
//! none is too near: no order of regions has to be right (Ericson, Real-Time Collision Detection,
//! 5.1.5, tests them in turn), and flat triangles need no case of their own.
//!
//! Triangles that share a vertex or an edge find the same distance to it, bit for bit, whichever
//! way each runs along it, so that ids break ties and not rounding. The distance of a vertex is
//! that of its difference from the point. An edge is measured from the nearer of its ends, and of
//! two as near from the one that comes first by its coordinates. A face is measured from the
//! nearest vertex: measured from a far one, the weights in a long sliver were off by so much that
//! the point was found 1% too far away.

use crate::leaf::block::{Foot, TriangleLeaf};
use crate::leaf::view::View;
use crate::math::{cross, dot, sub};
use crate::simd::{LANES, MapEach, Mask, Real, Scalar, Vectors};

/// The closest point of a triangle, in each lane: its squared distance, and the weights of the
/// second and third vertex.
pub(crate) type ClosestOfTriangle<R> = [R; 3];

/// `other` where it is nearer and `counts`, else `known`.
#[inline(always)]
fn nearer<R: Real>(
    known: ClosestOfTriangle<R>,
    counts: R::Mask,
    other: ClosestOfTriangle<R>,
) -> ClosestOfTriangle<R> {
    select(counts & other[0].lt(known[0]), other, known)
}

/// `a` where the mask says yes, `b` where it says no.
#[inline(always)]
fn select<R: Real>(mask: R::Mask, a: [R; 3], b: [R; 3]) -> [R; 3] {
    [a[0].select(mask, b[0]), a[1].select(mask, b[1]), a[2].select(mask, b[2])]
}

/// The closest point of an edge: whether it is between the ends, its squared distance, and its
/// place from the start at 0 to the end at 1. Each end is given by the vector from there to the
/// point, and its squared length.
#[inline(always)]
fn on_edge<R: Real<Scalar = f64>>(
    start: ([R; 3], R),
    end: ([R; 3], R),
    edge: [R; 3],
) -> (R::Mask, R, R) {
    let ([x, y, z], near, far) = (edge, start.1, end.1);
    let (zero, one) = (x.splat(0.0), x.splat(1.0));
    // A difference is 0 only of equal numbers.
    let comes_first = zero.lt(x) | (zero.le(x) & (zero.lt(y) | (zero.le(y) & zero.le(z))));
    let from_start = near.lt(far) | (near.le(far) & comes_first);
    let base = select(from_start, start.0, end.0);
    // NaN for an edge without length, whose vertices are tested anyway.
    let along = dot(base, edge) / dot(edge, edge);
    let from_base = along.select(from_start, zero - along);
    let off = sub(base, edge.map_each(|x| along * x));
    let place = from_base.select(from_start, one - from_base);
    (zero.lt(from_base) & from_base.lt(one), dot(off, off), place)
}

/// The closest point of the triangle.
///
/// In units of roundoff, `squared_distance` is off by a few of itself and of that to the farthest
/// point of the triangle: the weights from which it is computed may be off by more, but they are
/// those of a point in the triangle.
#[inline(always)]
fn nearest<R: Real<Scalar = f64>>(point: [R; 3], [a, b, c]: [[R; 3]; 3]) -> ClosestOfTriangle<R> {
    let (zero, one) = (point[0].splat(0.0), point[0].splat(1.0));
    let always = zero.lt(one);
    let [from_a, from_b, from_c] = [sub(point, a), sub(point, b), sub(point, c)];
    let [at_a, at_b, at_c] = [dot(from_a, from_a), dot(from_b, from_b), dot(from_c, from_c)];
    let (ab, bc, ca) = (sub(b, a), sub(c, b), sub(a, c));

    let mut nearest = nearer([at_a, zero, zero], always, [at_b, one, zero]);
    nearest = nearer(nearest, always, [at_c, zero, one]);
    let (b_is_nearest, c_is_nearest) = (one.le(nearest[1]), one.le(nearest[2]));

    let (counts, squared_distance, place) = on_edge((from_a, at_a), (from_b, at_b), ab);
    nearest = nearer(nearest, counts, [squared_distance, place, zero]);
    let (counts, squared_distance, place) = on_edge((from_b, at_b), (from_c, at_c), bc);
    nearest = nearer(nearest, counts, [squared_distance, one - place, place]);
    let (counts, squared_distance, place) = on_edge((from_c, at_c), (from_a, at_a), ca);
    nearest = nearer(nearest, counts, [squared_distance, zero, one - place]);

    // The edges from the nearest vertex to the next and to the one after.
    let (ac, ba, cb) = (sub(c, a), sub(a, b), sub(b, c));
    let base = select(c_is_nearest, from_c, select(b_is_nearest, from_b, from_a));
    let next = select(c_is_nearest, ca, select(b_is_nearest, bc, ab));
    let last = select(c_is_nearest, cb, select(b_is_nearest, ba, ac));
    let normal = cross(next, last);
    let area = dot(normal, normal);
    // NaN for a triangle without area, whose edges are tested anyway.
    let of_next = dot(normal, cross(base, last)) / area;
    let of_last = dot(normal, cross(next, base)) / area;
    let off = sub(sub(base, next.map_each(|x| of_next * x)), last.map_each(|x| of_last * x));
    // The point is computed from these weights alone, so it is in the triangle however they are
    // rounded.
    let counts = zero.lt(of_next) & zero.lt(of_last) & (of_next + of_last).lt(one);
    let of_base = one - (of_next + of_last);
    let u = of_last.select(c_is_nearest, of_base.select(b_is_nearest, of_next));
    let v = of_base.select(c_is_nearest, of_next.select(b_is_nearest, of_last));
    nearer(nearest, counts, [dot(off, off), u, v])
}

/// The closest point of each triangle of a block as placed by `view`: its squared distance, rounded
/// in `f64`, and its weights. Returns the lanes in which the distance is at most `most`, as bits.
/// Lanes without a primitive hold anything.
#[inline(always)]
pub(crate) fn closest_of_triangles<T: Scalar, V: Vectors<f64>>(
    block: &impl TriangleLeaf<T>,
    lanes: V,
    view: &impl View,
    point: [f64; 3],
    most: f64,
    into: &mut ClosestOfTriangle<[f64; LANES]>,
) -> u8 {
    let mut within = 0;
    let point = [lanes.splat(point[0]), lanes.splat(point[1]), lanes.splat(point[2])];
    for first in (0..LANES).step_by(V::COUNT) {
        let mut corners = [point; 3];
        for (place, corner) in corners.iter_mut().enumerate() {
            for (axis, coordinate) in corner.iter_mut().enumerate() {
                let mut row: V::Row = bytemuck::Zeroable::zeroed();
                block.write_coordinates(place, axis, first, row.as_mut());
                *coordinate = lanes.load(&row);
            }
            *corner = view.carry(*corner);
        }
        let closest = nearest(point, corners);
        within |= closest[0].le(lanes.splat(most)).bits() << first;
        for (into, numbers) in into.iter_mut().zip(closest) {
            let mut row: V::Row = bytemuck::Zeroable::zeroed();
            lanes.store(numbers, &mut row);
            into[first..first + V::COUNT].copy_from_slice(row.as_ref());
        }
    }
    within as u8
}

/// The closest point of one triangle: by the same operations, with the same bits.
pub(crate) fn closest_of_triangle(
    point: [f64; 3],
    corners: [[f64; 3]; 3],
) -> ClosestOfTriangle<f64> {
    nearest(point, corners)
}

/// The closest point of a triangle by its squared distance and weights.
#[inline(always)]
pub(crate) fn foot_at<T: Scalar>(
    squared_distance: f64,
    [u, v]: [f64; 2],
    [a, b, c]: [[f64; 3]; 3],
) -> Foot<T> {
    // With all three weights, so that a vertex is itself.
    let point = [0, 1, 2].map_each(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]);
    Foot {
        squared_distance,
        point: point.map_each(T::nearest_to),
        u: T::nearest_to(u),
        v: T::nearest_to(v),
    }
}

/// The closest point of a triangle.
pub(crate) fn foot<T: Scalar>(point: [f64; 3], corners: [[f64; 3]; 3]) -> Foot<T> {
    let [squared_distance, u, v] = nearest(point, corners);
    foot_at(squared_distance, [u, v], corners)
}

//! A line against a triangle, by signed volumes.

use crate::vector::{LEAST, ROUNDOFF, Vector, cross, dot, length, minus, times, vector};
use lanecast::Ray;

/// How a line and a triangle lie to each other.
#[derive(Debug, Clone, Copy)]
pub struct Separation {
    /// Whether the line passes through the triangle, its border included.
    pub inside: bool,
    /// The least distance between the line and an edge.
    pub clearance: f64,
    /// Where the line passes through the triangle's plane.
    pub t: f64,
    /// Weights of the second and third vertex there.
    pub weights: [f64; 2],
    /// The direction times the right-handed normal.
    pub facing: f64,
    /// How far the watertight test may move a vertex: it rounds each coordinate relative to the
    /// ray's origin a few times.
    pub shift: f64,
    /// How far `t` may be off if every vertex is moved by as much as `shift`.
    pub t_error: f64,
}

pub fn separation(ray: &Ray, corners: [[f32; 3]; 3]) -> Separation {
    let (origin, direction) = (vector(ray.origin), vector(ray.direction));
    let [a, b, c] = corners.map(|corner| minus(vector(corner), origin));
    let (ab, bc, ca) = (minus(b, a), minus(c, b), minus(a, c));
    let normal = cross(ab, minus(c, a));
    let facing = dot(direction, normal);

    // Six times the volumes that the direction spans with the edges, seen from the ray's origin.
    let volumes =
        [dot(direction, cross(b, bc)), dot(direction, cross(c, ca)), dot(direction, cross(a, ab))];
    let inside = volumes.iter().all(|&v| v >= 0.0) || volumes.iter().all(|&v| v <= 0.0);
    let total: f64 = volumes.iter().sum();

    let unit = times(1.0 / length(direction), direction);
    let clearance = [[a, b], [b, c], [c, a]]
        .map(|edge| line_to_segment(unit, edge))
        .into_iter()
        .fold(f64::MAX, f64::min);

    let reach = [a, b, c].into_iter().flatten().map(f64::abs).fold(0.0, f64::max);
    let shift = 16.0 * ROUNDOFF * reach + 8.0 * LEAST;
    let t = dot(a, normal) / facing;
    Separation {
        inside,
        clearance,
        t,
        weights: [volumes[1] / total, volumes[2] / total],
        facing,
        shift,
        t_error: 2.0 * shift * length(normal) / facing.abs()
            + 2.0 * ROUNDOFF * t.abs()
            + 2.0 * LEAST,
    }
}

/// The distance between the line through the origin along `unit` and a segment: both seen along the
/// line, where it is a point.
fn line_to_segment(unit: Vector, segment: [Vector; 2]) -> f64 {
    let [p, q] = segment.map(|point| minus(point, times(dot(unit, point), unit)));
    let along = minus(q, p);
    let square = dot(along, along);
    let nearest = if square > 0.0 { (-dot(p, along) / square).clamp(0.0, 1.0) } else { 0.0 };
    length(minus(p, times(-nearest, along)))
}

/// How far the point at `t` on the ray is from the point of the triangle with these weights, along
/// the axis where that is most.
pub fn gap(ray: &Ray, corners: [[f32; 3]; 3], [t, u, v]: [f32; 3]) -> f64 {
    let (origin, direction) = (vector(ray.origin), vector(ray.direction));
    let [a, b, c] = corners.map(|corner| minus(vector(corner), origin));
    let [t, u, v] = [t, u, v].map(f64::from);
    (0..3)
        .map(|axis| {
            (t * direction[axis] - (a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis])))
                .abs()
        })
        .fold(0.0, f64::max)
}

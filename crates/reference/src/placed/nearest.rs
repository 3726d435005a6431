//! The point of a triangle nearest to another: straight down where that is inside, else the nearest
//! of the sides.

use crate::vector::{Vector, cross, dot, length, minus, plus, times, vector};

fn on_segment(point: Vector, [from, to]: [Vector; 2]) -> Vector {
    let along = minus(to, from);
    let square = dot(along, along);
    if square == 0.0 {
        return from;
    }
    let place = (dot(minus(point, from), along) / square).clamp(0.0, 1.0);
    plus(from, times(place, along))
}

/// The nearest point and how far it is.
pub fn nearest(point: [f32; 3], corners: [[f32; 3]; 3]) -> (Vector, f64) {
    nearest_in_f64(vector(point), corners.map(vector))
}

/// The same of corners that no `f32` holds.
pub fn nearest_in_f64(point: Vector, mut corners: [Vector; 3]) -> (Vector, f64) {
    // From the nearest corner: seen from one 10⁷ away, all that lies near the point is rounded as
    // that is.
    let off = |corner: &Vector| length(minus(*corner, point));
    let nearest = (0..3)
        .min_by(|&i, &j| off(&corners[i]).total_cmp(&off(&corners[j])))
        .expect("three corners");
    corners.rotate_left(nearest);
    let [a, b, c] = corners;
    let normal = cross(minus(b, a), minus(c, a));
    let mut candidates =
        vec![on_segment(point, [a, b]), on_segment(point, [b, c]), on_segment(point, [c, a])];
    let inside = [[a, b], [b, c], [c, a]]
        .iter()
        .all(|&[from, to]| dot(cross(minus(to, from), minus(point, from)), normal) >= 0.0);
    if inside && length(normal) > 0.0 {
        let unit = times(1.0 / length(normal), normal);
        candidates.push(minus(point, times(dot(minus(point, a), unit), unit)));
    }
    let distance = |candidate: &Vector| length(minus(*candidate, point));
    let best = candidates
        .into_iter()
        .min_by(|a, b| distance(a).total_cmp(&distance(b)))
        .expect("three sides");
    (best, distance(&best))
}

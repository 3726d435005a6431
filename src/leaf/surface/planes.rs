//! Whether a convex solid overlaps with the region between up to six planes.
//!
//! Let fᵢ(x) = nᵢ·x + dᵢ, at least 0 on the inner side of plane i. A compact convex solid has no
//! point on all inner sides if and only if there are weights λᵢ ≥ 0, at most four of them not 0,
//! with Σ λᵢ fᵢ(x) < 0 for all points x of the solid (the theorems of Helly and Farkas): the plane
//! that they combine to separates it from the region between them. So a solid is left out only if
//! such weights were found, each sum is checked as it was computed, and no error of the weights
//! loses a solid.
//!
//! - The greatest value of Σ λᵢ fᵢ in a box or a triangle is linear in the weights up to where an
//!   edge of it comes to lie in the plane that they combine to. So it is least, relative to their
//!   size, at weights of one plane, at those of two that keep one edge in the plane, at those of
//!   three that keep two, and at those of four that keep all three and cancel each other. For a
//!   bounded region these are the axes of Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996:
//!   normals of the region, cross products of its edges and those of the solid, and normals of the
//!   solid. They need no corners of the region here, which may be without an end, flat or empty.
//! - A ball overlaps if its center is no farther than its radius. The nearest point lies on one to
//!   three planes, and the weights lead from there to the center. The best of all of one sign
//!   count, as each gives a distance that is not too great.
//! - A round cone is all balls between two: see [`any_between`].

use super::Vector;
use crate::math::{add, cross, dot, largest, power_of_two, sub};
use crate::simd::MapEach;
use crate::value::{Affine, Frustum};

/// More than rounding in `f64` moves a plane, relative to the magnitudes that are added.
pub(super) const ROOM: f64 = 1.0 / (1_u64 << 44) as f64;

/// A plane of a region in a frame of the scene.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plane {
    pub(crate) normal: Vector,
    pub(crate) offset: f64,
    /// The magnitudes that are added: by the largest coordinate of a point, and beside.
    added: [f64; 2],
}

impl Plane {
    /// The plane in the frame from which `to_world` carries.
    pub(crate) fn carried_back([a, b, c, d]: [f64; 4], to_world: &Affine) -> Self {
        let rows = to_world.rows();
        let along = |column: usize| a * rows[0][column] + b * rows[1][column] + c * rows[2][column];
        let size = a.abs() + b.abs() + c.abs();
        let added = [size * to_world.stretch(), size * to_world.distance() + d.abs()];
        Self { normal: [along(0), along(1), along(2)], offset: along(3) + d, added }
    }

    /// How far beyond it a point may be, no coordinate of which is greater than `reach`.
    pub(crate) fn room(&self, reach: f64) -> f64 {
        ROOM * (self.added[0] * reach + self.added[1])
    }
}

/// Values of as many planes as there may be, of which the first are used.
type OfPlanes<T> = [T; Frustum::MOST];

/// Planes and a solid of which no coordinate is greater than `reach`.
pub(super) struct Planes<'a> {
    pub(super) planes: &'a [Plane],
    pub(super) reach: f64,
}

impl Planes<'_> {
    /// The value of a plane at a point, moved outwards by the room.
    pub(super) fn value(&self, plane: &Plane, point: Vector) -> f64 {
        dot(plane.normal, point) + plane.offset + plane.room(self.reach)
    }

    fn hold_point(&self, point: Vector) -> bool {
        self.planes.iter().all(|plane| self.value(plane, point) >= 0.0)
    }

    /// Whether a point of a triangle is on the inner sides of all.
    pub(super) fn hold_of_triangle(&self, corners: &[Vector; 3]) -> bool {
        let [a, b, c] = *corners;
        let (ab, ac, bc) = (sub(b, a), sub(c, a), sub(c, b));
        let row = |plane: &Plane| {
            let along = |edge: Vector| dot(plane.normal, edge);
            [self.value(plane, a), along(ab), along(ac), along(bc)]
        };
        let most = |[at_a, ab, ac, _]: [f64; 4]| at_a + ab.max(ac).max(0.0);
        corners.iter().any(|&corner| self.hold_point(corner)) || !is_apart(self.planes, row, most)
    }

    /// The same for a box around `middle`; each of `halves` leads from there to the middle of a
    /// face.
    pub(super) fn hold_of_box(&self, middle: Vector, halves: &[Vector; 3]) -> bool {
        let row = |plane: &Plane| {
            let [x, y, z] = halves.map_each(|half| dot(plane.normal, half));
            [self.value(plane, middle), x, y, z]
        };
        let most = |[at_middle, x, y, z]: [f64; 4]| at_middle + x.abs() + y.abs() + z.abs();
        self.hold_point(middle) || !is_apart(self.planes, row, most)
    }

    /// The same for all sets between two. Each is what one linear map makes of a ball around 0 of
    /// its radius, moved to its center. `row` has a plane's normal as the map carries it back, for
    /// balls as it is, and the values of the plane at both centers.
    pub(super) fn hold_between(
        &self,
        radii: [f64; 2],
        row: impl Fn(&Plane) -> (Vector, [f64; 2]),
    ) -> bool {
        let count = self.planes.len();
        let mut normals: OfPlanes<Vector> = [[0.0; 3]; Frustum::MOST];
        let mut values: OfPlanes<[f64; 2]> = [[0.0; 2]; Frustum::MOST];
        for (place, plane) in self.planes.iter().enumerate() {
            let scale = scale_of(&plane.normal);
            let (normal, at_centers) = row(plane);
            normals[place] = normal.map_each(|x| scale * x);
            values[place] = at_centers.map_each(|value| scale * value);
        }
        any_between(|s| {
            let at = values.map_each(|[start, end]| start + s * (end - start));
            let weights = strongest(&normals[..count], &at)?;
            let (mut normal, mut ends) = ([0.0; 3], [0.0; 2]);
            for (place, weight) in weights.into_iter().enumerate() {
                normal = add(normal, normals[place].map_each(|x| weight * x));
                ends = [0, 1].map_each(|end| ends[end] + weight * values[place][end]);
            }
            let length = dot(normal, normal).sqrt();
            let ends = [0, 1].map_each(|end| ends[end] + radii[end] * length);
            (ends[0] + s * (ends[1] - ends[0]) < 0.0).then_some(ends)
        })
    }
}

/// Halvings of an interval until no number lies between its ends.
const MOST_CUTS: usize = 64;

/// Whether any of the sets between two, such as the balls of a round cone, overlaps with a convex
/// region.
///
/// `separate` gets the parameter of a set, from 0 to 1. It returns `None` if the set overlaps, or
/// else how far the sets at the ends reach beyond a plane between it and the region: linear in
/// between, and negative where a set does not reach it. So each plane takes the set and at least
/// one side of it away. This is the method of Kelley, "The Cutting-Plane Method for Solving Convex
/// Programs" (1960), on a line. Sets that no plane separates in the end touch within rounding.
pub(super) fn any_between(separate: impl Fn(f64) -> Option<[f64; 2]>) -> bool {
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    for _ in 0..MOST_CUTS {
        let Some([start, end]) = separate(0.5 * (low + high)) else { return true };
        if start < 0.0 && end < 0.0 {
            return false;
        }
        let zero = start / (start - end);
        if start < end {
            low = low.max(zero);
        } else {
            high = high.min(zero);
        }
        if low > high {
            return false;
        }
    }
    true
}

/// One over a power of two near the largest magnitude, so that products neither overflow nor
/// vanish.
fn scale_of(numbers: &[f64]) -> f64 {
    let largest = largest(numbers);
    if largest >= f64::MIN_POSITIVE && largest.is_finite() {
        1.0 / power_of_two(largest)
    } else {
        1.0
    }
}

/// The sets of two to four of so many planes: their places, and how many they are.
fn sets(planes: usize) -> impl Iterator<Item = ([usize; 4], usize)> {
    (0..1_u32 << planes).filter(|bits| (2..=4).contains(&bits.count_ones())).map(move |bits| {
        let (mut places, mut count) = ([0; 4], 0);
        for place in (0..planes).filter(|place| bits >> place & 1 == 1) {
            places[count] = place;
            count += 1;
        }
        (places, count)
    })
}

/// Weights with which four vectors cancel each other: Cramer's rule.
fn cancelling([a, b, c, d]: [Vector; 4]) -> [f64; 4] {
    let volume = |a: Vector, b: Vector, c: Vector| dot(a, cross(b, c));
    [volume(b, c, d), -volume(a, c, d), volume(a, b, d), -volume(a, b, c)]
}

/// Whether the planes combine to one that a solid with flat faces is wholly beyond. `row` has the
/// value of a plane somewhere in the solid, and by how much it changes along its three edges;
/// `most` is the greatest value in the solid.
fn is_apart(
    planes: &[Plane],
    row: impl Fn(&Plane) -> [f64; 4],
    most: impl Fn([f64; 4]) -> f64,
) -> bool {
    let mut rows: OfPlanes<[f64; 4]> = [[0.0; 4]; Frustum::MOST];
    for (plane, into) in planes.iter().zip(&mut rows) {
        let row = row(plane);
        if most(row) < 0.0 {
            return true;
        }
        let scale = scale_of(&row);
        *into = row.map_each(|x| scale * x);
    }
    sets(planes.len()).any(|(places, count)| {
        let of_set = places.map_each(|place| rows[place]);
        let separates = |weights: [f64; 4]| {
            let weights = &weights[..count];
            if !(weights.iter().all(|&x| x > 0.0) || weights.iter().all(|&x| x < 0.0)) {
                return false;
            }
            let mut sum = [0.0; 4];
            for (weight, row) in weights.iter().zip(&of_set) {
                sum = [0, 1, 2, 3].map_each(|i| sum[i] + weight.abs() * row[i]);
            }
            most(sum) < 0.0
        };
        let along = |edge: usize| [of_set[0][edge], of_set[1][edge], of_set[2][edge]];
        match count {
            2 => (1..4).any(|edge| separates([along(edge)[1], -along(edge)[0], 0.0, 0.0])),
            3 => [[1, 2], [1, 3], [2, 3]].into_iter().any(|[one, other]| {
                let [x, y, z] = cross(along(one), along(other));
                separates([x, y, z, 0.0])
            }),
            _ => separates(cancelling(of_set.map_each(|[_, x, y, z]| [x, y, z]))),
        }
    })
}

/// The weights of the planes that lead from the region between them to a point, by their values at
/// the point; `None` if it lies in the region.
fn strongest(normals: &[Vector], values: &OfPlanes<f64>) -> Option<OfPlanes<f64>> {
    // The square of the distance.
    let mut best = (0.0, None);
    let mut offer = |places: &[usize], weights: &[f64]| {
        if !weights.iter().all(|&x| x > 0.0) {
            return;
        }
        let (mut normal, mut value, mut all) = ([0.0; 3], 0.0, [0.0; Frustum::MOST]);
        for (&place, &weight) in places.iter().zip(weights) {
            normal = add(normal, normals[place].map_each(|x| weight * x));
            value += weight * values[place];
            all[place] = weight;
        }
        let squared = value * value / dot(normal, normal);
        if value < 0.0 && squared > best.0 {
            best = (squared, Some(all));
        }
    };
    for place in 0..normals.len() {
        offer(&[place], &[1.0]);
    }
    if values[..normals.len()].iter().all(|&value| value >= 0.0) {
        return None;
    }
    for (places, count) in sets(normals.len()) {
        let [a, b, c, d] = places.map_each(|place| normals[place]);
        let [at_a, at_b, at_c, _] = places.map_each(|place| values[place]);
        let places = &places[..count];
        match count {
            2 => {
                let (aa, ab, bb) = (dot(a, a), dot(a, b), dot(b, b));
                offer(places, &[ab * at_b - bb * at_a, ab * at_a - aa * at_b]);
            }
            3 => {
                // The vector from the point to the corner of the three, by their volume.
                let across = [cross(b, c), cross(c, a), cross(a, b)];
                let off = [0, 1, 2].map_each(|axis| {
                    -(at_a * across[0][axis] + at_b * across[1][axis] + at_c * across[2][axis])
                });
                offer(places, &across.map_each(|across| dot(off, across)));
            }
            _ => {
                let weights = cancelling([a, b, c, d]);
                let sign = weights[0].signum();
                offer(places, &weights.map_each(|x| sign * x));
            }
        }
    }
    best.1
}

//! What lies between planes, and what convex solids have in common with it: solids with flat faces
//! in exact numbers, by taking one number after the other out of the inequalities (Fourier and
//! Motzkin); balls and cones by the nearest of all points of faces, edges and corners, in twice the
//! digits of `f64`.

use crate::double::{Double, Wide};
use crate::exact::Exact;
use crate::vector::{Vector, cross, dot, length, minus, plus, times};
use lanecast::Affine;
use lanecast::primitive::{Cylinder, Obb};

/// Factors of numbers and then a constant: the sum is not negative.
type Row = Vec<Exact>;

/// Whether any numbers keep all rows.
fn is_possible(mut rows: Vec<Row>) -> bool {
    while rows.first().is_some_and(|row| row.len() > 1) {
        let (zero, other): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|row| row[0].is_zero());
        let (negative, positive): (Vec<Row>, Vec<Row>) =
            other.into_iter().partition(|row| row[0].is_negative());
        let mut left: Vec<Row> = zero.into_iter().map(|row| row[1..].to_vec()).collect();
        for up in &positive {
            for down in &negative {
                let both = up.iter().zip(down).skip(1);
                left.push(both.map(|(a, b)| a * &-&down[0] + b * &up[0]).collect());
            }
        }
        rows = left;
    }
    rows.iter().all(|row| !row[0].is_negative())
}

/// Planes in the frame that a map leads from.
#[derive(Debug, Clone)]
pub struct Between {
    planes: Vec<[Exact; 4]>,
    /// The same, rounded.
    near: Vec<[f64; 4]>,
}

impl Between {
    /// The planes, `outwards` of where they are as the map carries.
    pub fn new(planes: &[[f64; 4]], map: &Affine, outwards: f64) -> Self {
        let exact = Exact::from_f64;
        let rows = map.rows();
        let back = |&[a, b, c, d]: &[f64; 4]| {
            let room = outwards * length([a, b, c]);
            let along = |j: usize| {
                [a, b, c]
                    .iter()
                    .zip(rows)
                    .fold(Exact::of(0), |sum, (&x, row)| sum + exact(x) * exact(row[j]))
            };
            [along(0), along(1), along(2), along(3) + exact(d) + exact(room)]
        };
        let planes: Vec<[Exact; 4]> = planes.iter().map(back).collect();
        let near = planes.iter().map(|plane| plane.each_ref().map(Exact::to_f64)).collect();
        Self { planes, near }
    }

    /// With the half-spaces of planes in the frame that the map leads from.
    pub fn and(&self, planes: &[[f64; 4]]) -> Self {
        let mut both = self.clone();
        both.planes.extend(planes.iter().map(|plane| plane.map(Exact::from_f64)));
        both.near.extend(planes);
        both
    }

    /// How far what is between, and between the caps of a cylinder, is from its side; negative if
    /// it is partly within, and then a bound, and infinite if nothing is between. `outwards` moves
    /// the caps.
    pub fn gap_to_cylinder(&self, Cylinder { ends, radius }: &Cylinder<f64>, outwards: f64) -> f64 {
        let axis = minus(ends[1], ends[0]);
        let cap = |normal: Vector, end: Vector| {
            let room = outwards * length(normal);
            [normal[0], normal[1], normal[2], room - dot(normal, end)]
        };
        let caps = [cap(axis, ends[0]), cap(times(-1.0, axis), ends[1])];
        self.and(&caps).gap(*ends, [*radius; 2])
    }

    /// The rows of points `at` + Σ xᵢ `edges[i]`, by the x.
    fn along(&self, at: Vector, edges: &[Vector]) -> Vec<Row> {
        let exact = Exact::from_f64;
        let times = |[a, b, c, _]: &[Exact; 4], [x, y, z]: Vector| {
            a * &exact(x) + b * &exact(y) + c * &exact(z)
        };
        let row = |plane: &[Exact; 4]| {
            let factors = edges.iter().map(|&edge| times(plane, edge));
            factors.chain([times(plane, at) + plane[3].clone()]).collect()
        };
        self.planes.iter().map(row).collect()
    }

    /// Whether a triangle is partly between.
    pub fn hold_of_triangle(&self, [a, b, c]: [Vector; 3]) -> bool {
        // The corners are of few digits, and so are their differences in these numbers.
        let mut rows = self.along(a, &[minus(b, a), minus(c, a)]);
        rows.extend([[1, 0, 0], [0, 1, 0], [-1, -1, 1]].map(|row| row.map(Exact::of).to_vec()));
        is_possible(rows)
    }

    /// Whether a box is partly between: all points p with
    /// `|axes[i] · (p − center)| ≤ half_extents[i]`.
    pub fn hold_of_box(&self, Obb { center, axes, half_extents }: &Obb<f64>) -> bool {
        let exact = Exact::from_f64;
        let units = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let mut rows = self.along(*center, &units);
        for (axis, &half) in axes.iter().zip(half_extents) {
            for sign in [1, -1] {
                let factors = axis.map(|x| exact(x) * Exact::of(sign));
                rows.push(factors.into_iter().chain([exact(half)]).collect());
            }
        }
        is_possible(rows)
    }

    /// How far a point is from the nearest between; infinite where there is none.
    pub fn distance(&self, point: Vector) -> f64 {
        let planes: Vec<([Double; 3], Double)> = self
            .near
            .iter()
            .map(|&[a, b, c, d]| {
                let size = length([a, b, c]);
                // Nearly of length 1.
                let unit = [a, b, c].map(|x| Double::from(x) / size.into());
                let at = (0..3).fold(Double::from(d) / size.into(), |sum, axis| {
                    sum + unit[axis] * point[axis].into()
                });
                (unit, at)
            })
            .collect();
        let zero = Double::from(0.0);
        let along = |a: &[Double; 3], b: &[Double; 3]| {
            (0..3).fold(zero, |sum, axis| sum + a[axis] * b[axis])
        };
        let size = planes.iter().fold(length(point), |size, (_, at)| size.max(at.to_f64().abs()));
        // The way to a point, if all planes allow it.
        let allowed = |way: [Double; 3]| {
            let holds = |(unit, at): &([Double; 3], Double)| {
                (*at + along(unit, &way)).to_f64() >= -1e-21 * size
            };
            planes.iter().all(holds).then(|| along(&way, &way).to_f64().max(0.0).sqrt())
        };
        let sum = |parts: &[(Double, [Double; 3])]| {
            [0, 1, 2].map(|axis| parts.iter().fold(zero, |sum, (by, of)| sum + *by * of[axis]))
        };
        let mut least = allowed([zero; 3]).unwrap_or(f64::INFINITY);
        let mut offer = |way: [Double; 3]| least = allowed(way).map_or(least, |far| least.min(far));
        for (i, (a, at_a)) in planes.iter().enumerate() {
            let aa = along(a, a);
            offer(sum(&[((zero - *at_a) / aa, *a)]));
            for (j, (b, at_b)) in planes.iter().enumerate().skip(i + 1) {
                let (ab, bb) = (along(a, b), along(b, b));
                let square = aa * bb - ab * ab;
                if square.to_f64() > 1e-24 {
                    let by_a = (ab * *at_b - bb * *at_a) / square;
                    let by_b = (ab * *at_a - aa * *at_b) / square;
                    offer(sum(&[(by_a, *a), (by_b, *b)]));
                }
                for (c, at_c) in planes.iter().skip(j + 1) {
                    let cross = |a: &[Double; 3], b: &[Double; 3]| {
                        [(1, 2), (2, 0), (0, 1)].map(|(i, j)| a[i] * b[j] - a[j] * b[i])
                    };
                    let across = [cross(b, c), cross(c, a), cross(a, b)];
                    let volume = along(a, &across[0]);
                    if volume.to_f64().abs() > 1e-18 {
                        let by = [*at_a, *at_b, *at_c].map(|at| (zero - at) / volume);
                        offer(sum(&[0, 1, 2].map(|i| (by[i], across[i]))));
                    }
                }
            }
        }
        least
    }

    /// How far the hull of two balls is from what is between; negative if it is partly there, and
    /// then a bound.
    pub fn gap(&self, centers: [Vector; 2], radii: [f64; 2]) -> f64 {
        let at = |s: f64| {
            let center = plus(centers[0], times(s, minus(centers[1], centers[0])));
            self.distance(center) - radii[0] - s * (radii[1] - radii[0])
        };
        if centers[0] == centers[1] && radii[0] == radii[1] {
            return at(0.0);
        }
        let (mut low, mut high) = (0.0, 1.0);
        let mut least = at(low).min(at(high));
        // It falls and then rises.
        while high - low > 1e-15 && least > 0.0 {
            let [a, b] = [low + (high - low) * 0.45, high - (high - low) * 0.45];
            let [of_a, of_b] = [at(a), at(b)];
            least = least.min(of_a).min(of_b);
            if of_a <= of_b { high = b } else { low = a }
        }
        least
    }
}

/// The half-spaces of a wedge, whose edge goes through a point: of its normals each is square to
/// the edge.
pub fn wedge(at: Vector, edge: Vector, inwards: Vector, opening: f64) -> [[f64; 4]; 2] {
    let across = cross(edge, inwards);
    let across = times(length(inwards) / length(across), across);
    [1.0, -1.0].map(|sign| {
        let normal = plus(times(opening.sin(), inwards), times(sign * opening.cos(), across));
        [normal[0], normal[1], normal[2], -dot(normal, at)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit_box() -> Obb<f64> {
        Obb::new([0.0; 3], [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [1.0; 3])
            .expect("a box")
    }

    #[test]
    fn a_box_beyond_the_edge_of_a_wedge_is_not_between() {
        let planes = [[1.0, 1.0, 0.0, -2.0], [1.0, -1.0, 0.0, -2.0]];
        let between = |outwards: f64| Between::new(&planes, &Affine::IDENTITY, outwards);
        assert!(!between(0.0).hold_of_box(&unit_box()));
        assert!(between(0.71).hold_of_box(&unit_box()));
        assert_eq!(between(0.0).distance([0.0; 3]), 2.0);
        let flat = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
        assert!(!between(0.0).hold_of_triangle(flat) && between(0.71).hold_of_triangle(flat));
        let gap = between(0.0).gap([[0.0; 3], [1.0, 0.0, 0.0]], [0.25, 0.5]);
        assert_eq!(gap, 0.5);
    }

    #[test]
    fn nothing_lies_between_planes_that_leave_nothing() {
        let planes = [[1.0, 0.0, 0.0, -0.5], [-1.0, 0.0, 0.0, 0.25]];
        let between = Between::new(&planes, &Affine::IDENTITY, 0.0);
        assert!(!between.hold_of_box(&unit_box()));
        assert_eq!(between.distance([0.0; 3]), f64::INFINITY);
    }
}

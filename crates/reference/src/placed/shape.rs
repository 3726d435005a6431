//! Shapes where they are placed, and how far they are from a point, in `f64` and written for
//! reading.

use super::frame::{carried, carried_vector};
use super::nearest::nearest_in_f64;
use crate::vector::{Vector, cross, dot, length, minus, times};
use lanecast::Affine;

/// What there is, where it is placed: a triangle by its corners, an ellipsoid or a parallelepiped
/// by its middle and three half axes.
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    Triangle([Vector; 3]),
    Ellipsoid(Vector, [Vector; 3]),
    Parallelepiped(Vector, [Vector; 3]),
}

impl Shape {
    pub fn placed(self, map: &Affine) -> Self {
        let axes = |axes: [Vector; 3]| axes.map(|axis| carried_vector(map, axis));
        match self {
            Self::Triangle(corners) => Self::Triangle(corners.map(|corner| carried(map, corner))),
            Self::Ellipsoid(middle, half) => Self::Ellipsoid(carried(map, middle), axes(half)),
            Self::Parallelepiped(middle, half) => {
                Self::Parallelepiped(carried(map, middle), axes(half))
            }
        }
    }

    /// How far the surface is.
    pub fn distance(self, point: Vector) -> f64 {
        match self {
            Self::Triangle(corners) => nearest_in_f64(point, corners).1,
            Self::Ellipsoid(middle, half) => to_ellipsoid(minus(point, middle), half),
            Self::Parallelepiped(middle, half) => to_parallelepiped(minus(point, middle), half),
        }
    }

    /// How far a point of the surface is that may be the nearest: of ellipsoids not less than the
    /// least, to the last bits.
    pub fn at_most(self, point: Vector) -> f64 {
        match self {
            Self::Ellipsoid(middle, half) => search_ellipsoid(minus(point, middle), half),
            _ => self.distance(point),
        }
    }

    /// What it cannot be nearer than, found at once.
    pub fn at_least(self, point: Vector) -> f64 {
        let (middle, reach) = match self {
            Self::Triangle([a, b, c]) => (a, length(minus(b, a)).max(length(minus(c, a)))),
            Self::Ellipsoid(middle, half) | Self::Parallelepiped(middle, half) => {
                (middle, half.map(length).iter().sum())
            }
        };
        length(minus(point, middle)) - reach
    }

    /// The greatest number that it is made of.
    pub fn size(self) -> f64 {
        let numbers = match self {
            Self::Triangle(corners) => corners.concat(),
            Self::Ellipsoid(middle, half) | Self::Parallelepiped(middle, half) => {
                [&middle[..], half.as_flattened()].concat()
            }
        };
        numbers.iter().fold(0.0, |size, x| size.max(x.abs()))
    }
}

pub fn combined(weights: Vector, half: [Vector; 3]) -> Vector {
    std::array::from_fn(|axis| (0..3).map(|i| weights[i] * half[i][axis]).sum())
}

fn to_parallelepiped(point: Vector, half: [Vector; 3]) -> f64 {
    let corner = |signs: Vector| combined(signs, half);
    let mut least = f64::INFINITY;
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let at = |u: f64, v: f64| {
                let mut signs = [side; 3];
                (signs[(axis + 1) % 3], signs[(axis + 2) % 3]) = (u, v);
                corner(signs)
            };
            let quad = [at(-1.0, -1.0), at(1.0, -1.0), at(1.0, 1.0), at(-1.0, 1.0)];
            for corners in [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]] {
                least = least.min(nearest_in_f64(point, corners).1);
            }
        }
    }
    least
}

/// By search: the best of many directions, and from there in steps that become shorter. Whatever it
/// finds is on the surface, though of a flat one maybe not the nearest.
fn search_ellipsoid(point: Vector, half: [Vector; 3]) -> f64 {
    let unit = |v: Vector| times(1.0 / length(v), v);
    let distance = |n: Vector| length(minus(combined(n, half), point));
    const STARTS: usize = 200;
    let mut starts: Vec<Vector> = (0..STARTS)
        .map(|i| {
            // A spiral from pole to pole, by the golden angle.
            let (z, angle) =
                (1.0 - (2 * i + 1) as f64 / STARTS as f64, i as f64 * 2.399_963_229_728_653);
            let r = (1.0 - z * z).sqrt();
            [r * angle.cos(), r * angle.sin(), z]
        })
        .collect();
    starts.sort_by(|a, b| distance(*a).total_cmp(&distance(*b)));
    let mut least = f64::INFINITY;
    for &start in &starts[..4] {
        let (mut n, mut step): (Vector, f64) = (start, 0.2);
        for _ in 0..300 {
            let other = if n[0].abs() < 0.7 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
            let along = unit(cross(n, other));
            let across = cross(n, along);
            let candidates = (0..8).map(|i| {
                let (s, c) = (f64::from(i) * std::f64::consts::FRAC_PI_4).sin_cos();
                unit(std::array::from_fn(|axis| {
                    n[axis] + step * (c * along[axis] + s * across[axis])
                }))
            });
            let best =
                candidates.min_by(|a, b| distance(*a).total_cmp(&distance(*b))).expect("eight");
            if distance(best) < distance(n) {
                n = best;
            } else {
                step *= 0.5;
            }
        }
        least = least.min(distance(n));
    }
    least
}

/// In the frame of its own axes, where the nearest point is s² y / (s² + t) for the greatest t that
/// puts it on the surface. A search over directions would lose itself where one axis is a
/// thousandth of another.
fn to_ellipsoid(point: Vector, half: [Vector; 3]) -> f64 {
    let (squares, axes) = own_axes(half);
    let y = axes.map(|axis| dot(axis, point));
    let s = squares.map(|square| square.max(0.0).sqrt());
    let least = (0..3).min_by(|&a, &b| s[a].total_cmp(&s[b])).expect("three");
    let at = |t: f64| {
        [0, 1, 2].map(|i| if s[i] * y[i] != 0.0 { s[i] * y[i] / (s[i] * s[i] + t) } else { 0.0 })
    };
    let (mut low, mut high) =
        (-s[least] * s[least], 4.0 * (length(point) + s[0] + s[1] + s[2]).powi(2));
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if length(at(middle)) > 1.0 { low = middle } else { high = middle }
    }
    // In units of the axes. What is missing where y has nothing along the shortest is made up for
    // along that.
    let mut unit = at(high);
    let others: f64 = (0..3).filter(|&i| i != least).map(|i| unit[i] * unit[i]).sum();
    unit[least] = (1.0 - others).max(0.0).sqrt().copysign(y[least]);
    length([0, 1, 2].map(|i| s[i] * unit[i] - y[i]))
}

/// The squares of the half axes of an ellipsoid and where they point to: what is left on the
/// diagonal when rotations have made all else of `half` times its transpose 0.
pub fn own_axes(half: [Vector; 3]) -> (Vector, [Vector; 3]) {
    let mut matrix: [Vector; 3] = std::array::from_fn(|i| {
        std::array::from_fn(|j| half.iter().map(|column| column[i] * column[j]).sum())
    });
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..30 {
        for (i, j) in [(0, 1), (0, 2), (1, 2)] {
            let (sin, cos) =
                (0.5 * (2.0 * matrix[i][j]).atan2(matrix[i][i] - matrix[j][j])).sin_cos();
            let turned = |a: Vector, b: Vector| {
                let along = |k: usize| [cos * a[k] + sin * b[k], cos * b[k] - sin * a[k]];
                let [x, y, z] = [along(0), along(1), along(2)];
                [[x[0], y[0], z[0]], [x[1], y[1], z[1]]]
            };
            [axes[i], axes[j]] = turned(axes[i], axes[j]);
            [matrix[i], matrix[j]] = turned(matrix[i], matrix[j]);
            for row in &mut matrix {
                [row[i], row[j]] = [cos * row[i] + sin * row[j], cos * row[j] - sin * row[i]];
            }
        }
    }
    ([matrix[0][0], matrix[1][1], matrix[2][2]], axes)
}

//! How a scene is placed in another: rays as they are seen there. They are made as the docs of
//! `lanecast::SceneBuilder::instance` define them, and by no code of the engine.

use crate::vector::{Numbers, Vector, cross, dot, minus, plus, rounded, vector};
use lanecast::{Affine, Ray};

type Matrix = [[f64; 3]; 3];

/// An affine map and the way back.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Map {
    linear: Matrix,
    back: Matrix,
    moved: Vector,
}

impl Map {
    pub fn new(affine: &Affine) -> Self {
        let rows = affine.rows();
        let linear = rows.map(|[x, y, z, _]| [x, y, z]);
        Self { linear, back: inverse(&linear), moved: rows.map(|row| row[3]) }
    }

    /// A ray as it is seen from where the map leads from: carried back in `f64`, and rounded there.
    pub fn carry_back<T: Numbers>(&self, ray: &Ray<T>) -> Ray<T> {
        Ray {
            origin: rounded(carried(&self.back, minus(vector(ray.origin), self.moved))),
            direction: rounded(carried(&self.back, vector(ray.direction))),
            ..*ray
        }
    }

    /// A point where the map leads to.
    pub fn point(&self, point: Vector) -> Vector {
        plus(carried(&self.linear, point), self.moved)
    }

    /// A direction there.
    pub fn vector(&self, vector: Vector) -> Vector {
        carried(&self.linear, vector)
    }

    /// Whether it turns what is right-handed into what is left-handed.
    pub fn is_mirrored(&self) -> bool {
        let [x, y, z] = self.linear;
        dot(x, cross(y, z)) < 0.0
    }

    /// By how much the greatest component of a vector may grow on the way there, and on the way
    /// back.
    pub fn growth(&self) -> [f64; 2] {
        let sum = |row: &Vector| row.iter().map(|x| x.abs()).sum::<f64>();
        [&self.linear, &self.back].map(|matrix| matrix.iter().map(sum).fold(0.0, f64::max))
    }

    /// The greatest component of what is added on the way there.
    pub fn distance(&self) -> f64 {
        self.moved.iter().fold(0.0, |most, x| most.max(x.abs()))
    }
}

/// Cofactors, transposed, over the determinant: the definition fixes every rounding, so that rays
/// come out with the bits that the engine's have.
fn inverse(m: &Matrix) -> Matrix {
    let cofactor = |i: usize, j: usize| {
        let (p, q) = (m[(i + 1) % 3], m[(i + 2) % 3]);
        p[(j + 1) % 3] * q[(j + 2) % 3] - p[(j + 2) % 3] * q[(j + 1) % 3]
    };
    let determinant =
        m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| cofactor(j, i) / determinant))
}

/// Each sum from left to right.
fn carried(matrix: &Matrix, [x, y, z]: Vector) -> Vector {
    [0, 1, 2].map(|i| matrix[i][0] * x + matrix[i][1] * y + matrix[i][2] * z)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_leads_back() {
        let mapped = Affine::from_rows([
            [0.6, -0.8, 0.3, 7.0],
            [0.7, 0.6, -0.1, -3.0],
            [0.25, 0.1, -2.0, 1e3],
        ]);
        let map = Map::new(&mapped);
        let ray = Ray::<f32>::new([0.5, -2.0, 3.0], [1.0, 0.25, -0.5]);
        let there = Ray {
            origin: rounded(map.point(vector(ray.origin))),
            direction: rounded(map.vector(vector(ray.direction))),
            ..ray
        };
        let again = map.carry_back(&there);
        for axis in 0..3 {
            assert!((again.origin[axis] - ray.origin[axis]).abs() < 2e-4, "{again:?}");
            assert!((again.direction[axis] - ray.direction[axis]).abs() < 1e-6, "{again:?}");
        }
    }

    #[test]
    fn growth_bounds_how_much_longer_a_vector_becomes() {
        let map = Map::new(&Affine::from_rows([
            [2.0, -1.0, 0.0, 0.0],
            [0.0, 4.0, 0.0, -9.0],
            [0.0, 0.0, 0.5, 1.0],
        ]));
        assert_eq!((map.growth(), map.distance()), ([4.0, 2.0], 9.0));
    }
}

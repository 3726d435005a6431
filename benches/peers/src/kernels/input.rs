//! What is tested: random rays and primitives in columns.

use super::number::Number;
use crate::random::Random;
use crate::vector::{cross, minus, plus, unit};

/// What rays meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Primitive {
    /// Least and greatest x, y, z: 6 numbers.
    Aabb,
    /// Center, three orthonormal axes one after the other, half-extents: 15 numbers.
    Obb,
    /// Center and radius: 4 numbers.
    Sphere,
    /// Three vertices: 9 numbers; and 3 more, the normal of the plane, for who wants it ready.
    Triangle,
}

impl Primitive {
    pub(crate) const ALL: [Self; 4] = [Self::Aabb, Self::Obb, Self::Sphere, Self::Triangle];

    /// How many numbers it has.
    const fn width(self) -> usize {
        match self {
            Self::Aabb => 6,
            Self::Obb => 15,
            Self::Sphere => 4,
            Self::Triangle => 9,
        }
    }

    /// As it is written in tables.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Aabb => "box",
            Self::Obb => "oriented box",
            Self::Sphere => "sphere",
            Self::Triangle => "triangle",
        }
    }
}

/// Rays and primitives as columns of numbers.
#[derive(Debug)]
pub(crate) struct Input<F> {
    pub(crate) primitive: Primitive,
    /// Origin and direction, a unit vector but for rounding; every ray has the interval [0, ∞].
    pub(crate) rays: [Vec<F>; 6],
    /// The numbers of the primitives, see [`Primitive`].
    pub(crate) primitives: Vec<Vec<F>>,
}

impl<F: Number> Input<F> {
    /// So many rays and primitives in a cube of ten units each way around zero.
    pub(crate) fn random(primitive: Primitive, rays: usize, primitives: usize) -> Self {
        let mut random = Random(0x1a2e_ca57 + primitive as u64);
        let ray_rows = (0..rays).map(|_| {
            let ([x, y, z], [dx, dy, dz]) = (random.point(10.0), random.direction());
            vec![x, y, z, dx, dy, dz]
        });
        let ray_columns = columns(ray_rows, 6);
        let primitive_rows = (0..primitives).map(|_| random_primitive(&mut random, primitive));
        let mut primitives = columns(primitive_rows, primitive.width());
        if primitive == Primitive::Triangle {
            primitives.extend(normals(&primitives));
        }
        let mut rays = [const { Vec::new() }; 6];
        for (into, column) in rays.iter_mut().zip(ray_columns) {
            *into = column;
        }
        Self { primitive, rays, primitives }
    }

    /// How many rays there are.
    pub(crate) fn ray_count(&self) -> usize {
        self.rays[0].len()
    }

    /// How many primitives there are.
    pub(crate) fn primitive_count(&self) -> usize {
        self.primitives[0].len()
    }

    /// One ray: origin and direction.
    pub(crate) fn ray(&self, index: usize) -> [[F; 3]; 2] {
        let [x, y, z, dx, dy, dz] = std::array::from_fn(|place| self.rays[place][index]);
        [[x, y, z], [dx, dy, dz]]
    }

    /// The numbers of one primitive.
    pub(crate) fn primitive<const N: usize>(&self, index: usize) -> [F; N] {
        std::array::from_fn(|place| self.primitives[place][index])
    }

    /// All rays, converted.
    pub(crate) fn rays_as<R>(&self, convert: impl Fn([F; 3], [F; 3]) -> R) -> Vec<R> {
        let rays = (0..self.ray_count()).map(|index| self.ray(index));
        rays.map(|[origin, direction]| convert(origin, direction)).collect()
    }

    /// All primitives, converted.
    pub(crate) fn primitives_as<P, const N: usize>(&self, convert: impl Fn([F; N]) -> P) -> Vec<P> {
        (0..self.primitive_count()).map(|index| convert(self.primitive(index))).collect()
    }
}

fn columns<F: Number>(rows: impl Iterator<Item = Vec<f64>>, width: usize) -> Vec<Vec<F>> {
    let mut columns = vec![Vec::new(); width];
    for row in rows {
        for (column, value) in columns.iter_mut().zip(row) {
            column.push(F::rounded(value));
        }
    }
    columns
}

/// (v1 − v0) × (v2 − v0) of the triangles in nine columns.
fn normals<F: Number>(vertices: &[Vec<F>]) -> [Vec<F>; 3] {
    let edge =
        |row: usize, first: usize, axis: usize| vertices[first + axis][row] - vertices[axis][row];
    std::array::from_fn(|axis| {
        let (y, z) = ((axis + 1) % 3, (axis + 2) % 3);
        let component = |row| edge(row, 3, y) * edge(row, 6, z) - edge(row, 3, z) * edge(row, 6, y);
        (0..vertices[0].len()).map(component).collect()
    })
}

/// The numbers of a random primitive.
fn random_primitive(random: &mut Random, primitive: Primitive) -> Vec<f64> {
    let center = random.point(10.0);
    match primitive {
        Primitive::Aabb => {
            let half: [f64; 3] = std::array::from_fn(|_| random.between(0.5, 4.0));
            [minus(center, half), plus(center, half)].concat()
        }
        Primitive::Obb => {
            let [u, across] = [random.direction(), random.direction()];
            let v = unit(cross(u, across));
            let half = std::array::from_fn(|_| random.between(0.5, 4.0));
            [center, u, v, cross(u, v), half].concat()
        }
        Primitive::Sphere => [&center[..], &[random.between(0.5, 4.0)]].concat(),
        Primitive::Triangle => {
            let mut vertex = || plus(center, random.point(6.0));
            [vertex(), vertex(), vertex()].concat()
        }
    }
}

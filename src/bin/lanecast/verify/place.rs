//! Where a mesh is placed: scenes in a scene, and rays as each place sees them. The rays are made as the docs of
//! `lanecast::SceneBuilder::instance` define them, and by no code of the engine.

use crate::machine::Machine;
use crate::rays::{Random, center, diagonal};
use crate::vector::{Vector, add, from_f32, sub, to_f32};
use lanecast::{Aabb, Affine, INVALID_ID, Ray, Scene, SceneBuilder};
use std::sync::Arc;

type Matrix = [[f64; 3]; 3];

/// An affine map and the way back, neither of which is rounded.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Map {
    pub(super) linear: Matrix,
    pub(super) back: Matrix,
    pub(super) moved: Vector,
}

impl Map {
    /// Two shears by quarters and a scale by powers of two in between, mirrored as often as not: `f64` holds the
    /// products of these matrices and of their inverses. Moved so that what is within the bounds stays near.
    fn drawn(bounds: &Aabb, random: &mut Random) -> Self {
        let mut quarters = || (random.below(9) as f64 - 4.0) / 4.0;
        let [a, b, c, d, e, f] = [(); 6].map(|()| quarters());
        let lower = [[1.0, 0.0, 0.0], [a, 1.0, 0.0], [b, c, 1.0]];
        let lower_back = [[1.0, 0.0, 0.0], [-a, 1.0, 0.0], [a * c - b, -c, 1.0]];
        let upper = [[1.0, d, e], [0.0, 1.0, f], [0.0, 0.0, 1.0]];
        let upper_back = [[1.0, -d, d * f - e], [0.0, 1.0, -f], [0.0, 0.0, 1.0]];
        let scales = [(); 3].map(|()| [0.5, 1.0, 2.0, -0.5, -1.0, -2.0][random.below(6)]);
        let scaled = |rows: Matrix, by: Vector| -> Matrix { [0, 1, 2].map(|i| rows[i].map(|x| x * by[i])) };
        let linear = product(&upper, &scaled(lower, scales));
        let back = product(&lower_back, &scaled(upper_back, scales.map(|scale| 1.0 / scale)));
        let middle = center(bounds);
        let apart = [(); 3].map(|()| diagonal(bounds) * (random.unit() - 0.5));
        Self { linear, back, moved: add(sub(middle, times(&linear, middle)), apart) }
    }

    /// The same for the engine.
    fn affine(&self) -> Affine {
        Affine::from_rows([0, 1, 2].map(|i| {
            let [x, y, z] = self.linear[i];
            [x, y, z, self.moved[i]]
        }))
    }

    /// A ray as it is seen from where the map leads from: carried back in `f64`, and rounded there.
    fn carry_back(&self, ray: &Ray) -> Ray {
        Ray {
            origin: to_f32(times(&self.back, sub(from_f32(ray.origin), self.moved))),
            direction: to_f32(times(&self.back, from_f32(ray.direction))),
            ..*ray
        }
    }
}

/// One of the places of the meshes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Place {
    pub(super) instance_id: u32,
    /// The maps of the instances one in another, outermost first.
    maps: Vec<Map>,
}

impl Place {
    /// In the scene itself.
    pub(super) const ITSELF: Self = Self { instance_id: INVALID_ID, maps: Vec::new() };

    /// A ray of the scene as the meshes see it.
    pub(super) fn sees(&self, ray: &Ray) -> Ray {
        self.maps.iter().fold(*ray, |ray, map| map.carry_back(&ray))
    }

    /// A ray of the scene that the meshes see about so.
    pub(super) fn shows(&self, ray: &Ray) -> Ray {
        let (mut origin, mut direction) = (from_f32(ray.origin), from_f32(ray.direction));
        for map in self.maps.iter().rev() {
            origin = add(times(&map.linear, origin), map.moved);
            direction = times(&map.linear, direction);
        }
        Ray { origin: to_f32(origin), direction: to_f32(direction), ..*ray }
    }
}

/// The maps of a scene's instances, and those of the instances of that scene in another.
#[derive(Debug, Clone)]
pub(super) struct Nest {
    pub(super) inner: Vec<Map>,
    pub(super) outer: Vec<Map>,
}

impl Nest {
    /// So many of each.
    pub(super) fn drawn(count: u32, bounds: &Aabb, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut maps = || (0..count).map(|_| Map::drawn(bounds, &mut random)).collect();
        Self { inner: maps(), outer: maps() }
    }

    /// The outer scene.
    pub(super) fn scene(&self, placed: Scene, machine: &Machine) -> lanecast::Result<Scene> {
        let mut scene = placed;
        for maps in [&self.inner, &self.outer] {
            let shared = Arc::new(scene);
            let builder = SceneBuilder::new().backend(machine.backend).threads(machine.threads.clone());
            let place = |builder: SceneBuilder<'static>, map: &Map| builder.instance(&shared, map.affine());
            scene = maps.iter().fold(builder, place).build()?;
        }
        Ok(scene)
    }

    /// Every place in it. An instance's id is followed by those of the instances in it.
    pub(super) fn places(&self) -> Vec<Place> {
        let (mut places, mut instance_id) = (Vec::new(), 0);
        for outer in &self.outer {
            for inner in &self.inner {
                instance_id += 1;
                places.push(Place { instance_id, maps: vec![*outer, *inner] });
            }
            instance_id += 1;
        }
        places
    }
}

/// Each sum from left to right.
fn times(matrix: &Matrix, [x, y, z]: Vector) -> Vector {
    [0, 1, 2].map(|i| matrix[i][0] * x + matrix[i][1] * y + matrix[i][2] * z)
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let columns = [0, 1, 2].map(|j| times(a, [b[0][j], b[1][j], b[2][j]]));
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_leads_back_without_a_rounding() {
        let bounds = Aabb { min: [-1.0; 3], max: [2.0; 3] };
        let nest = Nest::drawn(100, &bounds, 3);
        let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for map in nest.inner.iter().chain(&nest.outer) {
            assert_eq!([product(&map.linear, &map.back), product(&map.back, &map.linear)], [identity; 2]);
        }
        let mirrored = nest.inner.iter().filter(|map| map.affine().is_mirrored()).count();
        assert!((30..70).contains(&mirrored), "{mirrored}");
    }
}

//! Scenes drawn at random: of every kind, of sizes far apart, and several deep.

use super::*;
use lanecast::primitive::{Obb, Sphere};
use lanecast::{Aabb, SceneBuilder};
use lanecast_reference::random::Random;
use std::sync::Arc;

const SCENES: u64 = 24;
const RAYS: usize = 100;

struct Drawing {
    random: Random,
    size: f32,
    /// How far from the origin things are.
    away: f32,
}

impl Drawing {
    fn between(&mut self, least: f32, greatest: f32) -> f32 {
        least + (greatest - least) * self.random.unit_f64() as f32
    }

    fn vector(&mut self, least: f32, greatest: f32) -> [f32; 3] {
        [(); 3].map(|()| self.between(least, greatest))
    }

    fn point(&mut self) -> [f32; 3] {
        let (size, away) = (self.size, self.away);
        self.vector(-1.0, 1.0).map(|x| x * size + away)
    }

    /// One in four is flat.
    fn aabb(&mut self) -> Aabb {
        let (min, mut sides) = (self.point(), self.vector(0.0, 0.5).map(|x| x * self.size));
        if let Some(side) = sides.get_mut(self.random.below(12)) {
            *side = 0.0;
        }
        Aabb { min, max: [0, 1, 2].map(|axis| min[axis] + sides[axis]) }
    }

    /// Turned about one of the scene's axes, often by an eighth.
    fn obb(&mut self) -> Obb {
        let any = self.between(0.0, 6.3);
        let angle = if self.random.below(3) == 0 { std::f32::consts::FRAC_PI_4 } else { any };
        let (s, c) = angle.sin_cos();
        let mut axes = [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]];
        let turns = self.random.below(3);
        axes.iter_mut().for_each(|axis| axis.rotate_left(turns));
        let half_extents = self.vector(0.0, 0.3).map(|x| x * self.size);
        Obb::new(self.point(), axes, half_extents).expect("orthonormal axes")
    }

    fn sphere(&mut self) -> Sphere {
        let radius = self.between(0.0, 0.4) * self.size;
        Sphere::new(self.point(), radius)
    }

    /// All kinds, and two of the scenes that there are, wherever they come to lie.
    fn scene(&mut self, placed: &[Arc<Scene>]) -> Scene {
        let count = 1 + self.random.below(6);
        let boxes: Vec<_> = (0..count).map(|_| self.aabb()).collect();
        let oriented_boxes: Vec<_> = (0..count).map(|_| self.obb()).collect();
        let spheres: Vec<_> = (0..count).map(|_| self.sphere()).collect();
        let vertices: Vec<_> = (0..3 * count).map(|_| self.point()).collect();
        let triangles: Vec<_> = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mut builder = SceneBuilder::new();
        for _ in 0..2.min(placed.len()) {
            builder = builder.instance(&placed[self.random.below(placed.len())], self.map());
        }
        builder
            .boxes(&boxes)
            .and_then(|builder| builder.spheres(&spheres))
            .and_then(|builder| builder.triangle_mesh(&vertices, &triangles))
            .and_then(|builder| builder.oriented_boxes(&oriented_boxes))
            .and_then(SceneBuilder::build)
            .expect("a scene")
    }

    /// A diagonal with anything beside it.
    fn map(&mut self) -> Affine {
        let size = f64::from(self.size);
        Affine::from_rows([0, 1, 2].map(|row| {
            let mut numbers = [(); 4].map(|()| self.random.unit_f64() - 0.5);
            numbers[row] += if self.random.below(2) == 0 { 1.5 } else { -1.5 };
            numbers[3] *= 4.0 * size;
            numbers
        }))
    }
}

#[test]
fn nothing_differs_in_drawn_scenes_and_hardly_anything_is_left_open() {
    let mut grazing = 0;
    for seed in 0..SCENES {
        let size = [1.0, 1e15, 1e-12, 1e3][seed as usize % 4];
        let away = if seed % 3 == 0 { 100.0 * size } else { 0.0 };
        let mut drawing = Drawing { random: Random::new(seed), size, away };
        let mut scenes = Vec::new();
        for _ in 0..5 {
            let scene = drawing.scene(&scenes);
            scenes.push(Arc::new(scene));
        }
        let scene = &scenes[4];
        let world = World::of_scene(scene).expect("a world");
        let rays = rays(&world, RAYS);
        let expected = expected(&world, &rays);
        let differences = compared(scene, &[one_way()], &rays, &expected);
        assert!(differences.is_empty(), "seed {seed}: {differences:?}");
        grazing += expected.iter().filter(|expected| expected.grazes).count();
        let hits = expected.iter().filter(|expected| !expected.meetings.is_empty()).count();
        assert!(hits > RAYS / 2, "seed {seed}: {hits}");
    }
    assert!(grazing <= SCENES as usize * RAYS / 200, "{grazing}");
}

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
    size: f64,
    /// How far from the origin things are.
    away: f64,
}

impl Drawing {
    fn between(&mut self, least: f64, greatest: f64) -> f64 {
        least + (greatest - least) * self.random.unit_f64()
    }

    fn vector<T: Tested>(&mut self, least: f64, greatest: f64) -> [T; 3] {
        [(); 3].map(|()| Tested::of(self.size * self.between(least, greatest)))
    }

    fn point<T: Tested>(&mut self) -> [T; 3] {
        [(); 3].map(|()| Tested::of(self.size * self.between(-1.0, 1.0) + self.away))
    }

    /// One in four is flat.
    fn aabb<T: Tested>(&mut self) -> Aabb<T> {
        let (min, mut sides): ([T; 3], [T; 3]) = (self.point(), self.vector(0.0, 0.5));
        if let Some(side) = sides.get_mut(self.random.below(12)) {
            *side = T::ZERO;
        }
        Aabb { min, max: [0, 1, 2].map(|axis| min[axis] + sides[axis]) }
    }

    /// Turned about one of the scene's axes, often by an eighth.
    fn obb<T: Tested>(&mut self) -> Obb<T> {
        let any = self.between(0.0, 6.3);
        let angle = if self.random.below(3) == 0 { std::f64::consts::FRAC_PI_4 } else { any };
        let (s, c) = angle.sin_cos();
        let mut axes = [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]];
        let turns = self.random.below(3);
        axes.iter_mut().for_each(|axis| axis.rotate_left(turns));
        let half_extents = self.vector(0.0, 0.3);
        Obb::new(self.point(), axes.map(|axis| axis.map(Tested::of)), half_extents)
            .expect("orthonormal axes")
    }

    fn sphere<T: Tested>(&mut self) -> Sphere<T> {
        let radius = self.between(0.0, 0.4) * self.size;
        Sphere::new(self.point(), Tested::of(radius))
    }

    /// All kinds, and two of the scenes that there are, wherever they come to lie.
    fn scene<T: Tested>(&mut self, placed: &[Arc<Scene<T>>]) -> Scene<T> {
        let count = 1 + self.random.below(6);
        let boxes: Vec<_> = (0..count).map(|_| self.aabb()).collect();
        let oriented_boxes: Vec<_> = (0..count).map(|_| self.obb()).collect();
        let spheres: Vec<_> = (0..count).map(|_| self.sphere()).collect();
        let vertices: Vec<_> = (0..3 * count).map(|_| self.point()).collect();
        let triangles: Vec<_> = (0..count as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let mut builder = SceneBuilder::<T>::default();
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
        let size = self.size;
        Affine::from_rows([0, 1, 2].map(|row| {
            let mut numbers = [(); 4].map(|()| self.random.unit_f64() - 0.5);
            numbers[row] += if self.random.below(2) == 0 { 1.5 } else { -1.5 };
            numbers[3] *= 4.0 * size;
            numbers
        }))
    }
}

#[test]
fn random_scenes_differ_nowhere_and_few_of_their_rays_graze() {
    hold_drawn::<f32>(100.0);
    hold_drawn::<f64>(1e7);
}

fn hold_drawn<T: Tested>(far: f64) {
    let mut grazing = 0;
    for seed in 0..SCENES {
        let size = [1.0, 1e15, 1e-12, 1e3][seed as usize % 4];
        let away = if seed % 3 == 0 { far * size } else { 0.0 };
        let mut drawing = Drawing { random: Random::new(seed), size, away };
        let mut scenes = Vec::new();
        for _ in 0..5 {
            let scene = drawing.scene::<T>(&scenes);
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
    // More of the rays of `f64` go exactly where they are aimed at.
    let open_of = if T::FINER < 1.0 { 20 } else { 200 };
    assert!(grazing <= SCENES as usize * RAYS / open_of, "{grazing}");
}

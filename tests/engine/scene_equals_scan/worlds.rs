//! Scenes of everything in scenes of everything, and shapes by the hundred.

use super::{hold, met};
use crate::common::rays::{Aims, on_triangle};
use crate::common::scale::scaled;
use lanecast_reference::placed::shape::Shape;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{RandomWorld, shapes};
use lanecast_reference::world_rays::point_of;

fn aims(world: &RandomWorld, random: &mut Random) -> Aims {
    let target = |_| match world.things[random.below(world.things.len())].shape {
        Shape::Triangle(corners) => on_triangle(corners, random),
        shape => point_of(shape, random),
    };
    Aims::at((0..500).map(target).collect())
}

#[test]
fn everything_in_everything() {
    for seed in 0..scaled(4) as u64 {
        let random = &mut Random::new(800 + seed);
        let world = match seed % 4 {
            0 => RandomWorld::new(&shapes(60, random), &[]),
            depth => RandomWorld::drawn_masked(depth as u32, random),
        };
        let answers = hold("a world", seed, &|_, _| world.scene.deep_copy(), &aims(&world, random));
        assert!(met(&answers) > 5, "{seed}: {}", met(&answers));
    }
}

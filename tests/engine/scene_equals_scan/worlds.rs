//! Scenes of everything in scenes of everything, and shapes by the hundred, in both precisions.

use super::{hold, met};
use crate::common::rays::{Aims, Rounded, on_triangle};
use crate::common::scale::scaled;
use lanecast::Affine;
use lanecast_reference::placed::shape::Shape;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Content, Drawn, RandomWorld, shapes, transform};
use lanecast_reference::vector::Numbers;
use lanecast_reference::world_rays::point_of;

fn aims<T: Numbers>(world: &RandomWorld<T>, random: &mut Random) -> Aims {
    let target = |_| match world.things[random.below(world.things.len())].shape {
        Shape::Triangle(corners) => on_triangle(corners, random),
        shape => point_of(shape, random),
    };
    Aims::at((0..500).map(target).collect())
}

fn hold_worlds<T: Rounded + Numbers>(offset: [f32; 3]) {
    for seed in 0..scaled(4) as u64 {
        let random = &mut Random::new(800 + seed);
        let mut world = match seed % 4 {
            0 => RandomWorld::<T>::build(&Content { offset, ..shapes(60, random) }, &[]),
            depth => RandomWorld::of(Drawn::Masked, depth as u32, random),
        };
        if offset != [0.0; 3] {
            // What is placed there is turned as well.
            let map = Affine::translation(offset.map(f64::from)) * transform(random);
            let content = Content { offset, ..shapes(2, random) };
            world = RandomWorld::build(&content, &[(&world, map)]);
        }
        let aims = aims(&world, random);
        let name = format!("a world at {offset:?}");
        let answers = hold(&name, seed, &|_, _| world.scene.deep_copy(), &aims);
        assert!(met(&answers) > 5, "{name}, {seed}: {}", met(&answers));
    }
}

#[test]
fn everything_in_everything() {
    hold_worlds::<f32>([0.0; 3]);
}

/// Things of the size of few units in the last place of the coordinates to which they are carried,
/// and back: there the rounding of `f64` is what boxes need room for.
#[test]
fn next_to_nothing_at_survey_coordinates() {
    let far = [6.4e6, -5e5, 3.2e6];
    for seed in 0..scaled(2) as u64 {
        let random = &mut Random::new(850 + seed);
        let world = RandomWorld::<f64>::of(Drawn::ForRays, seed as u32 % 2, random);
        let small = random.pick(&[1e-6, 1e-7, 1e-8]);
        let size = Affine::from_rows([
            [small, 0.0, 0.0, 0.0],
            [0.0, small, 0.0, 0.0],
            [0.0, 0.0, small, 0.0],
        ]);
        let place = |random: &mut Random| {
            let at = random.point(-1.0, 1.0).map(|x| 10.0 * small * f64::from(x));
            Affine::translation(far) * Affine::translation(at) * size * transform(random)
        };
        let maps = [(); 30].map(|()| place(random));
        let there = RandomWorld::build(&Content::default(), &maps.map(|map| (&world, map)));
        let back = Affine::translation(far.map(|x| -x));
        let here = RandomWorld::build(&Content::default(), &[(&there, back)]);
        for (name, world) in [("there", there), ("and back", here)] {
            let aims = aims(&world, random);
            let answers = hold(name, seed, &|_, _| world.scene.deep_copy(), &aims);
            assert!(met(&answers) > 0, "{name}, {seed}");
        }
    }
}

/// Maps that stretch up to 2¹⁸ times as far one way as another: there the error of the inverse map
/// is what boxes need room for.
#[test]
fn flattened_at_survey_coordinates() {
    for seed in 0..scaled(2) as u64 {
        let random = &mut Random::new(870 + seed);
        let world = RandomWorld::<f64>::of(Drawn::ForRays, seed as u32 % 2, random);
        let place = |random: &mut Random| {
            let exponent = |random: &mut Random| f64::from(random.between(-9.0, 9.0)).exp2();
            let [x, y, z] = [(); 3].map(|()| exponent(random));
            let size =
                Affine::from_rows([[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]]);
            let there = Affine::translation([6.4e6, -5e5, 3.2e6]);
            there * transform(random) * size * transform(random)
        };
        let maps = [(); 12].map(|()| place(random));
        let flat = RandomWorld::build(&Content::default(), &maps.map(|map| (&world, map)));
        let aims = aims(&flat, random);
        let answers = hold("flat", seed, &|_, _| flat.scene.deep_copy(), &aims);
        assert!(met(&answers) > 0, "{seed}");
    }
}

#[test]
fn everything_of_f64_in_everything() {
    hold_worlds::<f64>([0.0; 3]);
    hold_worlds::<f64>([6.4e6, -5e5, 3.2e6]);
}

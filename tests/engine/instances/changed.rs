//! Instances that were moved, and scenes that were exchanged.

use crate::common::answers::Answers;
use crate::common::scale::scaled;
use lanecast::{Affine, CastOptions, Error, Ray, RayBatch, SceneBuilder};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Content, RandomWorld, transform};
use lanecast_reference::vector::{Numbers, minus};
use lanecast_reference::world_rays::rays_at;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[test]
fn moved_instances_are_where_they_were_moved_to() {
    for seed in 0..scaled(8) as u64 {
        let mut random = Random::new(seed);
        let ball = RandomWorld::of_meshes(vec![meshes::soup(30, &mut random)], &[]);
        let maps: Vec<Affine> = (0..40).map(|_| transform(&mut random)).collect();
        let mut moved = SceneBuilder::new();
        for map in &maps {
            moved = moved.instance(&ball.scene, *map);
        }
        let mut moved = moved.build().unwrap();
        // The tree over the old places is made before anything moves.
        moved.cast(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])).closest().unwrap();
        let mut placed: Vec<_> = maps.iter().map(|map| (&ball, *map)).collect();
        let others: Vec<(u32, Affine)> =
            (0..10).map(|_| (random.below(40) as u32, transform(&mut random))).collect();
        for &(instance, map) in &others {
            placed[instance as usize].1 = map;
        }
        moved.set_transforms(others).unwrap();
        let built = RandomWorld::of_meshes(vec![], &placed);
        let rays = rays_at(&built, scaled(400), &mut random);
        let rays = &RayBatch::from_rays(&rays);
        assert_eq!(moved.bounds(), built.scene.bounds());
        assert!(
            Answers::of(&moved, rays, &CastOptions::new())
                == Answers::of(&built.scene, rays, &CastOptions::new()),
            "{seed}"
        );
        assert_eq!(moved.transform(3).unwrap(), placed[3].1);
    }
}

fn world<T: Numbers>(meshes: Vec<Mesh>, placed: &[(&RandomWorld<T>, Affine)]) -> RandomWorld<T> {
    RandomWorld::build(&Content { meshes, ..Content::default() }, placed)
}

/// Few at a time, so that the tree is fitted to them, nearby and far away, where it has to be built
/// anew.
#[test]
fn instances_moved_one_after_the_other_are_where_they_belong() {
    move_one_after_the_other::<f32>();
    move_one_after_the_other::<f64>();
}

fn move_one_after_the_other<T: Numbers>() {
    for seed in 0..scaled(3) as u64 {
        let mut random = Random::new(100 + seed);
        let leaves = [
            world::<T>(vec![meshes::soup(20, &mut random)], &[]),
            world(vec![], &[]),
            world(vec![meshes::icosphere(0, 0.3)], &[]),
        ];
        let away = |by: f64| Affine::translation([by, -0.5 * by, 0.25 * by]);
        let mut placed: Vec<_> =
            (0..60).map(|number| (&leaves[number % 3], transform(&mut random))).collect();
        let mut moved = world(vec![], &placed).scene.deep_copy();
        for step in 0..24 {
            moved.cast(&Ray::<T>::new([T::ZERO; 3], [T::ONE, T::ZERO, T::ZERO])).closest().unwrap();
            let far = random.pick(&[0.0, 0.0, 3.0, 1e3, 1e6]);
            let others: Vec<(u32, Affine)> = (0..1 + random.below(3))
                .map(|_| (random.below(60) as u32, away(far) * transform(&mut random)))
                .collect();
            others.iter().for_each(|&(instance, map)| placed[instance as usize].1 = map);
            moved.set_transforms(others).unwrap();
            // Nothing of this stays.
            let singular = [(3, away(7.0)), (4, Affine::scale(0.0))];
            assert!(matches!(
                moved.set_transforms(singular),
                Err(Error::SingularTransform { instance: 4, .. })
            ));
            let too_far = [(3, away(7.0)), (5, away(1e35))];
            assert!(matches!(
                moved.set_transforms(too_far),
                Err(Error::InstanceOutOfRange { instance: 5, .. })
            ));
            let built = world(vec![], &placed);
            let mut near = || {
                let place = placed[random.below(60)].1.point([0.0; 3]);
                random.near(place, 0.7)
            };
            let rays: Vec<Ray<T>> = (0..scaled(150))
                .map(|_| {
                    let (from, to) = (near(), near());
                    Ray::new(from.map(T::nearest), minus(to, from).map(T::nearest))
                })
                .collect();
            let rays = &RayBatch::from_rays(&rays);
            assert_eq!(moved.bounds(), built.scene.bounds());
            assert!(
                Answers::of(&moved, rays, &CastOptions::new())
                    == Answers::of(&built.scene, rays, &CastOptions::new()),
                "{seed}, after {step} steps"
            );
        }
    }
}

/// The least of several times each.
#[test]
fn moving_1_of_10_000_instances_takes_a_tenth_of_moving_all() {
    const COUNT: u32 = 10_000;
    let mut random = Random::new(3);
    let ball = RandomWorld::<f32>::of_meshes(vec![meshes::icosphere(1, 0.4)], &[]).scene;
    let mut place = |number: u32| {
        let [x, y, z] = [number % 22, number / 22 % 22, number / 484].map(f64::from);
        let [dx, dy, dz] = random.point(0.0, 0.5).map(f64::from);
        Affine::translation([x + dx, y + dy, z + dz])
    };
    let mut scene = SceneBuilder::new();
    for number in 0..COUNT {
        scene = scene.instance(&ball, place(number));
    }
    let mut scene = scene.build().expect("a scene");
    let mut moving = |count: u32, round: u32| {
        let maps: Vec<(u32, Affine)> = (0..count)
            .map(|number| (7 * round + number) % COUNT)
            .map(|number| (number, place(number)))
            .collect();
        scene.cast(&Ray::new([0.0; 3], [1.0, 0.2, 0.1])).closest().expect("an answer");
        let start = Instant::now();
        scene.set_transforms(maps).expect("sound maps");
        scene.cast(&Ray::new([0.0; 3], [1.0, 0.2, 0.1])).closest().expect("an answer");
        start.elapsed()
    };
    // By turns, so that all have the same neighbours, and several times each, as the first finds
    // nothing in the caches.
    let [mut all, mut one, mut some] = [Duration::MAX; 3];
    for turn in 0..5 {
        for (count, least) in [(COUNT, &mut all), (1, &mut one), (COUNT / 100, &mut some)] {
            for round in 5 * turn..5 * (turn + 1) {
                *least = moving(count, round).min(*least);
            }
        }
    }
    eprintln!("{all:.2?} all, {one:.2?} one, {some:.2?} a hundred");
    assert!(10 * one <= all || cfg!(debug_assertions), "{one:?} for one, {all:?} for all");
    assert!(5 * some <= all || cfg!(debug_assertions), "{some:?} for a hundred, {all:?} for all");
}

#[test]
fn scenes_that_were_exchanged_are_those_of_a_scene_built_so() {
    let mut random = Random::new(47);
    let leaves = [
        RandomWorld::of_meshes(vec![meshes::icosphere(1, 0.7)], &[]),
        RandomWorld::of_meshes(vec![meshes::soup(30, &mut random), meshes::icosphere(0, 0.3)], &[]),
    ];
    let pair: Vec<_> = leaves.iter().map(|leaf| (leaf, transform(&mut random))).collect();
    let all =
        [&leaves[0], &leaves[1], &RandomWorld::of_meshes(vec![meshes::tessellated_box(2)], &pair)];
    let mut placed: Vec<_> = (0..12).map(|_| (all[0], transform(&mut random))).collect();
    let own = vec![meshes::icosphere(1, 0.5)];
    let mut changed = RandomWorld::of_meshes(own.clone(), &placed).scene.deep_copy();
    for step in 0..6 {
        changed.cast(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])).any().unwrap();
        let others: Vec<_> = (0..4).map(|_| (random.below(12) as u32, random.below(3))).collect();
        changed
            .set_scenes(others.iter().map(|&(at, which)| (at, Arc::clone(&all[which].scene))))
            .unwrap();
        for (at, which) in others {
            placed[at as usize].0 = all[which];
        }
        let built = RandomWorld::of_meshes(own.clone(), &placed);
        let rays = rays_at(&built, scaled(400), &mut random);
        let rays = &RayBatch::from_rays(&rays);
        assert_eq!(changed.bounds(), built.scene.bounds());
        assert_eq!(changed.instance_path(40).ok(), built.scene.instance_path(40).ok());
        assert!(
            Answers::of(&changed, rays, &CastOptions::new())
                == Answers::of(&built.scene, rays, &CastOptions::new()),
            "after {step} exchanges"
        );
    }
    // Masks stay, and nothing changes if not all can be placed.
    changed.set_instance_mask(3, 0).unwrap();
    let before = changed.instance_path(11);
    let unknown = Error::UnknownInstance { instance: 12, instances: 12 };
    let scenes = [(0, Arc::clone(&all[2].scene)), (12, Arc::clone(&all[0].scene))];
    assert_eq!(changed.set_scenes(scenes), Err(unknown));
    assert_eq!(changed.instance_path(11), before);
    changed.set_scenes([(3, Arc::clone(&all[1].scene))]).unwrap();
    assert_eq!(changed.instance_mask(3), Ok(0));
    let mut deep = RandomWorld::of_meshes(vec![], &[(all[0], Affine::IDENTITY)]);
    for _ in 0..15 {
        deep = RandomWorld::of_meshes(vec![], &[(&deep, Affine::IDENTITY)]);
    }
    let too_deep = changed.set_scenes([(5, Arc::clone(&deep.scene))]);
    assert_eq!(too_deep, Err(Error::NestedTooDeep { instance: 5, most: 16 }));
}

//! Scenes that are drawn at random.

use crate::closest_placed::POINTS;
use crate::closest_placed::ask::{ask_in_every_way, hold_against_reference, points_around};
use crate::common::scale::scaled;
use lanecast::{
    Affine, INVALID_ID, SceneBuilder,
    answers::{ClosestPoint, PerRow},
};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use lanecast_reference::random_worlds::{Content, Drawn, RandomWorld, content};
use lanecast_reference::vector::{Numbers, plus};

#[test]
fn the_nearest_of_all_that_is_placed_is_found() {
    find_nearest_in_worlds::<f32>();
    find_nearest_in_worlds::<f64>();
}

fn find_nearest_in_worlds<T: Numbers>() {
    for seed in 0..scaled(8) as u64 {
        let random = &mut Random::new(100 + seed);
        let world = RandomWorld::<T>::of(Drawn::Plain, seed as u32 % 4, random);
        let points = points_around(&world, random, POINTS);
        let name = format!("world {seed}");
        let found = ask_in_every_way(&name, &world.scene, &points, PerRow::Same(T::INFINITY));
        hold_against_reference(&name, &world, &points, &found);
        let radius = found.distance()[POINTS / 2];
        let near = ask_in_every_way(&name, &world.scene, &points, PerRow::Same(radius));
        for (row, point) in points.iter().enumerate() {
            let expected = found.get(row).filter(|closest| closest.distance < radius);
            let either = found.distance()[row] == radius;
            assert!(either || near.get(row) == expected, "{name}: {point:?}");
        }
    }
}

#[test]
fn sixteen_deep_the_nearest_is_found() {
    find_nearest_sixteen_deep::<f32>();
    find_nearest_sixteen_deep::<f64>();
}

fn find_nearest_sixteen_deep<T: Numbers>() {
    let random = &mut Random::new(31);
    let mut world = RandomWorld::<T>::build(
        &Content { meshes: vec![meshes::icosphere(1, 0.5)], ..content(random) },
        &[],
    );
    for _ in 0..16 {
        let inner = world.clone();
        let content = Content { meshes: vec![meshes::soup(2, random)], ..Content::default() };
        world = RandomWorld::build(&content, &[(&inner, transform(random))]);
    }
    let points = points_around(&world, random, POINTS);
    let found = ask_in_every_way("sixteen deep", &world.scene, &points, PerRow::Same(T::INFINITY));
    hold_against_reference("sixteen deep", &world, &points, &found);
    let deepest = |id: &u32| world.scene.instance_path(*id).expect("an id").len() == 16;
    assert!(found.instance_id().iter().any(deepest));
}

#[test]
fn maps_that_flatten_and_stretch_do_not_let_the_tree_show() {
    find_nearest_in_flat_worlds::<f32>();
    find_nearest_in_flat_worlds::<f64>();
}

fn find_nearest_in_flat_worlds<T: Numbers>() {
    let random = &mut Random::new(32);
    let mut far = 0;
    for round in 0..scaled(30) {
        let mut world = RandomWorld::<T>::build(
            &Content { meshes: vec![meshes::soup(20, random)], ..content(random) },
            &[],
        );
        for _ in 0..1 + round % 3 {
            // Up to 2^19 one way more than another, far away, and back.
            let exponent = |random: &mut Random| f64::from(random.between(-9.0, 9.0)).exp2();
            let scale = Affine::from_rows([
                [exponent(random), 0.0, 0.0, 0.0],
                [0.0, exponent(random), 0.0, 0.0],
                [0.0, 0.0, exponent(random), 0.0],
            ]);
            let away =
                random.point(-1.0, 1.0).map(|x| f64::from(x) * random.pick(&[1.0, 1e3, 1e6]));
            let map = transform(random) * scale * transform(random);
            let inner = world.clone();
            world = RandomWorld::build(
                &Content::default(),
                &[(&inner, Affine::translation(away) * map)],
            );
        }
        let points = points_around(&world, random, POINTS);
        let found = ask_in_every_way("flat", &world.scene, &points, PerRow::Same(T::INFINITY));
        hold_against_reference("flat", &world, &points, &found);
        far += usize::from(world.scene.bounds().max[0] > T::of(1e5));
    }
    assert!(far > 0);
}

#[test]
fn in_its_place_nothing_changes() {
    change_nothing_in_place::<f32>([0.0; 3]);
    change_nothing_in_place::<f64>([0.0; 3]);
    change_nothing_in_place::<f64>([6.4e6, -5e5, 3.2e6]);
}

fn change_nothing_in_place<T: Numbers>(offset: [f32; 3]) {
    let random = &mut Random::new(33);
    let content = Content { meshes: vec![meshes::soup(30, random)], offset, ..content(random) };
    let world = RandomWorld::<T>::build(&content, &[]);
    let same = SceneBuilder::<T>::default()
        .instance(&world.scene, Affine::IDENTITY)
        .build()
        .expect("a scene");
    let points = points_around(&world, random, POINTS);
    let plain = ask_in_every_way("plain", &world.scene, &points, PerRow::Same(T::INFINITY));
    let found = ask_in_every_way("placed", &same, &points, PerRow::Same(T::INFINITY));
    assert_eq!(found.instance_id(), vec![0; points.len()]);
    assert_eq!(
        (found.status(), found.geometric_normal()),
        (plain.status(), plain.geometric_normal())
    );
    for row in 0..points.len() {
        let in_none = |near: ClosestPoint<T>| ClosestPoint { instance_id: INVALID_ID, ..near };
        assert_eq!(found.get(row).map(in_none), plain.get(row));
    }
}

/// Everything of `f64`, moved to survey coordinates itself or by an instance, is as near as at the
/// origin.
#[test]
fn at_survey_coordinates_it_is_as_near_as_at_the_origin() {
    for (seed, offset) in (0..).zip([[5e5, -2.5e5, 1e3], [6.4e6, -6.4e6, 3.2e6]]) {
        let random = &mut Random::new(150 + seed);
        let content = Content { meshes: vec![meshes::soup(60, random)], ..content(random) };
        let here = RandomWorld::<f64>::build(&content, &[]);
        let there = RandomWorld::<f64>::build(&Content { offset, ..content }, &[]);
        let wide = offset.map(f64::from);
        let placed =
            RandomWorld::<f64>::build(&Content::default(), &[(&here, Affine::translation(wide))]);
        let points = points_around(&here, random, POINTS);
        let moved: Vec<_> = points.iter().map(|&point| plus(point, wide)).collect();
        let of_here = ask_in_every_way("here", &here.scene, &points, PerRow::Same(f64::INFINITY));
        for (name, world) in [("there", &there), ("placed", &placed)] {
            let found = ask_in_every_way(name, &world.scene, &moved, PerRow::Same(f64::INFINITY));
            hold_against_reference(name, world, &moved, &found);
            for (row, point) in points.iter().enumerate() {
                let (near, expected) = (found.distance()[row], of_here.distance()[row]);
                // A few units in the last place of the coordinates.
                assert!(
                    (near - expected).abs() <= 1e-8,
                    "{name}, {point:?}: {near:e} {expected:e}"
                );
            }
        }
    }
}

#[test]
fn far_from_its_own_zero_nothing_is_lost() {
    let random = &mut Random::new(37);
    // In its own frame `f32` tells points apart that are 1/32 apart, where it is placed a million
    // times as many.
    let far = [5e5, -3e5, 1e4];
    let content =
        Content { meshes: vec![meshes::icosphere(2, 3.0).moved(far)], ..Content::default() };
    let leaf = RandomWorld::new(&content, &[]);
    for _ in 0..2 {
        let back = Affine::translation(far.map(|x| -f64::from(x)));
        let world = RandomWorld::new(&Content::default(), &[(&leaf, transform(random) * back)]);
        let points: Vec<_> = (0..4 * POINTS).map(|_| random.point(-5.0, 5.0)).collect();
        ask_in_every_way("far", &world.scene, &points, PerRow::Same(f32::INFINITY));
    }
}

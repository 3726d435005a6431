//! Segments as scene graphs pick with them: every intersection, with where it is and what it faces, in the world and in
//! its own frame.

use std::collections::HashSet;

use crate::common::backends::same_on_every_backend;
use crate::common::random::Random;
use crate::reference::crossing::Crossing;
use crate::reference::frame::carried;
use crate::reference::shape::Shape;
use crate::reference::{cross, dot, length, minus, times};
use crate::world::{Thing, World};
use crate::worlds::expected::{ALL, Expected, Known, Tally, hold_normal};
use crate::worlds::rays::target;
use crate::worlds::{RAYS, WORLDS};
use lanecast::{Pick, PickLimit, Ray, Scene, Segment};

/// Where a pick is and what it faces.
fn hold_place(pick: &Pick, thing: &Thing, crossing: &Crossing, expected: &Expected<'_>) {
    let context = || format!("{:?}, {pick:?}, {crossing:?}: {thing:?}", expected.ray);
    assert_eq!(pick.instance_path, thing.path, "{}", context());
    let room = expected.room(crossing);
    let off = length(minus(pick.world_point, expected.at(crossing.t)));
    assert!(off <= room, "{off:e} off; {}", context());
    let placed = thing.maps.iter().rev().fold(pick.local_point, |point, map| carried(map, point));
    let size = thing.shape.size() + thing.own.size();
    assert!(length(minus(placed, pick.world_point)) <= 1e-9 * (1.0 + size), "{}", context());
    hold_normal(pick.world_normal, crossing, &context);
    let lengths = [pick.local_normal, pick.world_normal].map(length);
    assert!(lengths.iter().all(|length| (length - 1.0).abs() < 1e-9), "{}", context());
    match thing.own {
        Shape::Triangle([a, b, c]) => {
            let normal = cross(minus(b, a), minus(c, a));
            let off = minus(times(1.0 / length(normal), normal), pick.local_normal);
            assert!(length(off) < 1e-6, "{}", context());
        }
        // From the middle outwards, at least so far as the least of them is thick.
        Shape::Ellipsoid(middle, half) | Shape::Parallelepiped(middle, half) => {
            let least = half.map(length).into_iter().fold(f64::MAX, f64::min);
            let outwards = dot(minus(pick.local_point, middle), pick.local_normal);
            assert!(outwards > 0.0 || least < 1e-2, "{outwards:e}; {}", context());
        }
    }
}

#[test]
fn a_segment_picks_all_that_it_goes_through_with_points_and_normals() {
    let mut tally = Tally::default();
    for seed in 0..WORLDS {
        let random = &mut Random::new(500 + seed);
        let world = World::drawn_for_rays(seed as u32 % 4, random);
        let known = Known::new(&world);
        for number in 0..RAYS {
            let (start, through) = (random.point(-4.0, 4.0), target(&world, random));
            let end = match number % 4 {
                0 => target(&world, random),
                _ => std::array::from_fn(|axis| 2.0 * through[axis] - start[axis]),
            };
            let segment = Segment::new(start, end);
            let limits = [PickLimit::All, PickLimit::OnePerGeometry, PickLimit::Nearest, PickLimit::Any];
            let [all, one_each, nearest, any] = same_on_every_backend(segment, |backend| {
                let mut scene = Scene::clone(&world.scene);
                scene.set_backend(backend);
                limits.map(|limit| scene.pick(&segment, limit).expect("sound"))
            });
            let expected = known.of_ray(&Ray::segment(start, end));
            let hits: Vec<_> = all.iter().map(|pick| pick.hit).collect();
            let everywhere = [f64::NEG_INFINITY, f64::INFINITY];
            let (of_segment, told) = expected.hold(&hits, everywhere, ALL, &format!("world {seed}"));
            tally.add(of_segment);
            for (pick, crossing) in all.iter().zip(&told) {
                if let Some(crossing) = crossing {
                    hold_place(pick, &world.things[known.number(&pick.hit)], crossing, &expected);
                }
            }
            let mut met = HashSet::new();
            let first_of_each =
                all.iter().filter(|pick| met.insert((&pick.instance_path, pick.hit.geometry_id)));
            assert!(first_of_each.eq(&one_each), "{segment:?}: {one_each:?} of {all:?}");
            assert_eq!(nearest, all[..all.len().min(1)], "{segment:?}");
            assert!(any.len() == nearest.len() && any.iter().all(|pick| all.contains(pick)), "{segment:?}");
        }
    }
    tally.assert_most(WORLDS as usize * RAYS);
}

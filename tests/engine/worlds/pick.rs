//! Segments as scene graphs pick with them: every intersection, with where it is and what it faces,
//! in the world and in its own frame.

use std::collections::HashSet;

use crate::common::backends::same_on_every_backend;
use crate::worlds::{RAYS, worlds};
use lanecast::{Contact, Ray, Segment, cast::PickLimit, scene::Pick};
use lanecast_reference::brute_force::Meeting;
use lanecast_reference::known::{ALL, Expected, Known, Tally, hold_normal};
use lanecast_reference::placed::frame::carried;
use lanecast_reference::placed::shape::Shape;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::vector::{cross, dot, length, minus, times};
use lanecast_reference::world_rays::target;

/// Where a pick is and what it faces.
fn hold_place(pick: &Pick, meeting: &Meeting, expected: &Expected<'_>) {
    let number = expected.known.number(&pick.hit);
    let thing = &expected.known.world.things[number];
    let context = || format!("{:?}, {pick:?}, {meeting:?}: {thing:?}", expected.ray);
    assert_eq!(pick.instance_path, thing.path, "{}", context());
    let room = expected.room(number, meeting);
    let off = length(minus(pick.world_point, expected.at(meeting.passage.t)));
    assert!(off <= room, "{off:e} off; {}", context());
    let placed = thing.maps.iter().rev().fold(pick.local_point, |point, map| carried(map, point));
    let size = thing.shape.size() + thing.own.size();
    assert!(length(minus(placed, pick.world_point)) <= 1e-9 * (1.0 + size), "{}", context());
    hold_normal(pick.world_normal, meeting, thing, &context);
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
fn a_segment_picks_all_that_it_crosses_with_points_and_normals() {
    let mut tally = Tally::default();
    for seed in 0..worlds() {
        let random = &mut Random::new(500 + seed);
        let world = RandomWorld::drawn_for_rays(seed as u32 % 4, random);
        let known = Known::new(&world);
        for number in 0..RAYS {
            let (start, through) = (random.point(-4.0, 4.0), target(&world, random));
            let end = match number % 4 {
                0 => target(&world, random),
                _ => std::array::from_fn(|axis| 2.0 * through[axis] - start[axis]),
            };
            let segment = Segment::new(start, end);
            let limits =
                [PickLimit::All, PickLimit::OnePerGeometry, PickLimit::Nearest, PickLimit::Any];
            let [all, one_each, nearest, any] = limits
                .map(|limit| world.scene.cast(&Ray::from(segment)).pick(limit).expect("sound"));
            let ray = Ray::segment(start, end);
            let expected = known.of_ray(&ray);
            let hits: Vec<_> = all.iter().map(|pick| pick.hit).collect();
            // What is picked is asked of the backend of the scene: the others find the same hits.
            let of_each = same_on_every_backend(segment, |backend| {
                let cast = world.scene.cast(&ray).backend(backend);
                [cast.all(), cast.nearest(1)].map(|found| found.expect("sound"))
            });
            assert_eq!(
                of_each,
                [hits.clone(), nearest.iter().map(|pick| pick.hit).collect()],
                "{segment:?}"
            );
            let everywhere = [f64::NEG_INFINITY, f64::INFINITY];
            let name = format!("world {seed}");
            let (of_segment, told) =
                expected.hold(&hits, everywhere, Contact::Crossing, ALL, &name);
            tally.add(of_segment);
            for (pick, meeting) in all.iter().zip(&told) {
                if let Some(meeting) = meeting {
                    hold_place(pick, meeting, &expected);
                }
            }
            let mut met = HashSet::new();
            let first_of_each =
                all.iter().filter(|pick| met.insert((&pick.instance_path, pick.hit.geometry_id)));
            assert!(first_of_each.eq(&one_each), "{segment:?}: {one_each:?} of {all:?}");
            assert_eq!(nearest, all[..all.len().min(1)], "{segment:?}");
            assert!(
                any.len() == nearest.len() && any.iter().all(|pick| all.contains(pick)),
                "{segment:?}"
            );
        }
    }
    tally.assert_most(worlds() as usize * RAYS);
}

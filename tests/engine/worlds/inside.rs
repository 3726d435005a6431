//! Which points are inside: of closed meshes, hollow ones too, and of solids, wherever they are
//! placed.

use crate::common::backends::same_on_every_backend;
use crate::worlds::{RAYS, worlds};
use lanecast::PointGrid;
use lanecast_reference::inside;
use lanecast_reference::known::Known;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::world_rays::target;

/// How often each closed geometry goes around a point; `None` where it is too close to one to tell.
/// To add up solids hides none.
fn windings(known: &Known<'_>, point: [f32; 3]) -> Option<Vec<i32>> {
    Some(inside::windings(&known.seen, point)?.into_values().collect())
}

#[test]
fn points_are_inside_of_what_goes_around_them() {
    let (mut held, mut inside, mut hollow) = (0, 0, 0);
    for seed in 0..worlds() {
        let random = &mut Random::new(600 + seed);
        let world = RandomWorld::drawn_closed(seed as u32 % 4, random);
        let known = Known::new(&world);
        let points: Vec<[f32; 3]> = (0..RAYS)
            .map(|number| match number % 4 {
                0 => random.point(-30.0, 30.0),
                1 => random.point(-2.0, 2.0),
                _ => {
                    let [a, b] = [target(&world, random), target(&world, random)];
                    std::array::from_fn(|axis| 0.9 * a[axis] + 0.1 * b[axis])
                }
            })
            .collect();
        let name = format!("world {seed}");
        let (found, signed) = same_on_every_backend(&name, |backend| {
            let asked = world.scene.points(&points).backend(backend);
            let found = asked.contains().expect("closed");
            let signed = asked.signed_distances().expect("closed");
            for (row, &point) in points.iter().enumerate().take(RAYS / 8) {
                let (asked, distance) =
                    (world.scene.point(point).backend(backend), signed.distance()[row]);
                assert_eq!(asked.contains(), Ok(found.status()[row].is_hit()), "{name}, {backend}");
                assert_eq!(asked.signed_distance(), Ok(distance), "{name}, {backend}");
            }
            (found, signed)
        });
        for (row, &point) in points.iter().enumerate() {
            let Some(windings) = windings(&known, point) else { continue };
            let context = || format!("{name}, {point:?}: {windings:?}");
            assert_eq!(found.winding()[row], windings.iter().sum::<i32>(), "{}", context());
            let is_inside = windings.iter().any(|&winding| winding != 0);
            // A mirrored mesh goes around the other way, and what it overlaps may cancel it.
            if is_inside && found.winding()[row] == 0 {
                hollow += 1;
                continue;
            }
            held += 1;
            inside += usize::from(is_inside);
            assert_eq!(found.status()[row].is_hit(), is_inside, "{}", context());
            assert_eq!(signed.distance()[row] < 0.0, is_inside, "{}", context());
        }
    }
    let points = worlds() as usize * RAYS;
    assert!(held > points * 3 / 4, "{held} of {points} points");
    assert!(inside > points / 8 && hollow < points / 20, "{inside} are inside, {hollow} cancelled");
}

#[test]
fn a_grid_of_points_is_occupied_where_something_goes_around() {
    let (mut held, mut inside) = (0, 0);
    for seed in 0..worlds() / 2 {
        let random = &mut Random::new(600 + seed);
        let world = RandomWorld::drawn_closed(seed as u32 % 4, random);
        let known = Known::new(&world);
        let corner = target(&world, random).map(|x| x - 0.5);
        let grid = PointGrid::new(corner, [0.14, 0.21, 0.23], [8, 6, 5]).expect("a grid");
        let name = format!("world {seed}");
        let [bytes, bits] = same_on_every_backend(&name, |backend| {
            let asked = world.scene.grid(&grid).backend(backend);
            [asked.occupancy_bytes(), asked.occupancy_bits()].map(|answer| answer.expect("closed"))
        });
        for (index, &byte) in bytes.iter().enumerate() {
            assert_eq!(bits[index / 8] >> (index % 8) & 1, byte);
            let Some(windings) = windings(&known, grid.point(index)) else { continue };
            let occupied = windings.iter().any(|&winding| winding != 0);
            if occupied && windings.iter().sum::<i32>() == 0 {
                continue;
            }
            assert_eq!(byte == 1, occupied, "{name}, {:?}: {windings:?}", grid.point(index));
            (held, inside) = (held + 1, inside + usize::from(occupied));
        }
    }
    let points = worlds() as usize / 2 * 240;
    assert!(held > points * 3 / 4 && inside > held / 20, "{held} of {points}, {inside} are inside");
}

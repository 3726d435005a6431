//! Which points are inside: of closed meshes, hollow ones too, and of solids, wherever they are placed.

use std::collections::HashMap;

use crate::common::backends::same_on_every_backend;
use crate::common::random::Random;
use crate::reference::inside::around;
use crate::reference::vector;
use crate::world::World;
use crate::worlds::expected::Known;
use crate::worlds::rays::target;
use crate::worlds::{RAYS, WORLDS};
use lanecast::{CastOptions, DistanceBatch, InsideBatch, PointGrid, Scene};

/// How often each closed thing goes around a point; `None` where it is too close to one to tell.
fn windings(known: &Known<'_>, point: [f32; 3]) -> Option<Vec<i32>> {
    let mut parts: HashMap<_, f64> = HashMap::new();
    for (thing, blur) in known.world.things.iter().zip(&known.blurs) {
        // The triangles of a mesh go around together. Of solids each does by itself, and to add them up hides none.
        let part = parts.entry((&thing.path, thing.geometry_id)).or_default();
        *part += around(vector(point), thing.own, thing.shape, blur)?;
    }
    let whole = |part: f64| {
        assert!((part - part.round()).abs() < 1e-6, "{point:?}: {part} times around");
        part.round() as i32
    };
    Some(parts.into_values().map(whole).collect())
}

#[test]
fn points_are_inside_of_what_goes_around_them() {
    let (mut held, mut inside, mut hollow) = (0, 0, 0);
    for seed in 0..WORLDS {
        let random = &mut Random::new(600 + seed);
        let world = World::drawn_closed(seed as u32 % 4, random);
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
            let mut scene = Scene::clone(&world.scene);
            scene.set_backend(backend);
            let (mut found, mut signed) = (InsideBatch::new(), DistanceBatch::new());
            scene.contains_batch(&points, &CastOptions::new(), &mut found).expect("closed");
            scene.signed_distance_batch(&points, &CastOptions::new(), &mut signed).expect("closed");
            for (row, &point) in points.iter().enumerate().take(RAYS / 8) {
                let distance = signed.distance[row];
                assert_eq!(scene.contains(point), Ok(found.status[row].is_hit()), "{name}, {backend}");
                assert_eq!(scene.signed_distance(point), Ok(distance), "{name}, {backend}");
            }
            (found, signed)
        });
        for (row, &point) in points.iter().enumerate() {
            let Some(windings) = windings(&known, point) else { continue };
            let context = || format!("{name}, {point:?}: {windings:?}");
            assert_eq!(found.winding[row], windings.iter().sum::<i32>(), "{}", context());
            let is_inside = windings.iter().any(|&winding| winding != 0);
            // A mirrored mesh goes around the other way, and what it overlaps may cancel it.
            if is_inside && found.winding[row] == 0 {
                hollow += 1;
                continue;
            }
            held += 1;
            inside += usize::from(is_inside);
            assert_eq!(found.status[row].is_hit(), is_inside, "{}", context());
            assert_eq!(signed.distance[row] < 0.0, is_inside, "{}", context());
        }
    }
    let points = WORLDS as usize * RAYS;
    assert!(held > points * 3 / 4, "{held} of {points} points");
    assert!(inside > points / 8 && hollow < points / 20, "{inside} are inside, {hollow} cancelled");
}

#[test]
fn a_grid_of_points_is_occupied_where_something_goes_around() {
    let (mut held, mut inside) = (0, 0);
    for seed in 0..WORLDS / 2 {
        let random = &mut Random::new(600 + seed);
        let world = World::drawn_closed(seed as u32 % 4, random);
        let known = Known::new(&world);
        let corner = target(&world, random).map(|x| x - 0.5);
        let grid = PointGrid::new(corner, [0.14, 0.21, 0.23], [8, 6, 5]).expect("a grid");
        let name = format!("world {seed}");
        let [bytes, bits] = same_on_every_backend(&name, |backend| {
            let mut scene = Scene::clone(&world.scene);
            scene.set_backend(backend);
            let (mut bytes, mut bits) = (Vec::new(), Vec::new());
            scene.occupancy_bytes(&grid, &CastOptions::new(), &mut bytes).expect("closed");
            scene.occupancy_bits(&grid, &CastOptions::new(), &mut bits).expect("closed");
            [bytes, bits]
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
    let points = WORLDS as usize / 2 * 240;
    assert!(held > points * 3 / 4 && inside > held / 20, "{held} of {points}, {inside} are inside");
}

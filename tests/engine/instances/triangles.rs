//! Hits and normals are those of the triangles where they are placed.

use crate::instances::drawn::drawn;
use crate::instances::{NESTS, RAYS};
use lanecast::{Affine, Hit, Ray, Scene, SceneBuilder, Status};
use lanecast_reference::brute_force::cast;
use lanecast_reference::judge::is_closest;
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::vector::{cross, dot, minus};
use lanecast_reference::world::World;
use std::sync::Arc;

#[test]
fn the_first_hit_is_that_on_the_triangles_where_they_are_placed() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..NESTS {
        let (nest, rays) = drawn(seed);
        let world = World::of_scene(&nest.scene).unwrap();
        for ray in rays.iter().filter(|ray| ray.defect().is_none()) {
            let (found, expected) = (nest.scene.cast(ray).closest().unwrap(), cast(&world, ray));
            let status = if found.is_some() { Status::Hit } else { Status::Miss };
            let meetings: Vec<_> = expected.meetings.iter().collect();
            let is_right = is_closest(found.as_ref(), status, &meetings);
            assert!(is_right, "nest {seed}: {ray:?} met {found:?}, not the first of {meetings:?}");
            hits += usize::from(found.is_some());
            misses += usize::from(found.is_none());
        }
    }
    assert!(hits > 500 && misses > 50, "{hits} and {misses}");
}

#[test]
fn normals_are_those_of_the_triangles_where_they_are_placed() {
    let mut compared = 0;
    for seed in 0..NESTS {
        let (nest, rays) = drawn(seed);
        let hits = nest.scene.cast(&rays).normals(true).closest().unwrap();
        for row in 0..rays.len() {
            let Some(hit) = hits.hit(row) else {
                assert_eq!(hits.geometric_normal()[row], [0.0; 3]);
                continue;
            };
            let [a, b, c] = nest.of(&hit).corners;
            let expected = cross(minus(b, a), minus(c, a));
            let off = minus(expected, hits.geometric_normal()[row].map(f64::from));
            let [off, length] = [off, expected].map(|v| dot(v, v).sqrt());
            assert!(off <= 1e-5 * length, "{:?} is not {expected:?}", hits.geometric_normal()[row]);
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn t_is_unchanged_by_the_transform() {
    let mesh = meshes::icosphere(2, 1.0);
    let plain = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles).unwrap());
    // Maps by which nothing is rounded.
    let (scale, moved) = (4.0, [64.0, -32.0, 16.0]);
    let placed = SceneBuilder::new()
        .instance(
            &plain,
            Affine::from_rows([
                [0.0, -scale, 0.0, moved[0]],
                [scale, 0.0, 0.0, moved[1]],
                [0.0, 0.0, scale, moved[2]],
            ]),
        )
        .build()
        .unwrap();
    let mut random = Random::new(5);
    for _ in 0..RAYS {
        // Twelve bits, so that there is room for the translation.
        let coarse = |v: [f32; 3]| v.map(|x| (x * 512.0).round() / 512.0);
        let (origin, direction) = (coarse(random.point(-2.0, 2.0)), coarse(random.direction()));
        let map = |[x, y, z]: [f32; 3], by: [f64; 3]| {
            [
                -scale as f32 * y + by[0] as f32,
                scale as f32 * x + by[1] as f32,
                scale as f32 * z + by[2] as f32,
            ]
        };
        let ray = Ray::new(map(origin, moved), map(direction, [0.0; 3]));
        let expected = plain.cast(&Ray::new(origin, direction)).closest().unwrap();
        let found = placed.cast(&ray).closest().unwrap();
        assert_eq!(found, expected.map(|hit| Hit { instance_id: 0, ..hit }), "{ray:?}");
    }
}

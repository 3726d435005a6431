//! Hits and normals are those of the triangles where they are placed.

use crate::common::meshes;
use crate::common::random::Random;
use crate::instances::drawn::{drawn, reach};
use crate::instances::{NESTS, RAYS};
use crate::reference::{cross, dot, minus};
use lanecast::{Affine, CastOptions, Hit, HitBatch, Ray, RayBatch, Scene, SceneBuilder};
use std::sync::Arc;

/// Where a line meets the plane of a triangle, and how far inside of the triangle: the least of its three weights.
fn meeting(ray: &Ray, corners: &[[f64; 3]; 3]) -> Option<(f64, f64)> {
    let [a, b, c] = *corners;
    let (o, d) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
    let (e, f, s) = (minus(b, a), minus(c, a), minus(o, a));
    let p = cross(d, f);
    let determinant = dot(e, p);
    let (u, q) = (dot(s, p) / determinant, cross(s, e));
    let v = dot(d, q) / determinant;
    let t = dot(f, q) / determinant;
    // Nearly edge-on it takes little to turn it.
    let lengths = |v: [f64; 3]| dot(v, v).sqrt();
    let sine = determinant.abs() / (lengths(cross(e, f)) * lengths(d));
    (sine > 1e-2).then_some((t, u.min(v).min(1.0 - u - v)))
}

#[test]
fn the_first_hit_is_that_on_the_triangles_where_they_are_placed() {
    let (mut hits, mut misses) = (0, 0);
    for seed in 0..NESTS {
        let (nest, rays) = drawn(seed);
        for ray in &rays {
            let reach = reach(ray);
            if ray.defect().is_some() || reach > 100.0 {
                continue;
            }
            let speed = dot(ray.direction.map(f64::from), ray.direction.map(f64::from)).sqrt();
            // Ten thousand roundings of the greatest coordinate; triangles have edges of a tenth and more.
            let (room, margin) = (6e-4 * f64::from(reach.max(3.0)) / speed, 1e-2 * f64::from(reach.max(3.0)));
            let found = nest.scene.closest_hit(ray).unwrap();
            let [t_min, t_max] = [ray.t_min, ray.t_max].map(f64::from);
            let nearest = nest
                .triangles
                .iter()
                .filter_map(|triangle| meeting(ray, &triangle.corners))
                .filter(|&(t, inside)| inside > margin && t_min + room < t && t < t_max - room)
                .map(|(t, _)| t)
                .fold(f64::INFINITY, f64::min);
            let Some(hit) = found else {
                assert_eq!(nearest, f64::INFINITY, "nest {seed}: {ray:?} meets something");
                misses += 1;
                continue;
            };
            hits += 1;
            assert!(
                f64::from(hit.t) <= nearest + room,
                "nest {seed}: {ray:?} met {hit:?}, not what is at {nearest}"
            );
            if let Some((t, inside)) = meeting(ray, &nest.of(&hit).corners) {
                assert!((t - f64::from(hit.t)).abs() <= room, "nest {seed}: {ray:?}: {t} and {hit:?}");
                assert!(inside > -margin, "nest {seed}: {ray:?} met {hit:?} from {inside} outside");
            }
        }
    }
    assert!(hits > 500 && misses > 50, "{hits} and {misses}");
}

#[test]
fn normals_are_those_of_the_triangles_where_they_are_placed() {
    let mut compared = 0;
    for seed in 0..NESTS {
        let (nest, rays) = drawn(seed);
        let mut hits = HitBatch::new();
        nest.scene
            .closest_hit_batch(&RayBatch::from_rays(&rays), &CastOptions::new().normals(true), &mut hits)
            .unwrap();
        for row in 0..rays.len() {
            let Some(hit) = hits.hit(row) else {
                assert_eq!(hits.geometric_normal[row], [0.0; 3]);
                continue;
            };
            let [a, b, c] = nest.of(&hit).corners;
            let expected = cross(minus(b, a), minus(c, a));
            let off = minus(expected, hits.geometric_normal[row].map(f64::from));
            let [off, length] = [off, expected].map(|v| dot(v, v).sqrt());
            assert!(off <= 1e-5 * length, "{:?} is not {expected:?}", hits.geometric_normal[row]);
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
        let expected = plain.closest_hit(&Ray::new(origin, direction)).unwrap();
        let found = placed.closest_hit(&ray).unwrap();
        assert_eq!(found, expected.map(|hit| Hit { instance_id: 0, ..hit }), "{ray:?}");
    }
}

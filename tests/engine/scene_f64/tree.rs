//! No ray slips through a closed surface, and what lies far away costs nothing.

use crate::scene_f64::survey::{Survey, between, length, minus, rays_at, scene_of};
use crate::scene_f64::{FAR, rays};
use lanecast::{BuildQuality, Ray, Threads};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

/// Through vertices and edges of a closed surface, from inside and from outside.
#[test]
fn a_closed_surface_is_never_slipped_through() {
    let mut random = Random::new(66);
    for (scale, offset) in
        [(1.0, [0.0; 3]), (1.000_000_7, [FAR, FAR, -FAR]), (1e-4, [3.0e8, -1.0, 2.5])]
    {
        let mesh = meshes::icosphere(2, 1.0);
        let sphere = Survey::new(&mesh, scale, offset);
        let scene = sphere.scene();
        for ([from, to], _) in mesh.edges() {
            let [a, b] = [from, to].map(|vertex| sphere.vertices[vertex as usize]);
            let middle = [0, 1, 2].map(|axis| 0.5 * (a[axis] + b[axis]));
            for target in [a, b, middle] {
                let inside =
                    [0, 1, 2].map(|axis| offset[axis] + between(&mut random, -0.4, 0.4) * scale);
                let outward = Ray::new(inside, minus(target, inside));
                assert!(scene.cast(&outward).any().unwrap(), "{outward:?}");
                assert_eq!(scene.cast(&outward).count().unwrap(), 1, "{outward:?}");
                let line = Ray::line(inside, minus(target, inside));
                assert_eq!(scene.cast(&line).count().unwrap(), 2, "{line:?}");
            }
        }
    }
}

/// Of one vertex at 0, or out of all reach, rays at all else know nothing.
#[test]
fn what_lies_far_away_costs_nothing() {
    let mut random = Random::new(76);
    let mesh = Survey::new(&meshes::icosphere(4, 1.0), 1.0, [FAR, -0.3 * FAR, 0.7 * FAR]);
    let rays: Vec<Ray<f64>> = rays_at(std::slice::from_ref(&mesh), rays(), &mut random)
        .into_iter()
        .filter(|ray| ray.defect().is_none() && length(minus(ray.origin, mesh.vertices[0])) < 10.0)
        .collect();
    let tested = |meshes: &[Survey]| {
        let scene = scene_of(meshes, &Threads::ALL, BuildQuality::default());
        let costs = scene.cast(&rays).cost().unwrap();
        costs.primitives().iter().map(|&primitives| u64::from(primitives)).sum::<u64>()
    };
    let alone = tested(std::slice::from_ref(&mesh));
    for place in [[0.0; 3], [1e9, 0.0, FAR], [1e30; 3]] {
        let stray = Survey::new(&meshes::soup(1, &mut random), 1.0, place);
        let both = tested(&[mesh.clone(), stray]);
        assert!(
            10 * both <= 11 * alone + 10 * rays.len() as u64,
            "{both} triangles tested and not {alone}"
        );
    }
}

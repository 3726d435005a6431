//! The tree is invisible, and no ray slips through.

use crate::common::backends::every_backend;
use crate::scene_f64::survey::{
    Survey, all_of, between, length, minus, pictures_of, rays_at, scene_of, surveys,
};
use crate::scene_f64::{FAR, RAYS, ask};
use lanecast::testing::Way;
use lanecast::{BuildQuality, CastOptions, Coherence, Contact, Culling, Error, Ray, Threads};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

#[test]
fn the_tree_is_invisible_on_every_backend() {
    let mut random = Random::new(61);
    let mut met = 0;
    for (name, meshes) in surveys(&mut random) {
        let scene = scene_of(&meshes, &Threads::ALL, BuildQuality::default());
        let mut rays = pictures_of(&all_of(&meshes), &mut random);
        rays.extend(rays_at(&all_of(&meshes), RAYS, &mut random));
        for options in [CastOptions::new(), CastOptions::new().contact(Contact::Touch).culling(Culling::Back)]
        {
            let brute_force = |backend| options.clone().backend(backend).brute_force();
            let expected = ask(&scene, &rays, &brute_force(every_backend()[0]));
            met += expected.counts.count().iter().filter(|&&count| count > 0).count();
            for backend in every_backend() {
                for (how, options) in [
                    ("by itself", options.clone()),
                    ("one by one, one thread", options.clone().way(Way::OneByOne).threads(&Threads::ONE)),
                    ("in flight", options.clone().way(Way::InFlight).coherence(Coherence::Incoherent)),
                    ("in groups", options.clone().coherence(Coherence::Coherent)),
                ] {
                    let found = ask(&scene, &rays, &options.backend(backend));
                    assert_eq!(found, expected, "{name}, {backend}, {how}");
                }
                let found = ask(&scene, &rays, &brute_force(backend));
                assert_eq!(found, expected, "{name}, {backend}, scan");
            }
        }
    }
    assert!(met > 10 * RAYS, "{met} rays meet something");
}

#[test]
fn a_batch_equals_its_single_rays() {
    let mut random = Random::new(62);
    for (name, meshes) in surveys(&mut random) {
        let scene = scene_of(&meshes, &Threads::ONE, BuildQuality::High);
        let rays = rays_at(&all_of(&meshes), RAYS / 4, &mut random);
        let answers = ask(&scene, &rays, &CastOptions::new());
        for (row, ray) in rays.iter().enumerate() {
            let cast = scene.cast(ray);
            if answers.any.status()[row].is_invalid() {
                assert!(ray.defect().is_some(), "{name}: {ray:?}");
                assert!(matches!(cast.closest(), Err(Error::InvalidRay { .. })), "{name}: {ray:?}");
                continue;
            }
            assert_eq!(cast.closest().unwrap(), answers.closest.hit(row), "{name}: {ray:?}");
            assert_eq!(cast.any().unwrap(), answers.any.status()[row].is_hit(), "{name}: {ray:?}");
            assert_eq!(cast.count().unwrap(), answers.counts.count()[row], "{name}: {ray:?}");
            assert_eq!(cast.all().unwrap(), answers.all.of_ray(row), "{name}: {ray:?}");
            let nearest = cast.nearest(row as u32 % 4).unwrap();
            assert_eq!(nearest, answers.nearest.of_ray(row), "{name}: {ray:?}");
            assert_eq!(cast.line_hits().unwrap(), answers.line.of_line(row), "{name}: {ray:?}");
        }
    }
}

/// Through vertices and edges of a closed surface, from inside and from outside.
#[test]
fn a_closed_surface_is_never_slipped_through() {
    let mut random = Random::new(66);
    for (scale, offset) in [(1.0, [0.0; 3]), (1.000_000_7, [FAR, FAR, -FAR]), (1e-4, [3.0e8, -1.0, 2.5])] {
        let mesh = meshes::icosphere(2, 1.0);
        let sphere = Survey::new(&mesh, scale, offset);
        let scene = sphere.scene();
        for ([from, to], _) in mesh.edges() {
            let [a, b] = [from, to].map(|vertex| sphere.vertices[vertex as usize]);
            let middle = [0, 1, 2].map(|axis| 0.5 * (a[axis] + b[axis]));
            for target in [a, b, middle] {
                let inside = [0, 1, 2].map(|axis| offset[axis] + between(&mut random, -0.4, 0.4) * scale);
                let outward = Ray::new(inside, minus(target, inside));
                assert!(scene.cast(&outward).any().unwrap(), "{outward:?}");
                assert_eq!(scene.cast(&outward).count().unwrap(), 1, "{outward:?}");
                let line = Ray::line(inside, minus(target, inside));
                assert_eq!(scene.cast(&line).count().unwrap(), 2, "{line:?}");
            }
        }
    }
}

/// Rays along the axes in the planes of vertices, where boxes end.
#[test]
fn rays_in_the_faces_of_boxes_lose_nothing() {
    let mut random = Random::new(67);
    for offset in [[0.1, 0.7, 0.3], [FAR + 0.1, 0.3 - FAR, 0.77 * FAR], [1e15 + 0.125, 1.1, -3.3]] {
        let mesh = Survey::new(&meshes::soup(200, &mut random), 0.777, offset);
        let scene = mesh.scene();
        for vertex in &mesh.vertices {
            for axis in 0..3 {
                let mut direction = [0.0; 3];
                direction[axis] = if random.below(2) == 0 { 1.0 } else { -1.0 };
                let mut origin = *vertex;
                origin[axis] -= 16.0 * direction[axis];
                let ray = Ray::new(origin, direction);
                for contact in [Contact::Crossing, Contact::Touch] {
                    let cast = scene.cast(&ray).contact(contact);
                    assert_eq!(cast.all().unwrap(), cast.brute_force().all().unwrap(), "{ray:?}");
                }
            }
        }
    }
}

/// Of one vertex at 0, or out of all reach, rays at all else know nothing.
#[test]
fn what_lies_far_away_costs_nothing() {
    let mut random = Random::new(76);
    let mesh = Survey::new(&meshes::icosphere(4, 1.0), 1.0, [FAR, -0.3 * FAR, 0.7 * FAR]);
    let rays: Vec<Ray<f64>> = rays_at(&mesh, RAYS, &mut random)
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
        assert!(10 * both <= 11 * alone + 10 * rays.len() as u64, "{both} triangles tested and not {alone}");
    }
}

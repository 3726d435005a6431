//! Which side of what is placed a ray sees: of triangles as their corners wind where they come to lie, of everything else
//! the front from outside, however often it is mirrored on the way.

use crate::common::answers::Answers;
use crate::common::backends::every_backend;
use crate::instances::form::Form;
use crate::instances::mixed::{Kinds, Thing, World, point_of};
use crate::instances::{NESTS, RAYS};
use lanecast::{
    Cast, CastOptions, Contact, Culling, Hit, Ray, RayBatch, Scene, Side, answers::AllHitsBatch, cast::RaysOf,
};
use lanecast_reference::random::Random;
use lanecast_reference::vector::vector;
use std::collections::HashMap;

/// A filter of a request.
type Accepts<'a> = &'a (dyn Fn(usize, &Hit, Side) -> bool + Sync);

fn side(world: &World, ray: &Ray, hit: &Hit) -> Option<Side> {
    world.of_hit(hit).side(point_of(ray, hit.t), vector(ray.direction))
}

fn all_hits(scene: &Scene, rays: &[Ray]) -> AllHitsBatch {
    scene.cast(rays).contact(Contact::Touch).all().unwrap()
}

fn counts(culling: Culling, side: Side) -> bool {
    match culling {
        Culling::None => true,
        Culling::Back => side == Side::Front,
        Culling::Front => side == Side::Back,
    }
}

/// What a hit of a ray is called.
fn name(row: usize, hit: &Hit) -> (usize, u32, [u32; 3]) {
    (row, hit.t.to_bits(), [hit.instance_id, hit.geometry_id, hit.primitive_id])
}

/// Every query must say of a ray that these are all hits, and of its line that these are all ahead and all behind.
fn hold_row(answers: &Answers, row: usize, [expected, ahead, behind]: [&[Hit]; 3]) {
    assert_eq!(answers.all.of_ray(row), expected);
    assert_eq!(answers.closest.hit(row), expected.first().copied());
    assert_eq!(answers.any.status()[row].is_hit(), !expected.is_empty());
    assert_eq!(answers.counts.count()[row] as usize, expected.len());
    assert_eq!(answers.nearest.of_ray(row), &expected[..expected.len().min(row % 4)]);
    // Of several at the last `t` the first.
    let behind = behind.last().and_then(|last| behind.iter().find(|hit| hit.t == last.t));
    let line = answers.line.of_line(row);
    assert_eq!((line.ahead, line.behind), (ahead.first().copied(), behind.copied()));
}

#[test]
fn every_query_sees_the_sides_that_things_have_where_they_are_placed() {
    // Of triangles and of all else: in no mirror, in an odd number of them, in an even one.
    let mut seen = [[0; 3]; 2];
    for seed in 0..NESTS {
        let random = &mut Random::new(seed + 900);
        let world = World::drawn(Kinds::All, seed as u32 % 4, random);
        let mut rays = world.rays(RAYS / 2, random);
        let touched = all_hits(&world.scene, &rays);
        let mut row = 0;
        rays.retain(|ray| {
            row += 1;
            touched.of_ray(row - 1).iter().all(|hit| side(&world, ray, hit).is_some())
        });
        let halves = |clipped: fn(&Ray) -> [f32; 2]| -> Vec<Ray> {
            rays.iter()
                .map(|ray| {
                    let [t_min, t_max] = clipped(ray);
                    ray.with_interval(t_min, t_max)
                })
                .collect()
        };
        let ahead = halves(|ray| [ray.t_min.max(0.0), ray.t_max]);
        let behind = halves(|ray| [ray.t_min, ray.t_max.min(0.0)]);
        let (batch, all) = (&RayBatch::from_rays(&rays), all_hits(&world.scene, &rays));
        let parts = [&all, &all_hits(&world.scene, &ahead), &all_hits(&world.scene, &behind)];
        for hit in all.hits() {
            let Thing { local, mirrors, .. } = world.of_hit(hit);
            let place = if *mirrors == 0 { 0 } else { 2 - mirrors % 2 };
            seen[usize::from(!matches!(local, Form::Triangle(_)))][place] += 1;
        }
        let sides: HashMap<_, Side> = (0..rays.len())
            .flat_map(|row| parts.iter().flat_map(move |part| part.of_ray(row)).map(move |hit| (row, hit)))
            .map(|(row, hit)| (name(row, hit), side(&world, &rays[row], hit).expect("clear")))
            .collect();
        let of_each: Vec<Culling> =
            rays.iter().map(|_| random.pick(&[Culling::None, Culling::Back, Culling::Front])).collect();
        let touching = &CastOptions::new().contact(Contact::Touch);
        let all_alike =
            [Culling::None, Culling::Back, Culling::Front].map(|culling| vec![culling; rays.len()]);
        for culling in all_alike.iter().chain([&of_each]) {
            let expected = parts.map(|part| -> Vec<Vec<Hit>> {
                let left = |row| {
                    let is_left = |hit: &&Hit| counts(culling[row], sides[&name(row, hit)]);
                    part.of_ray(row).iter().filter(is_left).copied().collect()
                };
                (0..rays.len()).map(left).collect()
            });
            let expected_side: Accepts<'_> = &|row, hit, from| sides[&name(row, hit)] == from;
            let mut ways = vec![touching.clone().culling(culling)];
            if let Some(&first) = culling.first().filter(|first| culling.iter().all(|of| of == *first)) {
                ways.push(touching.clone().culling(first));
            }
            for backend in every_backend() {
                for options in &ways {
                    let options = &options.clone().backend(backend);
                    let found = Answers::of(&world.scene, batch, options);
                    for row in 0..rays.len() {
                        hold_row(&found, row, expected.each_ref().map(|part| &part[row][..]));
                    }
                    let request = world.scene.cast(batch).with(options);
                    let same_as_found = |other: Cast<'_, f32, RaysOf<'_>>, context: &str| {
                        assert!(other.all().unwrap() == found.all, "{seed}, {backend}: {context}");
                        assert!(other.line_hits().unwrap() == found.line, "{seed}, {backend}: {context}");
                    };
                    same_as_found(request.clone().filter(&expected_side), "a filter sees another side");
                    same_as_found(request.brute_force(), "scan");
                }
            }
        }
    }
    assert!(seen.as_flattened().iter().all(|&hits| hits > 100), "{seen:?}");
}

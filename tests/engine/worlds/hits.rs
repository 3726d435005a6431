//! What rays meet.

use crate::common::answers::Answers;
use crate::common::backends::{every_backend, same_on_every_backend};
use crate::common::random::Random;
use crate::world::World;
use crate::worlds::answers::hold_row;
use crate::worlds::expected::{ALL, Known, Tally, hold_normal};
use crate::worlds::rays::rays_at;
use crate::worlds::{RAYS, WORLDS};
use lanecast::{CastOptions, Hit, Ray, RayBatch, Scene, Side};

/// One by one the same as in a batch.
fn hold_single(scene: &Scene, rays: &[Ray], answers: &Answers, context: &str) {
    for (row, ray) in rays.iter().enumerate() {
        assert_eq!(scene.closest_hit(ray), Ok(answers.closest.hit(row)), "{context}: {ray:?}");
        assert_eq!(scene.any_hit(ray), Ok(answers.any.status[row].is_hit()), "{context}: {ray:?}");
        assert_eq!(scene.count_hits(ray), Ok(answers.counts.count[row]), "{context}: {ray:?}");
        assert_eq!(scene.all_hits(ray).as_deref(), Ok(answers.all.of_ray(row)), "{context}: {ray:?}");
        let nearest = scene.nearest_hits(ray, row as u32 % 4);
        assert_eq!(nearest.as_deref(), Ok(answers.nearest.of_ray(row)), "{context}: {ray:?}");
        assert_eq!(scene.line_hits(ray), Ok(answers.line.of_line(row)), "{context}: {ray:?}");
    }
}

#[test]
fn rays_meet_what_is_there_and_nothing_else() {
    let (mut tally, mut open) = (Tally::default(), 0);
    for seed in 0..WORLDS {
        let random = &mut Random::new(200 + seed);
        let world = World::drawn_for_rays(seed as u32 % 4, random);
        let (known, rays) = (Known::new(&world), rays_at(&world, RAYS, random));
        let batch = &RayBatch::from_rays(&rays);
        let name = format!("world {seed}");
        let answers = same_on_every_backend(&name, |backend| {
            let mut scene = Scene::clone(&world.scene);
            scene.set_backend(backend);
            let answers = Answers::of(&scene, batch, &CastOptions::new().normals(true));
            hold_single(&scene, &rays[..RAYS / 4], &answers, &format!("{name}, {backend}"));
            answers
        });
        for (row, ray) in rays.iter().enumerate() {
            let expected = known.of_ray(ray);
            tally.add(hold_row(&expected, &answers, row, ALL, &name));
            let [least, most] = expected.count(ALL);
            open += usize::from(least != most);
        }
    }
    tally.assert_most(WORLDS as usize * RAYS);
    let rays = WORLDS as usize * RAYS;
    assert!(open < rays / 3, "of {rays} rays {open} may meet more or less");
}

/// Normals of everything that is met and not of what is closest alone: each hit by itself, between ends about it.
#[test]
fn normals_and_sides_are_right_wherever_a_ray_goes_through() {
    let (mut held, mut mirrored) = (0, 0);
    for seed in 0..WORLDS {
        let random = &mut Random::new(300 + seed);
        let world = World::drawn_for_rays(seed as u32 % 4, random);
        let known = Known::new(&world);
        let scenes = every_backend().into_iter().map(|backend| {
            let mut scene = Scene::clone(&world.scene);
            scene.set_backend(backend);
            scene
        });
        let scenes: Vec<Scene> = scenes.collect();
        for ray in rays_at(&world, RAYS / 2, random) {
            let expected = known.of_ray(&ray);
            let hits = world.scene.all_hits(&ray).expect("sound");
            let between = [f64::NEG_INFINITY, f64::INFINITY];
            let (_, told) = expected.hold(&hits, between, ALL, &format!("world {seed}"));
            for (hit, crossing) in hits.iter().zip(&told) {
                let Some(crossing) = crossing else { continue };
                let thing = known.number(hit);
                let pick = world.scene.locate(&ray, hit).expect("a hit");
                let context = || format!("world {seed}, {ray:?}, {hit:?}: {:?}", world.things[thing]);
                hold_normal(pick.world_normal, crossing, &context);
                // The filter is told which side it is.
                for scene in &scenes {
                    let of_side = |side: Side| {
                        let accepts = move |_: usize, other: &Hit, from: Side| other == hit && from == side;
                        scene.filter(&accepts).any_hit(&ray).expect("sound")
                    };
                    let found = [Side::Front, Side::Back].map(of_side);
                    assert_eq!(
                        found,
                        [crossing.side == Side::Front, crossing.side == Side::Back],
                        "{}",
                        context()
                    );
                }
                held += 1;
                mirrored += usize::from(
                    world.things[thing].maps.iter().filter(|map| map.is_mirrored()).count() % 2 == 1,
                );
            }
        }
    }
    assert!(held > WORLDS as usize * RAYS / 2 && mirrored > held / 10, "{held}, {mirrored} of them mirrored");
}

//! What rays meet.

use crate::common::answers::Answers;
use crate::common::backends::{every_backend, same_on_every_backend};
use crate::worlds::answers::hold_row;
use crate::worlds::{RAYS, worlds};
use lanecast::{Backend, CastOptions, Contact, Hit, Ray, RayBatch, Scene, Side};
use lanecast_reference::known::{ALL, Known, Tally, hold_normal};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::world_rays::rays_at;

/// One by one the same as in a batch.
fn hold_single(scene: &Scene, backend: Backend, rays: &[Ray], answers: &Answers, context: &str) {
    for (row, ray) in rays.iter().enumerate() {
        let cast = scene.cast(ray).backend(backend);
        assert_eq!(cast.closest(), Ok(answers.closest.hit(row)), "{context}: {ray:?}");
        assert_eq!(cast.any(), Ok(answers.any.status()[row].is_hit()), "{context}: {ray:?}");
        assert_eq!(cast.count(), Ok(answers.counts.count()[row]), "{context}: {ray:?}");
        assert_eq!(cast.all().as_deref(), Ok(answers.all.of_ray(row)), "{context}: {ray:?}");
        let nearest = cast.nearest(row as u32 % 4);
        assert_eq!(nearest.as_deref(), Ok(answers.nearest.of_ray(row)), "{context}: {ray:?}");
        assert_eq!(cast.line_hits(), Ok(answers.line.of_line(row)), "{context}: {ray:?}");
    }
}

#[test]
fn rays_meet_what_is_there_and_nothing_else() {
    let (mut tally, mut open) = (Tally::default(), 0);
    for seed in 0..worlds() {
        let random = &mut Random::new(200 + seed);
        let world = RandomWorld::drawn_for_rays(seed as u32 % 4, random);
        let (known, rays) = (Known::new(&world), rays_at(&world, RAYS, random));
        let batch = &RayBatch::from_rays(&rays);
        let name = format!("world {seed}");
        let answers = same_on_every_backend(&name, |backend| {
            let options = CastOptions::new().backend(backend).geometric_normals(true);
            let answers = Answers::of(&world.scene, batch, &options);
            hold_single(
                &world.scene,
                backend,
                &rays[..RAYS / 4],
                &answers,
                &format!("{name}, {backend}"),
            );
            answers
        });
        for (row, ray) in rays.iter().enumerate() {
            let expected = known.of_ray(ray);
            tally.add(hold_row(&expected, &answers, row, ALL, &name));
            let [least, most] = expected.count(Contact::Crossing, ALL);
            open += usize::from(least != most);
        }
    }
    tally.assert_most(worlds() as usize * RAYS);
    let rays = worlds() as usize * RAYS;
    assert!(open < rays / 3, "of {rays} rays {open} may meet more or less");
}

/// Normals of everything that is met and not of what is closest alone: each hit by itself, between
/// ends about it.
#[test]
fn normals_and_sides_are_right_wherever_a_ray_goes_through() {
    let (mut held, mut mirrored) = (0, 0);
    for seed in 0..worlds() {
        let random = &mut Random::new(300 + seed);
        let world = RandomWorld::drawn_for_rays(seed as u32 % 4, random);
        let known = Known::new(&world);
        for ray in rays_at(&world, RAYS / 2, random) {
            let expected = known.of_ray(&ray);
            let hits = world.scene.cast(&ray).all().expect("sound");
            let between = [f64::NEG_INFINITY, f64::INFINITY];
            let name = format!("world {seed}");
            let (_, told) = expected.hold(&hits, between, Contact::Crossing, ALL, &name);
            for (hit, meeting) in hits.iter().zip(&told) {
                let Some(meeting) = meeting else { continue };
                let thing = known.number(hit);
                let pick = world.scene.locate(&ray, hit).expect("a hit");
                let context =
                    || format!("world {seed}, {ray:?}, {hit:?}: {:?}", world.things[thing]);
                hold_normal(pick.world_normal, meeting, &world.things[thing], &context);
                // The filter is told which side it is.
                for backend in every_backend() {
                    let of_side = |side: Side| {
                        let accepts =
                            move |_: usize, other: &Hit, from: Side| other == hit && from == side;
                        world
                            .scene
                            .cast(&ray)
                            .backend(backend)
                            .filter(&accepts)
                            .any()
                            .expect("sound")
                    };
                    let found = [Side::Front, Side::Back].map(of_side);
                    assert_eq!(
                        found,
                        [meeting.passage.side == Side::Front, meeting.passage.side == Side::Back],
                        "{}",
                        context()
                    );
                }
                held += 1;
                mirrored += usize::from(
                    world.things[thing].maps.iter().filter(|map| map.is_mirrored()).count() % 2
                        == 1,
                );
            }
        }
    }
    assert!(
        held > worlds() as usize * RAYS / 2 && mirrored > held / 10,
        "{held}, {mirrored} of them mirrored"
    );
}

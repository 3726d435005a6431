//! Brute force and the engine agree on random worlds: what rays meet, from which side, with which normals.

use lanecast::{Contact, Hit, Side};
use lanecast_reference::inside::winding;
use lanecast_reference::known::{ALL, Known, Tally, hold_normal};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::vector::vector;
use lanecast_reference::world::World;
use lanecast_reference::world_rays::{rays_at, target};

const EVERYWHERE: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
const WORLDS: u64 = 24;
const RAYS: usize = 100;

#[test]
fn all_hits_of_a_random_world_are_those_of_brute_force() {
    let (mut tally, mut open) = (Tally::default(), 0);
    for seed in 0..WORLDS {
        let random = &mut Random::new(seed);
        let world = RandomWorld::drawn_for_rays(seed as u32 % 4, random);
        let known = Known::new(&world);
        for ray in rays_at(&world, RAYS, random) {
            let expected = known.of_ray(&ray);
            let hits = world.scene.cast(&ray).all().expect("sound");
            let name = format!("world {seed}");
            let (of_ray, told) = expected.hold(&hits, EVERYWHERE, Contact::Crossing, ALL, &name);
            tally.add(of_ray);
            let [least, most] = expected.count(Contact::Crossing, ALL);
            open += usize::from(least != most);
            for (hit, meeting) in hits.iter().zip(&told) {
                let Some(meeting) = meeting else { continue };
                let thing = &world.things[known.number(hit)];
                let context = || format!("{name}, {ray:?}, {hit:?}: {thing:?}");
                let pick = world.scene.locate(&ray, hit).expect("a hit");
                hold_normal(pick.world_normal, meeting, thing, &context);
                let accepts =
                    |_: usize, other: &Hit, side: Side| other == hit && side == meeting.passage.side;
                assert_eq!(world.scene.cast(&ray).filter(&accepts).any(), Ok(true), "{}", context());
            }
        }
    }
    tally.assert_most(WORLDS as usize * RAYS);
    assert!(open < WORLDS as usize * RAYS / 3, "{open}");
}

#[test]
fn closest_hits_past_masks_are_those_of_brute_force() {
    let (mut all, mut seen, mut met) = (0, 0, 0);
    for seed in 0..WORLDS {
        let random = &mut Random::new(100 + seed);
        let world = RandomWorld::drawn_masked(seed as u32 / 2 % 4, random);
        let (known, rays) = (Known::new(&world), rays_at(&world, RAYS, random));
        let masks: Vec<u32> =
            rays.iter().map(|_| random.pick(&[0b001, 0b010, 0b100, 0b110, u32::MAX])).collect();
        let hits = world.scene.cast(&rays).mask(&masks).normals(true).closest().expect("answers");
        for (row, ray) in rays.iter().enumerate() {
            let expected = known.of_ray(ray);
            let sees =
                |thing: usize, _: Side| world.things[thing].masks.iter().all(|mask| mask & masks[row] != 0);
            let closest: Vec<Hit> = hits.hit(row).into_iter().collect();
            let nearer = [f64::NEG_INFINITY, closest.first().map_or(f64::INFINITY, |hit| f64::from(hit.t))];
            let (_, told) = expected.hold(&closest, nearer, Contact::Touch, &sees, &format!("world {seed}"));
            if let Some(Some(meeting)) = told.first() {
                let thing = &world.things[known.number(&closest[0])];
                let context = || format!("world {seed}, {ray:?}: {closest:?}");
                hold_normal(vector(hits.geometric_normal()[row]), meeting, thing, &context);
            }
            met += closest.len();
            all += expected.count(Contact::Crossing, ALL)[0];
            seen += expected.count(Contact::Crossing, &sees)[0];
        }
    }
    assert!(met > 200 && all > seen + seen / 4, "{met} met, {seen} seen of {all}");
}

#[test]
fn points_are_inside_of_what_brute_force_says() {
    let (mut held, mut inside, mut near) = (0, 0, 0);
    for seed in 0..WORLDS {
        let random = &mut Random::new(200 + seed);
        let world = RandomWorld::drawn_closed(seed as u32 % 4, random);
        let seen = World::of_scene(&world.scene).expect("a world");
        let points: Vec<[f32; 3]> = (0..RAYS)
            .map(|number| {
                let [a, b] = [target(&world, random), target(&world, random)];
                let off = [0.0, 1e-6, 0.1][number % 3];
                std::array::from_fn(|axis| (1.0 - off) * a[axis] + off * b[axis])
            })
            .collect();
        let found = world.scene.points(&points).contains().expect("closed");
        for (row, &point) in points.iter().enumerate() {
            let Some(expected) = winding(&seen, point) else {
                near += 1;
                continue;
            };
            assert_eq!(found.winding()[row], expected, "world {seed}, {point:?}");
            held += 1;
            inside += usize::from(expected != 0);
        }
    }
    assert!(held > near && inside > held / 8, "{held} held, {inside} inside, {near} near a surface");
}

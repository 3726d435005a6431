//! Who sees whom past all that is placed.

use crate::common::backends::same_on_every_backend;
use crate::worlds::{RAYS, worlds};
use lanecast::{Contact, Culling, Hit, Ray, Side, SightLines};
use lanecast_reference::known::{Counts, Known};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::world_rays::target;

#[test]
fn lines_of_sight_break_where_something_is_in_between() {
    let (mut seen, mut hidden, mut open) = (0, 0, 0);
    for seed in 0..worlds() {
        let random = &mut Random::new(700 + seed);
        let world = RandomWorld::drawn_for_rays(seed as u32 % 4, random);
        let known = Known::new(&world);
        // Anywhere, and on things.
        let mut points = |count: usize| -> Vec<[f32; 3]> {
            let point = |number: usize| match number % 10 {
                0 => target(&world, random),
                1 | 2 => random.point(-20.0, 20.0),
                _ => random.point(-2.5, 2.5),
            };
            (0..count).map(point).collect()
        };
        let (observers, mut targets) = (points(RAYS / 6), points(RAYS / 4));
        targets[0] = observers[0];
        let lines = SightLines::new(&observers, &targets).expect("lines");
        let from_outside: Counts<'_> = &|_, side| side == Side::Front;
        for (culling, counts) in
            [(Culling::None, lanecast_reference::known::ALL), (Culling::Back, from_outside)]
        {
            let name = format!("world {seed}, {culling:?}");
            let (matrix, obstacles) = same_on_every_backend(&name, |backend| {
                let asked = world.scene.sight(&lines).backend(backend);
                let matrix = asked.clone().culling(culling).matrix().expect("a matrix");
                let pairs =
                    (0..observers.len()).flat_map(|i| (0..targets.len()).map(move |j| (i, j)));
                let obstacles =
                    pairs.map(|(i, j)| asked.first_obstacle(i, j).expect("there are such"));
                (matrix, obstacles.collect::<Vec<Option<Hit>>>())
            });
            for (i, &observer) in observers.iter().enumerate() {
                for (j, &target) in targets.iter().enumerate() {
                    if observer == target {
                        assert!(matrix.sees(i, j), "{name}: itself");
                        continue;
                    }
                    // Its ends do not belong to a line.
                    let ends = [f32::MIN_POSITIVE, 1.0_f32.next_down()];
                    let ray = Ray::segment(observer, target).with_interval(ends[0], ends[1]);
                    let expected = known.of_ray(&ray);
                    let [least, most] = expected.count(Contact::Touch, counts);
                    let sees = matrix.sees(i, j);
                    assert!(
                        if sees { least == 0 } else { most > 0 },
                        "{name}, {ray:?}: {least} to {most}"
                    );
                    match (least, most) {
                        (0, 0) => seen += 1,
                        (0, _) => open += 1,
                        _ => hidden += 1,
                    }
                    if culling == Culling::None {
                        let obstacle = obstacles[i * targets.len() + j];
                        let up_to = obstacle.map_or(f64::INFINITY, |hit| f64::from(hit.t));
                        let hits: Vec<Hit> = obstacle.into_iter().collect();
                        expected.hold(
                            &hits,
                            [f64::NEG_INFINITY, up_to],
                            Contact::Touch,
                            counts,
                            &name,
                        );
                        assert_eq!(obstacle.is_none(), sees, "{name}, {ray:?}");
                    }
                }
            }
        }
    }
    assert!(
        seen > hidden / 8 && hidden > seen / 8 && open < (seen + hidden) / 10,
        "{seen}, {hidden}, {open}"
    );
}

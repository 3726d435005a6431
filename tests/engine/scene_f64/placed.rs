//! Everything but meshes in scenes of `f64`, by itself and placed: what is met lies where it is,
//! and where it is in `f32`.

use crate::scene_f64::FAR;
use crate::scene_f64::survey::{length, minus};
use lanecast::primitive::Sphere;
use lanecast::{Aabb, Affine, Contact, Hit, Ray, SceneBuilder};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Content, Drawn, RandomWorld, shapes, transform};
use lanecast_reference::vector::{plus, times};
use lanecast_reference::world_rays::rays_at;
use std::sync::Arc;

fn wide(ray: &Ray) -> Ray<f64> {
    let (origin, direction) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
    Ray { origin, direction, t_min: f64::from(ray.t_min), t_max: f64::from(ray.t_max) }
}

fn ids<T>(hit: &Hit<T>) -> [u32; 3] {
    [hit.instance_id, hit.geometry_id, hit.primitive_id]
}

/// How far a hit is from what it names, for the size of the numbers that lead there.
fn error_of(world: &RandomWorld<f64>, ray: &Ray<f64>, hit: &Hit<f64>) -> f64 {
    let thing = &world.things[world.number(hit.instance_id, hit.geometry_id, hit.primitive_id)];
    let point = plus(ray.origin, times(hit.t, ray.direction));
    let size = thing.shape.size() + length(ray.origin) + length(times(hit.t, ray.direction));
    thing.shape.distance(point) / size
}

/// The same numbers in both precisions are the same world, in `f32` as exact as that is. Rays that
/// graze may part.
#[test]
fn rays_meet_what_they_meet_in_f32_and_more_exactly() {
    let (mut met, mut parted, mut worst) = (0, 0, 0.0_f64);
    for seed in 0..16 {
        let coarse =
            RandomWorld::<f32>::of(Drawn::ForRays, seed as u32 % 4, &mut Random::new(1000 + seed));
        let fine =
            RandomWorld::<f64>::of(Drawn::ForRays, seed as u32 % 4, &mut Random::new(1000 + seed));
        assert_eq!(coarse.things.len(), fine.things.len());
        for ray in rays_at(&coarse, 200, &mut Random::new(seed)) {
            let (found, expected) = (
                fine.scene.cast(&wide(&ray)).all().unwrap(),
                coarse.scene.cast(&ray).all().unwrap(),
            );
            for hit in &found {
                worst = worst.max(error_of(&fine, &wide(&ray), hit));
            }
            met += found.len();
            parted += usize::from(!found.iter().map(ids).eq(expected.iter().map(ids)));
        }
    }
    assert!(met > 1000, "{met} hits");
    assert!(parted < 16 * 200 / 50, "{parted} rays part");
    // Through maps that stretch by 1.6 and shear, four deep.
    assert!(worst < 1e-13, "{worst:e} of the size of the numbers");
}

/// All crossings of rays, and of the same rays where all is moved, in place or by an instance.
#[test]
fn at_survey_coordinates_all_is_met_as_at_the_origin() {
    let (mut met, mut parted) = (0, 0);
    for (seed, offset) in (0..).zip([[5e5, -2.5e5, 1e3], [6.4e6, -6.4e6, 3.2e6]]) {
        let random = &mut Random::new(1100 + seed);
        let inner = RandomWorld::<f64>::of(Drawn::ForRays, 1, random);
        let content =
            Content { cones: Vec::new(), cylinders: Vec::new(), field: None, ..shapes(30, random) };
        let map = transform(random);
        let here = RandomWorld::<f64>::build(&content, &[(&inner, map)]);
        let by = Affine::translation(offset.map(f64::from));
        let there =
            RandomWorld::<f64>::build(&Content { offset, ..content }, &[(&inner, by * map)]);
        let placed = RandomWorld::<f64>::build(&Content::default(), &[(&here, by)]);
        for number in 0..600 {
            let (from, at) = (random.point(-3.0, 3.0), random.point(-1.0, 1.0));
            let ray = Ray::new(from.map(f64::from), minus(at.map(f64::from), from.map(f64::from)));
            let moved = Ray { origin: plus(ray.origin, offset.map(f64::from)), ..ray };
            let expected = here.scene.cast(&ray).contact(Contact::Touch).all().unwrap();
            for world in [&there, &placed] {
                let found = world.scene.cast(&moved).contact(Contact::Touch).all().unwrap();
                let is_same = found.len() == expected.len()
                    && found.iter().zip(&expected).all(|(a, b)| {
                        (a.geometry_id, a.primitive_id) == (b.geometry_id, b.primitive_id)
                            && (a.t - b.t).abs() < 1e-7
                    });
                parted += usize::from(!is_same);
                met += found.len();
                // Where the ray runs along a surface the rounding of the coordinates decides;
                // nowhere is it coarser.
                for hit in &found {
                    let error = error_of(world, &moved, hit);
                    assert!(error < 1e-14, "{number}: {error:e} of the size of the numbers");
                }
            }
        }
    }
    assert!(met > 2000 && parted < 24, "{met} met, {parted} rays part");
}

/// Closed to the last bit: a segment that ends in a face meets it, one that starts there too, and
/// the next shorter does not.
#[test]
fn faces_and_poles_at_survey_coordinates_are_closed() {
    let aabb = Aabb { min: [FAR, 1.0, 2.0], max: [FAR + 2.0, 2.0, 3.0] };
    let ball = Sphere::new([FAR, 20.0, 2.5], 0.5);
    let inner = SceneBuilder::<f64>::default().boxes(&[aabb]).and_then(|b| b.spheres(&[ball]));
    let inner = Arc::new(inner.and_then(SceneBuilder::build).unwrap());
    let placed =
        SceneBuilder::<f64>::default().instance(&inner, Affine::translation([0.0, 0.0, 8.0]));
    for (scene, up) in [(&*inner, 0.0), (&placed.build().unwrap(), 8.0)] {
        for (origin, direction, t) in [
            ([FAR - 4.0, 1.5, 2.5 + up], [1.0, 0.0, 0.0], 4.0),
            ([FAR + 1.0, 1.5, 9.0 + up], [0.0, 0.0, -2.0], 3.0),
            ([FAR, 20.0, 9.0 + up], [0.0, 0.0, -1.0], 6.0),
            // In a face, from edge to edge.
            ([FAR - 4.0, 2.0, 2.5 + up], [1.0, 0.0, 0.0], 4.0),
        ] {
            let ray = Ray::new(origin, direction);
            let hit = scene.cast(&ray).closest().unwrap().expect("it is met");
            assert_eq!(hit.t, t, "{ray:?}");
            for (interval, meets) in [
                ([0.0, t], true),
                ([t, t], true),
                ([0.0, t.next_down()], false),
                ([-1.0, t - 1e-9], false),
            ] {
                let ray = ray.with_interval(interval[0], interval[1]);
                assert_eq!(scene.cast(&ray).any().unwrap(), meets, "{ray:?}");
                assert_eq!(scene.cast(&ray).brute_force().any().unwrap(), meets, "{ray:?}");
            }
        }
    }
}

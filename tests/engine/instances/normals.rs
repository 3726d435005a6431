//! Normals where things are placed: of triangles as their corners wind there, of everything else outwards, and always
//! towards the side that is called the front.

use crate::common::backends::every_backend;
use crate::instances::form::Form;
use crate::instances::mixed::{Kinds, Thing, World, point_of};
use crate::instances::{NESTS, RAYS};
use lanecast::Culling;
use lanecast_reference::random::Random;
use lanecast_reference::vector::{Vector, dot, length, minus, times, vector};

/// How many normals of shapes were compared: without a mirror, in an odd number of mirrors, in an even one.
#[derive(Debug, Default)]
struct Compared([usize; 3]);

impl Compared {
    fn hold(&mut self, thing: &Thing, form: Form, point: Vector, normal: Vector) {
        if let Some(middle) = form.middle() {
            assert!(
                dot(normal, minus(point, middle)) > 0.0,
                "{thing:?}: {normal:?} points inwards at {point:?}"
            );
        }
        let Some(expected) = form.outward(point) else { return };
        let off = minus(times(1.0 / length(normal), normal), times(1.0 / length(expected), expected));
        assert!(length(off) < 2e-3, "{thing:?}: {normal:?} is not {expected:?} at {point:?}");
        if matches!(form, Form::Shape(..)) {
            self.0[if thing.mirrors == 0 { 0 } else { 2 - thing.mirrors % 2 }] += 1;
        }
    }

    fn enough(&self) {
        assert!(self.0.iter().all(|&compared| compared > 100), "{self:?}");
    }
}

#[test]
fn normals_of_hits_point_outwards_and_to_the_front() {
    let mut compared = Compared::default();
    for seed in 0..NESTS {
        let random = &mut Random::new(seed + 1300);
        let world = World::drawn(Kinds::All, seed as u32 % 4, random);
        let rays = world.rays(RAYS, random);
        let request = world.scene.cast(&rays).normals(true);
        let closest = request.clone().brute_force().closest().unwrap();
        for backend in every_backend() {
            let found = request.clone().backend(backend).closest().unwrap();
            assert!(found == closest, "{seed}, {backend}: other bits");
        }
        let lines = request.line_hits().unwrap();
        let [front, back] = [Culling::Back, Culling::Front]
            .map(|culling| request.clone().culling(culling).closest().unwrap());
        for (row, ray) in rays.iter().enumerate() {
            for (hits, sign) in
                [(&closest, 0.0), (lines.ahead(), 0.0), (lines.behind(), 0.0), (&front, -1.0), (&back, 1.0)]
            {
                let Some(hit) = hits.hit(row) else { continue };
                let (thing, normal) = (world.of_hit(&hit), vector(hits.geometric_normal()[row]));
                compared.hold(thing, thing.placed, point_of(ray, hit.t), normal);
                // Towards where rays come from that see the front.
                let direction = vector(ray.direction);
                let cosine = dot(normal, direction) / (length(normal) * length(direction));
                assert!(sign * cosine >= -1e-3, "{thing:?}: {normal:?} {direction:?}");
            }
        }
    }
    compared.enough();
}

#[test]
fn picks_have_normals_outwards_in_either_frame() {
    let mut compared = Compared::default();
    for seed in 0..NESTS {
        let random = &mut Random::new(seed + 1700);
        let world = World::drawn(Kinds::All, seed as u32 % 4, random);
        for ray in world.rays(RAYS, random) {
            for hit in world.scene.cast(&ray).all().unwrap() {
                let (thing, pick) = (world.of_hit(&hit), world.scene.locate(&ray, &hit).unwrap());
                compared.hold(thing, thing.placed, pick.world_point, pick.world_normal);
                compared.hold(thing, thing.local, pick.local_point, pick.local_normal);
            }
        }
    }
    compared.enough();
}

#[test]
fn normals_of_closest_points_are_those_of_hits() {
    let mut compared = Compared::default();
    for seed in 0..NESTS {
        let random = &mut Random::new(seed + 2100);
        let world = World::drawn(Kinds::Solids, seed as u32 % 4, random);
        let points: Vec<[f32; 3]> = (0..2 * RAYS).map(|_| random.point(-3.0, 3.0)).collect();
        let request = world.scene.points(&points).normals(true);
        let closest = request.clone().brute_force().closest(f32::INFINITY).unwrap();
        for backend in every_backend() {
            let found = request.clone().backend(backend).closest(f32::INFINITY).unwrap();
            assert!(found == closest, "{seed}, {backend}");
        }
        for row in 0..points.len() {
            let found = closest.get(row).expect("something");
            let thing = world.of(found.instance_id, found.geometry_id, found.primitive_id);
            let normal = vector(closest.geometric_normal()[row]);
            compared.hold(thing, thing.placed, vector(found.point), normal);
        }
    }
    compared.enough();
}

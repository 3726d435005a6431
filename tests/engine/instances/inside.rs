//! Which points are inside.

use crate::common::backends::every_backend;
use crate::instances::form::Form;
use crate::instances::mixed::{Kinds, World};
use crate::instances::{NESTS, RAYS};
use lanecast::primitive::Sphere;
use lanecast::{Affine, PointGrid, SceneBuilder};
use lanecast_reference::inside::winding;
use lanecast_reference::meshes;
use lanecast_reference::nests::{self, Nest};
use lanecast_reference::random::Random;
use lanecast_reference::vector::Vector;
use std::sync::Arc;

#[test]
fn a_point_is_inside_of_what_is_placed_around_it() {
    let shell = meshes::icosphere(2, 1.0);
    let hollow = shell.clone().with(&{
        let mut cavity = meshes::icosphere(2, 0.5);
        cavity.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        cavity
    });
    let ball = Nest::new(&[hollow], &[]);
    let mut random = Random::new(9);
    let (first, second) = (nests::transform(&mut random), nests::transform(&mut random));
    let mirrored = Affine::from_rows([[-1.0, 0.0, 0.0, 5.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let pair = Nest::new(&[], &[(&ball, first), (&ball, mirrored)]);
    let scene = Nest::new(&[], &[(&pair, second)]).scene;
    assert_eq!(scene.open_edge(), None);
    let mut inside = 0;
    for _ in 0..4 * RAYS {
        let local = random.point(-1.2, 1.2);
        let distance = local.iter().map(|x| x * x).sum::<f32>().sqrt();
        // The facets lie a little inside of the spheres.
        if [0.5_f32, 1.0].iter().any(|radius| (distance - radius).abs() < 0.05) {
            continue;
        }
        let placed = second.after(&random.pick(&[first, mirrored])).point(local.map(f64::from));
        let expected = scene.point(placed.map(|x| x as f32)).brute_force().contains().unwrap();
        assert_eq!(scene.point(placed.map(|x| x as f32)).contains().unwrap(), expected);
        if 0.5 < distance && distance < 1.0 {
            assert!(expected, "{local:?} is in the wall of one of them");
            inside += 1;
        }
    }
    assert!(inside > 100, "{inside}");
    // Alone, so that the other does not fill it.
    let alone = Nest::new(&[], &[(&ball, mirrored)]).scene;
    assert_eq!(alone.point([5.0, 0.0, 0.0]).contains(), Ok(false), "a_cavity_is_outside");
    assert_eq!(alone.point([5.75, 0.0, 0.0]).contains(), Ok(true));
}

#[test]
fn solids_are_as_solid_in_a_mirror() {
    let (mut inside_of_mesh, mut inside_of_some, mut cancelled) = (0, 0, 0);
    for seed in 0..NESTS {
        let random = &mut Random::new(seed + 700);
        let world = World::drawn(Kinds::Solids, seed as u32 % 4, random);
        let things: Vec<Vector> = world
            .things
            .iter()
            .map(|thing| match thing.placed {
                Form::Triangle([a, ..]) => a,
                Form::Shape(_, middle, _) => middle,
            })
            .collect();
        let points: Vec<[f32; 3]> = (0..RAYS)
            .map(|_| {
                let (near, off) = (random.pick(&things), random.point(-0.4, 0.4));
                std::array::from_fn(|axis| near[axis] as f32 + off[axis])
            })
            .collect();
        // Once each shape, once each ball of triangles, or less once where they wind the other way.
        let seen = lanecast_reference::world::World::of_scene(&world.scene).unwrap();
        let expected: Vec<_> = points.iter().map(|&point| winding(&seen, point)).collect();
        for backend in every_backend() {
            let request = world.scene.points(&points).backend(backend);
            let inside = request.contains().unwrap();
            assert_eq!(inside, request.clone().brute_force().contains().unwrap(), "{seed}, {backend}");
            let (distances, signed) = (request.distances().unwrap(), request.signed_distances().unwrap());
            for (row, &point) in points.iter().enumerate() {
                let Some(expected) = expected[row] else { continue };
                assert_eq!(inside.winding()[row], expected, "{seed}, {backend}: {point:?}");
                assert_eq!(inside.status()[row].is_hit(), expected != 0);
                let sign = if expected == 0 { 1.0 } else { -1.0 };
                assert_eq!(signed.distance()[row], sign * distances.distance()[row], "{seed}: {point:?}");
                inside_of_some += usize::from(expected > 0);
                inside_of_mesh += usize::from(expected < 0);
                cancelled += usize::from(expected == 0);
            }
        }
    }
    assert!(
        inside_of_some > 300 && inside_of_mesh > 30 && cancelled > 300,
        "{inside_of_some}, {inside_of_mesh}, {cancelled}"
    );
}

#[test]
fn what_lies_in_a_sphere_and_in_its_mirror_image_is_inside() {
    let ball =
        SceneBuilder::new().spheres(&[Sphere::new([0.5, 0.0, 0.0], 1.0)]).and_then(SceneBuilder::build);
    let ball = Arc::new(ball.unwrap());
    let mirrored = Affine::from_rows([[-1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let pair =
        SceneBuilder::new().instance(&ball, Affine::IDENTITY).instance(&ball, mirrored).build().unwrap();
    let points = [[0.0; 3], [-1.2, 0.0, 0.0], [1.2, 0.0, 0.0], [0.0, 0.95, 0.0]];
    assert_eq!(pair.points(&points).contains().unwrap().winding(), [2, 1, 1, 0]);
    assert_eq!(pair.point([0.0; 3]).signed_distance(), Ok(-0.5));
    let grid = PointGrid::new([-1.9, 0.0, 0.0], [0.5, 1.0, 1.0], [9, 1, 1]).unwrap();
    assert_eq!(pair.grid(&grid).occupancy_bytes().unwrap(), [0, 1, 1, 1, 1, 1, 1, 0, 0]);
}

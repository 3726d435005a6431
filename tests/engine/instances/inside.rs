//! Which points are inside.

use crate::common::backends::every_backend;
use crate::common::meshes;
use crate::common::nests::{self, Nest};
use crate::common::random::Random;
use crate::instances::form::Form;
use crate::instances::mixed::{Kinds, World};
use crate::instances::{NESTS, RAYS};
use crate::reference::{Vector, cross, dot, length, minus, vector};
use lanecast::primitive::Sphere;
use lanecast::{Affine, CastOptions, DistanceBatch, InsideBatch, PointGrid, Scene, SceneBuilder};
use std::collections::BTreeMap;
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
        let expected = scene.scan().contains(placed.map(|x| x as f32)).unwrap();
        assert_eq!(scene.contains(placed.map(|x| x as f32)).unwrap(), expected);
        if 0.5 < distance && distance < 1.0 {
            assert!(expected, "{local:?} is in the wall of one of them");
            inside += 1;
        }
    }
    assert!(inside > 100, "{inside}");
    // Alone, so that the other does not fill it.
    let alone = Nest::new(&[], &[(&ball, mirrored)]).scene;
    assert_eq!(alone.contains([5.0, 0.0, 0.0]), Ok(false), "a_cavity_is_outside");
    assert_eq!(alone.contains([5.75, 0.0, 0.0]), Ok(true));
}

/// How often what is placed goes around a point: once each shape that it is in, once each ball of triangles, or less once
/// where they wind the other way. `None` near surfaces.
fn winding(world: &World, point: Vector) -> Option<i32> {
    // Of each mesh, which is convex, how far the point is behind the triangles that it is farthest behind and least.
    let mut behind: BTreeMap<&[u32], [f64; 2]> = BTreeMap::new();
    let mut sum = 0;
    for thing in &world.things {
        match thing.placed {
            Form::Triangle([a, b, c]) => {
                let normal = cross(minus(b, a), minus(c, a));
                let off = dot(normal, minus(a, point)) / length(normal);
                let [least, most] = behind.entry(&thing.path).or_insert([f64::INFINITY, f64::NEG_INFINITY]);
                (*least, *most) = (least.min(off), most.max(off));
            }
            shape => {
                let gauge = shape.gauge(point).expect("a shape");
                if (gauge - 1.0).abs() < 1e-3 {
                    return None;
                }
                sum += i32::from(gauge < 1.0);
            }
        }
    }
    for [least, most] in behind.into_values() {
        if least.abs() < 1e-3 || most.abs() < 1e-3 {
            return None;
        }
        sum += i32::from(least > 0.0) - i32::from(most < 0.0);
    }
    Some(sum)
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
        let options = &CastOptions::new();
        for backend in every_backend() {
            let mut scene = Scene::clone(&world.scene);
            scene.set_backend(backend);
            let (mut inside, mut scanned) = (InsideBatch::new(), InsideBatch::new());
            scene.contains_batch(&points, options, &mut inside).unwrap();
            scene.scan().contains_batch(&points, options, &mut scanned).unwrap();
            assert_eq!(inside, scanned, "{seed}, {backend}");
            let (mut signed, mut distances) = (DistanceBatch::new(), DistanceBatch::new());
            scene.distance_batch(&points, options, &mut distances).unwrap();
            scene.signed_distance_batch(&points, options, &mut signed).unwrap();
            for (row, &point) in points.iter().enumerate() {
                let Some(expected) = winding(&world, vector(point)) else { continue };
                assert_eq!(inside.winding[row], expected, "{seed}, {backend}: {point:?}");
                assert_eq!(inside.status[row].is_hit(), expected != 0);
                let sign = if expected == 0 { 1.0 } else { -1.0 };
                assert_eq!(signed.distance[row], sign * distances.distance[row], "{seed}: {point:?}");
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
    let mut inside = InsideBatch::new();
    pair.contains_batch(&points, &CastOptions::new(), &mut inside).unwrap();
    assert_eq!(inside.winding, [2, 1, 1, 0]);
    assert_eq!(pair.signed_distance([0.0; 3]), Ok(-0.5));
    let grid = PointGrid::new([-1.9, 0.0, 0.0], [0.5, 1.0, 1.0], [9, 1, 1]).unwrap();
    let mut bytes = Vec::new();
    pair.occupancy_bytes(&grid, &CastOptions::new(), &mut bytes).unwrap();
    assert_eq!(bytes, [0, 1, 1, 1, 1, 1, 1, 0, 0]);
}

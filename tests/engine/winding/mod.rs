//! Generalised winding numbers, held against the sum of solid angles in `f64`, and against
//! crossings of closed surfaces.

pub(crate) mod open_edges;
mod separate;

use crate::common::backends::same_on_every_backend;
use crate::common::scale::scaled;
use lanecast::primitive::{Primitives, Sphere, SurfacePoint};
use lanecast::{
    Aabb, Affine, CastOptions, Error, Geometry, PointGrid, Ray, Scene, SceneBuilder, Status,
    Threads,
};
use lanecast_reference::inside::solid_angle;
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::placed::shape::Shape;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Content, RandomWorld, transform};
use lanecast_reference::vector::vector;
use std::f64::consts::PI;
use std::sync::Arc;

fn of_all(world: &RandomWorld, point: [f32; 3]) -> f64 {
    let angles = world.things.iter().filter_map(|thing| match thing.shape {
        Shape::Triangle(corners) => Some(solid_angle(corners, vector(point))),
        _ => None,
    });
    angles.sum::<f64>() / (4.0 * PI)
}

fn nested_soup(depth: u32, count: usize, random: &mut Random) -> RandomWorld {
    let mut world =
        RandomWorld::of_meshes(vec![meshes::soup(count, random), meshes::icosphere(2, 0.7)], &[]);
    for _ in 0..depth {
        let placed = [(&world, transform(random)), (&world, transform(random))];
        world = RandomWorld::of_meshes(vec![meshes::soup(count / 8, random)], &placed);
    }
    world
}

#[test]
fn winding_numbers_are_sums_of_solid_angles_as_exact_as_their_accuracy() {
    for (depth, seed) in [(0, 1), (1, 2), (2, 3)] {
        let random = &mut Random::new(1_300 + seed);
        let world = nested_soup(depth, 800, random);
        // The bounds below are of so many.
        let points: Vec<_> = (0..150).map(|_| random.point(-2.0, 2.0)).collect();
        let expected: Vec<f64> = points.iter().map(|&point| of_all(&world, point)).collect();
        let ask = |accuracy: f64| {
            let request = world.scene.points(&points).generalised_winding(accuracy);
            same_on_every_backend(accuracy, |backend| {
                let two = Threads::exactly(2).expect("two threads");
                let request = request.clone().backend(backend).threads(&two).rays_in_chunk(16);
                request.winding_numbers().expect("meshes")
            })
        };
        let off = |accuracy: f64| {
            let found = ask(accuracy);
            let offs = found
                .winding_number()
                .iter()
                .zip(&expected)
                .map(|(x, y)| (f64::from(*x) - y).abs());
            offs.fold(0.0, f64::max)
        };
        let offs = [2.0, 4.0, 8.0, f64::INFINITY].map(off);
        assert!(
            offs[0] < if depth == 0 { 0.02 } else { 0.01 }
                && offs[1] < 0.001
                && offs[2] < 1e-4
                && offs[3] < 1e-6,
            "depth {depth}: {offs:?}"
        );
        let scanned = world.scene.points(&points).brute_force().winding_numbers().expect("meshes");
        let off = |(x, y): (&f32, &f64)| (f64::from(*x) - y).abs();
        assert!(scanned.winding_number().iter().zip(&expected).map(off).all(|off| off < 1e-6));
        // Without a word it is 2.
        assert_eq!(world.scene.points(&points).winding_numbers().expect("meshes"), ask(2.0));
        let single = world.scene.point(points[3]).winding_number().expect("meshes");
        assert_eq!(single, ask(2.0).winding_number()[3]);
    }
}

/// Those that the docs give, of the meshes that are worst: smooth ones, from near by. The triangles
/// are apart, so that they are seen as dipoles.
#[test]
fn near_balls_they_are_off_by_no_more_than_is_documented() {
    let ball = meshes::icosphere(5, 1.0);
    let apart = |number: usize| {
        let corners = ball.corners(number);
        let middle =
            [0, 1, 2].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f32>() / 3.0);
        corners
            .map(|corner| [0, 1, 2].map(|axis| corner[axis] + 1e-3 * (middle[axis] - corner[axis])))
    };
    let ball = Mesh::of_triangles(&(0..ball.triangles.len()).map(apart).collect::<Vec<_>>());
    let scene = Scene::from_triangles(&ball.vertices, &ball.triangles).expect("a ball");
    let random = &mut Random::new(1_330);
    let points: Vec<_> = (0..scaled(300))
        .map(|row| {
            let direction = random.direction();
            let length = direction.iter().map(|x| x * x).sum::<f32>().sqrt();
            direction.map(|x| [0.9, 0.98, 0.998, 1.002, 1.02, 1.1, 1.5][row % 7] * x / length)
        })
        .collect();
    let ask = |accuracy: f64| {
        let request = scene.points(&points).generalised_winding(accuracy);
        request.winding_numbers().expect("a mesh").winding_number().to_vec()
    };
    let summed = ask(f64::INFINITY);
    for (accuracy, least, most) in
        [(1.0, 0.1, 0.24), (2.0, 0.02, 0.06), (4.0, 0.003, 0.011), (8.0, 5e-4, 0.003)]
    {
        let off =
            ask(accuracy).iter().zip(&summed).fold(0.0_f32, |off, (x, y)| off.max((x - y).abs()));
        assert!((least..most).contains(&off), "accuracy {accuracy}: {off}");
    }
}

#[test]
fn dipoles_turn_and_grow_with_what_is_placed() {
    let random = &mut Random::new(1_350);
    let world = nested_soup(0, 800, random);
    // Exact for points of `f32` too.
    let map = Affine::rotation([0.0, 1.0, 0.0], (1.0, 0.0)) * Affine::scale(2.0);
    let placed = SceneBuilder::new().instance(&world.scene, map).build().expect("a scene");
    let points: Vec<_> = (0..scaled(150)).map(|_| random.point(-2.0, 2.0)).collect();
    let moved: Vec<_> =
        points.iter().map(|point| map.point(point.map(f64::from)).map(|x| x as f32)).collect();
    let own = world.scene.points(&points).winding_numbers().expect("meshes");
    let there = placed.points(&moved).winding_numbers().expect("meshes");
    for (own, there) in own.winding_number().iter().zip(there.winding_number()) {
        assert!((own - there).abs() < 1e-6, "{own} and {there}");
    }
}

#[test]
fn of_closed_surfaces_they_are_the_winding_numbers_by_crossings() {
    let (mut held, mut around) = (0, 0);
    for seed in 0..scaled(12) as u64 {
        let random = &mut Random::new(1_400 + seed);
        let world = RandomWorld::drawn_closed(seed as u32 % 4, random);
        let points: Vec<_> = (0..200).map(|_| random.point(-1.6, 1.6)).collect();
        let exact = world.scene.points(&points).contains().expect("closed");
        let request = world.scene.points(&points).generalised_winding(6.0);
        let inside = request.contains().expect("closed");
        let summed = world.scene.points(&points).brute_force().winding_numbers().expect("closed");
        let distances = world.scene.points(&points).distances().expect("sound");
        let signed = request.signed_distances().expect("closed");
        for (row, point) in points.iter().enumerate() {
            let context = || format!("world {seed}, {point:?}: {}", summed.winding_number()[row]);
            // Where roundings do not decide the side.
            if distances.distance()[row] < 1e-4 {
                continue;
            }
            assert!(
                (summed.winding_number()[row] - exact.winding()[row] as f32).abs() < 1e-4,
                "{}",
                context()
            );
            assert_eq!(inside.winding()[row], exact.winding()[row], "{}", context());
            assert_eq!(inside.status()[row], exact.status()[row], "{}", context());
            let sign = if exact.status()[row].is_hit() { -1.0 } else { 1.0 };
            assert_eq!(signed.distance()[row], sign * distances.distance()[row], "{}", context());
            held += 1;
            around += usize::from(exact.status()[row].is_hit());
        }
    }
    assert!(held > 2_000 && around > 100, "{held} held, {around} around");
}

/// A ball from which some triangles are missing.
fn leaky() -> Mesh {
    let mut mesh = meshes::icosphere(3, 1.0);
    mesh.triangles.drain(100..108);
    mesh
}

#[test]
fn an_open_surface_has_an_inside_if_asked_for_and_is_refused_otherwise() {
    let mesh = leaky();
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("sound");
    let random = &mut Random::new(6);
    let points: Vec<_> = (0..800).map(|_| random.point(-1.5, 1.5)).collect();
    assert!(matches!(scene.points(&points).contains(), Err(Error::OpenSurface { .. })));
    assert!(matches!(scene.points(&points).signed_distances(), Err(Error::OpenSurface { .. })));
    let request = scene.points(&points).generalised_winding(3.0);
    let inside = request.contains().expect("asked for");
    let distances = request.signed_distances().expect("asked for");
    let mut counts = [0; 2];
    for (row, point) in points.iter().enumerate() {
        let radius = point.iter().map(|x| x * x).sum::<f32>().sqrt();
        if (radius - 1.0).abs() < 0.15 {
            continue;
        }
        assert_eq!(inside.status()[row].is_hit(), radius < 1.0, "{point:?}");
        assert_eq!(distances.distance()[row] < 0.0, radius < 1.0, "{point:?}");
        assert_eq!(scene.point(*point).generalised_winding(3.0).contains(), Ok(radius < 1.0));
        counts[usize::from(radius < 1.0)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 40), "{counts:?}");
    let grid = PointGrid::new([-1.25; 3], [0.5; 3], [6; 3]).expect("a grid");
    assert!(scene.grid(&grid).occupancy_bytes().is_err());
    let options = CastOptions::new().generalised_winding(3.0);
    let bytes = scene.grid(&grid).with(&options).occupancy_bytes().expect("asked for");
    let of_middle = (0..grid.len()).filter(|&i| grid.point(i).iter().all(|x| x.abs() < 0.5));
    assert!(of_middle.map(|i| bytes[i]).eq([1; 8]) && bytes[0] == 0);
}

#[test]
fn on_the_surface_nothing_is_lost_and_changes_are_seen() -> lanecast::Result<()> {
    let mesh = meshes::icosphere(1, 1.0);
    let leaf = Arc::new(Scene::from_triangles(&mesh.vertices, &mesh.triangles)?);
    let mut scene = SceneBuilder::new()
        .geometry(Geometry::deformable_mesh(&mesh.vertices, &mesh.triangles))?
        .instance(&leaf, Affine::translation([5.0, 0.0, 0.0]) * Affine::scale(2.0))
        .instance(
            &leaf,
            Affine::translation([-5.0, 0.0, 0.0]) * Affine::scale_axes([1.0, 1.0, -1.0]),
        )
        .build()?;
    for &vertex in &mesh.vertices {
        let winding = scene.point(vertex).winding_number()?;
        assert!((0.0..=1.0).contains(&winding), "{winding}");
    }
    let at =
        |scene: &Scene, x: f32| scene.points(&[[x, 0.01, 0.02]]).brute_force().winding_numbers();
    let numbers = |scene: &Scene| -> lanecast::Result<Vec<i32>> {
        [0.0, 5.0, -5.0, 6.5, 9.0]
            .iter()
            .map(|&x| {
                let [exact, about] =
                    [at(scene, x)?, scene.points(&[[x, 0.01, 0.02]]).winding_numbers()?]
                        .map(|windings| windings.winding_number()[0]);
                assert!(
                    (exact - about).abs() < 0.1 && (exact - exact.round()).abs() < 1e-5,
                    "{exact} {about}"
                );
                Ok(exact.round() as i32)
            })
            .collect()
    };
    // A mesh that a map mirrors is inside out.
    assert_eq!(numbers(&scene)?, [1, 1, -1, 1, 0]);
    scene.set_instance_mask(0, 0)?;
    assert_eq!(numbers(&scene)?, [1, 0, -1, 0, 0]);
    scene.set_mask(0, 0)?;
    assert_eq!(numbers(&scene)?, [0, 0, -1, 0, 0]);
    scene.set_mask(0, 1)?;
    let moved: Vec<[f32; 3]> = mesh.vertices.iter().map(|&[x, y, z]| [x + 9.0, y, z]).collect();
    scene.change().threads(&Threads::ONE).refit(&[(0, &moved)])?;
    assert_eq!(numbers(&scene)?, [0, 0, -1, 0, 1]);

    // What is far away, and seen as a dipole.
    let sheet = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let two = [[0, 1, 2], [0, 1, 2]];
    let mut scene = SceneBuilder::new()
        .triangle_mesh(&sheet, &two)?
        .triangle_mesh(&sheet, &two[..1])?
        .build()?;
    let seen = |scene: &Scene| scene.point([0.25, 0.25, -9.0]).winding_number();
    let all = seen(&scene)?;
    assert!(all > 1e-4);
    scene.set_mask(0, 0)?;
    assert!((seen(&scene)? - all / 3.0).abs() < 1e-3 * all);
    Ok(())
}

#[test]
fn shapes_count_by_crossings_beside_meshes() -> lanecast::Result<()> {
    let mesh = leaky();
    let balls = [Sphere::new([3.0, 0.0, 0.0], 1.0), Sphere::new([0.0, 0.0, 0.0], 0.2)];
    let scene = SceneBuilder::new()
        .triangle_mesh(&mesh.vertices, &mesh.triangles)?
        .spheres(&balls)?
        .build()?;
    let outer = SceneBuilder::new()
        .instance(&Arc::new(scene), Affine::translation([0.0, 7.0, 0.0]))
        .build()?;
    let points = [[0.0, 7.0, 0.0], [0.5, 7.0, 0.0], [3.0, 7.5, 0.0], [9.0, 0.0, 0.0]];
    let inside = outer.points(&points).generalised_winding(4.0).contains()?;
    assert_eq!(inside.winding(), [2, 1, 1, 0]);
    Ok(())
}

/// Balls that do not say that they are closed.
#[derive(Debug)]
struct Sheets;

impl Primitives for Sheets {
    fn count(&self) -> usize {
        1
    }

    fn bounds(&self, _: u32) -> Aabb {
        Aabb { min: [0.0; 3], max: [1.0, 1.0, 0.0] }
    }

    fn intersect(&self, _: u32, _: &Ray, _: &mut dyn FnMut(SurfacePoint)) {}
}

#[test]
fn what_has_no_winding_number_is_refused_by_name() -> lanecast::Result<()> {
    let world = RandomWorld::new(&Content { meshes: vec![leaky()], ..Content::default() }, &[]);
    let points = [[0.0; 3], [f32::NAN; 3]];
    for accuracy in [0.5, f64::NAN, -1.0] {
        let request = world.scene.points(&points).generalised_winding(accuracy);
        for message in [
            request.contains().expect_err("refused").to_string(),
            request.winding_numbers().expect_err("refused").to_string(),
            request.signed_distances().expect_err("refused").to_string(),
        ] {
            assert!(message.starts_with("generalised_winding: accuracy is "), "{message}");
        }
    }
    let windings = world.scene.points(&points).winding_numbers()?;
    assert_eq!(windings.status(), [Status::Hit, Status::InvalidOrigin]);
    let scene = SceneBuilder::new().primitives(Arc::new(Sheets))?.build()?;
    let refused = scene.points(&points).winding_numbers();
    assert_eq!(refused, Err(Error::NotClosed { geometry_id: 0, instance_path: vec![] }));
    let empty = SceneBuilder::new().build()?;
    assert_eq!(empty.points(&points[..1]).winding_numbers()?.winding_number(), [0.0]);
    Ok(())
}

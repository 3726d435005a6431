//! What is nearest to points: held against `f64`, against brute force, on every backend.

use std::ops::ControlFlow;

use crate::closest_placed::ask::ask_in_every_way;
use crate::common::backends::every_backend;
use crate::common::scale::scaled;
use crate::common::strategies::{cases, coordinate, triple};
use lanecast::{
    Error, INVALID_ID, Progress, Scene, SceneBuilder, Status, Threads,
    answers::{ClosestPoint, ClosestPointBatch, DistanceBatch, PerRow},
};
use lanecast_reference::inside::winding;
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::placed::nearest::nearest;
use lanecast_reference::random::Random;
use lanecast_reference::vector::{cross, length, minus, vector};
use lanecast_reference::world::World;
use proptest::prelude::*;

fn count() -> usize {
    scaled(400)
}

fn scene_of(meshes: &[Mesh]) -> Scene {
    let mut builder = SceneBuilder::new();
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    }
    builder.build().expect("a scene")
}

/// All triangles with their ids.
fn triangles(meshes: &[Mesh]) -> impl Iterator<Item = ([[f32; 3]; 3], [u32; 2])> {
    (0..).zip(meshes).flat_map(|(geometry, mesh)| {
        (0..mesh.triangles.len())
            .map(move |triangle| (mesh.corners(triangle), [geometry, triangle as u32]))
    })
}

/// The greatest coordinate of a triangle and a point.
fn size(corners: [[f32; 3]; 3], point: [f32; 3]) -> f64 {
    corners.iter().chain([&point]).flatten().fold(0.0, |size, x| size.max(f64::from(x.abs())))
}

/// Between what bounds the distance of a triangle lies, as the reference is rounded too.
fn bounds_of(corners: [[f32; 3]; 3], point: [f32; 3]) -> [f64; 2] {
    let (distance, rounding) = (nearest(point, corners).1, 1e-13 * size(corners, point) + 1e-44);
    [distance - rounding, distance + rounding]
}

/// The same of the nearest of all triangles.
fn bounds_of_nearest(meshes: &[Mesh], point: [f32; 3]) -> [f64; 2] {
    triangles(meshes)
        .map(|(corners, _)| bounds_of(corners, point))
        .fold([f64::MAX; 2], |[low, high], [from, to]| [low.min(from), high.min(to)])
}

/// What was found must be what `f64` finds, but for rounding.
fn hold_against_reference(
    name: &str,
    meshes: &[Mesh],
    points: &[[f32; 3]],
    found: &ClosestPointBatch,
) {
    for (row, &point) in points.iter().enumerate() {
        let context = || format!("{name}, {point:?}: {:?}", found.get(row));
        let closest = found.get(row).unwrap_or_else(|| panic!("{}: nothing", context()));
        let [low, high] = bounds_of_nearest(meshes, point);
        let distance = f64::from(closest.distance);
        assert!(
            low * (1.0 - 1e-7) <= distance && distance <= high * (1.0 + 1e-7),
            "{}: {high:e}",
            context()
        );
        let corners = meshes[closest.geometry_id as usize].corners(closest.primitive_id as usize);
        assert!(bounds_of(corners, point)[0] <= high, "{}: not of {high:e}", context());
        // The closest point is as near as it is said to be, and where the weights say.
        let (at, coarse) = (vector(closest.point), 2e-7 * size(corners, point) + 1e-44);
        assert!((length(minus(at, vector(point))) - distance).abs() <= coarse, "{}", context());
        let [a, b, c] = corners.map(vector);
        let (u, v) = (f64::from(closest.u), f64::from(closest.v));
        assert!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 + 1e-6, "{}", context());
        for axis in 0..3 {
            let weighted = (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis];
            assert!((weighted - at[axis]).abs() <= 2.0 * coarse, "{}: {weighted:e}", context());
        }
    }
}

/// Near a mesh, on its vertices, and here and there far away.
fn points_around(meshes: &[Mesh], random: &mut Random) -> Vec<[f32; 3]> {
    let vertices: Vec<_> = meshes.iter().flat_map(|mesh| mesh.vertices.iter().copied()).collect();
    let bounds = lanecast::Aabb::around(vertices.iter().copied());
    (0..count())
        .map(|place| {
            let near = random.pick(&vertices);
            let reach = random.pick(&[0.0, 1e-3, 0.1, 1.0, 1.0, 1.0, 30.0, 1e6]);
            if place % 4 == 0 {
                std::array::from_fn(|axis| random.between(bounds.min[axis], bounds.max[axis]))
            } else {
                let off = random.direction();
                std::array::from_fn(|axis| near[axis] + reach * off[axis])
            }
        })
        .collect()
}

/// Segments and points among triangles, in every order of their corners.
fn degenerate(random: &mut Random) -> Mesh {
    let triangles: Vec<_> = (0..200)
        .map(|place| {
            let (a, b) = (random.point(-1.0, 1.0), random.point(-1.0, 1.0));
            let middle = std::array::from_fn(|axis| 0.5 * (a[axis] + b[axis]));
            match place % 6 {
                0 => [a, a, a],
                1 => [a, a, b],
                2 => [a, b, a],
                3 => [b, a, a],
                4 => [a, middle, b],
                _ => [a, b, random.point(-1.0, 1.0)],
            }
        })
        .collect();
    Mesh::of_triangles(&triangles)
}

fn everywhere() -> Vec<(&'static str, Vec<Mesh>)> {
    let mut random = Random::new(11);
    vec![
        ("icosphere", vec![meshes::icosphere(2, 1.0)]),
        ("soup", vec![meshes::soup(300, &mut random)]),
        ("slivers", vec![meshes::slivers(200, &mut random)]),
        ("terrain", vec![meshes::terrain(12, &mut random)]),
        ("hairball", vec![meshes::hairball(200, &mut random)]),
        ("degenerate", vec![degenerate(&mut random)]),
        ("one triangle", vec![meshes::soup(1, &mut random)]),
        (
            "geometries",
            vec![
                meshes::soup(40, &mut random),
                Mesh::default(),
                meshes::icosphere(1, 0.5).moved([1.0, 2.0, 0.0]),
                meshes::tessellated_box(2),
            ],
        ),
        ("far from zero", vec![meshes::icosphere(2, 1.0).moved([5e5, -3e5, 1e4])]),
    ]
}

#[test]
fn the_nearest_of_all_triangles_is_found() {
    let mut random = Random::new(12);
    for (name, meshes) in everywhere() {
        let points = points_around(&meshes, &mut random);
        let scene = scene_of(&meshes);
        let found = ask_in_every_way(name, &scene, &points, PerRow::Same(f32::INFINITY));
        hold_against_reference(name, &meshes, &points, &found);
    }
}

proptest! {
    #![proptest_config(cases(scaled(300) as u32))]

    #[test]
    fn no_triangle_is_lost_whatever_its_size_and_place(
        corners in prop::collection::vec([triple(coordinate().boxed()), triple(coordinate().boxed()), triple(coordinate().boxed())], 1..40),
        points in prop::collection::vec(triple(coordinate().boxed()), 1..20),
    ) {
        let meshes = [Mesh::of_triangles(&corners)];
        let scene = scene_of(&meshes);
        let found = ask_in_every_way("drawn", &scene, &points, PerRow::Same(f32::INFINITY));
        hold_against_reference("drawn", &meshes, &points, &found);
        // What lies at the radius is within it.
        let radii = found.distance();
        let within = ask_in_every_way("at the radius", &scene, &points, PerRow::Each(radii));
        for (row, &point) in points.iter().enumerate() {
            let [low, high] = bounds_of_nearest(&meshes, point);
            let radius = f64::from(radii[row]);
            match within.get(row) {
                Some(closest) => {
                    prop_assert_eq!(Some(closest), found.get(row));
                    prop_assert!(low <= radius);
                }
                None => prop_assert!(high > radius),
            }
        }
    }
}

fn nearest_of(meshes: &[Mesh], point: [f32; 3]) -> f64 {
    triangles(meshes).map(|(corners, _)| nearest(point, corners).1).fold(f64::MAX, f64::min)
}

#[test]
fn ties_at_shared_edges_and_vertices_go_to_the_lowest_ids() {
    let mut random = Random::new(13);
    // Numbered at random, so that the first to be visited is seldom the lowest; corners turned, so
    // that edges are run along both ways.
    let shuffled = |mut mesh: Mesh, random: &mut Random| {
        random.shuffle(&mut mesh.triangles);
        for triangle in &mut mesh.triangles {
            triangle.rotate_left(random.below(3));
        }
        mesh
    };
    let sphere = shuffled(meshes::icosphere(2, 1.0), &mut random);
    // Outside of a convex solid, edges and vertices are nearest to most points.
    let outside: Vec<_> = (0..3 * count())
        .map(|_| {
            let (away, direction) = (random.pick(&[1.3, 4.0, 40.0]), random.direction());
            let length = direction.map(|x| x * x).iter().sum::<f32>().sqrt();
            direction.map(|x| away / length * x)
        })
        .collect();
    // On a lattice everything is exact, also where flat faces meet.
    let solid = shuffled(meshes::tessellated_box(4), &mut random);
    let lattice: Vec<[f32; 3]> = (0..count())
        .map(|_| std::array::from_fn(|_| random.below(33) as f32 * 0.125 - 2.0))
        .collect();
    for (name, mesh, points) in [("sphere", sphere, outside), ("box", solid, lattice)] {
        let meshes = [mesh];
        let scene = scene_of(&meshes);
        let found = ask_in_every_way(name, &scene, &points, PerRow::Same(f32::INFINITY));
        let mut shared = 0;
        for (row, &point) in points.iter().enumerate() {
            let least = nearest_of(&meshes, point);
            let as_near: Vec<_> = triangles(&meshes)
                .filter(|&(corners, _)| nearest(point, corners).1 <= least * (1.0 + 1e-14))
                .map(|(_, ids)| ids)
                .collect();
            shared += usize::from(as_near.len() > 1);
            let ids = [found.geometry_id()[row], found.primitive_id()[row]];
            assert_eq!(Some(&ids), as_near.iter().min(), "{name}, {point:?}: of {as_near:?}");
        }
        assert!(
            shared > count() / 4,
            "{name}: {shared} points with more than one nearest triangle"
        );
    }
}

/// An edge is measured from its nearer end, whichever way a triangle runs along it. Of ends that are
/// equally far both triangles have to take the same one, as sums round.
#[test]
fn an_edge_equally_far_at_both_ends_is_the_same_for_both_triangles() {
    let mut random = Random::new(29);
    let mut equally_far = 0;
    for _ in 0..scaled(2_000) {
        // Of the same coordinates, so that from the origin both are as far but for the last bits.
        let a = [0; 3].map(|_| 1.0 + random.unit_f64());
        let b = [a[1], a[2], a[0]];
        let square = |of: [f64; 3]| of[0] * of[0] + of[1] * of[1] + of[2] * of[2];
        equally_far += usize::from(square(a) == square(b));
        // Farther away on both sides, so that the edge is nearest.
        let normal = cross(a, b);
        let [c, d] = [1.0, -1.0]
            .map(|side| [0, 1, 2].map(|axis| 2.0 * (a[axis] + b[axis]) + side * normal[axis]));
        let vertices = [a, b, c, d];
        let found = [[[0, 1, 2], [1, 0, 3]], [[1, 0, 3], [0, 1, 2]]].map(|triangles| {
            let scene = Scene::<f64>::from_triangles(&vertices, &triangles).expect("a scene");
            scene.point([0.0; 3]).closest(f64::INFINITY).expect("an answer").expect("a point")
        });
        let [first, second] = found.map(|near| (near.primitive_id, near.distance));
        assert_eq!(first, second, "{a:?}");
        assert_eq!(first.0, 0, "{a:?}");
    }
    assert!(equally_far > scaled(500), "{equally_far} edges with ends that are equally far");
}

#[test]
fn a_vertex_that_is_nearest_is_the_answer_itself() {
    let mesh = meshes::icosphere(1, 1.0);
    let points: Vec<_> = mesh.vertices.iter().map(|vertex| vertex.map(|x| 3.0 * x)).collect();
    let scene = scene_of(std::slice::from_ref(&mesh));
    let found = ask_in_every_way("vertices", &scene, &points, PerRow::Same(f32::INFINITY));
    assert_eq!(found.point(), mesh.vertices);
    let found = ask_in_every_way("on vertices", &scene, &mesh.vertices, PerRow::Same(0.0));
    assert_eq!(found.distance(), vec![0.0; mesh.vertices.len()]);
}

#[test]
fn what_lies_at_the_radius_is_found_and_beyond_it_nothing() {
    let vertices = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    let scene = Scene::from_triangles(&vertices, &[[0, 1, 2]]).expect("a triangle");
    let points =
        [[1.0, 1.0, 3.0], [1.0, 1.0, 3.0], [-3.0, -4.0, 0.0], [-3.0, -4.0, 0.0], [1.0, 1.0, 0.0]];
    let radii = [3.0, 3.0_f32.next_down(), 5.0, 5.0_f32.next_down(), 0.0];
    let found = ask_in_every_way("radii", &scene, &points, PerRow::Each(&radii));
    assert_eq!(found.status(), [Status::Hit, Status::Miss, Status::Hit, Status::Miss, Status::Hit]);
    assert_eq!(found.distance(), [3.0, f32::INFINITY, 5.0, f32::INFINITY, 0.0]);
    assert_eq!(found.primitive_id(), [0, INVALID_ID, 0, INVALID_ID, 0]);
    assert_eq!(found.geometric_normal()[0], [0.0, 0.0, 16.0]);
    assert_eq!(found.get(1), None);
    let sphere = [meshes::icosphere(2, 1.0)];
    let points = points_around(&sphere, &mut Random::new(14));
    let scene = scene_of(&sphere);
    let found = ask_in_every_way("a radius", &scene, &points, PerRow::Same(0.25));
    let near = found.status().iter().filter(|status| status.is_hit()).count();
    assert!(near > count() / 20 && near < count(), "{near} of {}", count());
    for (row, &point) in points.iter().enumerate() {
        assert_eq!(found.status()[row].is_hit(), nearest_of(&sphere, point) <= 0.25, "{point:?}");
    }
}

#[test]
fn hidden_geometries_are_left_out() {
    let (near, far) = (meshes::icosphere(1, 1.0), meshes::icosphere(2, 2.0));
    let meshes = [near, far.clone()];
    let mut scene = scene_of(&meshes);
    let points: Vec<_> = points_around(&meshes, &mut Random::new(15));
    scene.set_mask(0, 0).expect("a geometry");
    let found = ask_in_every_way("hidden", &scene, &points, PerRow::Same(f32::INFINITY));
    assert!(found.geometry_id().iter().all(|&id| id == 1));
    let alone = scene_of(&[far]);
    let expected = alone.points(&points).closest(f32::INFINITY).expect("sound");
    assert_eq!(
        (found.distance(), found.primitive_id()),
        (expected.distance(), expected.primitive_id())
    );
    scene.set_mask(1, 0).expect("a geometry");
    let found = ask_in_every_way("all hidden", &scene, &points, PerRow::Same(f32::INFINITY));
    assert!(found.status().iter().all(|&status| status == Status::Miss));
}

#[test]
fn nothing_is_near_in_a_scene_without_triangles() {
    let scene = scene_of(&[]);
    let found =
        ask_in_every_way("nothing", &scene, &[[0.0; 3], [1e30; 3]], PerRow::Same(f32::INFINITY));
    assert_eq!(found.status(), [Status::Miss; 2]);
    assert_eq!(found.distance(), [f32::INFINITY; 2]);
    assert_eq!(scene.point([0.0; 3]).closest(1.0), Ok(None));
    assert_eq!(
        (scene.point([0.0; 3]).distance(), scene.point([0.0; 3]).signed_distance()),
        (Ok(f32::INFINITY), Ok(f32::INFINITY))
    );
    assert_eq!(ClosestPoint::<f32>::NONE.geometry_id, INVALID_ID);
}

#[test]
fn a_point_or_radius_of_no_use_is_told_in_its_row() {
    let scene = scene_of(&[meshes::icosphere(1, 1.0)]);
    let sound = [2.0, 0.0, 0.0];
    let points = [
        sound,
        [f32::NAN, 0.0, 0.0],
        [0.0, f32::INFINITY, 0.0],
        [0.0, 0.0, -2e30],
        sound,
        sound,
        sound,
    ];
    let radii = [9.0, 9.0, 9.0, f32::NAN, f32::NAN, -1.0, f32::NEG_INFINITY];
    let found = ask_in_every_way("bad rows", &scene, &points, PerRow::Each(&radii));
    let bad = Status::InvalidOrigin;
    let (no_interval, empty) = (Status::InvalidInterval, Status::EmptyInterval);
    assert_eq!(found.status(), [Status::Hit, bad, bad, bad, no_interval, empty, empty]);
    assert_eq!(found.distance()[1], f32::INFINITY);
    let distances = scene.points(&points[..4]).signed_distances().expect("a closed surface");
    assert_eq!(distances.status(), [Status::Hit, bad, bad, bad]);
    let mut found = found;
    let refused = scene.points(&points).closest_into(&radii[1..], &mut found);
    assert_eq!(refused, Err(Error::ColumnLength { column: "radii", found: 6, expected: 7 }));
    assert_eq!(found, ClosestPointBatch::new(), "answers of an earlier batch");
    // The memory of a batch is used again, with or without normals.
    for normals in [true, false] {
        scene
            .points(&points)
            .geometric_normals(normals)
            .closest_into(1.5, &mut found)
            .expect("sound");
        assert_eq!(found.geometric_normal().len(), if normals { points.len() } else { 0 });
    }
}

#[test]
fn the_watcher_hears_of_points_and_stops_them() {
    let scene = scene_of(&[meshes::icosphere(2, 1.0)]);
    let points = vec![[2.0, 0.5, 0.0]; 10_000];
    // It is asked while points are looked at, too.
    let stop = |progress: Progress| match progress.done {
        0 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let request = scene.points(&points).threads(&Threads::ONE).watch(&stop);
    let (mut closest, mut distances) = (ClosestPointBatch::new(), DistanceBatch::new());
    let stopped = |result| matches!(result, Err(Error::Stopped { done: 1.., total: 10_000 }));
    assert!(stopped(request.closest_into(f32::INFINITY, &mut closest)));
    assert!(stopped(request.distances_into(&mut distances)));
    assert!(stopped(request.signed_distances_into(&mut distances)));
    assert!(closest.is_empty() && distances.is_empty());
}

/// Signs by solid angles, which know nothing of rays, and distances by the reference.
fn check_signed(name: &str, meshes: &[Mesh], points: &[[f32; 3]]) -> usize {
    let scene = scene_of(meshes);
    let request = scene.points(points);
    let expected = request.clone().brute_force().signed_distances().expect("a closed surface");
    for backend in every_backend() {
        for threads in [Threads::ONE, Threads::ALL] {
            let request = request.clone().backend(backend).threads(&threads);
            let found = request.signed_distances().expect("a closed surface");
            assert!(found == expected, "{name}, {backend}: the tree shows");
        }
        for (&point, &distance) in points.iter().zip(expected.distance()).take(5) {
            let request = scene.point(point).backend(backend);
            assert_eq!(request.signed_distance(), Ok(distance), "{name}, {backend}");
            assert_eq!(request.brute_force().signed_distance(), Ok(distance), "{name}, {backend}");
        }
    }
    let world =
        World::of_meshes(meshes.iter().map(|mesh| (&mesh.vertices[..], &mesh.triangles[..])));
    let (mut inside, mut told) = (0, 0);
    for (&point, &distance) in points.iter().zip(expected.distance()) {
        let unsigned = nearest_of(meshes, point);
        assert!(
            (f64::from(distance.abs()) - unsigned).abs() <= 1e-7 * unsigned + 1e-13,
            "{name}, {point:?}"
        );
        if let Some(winding) = winding(&world, point) {
            assert_eq!(distance < 0.0, winding != 0, "{name}, {point:?}: {distance}");
            told += 1;
        }
        inside += usize::from(distance < 0.0);
    }
    assert!(told > points.len() * 9 / 10, "{name}: brute force tells of {told} points");
    inside
}

#[test]
fn signs_are_right_beside_sharp_edges() {
    // Where the nearest triangle shows its back to points outside: the normal at the nearest edge
    // or vertex tells nothing.
    let sharp = Mesh {
        vertices: vec![[0.0, 0.0, 0.0], [4.0, 0.05, 0.0], [4.0, -0.05, 0.0], [4.0, 0.0, 0.3]],
        triangles: vec![[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]],
    };
    let mut random = Random::new(17);
    let points: Vec<_> = (0..count())
        .map(|_| [random.between(-1.0, 5.0), random.between(-0.2, 0.2), random.between(-0.2, 0.5)])
        .collect();
    assert!(check_signed("sharp", &[sharp], &points) > 0);
}

#[test]
fn signed_distance_to_an_open_surface_says_where_it_is_open() {
    let mut mesh = meshes::icosphere(2, 1.0);
    mesh.triangles.remove(7);
    let scene = scene_of(&[mesh]);
    let edge = scene.open_edge().expect("it is open");
    let error = Error::OpenSurface {
        geometry_id: 0,
        primitive_id: edge.primitive_id,
        ends: edge.ends.map(|end| end.map(f64::from)),
    };
    let points = [[0.0; 3]];
    let mut distances = scene.points(&points).distances().expect("it has no sign");
    assert_eq!(distances.len(), 1);
    assert_eq!(scene.points(&points).signed_distances_into(&mut distances), Err(error.clone()));
    assert_eq!(distances, DistanceBatch::new(), "answers of an earlier batch");
    assert_eq!(scene.point([0.0; 3]).signed_distance(), Err(error));
    scene.points(&points).distances_into(&mut distances).expect("it has no sign");
    assert_eq!(distances.status(), [Status::Hit]);
}

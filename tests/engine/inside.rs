//! Which points are inside, held against solid angles: what a surface goes around is seen all
//! around.

use std::sync::Arc;

use crate::common::backends::every_backend;
use crate::common::ply;
use crate::common::scale::scaled;
use lanecast::primitive::{Primitives, SurfacePoint};
use lanecast::{
    Aabb, Affine, CastOptions, Error, PointGrid, Ray, Scene, SceneBuilder, Status, Threads,
    answers::InsideBatch, scene::OpenEdge,
};
use lanecast_reference::inside::winding;
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::world::World;

fn count() -> usize {
    scaled(500)
}

fn scene_of(meshes: &[Mesh]) -> Scene {
    let mut builder = SceneBuilder::new();
    for mesh in meshes {
        builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    }
    builder.build().expect("a scene")
}

fn reversed(mesh: &Mesh) -> Mesh {
    let triangles = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    Mesh { triangles, vertices: mesh.vertices.clone() }
}

/// Every way to ask must give what brute force says, where it says anything. Returns how many
/// points are inside.
fn check(name: &str, meshes: &[Mesh], points: &[[f32; 3]]) -> usize {
    let scene = scene_of(meshes);
    assert_eq!(scene.open_edge(), None, "{name}");
    let world =
        World::of_meshes(meshes.iter().map(|mesh| (&mesh.vertices[..], &mesh.triangles[..])));
    let expected: Vec<_> = points.iter().map(|&point| winding(&world, point)).collect();
    let told = expected.iter().flatten().count();
    assert!(told > points.len() / 2, "{name}: brute force tells of {told} points");
    let request = scene.points(points);
    let scanned = request.clone().brute_force().contains().expect("a closed surface");
    for backend in every_backend() {
        for threads in [Threads::ONE, Threads::ALL] {
            let inside = request
                .clone()
                .backend(backend)
                .threads(&threads)
                .contains()
                .expect("a closed surface");
            assert!(inside == scanned, "{name}, {backend}: the tree shows");
            for ((&expected, &found), point) in expected.iter().zip(inside.winding()).zip(points) {
                assert!(
                    expected.is_none_or(|expected| expected == found),
                    "{name}, {backend}, {point:?}: {found}"
                );
            }
        }
        for (&point, status) in points.iter().zip(scanned.status()).take(100) {
            let found = scene.point(point).backend(backend).contains();
            assert_eq!(found, Ok(status.is_hit()), "{name}, {backend}, {point:?}");
        }
    }
    check_signed_counts(name, &scene, points, &expected);
    scanned.status().iter().filter(|status| status.is_hit()).count()
}

/// Signed counts tell winding numbers: of both ends of segments, and of the origins of rays.
fn check_signed_counts(name: &str, scene: &Scene, points: &[[f32; 3]], winding: &[Option<i32>]) {
    let segments: Vec<_> = points.windows(2).map(|ends| Ray::segment(ends[0], ends[1])).collect();
    let of_segments = winding.windows(2).map(|ends| Some(ends[1]? - ends[0]?));
    let directions = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.6, 0.3, -0.9]];
    let rays =
        points.iter().enumerate().map(|(row, &origin)| Ray::new(origin, directions[row % 3]));
    let of_rays = winding.iter().map(|winding| winding.map(|winding| -winding));
    let expected: Vec<_> = of_segments.chain(of_rays).collect();
    let rays: Vec<_> = segments.into_iter().chain(rays).collect();
    for backend in every_backend() {
        let request = scene.cast(&*rays).backend(backend);
        let counts = request.signed_count().expect("signed counts");
        assert!(
            counts == request.clone().brute_force().signed_count().expect("signed counts"),
            "{name}, {backend}: the tree shows"
        );
        let mut told = 0;
        for ((ray, &expected), &found) in rays.iter().zip(&expected).zip(counts.count()) {
            assert!(
                expected.is_none_or(|expected| expected == found),
                "{name}, {backend}, {ray:?}: {found}, not {expected:?}"
            );
            told += usize::from(expected.is_some_and(|expected| expected != 0));
        }
        assert!(told > 5, "{name}: {told} counts that are not 0");
        for (ray, &found) in rays.iter().zip(counts.count()).step_by(7).take(50) {
            assert_eq!(
                scene.cast(ray).backend(backend).signed_count(),
                Ok(found),
                "{name}, {ray:?}"
            );
        }
    }
}

/// Anywhere around a mesh, and at the heights of its vertices, so that rays along x go through them
/// and along edges.
fn points_at(mesh: &Mesh, random: &mut Random) -> Vec<[f32; 3]> {
    let bounds = lanecast::Aabb::around(mesh.vertices.iter().copied());
    let anywhere = |random: &mut Random| -> [f32; 3] {
        std::array::from_fn(|axis| random.between(bounds.min[axis] - 0.1, bounds.max[axis] + 0.1))
    };
    (0..count())
        .map(|_| {
            let [x, y, z] = anywhere(random);
            let [_, at_y, at_z] = random.pick(&mesh.vertices);
            random.pick(&[[x, y, z], [x, at_y, at_z], [x, at_y, z], [x, y, at_z]])
        })
        .collect()
}

#[test]
fn solids_seen_through_vertices_and_along_edges() {
    let mut random = Random::new(1);
    for (name, mesh) in
        [("icosphere", meshes::icosphere(3, 1.0)), ("box", meshes::tessellated_box(4))]
    {
        let points = points_at(&mesh, &mut random);
        assert!(check(name, std::slice::from_ref(&mesh), &points) > count() / 4, "{name}");
        let turned = reversed(&mesh);
        assert!(check(&format!("{name} inside out"), &[turned], &points) > count() / 4, "{name}");
    }
}

#[test]
fn a_cavity_is_outside_and_what_overlaps_is_inside_twice() {
    let mut random = Random::new(2);
    let outer = meshes::icosphere(3, 1.0);
    let points = points_at(&outer, &mut random);
    let hollow = [outer.clone(), reversed(&meshes::icosphere(2, 0.5))];
    check("hollow sphere", &hollow, &points);
    let scene = scene_of(&hollow);
    assert_eq!(scene.point([0.0; 3]).contains(), Ok(false));
    assert_eq!(scene.point([0.75, 0.0, 0.0]).contains(), Ok(true));
    let overlapping = [outer, meshes::icosphere(2, 0.5).moved([0.8, 0.0, 0.0])];
    check("overlapping spheres", &overlapping, &points);
    let points = [[0.9, 0.0, 0.0], [0.0; 3], [1.2, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let inside = scene_of(&overlapping).points(&points).contains().expect("closed surfaces");
    assert_eq!(inside.winding(), [2, 1, 1, 0]);
}

#[test]
fn the_shipped_solid_with_handles_and_a_cavity() {
    let mesh = ply::shipped("gyroid.ply");
    let mut points = points_at(&mesh, &mut Random::new(3));
    points.truncate(count() / 10);
    let inside = check("gyroid", &[mesh], &points);
    assert!(inside > points.len() / 20, "{inside} points are inside");
}

#[test]
fn a_surface_that_is_open_says_where() {
    let mut mesh = meshes::icosphere(2, 1.0);
    let lost = mesh.corners(7);
    mesh.triangles.remove(7);
    let scene = scene_of(&[meshes::icosphere(1, 0.2), mesh.clone()]);
    let Some(OpenEdge { geometry_id, primitive_id, ends }) = scene.open_edge() else {
        panic!("it is open")
    };
    assert_eq!(geometry_id, 1);
    let corners = mesh.corners(primitive_id as usize);
    assert!(ends.iter().all(|end| corners.contains(end) && lost.contains(end)), "{ends:?}");
    let ends = ends.map(|end| end.map(f64::from));
    let error = Error::OpenSurface { geometry_id, primitive_id, ends };
    assert_eq!(scene.point([0.0; 3]).contains(), Err(error.clone()));
    let closed = scene_of(&[meshes::icosphere(1, 0.2)]);
    let mut inside = closed.points(&[[0.0; 3]]).contains().expect("a closed surface");
    assert_eq!(inside.winding(), [1]);
    assert_eq!(scene.points(&[[0.0; 3]]).contains_into(&mut inside), Err(error));
    assert_eq!(inside, InsideBatch::new(), "answers of an earlier batch");
}

#[test]
fn surfaces_that_close_by_coordinates_are_closed() {
    // Each triangle with vertices of its own, some of them −0.
    let mesh = meshes::tessellated_box(2);
    let loose: Vec<_> = (0..mesh.triangles.len())
        .map(|triangle| {
            mesh.corners(triangle)
                .map(|corner| corner.map(|x| if triangle % 2 == 0 { -(-x) } else { x - 0.0 }))
        })
        .map(|corners| corners.map(|corner| corner.map(|x| if x == 0.0 { -0.0 } else { x })))
        .collect();
    let mixed: Vec<_> =
        loose
            .iter()
            .enumerate()
            .map(|(place, corners)| {
                if place % 2 == 0 {
                    *corners
                } else {
                    corners.map(|corner| corner.map(|x| x + 0.0))
                }
            })
            .collect();
    assert_eq!(scene_of(&[Mesh::of_triangles(&mixed)]).open_edge(), None);
    // Wound the other way, a triangle is no part of its neighbours' surface.
    let mut twisted = mesh.clone();
    twisted.triangles[5].swap(0, 1);
    assert!(scene_of(&[twisted]).open_edge().is_some());
    // Nothing is closed, and contains nothing.
    let nothing = scene_of(&[]);
    assert_eq!((nothing.open_edge(), nothing.point([0.0; 3]).contains()), (None, Ok(false)));
}

#[test]
fn open_edges_whose_hashes_cancel_are_open() {
    // Sixteen triangles apart from each other. Where SipHash of the corners' bits, with keys of 0,
    // was taken of each edge and its negative of the reverse, the sum of all was 0.
    let xs = [
        0, 22_550, 59_544, 58_582, 10_050, 8_464, 54_498, 16_822, 3_828, 17_804, 22_350, 28_732,
        19_426, 41_302, 28_934, 20_098,
    ];
    let triangles: Vec<_> = (0..)
        .zip(xs)
        .map(|(y, x)| [[x, y, 0], [x + 1, y, 0], [x, y, 1]].map(|corner| corner.map(|x| x as f32)))
        .collect();
    let scene = scene_of(&[Mesh::of_triangles(&triangles)]);
    let ends = [triangles[0][0], triangles[0][1]];
    assert_eq!(scene.open_edge(), Some(OpenEdge { geometry_id: 0, primitive_id: 0, ends }));
}

#[test]
fn a_point_that_is_none_is_told_in_its_row() {
    let scene = scene_of(&[meshes::icosphere(1, 1.0)]);
    let points = [[0.0; 3], [f32::NAN, 0.0, 0.0], [5.0, 0.0, 0.0], [0.0, f32::INFINITY, 0.0]];
    let inside = scene.points(&points).contains().expect("a closed surface");
    assert_eq!(
        inside.status(),
        [Status::Hit, Status::InvalidOrigin, Status::Miss, Status::InvalidOrigin]
    );
    assert_eq!(
        scene.point(points[1]).contains(),
        Err(Error::InvalidRay { status: Status::InvalidOrigin })
    );
}

#[test]
fn a_grid_is_what_its_points_are_one_by_one() {
    let hollow = [meshes::icosphere(2, 1.0), reversed(&meshes::icosphere(1, 0.5))];
    let scene = scene_of(&hollow);
    // As many points as fill no last byte, and enough for many chunks; along x through the vertices
    // at height 0.
    let sizes = [31, 23, scaled(40)];
    for (origin, spacing, counts) in [
        ([-1.2, -1.2, 0.0], [0.24, 0.3, 0.17], sizes),
        ([0.9, 0.3, 0.0], [-0.1, 0.0, 0.25], [sizes[0], 1, 2]),
        ([-1.0, 0.0, 0.0], [0.5, 1.0, 1.0], [5, 1, 1]),
        ([0.0; 3], [1.0; 3], [0, 3, 5]),
    ] {
        let grid = PointGrid::new(origin, spacing, counts).expect("a sound grid");
        let points: Vec<_> = (0..grid.len()).map(|index| grid.point(index)).collect();
        assert_eq!(points.len(), counts.iter().product::<usize>());
        for backend in every_backend() {
            for threads in [Threads::ONE, Threads::ALL] {
                let options = CastOptions::new().backend(backend).threads(&threads);
                let request = scene.grid(&grid).with(&options);
                let inside =
                    scene.points(&points).with(&options).contains().expect("a closed surface");
                let expected: Vec<_> =
                    inside.status().iter().map(|status| u8::from(status.is_hit())).collect();
                let (mut bytes, mut bits) = (vec![7; 3], vec![7; 3]);
                request.occupancy_bytes_into(&mut bytes).expect("a closed surface");
                assert_eq!(bytes, expected, "{backend}, {grid:?}");
                request.occupancy_bits_into(&mut bits).expect("a closed surface");
                assert_eq!(bits.len(), points.len().div_ceil(8));
                let unpacked: Vec<_> =
                    (0..8 * bits.len()).map(|at| bits[at / 8] >> (at % 8) & 1).collect();
                assert_eq!(unpacked[..points.len()], expected, "{backend}, {grid:?}");
                assert!(
                    unpacked[points.len()..].iter().all(|&bit| bit == 0),
                    "{backend}, {grid:?}"
                );
                let scanned = request.brute_force().occupancy_bits().expect("a closed surface");
                assert_eq!(scanned, bits, "{backend}, {grid:?}: the tree shows");
            }
        }
    }
    let grid = PointGrid::new([-1.0, 0.0, 0.0], [0.5, 1.0, 1.0], [5, 1, 1]).expect("a sound grid");
    assert_eq!(grid.point(3), [0.5, 0.0, 0.0]);
    let mut mesh = meshes::icosphere(1, 1.0);
    mesh.triangles.pop();
    let mut bits = vec![1];
    let refused = scene_of(&[mesh]).grid(&grid).occupancy_bits_into(&mut bits);
    assert!(matches!(refused, Err(Error::OpenSurface { .. })) && bits.is_empty());
}

#[test]
fn a_grid_of_no_use_says_why() {
    let refused = |origin, spacing, counts| match PointGrid::new(origin, spacing, counts) {
        Err(Error::UnusableGrid { axis, .. }) => axis,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused([0.0, f32::NAN, 0.0], [1.0; 3], [1; 3]), "y");
    assert_eq!(refused([0.0; 3], [1.0, 1.0, f32::INFINITY], [1; 3]), "z");
    assert_eq!(refused([0.0; 3], [1e30, 1.0, 1.0], [4, 1, 1]), "x");
    assert_eq!(refused([2e30, 0.0, 0.0], [0.0; 3], [1; 3]), "x");
    assert_eq!(refused([0.0; 3], [0.0; 3], [usize::MAX, 2, 1]), "z");
    let huge =
        PointGrid::new([0.0; 3], [0.0; 3], [usize::MAX, 1, 1]).expect("as many as can be counted");
    let answer = scene_of(&[]).grid(&huge).occupancy_bytes_into(&mut Vec::new());
    assert_eq!(answer, Err(Error::AnswersTooLarge { rows: usize::MAX }));
}

/// A box in two halves, each a geometry that is open by itself.
fn halves() -> [Mesh; 2] {
    let whole = meshes::tessellated_box(2);
    let (first, second) = whole.triangles.split_at(whole.triangles.len() / 3);
    [first, second]
        .map(|triangles| Mesh { triangles: triangles.to_vec(), vertices: whole.vertices.clone() })
}

#[test]
fn what_is_hidden_closes_nothing() {
    let mut scene = scene_of(&halves());
    let is_refused = |scene: &Scene, geometry: u32| {
        matches!(scene.open_edge(), Some(OpenEdge { geometry_id, .. }) if geometry_id == geometry)
            && matches!(scene.point([0.0; 3]).contains(), Err(Error::OpenSurface { geometry_id, .. }) if geometry_id == geometry)
            && scene.point([0.0; 3]).signed_distance().is_err()
    };
    assert_eq!(scene.point([0.0; 3]).contains(), Ok(true));
    scene.set_mask(0, 0).unwrap();
    assert!(is_refused(&scene, 1));
    scene.set_mask(0, 1 << 7).unwrap();
    assert_eq!(scene.point([0.0; 3]).contains(), Ok(true));
    scene.set_mask(1, 0).unwrap();
    assert!(is_refused(&scene, 0));
    scene.set_mask(0, 0).unwrap();
    assert_eq!(
        (scene.open_edge(), scene.point([0.0; 3]).contains()),
        (None, Ok(false)),
        "there is nothing"
    );

    // The same where an instance is hidden that is open.
    let [open, _] = halves();
    let (open, closed) =
        (Arc::new(scene_of(&[open])), Arc::new(scene_of(&[meshes::tessellated_box(1)])));
    let mut scene = SceneBuilder::new()
        .instance(&closed, Affine::IDENTITY)
        .instance(&open, Affine::translation([9.0, 0.0, 0.0]))
        .build()
        .unwrap();
    assert!(is_refused(&scene, 0));
    scene.set_instance_mask(1, 0).unwrap();
    assert_eq!(scene.point([0.0; 3]).contains(), Ok(true));
    scene.set_instance_mask(1, u32::MAX).unwrap();
    assert!(is_refused(&scene, 0));
}

#[test]
fn scenes_that_are_exchanged_are_looked_at_anew() {
    let [open, _] = halves();
    let (open, closed) =
        (Arc::new(scene_of(&[open])), Arc::new(scene_of(&[meshes::tessellated_box(1)])));
    let mut scene = SceneBuilder::new().instance(&closed, Affine::IDENTITY).build().unwrap();
    assert_eq!(scene.point([0.0; 3]).contains(), Ok(true));
    scene.set_scenes([(0, Arc::clone(&open))]).unwrap();
    assert!(matches!(scene.point([0.0; 3]).contains(), Err(Error::OpenSurface { .. })));
    scene.set_scenes([(0, closed)]).unwrap();
    assert_eq!(scene.point([0.0; 3]).contains(), Ok(true));
}

/// One square to x, which is closed if it says so.
#[derive(Debug)]
struct Square {
    claims_to_be_closed: bool,
}

impl Primitives for Square {
    fn count(&self) -> usize {
        1
    }

    fn bounds(&self, _: u32) -> Aabb {
        Aabb { min: [1.0, -1.0, -1.0], max: [1.0, 1.0, 1.0] }
    }

    fn intersect(&self, _: u32, ray: &Ray, meet: &mut dyn FnMut(SurfacePoint)) {
        let t = (1.0 - ray.origin[0]) / ray.direction[0];
        meet(SurfacePoint { t, u: 0.0, v: 0.0, normal: [1.0, 0.0, 0.0] });
    }

    fn is_closed(&self) -> bool {
        self.claims_to_be_closed
    }
}

#[test]
fn primitives_of_ones_own_have_an_inside_if_they_say_so() {
    let square = |claims_to_be_closed| {
        let square: Arc<dyn Primitives> = Arc::new(Square { claims_to_be_closed });
        SceneBuilder::new()
            .boxes(&[])
            .and_then(|builder| builder.primitives(square))
            .and_then(SceneBuilder::build)
    };
    let mut open = square(false).unwrap();
    let error = Error::NotClosed { geometry_id: 1, instance_path: Vec::new() };
    let grid = PointGrid::new([0.0; 3], [1.0; 3], [2, 2, 2]).unwrap();
    assert_eq!(open.point([0.0; 3]).contains(), Err(error.clone()));
    assert_eq!(open.point([0.0; 3]).brute_force().contains(), Err(error.clone()));
    assert_eq!(open.grid(&grid).occupancy_bits_into(&mut Vec::new()), Err(error));
    open.set_mask(1, 0).unwrap();
    assert_eq!(open.point([0.0; 3]).contains(), Ok(false));
    open.set_mask(1, 1).unwrap();
    let within = SceneBuilder::new()
        .instance(&Arc::new(square(true).unwrap()), Affine::IDENTITY)
        .instance(&Arc::new(open), Affine::IDENTITY)
        .build()
        .unwrap();
    let error = within.point([0.0; 3]).contains().unwrap_err();
    assert_eq!(error, Error::NotClosed { geometry_id: 1, instance_path: vec![1] });
    assert!(error.to_string().starts_with("geometry 1 in instance 1: "), "{error}");
    assert_eq!(
        square(true).unwrap().point([0.0; 3]).contains(),
        Ok(true),
        "who says so is believed"
    );
}

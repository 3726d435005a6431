//! Cases whose answers are worked out by hand.

use crate::closest_placed::ask::ask_in_every_way;
use lanecast::primitive::Sphere;
use lanecast::{
    Aabb, Affine, Error, INVALID_ID, Ray, Scene, SceneBuilder, Status,
    answers::{ClosestPoint, PerRow},
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::{Content, RandomWorld};
use lanecast_reference::vector::{Vector, cross, length, minus, vector};

/// A scene of one geometry, placed by a map.
fn placed(content: &Content, map: Affine) -> Scene {
    SceneBuilder::new()
        .instance(&RandomWorld::new(content, &[]).scene, map)
        .build()
        .expect("a scene")
}

fn scaled([x, y, z]: Vector) -> Affine {
    Affine::from_rows([[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.0, 0.0, z, 0.0]])
}

#[test]
fn a_sphere_stretched_to_twice_its_length() {
    let spheres = vec![Sphere::new([0.0; 3], 1.0)];
    let scene = placed(&Content { spheres, ..Content::default() }, scaled([2.0, 1.0, 1.0]));
    let near = |point| scene.point(point).closest(f32::INFINITY).unwrap().expect("a surface");
    let ahead = near([3.0, 0.0, 0.0]);
    assert_eq!((ahead.distance, ahead.point, ahead.instance_id), (1.0, [2.0, 0.0, 0.0], 0));
    assert_eq!(near([0.0, -4.0, 0.0]).point, [0.0, -1.0, 0.0]);
    // In the frame of the sphere the end of the axis were nearest to this one.
    let inside = near([1.0, 0.0, 0.0]);
    assert_eq!(inside.distance, (2.0_f64 / 3.0).sqrt() as f32);
    assert_eq!(inside.point[0], (4.0_f64 / 3.0) as f32);
    let middle = near([0.0; 3]);
    assert_eq!((middle.distance, middle.point[0]), (1.0, 0.0));
    // Beyond the center of curvature at the end, 2 − 1/2 from the middle, the end is nearest.
    assert_eq!(near([1.75, 0.0, 0.0]).point, [2.0, 0.0, 0.0]);
    assert_eq!(scene.point([1.75, 0.0, 0.0]).signed_distance(), Ok(-0.25));
    assert_eq!(scene.point([3.0, 0.0, 0.0]).signed_distance(), Ok(1.0));
}

#[test]
fn spheres_and_boxes_where_they_are() {
    let scene = SceneBuilder::new()
        .spheres(&[
            Sphere::new([5.0, 0.0, 0.0], 2.0),
            Sphere::new([0.0; 3], -3.0),
            Sphere::new([9.0, 9.0, 9.0], 0.0),
        ])
        .and_then(|builder| {
            builder.boxes(&[Aabb::EMPTY, Aabb { min: [-2.0, -1.0, 0.0], max: [0.0, 1.0, 4.0] }])
        })
        .and_then(SceneBuilder::build)
        .expect("a scene");
    let near = |point| scene.point(point).closest(f32::INFINITY).unwrap().expect("a surface");
    let named = |point| {
        let ClosestPoint { distance, point, geometry_id, primitive_id, .. } = near(point);
        (distance, point, geometry_id, primitive_id)
    };
    assert_eq!(named([10.0, 0.0, 0.0]), (3.0, [7.0, 0.0, 0.0], 0, 0));
    assert_eq!(named([5.0, 0.0, -1.0]), (1.0, [5.0, 0.0, -2.0], 0, 0));
    // From the center along x.
    assert_eq!(named([5.0, 0.0, 0.0]), (2.0, [7.0, 0.0, 0.0], 0, 0));
    assert_eq!(named([9.0, 9.0, 8.0]), (1.0, [9.0, 9.0, 9.0], 0, 2));
    assert_eq!(named([-5.0, 5.0, 2.0]), (5.0, [-2.0, 1.0, 2.0], 1, 1));
    assert_eq!(named([-1.0, 0.75, 2.0]), (0.25, [-1.0, 1.0, 2.0], 1, 1));
    // Of four faces as near the first axis, and its lower side.
    assert_eq!(named([-1.0, 0.0, 2.0]), (1.0, [-2.0, 0.0, 2.0], 1, 1));
    assert_eq!(named([-1.0, 1.0, 2.0]), (0.0, [-1.0, 1.0, 2.0], 1, 1));
    let points = [[-1.0, 0.75, 2.0], [10.0, 0.0, 0.0], [-5.0, 0.0, 2.0]];
    let found = scene.points(&points).geometric_normals(true).closest(f32::INFINITY).unwrap();
    assert_eq!(found.geometric_normal(), [[0.0, 1.0, 0.0], [2.0, 0.0, 0.0], [-1.0, 0.0, 0.0]]);
    assert!(found.instance_id().is_empty());
    assert_eq!(scene.point([5.0, 0.0, -1.0]).signed_distance(), Ok(-1.0));
    assert_eq!(scene.point([-1.0, 0.75, 2.0]).signed_distance(), Ok(-0.25));
    assert_eq!(scene.point([-1.0, 1.5, 2.0]).signed_distance(), Ok(0.5));
    let empty =
        SceneBuilder::new().boxes(&[Aabb::EMPTY]).and_then(SceneBuilder::build).expect("a scene");
    assert_eq!(empty.point([0.0; 3]).closest(f32::INFINITY), Ok(None));
}

#[test]
fn a_mirrored_box_lies_on_the_other_side() {
    let boxes = vec![Aabb { min: [0.0; 3], max: [1.0; 3] }];
    let content = Content { boxes, ..Content::default() };
    let scene = placed(&content, scaled([-2.0, 1.0, 1.0]));
    let near = |scene: &Scene, point| {
        scene.point(point).closest(f32::INFINITY).unwrap().expect("a surface")
    };
    assert_eq!(near(&scene, [1.0, 0.5, 0.5]).point, [0.0, 0.5, 0.5]);
    assert_eq!(near(&scene, [-1.75, 0.5, 0.5]).point, [-2.0, 0.5, 0.5]);
    assert_eq!(scene.point([-0.25, 0.5, 0.5]).signed_distance(), Ok(-0.25));
    assert_eq!(scene.point([0.25, 0.5, 0.5]).signed_distance(), Ok(0.25));
    // Sheared along x by z: the face x = 0 leans, and its nearest point lies square below.
    let sheared =
        Affine::from_rows([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]]);
    let near = near(&placed(&content, sheared), [0.0, 0.5, 1.0]);
    assert_eq!((near.distance, near.point), (0.5_f64.sqrt() as f32, [0.5, 0.5, 0.5]));
}

#[test]
fn ties_go_to_no_instance_first_and_then_to_the_lowest_instance() {
    let triangle = Mesh::of_triangles(&[[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]);
    let content = Content { meshes: vec![triangle.clone(), triangle], ..Content::default() };
    let leaf = RandomWorld::new(&content, &[]);
    let up = Affine::translation([0.0, 0.0, 1.0]);
    let pair = RandomWorld::new(
        &Content::default(),
        &[(&leaf, Affine::IDENTITY), (&leaf, Affine::IDENTITY)],
    );
    let world = RandomWorld::new(&Content::default(), &[(&leaf, up), (&pair, up), (&leaf, up)]);
    let points = [[0.25, 0.25, 3.0], [5.0, 0.0, 1.0]];
    let found = ask_in_every_way("as near", &world.scene, &points, PerRow::Same(f32::INFINITY));
    assert_eq!((found.instance_id()[0], found.geometry_id()[0]), (0, 0));
    assert_eq!(found.distance(), [2.0, 4.0]);
    let mut hidden = world.scene.deep_copy();
    hidden.set_instance_mask(0, 0).unwrap();
    let found = ask_in_every_way("hidden", &hidden, &points, PerRow::Same(f32::INFINITY));
    let path = hidden.instance_path(found.instance_id()[0]).unwrap();
    assert_eq!(path, [1, 0]);
    hidden.set_instance_mask(1, 0).unwrap();
    hidden.set_instance_mask(2, 0).unwrap();
    let found = ask_in_every_way("all hidden", &hidden, &points, PerRow::Same(f32::INFINITY));
    assert_eq!(found.status(), [Status::Miss; 2]);
    let own = RandomWorld::new(&content, &[(&leaf, Affine::IDENTITY)]);
    let found = ask_in_every_way("own", &own.scene, &points, PerRow::Same(f32::INFINITY));
    assert_eq!(found.instance_id(), [INVALID_ID; 2]);
}

#[test]
fn a_point_of_no_use_is_told_in_its_row() {
    let leaf = RandomWorld::new(
        &Content { meshes: vec![meshes::icosphere(1, 1.0)], ..Content::default() },
        &[],
    );
    let scene =
        SceneBuilder::new().instance(&leaf.scene, scaled([1e-6; 3])).build().expect("a scene");
    let far = 1e25;
    let points =
        [[0.0; 3], [f32::NAN, 0.0, 0.0], [0.0, -2e30, 0.0], [0.0, 0.0, far], [1.0; 3], [1.0; 3]];
    let radii = [9.0, 9.0, 9.0, f32::INFINITY, f32::NAN, -1.0];
    let found = ask_in_every_way("bad rows", &scene, &points, PerRow::Each(&radii));
    // In the frame of what is a millionth as large, the fourth is beyond 2¹⁰⁰: no ray can be cast
    // from there either.
    let bad = Status::InvalidOrigin;
    assert_eq!(
        found.status(),
        [Status::Hit, bad, bad, bad, Status::InvalidInterval, Status::EmptyInterval]
    );
    assert_eq!(
        scene.cast(&Ray::new(points[3], [0.0, 0.0, 1.0])).closest(),
        Err(Error::InvalidRay { status: bad })
    );
    assert_eq!(found.instance_id()[1..], [INVALID_ID; 5]);
    assert_eq!(found.distance()[1..], [f32::INFINITY; 5]);
}

#[test]
fn normals_are_those_of_hits() {
    let corners = [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]]];
    for content in [
        Content { meshes: vec![Mesh::of_triangles(&corners)], ..Content::default() },
        Content { boxes: vec![Aabb { min: [0.0; 3], max: [1.0, 2.0, 0.5] }], ..Content::default() },
        Content { spheres: vec![Sphere::new([0.5, 0.0, 0.0], 0.7)], ..Content::default() },
    ] {
        let rows = [[-2.0, 0.5, 0.0, 1.0], [0.0, 1.0, 0.25, 0.0], [0.0, 0.0, 3.0, -1.0]];
        let scene = placed(&content, Affine::from_rows(rows));
        let (random, mut compared) = (&mut Random::new(36), 0);
        for _ in 0..100 {
            let point = random.point(-3.0, 3.0);
            let near = scene
                .points(&[point])
                .geometric_normals(true)
                .closest(f32::INFINITY)
                .expect("sound");
            // A little beyond, or it ends just before the surface.
            let segment = Ray::segment(point, near.point()[0]).with_interval(0.0, 1.01);
            let hits = scene.cast(&[segment]).geometric_normals(true).closest().expect("sound");
            // At an edge another face may be met, or none.
            let along = minus(vector(near.point()[0]), vector(point));
            if (hits.t()[0] - 1.0).abs() > 1e-5
                || length(cross(along, vector(near.geometric_normal()[0]))) > 1e-3
            {
                continue;
            }
            compared += 1;
            let [found, expected] =
                [near.geometric_normal()[0], hits.geometric_normal()[0]].map(vector);
            assert!(
                length(minus(found, expected)) < 1e-4 * length(expected),
                "{found:?} and {expected:?}"
            );
        }
        assert!(compared > 5, "{compared}");
    }
}

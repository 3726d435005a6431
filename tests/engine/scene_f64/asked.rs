//! What is told, refused and seen.

use crate::scene_f64::survey::{Survey, cross, dot, length, minus, rays_at, scene_of};
use crate::scene_f64::{FAR, ask, rays, scene_f64};
use lanecast::testing::Way;
use lanecast::{BuildQuality, CastOptions, Error, INVALID_ID, Ray, SceneBuilder, Status, Threads};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

#[test]
fn normals_are_right_handed_and_those_of_the_triangle() {
    let mesh = Survey::new(&meshes::icosphere(3, 1.0), 1.0, [FAR, FAR, FAR]);
    let scene = mesh.scene();
    let mut random = Random::new(71);
    let rays = rays_at(std::slice::from_ref(&mesh), rays(), &mut random);
    let hits = scene.cast(&rays).geometric_normals(true).closest().unwrap();
    let mut met = 0;
    for row in 0..rays.len() {
        let Some(hit) = hits.hit(row) else { continue };
        met += 1;
        let [a, b, c] = mesh.corners(hit.primitive_id as usize);
        let (normal, expected) = (hits.geometric_normal()[row], cross(minus(b, a), minus(c, a)));
        assert!(
            length(minus(normal, expected)) <= 1e-12 * length(expected),
            "{normal:?} {expected:?}"
        );
        let outward = minus(a, [FAR; 3]);
        assert!(dot(normal, outward) > 0.0, "inward at triangle {}", hit.primitive_id);
    }
    assert!(met > rays.len() / 4, "{met}");
}

#[test]
fn bad_input_has_an_answer() {
    let vertices = [[FAR, 0.0, 0.0], [FAR, 1.0, 0.0], [FAR, 0.0, 1.0], [FAR, f64::NAN, 1.0]];
    let refused = |triangles: &[[u32; 3]], vertices: &[[f64; 3]]| {
        scene_f64(vertices, triangles).expect_err("refused").to_string()
    };
    let of_nan = refused(&[[0, 1, 2]], &vertices);
    assert!(of_nan.contains("vertex 3") && of_nan.contains("NaN"), "{of_nan}");
    let out_of_range = refused(&[[0, 1, 2], [0, 1, 7]], &vertices[..3]);
    assert!(out_of_range.contains("triangle 1") && out_of_range.contains('7'), "{out_of_range}");
    let too_far = refused(&[[0, 1, 2]], &[[0.0; 3], [1.0; 3], [2e30, 0.0, 0.0]]);
    assert!(too_far.contains("vertex 2") && too_far.contains("2e30"), "{too_far}");

    let scene = scene_f64(&vertices[..3], &[[0, 1, 2]]).unwrap();
    let (origin, direction) = ([FAR + 1.0, 0.25, 0.25], [-1.0, 0.0, 0.0]);
    let sound = Ray::new(origin, direction);
    let rays = [
        sound,
        Ray::new([f64::NAN, 0.0, 0.0], direction),
        Ray::new([1e200, 0.0, 0.0], direction),
        Ray::new(origin, [0.0; 3]),
        Ray::new(origin, [f64::INFINITY, 0.0, 0.0]),
        Ray::new(origin, [1e-200, 0.0, 0.0]),
        sound.with_interval(2.0, 1.0),
        sound.with_interval(f64::NAN, 1.0),
        Ray::new([1e80, 0.25, 0.25], direction),
    ];
    let expected = [
        Status::Hit,
        Status::InvalidOrigin,
        Status::InvalidOrigin,
        Status::ZeroDirection,
        Status::InvalidDirection,
        Status::DirectionOutOfRange,
        Status::EmptyInterval,
        Status::InvalidInterval,
        Status::Hit,
    ];
    for options in [CastOptions::new(), CastOptions::new().way(Way::InFlight)] {
        let answers = ask(&scene, &rays, &options);
        assert_eq!(answers.closest.status(), expected);
        assert_eq!(answers.any.status(), expected);
        assert_eq!(answers.counts.status(), expected);
        assert_eq!(answers.all.status(), expected);
        assert_eq!(answers.closest.primitive_id()[1], INVALID_ID);
    }
    let refused = scene.cast(&rays).mask(&[1; 3]).closest();
    assert_eq!(refused, Err(Error::ColumnLength { column: "masks", found: 3, expected: 9 }));
}

#[test]
fn nothing_is_met_where_there_is_nothing() {
    for scene in [
        SceneBuilder::<f64>::default().build().unwrap(),
        scene_f64(&[[FAR, 0.0, 0.0]], &[]).unwrap(),
        // A triangle that is a point.
        scene_f64(&[[FAR, 0.0, 0.0]], &[[0, 0, 0]]).unwrap(),
    ] {
        scene.validate().unwrap();
        assert_eq!(scene.cast(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])).closest(), Ok(None));
        assert_eq!(scene.cast(&Ray::line([0.0; 3], [1.0, 0.0, 0.0])).count(), Ok(0));
    }
    let scene = SceneBuilder::<f64>::default().build().unwrap();
    assert_eq!((scene.triangle_count(), scene.geometry_count()), (0, 0));
    assert!(scene.bounds().is_empty());
}

#[test]
fn what_a_scene_holds_can_be_seen() {
    let mut random = Random::new(72);
    let meshes = [
        Survey::new(&meshes::soup(50, &mut random), 1.3, [FAR, 1.0, 2.0]),
        Survey::new(&meshes::icosphere(1, 2.0), 1.3, [FAR, -5.0, 2.0]),
    ];
    let scene = scene_of(&meshes, &Threads::ALL, BuildQuality::default());
    assert_eq!(scene.geometry_count(), 2);
    assert_eq!(
        scene.triangle_count(),
        meshes.iter().map(|mesh| mesh.triangles.len()).sum::<usize>()
    );
    let mut seen = 0;
    for (geometry_id, primitive_id, corners) in scene.triangles() {
        assert_eq!(corners, meshes[geometry_id as usize].corners(primitive_id as usize));
        seen += 1;
    }
    assert_eq!(seen, scene.triangle_count());
    let bounds = scene.bounds();
    for axis in 0..3 {
        let along = meshes.iter().flat_map(|mesh| &mesh.vertices).map(|vertex| vertex[axis]);
        assert_eq!(bounds.min[axis], along.clone().fold(f64::MAX, f64::min));
        assert_eq!(bounds.max[axis], along.fold(f64::MIN, f64::max));
    }
    let statistics = scene.statistics();
    assert_eq!(statistics.primitives, scene.triangle_count());
    let rays = rays_at(&meshes, 64, &mut random);
    let costs = scene.cast(&rays).cost().unwrap();
    assert!(costs.leaves().iter().any(|&leaves| leaves > 0));
}

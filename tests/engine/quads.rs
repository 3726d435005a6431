//! Quads are the two triangles that their docs say, for every query.

use lanecast::primitive::quad_point;
use lanecast::{Error, Geometry, Ray, Scene, SceneBuilder, Threads};
use lanecast_reference::random::Random;

/// The corners of a cube by bits, and its faces as seen from outside.
const FACES: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

fn cube() -> Vec<[f32; 3]> {
    (0..8).map(|bits| [0, 1, 2].map(|axis| f32::from((bits >> axis & 1) as u8))).collect()
}

fn halves(quads: &[[u32; 4]]) -> Vec<[u32; 3]> {
    quads.iter().flat_map(|&[a, b, c, d]| [[a, b, d], [c, d, b]]).collect()
}

#[test]
fn bent_quads_answer_as_triangles_and_hits_lie_at_their_u_and_v() {
    let mut random = Random::new(1);
    let vertices: Vec<[f32; 3]> = (0..60).map(|_| random.point(-1.0, 1.0)).collect();
    let quads: Vec<[u32; 4]> =
        (0..40).map(|_| std::array::from_fn(|_| random.below(60) as u32)).collect();
    let scene = SceneBuilder::new()
        .quads(&vertices, &quads)
        .and_then(SceneBuilder::build)
        .expect("a scene");
    let mesh = Scene::from_triangles(&vertices, &halves(&quads)).expect("a scene");
    assert_eq!((scene.triangle_count(), scene.primitive_count()), (80, 80));
    let rays: Vec<Ray> =
        (0..3_000).map(|_| Ray::new(random.point(-2.0, 2.0), random.direction())).collect();
    let (found, expected) = (scene.cast(&*rays).all(), mesh.cast(&*rays).all());
    assert_eq!(found, expected);
    let (found, mut hits) = (found.expect("answers"), 0);
    for (row, ray) in rays.iter().enumerate() {
        for hit in found.of_ray(row) {
            let (quad, [u, v]) = quad_point(hit.primitive_id, hit.u, hit.v);
            let [a, b, c, d] = quads[quad as usize].map(|vertex| vertices[vertex as usize]);
            let at = |axis: usize| {
                if u + v <= 1.0 {
                    a[axis] + u * (b[axis] - a[axis]) + v * (d[axis] - a[axis])
                } else {
                    c[axis] + (1.0 - u) * (d[axis] - c[axis]) + (1.0 - v) * (b[axis] - c[axis])
                }
            };
            let on_ray = ray.at(hit.t);
            assert!((0..3).all(|axis| (at(axis) - on_ray[axis]).abs() < 1e-4), "{ray:?}, {hit:?}");
            hits += 1;
        }
    }
    assert!(hits > 1_000, "{hits}");
}

/// Every line crosses the cube an even number of times.
#[test]
fn a_cube_of_quads_is_closed_at_its_corners_and_diagonals() {
    let vertices = cube();
    let scene = SceneBuilder::new()
        .quads(&vertices, &FACES)
        .and_then(SceneBuilder::build)
        .expect("a scene");
    assert!(scene.open_edge().is_none());
    assert_eq!(scene.point([0.5; 3]).contains(), Ok(true));
    assert_eq!(scene.point([1.5, 0.5, 0.5]).contains(), Ok(false));
    // At a corner, along a diagonal of a face, through the middle of an edge.
    for target in [[0.0; 3], [0.5, 0.5, 0.0], [0.5, 0.0, 0.0], [0.25, 0.25, 1.0]] {
        for from in [[-3.0, -2.0, -5.0], [0.5, 0.5, -5.0], [0.0, 0.0, -5.0_f32]] {
            let direction: [f32; 3] = std::array::from_fn(|axis| target[axis] - from[axis]);
            let line = Ray::line(from, direction);
            assert_eq!(scene.cast(&line).count().map(|count| count % 2), Ok(0), "{line:?}");
            assert!(scene.cast(&line).any().expect("an answer"), "{line:?}");
        }
    }
}

#[test]
fn quads_are_welded_moved_and_replaced_as_triangles_are() {
    let mut vertices = cube();
    // Each face has corners of its own, one of them a little off.
    let mut apart: Vec<[f32; 3]> =
        FACES.as_flattened().iter().map(|&vertex| vertices[vertex as usize]).collect();
    apart[3][0] += 1e-5;
    let quads: Vec<[u32; 4]> =
        (0..6).map(|face| [0, 1, 2, 3].map(|corner| 4 * face + corner)).collect();
    let build = |builder: SceneBuilder<'_>| builder.build().expect("a scene");
    assert!(build(SceneBuilder::new().quads(&apart, &quads).expect("sound")).open_edge().is_some());
    let welded = SceneBuilder::new().quads(&apart, &quads).and_then(|builder| builder.weld(1e-4));
    let mut scene = build(welded.expect("a tolerance"));
    assert_eq!(scene.open_edge(), None);
    for vertex in &mut vertices {
        vertex[0] += 10.0;
    }
    let replaced = Geometry::quads(&vertices, &FACES);
    scene.change().threads(&Threads::ONE).replace(&[(0, replaced)]).expect("replaced");
    assert_eq!((scene.triangle_count(), scene.point([10.5, 0.5, 0.5]).contains()), (12, Ok(true)));
    let scene = SceneBuilder::new().quads(&vertices, &[[0, 1, 2, 9]]);
    let refused = scene.expect_err("there is no such vertex");
    assert_eq!(
        refused,
        Error::VertexOutOfRange { geometry_id: 0, primitive_id: 0, vertex: 9, vertices: 8 }
    );
}

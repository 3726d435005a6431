//! What a line meets nearest to its origin, where the origin lies on something, and the normals on
//! either side. That it is what all hits say, `scene_equals_scan` holds.

use lanecast::{HitBatch, Ray, Scene};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

fn scene_of(mesh: &Mesh) -> Scene {
    Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh")
}

#[test]
fn what_lies_at_the_origin_is_on_both_sides() {
    let square = Mesh {
        vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    let scene = scene_of(&square);
    let hits = scene.cast(&Ray::line([0.5, 0.5, 0.0], [0.0, 0.0, 1.0])).line_hits().expect("sound");
    let at_origin = hits.ahead.expect("a hit");
    assert_eq!(
        (at_origin.t.to_bits(), at_origin.primitive_id),
        (0, 0),
        "0 and not -0, the lower of two"
    );
    assert_eq!(hits.behind.map(|hit| (hit.t.to_bits(), hit)), Some((0, at_origin)));
    let behind_only =
        scene.cast(&Ray::line([0.5, 0.25, 2.0], [0.0, 0.0, 4.0])).line_hits().expect("sound");
    assert_eq!((behind_only.ahead, behind_only.behind.map(|hit| hit.t)), (None, Some(-0.5)));
}

#[test]
fn normals_are_those_of_the_triangles_on_both_sides() {
    let mesh = meshes::icosphere(2, 1.0);
    let mut random = Random::new(10);
    let lines: Vec<Ray> =
        (0..200).map(|_| Ray::line(random.point(-0.5, 0.5), random.direction())).collect();
    let hits = scene_of(&mesh).cast(&lines).geometric_normals(true).line_hits().expect("answers");
    for (row, line) in lines.iter().enumerate() {
        let facing = |half: &HitBatch| -> f32 {
            (0..3).map(|axis| half.geometric_normal()[row][axis] * line.direction[axis]).sum()
        };
        // From inside a sphere whose triangles face outwards.
        assert!(facing(hits.ahead()) > 0.0 && facing(hits.behind()) < 0.0, "{line:?}");
        assert!(hits.ahead().t()[row] > 0.0 && hits.behind().t()[row] < 0.0, "{line:?}");
    }
}

//! What a line meets nearest to its origin, where the origin lies on something, and the normals on
//! either side. That it is what all hits say, `scene_equals_scan` holds.

use lanecast::primitive::{Cylinder, RoundCone, Sphere};
use lanecast::{HitBatch, Precision, Ray, Scene, SceneBuilder};
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

/// The shapes whose points are roots, which rounding must not turn round with the line: most lines go
/// through or square to an axis, where a root changes its sign with the direction alone.
#[test]
fn a_reversed_line_meets_shapes_at_the_negative_of_each_t() {
    fn negated<T: Precision>(scene: &Scene<T>, line: &Ray<T>) -> [Vec<T>; 2] {
        let reversed = Ray::line(line.origin, line.direction.map(|x| -x));
        let t_of = |line: &Ray<T>| -> Vec<T> {
            scene.cast(line).all().expect("a sound line").iter().map(|hit| hit.t).collect()
        };
        let back = t_of(&reversed).into_iter().rev().map(|t| -t).collect();
        [t_of(line), back]
    }
    fn wide(values: [f32; 3]) -> [f64; 3] {
        values.map(f64::from)
    }
    let random = &mut Random::new(12);
    let mut met = 0;
    for _ in 0..2_000 {
        let (start, radii) = (random.point(-1.0, 1.0), [random.unit(), random.unit()]);
        let mut end = if random.below(2) == 0 { start } else { random.point(-1.0, 1.0) };
        end[random.below(3)] += random.pick(&[0.5, 1.0, -2.0]);
        let radii = random.pick(&[radii, [radii[0]; 2], [0.5; 2]]);
        let ends = [start, end];
        let of_f32 = SceneBuilder::new()
            .round_cones(&[RoundCone { ends, radii }])
            .and_then(|builder| builder.cylinders(&[Cylinder { ends, radius: radii[0] }]))
            .and_then(|builder| builder.spheres(&[Sphere::new(start, radii[1])]))
            .and_then(SceneBuilder::build)
            .expect("a scene");
        let (ends, radii) = (ends.map(wide), radii.map(f64::from));
        let of_f64 = SceneBuilder::<f64>::default()
            .round_cones(&[RoundCone { ends, radii }])
            .and_then(|builder| builder.cylinders(&[Cylinder { ends, radius: radii[0] }]))
            .and_then(|builder| builder.spheres(&[Sphere::new(ends[0], radii[1])]))
            .and_then(SceneBuilder::build)
            .expect("a scene");
        for _ in 0..20 {
            let mut direction = random.direction();
            if random.below(2) == 0 {
                direction[random.below(3)] = 0.0;
            }
            // Over the rim of a cap.
            let over = std::array::from_fn(|axis| {
                if axis == 0 { start[0] + radii[0] as f32 } else { start[axis] - direction[axis] }
            });
            if random.below(4) == 0 {
                direction[0] = 0.0;
            }
            let origin = match random.below(4) {
                0 => start,
                1 => over,
                2 => std::array::from_fn(|axis| start[axis] + 0.25 * direction[axis]),
                _ => random.point(-1.0, 1.0),
            };
            let line = Ray::line(origin, direction);
            let [ahead, back] = negated(&of_f32, &line);
            assert_eq!(ahead, back, "{line:?} of {ends:?}, {radii:?}");
            let line = Ray::line(wide(origin), wide(direction));
            let [ahead, back] = negated(&of_f64, &line);
            assert_eq!(ahead, back, "{line:?} of {ends:?}, {radii:?}");
            met += ahead.len();
        }
    }
    assert!(met > 20_000, "{met} points");
}

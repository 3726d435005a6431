//! Rays that go through the tree together.

use crate::common::backends::every_backend;
use crate::scene_f64::survey::{Survey, minus};
use crate::scene_f64::{FAR, SIDE, ask};
use lanecast::primitive::Side;
use lanecast::testing::Way;
use lanecast::{CastOptions, Coherence, Contact, Culling, Hit, Ray, RayBatch, Scene, Status, Threads};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

/// A picture whose groups are of all that a group can be of: rays between which others are refused, that end before, at and
/// after what they meet, that aim at edges and vertices, and that go as far along two axes but for the last bit, so that
/// `f32` sees another axis as the longest; each group of another length.
#[test]
fn groups_of_rays_of_all_kinds_answer_as_the_scan_does() {
    let mut random = Random::new(76);
    let mut kinds = [0; 5];
    for (name, mesh, scale) in [
        // Many rays to a triangle, and many triangles to a ray.
        ("box", meshes::tessellated_box(1), 1.000_000_123),
        ("sphere", meshes::icosphere(3, 1.0), 1.000_000_123),
        ("slivers", meshes::slivers(150, &mut random), 1.0),
    ] {
        let mesh = Survey::new(&mesh, scale, [FAR, -0.3 * FAR, 0.7 * FAR]);
        let scene = mesh.scene();
        let mut picture = Vec::new();
        // Along a diagonal of x and y, with z in between.
        let middle = [FAR, -0.3 * FAR, 0.7 * FAR];
        for place in 0..2 * SIDE * SIDE {
            let [x, y] = [place % SIDE, place / SIDE].map(|x| 2.0 * f64::from(x) / f64::from(SIDE) - 1.0);
            let origin = [middle[0] - 4.0 + x, middle[1] - 4.0 - x, middle[2] + y + 0.4];
            let corner = random.pick(&mesh.vertices);
            let other = random.pick(&mesh.vertices);
            let (kind, direction) = match random.below(8) {
                0 => (0, [1.0, 1.0_f64.next_up(), -0.1]),
                1 => (0, [1.0, 1.0_f64.next_down(), -0.1]),
                2 => (1, minus(corner, origin)),
                3 => (1, minus([0, 1, 2].map(|axis| 0.5 * (corner[axis] + other[axis])), origin)),
                4 => (2, random.pick(&[[0.0; 3], [f64::NAN, 1.0, 0.0], [1.0, 1.0, f64::INFINITY]])),
                _ => (3, [1.0, 1.0 + 1e-3 * x, -0.1 + 1e-3 * y]),
            };
            kinds[kind] += 1;
            picture.push(Ray::new(origin, direction));
        }
        let hits = scene.cast(&picture).closest().unwrap();
        for (row, ray) in picture.iter_mut().enumerate() {
            let t = hits.t()[row];
            if hits.status()[row] == Status::Hit {
                kinds[4] += 1;
                *ray = match random.below(6) {
                    0 => ray.with_interval(0.0, t),
                    1 => ray.with_interval(t, t),
                    2 => ray.with_interval(0.0, t.next_down()),
                    3 => ray.with_interval(t.next_up(), f64::INFINITY),
                    _ => *ray,
                };
            }
        }
        let accepts = |_: usize, hit: &Hit<f64>, side| hit.primitive_id % 5 != u32::from(side == Side::Front);
        for length in [picture.len(), 1, 7, 65] {
            let rays = &picture[..length];
            for (culling, contact) in [
                (Culling::None, Contact::Crossing),
                (Culling::Back, Contact::Touch),
                (Culling::Front, Contact::Crossing),
            ] {
                let options = CastOptions::new().culling(culling).contact(contact);
                let brute_force = options.clone().brute_force();
                let expected = ask(&scene, rays, &brute_force);
                let filtered = ask(&scene, rays, &brute_force.filter(&accepts));
                for backend in every_backend() {
                    let how = format!("{name}, {length} rays, {backend}, {culling:?}, {contact:?}");
                    let together = options.clone().coherence(Coherence::Coherent).backend(backend);
                    assert_eq!(ask(&scene, rays, &together), expected, "{how}");
                    assert_eq!(ask(&scene, rays, &together.filter(&accepts)), filtered, "{how}");
                }
            }
        }
    }
    assert!(kinds.iter().all(|&rays| rays > 2 * SIDE), "{kinds:?}");
}

/// Of the tiles of a picture some rays go another way than the others, and are left to be cast by themselves: the last of eight
/// of them is seven on from the first, with rays of other lines between.
#[test]
fn rays_that_groups_leave_are_cast_in_their_rows() {
    const WIDTH: usize = 16;
    let mesh = Survey::new(&meshes::terrain(12, &mut Random::new(77)), 1.0, [0.0; 3]);
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for vertex in &mesh.vertices {
        for axis in 0..3 {
            (min[axis], max[axis]) = (min[axis].min(vertex[axis]), max[axis].max(vertex[axis]));
        }
    }
    let eye = [0.75 * min[0] + 0.25 * max[0], 0.75 * min[1] + 0.25 * max[1], max[2] + 1.0];
    let (mut origins, mut directions) = (Vec::new(), Vec::new());
    for row in 0..64 * WIDTH {
        let (line, column) = (row / WIDTH, row % WIDTH);
        let left = match line % 8 {
            0 => column == 1 || column == 8,
            7 => false,
            _ => column % 8 == 3,
        };
        directions.push(if line < 8 || !left {
            [1e-2 * (1 + column) as f64, 1e-2 * (1 + line) as f64, -1.0]
        } else if line % 2 == 0 {
            [1.0, 0.0, 0.9]
        } else {
            [1.0, 0.9, 0.0]
        });
        origins.push(eye);
    }
    let fine = mesh.scene();
    let rounded = |numbers: &[[f64; 3]]| -> Vec<[f32; 3]> {
        numbers.iter().map(|number| number.map(|x| x as f32)).collect()
    };
    let coarse = Scene::from_triangles(&rounded(&mesh.vertices), &mesh.triangles).unwrap();
    let (coarse_origins, coarse_directions) = (rounded(&origins), rounded(&directions));
    let batch = RayBatch::from_pairs(&origins, &directions).unwrap();
    let coarse_batch = RayBatch::from_pairs(&coarse_origins, &coarse_directions).unwrap();
    let cast = fine.cast(&batch).threads(&Threads::ONE).way(Way::InFlight);
    let (found, expected) = (cast.closest().unwrap(), cast.brute_force().closest().unwrap());
    let missed = expected.status().iter().filter(|&&status| status == Status::Miss).count();
    assert!((50..500).contains(&missed), "{missed} miss");
    assert_eq!(found, expected, "f64");
    let cast = coarse.cast(&coarse_batch).threads(&Threads::ONE).way(Way::InFlight);
    assert_eq!(cast.closest().unwrap(), cast.brute_force().closest().unwrap(), "f32");
}

//! Rays that go through the tree together.

use crate::scene_f64::survey::Survey;
use lanecast::testing::Way;
use lanecast::{RayBatch, Scene, Status, Threads};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;

/// Of the tiles of a picture some rays go another way than the others, and are left to be cast by
/// themselves: the last of eight of them is seven on from the first, with rays of other lines
/// between.
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

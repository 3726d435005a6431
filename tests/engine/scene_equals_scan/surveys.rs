//! Scenes of `f64` at survey coordinates and elsewhere.

use super::{Indexed, hold, in_every_way, met, of_meshes};
use crate::common::scale::scaled;
use crate::scene_f64::FAR;
use crate::scene_f64::survey::{Survey, aims, surveys};
use lanecast::{Ray, Status};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::vector::minus;

fn indexed(meshes: Vec<Survey>) -> Vec<Indexed<f64>> {
    meshes.into_iter().map(|mesh| (mesh.vertices, mesh.triangles)).collect()
}

#[test]
fn surveys_of_all_kinds_and_places() {
    let mut hits = 0;
    for (seed, (name, meshes)) in (0..).zip(surveys(&mut Random::new(61))) {
        let aims = aims(&meshes, &mut Random::new(seed));
        hits += met(&hold(&name, seed, &of_meshes(&indexed(meshes)), &aims));
    }
    assert!(hits > scaled(500), "{hits} rays meet something");
}

/// A picture whose groups are of all that a group can be of: rays between which others are refused,
/// that end before, at and after what they meet, that aim at edges and vertices, and that go as far
/// along two axes but for the last bit, so that `f32` sees another axis as the longest; groups of
/// several lengths.
#[test]
fn groups_of_rays_of_all_kinds() {
    let mut random = Random::new(76);
    let middle = [FAR, -0.3 * FAR, 0.7 * FAR];
    for (name, mesh) in [
        // Many rays to a triangle, and many triangles to a ray.
        ("box", meshes::tessellated_box(1)),
        ("slivers", meshes::slivers(150, &mut random)),
    ] {
        let mesh = Survey::new(&mesh, 1.000_000_123, middle);
        let scene = mesh.scene();
        let side = scaled(20);
        // Along a diagonal of x and y, with z in between.
        let ray = |place: usize| {
            let [x, y] = [place % side, place / side].map(|x| 2.0 * x as f64 / side as f64 - 1.0);
            let origin = [middle[0] - 4.0 + x, middle[1] - 4.0 - x, middle[2] + y + 0.4];
            let [corner, other] = [(); 2].map(|()| random.pick(&mesh.vertices));
            let direction = match random.below(8) {
                0 => [1.0, 1.0_f64.next_up(), -0.1],
                1 => [1.0, 1.0_f64.next_down(), -0.1],
                2 => minus(corner, origin),
                3 => minus([0, 1, 2].map(|axis| 0.5 * (corner[axis] + other[axis])), origin),
                4 => random.pick(&[[0.0; 3], [f64::NAN, 1.0, 0.0], [1.0, 1.0, f64::INFINITY]]),
                _ => [1.0, 1.0 + 1e-3 * x, -0.1 + 1e-3 * y],
            };
            Ray::new(origin, direction)
        };
        let mut picture: Vec<Ray<f64>> = (0..side * side).map(ray).collect();
        let hits = scene.cast(&picture).closest().unwrap();
        assert!(hits.status().iter().filter(|&&status| status == Status::Hit).count() > side);
        for (row, ray) in
            picture.iter_mut().enumerate().filter(|(row, _)| hits.status()[*row].is_hit())
        {
            let t = hits.t()[row];
            *ray = match row % 6 {
                0 => ray.with_interval(0.0, t),
                1 => ray.with_interval(t, t),
                2 => ray.with_interval(0.0, t.next_down()),
                3 => ray.with_interval(t.next_up(), f64::INFINITY),
                _ => *ray,
            };
        }
        let given = indexed(vec![mesh]);
        for length in [picture.len(), 1, 7, 65] {
            in_every_way(&format!("{name}, {length} rays"), &of_meshes(&given), &picture[..length]);
        }
    }
}

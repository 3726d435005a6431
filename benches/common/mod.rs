//! Meshes and rays for the benches, made by formula: the same on every machine.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "every bench is a crate of its own and uses some of this"
)]

use lanecast::{Ray, Scene, Threads};
use lanecast_reference::random::Random;

/// Vertices and triangles.
pub type Mesh = (Vec<[f32; 3]>, Vec<[u32; 3]>);

/// A hilly square of side 1 with `side` × `side` cells of two triangles.
pub fn terrain(side: u32) -> Mesh {
    let height = |x: f32, y: f32| {
        (1..7_u8).fold(0.0, |height, octave| {
            let frequency = f32::from(1_u8 << octave);
            height
                + 0.08 / frequency
                    * (frequency * 5.1 * x + 1.7).sin()
                    * (frequency * 4.3 * y + 0.6).cos()
        })
    };
    let vertices = (0..=side)
        .flat_map(|row| {
            (0..=side).map(move |column| (column as f32 / side as f32, row as f32 / side as f32))
        })
        .map(|(x, y)| [x, y, height(x, y)])
        .collect();
    let triangles = (0..side)
        .flat_map(|row| (0..side).map(move |column| row * (side + 1) + column))
        .flat_map(|corner| {
            let (right, above) = (corner + 1, corner + side + 1);
            [[corner, right, above + 1], [corner, above + 1, above]]
        })
        .collect();
    (vertices, triangles)
}

/// Triangles of about the given size anywhere in a unit cube.
pub fn soup(triangles: u32, size: f32) -> Mesh {
    let mut random = Random::new(1);
    let vertices = (0..triangles)
        .flat_map(|_| {
            let center = random.point(0.0, 1.0);
            std::array::from_fn::<_, 3, _>(|_| {
                let offset = random.point(0.0, 1.0);
                std::array::from_fn(|axis| center[axis] + size * (offset[axis] - 0.5))
            })
        })
        .collect();
    (
        vertices,
        (0..triangles).map(|triangle| [3 * triangle, 3 * triangle + 1, 3 * triangle + 2]).collect(),
    )
}

/// A perspective image of `side` × `side` pixels, row by row.
pub fn camera_rays(scene: &Scene, side: u16) -> Vec<Ray> {
    let bounds = scene.bounds();
    let center: [f32; 3] = std::array::from_fn(|axis| (bounds.min[axis] + bounds.max[axis]) / 2.0);
    let size = (0..3).map(|axis| bounds.max[axis] - bounds.min[axis]).fold(0.0, f32::max);
    let eye = [center[0], center[1] - 0.9 * size, center[2] + 0.6 * size];
    let pixel = |place: u16| f32::from(place) / f32::from(side) - 0.5;
    (0..side)
        .flat_map(|row| (0..side).map(move |column| (column, row)))
        .map(|(column, row)| {
            let target =
                [center[0] + size * pixel(column), center[1], center[2] - size * pixel(row)];
            Ray::new(eye, std::array::from_fn(|axis| target[axis] - eye[axis]))
        })
        .collect()
}

/// From where camera rays hit, one ray each in a random direction of the side they came from.
pub fn diffuse_rays(scene: &Scene, count: usize) -> Vec<Ray> {
    let camera = camera_rays(scene, 512);
    let hits = scene.cast(&camera).geometric_normals(true).closest().expect("nobody stops it");
    let mut random = Random::new(2);
    let found: Vec<_> = (0..camera.len()).filter_map(|row| Some((row, hits.hit(row)?))).collect();
    assert!(!found.is_empty(), "the camera sees the scene");
    (0..count)
        .map(|index| {
            // In no order: neighbours in the batch are not neighbours in the scene.
            let (row, hit) = found[index.wrapping_mul(7919) % found.len()];
            let normal = hits.geometric_normal()[row];
            let towards: f32 = (0..3).map(|axis| normal[axis] * camera[row].direction[axis]).sum();
            let away = if towards > 0.0 { -1.0 } else { 1.0 };
            let length = normal.iter().map(|x| x * x).sum::<f32>().sqrt().max(f32::MIN_POSITIVE);
            let normal = normal.map(|x| away * x / length);
            let point = camera[row].at(hit.t);
            let direction = random.point(0.0, 1.0);
            let direction =
                std::array::from_fn(|axis| normal[axis] + 1.8 * (direction[axis] - 0.5));
            Ray::new(std::array::from_fn(|axis| point[axis] + 1e-4 * normal[axis]), direction)
        })
        .collect()
}

/// Between random points of the scene's box.
pub fn random_rays(scene: &Scene, count: usize) -> Vec<Ray> {
    lanecast_reference::rays::random_rays(&scene.bounds(), count, 3)
}

/// Checks, on every so many-th ray, that the scene answers what testing every triangle answers.
pub fn assert_answers_of_brute_force(scene: &Scene, rays: &[Ray], every: usize) {
    let sample: Vec<_> = rays.iter().copied().step_by(every).collect();
    let request = scene.cast(&sample).threads(&Threads::ONE);
    let by_tree = request.closest().expect("nobody stops it");
    assert!(Ok(by_tree) == request.brute_force().closest(), "the tree hides hits");
}

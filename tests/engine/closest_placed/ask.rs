//! Asking in every way, and holding what is answered against the reference.

use crate::common::backends::every_backend;
use lanecast::{
    CastOptions, Error, INVALID_ID, Scene, Threads,
    answers::{ClosestPointBatch, PerRow},
};
use lanecast_reference::placed::nearest::nearest_in_f64;
use lanecast_reference::placed::shape::Shape;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::RandomWorld;
use lanecast_reference::vector::{length, minus, vector};

fn row_bits(closest: &ClosestPointBatch, row: usize) -> [u32; 10] {
    let [x, y, z] = closest.point()[row].map(f32::to_bits);
    let (u, v) = (closest.u()[row].to_bits(), closest.v()[row].to_bits());
    let instance = closest.instance_id().get(row).copied().unwrap_or(INVALID_ID);
    let status = u32::from(closest.status()[row].code());
    let ids = [closest.geometry_id()[row], closest.primitive_id()[row]];
    [status, closest.distance()[row].to_bits(), x, y, z, u, v, ids[0], ids[1], instance]
}

/// Every way to ask must give the bits of the scan, which are returned.
pub(crate) fn ask_in_every_way(
    name: &str,
    scene: &Scene,
    points: &[[f32; 3]],
    radius: PerRow<'_, f32>,
) -> ClosestPointBatch {
    let options = CastOptions::new().normals(true);
    let ask = |options: &CastOptions<'_>| scene.points(points).with(options).closest(radius).expect("sound");
    let expected = ask(&options.clone().brute_force());
    assert_eq!(expected.instance_id().len(), if scene.instance_count() > 0 { points.len() } else { 0 });
    for backend in every_backend() {
        let options = options.clone().backend(backend);
        let scanned = ask(&options.clone().brute_force());
        for threads in [Threads::ONE, Threads::ALL] {
            let options = options.clone().threads(&threads);
            let found = ask(&options);
            for (row, point) in points.iter().enumerate() {
                let bits = row_bits(&expected, row);
                assert_eq!(row_bits(&scanned, row), bits, "{name}, {backend}: lanes differ at {point:?}");
                assert_eq!(row_bits(&found, row), bits, "{name}, {backend}: the tree shows at {point:?}");
            }
            let normals = [&expected, &scanned, &found].map(ClosestPointBatch::geometric_normal);
            assert!(normals[0] == normals[1] && normals[0] == normals[2], "{name}, {backend}: normals");
            let distances = scene.points(points).with(&options).distances().expect("sound");
            if radius == PerRow::Same(f32::INFINITY) {
                assert_eq!(distances.distance(), expected.distance(), "{name}, {backend}");
                assert_eq!(distances.status(), expected.status(), "{name}, {backend}");
            }
        }
        for (row, &point) in points.iter().enumerate().take(20) {
            let radius = match radius {
                PerRow::Same(radius) => radius,
                PerRow::Each(radii) => radii[row],
            };
            let single = match expected.status()[row] {
                status if status.is_invalid() => Err(Error::InvalidRay { status }),
                _ => Ok(expected.get(row)),
            };
            let request = scene.point(point).backend(backend);
            assert_eq!(request.closest(radius), single, "{name}, {backend}");
            assert_eq!(request.brute_force().closest(radius), single, "{name}, {backend}");
        }
    }
    expected
}

/// What was found must be what `f64` finds, but for rounding.
pub(crate) fn hold_against_reference(
    name: &str,
    world: &RandomWorld,
    points: &[[f32; 3]],
    found: &ClosestPointBatch,
) {
    for (row, &point) in points.iter().enumerate() {
        let closest = found.get(row).unwrap_or_else(|| panic!("{name}, {point:?}: nothing"));
        let context = || format!("{name}, {point:?}: {closest:?}, {:?}", world.of(&closest));
        let wide = vector(point);
        let least = world.things.iter().fold(f64::MAX, |least, thing| {
            if thing.shape.at_least(wide) > least { least } else { least.min(thing.shape.distance(wide)) }
        });
        let of_named = world.of(&closest).shape.distance(wide);
        let size = world.of(&closest).shape.size() + wide.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        // What the axes of oriented boxes are off by in `f32`, and what the search for ellipsoids leaves.
        let close = 1e-6 * least.min(size) + 2e-7 * size;
        let distance = f64::from(closest.distance);
        assert!((distance - least).abs() <= close, "{}: {least:e}", context());
        assert!((of_named - least).abs() <= close, "{}: {of_named:e} and {least:e}", context());
        let at = vector(closest.point);
        assert!((length(minus(at, wide)) - distance).abs() <= 4e-7 * size, "{}", context());
        assert!(world.of(&closest).shape.distance(at) <= 4e-7 * size, "{}: not on it", context());
        match world.of(&closest).shape {
            Shape::Triangle([a, b, c]) => {
                let (u, v) = (f64::from(closest.u), f64::from(closest.v));
                for axis in 0..3 {
                    let weighted = (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis];
                    assert!((weighted - at[axis]).abs() <= 8e-7 * size, "{}: {weighted:e}", context());
                }
                let least = nearest_in_f64(wide, [a, b, c]).1;
                assert!((distance - least).abs() <= 1e-7 * least + 1e-12 * size, "{}: {least:e}", context());
            }
            // As rays have it there.
            _ => assert_eq!((closest.u, closest.v), (0.0, 0.0)),
        }
    }
}

pub(crate) fn points_around(world: &RandomWorld, random: &mut Random, count: usize) -> Vec<[f32; 3]> {
    let bounds = world.scene.bounds();
    (0..count)
        .map(|place| {
            let inside = std::array::from_fn(|axis| random.between(bounds.min[axis], bounds.max[axis]));
            match place % 6 {
                0 => random.point(-30.0, 30.0),
                1 => random.point(-1e5, 1e5),
                // On a surface, nearly.
                2 => world
                    .scene
                    .point(inside)
                    .closest(f32::INFINITY)
                    .expect("sound")
                    .map_or(inside, |near| near.point),
                _ => inside,
            }
        })
        .collect()
}

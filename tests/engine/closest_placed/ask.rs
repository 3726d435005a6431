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
use lanecast_reference::vector::{Numbers, length, minus};

fn row_bits<T: Numbers>(closest: &ClosestPointBatch<T>, row: usize) -> ([u32; 4], [u64; 6]) {
    let [x, y, z] = closest.point()[row];
    let numbers = [closest.distance()[row], x, y, z, closest.u()[row], closest.v()[row]];
    let instance = closest.instance_id().get(row).copied().unwrap_or(INVALID_ID);
    let status = u32::from(closest.status()[row].code());
    let ids = [status, instance, closest.geometry_id()[row], closest.primitive_id()[row]];
    (ids, numbers.map(|x| x.to_f64().to_bits()))
}

/// Every way to ask must give the bits of the scan, which are returned.
pub(crate) fn ask_in_every_way<T: Numbers>(
    name: &str,
    scene: &Scene<T>,
    points: &[[T; 3]],
    radius: PerRow<'_, T>,
) -> ClosestPointBatch<T> {
    let options = CastOptions::<T>::new().geometric_normals(true);
    let ask = |options: &CastOptions<'_, T>| {
        scene.points(points).with(options).closest(radius).expect("sound")
    };
    let expected = ask(&options.clone().brute_force());
    assert_eq!(
        expected.instance_id().len(),
        if scene.instance_count() > 0 { points.len() } else { 0 }
    );
    for backend in every_backend() {
        let options = options.clone().backend(backend);
        let scanned = ask(&options.clone().brute_force());
        for threads in [Threads::ONE, Threads::ALL] {
            let options = options.clone().threads(&threads);
            let found = ask(&options);
            for (row, point) in points.iter().enumerate() {
                let bits = row_bits(&expected, row);
                assert_eq!(
                    row_bits(&scanned, row),
                    bits,
                    "{name}, {backend}: lanes differ at {point:?}"
                );
                assert_eq!(
                    row_bits(&found, row),
                    bits,
                    "{name}, {backend}: the tree shows at {point:?}"
                );
            }
            let normals = [&expected, &scanned, &found].map(ClosestPointBatch::geometric_normal);
            assert!(
                normals[0] == normals[1] && normals[0] == normals[2],
                "{name}, {backend}: normals"
            );
            let distances = scene.points(points).with(&options).distances().expect("sound");
            if radius == PerRow::Same(T::INFINITY) {
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
pub(crate) fn hold_against_reference<T: Numbers>(
    name: &str,
    world: &RandomWorld<T>,
    points: &[[T; 3]],
    found: &ClosestPointBatch<T>,
) {
    // Of the numbers, and of the axes of oriented boxes and the search for ellipsoids.
    let is_fine = size_of::<T>() > size_of::<f32>();
    let [coarse, of_shapes] = if is_fine { [1e-14, 1e-11] } else { [2e-7, 1e-6] };
    for (row, &point) in points.iter().enumerate() {
        let closest = found.get(row).unwrap_or_else(|| panic!("{name}, {point:?}: nothing"));
        let context = || format!("{name}, {point:?}: {closest:?}, {:?}", world.named(&closest));
        let wide = point.map(T::to_f64);
        let least = world.things.iter().fold(f64::MAX, |least, thing| {
            if thing.shape.at_least(wide) > least {
                least
            } else {
                least.min(thing.shape.distance(wide))
            }
        });
        let of_named = world.named(&closest).shape.distance(wide);
        let size = world.named(&closest).shape.size()
            + wide.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        // The reference knows ellipsoids to half of the digits of `f64` where they are flat.
        let is_round = |shape: Shape| matches!(shape, Shape::Ellipsoid(..));
        let nearest_is_round = world.things.iter().any(|thing| {
            is_round(thing.shape)
                && thing.shape.at_least(wide) <= least
                && thing.shape.distance(wide) == least
        });
        let knows_half = nearest_is_round || is_round(world.named(&closest).shape);
        let of_reference = if is_fine && knows_half { 1e-9 * size } else { 0.0 };
        let close = of_shapes * least.min(size) + coarse * size + of_reference;
        let distance = closest.distance.to_f64();
        assert!((distance - least).abs() <= close, "{}: {least:e}", context());
        assert!((of_named - least).abs() <= close, "{}: {of_named:e} and {least:e}", context());
        let at = closest.point.map(T::to_f64);
        assert!((length(minus(at, wide)) - distance).abs() <= 2.0 * coarse * size, "{}", context());
        let off = world.named(&closest).shape.distance(at);
        assert!(off <= 2.0 * coarse * size + of_reference, "{}: not on it", context());
        match world.named(&closest).shape {
            Shape::Triangle([a, b, c]) => {
                let (u, v) = (closest.u.to_f64(), closest.v.to_f64());
                for axis in 0..3 {
                    let weighted = (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis];
                    assert!(
                        (weighted - at[axis]).abs() <= 4.0 * coarse * size,
                        "{}: {weighted:e}",
                        context()
                    );
                }
                let least = nearest_in_f64(wide, [a, b, c]).1;
                assert!(
                    (distance - least).abs()
                        <= 0.5 * coarse * least + 1e-12_f64.min(10.0 * coarse) * size,
                    "{}: {least:e}",
                    context()
                );
            }
            // As rays have it there.
            _ => assert_eq!([closest.u, closest.v], [T::ZERO; 2]),
        }
    }
}

pub(crate) fn points_around<T: Numbers>(
    world: &RandomWorld<T>,
    random: &mut Random,
    count: usize,
) -> Vec<[T; 3]> {
    let bounds = world.scene.bounds();
    // Zero in worlds that are not moved.
    let around = [0, 1, 2].map(|axis| {
        let middle = 0.5 * (bounds.min[axis].to_f64() + bounds.max[axis].to_f64());
        if middle.abs() > 1e5 { middle } else { 0.0 }
    });
    (0..count)
        .map(|place| {
            let amid = [0, 1, 2].map(|axis| {
                let [min, max] = [bounds.min, bounds.max].map(|corner| corner[axis].to_f64());
                min + (max - min) * f64::from(random.unit())
            });
            let inside = amid.map(T::nearest);
            let near = |point: [f32; 3]| {
                [0, 1, 2].map(|axis| T::nearest(f64::from(point[axis]) + around[axis]))
            };
            match place % 6 {
                0 => near(random.point(-30.0, 30.0)),
                1 => near(random.point(-1e5, 1e5)),
                // On a surface, nearly.
                2 => world
                    .scene
                    .point(inside)
                    .closest(T::INFINITY)
                    .expect("sound")
                    .map_or(inside, |near| near.point),
                _ => inside,
            }
        })
        .collect()
}

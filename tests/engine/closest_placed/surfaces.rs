//! Single boxes and spheres, carried by maps of every kind: exact to the rounding of `f64`.

use crate::common::scale::scaled;
use lanecast::primitive::{NearestPoint, Primitives, Sphere};
use lanecast::{Aabb, Affine};
use lanecast_reference::placed::shape::Shape;
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use lanecast_reference::vector::{Vector, dot, length, minus, vector};

fn tries() -> usize {
    scaled(1_000)
}

/// Up to 2^12 times as far one way as another, or the same every way, or not at all.
fn map(random: &mut Random) -> Affine {
    let mut exponent = || f64::from(random.between(-6.0, 6.0)).exp2();
    let scale = match exponent() {
        x if x < 0.25 => [x; 3],
        x if x < 1.0 => [x, 2.0 * x, 2.0 * x],
        _ => [exponent(), exponent(), exponent()],
    };
    let scale = Affine::from_rows(
        [0, 1, 2].map(|i| [0, 1, 2, 3].map(|j| if i == j { scale[i] } else { 0.0 })),
    );
    match random.below(4) {
        0 => Affine::IDENTITY,
        1 => scale,
        _ => transform(random) * scale * transform(random),
    }
}

/// In a frame and then where the map takes it: amid, on axes and planes, on the surface, near and
/// far.
fn point(random: &mut Random, center: [f32; 3], radius: f32, map: &Affine) -> Vector {
    let mut off = random.direction();
    for x in &mut off {
        *x *= random.pick(&[0.0, 1e-7, 0.3, 1.0, 1.0]) * radius;
    }
    let away = random.pick(&[0.0, 0.5, 1.0, 3.0, 1e4]);
    map.point(std::array::from_fn(|axis| f64::from(center[axis]) + away * f64::from(off[axis])))
}

fn nearest(shapes: &impl Primitives, point: Vector, map: &Affine) -> NearestPoint {
    shapes
        .nearest_points()
        .and_then(|shapes| shapes.nearest_point(0, point, map))
        .expect("a surface")
}

fn size(shape: Shape, point: Vector) -> f64 {
    shape.size() + point.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

#[test]
fn no_point_of_an_ellipsoid_is_nearer_than_the_one_found() {
    let random = &mut Random::new(41);
    for _ in 0..tries() {
        let (center, radius, map) =
            (random.point(-1.0, 1.0), random.between(0.1, 2.0), map(random));
        let point = point(random, center, radius, &map);
        let found = nearest(&vec![Sphere::new(center, radius)], point, &map).point;
        let r = f64::from(radius);
        let unit = [[r, 0.0, 0.0], [0.0, r, 0.0], [0.0, 0.0, r]];
        let shape = Shape::Ellipsoid(vector(center), unit).placed(&map);
        let (distance, size) = (length(minus(found, point)), size(shape, point));
        let least = shape.at_most(point);
        assert!(
            distance <= least + 1e-13 * size,
            "{point:?}, {radius}, {map:?}: {distance:e}, not {least:e}"
        );
        // It is on the surface: as far from the center as the radius, where it comes from.
        let back = minus(map.inverse().expect("not flat").point(found), vector(center));
        let flattened = f64::from(1 << 14) * 1e-15 * (1.0 + size);
        assert!((dot(back, back).sqrt() - r).abs() < flattened * (1.0 + r), "{map:?}: {back:?}");
    }
}

#[test]
fn the_nearest_point_of_a_carried_box_is_that_of_its_faces() {
    let random = &mut Random::new(42);
    for _ in 0..tries() {
        let (min, sides, map) = (random.point(-1.0, 1.0), random.point(0.0, 2.0), map(random));
        let sides = sides.map(|side| if side < 0.1 { 0.0 } else { side });
        let max: [f32; 3] = std::array::from_fn(|axis| min[axis] + sides[axis]);
        let [low, high] = [min, max].map(vector);
        let middle: Vector = std::array::from_fn(|axis| 0.5 * (low[axis] + high[axis]));
        let half = [0, 1, 2]
            .map(|i| [0, 1, 2].map(|j| if i == j { 0.5 * (high[i] - low[i]) } else { 0.0 }));
        let point = point(random, middle.map(|x| x as f32), 1.0, &map);
        let found = nearest(&vec![Aabb { min, max }], point, &map).point;
        let shape = Shape::Parallelepiped(middle, half).placed(&map);
        let (distance, least, size) =
            (length(minus(found, point)), shape.distance(point), size(shape, point));
        assert!(
            (distance - least).abs() <= 1e-13 * size,
            "{point:?}, {min:?}, {max:?}, {map:?}: {distance:e} {least:e}"
        );
        assert!(shape.distance(found) <= 1e-13 * size, "{point:?}: not on it");
    }
}

//! The geometric normal of a hit points where that of its triangle does, whatever its size or
//! shape.

use crate::common::scale::scaled;
use lanecast::{Ray, Scene};
use lanecast_reference::random::Random;

/// (b − a) × (c − a) in f64.
fn reference([a, b, c]: [[f32; 3]; 3]) -> [f64; 3] {
    let to = |p: [f32; 3]| -> [f64; 3] {
        std::array::from_fn(|axis| f64::from(p[axis]) - f64::from(a[axis]))
    };
    let (e, f) = (to(b), to(c));
    [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]]
}

/// The normal of the hit if there is one: a line along the normal through the first corner, which
/// belongs to the triangle however thin that is.
fn normal_of_hit(corners: [[f32; 3]; 3]) -> Option<[f32; 3]> {
    let scene = Scene::from_triangles(&corners, &[[0, 1, 2]]).expect("a sound triangle");
    let normal = reference(corners);
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    let direction: [f32; 3] = std::array::from_fn(|axis| (normal[axis] / length) as f32);
    let ray = Ray::line(corners[0], direction);
    let hits = scene.cast(&[ray]).geometric_normals(true).closest().expect("answers");
    hits.hit(0).map(|_| hits.geometric_normal()[0])
}

fn assert_points_the_same_way(corners: [[f32; 3]; 3], found: [f32; 3]) {
    let expected = reference(corners);
    let largest = |v: [f64; 3]| v.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let found = found.map(f64::from);
    let (of_found, of_expected) = (largest(found), largest(expected));
    assert!(of_found.is_finite() && of_found > 0.0, "{found:?} for {corners:?}");
    for axis in 0..3 {
        let off = (found[axis] / of_found - expected[axis] / of_expected).abs();
        assert!(off < 1e-6, "{found:?} instead of {expected:?} for {corners:?}");
    }
}

#[test]
fn normals_of_huge_and_tiny_triangles_are_finite_and_not_zero() {
    for size in [1e-38, 1e-24, 1e-10, 1.0, 1e10, 1e20, 5e29] {
        let corners = [[0.0, 0.0, 0.0], [size, size, 0.0], [size, 2.0 * size, 0.5 * size]];
        let found = normal_of_hit(corners).unwrap_or_else(|| panic!("no hit at size {size:e}"));
        assert_points_the_same_way(corners, found);
    }
}

#[test]
fn normals_of_slivers_point_the_right_way_seed_12() {
    let mut random = Random::new(12);
    let mut met = 0;
    for _ in 0..scaled(4_000) {
        let (p, q): ([f32; 3], [f32; 3]) = (random.point(0.0, 2.0), random.point(0.0, 2.0));
        let along = random.point(0.0, 1.0)[0];
        let corners = [p, q, std::array::from_fn(|axis| p[axis] + along * (q[axis] - p[axis]))];
        if reference(corners) == [0.0; 3] {
            continue;
        }
        if let Some(found) = normal_of_hit(corners) {
            assert_points_the_same_way(corners, found);
            met += 1;
        }
    }
    assert!(met > 150, "only {met} slivers were met");
}

#[test]
fn normal_of_an_ordinary_triangle_is_its_cross_product() {
    let corners = [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [1.0, 5.0, 0.0]];
    assert_eq!(normal_of_hit(corners), Some([0.0, 0.0, 10.0]));
}

//! The watertight test of `f32` where numbers are large, small or far apart: in every form, and in
//! scenes.

use crate::common::scale::scaled;
use crate::triangle_tests::answers::{in_every_form, in_scene};
use crate::triangle_tests::draw::Corners;
use lanecast::primitive::{Test, Triangle, TriangleHit, Watertight};
use lanecast::{Culling, Ray};
use lanecast_reference::line::separation::{gap, separation};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use lanecast_reference::rays::aimed;
use lanecast_reference::vector::{LEAST, cross, length, minus, vector};

fn drawn() -> usize {
    scaled(40)
}

/// In the plane z = 0, counter-clockwise as seen from above.
const FLAT: Corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

/// The one answer of every form and of scenes.
fn cast(ray: &Ray, corners: Corners, culling: Culling) -> Option<TriangleHit> {
    let hit = in_every_form(Watertight { culling }, ray, Triangle::new(corners));
    let bits = hit.map(|hit| [hit.t, hit.u, hit.v].map(f32::to_bits));
    assert_eq!(in_scene(ray, &[corners], culling), [bits], "{ray:?} {corners:?} {culling:?}");
    hit
}

/// t, u and v, whichever side is seen.
fn met(ray: &Ray, corners: Corners) -> Option<[f32; 3]> {
    cast(ray, corners, Culling::None).map(|hit| [hit.t, hit.u, hit.v])
}

#[test]
fn side_that_is_seen_changes_no_bit_of_t() {
    let mut random = Random::new(2);
    for case in 0..drawn() {
        let corners @ [a, b, c] = meshes::soup(1, &mut random).corners(0);
        let target = std::array::from_fn(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
        let ray = aimed(random.point(-2.0, 2.0), target, [0.0, 2.0]).expect("a ray");
        let context = || format!("seed 2, case {case}: {ray:?} {corners:?}");
        let there = met(&ray, corners);
        assert_eq!(there.is_some(), met(&ray, [a, c, b]).is_some(), "turned round, {}", context());
        let [back, front] =
            [Culling::Back, Culling::Front].map(|culling| cast(&ray, corners, culling));
        assert!(back.is_none() || front.is_none(), "both sides are seen, {}", context());
        let bits = |[t, u, v]: [f32; 3]| [t, u, v].map(f32::to_bits);
        let one_sided = back.or(front).map(|hit| [hit.t, hit.u, hit.v]);
        assert_eq!(one_sided.map(bits), there.map(bits), "{}", context());
    }
}

/// Zero and −0 are equal but not the same bits.
#[test]
fn no_answer_is_negative_zero() {
    let turned = [FLAT[0], FLAT[2], FLAT[1]];
    for corners in [FLAT, turned] {
        for (x, y) in
            [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (1.0, 0.0), (0.0, 1.0), (2.0, 2.0), (1.0, 1.0)]
        {
            for direction in
                [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [-0.0, -0.0, 1.0], [0.5, -0.25, -1.0]]
            {
                let found =
                    met(&Ray::line([x, y, 0.0], direction), corners).expect("it starts there");
                assert_eq!(
                    found.map(f32::is_sign_negative),
                    [false; 3],
                    "{found:?} {direction:?} {corners:?}"
                );
            }
        }
    }
}

#[test]
fn t_of_a_sliver_stays_precise() {
    let mut random = Random::new(3);
    let mut seen = 0;
    for case in 0..scaled(8_000) {
        let corners @ [a, b, c] = meshes::slivers(1, &mut random).corners(0);
        let (u, v) = (0.5 * random.unit(), 0.5 * random.unit());
        let target =
            std::array::from_fn(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]);
        let Some(ray) = aimed(random.point(-2.0, 2.0), target, [0.0, 2.0]) else { continue };
        let hit =
            Watertight::TWO_SIDED.intersect(&Triangle::new(corners), &ray).expect("a sound ray");
        let Some(hit) = hit else { continue };
        seen += 1;
        let context = || format!("seed 3, case {case}: {hit:?} {ray:?} {corners:?}");
        let speed = ray.direction.iter().map(|d| f64::from(d.abs())).fold(0.0, f64::max);
        let apart = gap(&ray, corners, [hit.t, hit.u, hit.v]);
        let most = 2.0 * separation(&ray, corners).shift + speed * LEAST;
        assert!(apart <= most, "ray and triangle are {apart:e} apart there, {}", context());
        // Aimed to within a rounding of the target, and the sliver is as good as a line: only where
        // the ray runs almost along it may t be elsewhere.
        let (along, direction) = (minus(vector(b), vector(a)), vector(ray.direction));
        let sine = length(cross(along, direction)) / (length(along) * length(direction));
        let off = f64::from((hit.t - 1.0).abs());
        assert!(off * sine < 1e-2 || off < 1e-2, "{}", context());
    }
    assert!(seen > 300, "only {seen} slivers were met");
}

#[test]
fn subnormal_triangles_are_met() {
    let size = f32::from_bits(4_000);
    let tiny = FLAT.map(|corner| corner.map(|x| x * size));
    assert_eq!(met(&Ray::new([size; 3], [0.0, 0.0, -1.0]), tiny), Some([size, 0.25, 0.25]));
    assert!(met(&Ray::new([size, size, 1.0], [0.0, 0.0, -1.0]), tiny).is_some());
    assert_eq!(met(&Ray::new([-size, size, 1.0], [0.0, 0.0, -1.0]), tiny), None);
}

#[test]
fn triangles_at_1e7_are_met() {
    let far = FLAT.map(|corner| corner.map(|x| x + 1e7));
    let down = |x: f32, y: f32| Ray::new([1e7 + x, 1e7 + y, 1e7 + 2.0], [0.0, 0.0, -1.0]);
    assert_eq!(met(&down(1.0, 2.0), far), Some([2.0, 0.25, 0.5]));
    assert_eq!(met(&down(-1.0, 0.0), far), None);
}

#[test]
fn triangles_of_the_greatest_size_are_met() {
    let most = 2.0_f32.powi(100);
    let huge = [[-most, -most, 0.0], [most, -most, 0.0], [0.0, most, 0.0]];
    for size in [1.0, 1e30, 1e-28] {
        let found = met(&Ray::new([0.0, 0.0, 8.0], [0.0, 0.0, -size]), huge);
        assert_eq!(found.map(|[t, ..]| t), Some(8.0 / size), "direction of length {size}");
    }
    assert!(met(&Ray::new([0.0, 0.0, most], [0.0, 0.0, -1.0]), huge).is_some());
}

#[test]
fn t_beyond_the_range_of_f32_is_a_miss() {
    let far = FLAT.map(|[x, y, _]| [x, y, 2.0_f32.powi(100)]);
    let ray = Ray::line([1.0, 1.0, 0.0], [0.0, 0.0, 2.0_f32.powi(-100)]);
    assert_eq!(met(&ray, far), None);
}

#[test]
fn length_of_the_direction_scales_t_alone() {
    let mut random = Random::new(4);
    for case in 0..drawn() {
        let corners = meshes::soup(1, &mut random).corners(0);
        let ray =
            aimed(random.point(-2.0, 2.0), corners[case % 3], [0.0, f32::INFINITY]).expect("a ray");
        let expected = met(&ray, corners);
        for exponent in [-80, -20, -1, 1, 20, 80] {
            let factor = 2.0_f32.powi(exponent);
            let scaled = Ray { direction: ray.direction.map(|d| d * factor), ..ray };
            let found = met(&scaled, corners).map(|[t, u, v]| [t * factor, u, v]);
            assert_eq!(found, expected, "seed 4, case {case}: {scaled:?} {corners:?}");
        }
    }
}

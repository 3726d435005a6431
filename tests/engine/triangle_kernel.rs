//! The watertight test of one ray against eight triangles, held against the `f64` reference on
//! every backend.

use crate::common::backends::{every_backend, same_on_every_backend};
use crate::common::random::Random;
use crate::common::rays::{any_ray, coordinate, defective, interval, triple};
use crate::common::{meshes, rays};
use crate::reference::triangle::{gap, meeting};
use crate::reference::{self, interval as interval_of, side_counts};
use lanecast::primitive::{TriangleBlock, TriangleHits};
use lanecast::{Backend, Culling, Error, Ray};
use proptest::prelude::*;

const CASES: u32 = if cfg!(debug_assertions) { 1_000 } else { 20_000 };
const CULLINGS: [Culling; 3] = [Culling::None, Culling::Back, Culling::Front];

type Corners = [[f32; 3]; 3];

fn block_of(triangles: &[Corners]) -> TriangleBlock {
    let numbered: Vec<_> = triangles.iter().zip(10..).map(|(&corners, number)| (corners, number)).collect();
    TriangleBlock::new(&numbered)
}

fn bits(hits: &TriangleHits) -> (u8, Vec<[u32; 3]>) {
    let lanes = (0..8).filter(|lane| hits.mask >> lane & 1 == 1);
    (hits.mask, lanes.map(|lane| [hits.t[lane], hits.u[lane], hits.v[lane]].map(f32::to_bits)).collect())
}

/// What every backend answers.
fn cast(ray: &Ray, triangles: &[Corners], culling: Culling) -> TriangleHits {
    let block = block_of(triangles);
    let context = (ray, triangles, culling);
    let ask = |backend| {
        block.intersect(backend, ray, culling).unwrap_or_else(|error| panic!("{error}: {context:?}"))
    };
    same_on_every_backend(context, |backend| bits(&ask(backend)));
    let masks = same_on_every_backend(context, |backend| {
        let mut masks = [0; 2];
        TriangleBlock::intersect_many(backend, ray, culling, &[block, block], &mut masks).expect("two masks");
        masks
    });
    let hits = ask(Backend::PORTABLE);
    assert_eq!(masks, [hits.mask; 2], "many blocks and one disagree for {context:?}");
    hits
}

/// How often the reference could tell.
#[derive(Debug, Default)]
struct Decided {
    hits: usize,
    misses: usize,
}

/// Holds the answer for every triangle against the reference wherever that leaves no doubt.
fn check(ray: &Ray, triangles: &[Corners], culling: Culling, decided: &mut Decided) {
    let hits = cast(ray, triangles, culling);
    let [t_min, t_max] = interval_of(ray);
    for (lane, &corners) in triangles.iter().enumerate() {
        let met = hits.mask >> lane & 1 == 1;
        let truth = meeting(ray, corners);
        let clear = truth.clearance > 2.0 * truth.shift;
        let (early, late) = (truth.t - truth.t_error, truth.t + truth.t_error);
        let context =
            || format!("{ray:?} {culling:?}\ntriangle {lane}: {corners:?}\nkernel {hits:?}\n{truth:?}");
        if clear && truth.inside && truth.facing != 0.0 && truth.t.abs() < 1e38 {
            if side_counts(truth.facing, culling) && t_min <= early && late <= t_max {
                decided.hits += 1;
                assert!(met, "a triangle that the ray passes through is missed: {}", context());
            } else if !side_counts(truth.facing, culling) || late < t_min || t_max < early {
                decided.misses += 1;
                assert!(!met, "a triangle is met on the wrong side or outside the interval: {}", context());
            }
        } else if clear && !truth.inside {
            decided.misses += 1;
            assert!(!met, "a triangle that the line passes is met: {}", context());
        }
        if met {
            let [t, u, v] = [hits.t[lane], hits.u[lane], hits.v[lane]];
            assert!(ray.t_min <= t && t <= ray.t_max, "t outside the closed interval: {}", context());
            assert!(u >= 0.0 && v >= 0.0 && u + v <= 1.0 + f32::EPSILON, "weights outside: {}", context());
            let speed = ray.direction.iter().map(|d| f64::from(d.abs())).fold(0.0, f64::max);
            let off = gap(ray, corners, [t, u, v]);
            assert!(
                off <= 2.0 * truth.shift + speed * reference::LEAST,
                "the point on the ray and the point of the triangle lie {off} apart: {}",
                context()
            );
            if clear && truth.inside && truth.t_error < 0.1 * truth.t.abs() {
                let off = (f64::from(t) - truth.t).abs();
                assert!(off <= truth.t_error, "t is off by {off}: {}", context());
            }
        }
    }
    assert_eq!(u32::from(hits.mask) >> triangles.len(), 0, "an unused lane is met: {ray:?} {triangles:?}");
}

fn any_triangle() -> impl Strategy<Value = Corners> {
    let corner = || triple(coordinate().boxed());
    let near = |[a, b, c]: Corners, size: f32| {
        let beside = |p: [f32; 3]| std::array::from_fn(|axis| a[axis] + size * p[axis]);
        [a, beside(b), beside(c)]
    };
    prop_oneof![
        [corner(), corner(), corner()],
        ([corner(), corner(), corner()], prop_oneof![Just(1.0_f32), Just(1e-3), Just(1e-6)])
            .prop_map(move |(corners, size)| near(corners, size)),
    ]
    .prop_filter("within the bound", |corners| corners.iter().flatten().all(|x| x.abs() <= 1e30))
}

fn any_culling() -> impl Strategy<Value = Culling> {
    prop_oneof![Just(Culling::None), Just(Culling::Back), Just(Culling::Front)]
}

proptest! {
    #![proptest_config(crate::common::rays::cases(CASES))]

    #[test]
    fn any_ray_meets_the_triangles_that_the_reference_says(
        ray in any_ray(),
        triangles in prop::collection::vec(any_triangle(), 1..=8),
        culling in any_culling(),
    ) {
        check(&ray, &triangles, culling, &mut Decided::default());
    }

    /// Aimed at insides, edges and vertices.
    #[test]
    fn a_ray_aimed_at_a_triangle_meets_what_the_reference_says(
        triangles in prop::collection::vec(any_triangle(), 1..=8),
        weights in prop_oneof![
            Just([0.0_f32, 0.0]), Just([1.0, 0.0]), Just([0.5, 0.0]), Just([0.25, 0.75]), Just([0.25, 0.5]),
            [0.0_f32..0.5, 0.0_f32..0.5],
        ],
        origin in triple(coordinate().boxed()),
        interval in interval(),
        culling in any_culling(),
    ) {
        for &[a, b, c] in &triangles {
            let [u, v] = weights;
            let point = std::array::from_fn(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]);
            if let Some(ray) = rays::aimed(origin, point, interval) {
                check(&ray, &triangles, culling, &mut Decided::default());
            }
        }
    }
}

#[test]
fn the_reference_decides_most_ordinary_cases() {
    let mut decided = Decided::default();
    let mut random = Random::new(1);
    for _ in 0..1_000 {
        let mesh = meshes::soup(8, &mut random);
        let corners: Vec<Corners> = (0..8).map(|i| mesh.corners(i)).collect();
        let [a, b, c] = corners[0];
        let target = std::array::from_fn(|axis| 0.4 * a[axis] + 0.35 * b[axis] + 0.25 * c[axis]);
        let ray = rays::aimed(random.point(-3.0, 3.0), target, [0.0, 2.0]).expect("a ray");
        check(&ray, &corners, Culling::None, &mut decided);
    }
    assert!(decided.hits >= 990 && decided.misses >= 6_000, "seed 1: {decided:?} of 1000 and 7000");
}

/// In the plane z = 0, counter-clockwise as seen from above.
const FLAT: Corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];

fn down(x: f32, y: f32) -> Ray {
    Ray::new([x, y, 2.0], [0.0, 0.0, -1.0])
}

fn met(ray: &Ray, corners: Corners) -> bool {
    check(ray, &[corners], Culling::None, &mut Decided::default());
    cast(ray, &[corners], Culling::None).mask == 1
}

#[test]
fn t_and_weights_are_those_of_the_point_of_passage() {
    let hits = cast(&down(1.0, 2.0), &[FLAT], Culling::None);
    assert_eq!((hits.mask, hits.t[0], hits.u[0], hits.v[0]), (1, 2.0, 0.25, 0.5));
    let scaled = Ray::new([1.0, 2.0, 2.0], [0.0, 0.0, -4.0]);
    assert_eq!(cast(&scaled, &[FLAT], Culling::None).t[0], 0.5, "t counts lengths of the direction");
}

#[test]
fn ray_through_an_edge_meets_the_triangle() {
    for (x, y) in [(1.0, 0.0), (0.0, 3.0), (2.0, 2.0), (1.0, 3.0)] {
        assert!(met(&down(x, y), FLAT), "({x}, {y})");
    }
}

#[test]
fn ray_through_a_vertex_meets_the_triangle() {
    for (corner, weights) in FLAT.into_iter().zip([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]) {
        let hits = cast(&down(corner[0], corner[1]), &[FLAT], Culling::None);
        assert_eq!((hits.mask, [hits.u[0], hits.v[0]]), (1, weights), "{corner:?}");
    }
}

#[test]
fn ray_beside_the_triangle_misses() {
    for (x, y) in [(-1e-6, 1.0), (1.0, -1e-6), (2.0, 2.00001), (5.0, 0.0), (0.0, 4.0001)] {
        assert!(!met(&down(x, y), FLAT), "({x}, {y})");
    }
}

#[test]
fn front_is_counter_clockwise_as_seen_from_the_origin_of_the_ray() {
    let up = Ray::new([1.0, 1.0, -2.0], [0.0, 0.0, 1.0]);
    let mask = |ray: &Ray, culling| cast(ray, &[FLAT], culling).mask;
    assert_eq!(CULLINGS.map(|culling| mask(&down(1.0, 1.0), culling)), [1, 1, 0], "seen from the front");
    assert_eq!(CULLINGS.map(|culling| mask(&up, culling)), [1, 0, 1], "seen from the back");
    let [a, b, c] = FLAT;
    let turned = |ray: &Ray, culling| cast(ray, &[[a, c, b]], culling).mask;
    assert_eq!(CULLINGS.map(|culling| turned(&down(1.0, 1.0), culling)), [1, 0, 1], "turned round");
}

#[test]
fn which_side_is_seen_does_not_change_t() {
    let mut random = Random::new(2);
    for case in 0..2_000 {
        let corners = meshes::soup(1, &mut random).corners(0);
        let [a, b, c] = corners;
        let target = std::array::from_fn(|axis| (a[axis] + b[axis] + c[axis]) / 3.0);
        let ray = rays::aimed(random.point(-2.0, 2.0), target, [0.0, 2.0]).expect("a ray");
        let [there, turned] = [[a, b, c], [a, c, b]].map(|corners| cast(&ray, &[corners], Culling::None));
        assert_eq!(there.mask, turned.mask, "seed 2, case {case}: {ray:?} {corners:?}");
        let [back, front] = [Culling::Back, Culling::Front].map(|culling| cast(&ray, &[corners], culling));
        assert_eq!(back.mask + front.mask, there.mask, "seed 2, case {case}: both sides or neither");
        let one_sided = if back.mask == 1 { back } else { front };
        assert_eq!(bits(&one_sided), bits(&there), "seed 2, case {case}: {ray:?} {corners:?}");
    }
}

#[test]
fn interval_is_closed_at_both_ends() {
    let ray = down(1.0, 1.0);
    for (t_min, t_max, expected) in [
        (2.0, 9.0, true),
        (0.0, 2.0, true),
        (2.0, 2.0, true),
        (2.0_f32.next_up(), 9.0, false),
        (0.0, 2.0_f32.next_down(), false),
        (f32::NEG_INFINITY, f32::INFINITY, true),
    ] {
        assert_eq!(met(&ray.with_interval(t_min, t_max), FLAT), expected, "[{t_min}, {t_max}]");
    }
}

#[test]
fn triangle_behind_is_missed_by_a_ray_and_met_by_a_line() {
    let away = Ray::new([1.0, 1.0, 2.0], [0.0, 0.0, 1.0]);
    assert!(!met(&away, FLAT));
    let hits = cast(&Ray::line(away.origin, away.direction), &[FLAT], Culling::None);
    assert_eq!((hits.mask, hits.t[0]), (1, -2.0));
}

#[test]
fn ray_that_starts_on_the_triangle_meets_it_at_zero() {
    let hits = cast(&Ray::new([1.0, 1.0, 0.0], [0.3, 0.1, -1.0]), &[FLAT], Culling::None);
    assert_eq!((hits.mask, hits.t[0]), (1, 0.0));
}

/// Zero and −0 are equal but not the same bits, and the answers are compared as bits.
#[test]
fn no_answer_is_negative_zero() {
    let turned = [FLAT[0], FLAT[2], FLAT[1]];
    for corners in [FLAT, turned] {
        for (x, y) in [(0.0, 0.0), (4.0, 0.0), (0.0, 4.0), (1.0, 0.0), (0.0, 1.0), (2.0, 2.0), (1.0, 1.0)] {
            for direction in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [-0.0, -0.0, 1.0], [0.5, -0.25, -1.0]] {
                let hits = cast(&Ray::line([x, y, 0.0], direction), &[corners], Culling::None);
                let found = [hits.t[0], hits.u[0], hits.v[0]];
                assert_eq!(hits.mask, 1, "({x}, {y}) {direction:?} {corners:?}");
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
fn degenerate_triangles_are_never_met() {
    let (p, q) = ([1.0, 1.0, 0.0], [3.0, 2.0, 0.0]);
    let middle = [2.0, 1.5, 0.0];
    for corners in [[p, p, p], [p, p, q], [p, q, p], [q, p, p], [p, q, middle], [p, middle, q]] {
        for (x, y) in [(1.0, 1.0), (3.0, 2.0), (2.0, 1.5), (2.5, 1.75)] {
            assert!(!met(&down(x, y), corners), "({x}, {y}) {corners:?}");
            assert!(!met(&Ray::line([x, y, 0.0], [2.0, 1.0, 0.0]), corners), "along, ({x}, {y}) {corners:?}");
        }
    }
}

#[test]
fn triangle_seen_edge_on_is_not_met() {
    for direction in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-3.0, 2.0, -0.0]] {
        assert!(!met(&Ray::line([1.0, 1.0, 0.0], direction), FLAT), "{direction:?}");
    }
}

#[test]
fn t_of_a_sliver_stays_precise() {
    let mut random = Random::new(3);
    let (mut seen, mut decided) = (0, Decided::default());
    for case in 0..20_000 {
        let corners = meshes::slivers(1, &mut random).corners(0);
        let [a, b, c] = corners;
        let (u, v) = (0.5 * random.unit(), 0.5 * random.unit());
        let target = std::array::from_fn(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]);
        let Some(ray) = rays::aimed(random.point(-2.0, 2.0), target, [0.0, 2.0]) else { continue };
        check(&ray, &[corners], Culling::None, &mut decided);
        let hits = cast(&ray, &[corners], Culling::None);
        if hits.mask == 1 {
            seen += 1;
            // Aimed to within a rounding of the target, and the sliver is as good as a line: only
            // where the ray runs almost along it may t be elsewhere.
            let (along, d) = (reference::minus(reference::vector(b), reference::vector(a)), ray.direction);
            let sine = reference::length(reference::cross(along, reference::vector(d)))
                / (reference::length(along) * reference::length(reference::vector(d)));
            let off = f64::from((hits.t[0] - 1.0).abs());
            assert!(
                off * sine < 1e-2 || off < 1e-2,
                "seed 3, case {case}: t {} {ray:?} {corners:?}",
                hits.t[0]
            );
        }
    }
    assert!(seen > 1_000, "only {seen} slivers were met, {decided:?}");
}

#[test]
fn subnormal_triangles_are_met() {
    let size = f32::from_bits(4_000);
    let tiny = FLAT.map(|corner| corner.map(|x| x * size));
    let ray = Ray::new([size, size, size], [0.0, 0.0, -1.0]);
    let hits = cast(&ray, &[tiny], Culling::None);
    assert_eq!((hits.mask, hits.t[0], hits.u[0], hits.v[0]), (1, size, 0.25, 0.25));
    let from_afar = Ray::new([size, size, 1.0], [0.0, 0.0, -1.0]);
    assert!(met(&from_afar, tiny));
    assert!(!met(&Ray::new([-size, size, 1.0], [0.0, 0.0, -1.0]), tiny));
}

#[test]
fn triangles_at_1e7_are_met() {
    let far = FLAT.map(|corner| corner.map(|x| x + 1e7));
    let hits = cast(&Ray::new([1e7 + 1.0, 1e7 + 2.0, 1e7 + 2.0], [0.0, 0.0, -1.0]), &[far], Culling::None);
    assert_eq!((hits.mask, hits.t[0], hits.u[0], hits.v[0]), (1, 2.0, 0.25, 0.5));
    assert!(!met(&Ray::new([1e7 - 1.0, 1e7, 1e7 + 2.0], [0.0, 0.0, -1.0]), far));
}

#[test]
fn triangles_of_the_greatest_size_are_met() {
    let most = 2.0_f32.powi(100);
    let huge = [[-most, -most, 0.0], [most, -most, 0.0], [0.0, most, 0.0]];
    for length in [1.0, 1e30, 1e-28] {
        let hits = cast(&Ray::new([0.0, 0.0, 8.0], [0.0, 0.0, -length]), &[huge], Culling::None);
        assert_eq!((hits.mask, hits.t[0]), (1, 8.0 / length), "length {length}");
    }
    assert!(met(&Ray::new([0.0, 0.0, most], [0.0, 0.0, -1.0]), huge));
}

#[test]
fn t_beyond_the_range_of_f32_is_a_miss() {
    let far = FLAT.map(|[x, y, _]| [x, y, 2.0_f32.powi(100)]);
    let ray = Ray::line([1.0, 1.0, 0.0], [0.0, 0.0, 2.0_f32.powi(-100)]);
    assert_eq!(cast(&ray, &[far], Culling::None).mask, 0);
}

#[test]
fn length_of_the_direction_scales_t_alone() {
    let mut random = Random::new(4);
    for case in 0..2_000 {
        let corners = meshes::soup(1, &mut random).corners(0);
        let ray =
            rays::aimed(random.point(-2.0, 2.0), corners[case % 3], [0.0, f32::INFINITY]).expect("a ray");
        let expected = cast(&ray, &[corners], Culling::None);
        for exponent in [-80, -20, -1, 1, 20, 80] {
            let factor = 2.0_f32.powi(exponent);
            let scaled = Ray { direction: ray.direction.map(|d| d * factor), ..ray };
            let found = cast(&scaled, &[corners], Culling::None);
            assert_eq!(found.mask, expected.mask, "seed 4, case {case}: {scaled:?} {corners:?}");
            if found.mask == 1 {
                let [a, b] = [
                    [found.t[0] * factor, found.u[0], found.v[0]],
                    [expected.t[0], expected.u[0], expected.v[0]],
                ];
                assert_eq!(a, b, "seed 4, case {case}: {scaled:?} {corners:?}");
            }
        }
    }
}

#[test]
fn lane_does_not_matter() {
    let apart = FLAT.map(|[x, y, z]| [x + 50.0, y, z]);
    for lane in 0..8 {
        let mut triangles = [apart; 8];
        triangles[lane] = FLAT;
        let hits = cast(&down(1.0, 2.0), &triangles, Culling::None);
        assert_eq!((hits.mask, hits.t[lane]), (1 << lane, 2.0), "lane {lane}");
    }
}

#[test]
fn ray_with_nan_or_infinite_component_or_without_direction_is_refused() {
    let block = block_of(&[FLAT]);
    for backend in every_backend() {
        for (ray, status) in defective() {
            let found = block.intersect(backend, &ray, Culling::None);
            assert_eq!(found, Err(Error::InvalidRay { status }), "{backend} {ray:?}");
            let found = TriangleBlock::intersect_many(backend, &ray, Culling::None, &[block], &mut [0]);
            assert_eq!(found, Err(Error::InvalidRay { status }), "{backend} {ray:?}");
        }
    }
}

//! Intervals are closed: what lies within one in exact fractions counts, however its `t` rounds.

use crate::common::backends::every_backend;
use crate::common::scale::scaled;
use crate::common::strategies::cases;
use crate::triangle_tests::answers::{check_in_interval, in_every_form};
use crate::triangle_tests::few;
use lanecast::primitive::{ExactScalar, Test, Triangle, TriangleHit, Watertight};
use lanecast::testing::Way;
use lanecast::{CastOptions, Coherence, Precision, Ray, Scalar, Scene, SceneBuilder, Status};
use lanecast_reference::kernel::number::Number;
use lanecast_reference::random::Random;
use proptest::prelude::*;

/// A ray of which an end lies exactly on a triangle's plane, within the triangle or beside it, or
/// some ulps off.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    corners: [[f32; 3]; 3],
    origin: [f32; 3],
    direction: [f32; 3],
    /// How far along the ray the plane is.
    end: f32,
    /// Whether the interval begins there, ends there, or both.
    kind: u8,
    /// By how much the origin is moved along which axis.
    nudge: (usize, i32),
}

/// What the watertight test finds on the whole line.
fn on_line<T: ExactScalar>(ray: &Ray<T>, triangle: &Triangle<T>) -> Option<TriangleHit<T>> {
    let line = Ray { t_min: T::NEG_INFINITY, t_max: T::INFINITY, ..*ray };
    Watertight::TWO_SIDED.intersect(triangle, &line).expect("a sound ray")
}

/// Products of so small an end with the edges of so small a triangle underflow.
#[test]
fn rays_from_a_triangle_miss_it_if_they_begin_at_the_least_t() {
    let (at, small) = (1.0 + 2.0_f64.powi(-32), 1.0 + 2.0_f64.powi(-30));
    let triangle = Triangle { vertices: [[1.0, 1.0, 1.0], [small, 1.0, 1.0], [1.0, small, 1.0]] };
    let ray = Ray::new([at, at, 1.0], [0.0, 0.0, 1.0]);
    for (t_min, is_met) in [
        (0.0, true),
        (-f64::MIN_POSITIVE, true),
        (f64::MIN_POSITIVE, false),
        (f64::from_bits(1), false),
    ] {
        let found = Watertight::TWO_SIDED
            .intersect(&triangle, &ray.with_interval(t_min, 1.0))
            .expect("a sound ray");
        assert_eq!(found.is_some(), is_met, "t_min {t_min:e}");
    }
    let triangle =
        Triangle { vertices: [[0.0_f32, 0.0, 0.0], [1e-30, 0.0, 0.0], [0.0, 1e-30, 0.0]] };
    let ray = Ray::new([2e-31_f32, 2e-31, 0.0], [0.0, 0.0, 1e30]);
    for (t_min, is_met) in [(0.0, true), (f32::from_bits(1), false)] {
        let found = Watertight::TWO_SIDED
            .intersect(&triangle, &ray.with_interval(t_min, 1.0))
            .expect("a sound ray");
        assert_eq!(found.is_some(), is_met, "t_min {t_min:e}");
    }
}

/// A number of at most 8 bits.
fn few_bits() -> impl Strategy<Value = f32> {
    (-128_i32..=128).prop_map(|whole| whole as f32 / 8.0)
}

fn point() -> impl Strategy<Value = [f32; 3]> {
    [few_bits(), few_bits(), few_bits()]
}

prop_compose! {
    fn ray_that_ends_on_a_triangle()(
        corners in [point(), point(), point()],
        weights in (0_i32..=8, 0_i32..=8),
        direction in point(),
        end in (prop_oneof![Just(0.0_f32), Just(1.0), Just(-1.0), Just(0.5), Just(3.0), Just(-0.25)], 0_u8..3),
        nudge in (0_usize..3, -2_i32..=2),
        shift in prop_oneof![Just(0.0_f32), Just(512.0), Just(-4096.0)],
        scale in prop_oneof![Just(1.0_f32), Just(2.0_f32.powi(-40)), Just(2.0_f32.powi(33))],
    ) -> Drawn {
        let (u, v) = (weights.0 as f32 / 8.0, weights.1 as f32 / 8.0);
        let [a, b, c] = corners.map(|corner| corner.map(|x| x + shift));
        let on_plane: [f32; 3] =
            std::array::from_fn(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]));
        let origin = std::array::from_fn(|axis| (on_plane[axis] - end.0 * direction[axis]) * scale);
        let scaled = |p: [f32; 3]| p.map(|x| x * scale);
        let (corners, direction) = ([a, b, c].map(scaled), scaled(direction));
        Drawn { corners, origin, direction, end: end.0, kind: end.1, nudge }
    }
}

/// The ray and the triangle in either precision.
fn case<T: ExactScalar>(drawn: Drawn, next: impl Fn(T, bool) -> T) -> (Ray<T>, Triangle<T>) {
    let Drawn { corners, origin, direction, end, kind, nudge: (axis, ulps) } = drawn;
    let mut origin = origin.map(T::of);
    for _ in 0..ulps.abs() {
        origin[axis] = next(origin[axis], ulps > 0);
    }
    let t = T::of(end);
    let [t_min, t_max] = [[t, T::INFINITY], [T::NEG_INFINITY, t], [t, t]][usize::from(kind)];
    let ray = Ray { origin, direction: direction.map(T::of), t_min, t_max };
    (ray, Triangle::new(corners.map(|corner| corner.map(T::of))))
}

fn check<T: Number>((ray, triangle): (Ray<T>, Triangle<T>)) {
    if ray.defect().is_some() {
        return;
    }
    let found = in_every_form(Watertight::TWO_SIDED, &ray, triangle);
    check_in_interval(&ray, &triangle, on_line(&ray, &triangle), found);
}

proptest! {
    #![proptest_config(cases(few()))]

    #[test]
    fn ends_of_intervals_count_as_exact_fractions_say(drawn in ray_that_ends_on_a_triangle()) {
        check::<f32>(case(drawn, |x: f32, up| if up { x.next_up() } else { x.next_down() }));
        check::<f64>(case(drawn, |x: f64, up| if up { x.next_up() } else { x.next_down() }));
    }
}

/// Draws rays at triangles, aimed at the inside and at borders from near and far, whose intervals
/// begin or end by some units in the last place beside where they meet: that is where `t` alone
/// would lose hits.
fn check_near<T: ExactScalar>(random: &mut Random, next: impl Fn(T, i32) -> T) -> usize {
    let mut regained = 0;
    let rounds = scaled(4_000);
    for _ in 0..rounds {
        let size = random.pick(&[1.0, 1e-3, 1e-2, 50.0]);
        let mut spread = |size: f32| random.point(-size, size);
        let (a, b, c) = (spread(1.0), spread(size), spread(size));
        let anywhere = spread(1.0);
        // Every other one is seen nearly edge-on, where shearing moves t most.
        let grazes = random.below(2) == 0;
        let away =
            if grazes { [0, 1, 2].map(|i| b[i] / size + 0.02 * anywhere[i]) } else { anywhere };
        let [a, b, c] = [a, [0, 1, 2].map(|i| a[i] + b[i]), [0, 1, 2].map(|i| a[i] + c[i])]
            .map(|p| p.map(finely));
        let distance = T::of(random.pick(&[1e-4, 0.1, 1.0, 1e3]));
        let [u, v] = random.pick(&[[0.25, 0.5], [0.0, 0.3], [0.6, 0.4], [1.0, 0.0]]).map(T::of);
        let aim: [T; 3] = [0, 1, 2].map(|i| a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]));
        let origin = [0, 1, 2].map(|i| aim[i] + distance * T::of(away[i]));
        let ray = Ray::line(origin, [0, 1, 2].map(|i| aim[i] - origin[i]));
        let triangle = Triangle::new([a, b, c]);
        if ray.defect().is_some() {
            continue;
        }
        let Some(hit) = Watertight::TWO_SIDED.intersect(&triangle, &ray).expect("a sound ray")
        else {
            continue;
        };
        let ulps = (random.below(9) as i32 - 4) * (1 << random.below(7));
        let end = next(hit.t, ulps);
        for ray in [Ray { t_min: end, ..ray }, Ray { t_max: end, ..ray }] {
            let found = Watertight::TWO_SIDED.intersect(&triangle, &ray).expect("a sound ray");
            check_in_interval(&ray, &triangle, Some(hit), found);
            let by_t = ray.t_min <= hit.t && hit.t <= ray.t_max;
            regained += usize::from(found.is_some() && !by_t);
        }
    }
    regained
}

/// A number with more bits than `f32` holds, where there is room for them.
fn finely<T: Scalar>(x: f32) -> T {
    T::of(x) * (T::ONE + T::UNIT_ROUNDOFF * T::of(3.0))
}

#[test]
fn what_lies_beside_an_end_counts_as_exact_fractions_say() {
    let mut random = Random::new(23);
    let f32_regained = check_near::<f32>(&mut random, |t, ulps| {
        (0..ulps.abs()).fold(t, |t, _| if ulps > 0 { t.next_up() } else { t.next_down() })
    });
    let f64_regained = check_near::<f64>(&mut random, |t, ulps| {
        (0..ulps.abs()).fold(t, |t, _| if ulps > 0 { t.next_up() } else { t.next_down() })
    });
    let least = scaled(4_000) / 60;
    assert!(
        f32_regained > least && f64_regained > least,
        "t loses too few: {f32_regained}, {f64_regained}"
    );
}

/// Triangles of few bits, as vertices and indices.
fn soup(random: &mut Random) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let corners =
        (0..900).map(|_| [(); 3].map(|()| random.below(2049) as f32 / 16.0 - 64.0)).collect();
    (corners, (0..300).map(|triangle| [3 * triangle, 3 * triangle + 1, 3 * triangle + 2]).collect())
}

/// Rays that start exactly on triangles, at the inside of each, and end there.
fn rays_from(random: &mut Random, corners: &[[f32; 3]]) -> Vec<Ray> {
    (0..scaled(1_500))
        .map(|_| {
            let [a, b, c] = random.pick(corners.as_chunks().0);
            let [u, v] = [(); 2].map(|()| (1 + random.below(4)) as f32 / 16.0);
            let start = |axis: usize| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]);
            Ray { t_max: 0.0, ..Ray::new([start(0), start(1), start(2)], random.direction()) }
        })
        .collect()
}

/// Whichever way they go, rays that start on triangles meet them there.
fn check_starts<T: Precision>(scene: &Scene<T>, rays: &[Ray<T>], options: &CastOptions<'_, T>) {
    let incoherent = || options.clone().coherence(Coherence::Incoherent);
    let mut first = None;
    for options in [
        options.clone().coherence(Coherence::Coherent),
        incoherent().way(Way::Streams),
        incoherent().way(Way::InFlight),
        incoherent().way(Way::OneByOne),
    ] {
        let hits = scene.cast(rays).with(&options).closest().expect("sound");
        for (row, ray) in rays.iter().enumerate() {
            assert_eq!(
                (hits.status()[row], hits.t()[row]),
                (Status::Hit, T::ZERO),
                "{options:?}: {ray:?}"
            );
        }
        assert!(*first.get_or_insert_with(|| hits.clone()) == hits, "{options:?} differs");
    }
}

#[test]
fn rays_that_start_on_triangles_meet_them() {
    let mut random = Random::new(21);
    let (corners, triangles) = soup(&mut random);
    let rays = rays_from(&mut random, &corners);
    let fine_corners: Vec<_> = corners.iter().map(|corner| corner.map(f64::from)).collect();
    let fine_rays: Vec<_> = rays.iter().map(fine).collect();
    let scene = Scene::from_triangles(&corners, &triangles).expect("a sound soup");
    let fine_scene = SceneBuilder::<f64>::default().triangle_mesh(&fine_corners, &triangles);
    let fine_scene = fine_scene.and_then(SceneBuilder::build).expect("a sound soup");
    for backend in every_backend() {
        let (options, fine_options) =
            (CastOptions::new().backend(backend), CastOptions::new().backend(backend));
        check_starts(&scene, &rays, &options);
        check_starts(&scene, &rays, &options.brute_force());
        check_starts(&fine_scene, &fine_rays, &fine_options);
        check_starts(&fine_scene, &fine_rays, &fine_options.brute_force());
    }
}

/// The same ray in `f64`.
fn fine(ray: &Ray) -> Ray<f64> {
    let [origin, direction] = [ray.origin, ray.direction].map(|v| v.map(f64::from));
    Ray { origin, direction, t_min: f64::from(ray.t_min), t_max: f64::from(ray.t_max) }
}

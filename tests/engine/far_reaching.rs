//! Hits with triangles that reach far beyond them: `t` is as right as at small ones, in every
//! query, in both precisions.

use std::sync::Arc;

use crate::common::backends::every_backend;
use crate::common::scale::scaled;
use lanecast::testing::Way;
use lanecast::{
    Affine, CastOptions, Coherence, Precision, Ray, Scene, SceneBuilder, SightLines, Status,
};
use lanecast_reference::random::Random;
use lanecast_reference::vector::Numbers;

/// A square ground at the height 0, of two triangles.
fn ground(half_width: f32) -> ([[f32; 3]; 4], [[u32; 3]; 2]) {
    let corner = |x: f32, y: f32| [x * half_width, y * half_width, 0.0];
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    (corners, [[0, 1, 2], [0, 2, 3]])
}

/// Rays from 0.3 to 2 m above the ground that meet it within 80 m of the middle.
fn rays<T: Numbers>(random: &mut Random, count: usize) -> Vec<Ray<T>> {
    let ray = |_| {
        let mut between = |least: f64, most: f64| least + (most - least) * random.unit_f64();
        let (height, angle, away) = (between(0.3, 2.0), between(0.0, 6.3), between(0.0, 70.0));
        let origin = [between(0.0, 10.0), between(0.0, 10.0), height];
        let direction = [away * angle.cos(), away * angle.sin(), -height * between(1.0, 2.0)];
        Ray::new(origin.map(T::nearest), direction.map(T::nearest))
    };
    (0..count).map(ray).collect()
}

/// On every way and backend.
fn every_way<'a, T: Precision>() -> Vec<CastOptions<'a, T>> {
    let ways = |backend| {
        let options = CastOptions::new().backend(backend);
        let apart = options.clone().coherence(Coherence::Incoherent);
        [
            options.clone().coherence(Coherence::Coherent),
            apart.clone().way(Way::Streams),
            apart.clone().way(Way::InFlight),
            apart.way(Way::OneByOne),
            options.brute_force(),
        ]
    };
    every_backend().into_iter().flat_map(ways).collect()
}

/// Each `t` is within these units of the roundoff of the exact one, and the same on every way.
fn check_ground<T: Precision + Numbers>(half_width: f32, most_units: f64) {
    let (corners, triangles) = ground(half_width);
    let corners = corners.map(|corner| corner.map(|x| T::nearest(f64::from(x))));
    let scene = SceneBuilder::<T>::default()
        .triangle_mesh(&corners, &triangles)
        .expect("sound")
        .build()
        .expect("sound");
    let rays = rays::<T>(&mut Random::new(48), scaled(2_000));
    let mut first = None;
    for options in every_way::<T>() {
        let hits = scene.cast(&rays).with(&options).closest().expect("sound rays");
        for (row, ray) in rays.iter().enumerate() {
            let exact = ray.origin[2].to_f64() / -ray.direction[2].to_f64();
            let error = (hits.t()[row].to_f64() / exact - 1.0).abs() / T::UNIT_ROUNDOFF.to_f64();
            assert!(
                error <= most_units,
                "half width {half_width}, {options:?}, {ray:?}: {error} units off"
            );
        }
        assert!(*first.get_or_insert_with(|| hits.clone()) == hits, "{options:?} differs");
    }
}

#[test]
fn distance_to_a_ground_of_any_size_is_right() {
    for half_width in [100.0, 1e3, 1e5, 1e6] {
        // A rounding of t, and what rounding the shear does to rays that graze the ground.
        check_ground::<f32>(half_width, 4.0);
        // In `f64` weights are off by 2⁻⁴⁸ where no vertex is far.
        check_ground::<f64>(half_width, 64.0);
    }
}

/// The greatest error of the points of hits, in units of the roundoff times the distance of the hit
/// or the greatest coordinate, and how far they are off the plane, in metres.
fn check_points<T: Precision + Numbers>(scene: &Scene<T>) -> [f64; 2] {
    let rays = rays::<T>(&mut Random::new(49), scaled(2_000));
    let hits = scene.cast(&rays).closest().expect("sound rays");
    let surface = scene.surface(&rays, &hits).locate().expect("its own hits");
    let mut most = [0.0_f64; 2];
    for (row, ray) in rays.iter().enumerate() {
        let [origin, direction] = [ray.origin, ray.direction].map(|v| v.map(T::to_f64));
        let t = origin[2] / -direction[2];
        let exact: [f64; 3] = std::array::from_fn(|axis| origin[axis] + t * direction[axis]);
        let size = (0..3).fold(0.0, |size: f64, axis| {
            size.max(origin[axis].abs()).max((t * direction[axis]).abs())
        });
        let hit = hits.hit(row).expect("the ground");
        let located = scene.locate(ray, &hit).expect("its own hit").world_point;
        most[1] = most[1].max(located[2].abs());
        for point in [located, surface.point()[row].map(T::to_f64)] {
            for axis in 0..3 {
                let units = (point[axis] - exact[axis]).abs() / size / T::UNIT_ROUNDOFF.to_f64();
                most[0] = most[0].max(units);
            }
        }
        assert_eq!(surface.point()[row], located.map(T::nearest), "{ray:?}");
    }
    most
}

#[test]
fn points_of_hits_on_a_ground_of_any_size_are_right() {
    for half_width in [100.0, 1e3, 1e6] {
        let (corners, triangles) = ground(half_width);
        let scene = Scene::from_triangles(&corners, &triangles).expect("sound");
        let [units, off_plane] = check_points(&scene);
        assert!(units < 8.0 && off_plane < 1e-9, "half width {half_width}: {units}, {off_plane:e}");
        let corners = corners.map(|corner| corner.map(f64::from));
        let scene = Scene::from_triangles(&corners, &triangles).expect("sound");
        let [units, off_plane] = check_points(&scene);
        assert!(
            units < 64.0 && off_plane < 1e-12,
            "half width {half_width} in f64: {units}, {off_plane:e}"
        );
        let (corners, triangles) = ground(half_width / 1e6);
        let small = Arc::new(Scene::from_triangles(&corners, &triangles).expect("sound"));
        let scene =
            SceneBuilder::new().instance(&small, Affine::scale(1e6)).build().expect("sound");
        let [units, off_plane] = check_points(&scene);
        assert!(
            units < 16.0 && off_plane < 1e-9,
            "half width {half_width}, placed: {units}, {off_plane:e}"
        );
    }
}

#[test]
fn ten_metres_stay_ten_metres_on_a_ground_of_2000_kilometres() {
    let (corners, triangles) = ground(1e6);
    let scene = Scene::from_triangles(&corners, &triangles).expect("sound");
    for ray in
        [Ray::new([3.0, -7.0, 1.0], [0.9, 0.4, -0.1]), Ray::new([3.0, -7.0, 1.0], [1.0, 0.0, -0.1])]
    {
        let t = scene.cast(&ray).closest().expect("sound").expect("the ground").t;
        assert!([10.0_f32.next_down(), 10.0, 10.0_f32.next_up()].contains(&t), "{ray:?}: {t}");
    }
}

#[test]
fn plate_above_a_large_ground_is_met_before_the_ground() {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for (half_width, height) in [(1e5, 0.0), (100.0, 0.002)] {
        let first = vertices.len() as u32;
        let (corners, of_two) = ground(half_width);
        vertices.extend(corners.map(|[x, y, _]| [x, y, height]));
        triangles.extend(of_two.map(|triangle| triangle.map(|corner| first + corner)));
    }
    let scene = Scene::from_triangles(&vertices, &triangles).expect("sound");
    let rays = rays::<f32>(&mut Random::new(2), scaled(20_000));
    for options in every_way() {
        let hits = scene.cast(&rays).with(&options).closest().expect("sound rays");
        let ground_first = hits.primitive_id().iter().filter(|&&id| id < 2).count();
        assert_eq!(ground_first, 0, "{options:?}: of {} rays", rays.len());
    }
}

#[test]
fn lines_of_sight_to_points_below_a_large_ground_are_blocked() {
    let (corners, triangles) = ground(1e5);
    let scene = Scene::from_triangles(&corners, &triangles).expect("sound");
    let mut random = Random::new(3);
    let observers: Vec<[f32; 3]> =
        (0..30).map(|_| [random.between(-9.0, 9.0), random.between(-9.0, 9.0), 1.5]).collect();
    let around: Vec<[f32; 2]> =
        (0..30).map(|_| [random.between(-90.0, 90.0), random.between(-90.0, 90.0)]).collect();
    for (height, is_seen) in [(0.01, true), (-0.01, false)] {
        let targets: Vec<[f32; 3]> = around.iter().map(|&[x, y]| [x, y, height]).collect();
        let lines = SightLines::new(&observers, &targets).expect("sound");
        let matrix = scene.sight(&lines).matrix().expect("not stopped");
        for (number, observer) in observers.iter().enumerate() {
            let words = matrix.of_observer(number);
            for (place, target) in targets.iter().enumerate() {
                assert_eq!(
                    words[place / 64] >> (place % 64) & 1 == 1,
                    is_seen,
                    "{observer:?} {target:?}"
                );
            }
        }
    }
}

#[test]
fn distance_to_a_scaled_instance_of_a_small_ground_is_right() {
    let (corners, triangles) = ground(1.0);
    let small = Arc::new(Scene::from_triangles(&corners, &triangles).expect("sound"));
    let scene = SceneBuilder::new().instance(&small, Affine::scale(1e6)).build().expect("sound");
    for ray in rays::<f32>(&mut Random::new(4), 500) {
        let hit = scene.cast(&ray).closest().expect("sound").expect("the ground");
        let exact = f64::from(ray.origin[2]) / -f64::from(ray.direction[2]);
        let error = (f64::from(hit.t) / exact - 1.0).abs();
        assert!(error < 1e-6, "{ray:?}: {error:e}");
    }
}

/// Rays that pass a few roundings beside an edge of a large triangle, whose plane they meet all the
/// same.
#[test]
fn neighbours_along_a_long_edge_give_the_same_t() {
    let (corners, triangles) = ground(1e6);
    let scene = Scene::from_triangles(&corners, &triangles).expect("sound");
    let mut random = Random::new(5);
    let rays: Vec<Ray> = (0..scaled(2_000))
        .map(|_| {
            // On the diagonal of the ground.
            let (at, height) = (random.between(-50.0, 50.0), random.between(0.3, 2.0));
            let target = [at, at + random.between(-0.2, 0.2), 0.0];
            let origin = [random.between(-9.0, 9.0), random.between(-9.0, 9.0), height];
            Ray::new(origin, [0, 1, 2].map(|axis| target[axis] - origin[axis]))
        })
        .collect();
    let hits = scene.cast(&rays).closest().expect("sound rays");
    for (row, ray) in rays.iter().enumerate() {
        assert_eq!(hits.status()[row], Status::Hit, "{ray:?}");
        let error = (f64::from(hits.t()[row]) - 1.0).abs();
        assert!(error < 3e-7, "{ray:?}: t {}", hits.t()[row]);
    }
}

//! The answers do not depend on the floating-point mode that the caller left the thread in, and the
//! caller's mode is left alone.
#![expect(unsafe_code, reason = "sets the control register that the engine must not depend on")]

use std::arch::asm;

use crate::common::backends::every_backend;
use crate::common::scale::scaled;
use lanecast::primitive::{Aabb, Block, Slab, Test, Triangle, Watertight};
use lanecast::{
    CastOptions, Error, Hit, HitBatch, Maker, Ray, RayBatch, Scalar, Scene, SceneBuilder, Segment,
    Threads,
    answers::{AllHitsBatch, AnyHitBatch, ClosestPointBatch, CountBatch, LineHitBatch},
};
use lanecast_makers::{
    Beam, Hemisphere, Lidar, Panorama, Pinhole, Pose, Prism, Shot, Spread, Sun, Sunlight, Utc,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;

const FLUSH_TO_ZERO: u32 = 1 << 15;
const DENORMALS_ARE_ZERO: u32 = 1 << 6;
const ROUND_DOWN: u32 = 1 << 13;
const ROUND_UP: u32 = 2 << 13;
const ROUND_TO_ZERO: u32 = 3 << 13;
/// The sticky flags, which arithmetic sets.
const FLAGS: u32 = 0x3f;

const MODES: [(&str, u32); 5] = [
    ("flush to zero", FLUSH_TO_ZERO),
    ("denormals are zero", DENORMALS_ARE_ZERO),
    ("both, rounding to zero", FLUSH_TO_ZERO | DENORMALS_ARE_ZERO | ROUND_TO_ZERO),
    ("rounding down", ROUND_DOWN),
    ("rounding up", ROUND_UP),
];

fn mode() -> u32 {
    let mut register = 0_u32;
    // SAFETY: stores the control register in a local of the size that the instruction writes.
    unsafe { asm!("stmxcsr [{}]", in(reg) &mut register, options(nostack)) };
    register
}

fn set_mode(register: u32) {
    // SAFETY: loads a value that `mode` read, with bits changed that choose rounding and the
    // treatment of subnormals: no exception is unmasked. While it is set, this file runs the engine
    // and `mode`, and no arithmetic of its own.
    unsafe { asm!("ldmxcsr [{}]", in(reg) &register, options(nostack)) };
}

/// Runs `work` with these bits set, checks that they still are afterwards, and takes them back.
fn in_mode<T>(name: &str, bits: u32, work: impl FnOnce() -> T) -> T {
    let usual = mode();
    set_mode(usual | bits);
    let result = std::hint::black_box(work());
    let left = mode();
    set_mode(usual);
    assert_eq!(
        left & !FLAGS,
        (usual | bits) & !FLAGS,
        "{name}: the caller's mode was not restored"
    );
    result
}

/// Everything there is to ask, from the building of the tree on.
fn answers(
    mesh: &Mesh,
    rays: &[Ray],
    threads: &Threads,
) -> Vec<(HitBatch, AnyHitBatch, CountBatch, AllHitsBatch, LineHitBatch, ClosestPointBatch)> {
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    let batch = RayBatch::from_rays(rays);
    let origins = rays.iter().map(|ray| ray.origin);
    let points: Vec<_> =
        origins.step_by(9).chain(mesh.vertices.iter().copied().step_by(9)).collect();
    // As large as what is measured, where that is subnormal too.
    let radius = mesh.vertices[0][0].abs();
    let ask = |backend| {
        let options = CastOptions::new().threads(threads).backend(backend).geometric_normals(true);
        let request = scene.cast(&batch).with(&options);
        let (closest, any) =
            (request.closest().expect("not stopped"), request.any().expect("not stopped"));
        let count = request.count().expect("not stopped");
        let all = request.brute_force().all().expect("not stopped");
        // From a subnormal `t` on, which some modes take for 0.
        let lines = batch.with_interval(-1e-40, f32::INFINITY);
        let on_lines = scene.cast(&lines).with(&options).line_hits().expect("not stopped");
        let near = scene.points(&points).with(&options).closest(radius).expect("not stopped");
        (closest, any, count, all, on_lines, near)
    };
    every_backend().into_iter().map(ask).collect()
}

fn rays_at(mesh: &Mesh, random: &mut Random) -> Vec<Ray> {
    let bounds = Aabb::around(mesh.vertices.iter().copied());
    let size = (0..3).map(|axis| bounds.max[axis] - bounds.min[axis]).fold(0.0, f32::max);
    let ray = |_| {
        let origin = random.point(-1.0, 1.0).map(|x| x * size);
        let target = mesh.vertices[random.below(mesh.vertices.len())];
        let unit = if size < 1e-20 { 1e38 } else { 1.0 };
        Ray::new(origin, std::array::from_fn(|axis| (target[axis] - origin[axis]) * unit))
    };
    (0..scaled(120)).map(ray).filter(|ray| ray.defect().is_none()).collect()
}

fn check(name: &str, mesh: &Mesh, seed: u64) {
    let rays = rays_at(mesh, &mut Random::new(seed));
    for threads in [Threads::ONE, Threads::ALL] {
        let expected = answers(mesh, &rays, &threads);
        let hits = expected[0].0.status().iter().filter(|status| status.is_hit()).count();
        assert!(hits > rays.len() / 4, "{name}: only {hits} of {} rays hit", rays.len());
        for (mode, bits) in MODES {
            let found = in_mode(mode, bits, || answers(mesh, &rays, &threads));
            assert!(found == expected, "{name}, seed {seed}, {} threads: {mode}", threads.count());
        }
    }
}

#[test]
fn tree_is_the_same_in_whatever_mode_it_was_built() {
    for (name, mesh) in [
        ("sphere", meshes::icosphere(3, 1.0)),
        ("soup", meshes::soup(500, &mut Random::new(9))),
        ("subnormal sphere", meshes::icosphere(3, 1e-39)),
        ("terrain", meshes::terrain(20, &mut Random::new(10)).scaled(0.37)),
    ] {
        let build =
            || Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
        let expected = build();
        for (mode, bits) in MODES {
            let found = in_mode(mode, bits, build);
            found.validate().unwrap_or_else(|error| panic!("{name}, {mode}: {error}"));
            assert_eq!(found.bounds(), expected.bounds(), "{name}, {mode}");
            let [found, expected] =
                [&found, &expected].map(|scene| format!("{:?}", scene.statistics()));
            assert_eq!(found, expected, "{name}, {mode}");
        }
    }
}

#[test]
fn a_tree_built_by_threads_in_another_float_mode_is_the_same() {
    // Threads inherit the mode of the one that starts them, and so may every task of a build.
    let mesh = meshes::soup(20_000, &mut Random::new(11)).scaled(1e-39);
    let build = |threads: Threads| {
        let builder =
            SceneBuilder::new().triangle_mesh(&mesh.vertices, &mesh.triangles).expect("sound");
        builder.threads(&threads).build().expect("a backend")
    };
    let expected = build(Threads::ONE);
    for (mode, bits) in MODES {
        let threads = in_mode(mode, bits, || Threads::exactly(2)).expect("two threads");
        let found = build(threads);
        found.validate().unwrap_or_else(|error| panic!("{mode}: {error}"));
        let [found, expected] =
            [&found, &expected].map(|scene| format!("{:?}", scene.statistics()));
        assert_eq!(found, expected, "{mode}");
    }
}

#[test]
fn scene_of_subnormal_size_answers_the_same_in_every_mode() {
    check("subnormal sphere", &meshes::icosphere(2, 1e-39), 1);
    check("subnormal soup", &meshes::soup(200, &mut Random::new(2)).scaled(1e-40), 2);
}

#[test]
fn ordinary_scene_answers_the_same_in_every_mode() {
    check("sphere", &meshes::icosphere(3, 1.0), 3);
    check("soup", &meshes::soup(500, &mut Random::new(4)), 4);
    check("terrain", &meshes::terrain(12, &mut Random::new(5)), 5);
}

#[test]
fn what_is_welded_and_closed_is_the_same_in_every_mode() {
    for scale in [1e-39, 0.37] {
        let mut random = Random::new(16);
        let whole = meshes::icosphere(2, scale);
        let by = 1e-5 * scale;
        let corner = |x: f32, random: &mut Random| x + random.between(-by, by);
        let loose: Vec<_> = (0..whole.triangles.len())
            .map(|i| whole.corners(i).map(|place| place.map(|x| corner(x, &mut random))))
            .collect();
        let mut hole = whole.clone();
        hole.triangles.pop();
        let loose = Mesh::of_triangles(&loose);
        let scene = |mesh: &Mesh, tolerance: f32| {
            let builder = SceneBuilder::new().triangle_mesh(&mesh.vertices, &mesh.triangles);
            builder.and_then(|builder| builder.weld(tolerance)?.build()).expect("a sound mesh")
        };
        let ask = || {
            let apart = scene(&loose, 0.0);
            let tolerance = apart.closing_tolerance().expect("gaps are small");
            let joined = scene(&loose, tolerance);
            let mut triangles: Vec<_> = joined.triangles().collect();
            triangles.sort_by_key(|&(_, primitive_id, _)| primitive_id);
            let edges = [&apart, &joined, &scene(&hole, 0.0)].map(Scene::open_edge);
            (tolerance.to_bits(), triangles, joined.welded(), edges)
        };
        let expected = ask();
        assert!(
            expected.3[0].is_some() && expected.3[1].is_none() && expected.3[2].is_some(),
            "{scale}"
        );
        for (mode, bits) in MODES {
            let found = in_mode(mode, bits, ask);
            assert!(found == expected, "{scale}, {mode}: {found:?}");
        }
    }
}

type AnswersOfF64 = (HitBatch<f64>, AllHitsBatch<f64>, LineHitBatch<f64>, Vec<Option<Hit<f64>>>);

/// Closest hits, all hits and line hits on every backend, from the building of the tree on.
fn answers_of_f64(
    vertices: &[[f64; 3]],
    triangles: &[[u32; 3]],
    rays: &[Ray<f64>],
) -> Vec<AnswersOfF64> {
    let builder =
        SceneBuilder::<f64>::default().triangle_mesh(vertices, triangles).expect("a sound mesh");
    let scene = builder.build().expect("a scene");
    scene.validate().expect("a whole tree");
    let batch = RayBatch::from_rays(rays);
    let ask = |backend| {
        let options = CastOptions::new().backend(backend).geometric_normals(true);
        let request = scene.cast(&batch).with(&options);
        let (closest, all) =
            (request.closest().expect("not stopped"), request.all().expect("not stopped"));
        // From a subnormal `t` on, which some modes take for 0.
        let lines = batch.with_interval(-1e-320, f64::INFINITY);
        let on_lines = scene.cast(&lines).with(&options).line_hits().expect("not stopped");
        let single =
            |ray: &Ray<f64>| scene.cast(ray).backend(backend).closest().expect("a sound ray");
        let singles = rays.iter().map(single).collect();
        (closest, all, on_lines, singles)
    };
    every_backend().into_iter().map(ask).collect()
}

#[test]
fn scenes_of_f64_answer_the_same_in_every_mode() {
    let sphere = meshes::icosphere(2, 1.0);
    let soup = meshes::soup(200, &mut Random::new(14));
    for (name, mesh, scale, offset) in [
        ("sphere", &sphere, 1.0, 0.0),
        ("sphere on earth", &sphere, 1.000_000_7, 6.4e6),
        ("soup", &soup, 0.37, -3e5),
        // Of products that are less than normal.
        ("soup next to nothing", &soup, 1e-157, 0.0),
    ] {
        let place = |point: [f32; 3]| point.map(|x| f64::from(x) * scale + offset);
        let vertices: Vec<[f64; 3]> = mesh.vertices.iter().map(|&vertex| place(vertex)).collect();
        let ray = |ray: &Ray| {
            let ray =
                Ray::new(place(ray.origin), ray.direction.map(|x| f64::from(x) * scale.max(1e-80)));
            Ray { t_max: 1e200, ..ray }
        };
        let rays: Vec<Ray<f64>> = rays_at(mesh, &mut Random::new(15)).iter().map(ray).collect();
        let expected = answers_of_f64(&vertices, &mesh.triangles, &rays);
        let hits = expected[0].0.status().iter().filter(|status| status.is_hit()).count();
        assert!(hits > rays.len() / 4, "{name}: only {hits} of {} rays hit", rays.len());
        for (mode, bits) in MODES {
            let found = in_mode(mode, bits, || answers_of_f64(&vertices, &mesh.triangles, &rays));
            assert!(found == expected, "{name}: {mode}");
        }
    }
}

#[test]
fn single_rays_answer_the_same_in_every_mode() {
    let mesh = meshes::soup(200, &mut Random::new(6));
    let scene = Scene::from_triangles(&mesh.vertices, &mesh.triangles).expect("a sound mesh");
    for ray in rays_at(&mesh, &mut Random::new(7)) {
        let ask = || {
            (
                scene.cast(&ray).closest(),
                scene.cast(&ray).any(),
                scene.cast(&ray).count(),
                scene.cast(&ray).all(),
            )
        };
        let expected = ask();
        for (mode, bits) in MODES {
            assert_eq!(in_mode(mode, bits, ask), expected, "{mode}: {ray:?}");
        }
    }
}

#[test]
fn bad_rays_get_the_same_finding_in_every_mode() {
    let vertices = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    let scene = Scene::from_triangles(&vertices, &[[0, 1, 2]]).expect("a sound mesh");
    for (ray, status) in lanecast_reference::rays::defective() {
        for (mode, bits) in MODES {
            let found = in_mode(mode, bits, || scene.cast(&ray).closest());
            assert_eq!(found, Err(Error::InvalidRay { status }), "{mode}: {ray:?}");
            let found = in_mode(mode, bits, || ray.defect());
            assert_eq!(found, Some(status), "{mode}: {ray:?}");
        }
    }
}

#[test]
fn kernels_answer_the_same_in_every_mode() {
    let mut random = Random::new(8);
    for case in 0..500 {
        let scale = random.pick(&[1.0, 1e-39, 1e-42]);
        let mesh = meshes::soup(8, &mut random).scaled(scale);
        let triangles: Vec<_> = (0..8).map(|i| Triangle::new(mesh.corners(i))).collect();
        let boxes: Vec<_> =
            triangles.iter().map(|triangle| Aabb::around(triangle.vertices)).collect();
        let triangles = Block::new(&triangles).expect("no rules");
        let boxes = Block::new(&boxes).expect("no rules");
        let ray = Ray::line(random.point(-1.0, 1.0).map(|x| x * scale), random.direction());
        for backend in every_backend() {
            let ask = || {
                let boxes = Slab.intersect_block(backend, &boxes, &ray).expect("a sound ray");
                let triangles = Watertight::TWO_SIDED
                    .intersect_block(backend, &triangles, &ray)
                    .expect("a sound ray");
                let overlap =
                    |lane| boxes.get(lane).map(|hit| [hit.t_enter, hit.t_exit].map(f32::to_bits));
                let met =
                    |lane| triangles.get(lane).map(|hit| [hit.t, hit.u, hit.v].map(f32::to_bits));
                (0..8).map(|lane| (overlap(lane), met(lane))).collect::<Vec<_>>()
            };
            let expected = ask();
            for (mode, bits) in MODES {
                let found = in_mode(mode, bits, ask);
                assert_eq!(
                    found, expected,
                    "{mode}, seed 8, case {case}, {backend}: {ray:?} {mesh:?}"
                );
            }
        }
    }
}

/// Numbers of rays and boxes that are made of these points.
fn made<T: Scalar>([start, end]: [[T; 3]; 2], t: T) -> Vec<T> {
    let ray = Ray::segment(start, end);
    let same = Ray::from(Segment::new(start, end));
    let aabb = Aabb::around([start, end]);
    let point = Aabb { min: start, max: start };
    let whole = point.union(&Aabb { min: end, max: end });
    let flags = [aabb.is_empty(), Aabb { min: end, max: start }.is_empty(), point.contains(&aabb)];
    let flags = flags.map(|flag| if flag { T::ONE } else { T::ZERO });
    let ray_of_ends = Ray::new(start, end).at(t);
    [
        ray.direction,
        same.direction,
        ray.at(t),
        ray_of_ends,
        aabb.min,
        aabb.max,
        whole.min,
        whole.max,
        flags,
    ]
    .concat()
}

fn makes_the_same_in_every_mode<T: Scalar>() {
    let tiny = T::MIN_POSITIVE * T::of(0.25);
    let third = T::ONE / T::of(3.0);
    let points = [
        [third, tiny, T::ZERO],
        [T::of(1e10), T::ZERO - tiny, tiny],
        [T::ZERO, third * third, tiny],
    ];
    for (first, start) in points.into_iter().enumerate() {
        for end in &points[first + 1..] {
            for ends in [[start, *end], [*end, start]] {
                let expected = made(ends, third);
                for (mode, bits) in MODES {
                    let found = in_mode(mode, bits, || made(std::hint::black_box(ends), third));
                    assert_eq!(found, expected, "{mode}: {ends:?}");
                }
            }
        }
    }
}

#[test]
fn rays_and_boxes_are_made_alike_in_every_mode() {
    makes_the_same_in_every_mode::<f32>();
    makes_the_same_in_every_mode::<f64>();
}

/// The rays of makers, by their own numbers and in a batch.
fn rays_of_makers() -> Vec<Ray> {
    let camera = Pinhole::looking_at([0.3, -7.0, 1.1], [0.1; 3], [0.0, 0.1, 1.0], 37.0, [9, 7]);
    let panorama = Panorama::new([0.1; 3], [0.3, 1.0, 0.0], [0.0, 0.1, 1.0], [9, 7]);
    let poses = [0.0, 1.0].map(|time| Pose { time, ..Pose::standing([time, 0.1, 0.7]) });
    let lidar =
        Lidar::new(&Beam::fan(7, [-15.1, 15.3]), 10).and_then(|it| it.carried(&poses, 0.0, 0.7, 1));
    let points = [[0.1, 0.2, 0.3]; 5];
    let sky = Hemisphere::new(&points, &points, 9, Spread::Cosine);
    let time = Utc { year: 2026, month: 11, day: 22, hour: 9, minute: 12, second: 3.7 };
    let sun = Sun::at(time, 47.1, 8.3).expect("a sun").direction();
    let light = Sunlight::new(&points, &[sun]);
    let camera = camera.expect("a camera");
    let mut rays =
        vec![camera.ray_through([1.3, 2.7]), camera.unit_directions().ray_through([1.3, 2.7])];
    let (panorama, lidar) = (panorama.expect("a panorama"), lidar.expect("a lidar"));
    let prism = |rate| Prism { deflection: 9.7, rate, phase: 17.0 };
    let rosette = lidar.clone().prisms(&[prism(31.3), prism(-17.7)]).expect("prisms");
    let swath = lidar.clone().swath([-31.3, 29.9], 0.7).expect("a swath");
    let shot = Shot { time: 0.0, azimuth: 3.1, elevation: -7.3, beam: 0 };
    let mut shots = [shot; 9];
    Shot::spread(&mut shots, 0.7);
    let pattern = Lidar::from_pattern(&shots).and_then(|it| it.carried(&poses, 0.1, 0.7, 1));
    let pattern = pattern.expect("a pattern");
    let (sky, light) = (sky.expect("a sky"), light.expect("sunlight"));
    let makers: [&dyn Maker<Ray>; 8] =
        [&camera, &panorama, &lidar, &rosette, &swath, &pattern, &sky, &light];
    for maker in makers {
        let batch = RayBatch::made(maker);
        rays.extend((0..batch.len()).map(|row| batch.ray(row)));
    }
    rays
}

#[test]
fn makers_do_not_depend_on_the_callers_mode() {
    let expected = rays_of_makers();
    for (name, bits) in MODES {
        let found = in_mode(name, bits, rays_of_makers);
        assert_eq!(found, expected, "{name}");
    }
}

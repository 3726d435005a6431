//! Queries by scene, kind of rays or points and backend, on one thread; elements are rays or
//! points.
//!
//! The group `in_flight` shows what it gains to have many rays under way at once, on a tree that no
//! cache holds.

mod common;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanecast::primitive::Sphere;
use lanecast::testing::Way;
use lanecast::{
    Aabb, Affine, Backend, Cast, CastOptions, Coherence, HitBatch, Ray, Scene, SceneBuilder,
    Threads,
    answers::{AllHitsBatch, AnyHitBatch, CountBatch, DistanceBatch},
    cast::RaysOf,
};
use lanecast_reference::meshes::{self, Mesh};
use lanecast_reference::random::Random;
use lanecast_reference::random_worlds::transform;
use lanecast_reference::vector::Numbers;
use std::sync::Arc;

fn scene((vertices, triangles): &common::Mesh) -> Scene {
    Scene::from_triangles(vertices, triangles).expect("a sound mesh")
}

/// A query over rays, without its answer.
type RunQuery<'a> = &'a mut dyn FnMut(Request<'_>);

/// Rays and all that their cast is told.
type Request<'a> = Cast<'a, f32, RaysOf<'a>>;

fn queries(criterion: &mut Criterion) {
    let scenes =
        [("terrain", scene(&common::terrain(300))), ("soup", scene(&common::soup(180_000, 0.02)))];
    let (mut closest, mut any) = (HitBatch::new(), AnyHitBatch::default());
    let (mut count, mut all) = (CountBatch::default(), AllHitsBatch::default());
    for (name, scene) in scenes {
        let sets: [(&str, Vec<Ray>); 3] = [
            ("camera", common::camera_rays(&scene, 128)),
            ("diffuse", common::diffuse_rays(&scene, 16_384)),
            ("random", common::random_rays(&scene, 16_384)),
        ];
        for (set, rays) in &sets {
            common::assert_answers_of_brute_force(&scene, rays, 512);
            let queries: [(&str, RunQuery<'_>); 4] = [
                ("closest_hit", &mut |request| {
                    request.closest_into(&mut closest).expect("unwatched");
                }),
                ("any_hit", &mut |request| request.any_into(&mut any).expect("unwatched")),
                ("count_hits", &mut |request| request.count_into(&mut count).expect("unwatched")),
                ("all_hits", &mut |request| request.all_into(&mut all).expect("unwatched")),
            ];
            for (query, run) in queries {
                let mut group = criterion.benchmark_group(format!("{query}/{name}/{set}"));
                group.sample_size(10).throughput(Throughput::Elements(rays.len() as u64));
                for backend in Backend::available() {
                    group.bench_function(backend.name(), |bencher| {
                        bencher
                            .iter(|| run(scene.cast(rays).backend(backend).threads(&Threads::ONE)));
                    });
                }
                group.finish();
            }
        }
    }
}

/// Where content of `f64` lies along all axes.
const OFFSET: f32 = 4.0e6;

/// The same scene and rays in both precisions, those of `f64` on earth.
fn precisions(criterion: &mut Criterion) {
    let mesh = common::terrain(300);
    let coarse = scene(&mesh);
    let moved = |v: [f32; 3]| v.map(|x| f64::from(x) + f64::from(OFFSET));
    let vertices: Vec<[f64; 3]> = mesh.0.iter().copied().map(moved).collect();
    let fine = SceneBuilder::<f64>::default()
        .triangle_mesh(&vertices, &mesh.1)
        .and_then(SceneBuilder::build)
        .expect("a sound mesh");
    let (mut hits, mut hits_f64) = (HitBatch::new(), HitBatch::new());
    let sets = [
        ("camera", common::camera_rays(&coarse, 128)),
        ("diffuse", common::diffuse_rays(&coarse, 16_384)),
        ("random", common::random_rays(&coarse, 16_384)),
    ];
    for (set, rays) in &sets {
        let rays_f64: Vec<Ray<f64>> = rays
            .iter()
            .map(|&Ray { origin, direction, t_min, t_max }| {
                let ray = Ray::new(moved(origin), direction.map(f64::from));
                ray.with_interval(t_min.into(), t_max.into())
            })
            .collect();
        let few = fine.cast(&rays_f64[..256]).threads(&Threads::ONE);
        let found = few.closest().expect("unwatched");
        assert!(Ok(found) == few.brute_force().closest(), "{set}: the tree hides something");
        let mut group = criterion.benchmark_group(format!("precisions/terrain/{set}"));
        group.sample_size(10).throughput(Throughput::Elements(rays.len() as u64));
        group.bench_function("f32", |bencher| {
            let request = || coarse.cast(rays).threads(&Threads::ONE);
            bencher.iter(|| request().closest_into(&mut hits).expect("unwatched"));
        });
        group.bench_function("f64", |bencher| {
            let request = || fine.cast(&rays_f64).threads(&Threads::ONE);
            bencher.iter(|| request().closest_into(&mut hits_f64).expect("unwatched"));
        });
        group.finish();
    }
}

/// Content of every kind around the origin, in either precision; moved along all axes.
fn contents<T: Numbers>(by: f32) -> [(&'static str, Scene<T>); 4] {
    let random = &mut Random::new(5);
    let moved = |point: [f32; 3]| point.map(|x| T::of(x) + T::of(by));
    let vertices = |mesh: &Mesh, by: f32| -> Vec<[T; 3]> {
        mesh.vertices.iter().map(|vertex| vertex.map(|x| T::of(x) + T::of(by))).collect()
    };
    let (ball, large) = (meshes::icosphere(4, 0.05), meshes::icosphere(6, 1.0));
    let builder = SceneBuilder::<T>::default;
    let leaf = builder()
        .triangle_mesh(&vertices(&ball, 0.0), &ball.triangles)
        .and_then(SceneBuilder::build);
    let leaf = Arc::new(leaf.expect("a sound mesh"));
    let placed = (0..400).fold(builder(), |placed, _| {
        let at = random.point(-1.0, 1.0).map(|x| f64::from(x + by));
        placed.instance(&leaf, Affine::translation(at) * transform(random))
    });
    let spheres: Vec<Sphere<T>> = (0..100_000)
        .map(|_| Sphere::new(moved(random.point(-1.0, 1.0)), T::of(random.between(0.001, 0.02))))
        .collect();
    let boxes: Vec<Aabb<T>> = (0..100_000)
        .map(|_| {
            let (min, sides) = (random.point(-1.0, 1.0), random.point(0.001, 0.02));
            let max = [0, 1, 2].map(|axis| min[axis] + sides[axis]);
            Aabb { min: moved(min), max: moved(max) }
        })
        .collect();
    [
        ("mesh", builder().triangle_mesh(&vertices(&large, by), &large.triangles)),
        ("instances", Ok(placed)),
        ("spheres", builder().spheres(&spheres)),
        ("boxes", builder().boxes(&boxes)),
    ]
    .map(|(name, content)| (name, content.and_then(SceneBuilder::build).expect("sound content")))
}

/// Rays and points at content of every kind in both precisions, that of `f64` on earth; elements
/// are rays or points.
fn precisions_of_contents(criterion: &mut Criterion) {
    let (single, double) = (contents::<f32>(0.0), contents::<f64>(OFFSET));
    for ((name, coarse), (_, fine)) in single.iter().zip(&double) {
        contents_in::<f32>(criterion, name, "f32", coarse, 0.0);
        contents_in::<f64>(criterion, name, "f64", fine, OFFSET);
    }
}

fn contents_in<T: Numbers>(
    criterion: &mut Criterion,
    name: &str,
    precision: &str,
    scene: &Scene<T>,
    by: f32,
) {
    let random = &mut Random::new(6);
    let moved = |point: [f32; 3]| point.map(|x| T::of(x) + T::of(by));
    let rays: Vec<Ray<T>> = (0..16_384)
        .map(|_| Ray::new(moved(random.point(-1.0, 1.0)), random.direction().map(T::of)))
        .collect();
    let points: Vec<[T; 3]> = (0..4096).map(|_| moved(random.point(-1.2, 1.2))).collect();
    let few = scene.cast(&rays[..256]).threads(&Threads::ONE);
    assert!(
        few.closest() == few.clone().brute_force().closest(),
        "{name}: the tree hides something"
    );
    let (mut hits, mut distances) = (HitBatch::new(), DistanceBatch::new());
    let mut group = criterion.benchmark_group(format!("precisions/{name}"));
    group.sample_size(10).throughput(Throughput::Elements(rays.len() as u64));
    group.bench_function(format!("rays/{precision}"), |bencher| {
        let request = || scene.cast(&rays).threads(&Threads::ONE);
        bencher.iter(|| request().closest_into(&mut hits).expect("unwatched"));
    });
    group.throughput(Throughput::Elements(points.len() as u64));
    group.bench_function(format!("points/{precision}"), |bencher| {
        let request = || scene.points(&points).threads(&Threads::ONE);
        bencher.iter(|| request().distances_into(&mut distances).expect("unwatched"));
    });
    group.finish();
}

/// Points and normals of hits beside the cast that finds them.
fn surface(criterion: &mut Criterion) {
    let scenes =
        [("terrain", scene(&common::terrain(300))), ("soup", scene(&common::soup(180_000, 0.02)))];
    for (name, scene) in scenes {
        for (set, rays) in [
            ("camera", common::camera_rays(&scene, 128)),
            ("random", common::random_rays(&scene, 16_384)),
        ] {
            let mut hits = scene
                .cast(&rays)
                .threads(&Threads::ONE)
                .geometric_normals(true)
                .closest()
                .expect("unwatched");
            let mut surface = scene.surface(&rays, &hits).locate().expect("its own hits");
            assert!(surface.geometric_normal() == hits.geometric_normal(), "{set}: other normals");
            let mut group = criterion.benchmark_group(format!("surface/{name}/{set}"));
            group.sample_size(10).throughput(Throughput::Elements(rays.len() as u64));
            group.bench_function("points and normals", |bencher| {
                let request = scene.surface(&rays, &hits).threads(&Threads::ONE);
                bencher.iter(|| request.locate_into(&mut surface).expect("its own hits"));
            });
            group.bench_function("unit normals", |bencher| {
                let request = scene.surface(&rays, &hits).unit_normals(true).threads(&Threads::ONE);
                bencher.iter(|| request.locate_into(&mut surface).expect("its own hits"));
            });
            group.bench_function("closest_hit", |bencher| {
                let request = scene.cast(&rays).threads(&Threads::ONE);
                bencher.iter(|| request.closest_into(&mut hits).expect("unwatched"));
            });
            group.finish();
        }
    }
}

fn in_flight(criterion: &mut Criterion) {
    let scene = scene(&common::terrain(1000));
    let rays = common::random_rays(&scene, 65_536);
    common::assert_answers_of_brute_force(&scene, &rays, 8192);
    let mut group = criterion.benchmark_group("in_flight/terrain of 2 million/random");
    group.sample_size(10).throughput(Throughput::Elements(rays.len() as u64));
    let mut expected = HitBatch::new();
    for (name, way) in [("one by one", Way::OneByOne), ("in flight", Way::InFlight)] {
        let options =
            CastOptions::new().threads(&Threads::ONE).coherence(Coherence::Incoherent).way(way);
        let mut hits = scene.cast(&rays).with(&options).closest().expect("unwatched");
        if expected.is_empty() {
            expected = hits.clone();
        }
        assert!(hits == expected, "rays {name} answer differently");
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                scene.cast(&rays).with(&options).closest_into(&mut hits).expect("unwatched");
            });
        });
    }
    group.finish();
}

/// What is nearest to points at the surface, in its order and in none; elements are points.
fn closest_point(criterion: &mut Criterion) {
    for (name, mesh) in [("terrain", common::terrain(300)), ("soup", common::soup(180_000, 0.02))] {
        let scene = scene(&mesh);
        let mut random = Random::new(5);
        let vertices = mesh.0.iter().cycle().take(16_384);
        let in_order: Vec<[f32; 3]> =
            vertices.map(|vertex| vertex.map(|x| x + 0.01 * random.unit())).collect();
        let mut shuffled = in_order.clone();
        // 7,919 has no factor in common with their number.
        (0..in_order.len())
            .for_each(|place| shuffled[place] = in_order[place * 7919 % in_order.len()]);
        for (set, points) in [("in order", in_order), ("shuffled", shuffled)] {
            let some = scene.points(&points[..64]).threads(&Threads::ONE);
            let mut closest = some.closest(f32::INFINITY).expect("unwatched");
            let brute_force = some.brute_force().closest(f32::INFINITY).expect("unwatched");
            assert!(closest == brute_force, "{name}: the tree answers differently");
            let mut group = criterion.benchmark_group(format!("closest_point/{name}/{set}"));
            group.sample_size(10).throughput(Throughput::Elements(points.len() as u64));
            for backend in Backend::available() {
                let options = CastOptions::new().backend(backend).threads(&Threads::ONE);
                group.bench_function(backend.name(), |bencher| {
                    bencher.iter(|| {
                        let request = scene.points(&points).with(&options);
                        request.closest_into(f32::INFINITY, &mut closest).expect("unwatched");
                    });
                });
            }
            group.finish();
        }
    }
}

/// Four hundred placed patches of terrain, and the same triangles without instances; elements are
/// rays.
fn instances(criterion: &mut Criterion) {
    let (vertices, triangles) = common::terrain(20);
    let patch = Arc::new(Scene::from_triangles(&vertices, &triangles).expect("a sound mesh"));
    let (mut placed, mut all, mut corners) = (SceneBuilder::new(), Vec::new(), Vec::new());
    for number in 0..400_u16 {
        let [x, y] = [number % 20, number / 20].map(|step| 0.05 * f32::from(step));
        let [a, b] = [x, y].map(f64::from);
        let small = [[0.05, 0.0, 0.0, a], [0.0, 0.05, 0.0, b], [0.0, 0.0, 0.05, 0.0]];
        placed = placed.instance(&patch, Affine::from_rows(small));
        let first = all.len() as u32;
        all.extend(vertices.iter().map(|[p, q, r]| [0.05 * p + x, 0.05 * q + y, 0.05 * r]));
        corners.extend(triangles.iter().map(|triangle| triangle.map(|vertex| vertex + first)));
    }
    let scenes = [("placed", placed.build().expect("a backend")), ("flat", scene(&(all, corners)))];
    let sets = [
        ("camera", common::camera_rays(&scenes[1].1, 128)),
        ("random", common::random_rays(&scenes[1].1, 16_384)),
    ];
    for (set, rays) in &sets {
        let mut group = criterion.benchmark_group(format!("instances/400 patches/{set}"));
        group.sample_size(10).throughput(Throughput::Elements(rays.len() as u64));
        let met = scenes.each_ref().map(|(name, scene)| {
            let mut hits = HitBatch::new();
            group.bench_function(*name, |bencher| {
                let request = || scene.cast(rays).threads(&Threads::ONE);
                bencher.iter(|| request().closest_into(&mut hits).expect("unwatched"));
            });
            hits.status().iter().filter(|status| status.is_hit()).count()
        });
        group.bench_function("placed, one by one", |bencher| {
            bencher.iter(|| {
                let hits =
                    |ray: &Ray| scenes[0].1.cast(ray).closest().expect("a sound ray").is_some();
                rays.iter().take(256).filter(|&ray| hits(ray)).count()
            });
        });
        // Along the seams of patches a rounding decides.
        assert!(met[0].abs_diff(met[1]) * 100 <= rays.len(), "{met:?}");
        group.finish();
    }
}

/// A hundred thousand spheres; elements are rays.
fn spheres(criterion: &mut Criterion) {
    let mut random = Random::new(9);
    let spheres: Vec<Sphere> =
        (0..100_000).map(|_| Sphere::new(random.point(0.0, 1.0), 0.004)).collect();
    let scene =
        SceneBuilder::new().spheres(&spheres).and_then(SceneBuilder::build).expect("sound spheres");
    let rays = common::random_rays(&scene, 16_384);
    common::assert_answers_of_brute_force(&scene, &rays, 2048);
    let mut hits = HitBatch::new();
    let mut group = criterion.benchmark_group("spheres/100 thousand/random");
    group.sample_size(10).throughput(Throughput::Elements(rays.len() as u64));
    group.bench_function("closest_hit", |bencher| {
        let request = || scene.cast(&rays).threads(&Threads::ONE);
        bencher.iter(|| request().closest_into(&mut hits).expect("unwatched"));
    });
    group.finish();
}

criterion_group!(
    benches,
    instances,
    spheres,
    surface,
    queries,
    precisions,
    precisions_of_contents,
    in_flight,
    closest_point
);
criterion_main!(benches);

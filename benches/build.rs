//! Building the tree and changing it; elements are triangles, or instances.

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use lanecast::{Affine, BuildQuality, Geometry, Ray, Scene, SceneBuilder, Threads};
use std::sync::Arc;

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10);
    let meshes = [("terrain", common::terrain(300)), ("soup", common::soup(180_000, 0.02))];
    for (name, (vertices, triangles)) in &meshes {
        group.throughput(Throughput::Elements(triangles.len() as u64));
        for (quality, threads, label) in [
            (BuildQuality::Fast, Threads::ONE, "fast, 1 thread"),
            (BuildQuality::Fast, Threads::ALL, "fast, all threads"),
            (BuildQuality::Balanced, Threads::ONE, "1 thread"),
            (BuildQuality::Balanced, Threads::ALL, "all threads"),
            (BuildQuality::High, Threads::ONE, "high, 1 thread"),
            (BuildQuality::High, Threads::ALL, "high, all threads"),
        ] {
            let build = || {
                let builder =
                    SceneBuilder::new().triangle_mesh(vertices, triangles).expect("a sound mesh");
                builder.quality(quality).threads(&threads).build().expect("a backend")
            };
            let scene = build();
            assert_eq!(scene.validate(), Ok(()), "{name}");
            assert_eq!(scene.statistics().primitives, triangles.len(), "{name}");
            group.bench_function(BenchmarkId::new(*name, label), |bencher| bencher.iter(build));
        }
    }
    group.finish();
}

/// Vertices that move to and fro.
fn refit(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("refit");
    group.sample_size(10);
    let (vertices, triangles) = common::terrain(300);
    let moved: Vec<[f32; 3]> =
        vertices.iter().map(|&[x, y, z]| [x, y, 1.1 * z + 0.01 * x]).collect();
    group.throughput(Throughput::Elements(triangles.len() as u64));
    for (threads, label) in [(Threads::ONE, "1 thread"), (Threads::ALL, "all threads")] {
        let mesh = Geometry::deformable_mesh(&vertices, &triangles);
        let scene = SceneBuilder::new().geometry(mesh).and_then(SceneBuilder::build);
        let mut scene = scene.expect("a sound mesh");
        let mut places = [&moved, &vertices].into_iter().cycle();
        let mut refit = || {
            let vertices = places.next().expect("there is always another");
            scene.change().threads(&threads).refit(&[(0, vertices)]).expect("the same triangles");
            scene.bounds()
        };
        assert_eq!(
            refit(),
            Scene::from_triangles(&moved, &triangles).expect("a sound mesh").bounds()
        );
        group
            .bench_function(BenchmarkId::new("terrain", label), |bencher| bencher.iter(&mut refit));
    }
    group.finish();
}

/// Ten thousand instances that move, and a ray that asks for the tree over them.
fn move_instances(criterion: &mut Criterion) {
    let (vertices, triangles) = common::terrain(4);
    let patch = Arc::new(Scene::from_triangles(&vertices, &triangles).expect("a sound mesh"));
    let place = |number: u32, z: f64| {
        let [x, y] = [number % 100, number / 100].map(|step| f64::from(step) * 1.1);
        Affine::translation([x, y, z])
    };
    let mut scene = (0..10_000)
        .fold(SceneBuilder::new(), |builder, number| builder.instance(&patch, place(number, 0.0)))
        .build()
        .expect("a backend");
    let (mut z, down) = (0.0, Ray::new([50.3, 50.4, 1e3], [0.0, 0.0, -1.0]));
    let mut group = criterion.benchmark_group("move instances");
    group.sample_size(10).throughput(Throughput::Elements(10_000));
    group.bench_function("10 thousand", |bencher| {
        bencher.iter(|| {
            z += 0.25;
            scene
                .set_transforms((0..10_000).map(|number| (number, place(number, z))))
                .expect("translations");
            let hit = scene.cast(&down).closest().expect("a ray").expect("something below");
            assert!((1e3 - z - f64::from(hit.t)).abs() < 1.0, "{hit:?} at {z}");
        });
    });
    group.finish();
}

criterion_group!(benches, build, refit, move_instances);
criterion_main!(benches);

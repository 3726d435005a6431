//! Building the tree; elements are triangles.

mod common;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use lanecast::{BuildQuality, SceneBuilder, Threads};

fn build(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("build");
    group.sample_size(10);
    let meshes = [("terrain", common::terrain(300)), ("soup", common::soup(180_000, 0.02))];
    for (name, (vertices, triangles)) in &meshes {
        group.throughput(Throughput::Elements(triangles.len() as u64));
        for (quality, threads, label) in [
            (BuildQuality::Balanced, Threads::ONE, "1 thread"),
            (BuildQuality::Balanced, Threads::ALL, "all threads"),
            (BuildQuality::High, Threads::ONE, "high, 1 thread"),
            (BuildQuality::High, Threads::ALL, "high, all threads"),
        ] {
            let build = || {
                let builder = SceneBuilder::new().triangle_mesh(vertices, triangles).expect("a sound mesh");
                builder.quality(quality).threads(threads.clone()).build().expect("a backend")
            };
            let scene = build();
            assert_eq!(scene.validate(), Ok(()), "{name}");
            assert_eq!(scene.statistics().primitives, triangles.len(), "{name}");
            group.bench_function(BenchmarkId::new(*name, label), |bencher| bencher.iter(build));
        }
    }
    group.finish();
}

criterion_group!(benches, build);
criterion_main!(benches);

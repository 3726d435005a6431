//! One ray against many blocks of eight, for each primitive and backend; elements are primitives.

mod common;

use common::Uniform;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use lanecast::primitive::{AabbBlock, TriangleBlock};
use lanecast::{Aabb, Backend, Culling, Ray};

/// Blocks of boxes: 192 kB, which stay in the second-level cache.
const BLOCKS: usize = 1024;

fn boxes() -> Vec<AabbBlock> {
    let mut uniform = Uniform::new(4);
    let mut block = || -> [Aabb; 8] {
        std::array::from_fn(|_| {
            let (a, b) = (uniform.point(), uniform.point());
            Aabb::around([a, std::array::from_fn(|axis| a[axis] + 0.2 * b[axis])])
        })
    };
    (0..BLOCKS).map(|_| AabbBlock::new(&block())).collect()
}

fn triangles() -> Vec<TriangleBlock> {
    let mut uniform = Uniform::new(5);
    let mut triangle = |number| {
        let corner = uniform.point();
        let corners: [[f32; 3]; 3] = std::array::from_fn(|_| {
            let offset = uniform.point();
            std::array::from_fn(|axis| corner[axis] + 0.2 * offset[axis])
        });
        (corners, number)
    };
    (0..BLOCKS)
        .map(|_| TriangleBlock::new(&std::array::from_fn::<_, 8, _>(|lane| triangle(lane as u32))))
        .collect()
}

/// A kernel over all blocks, with the backend and where the masks go.
type RunKernel<'a> = &'a dyn Fn(Backend, &mut [u8]);

fn kernels(criterion: &mut Criterion) {
    let ray = Ray::new([-1.0, 0.4, 0.3], [1.0, 0.1, 0.2]);
    let (boxes, triangles) = (boxes(), triangles());
    let run_boxes = |backend, masks: &mut [u8]| {
        AabbBlock::intersect_many(backend, &ray, &boxes, masks).expect("a sound ray");
    };
    let run_triangles = |backend, masks: &mut [u8]| {
        TriangleBlock::intersect_many(backend, &ray, Culling::None, &triangles, masks).expect("a sound ray");
    };
    let kernels: [(&str, RunKernel<'_>); 2] =
        [("aabb_slab", &run_boxes), ("triangle_watertight", &run_triangles)];
    for (name, run) in kernels {
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Elements(8 * BLOCKS as u64));
        let mut expected = vec![0; BLOCKS];
        run(Backend::PORTABLE, &mut expected);
        assert!(expected.iter().any(|&mask| mask != 0), "{name}: something is met");
        for backend in Backend::available() {
            let mut masks = vec![0; BLOCKS];
            run(backend, &mut masks);
            assert_eq!(masks, expected, "{name} on {backend}");
            group.bench_function(backend.name(), |bencher| bencher.iter(|| run(backend, &mut masks)));
        }
        group.finish();
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);

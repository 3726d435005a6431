//! Every kernel in every form on every backend, one thread, from the caches; elements are tests.

mod samples;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use lanecast::primitive::{
    Aabb, Clip, Disc, DiscPlane, EnteredFace, FaceByFace, Obb, Rect, SeparatingAxes, Slab, Sphere,
    SphereRoots, Test, Triangle, TriangleWithNormal, TripleProduct, Watertight,
};
use lanecast::{
    Backend, Threads,
    columns::Record,
    primitive::{Bulk, HitTable},
};
use lanecast_reference::random::Random;
use samples::Sample;

/// Lines of many against many.
const LINES: usize = 64;

/// Primitives of all forms, and pairs: at most 250 kB, which stay in the second-level cache.
const PRIMITIVES: usize = 1024;

fn records<V: Sample>(count: usize, seed: u64) -> Vec<V> {
    let mut random = Random::new(seed);
    (0..count).map(|_| V::sample(&mut || random.unit())).collect()
}

/// The numbers of records, each in a column of its own.
fn transposed<V: Record>(records: &[V]) -> Vec<Vec<V::Scalar>> {
    let numbers: &[V::Scalar] = bytemuck::cast_slice(records);
    let width = numbers.len() / records.len();
    (0..width).map(|place| numbers.iter().skip(place).step_by(width).copied().collect()).collect()
}

/// A name, a number of tests, and what runs them.
type Form<'a> = (&'static str, usize, &'a mut dyn FnMut(Backend));

/// Measures the forms, each on every backend.
fn measure(group: &mut BenchmarkGroup<'_, WallTime>, forms: &mut [Form<'_>]) {
    for (form, tests, run) in forms {
        group.throughput(Throughput::Elements(*tests as u64));
        for backend in Backend::available() {
            group.bench_function(format!("{form}/{backend}"), |bencher| {
                bencher.iter(|| run(backend));
            });
        }
    }
}

/// A test in all its forms over columns; what they answer is that of one pair at a time.
fn kernel<P: Sample, K: Test<P>>(criterion: &mut Criterion, name: &str, test: K)
where
    K::Line: Sample,
{
    let (lines, primitives) = (records::<K::Line>(PRIMITIVES, 1), records::<P>(PRIMITIVES, 2));
    let (line_columns, primitive_columns) = (transposed(&lines), transposed(&primitives));
    let line_columns: Vec<_> = line_columns.iter().map(Vec::as_slice).collect();
    let primitive_columns: Vec<_> = primitive_columns.iter().map(Vec::as_slice).collect();
    let line_columns = <K::Line as Sample>::columns(&line_columns).expect("equal lengths");
    let primitive_columns = P::columns(&primitive_columns).expect("equal lengths");
    let few = line_columns.slice(0..LINES);
    let bulk = |backend| Bulk::new(test).backend(backend).threads(&Threads::ONE);

    let alone =
        |line: &K::Line, primitive: &P| test.intersect(primitive, line).expect("a sound line");
    let expected_pairs: Vec<_> =
        lines.iter().zip(&primitives).map(|(line, p)| alone(line, p)).collect();
    let expected_of_first: Vec<_> = primitives.iter().map(|p| alone(&lines[0], p)).collect();
    let expected_bits: Vec<u64> = lines[..LINES]
        .iter()
        .flat_map(|line| primitives.chunks(64).map(move |some| (line, some)))
        .map(|(line, some)| {
            some.iter().rev().fold(0, |word, p| word << 1 | u64::from(alone(line, p).is_some()))
        })
        .collect();
    assert!(expected_bits.iter().any(|&word| word != 0), "{name}: something is met");

    let (mut bits, mut pairs, mut of_first) = (Vec::new(), HitTable::new(), HitTable::new());
    for backend in Backend::available() {
        bulk(backend).bits(&few, &primitive_columns, &mut bits).expect("nobody stops it");
        assert!(bits == expected_bits, "{name} on {backend}: many to many");
        bulk(backend)
            .pairwise(&line_columns, &primitive_columns, &mut pairs)
            .expect("nobody stops it");
        bulk(backend)
            .one_to_many(&lines[0], &primitive_columns, &mut of_first)
            .expect("a sound line");
        for row in 0..PRIMITIVES {
            assert_eq!(pairs.get(row), expected_pairs[row], "{name} on {backend}: pair {row}");
            assert_eq!(
                of_first.get(row),
                expected_of_first[row],
                "{name} on {backend}: one to many {row}"
            );
        }
    }

    let mut group = criterion.benchmark_group(name);
    let mut run_many = |backend| {
        bulk(backend).bits(&few, &primitive_columns, &mut bits).expect("nobody stops it");
    };
    let mut run_pairs = |backend| {
        bulk(backend)
            .pairwise(&line_columns, &primitive_columns, &mut pairs)
            .expect("nobody stops it");
    };
    let mut run_one = |backend| {
        bulk(backend)
            .one_to_many(&lines[0], &primitive_columns, &mut of_first)
            .expect("a sound line");
    };
    measure(
        &mut group,
        &mut [
            ("many_to_many", LINES * PRIMITIVES, &mut run_many),
            ("pairwise", PRIMITIVES, &mut run_pairs),
            ("one_to_many", PRIMITIVES, &mut run_one),
        ],
    );
    group.finish();
}

/// Each kernel is a line, and is measured in `f32` and `f64`.
macro_rules! kernels {
    ($criterion:ident; $($name:literal: $primitive:ident, $test:expr;)*) => {$(
        kernel::<$primitive<f32>, _>($criterion, concat!($name, "/f32"), $test);
        kernel::<$primitive<f64>, _>($criterion, concat!($name, "/f64"), $test);
    )*};
}

fn kernels(criterion: &mut Criterion) {
    kernels! { criterion;
        "aabb_slab": Aabb, Slab;
        "aabb_entered_face": Aabb, EnteredFace;
        "aabb_face_by_face": Aabb, FaceByFace;
        "aabb_clip": Aabb, Clip::EXACT;
        "rect_slab": Rect, Slab;
        "obb_slab": Obb, Slab;
        "obb_entered_face": Obb, EnteredFace;
        "obb_separating_axes": Obb, SeparatingAxes;
        "triangle_watertight": Triangle, Watertight::TWO_SIDED;
        "triangle_triple_product": Triangle, TripleProduct::TWO_SIDED;
        "triangle_with_normal_triple_product": TriangleWithNormal, TripleProduct::TWO_SIDED;
        "sphere_roots": Sphere, SphereRoots;
        "disc_plane": Disc, DiscPlane;
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);

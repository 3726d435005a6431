//! For those who measure kernels: one test in each of its forms, on each instruction set of this
//! machine.
//!
//! All forms give the same bits; the rates are those of one thread, in million pairs of a ray and a
//! primitive a second.
//!
//! ```sh
//! cargo run --release --example kernels
//! ```

use std::time::{Duration, Instant};

use lanecast::primitive::{
    Aabb, AabbBatch, Bulk, BulkClosest, HitTable, Slab, Test, TripleProduct, Watertight,
};
use lanecast::primitive::{Triangle, TriangleBatch};
use lanecast::{Backend, Ray, RayBatch, Threads};

const COUNT: usize = 256;

fn main() -> lanecast::Result<()> {
    let mut number = 1_u32;
    // A linear congruential generator: the same numbers everywhere.
    let mut random = || {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 8) as f32 / (1 << 24) as f32
    };
    let mut point = || [random(), random(), random()];
    let rays: Vec<Ray> = (0..COUNT).map(|_| Ray::segment(point(), point())).collect();
    let boxes: Vec<Aabb> = (0..COUNT).map(|_| Aabb::around([point(), point()])).collect();
    let triangles: Vec<Triangle> =
        (0..COUNT).map(|_| Triangle::new([point(), point(), point()])).collect();
    let (rays, boxes) = (RayBatch::from_rays(&rays), AabbBatch::from_slice(&boxes)?);
    let triangles = TriangleBatch::from_slice(&triangles)?;

    eprintln!(
        "{:10} {:>12} {:>14} {:>16} {:>18}",
        "", "pairwise", "many to many", "closest of many", "watertight closest"
    );
    let mut known = None;
    for backend in Backend::available() {
        let slab = Bulk::new(Slab).backend(backend).threads(&Threads::ONE);
        let (mut table, mut counts) = (HitTable::new(), Vec::new());
        let pairwise = rate(COUNT, || slab.pairwise(&rays, &boxes, &mut table).map(drop))?;
        let many = rate(COUNT * COUNT, || slab.counts(&rays, &boxes, &mut counts).map(drop))?;

        let (mut closest, mut watertight) = (BulkClosest::new(), BulkClosest::new());
        let fast = Bulk::new(TripleProduct::TWO_SIDED).backend(backend).threads(&Threads::ONE);
        let exact = Bulk::new(Watertight::TWO_SIDED).backend(backend).threads(&Threads::ONE);
        let of_many =
            rate(COUNT * COUNT, || fast.closest(&rays, &triangles, &mut closest).map(drop))?;
        let of_exact =
            rate(COUNT * COUNT, || exact.closest(&rays, &triangles, &mut watertight).map(drop))?;
        eprintln!(
            "{:10} {pairwise:12.0} {many:14.0} {of_many:16.0} {of_exact:18.0}",
            backend.name()
        );

        let answers = (table.column(0).to_vec(), counts, watertight.t);
        assert!(
            known.get_or_insert_with(|| answers.clone()) == &answers,
            "the same bits on every backend"
        );
    }
    // By itself, as a function.
    let first = Slab.intersect(&boxes.get(0), &rays.ray(0))?;
    eprintln!("ray 0 meets box 0: {first:?}");
    Ok(())
}

/// Million pairs a second: the best of many calls, which other programs disturb least.
fn rate(pairs: usize, mut call: impl FnMut() -> lanecast::Result<()>) -> lanecast::Result<f64> {
    let (start, mut best) = (Instant::now(), Duration::MAX);
    while start.elapsed() < Duration::from_millis(100) {
        let start = Instant::now();
        call()?;
        best = best.min(start.elapsed());
    }
    Ok(pairs as f64 / best.as_secs_f64() / 1e6)
}

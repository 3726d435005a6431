//! One answer for every form and backend, having checked that they are the same.

use crate::common::backends::every_backend;
use crate::triangle_tests::draw::Corners;
use lanecast::primitive::{Block, ExactScalar, Side, Test, Triangle, TriangleHit, TripleProduct, Watertight};
use lanecast::testing::Way;
use lanecast::{
    CastOptions, Coherence, Contact, Culling, INVALID_ID, Ray, RayBatch, Scalar, Scene,
    answers::AllHitsBatch,
    columns::{Columns, Record},
    primitive::{Bulk, BulkClosest, HitList, HitTable},
};
use lanecast_reference::kernel::watertight::{InInterval, exactly, in_interval};

/// An answer by its bits: t, u and v, and the side.
pub(crate) type Bits = Option<([u64; 3], Side)>;

pub(crate) fn bits_of<T: Scalar>(hit: Option<TriangleHit<T>>) -> Bits {
    hit.map(|hit| ([hit.t, hit.u, hit.v].map(|x| x.to_f64().to_bits()), hit.side))
}

/// Every ray against every triangle, the rays outer: the answers, which every form on every backend
/// must give.
pub(crate) fn in_every_form<T: Scalar, P: Record<Scalar = T>, K>(
    test: K,
    rays: &[Ray<T>],
    triangles: &[P],
) -> Vec<Option<TriangleHit<T>>>
where
    K: Test<P, Line = Ray<T>, Hit = TriangleHit<T>>,
{
    let one_by_one: Vec<Option<TriangleHit<T>>> = rays
        .iter()
        .flat_map(|ray| triangles.iter().map(|t| test.intersect(t, ray).expect("a sound ray")))
        .collect();
    let expected: Vec<Bits> = one_by_one.iter().map(|&hit| bits_of(hit)).collect();
    let count = triangles.len();
    let of_ray = |ray: usize| &expected[ray * count..][..count];
    let columns = Columns::from_slice(triangles).expect("no rules");
    let batch = RayBatch::from_rays(rays);
    let (each_ray, each_triangle): (Vec<_>, Vec<_>) =
        rays.iter().flat_map(|&ray| triangles.iter().map(move |&t| (ray, t))).unzip();

    for backend in every_backend() {
        let context = |form: &str| format!("{form} on {backend}: {test:?}");
        let bulk = Bulk::new(test).backend(backend);
        let mut table = HitTable::new();
        let pairs = Columns::from_slice(&each_triangle).expect("no rules");
        bulk.pairwise(&RayBatch::from_rays(&each_ray), &pairs, &mut table).expect("as many");
        let found: Vec<Bits> = (0..table.len()).map(|row| bits_of(table.get(row))).collect();
        assert_eq!(found, expected, "{}", context("pairwise"));

        for (number, ray) in rays.iter().enumerate() {
            bulk.one_to_many(ray, &columns, &mut table).expect("sound");
            let found: Vec<Bits> = (0..table.len()).map(|row| bits_of(table.get(row))).collect();
            assert_eq!(found, of_ray(number), "{}", context("one to many"));
            for (eight, expected) in triangles.chunks(8).zip(of_ray(number).chunks(8)) {
                let block = Block::new(eight).expect("no rules");
                let hits = test.intersect_block(backend, &block, ray).expect("sound");
                let found: Vec<Bits> = (0..eight.len()).map(|lane| bits_of(hits.get(lane))).collect();
                assert_eq!(found, expected, "{}", context("block"));
            }
        }

        let (mut words, mut counts, mut list) = (Vec::new(), Vec::new(), HitList::new());
        let mut closest = BulkClosest::new();
        bulk.bits(&batch, &columns, &mut words).expect("few");
        bulk.counts(&batch, &columns, &mut counts).expect("few");
        bulk.list(&batch, &columns, &mut list).expect("few");
        bulk.closest(&batch, &columns, &mut closest).expect("few");
        for ray in 0..rays.len() {
            let hits: Vec<usize> = (0..count).filter(|&i| of_ray(ray)[i].is_some()).collect();
            let row = &words[ray * count.div_ceil(64)..];
            let found: Vec<usize> = (0..count).filter(|i| row[i / 64] >> (i % 64) & 1 == 1).collect();
            assert_eq!(found, hits, "{}", context("bits"));
            assert_eq!(counts[ray] as usize, hits.len(), "{}", context("counts"));
            let listed: Vec<usize> = list.of_line(ray).iter().map(|&i| i as usize).collect();
            assert_eq!(listed, hits, "{}", context("list"));
            let t = |i: usize| one_by_one[ray * count + i].map_or(T::INFINITY, |hit| hit.t);
            let first = hits.into_iter().fold(None, |best: Option<usize>, i| match best {
                Some(best) if t(best) <= t(i) => Some(best),
                _ => Some(i),
            });
            assert_eq!(closest.index[ray], first.map_or(INVALID_ID, |i| i as u32), "{}", context("closest"));
            assert_eq!(closest.t[ray], first.map_or(T::INFINITY, t), "{}", context("closest"));
        }
    }
    one_by_one
}

/// t, u and v of each triangle that a ray touches in a scene, as bits: the answers of brute force, which every way
/// through the tree must give on every backend.
pub(crate) fn in_scene(ray: &Ray, corners: &[Corners], culling: Culling) -> Vec<Option<[u32; 3]>> {
    /// As many as make a group.
    const RAYS: usize = 64;
    let vertices: Vec<_> = corners.iter().copied().flatten().collect();
    let indices: Vec<_> = (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let scene = Scene::from_triangles(&vertices, &indices).expect("a sound mesh");
    let rays = [*ray; RAYS];
    let touching = CastOptions::new().contact(Contact::Touch).culling(culling);
    let apart = touching.clone().coherence(Coherence::Incoherent);
    let ways = [
        touching.clone().coherence(Coherence::Coherent),
        apart.clone().way(Way::Streams),
        apart.clone().way(Way::InFlight),
        apart.way(Way::OneByOne),
    ];
    let rows_of = |hits: &AllHitsBatch| {
        [0, RAYS - 1].map(|row| {
            let mut found = vec![None; corners.len()];
            for hit in hits.of_ray(row) {
                found[hit.primitive_id as usize] = Some([hit.t, hit.u, hit.v].map(f32::to_bits));
            }
            found
        })
    };
    let mut hits = AllHitsBatch::new();
    let scan = touching.brute_force();
    scene.cast(&rays).with(&scan).all_into(&mut hits).expect("not stopped");
    let [expected, last] = rows_of(&hits);
    assert_eq!(expected, last, "the same ray twice: {ray:?} {corners:?}");
    for backend in every_backend() {
        for options in ways.iter().chain([&scan]) {
            scene.cast(&rays).with(options).backend(backend).all_into(&mut hits).expect("not stopped");
            for found in rows_of(&hits) {
                assert_eq!(found, expected, "{backend}, {options:?}: {ray:?} {corners:?}");
            }
        }
    }
    expected
}

/// The answers of the watertight test and of the triple products, which must agree with and without
/// the normal.
pub(crate) fn by_both<T: ExactScalar>(
    ray: Ray<T>,
    triangle: Triangle<T>,
    culling: Culling,
) -> [Option<TriangleHit<T>>; 2] {
    let watertight = in_every_form(Watertight { culling }, &[ray], &[triangle])[0];
    let product = in_every_form(TripleProduct { culling }, &[ray], &[triangle])[0];
    let with_normal = in_every_form(TripleProduct { culling }, &[ray], &[triangle.with_normal()])[0];
    assert_eq!(bits_of(product), bits_of(with_normal), "the normal changes bits: {ray:?} {triangle:?}");
    [watertight, product]
}

/// The one answer of both tests, where there is nothing to round.
pub(crate) fn by_either<T: ExactScalar>(
    ray: Ray<T>,
    triangle: Triangle<T>,
    culling: Culling,
) -> Option<TriangleHit<T>> {
    let [watertight, product] = by_both(ray, triangle, culling);
    assert_eq!(bits_of(watertight), bits_of(product), "the tests differ: {ray:?} {triangle:?} {culling:?}");
    watertight
}

/// Holds the watertight test of a ray against what becomes of the hit of its line.
pub(crate) fn check_in_interval<T: Scalar>(
    ray: &Ray<T>,
    triangle: &Triangle<T>,
    of_line: Option<TriangleHit<T>>,
    found: Option<TriangleHit<T>>,
) {
    let context = || format!("{found:?} of {ray:?} {triangle:?}, on the line {of_line:?}");
    let Some(on_line) = of_line else { return assert!(found.is_none(), "{}", context()) };
    match in_interval(ray, triangle, on_line.t) {
        InInterval::Missed => assert!(found.is_none(), "{}", context()),
        InInterval::Kept => assert_eq!(bits_of(found), bits_of(of_line), "{}", context()),
        InInterval::Moved(exact) => {
            let hit = found.unwrap_or_else(|| panic!("nothing {}", context()));
            assert!(ray.t_min <= hit.t && hit.t <= ray.t_max && hit.side == on_line.side, "{}", context());
            let unit = exactly(T::UNIT_ROUNDOFF) * exactly(8.0);
            for (found, exact) in [hit.t, hit.u, hit.v].into_iter().zip(exact.iter()) {
                let error = exact.abs() * &unit + exactly(T::MIN_POSITIVE);
                assert!((exactly(found) - exact).abs() <= error, "{}", context());
            }
        }
    }
}

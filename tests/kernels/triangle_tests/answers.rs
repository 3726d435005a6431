//! One answer for every form and backend, having checked that they are the same.

use crate::catalogue::draw::Case;
use crate::catalogue::forms::{self, Ledger};
use crate::catalogue::laid::CasePrimitive;
use crate::catalogue::subject::Subject;
use crate::common::backends::every_backend;
use crate::triangle_tests::draw::Corners;
use lanecast::primitive::{Side, Test, Triangle, TriangleHit, TripleProduct, Watertight};
use lanecast::testing::Way;
use lanecast::{
    CastOptions, Coherence, Contact, Culling, Ray, Scalar, Scene, answers::AllHitsBatch,
};
use lanecast_reference::kernel::number::Number;
use lanecast_reference::kernel::watertight::{InInterval, exactly, in_interval};

/// An answer by its bits: t, u and v, and the side.
pub(crate) type Bits = Option<([u64; 3], Side)>;

pub(crate) fn bits_of<T: Scalar>(hit: Option<TriangleHit<T>>) -> Bits {
    hit.map(|hit| ([hit.t, hit.u, hit.v].map(|x| x.to_f64().to_bits()), hit.side))
}

/// The answer for one pair, which every form on every backend must give.
pub(crate) fn in_every_form<P, K, T: Number>(
    test: K,
    ray: &Ray<T>,
    triangle: P,
) -> Option<TriangleHit<T>>
where
    P: CasePrimitive<Scalar = T>,
    K: Subject<P> + Test<P, Line = Ray<T>, Hit = TriangleHit<T>>,
{
    let case = Case { lines: vec![*ray; 2], primitives: vec![triangle; 9] };
    forms::in_every_form(test, &case, &mut Ledger::default())[0][0]
}

/// t, u and v of each triangle that a ray touches in a scene, as bits: the answers of brute force,
/// which every way through the tree must give on every backend.
pub(crate) fn in_scene(ray: &Ray, corners: &[Corners], culling: Culling) -> Vec<Option<[u32; 3]>> {
    /// As many as make a group.
    const RAYS: usize = 64;
    let vertices: Vec<_> = corners.iter().copied().flatten().collect();
    let indices: Vec<_> =
        (0..corners.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
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
            scene
                .cast(&rays)
                .with(options)
                .backend(backend)
                .all_into(&mut hits)
                .expect("not stopped");
            for found in rows_of(&hits) {
                assert_eq!(found, expected, "{backend}, {options:?}: {ray:?} {corners:?}");
            }
        }
    }
    expected
}

/// The answers of the watertight test and of the triple products, which must agree with and without
/// the normal.
pub(crate) fn by_both<T: Number>(
    ray: Ray<T>,
    triangle: Triangle<T>,
    culling: Culling,
) -> [Option<TriangleHit<T>>; 2] {
    let watertight = in_every_form(Watertight { culling }, &ray, triangle);
    let product = in_every_form(TripleProduct { culling }, &ray, triangle);
    let with_normal = in_every_form(TripleProduct { culling }, &ray, triangle.with_normal());
    assert_eq!(
        bits_of(product),
        bits_of(with_normal),
        "the normal changes bits: {ray:?} {triangle:?}"
    );
    [watertight, product]
}

/// The one answer of both tests, where there is nothing to round.
pub(crate) fn by_either<T: Number>(
    ray: Ray<T>,
    triangle: Triangle<T>,
    culling: Culling,
) -> Option<TriangleHit<T>> {
    let [watertight, product] = by_both(ray, triangle, culling);
    assert_eq!(
        bits_of(watertight),
        bits_of(product),
        "the tests differ: {ray:?} {triangle:?} {culling:?}"
    );
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
            assert!(
                ray.t_min <= hit.t && hit.t <= ray.t_max && hit.side == on_line.side,
                "{}",
                context()
            );
            let unit = exactly(T::UNIT_ROUNDOFF) * exactly(8.0);
            for (found, exact) in [hit.t, hit.u, hit.v].into_iter().zip(exact.iter()) {
                let error = exact.abs() * &unit + exactly(T::MIN_POSITIVE);
                assert!((exactly(found) - exact).abs() <= error, "{}", context());
            }
        }
    }
}

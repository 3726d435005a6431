//! The triple products, held against exact arithmetic and against the watertight test.

use crate::common::strategies::{cases, interval, triple};
use crate::triangle_tests::answers::by_both;
use crate::triangle_tests::draw::{finer, finer_ray};
use crate::triangle_tests::{few, in_both_precisions};
use lanecast::primitive::{Side, Test, Triangle, TripleProduct};
use lanecast::{Culling, Ray, Scalar};
use lanecast_reference::exact::Exact;
use lanecast_reference::kernel::watertight::{exactly, signed_volumes};
use lanecast_reference::meshes;
use lanecast_reference::random::Random;
use proptest::prelude::*;

/// Holds the triple products against exact arithmetic wherever their bounds leave no doubt, and
/// says whether they did.
fn check_product<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>) -> bool {
    let exact = signed_volumes(ray, triangle);
    let hit = TripleProduct::TWO_SIDED.intersect(triangle, ray).expect("a sound ray");
    let context = || format!("{ray:?} {triangle:?}\n{hit:?}\n{exact:?}");
    let zero = exactly(T::ZERO);
    let [edge, direction, reach] = &exact.sizes;
    let roundoff = exactly(T::UNIT_ROUNDOFF);
    let d_off = exactly(45.0) * &roundoff * direction * edge * edge;
    let t_off = exactly(51.0) * &roundoff * reach * edge * edge;
    let weight_off = exactly(45.0) * &roundoff * direction * edge * reach;
    let d = exact.d.abs();
    if d <= &d_off + &d_off {
        return false;
    }
    let turn = if exact.d < zero { exactly(T::of(-1.0)) } else { exactly(T::ONE) };
    let [wa, wb, wc] = exact.weights_d.each_ref().map(|w| w * &turn);
    let t_d = &exact.t_d * &turn;
    // How far inside all bounds are, or how far outside the worst.
    let mut clear = true;
    let mut inside = true;
    let mut compare = |value: Exact, off: &Exact| {
        clear &= value.abs() > *off;
        inside &= value >= zero;
    };
    compare(wb.clone(), &weight_off);
    compare(wc.clone(), &weight_off);
    compare(wa, &(&weight_off + &weight_off + &d_off));
    for (end, sign) in [(ray.t_min, T::ONE), (ray.t_max, T::of(-1.0))] {
        if end.is_finite() {
            let end = exactly(end);
            let off = &t_off + end.abs() * (&d_off + &d * &roundoff);
            compare((&t_d - &end * &d) * exactly(sign), &off);
        }
    }
    if let Some(hit) = hit {
        assert!(ray.t_min <= hit.t && hit.t <= ray.t_max, "{}", context());
        assert!(hit.u >= T::ZERO && hit.v >= T::ZERO, "{}", context());
        assert!(hit.u + hit.v <= T::ONE + T::of(4.0) * T::UNIT_ROUNDOFF, "{}", context());
        // The quotient of two numbers that are off, and its rounding.
        for (found, numerator, off) in
            [(hit.t, t_d, t_off), (hit.u, wb, weight_off.clone()), (hit.v, wc, weight_off)]
        {
            let value = &numerator / &d;
            let off = (off + value.abs() * &d_off) / (&d - &d_off)
                + value.abs() * &roundoff * exactly(4.0)
                + exactly(T::MIN_POSITIVE);
            assert!((exactly(found) - value).abs() <= off, "{}", context());
        }
        assert_eq!(hit.side == Side::Front, exact.d > zero, "{}", context());
    }
    if clear {
        assert_eq!(hit.is_some(), inside, "{}", context());
    }
    clear
}

proptest! {
    #![proptest_config(cases(few()))]

    #[test]
    fn triple_products_keep_their_bounds(
        corners in [triple((-4.0_f32..4.0).boxed()), triple((-4.0_f32..4.0).boxed()), triple((-4.0_f32..4.0).boxed())],
        size in prop_oneof![Just(1.0_f32), Just(1e-3), Just(1e3)],
        origin in triple((-8.0_f32..8.0).boxed()),
        weights in [-0.2_f32..1.2, -0.2_f32..1.2],
        speed in prop_oneof![Just(1.0_f32), Just(0.01), Just(0.3), Just(50.0)],
        interval in interval(),
    ) {
        let [a, b, c] = corners.map(|v| v.map(|x| x * size));
        let [u, v] = weights;
        let target: [f32; 3] = std::array::from_fn(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]);
        let direction = std::array::from_fn(|axis| (target[axis] - origin[axis]) * speed);
        let ray = Ray { origin, direction, t_min: interval[0], t_max: interval[1] };
        if ray.defect().is_none() {
            check_product(&ray, &Triangle::new([a, b, c]));
            check_product(&finer_ray(&ray), &Triangle::new([a, b, c].map(|v| v.map(finer))));
        }
    }
}

#[test]
fn exact_arithmetic_decides_most_ordinary_cases() {
    let mut random = Random::new(1);
    let mut clear = [0; 2];
    for _ in 0..1_000 {
        let mesh = meshes::soup(1, &mut random);
        let corners = mesh.corners(0);
        let origin = random.point(-3.0, 3.0);
        let target = std::array::from_fn(|axis| {
            0.4 * corners[0][axis] + 0.35 * corners[1][axis] + 0.25 * corners[2][axis]
        });
        let ray = Ray::segment(origin, target).with_interval(0.0, 2.0);
        clear[0] += usize::from(check_product(&ray, &Triangle::new(corners)));
        clear[1] += usize::from(check_product(
            &finer_ray(&ray),
            &Triangle::new(corners.map(|v| v.map(finer))),
        ));
    }
    assert!(clear[0] > 950 && clear[1] > 990, "seed 1: {clear:?} of 1000");
}

in_both_precisions! {
    fn both_tests_agree_away_from_borders<T>() {
        let (mut random, mut hits) = (Random::new(2), 0);
        // d above a thousandth, coordinates up to 8: see the bounds of `TripleProduct`.
        let tolerance = T::UNIT_ROUNDOFF.to_f64() * 1e6;
        for _ in 0..few() {
            let mut point = |size: f32| random.point(-size, size).map(T::of);
            let triangle = Triangle::new([point(1.0), point(1.0), point(1.0)]);
            let ray = Ray::segment(point(4.0), point(1.0)).with_interval(T::ZERO, T::INFINITY);
            let truth = signed_volumes(&ray, &triangle);
            let limit = exactly(1e-3);
            // Neither thin nor edge-on, neither at the border nor at the origin.
            let clear = truth.weights_d.iter().chain([&truth.t_d, &truth.d]).all(|x| x.abs() > limit);
            if !clear {
                continue;
            }
            let found = by_both(ray, triangle, Culling::None);
            match found {
                [Some(a), Some(b)] => {
                    hits += 1;
                    assert_eq!(a.side, b.side, "{ray:?} {triangle:?}");
                    for (a, b) in [(a.t, b.t), (a.u, b.u), (a.v, b.v)] {
                        let off = (a.to_f64() - b.to_f64()).abs();
                        assert!(off <= tolerance * (1.0 + a.to_f64().abs()), "{found:?} {ray:?} {triangle:?}");
                    }
                }
                [None, None] => {}
                _ => panic!("{found:?} {ray:?} {triangle:?}"),
            }
        }
        assert!(hits > few() / 20, "seed 2: only {hits} hits in {}", few());
    }
}

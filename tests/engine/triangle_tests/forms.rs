//! Every form on every backend has the same bits, of few triangles as of many.

use crate::triangle_tests::answers::{bits_of, in_every_form};
use crate::triangle_tests::draw::{any_corners, any_culling, finer, finer_ray};
use crate::triangle_tests::{CULLINGS, FEWER_CASES, in_both_precisions};
use lanecast::primitive::{Triangle, TriangleHit, TriangleWithNormal, TripleProduct, Watertight};
use lanecast::{Culling, Ray};
use lanecast_reference::random::Random;
use lanecast_reference::strategies::{any_ray, cases};
use proptest::prelude::*;

proptest! {
    #![proptest_config(cases(FEWER_CASES))]

    #[test]
    fn every_form_and_backend_has_the_same_bits(
        rays in prop::collection::vec(any_ray(), 1..=3),
        corners in prop::collection::vec(any_corners(), 1..=20),
        culling in any_culling(),
    ) {
        let triangles: Vec<_> = corners.iter().map(|&corners| Triangle::new(corners)).collect();
        let with_normals: Vec<_> = triangles.iter().map(Triangle::with_normal).collect();
        in_every_form(Watertight { culling }, &rays, &triangles);
        let without = in_every_form(TripleProduct { culling }, &rays, &triangles);
        let with = in_every_form(TripleProduct { culling }, &rays, &with_normals);
        let bits = |hits: Vec<Option<TriangleHit>>| hits.into_iter().map(bits_of).collect::<Vec<_>>();
        prop_assert_eq!(bits(without), bits(with));

        let rays: Vec<_> = rays.iter().map(finer_ray).collect();
        let triangles: Vec<_> = corners.iter().map(|c| Triangle::new(c.map(|v| v.map(finer)))).collect();
        let with_normals: Vec<TriangleWithNormal<f64>> = triangles.iter().map(Triangle::with_normal).collect();
        in_every_form(Watertight { culling }, &rays, &triangles);
        let without = in_every_form(TripleProduct { culling }, &rays, &triangles);
        let with = in_every_form(TripleProduct { culling }, &rays, &with_normals);
        let bits = |hits: Vec<Option<TriangleHit<f64>>>| hits.into_iter().map(bits_of).collect::<Vec<_>>();
        prop_assert_eq!(bits(without), bits(with));
    }
}

in_both_precisions! {
    /// More than a word, a tile and a vector hold, and not a whole number of any of them.
    fn long_columns_with_many_hits_have_the_same_bits_in_every_form<T>() {
        let mut random = Random::new(4);
        let mut point = |size: f32| random.point(-size, size).map(T::of);
        let triangles: Vec<Triangle<T>> =
            (0..333).map(|_| Triangle::new([point(2.0), point(2.0), point(2.0)])).collect();
        let with_normals: Vec<_> = triangles.iter().map(Triangle::with_normal).collect();
        let rays: Vec<Ray<T>> = (0..24)
            .map(|number| {
                // Along every axis, either way, and across; some along an axis exactly.
                let (from, mut to) = (point(1.0), point(1.0));
                to[number % 3] = to[number % 3] + T::of(if number % 2 == 0 { 2.0 } else { -2.0 });
                if number >= 18 {
                    to[(number + 1) % 3] = from[(number + 1) % 3];
                    to[(number + 2) % 3] = from[(number + 2) % 3];
                }
                Ray::segment(from, to).with_interval(T::of(-1.0), T::of(3.0))
            })
            .collect();
        for culling in CULLINGS {
            let watertight = in_every_form(Watertight { culling }, &rays, &triangles);
            let without = in_every_form(TripleProduct { culling }, &rays, &triangles);
            let with = in_every_form(TripleProduct { culling }, &rays, &with_normals);
            let bits = |hits: &[_]| hits.iter().map(|&hit| bits_of(hit)).collect::<Vec<_>>();
            assert_eq!(bits(&without), bits(&with), "seed 4");
            let hits = watertight.iter().flatten().count();
            let least = if culling == Culling::None { 400 } else { 200 };
            assert!(hits >= least, "seed 4: only {hits} hits");
            // None of these random rays comes near a border.
            let sides = |hits: &[Option<TriangleHit<T>>]| {
                hits.iter().map(|hit| hit.map(|hit| hit.side)).collect::<Vec<_>>()
            };
            assert_eq!(sides(&watertight), sides(&without), "seed 4, {culling:?}");
        }
    }
}

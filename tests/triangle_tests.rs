//! The tests of a line against a triangle, in both precisions, in every form, on every backend.

mod common;
mod reference;

use common::backends::every_backend;
use common::meshes;
use common::random::Random;
use common::rays::{any_ray, cases, coordinate, triple};
use lanecast::primitive::{
    Block, Exactly, Side, Test, Triangle, TriangleBatch, TriangleBlock, TriangleHit, TriangleWithNormal,
    TripleProduct, Watertight,
};
use lanecast::{
    Bulk, Closest, Columns, Culling, Error, HitList, HitTable, INVALID_ID, Ray, RayBatch, Record, Scalar,
    Status,
};
use proptest::prelude::*;
use reference::exact::{Fraction, fraction, magnitude, passage, sheared_meeting};

const CASES: u32 = if cfg!(debug_assertions) { 300 } else { 10_000 };
/// Where every form runs, or much is exact.
const FEWER_CASES: u32 = if cfg!(debug_assertions) { 50 } else { 1_500 };
const CULLINGS: [Culling; 3] = [Culling::None, Culling::Back, Culling::Front];

/// An answer by its bits: t, u and v, and the side.
type Bits = Option<([u64; 3], Side)>;

fn bits_of<T: Scalar>(hit: Option<TriangleHit<T>>) -> Bits {
    hit.map(|hit| ([hit.t, hit.u, hit.v].map(|x| x.to_f64().to_bits()), hit.side))
}

/// Every ray against every triangle, the rays outer: the answers, which every form on every backend
/// must give.
fn in_every_form<T: Scalar, P: Record<Scalar = T>, K>(
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
        let mut closest = Closest::new();
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

/// The answers of the watertight test and of the triple products, which must agree with and without
/// the normal.
fn by_both<T: Exactly>(ray: Ray<T>, triangle: Triangle<T>, culling: Culling) -> [Option<TriangleHit<T>>; 2] {
    let watertight = in_every_form(Watertight { culling }, &[ray], &[triangle])[0];
    let product = in_every_form(TripleProduct { culling }, &[ray], &[triangle])[0];
    let with_normal = in_every_form(TripleProduct { culling }, &[ray], &[triangle.with_normal()])[0];
    assert_eq!(bits_of(product), bits_of(with_normal), "the normal changes bits: {ray:?} {triangle:?}");
    [watertight, product]
}

/// The one answer of both tests, where there is nothing to round.
fn by_either<T: Exactly>(ray: Ray<T>, triangle: Triangle<T>, culling: Culling) -> Option<TriangleHit<T>> {
    let [watertight, product] = by_both(ray, triangle, culling);
    assert_eq!(bits_of(watertight), bits_of(product), "the tests differ: {ray:?} {triangle:?} {culling:?}");
    watertight
}

/// Runs a body in both precisions.
macro_rules! in_both_precisions {
    ($($(#[$doc:meta])* fn $name:ident<$t:ident>() $body:block)+) => {
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                fn body<$t: Exactly>() $body
                body::<f32>();
                body::<f64>();
            }
        )+
    };
}

fn numbers<T: Scalar, const N: usize>(values: [f32; N]) -> [T; N] {
    values.map(T::of)
}

/// In the plane z = 0, counter-clockwise as seen from above.
fn flat<T: Scalar>() -> Triangle<T> {
    Triangle::new([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(numbers))
}

fn ray<T: Scalar>(origin: [f32; 3], direction: [f32; 3]) -> Ray<T> {
    Ray::new(numbers(origin), numbers(direction))
}

in_both_precisions! {
    fn t_weights_and_side_are_those_of_the_point_of_passage<T>() {
        let hit = by_either(ray::<T>([1.0, 2.0, 3.0], [0.0, 0.0, -4.0]), flat(), Culling::None);
        let [t, u, v] = numbers([0.75, 0.25, 0.5]);
        assert_eq!(hit, Some(TriangleHit { t, u, v, side: Side::Front }));
        let hit = by_either(ray::<T>([1.0, 2.0, -3.0], [0.0, 0.0, 4.0]), flat(), Culling::None);
        assert_eq!(hit, Some(TriangleHit { t, u, v, side: Side::Back }));
    }

    fn line_parallel_to_the_plane_misses<T>() {
        for height in [1.0, 0.0, -0.0, -1.0] {
            for direction in [[1.0, 0.0, 0.0], [-1.0, 0.0, -0.0], [0.0, 1.0, 0.0], [1.0, -2.0, 0.0]] {
                for interval in [[0.0, f32::INFINITY], [f32::NEG_INFINITY, f32::INFINITY], [0.0, 1.0]] {
                    // At height 0 it runs in the plane, through the triangle or along its edge: 0 · ∞.
                    for y in [0.0, 1.0] {
                        let [t_min, t_max] = numbers(interval);
                        let ray = ray::<T>([1.0, y, height], direction).with_interval(t_min, t_max);
                        assert_eq!(by_either(ray, flat(), Culling::None), None, "{ray:?}");
                    }
                }
            }
        }
    }

    fn edges_and_vertices_belong_to_the_triangle<T>() {
        let at = [
            ([0.0, 0.0], [0.0, 0.0]), ([4.0, 0.0], [1.0, 0.0]), ([0.0, 4.0], [0.0, 1.0]),
            ([1.0, 0.0], [0.25, 0.0]), ([0.0, 3.0], [0.0, 0.75]), ([2.0, 2.0], [0.5, 0.5]),
            ([1.0, 3.0], [0.25, 0.75]),
        ];
        for ([x, y], weights) in at {
            for (slope_x, slope_y) in [(0.0, 0.0), (0.5, -0.25), (-1.0, 1.0)] {
                for down in [-1.0, 1.0] {
                    let start = [x - 2.0 * slope_x, y - 2.0 * slope_y, -2.0 * down];
                    let ray = ray::<T>(start, [slope_x, slope_y, down]);
                    let hit = by_either(ray, flat(), Culling::None).expect("on the border");
                    assert_eq!([hit.t, hit.u, hit.v], numbers([2.0, weights[0], weights[1]]), "{ray:?}");
                }
            }
        }
        for [x, y] in [[-0.125, 1.0], [1.0, -0.125], [2.125, 2.0], [-0.125, -0.125], [4.125, 0.0]] {
            assert_eq!(by_either(ray::<T>([x, y, 2.0], [0.0, 0.0, -1.0]), flat(), Culling::None), None);
        }
    }

    fn one_sided_test_misses_the_other_side<T>() {
        let (above, below) =
            (ray::<T>([1.0, 1.0, 2.0], [0.0, 0.0, -1.0]), ray::<T>([1.0, 1.0, -2.0], [0.0, 0.0, 1.0]));
        let side = |ray, culling| by_either(ray, flat(), culling).map(|hit| hit.side);
        assert_eq!(CULLINGS.map(|c| side(above, c)), [Some(Side::Front), Some(Side::Front), None]);
        assert_eq!(CULLINGS.map(|c| side(below, c)), [Some(Side::Back), None, Some(Side::Back)]);
        // A line comes from where t is least, whatever part of it counts.
        let behind = above.with_interval(T::NEG_INFINITY, T::ZERO);
        assert_eq!(CULLINGS.map(|c| side(behind, c)), [None; 3]);
        let line = Ray { origin: below.origin, ..above }.with_interval(T::NEG_INFINITY, T::ZERO);
        assert_eq!(CULLINGS.map(|c| side(line, c)), [Some(Side::Front), Some(Side::Front), None]);
    }

    fn triangle_without_area_is_never_met<T>() {
        let point = [1.0, 1.0, 0.0];
        for vertices in [
            [point; 3],
            [point, point, [2.0, 2.0, 0.0]],
            [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [2.0, 2.0, 0.0]],
            [[0.0, 0.0, 0.0], [3.0, 3.0, 0.0], [1.0, 1.0, 0.0]],
        ] {
            let triangle = Triangle::new(vertices.map(numbers::<T, 3>));
            for direction in [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]] {
                let ray = ray([1.0, 1.0, 0.0], direction).with_interval(T::NEG_INFINITY, T::INFINITY);
                assert_eq!(by_either(ray, triangle, Culling::None), None, "{vertices:?}");
            }
        }
    }

    fn segment_that_starts_or_ends_on_the_plane_meets_it<T>() {
        for [x, y, z] in [[1.0, 2.0, 3.0], [0.5, 0.25, -7.0], [1.0, 1.0, 0.125], [0.3, 0.7, 11.3]] {
            for slope in [0.0, 0.5] {
                let (on, off) = (numbers::<T, 3>([x, y, 0.0]), numbers([x + slope * z, y, z]));
                for hit in by_both(Ray::segment(off, on), flat(), Culling::None) {
                    assert_eq!(hit.map(|hit| hit.t), Some(T::ONE), "it ends at {on:?}");
                }
                for hit in by_both(Ray::segment(on, off), flat(), Culling::None) {
                    assert_eq!(hit.map(|hit| hit.t.to_f64().to_bits()), Some(0), "it starts at {on:?}");
                }
            }
        }
    }

    fn ends_of_the_interval_belong_to_it_and_nothing_beyond<T>() {
        for (ray, t) in [
            (ray::<T>([1.0, 1.0, 3.0], [0.0, 0.0, -2.0]), 1.5),
            (ray([1.0, 1.0, -3.0], [0.0, 0.0, -2.0]), -1.5),
            (ray([1.0, 1.0, -3.0], [0.0, 0.0, 2.0]), 1.5),
            (ray([1.0, 1.0, 3.0], [0.0, 0.0, 2.0]), -1.5),
        ] {
            let close = T::of(8.0) * T::UNIT_ROUNDOFF;
            let (t, before, after) = (T::of(t), T::of(t) - close, T::of(t) + close);
            for (interval, met) in [
                ([t, t], true),
                ([before, t], true),
                ([t, after], true),
                ([t, T::INFINITY], true),
                ([T::NEG_INFINITY, t], true),
                ([T::NEG_INFINITY, T::INFINITY], true),
                ([after, T::INFINITY], false),
                ([T::NEG_INFINITY, before], false),
                ([T::INFINITY, T::INFINITY], false),
                ([T::NEG_INFINITY, T::NEG_INFINITY], false),
            ] {
                let ray = ray.with_interval(interval[0], interval[1]);
                let hit = by_either(ray, flat(), Culling::None);
                assert_eq!(hit.map(|hit| hit.t), met.then_some(t), "{ray:?}");
            }
        }
    }

    /// A third is no number: what is told is within the interval all the same.
    fn t_is_told_within_the_interval_where_its_end_is_rounded<T>() {
        let third = T::ONE / T::of(3.0);
        for z in [1.0, 3.0, 5.0, 7.0, 11.0] {
            for turn in [1.0, -1.0] {
                let ray = ray::<T>([1.0, 1.0, turn * z], [0.0, 0.0, -turn * 3.0 * z]);
                for interval in [[third, T::INFINITY], [T::NEG_INFINITY, third], [third, third]] {
                    let ray = ray.with_interval(interval[0], interval[1]);
                    let [_, product] = by_both(ray, flat(), Culling::None);
                    if let Some(hit) = product {
                        assert!(interval[0] <= hit.t && hit.t <= interval[1], "{ray:?} {hit:?}");
                    }
                }
            }
        }
    }

    fn scale_by_powers_of_two_changes_no_weight<T>() {
        let doublings: &[i32] = if T::INFINITE_T.to_f64() > 1e300 {
            &[-300, -200, -30, 0, 30, 200, 299]
        } else {
            &[-35, -20, 0, 20, 38]
        };
        let power = |exponent: i32| {
            let factor = T::of(if exponent < 0 { 0.5 } else { 2.0 });
            (0..exponent.abs()).fold(T::ONE, |power, _| power * factor)
        };
        let ray = ray::<T>([0.3, 0.9, 1.7], [0.2, 0.1, -1.1]);
        let expected = by_both(ray, flat(), Culling::None).map(|hit| hit.expect("a hit"));
        for &space in doublings {
            let scaled = |v: [T; 3]| v.map(|x| x * power(space));
            let triangle = Triangle::new(flat::<T>().vertices.map(scaled));
            let ray = Ray::new(scaled(ray.origin), scaled(ray.direction));
            for (found, expected) in by_both(ray, triangle, Culling::None).into_iter().zip(expected) {
                assert_eq!(bits_of(found), bits_of(Some(expected)), "2^{space}");
            }
        }
    }

    fn far_end_of_an_overflow_is_no_hit<T>() {
        let huge = T::LARGEST_COORDINATE;
        let vertices = flat::<T>().vertices.map(|v| v.map(|x| x * huge * T::of(0.125)));
        let triangle = Triangle::new(vertices);
        let across = huge * T::of(0.125);
        let rays = [[across, across, huge], [across, across, huge * T::of(-1.0)]];
        for origin in rays {
            for size in [T::ONE / huge, T::ONE, huge] {
                let line = Ray::line(origin, [T::ZERO, T::ZERO, size]);
                // Whoever says that they meet says where.
                for hit in by_both(line, triangle, Culling::None).into_iter().flatten() {
                    assert!(hit.t.is_finite() && hit.u.is_finite() && hit.v.is_finite(), "{line:?} {hit:?}");
                    assert!((hit.t * size + origin[2]).abs() <= huge * T::of(8.0) * T::UNIT_ROUNDOFF, "{hit:?}");
                }
            }
        }
    }

    fn equal_values_have_equal_bits_also_at_zero<T>() {
        let minus_zero = T::of(-0.0);
        for z in [T::ZERO, minus_zero] {
            for down in [T::ONE, T::of(-1.0)] {
                for bound in [T::ZERO, minus_zero] {
                    let ray = Ray::new([T::ZERO, minus_zero, z], [minus_zero, T::ZERO, down])
                        .with_interval(bound, bound);
                    let hit = by_either(ray, flat(), Culling::None).expect("it starts at a vertex");
                    assert_eq!([hit.t, hit.u, hit.v].map(|x| x.to_f64().to_bits()), [0; 3], "{ray:?}");
                }
            }
        }
    }

    fn vertex_that_is_no_point_makes_a_miss<T>() {
        for bad in [T::INFINITY, T::NEG_INFINITY, T::ZERO * T::INFINITY] {
            for vertex in 0..3 {
                for axis in 0..3 {
                    let mut triangle = flat::<T>();
                    triangle.vertices[vertex][axis] = bad;
                    let ray = ray([1.0, 1.0, 2.0], [0.0, 0.0, -1.0]);
                    assert_eq!(by_either(ray, triangle, Culling::None), None, "{triangle:?}");
                }
            }
        }
    }

    fn defective_ray_is_reported<T>() {
        let defective = ray::<T>([0.0; 3], [0.0; 3]);
        let refused = |result: lanecast::Result<Option<TriangleHit<T>>>| {
            matches!(result, Err(Error::InvalidRay { status: Status::ZeroDirection }))
        };
        assert!(refused(flat().intersect(&defective)));
        assert!(refused(TripleProduct::TWO_SIDED.intersect(&flat(), &defective)));
        assert!(refused(TripleProduct::ONE_SIDED.intersect(&flat::<T>().with_normal(), &defective)));
    }
}

type Corners = [[f32; 3]; 3];

fn any_corners() -> impl Strategy<Value = Corners> {
    let corner = || triple(coordinate().boxed());
    prop_oneof![
        [corner(), corner(), corner()],
        ([corner(), corner(), corner()], prop_oneof![Just(1.0_f32), Just(1e-3), Just(1e-6)]).prop_map(
            |([a, b, c], size)| {
                let beside = |p: [f32; 3]| std::array::from_fn(|axis| a[axis] + size * p[axis]);
                [a, beside(b), beside(c)]
            }
        ),
    ]
    .prop_filter("within the bound", |corners| corners.iter().flatten().all(|x| x.abs() <= 1e30))
}

fn any_culling() -> impl Strategy<Value = Culling> {
    prop_oneof![Just(Culling::None), Just(Culling::Back), Just(Culling::Front)]
}

/// The same rays and triangles as numbers of `f64` that have more bits than `f32` holds.
fn finer(x: f32) -> f64 {
    f64::from(x) * (1.0 + 2_f64.powi(-30) / 3.0)
}

fn finer_ray(ray: &Ray) -> Ray<f64> {
    let [origin, direction] = [ray.origin, ray.direction].map(|v| v.map(finer));
    Ray { origin, direction, t_min: f64::from(ray.t_min), t_max: f64::from(ray.t_max) }
}

/// Holds the watertight test in `f64` against exact arithmetic on the sheared coordinates.
fn check_watertight(ray: &Ray<f64>, triangle: &Triangle<f64>) {
    let truth = sheared_meeting(ray, triangle);
    let line = Ray { t_min: f64::NEG_INFINITY, t_max: f64::INFINITY, ..*ray };
    let hit = Watertight::TWO_SIDED.intersect(triangle, &line).expect("a sound ray");
    let context = || format!("{ray:?} {triangle:?}\n{hit:?}\n{truth:?}");
    assert_eq!(hit.is_some(), truth.is_some(), "{}", context());
    let (Some(hit), Some(truth)) = (hit, &truth) else { return };
    assert_eq!(hit.side, if truth.front { Side::Front } else { Side::Back }, "{}", context());
    for culling in CULLINGS {
        let counts = match culling {
            Culling::None => true,
            Culling::Back => truth.front,
            Culling::Front => !truth.front,
        };
        let one_sided = Watertight { culling }.intersect(triangle, &line).expect("a sound ray");
        assert_eq!(bits_of(one_sided), bits_of(counts.then_some(hit)), "{}", context());
    }
    // Half a unit in the last place, be it of a subnormal number, and what comes before rounding.
    let rounding = |x: f64| {
        fraction((x.next_up() - x).max(x - x.next_down()) * 0.5)
            + fraction(f64::MIN_POSITIVE * f64::EPSILON * 0.5)
    };
    let reach = &truth.reach * fraction(2_f64.powi(-100));
    for (found, exact, before) in [
        (hit.t, &truth.t, reach),
        (hit.u, &truth.u, &truth.u * fraction(2_f64.powi(-100))),
        (hit.v, &truth.v, &truth.v * fraction(2_f64.powi(-100))),
    ] {
        let off = magnitude(&(fraction(found) - exact));
        assert!(off <= rounding(found) + before, "{}", context());
    }
    let inside = ray.t_min <= hit.t && hit.t <= ray.t_max;
    let within = Watertight::TWO_SIDED.intersect(triangle, ray).expect("a sound ray");
    assert_eq!(bits_of(within), bits_of(inside.then_some(hit)), "{}", context());
}

/// Holds the triple products against exact arithmetic wherever their bounds leave no doubt, and says
/// whether they did.
fn check_product<T: Scalar>(ray: &Ray<T>, triangle: &Triangle<T>) -> bool {
    let exact = passage(ray, triangle);
    let hit = TripleProduct::TWO_SIDED.intersect(triangle, ray).expect("a sound ray");
    let context = || format!("{ray:?} {triangle:?}\n{hit:?}\n{exact:?}");
    let zero = fraction(T::ZERO);
    let [edge, direction, reach] = &exact.sizes;
    let roundoff = fraction(T::UNIT_ROUNDOFF);
    let d_off = fraction(45.0) * &roundoff * direction * edge * edge;
    let t_off = fraction(51.0) * &roundoff * reach * edge * edge;
    let weight_off = fraction(45.0) * &roundoff * direction * edge * reach;
    let d = magnitude(&exact.d);
    if d <= &d_off + &d_off {
        return false;
    }
    let turn = if exact.d < zero { fraction(T::of(-1.0)) } else { fraction(T::ONE) };
    let [wa, wb, wc] = exact.weights_d.each_ref().map(|w| w * &turn);
    let t_d = &exact.t_d * &turn;
    // How far inside all bounds are, or how far outside the worst.
    let mut clear = true;
    let mut inside = true;
    let mut compare = |value: Fraction, off: &Fraction| {
        clear &= magnitude(&value) > *off;
        inside &= value >= zero;
    };
    compare(wb.clone(), &weight_off);
    compare(wc.clone(), &weight_off);
    compare(wa, &(&weight_off + &weight_off + &d_off));
    for (end, sign) in [(ray.t_min, T::ONE), (ray.t_max, T::of(-1.0))] {
        if end.is_finite() {
            let end = fraction(end);
            let off = &t_off + magnitude(&end) * (&d_off + &d * &roundoff);
            compare((&t_d - &end * &d) * fraction(sign), &off);
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
            let off = (off + magnitude(&value) * &d_off) / (&d - &d_off)
                + magnitude(&value) * &roundoff * fraction(4.0)
                + fraction(T::MIN_POSITIVE);
            assert!(magnitude(&(fraction(found) - value)) <= off, "{}", context());
        }
        assert_eq!(hit.side == Side::Front, exact.d > zero, "{}", context());
    }
    if clear {
        assert_eq!(hit.is_some(), inside, "{}", context());
    }
    clear
}

proptest! {
    #![proptest_config(cases(CASES))]

    #[test]
    fn watertight_test_of_f32_has_the_bits_of_the_tree(
        ray in any_ray(),
        corners in prop::collection::vec(any_corners(), 1..=8),
        culling in any_culling(),
    ) {
        let numbered: Vec<_> = corners.iter().copied().zip(0..).collect();
        let triangles: Vec<_> = corners.iter().map(|&corners| Triangle::new(corners)).collect();
        let expected =
            TriangleBlock::new(&numbered).intersect(lanecast::Backend::PORTABLE, &ray, culling).expect("sound");
        let found: Vec<_> = triangles
            .iter()
            .map(|triangle| Watertight { culling }.intersect(triangle, &ray).expect("sound"))
            .collect();
        for (lane, hit) in found.into_iter().enumerate() {
            let tree = (expected.mask >> lane & 1 == 1)
                .then(|| [expected.t[lane], expected.u[lane], expected.v[lane]].map(f32::to_bits));
            let found = hit.map(|hit| [hit.t, hit.u, hit.v].map(f32::to_bits));
            prop_assert_eq!(found, tree, "lane {}", lane);
        }
    }

    #[test]
    fn watertight_test_of_f64_is_exact_on_the_sheared_triangle(ray in any_ray(), corners in any_corners()) {
        let plain = Ray {
            origin: ray.origin.map(f64::from), direction: ray.direction.map(f64::from),
            t_min: f64::from(ray.t_min), t_max: f64::from(ray.t_max),
        };
        check_watertight(&plain, &Triangle::new(corners.map(|v| v.map(f64::from))));
        check_watertight(&finer_ray(&ray), &Triangle::new(corners.map(|v| v.map(finer))));
    }

    /// Aimed at the inside, at edges and at vertices, as well as `f64` can.
    #[test]
    fn watertight_test_of_f64_is_exact_where_it_is_aimed(
        corners in any_corners(),
        origin in triple(coordinate().boxed()),
        weights in prop_oneof![
            Just([0.0, 0.0]), Just([1.0, 0.0]), Just([0.0, 1.0]), Just([0.5, 0.0]), Just([0.25, 0.75]),
            [0.0..0.5, 0.0..0.5],
        ],
    ) {
        let [a, b, c] = corners.map(|v| v.map(finer));
        let [u, v] = weights;
        let target: [f64; 3] = std::array::from_fn(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]);
        let ray = Ray::segment(origin.map(finer), target);
        if ray.defect().is_none() {
            check_watertight(&ray, &Triangle::new([a, b, c]));
            check_watertight(&ray.with_interval(0.0, f64::INFINITY), &Triangle::new([a, b, c]));
        }
    }
}

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

    #[test]
    fn triple_products_keep_their_bounds(
        corners in [triple((-4.0_f32..4.0).boxed()), triple((-4.0_f32..4.0).boxed()), triple((-4.0_f32..4.0).boxed())],
        size in prop_oneof![Just(1.0_f32), Just(1e-3), Just(1e3)],
        origin in triple((-8.0_f32..8.0).boxed()),
        weights in [-0.2_f32..1.2, -0.2_f32..1.2],
        speed in prop_oneof![Just(1.0_f32), Just(0.01), Just(0.3), Just(50.0)],
        interval in common::rays::interval(),
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
        clear[1] +=
            usize::from(check_product(&finer_ray(&ray), &Triangle::new(corners.map(|v| v.map(finer)))));
    }
    assert!(clear[0] > 950 && clear[1] > 990, "seed 1: {clear:?} of 1000");
}

in_both_precisions! {
    fn both_tests_agree_away_from_borders<T>() {
        let (mut random, mut hits) = (Random::new(2), 0);
        // d above a thousandth, coordinates up to 8: see the bounds of `TripleProduct`.
        let tolerance = T::UNIT_ROUNDOFF.to_f64() * 1e6;
        for _ in 0..FEWER_CASES {
            let mut point = |size: f32| random.point(-size, size).map(T::of);
            let triangle = Triangle::new([point(1.0), point(1.0), point(1.0)]);
            let ray = Ray::segment(point(4.0), point(1.0)).with_interval(T::ZERO, T::INFINITY);
            let truth = passage(&ray, &triangle);
            let limit = fraction(1e-3);
            // Neither thin nor edge-on, neither at the border nor at the origin.
            let clear = truth.weights_d.iter().chain([&truth.t_d, &truth.d]).all(|x| magnitude(x) > limit);
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
        assert!(hits > FEWER_CASES / 20, "seed 2: only {hits} hits in {FEWER_CASES}");
    }
}

#[test]
fn watertight_test_of_f64_is_exact_at_every_scale() {
    let mut random = Random::new(5);
    for exponent in [-900, -520, -300, 0, 100, 290] {
        let scaled = |v: [f32; 3]| v.map(|x| finer(x) * 2_f64.powi(exponent));
        for _ in 0..FEWER_CASES / 5 {
            let mut point = || scaled(random.point(-2.0, 2.0));
            let ([a, b, c], origin) = ([point(), point(), point()], point());
            let anywhere = f64::from(random.unit());
            let along = random.pick(&[0.0, 1.0, 0.5, anywhere]);
            // To an edge or a vertex, where the least error shows.
            let way: [f64; 3] =
                std::array::from_fn(|axis| a[axis] + along * (b[axis] - a[axis]) - origin[axis]);
            let direction = way.map(|x| x * 2_f64.powi(-exponent));
            check_watertight(&Ray::new(origin, direction), &Triangle::new([a, b, c]));
        }
    }
}

/// A closed sphere of unit radius in `f64`, with all bits in use.
fn sphere(center: [f64; 3]) -> Vec<Triangle<f64>> {
    let mesh = meshes::icosphere(3, 1.0);
    assert!(mesh.is_closed(), "this test is about closed meshes");
    let on_sphere = |vertex: [f32; 3]| {
        let vertex = vertex.map(f64::from);
        let length = vertex.iter().map(|x| x * x).sum::<f64>().sqrt();
        std::array::from_fn(|axis| center[axis] + vertex[axis] / length)
    };
    (0..mesh.triangles.len()).map(|i| Triangle::new(mesh.corners(i).map(on_sphere))).collect()
}

#[test]
fn shared_edge_or_vertex_of_a_closed_mesh_in_f64_is_never_missed() {
    const RAYS: usize = if cfg!(debug_assertions) { 300 } else { 120_000 };
    for center in [[0.0; 3], [6.4e6, -6.4e6, 6.4e6]] {
        let triangles = sphere(center);
        let mut random = Random::new(3);
        let mut unit = || (random.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        let rays: Vec<Ray<f64>> = (0..RAYS)
            .map(|number| {
                let origin: [f64; 3] = std::array::from_fn(|axis| center[axis] + 1.1 * (unit() - 0.5));
                let [a, b, _] = triangles[(unit() * triangles.len() as f64) as usize].vertices;
                let along = if number % 3 == 0 { 0.0 } else { unit() };
                let target: [f64; 3] = std::array::from_fn(|axis| a[axis] + along * (b[axis] - a[axis]));
                Ray::new(origin, std::array::from_fn(|axis| target[axis] - origin[axis]))
            })
            .collect();
        let batch = TriangleBatch::from_slice(&triangles).expect("no rules");
        let mut first: Option<Closest<f64>> = None;
        for backend in every_backend() {
            let mut closest = Closest::new();
            let bulk = Bulk::new(Watertight::TWO_SIDED).backend(backend);
            let defects = bulk.closest(&RayBatch::from_rays(&rays), &batch, &mut closest).expect("few");
            assert_eq!(defects.count, 0, "{center:?}");
            let lost = closest.t.iter().position(|t| (t - 1.0).abs() > 1e-6);
            assert_eq!(lost.map(|lost| (rays[lost], closest.t[lost])), None, "{backend}, seed 3, {center:?}");
            assert!(*first.get_or_insert_with(|| closest.clone()) == closest, "{backend} differs");
        }
    }
}

//! Where the answer is worked out by hand: borders, intervals, sides, and the ends of the numbers.

use crate::triangle_tests::answers::{bits_of, by_both, by_either};
use crate::triangle_tests::{CULLINGS, in_both_precisions};
use lanecast::primitive::{Side, Test, Triangle, TriangleHit, TripleProduct, Watertight};
use lanecast::{Culling, Error, Ray, Scalar, Status};

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
                    // At height 0 it runs in the plane, through the triangle or along its edge: 0 ·
                    // ∞.
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
        assert!(refused(Watertight::TWO_SIDED.intersect(&flat(), &defective)));
        assert!(refused(TripleProduct::TWO_SIDED.intersect(&flat(), &defective)));
        assert!(refused(TripleProduct::ONE_SIDED.intersect(&flat::<T>().with_normal(), &defective)));
    }
}

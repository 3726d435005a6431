//! Hazards of oriented boxes and of triangles, by name.

use lanecast::Ray;
use lanecast::primitive::{
    Culling, EnteredFace, Face, Obb, SeparatingAxes, Side, Slab, Triangle, TriangleHit, TripleProduct,
    Watertight,
};

use crate::catalogue::ask::{ask, in_both_precisions};
use crate::common::scale::scaled;
use lanecast_reference::kernel::number::Number;
use lanecast_reference::random::Random;

fn ray<T: Number>(origin: [f32; 3], direction: [f32; 3]) -> Ray<T> {
    Ray::new(origin.map(T::of), direction.map(T::of))
}

fn segment<T: Number>(start: [f32; 3], end: [f32; 3]) -> Ray<T> {
    Ray::segment(start.map(T::of), end.map(T::of))
}

/// Half extents 1, 2, 3 around the origin, along the axes of space.
fn upright<T: Number>() -> Obb<T> {
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(|axis| axis.map(T::of));
    Obb::new([T::ZERO; 3], axes, [1.0, 2.0, 3.0].map(T::of)).expect("orthonormal")
}

/// The unit cube turned by an eighth about z: its edges along z stand at a distance of √2.
fn turned<T: Number>() -> Obb<T> {
    let root = T::of_f64(std::f64::consts::FRAC_1_SQRT_2);
    let axes = [[root, root, T::ZERO], [T::ZERO - root, root, T::ZERO], [T::ZERO, T::ZERO, T::ONE]];
    Obb::new([T::ZERO; 3], axes, [T::ONE; 3]).expect("orthonormal")
}

/// Whether a line meets an oriented box, by all three tests.
fn meets<T: Number>(obb: Obb<T>, ray: Ray<T>) -> bool {
    let by_slabs = ask(Slab, obb, ray).is_some();
    assert_eq!(ask(EnteredFace, obb, ray).is_some(), by_slabs, "{ray:?}");
    assert_eq!(ask(SeparatingAxes, obb, ray).is_some(), by_slabs, "{ray:?}");
    by_slabs
}

in_both_precisions! {
    fn a_cross_axis_of_length_zero_separates_nothing<T>() {
        // A direction along an axis of the box: one cross product is zero, or rounding noise.
        for obb in [upright::<T>(), turned()] {
            for axis in obb.axes {
                for length in [1.0, -1.0, 1e-6, 1e6] {
                    let direction = axis.map(|x| x * T::of(length));
                    assert!(meets(obb, Ray::line([T::ZERO; 3], direction)), "{obb:?} along {axis:?}");
                    assert!(meets(obb, Ray::new([T::of(0.25); 3], direction)), "{obb:?} along {axis:?}");
                    let start = axis.map(|x| x * T::of(-10.0));
                    assert!(meets(obb, Ray::segment(start, axis.map(|x| x * T::of(10.0)))), "{obb:?}, {axis:?}");
                    assert!(!meets(obb, Ray::segment(start, axis.map(|x| x * T::of(-4.0)))), "{obb:?}, {axis:?}");
                }
            }
        }
    }

    fn a_line_in_a_face_or_along_an_edge_of_an_oriented_box_meets_it<T>() {
        for zero in [0.0, -0.0] {
            for sign in [1.0, -1.0] {
                assert!(meets(upright::<T>(), ray([sign, 0.5, -9.0], [zero, zero, 1.0])));
                assert!(meets(upright::<T>(), ray([sign, 2.0, 9.0], [zero, zero, -1.0])));
                assert!(meets(upright::<T>(), ray([sign, -2.0 - 1.0, 3.0], [zero, 1.0, zero])));
                assert!(!meets(upright::<T>(), ray([sign * 1.001, 0.5, -9.0], [zero, zero, 1.0])));
                // Through a corner, touching it and nothing else.
                assert!(meets(upright::<T>(), segment([sign, 3.0, 4.0], [sign, 1.0, 2.0])));
                assert!(meets(upright::<T>(), ray([2.0 * sign, 1.0, 3.0], [-sign, 1.0, zero])));
            }
        }
        // Edges of the turned cube pass through (±√2, 0) and (0, ±√2).
        let edge = std::f32::consts::SQRT_2;
        assert!(meets(turned::<T>(), ray([edge - 0.001, -9.0, 0.0], [0.0, 1.0, 0.0])));
        assert!(!meets(turned::<T>(), ray([edge + 0.001, -9.0, 0.0], [0.0, 1.0, 0.0])));
        assert!(!meets(turned::<T>(), ray([-edge - 0.001, -9.0, 0.0], [0.0, 1.0, 0.0])));
    }

    fn an_oriented_box_behind_the_origin_is_not_met<T>() {
        for obb in [upright::<T>(), turned()] {
            for sign in [1.0, -1.0] {
                for axis in 0..3 {
                    let mut origin = [0.25, 0.125, 0.0];
                    let mut direction = [0.0; 3];
                    (origin[axis], direction[axis]) = (5.0 * sign, sign);
                    assert!(!meets(obb, ray(origin, direction)), "{origin:?}");
                    assert!(meets(obb, Ray::line(origin.map(T::of), direction.map(T::of))), "{origin:?}");
                    assert!(meets(obb, ray(origin, direction.map(|x| -x))), "{origin:?}");
                }
            }
        }
    }

    fn the_normal_of_an_oriented_box_is_in_the_space_of_the_ray<T>() {
        let hit = ask(EnteredFace, turned::<T>(), ray([-5.0, -4.5, 0.0], [1.0, 1.0, 0.0])).expect("ahead");
        assert_eq!(hit.face, Some(Face { axis: 0, at_max: false }));
        assert_eq!(hit.normal, turned::<T>().axes[0].map(|x| T::ZERO - x));
        let inside = ask(EnteredFace, turned::<T>(), ray([0.0; 3], [1.0, 1.0, 0.0])).expect("around it");
        assert_eq!((inside.t_enter, inside.face, inside.normal), (T::ZERO, None, [T::ZERO; 3]));
    }

    fn a_segment_inside_an_oriented_box_answers_its_own_interval<T>() {
        for obb in [upright::<T>(), turned()] {
            let hit = ask(EnteredFace, obb, segment([-0.5, 0.25, 0.5], [0.5, 0.0, -0.5])).expect("inside");
            assert_eq!((hit.t_enter, hit.t_exit, hit.face), (T::ZERO, T::ONE, None));
            assert!(meets(obb, segment([-0.5, 0.25, 0.5], [0.5, 0.0, -0.5])));
        }
    }
}

/// The answer of both tests of a triangle, one of which also with the normal precomputed.
fn through<T: Number>(triangle: Triangle<T>, ray: Ray<T>, culling: Culling) -> [Option<TriangleHit<T>>; 2] {
    let classic = ask(TripleProduct { culling }, triangle, ray);
    assert_eq!(ask(TripleProduct { culling }, triangle.with_normal(), ray), classic, "{ray:?}");
    [classic, ask(Watertight { culling }, triangle, ray)]
}

/// Legs of 4 along x and y; its front looks along z.
fn triangle<T: Number>() -> Triangle<T> {
    Triangle::new([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]].map(|vertex| vertex.map(T::of)))
}

in_both_precisions! {
    fn a_triangle_is_met_from_the_sides_that_count<T>() {
        for (z, side) in [(2.0, Side::Front), (-2.0, Side::Back)] {
            for (culling, counts) in [
                (Culling::None, true),
                (Culling::Back, side == Side::Front),
                (Culling::Front, side == Side::Back),
            ] {
                let down = ray::<T>([1.0, 2.0, z], [0.0, -0.0, -z]);
                let expected = counts.then(|| TriangleHit { t: T::ONE, u: T::of(0.25), v: T::of(0.5), side });
                assert_eq!(through(triangle(), down, culling), [expected; 2], "{side:?} {culling:?}");
            }
        }
    }

    fn a_line_parallel_to_a_triangle_misses_it<T>() {
        for z in [0.0, -0.0, 1.0] {
            for direction in [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [1.0, 1.0, -0.0], [-2.0, 1.0, 0.0]] {
                let along = Ray::line([1.0, 1.0, z].map(T::of), direction.map(T::of));
                assert_eq!(through(triangle(), along, Culling::None), [None; 2], "{along:?}");
            }
        }
    }

    fn edges_and_vertices_belong_to_a_triangle<T>() {
        for (x, y, u, v) in [
            (0.0, 0.0, 0.0, 0.0),
            (4.0, 0.0, 1.0, 0.0),
            (0.0, 4.0, 0.0, 1.0),
            (2.0, 0.0, 0.5, 0.0),
            (0.0, 1.0, 0.0, 0.25),
            (3.0, 1.0, 0.75, 0.25),
        ] {
            for z in [2.0, -2.0] {
                for hit in through(triangle::<T>(), ray([x, y, z], [0.0, 0.0, -z]), Culling::None) {
                    let hit = hit.unwrap_or_else(|| panic!("missed at {x}, {y} from {z}"));
                    assert_eq!((hit.t, hit.u, hit.v), (T::ONE, T::of(u), T::of(v)));
                }
            }
        }
        for (x, y) in [(-0.001, 1.0), (1.0, -0.001), (2.001, 2.0), (4.001, 0.0), (-1.0, -1.0), (5.0, 5.0)] {
            for z in [2.0, -2.0] {
                assert_eq!(through(triangle::<T>(), ray([x, y, z], [0.0, 0.0, -z]), Culling::None), [None; 2]);
            }
        }
    }

    fn the_interval_of_a_triangle_test_is_closed_at_both_ends<T>() {
        let down = ray::<T>([1.0, 1.0, 3.0], [0.0, 0.0, -1.0]);
        for ([t_min, t_max], met) in [
            ([0.0, 3.0], true),
            ([3.0, 9.0], true),
            ([3.0, 3.0], true),
            ([0.0, 2.75], false),
            ([3.25, 9.0], false),
            ([-9.0, -3.0], false),
        ] {
            let hits = through(triangle(), down.with_interval(T::of(t_min), T::of(t_max)), Culling::None);
            assert_eq!(hits.map(|hit| hit.map(|hit| hit.t)), [met.then(|| T::of(3.0)); 2], "{t_min} to {t_max}");
        }
        // Behind the origin: a line meets it, a ray does not.
        let up = ray::<T>([1.0, 1.0, 3.0], [0.0, 0.0, 1.0]);
        assert_eq!(through(triangle(), up, Culling::None), [None; 2]);
        let whole = through(triangle(), Ray::line(up.origin, up.direction), Culling::None);
        assert_eq!(whole.map(|hit| hit.map(|hit| (hit.t, hit.side))), [Some((T::of(-3.0), Side::Back)); 2]);
        // From the surface: at t = 0, of either sign.
        let off = ray::<T>([1.0, 1.0, 0.0], [0.0, 0.5, -1.0]);
        assert_eq!(through(triangle(), off, Culling::None).map(|hit| hit.map(|hit| hit.t)), [Some(T::ZERO); 2]);
    }

    fn a_triangle_without_area_is_not_met<T>() {
        let line = [[0.0, 0.0, 0.0], [2.0, 2.0, 0.0], [4.0, 4.0, 0.0]];
        let point = [[1.0, 1.0, 0.0]; 3];
        for vertices in [line, point] {
            let flat = Triangle::new(vertices.map(|vertex| vertex.map(T::of)));
            let down = ray([1.0, 1.0, 2.0], [0.0, 0.0, -1.0]);
            assert_eq!(through(flat, down, Culling::None), [None; 2], "{vertices:?}");
        }
    }

    fn a_ray_through_a_shared_edge_meets_one_of_its_triangles<T>() {
        let mut random = Random::new(11);
        for _ in 0..scaled(100) {
            let [a, b, c, d] = std::array::from_fn(|_| random.point(-1.0, 1.0));
            let s = random.unit();
            let target: [f32; 3] = std::array::from_fn(|axis| a[axis] + s * (b[axis] - a[axis]));
            let origin = random.point(-8.0, 8.0);
            let aimed = ray::<T>(origin, std::array::from_fn(|axis| target[axis] - origin[axis]));
            let of = |vertices: [[f32; 3]; 3]| Triangle::new(vertices.map(|vertex| vertex.map(T::of)));
            let (left, right) = (of([a, b, c]), of([b, a, d]));
            let met = [left, right].map(|one| ask(Watertight::TWO_SIDED, one, aimed).is_some());
            // Across the line the two lie on either side of the edge, or the line may pass both by.
            let side = |apex: [f32; 3]| {
                let [p, q, r, o] = [a, b, apex, origin].map(|point| point.map(f64::from));
                let minus = |v: [f64; 3]| -> [f64; 3] { std::array::from_fn(|axis| v[axis] - o[axis]) };
                let [p, q, r] = [minus(p), minus(q), minus(r)];
                p[0] * (q[1] * r[2] - q[2] * r[1]) + p[1] * (q[2] * r[0] - q[0] * r[2]) + p[2] * (q[0] * r[1] - q[1] * r[0])
            };
            let clear = side(c).abs() > 1e-2 && side(d).abs() > 1e-2;
            if clear && side(c).signum() != side(d).signum() && (0.05..0.95).contains(&s) {
                assert!(met[0] || met[1], "{aimed:?} slips between {left:?} and {right:?}");
            }
        }
    }
}

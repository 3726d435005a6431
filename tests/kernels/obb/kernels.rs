//! Lines, rays and segments against oriented boxes, by hand, and held against the reference that
//! `catalogue` has.

use crate::catalogue::ask::ask;
use crate::obb::boxes::{
    IDENTITY, LINE, Precision, RAY, SEGMENT, TURNED_TWICE, obb, of, ray, short,
};
use crate::obb::in_both_precisions;
use lanecast::Ray;
use lanecast::primitive::{EnteredFace, Face, Obb, ObbHit, SeparatingAxes, Slab, Test as Kernel};

/// What the tests answer, each held against the reference.
fn check<T: Precision>(obb: &Obb<T>, ray: &Ray<T>) -> (Option<ObbHit<T>>, bool) {
    let (slab, entered) = (ask(Slab, *obb, *ray), ask(EnteredFace, *obb, *ray));
    let ends = entered.map(|hit| [hit.t_enter, hit.t_exit]);
    assert_eq!(
        slab.map(|hit| [hit.t_enter, hit.t_exit]),
        ends,
        "with and without the face: {obb:?} {ray:?}"
    );
    (entered, ask(SeparatingAxes, *obb, *ray).is_some())
}

/// Whether the ray meets the box, on which all tests must agree.
fn meets<T: Precision>(obb: &Obb<T>, ray: &Ray<T>) -> bool {
    let (hit, separating) = check(obb, ray);
    assert_eq!(hit.is_some(), separating, "the tests disagree on {obb:?} {ray:?}");
    separating
}

/// A box that is turned twice and has `corner` for its corner, exactly.
fn with_corner<T: Precision>(center: [f64; 3], corner: [f64; 3]) -> Obb<T> {
    let axes: [[T; 3]; 3] = short(TURNED_TWICE);
    let half_extents = axes.map(|axis| {
        let along = (0..3).map(|i| axis[i].to_f64() * (corner[i] - center[i])).sum::<f64>().abs();
        assert_eq!(T::of_f64(along).to_f64(), along, "not exact");
        T::of_f64(along)
    });
    Obb::new(of(center), axes, half_extents).expect("a sound box")
}

/// Small whole numbers that lie all around.
const CORNERS: [[f64; 3]; 5] =
    [[1.0, 2.0, 3.0], [-3.0, 2.0, 1.0], [2.0, -5.0, -1.0], [0.0, 0.0, 4.0], [-1.0, -1.0, -2.0]];

in_both_precisions! {
    fn ray_through_a_corner_meets_the_box<T>() {
        for corner in CORNERS {
            let obb = with_corner::<T>([1.0, -1.0, 0.0], corner);
            for direction in [[1.0, 0.0, 0.0], [0.0, 0.0, -2.0], [3.0, -1.0, 2.0], [-1.0, 4.0, 1.0]] {
                let from = |steps: f64| std::array::from_fn(|i| corner[i] - steps * direction[i]);
                for steps in [-7.0, 0.0, 1.0, 30.0] {
                    assert!(meets(&obb, &ray(from(steps), direction, LINE)), "{obb:?} {direction:?}");
                    assert!(steps < 0.0 || meets(&obb, &ray(from(steps), direction, RAY)));
                    // Ends, starts, and is a point on the corner.
                    assert!(meets(&obb, &ray(from(steps), direction, [f64::NEG_INFINITY, steps])));
                    assert!(meets(&obb, &ray(from(steps), direction, [steps, f64::INFINITY])));
                    assert!(meets(&obb, &ray(from(steps), direction, [steps, steps])));
                }
            }
        }
    }

    fn line_that_touches_only_a_corner_meets_the_box<T>() {
        let corner = [1.0, 2.0, 3.0];
        let obb = with_corner::<T>([0.0; 3], corner);
        // Square to the sum of the outward axes at that corner, and not along any.
        let outwards = obb.axes.map(|axis| {
            let along: f64 = (0..3).map(|i| axis[i].to_f64() * corner[i]).sum();
            axis.map(|x| x.to_f64().copysign(x.to_f64() * along))
        });
        for (first, second, third) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
            let along: [f64; 3] =
                std::array::from_fn(|i| outwards[first][i] - 0.5 * (outwards[second][i] + outwards[third][i]));
            assert!(meets(&obb, &ray(corner, along, LINE)), "{along:?}");
        }
    }

    fn ray_along_an_edge_meets_the_box<T>() {
        for corner in CORNERS {
            let obb = with_corner::<T>([0.0, 1.0, -1.0], corner);
            for axis in obb.axes {
                for sign in [1.0, -1.0] {
                    let along = axis.map(|x| sign * x.to_f64());
                    assert!(meets(&obb, &ray(corner, along, LINE)));
                    assert!(meets(&obb, &ray(corner, along, RAY)));
                    let behind = std::array::from_fn(|i| corner[i] - 64.0 * along[i]);
                    check(&obb, &ray(behind, along, RAY));
                }
            }
        }
    }

    fn ray_in_a_face_meets_the_box<T>() {
        let corner = [2.0, -5.0, -1.0];
        let obb = with_corner::<T>([0.0; 3], corner);
        for (u, v) in [(0, 1), (1, 2), (2, 0)] {
            // From the corner across the face, towards its middle.
            let towards = |axis: usize| {
                let along: f64 = (0..3).map(|i| obb.axes[axis][i].to_f64() * corner[i]).sum();
                obb.axes[axis].map(|x| -x.to_f64() * along.signum())
            };
            let (a, b) = (towards(u), towards(v));
            let across = std::array::from_fn(|i| a[i] + 0.25 * b[i]);
            assert!(meets(&obb, &ray(corner, across, LINE)), "{across:?}");
            assert!(meets(&obb, &ray(corner, across, RAY)), "{across:?}");
        }
    }

    fn origin_inside_is_reported_as_inside<T>() {
        let obb = obb::<T>([1.0, 2.0, 3.0], TURNED_TWICE, [2.0, 3.0, 4.0]);
        for direction in [[1.0, 0.0, 0.0], [0.0, -0.0, -1.0], [1.0, 2.0, -3.0]] {
            let inside = ray([1.5, 2.5, 2.5], direction, RAY);
            assert!(meets(&obb, &inside));
            let hit = EnteredFace.intersect(&obb, &inside).expect("sound").expect("inside");
            assert_eq!((hit.t_enter, hit.face, hit.normal), (T::ZERO, None, [T::ZERO; 3]));
        }
        let whole = ray([1.5, 2.5, 2.5], [-0.5, 0.25, 0.5], SEGMENT);
        let hit = EnteredFace.intersect(&obb, &whole).expect("sound").expect("inside");
        assert_eq!((hit.t_enter, hit.t_exit), (T::ZERO, T::ONE));
    }

    fn box_behind_the_origin_is_not_hit<T>() {
        let obb = obb::<T>([0.0; 3], TURNED_TWICE, [1.0, 2.0, 0.5]);
        for direction in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0], [3.0, 1.0, -2.0]] {
            let origin = direction.map(|x| 10.0 * x);
            assert!(!meets(&obb, &ray(origin, direction, RAY)));
            assert!(meets(&obb, &ray(origin, direction, LINE)));
            assert!(meets(&obb, &ray(origin, direction.map(|x| -x), RAY)));
            assert!(!meets(&obb, &ray(origin, direction.map(|x| -x), SEGMENT)), "ends before the box");
            assert!(!meets(&obb, &ray(origin, direction, [f64::NEG_INFINITY, -1e3])), "starts behind it");
        }
    }

    /// Where a component of the local direction should be zero it is zero or rounding noise of
    /// either sign.
    fn parallel_ray_is_inside_or_outside_its_slab<T>() {
        for axes in [IDENTITY, TURNED_TWICE] {
            let obb = obb::<T>([0.0; 3], axes, [1.0; 3]);
            for axis in 0..3 {
                let (along, aside) = (axes[axis], axes[(axis + 1) % 3]);
                for sign in [1.0, -1.0] {
                    for (beside, expected) in [(0.0, true), (0.999, true), (-0.999, true), (1.001, false)] {
                        let origin = std::array::from_fn(|i| sign * (beside * aside[i] - 5.0 * along[i]));
                        let towards = along.map(|x| sign * x);
                        assert_eq!(meets(&obb, &ray(origin, towards, RAY)), expected, "{beside} {axis}");
                        assert_eq!(meets(&obb, &ray(origin, towards, LINE)), expected, "{beside} {axis}");
                        assert_eq!(meets(&obb, &ray(origin, towards, [4.0, 8.0])), expected, "{beside}");
                    }
                }
            }
        }
    }

    /// The classical trap of separating axes: the direction is an axis of the box, so that its
    /// cross product with that axis is zero, or noise that points anywhere.
    fn cross_axis_of_zero_length_separates_nothing<T>() {
        for axes in [IDENTITY, TURNED_TWICE] {
            for noise in [0.0, 1e-8, -1e-8, 1e-16, 1e-38, -1e-42] {
                let obb = obb::<T>([3.0, -2.0, 1.0], axes, [1.0, 2.0, 3.0]);
                for axis in axes {
                    let direction = std::array::from_fn(|i| axis[i] + noise * [1.0, -2.0, 3.0][i]);
                    let origin = std::array::from_fn(|i| [3.5, -1.5, 1.5][i] - 9.0 * direction[i]);
                    for interval in [LINE, RAY, [0.0, 9.0]] {
                        assert!(meets(&obb, &ray(origin, direction, interval)), "{direction:?} {interval:?}");
                    }
                }
            }
        }
    }

    fn flat_box_is_met_like_any_other<T>() {
        for half_extents in [[0.0, 2.0, 3.0], [0.0, 0.0, 3.0], [0.0; 3]] {
            let obb = obb::<T>([2.0, 1.0, -1.0], TURNED_TWICE, half_extents);
            assert!(meets(&obb, &ray([12.0, 1.0, -1.0], [-1.0, 0.0, 0.0], RAY)), "{half_extents:?}");
            assert!(meets(&obb, &ray([2.0, 1.0, -1.0], [0.0, 3.0, 1.0], [0.0, 0.0])), "{half_extents:?}");
            assert!(!meets(&obb, &ray([12.0, 1.5, 5.0], [-1.0, 0.0, 1.0], RAY)), "{half_extents:?}");
        }
        let point = obb::<T>([0.0; 3], IDENTITY, [0.0; 3]);
        assert!(meets(&point, &ray([0.0; 3], [1.0, 0.0, 0.0], RAY)));
        assert!(!meets(&point, &ray([0.0, 1e-6, 0.0], [1.0, 0.0, 0.0], LINE)));
    }

    fn tiny_and_huge_boxes_are_met<T>() {
        for scale in [1e-30, 1e-12, 1e12, 1e29] {
            for speed in [1e-20, 1.0, 1e20] {
                let obb = obb::<T>([scale; 3], TURNED_TWICE, [scale, 0.5 * scale, 0.0]);
                let direction = [speed, -2.0 * speed, 3.0 * speed];
                let through = |aside: f64| ray([scale, scale, scale * (1.0 + aside)], direction, LINE);
                assert!(SeparatingAxes.intersect(&obb, &through(0.0)).expect("sound").is_some());
                assert!(SeparatingAxes.intersect(&obb, &through(9.0)).expect("sound").is_none());
                ask(SeparatingAxes, obb, through(0.0));
                // `t` that is no normal number in `f32` is beyond the slab test's promise.
                if (1e-36..1e36).contains(&(scale / speed)) {
                    assert!(ask(Slab, obb, through(0.0)).is_some(), "{scale} {speed}");
                    assert!(ask(Slab, obb, through(9.0)).is_none(), "{scale} {speed}");
                }
            }
        }
    }

    fn face_and_normal_are_those_of_the_side_it_comes_from<T>() {
        let obb = obb::<T>([1.0, 2.0, 3.0], TURNED_TWICE, [1.0, 2.0, 0.5]);
        for axis in 0..3 {
            for at_max in [false, true] {
                let outwards = if at_max { 1.0 } else { -1.0 };
                let normal = obb.axes[axis].map(|x| outwards * x.to_f64());
                let origin = std::array::from_fn(|i| obb.center[i].to_f64() + 8.0 * normal[i]);
                let towards = ray(origin, normal.map(|x| -x), RAY);
                let (hit, separating) = check(&obb, &towards);
                let hit = hit.expect("straight at it");
                assert!(separating);
                assert_eq!(hit.face, Some(Face { axis, at_max }));
                assert_eq!(hit.normal.map(T::to_f64), normal);
            }
        }
    }
}

//! Where the box face by face and the slab test agree, and where they classically differ.

use lanecast::Ray;
use lanecast::primitive::{Aabb, EnteredFace, Face, FaceByFace, Slab};

use crate::catalogue::ask::{ask, in_both_precisions};
use lanecast_reference::kernel::number::Number;
use lanecast_reference::random::Random;

fn cube<T: Number>() -> Aabb<T> {
    Aabb { min: [T::of(-1.0); 3], max: [T::ONE; 3] }
}

fn ray<T: Number>(origin: [f32; 3], direction: [f32; 3]) -> Ray<T> {
    Ray::new(origin.map(T::of), direction.map(T::of))
}

in_both_precisions! {
    fn both_name_the_same_face_away_from_edges_and_from_outside<T>() {
        let mut random = Random::new(3);
        let mut met = 0;
        for _ in 0..60 {
            // From outside of all slabs, to a point that is clear of all edges.
            let origin = random.point(-1.0, 1.0).map(|x| x.signum() * (1.5 + x.abs()));
            let axis = random.below(3);
            let mut target = random.point(-1.75, 1.75);
            target[axis] = origin[axis].signum();
            let clear = (0..3).all(|other| other == axis || (target[other].abs() - 1.0).abs() > 0.01);
            let ray = ray::<T>(origin, std::array::from_fn(|axis| target[axis] - origin[axis]));
            let (faced, slab) = (ask(EnteredFace, cube(), ray), ask(FaceByFace, cube(), ray));
            if !clear {
                continue;
            }
            assert_eq!(faced.map(|hit| hit.face), slab.map(|hit| Some(hit.face)), "{ray:?}");
            let (Some(faced), Some(slab)) = (faced, slab) else { continue };
            let bound = 6.0 * T::UNIT_ROUNDOFF.to_f64() * slab.t.to_f64();
            assert!((faced.t_enter.to_f64() - slab.t.to_f64()).abs() <= bound, "{ray:?}");
            met += 1;
        }
        assert!(met > 10, "only {met} rays met the box");
    }

    fn differs_for_an_origin_inside<T>() {
        let ray = ray::<T>([0.0; 3], [1.0, 0.5, 0.0]);
        assert_eq!(ask(Slab, cube(), ray).map(|hit| [hit.t_enter, hit.t_exit]), Some([T::ZERO, T::ONE]));
        assert_eq!(ask(FaceByFace, cube(), ray), None);
    }

    fn differs_for_an_interval_that_begins_inside<T>() {
        let ray = ray::<T>([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]).with_interval(T::of(3.0), T::INFINITY);
        assert_eq!(ask(Slab, cube(), ray).map(|hit| hit.t_enter), Some(T::of(3.0)));
        assert_eq!(ask(FaceByFace, cube(), ray), None);
    }

    fn a_ray_in_a_face_enters_through_the_face_at_its_end<T>() {
        let ray = ray::<T>([-3.0, 1.0, 0.0], [1.0, 0.0, 0.0]);
        let hit = ask(FaceByFace, cube(), ray).expect("met exactly");
        assert_eq!((hit.t, hit.face), (T::of(2.0), Face { axis: 0, at_max: false }));
    }

    fn on_an_edge_the_lowest_axis_counts_where_the_point_is_exact<T>() {
        let hit = ask(FaceByFace, cube(), ray::<T>([3.0, 3.0, 0.0], [-1.0, -1.0, 0.0])).expect("met exactly");
        assert_eq!((hit.t, hit.face), (T::of(2.0), Face { axis: 0, at_max: true }));
    }

    fn differs_on_an_edge_where_the_point_is_rounded<T>() {
        // Rays that touch an edge in exactly one point, at a t that no number of the precision
        // holds: the slab test finds all of them, the test face by face loses some.
        let mut lost = 0;
        for count in 1..40_u8 {
            // At t = count / 7 the ray is at the corner (1, 1): outside before in x, outside after
            // in y.
            let (x, y, count) = (97.0, 1013.0, f32::from(count));
            let ray = ray::<T>([1.0 + x * count, 1.0 - y * count, 0.25], [-x * 7.0, y * 7.0, 0.0]);
            assert!(ask(Slab, cube(), ray).is_some(), "{ray:?}");
            lost += usize::from(ask(FaceByFace, cube(), ray).is_none());
        }
        assert!(lost > 0, "no such ray was lost");
    }

    fn a_face_at_infinity_is_not_met<T>() {
        let infinite = [T::NEG_INFINITY, T::INFINITY];
        for sign in [1.0, -1.0] {
            let line = Ray::line([T::ZERO; 3], [sign, 0.5 * sign, 2.0 * sign].map(T::of));
            // Space as a whole: every point at infinity of the line would lie within.
            let space = Aabb { min: [infinite[0]; 3], max: [infinite[1]; 3] };
            assert_eq!(ask(FaceByFace, space, line), None);
            // A corner that all lines along the octant would come to, if anywhere.
            for corner in infinite {
                let far = Aabb { min: [corner; 3], max: [corner; 3] };
                assert_eq!(ask(FaceByFace, far, line), None, "{corner} {sign}");
            }
        }
        // The face that is there is met still.
        let half_space = Aabb { min: [infinite[0]; 3], max: [infinite[1], infinite[1], T::ONE] };
        let hit = ask(FaceByFace, half_space, Ray::line([T::ZERO; 3], [0.5, -0.25, -1.0].map(T::of)));
        assert_eq!(hit.map(|hit| (hit.t, hit.face)), Some((T::of(-1.0), Face { axis: 2, at_max: true })));
    }
}

//! Mistakes of published versions of these tests, by name.

use lanecast::primitive::{
    Aabb, Clip, EnteredFace, Face, FaceByFace, Rect, Slab, Sphere, SphereRoots,
};
use lanecast::{Ray, Segment};

use crate::catalogue::ask::{ask, in_both_precisions};
use lanecast_reference::kernel::number::Number;

/// The box from (−1, −1, −1) to (1, 1, 1).
fn cube<T: Number>() -> Aabb<T> {
    Aabb { min: [T::of(-1.0); 3], max: [T::ONE; 3] }
}

fn square<T: Number>() -> Rect<T> {
    Rect { min: [T::of(-1.0); 2], max: [T::ONE; 2] }
}

fn point<T: Number, const D: usize>(coordinates: [f32; D]) -> [T; D] {
    coordinates.map(T::of)
}

fn ray<T: Number, const D: usize>(origin: [f32; D], direction: [f32; D]) -> Ray<T, D> {
    Ray::new(point(origin), point(direction))
}

fn segment<T: Number, const D: usize>(start: [f32; D], end: [f32; D]) -> Ray<T, D> {
    Ray::segment(point(start), point(end))
}

/// The overlap by both slab tests.
fn overlap<T: Number>(aabb: Aabb<T>, ray: Ray<T>) -> Option<[f64; 2]> {
    let slab = ask(Slab, aabb, ray).map(|hit| [hit.t_enter, hit.t_exit]);
    let faced = ask(EnteredFace, aabb, ray).map(|hit| [hit.t_enter, hit.t_exit]);
    assert_eq!(slab, faced, "{ray:?}");
    slab.map(|ends| ends.map(T::to_f64))
}

fn entered<T: Number>(aabb: Aabb<T>, ray: Ray<T>) -> Option<Face> {
    ask(EnteredFace, aabb, ray).unwrap_or_else(|| panic!("{ray:?} misses")).face
}

/// The same with every axis in the place of the first.
fn turned(point: [f32; 3], by: usize) -> [f32; 3] {
    std::array::from_fn(|axis| point[(axis + by) % 3])
}

in_both_precisions! {
    fn a_parallel_ray_hits_between_its_planes_and_misses_beyond<T>() {
        for zero in [0.0, -0.0] {
            for (offset, inside) in [(0.5, true), (-0.5, true), (1.5, false), (-1.5, false)] {
                for by in 0..3 {
                    let ray = ray::<T, 3>(turned([offset, 0.25, -3.0], by), turned([zero, zero, 1.0], by));
                    assert_eq!(overlap(cube(), ray), inside.then_some([2.0, 4.0]), "{ray:?}");
                    assert_eq!(ask(FaceByFace, cube(), ray).map(|hit| hit.t), inside.then_some(T::of(2.0)));
                }
                let ray = ray::<T, 2>([offset, -3.0], [zero, 1.0]);
                let hit = ask(Slab, square(), ray).map(|hit| [hit.t_enter, hit.t_exit]);
                assert_eq!(hit, inside.then_some([2.0, 4.0].map(T::of)), "{ray:?}");
                let clipped = ask(Clip::EXACT, cube::<T>(), Segment::new(point([offset, 0.0, -3.0]), point([offset, 0.0, 1.0])));
                assert_eq!(clipped.map(|hit| hit.t_start), inside.then_some(T::of(0.5)));
            }
        }
    }

    fn t_of_a_parallel_axis_is_never_used<T>() {
        // Whatever stood in its place would be told: nothing else bounds the overlap on that side.
        for by in 0..3 {
            let along = turned([1.0, 0.0, 0.0], by);
            let line = Ray::line(point::<T, 3>(turned([-9.0, 0.0, 0.0], by)), point(along));
            assert_eq!(overlap(cube(), line), Some([8.0, 10.0]));
            let both = Ray::line(point::<T, 3>(turned([-9.0, -9.0, 0.0], by)), point(turned([1.0, 1.0, 0.0], by)));
            assert_eq!(overlap(cube(), both), Some([8.0, 10.0]));
            assert_eq!(entered(cube(), line), Some(Face { axis: (3 - by) % 3, at_max: false }));
        }
    }

    fn a_box_behind_the_origin_is_not_met<T>() {
        for direction in [1.0, -1.0] {
            for by in 0..3 {
                let (origin, along) = (turned([3.0 * direction, 0.0, 0.0], by), turned([direction, 0.0, 0.0], by));
                let ray = ray::<T, 3>(origin, along);
                assert_eq!(overlap(cube(), ray), None);
                assert_eq!(ask(FaceByFace, cube(), ray), None);
                // The whole line meets it there.
                let line = Ray::line(ray.origin, ray.direction);
                assert_eq!(overlap(cube(), line), Some([-4.0, -2.0]));
                assert!(ask(SphereRoots, Sphere::new([T::ZERO; 3], T::ONE), ray).is_none());
                let hit = ask(SphereRoots, Sphere::new([T::ZERO; 3], T::ONE), line).expect("the line meets it");
                assert_eq!([hit.t_enter, hit.t_exit], [-4.0, -2.0].map(T::of));
            }
        }
    }

    fn zero_times_infinity_is_no_miss_for_a_ray_in_a_face<T>() {
        for zero in [0.0, -0.0] {
            for side in [1.0, -1.0] {
                for by in 0..3 {
                    let in_face = ray::<T, 3>(turned([side, 0.5, -3.0], by), turned([zero, zero, 1.0], by));
                    assert_eq!(overlap(cube(), in_face), Some([2.0, 4.0]), "{in_face:?}");
                    let along_edge = ray::<T, 3>(turned([side, -side, -3.0], by), turned([zero, -zero, 1.0], by));
                    assert_eq!(overlap(cube(), along_edge), Some([2.0, 4.0]), "{along_edge:?}");
                    let backwards = ray::<T, 3>(turned([side, side, 3.0], by), turned([zero, zero, -1.0], by));
                    assert_eq!(overlap(cube(), backwards), Some([2.0, 4.0]), "{backwards:?}");
                    assert_eq!(entered(cube(), backwards).map(|face| face.at_max), Some(true));
                }
                let in_side = ray::<T, 2>([side, -3.0], [zero, 1.0]);
                assert_eq!(ask(Slab, square(), in_side).map(|hit| hit.t_enter), Some(T::of(2.0)));
                // Also with nowhere to go: a box without thickness, and a ray in it.
                let flat = Aabb { min: point::<T, 3>([side, -1.0, -1.0]), max: point([side, 1.0, 1.0]) };
                assert_eq!(overlap(flat, ray([side, 0.0, -3.0], [zero, 0.0, 1.0])), Some([2.0, 4.0]));
            }
        }
    }

    fn a_ray_through_a_corner_or_an_edge_meets_the_box<T>() {
        for signs in 0..8_usize {
            let sign = |axis: usize| if signs >> axis & 1 == 0 { 1.0 } else { -1.0 };
            let corner = [sign(0), sign(1), sign(2)];
            // From outside to the corner and past it: it touches in one point.
            let origin = [2.0 * corner[0], 0.0, corner[2]];
            let direction = [-corner[0], corner[1], 0.0];
            assert_eq!(overlap(cube(), ray::<T, 3>(origin, direction)), Some([1.0, 1.0]), "{corner:?}");
            // Through the middle from the corner's side: all three faces at the same t.
            let (from, back) = (corner.map(|x| 3.0 * x), corner.map(|x| -x));
            let diagonal = ray::<T, 3>(from, back);
            assert_eq!(overlap(cube(), diagonal), Some([2.0, 4.0]));
            assert_eq!(entered(cube(), diagonal), Some(Face { axis: 0, at_max: corner[0] > 0.0 }));
        }
    }

    fn negative_zero_is_the_same_direction_as_zero<T>() {
        for origin in [[-3.0, 1.0, -1.0], [-3.0, 0.0, 0.0], [-3.0, -1.0, 2.0], [3.0, 1.0, 1.0]] {
            let answers = [[0.0, 0.0], [0.0, -0.0], [-0.0, 0.0], [-0.0, -0.0]]
                .map(|[y, z]| overlap(cube(), ray::<T, 3>(origin, [1.0, y, z])));
            assert!(answers.iter().all(|answer| *answer == answers[0]), "{origin:?}: {answers:?}");
        }
    }

    fn a_segment_wholly_inside_answers_its_own_interval<T>() {
        for (start, end) in [([0.0; 3], [0.5; 3]), ([-1.0; 3], [1.0; 3]), ([0.3, -0.7, 0.1], [0.3, 0.2, 0.1])] {
            let inside = segment::<T, 3>(start, end);
            assert_eq!(overlap(cube(), inside), Some([0.0, 1.0]), "{inside:?}");
            assert_eq!(entered(cube(), inside), None);
            let kept = ask(Clip::EXACT, cube::<T>(), Segment::new(point(start), point(end))).expect("inside");
            assert_eq!((kept.t_start, kept.t_end), (T::ZERO, T::ONE));
            assert_eq!((kept.start, kept.end), (point(start), point(end)));
        }
        let in_ball = ask(SphereRoots, Sphere::new([T::ZERO; 3], T::of(2.0)), segment([0.0; 3], [1.0, 1.0, 1.0]));
        assert_eq!(in_ball.map(|hit| (hit.t_enter, hit.t_exit, hit.inside)), Some((T::ZERO, T::ONE, true)));
    }

    fn a_segment_that_ends_or_starts_on_a_face_touches_it<T>() {
        for by in 0..3 {
            let (away, face) = (turned([3.0, 0.5, 0.25], by), turned([1.0, 0.5, 0.25], by));
            assert_eq!(overlap(cube(), segment::<T, 3>(away, face)), Some([1.0, 1.0]));
            assert_eq!(overlap(cube(), segment::<T, 3>(face, away)), Some([0.0, 0.0]));
            assert_eq!(entered(cube(), segment::<T, 3>(face, away)), None);
            let clipped = ask(Clip::EXACT, cube::<T>(), Segment::new(point(away), point(face))).expect("touches");
            assert_eq!((clipped.t_start, clipped.t_end, clipped.end), (T::ONE, T::ONE, point(face)));
            // A little less of it does not.
            let short = T::ONE - T::of(64.0) * T::UNIT_ROUNDOFF;
            assert_eq!(overlap(cube(), segment::<T, 3>(away, face).with_interval(T::ZERO, short)), None);
        }
    }

    fn an_interval_of_one_point_meets_what_that_point_is_in<T>() {
        let ray = ray::<T, 3>([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
        for (t, met) in [(1.0, false), (2.0, true), (3.0, true), (4.0, true), (5.0, false)] {
            let at = ray.with_interval(T::of(t), T::of(t));
            assert_eq!(overlap(cube(), at), met.then_some([t.into(), t.into()]));
        }
    }

    fn an_origin_inside_is_reported_as_inside<T>() {
        for origin in [[0.0; 3], [1.0, 0.0, 0.0], [-1.0, 1.0, 1.0]] {
            for direction in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.5, -1.0, 0.25]] {
                let hit = ask(EnteredFace, cube(), ray::<T, 3>(origin, direction)).expect("within");
                assert_eq!((hit.t_enter, hit.face), (T::ZERO, None), "{origin:?} {direction:?}");
            }
        }
        let ball = Sphere::new([T::ZERO; 3], T::of(2.0));
        let inside = ask(SphereRoots, ball, ray([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])).expect("within");
        assert_eq!((inside.t_enter, inside.t_exit, inside.inside), (T::ZERO, T::ONE, true));
        let outside = ask(SphereRoots, ball, ray([-4.0, 0.0, 0.0], [1.0, 0.0, 0.0])).expect("ahead");
        assert_eq!((outside.t_enter, outside.t_exit, outside.inside), (T::of(2.0), T::of(6.0), false));
    }

    fn an_origin_on_a_sphere_meets_it_there<T>() {
        let ball = Sphere::new([T::ZERO; 3], T::of(2.0));
        for direction in [-1.0, 1.0] {
            let hit = ask(SphereRoots, ball, ray([2.0, 0.0, 0.0], [direction, 0.0, 0.0])).expect("touches");
            let exit = T::of(if direction < 0.0 { 4.0 } else { 0.0 });
            assert_eq!((hit.t_enter, hit.t_exit, hit.inside), (T::ZERO, exit, true));
        }
    }

    fn a_sphere_a_million_radii_away_keeps_its_shape<T>() {
        let ball = Sphere::new(point([1e6, 0.0, 0.0]), T::ONE);
        for (offset, half_chord) in [(0.0, Some(1.0_f64)), (0.6, Some(0.8)), (0.96, Some(0.28)), (1.5, None), (-3.0, None)] {
            for length in [1.0, 0.125, 3.0] {
                let hit = ask(SphereRoots, ball, ray([0.0, offset, 0.0], [length, 0.0, 0.0]));
                let ends = hit.map(|hit| [hit.t_enter, hit.t_exit].map(|t| t.to_f64() * f64::from(length)));
                assert_eq!(ends.is_some(), half_chord.is_some(), "offset {offset}");
                let (Some([enter, exit]), Some(half_chord)) = (ends, half_chord) else { continue };
                // A last place at a million, here, is all that is lost.
                let bound = 4.0 * 1e6 * T::UNIT_ROUNDOFF.to_f64() + 1e-6;
                assert!((enter - (1e6 - half_chord)).abs() <= bound, "offset {offset}: {enter}");
                assert!((exit - (1e6 + half_chord)).abs() <= bound, "offset {offset}: {exit}");
            }
        }
    }

    fn a_sphere_whose_radius_has_no_square_is_not_met<T>() {
        let (radius, center) = if T::DIGITS == 24 { (1e20, 3e20) } else { (1e200, 3e200) };
        let [radius, center] = [radius, center].map(T::of_f64);
        for along in [1.0, -1.0] {
            let ray = ray::<T, 3>([0.0; 3], [0.0, 0.0, along]);
            for line in [ray, Ray::line(ray.origin, ray.direction)] {
                let ahead = Sphere::new([T::ZERO, T::ZERO, center], radius);
                assert_eq!(ask(SphereRoots, ahead, line), None, "{line:?}");
                assert_eq!(ask(SphereRoots, Sphere::new([T::ZERO; 3], T::INFINITY), line), None, "{line:?}");
            }
        }
        // The largest that has one.
        let below = T::ONE - T::UNIT_ROUNDOFF;
        let radius = below * T::of_f64(if T::DIGITS == 24 { 2_f64.powi(64) } else { 2_f64.powi(512) });
        let around = ask(SphereRoots, Sphere::new([T::ZERO; 3], radius), ray([0.0; 3], [0.0, 0.0, 1.0]));
        assert_eq!(around.map(|hit| (hit.t_enter, hit.t_exit, hit.inside)), Some((T::ZERO, radius, true)));
    }

    fn a_sphere_beyond_all_t_is_not_met<T>() {
        let (center, radius, slow) = if T::DIGITS == 24 { (1e10, 1e9, 1e-30) } else { (1e250, 1e140, 1e-90) };
        let [center, radius, slow] = [center, radius, slow].map(T::of_f64);
        let sphere = Sphere::new([T::ZERO, T::ZERO, center], radius);
        let direction = [T::ZERO, T::ZERO, slow];
        for line in [Ray::new([T::ZERO; 3], direction), Ray::line([T::ZERO; 3], direction)] {
            assert_eq!(ask(SphereRoots, sphere, line), None, "{line:?}");
        }
        // Nor is what a line would meet there if its interval begins beyond, too.
        let slowest = T::ONE / T::LARGEST_COORDINATE;
        let there = T::of(1.5) * T::INFINITE_T * slowest;
        let sphere = Sphere::new([T::ZERO, T::ZERO, there], T::of(0.5) * there);
        let late = Ray::new([T::ZERO; 3], [T::ZERO, T::ZERO, slowest]);
        for t_min in [T::of(1.5) * T::INFINITE_T, T::INFINITY] {
            assert_eq!(ask(SphereRoots, sphere, late.with_interval(t_min, T::INFINITY)), None);
        }
    }

    fn a_sphere_around_all_t_has_the_ends_of_the_line<T>() {
        // In f64 no sphere that has a square reaches so far.
        if T::DIGITS == 24 {
            let (ball, slow) = (Sphere::new([T::ZERO; 3], T::of(1e18)), [T::ZERO, T::of(1e-30), T::ZERO]);
            let ends = |line| ask(SphereRoots, ball, line).map(|hit| [hit.t_enter, hit.t_exit].map(T::to_f64));
            assert_eq!(ends(Ray::new([T::ZERO; 3], slow)), Some([0.0, f64::INFINITY]));
            assert_eq!(ends(Ray::line([T::ZERO; 3], slow)), Some([f64::NEG_INFINITY, f64::INFINITY]));
            assert_eq!(ends(Ray::line([T::ZERO; 3], slow).with_interval(T::ONE, T::of(2.0))), Some([1.0, 2.0]));
        }
    }

    fn a_box_of_no_points_is_never_met<T>() {
        let inverted = Aabb { min: point::<T, 3>([1.0, -1.0, -1.0]), max: point([-1.0, 1.0, 1.0]) };
        for aabb in [Aabb::EMPTY, inverted] {
            for direction in [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.5, -1.0, 0.25], [-0.0, 1.0, 0.0]] {
                for origin in [[0.0; 3], [-3.0, 0.0, 0.0], [1.0, -1.0, 1.0]] {
                    let line = Ray::line(point(origin), point(direction));
                    assert_eq!(overlap(aabb, line), None, "{line:?} {aabb:?}");
                    assert_eq!(ask(FaceByFace, aabb, line), None, "{line:?} {aabb:?}");
                }
            }
            assert_eq!(ask(Clip::EXACT, aabb, Segment::new(point([-3.0, 0.0, 0.0]), point([3.0, 0.0, 0.0]))), None);
        }
    }

    fn a_side_at_infinity_is_no_bound<T>() {
        let half_space = Aabb { min: [T::NEG_INFINITY; 3], max: [T::INFINITY, T::INFINITY, T::ONE] };
        let down = ray::<T, 3>([5.0, 0.0, 3.0], [0.0, 0.0, -1.0]);
        assert_eq!(overlap(half_space, down), Some([2.0, f64::INFINITY]));
        assert_eq!(overlap(half_space, Ray::line(down.origin, down.direction)), Some([2.0, f64::INFINITY]));
        assert_eq!(overlap(half_space, ray([5.0, 0.0, 3.0], [1.0, 0.0, 0.0])), None);
    }

    fn a_segment_of_no_length_is_clipped_to_itself_or_to_nothing<T>() {
        for (at, inside) in [([0.0; 3], true), ([1.0, -1.0, 0.0], true), ([1.5, 0.0, 0.0], false)] {
            let clipped = ask(Clip::EXACT, cube::<T>(), Segment::new(point(at), point(at)));
            let ends = clipped.map(|hit| (hit.t_start, hit.t_end, hit.start, hit.end));
            assert_eq!(ends, inside.then_some((T::ZERO, T::ONE, point(at), point(at))));
        }
    }

    fn a_widened_clip_ends_just_outside_the_faces<T>() {
        let clip = Clip { widening: T::of_f64(1e-5) };
        let clipped = ask(clip, cube::<T>(), Segment::new(point([-3.0, 0.0, 0.0]), point([5.0, 0.0, 0.0]))).expect("met");
        let (start, end) = (clipped.start[0].to_f64(), clipped.end[0].to_f64());
        assert!((-1.0 - 1e-4..-1.0).contains(&start) && 1.0 < end && end < 1.0 + 1e-4, "{start} {end}");
        // Where the segment itself ends inside, there is nothing to widen.
        let kept = ask(clip, cube::<T>(), Segment::new(point([0.5; 3]), point([0.25; 3]))).expect("inside");
        assert_eq!((kept.t_start, kept.t_end, kept.start, kept.end), (T::ZERO, T::ONE, point([0.5; 3]), point([0.25; 3])));
        // And what is not met is not met by widening.
        assert_eq!(ask(clip, cube::<T>(), Segment::new(point([-3.0, 1.001, 0.0]), point([5.0, 1.001, 0.0]))), None);
    }

    fn a_negative_widening_or_nan_widens_nothing<T>() {
        let exact = Clip::EXACT;
        for widening in [-1.0, -1e-5, f64::NEG_INFINITY, f64::NAN, -0.0] {
            let clip = Clip { widening: T::of_f64(widening) };
            for (start, end) in [([-3.0, 0.0, 0.0], [5.0, 0.0, 0.0]), ([0.5; 3], [0.25; 3]), ([0.5; 3], [4.0; 3])] {
                let segment = Segment::new(point::<T, 3>(start), point(end));
                let clipped = ask(clip, cube(), segment).expect("it passes through the cube");
                assert_eq!(Some(clipped), ask(exact, cube(), segment), "widened by {widening}");
            }
        }
    }
}

//! The slab test of one ray against eight boxes, held against the `f64` reference on every backend.

use crate::common::backends::same_on_every_backend;
use crate::common::rays::{aimed, any_ray, coordinate, interval, triple};
use crate::reference::{LEAST, slab};
use lanecast::primitive::{AabbBlock, BoxHits};
use lanecast::{Aabb, Backend, Error, Ray};
use proptest::prelude::*;

const CASES: u32 = if cfg!(debug_assertions) { 1_000 } else { 20_000 };

/// The mask, and (t_enter, t_exit) as bits where it is set: what all backends must agree on.
fn bits(hits: &BoxHits) -> (u8, Vec<[u32; 2]>) {
    let lanes = (0..8).filter(|lane| hits.mask >> lane & 1 == 1);
    (hits.mask, lanes.map(|lane| [hits.t_enter[lane].to_bits(), hits.t_exit[lane].to_bits()]).collect())
}

/// What every backend answers.
fn cast(ray: &Ray, boxes: &[Aabb]) -> BoxHits {
    let block = AabbBlock::new(boxes);
    let ask = |backend| block.intersect(backend, ray).unwrap_or_else(|error| panic!("{error}: {ray:?}"));
    same_on_every_backend((ray, boxes), |backend| bits(&ask(backend)));
    let masks = same_on_every_backend((ray, boxes), |backend| {
        let mut masks = [0; 2];
        AabbBlock::intersect_many(backend, ray, &[block, AabbBlock::EMPTY], &mut masks).expect("two masks");
        masks
    });
    let hits = ask(Backend::PORTABLE);
    assert_eq!(masks, [hits.mask, 0], "many blocks and one disagree for {ray:?} {boxes:?}");
    hits
}

/// Holds the answer for every box against the reference, and says which boxes are truly met.
fn check(ray: &Ray, boxes: &[Aabb]) -> u8 {
    let hits = cast(ray, boxes);
    let mut truth = 0;
    for (lane, aabb) in boxes.iter().enumerate() {
        let met = hits.mask >> lane & 1 == 1;
        let (exact, grown) = (slab::exact(ray, aabb), slab::grown(ray, aabb));
        let context =
            || format!("{ray:?}\nbox {lane}: {aabb:?}\nkernel {hits:?}\n{exact:?} within {grown:?}");
        let far = grown.is_some_and(|[enter, exit]| enter.abs().max(exit.abs()) > 1e38);
        let beyond_f32 = far || slab::beyond_f32(ray, aabb);
        if let Some([enter, exit]) = exact {
            truth |= 1 << lane;
            assert!(met, "a box that the ray meets is missed: {}", context());
            let (t_enter, t_exit) = (f64::from(hits.t_enter[lane]), f64::from(hits.t_exit[lane]));
            // Beyond what `f32` can hold, `t` is infinite; below, the least `f32` or zero.
            let whole = t_enter - LEAST <= enter && exit <= t_exit + LEAST;
            assert!(whole || beyond_f32, "the overlap is cut short: {}", context());
        }
        match grown {
            None => assert!(!met || beyond_f32, "a box that lies clear of the ray is met: {}", context()),
            Some([enter, exit]) if met && !beyond_f32 => {
                let (t_enter, t_exit) = (f64::from(hits.t_enter[lane]), f64::from(hits.t_exit[lane]));
                let inexact = |t: f64| 1e-6 * t.abs() + 1e-44;
                assert!(
                    enter - inexact(enter) <= t_enter && t_exit <= exit + inexact(exit),
                    "the overlap reaches too far: {}",
                    context()
                );
            }
            Some(_) => {}
        }
    }
    assert_eq!(
        u32::from(hits.mask) >> boxes.len(),
        0,
        "a lane without a box is met: {ray:?} {boxes:?} {hits:?}"
    );
    truth
}

fn unit_box() -> Aabb {
    Aabb { min: [-1.0; 3], max: [1.0; 3] }
}

fn aabb(min: [f32; 3], max: [f32; 3]) -> Aabb {
    Aabb { min, max }
}

fn meets(ray: &Ray, aabb: Aabb) -> bool {
    check(ray, &[aabb]);
    cast(ray, &[aabb]).mask == 1
}

fn any_box() -> impl Strategy<Value = Aabb> {
    (triple(coordinate().boxed()), triple(coordinate().boxed())).prop_map(|(a, b)| Aabb::around([a, b]))
}

proptest! {
    #![proptest_config(crate::common::rays::cases(CASES))]

    #[test]
    fn any_ray_meets_the_boxes_that_the_reference_says(
        ray in any_ray(),
        boxes in prop::collection::vec(any_box(), 1..=8),
    ) {
        check(&ray, &boxes);
    }

    /// Aimed at corners, edges, faces and insides, from anywhere: the cases on the border.
    #[test]
    fn a_ray_aimed_at_the_border_of_a_box_meets_what_the_reference_says(
        boxes in prop::collection::vec(any_box(), 1..=8),
        weights in triple(prop_oneof![Just(0.0_f32), Just(1.0), Just(0.5)].boxed()),
        origin in triple(coordinate().boxed()),
        interval in interval(),
    ) {
        for target in &boxes {
            let point = std::array::from_fn(|axis| match weights[axis] {
                0.0 => target.min[axis],
                1.0 => target.max[axis],
                _ => target.min[axis] * 0.5 + target.max[axis] * 0.5,
            });
            if let Some(ray) = aimed(origin, point, interval) {
                check(&ray, &boxes);
            }
        }
    }
}

#[test]
fn ray_through_the_middle_enters_and_leaves_where_it_should() {
    let ray = Ray::new([-3.0, 0.0, 0.0], [2.0, 0.0, 0.0]);
    assert!(meets(&ray, unit_box()));
    let hits = cast(&ray, &[unit_box()]);
    assert!((hits.t_enter[0] - 1.0).abs() < 1e-5 && (hits.t_exit[0] - 2.0).abs() < 1e-5, "{hits:?}");
}

#[test]
fn ray_in_a_face_meets_the_box() {
    for axis in 0..3 {
        for side in [-1.0_f32, 1.0] {
            for zero in [0.0_f32, -0.0] {
                let (mut origin, mut direction) = ([0.0; 3], [zero; 3]);
                (origin[axis], origin[(axis + 1) % 3]) = (side, -5.0);
                direction[(axis + 1) % 3] = 1.0;
                let ray = Ray::new(origin, direction);
                assert!(meets(&ray, unit_box()), "{ray:?}");
            }
        }
    }
}

#[test]
fn ray_along_an_edge_meets_the_box() {
    for axis in 0..3 {
        for (a, b) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
            for forwards in [1.0, -1.0] {
                let (mut origin, mut direction) = ([0.0; 3], [0.0; 3]);
                origin[axis] = -5.0 * forwards;
                direction[axis] = forwards;
                (origin[(axis + 1) % 3], origin[(axis + 2) % 3]) = (a, b);
                let ray = Ray::new(origin, direction);
                assert!(meets(&ray, unit_box()), "{ray:?}");
            }
        }
    }
}

#[test]
fn ray_touching_a_corner_meets_the_box() {
    for corner in [[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, 1.0]] as [[f32; 3]; 3] {
        // Perpendicular to the box's diagonal through that corner: touches nothing else.
        let direction = [corner[0], -corner[1], 0.0];
        let ray = Ray::line(corner, direction);
        assert!(meets(&ray, unit_box()), "{ray:?}");
    }
}

#[test]
fn ray_that_passes_a_face_by_more_than_the_margin_misses() {
    for off in [1e-5_f32, 1e-3, 1.0] {
        let ray = Ray::new([-5.0, 1.0 + off, 0.0], [1.0, 0.0, 0.0]);
        assert!(!meets(&ray, unit_box()), "{ray:?}");
    }
}

#[test]
fn flat_boxes_are_met_from_every_side() {
    let flat = aabb([-1.0, 0.0, -1.0], [1.0, 0.0, 1.0]);
    assert!(meets(&Ray::new([0.3, 5.0, 0.2], [0.0, -1.0, 0.0]), flat));
    assert!(meets(&Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]), flat));
    let point = aabb([0.25; 3], [0.25; 3]);
    assert!(meets(&Ray::new([0.0; 3], [1.0; 3]), point));
    assert!(meets(&Ray::new([0.25; 3], [1.0, 0.0, 0.0]), point));
}

#[test]
fn ray_starting_on_a_face_meets_the_box_both_ways() {
    for direction in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
        assert!(meets(&Ray::new([1.0, 0.5, 0.5], direction), unit_box()), "{direction:?}");
        assert!(meets(&Ray::new([-1.0, 0.5, 0.5], direction), unit_box()), "{direction:?}");
    }
}

#[test]
fn interval_ending_exactly_on_a_face_meets_the_box() {
    let ray = Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert!(meets(&ray.with_interval(0.0, 2.0), unit_box()));
    assert!(meets(&ray.with_interval(4.0, 9.0), unit_box()));
    assert!(meets(&ray.with_interval(2.0, 2.0), unit_box()));
    assert!(!meets(&ray.with_interval(0.0, 1.999), unit_box()));
    assert!(!meets(&ray.with_interval(4.001, 9.0), unit_box()));
}

#[test]
fn box_behind_the_origin_is_missed_by_a_ray_and_met_by_a_line() {
    let ray = Ray::new([3.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert!(!meets(&ray, unit_box()));
    assert!(meets(&Ray::line(ray.origin, ray.direction), unit_box()));
    assert!(meets(&ray.with_interval(-5.0, -3.0), unit_box()));
}

#[test]
fn segment_wholly_inside_overlaps_from_0_to_1() {
    let hits = cast(&Ray::segment([-0.5, 0.1, 0.0], [0.5, 0.2, 0.3]), &[unit_box()]);
    assert_eq!((hits.mask, hits.t_enter[0], hits.t_exit[0]), (1, 0.0, 1.0));
}

#[test]
fn zero_component_decides_by_the_closed_slab_alone() {
    for zero in [0.0_f32, -0.0] {
        let direction = [1.0, zero, zero];
        assert!(meets(&Ray::new([-5.0, 1.0, -1.0], direction), unit_box()), "on both faces, {zero:?}");
        assert!(meets(&Ray::new([-5.0, 0.0, -0.0], direction), unit_box()), "between, {zero:?}");
        assert!(!meets(&Ray::new([-5.0, 1.5, 0.0], direction), unit_box()), "above, {zero:?}");
        assert!(!meets(&Ray::new([-5.0, 0.0, -1.5], direction), unit_box()), "below, {zero:?}");
    }
}

#[test]
fn negative_zero_answers_as_zero_does() {
    let boxes = [unit_box(), aabb([0.0; 3], [1.0; 3]), aabb([-0.0; 3], [0.0; 3])];
    for origin in [[0.0_f32, -0.0, -3.0], [-0.0, 0.0, -3.0], [0.0, 0.0, -3.0]] {
        let positive = cast(&Ray::new(origin, [0.0, 0.0, 1.0]), &boxes);
        let negative = cast(&Ray::new(origin, [-0.0, -0.0, 1.0]), &boxes);
        assert_eq!((positive.mask, negative.mask), (0b111, 0b111), "{origin:?}");
    }
}

#[test]
fn empty_box_is_never_met() {
    for direction in [[1.0, 0.0, 0.0], [1.0, 2.0, -3.0], [-0.0, -1.0, 0.0]] {
        for origin in [[0.0; 3], [1e7; 3], [-3.0, 0.0, 0.0]] {
            let ray = Ray::line(origin, direction);
            assert!(!meets(&ray, Aabb::EMPTY), "{ray:?}");
            let hits = cast(&ray, &[Aabb::EMPTY, unit_box(), Aabb::EMPTY]);
            assert_eq!(hits.mask & 0b101, 0, "{ray:?}");
        }
    }
}

#[test]
fn inverted_box_is_never_met() {
    for axis in 0..3 {
        let mut inverted = unit_box();
        (inverted.min[axis], inverted.max[axis]) = (1.0, -1.0);
        for direction in [[1.0, 0.0, 0.0], [0.0, -1.0, -0.0], [1.0, 1.0, 1.0], [-1.0, 2.0, 0.5]] {
            let ray = Ray::line([0.0; 3], direction);
            assert!(!meets(&ray, inverted), "{ray:?} {inverted:?}");
        }
    }
}

#[test]
fn subnormal_boxes_are_met() {
    let tiny = f32::from_bits(40);
    let small = aabb([-tiny; 3], [tiny; 3]);
    for direction in [[1.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1e-30, 0.0, 0.0], [1e30, -1e30, 0.0]] {
        assert!(meets(&Ray::new([0.0; 3], direction), small), "{direction:?}");
        assert!(meets(&Ray::line([tiny; 3], direction), small), "{direction:?}");
    }
}

#[test]
fn boxes_far_from_the_origin_are_met() {
    let far = aabb([1e7, -1e7, 1e7], [1e7 + 1.0, -1e7 + 1.0, 1e7 + 1.0]);
    assert!(meets(&Ray::new([1e7 - 8.0, -1e7 + 1.0, 1e7], [1.0, 0.0, 0.0]), far));
    assert!(meets(&Ray::new([0.0; 3], [1.0, -1.0, 1.0]), far));
    assert!(!meets(&Ray::new([0.0; 3], [1.0, 1.0, 1.0]), far));
}

#[test]
fn boxes_of_the_greatest_size_are_met() {
    let most = 2.0_f32.powi(100);
    let huge = aabb([-most; 3], [most; 3]);
    for direction in [[1.0, 0.0, 0.0], [-1e-30, 1e-30, 0.0], [1e30, 1e30, 1e30]] {
        for origin in [[0.0; 3], [most; 3], [-most, most, 0.0]] {
            assert!(meets(&Ray::line(origin, direction), huge), "{origin:?} {direction:?}");
        }
    }
}

#[test]
fn unbounded_box_is_met_by_every_line() {
    let everything = aabb([f32::NEG_INFINITY; 3], [f32::INFINITY; 3]);
    for direction in [[1.0, 0.0, 0.0], [1.0, -2.0, 3.0], [-0.0, 1e-30, 0.0]] {
        let ray = Ray::new([1.0, 2.0, 3.0], direction);
        assert_eq!(cast(&ray, &[everything]).mask, 1, "{ray:?}");
    }
}

#[test]
fn box_with_a_nan_bound_is_unbounded_on_that_side() {
    for axis in 0..3 {
        for (side, outside) in [(-1.0, -50.0), (1.0, 50.0)] {
            let mut open = unit_box();
            let bounds = if side < 0.0 { &mut open.min } else { &mut open.max };
            bounds[axis] = f32::NAN;
            for sign in [1.0, -1.0] {
                let (mut beyond, mut behind, mut across) = ([0.0; 3], [0.0; 3], [0.0; 3]);
                (beyond[axis], behind[axis], across[(axis + 1) % 3]) = (outside, -outside, sign);
                let met = |origin, direction| cast(&Ray::line(origin, direction), &[open]).mask == 1;
                assert!(met(beyond, across), "across the open side: {open:?} {across:?}");
                assert!(!met(behind, across), "across the closed side: {open:?} {across:?}");
                let mut along = [0.0; 3];
                along[axis] = sign;
                assert!(met(beyond, along) && met(behind, along), "along: {open:?} {along:?}");
                let away = Ray::new(beyond, along.map(|d| d * sign * side));
                assert_eq!(cast(&away, &[open]).mask, 1, "within the open side: {open:?} {away:?}");
                let past = Ray::new(behind, along.map(|d| -d * sign * side));
                assert_eq!(cast(&past, &[open]).mask, 0, "beyond the closed side: {open:?} {past:?}");
            }
        }
    }
}

#[test]
fn direction_components_of_wildly_different_size_answer_as_the_reference() {
    let sizes = [1e-45, 1e-38, 1e-30, 1e-8, 1.0, 1e8, 1e30_f32];
    for (i, dx) in sizes.into_iter().enumerate() {
        for dy in sizes {
            for dz in [sizes[(i + 3) % sizes.len()], -0.0] {
                for sign in [1.0, -1.0] {
                    for origin in [[-3.0, 1.0, 0.5], [0.0, 0.0, 0.0], [1.0, -1.0, 1.0], [2.0, 2.0, 2.0]] {
                        let ray = Ray::line(origin, [sign * dx, -dy, dz]);
                        if ray.defect().is_none() {
                            check(&ray, &[unit_box(), aabb([1.0; 3], [2.0; 3]), aabb([0.0; 3], [0.0; 3])]);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn ray_with_nan_or_infinite_component_or_without_direction_is_refused() {
    for backend in crate::common::backends::every_backend() {
        for (ray, status) in crate::common::rays::defective() {
            let found = AabbBlock::new(&[unit_box()]).intersect(backend, &ray);
            assert_eq!(found, Err(Error::InvalidRay { status }), "{backend} {ray:?}");
            let mut masks = [7; 1];
            let found = AabbBlock::intersect_many(backend, &ray, &[AabbBlock::EMPTY], &mut masks);
            assert_eq!(found, Err(Error::InvalidRay { status }), "{backend} {ray:?}");
        }
    }
}

#[test]
fn masks_of_another_length_are_refused() {
    let ray = Ray::new([0.0; 3], [1.0; 3]);
    let found = AabbBlock::intersect_many(Backend::PORTABLE, &ray, &[AabbBlock::EMPTY; 2], &mut [0; 3]);
    assert!(matches!(found, Err(Error::ColumnLength { found: 3, expected: 2, .. })), "{found:?}");
}

#[test]
fn lane_does_not_matter() {
    let ray = Ray::new([-5.0, 0.3, 0.1], [1.0, 0.01, -0.02]);
    let far = aabb([-1.0, 90.0, -1.0], [1.0, 91.0, 1.0]);
    for lane in 0..8 {
        let mut boxes = [far; 8];
        boxes[lane] = unit_box();
        assert_eq!(cast(&ray, &boxes).mask, 1 << lane, "lane {lane}");
    }
}

#[test]
fn answer_of_a_box_does_not_depend_on_its_neighbours() {
    let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    let beside = Aabb { min: [5.0, 5.0, 1.0], max: [6.0, 6.0, 2.0] };
    let met = Aabb { min: [-1.0, -1.0, 1.0], max: [1.0, 1.0, 2.0] };
    let far = Aabb { min: [1e7; 3], max: [2e7; 3] };
    let endless = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
    let alone = [cast(&ray, &[beside]).mask, cast(&ray, &[met]).mask];
    assert_eq!(alone, [0, 1]);
    for neighbour in [far, endless, Aabb::EMPTY] {
        let hits = cast(&ray, &[beside, met, neighbour]);
        assert_eq!(hits.mask & 0b11, 0b10, "beside {neighbour:?}: {hits:?}");
        assert_eq!(hits.mask >> 3, 0, "an empty lane is met beside {neighbour:?}: {hits:?}");
    }
}

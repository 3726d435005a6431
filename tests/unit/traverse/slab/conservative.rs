//! The slab tests that queries run, on every backend, against a reference in `f64`: none misses a
//! box that a ray meets, and none meets a box that lies clear of the ray.

use bytemuck::Zeroable;
use proptest::prelude::*;

use super::SlabVector;
use super::drawn_rays::{aimed, any_ray, cases, coordinate, interval, triple};
use super::hull::{SlabHull, SlabRays};
use super::record::{PER_REACH, SlabRecord};
use super::single::{SlabAxes, SlabLanes};
use crate::math::UNIT_ROUNDOFF;
use crate::simd::{
    Backend, LANES, Lanes, MAX_LANES, MAX_STREAM_RAYS, Mask, Real, Rearrange, dispatch,
};
use crate::tree::aabb_block::LOST;
use crate::tree::{AabbBlock, FiniteRange};
use crate::value::{Aabb, GROUP, GroupColumn, Ray, RayBatch, RayGroup, RaySource};

const CASES: u32 = if cfg!(debug_assertions) { 200 } else { 4_000 };

/// The least positive `f32`.
const LEAST: f64 = f32::from_bits(1) as f64;

/// Where the ray is within the box: from the first to the second `t`, or nowhere.
///
/// A direction component of zero leaves the ray inside that slab for every `t` if its origin lies
/// in the closed slab, and outside for every `t` otherwise.
fn overlap(ray: &Ray, [min, max]: [[f64; 3]; 2]) -> Option<[f64; 2]> {
    let [mut enter, mut exit] = [f64::from(ray.t_min), f64::from(ray.t_max)];
    for axis in 0..3 {
        let (origin, direction) = (f64::from(ray.origin[axis]), f64::from(ray.direction[axis]));
        if min[axis] > max[axis] {
            return None;
        }
        if direction == 0.0 {
            if origin < min[axis] || origin > max[axis] {
                return None;
            }
            continue;
        }
        let one = (min[axis] - origin) / direction;
        let other = (max[axis] - origin) / direction;
        enter = enter.max(one.min(other));
        exit = exit.min(one.max(other));
    }
    (enter <= exit).then_some([enter, exit])
}

fn planes(aabb: &Aabb) -> [[f64; 3]; 2] {
    [aabb.min, aabb.max].map(|corner| corner.map(f64::from))
}

/// The planes of the box, moved outwards by twice as much as the slack of the box and the greatest
/// slack of a ray: that of [`SlabAxes`] or of [`SlabRecord`]. The rest is room for what the tests
/// round.
fn grown(ray: &Ray, aabb: &Aabb, anchor: [f32; 3]) -> [[f64; 3]; 2] {
    let greatest = |of: [f64; 3]| of.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let [min, max] = planes(aabb);
    let [origin, direction, anchor] = [ray.origin, ray.direction, anchor].map(|v| v.map(f64::from));
    let from_anchor = |v: [f64; 3]| [0, 1, 2].map(|axis| v[axis] - anchor[axis]);
    let (from_min, from_max) = (from_anchor(min), from_anchor(max));
    let extent = [0, 1, 2].map(|axis| from_min[axis].abs().max(from_max[axis].abs()));
    let epsilon = f64::from(UNIT_ROUNDOFF);
    let of_ray = epsilon
        * (28.0 * greatest(from_anchor(origin)) + 4.0 * (greatest(origin) + greatest(anchor)))
        + f64::from(f32::MIN_POSITIVE) * (1.0 + f64::from(LOST) * greatest(direction));
    let margin = extent.map(|along_axis| {
        2.0 * (12.0 * epsilon * (along_axis + greatest(extent)) + of_ray) + 4.0 * LEAST
    });
    [[0, 1, 2].map(|axis| min[axis] - margin[axis]), [0, 1, 2].map(|axis| max[axis] + margin[axis])]
}

/// What one slab test says of one ray and eight boxes.
#[derive(Debug)]
struct Answer {
    test: &'static str,
    ray: usize,
    /// Rays out of range meet every box.
    is_in_range: bool,
    /// The boxes met, as bits.
    mask: u32,
    /// Where the ray enters and leaves each box, if the test tells.
    interval: Option<[[f32; LANES]; 2]>,
}

impl Answer {
    fn new<L: Lanes>(
        lanes: L,
        (test, ray, is_in_range): (&'static str, usize, bool),
        (t_enter, t_exit): (L::F32, L::F32),
    ) -> Self {
        let mut interval = [[0.0; LANES]; 2];
        lanes.store(t_enter, &mut interval[0]);
        lanes.store(t_exit, &mut interval[1]);
        Self { test, ray, is_in_range, mask: t_enter.le(t_exit).bits(), interval: Some(interval) }
    }

    /// Whether boxes that lie clear of the ray are missed: the hull of a group meets what any of
    /// its rays may meet.
    fn is_tight(&self) -> bool {
        self.is_in_range && self.test != "hull"
    }
}

/// Rays against boxes by every slab test: alone, in flight, in a stream, and those of a heading in
/// a group with its hull.
#[inline(always)]
fn by_every_test<L: Lanes>(
    lanes: L,
    rays: &[Ray],
    boxes: &AabbBlock,
    anchor: [f32; 3],
    range: FiniteRange,
) -> Vec<Answer> {
    let wide = lanes.widest();
    let mut group = RayGroup::EMPTY;
    let rows: Vec<u32> = (0..rays.len() as u32).collect();
    group.gather(wide, &RaySource::new(&RayBatch::from_rays(rays)), &rows);
    let mut records = [SlabRecord::NONE; GROUP];
    let are_in_range =
        SlabRecord::prepare_group(wide, &group, (anchor, PER_REACH), range, &mut records);
    let mut table = records.to_vec();
    table.resize(MAX_STREAM_RAYS, SlabRecord::NONE);
    let table = table.first_chunk().expect("as long as that");

    let mut answers = Vec::new();
    for (number, ray) in rays.iter().enumerate() {
        let axes = SlabAxes::if_sound_and_in_range(ray, anchor, range, 1.0);
        let is_in_range = axes.is_some();
        let slabs =
            SlabLanes::new(lanes, axes.unwrap_or_else(|| SlabAxes::unbounded(ray)), ray.t_min);
        let found = slabs.slabs(lanes, boxes, ray.t_max);
        answers.push(Answer::new(lanes, ("alone", number, is_in_range), found));

        let is_in_range = are_in_range >> number & 1 == 1;
        let record = records[number].from(ray.t_min);
        let found = record.in_lanes(lanes).slabs(boxes.near_and_far(lanes, record.octant()));
        answers.push(Answer::new(lanes, ("in flight", number, is_in_range), found));

        let (mask, interval) = in_stream(wide, table, (number, ray.t_min), record.octant(), boxes);
        answers.push(Answer {
            test: "stream",
            ray: number,
            is_in_range,
            mask,
            interval: Some(interval),
        });
    }

    let headings = group.headings(wide);
    let mut left = group.live;
    while left != 0 {
        let first = left.trailing_zeros() as usize;
        let same = left & headings.like(first);
        left &= !same;
        group.live = same;
        let (heading, extents) = (headings.of(first), group.extents(lanes));
        if !SlabHull::are_in_range(&extents, heading, range) {
            continue;
        }
        let hull = SlabHull::new(&extents, heading, anchor);
        let of_hull = boxes.slabs_of_hull(lanes, &hull);
        let mut slabs: SlabRays = bytemuck::Zeroable::zeroed();
        slabs.prepare(wide, &group, heading, anchor);
        let near_and_far = boxes.near_and_far(lanes, hull.octant());
        let mut met = [0; LANES];
        for (slot, met) in met.iter_mut().enumerate() {
            *met = in_group(wide, &slabs, boxes.planes(wide, slot, hull.octant()));
        }
        for number in (0..rays.len()).filter(|number| same >> number & 1 == 1) {
            answers.push(Answer::new(lanes, ("hull", number, true), of_hull));
            let found = slabs.one(lanes, number).slabs(near_and_far);
            answers.push(Answer::new(lanes, ("few of a group", number, true), found));
            let bit = |slot: usize| ((met[slot] >> number & 1) as u32) << slot;
            let mask = (0..LANES).map(bit).sum();
            answers.push(Answer {
                test: "group",
                ray: number,
                is_in_range: true,
                mask,
                interval: None,
            });
        }
    }
    answers
}

/// One ray as streams test it: the boxes it meets as bits, and where it enters and leaves each.
#[inline(always)]
fn in_stream<V: Rearrange>(
    lanes: V,
    records: &[SlabRecord; MAX_STREAM_RAYS],
    (number, t_min): (usize, f32),
    octant: usize,
    boxes: &AabbBlock,
) -> (u32, [[f32; LANES]; 2]) {
    let vector = SlabVector::take(lanes, records, &[number as u32; MAX_LANES], lanes.splat(t_min));
    let (mut mask, mut interval) = (0, [[0.0; LANES]; 2]);
    let [entries, exits] = &mut interval;
    for (slot, (entry, exit)) in entries.iter_mut().zip(exits).enumerate() {
        let (t_enter, t_exit) = vector.slabs(boxes.planes(lanes, slot, octant));
        mask |= (t_enter.le(t_exit).bits() & 1) << slot;
        for (end, t) in [(&mut *entry, t_enter), (exit, t_exit)] {
            let mut row = V::Row::zeroed();
            lanes.store(t, &mut row);
            *end = row.as_ref()[0];
        }
    }
    (mask, interval)
}

/// The rays of a group that meet a box, as bits.
#[inline(always)]
fn in_group<V: Rearrange>(lanes: V, slabs: &SlabRays, planes: [[V::Real; 3]; 2]) -> u64 {
    let mut met = 0;
    for vector in GroupColumn::<f32>::vectors::<V>() {
        met |= u64::from(slabs.meet(lanes, planes, vector)) << (vector * V::COUNT);
    }
    met
}

/// What every slab test says on every backend, held against the reference.
fn check(rays: &[Ray], boxes: &[Aabb], anchor: [f32; 3]) -> Vec<Answer> {
    let bounds = boxes.iter().fold(Aabb::EMPTY, |all, aabb| all.merged(aabb));
    let (block, range) = (AabbBlock::anchored(boxes, anchor), FiniteRange::of(&bounds, anchor));
    let mut all = Vec::new();
    for backend in Backend::available() {
        let answers =
            dispatch!(backend, lanes => by_every_test(lanes, rays, &block, anchor, range));
        for answer in &answers {
            for (lane, aabb) in boxes.iter().enumerate() {
                check_one(&rays[answer.ray], aabb, anchor, (answer, lane), backend);
            }
            let empty = answer.mask >> boxes.len();
            assert_eq!(
                empty, 0,
                "{backend}: an empty lane is met by {:?}: {answer:?}",
                rays[answer.ray]
            );
        }
        all.extend(answers);
    }
    all
}

fn check_one(
    ray: &Ray,
    aabb: &Aabb,
    anchor: [f32; 3],
    (answer, lane): (&Answer, usize),
    backend: Backend,
) {
    let met = answer.mask >> lane & 1 == 1;
    let (exact, grown) = (overlap(ray, planes(aabb)), overlap(ray, grown(ray, aabb, anchor)));
    let context = || {
        format!(
            "{backend}: {ray:?}\n{aabb:?}, anchor {anchor:?}\n{answer:?}\n{exact:?} within {grown:?}"
        )
    };
    let found = answer.interval.map(|ends| ends.map(|t| f64::from(t[lane])));
    if let Some([enter, exit]) = exact {
        assert!(met, "a box that the ray meets is missed\n{}", context());
        if let Some([t_enter, t_exit]) = found
            && answer.is_in_range
        {
            let whole = t_enter - LEAST <= enter && exit <= t_exit + LEAST;
            assert!(whole, "the overlap is cut short\n{}", context());
        }
    }
    if !answer.is_tight() {
        return;
    }
    let Some([enter, exit]) = grown else {
        return assert!(!met, "a box that lies clear of the ray is met\n{}", context());
    };
    if let Some([t_enter, t_exit]) = found
        && met
    {
        let inexact = |t: f64| 1e-6 * t.abs() + 1e-44;
        let near = enter - inexact(enter) <= t_enter && t_exit <= exit + inexact(exit);
        assert!(near, "the overlap reaches too far\n{}", context());
    }
}

/// Asserts that the ray truly meets the box: every slab test then does.
fn assert_meets(ray: Ray, aabb: Aabb) {
    assert!(overlap(&ray, planes(&aabb)).is_some(), "{ray:?} does not meet {aabb:?}");
    check(&[ray], &[aabb], [0.0; 3]);
}

/// Asserts that no slab test meets the box.
fn assert_misses(ray: Ray, aabb: Aabb) {
    for answer in check(&[ray], &[aabb], [0.0; 3]) {
        assert!(answer.is_in_range && answer.mask == 0, "{ray:?} {aabb:?} {answer:?}");
    }
}

fn unit_box() -> Aabb {
    Aabb { min: [-1.0; 3], max: [1.0; 3] }
}

fn any_box() -> impl Strategy<Value = Aabb> {
    (triple(coordinate().boxed()), triple(coordinate().boxed()))
        .prop_map(|(a, b)| Aabb::around([a, b]))
}

proptest! {
    #![proptest_config(cases(CASES))]

    #[test]
    fn slab_tests_agree_with_the_reference(
        rays in prop::collection::vec(any_ray(), 1..=16),
        boxes in prop::collection::vec(any_box(), 1..=8),
        anchor_in_box in any::<bool>(),
    ) {
        check(&rays, &boxes, if anchor_in_box { boxes[0].min } else { [0.0; 3] });
    }

    /// At corners, edges, faces and insides, from anywhere.
    #[test]
    fn slab_tests_agree_with_the_reference_at_borders_of_boxes(
        boxes in prop::collection::vec(any_box(), 1..=8),
        weights in prop::collection::vec(
            triple(prop_oneof![Just(0.0_f32), Just(1.0), Just(0.5)].boxed()),
            1..=8,
        ),
        origin in triple(coordinate().boxed()),
        interval in interval(),
        anchor_in_box in any::<bool>(),
    ) {
        let mut rays = Vec::new();
        for target in &boxes {
            for weights in &weights {
                let point = std::array::from_fn(|axis| match weights[axis] {
                    0.0 => target.min[axis],
                    1.0 => target.max[axis],
                    _ => target.min[axis] * 0.5 + target.max[axis] * 0.5,
                });
                rays.extend(aimed(origin, point, interval));
            }
        }
        if !rays.is_empty() {
            check(&rays, &boxes, if anchor_in_box { boxes[0].min } else { [0.0; 3] });
        }
    }
}

#[test]
fn ray_in_a_face_meets_the_box() {
    for axis in 0..3 {
        for side in [-1.0_f32, 1.0] {
            for zero in [0.0_f32, -0.0] {
                let (mut origin, mut direction) = ([0.0; 3], [zero; 3]);
                (origin[axis], origin[(axis + 1) % 3]) = (side, -5.0);
                direction[(axis + 1) % 3] = 1.0;
                assert_meets(Ray::new(origin, direction), unit_box());
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
                assert_meets(Ray::new(origin, direction), unit_box());
            }
        }
    }
}

#[test]
fn ray_touching_a_corner_meets_the_box() {
    for corner in [[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, 1.0]] as [[f32; 3]; 3] {
        // Perpendicular to the box's diagonal through that corner: touches nothing else.
        assert_meets(Ray::line(corner, [corner[0], -corner[1], 0.0]), unit_box());
    }
}

#[test]
fn ray_that_passes_a_face_by_more_than_the_slack_misses() {
    for off in [1e-4_f32, 1e-3, 1.0] {
        for zero in [0.0_f32, -0.0] {
            assert_misses(Ray::new([-5.0, 1.0 + off, 0.0], [1.0, zero, zero]), unit_box());
            assert_misses(Ray::new([-5.0, zero, -1.0 - off], [1.0, zero, zero]), unit_box());
        }
    }
}

#[test]
fn flat_boxes_are_met_from_every_side() {
    let flat = Aabb { min: [-1.0, 0.0, -1.0], max: [1.0, 0.0, 1.0] };
    assert_meets(Ray::new([0.3, 5.0, 0.2], [0.0, -1.0, 0.0]), flat);
    assert_meets(Ray::new([-5.0, 0.0, 0.0], [1.0, 0.0, 0.0]), flat);
    let point = Aabb { min: [0.25; 3], max: [0.25; 3] };
    assert_meets(Ray::new([0.0; 3], [1.0; 3]), point);
    assert_meets(Ray::new([0.25; 3], [1.0, 0.0, 0.0]), point);
}

#[test]
fn ray_starting_on_a_face_meets_the_box_both_ways() {
    for direction in [[1.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] {
        assert_meets(Ray::new([1.0, 0.5, 0.5], direction), unit_box());
        assert_meets(Ray::new([-1.0, 0.5, 0.5], direction), unit_box());
    }
}

#[test]
fn interval_ending_exactly_on_a_face_meets_the_box() {
    let ray = Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    for [t_min, t_max] in [[0.0, 2.0], [4.0, 9.0], [2.0, 2.0]] {
        assert_meets(ray.with_interval(t_min, t_max), unit_box());
    }
    assert_misses(ray.with_interval(0.0, 1.999), unit_box());
    assert_misses(ray.with_interval(4.001, 9.0), unit_box());
}

#[test]
fn box_behind_the_origin_is_missed_by_a_ray_and_met_by_a_line() {
    let ray = Ray::new([3.0, 0.0, 0.0], [1.0, 0.0, 0.0]);
    assert_misses(ray, unit_box());
    assert_meets(Ray::line(ray.origin, ray.direction), unit_box());
    assert_meets(ray.with_interval(-5.0, -3.0), unit_box());
}

#[test]
fn subnormal_boxes_are_met() {
    let tiny = f32::from_bits(40);
    let small = Aabb { min: [-tiny; 3], max: [tiny; 3] };
    for direction in [[1.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1e-30, 0.0, 0.0], [1e30, -1e30, 0.0]] {
        assert_meets(Ray::new([0.0; 3], direction), small);
        assert_meets(Ray::line([tiny; 3], direction), small);
    }
}

#[test]
fn boxes_far_from_the_anchor_are_met() {
    let far = Aabb { min: [1e7, -1e7, 1e7], max: [1e7 + 1.0, -1e7 + 1.0, 1e7 + 1.0] };
    assert_meets(Ray::new([1e7 - 8.0, -1e7 + 1.0, 1e7], [1.0, 0.0, 0.0]), far);
    assert_meets(Ray::new([0.0; 3], [1.0, -1.0, 1.0]), far);
    assert_misses(Ray::new([0.0; 3], [1.0, 1.0, 1.0]), far);
}

#[test]
fn boxes_of_the_greatest_size_are_met() {
    let most = 2.0_f32.powi(100);
    let huge = Aabb { min: [-most; 3], max: [most; 3] };
    for direction in [[1.0, 0.0, 0.0], [-1e-30, 1e-30, 0.0], [1e30, 1e30, 1e30]] {
        for origin in [[0.0; 3], [most; 3], [-most, most, 0.0]] {
            assert_meets(Ray::line(origin, direction), huge);
        }
    }
}

#[test]
fn direction_components_of_wildly_different_size_lose_no_box() {
    let sizes = [1e-45, 1e-38, 1e-30, 1e-8, 1.0, 1e8, 1e30_f32];
    let boxes =
        [unit_box(), Aabb { min: [1.0; 3], max: [2.0; 3] }, Aabb { min: [0.0; 3], max: [0.0; 3] }];
    let mut rays = Vec::new();
    for (i, dx) in sizes.into_iter().enumerate() {
        for dy in sizes {
            for dz in [sizes[(i + 3) % sizes.len()], -0.0] {
                for sign in [1.0, -1.0] {
                    for origin in [[-3.0, 1.0, 0.5], [0.0; 3], [1.0, -1.0, 1.0], [2.0; 3]] {
                        rays.push(Ray::line(origin, [sign * dx, -dy, dz]));
                    }
                }
            }
        }
    }
    rays.retain(|ray| ray.find_defect().is_none());
    for rays in rays.chunks(GROUP) {
        check(rays, &boxes, [0.0; 3]);
    }
}

/// A far neighbour makes no other box of a block wider, in whatever lane it is.
#[test]
fn answer_of_a_box_does_not_depend_on_its_neighbours() {
    let ray = Ray::new([-5.0, 0.3, 0.1], [1.0, 0.01, -0.02]);
    let beside = Aabb { min: [-1.0, 0.4, -1.0], max: [1.0, 91.0, 1.0] };
    let far = Aabb { min: [1e7; 3], max: [2e7; 3] };
    for neighbour in [beside, far] {
        for lane in 0..LANES {
            let mut boxes = [neighbour; LANES];
            (boxes[lane], boxes[(lane + 1) % LANES]) = (unit_box(), beside);
            for answer in check(&[ray], &boxes, [0.0; 3]) {
                assert_eq!(answer.mask, 1 << lane, "{answer:?}");
            }
        }
    }
}

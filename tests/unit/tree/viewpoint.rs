use lanecast_reference::exact::Exact;

use super::*;
use crate::random::Random;
use crate::simd::{Backend, Lanes, Mask, Real, dispatch};
use crate::traverse::slab::{PER_REACH, SlabAxes, SlabLanes, SlabRays, SlabRecord};
use crate::tree::aabb_block::{AabbBlock, FiniteRange};
use crate::value::{GROUP, RayBatch};

/// The radius of the earth in metres.
const FAR: f64 = 6.4e6;

fn exactly(x: f64) -> Exact {
    Exact::from_f64(x)
}

/// Boxes as they may lie in a survey, some of them points, and how large what most of them are amid
/// is.
fn surveys() -> Vec<(&'static str, f64, Vec<Aabb<f64>>)> {
    let mut random = Random::new(1);
    let mut boxes = |count: usize, around: [f64; 3], reach: f64| -> Vec<Aabb<f64>> {
        let mut one = |_| {
            let [a, b] = [(); 2].map(|()| random.near(around, reach));
            let b = if random.below(2) == 0 { a } else { b };
            Aabb { min: [0, 1, 2].map(|i| a[i].min(b[i])), max: [0, 1, 2].map(|i| a[i].max(b[i])) }
        };
        (0..count).map(&mut one).collect()
    };
    let earth = [FAR, -0.3 * FAR, 0.7 * FAR];
    vec![
        ("at the origin", 1.0, boxes(40, [0.0; 3], 1.0)),
        ("on earth", 30.0, boxes(40, earth, 30.0)),
        ("one at the centre", 1.0, [boxes(40, earth, 1.0), boxes(1, [0.0; 3], 0.0)].concat()),
        ("one out of all reach", 1.0, [boxes(40, earth, 1.0), boxes(1, [1e30; 3], 1.0)].concat()),
        ("two places", 1e-3, [boxes(21, earth, 1e-3), boxes(20, [0.0; 3], 1e3)].concat()),
        ("tiny", 1e-60, boxes(40, [0.0; 3], 1e-60)),
        ("less than tiny", 1e-306, boxes(40, [0.0; 3], 1e-306)),
        ("vast", 1e30, boxes(40, [0.0; 3], 1e30)),
        ("all in one place", 1.0, boxes(1, earth, 0.0)),
        ("nothing", 1.0, Vec::new()),
    ]
}

fn around(boxes: &[Aabb<f64>]) -> Aabb<f64> {
    boxes.iter().fold(Aabb::EMPTY, |all, aabb| all.merged(aabb))
}

fn viewpoint_of(boxes: &[Aabb<f64>]) -> Viewpoint {
    Viewpoint::amid(boxes.len(), |index| boxes[index as usize], &around(boxes))
}

#[test]
fn boxes_hold_what_they_are_of_and_little_more() {
    for (name, _, boxes) in surveys() {
        let viewpoint = viewpoint_of(&boxes);
        for aabb in &boxes {
            let seen = viewpoint.box_of(aabb);
            for axis in 0..3 {
                let truly = |x: f64| {
                    (exactly(x) - exactly(viewpoint.anchor[axis])) * exactly(viewpoint.scale)
                };
                for (end, seen, outwards) in
                    [(aabb.min[axis], seen.min[axis], -1.0), (aabb.max[axis], seen.max[axis], 1.0)]
                {
                    let end = truly(end);
                    let room = (exactly(seen.into()) - &end) * exactly(outwards);
                    assert!(!room.is_negative(), "{name}: {aabb:?}");
                    let most = end.abs() * Exact::power(-22) + Exact::power(-147);
                    assert!(room <= most, "{name}: {aabb:?}");
                }
            }
        }
    }
}

#[test]
fn what_is_far_away_makes_nothing_coarser() {
    for (name, size, boxes) in surveys() {
        let viewpoint = viewpoint_of(&boxes);
        let nearest = boxes.iter().map(|aabb| {
            (0..3).fold(0.0_f64, |most, axis| {
                most.max((aabb.min[axis] - viewpoint.anchor[axis]).abs())
            })
        });
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        assert!(
            boxes.is_empty() || nearest <= 2.0 * size,
            "{name}: the nearest is {nearest:e} away"
        );
        let farthest =
            boxes.iter().map(|aabb| viewpoint.box_of(aabb)).fold(0.0_f32, |most, aabb| {
                aabb.min.iter().chain(&aabb.max).fold(most, |most, x| most.max(x.abs()))
            });
        assert!(f64::from(farthest) <= 2.1 * FARTHEST, "{name}: seen at {farthest:e}");
    }
}

/// Whether a ray is in range, and whether it meets one box: alone, in flight, and in a group if in
/// range.
#[inline(always)]
fn meets<L: Lanes>(
    lanes: L,
    viewpoint: &Viewpoint,
    ray: &Ray<f64>,
    range: FiniteRange,
    boxes: &AabbBlock,
) -> (bool, [bool; 3]) {
    let (seen, scale) = viewpoint.ray(ray);
    let axes = SlabAxes::if_sound_and_in_range(&seen, ANCHOR, range, 1.0);
    let alone =
        SlabLanes::new(lanes, axes.unwrap_or_else(|| SlabAxes::unbounded(&seen)), seen.t_min);
    let alone = alone.slabs(lanes, boxes, seen.t_max);

    let (mut given, mut group) = (RayGroup::EMPTY, RayGroup::EMPTY);
    let mut scales = GroupColumn::ZERO;
    given.gather_wide(
        lanes.widest(),
        &RaySource::new(&RayBatch::from_rays(std::slice::from_ref(ray))),
        &[0],
    );
    viewpoint.group(lanes.widest(), &given, &mut group, &mut scales);
    assert_eq!((group.ray(0), scales.get(0)), (seen, scale), "together they are seen otherwise");
    let mut records = [SlabRecord::NONE; GROUP];
    let wide = lanes.widest();
    let are_in_range =
        SlabRecord::prepare_group(wide, &group, (ANCHOR, PER_REACH), range, &mut records) & 1 == 1;
    let record = records[0].from(group.columns.t_min.get(0));
    let in_flight = record.in_lanes(lanes).slabs(boxes.near_and_far(lanes, record.octant()));

    let mut slabs: SlabRays = bytemuck::Zeroable::zeroed();
    let heading = group.headings(wide).of(0);
    slabs.prepare(wide, &group, heading, ANCHOR);
    let planes = boxes.planes(wide, 0, usize::from(heading.octant));
    let in_group = !are_in_range || slabs.meet(wide, planes, 0) & 1 == 1;

    let [alone, in_flight] =
        [alone, in_flight].map(|(t_enter, t_exit)| t_enter.le(t_exit).bits() & 1 == 1);
    (axes.is_some(), [alone, in_flight, in_group])
}

/// Rays from anywhere, along anything, and a `t` at which each is somewhere.
fn ray_from(random: &mut Random, boxes: &[Aabb<f64>], size: f64) -> (Ray<f64>, f64) {
    let aabb = boxes[random.below(boxes.len())];
    let far = [0.0, 1e-3, 1.0, 1e3, 1e9, 1e17, 1e60][random.below(7)];
    let origin = random.near(aabb.min, (size * far).min(1e85));
    let mut direction: [f64; 3] = [0, 1, 2].map(|axis| aabb.max[axis] - origin[axis]);
    match random.below(4) {
        0 => direction[random.below(3)] = 0.0,
        1 => direction[random.below(3)] *= 1e-9,
        _ => {}
    }
    let longest = direction.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let length = [1.0, 3.7, 1e-80, 1e80][random.below(4)];
    let shrink = if longest > 0.0 { length / longest } else { 1.0 };
    let t = longest / length * [1.0, 1.0, 0.5, -3.0][random.below(4)];
    (Ray::new(origin, direction.map(|x| x * shrink)), t)
}

/// A box of `f64` around where a ray is at `t`, as small as can be; `None` if that is nowhere.
fn place_of(ray: &Ray<f64>, t: f64) -> Option<Aabb<f64>> {
    let (mut min, mut max) = ([0.0; 3], [0.0; 3]);
    for axis in 0..3 {
        let about = ray.origin[axis] + t * ray.direction[axis];
        if about.abs() > 1e30 || !t.is_finite() {
            return None;
        }
        // As far off as the sum and the product may be rounded.
        let off = f64::EPSILON * (ray.origin[axis].abs() + (t * ray.direction[axis]).abs());
        (min[axis], max[axis]) = ((about - off).next_down(), (about + off).next_up());
    }
    Some(Aabb { min, max })
}

/// Whether that box is what it says, in exact numbers.
fn assert_place(place: &Aabb<f64>, ray: &Ray<f64>, t: f64) {
    for axis in 0..3 {
        let truly = exactly(ray.origin[axis]) + exactly(t) * exactly(ray.direction[axis]);
        let is_within = exactly(place.min[axis]) <= truly && truly <= exactly(place.max[axis]);
        assert!(is_within, "{ray:?} at {t:e}");
    }
}

#[test]
fn rays_meet_the_boxes_of_where_they_are() {
    let rays = if cfg!(debug_assertions) { 300 } else { 20_000 };
    let mut random = Random::new(2);
    let (mut bounded, mut unbounded) = (0, 0);
    for (name, size, boxes) in surveys().into_iter().filter(|(_, _, boxes)| !boxes.is_empty()) {
        let viewpoint = viewpoint_of(&boxes);
        let range = FiniteRange::of(&viewpoint.box_of(&around(&boxes)), ANCHOR);
        for number in 0..rays {
            let (ray, t) = ray_from(&mut random, &boxes, size);
            if ray.find_defect().is_some() {
                continue;
            }
            let Some(place) = place_of(&ray, t) else { continue };
            // Two roundings are bounded for every ray; exact numbers, which are slow, confirm it
            // for some.
            if number % 16 == 0 {
                assert_place(&place, &ray, t);
            }
            let place = viewpoint.box_of(&place);
            let is_within =
                place.min.iter().chain(&place.max).all(|x| f64::from(x.abs()) <= 2.1 * FARTHEST);
            // No box of the tree lies farther out; but from there a ray may meet any.
            let (place, ray) = if is_within {
                (place, ray.with_interval(t, t))
            } else {
                let some = &boxes[random.below(boxes.len())];
                (viewpoint.box_of(some), ray.with_interval(f64::NEG_INFINITY, f64::INFINITY))
            };
            let block = AabbBlock::anchored(&[place], ANCHOR);
            for backend in Backend::available() {
                let (is_in_range, met) =
                    dispatch!(backend, lanes => meets(lanes, &viewpoint, &ray, range, &block));
                assert!(
                    met == [true; 3] || is_in_range && !is_within,
                    "{name}, {backend}: {ray:?}, {place:?}, {met:?}"
                );
                (bounded, unbounded) =
                    if is_in_range { (bounded + 1, unbounded) } else { (bounded, unbounded + 1) };
            }
        }
    }
    let rays = rays * Backend::available().count();
    assert!(bounded > 5 * rays && unbounded > rays / 4, "{bounded} in range, {unbounded} not");
}
#[test]
fn what_is_not_below_is_not_far_above() {
    let mut numbers = vec![0.0, f64::MIN_POSITIVE, 1e-46, 1e-40, 1e300, f64::INFINITY];
    for power in -149..128 {
        for factor in [1.0, 1.0_f64.next_up(), 1.0 + 2e-8, 1.5, 2.0_f64.next_down()] {
            numbers.push(factor * 2.0_f64.powi(power));
        }
    }
    for x in numbers.iter().flat_map(|&x| [x, -x]) {
        let above = f64::from(not_below::<f32>(x));
        assert!(x <= above, "{x:e} became {above:e}");
        let most =
            (x.abs() * 4.0 * f64::from(f32::EPSILON)).max(4.0 * f64::from(f32::MIN_POSITIVE));
        assert!(above - x <= most || x.abs() > f64::from(f32::MAX), "{x:e} became {above:e}");
    }
    assert_eq!(not_below::<f32>(f64::INFINITY), f32::INFINITY);
}

use bytemuck::Zeroable;

use super::*;
use crate::math::longest_axis;
use crate::simd::{Backend, LANES, MAX_LANES, dispatch};
use crate::traverse::slab::derivation::{assert_moved_outwards, hazards};
use crate::tree::AabbBlock;
use crate::value::{Aabb, Ray, RayBatch, RaySource};

/// The rays of records as vectors take them from a table, as vectors of a lane each.
#[inline(always)]
fn taken<V: Rearrange>(lanes: V, records: &[SlabRecord], t_min: &[f32]) -> Vec<SlabVector<f32>> {
    let mut taken = Vec::new();
    let mut table = records.to_vec();
    table.resize(MAX_STREAM_RAYS, SlabRecord::NONE);
    let table = table.first_chunk().expect("as long as that");
    for first in (0..records.len()).step_by(V::COUNT) {
        let numbers: Vec<u32> =
            (0..MAX_LANES).map(|lane| (first + lane).min(records.len() - 1) as u32).collect();
        let mut row = V::Row::zeroed();
        for (t, &number) in row.as_mut().iter_mut().zip(&numbers) {
            *t = t_min[number as usize];
        }
        let vector = SlabVector::take(lanes, table, &numbers, lanes.load(&row));
        for lane in 0..V::COUNT.min(records.len() - first) {
            let of = |values: V::Real| {
                let mut row = V::Row::zeroed();
                lanes.store(values, &mut row);
                row.as_ref()[lane]
            };
            taken.push(SlabVector {
                near_offset: vector.near_offset.map(of),
                far_offset: vector.far_offset.map(of),
                inv_direction: vector.inv_direction.map(of),
                t_min: of(vector.t_min),
                t_max: of(vector.t_max),
            });
        }
    }
    taken
}

/// The rays as records, which of them are in range, and as vectors of a lane each.
#[inline(always)]
fn together<L: Lanes>(
    lanes: L,
    rays: &[Ray],
    anchor: [f32; 3],
    range: FiniteRange,
) -> (Vec<SlabRecord>, u64, Vec<SlabVector<f32>>) {
    let (mut group, mut into) = (RayGroup::EMPTY, [SlabRecord::NONE; GROUP]);
    let rows: Vec<u32> = (0..rays.len() as u32).collect();
    group.gather(lanes.widest(), &RaySource::new(&RayBatch::from_rays(rays)), &rows);
    let are_in_range =
        SlabRecord::prepare_group(lanes.widest(), &group, (anchor, PER_REACH), range, &mut into);
    let records = into[..rays.len()].to_vec();
    let t_min: Vec<f32> = rays.iter().map(|ray| ray.t_min).collect();
    let alone = taken(lanes, &records, &t_min);
    let widest = taken(lanes.widest(), &records, &t_min);
    for (alone, widest) in alone.iter().zip(&widest) {
        assert_eq!(numbers(alone), numbers(widest));
    }
    (records, are_in_range, widest)
}

fn numbers(ray: &SlabVector<f32>) -> Vec<f32> {
    let SlabVector { near_offset, far_offset, inv_direction, t_min, t_max } = ray;
    [near_offset.as_slice(), far_offset, inv_direction, &[*t_min, *t_max]].concat()
}

#[test]
fn planes_are_moved_outwards_far_enough() {
    let rays = hazards();
    let range = FiniteRange::of(&Aabb { min: [-1.0; 3], max: [1.0; 3] }, [0.0; 3]);
    for anchor in [[0.0; 3], [5.0, -1.0, 1e6], [1.0, 1.0, 0.0]] {
        for backend in Backend::available() {
            let (records, are_in_range, taken) =
                dispatch!(backend, lanes => together(lanes, &rays, anchor, range));
            for (place, (ray, record)) in rays.iter().zip(&records).enumerate() {
                let longest = longest_axis(ray.direction.map(f32::abs));
                let length = ray.direction[longest].abs();
                assert_eq!(
                    are_in_range >> place & 1 == 1,
                    range.holds(length, ray.origin),
                    "{ray:?}"
                );
                let alone = record.from(ray.t_min);
                assert_eq!(
                    [alone.t_min, alone.t_max],
                    [ray.t_min, ray.t_max],
                    "{backend}: {ray:?}"
                );
                assert_eq!(numbers(&taken[place]), numbers(&alone), "{backend}: {ray:?}");
                if !range.holds(length, ray.origin) {
                    continue;
                }
                for axis in 0..3 {
                    assert_eq!(
                        alone.octant() >> axis & 1 == 1,
                        ray.direction[axis] < 0.0,
                        "{backend}: {ray:?}"
                    );
                }
                let farthest = ray.origin.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
                let SlabVector { near_offset, far_offset, inv_direction, .. } = alone;
                assert_moved_outwards(
                    ray,
                    anchor,
                    [near_offset, far_offset, inv_direction],
                    [1.0, farthest],
                );
            }
        }
    }
}

#[inline(always)]
fn boxes_met<L: Lanes>(lanes: L, ray: &SlabVector<f32>, boxes: &AabbBlock) -> u32 {
    let (t_enter, t_exit) = ray.in_lanes(lanes).slabs(boxes.near_and_far(lanes, ray.octant()));
    t_enter.le(t_exit).bits()
}

#[test]
fn rays_that_are_not_tame_meet_every_box_that_is_not_empty() {
    let mut rays = hazards();
    for ray in &mut rays {
        ray.direction = ray.direction.map(|component| 1e-30 * component.clamp(-1.0, 1.0));
    }
    let reach = 1e30;
    let boxes: Vec<Aabb> = [-reach, -1.0, 0.0, 2.0, reach]
        .map(|x| Aabb { min: [x, -x, x.min(3.0)], max: [x, -x, 4.0_f32.max(x)] })
        .to_vec();
    let range = FiniteRange::of(&Aabb { min: [-reach; 3], max: [reach; 3] }, [0.0; 3]);
    let mut tried = 0;
    for backend in Backend::available() {
        let (records, are_in_range, _) =
            dispatch!(backend, lanes => together(lanes, &rays, [0.0; 3], range));
        for (place, (ray, record)) in rays.iter().zip(&records).enumerate() {
            if are_in_range >> place & 1 == 0 {
                let (ray, block) = (record.from(ray.t_min), AabbBlock::anchored(&boxes, [0.0; 3]));
                let met = dispatch!(backend, lanes => boxes_met(lanes, &ray, &block));
                assert_eq!(met, (1 << boxes.len()) - 1, "{backend}: {ray:?}");
                tried += 1;
            }
        }
    }
    assert!(tried > 20, "{tried}");
    assert!(boxes.len() < LANES, "some lanes are empty");
}

#[test]
fn no_ray_meets_an_empty_box_where_the_anchor_is_far_from_the_scene() {
    let (anchor, scene) = ([0.0, 0.0, 1e29], Aabb { min: [-1.0; 3], max: [1.0; 3] });
    let mut rays = hazards();
    for ray in &mut rays {
        ray.direction = ray.direction.map(|component| 1e-18 * component.clamp(-1.0, 1.0));
    }
    let (range, block) = (FiniteRange::of(&scene, anchor), AabbBlock::anchored(&[scene], anchor));
    for backend in Backend::available() {
        let (records, ..) = dispatch!(backend, lanes => together(lanes, &rays, anchor, range));
        for (ray, record) in rays.iter().zip(&records) {
            let met = dispatch!(backend, lanes => boxes_met(lanes, &record.from(0.0), &block));
            assert!(met <= 1, "{backend}: {met:b} of {ray:?}");
        }
    }
}

use super::*;
use crate::simd::{Backend, LANES, Mask, dispatch};
use crate::traverse::slab::derivation::{assert_moved_outwards, hazards};
use crate::value::Aabb;

#[test]
fn planes_are_moved_outwards_far_enough() {
    let scene = Aabb { min: [-6.0; 3], max: [6.0; 3] };
    let mut tried = 0;
    for anchor in [[0.0_f32; 3], [5.0, -1.0, 6.0], [1.0, 1.0, 0.0]] {
        let range = FiniteRange::of(&scene, anchor);
        for ray in hazards() {
            let Some(SlabAxes { near_offset, far_offset, inverse }) =
                SlabAxes::if_sound_and_in_range(&ray, anchor, range, 1.0)
            else {
                continue;
            };
            let [near_offset, far_offset, inverse] =
                [near_offset, far_offset, inverse].map(|quad| {
                    let [x, y, z, _] = quad.to_array();
                    [x, y, z]
                });
            let [anchor_reach, origin_reach] = [anchor, ray.origin]
                .map(|point| point.iter().fold(0.0_f32, |most, x| most.max(x.abs())));
            let farthest = anchor_reach + origin_reach;
            assert_moved_outwards(
                &ray,
                anchor,
                [near_offset, far_offset, inverse],
                [0.25, farthest],
            );
            tried += 1;
        }
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn a_component_of_minus_zero_runs_backwards_as_its_planes_do() {
    let range = FiniteRange::of(&Aabb { min: [-1.0; 3], max: [1.0; 3] }, [0.0; 3]);
    let ray = Ray::new([0.0; 3], [-0.0, 0.0, 1.0]);
    let axes = SlabAxes::if_sound_and_in_range(&ray, [0.0; 3], range, 1.0).expect("a sound ray");
    assert_eq!(axes.inverse.to_bitmask(), 0b001);
    let [x, y, z, _] = axes.inverse.to_array();
    assert_eq!([x, y, z], [-ENDLESS, ENDLESS, 1.0]);
}

#[test]
fn possibly_defective_or_out_of_range_rays_are_left_to_others() {
    let range = FiniteRange::of(&Aabb { min: [-1.0; 3], max: [1.0; 3] }, [0.0; 3]);
    let sound = Ray::new([1.0, 2.0, 3.0], [0.0, -1.0, 0.5]);
    let is_ready = |ray: &Ray| SlabAxes::if_sound_and_in_range(ray, [0.0; 3], range, 1.0).is_some();
    assert!(is_ready(&sound));
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for axis in 0..3 {
            let mut ray = sound;
            ray.origin[axis] = value;
            assert!(!is_ready(&ray), "{ray:?}");
            let mut ray = sound;
            ray.direction[axis] = value;
            assert!(!is_ready(&ray), "{ray:?}");
        }
    }
    for ray in [
        sound.with_interval(2.0, 1.0),
        sound.with_interval(f32::NAN, 1.0),
        sound.with_interval(0.0, f32::NAN),
        Ray::new([0.0; 3], [0.0, -0.0, 0.0]),
        Ray::new([0.0; 3], [0.0, 1e-38, 0.0]),
        Ray::new([1e29, 0.0, 0.0], [0.0, 0.0, 0.1]),
    ] {
        assert!(!is_ready(&ray), "{ray:?}");
    }
}

#[inline(always)]
fn boxes_met<L: Lanes>(lanes: L, ray: &Ray, boxes: &AabbBlock) -> u32 {
    let slabs = SlabLanes::new(lanes, SlabAxes::unbounded(ray), ray.t_min);
    let (t_enter, t_exit) = slabs.slabs(lanes, boxes, ray.t_max);
    t_enter.le(t_exit).bits()
}

#[test]
fn unbounded_rays_meet_every_box_that_is_not_empty() {
    let reach = 1e30;
    let boxes: Vec<Aabb> = [-reach, -1.0, 0.0, 2.0, reach]
        .map(|x| Aabb { min: [x, -x, x.min(3.0)], max: [x, -x, 4.0_f32.max(x)] })
        .to_vec();
    assert!(boxes.len() < LANES, "some lanes are empty");
    let block = AabbBlock::anchored(&boxes, [0.0; 3]);
    for backend in Backend::available() {
        for ray in hazards() {
            let met = dispatch!(backend, lanes => boxes_met(lanes, &ray, &block));
            assert_eq!(met, (1 << boxes.len()) - 1, "{backend}: {ray:?}");
        }
    }
}

#[test]
fn no_ray_meets_an_empty_box_whatever_the_stretch() {
    let scene = Aabb { min: [-1.0; 3], max: [1.0; 3] };
    let block = AabbBlock::anchored(&[scene], [0.0; 3]);
    let mut in_range = 0;
    for stretch in [1.0, 4.0, 1e6, 1e9, 1e30, f32::INFINITY] {
        let range = FiniteRange::of(&scene, [0.0; 3]).stretched(stretch);
        for mut ray in hazards() {
            ray.direction = ray.direction.map(|component| 1e-27 * component.clamp(-1.0, 1.0));
            let axes = SlabAxes::if_sound_and_in_range(&ray, [0.0; 3], range, stretch);
            let Some(axes) = axes else { continue };
            in_range += 1;
            for backend in Backend::available() {
                let met = dispatch!(backend, lanes => {
                    let slabs = SlabLanes::new(lanes, axes, 0.0);
                    let (t_enter, t_exit) = slabs.slabs(lanes, &block, f32::INFINITY);
                    t_enter.le(t_exit).bits()
                });
                assert!(met <= 1, "{backend}: {met:b} of {ray:?}, stretched by {stretch}");
            }
        }
    }
    assert!(in_range > 20, "{in_range}");
}

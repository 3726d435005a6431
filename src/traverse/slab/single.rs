//! A single ray, made ready for the slab test as fast as can be: it waits for that before it can visit a node.

use crate::math::UNIT_ROUNDOFF;
use crate::simd::{Lanes, Quad, Real};
use crate::tree::aabb_block::{ENDLESS, LOST, SLACK};
use crate::tree::{AabbBlock, TameRays};
use crate::value::{Line, Ray, RayParts};

/// How far planes are moved for an origin at a distance of 1 from the anchor.
pub(crate) const STRETCHED: f32 = 2.0 * SLACK + 4.0 * UNIT_ROUNDOFF;

/// What [`SlabLanes`] are made of: by axis, in the first three lanes.
#[derive(Clone, Copy)]
pub(crate) struct SlabAxes {
    near_offset: Quad,
    far_offset: Quad,
    inverse: Quad,
}

impl SlabAxes {
    /// Makes a ray ready to be tested against boxes widened for `anchor`; `None` if it may have a defect, or is not
    /// surely [tame](TameRays).
    ///
    /// Conservative as told at [`AabbBlock`], but for two things. There a component of the direction counts as zero up to ε
    /// of the longest, c, and its reciprocal is 4 / εc; here only up to ε / 4, where 1 / d comes to the same: what is told
    /// of components that do not count as zero holds at any size. And the slack is that of a
    /// [`SlabRecord`](super::record::SlabRecord), with what the origin is from 0 taken for no more than what it is from the
    /// anchor, and what that is from 0 at most.
    ///
    /// What is in the boxes may be met by a ray that differs from this one by more than a test's own rounding: `stretch`
    /// says by how many times, 1 if not at all.
    #[inline(always)]
    pub(crate) fn if_sound_and_tame(
        ray: &Ray,
        anchor: [f32; 3],
        tame: TameRays,
        stretch: f32,
    ) -> Option<Self> {
        let &Ray { origin, direction, t_min, t_max } = ray;
        let sound = Ray::surely_sound(&RayParts { origin, direction, t_min, t_max });
        let (origin, direction) = (Quad::of_three(origin), Quad::of_three(direction));
        let length = direction.abs();
        let longest = greatest(length);
        let reach = greatest((origin - Quad::of_three(anchor)).abs());
        // One question for all that may be amiss.
        if !(sound & tame.surely_hold(longest, reach)) {
            return None;
        }
        let slack = stretch * STRETCHED * reach
            + (4.0 * UNIT_ROUNDOFF * tame.anchor + f32::MIN_POSITIVE * (1.0 + LOST * longest));
        let size = (Quad::splat(1.0) / length).min(Quad::splat(ENDLESS / longest));
        let inverse = size.with_sign_of(direction);
        let (offset, moved) = (origin * inverse, Quad::splat(slack) * size);
        Some(Self { near_offset: offset + moved, far_offset: offset - moved, inverse })
    }

    /// A ray that meets every box.
    #[inline(always)]
    pub(crate) fn unbounded(ray: &Ray) -> Self {
        // With a sign and a size such that only an empty box, whose planes are infinite, is not met.
        let inverse = Quad::splat(f32::MIN_POSITIVE).with_sign_of(Quad::of_three(ray.direction));
        Self { near_offset: Quad::splat(f32::MAX), far_offset: Quad::splat(-f32::MAX), inverse }
    }
}

/// A ray made ready as those of a [`SlabVector`](super::vector::SlabVector) are, in all lanes.
///
/// One that is not [tame](TameRays) meets every box.
pub(crate) struct SlabLanes<L: Lanes> {
    near_offset: [L::F32; 3],
    far_offset: [L::F32; 3],
    inverse: [L::F32; 3],
    t_min: L::F32,
    octant: usize,
}

impl<L: Lanes> SlabLanes<L> {
    /// The ray from `t_min` on.
    #[inline(always)]
    pub(crate) fn new(lanes: L, axes: SlabAxes, t_min: f32) -> Self {
        let SlabAxes { near_offset, far_offset, inverse } = axes;
        let octant = inverse.negative() as usize;
        let [near_offset, far_offset, inverse] = [near_offset, far_offset, inverse].map(Quad::to_array);
        let zero = lanes.splat(0.0);
        let mut slabs = Self {
            near_offset: [zero; 3],
            far_offset: [zero; 3],
            inverse: [zero; 3],
            t_min: lanes.splat(t_min),
            octant,
        };
        for axis in 0..3 {
            slabs.near_offset[axis] = lanes.splat(near_offset[axis]);
            slabs.far_offset[axis] = lanes.splat(far_offset[axis]);
            slabs.inverse[axis] = lanes.splat(inverse[axis]);
        }
        slabs
    }

    /// Bit `axis` is set where the direction's component is negative; for −0 it is, too.
    #[inline(always)]
    pub(crate) fn octant(&self) -> usize {
        self.octant & 7
    }

    /// The overlap of the ray's interval with each box, up to a `t_max` that counts now, as (t_enter, t_exit);
    /// empty, which is a miss, where t_enter > t_exit.
    #[inline(always)]
    pub(crate) fn slabs(&self, lanes: L, boxes: &AabbBlock, t_max: f32) -> (L::F32, L::F32) {
        let [near, far] = boxes.near_and_far(lanes, self.octant());
        let zero = lanes.splat(0.0);
        let (mut t_near, mut t_far) = ([zero; 3], [zero; 3]);
        for axis in 0..3 {
            t_near[axis] = lanes.mul_sub(near[axis], self.inverse[axis], self.near_offset[axis]);
            t_far[axis] = lanes.mul_sub(far[axis], self.inverse[axis], self.far_offset[axis]);
        }
        // In pairs, so that each waits for one before it and not for two.
        let t_enter = t_near[0].max(t_near[1]).max(t_near[2].max(self.t_min));
        let t_exit = t_far[0].min(t_far[1]).min(t_far[2].min(lanes.splat(t_max)));
        (t_enter, t_exit)
    }
}

/// The greatest of the first three.
#[inline(always)]
fn greatest(of: Quad) -> f32 {
    let [x, y, z, _] = of.to_array();
    Real::max(Real::max(x, y), z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Backend, Kernel, LANES, Mask, dispatch};
    use crate::traverse::slab::derivation::{assert_moved_outwards, hazards};
    use crate::value::Aabb;

    #[test]
    fn planes_are_moved_outwards_far_enough() {
        let scene = Aabb { min: [-6.0; 3], max: [6.0; 3] };
        let mut tried = 0;
        for anchor in [[0.0_f32; 3], [5.0, -1.0, 6.0], [1.0, 1.0, 0.0]] {
            let tame = TameRays::of(&scene, anchor);
            for ray in hazards() {
                let Some(SlabAxes { near_offset, far_offset, inverse }) =
                    SlabAxes::if_sound_and_tame(&ray, anchor, tame, 1.0)
                else {
                    continue;
                };
                let [near_offset, far_offset, inverse] = [near_offset, far_offset, inverse].map(|quad| {
                    let [x, y, z, _] = quad.to_array();
                    [x, y, z]
                });
                let [anchor_reach, origin_reach] =
                    [anchor, ray.origin].map(|point| point.iter().fold(0.0_f32, |most, x| most.max(x.abs())));
                let farthest = anchor_reach + origin_reach;
                assert_moved_outwards(&ray, anchor, [near_offset, far_offset, inverse], [0.25, farthest]);
                tried += 1;
            }
        }
        assert!(tried > 20, "{tried}");
    }

    #[test]
    fn a_component_of_minus_zero_runs_backwards_as_its_planes_do() {
        let tame = TameRays::of(&Aabb { min: [-1.0; 3], max: [1.0; 3] }, [0.0; 3]);
        let ray = Ray::new([0.0; 3], [-0.0, 0.0, 1.0]);
        let axes = SlabAxes::if_sound_and_tame(&ray, [0.0; 3], tame, 1.0).expect("a sound ray");
        assert_eq!(axes.inverse.negative(), 0b001);
        let [x, y, z, _] = axes.inverse.to_array();
        assert_eq!([x, y, z], [-ENDLESS, ENDLESS, 1.0]);
    }

    #[test]
    fn rays_that_may_have_a_defect_or_may_not_be_tame_are_left_to_others() {
        let tame = TameRays::of(&Aabb { min: [-1.0; 3], max: [1.0; 3] }, [0.0; 3]);
        let sound = Ray::new([1.0, 2.0, 3.0], [0.0, -1.0, 0.5]);
        let is_ready = |ray: &Ray| SlabAxes::if_sound_and_tame(ray, [0.0; 3], tame, 1.0).is_some();
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

    struct Meeting<'a>(&'a Ray, &'a AabbBlock);

    impl Kernel for Meeting<'_> {
        type Output = u32;

        fn run<L: Lanes>(self, lanes: L) -> u32 {
            let Self(ray, boxes) = self;
            let slabs = SlabLanes::new(lanes, SlabAxes::unbounded(ray), ray.t_min);
            let (t_enter, t_exit) = slabs.slabs(lanes, boxes, ray.t_max);
            t_enter.le(t_exit).bits()
        }
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
                let met = dispatch(backend, Meeting(&ray, &block));
                assert_eq!(met, (1 << boxes.len()) - 1, "{backend}: {ray:?}");
            }
        }
    }
}

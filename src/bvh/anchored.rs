//! Trees over primitives of `f64`: boxes of `f32` around an anchor of `f64`.
//!
//! Coordinates of a survey are large numbers whose last digits matter: millions of metres, in `f64` to a nanometre, in
//! `f32` to half a metre. Seen from a point amid the scene they are small, and boxes of `f32` around them are as tight as
//! boxes ever are; what is in the leaves is tested in `f64`, where it is. So nodes, and all that walks through them, are
//! those of `f32`. The point lies amid most of the primitives, so that one that is far away makes no box wider but its own.
//!
//! # Why no hit is lost
//!
//! Coordinates are seen relative to the anchor, and scaled by a power of two. They are rounded once in `f64` and once
//! to `f32`, boxes outwards. A ray o + t·d is rounded to `f32` as o' + t·d'. Write ε for 2⁻²⁴, and let all that follows
//! be as it is seen. At a `t` at which the ray meets something of a box, the two lie apart by at most ε(|o| + t|d|) ≤
//! ε(|o| + X) along an axis, where X is the greatest distance along that axis from the origin to a corner of the box;
//! that the test in `f64` rounds too is some 2⁻⁴⁶(X + Z) beside it. A triangle of `f32` may be reported up to (2X + 5Z)ε away
//! from its box, as told at `SlabRay`, and planes are moved by 12ε(X + Z), divided between box and ray by their
//! distances from the tree's own anchor, which is 0. With |c| for the box's that is 12ε(|o| + |c|) along the axis
//! alone, where X is at most |o| + |c|. The test of the planes takes (3X + Z)ε of it; what is left is more than
//! 9ε(|o| + |c|), and ε(|o| + X) is no more than a quarter of that. Where the planes are those of an axis along which
//! the direction counts as zero, as much is left.
//!
//! Directions are scaled by a power of two that brings the longest component to [1, 2), and `t` by its reciprocal and
//! by the scale of the coordinates. That is chosen for the farthest coordinate to be [`FARTHEST`]: what is a part in
//! 2¹⁵⁰ of that is still a normal `f32`. What is below the least of them then counts as zero, as room for it is always
//! left.

use super::{BuildQuality, Bvh, BvhStatistics};
use crate::math::{median, power_of_two};
use crate::primitive::{Aabb, Leaf, SlabAxes, TameRays};
use crate::ray::Ray;
use crate::threads::Spread;

/// A tree over blocks of primitives of `f64`.
#[derive(Debug, Clone)]
pub(crate) struct AnchoredBvh<B> {
    pub(super) bvh: Bvh<B>,
    viewpoint: Viewpoint,
    /// The box around everything.
    bounds: Aabb<f64>,
}

impl<B: Leaf> AnchoredBvh<B> {
    /// As [`Bvh::build`], of boxes that `box_of` says, none of them empty, with coordinates up to 2¹⁰⁰.
    pub(crate) fn build(
        count: usize,
        box_of: impl Fn(u32) -> Aabb<f64> + Sync,
        block: impl Fn(&[u32]) -> B + Sync,
        quality: BuildQuality,
        spread: Spread,
    ) -> Option<Self> {
        let bounds = around((0..count as u32).map(&box_of));
        let viewpoint = Viewpoint::amid(count, &box_of, &bounds);
        let box_of = |index| viewpoint.box_of(&box_of(index));
        let bvh =
            Bvh::build_around(Some(ANCHOR), count, box_of, |indices, _| block(indices), quality, spread)?;
        Some(Self { bvh, viewpoint, bounds })
    }

    /// Every leaf, in the order of the arena.
    pub(crate) fn blocks(&self) -> &[B] {
        self.bvh.blocks()
    }

    /// The box around everything.
    pub(crate) fn bounds(&self) -> Aabb<f64> {
        self.bounds
    }

    /// What the tree is like.
    pub(crate) fn statistics(&self) -> BvhStatistics {
        self.bvh.statistics()
    }

    /// Checks that the tree is whole. `box_of` says the box of one of the primitives in a leaf, by its number.
    pub(crate) fn validate(&self, count: usize, box_of: impl Fn(&B, u32) -> Aabb<f64>) -> Result<(), String> {
        self.bvh.validate(count, |_| false, |block, number| self.viewpoint.box_of(&box_of(block, number)))
    }

    /// A ray without defect as seen from the anchor, and what its `t` were multiplied with.
    #[inline(always)]
    pub(super) fn as_seen(&self, ray: &Ray<f64>) -> (Ray, f64) {
        self.viewpoint.ray(ray)
    }

    /// The ray as the boxes see it.
    #[inline(always)]
    pub(super) fn seen(&self, ray: &Ray<f64>) -> SeenRay {
        SeenRay::new(&self.viewpoint, ray, self.bvh.tame)
    }
}

/// A ray as boxes of `f32` see it.
pub(super) struct SeenRay {
    pub(super) axes: SlabAxes,
    /// Its interval, rounded outwards.
    pub(super) interval: [f32; 2],
    /// What its `t` are multiplied with.
    pub(super) scale: f64,
}

impl SeenRay {
    #[inline(always)]
    fn new(viewpoint: &Viewpoint, ray: &Ray<f64>, tame: TameRays) -> Self {
        let (ray, scale) = viewpoint.ray(ray);
        let axes = SlabAxes::if_sound_and_tame(&ray, ANCHOR, tame, 1.0);
        let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(&ray));
        Self { axes, interval: [ray.t_min, ray.t_max], scale }
    }
}

/// What boxes are widened for: the viewpoint, as it is seen.
const ANCHOR: [f32; 3] = [0.0; 3];

/// The least box around all boxes.
fn around(boxes: impl Iterator<Item = Aabb<f64>>) -> Aabb<f64> {
    let mut all = Aabb { min: [f64::INFINITY; 3], max: [f64::NEG_INFINITY; 3] };
    for aabb in boxes {
        for axis in 0..3 {
            all.min[axis] = all.min[axis].min(aabb.min[axis]);
            all.max[axis] = all.max[axis].max(aabb.max[axis]);
        }
    }
    all
}

/// Where boxes are seen from.
#[derive(Debug, Clone, Copy)]
struct Viewpoint {
    anchor: [f64; 3],
    /// What coordinates relative to the anchor are multiplied with, a power of two.
    scale: f64,
}

/// How far away from the viewpoint the farthest coordinate is seen, but for a factor of two. Rays from 2⁶⁰ times farther
/// are still [tame](crate::primitive::TameRays).
const FARTHEST: f64 = (1_u64 << 32) as f64;

impl Viewpoint {
    /// Amid most of what there is: where half of the boxes lie on either side along each axis.
    fn amid(count: usize, box_of: impl Fn(u32) -> Aabb<f64>, bounds: &Aabb<f64>) -> Self {
        /// As many boxes, evenly among all, tell where most are.
        const ASKED: usize = 1 << 12;
        if count == 0 {
            return Self { anchor: [0.0; 3], scale: 1.0 };
        }
        let asked = (0..count).step_by(count.div_ceil(ASKED)).map(|index| box_of(index as u32));
        let middle = |Aabb { min, max }: Aabb<f64>| [0, 1, 2].map(|axis| 0.5 * (min[axis] + max[axis]));
        let anchor = median(&asked.map(middle).collect::<Vec<_>>());
        let mut reach = 0.0_f64;
        for (axis, anchor) in anchor.into_iter().enumerate() {
            reach = reach.max(bounds.max[axis] - anchor).max(anchor - bounds.min[axis]);
        }
        // So that the scale, and what rays are scaled with, are powers of two far from where these end.
        let reach = reach.max(1.0 / FARTHEST.powi(5));
        Self { anchor, scale: FARTHEST / power_of_two(reach) }
    }

    /// A box as it is seen, rounded outwards.
    fn box_of(&self, aabb: &Aabb<f64>) -> Aabb {
        let seen = |x: f64, axis: usize| ((x - self.anchor[axis]) * self.scale) as f32;
        Aabb {
            min: [0, 1, 2].map(|axis| seen(aabb.min[axis], axis).next_down()),
            max: [0, 1, 2].map(|axis| seen(aabb.max[axis], axis).next_up()),
        }
    }

    /// A ray without defect as it is seen, and what its `t` were multiplied with.
    #[inline(always)]
    fn ray(&self, ray: &Ray<f64>) -> (Ray, f64) {
        let [x, y, z] = ray.direction;
        let longest = power_of_two(x.abs().max(y.abs()).max(z.abs()));
        let shrink = 1.0 / longest;
        let (mut origin, mut direction) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            origin[axis] = ((ray.origin[axis] - self.anchor[axis]) * self.scale) as f32;
            direction[axis] = (ray.direction[axis] * shrink) as f32;
        }
        let scale = longest * self.scale;
        let (t_min, t_max) = (rounded_down(ray.t_min * scale), rounded_up(ray.t_max * scale));
        (Ray { origin, direction, t_min, t_max }, scale)
    }
}

/// The least `f32` that is not below.
#[inline(always)]
pub(super) fn rounded_up(x: f64) -> f32 {
    let nearest = x as f32;
    if f64::from(nearest) < x { nearest.next_up() } else { nearest }
}

/// The greatest `f32` that is not above.
#[inline(always)]
fn rounded_down(x: f64) -> f32 {
    -rounded_up(-x)
}

#[cfg(test)]
mod tests {
    use num_rational::BigRational;

    use super::*;
    use crate::primitive::{AabbBlock, SlabLanes, SlabOffsets};
    use crate::simd::{Backend, Kernel, Lanes, Mask, Real, dispatch};

    /// The radius of the earth in metres.
    const FAR: f64 = 6.4e6;

    fn exactly(x: f64) -> BigRational {
        BigRational::from_float(x).expect("a finite number")
    }

    fn power(exponent: i32) -> BigRational {
        exactly(2.0_f64.powi(exponent))
    }

    /// Numbers without end, the same every time.
    struct Numbers(u64);

    impl Numbers {
        /// From 0 to 1 with all its bits.
        fn unit(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let bits = (self.0 ^ self.0 >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
            ((bits ^ bits >> 33) >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn below(&mut self, count: usize) -> usize {
            (self.unit() * count as f64) as usize
        }

        /// A point with coordinates up to `reach` away from another's.
        fn point(&mut self, around: [f64; 3], reach: f64) -> [f64; 3] {
            around.map(|x| x + (2.0 * self.unit() - 1.0) * reach)
        }
    }

    /// Boxes as they may lie in a survey, some of them points, and how large what most of them are amid is.
    fn surveys() -> Vec<(&'static str, f64, Vec<Aabb<f64>>)> {
        let mut numbers = Numbers(1);
        let mut boxes = |count: usize, around: [f64; 3], reach: f64| -> Vec<Aabb<f64>> {
            let mut one = |_| {
                let [a, b] = [(); 2].map(|()| numbers.point(around, reach));
                let b = if numbers.below(2) == 0 { a } else { b };
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

    fn viewpoint_of(boxes: &[Aabb<f64>]) -> Viewpoint {
        Viewpoint::amid(boxes.len(), |index| boxes[index as usize], &around(boxes.iter().copied()))
    }

    #[test]
    fn boxes_hold_what_they_are_of_and_little_more() {
        for (name, _, boxes) in surveys() {
            let viewpoint = viewpoint_of(&boxes);
            for aabb in &boxes {
                let seen = viewpoint.box_of(aabb);
                for axis in 0..3 {
                    let truly =
                        |x: f64| (exactly(x) - exactly(viewpoint.anchor[axis])) * exactly(viewpoint.scale);
                    for (end, seen, outwards) in
                        [(aabb.min[axis], seen.min[axis], -1.0), (aabb.max[axis], seen.max[axis], 1.0)]
                    {
                        let end = truly(end);
                        let room = (exactly(seen.into()) - &end) * exactly(outwards);
                        let size = if end < exactly(0.0) { -end } else { end };
                        assert!(room >= exactly(0.0), "{name}: {aabb:?}");
                        assert!(room <= size * power(-22) + power(-147), "{name}: {aabb:?}");
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
                (0..3).fold(0.0_f64, |most, axis| most.max((aabb.min[axis] - viewpoint.anchor[axis]).abs()))
            });
            let nearest = nearest.fold(f64::INFINITY, f64::min);
            assert!(boxes.is_empty() || nearest <= 2.0 * size, "{name}: the nearest is {nearest:e} away");
            let farthest = boxes.iter().map(|aabb| viewpoint.box_of(aabb)).fold(0.0_f32, |most, aabb| {
                aabb.min.iter().chain(&aabb.max).fold(most, |most, x| most.max(x.abs()))
            });
            assert!(f64::from(farthest) <= 2.1 * FARTHEST, "{name}: seen at {farthest:e}");
        }
    }

    /// A ray against one box, alone and in flight.
    struct Meeting<'a>(&'a SeenRay, &'a AabbBlock);

    impl Kernel for Meeting<'_> {
        type Output = [bool; 2];

        fn run<L: Lanes>(self, lanes: L) -> [bool; 2] {
            let Self(seen, boxes) = self;
            let alone = SlabLanes::new(lanes, seen.axes, seen.interval[0]);
            let alone = alone.slabs(lanes, boxes, seen.interval[1]);
            let offsets = SlabOffsets::of(seen.axes, seen.interval);
            let in_flight = offsets.slabs(lanes, boxes.near_and_far(lanes, offsets.octant()));
            [alone, in_flight].map(|(t_enter, t_exit)| t_enter.le(t_exit).bits() & 1 == 1)
        }
    }

    /// Rays from anywhere, along anything, and a `t` at which each is somewhere.
    fn ray_from(numbers: &mut Numbers, boxes: &[Aabb<f64>], size: f64) -> (Ray<f64>, f64) {
        let aabb = boxes[numbers.below(boxes.len())];
        let far = [0.0, 1e-3, 1.0, 1e3, 1e9, 1e17, 1e60][numbers.below(7)];
        let origin = numbers.point(aabb.min, (size * far).min(1e85));
        let mut direction: [f64; 3] = [0, 1, 2].map(|axis| aabb.max[axis] - origin[axis]);
        match numbers.below(4) {
            0 => direction[numbers.below(3)] = 0.0,
            1 => direction[numbers.below(3)] *= 1e-9,
            _ => {}
        }
        let longest = direction.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let length = [1.0, 3.7, 1e-80, 1e80][numbers.below(4)];
        let shrink = if longest > 0.0 { length / longest } else { 1.0 };
        let t = longest / length * [1.0, 1.0, 0.5, -3.0][numbers.below(4)];
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
            let truly = exactly(ray.origin[axis]) + exactly(t) * exactly(ray.direction[axis]);
            assert!(exactly(min[axis]) <= truly && truly <= exactly(max[axis]), "{ray:?} at {t:e}");
        }
        Some(Aabb { min, max })
    }

    #[test]
    fn rays_meet_the_boxes_of_where_they_are() {
        let rays = if cfg!(debug_assertions) { 300 } else { 20_000 };
        let mut numbers = Numbers(2);
        let (mut tame, mut unbounded) = (0, 0);
        for (name, size, boxes) in surveys().into_iter().filter(|(_, _, boxes)| !boxes.is_empty()) {
            let viewpoint = viewpoint_of(&boxes);
            let all = viewpoint.box_of(&around(boxes.iter().copied()));
            for _ in 0..rays {
                let (ray, t) = ray_from(&mut numbers, &boxes, size);
                if ray.find_defect().is_some() {
                    continue;
                }
                let Some(place) = place_of(&ray, t) else { continue };
                let block = AabbBlock::anchored(&[viewpoint.box_of(&place)], ANCHOR);
                let seen = SeenRay::new(&viewpoint, &ray.with_interval(t, t), TameRays::of(&all, ANCHOR));
                let [t_min, t_max] = seen.interval;
                assert!(t_min <= t_max, "{name}: {ray:?} at {t:e}");
                if SlabAxes::if_sound_and_tame(
                    &viewpoint.ray(&ray).0,
                    ANCHOR,
                    TameRays::of(&all, ANCHOR),
                    1.0,
                )
                .is_some()
                {
                    tame += 1;
                } else {
                    unbounded += 1;
                }
                for backend in Backend::available() {
                    let met = dispatch(backend, Meeting(&seen, &block));
                    assert_eq!(met, [true; 2], "{name}, {backend}: {ray:?} at {t:e}, {place:?}");
                }
            }
        }
        assert!(tame > 5 * rays && unbounded > rays / 4, "{tame} tame, {unbounded} unbounded");
    }
}

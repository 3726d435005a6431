//! Trees over primitives of `f64`: boxes of `f32` around an anchor of `f64`.
//!
//! Coordinates of a survey are large numbers whose last digits matter: millions of metres, in `f64` to a nanometre, in
//! `f32` to half a metre. Seen from a point amid the scene they are small, and boxes of `f32` around them are as tight as
//! boxes ever are; what is in the leaves is tested in `f64`, where it is. So nodes, and all that walks through them, are
//! those of `f32`.
//!
//! # Why no hit is lost
//!
//! Coordinates relative to the anchor are rounded once in `f64` and once to `f32`, boxes outwards. A ray o + t·d, with o
//! relative to the anchor, is rounded to `f32` as o' + t·d'. Write ε for 2⁻²⁴. At a `t` at which it meets something of a
//! box, the two lie apart by at most ε(|o| + t|d|) ≤ ε(|o| + X) along an axis, where X is the greatest distance along that
//! axis from the origin to a corner of the box; that the test in `f64` rounds too is some 2⁻⁵⁰X beside it. A triangle of
//! `f32` may be reported up to (2X + 5Z)ε away from its box, as told at `SlabRay`, and planes are moved by 12ε(X + Z),
//! divided between box and ray by their distances from a point b, the tree's own anchor. Of that, the test of the planes
//! takes (3X + Z)ε. So what is left, more than 8εX, covers εX, and ε|o| as far as this is a distance from b. It is
//! no greater than that by more than |b| ≤ R, the greatest coordinate of the scene relative to the anchor: boxes are
//! 2εR wider. Where the planes are those of an axis along which the direction counts as zero, as much is left.
//!
//! Directions are scaled by a power of two that brings the longest component to [1, 2), and `t` by its reciprocal. What
//! is below the least normal `f32` then counts as zero.

use super::{BuildQuality, Bvh, BvhStatistics};
use crate::math::UNIT_ROUNDOFF;
use crate::primitive::{Aabb, Leaf, SlabAxes};
use crate::ray::Ray;
use crate::threads::Spread;

/// A tree over blocks of primitives of `f64`.
#[derive(Debug, Clone)]
pub(crate) struct AnchoredBvh<B> {
    pub(super) bvh: Bvh<B>,
    frame: Frame,
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
        let frame = Frame::amid(&bounds);
        let box_of = |index| frame.box_of(&box_of(index));
        let bvh = Bvh::build(count, box_of, |indices, _| block(indices), quality, spread)?;
        Some(Self { bvh, frame, bounds })
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
        self.bvh.validate(count, |_| false, |block, number| self.frame.box_of(&box_of(block, number)))
    }

    /// A ray without defect as seen from the anchor, and what its `t` were multiplied with.
    #[inline(always)]
    pub(super) fn as_seen(&self, ray: &Ray<f64>) -> (Ray, f64) {
        self.frame.ray(ray)
    }

    /// The ray as the boxes see it.
    #[inline(always)]
    pub(super) fn seen(&self, ray: &Ray<f64>) -> SeenRay {
        let (ray, scale) = self.as_seen(ray);
        let axes = SlabAxes::if_sound_and_tame(&ray, self.bvh.arena.anchor, self.bvh.tame, 1.0);
        let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(&ray));
        SeenRay { axes, interval: [ray.t_min, ray.t_max], scale }
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
struct Frame {
    anchor: [f64; 3],
    /// How much wider boxes are than what they hold.
    room: f32,
}

impl Frame {
    /// In the middle of all there is.
    fn amid(&Aabb { min, max }: &Aabb<f64>) -> Self {
        if min[0] > max[0] {
            return Self { anchor: [0.0; 3], room: 0.0 };
        }
        let anchor = [0, 1, 2].map(|axis| 0.5 * (min[axis] + max[axis]));
        let reach = (0..3)
            .fold(0.0_f64, |most, axis| most.max(max[axis] - anchor[axis]).max(anchor[axis] - min[axis]));
        Self { anchor, room: (2.0 * UNIT_ROUNDOFF * (reach as f32)).next_up() }
    }

    /// A box around what is in `aabb`.
    fn box_of(&self, aabb: &Aabb<f64>) -> Aabb {
        let Self { anchor, room } = *self;
        Aabb {
            min: [0, 1, 2].map(|axis| {
                let least = ((aabb.min[axis] - anchor[axis]) as f32).next_down();
                (least - room).next_down()
            }),
            max: [0, 1, 2].map(|axis| {
                let greatest = ((aabb.max[axis] - anchor[axis]) as f32).next_up();
                (greatest + room).next_up()
            }),
        }
    }

    /// A ray without defect as seen from here, and what its `t` were multiplied with.
    #[inline(always)]
    fn ray(&self, ray: &Ray<f64>) -> (Ray, f64) {
        const EXPONENT: u64 = 0x7ff << 52;
        let [x, y, z] = ray.direction;
        let longest = x.abs().max(y.abs()).max(z.abs());
        let scale = f64::from_bits(longest.to_bits() & EXPONENT);
        let shrink = 1.0 / scale;
        let (mut origin, mut direction) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            origin[axis] = (ray.origin[axis] - self.anchor[axis]) as f32;
            direction[axis] = (ray.direction[axis] * shrink) as f32;
        }
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

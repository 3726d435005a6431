//! Trees over primitives of `f64`: boxes of `f32` around an anchor of `f64`.
//!
//! Relative to a [`Viewpoint`] survey coordinates are small, and boxes of `f32` around them as
//! tight as those of any scene. So nodes, and all traversal of them, are in `f32`; leaves decide in
//! `f64`, in the coordinates of the scene. The viewpoint lies amid most of the primitives, so that
//! a far one makes no box wider but its own.
//!
//! # Why no hit is lost
//!
//! Coordinates are taken relative to the viewpoint and scaled by a power of two. They are rounded
//! once in `f64` and once to `f32`, boxes outwards. A ray o + t·d is rounded to `f32` as o' + t·d'.
//! Write ε for 2⁻²⁴; all numbers below are scaled. At a `t` at which the ray meets the content of a
//! box, the two lie apart by at most ε(|o| + t|d|) ≤ ε(|o| + X) along an axis, where X is the
//! greatest distance along that axis from the origin to a corner of the box; the rounding of the
//! test in `f64` adds some 2⁻⁴⁶(X + Z). A triangle of `f32` may be reported up to (2X + 10Z)ε away
//! from its box, as proved at [`AabbBlock`](super::aabb_block::AabbBlock), and planes are moved by
//! 12ε(X + Z), divided between box and ray by their distances from the tree's own anchor, which
//! is 0. With |c| for that of the box this is 12ε(|o| + |c|) along the axis alone, where X is at most
//! |o| + |c|. The test of the planes takes (3X + Z)ε of it; more than 9ε(|o| + |c|) is left, and
//! ε(|o| + X) is no more than a quarter of that. For the planes of an axis along which the
//! direction counts as zero, as much is left.
//!
//! Directions are scaled by a power of two that brings the longest component to [1, 2), and `t` by
//! its reciprocal and by the scale of the coordinates. The scale is chosen such that the farthest
//! coordinate is [`FARTHEST`]: a part in 2¹⁵⁰ of that is still a normal `f32`. Smaller numbers
//! count as zero; the slack has room for that.

use std::ops::Range;

use super::{BuildQuality, Bvh, Fetch, Leaf, map_spread};
use crate::columns::Shape;
#[cfg(feature = "scene-files")]
use crate::error::FileProblem;
use crate::kernel::ExactScalar;
use crate::math::{LARGEST_COORDINATE, median, power_of_two};
use crate::simd::{Backend, BothPrecisions, MapEach, Real, Scalar, Widening};
#[cfg(feature = "scene-files")]
use crate::store::{CACHE_LINE, Reading, SectionWriter, damaged};
use crate::threads::Spread;
use crate::value::{
    Aabb, GROUP, GroupColumn, Ray, RayBatch, RayGroup, RayParts, RayShape, RaySource,
};

/// The anchor for which boxes are widened: the viewpoint, in scaled coordinates.
pub(crate) const ANCHOR: [f32; 3] = [0.0; 3];

/// How trees, whose boxes are of `f32`, see coordinates of `T`: moved and scaled by a power of two.
pub(crate) trait BoxFrame<T: Scalar>: Copy + std::fmt::Debug + Send + Sync {
    /// A viewpoint for content in these boxes, of which none is empty, from this anchor or from
    /// amid most of them; and the anchor for which boxes are widened, if the tree is not to choose
    /// one.
    fn around(anchor: Option<[f64; 3]>, boxes: &[(Aabb<T>, u32)]) -> (Self, Option<[f32; 3]>);

    /// A box that holds what is in a box.
    fn box_of(&self, aabb: &Aabb<T>) -> Aabb;

    /// A ray without defect, and the factor of its `t`.
    fn ray(&self, ray: &Ray<T>) -> (Ray, f64);

    /// Whether rays are seen as they are given.
    const AS_GIVEN: bool;

    /// Gathers rays without defect, one to [`GROUP`].
    fn gather(&self, backend: Backend, rays: &RayBatch<'_, T>, rows: &[u32], into: &mut RayGroup);

    /// A limit of `t` where the factor is `scale`, rounded up.
    fn limit(t: T, scale: f64) -> f32;

    /// A point, rounded; 2¹⁰⁰ stands for coordinates beyond.
    fn point(&self, point: [f64; 3]) -> [f32; 3];

    /// The point that is seen as such, up to the rounding of `f64`.
    fn place(&self, seen: [f32; 3]) -> [f64; 3];

    /// The factor of distances.
    fn scale(&self) -> f64;

    /// Adds a section with the viewpoint and the bounds of a tree, unless the tree itself says all.
    #[cfg(feature = "scene-files")]
    fn store(&self, _bounds: &Aabb<T>, _name: &str, _number: u32, _into: &mut SectionWriter<'_>) {}

    /// The viewpoint and the bounds in that section, for a tree with bounds as it sees them.
    #[cfg(feature = "scene-files")]
    fn open<B: Leaf>(
        tree: &Bvh<B>,
        file: &Reading<'_>,
        name: &str,
        number: u32,
    ) -> Result<(Self, Aabb<T>), FileProblem>;
}

/// A precision whose coordinates trees see.
pub(crate) trait HasBoxFrame: ExactScalar {
    type Viewpoint: BoxFrame<Self>;
}

impl HasBoxFrame for f32 {
    type Viewpoint = OwnFrame;
}

impl HasBoxFrame for f64 {
    type Viewpoint = Viewpoint;
}

/// Coordinates of `f32` are seen as they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OwnFrame;

impl BoxFrame<f32> for OwnFrame {
    const AS_GIVEN: bool = true;

    fn gather(&self, backend: Backend, rays: &RayBatch<'_>, rows: &[u32], into: &mut RayGroup) {
        into.gather_on(backend, &RaySource::new(rays), rows);
    }

    fn around(anchor: Option<[f64; 3]>, _: &[(Aabb, u32)]) -> (Self, Option<[f32; 3]>) {
        (Self, anchor.map(|anchor| anchor.map_each(|x| x as f32)))
    }

    #[inline(always)]
    fn box_of(&self, aabb: &Aabb) -> Aabb {
        *aabb
    }

    #[inline(always)]
    fn ray(&self, ray: &Ray) -> (Ray, f64) {
        (*ray, 1.0)
    }

    #[inline(always)]
    fn limit(t: f32, _: f64) -> f32 {
        t
    }

    #[inline(always)]
    fn point(&self, point: [f64; 3]) -> [f32; 3] {
        within_bounds(point)
    }

    #[inline(always)]
    fn place(&self, seen: [f32; 3]) -> [f64; 3] {
        [f64::from(seen[0]), f64::from(seen[1]), f64::from(seen[2])]
    }

    #[inline(always)]
    fn scale(&self) -> f64 {
        1.0
    }

    #[cfg(feature = "scene-files")]
    fn open<B: Leaf>(
        tree: &Bvh<B>,
        _: &Reading<'_>,
        _: &str,
        _: u32,
    ) -> Result<(Self, Aabb), FileProblem> {
        Ok((Self, tree.bounds))
    }
}

#[inline(always)]
fn within_bounds(point: [f64; 3]) -> [f32; 3] {
    let most = f64::from(LARGEST_COORDINATE);
    point.map_each(|x| if x.is_nan() { 0.0 } else { x.clamp(-most, most) as f32 })
}

impl BoxFrame<f64> for Viewpoint {
    const AS_GIVEN: bool = false;

    fn gather(&self, _: Backend, rays: &RayBatch<'_, f64>, rows: &[u32], into: &mut RayGroup) {
        into.live = u64::MAX >> (GROUP - rows.len());
        for (lane, &row) in rows.iter().enumerate() {
            into.set(lane, &self.ray(&rays.ray(row as usize)).0);
        }
    }

    fn around(anchor: Option<[f64; 3]>, boxes: &[(Aabb<f64>, u32)]) -> (Self, Option<[f32; 3]>) {
        let bounds = boxes.iter().fold(Aabb::EMPTY, |all, (aabb, _)| all.merged(aabb));
        let viewpoint = match anchor.filter(|_| !boxes.is_empty()) {
            Some(anchor) => Self::at(anchor, &bounds),
            None => Self::amid(boxes.len(), |index| boxes[index as usize].0, &bounds),
        };
        (viewpoint, Some(ANCHOR))
    }

    fn box_of(&self, aabb: &Aabb<f64>) -> Aabb {
        let seen = |x: f64, axis: usize| ((x - self.anchor[axis]) * self.scale) as f32;
        Aabb {
            min: [0, 1, 2].map_each(|axis| seen(aabb.min[axis], axis).next_down()),
            max: [0, 1, 2].map_each(|axis| seen(aabb.max[axis], axis).next_up()),
        }
    }

    #[inline(always)]
    fn ray(&self, ray: &Ray<f64>) -> (Ray, f64) {
        let [x, y, z] = ray.direction.map(f64::abs);
        let (seen, scale) = self.parts(ray, power_of_two(x.max(y).max(z)));
        (rounded(&seen), scale)
    }

    #[inline(always)]
    fn limit(t: f64, scale: f64) -> f32 {
        if t == f64::NEG_INFINITY { f32::NEG_INFINITY } else { not_below(t * scale) }
    }

    #[inline(always)]
    fn point(&self, point: [f64; 3]) -> [f32; 3] {
        within_bounds([0, 1, 2].map_each(|axis| (point[axis] - self.anchor[axis]) * self.scale))
    }

    #[inline(always)]
    fn place(&self, seen: [f32; 3]) -> [f64; 3] {
        [0, 1, 2].map_each(|axis| f64::from(seen[axis]) / self.scale + self.anchor[axis])
    }

    #[inline(always)]
    fn scale(&self) -> f64 {
        self.scale
    }

    #[cfg(feature = "scene-files")]
    fn store(&self, bounds: &Aabb<f64>, name: &str, number: u32, into: &mut SectionWriter<'_>) {
        let Self { anchor: [x, y, z], scale } = *self;
        let record = [[x, y, z], bounds.min, bounds.max, [scale, 0.0, 0.0]];
        into.add(name, number, CACHE_LINE, bytemuck::bytes_of(&record).to_vec());
    }

    /// The bounds as seen from the viewpoint must be those of the tree, whose anchor it is.
    #[cfg(feature = "scene-files")]
    fn open<B: Leaf>(
        tree: &Bvh<B>,
        file: &Reading<'_>,
        name: &str,
        number: u32,
    ) -> Result<(Self, Aabb<f64>), FileProblem> {
        let [anchor, min, max, [scale, ..]]: [[f64; 3]; 4] = file.value(name, number)?;
        let (viewpoint, bounds) = (Self { anchor, scale }, Aabb { min, max });
        let usable = |x: &f64| x.abs() <= f64::from(LARGEST_COORDINATE);
        let is_power = scale.is_normal() && scale == power_of_two(scale);
        let seen = tree.bounds;
        let is_seen = match seen == Aabb::EMPTY {
            true => bounds == Aabb::EMPTY,
            false => min.iter().chain(&max).all(usable) && viewpoint.box_of(&bounds) == seen,
        };
        let is_anchor = tree.is_empty() || tree.arena.anchor == ANCHOR;
        if !(is_power && is_seen && is_anchor && anchor.iter().all(usable)) {
            return Err(damaged(name, number, "not that of the tree"));
        }
        Ok((viewpoint, bounds))
    }
}

#[derive(Debug, Clone)]
pub(crate) struct AnchoredBvh<B> {
    pub(crate) bvh: Bvh<B>,
    pub(crate) viewpoint: Viewpoint,
    pub(crate) bounds: Aabb<f64>,
}

impl<B: Leaf> AnchoredBvh<B> {
    /// As [`Bvh::build`]. No box is empty, and coordinates are at most 2¹⁰⁰.
    pub(crate) fn build<F: Fetch>(
        count: usize,
        source: &F,
        box_of: impl Fn(&F::Content) -> Aabb<f64> + Sync,
        fill: impl Fn(&mut B, &[F::Content], [f32; 3]) + Sync,
        quality: BuildQuality,
        spread: Spread<'_>,
    ) -> Option<Self> {
        let box_at = |index| {
            let mut content = bytemuck::Zeroable::zeroed();
            source.fetch(index, &mut content);
            box_of(&content)
        };
        let pieces =
            (0..count).step_by(PIECE).map(|first| first as u32..count.min(first + PIECE) as u32);
        // The bounds take a thirtieth of the time.
        let of_bounds = count / 30;
        let bounds = spread.step(of_bounds, count, |spread| {
            map_spread(spread, pieces.collect(), |piece: Range<u32>| {
                let length = piece.len();
                let bounds =
                    piece.fold(Aabb::EMPTY, |all: Aabb<f64>, index| all.merged(&box_at(index)));
                spread.advance(length);
                bounds
            })
        })?;
        let bounds = bounds.iter().fold(Aabb::EMPTY, |all: Aabb<f64>, piece| all.merged(piece));
        let viewpoint = Viewpoint::amid(count, box_at, &bounds);
        let seen = |content: &_| viewpoint.box_of(&box_of(content));
        let bvh = spread.step(count - of_bounds, count, |spread| {
            Bvh::build(Some(ANCHOR), count, source, seen, fill, quality, spread)
        })?;
        Some(Self { bvh, viewpoint, bounds })
    }

    /// As [`Bvh::refit`], with a new viewpoint. `box_of` is the box of a leaf.
    pub(crate) fn refit(
        &mut self,
        rewrite: impl Fn(&mut B) + Sync,
        box_of: impl Fn(&B) -> Aabb<f64> + Sync,
        spread: Spread<'_>,
    ) -> Option<()> {
        let boxes = |block: &mut B| {
            rewrite(block);
            box_of(block)
        };
        // Leaves are visited twice, so that either half takes about as long.
        let (work, lines) = (self.bvh.work_of_refit(), self.bvh.arena.line_count());
        let boxes = spread.step(work / 2, lines, |spread| self.bvh.rewrite(boxes, spread))?;
        let bounds = boxes.iter().fold(Aabb::EMPTY, |all, aabb| all.merged(aabb));
        let blocks = self.bvh.blocks();
        let viewpoint =
            Viewpoint::amid(blocks.len(), |index| box_of(&blocks[index as usize]), &bounds);
        let seen = |block: &B| viewpoint.box_of(&box_of(block));
        spread.step(work - work / 2, work, |spread| {
            self.bvh.refit(Some(ANCHOR), |_| (), seen, spread)
        })?;
        (self.viewpoint, self.bounds) = (viewpoint, bounds);
        Some(())
    }

    /// A copy with memory of its own; `None` if it is to stop.
    pub(crate) fn copy(&self, spread: Spread<'_>) -> Option<Self> {
        Some(Self { bvh: self.bvh.copy(spread)?, ..*self })
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Viewpoint {
    anchor: [f64; 3],
    /// The factor of coordinates relative to the anchor, a power of two.
    scale: f64,
}

/// Primitives whose boxes are joined together.
const PIECE: usize = 1 << 14;

/// The scaled distance of the farthest coordinate, within a factor of two. Rays from 2⁶⁰ times
/// farther are still in the [finite range](super::aabb_block::FiniteRange).
const FARTHEST: f64 = (1_u64 << 32) as f64;

impl Viewpoint {
    /// The median of the boxes along each axis.
    pub(crate) fn amid(
        count: usize,
        box_of: impl Fn(u32) -> Aabb<f64>,
        bounds: &Aabb<f64>,
    ) -> Self {
        /// The median is that of at most this many boxes, evenly sampled.
        const ASKED: usize = 1 << 12;
        if count == 0 {
            return Self { anchor: [0.0; 3], scale: 1.0 };
        }
        let asked = (0..count).step_by(count.div_ceil(ASKED)).map(|index| box_of(index as u32));
        let middle =
            |Aabb { min, max }: Aabb<f64>| [0, 1, 2].map_each(|axis| 0.5 * (min[axis] + max[axis]));
        Self::at(median(&asked.map(middle).collect::<Vec<_>>()), bounds)
    }

    /// From this anchor, for coordinates within these bounds.
    fn at(anchor: [f64; 3], bounds: &Aabb<f64>) -> Self {
        let mut reach = 0.0_f64;
        for (axis, anchor) in anchor.into_iter().enumerate() {
            reach = reach.max(bounds.max[axis] - anchor).max(anchor - bounds.min[axis]);
        }
        // Keeps all scales within the powers of two of `f64`.
        let reach = reach.max(1.0 / FARTHEST.powi(5));
        Self { anchor, scale: FARTHEST / power_of_two(reach) }
    }

    /// Each ray of a group as by [`ray`](BoxFrame::ray); the result for one with a defect is
    /// unspecified.
    #[inline(always)]
    pub(crate) fn group<V: BothPrecisions>(
        &self,
        lanes: V,
        rays: &RayGroup<f64>,
        into: &mut RayGroup,
        scale: &mut GroupColumn<f64>,
    ) {
        into.live = rays.live;
        let [x, y, z] = &rays.columns.direction;
        for vector in GroupColumn::<f64>::vectors::<V>() {
            let longest = x.load(lanes, vector).abs().max(y.load(lanes, vector).abs());
            scale.store(lanes, z.load(lanes, vector).abs().max(longest), vector);
        }
        for longest in &mut scale.0 {
            *longest = power_of_two(*longest);
        }
        for vector in GroupColumn::<f32>::vectors::<V>() {
            let longest = scale.load_wide(lanes, vector);
            let mut given = RayShape::filled(longest);
            for (given, column) in given.in_order_mut().into_iter().zip(rays.columns.in_order()) {
                *given = column.load_wide(lanes, vector);
            }
            let seen = rounded(&self.parts(&given, longest).0);
            for (column, &seen) in into.columns.in_order_mut().into_iter().zip(seen.in_order()) {
                column.store(lanes, seen, vector);
            }
        }
        for longest in &mut scale.0 {
            *longest *= self.scale;
        }
    }

    /// Scaled rays, not yet rounded to `f32`, and the factors of their `t`. `longest` is the
    /// greatest power of two that is not above the longest component of a direction.
    #[inline(always)]
    fn parts<R: Real<Scalar = f64>>(
        &self,
        rays: &RayParts<R, 3>,
        longest: R,
    ) -> (RayParts<R, 3>, R) {
        let shrink = longest.splat(1.0) / longest;
        let scale = longest * longest.splat(self.scale);
        let mut seen = *rays;
        for axis in 0..3 {
            let anchor = longest.splat(self.anchor[axis]);
            seen.origin[axis] = (rays.origin[axis] - anchor) * longest.splat(self.scale);
            seen.direction[axis] = rays.direction[axis] * shrink;
        }
        (seen.t_min, seen.t_max) = (rays.t_min * scale, rays.t_max * scale);
        (seen, scale)
    }
}

/// Rounds rays to `f32`: to nearest, intervals outwards.
#[inline(always)]
fn rounded<R: Widening>(rays: &RayParts<R::Wide, 3>) -> RayParts<R, 3> {
    let t_min: R = not_below(rays.t_min.splat(0.0) - rays.t_min);
    let zero = t_min.splat(0.0);
    let mut seen = RayShape::filled(zero);
    for axis in 0..3 {
        seen.origin[axis] = R::narrow(rays.origin[axis]);
        seen.direction[axis] = R::narrow(rays.direction[axis]);
    }
    (seen.t_min, seen.t_max) = (zero - t_min, not_below(rays.t_max));
    seen
}

/// Rounds up to `f32`: one or two steps above the nearest, and by the least normal number. Finding
/// the least such number takes a branch that is mispredicted every other time: a tenth of the time
/// of a camera ray.
#[inline(always)]
pub(crate) fn not_below<R: Widening>(x: R::Wide) -> R {
    let nearest = R::narrow(x);
    // Below the least finite number there is nothing to step from.
    let nearest = nearest.max(nearest.splat(f32::MIN));
    nearest + (nearest.abs() * nearest.splat(f32::EPSILON) + nearest.splat(f32::MIN_POSITIVE))
}

#[cfg(test)]
#[path = "../../tests/unit/tree/viewpoint.rs"]
mod tests;

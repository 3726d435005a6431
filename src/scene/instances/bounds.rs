//! Bounds of instances for rounded rays, and the rays that can be cast at them.
//!
//! # The distance of a hit from the ray
//!
//! A ray o + t·d is carried into the frame of an instance by the inverse of its map, in `f64`, and
//! rounded to `f32`: to o' + t·d'. Write ε for the unit roundoff 2⁻²⁴ and |·| for the greatest
//! magnitude of a component. At a `t` at which it has a hit, within the instance's own bounds of
//! reach R', the two lie apart by at most ε(|o'| + t|d'|) ≤ ε(2|o'| + R') in that frame, up to the
//! rounding of `f64`.
//!
//! Let a hit in a scene lie within εF(|o| + S) of its bounds, by its ray. For triangles alone F =
//! 13 will do and for S the reach of the bounds, as proved at `AabbBlock`. In the frame of an
//! instance with F' and S' the point then lies within ε(F' + 3)(|o'| + S') of its bounds. The map
//! stretches that by at most m, the greatest sum of magnitudes in a row of its matrix. And |o'| ≤
//! a(|o| + |b|), with a the same of the inverse and b the translation. So
//!
//! F = max (F' + 3)·m·a, S = max (|b| + S'/a)
//!
//! over all instances and the scene's own triangles will do. In the tree over the instances, the
//! part that depends on the origin, εF times its distance from the tree's anchor, is applied when
//! the ray is prepared: the tree's `stretch`. The rest is part of each instance's box: ε(F' +
//! 3)·m·a·(|b| + S'/a + A) of its own, where A is the anchor's distance from 0. The anchor lies
//! amid most of the instances, so a distant or vast instance widens no box but its own.
//!
//! # Rays of `f64`
//!
//! ε is 2⁻⁵³ then, and carrying rounds as well. Write B for the stored inverse of the map's matrix
//! M, ρ for the greatest sum of magnitudes in a row of B·M − 1, and κ for m·a. B·v is off from
//! M⁻¹·v by at most ρ of its magnitude, and by 4ε·a|v| as differences, products and sums round. So
//! o' is off by at most (4ε + ρ)·a(|o| + |b|), and t·d' by (4ε + ρ)·a|t·d| ≤ (4ε + ρ)·κ(|o'| + R'),
//! with t·d = M·(t·d') and what it is where the ray has a hit. Together that is at most (4ε +
//! ρ)(1 + κ)(a(|o| + |b|) + R'), and (4 + ρ/ε)(1 + κ) stands in the place of 3. F = 512 will do for
//! triangles, whose test is off by 2⁻⁴⁶ in all. Trees see the rays rounded to `f32`, which is in
//! their slack for triangles, so that the stretch is 1 and the part of F.

use super::{Ids, Instance, Precision};
use crate::error::{Error, Result};
use crate::math::{LARGEST_COORDINATE, largest, median};
use crate::simd::MapEach;
use crate::status::Status;
use crate::threads::{Spread, UNSTOPPED};
use crate::traverse::{BoxTree, STRETCHED};
use crate::tree::{BoxFrame, BvhStatistics};
use crate::value::{Aabb, GROUP, GroupColumn, Ray, RayGroup, RayParts};

/// The constants that follow from the maps of a scene's instances, nested ones included.
#[derive(Debug, Clone, Copy)]
pub(in crate::scene) struct Frames<T> {
    /// F, as above.
    fuzz: f64,
    /// S.
    span: f64,
    /// In every frame the distance of an origin from 0 is at most `grows` times its distance here,
    /// plus `offset`.
    grows: f64,
    offset: f64,
    /// The greatest factor by which a direction is shorter in any frame; `grows` is the greatest by
    /// which it is longer.
    shrinks: f64,
    /// An upper bound of all coordinates of content in all frames, and of the terms of their sums.
    pub(in crate::scene) reach: f64,
    /// The least box that certainly holds all instances. It is stored, as nested scenes need it
    /// again and again.
    pub(in crate::scene) bounds: Aabb<T>,
}

/// More than the rounding of `f64`.
const A_LITTLE_MORE: f64 = 1.0 + 1e-9;

/// The greatest stretch or shrinkage of a map: beyond it no ray could be cast.
const MOST_GROWTH: f64 = (1_u64 << 60) as f64;

const FUZZ_OF_TRIANGLES: f64 = 13.0;
/// The same in `f64`.
const FUZZ_OF_TRIANGLES_F64: f64 = 512.0;

/// The contribution of one instance to the [constants](Frames) of its scene. It is kept, so that
/// moving another does not find it anew.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<T> {
    fuzz: f64,
    span: f64,
    grows: f64,
    offset: f64,
    shrinks: f64,
    reach: f64,
    /// The bounds of the placed scene, in the frame of this one.
    bounds: Aabb<T>,
}

impl<T: Precision> Part<T> {
    pub(super) fn new(instance: &Instance<T>) -> Self {
        let Instance { scene, transform, inverse, .. } = instance;
        let inner = &scene.instances.frames;
        let (there, back, moved) = (transform.stretch(), inverse.stretch(), transform.distance());
        let (fuzz, span) = fuzz_and_span(instance);
        Self {
            fuzz,
            span,
            grows: back * inner.grows * A_LITTLE_MORE,
            offset: (inner.grows * back * moved + inner.offset) * A_LITTLE_MORE,
            shrinks: there * inner.shrinks * A_LITTLE_MORE,
            reach: (there * inner.reach + moved) * A_LITTLE_MORE,
            bounds: box_of(instance),
        }
    }

    /// Its box in a tree whose anchor is so far from 0.
    fn widened(&self, distance: f64) -> Aabb<T> {
        let Self { fuzz, span, bounds, .. } = self;
        let by = T::nearest_to(T::UNIT_ROUNDOFF.to_f64() * fuzz * (span + distance));
        if bounds.is_empty() {
            return *bounds;
        }
        Aabb {
            min: bounds.min.map_each(|x| (x - by).next_down()),
            max: bounds.max.map_each(|x| (x + by).next_up()),
        }
    }
}

/// The tree over the boxes of instances.
#[derive(Debug, Clone)]
pub(super) struct InstanceTree<T: Precision> {
    pub(super) tree: BoxTree<T>,
    /// How far the anchor is from 0.
    distance: f64,
    /// The boxes of instances as the tree sees them, by their numbers, once any has moved.
    seen: Vec<Aabb>,
    /// How many instances have moved since it was built, each as often as it has.
    moved: usize,
}

/// A tree is built anew when so large a part of its instances has moved: half of the cost of moving
/// all at once is then spent.
const MOST_MOVED: f64 = 0.25;

/// A tree is also built anew when rays visit so many times as many nodes as when it was built, by
/// the areas of boxes.
const MOST_COST: f64 = 1.25;

impl<T: Precision> Frames<T> {
    /// The constants of a scene with primitives of its own within `bounds`, and the instances with
    /// these numbers and parts.
    pub(super) fn new(
        bounds: &Aabb<T>,
        (placed, parts): (&[Instance<T>], &[Part<T>]),
        numbers: &Ids,
    ) -> Result<Self> {
        let most = f64::from(LARGEST_COORDINATE);
        let span = if bounds.is_empty() { 0.0 } else { reach(bounds) };
        let fuzz = if T::IS_F64 { FUZZ_OF_TRIANGLES_F64 } else { FUZZ_OF_TRIANGLES };
        let (grows, offset, shrinks, bounds) = (1.0, 0.0, 1.0, Aabb::EMPTY);
        let mut all = Self { fuzz, span, grows, offset, shrinks, reach: span, bounds };
        for number in numbers.each() {
            let part = &parts[number as usize];
            all.fuzz = all.fuzz.max(part.fuzz);
            all.span = all.span.max(part.span);
            all.grows = all.grows.max(part.grows);
            all.offset = all.offset.max(part.offset);
            all.shrinks = all.shrinks.max(part.shrinks);
            all.reach = all.reach.max(part.reach);
            all.bounds = all.bounds.merged(&part.bounds);
            let is_within = all.grows <= MOST_GROWTH
                && all.shrinks <= MOST_GROWTH
                && all.offset <= 0.5 * most
                && (part.bounds.is_empty() || reach(&part.bounds) <= most);
            if !is_within {
                let rows = placed[number as usize].transform.rows();
                return Err(Error::InstanceOutOfRange { instance: number, rows });
            }
        }
        Ok(all)
    }

    /// The defect of a ray that can be cast in the scene's own frame but not in that of an
    /// instance.
    pub(in crate::scene) fn defect(&self, ray: &Ray<T>) -> Option<Status> {
        let greatest = |v: [T; 3]| v.iter().fold(T::ZERO, |most, x| most.max(x.abs())).to_f64();
        let (largest, direction) = (T::LARGEST_COORDINATE.to_f64(), greatest(ray.direction));
        if greatest(ray.origin) * self.grows + self.offset > largest {
            Some(Status::InvalidOrigin)
        } else if direction * self.grows > largest || direction < self.shrinks / largest {
            Some(Status::DirectionOutOfRange)
        } else {
            None
        }
    }

    pub(super) fn tree(&self, parts: &[Part<T>]) -> InstanceTree<T> {
        let filled = parts.iter().filter(|part| !part.bounds.is_empty());
        let centers: Vec<_> = filled.map(|part| part.bounds.center().map(T::to_f64)).collect();
        let anchor = median(&centers).map_each(|x| T::nearest_to(x).to_f64());
        let distance = largest(&anchor);
        let boxes: Vec<(Aabb<T>, u32)> =
            parts.iter().map(|part| part.widened(distance)).zip(0..).collect();
        // On this thread alone: the caller holds a lock, and waiting it might get another ray,
        // which needs this tree.
        let tree = BoxTree::new(&boxes, Some(anchor), self.stretch_of_rays(), Spread::ALONE);
        let tree = tree.expect(UNSTOPPED);
        InstanceTree { tree, distance, seen: Vec::new(), moved: 0 }
    }

    /// Fits a tree to instances that have moved, the only ones since it was made or fitted. Says no
    /// if it should be built anew.
    pub(super) fn fit(&self, tree: &mut InstanceTree<T>, parts: &[Part<T>], moved: &[u32]) -> bool {
        let InstanceTree { tree, distance, seen, moved: all_moved } = tree;
        *all_moved += moved.len();
        if *all_moved as f64 > MOST_MOVED * parts.len() as f64 {
            return false;
        }
        if seen.is_empty() {
            seen.extend(parts.iter().map(|part| tree.viewpoint.box_of(&part.widened(*distance))));
        }
        let places = moved.iter().map(|&number| number as usize);
        let boxes = places.map(|place| (place, parts[place].widened(*distance)));
        if !tree.refit(seen, boxes, self.stretch_of_rays()) {
            return false;
        }
        let BvhStatistics { sah_cost, sah_cost_as_built, .. } = tree.bvh.statistics();
        sah_cost <= MOST_COST * sah_cost_as_built
    }

    /// The stretch of the tree over the instances, for the origins of rays.
    fn stretch_of_rays(&self) -> f32 {
        let of_fuzz = T::UNIT_ROUNDOFF.to_f64() * self.fuzz / f64::from(STRETCHED);
        let stretch = if T::IS_F64 { 1.0 + of_fuzz } else { of_fuzz.max(1.0) } as f32;
        stretch.next_up()
    }
}

/// Whether all rays of a group can certainly be cast in all frames; most others can be, too.
///
/// Plain loops over columns, which the compiler turns into vectors of the backend.
#[inline(always)]
pub(super) fn surely_held<T>(frames: &Frames<T>, rays: &RayGroup) -> bool {
    let RayParts { origin, direction, .. } = &rays.columns;
    let [mut far, mut long, mut short] = [0.0_f32, 0.0_f32, f32::INFINITY];
    for lane in 0..GROUP {
        let greatest = |v: &[GroupColumn; 3]| {
            v[0].0[lane].abs().max(v[1].0[lane].abs()).max(v[2].0[lane].abs())
        };
        far = far.max(greatest(origin));
        long = long.max(greatest(direction));
        short = short.min(greatest(direction));
    }
    let largest = f64::from(LARGEST_COORDINATE);
    f64::from(far) * frames.grows + frames.offset <= largest
        && f64::from(long) * frames.grows <= largest
        && f64::from(short) >= frames.shrinks / largest
}

/// F and S of one instance, as above.
fn fuzz_and_span<T: Precision>(instance: &Instance<T>) -> (f64, f64) {
    let Instance { scene, transform, inverse, .. } = instance;
    let inner = &scene.instances.frames;
    let (there, back, moved) = (transform.stretch(), inverse.stretch(), transform.distance());
    let of_carrying = if T::IS_F64 {
        let off = (*inverse * *transform).off_identity() / T::UNIT_ROUNDOFF.to_f64();
        // The product rounds as well.
        (4.0 + off + 8.0 * there * back) * (1.0 + there * back)
    } else {
        3.0
    };
    ((inner.fuzz + of_carrying) * there * back, moved + inner.span / back)
}

/// The greatest magnitude of a coordinate.
fn reach<T: Precision>(aabb: &Aabb<T>) -> f64 {
    aabb.min.iter().chain(&aabb.max).fold(0.0, |most, x| most.max(x.to_f64().abs()))
}

/// More than the rounding of three products and their sums.
const ROOM: f64 = 1.0 / (1_u64 << 50) as f64;

fn box_of<T: Precision>(Instance { scene, transform, .. }: &Instance<T>) -> Aabb<T> {
    let bounds = scene.bounds();
    if bounds.is_empty() {
        return Aabb::EMPTY;
    }
    let mut aabb = Aabb::EMPTY;
    for (axis, [a, b, c, moved]) in transform.rows().into_iter().enumerate() {
        let (mut least, mut greatest, mut added) = (moved, moved, moved.abs());
        for (factor, along) in [a, b, c].into_iter().zip(0..3) {
            let ends = [bounds.min[along], bounds.max[along]].map_each(|x| factor * x.to_f64());
            least += ends[0].min(ends[1]);
            greatest += ends[0].max(ends[1]);
            added += ends[0].abs().max(ends[1].abs());
        }
        let room = added * ROOM;
        aabb.min[axis] = T::nearest_to(least - room).next_down();
        aabb.max[axis] = T::nearest_to(greatest + room).next_up();
    }
    aabb
}

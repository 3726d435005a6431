//! Slab tests of a group: the hull of all rays, or vectors of rays.

use super::SlabVector;
use crate::math::UNIT_ROUNDOFF;
use crate::simd::{LANES, Lanes, MapEach, Mask, Real, Rearrange, Vectors};
use crate::tree::aabb_block::{ENDLESS, LOST, SLACK};
use crate::tree::{AabbBlock, FiniteRange};
use crate::value::{GroupColumn, Heading, RayGroup, RayParts};

/// The rays of a group prepared for the slab test.
pub(crate) type SlabRays = SlabVector<GroupColumn>;

impl SlabRays {
    /// Prepares rays without defect, all of one heading, for boxes widened for
    /// `anchor`. Lanes without a ray have an empty interval: none of them ever meets anything.
    #[inline(always)]
    pub(crate) fn prepare<V: Rearrange>(
        &mut self,
        lanes: V,
        group: &RayGroup,
        heading: Heading,
        anchor: [f32; 3],
    ) {
        let columns = &group.columns;
        self.t_min = columns.t_min;
        let longest = usize::from(heading.longest);
        for vector in GroupColumn::<f32>::vectors::<V>() {
            let t_max = columns.t_max.load(lanes, vector);
            let never = lanes.splat(f32::NEG_INFINITY);
            let live = group.live(lanes, vector);
            self.t_max.store(lanes, t_max.select(live, never), vector);
            if live.bits() == 0 {
                continue;
            }
            let length = columns.direction[longest].load(lanes, vector).abs();
            let negligible = lanes.splat(UNIT_ROUNDOFF) * length;
            let along_longest = columns.origin[longest].load(lanes, vector);
            let reach_along_longest = (along_longest - lanes.splat(anchor[longest])).abs();
            let zero = lanes.splat(0.0);
            let mut inverses = [zero; 3];
            for (inverse, direction) in inverses.iter_mut().zip(&columns.direction) {
                *inverse = lanes.splat(1.0) / direction.load(lanes, vector);
            }
            let [x, y, z] = inverses;
            // No second division: the reciprocal of the longest is known.
            let endless = lanes.splat(ENDLESS) * x.abs().min(y.abs()).min(z.abs());
            for (axis, &anchor) in anchor.iter().enumerate() {
                let origin = columns.origin[axis].load(lanes, vector);
                let direction = columns.direction[axis].load(lanes, vector);
                let reach = (origin - lanes.splat(anchor)).abs();
                let slack = lanes.splat(SLACK) * (reach + reach_along_longest)
                    + lanes.splat(4.0 * UNIT_ROUNDOFF) * origin.abs()
                    + lanes.splat(f32::MIN_POSITIVE)
                        * (lanes.splat(1.0) + lanes.splat(LOST) * length);
                // Negated, as offsets are.
                let (mut near, mut far) = (zero - origin - slack, slack - origin);
                let mut endless = endless;
                if heading.octant >> axis & 1 == 1 {
                    (near, far, endless) = (far, near, zero - endless);
                }
                let inverse = endless.select(direction.abs().le(negligible), inverses[axis]);
                self.near_offset[axis].store(lanes, near * inverse, vector);
                self.far_offset[axis].store(lanes, far * inverse, vector);
                self.inv_direction[axis].store(lanes, inverse, vector);
            }
        }
    }

    /// The rays of a vector that meet a box, by its [planes](AabbBlock::planes), as bits.
    #[inline(always)]
    pub(crate) fn meet<V: Vectors<f32>>(
        &self,
        lanes: V,
        planes: [[V::Real; 3]; 2],
        vector: usize,
    ) -> u32 {
        let (t_enter, t_exit) = self.map(|column| column.load(lanes, vector)).slabs(planes);
        t_enter.le(t_exit).bits()
    }

    /// One ray, in all lanes.
    #[inline(always)]
    pub(crate) fn one<L: Lanes>(&self, lanes: L, ray: usize) -> SlabVector<L::F32> {
        self.map(|column| lanes.splat(column.get(ray)))
    }

    /// The greatest `t_max` of all rays.
    #[inline(always)]
    pub(crate) fn greatest_t_max<V: Rearrange>(&self, lanes: V) -> f32 {
        self.t_max.extent(lanes, u64::MAX)[1]
    }
}

/// The hull of a group: bounds of the numbers of all rays.
///
/// A plane's parameter is a rounded difference times a rounded reciprocal. Both operations are
/// monotonic in their operands, so the least and greatest operands give bounds of the parameters of
/// each ray. The test of each ray is conservative as proved at [`AabbBlock`], so the hull meets
/// every box that holds a hit of one of the rays.
///
/// The origin is one step beyond that of the outermost ray. A difference that is 0 for a ray along
/// the planes, which is then not bounded by them, has the sign here that leaves the hull unbounded.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SlabHull {
    near_origin: [f32; 3],
    far_origin: [f32; 3],
    /// The reciprocals of the longest and the shortest directions.
    least_inverse: [f32; 3],
    greatest_inverse: [f32; 3],
    pub(crate) t_min: f32,
    pub(crate) t_max: f32,
    octant: u8,
}

impl SlabHull {
    /// The hull of rays of one heading, from the least and the greatest number of each column.
    #[inline(always)]
    pub(crate) fn new(extents: &RayParts<[f32; 2], 3>, heading: Heading, anchor: [f32; 3]) -> Self {
        let RayParts { origin, direction, t_min, t_max } = extents;
        let mut hull =
            Self { t_min: t_min[0], t_max: t_max[1], octant: heading.octant, ..Self::default() };
        let farthest = |[least, greatest]: [f32; 2], from: f32| {
            (least - from).abs().max((greatest - from).abs())
        };
        let longest = usize::from(heading.longest);
        let negligible = UNIT_ROUNDOFF * farthest(direction[longest], 0.0);
        let reach_along_longest = farthest(origin[longest], anchor[longest]);
        for axis in 0..3 {
            // As in [`SlabRays::prepare`], each number with the greatest slack.
            let slack = SLACK * (farthest(origin[axis], anchor[axis]) + reach_along_longest)
                + 4.0 * UNIT_ROUNDOFF * farthest(origin[axis], 0.0)
                + f32::MIN_POSITIVE * (1.0 + LOST * farthest(direction[longest], 0.0));
            let inward = (origin[axis][1] + slack).next_up();
            let outward = (origin[axis][0] - slack).next_down();
            let [least, greatest] = direction[axis].map(f32::abs);
            let inverse =
                |length: f32| if length <= negligible { f32::INFINITY } else { 1.0 / length };
            if heading.octant >> axis & 1 == 1 {
                (hull.near_origin[axis], hull.far_origin[axis]) = (outward, inward);
                (hull.least_inverse[axis], hull.greatest_inverse[axis]) =
                    (-1.0 / least, -inverse(greatest));
            } else {
                (hull.near_origin[axis], hull.far_origin[axis]) = (inward, outward);
                (hull.least_inverse[axis], hull.greatest_inverse[axis]) =
                    (1.0 / greatest, inverse(least));
            }
        }
        hull
    }

    /// Whether all rays of a group are in the [finite range](FiniteRange).
    #[inline(always)]
    pub(crate) fn are_in_range(
        extents: &RayParts<[f32; 2], 3>,
        heading: Heading,
        range: FiniteRange,
    ) -> bool {
        let [least, greatest] = extents.direction[usize::from(heading.longest)].map(f32::abs);
        let mut origin = [0.0_f32; 3];
        for (farthest, ends) in origin.iter_mut().zip(&extents.origin) {
            *farthest = ends[0].abs().max(ends[1].abs());
        }
        range.holds(least, origin) && range.holds(greatest, origin)
    }

    #[inline(always)]
    pub(crate) fn octant(&self) -> usize {
        usize::from(self.octant & 7)
    }
}

impl AabbBlock {
    /// The least `t` at which any ray of the group enters each box, and the greatest at which any
    /// leaves it.
    #[inline(always)]
    pub(crate) fn slabs_of_hull<L: Lanes>(&self, lanes: L, hull: &SlabHull) -> (L::F32, L::F32) {
        let (mut t_enter, mut t_exit) = (lanes.splat(hull.t_min), lanes.splat(hull.t_max));
        for axis in 0..3 {
            let backwards = usize::from(hull.octant >> axis & 1);
            let near =
                lanes.load(&self.bounds[axis][backwards]) - lanes.splat(hull.near_origin[axis]);
            let far =
                lanes.load(&self.bounds[axis][1 - backwards]) - lanes.splat(hull.far_origin[axis]);
            let (least, greatest) =
                (lanes.splat(hull.least_inverse[axis]), lanes.splat(hull.greatest_inverse[axis]));
            let (mut enters, mut leaves) = (near * least, far * greatest);
            // From t_min = 0 on, planes behind the origins do not matter, and before them these are
            // the least and the greatest.
            if hull.t_min < 0.0 {
                (enters, leaves) = (enters.min(near * greatest), leaves.max(far * least));
            }
            (t_enter, t_exit) = (enters.max(t_enter), leaves.min(t_exit));
        }
        (t_enter, t_exit)
    }

    /// The near planes and the far planes of the box in a lane for rays of an octant, in all lanes.
    #[inline(always)]
    pub(crate) fn planes<V: Vectors<f32>>(
        &self,
        lanes: V,
        lane: usize,
        octant: usize,
    ) -> [[V::Real; 3]; 2] {
        [0, 1].map_each(|far| {
            [0, 1, 2].map_each(|axis| {
                lanes.splat(self.bounds[axis][(octant >> axis & 1) ^ far][lane % LANES])
            })
        })
    }
}

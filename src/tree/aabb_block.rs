//! The eight boxes of a node, widened so that no ray loses a triangle, and how far they are from a
//! point.

use crate::math::UNIT_ROUNDOFF;
use crate::simd::{LANES, Lanes, MapEach, Real};
use crate::value::Aabb;

impl Aabb {
    /// The box widened by its own part of the slack; see [`AabbBlock`].
    fn widened(&self, anchor: [f32; 3]) -> Self {
        if self.is_empty() {
            return *self;
        }
        // An infinite side needs no slack: no primitive reaches it.
        let reach = |plane: f32, axis: usize| {
            let reach = (plane - anchor[axis]).abs();
            if reach.is_finite() { reach } else { 0.0 }
        };
        let reach =
            [0, 1, 2].map_each(|axis| reach(self.min[axis], axis).max(reach(self.max[axis], axis)));
        let longest = reach.iter().fold(0.0_f32, |longest, &reach| longest.max(reach));
        let slack = reach.map_each(|reach| SLACK * reach + SLACK * longest);
        Self {
            min: [0, 1, 2].map_each(|axis| (self.min[axis] - slack[axis]).next_down()),
            max: [0, 1, 2].map_each(|axis| (self.max[axis] + slack[axis]).next_up()),
        }
    }
}

/// Eight boxes in columns, as a node of the tree holds its children's: widened, so that each slab
/// test that a query runs is conservative.
///
/// # Why the tests are conservative
///
/// A test must let pass every box that holds a triangle which the [watertight
/// test](crate::leaf::TriangleBlock) reports, at the `t` that it reports; else the tree would hide
/// hits. Write ε for the unit roundoff 2⁻²⁴, X for the greatest distance along an axis x from the
/// ray's origin to a corner of the box, and Z for the same along the longest axis z of the
/// direction.
///
/// - The watertight test decides exactly on vertices that it has moved, by rounding, at most (2X +
///   4Z)ε along x. The point at the unrounded parameter of the sheared triangle lies within (2X +
///   5Z)ε of the triangle's box along x, and within εZ along z. The reported t\* of a
///   [far-reaching](crate::kernel::far) triangle is no more than 5εZ from that, its own rounding
///   included, and no more than 10εZ beyond the triangle along z; or it is exact, and its point
///   lies in the box. So the point at t\* lies within (2X + 10Z)ε along x, and within 10εZ along z.
/// - [`SlabHull`](crate::traverse::slab::SlabHull) finds a plane's parameter by one rounded
///   difference, one rounded reciprocal and one rounded product P. Up to the last rounding it is
///   off by what moving the plane by 2.1εX would do.
/// - All other tests find it by one rounded reciprocal, the products of plane and origin with that,
///   and their difference P. The product of the origin is rounded by itself: that does what moving
///   the origin by ε|origin| does. Where the product of the plane is rounded too, that does what
///   moving the plane by ε|plane| ≤ ε(X + |origin|) does. A subnormal product loses at most 2⁻¹⁵⁰,
///   which moves either by at most 2⁻¹⁵⁰c, with c for the longest component of the direction; rays
///   in the [`FiniteRange`] have no product that overflows. The origin may be shifted by the slack
///   and then multiplied, or its product shifted by that of the slack: only the order of two
///   roundings differs.
/// - A direction component up to εc counts as zero: over the whole reach it moves the ray by at
///   most εZ. Its reciprocal is ENDLESS / c = 4 / εc instead.
///
/// So planes that are moved outwards by (5X + 11Z)ε have P ≤ t\* where the ray enters and P ≥ t\*
/// where it leaves. Rounding P and t\* to `f32` keeps that order, also where they are subnormal.
/// They are moved by 12(X + Z)ε, along z by twice 12εZ. Along an axis on which the direction counts
/// as zero, 5εZ along the ray are next to nothing: that leaves 6(X + Z)ε between the planes and a
/// ray that meets what is in the box, so that P is 24(X + Z) / c or more away from 0, beyond t\*.
///
/// X is at most the distance of the box from an anchor, any point, plus that of the origin from it,
/// and so is Z. The box's part of 12ε(X + Z) is added to the box once, when a block is made; the
/// ray's part is added to its origin once, away from the planes through which it enters and the
/// other way for those through which it leaves. 4ε|origin| covers the rounding of the shifted
/// origin and of the products, and the least normal `f32`, with 2⁻¹⁴⁶c for the products, what is
/// not relative because it is subnormal. Nothing of this costs anything in the loop, and a box far
/// from the anchor makes no other box wider.
///
/// After Woop, Benthin and Wald, "Watertight Ray/Triangle Intersection", JCGT 2(1), 2013, section
/// 4, with bounds derived for these kernels and split between box and ray.
#[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct AabbBlock {
    /// By axis, then min or max, then lane.
    pub(crate) bounds: [[[f32; LANES]; 2]; 3],
}

impl AabbBlock {
    pub(crate) const EMPTY: Self =
        Self { bounds: [[[f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]]; 3] };

    /// A block of up to eight boxes for rays that are prepared with the same anchor; the lanes left
    /// over are empty.
    pub(crate) fn anchored(boxes: &[Aabb], anchor: [f32; 3]) -> Self {
        let mut block = Self::EMPTY;
        for (lane, aabb) in boxes.iter().enumerate() {
            let Aabb { min, max } = aabb.widened(anchor);
            for (axis, bounds) in block.bounds.iter_mut().enumerate() {
                (bounds[0][lane], bounds[1][lane]) = (min[axis], max[axis]);
            }
        }
        block
    }

    /// The widened box in a lane.
    pub(crate) fn get(&self, lane: usize) -> Aabb {
        Aabb {
            min: self.bounds.map_each(|[min, _]| min[lane]),
            max: self.bounds.map_each(|[_, max]| max[lane]),
        }
    }

    /// The near planes and the far planes of the boxes for rays of an octant.
    #[inline(always)]
    pub(crate) fn near_and_far<L: Lanes>(&self, lanes: L, octant: usize) -> [[L::F32; 3]; 2] {
        let (mut near, mut far) = ([lanes.splat(0.0); 3], [lanes.splat(0.0); 3]);
        for axis in 0..3 {
            let planes: &[f32; 2 * LANES] = bytemuck::cast_ref(&self.bounds[axis]);
            // The offset of the near planes, 0 or 8, as an index of `f32`: the address of a load
            // takes that without a multiplication.
            let first = ((octant * LANES) >> axis) & LANES;
            let other = first ^ LANES;
            near[axis] = lanes.load(planes[first..first + LANES].try_into().expect("eight"));
            far[axis] = lanes.load(planes[other..other + LANES].try_into().expect("eight"));
        }
        [near, far]
    }

    /// The squared distance of a point to each of the eight boxes, 0 within; and yes where there is
    /// a box that is not empty and of which a primitive may be as near as [`reach`] says.
    ///
    /// # Why no primitive is lost
    ///
    /// Let d be the distance of the point to the box of the primitives, w to the wider box that is
    /// tested, ε the unit roundoff of `f32` and η that of `f64`. What is computed here comes to at
    /// most w²(1 + ε)⁵, and 2⁻¹⁴⁸ where products are subnormal: each side is a difference, rounded
    /// relative to itself, and then there are a product and two sums. [`reach`] adds 8ε and 2⁻¹⁴⁰
    /// to the squared distance of the nearest primitive so far before it is rounded to `f32`. So if
    /// a box is left out, w² is above that distance by a part of more than ε.
    ///
    /// The squared distance that is computed for a primitive in the box is that of a point which
    /// lies in the box but for rounding in `f64`: its root is at least d − kη(d + s), with a small
    /// k and with s for the longest diagonal of the box. The tested box is wider by 12ε of its
    /// reach on every axis, which is much more than kηs, and so that is at least w(1 − kη): the
    /// primitive is farther than the nearest so far, and not as near.
    #[inline(always)]
    pub(crate) fn squared_distances<L: Lanes>(
        &self,
        lanes: L,
        point: &[L::F32; 3],
        reach: f32,
    ) -> (L::F32, L::Mask) {
        let zero = lanes.splat(0.0);
        let mut outside = [zero; 3];
        for axis in 0..3 {
            let [min, max] = &self.bounds[axis];
            let (below, above) = (lanes.load(min) - point[axis], point[axis] - lanes.load(max));
            outside[axis] = below.max(above).max(zero);
        }
        let [x, y, z] = outside;
        let squared_distance = x * x + y * y + z * z;
        // Squares may overflow; differences do so only for empty boxes.
        let there = x.lt(lanes.splat(f32::INFINITY));
        (squared_distance, there & squared_distance.le(lanes.splat(reach)))
    }
}

/// More than [`squared_distances`](AabbBlock::squared_distances) exceeds the truth: relative, and
/// where it is subnormal.
const SLACK_OF_SQUARE: f64 = 8.0 / (1 << 24) as f64;
const LEAST_SLACK_OF_SQUARE: f64 = f64::from_bits((1023 - 140) << 52);

/// The greatest computed [squared distance](AabbBlock::squared_distances) of a box with a primitive
/// at `squared_distance`.
#[inline(always)]
pub(crate) fn reach(squared_distance: f64) -> f32 {
    (squared_distance * (1.0 + SLACK_OF_SQUARE) + LEAST_SLACK_OF_SQUARE) as f32
}

/// The shift of planes, relative to reach; see [`AabbBlock`].
pub(crate) const SLACK: f32 = 12.0 * UNIT_ROUNDOFF;

/// The reciprocal of a direction's component that counts as zero, where the longest is 1; see
/// [`AabbBlock`].
pub(crate) const ENDLESS: f32 = 4.0 / UNIT_ROUNDOFF;

/// 2⁻²⁰: the shift of origins for each unit of the longest component, in units of the least normal
/// `f32`; see [`AabbBlock`]. The product of the two is subnormal, and multiplying by a subnormal
/// number takes as long as all the rest.
pub(crate) const LOST: f32 = 1.0 / (1 << 20) as f32;

/// The rays whose products with any plane of the scene do not overflow. Other rays meet every box.
///
/// The greatest reciprocal is ENDLESS / c = 2²⁶ / c for the longest component c of the direction,
/// so that planes and origins up to 2⁹⁸c, and what is added to them, give products up to 2¹²⁵.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FiniteRange {
    /// The greatest magnitude of a plane or of the anchor.
    pub(crate) reach: f32,
    /// The greatest magnitude of a coordinate of the anchor that boxes are widened for.
    pub(crate) anchor: f32,
}

impl FiniteRange {
    /// The range for a scene within these bounds. The anchor may lie out of them: the slack of a
    /// ray has its distance from the anchor.
    pub(crate) fn of(bounds: &Aabb, anchor: [f32; 3]) -> Self {
        let greatest = |of: &[f32]| of.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        let anchor = greatest(&anchor);
        Self { reach: greatest(&bounds.min).max(greatest(&bounds.max)).max(anchor), anchor }
    }

    /// The range for rays whose slack is `stretch` times that for triangles. No ray is in range
    /// where that slack might overflow: it is longer than the way to the anchor then, so that nearly
    /// all boxes would be met anyway.
    pub(crate) fn stretched(self, stretch: f32) -> Self {
        Self { reach: if stretch <= MOST_STRETCH { self.reach } else { f32::INFINITY }, ..self }
    }

    /// Whether a ray is in range, by the longest component of its direction and of its origin.
    #[inline(always)]
    pub(crate) fn holds<R: Real<Scalar = f32>>(self, longest: R, origin: [R; 3]) -> R::Mask {
        let [x, y, z] = origin;
        let farthest = x.abs().max(y.abs()).max(z.abs());
        (farthest + longest.splat(self.reach)).le(longest.splat(FINITE_BOUND) * longest)
    }

    /// Whether a ray certainly is in range, by the longest component of its direction and the
    /// distance of its origin from the anchor: from 0 it is at most that and the distance of the
    /// anchor together.
    #[inline(always)]
    pub(crate) fn surely_holds(self, longest: f32, reach: f32) -> bool {
        (reach + self.anchor) + self.reach <= FINITE_BOUND * longest
    }
}

/// A slack of this times 28ε of the distance to the anchor, of 2⁹⁸c at most, gives products up to
/// 2¹²⁵ with the greatest reciprocal.
const MOST_STRETCH: f32 = (1 << 20) as f32;

/// 2⁹⁸.
const FINITE_BOUND: f32 = f32::from_bits((127 + 98) << 23);

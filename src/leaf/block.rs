//! The traits of leaves: tests of one ray, of pairs, of groups and streams, and of points.

use super::plain::PlainMet;
use super::view::View;
use crate::answers::Candidate;
use crate::kernel::{ExactScalar, Met, Passage};
use crate::simd::{BothPrecisions, LANES, Lanes, Rearrange, Scalar, Vectors, Widening, set_bits};
use crate::tree::Leaf;
use crate::value::{Culling, GROUP, GroupColumn, Heading, Ray, RayGroup, Rules, Side};

/// A ray of `T` prepared for the blocks of leaves, once.
pub(crate) trait PreparedRay<T>: bytemuck::Pod {
    /// The value of an empty place.
    const NONE: Self;

    /// The interval as given, where boxes see `seen`.
    fn given_interval(&self, seen: [f32; 2]) -> [T; 2];

    /// The interval as narrowed, where boxes see `seen`.
    fn interval(&self, seen: [f32; 2]) -> [T; 2];

    /// The limit for boxes if the ray ends at `t_max`.
    fn limit(&self, t_max: T) -> f32;
}

/// Eight primitives of one kind in a leaf, tested against rays of `T`.
///
/// The test has two stages, so that a caller runs the first for many rays and then the second for the few that need
/// it, without a branch in between.
pub(crate) trait RayBlock<T: Scalar = f32>: Leaf {
    /// See [`PreparedRay`].
    type PreparedRay: PreparedRay<T>;

    /// Prepares a ray that has no defect.
    fn prepare(ray: &Ray<T>) -> Self::PreparedRay;

    /// The same, with the factor of its `t` in box tests; 1 for rays of `f32`.
    #[inline(always)]
    fn prepare_scaled(ray: &Ray<T>, _scale: f64) -> Self::PreparedRay {
        Self::prepare(ray)
    }

    /// The lanes whose primitive the ray may meet, as bits; the others are certainly missed, at any `t`.
    fn undecided<L: Lanes>(&self, lanes: L, ray: &Self::PreparedRay) -> u8;

    /// The hit of the line of the ray with the primitive in an undecided lane, within the closed interval or near
    /// an end.
    fn decide(
        &self,
        lane: usize,
        ray: &Self::PreparedRay,
        rules: Rules,
        interval: [T; 2],
    ) -> Option<Found<T>>;

    /// t, u and v of a hit near an end of the given interval; `None` if it does not count.
    fn settle(&self, lane: usize, ray: &Ray<T>) -> Option<[T; 3]>;

    /// The number of the primitive in a lane.
    fn number(&self, lane: usize) -> u32;

    /// The right-handed normal of the primitive in a lane, not normalised.
    fn geometric_normal(&self, lane: usize) -> [T; 3];

    /// Calls `visit` with the lane, the hit and its side for every primitive of the block that the ray meets
    /// with `t_min ≤ t ≤ t_max`, in the order of the lanes.
    #[inline(always)]
    fn intersect<L: Lanes>(
        &self,
        lanes: L,
        prepared: &Self::PreparedRay,
        ray: &Ray<T>,
        rules: Rules,
        mut visit: impl FnMut(usize, Candidate<T>, Side),
    ) {
        for lane in set_bits(self.undecided(lanes, prepared)) {
            if let Some(found) = self.decide(lane, prepared, rules, [ray.t_min, ray.t_max])
                && let Some(candidate) = found.settled(|| self.settle(lane, ray))
            {
                visit(lane, candidate, found.side);
            }
        }
    }
}

/// A hit of the line of a ray, within the interval of the ray or near an end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<T> {
    pub(super) candidate: Candidate<T>,
    pub(crate) side: Side,
    /// Whether `t` is so little outside of the interval that [`settle`](RayBlock::settle) has to decide whether the
    /// hit counts.
    pub(super) near_end: bool,
}

impl<T: ExactScalar> Found<T> {
    /// The hit of a line that crosses the triangle of this number.
    #[inline(always)]
    pub(super) fn of(passage: &Passage<T>, number: u32) -> Option<Self> {
        let [u, v] = passage.weights();
        let candidate = Candidate { t: passage.t, u, v, number };
        passage.met.then_some(Self { candidate, side: passage.side(), near_end: passage.near_end })
    }
}

impl<T: Scalar> Found<T> {
    /// The candidate, if it counts; near an end `settle` decides and gives t, u and v.
    #[inline(always)]
    pub(crate) fn settled(&self, settle: impl FnOnce() -> Option<[T; 3]>) -> Option<Candidate<T>> {
        if !self.near_end {
            return Some(self.candidate);
        }
        let [t, u, v] = settle()?;
        Some(Candidate { t, u, v, ..self.candidate })
    }
}

/// Blocks that decide many pairs of a ray and a primitive at a time.
pub(crate) trait PairBlock<T: Scalar = f32>: RayBlock<T> {
    /// Pairs of a ray and a primitive, side by side: [`GROUP`] of them.
    type Pairs: bytemuck::Zeroable;

    /// Writes a ray and the primitive in a lane to a place.
    fn put_pair(&self, lane: usize, ray: &Self::PreparedRay, into: &mut Self::Pairs, place: usize);

    /// Decides the first `count` pairs, each as by [`decide`](RayBlock::decide). The bits name the pairs with a hit
    /// within the interval that boxes see, or near an end.
    fn decide_pairs<L: Lanes>(
        lanes: L,
        pairs: &Self::Pairs,
        count: usize,
        rules: Rules,
        intervals: &[GroupColumn; 2],
        into: &mut Decided<T>,
    ) -> u64;
}

/// The results of [`GROUP`] pairs.
pub(crate) struct Decided<T> {
    pub(crate) t: GroupColumn<T>,
    pub(crate) u: GroupColumn<T>,
    pub(crate) v: GroupColumn<T>,
    /// The hits from the front, as bits.
    pub(crate) front: u64,
    /// The hits near an end of their intervals, as bits.
    pub(crate) near_end: u64,
}

impl<T: Scalar> Decided<T> {
    /// No hit.
    pub(crate) const NONE: Self =
        Self { t: GroupColumn::ZERO, u: GroupColumn::ZERO, v: GroupColumn::ZERO, front: 0, near_end: 0 };

    /// The hit at a place, with the number of its primitive.
    #[inline(always)]
    pub(crate) fn found(&self, place: usize, number: u32) -> Found<T> {
        let [t, u, v] = [self.t.get(place), self.u.get(place), self.v.get(place)];
        Found {
            candidate: Candidate { t, u, v, number },
            side: Side::front_if(self.front >> place & 1 == 1),
            near_end: self.near_end >> place & 1 == 1,
        }
    }
}

/// Blocks of `f32` that test groups and streams.
pub(crate) trait GroupBlock: PairBlock {
    /// The lanes that hold a primitive, as bits.
    #[inline(always)]
    fn filled<L: Lanes>(&self, _: L) -> u8 {
        ((1_u16 << self.count()) - 1) as u8
    }

    /// Prepares each ray of a group as by [`prepare`](RayBlock::prepare); the result for a ray with a defect is
    /// unspecified.
    #[inline(always)]
    fn prepare_each<V: Rearrange>(_: V, group: &RayGroup, into: &mut [Self::PreparedRay; GROUP]) {
        for (lane, into) in into.iter_mut().enumerate() {
            *into = Self::prepare(&group.ray(lane));
        }
    }

    /// A group of rays prepared for blocks, once.
    type PreparedRays: bytemuck::Zeroable;

    /// Prepares rays of one heading that have no defect.
    fn prepare_group<V: Rearrange>(
        lanes: V,
        group: &RayGroup,
        heading: Heading,
        into: &mut Self::PreparedRays,
    );

    /// A block relative to the common origin of a group.
    type FromOrigin: bytemuck::Zeroable;

    /// Whether all rays of the group start at the same point, so that [`reject_from_origin`](Self::reject_from_origin)
    /// pays.
    #[inline(always)]
    fn start_together(_rays: &Self::PreparedRays) -> bool {
        false
    }

    /// Prepares the block for a group with a common origin. Returns the lanes whose primitive some ray may meet, as
    /// bits; all rays certainly miss the others, at any `t`.
    fn reject_from_origin<L: Lanes>(
        &self,
        lanes: L,
        rays: &Self::PreparedRays,
        into: &mut Self::FromOrigin,
    ) -> u8;

    /// The rays of a vector of the group that may meet the primitive in a lane, as bits, as by
    /// [`undecided`](RayBlock::undecided).
    fn undecided_rays<V: Vectors<f32>>(
        &self,
        lanes: V,
        lane: usize,
        from_origin: Option<&Self::FromOrigin>,
        rays: &Self::PreparedRays,
        vector: usize,
    ) -> u32;

    /// The hits of a vector of rays, given with their intervals, with the primitive in a lane, each as by
    /// [`decide`](RayBlock::decide); `None` if no line meets it anywhere.
    fn decide_rays<V: Vectors<f32, Real: Widening>>(
        &self,
        lanes: V,
        lane: usize,
        from_origin: Option<&Self::FromOrigin>,
        rays: &Self::PreparedRays,
        vector: (usize, [V::Real; 2]),
        rules: Rules,
    ) -> Option<Passage<V::Real>>;

    /// The primitives of a block, one after the other.
    type LaidOut: bytemuck::Zeroable;

    /// Lays the primitives out.
    fn lay_out(&self, into: &mut Self::LaidOut);

    /// Calls `each` with the lanes of `filled`, and the rays of a vector, in `numbers`, that may meet the primitive
    /// there, as bits, each as by [`undecided`](RayBlock::undecided).
    fn undecided_laid_out<V: Rearrange>(
        lanes: V,
        block: &Self::LaidOut,
        filled: u8,
        rays: (&[Self::PreparedRay], &[u32]),
        each: impl FnMut(usize, u32),
    );
}

/// Blocks of `f64` that test groups.
pub(crate) trait GroupBlockF64: PairBlock<f64> {
    /// Prepares each ray of a group as by [`prepare`](RayBlock::prepare), with its scale; the result for a ray with
    /// a defect is unspecified.
    fn prepare_each<V: BothPrecisions>(
        lanes: V,
        group: &RayGroup<f64>,
        scale: &GroupColumn<f64>,
        into: &mut [Self::PreparedRay; GROUP],
    );

    /// A group of rays prepared for blocks, once.
    type PreparedRays: bytemuck::Zeroable;

    /// Prepares rays without defect that are longest along the same axis, with the same sign; the result for others
    /// is unspecified.
    fn prepare_group<V: Vectors<f64>>(
        lanes: V,
        group: &RayGroup<f64>,
        heading: Heading,
        into: &mut Self::PreparedRays,
    );

    /// The ray in a lane, as by [`prepare`](RayBlock::prepare).
    fn prepared_ray(rays: &Self::PreparedRays, lane: usize) -> Self::PreparedRay;

    /// The rays of a vector of `f32` of the group that may meet each primitive, as bits, each as by
    /// [`undecided`](RayBlock::undecided); none in lanes without a primitive.
    fn undecided_rays<V: BothPrecisions>(
        &self,
        lanes: V,
        rays: &Self::PreparedRays,
        vector: usize,
        into: &mut [u32; LANES],
    );

    /// The hits of a vector of rays of `f64`, given with their intervals, with the primitive in a lane, each as by
    /// [`decide`](RayBlock::decide), where plain `f64` decides.
    fn decide_rays<V: Vectors<f64>>(
        &self,
        lanes: V,
        lane: usize,
        rays: &Self::PreparedRays,
        vector: (usize, [V::Real; 2]),
        culling: Culling,
    ) -> PlainMet<V::Real>;
}

/// Blocks that measure distances from points.
pub(crate) trait PointBlock: RayBlock {
    /// The squared distance of a point to each primitive as placed by `view`, rounded in `f64`, and the lanes in
    /// which it is at most `most`, as bits. Lanes without a primitive hold anything.
    fn squared_distances<V: Vectors<f64>>(
        &self,
        lanes: V,
        view: &impl View,
        point: [f64; 3],
        most: f64,
        into: &mut [f64; LANES],
    ) -> u8;

    /// The closest point of the primitive in a lane, at the distance that
    /// [`squared_distances`](Self::squared_distances) finds, bit for bit.
    fn foot(&self, lane: usize, view: &impl View, point: [f64; 3]) -> Foot;
}

/// The closest point of a primitive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Foot {
    pub(crate) squared_distance: f64,
    pub(crate) point: [f32; 3],
    pub(crate) u: f32,
    pub(crate) v: f32,
}

//! What casts of either precision have in common: the rays of a chunk as a tree sees them.

use std::ops::Range;

use super::groups::ActiveGroup;
use crate::kernel::Met;
use crate::leaf::{PairBlock, RayBlock};
use crate::query::{Offer, Query};
use crate::simd::{Backend, Lanes, Scalar, Single, Vectors};
use crate::status::Status;
use crate::value::{GROUP, GroupColumn, Heading, Ray, RayGroup, Rules};

/// A ray of a chunk, prepared for leaves.
pub(crate) type PreparedOf<P> =
    <<P as ChunkRays>::Block as RayBlock<<P as ChunkRays>::Scalar>>::PreparedRay;

/// The primitives of a leaf laid out for many rays.
pub(super) type LaidOutOf<P> =
    <<P as ChunkRays>::Block as PairBlock<<P as ChunkRays>::Scalar>>::LaidOut;

/// The rays of a chunk. Boxes see all in `f32`; leaves see them in their own precision.
pub(crate) trait ChunkRays: Sized {
    /// Their precision.
    type Scalar: Scalar;

    /// The leaves.
    type Block: PairBlock<Self::Scalar>;

    /// The ray in a row, as given.
    fn ray(&self, row: u32) -> Ray<Self::Scalar>;

    /// Prefetches the rays in these rows, clamped to the batch.
    fn prefetch(&self, rows: Range<usize>);

    /// Gathers the rays in these rows, one to [`GROUP`] of them, as boxes see them. Returns the
    /// rays that certainly have no defect, as bits.
    fn gather(&mut self, backend: Backend, rows: &[u32], into: &mut RayGroup) -> u64;

    /// The defect of one of the rays gathered last.
    fn find_defect(&self, seen: &RayGroup, lane: usize) -> Option<Status>;

    /// Prepares each of the rays gathered last for leaves; the result for one with a defect is
    /// unspecified.
    fn prepare<L: Lanes>(&self, lanes: L, seen: &RayGroup, into: &mut [PreparedOf<Self>; GROUP]);

    /// The rays gathered last, prepared together for leaves.
    type Group: bytemuck::Zeroable;

    /// The rays gathered last that boxes can test in a group, as bits.
    fn fit(&self, _: Backend, _seen: &RayGroup) -> u64 {
        u64::MAX
    }

    /// Prepares the live rays, all of one heading.
    fn prepare_group<L: Lanes>(
        &self,
        lanes: L,
        seen: &RayGroup,
        heading: Heading,
        into: &mut Self::Group,
    );

    /// Tests the leaf against some of the rays. Returns whether any interval may be narrower.
    fn visit_leaf<L: Lanes, Q: Query<Self::Scalar>>(
        visit: &mut LeafVisit<'_, '_, Self, Q>,
        lanes: L,
        rays: u64,
    ) -> bool;
}

/// A leaf that a group visits.
pub(crate) struct LeafVisit<'v, 'q, P: ChunkRays, Q: Query<P::Scalar>> {
    pub(super) chunk_rays: &'v P,
    pub(super) block: &'v P::Block,
    pub(super) prepared: &'v mut P::Group,
    pub(super) offers: &'v mut GroupOffers<'q, P::Scalar, Q>,
    pub(super) group: &'v mut ActiveGroup,
}

/// The query, and what it knows of the rays of a group.
pub(crate) struct GroupOffers<'a, T: Scalar, Q: Query<T>> {
    pub(super) rules: Rules,
    pub(super) query: &'a mut Q,
    pub(super) known: Q::Group,
}

impl<T: Scalar, Q: Query<T>> GroupOffers<'_, T, Q> {
    /// Offers the hits of a vector of rays with a primitive.
    #[inline(always)]
    pub(super) fn offer<V: Vectors<T>, M: Met<V::Real>, B: RayBlock<T>>(
        &mut self,
        lanes: V,
        (block, primitive): (&B, usize),
        (vector, met): (usize, M),
        t_max: &mut GroupColumn<T>,
        (rows, live): (&[u32; GROUP], &mut u64),
    ) {
        let offer = Offer { met, number: block.number(primitive), vector, rows, t_max };
        let normal = || block.geometric_normal(primitive);
        let settled = self.query.offer_vector(&mut self.known, lanes, offer, normal);
        *live &= !(u64::from(settled) << (vector * V::COUNT));
    }

    /// Decides a primitive for the ray in a lane, and offers the hit. Returns whether there is one.
    #[inline(always)]
    pub(super) fn decide<B: RayBlock<T>>(
        &mut self,
        (block, primitive): (&B, usize),
        (lane, ray, prepared): (usize, &Ray<T>, &B::PreparedRay),
        t_max: &mut GroupColumn<T>,
        group: (&[u32; GROUP], &mut u64),
    ) -> bool {
        let found = block.decide(primitive, prepared, Q::rules(self.rules), [ray.t_min, ray.t_max]);
        let Some(found) = found else { return false };
        match found.resolved(|found| block.resolve(primitive, ray, found)) {
            Some(candidate) if candidate.t <= t_max.get(lane) => {
                let met = (candidate, found.side);
                self.offer(Single, (block, primitive), (lane, met), t_max, group);
                true
            }
            _ => false,
        }
    }
}

//! Groups at leaves.

use std::ops::Range;

use super::chunk_rays::{ChunkRays, GroupOffers, LeafVisit};
use super::groups::{ActiveGroup, GroupLeaves};
use super::plan::Plan;
use crate::query::Query;
use crate::simd::{Backend, call, set_bits};
use crate::tree::arena::{Arena, Reference};
use crate::value::{GROUP, RayGroup};

/// The [work](crate::chunks::Chunk::work) of a group at a leaf, and at the nodes on the way there.
const WORK: u32 = 16;

/// The leaves of the tree, and the rays of a chunk.
pub(super) struct GroupLeafTest<'a, P: ChunkRays, Q: Query<P::Scalar>> {
    backend: Backend,
    arena: &'a Arena<P::Block>,
    /// The rays of the chunk, and those gathered last.
    chunk_rays: P,
    /// Prepared for primitives, once the first leaf is reached.
    prepared: P::Group,
    is_prepared: bool,
    plan: Plan<'a>,
    offers: GroupOffers<'a, P::Scalar, Q>,
    /// A leaf that is not stored.
    made: Option<P::Block>,
}

impl<'a, P: ChunkRays, Q: Query<P::Scalar>> GroupLeafTest<'a, P, Q> {
    pub(super) fn new(
        backend: Backend,
        arena: &'a Arena<P::Block>,
        chunk_rays: P,
        plan: Plan<'a>,
        query: &'a mut Q,
    ) -> Self {
        Self {
            backend,
            arena,
            chunk_rays,
            prepared: bytemuck::Zeroable::zeroed(),
            is_prepared: false,
            plan,
            offers: GroupOffers { rules: plan.rules, query, known: Q::GROUP_START },
            made: None,
        }
    }
}

impl<P: ChunkRays, Q: Query<P::Scalar>> GroupLeaves for GroupLeafTest<'_, P, Q> {
    fn prefetch(&self, rays: Range<usize>, answers: Range<usize>) {
        self.chunk_rays.prefetch(rays);
        self.offers.query.prefetch(answers);
    }

    fn gather(&mut self, rows: &[u32], later: Range<usize>, into: &mut RayGroup) -> u64 {
        if self.plan.chunk.work(1).is_break() {
            into.live = 0;
            return 0;
        }
        let sound = self.chunk_rays.gather(self.backend, rows, into);
        let fit = self.chunk_rays.fit(self.backend, into);
        for lane in set_bits(into.live & !sound) {
            if let Some(defect) = self.chunk_rays.find_defect(into, lane) {
                self.offers.query.refuse(rows[lane] as usize, defect);
                into.live &= !(1 << lane);
            }
        }
        self.chunk_rays.prefetch(later);
        let left_out = into.live & !fit;
        into.live &= fit;
        left_out
    }

    fn start(&mut self) {
        self.is_prepared = false;
        self.offers.known = Q::GROUP_START;
    }

    fn visit(&mut self, leaf: Reference, rays: u64, group: &mut ActiveGroup) -> bool {
        if self.plan.chunk.work(WORK).is_break() {
            group.live = 0;
            return false;
        }
        let Self { backend, arena, chunk_rays, prepared, is_prepared, offers, made, .. } = self;
        // Fetched outside: with the making of leaves in the kernel, closest hits of cameras take
        // 1.03 to 1.05 times as long.
        let block = arena.block(leaf, made);
        call!(*backend, lanes => {
            if !*is_prepared {
                chunk_rays.prepare_group(lanes, &group.rays, group.heading, prepared);
                *is_prepared = true;
            }
            let mut visit = LeafVisit { chunk_rays, block, prepared, offers, group };
            P::visit_leaf(&mut visit, lanes, rays)
        })
    }

    fn finish(&mut self, rows: &[u32; GROUP], lanes: u64) {
        self.offers.query.finish_group(&self.offers.known, rows, lanes);
    }
}

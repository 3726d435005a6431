//! Rays of a chunk made ready for boxes and primitives, a group at a time.

use super::rows::Rows;
use crate::bvh::Bvh;
use crate::primitive::{LeafBlock, SlabRay, TameRays};
use crate::query::Query;
use crate::ray::{GROUP, RayBatch, RayGroup, RaySource};
use crate::simd::Lanes;

/// Rays that can be cast, in the order in which they are to be.
pub(super) struct Ready<'a, 'c, B: LeafBlock> {
    rays: &'a RayBatch<'c>,
    source: RaySource<'c>,
    rest: Rows,
    anchor: [f32; 3],
    tame: TameRays,
    /// Whether all are [tame](TameRays).
    pub(super) are_tame: bool,
    /// Which row of the chunk each is.
    pub(super) rows: Vec<u32>,
    pub(super) slabs: Vec<SlabRay>,
    pub(super) prepared: Vec<B::PreparedRay>,
    /// How many have been taken one by one.
    taken: usize,
    group: RayGroup,
    group_slabs: [SlabRay; GROUP],
    group_prepared: [B::PreparedRay; GROUP],
}

impl<'a, 'c, B: LeafBlock> Ready<'a, 'c, B> {
    /// None yet of the rays in the rows that are left, to be made ready for the tree. There is room for so many
    /// at a time.
    #[inline(always)]
    pub(super) fn new(bvh: &Bvh<B>, rays: &'a RayBatch<'c>, rest: Rows, room: usize) -> Self {
        Self {
            rays,
            source: RaySource::new(rays),
            rest,
            anchor: bvh.arena.anchor,
            tame: bvh.tame,
            are_tame: true,
            rows: Vec::with_capacity(room),
            slabs: Vec::with_capacity(room),
            prepared: Vec::with_capacity(room),
            taken: 0,
            group: RayGroup::EMPTY,
            group_slabs: [SlabRay::NONE; GROUP],
            group_prepared: [bytemuck::Zeroable::zeroed(); GROUP],
        }
    }

    /// Forgets those that there are, and makes at most `most` others ready, which is at least a group.
    /// Those with a defect the query refuses. Says whether there are any.
    #[inline(always)]
    pub(super) fn fill<L: Lanes>(&mut self, lanes: L, most: usize, query: &mut impl Query) -> bool {
        self.rows.clear();
        self.slabs.clear();
        self.prepared.clear();
        self.are_tame = true;
        self.taken = 0;
        let wide = lanes.widest();
        let mut rows = [0; GROUP];
        while self.rows.len() + GROUP <= most {
            let count = self.rest.take(&mut rows);
            if count == 0 {
                break;
            }
            let rows = &rows[..count];
            self.group.gather(wide, &self.source, rows);
            let tame =
                SlabRay::prepare_group(wide, &self.group, self.anchor, self.tame, &mut self.group_slabs);
            B::prepare_each(wide, &self.group, &mut self.group_prepared);
            let sound = self.group.surely_sound(wide);
            self.are_tame &= self.group.live & sound & !tame == 0;
            if sound & self.group.live == self.group.live {
                self.rows.extend_from_slice(rows);
                self.slabs.extend_from_slice(&self.group_slabs[..count]);
                self.prepared.extend_from_slice(&self.group_prepared[..count]);
                continue;
            }
            for (lane, &row) in rows.iter().enumerate() {
                if let Some(defect) = self.group.ray(lane).find_defect() {
                    query.refuse(row as usize, defect);
                } else {
                    self.rows.push(row);
                    self.slabs.push(self.group_slabs[lane]);
                    self.prepared.push(self.group_prepared[lane]);
                }
            }
        }
        // One more that meets nothing, for lanes without a ray.
        self.slabs.push(SlabRay::NONE);
        self.prepared.push(bytemuck::Zeroable::zeroed());
        !self.rows.is_empty()
    }

    /// Gives each ray the interval back that it came with.
    pub(super) fn widen_again(&mut self) {
        for (slabs, &row) in self.slabs.iter_mut().zip(&self.rows) {
            slabs.t_max = self.rays.ray(row as usize).t_max;
        }
    }

    /// The place of the next that has not been taken, if there is one; makes others ready where needed.
    #[inline(always)]
    pub(super) fn next<L: Lanes>(&mut self, lanes: L, query: &mut impl Query) -> Option<usize> {
        if self.taken == self.rows.len() && !self.fill(lanes, GROUP, query) {
            return None;
        }
        self.taken += 1;
        Some(self.taken - 1)
    }
}

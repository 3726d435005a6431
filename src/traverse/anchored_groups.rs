//! Groups of `f64` at leaves.
//!
//! Boxes see a group of `f32`. The first stage at a leaf is in `f32` too: each ray against all primitives, or
//! each primitive against vectors of rays, whichever takes fewer vectors. Vectors of `f64` decide the rest,
//! and scalar arithmetic the rays that pass too near an edge for plain `f64`.

use std::ops::Range;

use super::chunk_rays::ChunkRays;
use super::chunk_rays_f64::ChunkRaysF64;
use super::count;
use super::groups::{ActiveGroup, GroupLeaves};
use crate::kernel::Met;
use crate::leaf::LeafBlockF64;
use crate::query::{Casting, GroupState, Offer, Query};
use crate::simd::{
    Backend, BothPrecisions, Kernel, LANES, Lanes, Mask, Real, Single, Vectors, call, set_bits,
};
use crate::tree::AnchoredBvh;
use crate::tree::arena::{Arena, Reference};
use crate::tree::viewpoint::not_below;
use crate::value::{GROUP, GroupColumn, RayBatch, RayGroup, RayParts, Rules};

/// The leaves of the tree, and the rays of a chunk of `f64`.
pub(super) struct GroupLeafTestF64<'a, 'r, B: LeafBlockF64, Q: Query<f64>> {
    backend: Backend,
    arena: &'a Arena<B>,
    /// The rays of the chunk; it holds those of the group.
    chunk: ChunkRaysF64<'a, 'r, B>,
    rules: Rules,
    query: &'a mut Q,
    /// Prepared for primitives, once the first leaf is reached.
    prepared: B::PreparedRays,
    is_prepared: bool,
    /// The `t_max` of each ray, lowered by hits that narrow; −∞ in lanes without a ray of the heading.
    t_max: GroupColumn<f64>,
    /// The state of the query.
    known: Q::Group,
}

impl<'a, 'r, B: LeafBlockF64, Q: Query<f64>> GroupLeafTestF64<'a, 'r, B, Q> {
    pub(super) fn new(
        backend: Backend,
        tree: &'a AnchoredBvh<B>,
        rays: &'a RayBatch<'r, f64>,
        how: Casting<'_>,
        query: &'a mut Q,
    ) -> Self {
        Self {
            backend,
            arena: &tree.bvh.arena,
            chunk: ChunkRaysF64::new(tree, rays),
            rules: how.rules,
            query,
            prepared: bytemuck::Zeroable::zeroed(),
            is_prepared: false,
            t_max: GroupColumn::ZERO,
            known: Q::Group::START,
        }
    }

    /// The rays that may meet each primitive of a leaf.
    #[inline(always)]
    fn undecided<L: Lanes>(&self, lanes: L, block: &B, rays: u64) -> [u64; LANES] {
        let wide = lanes.widest();
        let mut undecided = [0; LANES];
        // A vector of rays is prepared once and tested against each primitive; a ray against all.
        if vectors_of(rays, count::<L::Widest>()) * (block.count() + 1) <= 2 * rays.count_ones() as usize {
            let mut left = rays;
            while left != 0 {
                let (vector, some) = take_vector(&mut left, count::<L::Widest>());
                let mut open = [0; LANES];
                block.undecided_rays(wide, &self.prepared, vector, &mut open);
                for (undecided, open) in undecided.iter_mut().zip(open) {
                    *undecided |= u64::from(some & open) << (vector * count::<L::Widest>());
                }
            }
        } else {
            let filled = (1_u16 << block.count()) - 1;
            for lane in set_bits(rays) {
                let open = block.undecided(lanes, &B::prepared_ray(&self.prepared, lane)) & filled as u8;
                for primitive in set_bits(open) {
                    undecided[primitive] |= 1 << lane;
                }
            }
        }
        undecided
    }

    /// Decides a primitive for some rays of a vector. Returns the rays that meet it within their intervals,
    /// as bits.
    #[inline(always)]
    fn decide<V: Vectors<f64>>(
        &mut self,
        lanes: V,
        (block, primitive): (&B, usize),
        (vector, open): (usize, u32),
        group: &mut ActiveGroup<'_>,
    ) -> u32 {
        let rays = &self.chunk.rays;
        let RayParts { t_min, t_max, .. } = &rays.columns;
        let interval = [t_min.load(lanes, vector), t_max.load(lanes, vector)];
        let mut met =
            block.decide_rays(lanes, primitive, &self.prepared, (vector, interval), self.rules.culling);
        let near_end = met.near_end.bits();
        // Earlier hits may have narrowed the interval.
        met.met = met.met & !met.near_end & met.t.le(self.t_max.load(lanes, vector));
        let is_plain = met.is_plain().bits();
        let mut changed = 0;
        if met.met.bits() != 0 {
            changed = met.met.bits();
            self.offer(lanes, (block, primitive), vector, met, group);
        }
        for lane in set_bits(open & (!is_plain | near_end)) {
            let ray = vector * V::COUNT + lane;
            let given = self.chunk.rays.ray(ray);
            let prepared = B::prepared_ray(&self.prepared, ray);
            if let Some(found) = block.decide(primitive, &prepared, self.rules, [given.t_min, given.t_max])
                && let Some(candidate) = found.settled(|| block.settle(primitive, &given))
                && candidate.t <= self.t_max.get(ray)
            {
                changed |= 1 << lane;
                self.offer(Single, (block, primitive), ray, (candidate, found.side), group);
            }
        }
        changed
    }

    /// Narrows the intervals that boxes see, for some rays. Returns whether any became narrower.
    #[inline(always)]
    fn narrow<V: BothPrecisions>(&self, lanes: V, rays: u64, group: &mut ActiveGroup<'_>) -> bool {
        let mut narrows = false;
        let mut left = rays;
        while left != 0 {
            let (vector, _) = take_vector(&mut left, <V as Vectors<f32>>::COUNT);
            let (low, high) = (2 * vector, 2 * vector + 1);
            let t_max = lanes.join(self.t_max.load(lanes, low), self.t_max.load(lanes, high));
            let scale = &self.chunk.scale;
            let scale = lanes.join(scale.load(lanes, low), scale.load(lanes, high));
            let before = group.slabs.t_max.load(lanes, vector);
            let after: <V as Vectors<f32>>::Real = not_below(t_max * scale);
            narrows |= after.lt(before).bits() != 0;
            group.slabs.t_max.store(lanes, after.min(before), vector);
        }
        narrows
    }

    /// Offers the hits of a vector of rays.
    #[inline(always)]
    fn offer<V: Vectors<f64>, M: Met<V::Real>>(
        &mut self,
        lanes: V,
        (block, primitive): (&B, usize),
        vector: usize,
        met: M,
        group: &mut ActiveGroup<'_>,
    ) {
        let number = block.number(primitive);
        let offer = Offer { met, number, vector, rows: group.rows, t_max: &mut self.t_max };
        let settled = self.known.offer(self.query, lanes, offer, || block.geometric_normal(primitive));
        *group.live &= !(u64::from(settled) << (vector * V::COUNT));
    }
}

impl<B: LeafBlockF64, Q: Query<f64>> GroupLeaves for GroupLeafTestF64<'_, '_, B, Q> {
    fn narrows(&self) -> bool {
        Q::NARROWS
    }

    fn forgets(&self) -> bool {
        Q::Group::FORGETS
    }

    fn prefetch_rays(&self, rows: Range<usize>) {
        self.chunk.prefetch(rows);
    }

    fn prefetch_answers(&self, rows: Range<usize>) {
        self.query.prefetch(rows);
    }

    fn gather(&mut self, rows: &[u32], into: &mut RayGroup) -> u64 {
        let [sound, fits] = call(self.backend, Gathering { chunk: &mut self.chunk, rows, into });
        let rays = &mut self.chunk.rays;
        for lane in set_bits(rays.live & !sound) {
            if let Some(defect) = rays.ray(lane).find_defect() {
                self.query.refuse(rows[lane] as usize, defect);
                rays.live &= !(1 << lane);
            }
        }
        let left_out = rays.live & !fits;
        into.live = rays.live & fits;
        left_out
    }

    fn start(&mut self) {
        self.is_prepared = false;
        self.known.restart();
    }

    fn visit(&mut self, leaf: Reference, rays: u64, group: ActiveGroup<'_>) -> bool {
        call(self.backend, LeafVisit { leaves: self, leaf, rays, group })
    }

    fn finish(&mut self, rows: &[u32; GROUP], lanes: u64) {
        self.known.finish(self.query, rows, lanes);
    }
}

/// Gathers rays. Returns those that certainly have no defect, and those that boxes can test in a group.
struct Gathering<'g, 'a, 'r, B> {
    chunk: &'g mut ChunkRaysF64<'a, 'r, B>,
    rows: &'g [u32],
    into: &'g mut RayGroup,
}

impl<B: LeafBlockF64> Kernel for Gathering<'_, '_, '_, B> {
    type Output = [u64; 2];

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> [u64; 2] {
        let Self { chunk, rows, into } = self;
        let wide = lanes.widest();
        let sound = chunk.gather(lanes, rows, into);
        // Left out are rays too far away for `f32`, and rays nearly as long along two axes: `f32` may lose
        // which is longer, and all rays of a group are longest along the same axis.
        let same_axis = into.headings(wide).agree_on_longest(&chunk.rays.headings(wide));
        [sound, into.surely_sound(wide) & same_axis]
    }
}

/// See [`GroupLeaves::visit`].
struct LeafVisit<'v, 'a, 'r, B: LeafBlockF64, Q: Query<f64>> {
    leaves: &'v mut GroupLeafTestF64<'a, 'r, B, Q>,
    leaf: Reference,
    rays: u64,
    group: ActiveGroup<'v>,
}

impl<B: LeafBlockF64, Q: Query<f64>> Kernel for LeafVisit<'_, '_, '_, B, Q> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let Self { leaves, leaf, rays, mut group } = self;
        let (block, wide) = (leaves.arena.block(leaf), lanes.widest());
        if !leaves.is_prepared {
            B::prepare_group(wide, &leaves.chunk.rays, group.heading, &mut leaves.prepared);
            leaves.is_prepared = true;
            for (lane, t_max) in leaves.t_max.all_mut().iter_mut().enumerate() {
                let came_with = leaves.chunk.rays.columns.t_max.get(lane);
                *t_max = if group.rays.live >> lane & 1 == 1 { came_with } else { f64::NEG_INFINITY };
            }
        }
        let undecided = leaves.undecided(lanes, block, rays & *group.live);
        let mut changed = 0;
        for (primitive, mut left) in undecided.into_iter().enumerate() {
            while left != 0 {
                let lanes = lanes_of::<L::Widest>();
                let (vector, open) = take_vector(&mut left, lanes);
                // Rays settled by an earlier primitive of the leaf drop out.
                let open = open & (*group.live >> (vector * lanes)) as u32;
                if open != 0 {
                    let met = leaves.decide(wide, (block, primitive), (vector, open), &mut group);
                    changed |= u64::from(met) << (vector * lanes);
                }
            }
        }
        Q::NARROWS && leaves.narrow(wide, changed, &mut group)
    }
}

/// The lanes of a vector of `f64`.
const fn lanes_of<V: Vectors<f64>>() -> usize {
    V::COUNT
}

/// Removes the rays in the vector of the first ray, which has this many lanes; returns the vector and their
/// bits.
#[inline(always)]
const fn take_vector(rays: &mut u64, lanes: usize) -> (usize, u32) {
    let vector = rays.trailing_zeros() as usize / lanes;
    let of_vector = u64::MAX >> (64 - lanes);
    let some = *rays >> (vector * lanes) & of_vector;
    *rays &= !(of_vector << (vector * lanes));
    (vector, some as u32)
}

/// The number of vectors of this many lanes that the rays are in.
#[inline(always)]
const fn vectors_of(mut rays: u64, lanes: usize) -> usize {
    let mut count = 0;
    while rays != 0 {
        take_vector(&mut rays, lanes);
        count += 1;
    }
    count
}

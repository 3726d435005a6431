//! Rays of `f64` that go through the tree together.
//!
//! As far as boxes go they are a group of `f32` as any other. A leaf's primitives are tested in lanes of `f64`, each ray
//! against all of them or each of them against vectors of rays, whichever takes fewer vectors; and what is left is decided
//! in lanes of rays, but where a ray passes too near an edge for plain `f64`.

use std::ops::Range;

use super::anchored::PassengersOfF64;
use super::groups::{Groups, OnTheWay, Party};
use super::passengers::Passengers;
use super::rows::Rows;
use crate::bvh::anchored::AnchoredBvh;
use crate::bvh::viewpoint::not_below;
use crate::hit::Candidate;
use crate::primitive::{LeafBlockF64, Rules, Side, set_bits};
use crate::query::{Casting, GroupState, Query};
use crate::ray::{GROUP, RayBatch, RayGroup};
use crate::simd::{Kernel, LANES, Lanes, Mask, Real, Vectors};

/// What goes well together goes in groups.
pub(super) struct InGroups<'a, 'r, B, Q> {
    pub(super) tree: &'a AnchoredBvh<B>,
    pub(super) rays: &'a RayBatch<'r, f64>,
    /// Keeps the rows of the rest.
    pub(super) rows: &'a mut Rows,
    pub(super) how: Casting<'a>,
    pub(super) query: &'a mut Q,
}

impl<B: LeafBlockF64, Q: Query<f64>> Kernel for InGroups<'_, '_, B, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { tree, rays, rows, how, query } = self;
        let party = PartyOfF64 {
            passengers: PassengersOfF64::new(tree, rays),
            rules: how.rules(Q::COUNTS_CONTACTS),
            query,
            prepared: bytemuck::Zeroable::zeroed(),
            is_prepared: false,
            states: [Q::START; GROUP],
        };
        Groups::new(&tree.bvh, how.coherence, party).cast(lanes, rows);
    }
}

/// The rays of a chunk, of `f64`.
struct PartyOfF64<'a, 'r, B: LeafBlockF64, Q: Query<f64>> {
    /// Those of the group. Where hits narrow intervals, their ends are lowered here.
    passengers: PassengersOfF64<'a, 'r, B>,
    rules: Rules,
    query: &'a mut Q,
    /// Made ready for primitives, once the first leaf is reached.
    prepared: B::PreparedRays,
    is_prepared: bool,
    states: [Q::State; GROUP],
}

impl<B: LeafBlockF64, Q: Query<f64>> PartyOfF64<'_, '_, B, Q> {
    /// Which of the rays may meet each primitive of a leaf.
    #[inline(always)]
    fn undecided<L: Lanes>(&self, lanes: L, block: &B, rays: u64) -> [u64; LANES] {
        let wide = lanes.widest();
        let mut undecided = [0; LANES];
        let count = block.count();
        if vectors_of(wide, rays) * count <= rays.count_ones() as usize * vectors_of(wide, u64::from(u8::MAX))
        {
            for (primitive, undecided) in undecided.iter_mut().enumerate().take(count) {
                let mut left = rays;
                while left != 0 {
                    let (vector, some) = take_vector(wide, &mut left);
                    let open = some & block.undecided_rays(wide, primitive, &self.prepared, vector);
                    *undecided |= in_group(wide, open, vector);
                }
            }
        } else {
            let filled = (1_u16 << count) - 1;
            for lane in set_bits(rays) {
                let open = block.undecided(lanes, &B::prepared_ray(&self.prepared, lane)) & filled as u8;
                for primitive in set_bits(open) {
                    undecided[primitive] |= 1 << lane;
                }
            }
        }
        undecided
    }

    /// Decides whether some rays of a vector meet a primitive. Says whether any interval is narrower for it.
    #[inline(always)]
    fn decide<V: Vectors<f64>>(
        &mut self,
        lanes: V,
        (block, primitive): (&B, usize),
        (vector, open): (usize, u32),
        group: &mut OnTheWay<'_>,
    ) -> bool {
        let (passage, t) = block.pass_rays(lanes, primitive, &self.prepared, vector);
        let columns = &self.passengers.rays.columns;
        let (t_min, t_max) = (columns.t_min.load(lanes, vector), columns.t_max.load(lanes, vector));
        let is_finite = t.abs().lt(lanes.splat(f64::INFINITY));
        let met = passage.counts(self.rules.culling) & is_finite & t_min.le(t) & t.le(t_max);
        let (met, front) = (open & met.bits(), passage.front.bits());
        let mut narrows = false;
        if met != 0 {
            let [u, v] = passage.weights();
            let mut hits: [V::Row; 3] = bytemuck::Zeroable::zeroed();
            lanes.store(t, &mut hits[0]);
            lanes.store(u, &mut hits[1]);
            lanes.store(v, &mut hits[2]);
            let [t, u, v] = [hits[0].as_ref(), hits[1].as_ref(), hits[2].as_ref()];
            let number = block.number(primitive);
            for lane in set_bits(met) {
                let candidate = Candidate { t: t[lane], u: u[lane], v: v[lane], number };
                let side = Side::front_if(front >> lane & 1 == 1);
                let ray = vector * V::COUNT + lane;
                narrows |= self.offer(ray, candidate, side, (block, primitive), group);
            }
        }
        for lane in set_bits(open & !passage.is_plain.bits()) {
            let ray = vector * V::COUNT + lane;
            let columns = &self.passengers.rays.columns;
            let decided = block.decide(primitive, &B::prepared_ray(&self.prepared, ray), self.rules);
            if let Some((candidate, side)) = decided
                && columns.t_min.get(ray) <= candidate.t
                && candidate.t <= columns.t_max.get(ray)
            {
                narrows |= self.offer(ray, candidate, side, (block, primitive), group);
            }
        }
        narrows
    }

    /// Offers the query what a ray meets. Says whether its interval is narrower for it.
    #[inline(always)]
    fn offer(
        &mut self,
        lane: usize,
        candidate: Candidate<f64>,
        side: Side,
        (block, primitive): (&B, usize),
        group: &mut OnTheWay<'_>,
    ) -> bool {
        let state = &mut self.states[lane % GROUP];
        let row = group.rows[lane % GROUP] as usize;
        self.query.offer(row, state, candidate, side, || block.geometric_normal(primitive));
        if Q::is_settled(state) {
            *group.live &= !(1 << lane);
        }
        if !Q::NARROWS {
            return false;
        }
        let column = &mut self.passengers.rays.columns.t_max;
        let t_max = Q::t_max(state, column.get(lane));
        column.set(lane, t_max);
        let (before, after) =
            (group.slabs.t_max.get(lane), not_below(t_max * self.passengers.scale.get(lane)));
        group.slabs.t_max.set(lane, after);
        after < before
    }
}

impl<B: LeafBlockF64, Q: Query<f64>> Party<B> for PartyOfF64<'_, '_, B, Q> {
    const NARROWS: bool = Q::NARROWS;
    const FORGETS: bool = Q::Group::FORGETS;

    #[inline(always)]
    fn prefetch_rays(&self, _: Range<usize>) {}

    #[inline(always)]
    fn prefetch_answers(&self, rows: Range<usize>) {
        self.query.prefetch(rows);
    }

    #[inline(always)]
    fn gather<L: Lanes>(&mut self, lanes: L, rows: &[u32], into: &mut RayGroup) -> u64 {
        let wide = lanes.widest();
        let sound = self.passengers.gather(lanes, rows, into);
        let rays = &mut self.passengers.rays;
        for lane in set_bits(rays.live & !sound) {
            if let Some(defect) = rays.ray(lane).find_defect() {
                self.query.refuse(rows[lane] as usize, defect);
                rays.live &= !(1 << lane);
            }
        }
        into.live = rays.live;
        // Rays too far away for `f32`, and those that go nearly as far along two axes: which is longer may be lost there,
        // and all rays of a group go longest along the same.
        let fits = into.surely_sound(wide) & into.headings(wide).agree_on_longest(&rays.headings(wide));
        let left_out = into.live & !fits;
        into.live &= fits;
        left_out
    }

    #[inline(always)]
    fn set_off(&mut self) {
        self.is_prepared = false;
        self.states = [Q::START; GROUP];
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &B, rays: u64, mut group: OnTheWay<'_>) -> bool {
        let wide = lanes.widest();
        if !self.is_prepared {
            B::prepare_group(wide, &self.passengers.rays, group.heading, &mut self.prepared);
            self.is_prepared = true;
        }
        let undecided = self.undecided(lanes, block, rays & *group.live);
        let mut narrows = false;
        for (primitive, mut left) in undecided.into_iter().enumerate() {
            while left != 0 {
                let (vector, open) = take_vector(wide, &mut left);
                // Those that were settled by what stands before in the leaf are not asked again.
                let open = open & vector_of(wide, *group.live, vector);
                if open != 0 {
                    narrows |= self.decide(wide, (block, primitive), (vector, open), &mut group);
                }
            }
        }
        narrows
    }

    #[inline(always)]
    fn finish(&mut self, rows: &[u32; GROUP], lanes: u64) {
        for lane in set_bits(lanes) {
            self.query.finish(rows[lane] as usize, &self.states[lane]);
        }
    }
}

/// Those of the rays that are in a vector, as its bits.
#[inline(always)]
const fn vector_of<V: Vectors<f64>>(_: V, rays: u64, vector: usize) -> u32 {
    (rays >> (vector * V::COUNT) & (u64::MAX >> (64 - V::COUNT))) as u32
}

/// The bits of a vector as rays of the group.
#[inline(always)]
const fn in_group<V: Vectors<f64>>(_: V, bits: u32, vector: usize) -> u64 {
    (bits as u64) << (vector * V::COUNT)
}

/// Takes those of the rays, at least one, that share the vector of the first.
#[inline(always)]
const fn take_vector<V: Vectors<f64>>(lanes: V, rays: &mut u64) -> (usize, u32) {
    let vector = rays.trailing_zeros() as usize / V::COUNT;
    let some = vector_of(lanes, *rays, vector);
    *rays &= !in_group(lanes, some, vector);
    (vector, some)
}

/// In how many vectors some rays are.
#[inline(always)]
const fn vectors_of<V: Vectors<f64>>(lanes: V, mut rays: u64) -> usize {
    let mut count = 0;
    while rays != 0 {
        take_vector(lanes, &mut rays);
        count += 1;
    }
    count
}

//! Walking rays of `f64`: in groups, many at once, or one by one.

use std::ops::Range;

use super::alone::{Stack, Visitor};
use super::groups::{Groups, OnTheWay, Party};
use super::in_flight::{Flight, Traveller};
use super::open::RAYS;
use super::rows::Rows;
use super::{PREFETCH_FROM, fewest_in_flight, go_in_groups};
use crate::bvh::Bvh;
use crate::bvh::anchored::{AnchoredBvh, rounded_up};
use crate::primitive::{RayBlock, Rules, SlabLanes, SlabOffsets, set_bits};
use crate::query::{Casting, GroupState, Query, Target};
use crate::ray::{GROUP, Ray, RayBatch, RayGroup};
use crate::simd::{Backend, Kernel, Lanes, dispatch};

impl<B: RayBlock<f64>> Target<f64> for AnchoredBvh<B> {
    fn cast<Q: Query<f64>>(
        &self,
        backend: Backend,
        rays: &RayBatch<'_, f64>,
        how: Casting<'_>,
        query: &mut Q,
    ) {
        let mut rows = Rows::new(rays.len(), how.row_width);
        if Q::MAY_GROUP && go_in_groups(rays.len(), how.coherence) {
            dispatch(backend, InGroups { tree: self, rays, rows: &mut rows, how, query });
        }
        let rules = how.rules(Q::COUNTS_CONTACTS);
        let fewest = fewest_in_flight(self.bvh.arena.bytes() > PREFETCH_FROM, Q::NARROWS);
        if Q::MAY_GO_ALONE && how.in_flight.is_none() && rays.len() < fewest {
            dispatch(backend, OneByOne { tree: self, rays, rows: &mut rows, rules, query });
        } else {
            let next = NextRows { rows: &mut rows, taken: [0; GROUP], left: 0..0 };
            let flight = FlightOfF64 { tree: self, rays, next, rules, query };
            dispatch(backend, InFlight { flight, in_flight: how.in_flight });
        }
    }

    #[inline(always)]
    fn cast_single<L: Lanes, Q: Query<f64>>(&self, lanes: L, ray: &Ray<f64>, rules: Rules, query: &mut Q) {
        let mut stack = Stack::new(self.bvh.stack);
        self.cast_ray(lanes, &mut stack, 0, ray, rules, query);
        stack.put_back();
    }
}

impl<B: RayBlock<f64>> AnchoredBvh<B> {
    /// Casts the ray in `row`.
    #[inline(always)]
    fn cast_ray<L: Lanes, Q: Query<f64>>(
        &self,
        lanes: L,
        stack: &mut Stack,
        row: usize,
        ray: &Ray<f64>,
        rules: Rules,
        query: &mut Q,
    ) {
        if let Some(defect) = ray.find_defect() {
            return query.refuse(row, defect);
        }
        let seen = self.seen(ray);
        let prepared = Prepared::new::<B>(ray, seen.scale);
        let mut testing = Testing { row: row as u32, prepared, rules, query, state: Q::START };
        self.bvh.walk(lanes, stack, seen.axes, seen.interval, &mut testing);
        let Testing { query, state, .. } = testing;
        query.finish(row, &state);
    }
}

/// A ray made ready for the leaves.
#[derive(Clone, Copy)]
struct Prepared<R> {
    ray: R,
    t_min: f64,
    t_max: f64,
    /// What its `t` are multiplied with where boxes are tested.
    scale: f64,
}

impl<R> Prepared<R> {
    /// Stands where there is no ray.
    const fn nobody<B: RayBlock<f64, PreparedRay = R>>() -> Self {
        Self { ray: B::NO_RAY, t_min: 0.0, t_max: 0.0, scale: 0.0 }
    }

    #[inline(always)]
    fn new<B: RayBlock<f64, PreparedRay = R>>(ray: &Ray<f64>, scale: f64) -> Self {
        Self { ray: B::prepare(ray), t_min: ray.t_min, t_max: ray.t_max, scale }
    }

    /// Decides what the first stage left open in a block, offers it, and says up to where boxes count.
    #[inline(always)]
    fn decide<B: RayBlock<f64, PreparedRay = R>, Q: Query<f64>>(
        &self,
        block: &B,
        undecided: u8,
        row: u32,
        rules: Rules,
        (query, state): (&mut Q, &mut Q::State),
        t_max: &mut f32,
    ) {
        let mut offered = false;
        for lane in set_bits(undecided) {
            if let Some((candidate, side)) = block.decide(lane, &self.ray, rules)
                && self.t_min <= candidate.t
                && candidate.t <= self.t_max
            {
                query.offer(row as usize, state, candidate, side, || block.geometric_normal(lane));
                offered = true;
            }
        }
        if Q::NARROWS && offered {
            *t_max = rounded_up(Q::t_max(state, self.t_max) * self.scale);
        }
    }
}

/// Tests the primitives on the way of a ray.
struct Testing<'a, B: RayBlock<f64>, Q: Query<f64>> {
    row: u32,
    prepared: Prepared<B::PreparedRay>,
    rules: Rules,
    query: &'a mut Q,
    state: Q::State,
}

impl<B: RayBlock<f64>, Q: Query<f64>> Visitor<B> for Testing<'_, B, Q> {
    const NARROWS: bool = Q::NARROWS;

    #[inline(always)]
    fn visit_node(&mut self, boxes: impl FnOnce() -> usize) {
        Q::visit_node(&mut self.state, boxes);
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &B, _: &SlabLanes<L>, t_max: &mut f32) -> bool {
        let Self { row, ref prepared, rules, ref mut query, ref mut state } = *self;
        Q::visit_leaf(state, || block.count());
        let undecided = block.undecided(lanes, &prepared.ray);
        prepared.decide(block, undecided, row, rules, (*query, state), t_max);
        Q::is_settled(state)
    }
}

/// One ray after the other.
struct OneByOne<'a, 'r, B, Q> {
    tree: &'a AnchoredBvh<B>,
    rays: &'a RayBatch<'r, f64>,
    rows: &'a mut Rows,
    rules: Rules,
    query: &'a mut Q,
}

impl<B: RayBlock<f64>, Q: Query<f64>> Kernel for OneByOne<'_, '_, B, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { tree, rays, rows, rules, query } = self;
        let mut stack = Stack::new(tree.bvh.stack);
        let mut next = NextRows { rows, taken: [0; GROUP], left: 0..0 };
        while let Some(row) = next.take() {
            tree.cast_ray(lanes, &mut stack, row, &rays.ray(row), rules, query);
        }
        stack.put_back();
    }
}

/// Many under way at once, each by itself.
struct InFlight<'a, 'r, B, Q> {
    flight: FlightOfF64<'a, 'r, B, Q>,
    in_flight: Option<usize>,
}

impl<B: RayBlock<f64>, Q: Query<f64>> Kernel for InFlight<'_, '_, B, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) {
        self.flight.tree.bvh.fly(lanes, self.in_flight, &mut self.flight);
    }
}

/// Rows that are left, one after the other.
struct NextRows<'a> {
    rows: &'a mut Rows,
    taken: [u32; GROUP],
    /// Those of the taken that are left.
    left: Range<usize>,
}

impl NextRows<'_> {
    #[inline(always)]
    fn take(&mut self) -> Option<usize> {
        if self.left.is_empty() {
            self.left = 0..self.rows.take(&mut self.taken);
        }
        self.left.next().map(|place| self.taken[place] as usize)
    }
}

/// What goes well together goes in groups.
struct InGroups<'a, 'r, B, Q> {
    tree: &'a AnchoredBvh<B>,
    rays: &'a RayBatch<'r, f64>,
    /// Keeps the rows of the rest.
    rows: &'a mut Rows,
    how: Casting<'a>,
    query: &'a mut Q,
}

impl<B: RayBlock<f64>, Q: Query<f64>> Kernel for InGroups<'_, '_, B, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { tree, rays, rows, how, query } = self;
        let party = PartyOfF64 {
            tree,
            rays,
            rules: how.rules(Q::COUNTS_CONTACTS),
            query,
            prepared: [Prepared::nobody::<B>(); GROUP],
            states: [Q::START; GROUP],
        };
        Groups::new(&tree.bvh, how.coherence, party).cast(lanes, rows);
    }
}

/// The rays of a chunk in groups: together as far as boxes go, and one by one at the leaves, where a ray is tested
/// against all triangles of a block at once.
struct PartyOfF64<'a, 'r, B: RayBlock<f64>, Q: Query<f64>> {
    tree: &'a AnchoredBvh<B>,
    rays: &'a RayBatch<'r, f64>,
    rules: Rules,
    query: &'a mut Q,
    prepared: [Prepared<B::PreparedRay>; GROUP],
    states: [Q::State; GROUP],
}

impl<B: RayBlock<f64>, Q: Query<f64>> Party<B> for PartyOfF64<'_, '_, B, Q> {
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
        into.live = 0;
        for (lane, &row) in rows.iter().enumerate() {
            let ray = self.rays.ray(row as usize);
            if let Some(defect) = ray.find_defect() {
                self.query.refuse(row as usize, defect);
                continue;
            }
            let (seen, scale) = self.tree.as_seen(&ray);
            into.set(lane, &seen);
            into.live |= 1 << lane;
            self.prepared[lane] = Prepared::new::<B>(&ray, scale);
        }
        let too_far = into.live & !into.surely_sound(lanes.widest());
        into.live &= !too_far;
        too_far
    }

    #[inline(always)]
    fn set_off(&mut self) {
        self.states = [Q::START; GROUP];
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &B, rays: u64, group: OnTheWay<'_>) -> bool {
        let Self { rules, query, prepared, states, .. } = self;
        let mut narrows = false;
        for lane in set_bits(rays & *group.live) {
            let (prepared, state) = (&prepared[lane], &mut states[lane]);
            let undecided = block.undecided(lanes, &prepared.ray);
            if undecided == 0 {
                continue;
            }
            let before = group.slabs.t_max.get(lane);
            let mut t_max = before;
            prepared.decide(block, undecided, group.rows[lane], *rules, (*query, state), &mut t_max);
            group.slabs.t_max.set(lane, t_max);
            narrows |= t_max < before;
            if Q::is_settled(state) {
                *group.live &= !(1 << lane);
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

/// The rays of a chunk, made ready one by one.
struct FlightOfF64<'a, 'r, B, Q> {
    tree: &'a AnchoredBvh<B>,
    rays: &'a RayBatch<'r, f64>,
    next: NextRows<'a>,
    rules: Rules,
    query: &'a mut Q,
}

impl<B: RayBlock<f64>, Q: Query<f64>> Flight<B> for FlightOfF64<'_, '_, B, Q> {
    type PreparedRay = Prepared<B::PreparedRay>;
    type State = Q::State;

    const NOBODY: Self::PreparedRay = Prepared::nobody::<B>();
    const START: Q::State = Q::START;
    const NARROWS: bool = Q::NARROWS;

    #[inline(always)]
    fn depart<L: Lanes>(
        &mut self,
        _: L,
        _: &Bvh<B>,
        traveller: &mut Traveller<Self::PreparedRay, Q::State>,
    ) -> bool {
        while let Some(row) = self.next.take() {
            let ray = self.rays.ray(row);
            if let Some(defect) = ray.find_defect() {
                self.query.refuse(row, defect);
                continue;
            }
            let seen = self.tree.seen(&ray);
            traveller.slabs = SlabOffsets::of(seen.axes, seen.interval);
            traveller.prepared = Prepared::new::<B>(&ray, seen.scale);
            traveller.state = Q::START;
            traveller.row = row as u32;
            return true;
        }
        false
    }

    #[inline(always)]
    fn visit_node(state: &mut Q::State, boxes: impl FnOnce() -> usize) {
        Q::visit_node(state, boxes);
    }

    #[inline(always)]
    fn visit_leaves<L: Lanes>(
        &mut self,
        lanes: L,
        bvh: &Bvh<B>,
        at_leaf: &[u8],
        travellers: &mut [Traveller<Self::PreparedRay, Q::State>],
    ) {
        // All first stages, and then what they leave: so that the one does not wait for the branches of the other.
        let mut undecided = [0; RAYS];
        for (undecided, &index) in undecided.iter_mut().zip(at_leaf) {
            let traveller = &mut travellers[usize::from(index)];
            let block = bvh.arena.block(traveller.next);
            Q::visit_leaf(&mut traveller.state, || block.count());
            *undecided = block.undecided(lanes, &traveller.prepared.ray);
        }
        for (undecided, &index) in undecided.into_iter().zip(at_leaf) {
            if undecided == 0 {
                continue;
            }
            let Traveller { slabs, prepared, state, row, next, waiting } =
                &mut travellers[usize::from(index)];
            let block = bvh.arena.block(*next);
            prepared.decide(block, undecided, *row, self.rules, (self.query, state), &mut slabs.t_max);
            if Q::is_settled(state) {
                // Back to the mark of the end.
                *waiting = 1;
            }
        }
    }

    #[inline(always)]
    fn arrive(&mut self, traveller: &Traveller<Self::PreparedRay, Q::State>) {
        self.query.finish(traveller.row as usize, &traveller.state);
    }
}

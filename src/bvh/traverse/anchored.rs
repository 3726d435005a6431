//! Walking rays of `f64`: in [groups](super::anchored_groups), many at once, or one by one.

use super::alone::{Stack, Visitor};
use super::anchored_groups::InGroups;
use super::in_flight::{Flight, Traveller};
use super::open::RAYS;
use super::rows::Rows;
use super::{PREFETCH_FROM, fewest_in_flight, go_in_groups};
use crate::bvh::Bvh;
use crate::bvh::anchored::AnchoredBvh;
use crate::primitive::{LeafBlockF64, RayBlock, Rules, SlabLanes, SlabOffsets, set_bits};
use crate::query::{Casting, Query, Target};
use crate::ray::{GROUP, Ray, RayBatch, RayGroup};
use crate::simd::{Backend, Kernel, Lanes, dispatch};
use crate::status::Status;

impl<B: LeafBlockF64> Target<f64> for AnchoredBvh<B> {
    fn cast<Q: Query<f64>>(
        &self,
        backend: Backend,
        rays: &RayBatch<'_, f64>,
        how: Casting<'_>,
        query: &mut Q,
    ) {
        let mut rows = Rows::new(rays.len(), how.row_width);
        if Q::MAY_GROUP && go_in_groups(rays.len(), how.coherence) {
            dispatch(backend, InGroups { tree: self, rays, rows: &mut rows, how, query: &mut *query });
        }
        let rules = how.rules(Q::COUNTS_CONTACTS);
        let fewest = fewest_in_flight(self.bvh.arena.bytes() > PREFETCH_FROM, Q::NARROWS);
        if Q::MAY_GO_ALONE && how.in_flight.is_none() && rays.len() < fewest {
            dispatch(backend, OneByOne { tree: self, rays, rows: &mut rows, rules, query });
        } else {
            let flight = FlightOfF64 { tree: self, next: NextRays::new(rays, &mut rows), rules, query };
            dispatch(backend, InFlight { flight, in_flight: how.in_flight });
        }
    }

    #[inline(always)]
    fn cast_single<L: Lanes, Q: Query<f64>>(&self, lanes: L, ray: &Ray<f64>, rules: Rules, query: &mut Q) {
        let mut stack = Stack::new(self.bvh.stack);
        self.cast_ray(lanes, &mut stack, 0, (ray, ray.find_defect()), rules, query);
        stack.put_back();
    }
}

impl<B: RayBlock<f64>> AnchoredBvh<B> {
    /// Casts the ray in `row`, unless something is wrong with it.
    #[inline(always)]
    fn cast_ray<L: Lanes, Q: Query<f64>>(
        &self,
        lanes: L,
        stack: &mut Stack,
        row: usize,
        (ray, defect): (&Ray<f64>, Option<Status>),
        rules: Rules,
        query: &mut Q,
    ) {
        if let Some(defect) = defect {
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
            *t_max = not_below(Q::t_max(state, self.t_max) * self.scale);
        }
    }
}

/// An `f32` that is not below: one or two steps above the nearest, and by the least normal number.
///
/// Not the least, which to find is a branch that is guessed wrong every other time: a tenth of what a camera ray takes.
#[inline(always)]
pub(super) fn not_below(x: f64) -> f32 {
    // Below the least finite number there is nothing to step from.
    let nearest = (x as f32).max(f32::MIN);
    nearest + (nearest.abs() * f32::EPSILON + f32::MIN_POSITIVE)
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
        let mut next = NextRays::new(rays, rows);
        while let Some((row, ray, defect)) = next.take(lanes) {
            tree.cast_ray(lanes, &mut stack, row, (&ray, defect), rules, query);
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

/// Rays that are left, one after the other. They are taken and looked at as many at a time as make a group: to do that
/// one by one was 2 to 4% slower on random rays.
struct NextRays<'a, 'r> {
    source: &'a RayBatch<'r, f64>,
    rows: &'a mut Rows,
    taken: RayGroup<f64>,
    /// Their rows.
    taken_rows: [u32; GROUP],
    /// Those that certainly have no defect.
    sound: u64,
}

impl<'a, 'r> NextRays<'a, 'r> {
    fn new(source: &'a RayBatch<'r, f64>, rows: &'a mut Rows) -> Self {
        Self { source, rows, taken: RayGroup::EMPTY, taken_rows: [0; GROUP], sound: 0 }
    }

    /// A ray with its row, and what is wrong with it.
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L) -> Option<(usize, Ray<f64>, Option<Status>)> {
        if self.taken.live == 0 {
            let count = self.rows.take(&mut self.taken_rows);
            if count == 0 {
                return None;
            }
            self.taken.look_up(self.source, &self.taken_rows[..count]);
            self.sound = self.taken.surely_sound(lanes.widest());
        }
        let place = self.taken.live.trailing_zeros() as usize;
        self.taken.live &= !(1 << place);
        let ray = self.taken.ray(place);
        let defect = if self.sound >> place & 1 == 1 { None } else { ray.find_defect() };
        Some((self.taken_rows[place] as usize, ray, defect))
    }
}

/// The rays of a chunk, made ready one by one.
struct FlightOfF64<'a, 'r, B, Q> {
    tree: &'a AnchoredBvh<B>,
    next: NextRays<'a, 'r>,
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
        lanes: L,
        _: &Bvh<B>,
        traveller: &mut Traveller<Self::PreparedRay, Q::State>,
    ) -> bool {
        while let Some((row, ray, defect)) = self.next.take(lanes) {
            if let Some(defect) = defect {
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

#[cfg(test)]
mod tests {
    use super::not_below;

    #[test]
    fn what_is_not_below_is_not_far_above() {
        let mut numbers = vec![0.0, f64::MIN_POSITIVE, 1e-46, 1e-40, 1e300, f64::INFINITY];
        for power in -149..128 {
            for factor in [1.0, 1.0_f64.next_up(), 1.0 + 2e-8, 1.5, 2.0_f64.next_down()] {
                numbers.push(factor * 2.0_f64.powi(power));
            }
        }
        for x in numbers.iter().flat_map(|&x| [x, -x]) {
            let above = f64::from(not_below(x));
            assert!(x <= above, "{x:e} became {above:e}");
            let most = (x.abs() * 4.0 * f64::from(f32::EPSILON)).max(4.0 * f64::from(f32::MIN_POSITIVE));
            assert!(above - x <= most || x.abs() > f64::from(f32::MAX), "{x:e} became {above:e}");
        }
        assert_eq!(not_below(f64::INFINITY), f32::INFINITY);
    }
}

//! Traversal of many independent rays at once.
//!
//! A single ray waits for memory, for mispredicted branches, and for the chain from node to order
//! to next node. So each core has 64 rays in flight. Each takes one step a round and prefetches its
//! next node; rays at inner nodes and rays at leaves are in separate lists, so that no branch tells
//! them apart.

use std::cell::Cell;

use super::by_octant::OCTANTS;
use super::chunk_rays::{ChunkRays, PreparedOf};
use super::pairs::{OpenPairs, PairRays, PairStage, RAYS};
use super::plan::Plan;
use super::push;
use super::ready::Ready;
use super::slab::SlabVector;
use crate::leaf::{PairBlock, PreparedRay, RayBlock};
use crate::memory::{grow, reused};
use crate::query::Query;
use crate::simd::{Backend, LANES, Lanes, call, dispatch};
use crate::tree::Bvh;
use crate::tree::arena::{Arena, Boxes, NodeKind, Reference};

/// The most rays in flight; all of them may be at leaves.
const MAX_IN_FLIGHT: usize = RAYS;

/// A ray in flight as boxes see it: a cache line.
#[derive(Clone, Copy, Default)]
#[repr(C, align(64))]
pub(super) struct RayInFlight {
    slabs: SlabVector<f32>,
    /// That of its direction.
    octant: u32,
    /// The node or leaf of its next step.
    next: Reference,
    /// The number of references on its stack.
    waiting: u32,
}

impl RayInFlight {
    /// The ray's interval as boxes see it.
    #[inline(always)]
    const fn box_interval(&self) -> [f32; 2] {
        [self.slabs.t_min, self.slabs.t_max]
    }

    /// Drops what is on its stack, back to the mark of the end.
    #[inline(always)]
    const fn end(&mut self) {
        self.waiting = 1;
    }
}

/// The places of rays at a node, at a leaf, or finished.
struct PlaceLists {
    places: [[u8; MAX_IN_FLIGHT]; NodeKind::COUNT],
    lengths: [usize; NodeKind::COUNT],
}

impl PlaceLists {
    const EMPTY: Self =
        Self { places: [[0; MAX_IN_FLIGHT]; NodeKind::COUNT], lengths: [0; NodeKind::COUNT] };

    #[inline(always)]
    fn add(&mut self, goes_to: Reference, place: u8) {
        let kind = goes_to.kind_index();
        let length = &mut self.lengths[kind];
        self.places[kind][*length % MAX_IN_FLIGHT] = place;
        *length += 1;
    }

    /// Takes the whole list.
    #[inline(always)]
    fn take(&mut self, kind: NodeKind) -> ([u8; MAX_IN_FLIGHT], usize) {
        let length = std::mem::take(&mut self.lengths[kind as usize]);
        (self.places[kind as usize], length)
    }
}

/// The stacks of all rays, one behind the other.
#[derive(Default)]
struct FlightStacks {
    /// The room of each.
    capacity: usize,
    references: Vec<u32>,
    /// The `t` at which the ray enters the box of the reference. Kept up only for queries that
    /// narrow.
    t_enter: Vec<f32>,
}

thread_local! {
    /// The memory of the last cast on this thread.
    static STACKS: Cell<FlightStacks> = Cell::default();
}

impl FlightStacks {
    /// Empty stacks of `stack` references each.
    fn new(stack: usize) -> Self {
        let mut stacks = reused(STACKS.take());
        // Eight lanes are stored at a time; those beyond the children met do not count.
        stacks.capacity = stack + LANES;
        let size = MAX_IN_FLIGHT * stacks.capacity;
        grow(&mut stacks.references, size, size, Reference::END.bits());
        grow(&mut stacks.t_enter, size, size, 0.0);
        for place in 0..MAX_IN_FLIGHT {
            let bottom = place * stacks.capacity;
            stacks.references[bottom] = Reference::END.bits();
            // The mark of the end is always near enough to be popped.
            stacks.t_enter[bottom] = f32::NEG_INFINITY;
        }
        stacks
    }
}

/// The start, the leaf tests and the end of rays in flight, behind a pointer: with a call per round
/// of leaves, the walk through boxes is compiled once for all precisions, primitives and queries.
trait FlightLeaves {
    /// Finishes the rays in these places, if there are any, and loads the next rays there. Returns
    /// the number of loaded places; they are the first.
    fn load_next(&mut self, places: &[u8], rays: &mut [RayInFlight; MAX_IN_FLIGHT]) -> usize;

    /// Tests the rays in these places against their leaves.
    fn visit(&mut self, places: &[u8], rays: &mut [RayInFlight; MAX_IN_FLIGHT]);
}

/// Casts the remaining rays in flight; they are prepared a group at a time.
pub(super) fn cast<P: ChunkRays, Q: Query<P::Scalar>>(
    bvh: &Bvh<P::Block>,
    backend: Backend,
    ready: &mut Ready<'_, P>,
    plan: Plan<'_>,
    query: &mut Q,
) {
    let narrows = query.narrows();
    let leaves = &mut FlightLeafTest {
        backend,
        arena: &bvh.arena,
        root: bvh.root,
        ready,
        plan,
        query,
        prepared: [bytemuck::Zeroable::zeroed(); MAX_IN_FLIGHT],
        states: [Q::START; MAX_IN_FLIGHT],
        rows: [None; MAX_IN_FLIGHT],
        is_drained: false,
        open: OpenPairs::new(),
        made: if bvh.arena.makes_leaves() { vec![None; MAX_IN_FLIGHT] } else { Vec::new() },
    };
    Flight { boxes: bvh.arena.boxes(), stack: bvh.stack, leaves }.run_on(backend, narrows);
}

/// The state of rays in flight among boxes.
struct Flight<'a> {
    boxes: Boxes<'a>,
    /// The capacity of the stack, in references.
    stack: usize,
    leaves: &'a mut dyn FlightLeaves,
}

impl Flight<'_> {
    /// Takes all rays through the tree. `narrows`: whether hits narrow intervals. Not generic, as
    /// `Stream::walk_on` is not.
    fn run_on(self, backend: Backend, narrows: bool) {
        if narrows {
            dispatch!(backend, lanes => self.run::<_, true>(lanes));
        } else {
            dispatch!(backend, lanes => self.run::<_, false>(lanes));
        }
    }

    /// See [`run_on`](Self::run_on).
    #[inline(always)]
    fn run<L: Lanes, const NARROWS: bool>(self, lanes: L) {
        let Self { boxes, stack, leaves } = self;
        let mut rays = [RayInFlight::default(); MAX_IN_FLIGHT];
        let mut stacks = FlightStacks::new(stack);
        let mut lists = PlaceLists::EMPTY;
        for place in 0..MAX_IN_FLIGHT {
            lists.add(Reference::END, place as u8);
        }
        while lists.lengths != [0; NodeKind::COUNT] {
            let (at_node, count) = lists.take(NodeKind::Inner);
            let at_node = &at_node[..count];
            for &place in at_node {
                let ray = &mut rays[usize::from(place) % MAX_IN_FLIGHT];
                visit_node::<L, NARROWS>(lanes, boxes, ray, &mut stacks, place);
            }
            move_on::<NARROWS>(boxes, at_node, &mut rays, &stacks, &mut lists);

            let (at_leaf, count) = lists.take(NodeKind::Leaf);
            if count > 0 {
                let at_leaf = &at_leaf[..count];
                leaves.visit(at_leaf, &mut rays);
                move_on::<NARROWS>(boxes, at_leaf, &mut rays, &stacks, &mut lists);
            }

            let (arrived, count) = lists.take(NodeKind::End);
            if count > 0 {
                let loaded = leaves.load_next(&arrived[..count], &mut rays);
                for &place in &arrived[..loaded] {
                    lists.add(rays[usize::from(place)].next, place);
                }
            }
        }
        STACKS.set(stacks);
    }
}

/// Tests the boxes of the node and leaves what the ray meets on its stack, the nearest on top.
#[inline(always)]
fn visit_node<L: Lanes, const NARROWS: bool>(
    lanes: L,
    boxes: Boxes<'_>,
    ray: &mut RayInFlight,
    stacks: &mut FlightStacks,
    place: u8,
) {
    let node = boxes.node(ray.next);
    let octant = ray.octant as usize % OCTANTS;
    let overlaps = ray.slabs.in_lanes(lanes).slabs(node.boxes.near_and_far(lanes, octant));
    let top = usize::from(place) * stacks.capacity + ray.waiting as usize;
    let stack = (&mut stacks.references[..], &mut stacks.t_enter[..], top);
    let children = (node.far_to_near[octant], &node.children);
    ray.waiting += push(lanes, NARROWS, stack, children, overlaps) as u32;
}

/// Pops the next reference of the rays in these places.
///
/// A loop of its own, as a load from the stack right after an eight-lane store to it stalls until
/// the store completes: closest hits are 1.08 to 1.18 times as fast.
#[inline(always)]
fn move_on<const NARROWS: bool>(
    boxes: Boxes<'_>,
    places: &[u8],
    rays: &mut [RayInFlight; MAX_IN_FLIGHT],
    stacks: &FlightStacks,
    lists: &mut PlaceLists,
) {
    for &place in places {
        let ray = &mut rays[usize::from(place) % MAX_IN_FLIGHT];
        pop::<NARROWS>(ray, stacks, place);
        boxes.prefetch(ray.next);
        lists.add(ray.next, place);
    }
}

/// Pops the next reference whose box begins within the interval of the ray.
#[inline(always)]
fn pop<const NARROWS: bool>(ray: &mut RayInFlight, stacks: &FlightStacks, place: u8) {
    let bottom = usize::from(place) * stacks.capacity;
    let mut top = bottom + ray.waiting as usize - 1;
    if NARROWS {
        // Ties stay: what lies at the same t may have the lower ids.
        while stacks.t_enter[top] > ray.slabs.t_max {
            top -= 1;
        }
    }
    ray.waiting = (top - bottom) as u32;
    ray.next = Reference::from_bits(stacks.references[top]);
}

/// The leaves of the tree, and the data of rays that boxes do not see.
struct FlightLeafTest<'a, 'r, P: ChunkRays, Q: Query<P::Scalar>> {
    backend: Backend,
    arena: &'a Arena<P::Block>,
    root: Reference,
    ready: &'a mut Ready<'r, P>,
    plan: Plan<'a>,
    query: &'a mut Q,
    /// Prepared for primitives, by place.
    prepared: [PreparedOf<P>; MAX_IN_FLIGHT],
    states: [Q::State; MAX_IN_FLIGHT],
    /// The rows of the chunk; `None` in an empty place.
    rows: [Option<u32>; MAX_IN_FLIGHT],
    /// Whether all rays have been loaded.
    is_drained: bool,
    open: OpenPairs<P::Block, P::Scalar>,
    /// The leaves that rays are at, by place, where these are not stored.
    made: Vec<Option<P::Block>>,
}

impl<P: ChunkRays, Q: Query<P::Scalar>> FlightLeaves for FlightLeafTest<'_, '_, P, Q> {
    fn load_next(&mut self, places: &[u8], rays: &mut [RayInFlight; MAX_IN_FLIGHT]) -> usize {
        // On the lanes of the backend, as prepared rays are copied in wide registers.
        call!(self.backend, _ => self.load(places, rays))
    }

    fn visit(&mut self, places: &[u8], rays: &mut [RayInFlight; MAX_IN_FLIGHT]) {
        if self.plan.chunk.work(4 * places.len() as u32).is_break() {
            // No ray follows.
            self.is_drained = true;
            return places.iter().for_each(|&place| rays[usize::from(place) % MAX_IN_FLIGHT].end());
        }
        call!(self.backend, lanes => self.test(lanes, places, rays));
    }
}

impl<P: ChunkRays, Q: Query<P::Scalar>> FlightLeafTest<'_, '_, P, Q> {
    /// See [`FlightLeaves::load_next`].
    #[inline(always)]
    fn load(&mut self, places: &[u8], rays: &mut [RayInFlight; MAX_IN_FLIGHT]) -> usize {
        let mut loaded = 0;
        for &place in places {
            let place = usize::from(place) % MAX_IN_FLIGHT;
            let ray = &mut rays[place];
            if let Some(row) = self.rows[place].take() {
                self.query.finish(self.ready.given_row(row), &self.states[place]);
            }
            // If one place finds no ray, none of the others does.
            let next = (!self.is_drained).then(|| self.ready.next(self.backend, self.query));
            let Some(next) = next.flatten() else {
                self.is_drained = true;
                continue;
            };
            self.prepared[place] = self.ready.prepared()[next];
            self.states[place] = Q::START;
            self.rows[place] = Some(self.ready.rows[next]);
            ray.slabs = self.ready.slabs[next].from(self.ready.t_min[next]);
            ray.octant = ray.slabs.octant() as u32;
            ray.next = self.root;
            ray.end();
            loaded += 1;
        }
        loaded
    }

    /// Tests the rays in these places with the leaves they are at.
    #[inline(always)]
    fn test<L: Lanes>(&mut self, lanes: L, places: &[u8], rays: &mut [RayInFlight; MAX_IN_FLIGHT]) {
        let mut open = [0; MAX_IN_FLIGHT];
        for (open, &place) in open.iter_mut().zip(places) {
            let index = usize::from(place) % MAX_IN_FLIGHT;
            let block = match self.arena.stored(rays[index].next) {
                Some(block) => block,
                None => self.arena.make(rays[index].next, &mut self.made[index]),
            };
            let (prepared, state) = (&self.prepared[index], &mut self.states[index]);
            if Q::NEEDS.any_hit_settles && P::Block::IS_CERTAIN_FIRST {
                let interval = prepared.given_interval(rays[index].box_interval());
                let [hit, undecided] =
                    block.any_hit(lanes, prepared, self.plan.rules.culling, interval);
                *open = undecided;
                if hit != 0 {
                    *open = 0;
                    Q::take_certain_hit(state);
                    rays[index].end();
                }
            } else {
                *open = block.undecided(lanes, prepared);
            }
            block.prefetch_undecided(*open);
        }
        // In a loop of its own: where a pair is stored depends on those before it, and loads of
        // later leaves may have to wait until the address of a store is known.
        self.open.clear();
        for (&open, &place) in open.iter().zip(places) {
            self.open.add(lanes, place.into(), open);
        }
        let Self { arena, made, ready, query, plan, prepared, states, rows, open, .. } = self;
        let rays = &mut FlightPairRays { arena, made, prepared, rows, states, rays };
        PairStage { ready, query: *query, rules: plan.rules }.decide(lanes, open, rays);
    }
}

/// The rays in flight at their leaves, by their places.
struct FlightPairRays<'a, P: ChunkRays, Q: Query<P::Scalar>> {
    arena: &'a Arena<P::Block>,
    made: &'a [Option<P::Block>],
    prepared: &'a [PreparedOf<P>; MAX_IN_FLIGHT],
    rows: &'a [Option<u32>; MAX_IN_FLIGHT],
    states: &'a mut [Q::State; MAX_IN_FLIGHT],
    rays: &'a mut [RayInFlight; MAX_IN_FLIGHT],
}

impl<'a, P: ChunkRays, Q: Query<P::Scalar>> PairRays<'a, P, Q> for FlightPairRays<'a, P, Q> {
    #[inline(always)]
    fn block(&self, ray: usize) -> &'a P::Block {
        let made = || self.made[ray].as_ref().expect("made before its pairs");
        self.arena.stored(self.rays[ray % MAX_IN_FLIGHT].next).unwrap_or_else(made)
    }

    #[inline(always)]
    fn prepared(&self, ray: usize) -> &'a PreparedOf<P> {
        &self.prepared[ray % MAX_IN_FLIGHT]
    }

    #[inline(always)]
    fn interval(&self, ray: usize) -> [f32; 2] {
        self.rays[ray % MAX_IN_FLIGHT].box_interval()
    }

    #[inline(always)]
    fn row(&self, ray: usize) -> Option<u32> {
        self.rows[ray % MAX_IN_FLIGHT]
    }

    #[inline(always)]
    fn state(&mut self, ray: usize) -> &mut Q::State {
        &mut self.states[ray % MAX_IN_FLIGHT]
    }

    #[inline(always)]
    fn narrow(&mut self, ray: usize, limit: f32) {
        self.rays[ray % MAX_IN_FLIGHT].slabs.t_max = limit;
    }

    #[inline(always)]
    fn settle(&mut self, ray: usize) {
        self.rays[ray % MAX_IN_FLIGHT].end();
    }
}

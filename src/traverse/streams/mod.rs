//! Traversal of thousands of rays together, node by node.
//!
//! Cast one by one, rays fetch the top of the tree over and over and mispredict at every node. Here
//! each node is visited once with all rays that meet its box: their list is tested against the
//! eight child boxes and compacted into eight lists. Rays of one octant go together, as they share
//! the near planes and the order of children; each ray visits nodes in the order that it would take
//! in flight. Where that is better, those of [all octants](mixed) do.
//!
//! The lists are after Barringer and Akenine-Möller, "Dynamic Ray Stream Traversal", ACM
//! Transactions on Graphics 33(4), 2014.

mod boxes;
mod children;
mod leaves;
mod lists;
mod mixed;
mod octants;
mod walk;

use std::cell::Cell;

use super::by_octant::OCTANTS;
use super::chunk_rays::ChunkRays;
use super::plan::{Mixing, Plan, Shared, Walked};
use super::ready::{Ready, ray_column};
use super::slab::SlabRecord;
use crate::memory::{Memory, reused};
use crate::query::Query;
use crate::simd::{
    Backend, LANES, Lanes, MAX_LANES, MAX_STREAM_RAYS, MapEach, NO_ENTRY, dispatch, least_t,
    number_of,
};
use crate::tree::Bvh;
use crate::tree::arena::{Boxes, NodeKind, Reference};
use crate::value::GROUP;
pub(crate) use boxes::BoxContents;
pub(super) use boxes::visit_in_streams;
use children::{order, visit_children};
use leaves::StreamLeafTest;
use octants::ALL;
use walk::{Visit, Walk};

/// The most rays in a stream.
pub(super) const MOST: usize = MAX_STREAM_RAYS - 1;

/// The rays of a stream as boxes see them, by their numbers.
struct StreamRays {
    /// Prepared for boxes.
    slabs: Memory<SlabRecord>,
    /// The limit of each ray: that of its slabs, NaN once it is settled.
    limits: Box<[f32; MAX_STREAM_RAYS]>,
    /// The count of narrowed intervals. A list made at the present count needs no compaction.
    narrowed: u32,
}

impl StreamRays {
    /// Removes a ray from the stream.
    #[inline(always)]
    fn settle(&mut self, number: u16) {
        self.limits[usize::from(number)] = f32::NAN;
        self.narrowed = self.narrowed.wrapping_add(1);
    }

    /// Lowers the limit of a ray.
    #[inline(always)]
    fn narrow(&mut self, number: usize, limit: f32) {
        let is_lower = limit < self.limits[number];
        self.slabs[number].t_max = limit;
        self.limits[number] = limit;
        self.narrowed = self.narrowed.wrapping_add(u32::from(is_lower));
    }

    /// Removes all rays.
    #[cold]
    fn settle_all(&mut self) {
        self.limits.fill(f32::NAN);
        self.narrowed = self.narrowed.wrapping_add(1);
    }
}

/// Buffers kept for the next cast.
#[derive(Default)]
struct StreamBuffers {
    limits: Option<Box<[f32; MAX_STREAM_RAYS]>>,
    walk: Walk,
}

thread_local! {
    /// The memory of the last cast on this thread.
    static BUFFERS: Cell<StreamBuffers> = Cell::default();
}

/// Tests at leaves, behind a pointer: with a call per leaf and list, the walk through boxes is
/// compiled once for all primitives and queries.
trait StreamLeaves {
    /// Tests the next leaf, and the leaves that follow it on the stack without a node between,
    /// against the rays of their lists.
    fn visit(&mut self, walk: &mut Walk, slab_rays: &mut StreamRays);
}

/// Casts the prepared rays, at most [`MOST`], if that pays. If it does not, the query has forgotten
/// them.
pub(super) fn cast<P: ChunkRays, Q: Query<P::Scalar>>(
    bvh: &Bvh<P::Block>,
    backend: Backend,
    rays: &mut Ready<'_, P>,
    plan: Plan<'_>,
    query: &mut Q,
) -> Option<Walked> {
    let StreamBuffers { limits, mut walk } = reused(BUFFERS.take());
    let count = rays.rows.len();
    // A number of sixteen bits then names a row.
    rays.slabs.grow(MAX_STREAM_RAYS, SlabRecord::NONE);
    let mut slab_rays = StreamRays {
        slabs: std::mem::take(&mut rays.slabs),
        limits: limits.unwrap_or_else(ray_column),
        narrowed: 0,
    };
    let narrows = query.narrows();
    let mut leaves = StreamLeafTest::new(backend, &bvh.arena, rays, plan, query);
    let mut stream = Stream {
        boxes: bvh.arena.boxes(),
        root: bvh.root,
        most: bvh.stack,
        check_after: plan.check_after(count),
        mixing: plan.mixing(bvh.arena.bytes()),
        mixed: false,
        count,
        t_min: &rays.t_min,
        slab_rays: &mut slab_rays,
        walk: &mut walk,
        leaves: &mut leaves,
    };
    let pays = stream.walk_on(backend, narrows);
    let mixed = stream.mixed;
    let states = leaves.states;
    rays.slabs = slab_rays.slabs;
    finish(rays, &states, query, pays);
    let Walk { shared, octants, .. } = &walk;
    let walked = Walked { shared: *shared, most_of_an_octant: octants.most(), mixed };
    walk.lists.free_if_large();
    BUFFERS.set(StreamBuffers { limits: Some(slab_rays.limits), walk });
    pays.then_some(walked)
}

/// Ends a stream. `pays`: whether the rays are finished; else they are cast again. Not a kernel of
/// each backend: it only moves numbers, and was a hundredth of the code to compile.
fn finish<P: ChunkRays, Q: Query<P::Scalar>>(
    rays: &mut Ready<'_, P>,
    states: &[Q::State],
    query: &mut Q,
    pays: bool,
) {
    if pays {
        let rows = rays.all_given_rows();
        let mut first = 0;
        while first < states.len() {
            let length = run(&rows[first..]);
            if length == 1 {
                let end = states.len().min(first + GROUP);
                query.finish_rows(&rows[first..end], &states[first..end]);
                first = end;
                continue;
            }
            query.finish_run(rows[first] as usize, &states[first..first + length]);
            first += length;
        }
    } else {
        if query.narrows() {
            rays.widen_again();
        }
        query.forget(&rays.all_given_rows());
    }
}

/// The state of a stream among boxes.
struct Stream<'a> {
    boxes: Boxes<'a>,
    root: Reference,
    /// The capacity of the stack, in references.
    most: usize,
    /// After how many visits it is given up if it does not pay by then.
    check_after: Option<usize>,
    /// Whether rays of all octants go together, and whether they did.
    mixing: Mixing,
    mixed: bool,
    /// The number of rays.
    count: usize,
    t_min: &'a [f32; MAX_STREAM_RAYS],
    slab_rays: &'a mut StreamRays,
    walk: &'a mut Walk,
    leaves: &'a mut dyn StreamLeaves,
}

impl Stream<'_> {
    /// Walks all rays through the tree, those of each octant together or those of all. Returns
    /// whether that pays; else the stream is given up. `narrows`: whether hits narrow intervals.
    fn walk_on(&mut self, backend: Backend, narrows: bool) -> bool {
        self.walk.shared = Shared::default();
        if self.mixing == Mixing::Always {
            return self.walk_rest(backend, narrows, None);
        }
        dispatch!(backend, lanes => {
            self.walk.octants.fill(lanes.widest(), self.count, self.t_min, self.slab_rays);
        });
        let octants = &self.walk.octants;
        let mut first = None;
        if self.mixing.may_pay(self.count, octants.most()) {
            // They show how long lists are, and whether streams pay at all.
            let largest = octants.largest();
            if !self.walk_list(backend, narrows, largest) {
                return false;
            }
            if !narrows || self.walk.shared.makes_mixing_pay() {
                self.walk.shared = Shared::default();
                return self.walk_rest(backend, narrows, Some(largest));
            }
            first = Some(largest);
        }
        let mut rest = (0..OCTANTS).filter(|&octant| Some(octant) != first);
        rest.all(|octant| self.walk_list(backend, narrows, octant))
    }

    /// Walks all rays together but those of the octant that is `done`.
    fn walk_rest(&mut self, backend: Backend, narrows: bool, done: Option<usize>) -> bool {
        self.mixed = true;
        dispatch!(backend, lanes => {
            let rays = (self.count, self.t_min);
            self.walk.octants.fill_rest(lanes.widest(), done, rays, self.slab_rays);
        });
        self.walk_list(backend, narrows, ALL)
    }

    /// Walks the rays of an octant, or of all octants, through the tree. Returns whether that pays.
    /// Not generic: an entry to a backend is compiled anew for each instance of the function that it
    /// stands in.
    fn walk_list(&mut self, backend: Backend, narrows: bool, octant: usize) -> bool {
        if !self.walk.begin(octant, self.root, self.most) {
            return true;
        }
        match (narrows, octant == ALL) {
            (true, false) => dispatch!(backend, lanes => self.walk_all::<_, true, false>(lanes)),
            (false, false) => dispatch!(backend, lanes => self.walk_all::<_, false, false>(lanes)),
            (true, true) => dispatch!(backend, lanes => self.walk_all::<_, true, true>(lanes)),
            (false, true) => dispatch!(backend, lanes => self.walk_all::<_, false, true>(lanes)),
        }
    }

    /// See [`walk_list`](Self::walk_list). `MIXED`: whether the list has rays of all octants.
    #[inline(always)]
    fn walk_all<L: Lanes, const NARROWS: bool, const MIXED: bool>(&mut self, lanes: L) -> bool {
        while self.step::<L, NARROWS, MIXED>(lanes) {
            let shared = self.walk.shared;
            // A step at leaves makes several visits.
            if self.check_after.is_some_and(|visits| shared.tests >= visits) {
                self.check_after = None;
                if !shared.make_streams_pay() {
                    return false;
                }
            }
        }
        true
    }

    /// Makes the next visit, and returns whether another is left.
    #[inline(always)]
    fn step<L: Lanes, const NARROWS: bool, const MIXED: bool>(&mut self, lanes: L) -> bool {
        let Self { slab_rays, walk, .. } = self;
        if walk.next.reference.kind() == NodeKind::Leaf {
            self.leaves.visit(walk, slab_rays);
            return walk.pop();
        }
        let before = walk.stack.count;
        match walk.compact(lanes, slab_rays) {
            0 => {}
            1 => self.visit_with_one::<L, NARROWS, MIXED>(lanes),
            length => self.visit_with_many::<L, NARROWS, MIXED>(lanes, length),
        }
        let stack = &self.walk.stack;
        for &reference in &stack.references[before..stack.count] {
            self.boxes.prefetch(Reference::from_bits(reference));
        }
        self.walk.pop()
    }

    /// Tests the node's boxes against a single ray.
    #[inline(always)]
    fn visit_with_one<L: Lanes, const NARROWS: bool, const MIXED: bool>(&mut self, lanes: L) {
        let Self { slab_rays, walk, .. } = self;
        let node = self.boxes.node(walk.next.reference);
        let entry = walk.lists.first(walk.next.first);
        let number = number_of(entry);
        let ray = slab_rays.slabs[usize::from(number)].from(least_t(entry));
        let octant = if MIXED { ray.octant() } else { walk.octant };
        let planes = node.boxes.near_and_far(lanes, octant);
        let (t_enter, t_exit) = ray.in_lanes(lanes).slabs(planes);
        let free = walk.next.free;
        let row = walk.lists.eight_of_one(free);
        lanes.store_entries(t_enter, t_exit, number, row);
        let lengths = row.map_each(|entry| u32::from(entry != NO_ENTRY));
        let order = order::<NARROWS>(node, octant);
        walk.stack.push(lanes, node, order, &lengths, (free, 1), slab_rays.narrowed);
    }

    /// Tests the node's boxes against all rays of the list.
    #[inline(always)]
    fn visit_with_many<L: Lanes, const NARROWS: bool, const MIXED: bool>(
        &mut self,
        lanes: L,
        length: usize,
    ) {
        let Self { slab_rays, walk, .. } = self;
        let node = self.boxes.node(walk.next.reference);
        let Visit { first, free, .. } = walk.next;
        let stride = length.next_multiple_of(MAX_LANES);
        let (list, into) = walk.lists.list_and_eight((first, length), free, stride);
        let (list, into) = ((list, length), (into, stride));
        let rays = slab_rays.slabs.first_chunk().expect("a table for all numbers");
        let octant = walk.octant;
        let (lengths, order) = if length <= LANES {
            visit_children::<_, NARROWS, MIXED>(lanes, node, octant, rays, list, into)
        } else {
            visit_children::<_, NARROWS, MIXED>(lanes.widest(), node, octant, rays, list, into)
        };
        walk.stack.push(lanes, node, order, &lengths, (free, stride), slab_rays.narrowed);
    }
}

/// The length of the run of consecutive rows at the front.
fn run(rows: &[u32]) -> usize {
    1 + rows.windows(2).take_while(|pair| pair[1] == pair[0] + 1).count()
}

#[cfg(test)]
#[path = "../../../tests/unit/traverse/streams.rs"]
mod tests;

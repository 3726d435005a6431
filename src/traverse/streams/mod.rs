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
mod lists;
mod mixed;
mod octants;
mod walk;

use std::cell::Cell;

use super::by_octant::OCTANTS;
use super::chunk_rays::{ChunkRays, LaidOutOf, PreparedOf};
use super::count;
use super::pairs::{OpenPairs, Pair, PairRays, PairStage, RAYS};
use super::plan::{Mixing, Plan, Shared, TUNING, Walked};
use super::ready::{Ready, ray_column};
use super::slab::{SlabRecord, SlabVector};
use crate::leaf::{PairBlock, PreparedRay, RayBlock};
use crate::memory::{Memory, reused};
use crate::query::Query;
use crate::simd::{
    Backend, LANES, Lanes, MAX_LANES, MAX_STREAM_RAYS, MapEach, Mask, NO_ENTRY, Real, Rearrange,
    call, dispatch, least_t, number_of, prefetch,
};
use crate::tree::arena::{Arena, BY_SIZE, Boxes, Node, NodeKind, Reference};
use crate::tree::{AabbBlock, Bvh};
use crate::value::GROUP;
pub(crate) use boxes::BoxContents;
pub(super) use boxes::visit_in_streams;
use mixed::Entered;
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
    let mut leaves = StreamLeafTest {
        backend,
        arena: &bvh.arena,
        plan,
        query,
        states: vec![Q::START; count],
        rays,
        laid_out: bytemuck::Zeroable::zeroed(),
        open: OpenPairs::new(),
    };
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

/// [Compacts](compact_into_children) a list into one for each child of a node. Returns their lengths
/// and the order in which they are pushed.
#[inline(always)]
fn visit_children<V: Rearrange, const NARROWS: bool, const MIXED: bool>(
    lanes: V,
    node: &Node,
    octant: usize,
    rays: &[SlabRecord; MAX_STREAM_RAYS],
    list: (&[u32], usize),
    into: (&mut [u32], usize),
) -> ([u32; LANES], u32) {
    let boxes = (&node.boxes, node.slots());
    if MIXED && NARROWS {
        let mut entered = [lanes.splat(0.0); LANES];
        let sums = Some(&mut entered);
        let lengths = compact_into_children::<V, MIXED>(lanes, boxes, 0, rays, list, into, sums);
        (lengths, mixed::far_to_near(lanes, entered, &lengths))
    } else {
        let lengths =
            compact_into_children::<V, MIXED>(lanes, boxes, octant, rays, list, into, None);
        (lengths, order::<NARROWS>(node, octant))
    }
}

/// The order in which children are pushed: the nearest last where that saves visits, else the
/// largest.
#[inline(always)]
fn order<const NARROWS: bool>(node: &Node, octant: usize) -> u32 {
    if NARROWS { node.far_to_near[octant] } else { BY_SIZE }
}

/// Compacts a list into one list per box of those in use; these begin at multiples of `stride`.
/// Returns their lengths, and adds the `t` at which rays enter the boxes to `entered`. The list is
/// readable up to a multiple of [`MAX_LANES`]. `MIXED`: whether its rays are of any octant.
#[inline(always)]
fn compact_into_children<V: Rearrange, const MIXED: bool>(
    lanes: V,
    (boxes, in_use): (&AabbBlock, usize),
    octant: usize,
    rays: &[SlabRecord; MAX_STREAM_RAYS],
    (list, length): (&[u32], usize),
    (into, stride): (&mut [u32], usize),
    mut entered: Option<&mut Entered<V>>,
) -> [u32; LANES] {
    let mut lengths = [0; LANES];
    for first in (0..length).step_by(V::COUNT) {
        let entries = &list[first..first + V::COUNT];
        let (numbers, t_min) = lanes.unpack(entries, length - first);
        let rays = SlabVector::take(lanes, rays, entries, t_min);
        for (slot, count) in lengths.iter_mut().enumerate().take(in_use) {
            let (t_enter, t_exit) = if MIXED {
                rays.slabs_of_any_octant(boxes.planes(lanes, slot, 0))
            } else {
                rays.slabs(boxes.planes(lanes, slot, octant))
            };
            let end = slot * stride + *count as usize;
            *count += lanes.compress_hits(t_enter, t_exit, numbers, &mut into[end..end + V::COUNT])
                as u32;
            if let Some(entered) = entered.as_deref_mut() {
                let zero = lanes.splat(0.0);
                entered[slot] = entered[slot] + t_enter.select(t_enter.le(t_exit), zero);
            }
        }
    }
    lengths
}

/// The leaves of the tree, and the states of the query.
struct StreamLeafTest<'a, 'r, P: ChunkRays, Q: Query<P::Scalar>> {
    backend: Backend,
    arena: &'a Arena<P::Block>,
    plan: Plan<'a>,
    query: &'a mut Q,
    /// A ray's place among them is its number.
    rays: &'a Ready<'r, P>,
    states: Vec<Q::State>,
    /// The primitives of a leaf that many rays are at.
    laid_out: LaidOutOf<P>,
    /// The open pairs of the leaf.
    open: OpenPairs<P::Block, P::Scalar>,
}

impl<P: ChunkRays, Q: Query<P::Scalar>> StreamLeaves for StreamLeafTest<'_, '_, P, Q> {
    fn visit(&mut self, walk: &mut Walk, slab_rays: &mut StreamRays) {
        call!(self.backend, lanes => loop {
            let length = walk.compact(lanes, slab_rays);
            let Visit { reference, first, .. } = walk.next;
            self.test(lanes, reference, (walk.lists.list(first, length), length), slab_rays);
            if !walk.is_leaf_on_top() {
                break;
            }
            walk.pop();
        });
    }
}

impl<P: ChunkRays, Q: Query<P::Scalar>> StreamLeafTest<'_, '_, P, Q> {
    /// Tests the primitives of the leaf against the first `length` rays of the list, which is
    /// readable up to a multiple of [`MAX_LANES`].
    #[inline(always)]
    fn test<L: Lanes>(
        &mut self,
        lanes: L,
        leaf: Reference,
        (list, length): (&[u32], usize),
        slab_rays: &mut StreamRays,
    ) {
        if length == 0 {
            return;
        }
        if self.plan.chunk.work(8 + length as u32).is_break() {
            return slab_rays.settle_all();
        }
        let block = self.arena.block(leaf);
        let lays_out =
            P::Block::CAN_LAY_OUT && count::<L::Widest>() > LANES && length >= TUNING.many_at_leaf;
        if lays_out {
            block.lay_out(&mut self.laid_out);
        }
        // In longer lists a branch for each ray takes longer than deciding pairs in vectors.
        let settles =
            Q::NEEDS.any_hit_settles && P::Block::IS_CERTAIN_FIRST && length < TUNING.many_at_leaf;
        for first in (0..length).step_by(RAYS) {
            let here = RAYS.min(length - first);
            let list = (&list[first..first + here.next_multiple_of(MAX_LANES)], here);
            self.open.clear();
            if lays_out {
                self.reject_together(lanes.widest(), block.filled(lanes), list);
            } else {
                self.reject_each(lanes, (block, settles), list, slab_rays);
            }
            let Self { rays, plan, query, states, open, .. } = &mut *self;
            let at_leaf = &mut StreamPairRays { block, rays, states, slab_rays: &mut *slab_rays };
            PairStage { ready: rays, query: *query, rules: plan.rules }
                .decide(lanes, open, at_leaf);
        }
    }

    /// Tests the rays one by one and adds their open pairs, or first settles those that certainly
    /// hit.
    #[inline(always)]
    fn reject_each<L: Lanes>(
        &mut self,
        lanes: L,
        (block, settles): (&P::Block, bool),
        (list, length): (&[u32], usize),
        slab_rays: &mut StreamRays,
    ) {
        let (rays, list) = (self.rays.prepared(), &list[..length]);
        let mut open = [0; RAYS];
        for (place, (open, &entry)) in open.iter_mut().zip(list).enumerate() {
            if let Some(&later) = list.get(place + 8) {
                prefetch(&rays[usize::from(number_of(later))]);
            }
            let number = usize::from(number_of(entry));
            let ray = &rays[number];
            if settles {
                let interval =
                    ray.given_interval([self.rays.t_min[number], slab_rays.limits[number]]);
                let [hit, undecided] = block.any_hit(lanes, ray, self.plan.rules.culling, interval);
                *open = undecided;
                if hit != 0 {
                    *open = 0;
                    Q::take_certain_hit(&mut self.states[number]);
                    slab_rays.settle(number_of(entry));
                }
            } else {
                *open = block.undecided(lanes, ray);
            }
        }
        // In a loop of its own, as in flight.
        for (&open, &entry) in open.iter().zip(list) {
            self.open.add(lanes, number_of(entry), open);
        }
    }

    /// The same for vectors of rays against each laid-out primitive of `filled`.
    #[inline(always)]
    fn reject_together<V: Rearrange>(
        &mut self,
        lanes: V,
        filled: u8,
        (list, length): (&[u32], usize),
    ) {
        for first in (0..length).step_by(V::COUNT) {
            let there = lanes.first((length - first).min(V::COUNT) as u32);
            // Behind the list lie old entries, maybe of rays that are no more.
            let known =
                lanes.of_bits(lanes.load_u32(&list[first..])).select(there, lanes.splat(0.0));
            let mut entries = [0; MAX_LANES];
            lanes.store_u32(lanes.to_bits(known), &mut entries);
            let mut pairs = [Pair::default(); MAX_LANES];
            for (pair, &entry) in pairs.iter_mut().zip(&entries) {
                *pair = Pair::of(number_of(entry).into());
            }
            P::Block::undecided_laid_out(
                lanes,
                &self.laid_out,
                filled,
                (self.rays.prepared(), &entries),
                |lane, undecided| self.open.add_rays(lanes, &pairs, there.bits() & undecided, lane),
            );
        }
    }
}

/// The rays of a stream at a leaf, by their numbers.
struct StreamPairRays<'a, 'r, P: ChunkRays, Q: Query<P::Scalar>> {
    block: &'a P::Block,
    rays: &'a Ready<'r, P>,
    states: &'a mut [Q::State],
    slab_rays: &'a mut StreamRays,
}

impl<'a, P: ChunkRays, Q: Query<P::Scalar>> PairRays<'a, P, Q> for StreamPairRays<'a, '_, P, Q> {
    #[inline(always)]
    fn block(&self, _ray: usize) -> &'a P::Block {
        self.block
    }

    #[inline(always)]
    fn prepared(&self, ray: usize) -> &'a PreparedOf<P> {
        &self.rays.prepared()[ray]
    }

    #[inline(always)]
    fn interval(&self, ray: usize) -> [f32; 2] {
        [self.rays.t_min[ray], self.slab_rays.limits[ray]]
    }

    #[inline(always)]
    fn row(&self, ray: usize) -> Option<u32> {
        Some(self.rays.rows[ray])
    }

    #[inline(always)]
    fn state(&mut self, ray: usize) -> &mut Q::State {
        &mut self.states[ray]
    }

    #[inline(always)]
    fn prefetch_state(&self, ray: usize) {
        prefetch(&self.states[ray]);
    }

    #[inline(always)]
    fn narrow(&mut self, ray: usize, limit: f32) {
        self.slab_rays.narrow(ray, limit);
    }

    #[inline(always)]
    fn settle(&mut self, ray: usize) {
        self.slab_rays.settle(ray as u16);
    }
}

/// The length of the run of consecutive rows at the front.
fn run(rows: &[u32]) -> usize {
    1 + rows.windows(2).take_while(|pair| pair[1] == pair[0] + 1).count()
}

#[cfg(test)]
#[path = "../../../tests/unit/traverse/streams.rs"]
mod tests;

//! Traversal of single rays.
//!
//! The time of each step is the latency of the step before. So the ray goes on to the nearest child
//! without a trip over the stack, and to an only child without loading the order; the prepared ray
//! stays in registers. And with each node it tests the one on top of its stack, whose turn comes
//! anyway unless a hit is found first.

use std::cell::Cell;
use std::hint::black_box;

use super::plan::{Plan, TUNING};
use super::rows::ChunkRows;
use super::slab::{SlabAxes, SlabLanes};
use super::{Target, push};
use crate::chunks::Chunk;
use crate::kernel::ExactScalar;
use crate::leaf::{PreparedRay, RayBlock};
use crate::memory::reused;
use crate::query::{AnyHit, Query, SingleClosestHit, TOUCH};
use crate::simd::{LANES, Lanes, Mask, Real, Scalar, set_bits};
use crate::status::Status;
use crate::tree::arena::{NodeKind, Reference};
use crate::tree::{Bvh, Leaf};
use crate::value::{GROUP, Ray, RayBatch, Rules};

/// Casts the rays outside groups one after the other: in calls of few rays, or where visits are
/// counted.
#[inline(always)]
pub(super) fn cast_each<L: Lanes, T: ExactScalar, X: Target<T>, Q: Query<T>>(
    lanes: L,
    tree: &X,
    rays: &RayBatch<'_, T>,
    rows: &mut ChunkRows,
    plan: Plan<'_>,
    query: &mut Q,
) {
    let mut stack = RayStack::new(tree.bvh().stack);
    let (mut group, mut untold) = ([0; GROUP], 0);
    loop {
        let count = rows.take(&mut group);
        if count == 0 || plan.chunk.work(0).is_break() {
            break;
        }
        // A chunk in no order is longer than the watcher is to wait.
        if untold >= TUNING.chunk_lengths[1] && plan.may_go_by_octant() {
            if plan.chunk.advance(untold).is_break() {
                break;
            }
            untold = 0;
        }
        untold += count;
        for &row in &group[..count] {
            let row = row as usize;
            let (ray, rules) = (&rays.ray(row), Q::rules(plan.rules));
            cast_ray(lanes, tree, &mut stack, (row, ray), (rules, Some(plan.chunk)), query);
        }
    }
    stack.put_back();
}

/// The closest hit of one ray, returned by value: the caller does not wait for a store. One function
/// for this and for any hit, with the query as an argument, takes 1.2 times as long.
#[inline(always)]
pub(super) fn closest_of<L: Lanes, T: ExactScalar>(
    lanes: L,
    tree: &impl Target<T>,
    ray: &Ray<T>,
) -> SingleClosestHit<T> {
    let mut query = SingleClosestHit::NOTHING;
    cast_alone(lanes, tree, ray, &mut query);
    query
}

/// Whether one ray hits anything.
#[inline(always)]
pub(super) fn any_of<L: Lanes, T: ExactScalar>(
    lanes: L,
    tree: &impl Target<T>,
    ray: &Ray<T>,
) -> Status {
    let mut status = Status::Miss;
    let mut query = AnyHit { status: std::slice::from_mut(&mut status), rows: None };
    cast_alone(lanes, tree, ray, &mut query);
    status
}

/// Casts a ray in row 0. The rules are constant: else the loop over nodes would keep them in
/// registers.
#[inline(always)]
fn cast_alone<L: Lanes, T: ExactScalar, X: Target<T>, Q: Query<T>>(
    lanes: L,
    tree: &X,
    ray: &Ray<T>,
    query: &mut Q,
) {
    let mut stack = RayStack::new(tree.bvh().stack);
    cast_ray(lanes, tree, &mut stack, (0, ray), (TOUCH, None), query);
    stack.put_back();
}

/// The stack of a ray.
#[derive(Default)]
pub(crate) struct RayStack {
    pub(super) references: Vec<u32>,
    /// The `t` at which the ray enters the box of the reference, kept up only for queries that
    /// narrow; for a point, the squared distances of the boxes in the node of the reference.
    pub(super) t_enter: Vec<f32>,
}

thread_local! {
    /// The stack of the last cast on this thread, so that a single ray does not allocate. Boxed, as
    /// moving the whole stack in and out would cost more.
    static STACK: Cell<Option<Box<RayStack>>> = const { Cell::new(None) };
}

impl RayStack {
    /// An empty stack. `most` is the depth of the tree's stack where nodes are visited one by one,
    /// the end mark included. A step visits a second node only while `top` is at most that. The
    /// second replaces one reference by at most eight: `top` is `most` + 7 then, and the walk below
    /// the ray's own node adds less than `most`.
    #[inline(always)]
    pub(crate) fn new(most: usize) -> Box<Self> {
        // Eight lanes are stored at a time; those beyond the children met do not count.
        let size = 2 * (most + LANES);
        match reused(STACK.take()) {
            Some(stack) if stack.references.len() >= size => stack,
            _ => Self::with_size(size, most),
        }
    }

    #[cold]
    fn with_size(size: usize, most: usize) -> Box<Self> {
        // A point keeps a row of lanes for each node with children that wait, from row 1 on.
        let mut t_enter = vec![0.0; size.max((most + 1) * LANES)];
        // The mark of the end is always near enough to be popped.
        t_enter[0] = f32::NEG_INFINITY;
        Box::new(Self { references: vec![Reference::END.bits(); size], t_enter })
    }

    /// Keeps the memory for the next cast.
    #[inline(always)]
    pub(crate) fn put_back(self: Box<Self>) {
        // Not `set`, which is a call.
        STACK.with(|stack| stack.set(Some(self)));
    }
}

/// Casts a ray; the query refuses it if it has a defect.
#[inline(always)]
fn cast_ray<L: Lanes, T: ExactScalar, X: Target<T>, Q: Query<T>>(
    lanes: L,
    tree: &X,
    stack: &mut RayStack,
    (row, ray): (usize, &Ray<T>),
    (rules, chunk): (Rules, Option<&Chunk<'_>>),
    query: &mut Q,
) {
    let (axes, interval, scale) = match tree.seen(ray) {
        Ok(seen) => seen,
        Err(defect) => return query.refuse(row, defect),
    };
    let prepared = X::Block::prepare(ray, scale);
    let mut leaf_test = SingleLeafTest::<T, X::Block, Q> {
        row,
        ray,
        prepared,
        rules,
        chunk,
        query,
        state: Q::START,
    };
    tree.bvh().walk(lanes, stack, axes, interval, &mut leaf_test);
    let SingleLeafTest { query, state, .. } = leaf_test;
    query.finish(row, &state);
}

/// Tests a ray against the leaves that it visits.
struct SingleLeafTest<'a, T: Scalar, B: RayBlock<T>, Q: Query<T>> {
    row: usize,
    ray: &'a Ray<T>,
    prepared: B::PreparedRay,
    rules: Rules,
    /// The chunk of a ray that may be stopped.
    chunk: Option<&'a Chunk<'a>>,
    query: &'a mut Q,
    state: Q::State,
}

impl<T: Scalar, B: RayBlock<T>, Q: Query<T>> Visitor<B> for SingleLeafTest<'_, T, B, Q> {
    const NARROWS: bool = Q::NEEDS.may_narrow;

    #[inline(always)]
    fn counts_visits(&self) -> bool {
        self.query.counts_visits()
    }

    #[inline(always)]
    fn visit_node(&mut self, boxes: impl FnOnce() -> usize) {
        if self.counts_visits() {
            self.query.visit(self.row, [1, boxes() as u32, 0, 0]);
        }
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        block: &B,
        _: &SlabLanes<L>,
        t_max: &mut f32,
    ) -> bool {
        let Self { row, ray, ref prepared, rules, chunk, ref mut query, ref mut state } = *self;
        if chunk.is_some_and(|chunk| chunk.work(4).is_break()) {
            return true;
        }
        if query.counts_visits() {
            query.visit(row, [0, 0, 1, block.count() as u32]);
        }
        let interval = [ray.t_min, ray.t_max];
        let (mut offered, undecided) = (
            false,
            if Q::NEEDS.any_hit_settles {
                let [hit, undecided] = block.any_hit(lanes, prepared, rules.culling, interval);
                if hit != 0 {
                    Q::take_certain_hit(state);
                    return true;
                }
                undecided
            } else {
                block.undecided(lanes, prepared)
            },
        );
        for lane in set_bits(undecided) {
            if let Some(found) = block.decide(lane, prepared, rules, interval)
                && let Some(candidate) = found.resolved(|found| block.resolve(lane, ray, found))
            {
                query.offer(row, state, candidate, found.side, || block.geometric_normal(lane));
                offered = true;
            }
        }
        // The limit of a ray of `f64` takes more than a branch.
        if Q::NEEDS.may_narrow && (offered || const { size_of::<T>() == size_of::<f32>() }) {
            *t_max = prepared.limit(Q::t_max(state, ray.t_max));
        }
        Q::is_settled(state)
    }
}

/// The operations on the nodes and leaves that a ray visits.
pub(crate) trait Visitor<B> {
    /// Whether hits may narrow the interval. If so the ray goes on to the nearest child, and the
    /// others wait in the order of the octant; else the order is any.
    const NARROWS: bool;

    /// Whether visits are counted. Nodes are then visited one by one, in the order of the octant, so
    /// that the numbers say what a ray needs, and are the same on every backend.
    #[inline(always)]
    fn counts_visits(&self) -> bool {
        false
    }

    /// The boxes of a node are being tested; the argument counts them.
    #[inline(always)]
    fn visit_node(&mut self, _boxes: impl FnOnce() -> usize) {}

    /// Visits a leaf. Lowers `t_max` to the limit that still matters, and returns whether the ray
    /// is finished.
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        block: &B,
        slabs: &SlabLanes<L>,
        t_max: &mut f32,
    ) -> bool;
}

impl<B: Leaf> Bvh<B> {
    /// Visits every leaf whose box a ray, prepared as `axes`, meets within its interval.
    #[inline(always)]
    pub(crate) fn walk<L: Lanes, V: Visitor<B>>(
        &self,
        lanes: L,
        stack: &mut RayStack,
        axes: SlabAxes,
        [t_min, mut t_max]: [f32; 2],
        visitor: &mut V,
    ) {
        let prepared = SlabLanes::new(lanes, axes, t_min);
        let nodes = self.arena.nodes();
        let boxes = self.arena.boxes();
        let (references, t_enters) = (&mut stack.references[..], &mut stack.t_enter[..]);
        let mut next = self.root;
        // The top of the stack; the mark of the end is at 0.
        let (mut top, mut made) = (0, None);
        // The next reference on the stack.
        let pop = |t_enters: &[f32], references: &[u32], top: &mut usize, t_max: f32| {
            if V::NARROWS {
                // Ties stay: what lies at the same t may have the lower ids.
                while t_enters[*top] > t_max {
                    *top -= 1;
                }
            }
            let next = Reference::from_bits(references[*top]);
            *top = top.wrapping_sub(1);
            next
        };
        loop {
            // Calls at leaves keep no vector register. Loaded anew before the nodes on the way to
            // each leaf, the ray is in registers there; else each node would load it.
            let slabs = *black_box(&prepared);
            while next.kind() == NodeKind::Inner {
                let node = &nodes[next.node()];
                visitor.visit_node(|| node.slots());
                let (t_enter, t_exit) = slabs.slabs(lanes, &node.boxes, t_max);
                let met = t_enter.le(t_exit);
                let bits = met.bits();
                let waiting = Reference::from_bits(references[top]);
                if waiting.kind() == NodeKind::Inner
                    && top <= self.stack
                    && !visitor.counts_visits()
                {
                    let node = &nodes[waiting.node()];
                    let overlaps = slabs.slabs(lanes, &node.boxes, t_max);
                    let children = (node.far_to_near[slabs.octant()], &node.children);
                    top -= 1;
                    top += push(
                        lanes,
                        V::NARROWS,
                        (references, t_enters, top + 1),
                        children,
                        overlaps,
                    );
                }
                next = if visitor.counts_visits() {
                    let children = (node.far_to_near[slabs.octant()], &node.children);
                    let stack = (&mut *references, &mut *t_enters, top + 1);
                    top += push(lanes, V::NARROWS, stack, children, (t_enter, t_exit));
                    pop(t_enters, references, &mut top, t_max)
                } else if bits & bits.wrapping_sub(1) != 0 {
                    // The others stay in the order of the octant: sorting them too gains little
                    // where the nearest is right.
                    let (nearest, others) = if V::NARROWS {
                        lanes.take_least(met, t_enter)
                    } else {
                        (last(bits), t_enter)
                    };
                    let children = (node.far_to_near[slabs.octant()], &node.children);
                    push(
                        lanes,
                        V::NARROWS,
                        (references, t_enters, top + 1),
                        children,
                        (others, t_exit),
                    );
                    top += bits.count_ones() as usize - 1;
                    boxes.prefetch(Reference::from_bits(references[top]));
                    Reference::from_bits(node.children[nearest])
                } else if bits != 0 {
                    Reference::from_bits(node.children[last(bits)])
                } else {
                    pop(t_enters, references, &mut top, t_max)
                };
            }
            if next.kind() == NodeKind::End
                || visitor.visit_leaf(lanes, self.arena.block(next, &mut made), &slabs, &mut t_max)
            {
                return;
            }
            next = pop(t_enters, references, &mut top, t_max);
        }
    }
}

/// The number of the highest set bit; any place if none is set.
#[inline(always)]
const fn last(bits: u32) -> usize {
    (bits.leading_zeros() ^ 31) as usize % LANES
}

//! Walking rays that go about the same way through the tree together.
//!
//! A node's eight boxes are tested against the hull of the group first: against bounds of all its rays. A
//! child that the hull meets is tested against the rays themselves, a vector of them at a time, when its
//! turn comes; what is below it concerns those that met it. At a leaf it is one primitive against a vector
//! of rays.
//!
//! After Wald, Slusallek, Benthin and Wagner, "Interactive Rendering with Coherent Ray Tracing", Computer
//! Graphics Forum 20(3), 2001, and for hulls Boulos, Wald and Shirley, "Geometric and Arithmetic Culling
//! Methods for Entire Ray Packets", Utah UUCS-06-010, 2006.

use std::cell::Cell;

use super::rows::Rows;
use super::{Coherence, PREFETCH_FROM};
use crate::bvh::Bvh;
use crate::bvh::arena::{Kind, Reference};
use crate::primitive::{LeafBlock, SlabHull, SlabRays, set_bits};
use crate::query::{Casting, Pace, Query};
use crate::ray::{GROUP, GroupColumn, Heading, RayBatch, RayGroup, RayParts};
use crate::simd::{LANES, Lanes, Real, Vectors};

/// The slots of a node, to be put on a stack in the order of the rays.
const SLOTS: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];

/// Children whose boxes the hull met, and which the rays have yet to visit.
#[derive(Default)]
struct Stack {
    parents: Vec<u32>,
    /// Which of its parent's slots each is in.
    slots: Vec<u32>,
    /// Where the hull enters it. Kept up only for queries that narrow.
    t_enter: Vec<f32>,
    /// Which rays met the parent's box.
    rays: Vec<u64>,
    /// How many there are.
    count: usize,
}

thread_local! {
    /// The memory of the last cast on this thread.
    static STACK: Cell<Stack> = Cell::default();
}

impl Stack {
    /// An empty stack with room for so many.
    fn new(most: usize) -> Self {
        let mut stack = STACK.take();
        // Eight are stored at a time, of which those beyond the children met do not count.
        let capacity = most + LANES;
        if stack.slots.len() < capacity {
            stack.parents.resize(capacity, 0);
            stack.slots.resize(capacity, 0);
            stack.t_enter.resize(capacity, 0.0);
            stack.rays.resize(capacity, 0);
        }
        stack.count = 0;
        stack
    }

    /// Keeps the memory for the next cast.
    fn put_back(self) {
        STACK.set(self);
    }
}

/// What walking a group has cost.
#[derive(Debug, Default)]
struct Tally {
    /// Vectors of rays that were tested against a box.
    vectors: u64,
    /// Rays that met the boxes that they were tested against.
    met: u64,
}

impl Tally {
    /// Whether the rays would have taken longer each on its own way.
    ///
    /// A vector costs a group as much whether one of its rays meets the box or all do, while a ray on
    /// its own pays for each node. Camera, shadow and lidar rays at the dragon, the gyroid and the
    /// terrain gain 1.3 to 3 times from 3.3 rays a vector on and lose up to 1.5 times below 1.8.
    const fn pays(&self) -> bool {
        2 * self.met >= 5 * self.vectors
    }
}

/// Everything that walking the groups of a chunk needs.
pub(super) struct Groups<'a, B: LeafBlock, Q: Query> {
    bvh: &'a Bvh<B>,
    how: Casting<'a>,
    query: &'a mut Q,
    prefetch: bool,
    stack: Stack,
    tally: Tally,
    /// The rays of the group as they came.
    rays: RayGroup,
    /// Their rows in the chunk.
    rows: [u32; GROUP],
    /// Made ready for boxes: all together, and each.
    hull: SlabHull,
    slabs: SlabRays,
    /// Made ready for primitives, once the first leaf is reached.
    prepared: B::PreparedRays,
    heading: Heading,
    is_prepared: bool,
    states: [Q::State; GROUP],
    /// The rays for which there is still something to find.
    live: u64,
}

impl<'a, B: LeafBlock, Q: Query> Groups<'a, B, Q> {
    #[inline(always)]
    pub(super) fn new(bvh: &'a Bvh<B>, how: Casting<'a>, query: &'a mut Q) -> Self {
        Self {
            bvh,
            how,
            query,
            prefetch: bvh.arena.bytes() > PREFETCH_FROM,
            stack: Stack::new(bvh.stack),
            tally: Tally::default(),
            rays: RayGroup::EMPTY,
            rows: [0; GROUP],
            hull: SlabHull::NONE,
            slabs: SlabRays::NONE,
            prepared: bytemuck::Zeroable::zeroed(),
            heading: Heading { octant: 0, longest: 0 },
            is_prepared: false,
            states: [Q::START; GROUP],
            live: 0,
        }
    }

    /// Casts what goes well together, and puts back the rows of the rest.
    #[inline(always)]
    pub(super) fn cast<L: Lanes>(mut self, lanes: L, rays: &RayBatch<'_>, rows: &mut Rows) {
        let always = self.how.coherence == Coherence::Coherent;
        let mut pace = Pace::default();
        let mut groups = [[0; GROUP]; 2];
        let mut counts = [rows.next_group(&mut groups[0]), 0];
        let mut now = 0;
        while counts[now] > 0 {
            let after = 1 - now;
            counts[after] = rows.next_group(&mut groups[after]);
            let group = &groups[now][..counts[now]];
            if always || pace.tries() {
                RayGroup::prefetch(rays, &groups[after][..counts[after]]);
                self.rays.gather(rays, group);
                self.rows[..group.len()].copy_from_slice(group);
                let extents = self.rays.extents(lanes.widest());
                if always || self.is_coherent(&extents) {
                    self.tally = Tally::default();
                    self.cast_rays(lanes, extents);
                    pace.heed(self.tally.pays());
                } else {
                    rows.put_back(group);
                    pace.heed(false);
                }
            } else {
                rows.put_back(group);
            }
            now = after;
        }
        self.stack.put_back();
    }

    /// Whether rays start and go near enough to each other to try it.
    ///
    /// The directions of 64 rays of a picture or a lidar spread by 0.01 to 0.3 of their length, those of
    /// reflected light by 1.5 and more.
    #[inline(always)]
    fn is_coherent(&self, extents: &RayParts<[f32; 2], 3>) -> bool {
        let bounds = self.bvh.bounds();
        let (mut length, mut size) = (0.0_f32, 0.0_f32);
        let (mut spread, mut reach) = (0.0_f32, 0.0_f32);
        for axis in 0..3 {
            let [least, greatest] = extents.direction[axis];
            length = length.max(least.abs()).max(greatest.abs());
            spread = spread.max(greatest - least);
            let [least, greatest] = extents.origin[axis];
            size = size.max(bounds.max[axis] - bounds.min[axis]);
            reach = reach.max(greatest - least);
        }
        spread <= 0.5 * length && reach <= 0.25 * size
    }

    /// Casts the gathered rays, those of each heading together.
    #[inline(always)]
    fn cast_rays<L: Lanes>(&mut self, lanes: L, mut extents: RayParts<[f32; 2], 3>) {
        let wide = lanes.widest();
        let mut left = self.rays.live;
        for lane in set_bits(left & !self.rays.surely_sound(wide)) {
            if let Some(defect) = self.rays.ray(lane).find_defect() {
                self.query.refuse(self.rows[lane] as usize, defect);
                left &= !(1 << lane);
            }
        }
        let headings = self.rays.headings(wide);
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            let same = left & headings.like(first);
            left &= !same;
            let others = (left != 0).then_some(self.rays);
            if same != self.rays.live {
                self.rays.keep(same);
                extents = self.rays.extents(wide);
            }
            self.cast_group(lanes, headings.of(first), &extents);
            if let Some(others) = others {
                self.rays = others;
            }
        }
    }

    /// Casts the live rays, which have one heading.
    #[inline(always)]
    fn cast_group<L: Lanes>(&mut self, lanes: L, heading: Heading, extents: &RayParts<[f32; 2], 3>) {
        let wide = lanes.widest();
        let anchor = self.bvh.arena.anchor;
        self.hull = SlabHull::new(extents, heading, anchor);
        (self.heading, self.is_prepared) = (heading, false);
        self.states = [Q::START; GROUP];
        self.live = self.rays.live;
        self.stack.count = 0;
        if self.bvh.root.kind() == Kind::Inner {
            self.visit_node(lanes, self.bvh.root, self.live);
        }
        // Rays of which none comes near anything are not made ready.
        if self.stack.count > 0 || self.bvh.root.kind() == Kind::Leaf {
            self.slabs.prepare(wide, &self.rays, heading, anchor);
        }
        if self.bvh.root.kind() == Kind::Leaf {
            self.visit_leaf(lanes, self.bvh.root, self.live);
        }
        while self.stack.count > 0 {
            self.stack.count -= 1;
            let top = self.stack.count;
            let rays = self.stack.rays[top] & self.live;
            if rays == 0 || Q::NARROWS && self.stack.t_enter[top] > self.hull.t_max {
                continue;
            }
            let node = self.bvh.arena.node(Reference::from_bits(self.stack.parents[top]));
            let slot = self.stack.slots[top] as usize % LANES;
            let planes = node.boxes.planes(slot, self.hull.octant());
            let mut met = 0;
            for vector in GroupColumn::vectors::<L::Widest>() {
                let some = in_vector::<L::Widest>(rays, vector);
                if some != 0 {
                    let bits = some & self.slabs.meet(wide, &planes, vector);
                    met |= u64::from(bits) << (vector * count::<L::Widest>());
                    self.tally.vectors += 1;
                }
            }
            if met != 0 {
                self.tally.met += u64::from(met.count_ones());
                self.go_to(lanes, Reference::from_bits(node.children[slot]), met);
            }
        }
        for lane in set_bits(self.rays.live) {
            self.query.finish(self.rows[lane] as usize, &self.states[lane]);
        }
    }

    /// Visits what is at `reference` with some of the rays.
    #[inline(always)]
    fn go_to<L: Lanes>(&mut self, lanes: L, reference: Reference, rays: u64) {
        match reference.kind() {
            Kind::Inner => self.visit_node(lanes, reference, rays),
            Kind::Leaf => self.visit_leaf(lanes, reference, rays),
            Kind::End => {}
        }
    }

    /// Leaves those children of the node on the stack that the hull meets, the nearest on top.
    #[inline(always)]
    fn visit_node<L: Lanes>(&mut self, lanes: L, reference: Reference, rays: u64) {
        let node = self.bvh.arena.node(reference);
        let (t_enter, t_exit) = node.boxes.slabs_of_hull(lanes, &self.hull);
        let slots = lanes.load_u32(&SLOTS);
        let top = self.stack.count;
        let into = room(&mut self.stack.slots, top);
        let met = if Q::NARROWS {
            let order = node.far_to_near[self.hull.octant()];
            lanes.keep_in_order(order, t_enter, t_exit, slots, (room(&mut self.stack.t_enter, top), into))
        } else {
            lanes.keep(t_enter.le(t_exit), slots, into)
        };
        *room(&mut self.stack.parents, top) = [reference.bits(); LANES];
        *room(&mut self.stack.rays, top) = [rays; LANES];
        self.stack.count += met as usize;
        if self.prefetch {
            for &slot in &self.stack.slots[top..self.stack.count] {
                self.bvh.arena.prefetch(Reference::from_bits(node.children[slot as usize % LANES]));
            }
        }
    }

    /// Tests the primitives of the leaf.
    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, reference: Reference, rays: u64) {
        let wide = lanes.widest();
        let block = self.bvh.arena.block(reference);
        if !self.is_prepared {
            B::prepare_group(wide, &self.rays, self.heading, &mut self.prepared);
            self.is_prepared = true;
        }
        // First which rays may meet which primitive, then where: that any ray does is a coin toss, which
        // no branch between the vectors should have to guess.
        let mut undecided = [(0, 0, 0_u32); GROUP];
        let mut length = 0;
        for primitive in 0..block.count() {
            for vector in GroupColumn::vectors::<L::Widest>() {
                let some = in_vector::<L::Widest>(rays, vector);
                if some != 0 {
                    let bits = some & block.undecided_rays(wide, primitive, &self.prepared, vector);
                    undecided[length % GROUP] =
                        (primitive as u8, (vector * count::<L::Widest>()) as u8, bits);
                    length += usize::from(bits != 0);
                }
            }
        }
        for &(primitive, first, bits) in &undecided[..length] {
            for lane in set_bits(bits) {
                self.decide(block, primitive.into(), usize::from(first) + lane);
            }
        }
        if Q::NARROWS && length > 0 {
            self.hull.t_max = self.slabs.greatest_t_max(wide);
        }
    }

    /// Offers the query what the ray in a lane meets of a primitive.
    #[inline(always)]
    fn decide(&mut self, block: &B, primitive: usize, lane: usize) {
        if self.live >> lane & 1 == 0 {
            return;
        }
        let ray = B::ray_of(&self.prepared, lane);
        let [t_min, t_max] = [self.slabs.t_min.get(lane), self.slabs.t_max.get(lane)];
        let state = &mut self.states[lane % GROUP];
        if let Some(candidate) = block.decide(primitive, &ray, self.how.culling)
            && t_min <= candidate.t
            && candidate.t <= t_max
        {
            let row = self.rows[lane % GROUP] as usize;
            self.query.offer(row, state, candidate, || block.geometric_normal(primitive));
        }
        if Q::NARROWS {
            self.slabs.t_max.set(lane, Q::t_max(state, t_max));
        }
        self.live &= !(u64::from(Q::is_settled(state)) << lane);
    }
}

/// How many lanes a vector has.
const fn count<V: Vectors<f32>>() -> usize {
    V::COUNT
}

/// Those of the rays that are in a vector, as its bits.
#[inline(always)]
const fn in_vector<V: Vectors<f32>>(rays: u64, vector: usize) -> u32 {
    (rays >> (vector * V::COUNT) & (u64::MAX >> (64 - V::COUNT))) as u32
}

/// Room for eight on a stack.
#[inline(always)]
fn room<T>(stack: &mut [T], top: usize) -> &mut [T; LANES] {
    (&mut stack[top..top + LANES]).try_into().expect("eight are eight")
}

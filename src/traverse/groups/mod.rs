//! Traversal of groups of 64 coherent rays.
//!
//! The eight boxes of a node are tested against the hull of the group first: against bounds of all
//! its rays. A child that the hull meets is tested against vectors of the rays themselves when it
//! is popped; only the rays that met it go on below it. At a leaf one primitive is tested against a
//! vector of rays. Where few rays are left, each is tested against eight boxes or primitives
//! instead.
//!
//! After Wald, Slusallek, Benthin and Wagner, "Interactive Rendering with Coherent Ray Tracing",
//! Computer Graphics Forum 20(3), 2001, and for hulls Boulos, Wald and Shirley, "Geometric and
//! Arithmetic Culling Methods for Entire Ray Packets", Utah UUCS-06-010, 2006.

mod stack;
mod vectors;

use std::ops::Range;

use super::plan::{Coherence, GroupCost, Pace, are_coherent, few_of_group};
use super::rows::ChunkRows;
use super::slab::{SlabHull, SlabRays};
use super::{count, push, room};
use crate::simd::{Backend, LANES, Lanes, Mask, Real, dispatch, set_bits};
use crate::tree::arena::{Boxes, Node, NodeKind, Reference};
use crate::tree::{Bvh, FiniteRange, Leaf};
use crate::value::{GROUP, GroupColumn, Heading, RayGroup, RayParts};
use stack::GroupStack;
pub(super) use vectors::{in_vector, take_vector, vectors_of};

/// The slots of a node, for compress-stores in the order of the rays.
const SLOTS: [u32; LANES] = [0, 1, 2, 3, 4, 5, 6, 7];
/// The same plus eight, for children whose boxes the rays themselves have met.
const MET_SLOTS: [u32; LANES] = [8, 9, 10, 11, 12, 13, 14, 15];

/// Gathering, tests at leaves and the end of groups, behind a pointer: with a few calls per group
/// and one per leaf, the walk through boxes is compiled once for all precisions, primitives and
/// queries.
pub(super) trait GroupLeaves {
    /// Prefetches the rays and the answers in these rows, clamped to the batch.
    fn prefetch(&self, rays: Range<usize>, answers: Range<usize>);

    /// Gathers the rays in these rows, at least one, as boxes see them, and prefetches those in
    /// rows `later`. Rays with a defect are refused and not live. Returns the rays that boxes
    /// cannot test in a group; these are not live either.
    fn gather(&mut self, rows: &[u32], later: Range<usize>, into: &mut RayGroup) -> u64;

    /// Starts a group with new states.
    fn start(&mut self);

    /// Tests a leaf against some of the rays. Returns whether any interval may be narrower.
    fn visit(&mut self, leaf: Reference, rays: u64, group: &mut ActiveGroup) -> bool;

    /// Finishes the rays in these lanes.
    fn finish(&mut self, rows: &[u32; GROUP], lanes: u64);
}

/// The group under way; its rays have one heading.
pub(crate) struct ActiveGroup {
    /// The rays as given.
    pub(super) rays: RayGroup,
    pub(super) heading: Heading,
    /// Their rows in the chunk.
    pub(super) rows: [u32; GROUP],
    /// Prepared for boxes. Hits that narrow lower the `t_max` here.
    pub(super) slabs: SlabRays,
    /// The rays for which there is still something to find.
    pub(super) live: u64,
}

/// The state of groups among boxes. Apart from the group: calls at leaves get its address, and
/// compilers keep nothing of what lies beside it in registers.
struct Groups<'a> {
    boxes: Boxes<'a>,
    root: Reference,
    anchor: [f32; 3],
    /// Whether the next group is cast as one whatever it costs.
    always: bool,
    forgets: bool,
    leaves: &'a mut dyn GroupLeaves,
    stack: GroupStack,
    cost: GroupCost,
    /// Whether the rays of the last group that was cast start at more than one point.
    are_origins_apart: bool,
    hull: SlabHull,
    range: FiniteRange,
}

/// Casts what goes well together, and puts back the rows of the rest: by whether hits narrow
/// intervals, and whether rays can be cast again as if nothing had been offered.
#[inline(always)]
pub(super) fn cast<B: Leaf>(
    bvh: &Bvh<B>,
    backend: Backend,
    rows: &mut ChunkRows,
    coherence: Coherence,
    (narrows, forgets): (bool, bool),
    leaves: &mut dyn GroupLeaves,
) {
    Groups {
        boxes: bvh.arena.boxes(),
        root: bvh.root,
        anchor: bvh.arena.anchor,
        always: coherence == Coherence::Coherent,
        forgets,
        leaves,
        stack: GroupStack::new(bvh.stack),
        cost: GroupCost::default(),
        are_origins_apart: false,
        hull: SlabHull::default(),
        range: bvh.range,
    }
    .cast_on(backend, narrows, rows);
}

impl Groups<'_> {
    /// Casts all groups of a chunk. `narrows`: whether hits narrow intervals. Not generic, as
    /// `Stream::walk_on` is not.
    fn cast_on(self, backend: Backend, narrows: bool, rows: &mut ChunkRows) {
        if narrows {
            dispatch!(backend, lanes => self.cast_all::<_, true>(lanes, rows));
        } else {
            dispatch!(backend, lanes => self.cast_all::<_, false>(lanes, rows));
        }
    }

    /// See [`cast_on`](Self::cast_on).
    #[inline(always)]
    fn cast_all<L: Lanes, const NARROWS: bool>(mut self, lanes: L, rows: &mut ChunkRows) {
        let (mut pace, mut mean, all) = (Pace::of_groups(), GroupCost::default(), self.always);
        let ahead = rows.ahead();
        self.leaves.prefetch(0..ahead, 0..0);
        let mut active = ActiveGroup {
            rays: RayGroup::EMPTY,
            heading: Heading { octant: 0, longest: 0 },
            rows: [0; GROUP],
            slabs: bytemuck::Zeroable::zeroed(),
            live: 0,
        };
        let mut group = [0; GROUP];
        for number in 0.. {
            let taken = rows.next_group(&mut group);
            if taken == 0 {
                break;
            }
            let group = &group[..taken];
            // Where groups pay none is left out or given up: rays left over from a few make short
            // streams, which are slow.
            self.always = all
                || mean.tests > 0
                    && mean.pays(count::<L::Widest>(), NARROWS || !self.are_origins_apart);
            if self.always || pace.tries() {
                let later = number * GROUP + ahead;
                let half = later + GROUP / 2;
                // In two halves: a core has some 20 cache misses in flight.
                let left_out = self.leaves.gather(group, later..half, &mut active.rays);
                active.rows[..group.len()].copy_from_slice(group);
                (self.cost, self.are_origins_apart) = (GroupCost::default(), false);
                let given_up = self.cast_rays::<L, NARROWS>(lanes, &mut active) | left_out;
                self.leaves.prefetch(half..later + GROUP, later..later + GROUP);
                for lane in set_bits(given_up) {
                    rows.put_back(&active.rows[lane..=lane]);
                }
                mean.add(self.cost);
                pace.record(
                    given_up == 0
                        && mean.pays(count::<L::Widest>(), NARROWS || !self.are_origins_apart),
                );
            } else {
                rows.put_back(group);
            }
        }
        self.stack.put_back();
    }

    /// Casts the gathered rays, those of each heading together. Returns the rays given up, as bits.
    #[inline(always)]
    fn cast_rays<L: Lanes, const NARROWS: bool>(
        &mut self,
        lanes: L,
        group: &mut ActiveGroup,
    ) -> u64 {
        let wide = lanes.widest();
        let mut left = group.rays.live;
        if left == 0 {
            return 0;
        }
        let headings = group.rays.headings(wide);
        let (mut all, mut given_up) = (self.always, 0);
        // Of many headings all rays first, then those of each: in one loop, as extents are compiled
        // where they are called. Of two, each may be coherent by itself, as the sides of the end of
        // a line of a picture.
        let mut looks_at_all = !all && headings.are_many(left);
        loop {
            let first = left.trailing_zeros() as usize;
            let same = left & headings.like(first);
            group.rays.live = if looks_at_all { left } else { same };
            let extents = group.rays.extents(lanes);
            let tries = all || are_coherent(&extents.direction);
            if looks_at_all {
                if !tries {
                    return left;
                }
                (looks_at_all, all) = (false, true);
                continue;
            }
            if !tries || !self.cast_group::<L, NARROWS>(lanes, headings.of(first), &extents, group)
            {
                given_up |= same;
            }
            left &= !same;
            if left == 0 {
                return given_up;
            }
        }
    }

    /// Casts the live rays, which have one heading. Returns whether they are finished.
    #[inline(always)]
    fn cast_group<L: Lanes, const NARROWS: bool>(
        &mut self,
        lanes: L,
        heading: Heading,
        extents: &RayParts<[f32; 2], 3>,
        group: &mut ActiveGroup,
    ) -> bool {
        if !SlabHull::are_in_range(extents, heading, self.range) {
            return false;
        }
        self.cost.cast += group.rays.live.count_ones() as usize;
        self.are_origins_apart |= extents.origin.iter().any(|[least, greatest]| least != greatest);
        let gives_up = self.forgets && !self.always;
        let wide = lanes.widest();
        let anchor = self.anchor;
        self.hull = SlabHull::new(extents, heading, anchor);
        group.heading = heading;
        self.leaves.start();
        group.live = group.rays.live;
        self.stack.count = 0;
        if self.root.kind() == NodeKind::Inner {
            self.visit_with_many::<L, NARROWS>(lanes, self.root, group.live);
        }
        // If the hull meets no child, no ray needs to be prepared.
        if self.stack.count > 0 || self.root.kind() == NodeKind::Leaf {
            group.slabs.prepare(wide, &group.rays, heading, anchor);
        }
        if self.root.kind() == NodeKind::Leaf {
            self.visit_leaf(lanes, self.root, group.live, group);
        }
        while self.stack.count > 0 {
            self.stack.count -= 1;
            let top = self.stack.count;
            let rays = self.stack.rays[top] & group.live;
            if rays == 0 || NARROWS && self.stack.t_enter[top] > self.hull.t_max {
                continue;
            }
            let node = self.boxes.node(Reference::from_bits(self.stack.parents[top]));
            let slot = self.stack.slots[top] as usize;
            let child = Reference::from_bits(node.children[slot % LANES]);
            // Called in two places: one for both, behind a branch, takes closest hits 1 to 2%
            // longer.
            if slot >= LANES {
                self.go_to::<L, NARROWS>(lanes, child, rays, group);
                continue;
            }
            let met = self.test_box(lanes, (node, slot), rays, &group.slabs);
            if met != 0 {
                self.go_to::<L, NARROWS>(lanes, child, met, group);
            }
            if gives_up
                && self.cost.is_hopeless(count::<L::Widest>(), NARROWS || !self.are_origins_apart)
            {
                return false;
            }
        }
        self.leaves.finish(&group.rows, group.rays.live);
        true
    }

    /// The rays that meet the box in a slot.
    #[inline(always)]
    fn test_box<L: Lanes>(
        &mut self,
        lanes: L,
        (node, slot): (&Node, usize),
        rays: u64,
        slabs: &SlabRays,
    ) -> u64 {
        let planes = node.boxes.planes(lanes.widest(), slot, self.hull.octant());
        let mut met = 0;
        for vector in GroupColumn::<f32>::vectors::<L::Widest>() {
            let some = in_vector::<L::Widest>(rays, vector);
            if some != 0 {
                let bits = some & slabs.meet(lanes.widest(), planes, vector);
                met |= u64::from(bits) << (vector * count::<L::Widest>());
                self.cost.tests += 1;
            }
        }
        self.cost.rays += met.count_ones() as usize;
        met
    }

    /// Visits the node or leaf at `reference` with some of the rays.
    #[inline(always)]
    fn go_to<L: Lanes, const NARROWS: bool>(
        &mut self,
        lanes: L,
        reference: Reference,
        rays: u64,
        group: &mut ActiveGroup,
    ) {
        match reference.kind() {
            NodeKind::Inner if rays.count_ones() <= few_of_group(count::<L::Widest>(), NARROWS) => {
                self.visit_with_few::<L, NARROWS>(lanes, reference, rays, &group.slabs);
            }
            NodeKind::Inner => self.visit_with_many::<L, NARROWS>(lanes, reference, rays),
            NodeKind::Leaf => self.visit_leaf(lanes, reference, rays, group),
            NodeKind::End => {}
        }
    }

    /// Pushes the children that the hull meets, each with all of these rays.
    #[inline(always)]
    fn visit_with_many<L: Lanes, const NARROWS: bool>(
        &mut self,
        lanes: L,
        reference: Reference,
        rays: u64,
    ) {
        let node = self.boxes.node(reference);
        let overlaps = node.boxes.slabs_of_hull(lanes, &self.hull);
        *room(&mut self.stack.rays, self.stack.count) = [rays; LANES];
        self.push::<L, NARROWS>(lanes, (reference, node), overlaps, &SLOTS);
    }

    /// Pushes the children that some of the rays meet, each with the rays that meet it.
    #[inline(always)]
    fn visit_with_few<L: Lanes, const NARROWS: bool>(
        &mut self,
        lanes: L,
        reference: Reference,
        rays: u64,
        slabs: &SlabRays,
    ) {
        let node = self.boxes.node(reference);
        let planes = node.boxes.near_and_far(lanes, self.hull.octant());
        let none = lanes.splat(f32::INFINITY);
        let (mut met, mut nearest) = ([0_u64; LANES], none);
        for ray in set_bits(rays) {
            let (t_enter, t_exit) = slabs.one(lanes, ray).slabs(planes);
            let meets = t_enter.le(t_exit);
            nearest = t_enter.select(meets, none).min(nearest);
            let bits = u64::from(meets.bits());
            for (slot, met) in met.iter_mut().enumerate() {
                *met |= (bits >> slot & 1) << ray;
            }
        }
        let overlaps = (nearest, lanes.splat(f32::MAX));
        for place in self.push::<L, NARROWS>(lanes, (reference, node), overlaps, &MET_SLOTS) {
            self.stack.rays[place] = met[self.stack.slots[place] as usize % LANES];
        }
    }

    /// Pushes the children of a node whose overlap is not empty, the nearest on top. Returns their
    /// places on the stack.
    #[inline(always)]
    fn push<L: Lanes, const NARROWS: bool>(
        &mut self,
        lanes: L,
        (reference, node): (Reference, &Node),
        overlaps: (L::F32, L::F32),
        slots: &[u32; LANES],
    ) -> Range<usize> {
        let top = self.stack.count;
        let stack = (&mut self.stack.slots[..], &mut self.stack.t_enter[..], top);
        let slots = (node.far_to_near[self.hull.octant()], slots);
        self.stack.count += push(lanes, NARROWS, stack, slots, overlaps);
        *room(&mut self.stack.parents, top) = [reference.bits(); LANES];
        for &slot in &self.stack.slots[top..self.stack.count] {
            self.boxes.prefetch(Reference::from_bits(node.children[slot as usize % LANES]));
        }
        top..self.stack.count
    }

    /// Tests the primitives of the leaf.
    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        leaf: Reference,
        rays: u64,
        group: &mut ActiveGroup,
    ) {
        if self.leaves.visit(leaf, rays, group) {
            self.hull.t_max = group.slabs.greatest_t_max(lanes.widest());
        }
    }
}

//! The traversal state of the rays of one octant, or of all: their lists, and the stack.

use super::super::plan::Shared;
use super::super::room;
use super::StreamRays;
use super::lists::Lists;
use super::octants::Octants;
use crate::memory::grow;
use crate::simd::{LANES, Lanes, MapEach, least_t, number_of};
use crate::tree::arena::{Node, NodeKind, Reference};

/// Children to be visited, each with the list of rays that met its box.
#[derive(Default)]
pub(super) struct StreamStack {
    pub(super) count: usize,
    pub(super) references: Vec<u32>,
    /// The start and the length of its list.
    pub(super) firsts: Vec<u32>,
    pub(super) lengths: Vec<u32>,
    /// The first free place behind its list.
    pub(super) free: Vec<u32>,
    /// The count of narrowed intervals when it was pushed.
    pub(super) narrowed: Vec<u32>,
}

impl StreamStack {
    /// Clears the stack and reserves room for `most` entries.
    pub(super) fn make_room(&mut self, most: usize) {
        self.count = 0;
        // Eight are stored at a time; those beyond the children met do not count.
        let capacity = most + LANES;
        let Self { count: _, references, firsts, lengths, free, narrowed } = self;
        for column in [references, firsts, lengths, free, narrowed] {
            grow(column, capacity, capacity, 0);
        }
    }

    /// Pushes the children with rays, the last of the order on top. Their lists begin at multiples
    /// of `stride` from `free` on, and `narrowed` is the count of narrowed intervals.
    #[inline(always)]
    pub(super) fn push<L: Lanes>(
        &mut self,
        lanes: L,
        node: &Node,
        order: u32,
        lengths: &[u32; LANES],
        (free, stride): (usize, usize),
        narrowed: u32,
    ) {
        let (top, mut firsts) = (self.count, [0; LANES]);
        for (lane, first) in firsts.iter_mut().enumerate() {
            *first = (free + lane * stride) as u32;
        }
        let columns = [lengths, &node.children, &firsts].map_each(|column| lanes.load_u32(column));
        let into = [
            room(&mut self.lengths, top),
            room(&mut self.references, top),
            room(&mut self.firsts, top),
        ];
        let met = lanes.compress_columns_in_order(order, columns, into);
        *room(&mut self.free, top) = [(free + LANES * stride) as u32; LANES];
        *room(&mut self.narrowed, top) = [narrowed; LANES];
        self.count += met as usize;
    }
}

/// One child to be visited.
#[derive(Default)]
pub(super) struct Visit {
    pub(super) reference: Reference,
    pub(super) first: usize,
    pub(super) length: usize,
    pub(super) free: usize,
    pub(super) narrowed: u32,
}

/// The rays of a stream by octant, and the traversal of those of one, or of all.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) octants: Octants,
    /// The octant, or [`ALL`](super::octants::ALL).
    pub(super) octant: usize,
    pub(super) next: Visit,
    pub(super) stack: StreamStack,
    pub(super) lists: Lists,
    pub(super) shared: Shared,
}

impl Walk {
    /// Begins with the rays of an octant, or of all, at the root. Returns whether there are any.
    pub(super) fn begin(&mut self, octant: usize, root: Reference, stack: usize) -> bool {
        let rays = self.octants.list(octant);
        if rays.is_empty() || root.kind() == NodeKind::End {
            return false;
        }
        self.stack.make_room(stack);
        let free = self.lists.begin(rays);
        self.octant = octant;
        self.next = Visit { reference: root, first: 0, length: rays.len(), free, narrowed: 0 };
        true
    }

    /// Compacts the next list if intervals were narrowed since it was made: rays that end before
    /// they enter drop out. Returns the number of the others.
    #[inline(always)]
    pub(super) fn compact<L: Lanes>(&mut self, lanes: L, slab_rays: &StreamRays) -> usize {
        let Visit { first, length, narrowed, .. } = self.next;
        if narrowed == slab_rays.narrowed {
            length
        } else if length == 1 {
            let entry = self.lists.first(first);
            usize::from(least_t(entry) <= slab_rays.limits[usize::from(number_of(entry))])
        } else {
            self.lists.compact(lanes, first, length, &slab_rays.limits)
        }
    }

    /// Pops the next visit. Returns whether there was one.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> bool {
        let Self { stack, next, shared, .. } = self;
        if stack.count == 0 {
            return false;
        }
        stack.count -= 1;
        *next = Visit {
            reference: Reference::from_bits(stack.references[stack.count]),
            first: stack.firsts[stack.count] as usize,
            length: stack.lengths[stack.count] as usize,
            free: stack.free[stack.count] as usize,
            narrowed: stack.narrowed[stack.count],
        };
        shared.tests += 1;
        shared.rays += next.length;
        true
    }

    /// Whether a leaf is on top of the stack.
    #[inline(always)]
    pub(super) fn is_leaf_on_top(&self) -> bool {
        let StreamStack { count, ref references, .. } = self.stack;
        count > 0 && Reference::from_bits(references[count - 1]).kind() == NodeKind::Leaf
    }
}

//! The way of a stream's rays of one octant: lists of them, and what is left to visit with each.

use super::lists::Lists;
use super::room;
use crate::bvh::arena::{Node, Reference};
use crate::memory::grow;
use crate::simd::{LANES, Lanes};

/// Children to be visited, each with the rays that met its box.
#[derive(Default)]
pub(super) struct Stack {
    pub(super) count: usize,
    pub(super) references: Vec<u32>,
    /// Where the list of its rays begins, and how long it is.
    pub(super) firsts: Vec<u32>,
    pub(super) lengths: Vec<u32>,
    /// Where the lists of those above it on the stack may begin.
    pub(super) free: Vec<u32>,
    /// How many intervals had been narrowed when it was put here.
    pub(super) narrowed: Vec<u32>,
}

impl Stack {
    /// Empties the stack and makes room for so many.
    pub(super) fn make_room(&mut self, most: usize) {
        self.count = 0;
        // Eight are stored at a time, of which those beyond the children met do not count.
        let capacity = most + LANES;
        let Self { count: _, references, firsts, lengths, free, narrowed } = self;
        for column in [references, firsts, lengths, free, narrowed] {
            grow(column, capacity, capacity, 0);
        }
    }

    /// Adds those children of a node whose lists are not empty, the last of the order on top.
    #[inline(always)]
    pub(super) fn push<L: Lanes>(&mut self, lanes: L, node: &Node, order: u32, dealt: &Dealt) {
        let top = self.count;
        let columns =
            [lanes.load_u32(&dealt.lengths), lanes.load_u32(&node.children), lanes.load_u32(&dealt.firsts)];
        let into =
            [room(&mut self.lengths, top), room(&mut self.references, top), room(&mut self.firsts, top)];
        let met = lanes.pick_in_order(order, columns, into);
        *room(&mut self.free, top) = [dealt.free; LANES];
        *room(&mut self.narrowed, top) = [dealt.narrowed; LANES];
        self.count += met as usize;
    }
}

/// The lists for a node's children.
pub(super) struct Dealt {
    pub(super) lengths: [u32; LANES],
    pub(super) firsts: [u32; LANES],
    /// Where other lists may begin.
    pub(super) free: u32,
    /// How many intervals had been narrowed.
    pub(super) narrowed: u32,
}

/// One child to be visited.
pub(super) struct Visit {
    pub(super) reference: Reference,
    pub(super) first: usize,
    pub(super) length: usize,
    pub(super) free: usize,
    pub(super) narrowed: u32,
}

impl Visit {
    const NOTHING: Self = Self { reference: Reference::END, first: 0, length: 0, free: 0, narrowed: 0 };
}

/// Rays of one octant on their way.
pub(super) struct Walk {
    pub(super) octant: usize,
    pub(super) next: Visit,
    pub(super) stack: Stack,
    pub(super) lists: Lists,
}

impl Default for Walk {
    fn default() -> Self {
        Self { octant: 0, next: Visit::NOTHING, stack: Stack::default(), lists: Lists::default() }
    }
}

impl Walk {
    pub(super) fn begin(&mut self, octant: usize, rays: &[u32], root: Reference, stack: usize) {
        self.stack.make_room(stack);
        let free = self.lists.begin(rays);
        self.octant = octant;
        self.next = Visit { reference: root, first: 0, length: rays.len(), free, narrowed: 0 };
    }
}

//! Nodes and leaves in one allocation. References count cache lines of 64 bytes from its start, so
//! that the next node or leaf of a ray is prefetched without a test of its kind.

use super::aabb_block::AabbBlock;
use super::binary::Item;
use super::collapse::{Child, Piece};
use super::{Fetch, Leaf, LeafSource, map_spread};
use crate::memory::Memory;
use crate::simd::{LANES, LINE, MapEach, prefetch};
use crate::threads::Spread;
use crate::value::Aabb;
use bytemuck::Zeroable;
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(crate) enum NodeKind {
    Inner = 0,
    Leaf = 1,
    /// The end: the ray is finished.
    End = 2,
}

impl NodeKind {
    /// One more than there are: two bits index an array of this length without a check.
    pub(crate) const COUNT: usize = 4;
}

/// A node or a leaf: the number of its first line, and its kind in the low two bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Reference(u32);

impl Reference {
    /// The bottom of every stack. It refers to the first line, so that prefetching it is harmless.
    pub(crate) const END: Self = Self(NodeKind::End as u32);

    pub(super) const MOST_LINES: usize = 1 << 30;

    pub(crate) fn new(line: usize, kind: NodeKind) -> Self {
        Self((line as u32) << 2 | kind as u32)
    }

    pub(crate) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(crate) fn bits(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(crate) fn line(self) -> usize {
        (self.0 >> 2) as usize
    }

    /// The number of the node that an inner reference points to.
    #[inline(always)]
    pub(crate) fn node(self) -> usize {
        self.line() / NODE_LINES
    }

    /// The kind as a number, below [`NodeKind::COUNT`].
    #[inline(always)]
    pub(crate) fn kind_index(self) -> usize {
        (self.0 & 3) as usize
    }

    pub(crate) fn kind(self) -> NodeKind {
        [NodeKind::Inner, NodeKind::Leaf, NodeKind::End, NodeKind::End][self.kind_index()]
    }
}

#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct CacheLine([u32; 16]);

const _: () = assert!(size_of::<CacheLine>() == LINE, "a line is a cache line");

/// Eight boxes, their contents and their orders: four lines.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct Node {
    pub(crate) boxes: AabbBlock,
    /// References; [`Reference::END`] in an empty slot, whose box no ray meets.
    pub(crate) children: [u32; LANES],
    /// For each octant of directions, the slots from the farthest to the nearest, three bits each.
    pub(crate) far_to_near: [u32; LANES],
}

impl Node {
    pub(super) fn new(boxes: &[Aabb; LANES], children: [u32; LANES], anchor: [f32; 3]) -> Self {
        Self {
            boxes: AabbBlock::anchored(boxes, anchor),
            children,
            far_to_near: far_to_near(boxes),
        }
    }

    /// The number of used slots; they come first.
    #[inline(always)]
    pub(crate) fn slots(&self) -> usize {
        let mut slots = 0;
        for child in self.children {
            slots += usize::from(child != Reference::END.bits());
        }
        slots
    }
}

/// The order of slots, packed as [`Node::far_to_near`] is, with the largest box last.
pub(crate) const BY_SIZE: u32 = 0o7654_3210;

pub(crate) const NODE_LINES: usize = size_of::<Node>() / LINE;
const _: () = assert!(size_of::<Node>() == 256);

/// The content of so many leaves is fetched in one loop: the less there is to do in between, the
/// more reads of what lies anywhere in memory are on their way at a time.
const FETCHED: usize = 32;

/// So many times that are filled between two questions whether to stop.
const ASKED: usize = 64;

/// So many lines, two megabytes, are copied at a time.
const COPIED: usize = 1 << 15;

/// First all nodes, then all leaves that are stored.
#[derive(Debug, Clone)]
pub(crate) struct Arena<B> {
    lines: Memory<CacheLine>,
    /// The line at which the leaves begin.
    pub(super) first_leaf: usize,
    /// The anchor for which all boxes are widened and rays are prepared.
    pub(crate) anchor: [f32; 3],
    /// Makes the leaves that references beyond the last line name.
    source: Option<Arc<dyn LeafSource<B>>>,
    blocks: std::marker::PhantomData<B>,
}

impl<B: Leaf> Arena<B> {
    pub(super) const BLOCK_LINES: usize = {
        assert!(size_of::<B>().is_multiple_of(LINE), "a block fills whole cache lines");
        size_of::<B>() / LINE
    };

    /// Lays out the pieces of a tree with boxes widened for `anchor`, in `memory` if it is large
    /// enough. `fill` makes a leaf that of some primitives of `source`. `None` if the tree is
    /// larger than references can address: 2³⁰ lines, which are 64 GiB; or if it is to stop.
    /// Reports all primitives.
    pub(super) fn new<F: Fetch>(
        memory: Memory<Item>,
        pieces: &[Piece],
        order: &[u32],
        anchor: [f32; 3],
        source: &F,
        fill: impl Fn(&mut B, &[F::Content], [f32; 3]) + Sync,
        spread: Spread<'_>,
    ) -> Option<(Self, Reference)> {
        // The first node and the first leaf of each piece.
        let (mut starts, mut nodes, mut leaves) = (Vec::with_capacity(pieces.len()), 0, 0);
        for piece in pieces {
            starts.push((nodes, leaves));
            nodes += piece.nodes.len();
            leaves += piece.leaves.len();
        }
        let first_leaf = nodes * NODE_LINES;
        let line_count = first_leaf + leaves * Self::BLOCK_LINES;
        if line_count > Reference::MOST_LINES {
            return None;
        }
        let mut lines = memory.reused(line_count);
        let (nodes, leaves) = lines.split_at_mut(first_leaf);
        let (mut nodes, mut leaves): (&mut [Node], &mut [B]) =
            (bytemuck::cast_slice_mut(nodes), bytemuck::cast_slice_mut(leaves));
        let mut rooms = Vec::with_capacity(pieces.len());
        for (index, piece) in pieces.iter().enumerate() {
            let nodes = nodes.split_off_mut(..piece.nodes.len()).expect("room for all");
            let leaves = leaves.split_off_mut(..piece.leaves.len()).expect("room for all");
            rooms.push((index as u32, piece, nodes, leaves));
        }
        let reference = |piece: u32, child| {
            let (piece, child) = match child {
                Child::Piece(piece) => (piece, pieces[piece as usize].root),
                child => (piece, child),
            };
            let (node, leaf) = starts[piece as usize];
            match child {
                Child::Inner(index) => {
                    Reference::new((node + index as usize) * NODE_LINES, NodeKind::Inner)
                }
                Child::Leaf(index) => Reference::new(
                    first_leaf + (leaf + index as usize) * Self::BLOCK_LINES,
                    NodeKind::Leaf,
                ),
                Child::None => Reference::END,
                Child::Piece(_) => unreachable!("the root of a piece is never another piece"),
            }
        };
        map_spread(spread, rooms, |(index, piece, nodes, leaves)| {
            for (node, wide) in nodes.iter_mut().zip(&piece.nodes) {
                let children = wide.children.map_each(|child| reference(index, child).bits());
                *node = Node::new(&wide.boxes, children, anchor);
            }
            let (mut held, mut filled) = (vec![F::Content::zeroed(); FETCHED * LANES], 0);
            for (number, (leaves, ranges)) in
                leaves.chunks_mut(FETCHED).zip(piece.leaves.chunks(FETCHED)).enumerate()
            {
                if number % ASKED == 0 && spread.advance(std::mem::take(&mut filled)) {
                    return;
                }
                let mut room = held.iter_mut();
                for &(first, count) in ranges {
                    for (&index, into) in
                        order[first as usize..][..count as usize].iter().zip(&mut room)
                    {
                        source.fetch(index, into);
                    }
                }
                let mut held = &held[..];
                for (leaf, &(_, count)) in leaves.iter_mut().zip(ranges) {
                    filled += count as usize;
                    let content = held.split_off(..count as usize).expect("what was fetched");
                    fill(leaf, content, anchor);
                }
            }
            spread.advance(filled);
        })?;
        if spread.is_stopped() {
            return None;
        }
        let root = pieces.first().map_or(Reference::END, |top| reference(0, top.root));
        Some((
            Self { lines, first_leaf, anchor, source: None, blocks: std::marker::PhantomData },
            root,
        ))
    }

    /// An arena over lines that hold `nodes` nodes, then leaves.
    #[cfg(feature = "scene-files")]
    pub(crate) fn of_lines(lines: Memory<CacheLine>, nodes: usize, anchor: [f32; 3]) -> Self {
        let first_leaf = nodes * NODE_LINES;
        Self { lines, first_leaf, anchor, source: None, blocks: std::marker::PhantomData }
    }

    /// An arena over lines that hold nodes alone; `source` makes the leaves.
    pub(super) fn over_unstored(
        lines: Memory<CacheLine>,
        anchor: [f32; 3],
        source: Arc<dyn LeafSource<B>>,
    ) -> Self {
        let (first_leaf, source) = (lines.len(), Some(source));
        Self { lines, first_leaf, anchor, source, blocks: std::marker::PhantomData }
    }

    #[inline(always)]
    pub(crate) fn nodes(&self) -> &[Node] {
        bytemuck::cast_slice(&self.lines[..self.first_leaf])
    }

    /// A leaf; `made` is where one is made that is not stored.
    #[inline(always)]
    pub(crate) fn block<'a>(&'a self, reference: Reference, made: &'a mut Option<B>) -> &'a B {
        match self.stored(reference) {
            Some(block) => block,
            None => self.make(reference, made),
        }
    }

    /// A leaf, if it is stored.
    #[inline(always)]
    pub(crate) fn stored(&self, reference: Reference) -> Option<&B> {
        let lines = self.lines.get(reference.line()..)?.get(..Self::BLOCK_LINES)?;
        Some(bytemuck::from_bytes(bytemuck::cast_slice(lines)))
    }

    /// Makes a leaf that is not stored.
    #[inline(never)]
    pub(crate) fn make<'m>(&self, reference: Reference, made: &'m mut Option<B>) -> &'m B {
        let made = made.get_or_insert_with(B::zeroed);
        if let Some(source) = &self.source {
            source.make(reference.line() - self.lines.len(), made);
        }
        made
    }

    /// Whether leaves are made, and not stored.
    pub(crate) fn makes_leaves(&self) -> bool {
        self.source.is_some()
    }

    /// All leaves.
    pub(crate) fn leaves(&self) -> impl Iterator<Item = Reference> {
        let stored = (self.first_leaf..self.lines.len()).step_by(Self::BLOCK_LINES);
        let unstored = self.source.iter().flat_map(|source| {
            (0..source.count())
                .filter(|&leaf| source.holds(leaf))
                .map(|leaf| self.lines.len() + leaf)
        });
        stored.chain(unstored).map(|line| Reference::new(line, NodeKind::Leaf))
    }

    /// The number of the leaf that a reference points to, in the order of [`blocks`](Self::blocks).
    pub(super) fn leaf(&self, reference: Reference) -> usize {
        (reference.line() - self.first_leaf) / Self::BLOCK_LINES
    }

    /// The nodes alone, without the type of the leaves.
    pub(crate) fn boxes(&self) -> Boxes<'_> {
        let has_more =
            [1, 2].map_each(|more| B::PREFETCH_BYTES.div_ceil(LINE) >= NODE_LINES + more);
        Boxes { nodes: self.nodes(), lines: &self.lines, has_more }
    }

    pub(crate) fn blocks(&self) -> &[B] {
        bytemuck::cast_slice(&self.lines[self.first_leaf..])
    }

    pub(crate) fn blocks_mut(&mut self) -> &mut [B] {
        bytemuck::cast_slice_mut(&mut self.lines[self.first_leaf..])
    }

    /// The greatest stack depth of a ray from `root`, in references, the end mark included.
    pub(super) fn stack(&self, root: Reference) -> usize {
        // The references that wait while a ray is at each node. Nodes come before their children.
        let (mut waiting, mut most) = (vec![0; self.nodes().len()], 0);
        for (index, node) in self.nodes().iter().enumerate() {
            // A node above nothing but holes has no child.
            let here = waiting[index] + node.slots().saturating_sub(1);
            for child in node.children.map(Reference::from_bits) {
                if child.kind() == NodeKind::Inner {
                    waiting[child.node()] = here;
                }
            }
            most = most.max(here);
        }
        1 + most + usize::from(root != Reference::END)
    }

    /// Replaces the boxes of all nodes, widened for another anchor, and their orders. Reports the
    /// lines of all nodes.
    pub(super) fn set_boxes(
        &mut self,
        anchor: [f32; 3],
        box_of: impl Fn(Reference) -> Aabb,
        spread: Spread<'_>,
    ) -> Option<()> {
        self.anchor = anchor;
        let nodes: &mut [Node] = bytemuck::cast_slice_mut(&mut self.lines[..self.first_leaf]);
        for nodes in nodes.chunks_mut(64 * ASKED) {
            if spread.is_stopped() {
                return None;
            }
            for node in &mut *nodes {
                let boxes = node.children.map(|child| box_of(Reference::from_bits(child)));
                *node = Node::new(&boxes, node.children, anchor);
            }
            spread.advance(nodes.len() * NODE_LINES);
        }
        Some(())
    }

    /// A copy with memory of its own; `None` if it is to stop. Reports all lines.
    pub(super) fn copy(&self, spread: Spread<'_>) -> Option<Self> {
        if self.lines.is_of_file() {
            return Some(self.clone());
        }
        let mut lines = Memory::zeroed(self.lines.len());
        let pieces = lines.chunks_mut(COPIED).zip(self.lines.chunks(COPIED)).collect();
        spread.map(pieces, |(into, from): (&mut [CacheLine], &[CacheLine])| {
            into.copy_from_slice(from);
            spread.advance(into.len());
        })?;
        let Self { first_leaf, anchor, blocks, .. } = *self;
        Some(Self { lines, first_leaf, anchor, source: self.source.clone(), blocks })
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.lines)
    }

    /// The number of its lines, by which work on a tree as a whole is counted.
    pub(crate) fn line_count(&self) -> usize {
        self.lines.len()
    }
}

/// The nodes of an [`Arena`] of any leaves.
#[derive(Clone, Copy)]
pub(crate) struct Boxes<'a> {
    nodes: &'a [Node],
    lines: &'a [CacheLine],
    /// Whether rays read a line of each leaf beyond as many as a node has, and whether a second.
    has_more: [bool; 2],
}

impl<'a> Boxes<'a> {
    #[inline(always)]
    pub(crate) fn node(&self, reference: Reference) -> &'a Node {
        &self.nodes[reference.node()]
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, reference: Reference) {
        // Of fixed length, so not a loop: see docs/notebook/in-flight.md.
        let lines = self.lines.get(reference.line()..);
        if let Some((lines, rest)) = lines.and_then(|lines| lines.split_first_chunk::<NODE_LINES>())
        {
            for line in lines {
                prefetch(line);
            }
            for (&has_more, line) in self.has_more.iter().zip(rest) {
                if has_more {
                    prefetch(line);
                }
            }
        }
    }
}

/// By how far boxes lie along the diagonal of an octant, of which bit `axis` is set for a negative
/// direction.
fn far_to_near(boxes: &[Aabb; LANES]) -> [u32; LANES] {
    let mut orders = [0; LANES];
    for octant in 0..LANES / 2 {
        let mut keys = [0_i32; LANES];
        for (slot, (key, aabb)) in keys.iter_mut().zip(boxes).enumerate() {
            let mut along = 0.0;
            for axis in 0..3 {
                let center = aabb.min[axis] + aabb.max[axis];
                along += if octant >> axis & 1 == 1 { -center } else { center };
            }
            // NaN for an empty slot, with bits that depend on the backend.
            let along = if along.is_nan() { f32::INFINITY } else { along };
            let bits = along.to_bits().cast_signed();
            // Integers in the order of the numbers; the slot breaks ties.
            *key = (bits ^ (bits >> 31 & i32::MAX)) & !7 | slot as i32;
        }
        let mut farther = [0_u32; LANES];
        for (farther, key) in farther.iter_mut().zip(keys) {
            for other in keys {
                *farther += u32::from(other > key);
            }
        }
        for (slot, place) in (0..).zip(farther) {
            orders[octant] |= slot << (3 * place);
            // Far along one diagonal is near along the opposite.
            orders[LANES - 1 - octant] |= slot << (3 * (LANES as u32 - 1 - place));
        }
    }
    orders
}

#[cfg(test)]
#[path = "../../tests/unit/tree/arena.rs"]
mod tests;

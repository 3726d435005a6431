//! Nodes and leaves in one piece of memory.
//!
//! References count cache lines of 64 bytes from the start, so that the next thing that a ray needs
//! can be prefetched without asking what it is.

use super::binary::BinaryTree;
use super::collapse::{Child, WideNode, WideTree};
use crate::primitive::{Aabb, AabbBlock, LeafBlock};
use crate::simd::{LANES, prefetch, with_default_float_mode};
use crate::threads::Spread;

/// What a reference points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub(super) enum Kind {
    Inner = 0,
    Leaf = 1,
    /// Nothing: the ray is finished.
    End = 2,
}

impl Kind {
    /// One more than there are, so that two bits are an index without a check.
    pub(super) const COUNT: usize = 4;
}

/// Points to a node or a leaf: the number of its first line, and its kind in the low two bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Reference(u32);

impl Reference {
    /// Lies at the bottom of every stack. Points to the first line, which may be prefetched in vain.
    pub(super) const END: Self = Self(Kind::End as u32);

    /// How many lines can be told apart.
    const MOST_LINES: usize = 1 << 30;

    fn new(line: usize, kind: Kind) -> Self {
        Self((line as u32) << 2 | kind as u32)
    }

    pub(super) fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    pub(super) fn bits(self) -> u32 {
        self.0
    }

    #[inline(always)]
    pub(super) fn line(self) -> usize {
        (self.0 >> 2) as usize
    }

    /// The kind as a number, below [`Kind::COUNT`].
    #[inline(always)]
    pub(super) fn kind_index(self) -> usize {
        (self.0 & 3) as usize
    }

    pub(super) fn kind(self) -> Kind {
        match self.kind_index() {
            0 => Kind::Inner,
            1 => Kind::Leaf,
            _ => Kind::End,
        }
    }
}

/// A cache line.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([u32; 16]);

const LINE: usize = size_of::<Line>();

/// Eight boxes, what lies in them, and in which order to go there: four lines.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(super) struct Node {
    pub(super) boxes: AabbBlock,
    /// References; [`Reference::END`] where a slot is empty, whose box no ray meets.
    pub(super) children: [u32; LANES],
    /// For each octant of directions, the slots from the farthest to the nearest, three bits each.
    pub(super) far_to_near: [u32; LANES],
}

const NODE_LINES: usize = size_of::<Node>() / LINE;
const _: () = assert!(size_of::<Node>() == 256);

/// First all nodes, then all leaves.
#[derive(Debug, Clone)]
pub(super) struct Arena<B> {
    lines: Vec<Line>,
    /// The line at which the leaves begin.
    first_leaf: usize,
    /// What the boxes of all nodes are widened for; rays are prepared with the same.
    pub(super) anchor: [f32; 3],
    blocks: std::marker::PhantomData<B>,
}

impl<B: LeafBlock> Arena<B> {
    const BLOCK_LINES: usize = {
        assert!(size_of::<B>().is_multiple_of(LINE), "a block fills whole cache lines");
        size_of::<B>() / LINE
    };

    /// Lays out `tree`, whose leaves `block` makes from the indices of their primitives. `None` if
    /// it is larger than references can address: 2³⁰ lines, which are 64 GiB.
    pub(super) fn new(
        tree: &WideTree,
        binary: &BinaryTree,
        block: impl Fn(&[u32]) -> B + Sync,
        spread: Spread,
    ) -> Option<(Self, Reference)> {
        let first_leaf = tree.nodes.len() * NODE_LINES;
        let line_of = |child: Child| match child {
            Child::Inner(index) => Reference::new(index as usize * NODE_LINES, Kind::Inner),
            Child::Leaf(index) => Reference::new(first_leaf + index as usize * Self::BLOCK_LINES, Kind::Leaf),
        };
        let line_count = first_leaf + tree.leaves.len() * Self::BLOCK_LINES;
        if line_count > Reference::MOST_LINES {
            return None;
        }
        let anchor = binary.anchor();
        let mut lines = vec![Line([0; 16]); line_count];
        let (nodes, leaves) = lines.split_at_mut(first_leaf);
        spread.for_each_pair(bytemuck::cast_slice_mut(nodes), &tree.nodes, |node: &mut Node, wide| {
            *node = with_default_float_mode(|| lay_out(wide, anchor, line_of));
        });
        spread.for_each_pair(
            bytemuck::cast_slice_mut(leaves),
            &tree.leaves,
            |leaf: &mut B, &(first, count)| {
                *leaf = block(&binary.order[first as usize..][..count as usize]);
            },
        );
        let root = tree.root.map_or(Reference::END, line_of);
        Some((Self { lines, first_leaf, anchor, blocks: std::marker::PhantomData }, root))
    }

    /// The node at an inner reference.
    #[inline(always)]
    pub(super) fn node(&self, reference: Reference) -> &Node {
        bytemuck::from_bytes(bytemuck::cast_slice(&self.lines[reference.line()..][..NODE_LINES]))
    }

    /// The leaf at a leaf reference.
    #[inline(always)]
    pub(super) fn block(&self, reference: Reference) -> &B {
        bytemuck::from_bytes(bytemuck::cast_slice(&self.lines[reference.line()..][..Self::BLOCK_LINES]))
    }

    /// Asks for what `reference` points to, whatever it is.
    #[inline(always)]
    pub(super) fn prefetch(&self, reference: Reference) {
        // A node is as long as the lines that are asked for; of a leaf the last comes by itself.
        if let Some(lines) = self.lines[reference.line()..].first_chunk::<NODE_LINES>() {
            for line in lines {
                prefetch(line);
            }
        }
    }

    /// All leaves.
    pub(super) fn blocks(&self) -> &[B] {
        bytemuck::cast_slice(&self.lines[self.first_leaf..])
    }

    /// Size in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }
}

fn lay_out(wide: &WideNode, anchor: [f32; 3], line_of: impl Fn(Child) -> Reference) -> Node {
    let boxes = wide.children.map(|child| child.map_or(Aabb::EMPTY, |(aabb, _)| aabb));
    Node {
        boxes: AabbBlock::anchored(&boxes, anchor),
        children: wide.children.map(|child| child.map_or(Reference::END, |(_, child)| line_of(child)).bits()),
        far_to_near: std::array::from_fn(|octant| far_to_near(&boxes, octant)),
    }
}

/// The slots sorted by how far their boxes lie along the diagonal of an octant of directions, the
/// farthest first, packed in three bits each. Bit `axis` of `octant` is set for a negative direction.
fn far_to_near(boxes: &[Aabb; LANES], octant: usize) -> u32 {
    let along = |slot: usize| -> f32 {
        if boxes[slot].is_empty() {
            return f32::NEG_INFINITY;
        }
        (0..3)
            .map(|axis| {
                let center = boxes[slot].min[axis] + boxes[slot].max[axis];
                if octant >> axis & 1 == 1 { -center } else { center }
            })
            .sum()
    };
    let mut slots: [usize; LANES] = std::array::from_fn(|slot| slot);
    slots.sort_by(|&a, &b| along(b).total_cmp(&along(a)));
    slots.iter().enumerate().fold(0, |packed, (place, &slot)| packed | (slot as u32) << (3 * place))
}

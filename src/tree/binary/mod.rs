//! A binary tree over boxes, split where the surface-area heuristic says.
//!
//! MacDonald and Booth, "Heuristics for ray tracing using space subdivision", The Visual Computer
//! 6(3), 1990; in bins after Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies",
//! RT 2007.
//!
//! | file | what it does |
//! |---|---|
//! | `item` | boxes in rows |
//! | `bins` | finds the best split of a range |
//! | `partition` | splits it |

mod bins;
mod item;
mod partition;

use crate::memory::Memory;
use crate::simd::with_default_float_mode;
use crate::threads::Spread;
use crate::value::Aabb;

use bins::Bins;
pub(super) use item::Bounds;
use item::Item;
use partition::{Halves, split, split_in_pieces};

/// The size up to which a range is not split.
///
/// A leaf of the tree holds eight, and the collapse joins small ranges. Starting from four makes rays no
/// faster and takes 2 to 17% more memory and 10 to 15% more time; from eight rays are 2 to 5% slower in
/// interiors.
const LEAF_SIZE: usize = 6;

/// Below this depth ranges are halved, so that the depth is at most this and log₂ n for any input.
const DEEPEST_SPLIT: u32 = 48;

/// A node of the binary tree. Its left child follows it.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct BinaryNode {
    pub(super) aabb: Aabb,
    /// The first of its items.
    pub(super) first: u32,
    /// The number of its items.
    pub(super) count: u32,
    /// The offset of its right child; 0 for a leaf.
    pub(super) right: u32,
}

/// The tree and the indices of the primitives in the order of its leaves.
pub(super) struct BinaryTree {
    pub(super) order: Vec<u32>,
    /// In depth-first order, with gaps between the parts of different threads.
    pub(super) nodes: Memory<BinaryNode>,
}

impl BinaryTree {
    /// Builds a tree over `count` boxes.
    pub(super) fn build(count: usize, box_of: impl Fn(u32) -> Aabb + Sync, spread: Spread) -> Self {
        let mut order = vec![0; count];
        if count == 0 {
            return Self { order, nodes: Memory::zeroed(0) };
        }
        let (mut items, mut space) = (Memory::zeroed(count), Memory::zeroed(count));
        let mut nodes = Memory::sparse(2 * count - 1);
        let mut numbered = Vec::new();
        for (piece, items) in items.chunks_mut(PIECE).enumerate() {
            numbered.push(((piece * PIECE) as u32, items));
        }
        let boxes = spread.map(numbered, |(first, items)| {
            with_default_float_mode(|| {
                for (index, item) in (first..).zip(&mut *items) {
                    *item = Item::new(&box_of(index), index);
                }
                Bounds::of(items)
            })
        });
        let around = boxes.into_iter().fold(Bounds::empty(), Bounds::union);
        let range = Range {
            items: &mut items,
            space: &mut space,
            order: &mut order,
            nodes: &mut nodes,
            first: 0,
            depth: 0,
            around,
        };
        build(range, spread);
        Self { order, nodes }
    }

    /// A point amid most of the items, however far away the others lie: the middle of the smallest subtree
    /// with half of them.
    pub(super) fn anchor(&self) -> [f32; 3] {
        let Some(mut node) = self.nodes.first() else { return [0.0; 3] };
        let mut at = 0;
        while node.right > 0 {
            let (left, right) = (at + 1, at + node.right as usize);
            at = if self.nodes[left].count >= self.nodes[right].count { left } else { right };
            if 2 * self.nodes[at].count < self.nodes[0].count {
                break;
            }
            node = &self.nodes[at];
        }
        node.aabb.center()
    }
}

/// The number of items that a thread makes at a time.
const PIECE: usize = 1 << 14;

/// Larger ranges are split by all threads together, and their halves are built by different threads.
const SHARED: usize = 1 << 14;

/// Items that become a subtree.
struct Range<'a> {
    items: &'a mut [Item],
    /// Room for its halves.
    space: &'a mut [Item],
    /// The place of their indices.
    order: &'a mut [u32],
    /// The place of its nodes: one fewer than twice the items.
    nodes: &'a mut [BinaryNode],
    /// The number of the first among all.
    first: u32,
    depth: u32,
    around: Bounds,
}

impl Range<'_> {
    fn node(&self, start: usize, count: usize, around: &Bounds) -> BinaryNode {
        BinaryNode { aabb: around.aabb(), first: self.first + start as u32, count: count as u32, right: 0 }
    }

    /// The parts on either side of a split, one level deeper, without the first node.
    fn at_halves(self, halves: &Halves, moved: bool) -> (Self, Self) {
        let (items, space) = if moved { (self.space, self.items) } else { (self.items, self.space) };
        let count = halves.left_count;
        let items = items.split_at_mut(count);
        let space = space.split_at_mut(count);
        let order = self.order.split_at_mut(count);
        let nodes = self.nodes[1..].split_at_mut(2 * count - 1);
        let (first, depth) = (self.first, self.depth + 1);
        let left = Range {
            items: items.0,
            space: space.0,
            order: order.0,
            nodes: nodes.0,
            first,
            depth,
            around: halves.left,
        };
        let first = first + count as u32;
        let right = Range {
            items: items.1,
            space: space.1,
            order: order.1,
            nodes: nodes.1,
            first,
            depth,
            around: halves.right,
        };
        (left, right)
    }
}

/// Builds the tree over a range on all threads.
fn build(mut range: Range<'_>, spread: Spread) {
    let count = range.items.len();
    if count <= SHARED || !spread.is_wide() {
        with_default_float_mode(|| build_alone(&mut range));
        return;
    }
    let mut node = range.node(0, count, &range.around);
    let halves = with_default_float_mode(|| {
        let split = range.depth < DEEPEST_SPLIT;
        if split { split_in_pieces(range.items, &range.around, range.space, spread) } else { None }
    });
    let moved = halves.is_some();
    let halves = halves.unwrap_or_else(|| with_default_float_mode(|| Halves::of(range.items)));
    node.right = 2 * halves.left_count as u32;
    range.nodes[0] = node;
    let (left, right) = range.at_halves(&halves, moved);
    spread.join(count, || build(left, spread), || build(right, spread));
}

/// A part of a range to be built.
struct Waiting {
    start: usize,
    end: usize,
    around: Bounds,
    depth: u32,
    /// Whether the items have been moved to the room.
    moved: bool,
    /// The node whose right child this becomes.
    parent: usize,
}

/// Builds the tree over a range on this thread, without gaps between its nodes.
fn build_alone(range: &mut Range<'_>) {
    let mut nodes = 0;
    let mut bins = Bins::new();
    let mut waiting = Vec::with_capacity(64);
    let whole = Waiting {
        start: 0,
        end: range.items.len(),
        around: range.around,
        depth: range.depth,
        moved: false,
        parent: usize::MAX,
    };
    let mut next = Some(whole);
    while let Some(Waiting { start, end, around, depth, moved, parent }) =
        next.take().or_else(|| waiting.pop())
    {
        let at = nodes;
        nodes += 1;
        if let Some(parent_node) = range.nodes.get_mut(parent) {
            parent_node.right = (at - parent) as u32;
        }
        let count = end - start;
        range.nodes[at] = range.node(start, count, &around);
        let (items, space) =
            if moved { (&*range.space, &mut *range.items) } else { (&*range.items, &mut *range.space) };
        let items = &items[start..end];
        if count <= LEAF_SIZE {
            for (index, item) in range.order[start..end].iter_mut().zip(items) {
                *index = item.index();
            }
            continue;
        }
        let halves = if depth < DEEPEST_SPLIT {
            split(items, &around, &mut space[start..end], &mut bins)
        } else {
            None
        };
        let moved = moved ^ halves.is_some();
        let halves = halves.unwrap_or_else(|| Halves::of(items));
        let middle = start + halves.left_count;
        let depth = depth + 1;
        waiting.push(Waiting { start: middle, end, around: halves.right, depth, moved, parent: at });
        next = Some(Waiting { start, end: middle, around: halves.left, depth, moved, parent: usize::MAX });
    }
}

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

use crate::primitive::Aabb;
use crate::simd::with_default_float_mode;
use crate::threads::Spread;

use bins::Bins;
use item::{Bounds, Item};
use partition::{Halves, split, split_in_pieces};

/// A range with no more primitives than this is not split: one leaf kernel tests them all at once.
pub(super) const LEAF_SIZE: usize = 4;

/// Below this depth ranges are halved, so that no input makes the tree deeper than this and log₂ n.
const DEEPEST_SPLIT: u32 = 48;

/// A node of the binary tree. Its left child follows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct BinaryNode {
    pub(super) aabb: Aabb,
    /// The first of its items.
    pub(super) first: u32,
    /// How many items lie below.
    pub(super) count: u32,
    /// How far after this node its right child lies; 0 for a leaf.
    pub(super) right: u32,
}

/// The tree and the indices of the primitives in the order of its leaves.
pub(super) struct BinaryTree {
    pub(super) order: Vec<u32>,
    /// In depth-first order.
    pub(super) nodes: Vec<BinaryNode>,
}

impl BinaryTree {
    /// A tree over so many boxes.
    pub(super) fn build(count: usize, box_of: impl Fn(u32) -> Aabb + Sync, spread: Spread) -> Self {
        let mut order = vec![0; count];
        if count == 0 {
            return Self { order, nodes: Vec::new() };
        }
        let mut items = vec![Item::new(&Aabb::EMPTY, 0); count];
        let mut space = vec![Item::new(&Aabb::EMPTY, 0); count];
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
        let range =
            Range { items: &mut items, space: &mut space, order: &mut order, first: 0, depth: 0, around };
        let pieces = build(range, spread);
        let nodes = pieces.concat();
        Self { order, nodes }
    }

    /// A point amid most of the items, however far away the others lie: the middle of the least
    /// subtree that holds half of them.
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

/// Items are made in pieces of so many.
const PIECE: usize = 1 << 14;

/// Ranges of more items than this are split by all threads together, and their halves are built by
/// threads apart.
const SHARED: usize = 1 << 14;

/// Items that become a subtree.
struct Range<'a> {
    items: &'a mut [Item],
    /// Room for as many, where their halves go.
    space: &'a mut [Item],
    /// Where their indices go in the end.
    order: &'a mut [u32],
    /// The number of the first among all.
    first: u32,
    depth: u32,
    around: Bounds,
}

impl Range<'_> {
    fn node(&self, start: usize, count: usize, around: &Bounds) -> BinaryNode {
        BinaryNode { aabb: around.aabb(), first: self.first + start as u32, count: count as u32, right: 0 }
    }
}

/// The nodes of the tree over a range, in depth-first order, in pieces to be joined.
fn build(mut range: Range<'_>, spread: Spread) -> Vec<Vec<BinaryNode>> {
    let count = range.items.len();
    if count <= SHARED || !spread.is_wide() {
        return vec![with_default_float_mode(|| build_alone(&mut range))];
    }
    let mut node = range.node(0, count, &range.around);
    let Range { items, space, order, first, depth, around } = range;
    let halves = with_default_float_mode(|| {
        if depth < DEEPEST_SPLIT { split_in_pieces(items, &around, space, spread) } else { None }
    });
    let (halves, items, space) = match halves {
        Some(halves) => (halves, space, items),
        None => (with_default_float_mode(|| Halves::of(items)), items, space),
    };
    let left_count = halves.left_count;
    let (left_items, right_items) = items.split_at_mut(left_count);
    let (left_space, right_space) = space.split_at_mut(left_count);
    let (left_order, right_order) = order.split_at_mut(left_count);
    let left = Range {
        items: left_items,
        space: left_space,
        order: left_order,
        first,
        depth: depth + 1,
        around: halves.left,
    };
    let first = first + left_count as u32;
    let right = Range {
        items: right_items,
        space: right_space,
        order: right_order,
        first,
        depth: depth + 1,
        around: halves.right,
    };
    let (left, right) = spread.join(count, || build(left, spread), || build(right, spread));
    node.right = 1 + left.iter().map(Vec::len).sum::<usize>() as u32;
    let mut pieces = vec![vec![node]];
    pieces.extend(left);
    pieces.extend(right);
    pieces
}

/// Part of a range that waits to be built.
struct Waiting {
    start: usize,
    end: usize,
    around: Bounds,
    depth: u32,
    /// Whether the items are where first there was only room.
    moved: bool,
    /// The node whose right child this becomes.
    parent: usize,
}

/// The nodes of the tree over a range, made by one thread.
fn build_alone(range: &mut Range<'_>) -> Vec<BinaryNode> {
    let mut nodes: Vec<BinaryNode> = Vec::with_capacity(range.items.len());
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
        let at = nodes.len();
        if let Some(parent_node) = nodes.get_mut(parent) {
            parent_node.right = (at - parent) as u32;
        }
        let count = end - start;
        nodes.push(range.node(start, count, &around));
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
    nodes
}

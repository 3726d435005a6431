//! A binary tree over boxes, split where the surface-area heuristic says.
//!
//! MacDonald and Booth, "Heuristics for ray tracing using space subdivision", The Visual Computer
//! 6(3), 1990; in bins after Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies",
//! RT 2007.

mod bins;

use super::{Fetch, map_spread};
use crate::memory::Memory;
use crate::simd::{MapEach, Quad, of_three, with_default_float_mode};
use crate::threads::Spread;
use crate::value::Aabb;

use bytemuck::Zeroable;

use bins::{Bins, Halves, halves, split, split_in_pieces};

/// A box with its lower corner negated, so that the union is a maximum. The last lanes hold
/// anything.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(32))]
pub(super) struct Bounds {
    negated_min: Quad,
    max: Quad,
}

impl Bounds {
    /// The box, with a mark in the last lane of its first half.
    #[inline(always)]
    pub(super) fn new(aabb: &Aabb, mark: f32) -> Self {
        let [x, y, z] = aabb.min;
        Self { negated_min: Quad::new([-x, -y, -z, mark]), max: of_three(aabb.max) }
    }

    /// Half the surface area of a box that is not empty; may overflow.
    #[inline(always)]
    pub(super) fn half_area(&self) -> f32 {
        let [x, y, z, _] = self.extent().to_array();
        x * (y + z) + y * z
    }

    #[inline(always)]
    pub(super) fn empty() -> Self {
        Self { negated_min: Quad::splat(f32::NEG_INFINITY), max: Quad::splat(f32::NEG_INFINITY) }
    }

    #[inline(always)]
    fn of(items: &[Item]) -> Self {
        items.iter().fold(Self::empty(), |all, &item| all.union(item))
    }

    /// Around the (doubled) centres of all items.
    #[inline(always)]
    fn of_centers(items: &[Item]) -> Self {
        items.iter().fold(Self::empty(), Self::with_center)
    }

    #[inline(always)]
    pub(super) fn with_center(self, item: &Item) -> Self {
        let center = item.center();
        self.union(Self { negated_min: Quad::splat(0.0) - center, max: center })
    }

    #[inline(always)]
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            negated_min: self.negated_min.fast_max(other.negated_min),
            max: self.max.fast_max(other.max),
        }
    }

    /// The index of an item.
    #[inline(always)]
    fn index(&self) -> u32 {
        let [index, _] = self.marks();
        index
    }

    /// The numbers of [`marked`](Self::marked).
    #[inline(always)]
    pub(super) fn marks(&self) -> [u32; 2] {
        let numbers: &[[u32; 4]; 2] = bytemuck::cast_ref(self);
        numbers.map_each(|[.., mark]| mark.wrapping_sub(INDEX_BIAS))
    }

    /// The corners, the lower one negated.
    #[inline(always)]
    pub(super) fn corners(self) -> [Quad; 2] {
        [self.negated_min, self.max]
    }

    /// The box with a number in the last lane of each half, below 2³⁰ + 2²⁸.
    #[inline(always)]
    pub(super) fn marked(self, marks: [u32; 2]) -> Self {
        let mut marked = self;
        let numbers: &mut [[u32; 4]; 2] = bytemuck::cast_mut(&mut marked);
        (numbers[0][3], numbers[1][3]) = (marks[0] + INDEX_BIAS, marks[1] + INDEX_BIAS);
        marked
    }

    /// Twice the centre; halving may lose a bit.
    #[inline(always)]
    pub(super) fn center(&self) -> Quad {
        self.max - self.negated_min
    }

    #[inline(always)]
    fn center_along(&self, axis: usize) -> f32 {
        let numbers: &[[f32; 4]; 2] = bytemuck::cast_ref(self);
        numbers[1][axis] - numbers[0][axis]
    }

    /// Negative if there is nothing within.
    #[inline(always)]
    pub(super) fn extent(&self) -> Quad {
        self.max + self.negated_min
    }

    #[inline(always)]
    pub(super) fn min(&self) -> Quad {
        Quad::splat(0.0) - self.negated_min
    }

    pub(super) fn aabb(&self) -> Aabb {
        let [min, max] = [self.min(), self.max].map_each(|corner| {
            let [x, y, z, _] = corner.to_array();
            [x, y, z]
        });
        Aabb { min, max }
    }
}

/// The box of a primitive, with its index in the last lane of its first half.
pub(super) type Item = Bounds;

/// An index, which is below 2³⁰, plus this is the bits of a number between 2⁻⁶³ and 2⁶⁵. A small
/// index alone would be a subnormal number, and every operation on the other three lanes would wait
/// for it.
const INDEX_BIAS: u32 = 0x2000_0000;

/// The size up to which a range is not split. A leaf of the tree holds eight, and the collapse
/// joins small ranges. Starting from four makes rays no faster and takes 2 to 17% more memory and
/// 10 to 15% more time; from eight rays are 2 to 5% slower in interiors.
pub(super) const LEAF_SIZE: usize = 6;

/// Below this depth ranges are halved, so that the depth is at most this and log₂ n for any input.
const DEEPEST_SPLIT: u32 = 48;

/// A node of the binary tree. Its left child follows it.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct BinaryNode {
    pub(super) aabb: Aabb,
    pub(super) first: u32,
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

/// Room for the boxes of primitives, as many while they are moved, and the tree that is laid out in
/// their place.
const ROOM: usize = 3;

/// The boxes of `count` primitives, with [`ROOM`] for more, and the box around all. Reports them.
pub(super) fn items<F: Fetch>(
    count: usize,
    source: &F,
    box_of: impl Fn(&F::Content) -> Aabb + Sync,
    spread: Spread<'_>,
) -> Option<(Memory<Item>, Bounds)> {
    let mut items = Memory::zeroed(ROOM * count);
    let pieces = items[..count].chunks_mut(PIECE).enumerate().collect();
    let boxes = map_spread(spread, pieces, |(piece, items): (usize, &mut [Item])| {
        let mut content = Zeroable::zeroed();
        for (index, item) in ((piece * PIECE) as u32..).zip(&mut *items) {
            source.fetch(index, &mut content);
            *item = Item::new(&box_of(&content), f32::from_bits(index + INDEX_BIAS));
        }
        spread.advance(items.len());
        Bounds::of(items)
    })?;
    Some((items, boxes.into_iter().fold(Bounds::empty(), Bounds::union)))
}

/// The work of splitting so many primitives: one for each, on each level of a balanced tree. As two
/// parts have no more levels than the whole, every split has work of its own.
pub(super) fn splits(count: usize) -> usize {
    count * (count.max(LEAF_SIZE).ilog2() - LEAF_SIZE.ilog2()) as usize
}

impl BinaryTree {
    /// Splits `items`, which lie in the box `around`, from the top, with as much space. `None` if
    /// it is to stop. Reports the work of [`splits`].
    pub(super) fn build(
        items: &mut [Item],
        space: &mut [Item],
        around: Bounds,
        spread: Spread<'_>,
    ) -> Option<Self> {
        let mut order = vec![0; items.len()];
        let mut nodes = Memory::sparse((2 * items.len()).saturating_sub(1));
        if !items.is_empty() {
            build(
                Range { items, space, order: &mut order, first: 0, depth: 0, around },
                &mut nodes,
                spread,
            )?;
        }
        Some(Self { order, nodes })
    }

    /// A point amid most of the items: the middle of the smallest subtree with half of them.
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

pub(super) const PIECE: usize = 1 << 14;

/// Larger ranges are split in pieces, by all threads together, and their halves are built by
/// different threads.
const SHARED: usize = 1 << 14;

struct Range<'a> {
    items: &'a mut [Item],
    /// Room for its halves.
    space: &'a mut [Item],
    order: &'a mut [u32],
    /// The number of the first among all.
    first: u32,
    depth: u32,
    around: Bounds,
}

impl Range<'_> {
    fn node(&self) -> BinaryNode {
        BinaryNode {
            aabb: self.around.aabb(),
            first: self.first,
            count: self.items.len() as u32,
            right: 0,
        }
    }

    /// The parts on either side of the best split. `split` moves the items to another range, or
    /// moves none.
    #[inline(always)]
    fn parts(
        self,
        split: impl FnOnce(&[Item], &Bounds, &mut [Item]) -> Option<Halves>,
    ) -> [Self; 2] {
        let Self { items, space, order, first, depth, around } = self;
        let found = if depth < DEEPEST_SPLIT { split(items, &around, space) } else { None };
        let (items, space) = if found.is_some() { (space, items) } else { (items, space) };
        let (left_count, left, right) = found.unwrap_or_else(|| halves(items));
        let (left_items, items) = items.split_at_mut(left_count);
        let (left_space, space) = space.split_at_mut(left_count);
        let (left_order, order) = order.split_at_mut(left_count);
        let depth = depth + 1;
        let left = Range {
            items: left_items,
            space: left_space,
            order: left_order,
            first,
            depth,
            around: left,
        };
        [
            left,
            Range { items, space, order, first: first + left_count as u32, depth, around: right },
        ]
    }
}

/// Builds the tree over a range on all threads, and in pieces, between which it may stop. There is
/// room for one node fewer than twice the items.
fn build(range: Range<'_>, nodes: &mut [BinaryNode], spread: Spread<'_>) -> Option<()> {
    let count = range.items.len();
    if spread.is_stopped() {
        return None;
    }
    if count <= SHARED || !spread.is_in_pieces() {
        with_default_float_mode(|| build_alone(range, nodes, &mut Bins::new()));
        spread.advance(splits(count));
        return Some(());
    }
    nodes[0] = range.node();
    let [left, right] = with_default_float_mode(|| {
        range.parts(|items, around, into| split_in_pieces(items, around, into, spread))
    });
    spread.advance(splits(count) - splits(left.items.len()) - splits(right.items.len()));
    let (left_nodes, right_nodes) = nodes.split_at_mut(2 * left.items.len());
    left_nodes[0].right = left_nodes.len() as u32;
    let (left, right) = spread.join(
        count,
        || build(left, &mut left_nodes[1..], spread),
        || build(right, right_nodes, spread),
    );
    left.and(right)
}

/// Builds the tree over a range on this thread, without gaps between its nodes, and returns their
/// number.
fn build_alone(range: Range<'_>, nodes: &mut [BinaryNode], bins: &mut Bins) -> usize {
    nodes[0] = range.node();
    if range.items.len() <= LEAF_SIZE {
        for (index, item) in range.order.iter_mut().zip(range.items) {
            *index = item.index();
        }
        return 1;
    }
    let [left, right] = range.parts(|items, around, into| split(items, around, into, bins));
    let before_right = 1 + build_alone(left, &mut nodes[1..], bins);
    nodes[0].right = before_right as u32;
    before_right + build_alone(right, &mut nodes[before_right..], bins)
}

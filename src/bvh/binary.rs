//! A binary tree over boxes, split where the surface-area heuristic says.
//!
//! MacDonald and Booth, "Heuristics for ray tracing using space subdivision", The Visual Computer
//! 6(3), 1990; in bins after Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies",
//! RT 2007.

use crate::primitive::Aabb;
use crate::simd::with_default_float_mode;
use crate::threads::Spread;

/// A range with no more primitives than this is not split: one leaf kernel tests them all at once.
pub(super) const LEAF_SIZE: usize = 4;

/// Bins along each axis.
const BINS: usize = 16;

/// Below this depth ranges are halved, so that no input makes the tree deeper than this and log₂ n.
const DEEPEST_SPLIT: u32 = 48;

/// The box of the primitive with an index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) aabb: Aabb,
    pub(super) index: u32,
}

impl Item {
    /// Twice the centre; halving would only lose a bit.
    #[inline(always)]
    fn center(&self, axis: usize) -> f32 {
        self.aabb.min[axis] + self.aabb.max[axis]
    }
}

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

/// The tree and the items in the order of its leaves.
pub(super) struct BinaryTree {
    pub(super) items: Vec<Item>,
    /// In depth-first order with gaps: a range of n items owns 2n − 1 nodes, used or not.
    pub(super) nodes: Vec<BinaryNode>,
}

impl BinaryTree {
    pub(super) fn build(boxes: &[Aabb], spread: Spread) -> Self {
        let mut items: Vec<_> = (0..).zip(boxes).map(|(index, aabb)| Item { aabb: *aabb, index }).collect();
        let unused = BinaryNode { aabb: Aabb::EMPTY, first: 0, count: 0, right: 0 };
        let mut nodes = vec![unused; (2 * items.len()).saturating_sub(1)];
        if !items.is_empty() {
            build(&mut items, &mut nodes, 0, 0, spread);
        }
        Self { items, nodes }
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

/// Builds the tree over `items`, the first of which is number `first` of all, into `nodes`.
fn build(items: &mut [Item], nodes: &mut [BinaryNode], first: u32, depth: u32, spread: Spread) {
    let (aabb, centers) = extents(items);
    let count = items.len();
    let mut node = BinaryNode { aabb, first, count: count as u32, right: 0 };
    if count <= LEAF_SIZE {
        nodes[0] = node;
        return;
    }
    let split = if depth < DEEPEST_SPLIT { best_split(items, &centers) } else { None };
    let left = match split {
        Some(split) => partition(items, |item| split.is_left(item)),
        // All centres in one place, or boxes too large to compare: any halves will do.
        None => count / 2,
    };
    node.right = (2 * left) as u32;
    let (this, below) = nodes.split_at_mut(1);
    this[0] = node;
    let (left_nodes, right_nodes) = below.split_at_mut(2 * left - 1);
    let (left_items, right_items) = items.split_at_mut(left);
    spread.join(
        count,
        || build_task(left_items, left_nodes, first, depth + 1, spread),
        || build_task(right_items, right_nodes, first + left as u32, depth + 1, spread),
    );
}

/// [`build`] on a thread that may be another, with a floating-point mode of its own.
fn build_task(items: &mut [Item], nodes: &mut [BinaryNode], first: u32, depth: u32, spread: Spread) {
    with_default_float_mode(|| build(items, nodes, first, depth, spread));
}

/// The box around the items, and the box around their (doubled) centres.
fn extents(items: &[Item]) -> (Aabb, Aabb) {
    let mut boxes: Aabb = Aabb::EMPTY;
    let mut centers: Aabb = Aabb::EMPTY;
    for item in items {
        boxes = boxes.union(&item.aabb);
        for axis in 0..3 {
            let center = item.center(axis);
            centers.min[axis] = centers.min[axis].min(center);
            centers.max[axis] = centers.max[axis].max(center);
        }
    }
    (boxes, centers)
}

/// Which bin a centre falls into.
#[derive(Debug, Clone, Copy)]
struct Binning {
    axis: usize,
    min: f32,
    scale: f32,
}

impl Binning {
    fn new(centers: &Aabb, axis: usize) -> Self {
        let (min, extent) = (centers.min[axis], centers.max[axis] - centers.min[axis]);
        // Zero where all centres agree: everything falls into the first bin.
        let scale = if extent > 0.0 { (BINS as f32 / extent).min(f32::MAX) } else { 0.0 };
        Self { axis, min, scale }
    }

    #[inline(always)]
    fn bin(&self, item: &Item) -> usize {
        // Casting saturates, and turns NaN into 0.
        (((item.center(self.axis) - self.min) * self.scale) as usize).min(BINS - 1)
    }
}

/// Items in bins up to `last_left` go left.
struct Split {
    binning: Binning,
    last_left: usize,
}

impl Split {
    fn is_left(&self, item: &Item) -> bool {
        self.binning.bin(item) <= self.last_left
    }
}

#[derive(Clone, Copy)]
struct Bin {
    aabb: Aabb,
    count: u32,
}

impl Bin {
    const EMPTY: Self = Self { aabb: Aabb::EMPTY, count: 0 };

    fn union(&self, other: &Self) -> Self {
        Self { aabb: self.aabb.union(&other.aabb), count: self.count + other.count }
    }

    /// What testing these costs in proportion to the chance of meeting them.
    fn cost(&self) -> f64 {
        self.aabb.half_area() * f64::from(self.count)
    }
}

/// The split of least cost, or none where no split leaves something on both sides.
fn best_split(items: &[Item], centers: &Aabb) -> Option<Split> {
    let binnings = [0, 1, 2].map(|axis| Binning::new(centers, axis));
    let mut bins = [[Bin::EMPTY; BINS]; 3];
    for item in items {
        for (binning, bins) in binnings.iter().zip(&mut bins) {
            let bin = &mut bins[binning.bin(item)];
            bin.aabb = bin.aabb.union(&item.aabb);
            bin.count += 1;
        }
    }
    let mut best: Option<(f64, Split)> = None;
    for (&binning, bins) in binnings.iter().zip(&bins) {
        let mut right = [Bin::EMPTY; BINS];
        let mut sum = Bin::EMPTY;
        for bin in (1..BINS).rev() {
            sum = sum.union(&bins[bin]);
            right[bin] = sum;
        }
        let mut left = Bin::EMPTY;
        for last_left in 0..BINS - 1 {
            left = left.union(&bins[last_left]);
            let right = &right[last_left + 1];
            let cost = left.cost() + right.cost();
            if left.count > 0 && right.count > 0 && best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, Split { binning, last_left }));
            }
        }
    }
    best.map(|(_, split)| split)
}

/// Brings the items for which `is_left` holds to the front and counts them.
fn partition(items: &mut [Item], is_left: impl Fn(&Item) -> bool) -> usize {
    let mut left = 0;
    let mut right = items.len();
    while left < right {
        if is_left(&items[left]) {
            left += 1;
        } else {
            right -= 1;
            items.swap(left, right);
        }
    }
    left
}

//! A tree built from the bottom in half the time: primitives lie along a curve through space, and
//! neighbours are merged.
//!
//! Nearest neighbours merge in pairs: Meister and Bittner, "Parallel Locally-Ordered Clustering for
//! Bounding Volume Hierarchy Construction", IEEE TVCG 24(3), 2018. They are looked for in windows
//! that are the ranges of the curve's own hierarchy, from its bottom to its top, each of which
//! leaves half a window to the range above it: Benthin, Meister, Barczak, Mehalwal, Tsakok and
//! Kensler, "H-PLOC: Hierarchical Parallel Locally-Ordered Clustering for Bounding Volume Hierarchy
//! Construction", Proc. ACM on Computer Graphics and Interactive Techniques 7(3), 2024.
//!
//! Here the lowest ranges have up to [`GROUP`] primitives, and ranges of up to [`TREELET`] are
//! merged one by one, while the core's cache holds all that this needs. docs/notebook/tree-build.md
//! has what was measured.

use super::binary::{BinaryNode, BinaryTree, Bounds, Item, LEAF_SIZE, PIECE};
use super::clusters::{Clusters, WINDOW};
use super::{map_spread, morton};
use crate::memory::Memory;
use crate::simd::LANES;
use crate::threads::{Spread, UNSTOPPED};

/// Ranges with up to so many primitives are not taken apart.
const GROUP: usize = 4;

const TREELET: usize = 1 << 14;

/// Below this depth ranges are halved.
const DEEPEST_SPLIT: u32 = 48;

/// Times that each primitive is reported, about as long after one another.
pub(super) const WORK: usize = 5;

/// Of these times, those before ranges are merged.
const SORTED: usize = 2;

/// `None` if there are no primitives, if the tree would be too deep, or if it is to stop. There is
/// as much space as items. Reports [`WORK`] times all primitives.
pub(super) fn build(items: &[Item], space: &mut [Item], spread: Spread<'_>) -> Option<BinaryTree> {
    if items.is_empty() {
        return None;
    }
    let (keys, space) = bytemuck::cast_slice_mut(space).split_at_mut(items.len());
    spread.map(
        keys.chunks_mut(PIECE).enumerate().collect(),
        |(piece, keys): (usize, &mut [u64])| {
            keys.iter_mut().zip((piece * PIECE) as u64..).for_each(|(key, index)| *key = index);
        },
    )?;
    let mut order = vec![0; items.len()];
    let mut treelets = Vec::new();
    let space = &mut space[..items.len()];
    let count = items.len();
    spread.step(SORTED * count, morton::WORK * count, |spread| {
        morton::sort(keys, space, items, spread)?;
        let all = Treelet { keys, space, order: &mut order, first: 0, joins: 0 };
        split(all, items, 0, spread, &mut treelets)
    })?;
    let joins: Vec<u32> = treelets.iter().map(|treelet| treelet.joins).collect();
    let built = map_spread(spread, treelets, |treelet| {
        let count = treelet.keys.len();
        let built = treelet.build(items);
        spread.advance((WORK - SORTED) * count);
        built
    })?;

    // The ranges above, which leave their clusters in the order of their ends.
    let (mut top, mut bases, mut subtrees) = (Clusters::default(), Vec::new(), Vec::new());
    for (clusters, joins) in built.into_iter().zip(joins) {
        if spread.is_stopped() {
            return None;
        }
        bases.push(top.open.len());
        for (aabb, nodes) in clusters? {
            // No node of the top becomes a leaf, as its primitives may lie apart.
            let [_, count] = aabb.marks();
            top.push(aabb, subtrees.len() as u32, count.max(LANES as u32 + 1));
            subtrees.push(nodes);
        }
        for _ in 0..joins {
            bases.pop();
            top.reduce(*bases.last()?, WINDOW / 2);
        }
    }
    top.reduce(0, 1);
    let mut nodes = Vec::with_capacity(subtrees.iter().map(|subtree| subtree.len() + 1).sum());
    top.emit(&top.open[0], 0, &mut nodes, &mut |cluster, parts, nodes| {
        if parts.is_none() {
            nodes.extend_from_slice(&subtrees[cluster.marks()[0] as usize]);
        }
        parts.is_none()
    })?;
    if spread.is_stopped() {
        return None;
    }
    Some(BinaryTree { order, nodes: Memory::copied(&nodes) })
}

/// A range of the curve.
struct Treelet<'a> {
    keys: &'a mut [u64],
    /// For as many keys.
    space: &'a mut [u64],
    order: &'a mut [u32],
    /// The place of the first among all.
    first: u32,
    /// How many ranges end with it.
    joins: u32,
}

/// `None` if it is to stop.
fn split<'a>(
    range: Treelet<'a>,
    items: &[Item],
    depth: u32,
    spread: Spread<'_>,
    into: &mut Vec<Treelet<'a>>,
) -> Option<()> {
    if range.keys.len() <= TREELET {
        into.push(range);
        return Some(());
    }
    if morton::share_cell(range.keys) {
        morton::sort(range.keys, range.space, items, spread)?;
    }
    let middle = middle(range.keys, depth);
    let (keys, right_keys) = range.keys.split_at_mut(middle);
    let (space, right_space) = range.space.split_at_mut(middle);
    let (order, right_order) = range.order.split_at_mut(middle);
    let first = range.first + middle as u32;
    let right =
        Treelet { keys: right_keys, space: right_space, order: right_order, first, joins: 0 };
    split(Treelet { keys, space, order, ..range }, items, depth + 1, spread, into)?;
    split(right, items, depth + 1, spread, into)?;
    if let Some(last) = into.last_mut() {
        last.joins += 1;
    }
    Some(())
}

fn middle(keys: &[u64], depth: u32) -> usize {
    if depth < DEEPEST_SPLIT { morton::middle(keys) } else { keys.len() / 2 }
}

impl Treelet<'_> {
    /// The clusters that are left, each with its nodes.
    fn build(self, items: &[Item]) -> Option<Vec<(Bounds, Vec<BinaryNode>)>> {
        let Self { keys, space, order, first, .. } = self;
        if morton::share_cell(keys) {
            morton::sort(keys, space, items, Spread::ALONE)?;
        }
        let (boxes, count) =
            (keys.iter().map(|&key| items[morton::index(key)]).collect(), keys.len());
        let mut merging = Merging { boxes, keys, space, items, clusters: Clusters::default() };
        merging.range(0, count, 0);
        let Merging { keys, clusters, .. } = merging;
        let mut placed = 0;
        let mut leaf =
            |cluster: &Bounds, parts: Option<&[Bounds; 2]>, nodes: &mut Vec<BinaryNode>| {
                let [_, count] = cluster.marks();
                let is_leaf = parts.is_none_or(|[a, b]| {
                    // Where neither the number nor the surface of leaves gets less, the collapse
                    // would join them.
                    let joined = a.half_area() + b.half_area() >= cluster.half_area();
                    count as usize <= if joined { LANES } else { LEAF_SIZE }
                });
                if is_leaf {
                    nodes.push(BinaryNode {
                        aabb: cluster.aabb(),
                        first: first + placed as u32,
                        count,
                        right: 0,
                    });
                    clusters.each(cluster, &mut |[first, count]| {
                        for &key in &keys[first as usize..][..count as usize] {
                            order[placed] = morton::index(key) as u32;
                            placed += 1;
                        }
                    });
                }
                is_leaf
            };
        let subtree = |&cluster: &Bounds| {
            let mut nodes = Vec::new();
            clusters.emit(&cluster, 0, &mut nodes, &mut leaf)?;
            Some((cluster, nodes))
        };
        clusters.open.iter().map(subtree).collect()
    }
}

/// A range of the curve whose primitives are merged.
struct Merging<'a> {
    keys: &'a mut [u64],
    space: &'a mut [u64],
    items: &'a [Item],
    /// The boxes of the keys.
    boxes: Vec<Bounds>,
    clusters: Clusters,
}

impl Merging<'_> {
    fn range(&mut self, first: usize, end: usize, depth: u32) {
        let base = self.clusters.open.len();
        if end - first <= GROUP {
            let around =
                self.boxes[first..end].iter().fold(Bounds::empty(), |all, &one| all.union(one));
            self.clusters.push(around, first as u32, (end - first) as u32);
            return;
        }
        if end - first > WINDOW && morton::share_cell(&self.keys[first..end]) {
            let space = &mut self.space[first..end];
            morton::sort(&mut self.keys[first..end], space, self.items, Spread::ALONE)
                .expect(UNSTOPPED);
            for (aabb, &key) in self.boxes[first..end].iter_mut().zip(&self.keys[first..end]) {
                *aabb = self.items[morton::index(key)];
            }
        }
        let middle = first + middle(&self.keys[first..end], depth);
        self.range(first, middle, depth + 1);
        self.range(middle, end, depth + 1);
        self.clusters.reduce(base, WINDOW / 2);
    }
}

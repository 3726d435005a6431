//! What a tree looks like, in numbers.

use super::arena::{NodeKind, Reference};
use super::{Bvh, Leaf};

/// Statistics of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[non_exhaustive]
pub struct BvhStatistics {
    /// Nodes with children.
    pub inner_nodes: usize,
    /// Leaves, each a block of up to eight primitives.
    pub leaves: usize,
    /// Primitives in all leaves.
    pub primitives: usize,
    /// Nodes from the root to the deepest leaf, both included; 0 for an empty tree.
    pub depth: usize,
    /// Children per inner node, of eight at most.
    pub children_per_node: f64,
    /// Primitives per leaf, of eight at most.
    pub primitives_per_leaf: f64,
    /// Expected nodes and leaves that a random line visits if it meets the root's box: the sum of
    /// all boxes' areas over that of the root (the surface-area heuristic with unit costs).
    pub sah_cost: f64,
    /// The same when the tree was built. After [refits](crate::Change::refit) the two differ: rays
    /// visit about as many times more nodes as the ratio says, so that from 1.5 on a
    /// [rebuild](crate::Change::rebuild) soon pays.
    pub sah_cost_as_built: f64,
    /// Memory that nodes and leaves take up.
    pub bytes: usize,
}

impl BvhStatistics {
    /// The statistics of two trees together: costs are those of the one with more nodes.
    pub(crate) fn and(&self, other: &Self) -> Self {
        let (larger, less) =
            if self.inner_nodes < other.inner_nodes { (other, self) } else { (self, other) };
        let [nodes, leaves] = [larger.inner_nodes + less.inner_nodes, larger.leaves + less.leaves];
        let primitives = larger.primitives + less.primitives;
        let trees = usize::from(larger.depth > 0) + usize::from(less.depth > 0);
        Self {
            inner_nodes: nodes,
            leaves,
            primitives,
            depth: larger.depth.max(less.depth),
            children_per_node: ratio((nodes + leaves).saturating_sub(trees), nodes),
            primitives_per_leaf: ratio(primitives, leaves),
            bytes: larger.bytes + less.bytes,
            ..*larger
        }
    }
}

fn ratio(a: usize, b: usize) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

impl<B: Leaf> Bvh<B> {
    pub(crate) fn statistics(&self) -> BvhStatistics {
        let mut statistics =
            BvhStatistics { bytes: self.arena.bytes(), ..BvhStatistics::default() };
        let (mut area, mut made) = (0.0, None);
        let mut waiting = vec![(self.root, self.bounds, 1)];
        while let Some((reference, bounds, depth)) = waiting.pop() {
            match reference.kind() {
                NodeKind::End => continue,
                NodeKind::Leaf => {
                    statistics.leaves += 1;
                    statistics.primitives += self.arena.block(reference, &mut made).count();
                }
                NodeKind::Inner => {
                    statistics.inner_nodes += 1;
                    let node = &self.arena.nodes()[reference.node()];
                    for (slot, &child) in node.children[..node.slots()].iter().enumerate() {
                        waiting.push((
                            Reference::from_bits(child),
                            node.boxes.get(slot),
                            depth + 1,
                        ));
                    }
                }
            }
            statistics.depth = statistics.depth.max(depth);
            area += bounds.find_half_area();
        }
        // All but the root are children.
        let children = (statistics.inner_nodes + statistics.leaves).saturating_sub(1);
        statistics.children_per_node = ratio(children, statistics.inner_nodes);
        statistics.primitives_per_leaf = ratio(statistics.primitives, statistics.leaves);
        let whole = self.bounds.find_half_area();
        statistics.sah_cost = if whole > 0.0 { area / whole } else { statistics.leaves as f64 };
        statistics.sah_cost_as_built = self.sah_cost_as_built.unwrap_or(statistics.sah_cost);
        statistics
    }
}

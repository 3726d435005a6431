//! Improves a binary tree by reinsertion of subtrees: Meister and Bittner, "Parallel Reinsertion
//! for Bounding Volume Hierarchy Optimization", Computer Graphics Forum 37(2), 2018. In rounds:
//! branch and bound over the areas of the boxes finds the best place of many subtrees at once; then
//! the moves that do not conflict are made, the best first. All threads search and one moves, so
//! that the tree does not depend on their number.

use super::binary::{BinaryNode, BinaryTree, Bounds, LEAF_SIZE};
use super::map_spread;
use crate::memory::Memory;
use crate::threads::Spread;

/// The number of rounds: twice as many lower the expected cost by no more than 0.1%.
const ROUNDS: usize = 8;

/// One in this many nodes is searched for a better place in a round, those of the largest boxes
/// first. With one in two the expected cost is 0 to 0.7% less, and the build takes three times as
/// long.
const ONE_OF: usize = 8;

/// A result deeper than this and log₂ n is dropped: later passes over it are recursive.
const DEEPEST: u32 = 96;

const NONE: u32 = u32::MAX;

/// A tree with links to parents. The root is node 0.
#[derive(Default)]
struct Linked {
    boxes: Vec<Bounds>,
    parents: Vec<u32>,
    /// [`NONE`] and the place in the first tree for leaves.
    children: Vec<[u32; 2]>,
}

/// A move that pays: the gain, the subtree, and its new sibling.
type Move = (f32, u32, u32);

/// What reinsertion reports in all: as much for each round as before the first and after the last.
pub(super) const WORK: usize = (1 + ROUNDS + 1) * STEP;
const STEP: usize = 1 << 16;

/// `None` if it is to stop. Reports [`WORK`], or less where nothing is left to move.
pub(super) fn reinsert(tree: BinaryTree, spread: Spread<'_>) -> Option<BinaryTree> {
    if tree.order.is_empty() {
        return Some(tree);
    }
    let nodes = 2 * tree.order.len() / LEAF_SIZE;
    let mut linked = spread.step(STEP, nodes, |spread| Linked::new(&tree, spread))?;
    for _ in 0..ROUNDS {
        if linked.round(spread)? == 0 {
            break;
        }
    }
    let better = spread.step(STEP, nodes, |spread| linked.emit(&tree, spread));
    if spread.is_stopped() { None } else { Some(better.unwrap_or(tree)) }
}

/// So many nodes or moves are looked at between two questions whether to stop.
const PIECE: usize = 1 << 14;

impl Linked {
    /// `None` if it is to stop. Reports all nodes.
    fn new(tree: &BinaryTree, spread: Spread<'_>) -> Option<Self> {
        let mut linked = Self::default();
        // Nodes, their parents here, and which child they are.
        let mut waiting = vec![(0, NONE, 0)];
        while let Some((at, parent, side)) = waiting.pop() {
            let BinaryNode { aabb, right, .. } = tree.nodes[at];
            let index = linked.boxes.len() as u32;
            if (index as usize).is_multiple_of(PIECE) && spread.advance(PIECE.min(index as usize)) {
                return None;
            }
            linked.boxes.push(Bounds::new(&aabb, 0.0));
            linked.parents.push(parent);
            linked.children.push([NONE, at as u32]);
            if let Some(siblings) = linked.children.get_mut(parent as usize) {
                siblings[side] = index;
            }
            if right > 0 {
                waiting.push((at + right as usize, index, 1));
                waiting.push((at + 1, index, 0));
            }
        }
        Some(linked)
    }

    fn area(&self, node: u32) -> f32 {
        self.boxes[node as usize].half_area()
    }

    fn parent(&self, node: u32) -> u32 {
        self.parents[node as usize]
    }

    fn sibling(&self, node: u32) -> u32 {
        let [left, right] = self.children[self.parent(node) as usize];
        if left == node { right } else { left }
    }

    /// Makes the moves of a round, and returns their number; `None` if it is to stop.
    fn round(&mut self, spread: Spread<'_>) -> Option<usize> {
        let mut largest: Vec<(f32, u32)> = (1..self.boxes.len() as u32)
            .filter(|&node| self.parent(node) != 0)
            .map(|node| (self.area(node), node))
            .collect();
        let wanted = largest.len() / ONE_OF;
        if wanted == 0 {
            return Some(0);
        }
        largest.select_nth_unstable_by(wanted, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        largest.truncate(wanted);
        let chunks: Vec<_> = largest.chunks(1024).collect();
        let this = &*self;
        let found = spread.step(STEP, wanted, |spread| {
            map_spread(spread, chunks, |chunk| {
                let mut waiting = Vec::new();
                let moves = chunk
                    .iter()
                    .filter_map(|&(_, node)| this.best_move(node, &mut waiting))
                    .collect::<Vec<_>>();
                spread.advance(chunk.len());
                moves
            })
        })?;
        let mut moves = found.concat();
        moves.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut touched = vec![false; self.boxes.len()];
        let mut made = 0;
        for (number, (_, from, to)) in moves.into_iter().enumerate() {
            if number % PIECE == 0 && spread.is_stopped() {
                return None;
            }
            let changed = [from, to, self.sibling(from), self.parent(from), self.parent(to)];
            if !changed.iter().any(|&node| touched[node as usize]) && !self.is_below(to, from) {
                for node in changed {
                    touched[node as usize] = true;
                }
                self.make(from, to);
                made += 1;
            }
        }
        Some(made)
    }

    /// The move of the subtree at `node` that makes the sum of all areas least, if there is one.
    fn best_move(&self, node: u32, waiting: &mut Vec<(f32, u32)>) -> Option<Move> {
        let (aabb, area) = (self.boxes[node as usize], self.area(node));
        let parent = self.parent(node);
        let (mut best_gain, mut best) = (0.0, NONE);
        // The gain above `pivot`, whose other side is searched, and the area left below it.
        let (mut gained, mut pivot, mut left) =
            (self.area(parent), parent, self.boxes[self.sibling(node) as usize]);
        let mut other = self.sibling(node);
        loop {
            if gained - area > best_gain {
                waiting.push((gained, other));
            }
            while let Some((gained, at)) = waiting.pop() {
                // A better move may have been found since.
                if gained - area <= best_gain {
                    continue;
                }
                let gain = gained - self.boxes[at as usize].union(aabb).half_area();
                if gain > best_gain {
                    (best_gain, best) = (gain, at);
                }
                let [a, b] = self.children[at as usize];
                let below = gain + self.area(at);
                // False for NaN too, from areas that overflow.
                if a != NONE && below - area > best_gain {
                    waiting.extend([(below, a), (below, b)]);
                }
            }
            if pivot != parent {
                left = left.union(self.boxes[other as usize]);
                gained += self.area(pivot) - left.half_area();
            }
            if pivot == 0 {
                break;
            }
            other = self.sibling(pivot);
            pivot = self.parent(pivot);
        }
        (best != NONE && best != self.sibling(node)).then_some((best_gain, node, best))
    }

    fn is_below(&self, mut node: u32, top: u32) -> bool {
        while node != NONE && node != top {
            node = self.parent(node);
        }
        node == top
    }

    /// Makes the subtree at `from` the sibling of that at `to`.
    fn make(&mut self, from: u32, to: u32) {
        let (parent, sibling) = (self.parent(from), self.sibling(from));
        let above = self.parent(parent);
        self.replace(above, parent, sibling);
        let target = self.parent(to);
        self.replace(target, to, parent);
        self.children[parent as usize] = [to, from];
        self.parents[to as usize] = parent;
        self.refit(parent);
        self.refit(above);
    }

    fn replace(&mut self, parent: u32, child: u32, by: u32) {
        let children = &mut self.children[parent as usize];
        let side = usize::from(children[1] == child);
        children[side] = by;
        self.parents[by as usize] = parent;
    }

    fn refit(&mut self, mut node: u32) {
        while node != NONE {
            let [a, b] = self.children[node as usize];
            self.boxes[node as usize] = self.boxes[a as usize].union(self.boxes[b as usize]);
            node = self.parent(node);
        }
    }

    /// The tree in depth-first order, its items, which `tree` has, in the order of its leaves. None
    /// if it is too deep, or is to stop. Reports all nodes.
    fn emit(&self, tree: &BinaryTree, spread: Spread<'_>) -> Option<BinaryTree> {
        let order = &tree.order;
        let deepest = DEEPEST + order.len().max(1).ilog2();
        let mut nodes: Vec<BinaryNode> = Vec::with_capacity(self.boxes.len());
        let mut new_order = Vec::with_capacity(order.len());
        let mut waiting = vec![(0, u32::MAX, 0)];
        while let Some((node, parent, depth)) = waiting.pop() {
            let piece = PIECE.min(nodes.len());
            if depth > deepest || nodes.len().is_multiple_of(PIECE) && spread.advance(piece) {
                return None;
            }
            let at = nodes.len() as u32;
            if let Some(parent_node) = nodes.get_mut(parent as usize) {
                parent_node.right = at - parent;
            }
            let aabb = self.boxes[node as usize].aabb();
            let mut new = BinaryNode { aabb, first: new_order.len() as u32, count: 0, right: 0 };
            let [left, right] = self.children[node as usize];
            if left == NONE {
                let BinaryNode { first, count, .. } = tree.nodes[right as usize];
                new_order.extend_from_slice(&order[first as usize..][..count as usize]);
                new.count = count;
            } else {
                waiting.push((right, at, depth + 1));
                waiting.push((left, u32::MAX, depth + 1));
            }
            nodes.push(new);
        }
        // Children come after their parents.
        for at in (0..nodes.len()).rev() {
            let right = nodes[at].right as usize;
            if right > 0 {
                nodes[at].count = nodes[at + 1].count + nodes[at + right].count;
            }
        }
        Some(BinaryTree { order: new_order, nodes: Memory::copied(&nodes) })
    }
}

//! Checks that every walk through nodes stays within the tree and ends: of nodes alone, and of
//! their boxes only the empty ones, to be fast for trees from files. [`Bvh::validate`] checks the
//! rest.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};

use super::arena::{Arena, NODE_LINES, Node, NodeKind, Reference};
use super::{AabbBlock, Bvh, Leaf, map_spread};
use crate::simd::{LANES, LINE};
use crate::threads::{Stop, Threads, advanced, is_stopped};
use crate::value::Aabb;

/// No tree that is built needs a deeper stack: none is much deeper than 64 nodes of eight children.
const LARGEST_STACK: usize = 1024;

/// The state of the check, of which several threads may do a part each.
///
/// Nodes come before their children, and each node but the first, and each leaf, has one reference
/// to it: that makes them a tree, and a walk takes no more steps than there are nodes and leaves.
/// If there are as many references as targets and none is left out, none has two.
pub(super) struct Sound {
    nodes: usize,
    leaf_lines: usize,
    /// Of each node, then of each leaf: a node with a reference to it.
    parents: Vec<AtomicU32>,
    references: AtomicUsize,
}

const NONE: u32 = u32::MAX;

impl Sound {
    pub(super) fn new<B: Leaf>(nodes: usize, leaves: usize) -> Self {
        let parents = (0..nodes + leaves).map(|_| AtomicU32::new(NONE)).collect();
        Self { nodes, leaf_lines: size_of::<B>() / LINE, parents, references: AtomicUsize::new(0) }
    }

    /// Checks some nodes, of which the first has the number `first`. The error says what is wrong.
    pub(super) fn look_at(&self, first: usize, nodes: &[Node]) -> Result<(), String> {
        let mut references = 0;
        for (number, node) in (first..).zip(nodes) {
            let found = self.look_at_node(number, node);
            references += found.map_err(|what| format!("node {number}: {what}"))?;
        }
        self.references.fetch_add(references, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the number of children.
    fn look_at_node(&self, number: usize, node: &Node) -> Result<usize, String> {
        let children = node.slots();
        if children < 2 {
            return Err("fewer than two children".to_owned());
        }
        for (slot, &child) in node.children[..children].iter().enumerate() {
            let reference = Reference::from_bits(child);
            let (line, node) = (reference.line(), reference.node());
            let leaf_line = line.wrapping_sub(self.nodes * NODE_LINES);
            let leaf = self.nodes + leaf_line / self.leaf_lines;
            let is_behind = number < node && node < self.nodes && line.is_multiple_of(NODE_LINES);
            let is_leaf = leaf < self.parents.len() && leaf_line.is_multiple_of(self.leaf_lines);
            let (target, what) = match reference.kind() {
                NodeKind::Inner => (is_behind.then_some(node), "no node behind it"),
                NodeKind::Leaf => (is_leaf.then_some(leaf), "no leaf"),
                NodeKind::End => (None, "nothing"),
            };
            let target = target.ok_or_else(|| format!("child {slot} is {what}"))?;
            self.parents[target].store(number as u32, Ordering::Relaxed);
        }
        for slot in children..LANES {
            // The mark of the end, unless one of the others is.
            if node.children[slot] != Reference::END.bits() || node.boxes.get(slot) != Aabb::EMPTY {
                return Err(format!("slot {slot} is not empty"));
            }
        }
        match node.far_to_near.iter().position(|&order| !is_permutation(order)) {
            Some(octant) => Err(format!("order {octant} is no permutation")),
            None => Ok(children),
        }
    }

    /// The greatest stack depth, the end mark included, once all nodes are checked; or what is
    /// wrong with the tree.
    pub(super) fn stack(&self, root: Reference) -> Result<usize, String> {
        let (nodes, leaves) = (self.nodes, self.parents.len() - self.nodes);
        let first = match (nodes, leaves) {
            (0, 0) => Reference::END,
            (0, 1) => Reference::new(0, NodeKind::Leaf),
            (0, _) => return Err("none, but more than one leaf".to_owned()),
            _ => Reference::new(0, NodeKind::Inner),
        };
        if root != first {
            return Err("the root is not the first".to_owned());
        }
        if nodes == 0 {
            return Ok(1 + leaves);
        }
        let (found, wanted) = (self.references.load(Ordering::Relaxed), nodes - 1 + leaves);
        if found != wanted {
            return Err(format!("{found} references to nodes and leaves, and not {wanted}"));
        }
        let mut children = vec![0_usize; nodes];
        for (target, parent) in self.parents.iter().enumerate().skip(1) {
            match parent.load(Ordering::Relaxed) {
                NONE if target < nodes => return Err(format!("no reference to node {target}")),
                NONE => return Err(format!("no reference to leaf {}", target - nodes)),
                parent => children[parent as usize] += 1,
            }
        }
        // The references that wait beside the children of each node, while one child is walked.
        let mut waiting = children;
        for number in 0..nodes {
            // The first has no parent.
            let parent = self.parents[number].load(Ordering::Relaxed) as usize;
            let above = waiting.get(parent).copied().unwrap_or(0);
            waiting[number] = above + waiting[number] - 1;
            if waiting[number] > LARGEST_STACK {
                return Err(format!("deeper than any that is built, at node {number}"));
            }
        }
        // The last child itself, and the mark of the end.
        Ok(waiting.into_iter().fold(0, usize::max) + 2)
    }
}

/// The part of a tree that is at fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Nodes,
    Leaves,
}

/// What is wrong with a tree.
pub(crate) type Fault = (Part, String);

/// What a check says that is to stop.
pub(crate) fn stopped() -> Fault {
    (Part::Nodes, "not all was looked at".to_owned())
}

impl<B: Leaf> Bvh<B> {
    /// Checks the whole tree of all `primitives` but those elsewhere. `boxes_of` is the boxes of
    /// the primitives of a leaf, whose numbers exist, or says what is wrong with it. The fault is
    /// an unsound tree, a stack that is too small, a box that does not contain all below it with
    /// the slack that rays need, or a primitive in no leaf or in two; any fault after a stop.
    /// Reports all lines.
    pub(crate) fn validate(
        &self,
        primitives: usize,
        is_elsewhere: impl Fn(u32) -> bool,
        boxes_of: impl Fn(&B) -> Result<[Aabb; LANES], String> + Sync,
        stop: Stop<'_>,
    ) -> Result<(), Fault> {
        let go_on = |done: usize| {
            if done.is_multiple_of(PIECE) && is_stopped(stop) { Err(stopped()) } else { Ok(()) }
        };
        let (nodes, blocks) = (self.arena.nodes(), self.blocks());
        let of_nodes = |what| (Part::Nodes, what);
        let sound = Sound::new::<B>(nodes.len(), blocks.len());
        for (piece, nodes) in nodes.chunks(PIECE).enumerate() {
            go_on(0)?;
            sound.look_at(piece * PIECE, nodes).map_err(of_nodes)?;
        }
        let stack = sound.stack(self.root).map_err(of_nodes)?;
        if stack > self.stack {
            let what = format!("{stack} references may wait, but there is room for {}", self.stack);
            return Err(of_nodes(what));
        }
        let mut seen: Vec<AtomicBool> = Vec::with_capacity(primitives);
        for number in 0..primitives {
            go_on(number)?;
            seen.push(is_elsewhere(number as u32).into());
        }
        // The widened box around each leaf.
        let look_at = |(first, blocks): (usize, &[B])| {
            let look_at = |(leaf, block): (usize, &B)| {
                let numbers = (0..block.count()).map(|lane| block.number(lane));
                for number in numbers {
                    let seen = seen.get(number as usize);
                    let seen = seen
                        .ok_or_else(|| format!("leaf {leaf}: primitive {number} does not exist"))?;
                    if seen.swap(true, Ordering::Relaxed) {
                        return Err(format!(
                            "leaf {leaf}: primitive {number} is in another leaf too"
                        ));
                    }
                }
                let boxes = boxes_of(block).map_err(|what| format!("leaf {leaf}: {what}"))?;
                let widened = AabbBlock::anchored(&boxes[..block.count()], self.arena.anchor);
                Ok((0..LANES).fold(Aabb::EMPTY, |all, lane| all.merged(&widened.get(lane))))
            };
            let leaves = (first..).zip(blocks).map(look_at).collect::<Result<Vec<Aabb>, String>>();
            advanced(stop, blocks.len() * Arena::<B>::BLOCK_LINES);
            leaves
        };
        let pieces = blocks
            .chunks(PIECE)
            .enumerate()
            .map(|(piece, blocks)| (piece * PIECE, blocks))
            .collect();
        let looked = map_spread(Threads::ALL.spread(blocks.len()).until(stop), pieces, look_at)
            .ok_or_else(stopped)?;
        let leaves = looked
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
            .map_err(|what| (Part::Leaves, what))?;
        let leaves = leaves.concat();
        if let Some(missing) = seen.iter().position(|seen| !seen.load(Ordering::Relaxed)) {
            return Err((Part::Leaves, format!("primitive {missing} is in no leaf")));
        }
        for (number, node) in nodes.iter().enumerate() {
            go_on(number)?;
            if number % PIECE == 0 {
                advanced(stop, PIECE.min(number) * NODE_LINES);
            }
            for slot in 0..node.slots() {
                let (bounds, child) =
                    (node.boxes.get(slot), Reference::from_bits(node.children[slot]));
                let holds = match child.kind() {
                    NodeKind::Inner => {
                        let child = &nodes[child.node()];
                        (0..child.slots()).all(|slot| bounds.contains(&child.boxes.get(slot)))
                    }
                    NodeKind::Leaf => bounds.contains(&leaves[self.arena.leaf(child)]),
                    NodeKind::End => true,
                };
                if !holds {
                    return Err(of_nodes(format!(
                        "node {number}: the content of child {slot} sticks out of its box"
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Leaves that are checked together.
const PIECE: usize = 1 << 12;

fn is_permutation(order: u32) -> bool {
    let named = (0..LANES).fold(0, |named, place| named | 1_u32 << (order >> (3 * place) & 7));
    named == 0xff && order >> 24 == 0
}

//! Checks that every walk through nodes stays within the tree and ends.
//!
//! For trees from files it has to be fast: it reads only nodes, and of their boxes only the empty ones.
//! [`Bvh::validate`] checks the rest.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicUsize, Ordering};

use super::arena::{NODE_LINES, Node, NodeKind, Reference};
use super::{Bvh, Leaf};
use crate::simd::{LANES, LINE};
use crate::value::Aabb;

/// No tree that is built needs a deeper stack: none is much deeper than 64 nodes of eight children.
const LARGEST_STACK: usize = 1024;

/// The state of the check. Several threads may check some nodes each.
///
/// Nodes come before their children, and each node but the first, and each leaf, has one reference to it:
/// that makes them a tree, and a walk takes no more steps than there are nodes and leaves. If there are as
/// many references as targets and none is left out, none has two.
pub(super) struct Sound<B> {
    /// Of each node.
    parents: Vec<AtomicU32>,
    children: Vec<AtomicU8>,
    /// Whether there is a reference to each leaf.
    leaves: Vec<AtomicBool>,
    /// The numbers of references to nodes, and to leaves.
    references: [AtomicUsize; 2],
    blocks: PhantomData<B>,
}

const NONE: u32 = u32::MAX;

impl<B: Leaf> Sound<B> {
    const LEAF_LINES: usize = size_of::<B>() / LINE;

    pub(super) fn new(nodes: usize, leaves: usize) -> Self {
        Self {
            parents: (0..nodes).map(|_| AtomicU32::new(NONE)).collect(),
            children: (0..nodes).map(|_| AtomicU8::new(0)).collect(),
            leaves: (0..leaves).map(|_| AtomicBool::new(false)).collect(),
            references: [AtomicUsize::new(0), AtomicUsize::new(0)],
            blocks: PhantomData,
        }
    }

    /// Checks some nodes; `first` is the number of the first.
    ///
    /// # Errors
    /// A message: a reference to no node or leaf, or backwards; an order that is no permutation;
    /// an empty slot that a ray could meet.
    pub(super) fn look_at(&self, first: usize, nodes: &[Node]) -> Result<(), String> {
        let mut references = [0; 2];
        for (number, node) in (first..).zip(nodes) {
            self.look_at_node(number, node, &mut references)
                .map_err(|what| format!("node {number}: {what}"))?;
        }
        for (all, more) in self.references.iter().zip(references) {
            all.fetch_add(more, Ordering::Relaxed);
        }
        Ok(())
    }

    fn look_at_node(&self, number: usize, node: &Node, references: &mut [usize; 2]) -> Result<(), String> {
        let children = node.slots();
        if children < 2 {
            return Err("fewer than two children".to_owned());
        }
        self.children[number].store(children as u8, Ordering::Relaxed);
        for (slot, &child) in node.children[..children].iter().enumerate() {
            let reference = Reference::from_bits(child);
            let line = reference.line();
            match reference.kind() {
                NodeKind::Inner => {
                    let child = reference.node();
                    if !line.is_multiple_of(NODE_LINES) || child <= number || child >= self.parents.len() {
                        return Err(format!("child {slot} is no node behind it"));
                    }
                    self.parents[child].store(number as u32, Ordering::Relaxed);
                }
                NodeKind::Leaf => {
                    let line = line.wrapping_sub(self.parents.len() * NODE_LINES);
                    let leaf = self.leaves.get(line / Self::LEAF_LINES);
                    let leaf = leaf.filter(|_| line.is_multiple_of(Self::LEAF_LINES));
                    leaf.ok_or_else(|| format!("child {slot} is no leaf"))?.store(true, Ordering::Relaxed);
                }
                NodeKind::End => return Err(format!("child {slot} is nothing")),
            }
            references[reference.kind_index()] += 1;
        }
        for slot in children..LANES {
            // The mark of the end, unless one of the others is.
            if node.children[slot] != Reference::END.bits() || node.boxes.get(slot) != Aabb::EMPTY {
                return Err(format!("slot {slot} is not empty"));
            }
        }
        for (octant, &order) in node.far_to_near.iter().enumerate() {
            if !is_permutation(order) {
                return Err(format!("order {octant} is no permutation"));
            }
        }
        Ok(())
    }

    /// The greatest stack depth, the end mark included, once all nodes are checked.
    ///
    /// # Errors
    ///
    /// A message: targets with two references or none, a root that is not the first node, a tree deeper than
    /// any that is built.
    pub(super) fn stack(&self, root: Reference) -> Result<usize, String> {
        let (nodes, leaves) = (self.parents.len(), self.leaves.len());
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
        let found = self.references.each_ref().map(|found| found.load(Ordering::Relaxed));
        if found != [nodes - 1, leaves] {
            return Err(format!(
                "{found:?} references to nodes and leaves, and not {:?}",
                [nodes - 1, leaves]
            ));
        }
        if let Some(leaf) = self.leaves.iter().position(|leaf| !leaf.load(Ordering::Relaxed)) {
            return Err(format!("no reference to leaf {leaf}"));
        }
        // The references that wait beside the children of each node, while one child is walked.
        let mut waiting: Vec<u16> = Vec::with_capacity(nodes);
        let mut most = 0;
        for (number, (parent, children)) in self.parents.iter().zip(&self.children).enumerate() {
            let above = match parent.load(Ordering::Relaxed) {
                NONE if number > 0 => return Err(format!("no reference to node {number}")),
                NONE => 0,
                parent => waiting[parent as usize],
            };
            let here = above + u16::from(children.load(Ordering::Relaxed)) - 1;
            if usize::from(here) > LARGEST_STACK {
                return Err(format!("deeper than any that is built, at node {number}"));
            }
            most = most.max(here);
            waiting.push(here);
        }
        // The last child itself, and the mark of the end.
        Ok(usize::from(most) + 2)
    }
}

impl<B: Leaf> Bvh<B> {
    /// Walks the whole tree. `box_of` gives the box of a primitive, `primitives` their number, of which some
    /// are in no leaf because they are elsewhere.
    ///
    /// Returns the fault: what makes it no [sound](Sound) tree, a stack that is too small, a box that does not contain
    /// its subtree, a primitive in no leaf or in two.
    pub(crate) fn validate(
        &self,
        primitives: usize,
        is_elsewhere: impl Fn(u32) -> bool,
        box_of: impl Fn(&B, u32) -> Aabb,
    ) -> Result<(), String> {
        let sound = Sound::<B>::new(self.arena.nodes().len(), self.blocks().len());
        sound.look_at(0, self.arena.nodes())?;
        let stack = sound.stack(self.root)?;
        if stack > self.stack {
            return Err(format!("{stack} references may wait, but there is room for {}", self.stack));
        }
        let mut seen: Vec<bool> = (0..primitives as u32).map(is_elsewhere).collect();
        // The boxes of the children of the root are wider than their content.
        let everywhere = Aabb { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
        let mut waiting = vec![(self.root, everywhere)];
        while let Some((reference, bounds)) = waiting.pop() {
            let line = reference.line();
            match reference.kind() {
                NodeKind::End => {}
                NodeKind::Leaf => {
                    let block = self.arena.block(reference);
                    for number in block.numbers() {
                        let seen = seen.get_mut(number as usize).ok_or_else(|| {
                            format!("the leaf at line {line} holds primitive {number}, which does not exist")
                        })?;
                        if std::mem::replace(seen, true) {
                            return Err(format!("primitive {number} is in two leaves, one at line {line}"));
                        }
                        if !bounds.contains(&box_of(block, number)) {
                            return Err(format!("primitive {number} sticks out of its leaf at line {line}"));
                        }
                    }
                }
                NodeKind::Inner => {
                    let node = self.arena.node(reference);
                    for slot in 0..node.slots() {
                        let child_bounds = node.boxes.get(slot);
                        if !bounds.contains(&child_bounds) {
                            return Err(format!("node at line {line}: child {slot} sticks out"));
                        }
                        waiting.push((Reference::from_bits(node.children[slot]), child_bounds));
                    }
                }
            }
        }
        let missing = seen.iter().position(|seen| !seen);
        missing.map_or(Ok(()), |missing| Err(format!("primitive {missing} is in no leaf")))
    }
}

/// For all values of four places of an order, the slots that they name, as bits.
static NAMED: [u8; 1 << 12] = {
    let mut named = [0; 1 << 12];
    let mut four = 0;
    while four < named.len() {
        named[four] = 1 << (four & 7) | 1 << (four >> 3 & 7) | 1 << (four >> 6 & 7) | 1 << (four >> 9);
        four += 1;
    }
    named
};

fn is_permutation(order: u32) -> bool {
    const { assert!(LANES == 8) };
    let [near, far] = [order & 0xfff, order >> 12 & 0xfff].map(|four| NAMED[four as usize]);
    near | far == 0xff && order >> 24 == 0
}

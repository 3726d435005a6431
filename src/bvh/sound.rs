//! Checks that every walk through nodes stays within the tree and ends, whatever they hold.
//!
//! [`validate`](super::validate) finds what is wrong with a tree that was built here. This is for nodes that come from
//! elsewhere, and has to be fast: it reads nothing but them, and of their boxes only the empty ones.

use super::arena::{Kind, LINE, NODE_LINES, Node, Reference};
use crate::primitive::Aabb;
use crate::simd::LANES;
use crate::threads::Threads;

/// More references do not wait in any tree that is built: none is much deeper than 64 nodes of eight children.
const LARGEST_STACK: usize = 1024;

/// How many parts the nodes are looked at in, at most, and how many nodes a part has, at least.
const PARTS: usize = 16;
const LEAST_PART: usize = 1 << 14;

/// Says how many references a walk may have waiting in a tree of these nodes and so many leaves of so many bytes.
///
/// # Errors
/// Says in words what is wrong: a reference to what does not exist, to what another refers to as well, or backwards; an
/// order that is no permutation; an empty slot that a ray could meet. Nodes come before what they refer to, so what
/// remains is a tree, and to walk it takes no more steps than it has nodes and leaves.
pub(super) fn stack_of(
    nodes: &[Node],
    leaves: usize,
    leaf_bytes: usize,
    root: Reference,
) -> Result<usize, String> {
    let places = Places { nodes: nodes.len(), leaves, leaf_lines: leaf_bytes / LINE };
    let first = match (nodes.len(), leaves) {
        (0, 0) => Reference::END,
        (0, 1) => Reference::new(0, Kind::Leaf),
        (0, _) => return Err("none, but more than one leaf".to_owned()),
        _ => Reference::new(0, Kind::Inner),
    };
    if root != first {
        return Err("the root is not the first".to_owned());
    }
    if nodes.is_empty() {
        return Ok(1 + leaves);
    }
    let length = nodes.len().div_ceil(PARTS).max(LEAST_PART);
    let parts = nodes.chunks(length).enumerate().map(|(part, nodes)| (part * length, nodes)).collect();
    let seen = Threads::ALL.spread(nodes.len()).map(parts, |(first, nodes)| places.look_at(first, nodes));
    let mut all = Seen::none(places);
    all.nodes.mark(0);
    for seen in seen {
        all.add(&seen?)?;
    }
    if let Some(node) = all.nodes.first_missing(nodes.len()) {
        return Err(format!("no reference to node {node}"));
    }
    if let Some(leaf) = all.leaves.first_missing(leaves) {
        return Err(format!("no reference to leaf {leaf}"));
    }
    deepest(nodes)
}

/// How many there are to refer to.
#[derive(Clone, Copy)]
struct Places {
    nodes: usize,
    leaves: usize,
    leaf_lines: usize,
}

impl Places {
    /// Looks at a part of the nodes, of which the first has this number.
    fn look_at(self, first: usize, nodes: &[Node]) -> Result<Seen, String> {
        let mut seen = Seen::none(self);
        for (number, node) in (first..).zip(nodes) {
            self.look_at_node(number, node, &mut seen).map_err(|what| format!("node {number}: {what}"))?;
        }
        Ok(seen)
    }

    fn look_at_node(self, number: usize, node: &Node, seen: &mut Seen) -> Result<(), String> {
        let children = node.slots();
        if children < 2 {
            return Err("fewer than two children".to_owned());
        }
        for (slot, &child) in node.children.iter().enumerate() {
            let reference = Reference::from_bits(child);
            if slot >= children {
                // As there are so many others, this is the mark of the end unless one of those is.
                if reference != Reference::END || node.boxes.get(slot) != Aabb::EMPTY {
                    return Err(format!("slot {slot} is not empty"));
                }
                continue;
            }
            let is_new = match reference.kind_index() {
                0 => {
                    let child = reference.node();
                    if !reference.line().is_multiple_of(NODE_LINES) || child <= number || child >= self.nodes
                    {
                        return Err(format!("child {slot} is no node behind it"));
                    }
                    seen.nodes.mark(child)
                }
                1 => {
                    let line = reference.line().checked_sub(self.nodes * NODE_LINES);
                    let leaf = line.filter(|line| line.is_multiple_of(self.leaf_lines));
                    match leaf.map(|line| line / self.leaf_lines) {
                        Some(leaf) if leaf < self.leaves => seen.leaves.mark(leaf),
                        _ => return Err(format!("child {slot} is no leaf")),
                    }
                }
                _ => return Err(format!("child {slot} is nothing")),
            };
            if !is_new {
                return Err(format!("child {slot} has another parent too"));
            }
        }
        for (octant, &order) in node.far_to_near.iter().enumerate() {
            if !is_permutation(order) {
                return Err(format!("order {octant} is no permutation"));
            }
        }
        Ok(())
    }
}

/// Which of four places in an order are named, for all there can be, as bits.
static NAMED: [u8; 1 << 12] = {
    let mut named = [0; 1 << 12];
    let mut four = 0;
    while four < named.len() {
        named[four] = 1 << (four & 7) | 1 << (four >> 3 & 7) | 1 << (four >> 6 & 7) | 1 << (four >> 9);
        four += 1;
    }
    named
};

/// Whether an order names each of the eight slots.
fn is_permutation(order: u32) -> bool {
    const { assert!(LANES == 8) };
    let [near, far] = [order & 0xfff, order >> 12 & 0xfff].map(|four| NAMED[four as usize]);
    near | far == 0xff && order >> 24 == 0
}

/// What has been referred to.
struct Seen {
    nodes: Marks,
    leaves: Marks,
}

impl Seen {
    fn none(places: Places) -> Self {
        Self { nodes: Marks::none(places.nodes), leaves: Marks::none(places.leaves) }
    }

    fn add(&mut self, other: &Self) -> Result<(), String> {
        for (what, marks, others) in
            [("node", &mut self.nodes, &other.nodes), ("leaf", &mut self.leaves, &other.leaves)]
        {
            if let Some(twice) = marks.add(others) {
                return Err(format!("two references to {what} {twice}"));
            }
        }
        Ok(())
    }
}

/// A bit for each of many.
struct Marks(Vec<u64>);

impl Marks {
    fn none(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    /// Marks one, and says whether it was not.
    fn mark(&mut self, place: usize) -> bool {
        let (word, bit) = (&mut self.0[place / 64], 1 << (place % 64));
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Marks those that are marked in the other, and gives one that already was.
    fn add(&mut self, other: &Self) -> Option<usize> {
        let mut twice = None;
        for (index, (word, more)) in self.0.iter_mut().zip(&other.0).enumerate() {
            if *word & more != 0 {
                twice = Some(64 * index + (*word & more).trailing_zeros() as usize);
            }
            *word |= more;
        }
        twice
    }

    fn first_missing(&self, count: usize) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != u64::MAX)?;
        Some(64 * word + self.0[word].trailing_ones() as usize).filter(|&missing| missing < count)
    }
}

/// How many references may wait, that at the bottom included, in a tree without another fault.
fn deepest(nodes: &[Node]) -> Result<usize, String> {
    // Beside each node; while one child is walked, the others may all be waiting.
    let mut waiting = vec![0_u16; nodes.len()];
    let mut most = 0;
    for (number, node) in nodes.iter().enumerate() {
        let children = node.slots();
        let below = waiting[number] + children as u16 - 1;
        most = most.max(below);
        if usize::from(most) > LARGEST_STACK {
            return Err(format!("deeper than any that is built, at node {number}"));
        }
        for &child in &node.children[..children] {
            let child = Reference::from_bits(child);
            if child.kind() == Kind::Inner {
                waiting[child.node()] = below;
            }
        }
    }
    // The last child itself, and the mark of the end.
    Ok(usize::from(most) + 2)
}

//! Collapses a binary tree to eight children a node.
//!
//! Of all ways to merge binary nodes into nodes of at most eight children and leaves of at most
//! eight primitives, dynamic programming finds the one of least expected cost: Ylitie, Karras and
//! Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", HPG 2017,
//! section 4.1.

use super::binary::{BinaryNode, BinaryTree};
use super::{map_spread, sort_few};
use crate::memory::Memory;
use crate::simd::{LANES, with_default_float_mode};
use crate::threads::Spread;
use crate::value::Aabb;

/// The price of testing a node's eight boxes and sorting the children met.
const NODE_COST: f64 = 1.0;
/// The price of testing a block of eight triangles, however many of them are real.
const BLOCK_COST: f64 = 1.2;

#[derive(Debug, Clone, Copy)]
pub(super) enum Child {
    None,
    /// The node with this index, in the same piece.
    Inner(u32),
    Leaf(u32),
    /// The root of the piece with this index.
    Piece(u32),
}

/// A node of the wide tree, before it is laid out in memory.
#[derive(Debug, Clone, Copy)]
pub(super) struct WideNode {
    pub(super) boxes: [Aabb; LANES],
    pub(super) children: [Child; LANES],
}

/// A part of the tree that one thread builds.
pub(super) struct Piece {
    pub(super) root: Child,
    /// In depth-first order.
    pub(super) nodes: Vec<WideNode>,
    /// The first and the number of their primitives.
    pub(super) leaves: Vec<(u32, u32)>,
}

/// The cheapest wide trees of a binary subtree, by how they are distributed between its children.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Distribution {
    /// For a forest of at most `i + 1` trees, those in the left child. 0: one fewer is as good; for
    /// `i` = 0 a leaf.
    left: [u8; LANES - 1],
    /// For a wide node here, the number of its eight children in the left child.
    left_of_eight: u8,
}

/// `costs[i]` is the least cost of a forest of at most `i + 1` trees.
type Costs = [f64; LANES - 1];

impl Distribution {
    fn inner(node: &BinaryNode, left: &Costs, right: &Costs, left_is_leaf: bool) -> (Self, Costs) {
        // The cheapest distribution of `trees` between the two children, and of these that with the
        // fewest in the left one.
        let distribute = |trees: usize| {
            let mut best = (f64::INFINITY, 1);
            let most = if left_is_leaf { 1 } else { trees - 1 };
            for to_left in 1..=most {
                let cost = left[to_left - 1] + right[trees - to_left - 1];
                best = if cost < best.0 { (cost, to_left as u8) } else { best };
            }
            best
        };
        let area = node.aabb.find_half_area();
        let (below, left_of_eight) = distribute(LANES);
        let (mut distribution, mut costs) =
            (Self { left: [0; LANES - 1], left_of_eight }, [0.0; LANES - 1]);
        let as_node = area * NODE_COST + below;
        let as_leaf = area * BLOCK_COST;
        // Any number but 0 marks a node.
        (costs[0], distribution.left[0]) = if node.count as usize <= LANES && as_leaf <= as_node {
            (as_leaf, 0)
        } else {
            (as_node, 1)
        };
        for trees in 2..LANES {
            let (cost, to_left) = distribute(trees);
            // At equal cost more trees: without area every cost is zero.
            (costs[trees - 1], distribution.left[trees - 1]) =
                if cost <= costs[trees - 2] { (cost, to_left) } else { (costs[trees - 2], 0) };
        }
        (distribution, costs)
    }
}

/// The least size of the subtrees that become pieces, in primitives; a 64th of all primitives if
/// that is more.
const LEAST_PIECE: usize = 4096;

/// Times that the collapse reports each primitive, about as long after one another.
pub(super) const WORK: usize = 2;

/// Of these times, those for the distributions.
const DISTRIBUTIONS: usize = 1;

/// The top of the wide tree, then the subtrees below it, which are the same for any number of
/// threads. `None` if it is to stop. Reports [`WORK`] times all primitives.
pub(super) fn collapse(binary: &BinaryTree, spread: Spread<'_>) -> Option<Vec<Piece>> {
    let nodes: &[BinaryNode] = &binary.nodes;
    let Some(root) = nodes.first() else { return Some(Vec::new()) };
    let mut distributions = Memory::sparse(nodes.len());
    find_distributions(nodes, &mut distributions, spread);
    spread.advance(DISTRIBUTIONS * below_asked(root));
    if spread.is_stopped() {
        return None;
    }

    let collapsed = |at, limit| {
        let piece = Piece { root: Child::Leaf(0), nodes: Vec::new(), leaves: Vec::new() };
        let mut made = Collapsing {
            binary: nodes,
            distributions: &distributions,
            limit,
            cut: Vec::new(),
            roots: Vec::new(),
            piece,
        };
        made.piece.root = made.subtree(at);
        (made.piece, made.cut)
    };
    let (top, cut) = collapsed(0, LEAST_PIECE.max(root.count as usize / 64));
    let below = map_spread(spread, cut, |at| {
        let (piece, _) = collapsed(at, 0);
        spread.advance((WORK - DISTRIBUTIONS) * nodes[at].count as usize);
        piece
    })?;
    Some(std::iter::once(top).chain(below).collect())
}

/// Ranges of more primitives are asked for whether to stop.
const ASKED: u32 = 1 << 14;

/// The primitives of a subtree within which nothing is asked or reported.
fn below_asked(node: &BinaryNode) -> usize {
    if node.count > ASKED { 0 } else { node.count as usize }
}

/// Finds the distributions of a subtree, not all of them if it is to stop.
fn find_distributions(
    nodes: &[BinaryNode],
    distributions: &mut [Distribution],
    spread: Spread<'_>,
) -> Costs {
    let (node, right) = (&nodes[0], nodes[0].right as usize);
    if right == 0 || node.count > ASKED && spread.is_stopped() {
        // Zero at first: a leaf.
        return [node.aabb.find_half_area() * BLOCK_COST; LANES - 1];
    }
    let (this, below) = distributions.split_at_mut(1);
    let (of_left, of_right) = below.split_at_mut(right - 1);
    let (left_costs, right_costs) = spread.join(
        node.count as usize,
        || with_default_float_mode(|| find_distributions(&nodes[1..right], of_left, spread)),
        || with_default_float_mode(|| find_distributions(&nodes[right..], of_right, spread)),
    );
    if node.count > ASKED {
        let found = below_asked(&nodes[1]) + below_asked(&nodes[right]);
        spread.advance(DISTRIBUTIONS * found);
    }
    let costs;
    (this[0], costs) = Distribution::inner(node, &left_costs, &right_costs, nodes[1].right == 0);
    costs
}

/// A piece in the making.
struct Collapsing<'a> {
    binary: &'a [BinaryNode],
    distributions: &'a [Distribution],
    /// Subtrees up to this size are cut off.
    limit: usize,
    cut: Vec<usize>,
    /// Nodes that become the children of one, each with its size; behind those of the nodes above
    /// it.
    roots: Vec<(f64, u32)>,
    piece: Piece,
}

impl Collapsing<'_> {
    /// Builds one wide tree of the binary subtree at `at`.
    fn subtree(&mut self, at: usize) -> Child {
        let BinaryNode { first, count, right, .. } = self.binary[at];
        if count as usize <= self.limit {
            self.cut.push(at);
            // The piece of the top comes before them.
            return Child::Piece(self.cut.len() as u32);
        }
        if right == 0 || self.distributions[at].left[0] == 0 {
            self.piece.leaves.push((first, count));
            return Child::Leaf(self.piece.leaves.len() as u32 - 1);
        }
        let (base, to_left) = (self.roots.len(), usize::from(self.distributions[at].left_of_eight));
        self.forest(at + 1, to_left);
        self.forest(at + right as usize, LANES - to_left);
        // The largest boxes last, at equal size the later nodes.
        sort_few(&mut self.roots[base..], |a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)).is_lt());
        let index = self.piece.nodes.len();
        let mut node = WideNode { boxes: [Aabb::EMPTY; LANES], children: [Child::None; LANES] };
        self.piece.nodes.push(node);
        for slot in 0..self.roots.len() - base {
            let root = self.roots[base + slot].1 as usize;
            (node.boxes[slot], node.children[slot]) = (self.binary[root].aabb, self.subtree(root));
        }
        self.roots.truncate(base);
        self.piece.nodes[index] = node;
        Child::Inner(index as u32)
    }

    /// Adds the roots of the forest of at most `trees` wide trees that the binary subtree becomes.
    fn forest(&mut self, at: usize, mut trees: usize) {
        let right = self.binary[at].right as usize;
        while trees > 1 && self.distributions[at].left[trees - 1] == 0 {
            trees -= 1;
        }
        if trees == 1 || right == 0 {
            // A box with more primitives counts as smaller, by the fourth root of their number.
            // Queries that any hit settles visit the last first: large boxes stop most rays, and of
            // boxes of about the same size the one with fewer primitives is finished sooner.
            // docs/notebook/in-flight.md has the gains.
            let BinaryNode { aabb, count, .. } = &self.binary[at];
            let size = aabb.find_half_area() / f64::from(*count).sqrt().sqrt();
            return self.roots.push((size, at as u32));
        }
        let to_left = usize::from(self.distributions[at].left[trees - 1]);
        self.forest(at + 1, to_left);
        self.forest(at + right, trees - to_left);
    }
}

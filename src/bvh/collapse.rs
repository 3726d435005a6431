//! From two children a node to eight.
//!
//! Of all ways to merge binary nodes into nodes of at most eight children and leaves of at most
//! eight primitives, the one of least expected cost is found by dynamic programming: Ylitie, Karras
//! and Laine, "Efficient Incoherent Ray Traversal on GPUs Through Compressed Wide BVHs", HPG 2017,
//! section 4.1.

use super::binary::{BinaryNode, BinaryTree};
use crate::primitive::Aabb;
use crate::simd::{LANES, with_default_float_mode};
use crate::threads::Spread;

/// The price of testing a node's eight boxes and sorting the children met.
const NODE_COST: f64 = 1.0;
/// The price of testing a block of eight triangles, however many of them are real.
const BLOCK_COST: f64 = 1.2;

/// A node of the wide tree, before it is laid out in memory.
pub(super) struct WideNode {
    pub(super) children: [Option<(Aabb, Child)>; LANES],
}

/// What stands below a slot of a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Child {
    /// The wide node with this index.
    Inner(u32),
    /// The leaf with this index.
    Leaf(u32),
}

/// A tree of [`WideNode`].
pub(super) struct WideTree {
    /// None for a tree without primitives.
    pub(super) root: Option<Child>,
    pub(super) nodes: Vec<WideNode>,
    /// For each leaf its range of items: first, count.
    pub(super) leaves: Vec<(u32, u32)>,
    /// How many references a ray may have waiting, the end mark included.
    pub(super) stack: usize,
}

/// The cheapest way to turn a binary subtree into a forest of at most so many wide trees.
#[derive(Debug, Clone, Copy)]
struct Plan {
    /// `cost[i]` is that of a forest of at most `i + 1` trees.
    cost: [f64; LANES - 1],
    /// How many of the `i + 1` trees the left child gets. 0: one tree fewer is as good; for `i` = 0
    /// a leaf.
    left: [u8; LANES - 1],
    /// For the children of a wide node here: how many of the eight the left child gets.
    left_of_eight: u8,
}

impl Plan {
    const UNUSED: Self = Self { cost: [0.0; LANES - 1], left: [0; LANES - 1], left_of_eight: 0 };

    fn leaf(node: &BinaryNode) -> Self {
        Self { cost: [node.aabb.half_area() * BLOCK_COST; LANES - 1], ..Self::UNUSED }
    }

    fn inner(node: &BinaryNode, left: &Self, right: &Self) -> Self {
        // The cheapest distribution of `trees` between the two children.
        let distribute = |trees: usize| {
            let mut best = (f64::INFINITY, 1);
            for to_left in 1..trees {
                let cost = left.cost[to_left - 1] + right.cost[trees - to_left - 1];
                if cost < best.0 {
                    best = (cost, to_left as u8);
                }
            }
            best
        };
        let area = node.aabb.half_area();
        let (below, left_of_eight) = distribute(LANES);
        let mut plan = Self { left_of_eight, ..Self::UNUSED };
        let as_node = area * NODE_COST + below;
        let as_leaf = area * BLOCK_COST;
        // Any number but 0 marks a node.
        (plan.cost[0], plan.left[0]) =
            if node.count as usize <= LANES && as_leaf <= as_node { (as_leaf, 0) } else { (as_node, 1) };
        for trees in 2..LANES {
            let (cost, to_left) = distribute(trees);
            // At equal cost more trees: where nothing has an area every cost is zero.
            (plan.cost[trees - 1], plan.left[trees - 1]) =
                if cost <= plan.cost[trees - 2] { (cost, to_left) } else { (plan.cost[trees - 2], 0) };
        }
        plan
    }
}

/// Collapses a binary tree.
pub(super) fn collapse(binary: &BinaryTree, spread: Spread) -> WideTree {
    let mut plans = vec![Plan::UNUSED; binary.nodes.len()];
    let mut tree = WideTree { root: None, nodes: Vec::new(), leaves: Vec::new(), stack: 1 };
    if !binary.nodes.is_empty() {
        make_plans(&binary.nodes, &mut plans, spread);
        let (root, waiting) = Collapsing { nodes: &binary.nodes, plans: &plans, tree: &mut tree }.subtree(0);
        tree.root = Some(root);
        tree.stack = waiting + 1;
    }
    tree
}

fn make_plans(nodes: &[BinaryNode], plans: &mut [Plan], spread: Spread) {
    let node = &nodes[0];
    if node.right == 0 {
        plans[0] = Plan::leaf(node);
        return;
    }
    let right = node.right as usize;
    let (this, below) = plans.split_at_mut(1);
    let (left_plans, right_plans) = below.split_at_mut(right - 1);
    spread.join(
        node.count as usize,
        || with_default_float_mode(|| make_plans(&nodes[1..right], left_plans, spread)),
        || with_default_float_mode(|| make_plans(&nodes[right..], right_plans, spread)),
    );
    this[0] = Plan::inner(node, &left_plans[0], &right_plans[0]);
}

struct Collapsing<'a> {
    nodes: &'a [BinaryNode],
    plans: &'a [Plan],
    tree: &'a mut WideTree,
}

impl Collapsing<'_> {
    /// Makes one wide tree of the binary subtree at `at`. Also says how many references a ray that
    /// walks it may have waiting.
    fn subtree(&mut self, at: usize) -> (Child, usize) {
        let BinaryNode { first, count, right, .. } = self.nodes[at];
        if right == 0 || self.plans[at].left[0] == 0 {
            self.tree.leaves.push((first, count));
            return (Child::Leaf(self.tree.leaves.len() as u32 - 1), 1);
        }
        let index = self.tree.nodes.len();
        self.tree.nodes.push(WideNode { children: [None; LANES] });
        let mut roots = Vec::with_capacity(LANES);
        let to_left = usize::from(self.plans[at].left_of_eight);
        self.forest(at + 1, to_left, &mut roots);
        self.forest(at + right as usize, LANES - to_left, &mut roots);
        let mut deepest = 0;
        for (slot, &root) in roots.iter().enumerate() {
            let (child, waiting) = self.subtree(root);
            self.tree.nodes[index].children[slot] = Some((self.nodes[root].aabb, child));
            deepest = deepest.max(waiting);
        }
        // While one child is walked, the others may all be waiting.
        (Child::Inner(index as u32), roots.len() - 1 + deepest)
    }

    /// The roots of the forest of at most `trees` wide trees that the binary subtree becomes.
    fn forest(&self, at: usize, trees: usize, roots: &mut Vec<usize>) {
        let right = self.nodes[at].right as usize;
        let mut trees = trees;
        while trees > 1 && self.plans[at].left[trees - 1] == 0 {
            trees -= 1;
        }
        if trees == 1 || right == 0 {
            roots.push(at);
            return;
        }
        let to_left = usize::from(self.plans[at].left[trees - 1]);
        self.forest(at + 1, to_left, roots);
        self.forest(at + right, trees - to_left, roots);
    }
}

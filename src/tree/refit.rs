//! Fits a tree to primitives that have moved: the same leaves and nodes, with other boxes.

use super::Bvh;
use super::aabb_block::FiniteRange;
use super::arena::{Arena, NodeKind, Reference};
use super::leaf::Leaf;
use crate::simd::LANES;
use crate::threads::Spread;
use crate::value::Aabb;

/// The leaves that a thread takes at a time.
const PIECE: usize = 1 << 12;

/// The box of a subtree, and its primitives.
#[derive(Clone, Copy)]
struct Fitted {
    bounds: Aabb,
    primitives: usize,
}

impl<B: Leaf> Bvh<B> {
    /// Lets `rewrite` change the content of every leaf without moving it.
    pub(crate) fn rewrite(&mut self, rewrite: impl Fn(&mut B) + Sync, spread: Spread) {
        let pieces: Vec<&mut [B]> = self.arena.blocks_mut().chunks_mut(PIECE).collect();
        spread.map(pieces, |blocks| blocks.iter_mut().for_each(&rewrite));
    }

    /// Lets `rewrite` move the primitives of every leaf, and recomputes all boxes. `box_of` is the box around
    /// the primitives of a leaf.
    ///
    /// Takes a pass over all leaves and one over all nodes. Rays become slower as boxes grow, where
    /// neighbours part.
    pub(crate) fn refit(
        &mut self,
        rewrite: impl Fn(&mut B) + Sync,
        box_of: impl Fn(&B) -> Aabb + Sync,
        spread: Spread,
    ) {
        self.sah_cost_as_built = Some(self.statistics().sah_cost_as_built);
        let pieces: Vec<&mut [B]> = self.arena.blocks_mut().chunks_mut(PIECE).collect();
        let boxes = spread.map(pieces, |blocks| {
            crate::simd::with_default_float_mode(|| {
                let fit = |block: &mut B| {
                    rewrite(block);
                    Fitted { bounds: box_of(block), primitives: block.count() }
                };
                blocks.iter_mut().map(fit).collect::<Vec<Fitted>>()
            })
        });
        let leaves = boxes.concat();
        let nodes = self.arena.fitted_nodes(&leaves);
        let fitted = |reference: Reference| self.arena.fitted(reference, &nodes, &leaves);
        let whole = fitted(self.root);
        let (bounds, anchor) = (whole.bounds, self.arena.anchor_amid(self.root, &fitted));
        self.arena.fit_nodes(anchor, &nodes, &leaves);
        self.bounds = bounds;
        self.range = FiniteRange::of(&bounds, anchor);
    }
}

impl<B: Leaf> Arena<B> {
    /// The subtrees of all nodes. Nodes come before their children.
    fn fitted_nodes(&self, leaves: &[Fitted]) -> Vec<Fitted> {
        let nothing = Fitted { bounds: Aabb::EMPTY, primitives: 0 };
        let mut nodes = vec![nothing; self.nodes().len()];
        for (index, node) in self.nodes().iter().enumerate().rev() {
            let mut all = nothing;
            for child in node.children {
                let child = self.fitted(Reference::from_bits(child), &nodes, leaves);
                all.bounds = all.bounds.merged(&child.bounds);
                all.primitives += child.primitives;
            }
            nodes[index] = all;
        }
        nodes
    }

    fn fitted(&self, reference: Reference, nodes: &[Fitted], leaves: &[Fitted]) -> Fitted {
        match reference.kind() {
            NodeKind::Inner => nodes[reference.node()],
            NodeKind::Leaf => leaves[self.block_index(reference)],
            NodeKind::End => Fitted { bounds: Aabb::EMPTY, primitives: 0 },
        }
    }

    /// A point amid most of the primitives: the middle of the least subtree that holds half of them.
    fn anchor_amid(&self, root: Reference, fitted: &impl Fn(Reference) -> Fitted) -> [f32; 3] {
        let all = fitted(root);
        if all.primitives == 0 {
            return [0.0; 3];
        }
        let (mut reference, mut amid) = (root, all);
        while reference.kind() == NodeKind::Inner {
            let children = self.node(reference).children.map(Reference::from_bits);
            let most = children.into_iter().max_by_key(|&child| fitted(child).primitives);
            let Some(most) = most.filter(|&child| 2 * fitted(child).primitives >= all.primitives) else {
                break;
            };
            (reference, amid) = (most, fitted(most));
        }
        amid.bounds.center()
    }

    /// Writes the boxes of all nodes.
    fn fit_nodes(&mut self, anchor: [f32; 3], nodes: &[Fitted], leaves: &[Fitted]) {
        self.anchor = anchor;
        for index in 0..nodes.len() {
            let children = self.nodes()[index].children;
            let mut boxes = [Aabb::EMPTY; LANES];
            for (aabb, child) in boxes.iter_mut().zip(children) {
                *aabb = self.fitted(Reference::from_bits(child), nodes, leaves).bounds;
            }
            self.set_boxes(index, &boxes);
        }
    }
}

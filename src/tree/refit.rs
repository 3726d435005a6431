//! Fits a tree to primitives that have moved: the same leaves and nodes, with other boxes.

use super::aabb_block::FiniteRange;
use super::arena::{Arena, NODE_LINES, NodeKind, Reference};
use super::{Bvh, Leaf, map_spread};
use crate::threads::Spread;
use crate::value::Aabb;

const PIECE: usize = 1 << 12;

#[derive(Clone, Copy)]
struct Fitted {
    bounds: Aabb,
    primitives: usize,
}

const NOTHING: Fitted = Fitted { bounds: Aabb::EMPTY, primitives: 0 };

impl<B: Leaf> Bvh<B> {
    /// Lets `rewrite` change the content of every leaf without moving it. Returns its results;
    /// `None` if it is to stop. Reports the lines of all leaves.
    pub(crate) fn rewrite<R: Clone + Send>(
        &mut self,
        rewrite: impl Fn(&mut B) -> R + Sync,
        spread: Spread<'_>,
    ) -> Option<Vec<R>> {
        let pieces: Vec<&mut [B]> = self.arena.blocks_mut().chunks_mut(PIECE).collect();
        let rewritten = map_spread(spread, pieces, |blocks| {
            let results = blocks.iter_mut().map(&rewrite).collect::<Vec<R>>();
            spread.advance(blocks.len() * Arena::<B>::BLOCK_LINES);
            results
        });
        Some(rewritten?.concat())
    }

    /// What [`refit`](Self::refit) reports: all lines, and those of nodes again.
    pub(crate) fn work_of_refit(&self) -> usize {
        self.arena.line_count() + self.arena.first_leaf
    }

    /// Lets `rewrite` move the primitives of every leaf, and recomputes all boxes, widened for
    /// `anchor`, or for a point amid most primitives; `box_of` is that of a leaf. `None` if it is
    /// to stop: then the tree is of no use.
    pub(crate) fn refit(
        &mut self,
        anchor: Option<[f32; 3]>,
        rewrite: impl Fn(&mut B) + Sync,
        box_of: impl Fn(&B) -> Aabb + Sync,
        spread: Spread<'_>,
    ) -> Option<()> {
        self.sah_cost_as_built = Some(self.statistics().sah_cost_as_built);
        let fit = |block: &mut B| {
            rewrite(block);
            Fitted { bounds: box_of(block), primitives: block.count() }
        };
        let (leaves, first_leaf) = (self.rewrite(fit, spread)?, self.arena.first_leaf);
        let mut nodes = vec![NOTHING; self.arena.nodes().len()];
        let fitted = |reference: Reference, nodes: &[Fitted]| match reference.kind() {
            NodeKind::Inner => nodes[reference.node()],
            NodeKind::Leaf => leaves[(reference.line() - first_leaf) / Arena::<B>::BLOCK_LINES],
            NodeKind::End => NOTHING,
        };
        // Nodes come before their children.
        for (index, node) in self.arena.nodes().iter().enumerate().rev() {
            let piece = PIECE.min(self.arena.nodes().len() - index);
            if index % PIECE == 0 && spread.advance(piece * NODE_LINES) {
                return None;
            }
            let mut all = NOTHING;
            for child in node.children {
                let child = fitted(Reference::from_bits(child), &nodes);
                all.bounds = all.bounds.merged(&child.bounds);
                all.primitives += child.primitives;
            }
            nodes[index] = all;
        }
        let all = fitted(self.root, &nodes);
        self.bounds = all.bounds;
        // A point amid most of the primitives: the middle of the least subtree that holds half of
        // them.
        let with_half = leaves
            .iter()
            .chain(&nodes)
            .rev()
            .filter(|fitted| 2 * fitted.primitives >= all.primitives);
        let amid = with_half.min_by_key(|fitted| fitted.primitives).filter(|_| all.primitives > 0);
        let anchor = anchor.unwrap_or_else(|| amid.map_or([0.0; 3], |amid| amid.bounds.center()));
        self.range = FiniteRange::of(&self.bounds, anchor);
        self.arena.set_boxes(anchor, |child| fitted(child, &nodes).bounds, spread)
    }

    /// A copy with memory of its own; `None` if it is to stop. Reports all lines.
    pub(crate) fn copy(&self, spread: Spread<'_>) -> Option<Self> {
        Some(Self { arena: self.arena.copy(spread)?, ..*self })
    }
}

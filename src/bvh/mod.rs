//! The tree: eight boxes to a node, eight primitives to a leaf, one file per operation.
//!
//! | file | what it does |
//! |---|---|
//! | `binary` | builds a binary tree over boxes, by the binned surface-area heuristic |
//! | `reinsert` | moves its subtrees to better places |
//! | `collapse` | chooses which of its nodes to keep so that each has eight children |
//! | `arena` | holds nodes and leaves, and the references between them |
//! | `traverse` | walks rays through it: in groups, in streams, many at once, or one by one |
//! | `refit` | fits its boxes to primitives that have moved |
//! | `anchored` | is a tree over primitives of `f64` |
//! | `boxes` | is told of boxes alone, and asked which of them a ray may meet |
//! | `near` | is asked what is near to a point, as one tree of many |
//! | `shapes` | asks primitives behind boxes, each by itself |
//! | `validate` | checks that it is whole |
//! | `stored` | puts it into a file, and takes it from there |
//! | `stored_shapes` | the same for shapes and the tree over them |
//! | `sound` | checks that what comes from a file can be walked |
//! | `statistics` | says what it is like |
//! | `quality` | how much all that may cost |
//!
//! The tree knows no triangle: leaves are any [`Leaf`].

mod anchored;
mod arena;
mod binary;
mod boxes;
mod collapse;
mod near;
mod quality;
mod refit;
mod reinsert;
mod shapes;
#[cfg(feature = "scene-files")]
mod sound;
mod statistics;
#[cfg(feature = "scene-files")]
mod stored;
#[cfg(feature = "scene-files")]
mod stored_shapes;
#[cfg(test)]
mod tests;
mod traverse;
mod validate;
mod viewpoint;

pub(crate) use anchored::AnchoredBvh;
pub(crate) use boxes::{BoxTree, Overlap};
pub(crate) use near::{Inside, ShapeFoot};
pub use quality::BuildQuality;
pub(crate) use shapes::{SeenShapes, ShapeScan, Shapes};
pub use statistics::BvhStatistics;
#[cfg(feature = "scene-files")]
pub(crate) use stored::TreeSections;
#[cfg(feature = "scene-files")]
pub(crate) use stored_shapes::SHAPE_SECTIONS;

use arena::{Arena, Reference};

use crate::primitive::{Aabb, Leaf, TameRays};
use crate::threads::Spread;

/// A bounding volume hierarchy over blocks of primitives.
#[derive(Debug, Clone)]
pub(crate) struct Bvh<B> {
    arena: Arena<B>,
    root: Reference,
    /// The box around everything.
    bounds: Aabb,
    /// The rays that it serves best.
    tame: TameRays,
    /// How many references a ray may have waiting, the end mark included.
    stack: usize,
    /// What it was expected to cost before primitives moved, if they have.
    sah_cost_as_built: Option<f64>,
}

impl<B: Leaf> Bvh<B> {
    /// Builds a tree over so many primitives. `box_of` says the box of one, `block` makes the leaf that holds the
    /// primitives with the given indices, at most eight; it is told the anchor for which boxes are widened.
    ///
    /// The same input gives the same tree, whatever the number of threads. `None` if the tree would
    /// be larger than 64 GiB.
    pub(crate) fn build(
        count: usize,
        box_of: impl Fn(u32) -> Aabb + Sync,
        block: impl Fn(&[u32], [f32; 3]) -> B + Sync,
        quality: BuildQuality,
        spread: Spread,
    ) -> Option<Self> {
        Self::build_around(None, count, box_of, block, quality, spread)
    }

    /// As [`build`](Self::build), with boxes widened for this anchor, or for a point amid most primitives.
    fn build_around(
        anchor: Option<[f32; 3]>,
        count: usize,
        box_of: impl Fn(u32) -> Aabb + Sync,
        block: impl Fn(&[u32], [f32; 3]) -> B + Sync,
        quality: BuildQuality,
        spread: Spread,
    ) -> Option<Self> {
        let mut binary = binary::BinaryTree::build(count, box_of, spread);
        if quality == BuildQuality::High {
            binary = reinsert::reinsert(binary, spread);
        }
        let bounds = binary.nodes.first().map_or(Aabb::EMPTY, |root| root.aabb);
        let anchor = anchor.unwrap_or_else(|| binary.anchor());
        let tame = TameRays::of(&bounds, anchor);
        let wide = collapse::collapse(&binary, spread);
        let (arena, root) = Arena::new(&wide, &binary, anchor, block, spread)?;
        Some(Self { arena, root, bounds, tame, stack: wide.stack, sah_cost_as_built: None })
    }

    /// Every leaf, in the order of the arena.
    pub(crate) fn blocks(&self) -> &[B] {
        self.arena.blocks()
    }

    /// The box around everything.
    pub(crate) fn bounds(&self) -> Aabb {
        self.bounds
    }
}

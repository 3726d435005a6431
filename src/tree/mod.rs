//! The tree: eight boxes to a node, eight primitives to a leaf, one file per operation.
//!
//! `binary` builds it, `reinsert` moves subtrees to better places, `collapse` chooses the nodes to keep, and `arena` lays
//! them out. The tree knows no triangle: leaves are any [`Leaf`].

pub(crate) mod aabb_block;
pub(crate) mod arena;
mod binary;
mod collapse;
mod refit;
mod reinsert;
mod sound;
mod statistics;
#[cfg(feature = "scene-files")]
mod stored;
#[cfg(test)]
#[path = "../../tests/unit/tree/tests.rs"]
mod tests;
pub(crate) mod viewpoint;

pub(crate) use aabb_block::{AabbBlock, FiniteRange, reach};
pub use statistics::BvhStatistics;
pub(crate) use viewpoint::{AnchoredBvh, AsTheyAre, Sees, Viewed};

use crate::answers::INVALID_ID;
use crate::simd::LANES;
use crate::threads::Spread;
use crate::value::Aabb;
use arena::{Arena, Reference};

/// A leaf of the tree: at most eight primitives of any kind.
pub(crate) trait Leaf: bytemuck::Pod + Send + Sync {
    /// Leading bytes of a leaf that every visiting ray reads.
    const PREFETCH_BYTES: usize = size_of::<Self>();

    /// The number of each primitive in its lane. They come first; empty lanes of triangles hold [`INVALID_ID`].
    fn numbers(&self) -> &[u32; LANES];

    /// How many primitives there are.
    #[inline(always)]
    fn count(&self) -> usize {
        let mut count = 0;
        for &number in self.numbers() {
            count += usize::from(number != INVALID_ID);
        }
        count
    }

    /// The number of the primitive in a lane.
    #[inline(always)]
    fn number(&self, lane: usize) -> u32 {
        self.numbers()[lane % LANES]
    }
}

/// The effort of building a tree. No answer depends on it; docs/notebook/tree-build.md has the costs and gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BuildQuality {
    /// For most scenes, and for those that change: 3 to 5 million triangles a second on a core.
    #[default]
    Balanced,
    /// For scenes that mix large and small triangles, as interiors do, and many rays. Takes about twice the time; rays are 5 to
    /// 15% faster in interiors, hardly any where triangles are all alike. The memory is the same.
    High,
}

/// A bounding volume hierarchy over blocks of primitives.
#[derive(Debug, Clone)]
pub(crate) struct Bvh<B> {
    pub(crate) arena: Arena<B>,
    pub(crate) root: Reference,
    pub(crate) bounds: Aabb,
    /// The rays that box tests take without overflow.
    pub(crate) range: FiniteRange,
    /// The greatest stack depth of a ray, in references, the end mark included.
    pub(crate) stack: usize,
    /// The expected cost before primitives moved, if they have.
    sah_cost_as_built: Option<f64>,
}

impl<B> Bvh<B> {
    /// Whether there is no primitive.
    pub(crate) fn is_empty(&self) -> bool {
        self.root == Reference::END
    }
}

impl<B: Leaf> Bvh<B> {
    /// Builds a tree over `count` primitives, with boxes widened for `anchor`, or for a point amid most primitives. `box_of`
    /// is the box of one; `block` makes a leaf of the primitives with the given indices, at most eight, and gets the anchor.
    ///
    /// The tree does not depend on the number of threads. `None` if it would exceed 64 GiB.
    pub(crate) fn build(
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
        let range = FiniteRange::of(&bounds, anchor);
        let pieces = collapse::collapse(&binary, spread);
        let (arena, root) = Arena::new(&pieces, &binary, anchor, block, spread)?;
        let stack = arena.stack(root);
        Some(Self { arena, root, bounds, range, stack, sah_cost_as_built: None })
    }

    pub(crate) fn blocks(&self) -> &[B] {
        self.arena.blocks()
    }
}

//! The tree: eight boxes to a node, eight primitives to a leaf, one file per operation.
//!
//! `binary` builds it, or `ploc` with `morton` and `clusters`; `reinsert` moves subtrees to better
//! places, `collapse` chooses the nodes to keep, and `arena` lays them out. The tree knows no
//! triangle: leaves are any [`Leaf`].

pub(crate) mod aabb_block;
pub(crate) mod arena;
mod binary;
mod clusters;
mod collapse;
mod morton;
mod ploc;
mod refit;
mod reinsert;
mod sound;
mod statistics;
#[cfg(feature = "scene-files")]
mod stored;
#[cfg(test)]
#[path = "../../tests/unit/tree/tests.rs"]
mod tests;
mod unstored;
pub(crate) mod viewpoint;

pub(crate) use aabb_block::{AabbBlock, FiniteRange, reach};
#[cfg(feature = "scene-files")]
pub(crate) use sound::Part;
pub(crate) use sound::{Fault, stopped};
pub use statistics::BvhStatistics;
pub(crate) use unstored::LeafGrid;
pub(crate) use viewpoint::{ANCHOR, AnchoredBvh, BoxFrame, HasBoxFrame, OwnFrame};

use crate::answers::INVALID_ID;
use crate::simd::{LANES, with_default_float_mode};
use crate::threads::Spread;
use crate::value::Aabb;
use arena::{Arena, Reference};
use binary::BinaryTree;

/// A leaf of the tree: at most eight primitives of any kind.
pub(crate) trait Leaf: bytemuck::Pod + Send + Sync {
    /// Leading bytes of a leaf that every visiting ray reads.
    const PREFETCH_BYTES: usize = size_of::<Self>();

    /// The number of the primitive in a lane; [`INVALID_ID`] in an empty lane of triangles.
    fn number(&self, lane: usize) -> u32;

    /// How many primitives there are; they are in the first lanes.
    #[inline(always)]
    fn count(&self) -> usize {
        let mut count = 0;
        for lane in 0..LANES {
            count += usize::from(self.number(lane) != INVALID_ID);
        }
        count
    }
}

/// Makes leaves that are not stored, by their numbers, from 0 on.
pub(crate) trait LeafSource<B>: std::fmt::Debug + Send + Sync {
    /// How many there are, with those that hold no primitive.
    fn count(&self) -> usize;

    /// Whether a leaf holds a primitive.
    fn holds(&self, leaf: usize) -> bool;

    /// Makes a leaf that holds a primitive; the content of others is unspecified.
    fn make(&self, leaf: usize, into: &mut B);
}

/// Where a build fetches primitives from.
pub(crate) trait Fetch: Sync {
    type Content: bytemuck::Zeroable + Clone;

    /// Stores the primitive with an index. `#[inline(always)]`, and in its place: what is stored in
    /// parts and moved in others makes the core wait, a tenth of the time of a build.
    fn fetch(&self, index: u32, into: &mut Self::Content);
}

impl<C: bytemuck::Zeroable + Clone, F: Fn(u32) -> C + Sync> Fetch for F {
    type Content = C;

    #[inline(always)]
    fn fetch(&self, index: u32, into: &mut C) {
        *into = self(index);
    }
}

/// The results of `work` for each item, in order: each item is a task, in the default
/// floating-point mode. `None` if it is to stop.
fn map_spread<T: Send, R: Send>(
    spread: Spread<'_>,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync,
) -> Option<Vec<R>> {
    spread.map(items, |item| with_default_float_mode(|| work(item)))
}

/// Sorts a few values, as every use of the standard library's sort is 4 to 8 kB of machine code.
fn sort_few<T: Copy>(values: &mut [T], is_less: impl Fn(&T, &T) -> bool) {
    for end in 1..values.len() {
        let (value, mut place) = (values[end], end);
        while place > 0 && is_less(&value, &values[place - 1]) {
            values[place] = values[place - 1];
            place -= 1;
        }
        values[place] = value;
    }
}

/// The effort of building a tree. No answer depends on it; docs/notebook/tree-build.md has the
/// costs and gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum BuildQuality {
    /// For scenes that are built anew all the time: takes half the time, and rays are up to a tenth
    /// slower.
    Fast,
    /// For most scenes, and for those that change: 3 to 5 million triangles a second on a core.
    #[default]
    Balanced,
    /// For scenes that mix large and small triangles, as interiors do, and many rays. Takes about
    /// twice the time; rays are 5 to 15% faster in interiors, hardly any where triangles are all
    /// alike. The memory is the same.
    High,
}

/// The time that the steps of a build take, for each primitive, in some ten nanoseconds; of splits,
/// for each primitive and level, and of the layout, for two thirds of a line of a leaf. Progress
/// alone depends on them.
mod times {
    pub(super) const BOXES: usize = 3;
    pub(super) const LEVEL: usize = 2;
    pub(super) const CLUSTERS: usize = 11;
    pub(super) const REINSERTION: usize = 25;
    pub(super) const COLLAPSE: usize = 7;
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
    /// Builds a tree over `count` primitives, with boxes widened for `anchor`, or for a point amid
    /// most primitives. `box_of` is the box of what `source` has, and `fill` makes a leaf that of
    /// at most eight, for the anchor.
    ///
    /// The tree does not depend on the number of threads. `None` if it would exceed 64 GiB, or is
    /// to stop. Reports `count` in all.
    pub(crate) fn build<F: Fetch>(
        anchor: Option<[f32; 3]>,
        count: usize,
        source: &F,
        box_of: impl Fn(&F::Content) -> Aabb + Sync,
        fill: impl Fn(&mut B, &[F::Content], [f32; 3]) + Sync,
        quality: BuildQuality,
        spread: Spread<'_>,
    ) -> Option<Self> {
        let quality = if cfg!(lanecast_small) { BuildQuality::Balanced } else { quality };
        let is_fast = quality == BuildQuality::Fast;
        let reinserted = if quality == BuildQuality::High { count * times::REINSERTION } else { 0 };
        let splits = binary::splits(count);
        let tree = if is_fast { count * times::CLUSTERS } else { splits * times::LEVEL };
        let layout = count * Arena::<B>::BLOCK_LINES * 3 / 2;
        let others = count * (times::BOXES + times::COLLAPSE) + layout;
        spread.step(count, tree + reinserted + others, |spread| {
            let (mut memory, around) = spread.step(count * times::BOXES, count, |spread| {
                binary::items(count, source, &box_of, spread)
            })?;
            let (items, space) = memory.split_at_mut(count);
            // Named again where each is called, for the compiler to see that it is not.
            let clustered = (is_fast && !cfg!(lanecast_small)).then(|| {
                spread.step(tree, ploc::WORK * count, |spread| ploc::build(items, space, spread))
            });
            let mut binary = match clustered.flatten() {
                Some(clustered) => clustered,
                None => spread.step(if is_fast { 0 } else { tree }, splits, |spread| {
                    BinaryTree::build(items, &mut space[..count], around, spread)
                })?,
            };
            if quality == BuildQuality::High && !cfg!(lanecast_small) {
                binary = spread.step(reinserted, reinsert::WORK, |spread| {
                    reinsert::reinsert(binary, spread)
                })?;
            }
            let pieces =
                spread.step(count * times::COLLAPSE, collapse::WORK * count, |spread| {
                    collapse::collapse(&binary, spread)
                })?;
            let bounds = binary.nodes.first().map_or(Aabb::EMPTY, |root| root.aabb);
            let anchor = anchor.unwrap_or_else(|| binary.anchor());
            let range = FiniteRange::of(&bounds, anchor);
            let (arena, root) = spread.step(layout, count, |spread| {
                Arena::new(memory, &pieces, &binary.order, anchor, source, fill, spread)
            })?;
            let stack = arena.stack(root);
            Some(Self { arena, root, bounds, range, stack, sah_cost_as_built: None })
        })
    }

    pub(crate) fn blocks(&self) -> &[B] {
        self.arena.blocks()
    }
}

//! Trees over primitives of `f64`: boxes of `f32` around an anchor of `f64`.
//!
//! Survey coordinates are large numbers whose last digits matter: millions of metres, to a nanometre in
//! `f64`, to half a metre in `f32`. Relative to a [viewpoint](Viewpoint) amid the scene they are small, and
//! boxes of `f32` around them are as tight as boxes of any scene. Leaves decide in `f64`, in the coordinates
//! of the scene. So nodes, and all traversal of them, are in `f32`.

use super::statistics::BvhStatistics;
use super::viewpoint::{ANCHOR, Viewpoint, around};
use super::{BuildQuality, Bvh, Leaf};
use crate::threads::Spread;
use crate::value::Aabb;

#[derive(Debug, Clone)]
pub(crate) struct AnchoredBvh<B> {
    pub(crate) bvh: Bvh<B>,
    pub(crate) viewpoint: Viewpoint,
    bounds: Aabb<f64>,
}

impl<B: Leaf> AnchoredBvh<B> {
    /// As [`Bvh::build`]. No box is empty, and coordinates are at most 2¹⁰⁰.
    pub(crate) fn build(
        count: usize,
        box_of: impl Fn(u32) -> Aabb<f64> + Sync,
        block: impl Fn(&[u32], [f32; 3]) -> B + Sync,
        quality: BuildQuality,
        spread: Spread,
    ) -> Option<Self> {
        let bounds = around((0..count as u32).map(&box_of));
        let viewpoint = Viewpoint::amid(count, &box_of, &bounds);
        let box_of = |index| viewpoint.box_of(&box_of(index));
        let bvh = Bvh::build_around(Some(ANCHOR), count, box_of, block, quality, spread)?;
        Some(Self { bvh, viewpoint, bounds })
    }

    pub(crate) fn blocks(&self) -> &[B] {
        self.bvh.blocks()
    }

    pub(crate) fn bounds(&self) -> Aabb<f64> {
        self.bounds
    }

    pub(crate) fn statistics(&self) -> BvhStatistics {
        self.bvh.statistics()
    }

    /// Checks the tree, as [`Bvh::validate`]. `box_of` is the box of one of the primitives in a leaf, by its
    /// number.
    pub(crate) fn validate(
        &self,
        count: usize,
        is_elsewhere: impl Fn(u32) -> bool,
        box_of: impl Fn(&B, u32) -> Aabb<f64>,
    ) -> Result<(), String> {
        self.bvh.validate(count, is_elsewhere, |block, number| self.viewpoint.box_of(&box_of(block, number)))
    }
}

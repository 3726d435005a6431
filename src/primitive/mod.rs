//! What rays can meet: one file per primitive, with its value type, its block of eight in columns,
//! and its kernel.
//!
//! A block kernel tests one ray against the eight primitives of a block. It knows no tree, no
//! threads and no files.

mod aabb;
mod triangle;

pub use aabb::{Aabb, AabbBlock, BoxHits};
pub use triangle::{Culling, TriangleBlock, TriangleHits};

pub(crate) use aabb::SlabRay;

use crate::hit::Candidate;
use crate::ray::Ray;
use crate::simd::Lanes;

/// Eight primitives of one kind: what traversal and brute force need to know of them.
pub(crate) trait Block: bytemuck::Pod + Send + Sync {
    /// What a ray is turned into once, before it meets any block.
    type PreparedRay: Copy;

    /// Prepares a ray that has no defect.
    fn prepare(ray: &Ray) -> Self::PreparedRay;

    /// Calls `visit` with the lane and the hit for every primitive of the block that the ray meets
    /// with `t_min ≤ t ≤ t_max`, in the order of the lanes.
    fn intersect<L: Lanes>(
        &self,
        lanes: L,
        ray: &Self::PreparedRay,
        interval: [f32; 2],
        culling: Culling,
        visit: impl FnMut(usize, Candidate),
    );

    /// The right-handed normal of the primitive in a lane, not normalised.
    fn geometric_normal(&self, lane: usize) -> [f32; 3];

    /// The numbers of the primitives in the block.
    fn numbers(&self) -> impl Iterator<Item = u32>;
}

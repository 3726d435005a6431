//! What scenes of `f32` and `f64` have in common.

use std::sync::Arc;

use super::{Geometry, Scene, SceneBuilder};
use crate::answers::Numbering;
use crate::error::Result;
use crate::kernel::ExactScalar;
use crate::leaf::RayBlock;
use crate::query::{ChunkCast, Place, SingleClosestHit, Sink, Target};
use crate::simd::Backend;
use crate::status::Status;
use crate::threads::{Spread, Threads};
use crate::tree::{BuildQuality, BvhStatistics};
use crate::value::{Aabb, Affine, Ray, RayBatch};

/// The precision of a scene: `f32` or `f64`.
///
/// Coordinates are at most 2¹⁰⁰ in magnitude. Scenes of `f64` are for survey coordinates, millions of metres from their
/// origin, and other content for which `f32` is too coarse: see [`Scene`].
#[expect(private_bounds, reason = "there are no others: the parts of a scene are not for callers")]
pub trait Precision: ExactScalar + Parts {}

impl<T: Parts> Precision for T {}

/// The parts of a scene, and all that is compiled for them.
///
/// Callers compile what is generic over the precision. These methods are not: they keep trees and traversal out of the
/// caller's crate.
pub(crate) trait Parts: ExactScalar {
    /// The tree over its triangles.
    type Tree: Tree<Self>;

    /// Its content beside triangles.
    type Others: Others<Self>;

    /// Builds a scene.
    fn build(builder: SceneBuilder<'_, Self>) -> Result<Scene<Self>>;

    /// Checks that the tree of a scene is whole.
    fn validate(scene: &Scene<Self>) -> std::result::Result<(), String>;

    /// Casts rays at a scene, placed or not.
    fn cast(cast: &ChunkCast<'_, Self>, part: &ScenePart<'_, '_, '_, Self>, sink: &mut dyn Sink<Self>);

    /// The first hit of a ray by itself, of all that a scene of triangles holds.
    fn closest(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> SingleClosestHit<Self>;

    /// Whether it hits anything.
    fn any(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> Status;
}

/// A triangle with its number within the scene.
pub(crate) type Numbered<T> = ([[T; 3]; 3], u32);

/// A tree over triangles.
pub(crate) trait Tree<T: ExactScalar>: Target<T> + Sized + std::fmt::Debug + Clone + Send {
    type Block: RayBlock<T>;

    /// A tree over `count` triangles, each by its index. `None` if it is too large.
    fn of_triangles(
        count: usize,
        triangle: impl Fn(u32) -> Numbered<T> + Sync,
        quality: BuildQuality,
        spread: Spread,
    ) -> Option<Self>;

    /// Every leaf.
    fn blocks(&self) -> &[Self::Block];

    /// The triangles of a leaf.
    fn triangles(block: &Self::Block) -> impl Iterator<Item = Numbered<T>>;

    /// The box around everything.
    fn bounds(&self) -> Aabb<T>;

    fn statistics(&self) -> BvhStatistics;

    /// Checks the tree over `count` primitives, some of which are elsewhere.
    fn validate(&self, count: usize, is_elsewhere: impl Fn(u32) -> bool) -> std::result::Result<(), String>;
}

/// An instance to be placed: scene, map and mask.
pub(crate) type ToPlace = (Arc<Scene>, Affine, u32);

/// The content of a scene beside its own triangles.
pub(crate) trait Others<T: Precision>: Sized + std::fmt::Debug + Clone + Send + Sync {
    /// From the geometries, with their numbering, and instances; `bounds` is the box around the triangles.
    fn new(
        geometries: Vec<Geometry<'_, T>>,
        instances: Vec<ToPlace>,
        numbering: &Numbering,
        bounds: &Aabb<T>,
        threads: &Threads,
    ) -> Result<Self>;

    /// Whether it is empty.
    fn is_empty(&self) -> bool;

    /// Whether hits name instances.
    fn has_instances(&self) -> bool;

    /// Whether it holds the primitive with this number.
    fn hold(&self, number: u32) -> bool;

    /// The box around all of it.
    fn bounds(&self) -> Aabb<T>;

    /// Casts the rays of a scene part at this content, after they were cast at the triangles.
    fn cast(&self, cast: &ChunkCast<'_, T>, part: &ScenePart<'_, '_, '_, T>, sink: &mut dyn Sink<T>);
}

/// A scene and its place: the outermost scene, or one placed by an instance.
pub(crate) struct ScenePart<'a, 'r, 'p, T: Precision> {
    pub(crate) scene: &'a Scene<T>,
    pub(crate) place: Place<'p, T>,
    /// The rays in its frame.
    pub(crate) rays: &'a RayBatch<'r, T>,
}

impl<T: Precision> ChunkCast<'_, T> {
    /// Casts rays at all content of a scene. The previous content of `sink` does not matter.
    pub(crate) fn run(&self, scene: &Scene<T>, rays: &RayBatch<'_, T>, sink: &mut dyn Sink<T>) {
        T::cast(self, &ScenePart { scene, place: Place::WHOLE, rays }, sink);
    }
}

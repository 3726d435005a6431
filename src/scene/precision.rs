//! The parts of scenes that differ between `f32` and `f64`, and all that is compiled for each.

use super::chunk::ScenePart;
#[cfg(feature = "scene-files")]
use super::file::{check_all, open_all, sections_of};
use super::{Locating, Overlaps, PointSearch, Scene, SceneBuilder};
use crate::answers::SurfaceRows;
use crate::chunks::Chunk;
#[cfg(feature = "scene-files")]
use crate::error::FileProblem;
use crate::error::{Error, Result};
use crate::kernel::ExactScalar;
use crate::leaf::{TriangleBlock, TriangleBlockF64};
use crate::query::{Asked, PointAnswer, SingleClosestHit, Sink};
use crate::simd::{Backend, with_default_float_mode};
use crate::status::Status;
#[cfg(feature = "scene-files")]
use crate::store::{Reading, SectionWriter};
use crate::threads::{Stop, Threads};
use crate::traverse::{Numbered, Target};
use crate::tree::{AnchoredBvh, BuildQuality, Bvh, BvhStatistics, Fetch, HasBoxFrame};
use crate::value::{Ray, RayBatch};

/// The precision of a scene: `f32` or [`f64`](Scene#scenes-of-f64).
#[expect(private_bounds, reason = "there are no others: the parts of a scene are not for callers")]
pub trait Precision: ExactScalar + Compiled {}

impl<T: Compiled> Precision for T {}

/// The leaves of a scene's triangles.
pub(crate) type BlockOf<T> = <<T as Compiled>::Tree as Target<T>>::Block;

/// What differs between the precisions, and what is compiled for each of them here: callers compile
/// what is generic over the precision, but neither trees nor traversal. Bodies stand twice, as
/// callers would compile those of default methods.
pub(crate) trait Compiled: HasBoxFrame {
    type Tree: Target<Self, Viewpoint = <Self as HasBoxFrame>::Viewpoint>;

    const IS_F64: bool = size_of::<Self>() == size_of::<f64>();

    fn build(builder: SceneBuilder<'_, Self>) -> Result<Scene<Self>>;

    /// Opens the scene of a file, with all that is placed in it.
    #[cfg(feature = "scene-files")]
    fn open_scene(file: &Reading<'_>, backend: Backend) -> Result<Scene<Self>, FileProblem>;

    /// Checks what a file holds but for checksums.
    #[cfg(feature = "scene-files")]
    fn check_file(file: &Reading<'_>, backend: Backend) -> Result<(), FileProblem>;

    /// What a file holds of the scene.
    #[cfg(feature = "scene-files")]
    fn sections(scene: &Scene<Self>) -> Result<SectionWriter<'_>, FileProblem>;

    fn statistics(tree: &Self::Tree) -> BvhStatistics;

    fn validate(scene: &Scene<Self>, stop: Stop<'_>) -> Result<()>;

    /// The first hit of a ray by itself, of all that a scene of triangles holds.
    fn closest(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> SingleClosestHit<Self>;

    fn any(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> Status;

    /// Casts rays at all content of a scene.
    fn cast(part: &ScenePart<'_, '_, Self>, sink: &mut dyn Sink<Self>);

    /// Finds the closest points of all content: through the trees, or by brute force.
    fn closest_points(scene: &Scene<Self>, asked: &Asked<'_, Self>, into: &mut [PointAnswer<Self>]);

    /// Finds points and normals of the hits of a chunk.
    fn locate_hits(
        locating: &Locating<'_, Self>,
        rays: &RayBatch<'_, Self>,
        chunk: &Chunk<'_>,
        into: &mut SurfaceRows<'_, Self>,
    ) -> Result<()>;

    fn find_overlaps(overlaps: &mut Overlaps<'_>, scene: &Scene<Self>);

    /// Gives the primitives near the point in a row.
    fn find_near(
        search: &mut PointSearch<'_, Self>,
        row: usize,
        most: u32,
        give: &mut dyn FnMut(PointAnswer<Self>),
    ) -> Status;
}

impl Compiled for f32 {
    type Tree = Bvh<TriangleBlock>;

    fn build(builder: SceneBuilder<'_, Self>) -> Result<Scene<Self>> {
        builder.build_scene()
    }

    #[cfg(feature = "scene-files")]
    fn open_scene(file: &Reading<'_>, backend: Backend) -> Result<Scene<Self>, FileProblem> {
        open_all(file, backend)
    }

    #[cfg(feature = "scene-files")]
    fn check_file(file: &Reading<'_>, backend: Backend) -> Result<(), FileProblem> {
        with_default_float_mode(|| check_all::<Self>(file, backend))
    }

    #[cfg(feature = "scene-files")]
    fn sections(scene: &Scene<Self>) -> Result<SectionWriter<'_>, FileProblem> {
        sections_of(scene)
    }

    fn statistics(tree: &Self::Tree) -> BvhStatistics {
        with_default_float_mode(|| tree.bvh().statistics())
    }

    fn validate(scene: &Scene<Self>, stop: Stop<'_>) -> Result<()> {
        with_default_float_mode(|| scene.expect_sound(stop))
    }

    fn closest(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> SingleClosestHit<Self> {
        scene.first_tree().closest_of(backend, ray)
    }

    fn any(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> Status {
        scene.first_tree().any_of(backend, ray)
    }

    fn cast(part: &ScenePart<'_, '_, Self>, sink: &mut dyn Sink<Self>) {
        part.at_everything(sink);
    }

    fn closest_points(
        scene: &Scene<Self>,
        asked: &Asked<'_, Self>,
        into: &mut [PointAnswer<Self>],
    ) {
        scene.closest_points_of_all(asked, into);
    }

    fn locate_hits(
        locating: &Locating<'_, Self>,
        rays: &RayBatch<'_, Self>,
        chunk: &Chunk<'_>,
        into: &mut SurfaceRows<'_, Self>,
    ) -> Result<()> {
        locating.run(rays, chunk, into)
    }

    fn find_overlaps(overlaps: &mut Overlaps<'_>, scene: &Scene<Self>) {
        overlaps.find(scene);
    }

    fn find_near(
        search: &mut PointSearch<'_, Self>,
        row: usize,
        most: u32,
        give: &mut dyn FnMut(PointAnswer<Self>),
    ) -> Status {
        search.find(row, most, give)
    }
}

impl Compiled for f64 {
    type Tree = AnchoredBvh<TriangleBlockF64>;

    fn build(builder: SceneBuilder<'_, Self>) -> Result<Scene<Self>> {
        builder.build_scene()
    }

    #[cfg(feature = "scene-files")]
    fn open_scene(file: &Reading<'_>, backend: Backend) -> Result<Scene<Self>, FileProblem> {
        open_all(file, backend)
    }

    #[cfg(feature = "scene-files")]
    fn check_file(file: &Reading<'_>, backend: Backend) -> Result<(), FileProblem> {
        with_default_float_mode(|| check_all::<Self>(file, backend))
    }

    #[cfg(feature = "scene-files")]
    fn sections(scene: &Scene<Self>) -> Result<SectionWriter<'_>, FileProblem> {
        sections_of(scene)
    }

    fn statistics(tree: &Self::Tree) -> BvhStatistics {
        with_default_float_mode(|| tree.bvh().statistics())
    }

    fn validate(scene: &Scene<Self>, stop: Stop<'_>) -> Result<()> {
        with_default_float_mode(|| scene.expect_sound(stop))
    }

    fn closest(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> SingleClosestHit<Self> {
        scene.first_tree().closest_of(backend, ray)
    }

    fn any(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> Status {
        scene.first_tree().any_of(backend, ray)
    }

    fn cast(part: &ScenePart<'_, '_, Self>, sink: &mut dyn Sink<Self>) {
        part.at_everything(sink);
    }

    fn closest_points(
        scene: &Scene<Self>,
        asked: &Asked<'_, Self>,
        into: &mut [PointAnswer<Self>],
    ) {
        scene.closest_points_of_all(asked, into);
    }

    fn locate_hits(
        locating: &Locating<'_, Self>,
        rays: &RayBatch<'_, Self>,
        chunk: &Chunk<'_>,
        into: &mut SurfaceRows<'_, Self>,
    ) -> Result<()> {
        locating.run(rays, chunk, into)
    }

    fn find_overlaps(overlaps: &mut Overlaps<'_>, scene: &Scene<Self>) {
        overlaps.find(scene);
    }

    fn find_near(
        search: &mut PointSearch<'_, Self>,
        row: usize,
        most: u32,
        give: &mut dyn FnMut(PointAnswer<Self>),
    ) -> Status {
        search.find(row, most, give)
    }
}

/// Too many triangles also if `stop` says that it is to stop. Reports all triangles.
pub(super) fn build_tree<T: Compiled>(
    count: usize,
    triangles: &impl Fetch<Content = Numbered<T>>,
    quality: BuildQuality,
    threads: &Threads,
    stop: Stop<'_>,
) -> Result<T::Tree> {
    let spread = threads.spread(count).until(stop);
    let build = || T::Tree::build(count, triangles, quality, spread);
    let tree = threads.install(|| with_default_float_mode(build));
    tree.ok_or(Error::TooManyTriangles { triangles: count })
}

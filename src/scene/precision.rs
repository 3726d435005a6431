//! The parts of scenes that differ between `f32` and `f64`, and all that is compiled for each.

use super::chunk::ScenePart;
#[cfg(feature = "scene-files")]
use super::file::{TREE, VIEWPOINT, check_all, open_all};
use super::{Locating, NearMany, Overlaps, Scene, SceneBuilder};
use crate::answers::SurfaceRows;
use crate::chunks::Chunk;
#[cfg(feature = "scene-files")]
use crate::chunks::Watch;
#[cfg(feature = "scene-files")]
use crate::error::FileProblem;
use crate::error::{Error, Result};
use crate::kernel::ExactScalar;
use crate::leaf::{TriangleBlock, TriangleBlockF64, TriangleLeaf};
use crate::query::{Asked, PointAnswer, SingleClosestHit, Sink};
use crate::simd::{Backend, with_default_float_mode};
use crate::status::Status;
#[cfg(feature = "scene-files")]
use crate::store::Reading;
use crate::threads::{Spread, Stop, Threads};
use crate::traverse::Target;
use crate::tree::{AnchoredBvh, BuildQuality, Bvh, BvhStatistics, Fetch, HasBoxFrame};
#[cfg(feature = "scene-files")]
use crate::tree::{BoxFrame, OwnFrame};
use crate::value::{Aabb, Ray, RayBatch};
#[cfg(feature = "scene-files")]
use std::path::Path;

/// The precision of a scene: `f32` or [`f64`](Scene#scenes-of-f64).
#[expect(private_bounds, reason = "there are no others: the parts of a scene are not for callers")]
pub trait Precision: ExactScalar + Compiled {}

impl<T: Compiled> Precision for T {}

/// The leaves of a scene's triangles.
pub(crate) type BlockOf<T> = <<T as Parts>::Tree as Target<T>>::Block;

/// A triangle with its number within the scene.
pub(crate) type Numbered<T> = ([[T; 3]; 3], u32);

/// What differs between the precisions.
pub(crate) trait Parts: ExactScalar + HasBoxFrame {
    type Tree: Target<Self, Viewpoint = <Self as HasBoxFrame>::Viewpoint>
        + std::fmt::Debug
        + Clone
        + Send;

    const IS_F64: bool = size_of::<Self>() == size_of::<f64>();

    /// Too many triangles also if `stop` says that it is to stop.
    fn tree(
        count: usize,
        triangles: &impl Fetch<Content = Numbered<Self>>,
        quality: BuildQuality,
        threads: &Threads,
        stop: Stop<'_>,
    ) -> Result<Self::Tree>;

    /// The tree in these sections.
    #[cfg(feature = "scene-files")]
    fn open(file: &Reading<'_>, number: u32) -> Result<Self::Tree, FileProblem>;

    /// Lets `rewrite` move the triangles of all leaves, and fits all boxes. `None` if it is to
    /// stop: then the tree is of no use.
    fn refit(
        tree: &mut Self::Tree,
        rewrite: impl Fn(&mut BlockOf<Self>) + Sync,
        spread: Spread<'_>,
    ) -> Option<()>;

    /// A copy with memory of its own; `None` if it is to stop.
    fn copy(tree: &Self::Tree, spread: Spread<'_>) -> Option<Self::Tree>;

    fn bounds(tree: &Self::Tree) -> Aabb<Self>;
}

/// `$opened` is a tree of its parts.
macro_rules! parts {
    ($number:ty, $tree:ident, $block:ident, $opened:expr $(, $anchor:expr)?) => {
        impl Parts for $number {
            type Tree = $tree<$block>;

            fn tree(
                count: usize,
                triangles: &impl Fetch<Content = Numbered<Self>>,
                quality: BuildQuality,
                threads: &Threads,
                stop: Stop<'_>,
            ) -> Result<Self::Tree> {
                let box_of = |&(corners, _): &Numbered<Self>| Aabb::of_points(corners);
                let fill = |block: &mut $block, triangles: &[Numbered<Self>], _| block.fill(triangles);
                let spread = threads.spread(count).until(stop);
                let build = || $tree::build($($anchor,)? count, triangles, box_of, fill, quality, spread);
                let tree = threads.install(|| with_default_float_mode(build));
                tree.ok_or(Error::TooManyTriangles { triangles: count })
            }

            #[cfg(feature = "scene-files")]
            fn open(file: &Reading<'_>, number: u32) -> Result<Self::Tree, FileProblem> {
                let bvh: Bvh<$block> = Bvh::open(file, TREE, number)?;
                let (viewpoint, bounds) = BoxFrame::open(&bvh, file, VIEWPOINT, number)?;
                Ok($opened(bvh, viewpoint, bounds))
            }

            fn refit(
                tree: &mut Self::Tree,
                rewrite: impl Fn(&mut $block) + Sync,
                spread: Spread<'_>,
            ) -> Option<()> {
                let box_of =
                    |block: &$block| Aabb::of_points(block.triangles().flat_map(|(corners, _)| corners));
                tree.refit($($anchor,)? rewrite, box_of, spread)
            }

            fn copy(tree: &Self::Tree, spread: Spread<'_>) -> Option<Self::Tree> {
                tree.copy(spread)
            }

            fn bounds(tree: &Self::Tree) -> Aabb<Self> {
                tree.bounds
            }
        }
    };
}

parts!(f32, Bvh, TriangleBlock, (|bvh, _: OwnFrame, _: Aabb| bvh), None);
parts!(
    f64,
    AnchoredBvh,
    TriangleBlockF64,
    (|bvh, viewpoint, bounds| AnchoredBvh { bvh, viewpoint, bounds })
);

/// Declares functions for either precision, a line or two each.
macro_rules! compiled {
    ($($(#[$attribute:meta])* fn $name:ident($($arguments:tt)*) -> $result:ty = $body:expr;)+) => {
        /// What is compiled here: callers compile what is generic over the precision, but neither
        /// trees nor traversal.
        pub(crate) trait Compiled: Parts {
            $($(#[$attribute])* fn $name($($arguments)*) -> $result;)+
        }

        impl Compiled for f32 {
            $($(#[$attribute])* fn $name($($arguments)*) -> $result { $body })+
        }

        impl Compiled for f64 {
            $($(#[$attribute])* fn $name($($arguments)*) -> $result { $body })+
        }
    };
}

compiled! {
    fn build(builder: SceneBuilder<'_, Self>) -> Result<Scene<Self>> = builder.build_scene();

    /// Opens the scene of a file, with all that is placed in it.
    #[cfg(feature = "scene-files")]
    fn open_scene(file: &Reading<'_>, backend: Backend) -> Result<Scene<Self>, FileProblem> =
        open_all(file, backend);

    /// Checks what a file holds but for checksums.
    #[cfg(feature = "scene-files")]
    fn check_file(file: &Reading<'_>, backend: Backend) -> Result<(), FileProblem> =
        with_default_float_mode(|| check_all::<Self>(file, backend));

    #[cfg(feature = "scene-files")]
    fn write_scene(scene: &Scene<Self>, path: &Path, watch: Option<&Watch<'_>>) -> Result<()> =
        scene.write_sections(path, watch);

    fn statistics(tree: &Self::Tree) -> BvhStatistics = with_default_float_mode(|| tree.bvh().statistics());

    fn validate(scene: &Scene<Self>, stop: Stop<'_>) -> Result<()> =
        with_default_float_mode(|| scene.expect_sound(stop));

    /// The first hit of a ray by itself, of all that a scene of triangles holds.
    fn closest(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> SingleClosestHit<Self> =
        scene.tree.closest_of(backend, ray);

    fn any(scene: &Scene<Self>, backend: Backend, ray: &Ray<Self>) -> Status = scene.tree.any_of(backend, ray);

    /// Casts rays at all content of a scene.
    fn cast(part: &ScenePart<'_, '_, Self>, sink: &mut dyn Sink<Self>) -> () = part.at_everything(sink);

    /// Finds the closest points of all content: through the trees, or by brute force.
    fn closest_points(scene: &Scene<Self>, asked: &Asked<'_, Self>, into: &mut [PointAnswer<Self>]) -> () =
        scene.find_closest_points(asked, into);

    /// Finds points and normals of the hits of a chunk.
    fn locate_hits(
        locating: &Locating<'_, Self>,
        rays: &RayBatch<'_, Self>,
        chunk: &Chunk<'_>,
        into: &mut SurfaceRows<'_, Self>
    ) -> Result<()> = locating.run(rays, chunk, into);

    fn find_overlaps(overlaps: &mut Overlaps<'_>, scene: &Scene<Self>) -> () = overlaps.find(scene);

    /// Gives the primitives near the point in a row.
    fn find_near(
        search: &mut NearMany<'_, Self>,
        row: usize,
        most: u32,
        give: &mut dyn FnMut(PointAnswer<Self>)
    ) -> Status = search.find(row, most, give);
}

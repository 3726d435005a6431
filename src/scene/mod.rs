//! Scenes: geometries, their trees, instances, and the cast of one chunk at all of these.

mod builder;
mod change;
mod chunk;
mod closed;
mod fields;
#[cfg(feature = "scene-files")]
mod file;
mod geometry;
mod instances;
mod labels;
mod locate;
mod near;
mod open_edges;
mod overlap;
mod pieces;
mod precision;
mod search;
mod shapes;
mod solid_angles;
mod sound;
mod surface;
mod weld;
mod winding;

pub use crate::leaf::surface::GeometryView;
pub use crate::tree::BvhStatistics;
pub use builder::SceneBuilder;
pub use change::{AllChanges, Builds, Change};
pub(crate) use chunk::ChunkCast;
pub use closed::OpenEdge;
#[cfg(feature = "scene-files")]
pub use file::SceneFile;
pub use geometry::Geometry;
pub use locate::Pick;
pub(crate) use near::PointSearch;
pub(crate) use overlap::Overlaps;
pub use precision::Precision;
pub(crate) use solid_angles::Angles;
pub(crate) use surface::Locating;
pub use surface::VertexNormals;
pub use weld::Welded;
pub(crate) use winding::Views;

use std::sync::OnceLock;

use crate::answers::Numbering;
use crate::chunks::{Watch, until_stopped};
use crate::columns::{StridedRows, shown};
use crate::error::Result;
use crate::leaf::{Primitives, Shape, TriangleLeaf};
use crate::query::{Masks, Visible};
use crate::shapes::Shapes;
use crate::simd::{Backend, with_default_float_mode};
use crate::threads::{Spread, Threads, UNSTOPPED, step};
use crate::traverse::{Numbered, Target};
use crate::value::Aabb;
use change::STOPPED;
use instances::{Instance, Instances};
use labels::{Ids, Kept};

/// Triangle meshes, other primitives and placed scenes: the target of [requests](crate#requests).
///
/// A scene is `Send` and `Sync`: share it by reference or in an `Arc`. It is not `Clone`, as a copy
/// takes as much memory as the scene: [`deep_copy`](Self::deep_copy) says so where it is called.
///
/// # Scenes of `f64`
///
/// `Scene<f64>` is for survey coordinates, millions of metres from their origin, and other content
/// for which `f32` is too coarse. It gives the answers of a scene of `f32` with `t`, u and v in
/// `f64`, up to the rounding of `f64` itself:
///
/// - Shearing moves each vertex, alike for all triangles that share it, by at most 2 ε X + 4 ε Z. X
///   and Z are its distances from the ray's origin along an axis and along the longest axis of the
///   direction, and ε is 2⁻⁵³.
/// - On these vertices hits are decided exactly, as by
///   [`Watertight`](crate::primitive::Watertight). u and v are right to 2⁻⁴⁷. [`t` is
///   off](crate::primitive::Watertight#how-far-off-t-is) as there, and by 2⁻⁴⁶ of itself more at
///   triangles that reach no more than twice as far as the hit. Their last bits may differ from
///   those of that test by itself.
/// - Where products of differences of coordinates are below 10⁻²⁹⁰, in triangles smaller than
///   10⁻¹⁴⁵, nothing is exact.
/// - Boxes and spheres are tested as in `f32`, and `t` is not rounded once more.
/// - A ray in an instance is rounded to `f64` there, as stated at [`SceneBuilder::instance`]. That
///   moves it by some 2⁻⁵⁰ of the coordinates in both frames, more where the map stretches one way
///   more than another.
/// - Distances and closest points are rounded as `f64` rounds differences of coordinates, their
///   products and sums. A distance is within a radius if, rounded, it is not greater. Distances
///   below 10⁻¹⁵⁰ count as 0.
///
/// A leaf takes three times the memory of a leaf of `f32`. Boxes of the tree are in `f32`, finest
/// where most of the content is. Of two distant places with about as much content each, one has
/// coarse boxes: make two scenes, or instances.
///
/// It has all that a scene of `f32` has, at two thirds of its speed and more. Instances of a scene
/// are of its own precision, and so are primitives of the caller's own,
/// [`Primitives<f64>`](crate::primitive::Primitives). Functions whose arguments do not tell the
/// precision are named with it: `SceneBuilder::<f64>::default()` begins a scene, and
/// `Scene::<f64>::open(path)` opens one from a [scene file](crate::scene).
///
/// ```
/// use lanecast::{Ray, Scene};
/// // A hectare of ground, in metres from the centre of the earth.
/// let vertices = [[6.378e6, 0.0, 0.0], [6.378e6, 100.0, 0.0], [6.378e6, 0.0, 100.0]];
/// let scene = Scene::<f64>::from_triangles(&vertices, &[[0, 1, 2]])?;
/// let ray = Ray::new([6.378e6 + 0.125, 25.0, 50.0], [-1.0, 0.0, 0.0]);
/// let hit = scene.cast(&ray).closest()?.expect("a hit");
/// assert_eq!((hit.t, hit.u, hit.v), (0.125, 0.25, 0.5));
/// # Ok::<(), lanecast::Error>(())
/// ```
pub struct Scene<T: Precision = f32> {
    pub(crate) tree: T::Tree,
    pub(crate) numbering: Numbering,
    pub(crate) masks: Masks,
    /// The ids of geometries.
    ids: Ids,
    kept: Kept,
    triangles: usize,
    backend: Backend,
    shapes: Shapes<T>,
    /// The tree over the triangles of fields of heights.
    fields: T::Tree,
    instances: Instances<T>,
    derived: DerivedCache<T>,
    welded: Option<Welded>,
    #[cfg(feature = "scene-files")]
    file: Option<std::sync::Arc<crate::store::SectionFile>>,
}

shown!([T: Precision] Scene<T> as "Scene", self {
    "triangles": self.triangles,
    "primitives": self.numbering.count(),
    "geometries": self.geometry_count(),
    "instances": self.instance_count(),
    "precision": format_args!("{}", std::any::type_name::<T>()),
    "backend": self.backend,
});

/// Computed on first use; every mutation that affects it clears it.
#[derive(Debug, Clone, Default)]
struct DerivedCache<T> {
    /// Where each triangle is, by its number.
    place_of_each: OnceLock<Vec<u32>>,
    open_edge: OnceLock<Option<OpenEdge<T>>>,
    summed: OnceLock<winding::Summed<T>>,
    /// The first shape that lacks each.
    lacking: [OnceLock<Option<PlacedShape>>; 3],
}

/// A query that the shapes of a caller may lack: closest points, or, if they are visible, the
/// inside.
#[derive(Debug, Clone, Copy)]
enum Lack {
    Inside,
    ClosestPoints,
    /// The same where an instance stretches or shears.
    StretchedClosestPoints,
}

/// A geometry, and the instances around it, outermost first.
type PlacedShape = (u32, Vec<u32>);

impl<T: Precision> Scene<T> {
    /// A scene of one triangle mesh, on the backend of [`Backend::detect`], with the errors of
    /// [`SceneBuilder::triangle_mesh`] and [`SceneBuilder::build`]. Its precision is that of the
    /// vertices; number literals of no other type are `f64`, as everywhere.
    pub fn from_triangles<'a>(
        vertices: impl Into<StridedRows<'a, T, 3>>,
        triangles: impl Into<StridedRows<'a, u32, 3>>,
    ) -> Result<Self> {
        SceneBuilder::default().triangle_mesh(vertices, triangles)?.build()
    }
}

impl<T: Precision> Scene<T> {
    /// The number of triangles of all meshes, without those of instances.
    pub fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// The number of primitives of all geometries, triangles and others, without those of
    /// instances.
    pub fn primitive_count(&self) -> usize {
        self.numbering.count()
    }

    #[inline]
    pub(crate) fn has_only_triangles(&self) -> bool {
        !self.has_instances()
            && (self.shapes.is_empty || !self.shapes.has_others && self.tree.bvh().is_empty())
    }

    /// The tree over triangles at which rays and points begin: that over fields of heights where
    /// there is no mesh.
    #[inline]
    pub(crate) fn first_tree(&self) -> &T::Tree {
        if self.shapes.is_empty || !self.tree.bvh().is_empty() { &self.tree } else { &self.fields }
    }

    #[inline]
    pub(crate) fn has_instances(&self) -> bool {
        !self.instances.placed.is_empty()
    }

    /// The number of geometries, empty ones included.
    pub fn geometry_count(&self) -> usize {
        self.ids.count()
    }

    /// The ids of all geometries, from the lowest on: 0 to
    /// [`geometry_count`](Self::geometry_count), unless some were [removed](Change::remove).
    pub fn geometry_ids(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.ids.each()
    }

    /// All triangles in the order of the tree: geometry id, primitive id and corners.
    pub fn triangles(&self) -> impl Iterator<Item = (u32, u32, [[T; 3]; 3])> {
        self.numbered_triangles().map(|(corners, number)| {
            let (geometry_id, primitive_id) = self.numbering.ids(number);
            (geometry_id, primitive_id, corners)
        })
    }

    /// All triangles in the order of the tree.
    fn numbered_triangles(&self) -> impl Iterator<Item = Numbered<T>> {
        self.tree.bvh().blocks().iter().flat_map(TriangleLeaf::triangles)
    }

    /// A box around everything: the least box around meshes and around the boxes of other
    /// primitives, and a box around the bounds of each instance. Empty for an empty scene.
    pub fn bounds(&self) -> Aabb<T> {
        self.own_bounds().union(&self.instances.frames.bounds)
    }

    /// The result of [welding](SceneBuilder::weld) when the scene was built, which scene files do
    /// not keep.
    pub fn welded(&self) -> Option<Welded> {
        self.welded
    }

    /// The backend of queries, unless a request names another.
    #[inline]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The mask of a geometry; [`Error::UnknownGeometry`](crate::Error::UnknownGeometry) if there
    /// is none with that number.
    pub fn mask(&self, geometry_id: u32) -> Result<u32> {
        self.expect_geometry(geometry_id)?;
        Ok(self.masks.of_geometries[geometry_id as usize])
    }

    /// Sets the [mask](Self::mask) of a geometry, of all bits at first: rays meet it if their own
    /// [mask](crate::Cast::mask), else of all bits, has a bit in common with it. One with a mask of
    /// 0 is hidden. Errors are those of [`mask`](Self::mask).
    pub fn set_mask(&mut self, geometry_id: u32, mask: u32) -> Result<()> {
        let hidden = self.mask(geometry_id)? == 0;
        self.masks.set(geometry_id, mask);
        if hidden != (mask == 0) {
            self.forget_surfaces();
        }
        Ok(())
    }

    /// Clears all values that follow from visible geometries and placed scenes.
    fn forget_surfaces(&mut self) {
        let place_of_each = std::mem::take(&mut self.derived.place_of_each);
        self.derived = DerivedCache { place_of_each, ..DerivedCache::default() };
    }

    /// The primitives that are not hidden from all queries.
    pub(crate) fn visible(&self) -> Visible<'_> {
        Visible { numbering: &self.numbering, masks: self.masks.that_hide() }
    }

    /// Statistics of the tree over the scene's own triangles, by a pass over all nodes.
    pub fn statistics(&self) -> BvhStatistics {
        T::statistics(&self.tree)
    }

    /// Checks the trees over triangles and over other primitives: each is in one leaf, every leaf
    /// is as it was built, and every box holds all below it, with the slack for rounding.
    /// [`Error::DamagedScene`](crate::Error::DamagedScene) names the first fault, which is a defect
    /// of lanecast or of the file that the scene was opened from. Trees over fields of heights are
    /// not checked: no file has them.
    pub fn validate(&self) -> Result<()> {
        T::validate(self, None)
    }

    /// [`validate`](Self::validate) with a watcher, which gets the share of the work that is done,
    /// in primitives. [`Error::Stopped`](crate::Error::Stopped) if it stopped the call.
    pub fn validate_watched(&self, watch: &Watch<'_>) -> Result<()> {
        let total = self.primitive_count();
        until_stopped(total, Some(watch), |stop| {
            step(stop, total, self.line_count(), |stop| T::validate(self, stop))
        })
    }

    /// The lines of the trees of the scene itself.
    pub(super) fn line_count(&self) -> usize {
        self.tree.bvh().arena.line_count() + self.shapes.tree.bvh.arena.line_count()
    }

    /// A copy with memory of its own, as large as this scene; placed scenes are shared.
    #[must_use]
    pub fn deep_copy(&self) -> Self {
        self.deep_copy_until(Spread::ALONE).expect(UNSTOPPED)
    }

    /// [`deep_copy`](Self::deep_copy) on these threads, with a watcher, which gets the share of the
    /// work that is done, in primitives, and may stop it by
    /// [`Error::Stopped`](crate::Error::Stopped).
    pub fn deep_copy_watched(&self, threads: &Threads, watch: &Watch<'_>) -> Result<Self> {
        let total = self.primitive_count();
        until_stopped(total, Some(watch), |stop| {
            let spread = threads.spread(total).until(stop);
            let copy =
                || spread.step(total, self.line_count(), |spread| self.deep_copy_until(spread));
            threads.install(copy).ok_or(STOPPED)
        })
    }

    fn deep_copy_until(&self, spread: Spread<'_>) -> Option<Self> {
        Some(Self {
            tree: self.tree.copy(spread)?,
            numbering: self.numbering.clone(),
            masks: self.masks.clone(),
            ids: self.ids.clone(),
            kept: self.kept.clone(),
            shapes: self.shapes.clone(),
            fields: self.fields.clone(),
            instances: self.instances.clone(),
            derived: self.derived.clone(),
            #[cfg(feature = "scene-files")]
            file: self.file.clone(),
            ..*self
        })
    }

    /// The first shape with primitives that lacks this, of the scene itself or else of the scenes
    /// placed in it.
    fn first_lacking(&self, what: Lack) -> Option<&PlacedShape> {
        let lacks = |&(id, shape): &(u32, &Shape<T>)| match what {
            _ if shape.count() == 0 => false,
            Lack::Inside => self.masks.of_geometries[id as usize] != 0 && !shape.is_closed(),
            Lack::ClosestPoints => !shape.has_nearest_points(false),
            Lack::StretchedClosestPoints => !shape.has_nearest_points(true),
        };
        let placed = |(number, instance): (u32, &Instance<T>)| {
            let counts = instance.mask != 0 || !matches!(what, Lack::Inside);
            let what = match what {
                Lack::ClosestPoints if !instance.transform.keeps_angles() => {
                    Lack::StretchedClosestPoints
                }
                _ => what,
            };
            let (geometry_id, path) = instance.scene.first_lacking(what).filter(|_| counts)?;
            Some((*geometry_id, [&[number], &path[..]].concat()))
        };
        let find = || {
            let own =
                self.shapes.each().find(lacks).map(|(geometry_id, _)| (geometry_id, Vec::new()));
            own.or_else(|| (0..).zip(&self.instances.placed).find_map(placed))
        };
        self.derived.lacking[what as usize].get_or_init(find).as_ref()
    }

    /// Statistics of the tree over all primitives other than triangles.
    pub fn statistics_of_others(&self) -> BvhStatistics {
        let of_shapes = with_default_float_mode(|| self.shapes.tree.bvh.statistics());
        T::statistics(&self.fields).and(&of_shapes)
    }
}

//! Scenes: geometries, their trees, instances, and the cast of one chunk at all of these.
//!
//! | file | content |
//! |---|---|
//! | `builder`, `geometry`, `weld` | what goes into a scene, checked and welded |
//! | `precision` | the parts that differ between `f32` and `f64` |
//! | `chunk` | casts the rays of a chunk at triangles, shapes and instances |
//! | `instances` | placed scenes |
//! | `near` | points at all content of a scene |
//! | `closed`, `closing` | open edges, and the tolerance that closes them |
//! | `change`, `locate` | changes, and hits with points and normals |
//! | `file` | scene files |

mod builder;
mod change;
mod chunk;
mod closed;
mod closing;
#[cfg(feature = "scene-files")]
mod file;
mod geometry;
mod instances;
mod locate;
mod near;
mod precision;
mod weld;

pub use crate::tree::BvhStatistics;
pub use builder::SceneBuilder;
pub use closed::OpenEdge;
pub use geometry::{Geometry, GeometryView};
pub use locate::Pick;
pub(crate) use near::Everything;
pub use precision::Precision;
pub use weld::Welded;

use std::sync::{Arc, OnceLock};

use crate::answers::{INVALID_ID, Numbering};
use crate::error::Result;
use crate::leaf::{Primitives, Shape};
use crate::query::{Masks, Visible};
use crate::shapes::Shapes;
use crate::simd::{Backend, with_default_float_mode};
use crate::value::{Aabb, Affine};
use instances::{Instance, Instances};

/// Triangle meshes, other primitives and placed scenes: the target of rays and queries of points.
///
/// Requests: [`cast`](Self::cast) for rays, [`points`](Self::points), [`point`](Self::point) and [`grid`](Self::grid) for
/// points, [`sight`](Self::sight) for lines of sight. [`locate`](Self::locate) gives the point and the normals of a hit.
/// Answers depend only on the geometry, the ray and the options that select hits: not on the backend, the threads, the order
/// of the batch or the tree.
///
/// A scene is `Send` and `Sync`. Share it by reference or in an [`Arc`]. It is not `Clone`, as a copy takes as much memory
/// as the scene: [`deep_copy`](Self::deep_copy) makes one.
///
/// # Scenes of `f64`
///
/// `Scene<f64>` is for survey coordinates, millions of metres from their origin, and other content for which `f32` is too
/// coarse. It gives the answers of a scene of `f32` with `t`, u and v in `f64`. The place of the origin of coordinates
/// matters only through the rounding of `f64` itself:
///
/// - Shearing moves each vertex, alike for all triangles that share it, by at most 2 ε X + 4 ε Z. X and Z are its distances
///   from the ray's origin along an axis and along the longest axis of the direction, and ε is 2⁻⁵³.
/// - On these vertices hits are decided exactly, as by [`Watertight`](crate::primitive::Watertight). u and v are right to
///   2⁻⁴⁷, and `t` to 2⁻⁴⁶ of the greatest `t` at a vertex; their last bits may differ from those of that test by itself.
/// - Where products of differences of coordinates are below 10⁻²⁹⁰, in triangles smaller than 10⁻¹⁴⁵, nothing is exact.
/// - Boxes of the tree are in `f32`, relative to a point amid most of the triangles, and wide enough: the answers are those
///   of testing every triangle.
///
/// A leaf takes three times the memory of a leaf of `f32`. Boxes are finest where most of the triangles are, however far
/// away others lie. Of two distant places with about as many triangles each, one has boxes as coarse as `f32` at that
/// distance: make two scenes.
///
/// `Scene<f64>` does not have yet:
///
/// - instances, boxes, spheres and other primitives ([`SceneBuilder`] takes triangle meshes only);
/// - queries of points and grids, lines of sight;
/// - [`pick`](crate::Cast::pick), [`locate`](Self::locate), [`triangle`](Self::triangle), [`geometry`](Self::geometry);
/// - [`refit`](Self::refit), [`replace`](Self::replace), [`rebuild`](Self::rebuild);
/// - [`open_edge`](Self::open_edge), [`closing_tolerance`](Self::closing_tolerance);
/// - scene files.
///
/// Instead, a scene of `f32` may have an origin nearby: subtract the same point from the vertices and from the rays' origins
/// in `f64`, and round the differences to `f32`.
///
/// ```
/// use lanecast::{Ray, SceneBuilder};
/// // A hectare of ground, in metres from the centre of the earth.
/// let vertices = [[6.378e6, 0.0, 0.0], [6.378e6, 100.0, 0.0], [6.378e6, 0.0, 100.0]];
/// let scene = SceneBuilder::<f64>::default().triangle_mesh(&vertices, &[[0, 1, 2]])?.build()?;
/// let ray = Ray::new([6.378e6 + 0.125, 25.0, 50.0], [-1.0, 0.0, 0.0]);
/// let hit = scene.cast(&ray).closest()?.expect("a hit");
/// assert_eq!((hit.t, hit.u, hit.v), (0.125, 0.25, 0.5));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug)]
pub struct Scene<T: Precision = f32> {
    pub(crate) tree: T::Tree,
    pub(crate) numbering: Numbering,
    pub(crate) masks: Masks,
    triangles: usize,
    backend: Backend,
    pub(crate) others: Others,
    derived: DerivedCache,
    /// The result of welding before the tree was built.
    welded: Option<Welded>,
    /// The file that it was opened from.
    #[cfg(feature = "scene-files")]
    file: Option<Arc<file::SceneFile>>,
}

/// Computed on first use; every mutation that affects it clears it.
#[derive(Debug, Clone, Default)]
struct DerivedCache {
    /// The leaf of each triangle, by its number.
    block_of_each: OnceLock<Vec<u32>>,
    /// The first visible edge at which a surface of triangles ends, instances included.
    open_edge: OnceLock<Option<OpenEdge>>,
    /// The first visible shape that is not closed.
    open_shape: OnceLock<Option<PlacedShape>>,
    /// The first shape without closest points.
    silent_shape: OnceLock<Option<PlacedShape>>,
}

/// A geometry, and the instances around it, outermost first.
type PlacedShape = (u32, Vec<u32>);

/// An instance to be placed: scene, map and mask.
type ToPlace = (Arc<Scene>, Affine, u32);

/// Geometries other than meshes, and instances. Scenes of `f64` have none.
#[derive(Debug, Clone)]
pub(crate) struct Others {
    shapes: Shapes,
    instances: Instances,
}

impl Others {
    /// `triangles` is the box around the triangles of the scene.
    fn new(shapes: Shapes, to_place: Vec<ToPlace>, triangles: &Aabb) -> Result<Self> {
        let placed =
            to_place.into_iter().enumerate().map(|(number, to_place)| Instance::new(to_place, number));
        let instances = Instances::new(placed, &triangles.union(&shapes.bounds()))?;
        Ok(Self { shapes, instances })
    }

    pub(crate) fn is_empty(&self) -> bool {
        !self.has_instances() && self.shapes.is_empty()
    }

    pub(crate) fn has_instances(&self) -> bool {
        !self.instances.placed.is_empty()
    }
}

impl<T: Precision> Scene<T> {
    /// The number of triangles of all meshes, without those of instances.
    pub fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// The number of primitives of all geometries, triangles and others, without those of instances.
    pub fn primitive_count(&self) -> usize {
        self.numbering.count()
    }

    /// The number of geometries, empty ones included.
    pub fn geometry_count(&self) -> usize {
        self.masks.count()
    }

    /// All triangles in the order of the tree: geometry id, primitive id and corners.
    pub fn triangles(&self) -> impl Iterator<Item = (u32, u32, [[T; 3]; 3])> {
        T::blocks(&self.tree).iter().flat_map(T::triangles).map(|(corners, number)| {
            let (geometry_id, primitive_id) = self.numbering.ids(number);
            (geometry_id, primitive_id, corners)
        })
    }

    /// A box around everything: the least box around meshes and around the boxes of other primitives, and a box around the
    /// bounds of each instance. Empty for an empty scene.
    pub fn bounds(&self) -> Aabb<T> {
        let Aabb { min, max } = self.others.shapes.bounds().merged(&self.others.instances.frames.bounds);
        T::bounds(&self.tree).merged(&Aabb { min: min.map(T::of), max: max.map(T::of) })
    }

    /// The result of [welding](SceneBuilder::weld) when the scene was built; `None` without welding. Scene files do not keep
    /// it.
    pub fn welded(&self) -> Option<Welded> {
        self.welded
    }

    /// The backend of queries, unless a request names another.
    #[inline]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The mask of a geometry.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`](crate::Error::UnknownGeometry) if there is none with that number.
    pub fn mask(&self, geometry_id: u32) -> Result<u32> {
        self.masks.get(geometry_id)
    }

    /// Sets the mask of a geometry: it is met by rays whose [mask](crate::Cast::mask) has a bit in common with it, and rays
    /// without a mask have all bits. All bits are set at first. A geometry with a mask of 0 is hidden.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`](crate::Error::UnknownGeometry) if there is none with that number.
    pub fn set_mask(&mut self, geometry_id: u32, mask: u32) -> Result<()> {
        let hidden = self.masks.get(geometry_id)? == 0;
        self.masks.set(geometry_id, mask)?;
        if hidden != (mask == 0) {
            self.forget_surfaces();
        }
        Ok(())
    }

    /// Forgets all that follows from visible geometries and placed scenes.
    fn forget_surfaces(&mut self) {
        let block_of_each = std::mem::take(&mut self.derived.block_of_each);
        self.derived = DerivedCache { block_of_each, ..DerivedCache::default() };
    }

    /// The primitives that are not hidden from all queries.
    fn visible(&self) -> Visible<'_> {
        Visible { numbering: &self.numbering, masks: self.masks.that_hide() }
    }

    /// Statistics of the tree over the scene's own triangles. The trees over [other
    /// primitives](Scene::statistics_of_others), over instances and of placed scenes are not included. A pass over all
    /// nodes.
    pub fn statistics(&self) -> BvhStatistics {
        T::statistics(&self.tree)
    }

    /// Checks the tree: every triangle is in one leaf, and every box holds all boxes and triangles below it.
    ///
    /// # Errors
    /// A description of the first fault, which would be a defect of lanecast.
    pub fn validate(&self) -> std::result::Result<(), String> {
        T::validate(self)
    }

    /// A copy with memory of its own, as large as this scene; placed scenes are shared.
    #[must_use]
    pub fn deep_copy(&self) -> Self {
        Self {
            tree: self.tree.clone(),
            numbering: self.numbering.clone(),
            masks: self.masks.clone(),
            others: self.others.clone(),
            derived: self.derived.clone(),
            #[cfg(feature = "scene-files")]
            file: self.file.clone(),
            ..*self
        }
    }
}

impl Scene {
    /// A scene of one triangle mesh, on the backend of [`Backend::detect`].
    ///
    /// # Errors
    /// Those of [`SceneBuilder::triangle_mesh`] and [`SceneBuilder::build`].
    pub fn from_triangles(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        SceneBuilder::new().triangle_mesh(vertices, triangles)?.build()
    }

    /// The box around the scene's own primitives.
    fn own_bounds(&self) -> Aabb {
        self.tree.bounds().union(&self.others.shapes.bounds())
    }

    /// The first shape with primitives that `is_sought`, by its geometry id, or else the one that `of` knows of an instance.
    fn first_shape<'s>(
        &'s self,
        is_sought: impl Fn(u32, &Shape) -> bool,
        of: impl Fn(&'s Instance) -> Option<&'s PlacedShape>,
    ) -> Option<PlacedShape> {
        let mut shapes = (0..).zip(self.others.shapes.geometries());
        let is_sought = |id, shape: &Shape| shape.count() > 0 && is_sought(id, shape);
        let own = shapes.find(|&(id, shape)| shape.as_ref().is_some_and(|shape| is_sought(id, shape)));
        own.map(|(geometry_id, _)| (geometry_id, Vec::new())).or_else(|| {
            (0..).zip(&self.others.instances.placed).find_map(|(number, instance)| {
                let (geometry_id, path) = of(instance)?;
                Some((*geometry_id, [&[number], &path[..]].concat()))
            })
        })
    }

    /// The number of instances in this scene, without instances in instances.
    pub fn instance_count(&self) -> usize {
        self.others.instances.placed.len()
    }

    /// The instances around a [hit](crate::Hit::instance_id), outermost first, each by its number in the scene that places
    /// it. Empty for [`INVALID_ID`].
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if no hit can have that id.
    pub fn instance_path(&self, instance_id: u32) -> Result<Vec<u32>> {
        if instance_id == INVALID_ID { Ok(Vec::new()) } else { self.others.instances.path(instance_id) }
    }

    /// The map of an instance of this scene, by its number in the order of adding.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if there is none with that number.
    pub fn transform(&self, instance: usize) -> Result<Affine> {
        Ok(self.others.instances.get(instance)?.transform)
    }

    /// The placed scene of an instance, by its number in the order of adding; see also [`transform`](Self::transform) and
    /// [`instance_mask`](Self::instance_mask). A scene placed more than once is one scene by `Arc::ptr_eq`, also after
    /// opening a file.
    ///
    /// ```
    /// use lanecast::{Affine, Scene, SceneBuilder};
    /// use std::sync::Arc;
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]])?);
    /// let at = |z| Affine::translation([0.0, 0.0, z]);
    /// let scene = SceneBuilder::new().instance(&leaf, at(1.0)).instance(&leaf, at(2.0)).build()?;
    /// assert!(Arc::ptr_eq(scene.instance_scene(1)?, &leaf));
    /// assert_eq!(scene.transform(1)?, at(2.0));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if there is none with that number.
    pub fn instance_scene(&self, instance: usize) -> Result<&Arc<Self>> {
        Ok(&self.others.instances.get(instance)?.scene)
    }

    /// Moves instances.
    ///
    /// The cost is a copy of all instances of this scene, not only of those that move, so move many at once. Placed scenes
    /// are not touched, whatever their size. The next ray or point builds the tree over the boxes of all n instances anew, in
    /// O(n log n) on one thread, for which the other threads wait: about a microsecond an instance.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance),
    /// [`Error::SingularTransform`](crate::Error::SingularTransform) or
    /// [`Error::InstanceOutOfRange`](crate::Error::InstanceOutOfRange) names the first instance that cannot be moved. No
    /// instance has moved then.
    pub fn set_transforms(&mut self, transforms: impl IntoIterator<Item = (usize, Affine)>) -> Result<()> {
        self.others.instances.set_transforms(transforms, &self.own_bounds())
    }

    /// Replaces the scenes of instances. Maps and masks stay; hits have the geometry and primitive ids of the new scenes.
    ///
    /// The cost is that of [`set_transforms`](Self::set_transforms): a copy of all instances with new instance ids, and the
    /// tree over them at the next ray. The trees of the placed scenes stay as they are.
    ///
    /// A placed scene is shared and cannot change. For an object that deforms in its place use two scenes in turn: while one
    /// is placed, nothing else shares the other, and its vertices can be moved.
    ///
    /// ```
    /// use lanecast::{Affine, Ray, Scene, SceneBuilder, Threads};
    /// use std::sync::Arc;
    /// let triangle = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [0.0, 1.0, z]];
    /// let [mut shown, mut hidden] =
    ///     [0, 1].map(|_| Arc::new(Scene::from_triangles(&triangle(0.0), &[[0, 1, 2]]).expect("a triangle")));
    /// let mut scene = SceneBuilder::new().instance(&shown, Affine::translation([0.0, 0.0, 5.0])).build()?;
    /// for step in 1..4 {
    ///     let free = Arc::get_mut(&mut hidden).expect("placed nowhere");
    ///     free.refit(&[(0, &triangle(step as f32), &[[0, 1, 2]])], &Threads::ONE)?;
    ///     scene.set_scenes([(0, Arc::clone(&hidden))])?;
    ///     std::mem::swap(&mut shown, &mut hidden);
    ///     let hit = scene.cast(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0])).closest()?.expect("a hit");
    ///     assert_eq!(hit.t, 5.0 + step as f32);
    /// }
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance), and those of [`build`](SceneBuilder::build) for instances.
    /// No instance has changed then.
    pub fn set_scenes(&mut self, scenes: impl IntoIterator<Item = (usize, Arc<Self>)>) -> Result<()> {
        self.others.instances.set_scenes(scenes, &self.own_bounds())?;
        self.forget_surfaces();
        Ok(())
    }

    /// The mask of an instance.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if there is none with that number.
    pub fn instance_mask(&self, instance: usize) -> Result<u32> {
        Ok(self.others.instances.get(instance)?.mask)
    }

    /// Sets the mask of an instance: a ray meets a geometry in it if its [mask](crate::Cast::mask) has a bit in common with
    /// this mask and one in common with the geometry's. All bits are set at first. An instance with a mask of 0 is hidden.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if there is none with that number.
    pub fn set_instance_mask(&mut self, instance: usize, mask: u32) -> Result<()> {
        let hidden = self.instance_mask(instance)? == 0;
        self.others.instances.placed[instance].mask = mask;
        if hidden != (mask == 0) {
            self.forget_surfaces();
        }
        Ok(())
    }

    /// Statistics of the tree over all primitives other than triangles.
    pub fn statistics_of_others(&self) -> BvhStatistics {
        with_default_float_mode(|| self.others.shapes.statistics())
    }
}

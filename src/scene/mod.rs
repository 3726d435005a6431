//! Geometries, their tree, and the queries over them.

mod builder;
mod caster;
mod change;
mod closed;
mod closing;
#[cfg(feature = "scene-files")]
mod file;
mod filtered;
mod geometry;
mod inside;
mod instances;
mod mesh;
mod near;
mod pick;
mod points;
mod queries;
mod scene_f64;
mod sight;
mod view;
mod weld;

pub use builder::SceneBuilder;
pub use closed::OpenEdge;
pub use filtered::{Filtered, FilteredF64, FilteredF64Scan, FilteredScan};
pub use geometry::Geometry;
pub use pick::{Pick, PickLimit};
pub use scene_f64::{SceneF64, SceneF64Builder, SceneF64Scan};
pub use view::GeometryView;
pub use weld::Welded;

use std::sync::{Arc, OnceLock};

use crate::batch::Masks;
use crate::error::Result;
use crate::hit::{Hit, INVALID_ID, Numbering};
use crate::leaf::TriangleBlock;
use crate::shapes::Shapes;
use crate::simd::{Backend, with_default_float_mode};
use crate::tree::{Bvh, BvhStatistics};
use crate::value::{Aabb, Affine, Side};
use closed::Openings;
use instances::Instances;

/// The box around what a scene holds itself.
fn own_bounds(bvh: &Bvh<TriangleBlock>, shapes: &Shapes) -> Aabb {
    bvh.bounds().union(&shapes.bounds())
}

/// Triangle meshes, other primitives, and scenes in their places, that rays can be cast at.
///
/// Queries of rays and of points come for one and for batches; [`pick`](Self::pick) and
/// [`first_obstacle`](Self::first_obstacle) are for one, [`sight`](Self::sight) is for all pairs and
/// [`occupancy_bits`](Self::occupancy_bits) for a grid. The answers depend on nothing but the geometry,
/// the ray and the culling: not on the backend, the threads, the order of the batch, nor the tree.
#[derive(Debug, Clone)]
pub struct Scene {
    bvh: Bvh<TriangleBlock>,
    numbering: Numbering,
    masks: Masks,
    triangles: usize,
    backend: Backend,
    shapes: Shapes,
    instances: Instances,
    found_out: FoundOut,
    /// What was done to the triangles before the tree was built.
    welded: Option<Welded>,
    /// Where it was opened from.
    #[cfg(feature = "scene-files")]
    file: Option<std::sync::Arc<file::SceneFile>>,
}

/// What is found out of a scene when it is asked for. Whoever changes what it hangs on forgets it.
#[derive(Debug, Clone, Default)]
struct FoundOut {
    openings: OnceLock<Openings>,
    /// The leaf of each triangle, by its number.
    block_of_each: OnceLock<Vec<u32>>,
}

/// The same queries as those of [`Scene`], answered by testing every ray against every primitive.
///
/// Slow and without a tree: the oracle that the scene's answers are held against.
#[derive(Debug, Clone, Copy)]
pub struct SceneScan<'a>(&'a Scene);

impl<'a> SceneScan<'a> {
    /// As [`Scene::filter`], by brute force.
    pub const fn filter(
        &self,
        accepts: &'a (dyn Fn(usize, &Hit, Side) -> bool + Sync + 'a),
    ) -> FilteredScan<'a> {
        FilteredScan::new(self.0, accepts)
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

    /// How many triangles all meshes have; those of instances are not counted.
    pub fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// How many primitives all geometries have, triangles and others; those of instances are not counted.
    pub fn primitive_count(&self) -> usize {
        self.numbering.count()
    }

    /// How many geometries there are, those without triangles included.
    pub fn geometry_count(&self) -> usize {
        self.masks.count()
    }

    /// All triangles, in the order in which they lie in the tree: geometry id, primitive id, and the corners.
    pub fn triangles(&self) -> impl Iterator<Item = (u32, u32, [[f32; 3]; 3])> {
        self.bvh.blocks().iter().flat_map(TriangleBlock::triangles).map(|(corners, number)| {
            let (geometry_id, primitive_id) = self.numbering.ids(number);
            (geometry_id, primitive_id, corners)
        })
    }

    /// A box around everything: the least one around the geometries (around their boxes where they are no meshes), and for
    /// each instance one around that of its scene. Empty for a scene that holds nothing.
    pub fn bounds(&self) -> Aabb {
        let own = own_bounds(&self.bvh, &self.shapes);
        if self.instances.is_empty() { own } else { own.union(&self.instances.bounds()) }
    }

    /// What [welding](SceneBuilder::weld) did when the scene was built; `None` if it was not asked for. Scene files do not
    /// keep it.
    pub fn welded(&self) -> Option<Welded> {
        self.welded
    }

    /// How many instances were placed in this scene; those in instances are not counted.
    pub fn instance_count(&self) -> usize {
        self.instances.len()
    }

    /// The instances that a [hit](Hit::instance_id) lies in, each by its number among those of the scene that it was
    /// placed in, outermost first. Empty for [`INVALID_ID`](crate::INVALID_ID).
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if no hit has that id.
    pub fn instance_path(&self, instance_id: u32) -> Result<Vec<u32>> {
        if instance_id == INVALID_ID { Ok(Vec::new()) } else { self.instances.path(instance_id) }
    }

    /// Where an instance of this scene is, by its number in the order of adding.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if there is none of that number.
    pub fn transform(&self, instance: usize) -> Result<Affine> {
        self.instances.transform(instance)
    }

    /// Moves instances.
    ///
    /// Costs a copy of all instances of this scene, not only of those that move, so it is better to move many at once; what
    /// is placed is not touched, however large it is. The next ray or point then makes the tree over the boxes of all n
    /// instances anew, in O(n log n) and on one thread, for which the others wait: about a microsecond an instance.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance),
    /// [`Error::SingularTransform`](crate::Error::SingularTransform) or
    /// [`Error::InstanceOutOfRange`](crate::Error::InstanceOutOfRange) of the first that cannot be moved. All instances
    /// are then where they were.
    pub fn set_transforms(&mut self, transforms: impl IntoIterator<Item = (usize, Affine)>) -> Result<()> {
        self.instances.set_transforms(transforms, &own_bounds(&self.bvh, &self.shapes))
    }

    /// Places other scenes where instances are; their maps and masks stay, the ids of what lies in them are those of the
    /// other scenes.
    ///
    /// Costs what [`set_transforms`](Self::set_transforms) costs: a copy of all instances, with the ids of each counted
    /// anew, and by the next ray the tree over them. The trees of the scenes themselves stay as they are.
    ///
    /// A scene that is placed is shared and does not change. What deforms in its place is two scenes that take turns: while
    /// one is placed, the other belongs to nobody else and its vertices can be moved.
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
    ///     let hit = scene.closest_hit(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, 1.0]))?.expect("a hit");
    ///     assert_eq!(hit.t, 5.0 + step as f32);
    /// }
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance), and what [`build`](SceneBuilder::build) says of
    /// instances. All are then as they were.
    pub fn set_scenes(&mut self, scenes: impl IntoIterator<Item = (usize, Arc<Self>)>) -> Result<()> {
        self.instances.set_scenes(scenes, &own_bounds(&self.bvh, &self.shapes))?;
        self.found_out.openings = OnceLock::new();
        Ok(())
    }

    /// The mask of an instance.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if there is none of that number.
    pub fn instance_mask(&self, instance: usize) -> Result<u32> {
        self.instances.mask(instance)
    }

    /// Gives an instance another mask: a ray meets what is in it if its [mask](crate::CastOptions::masks) has a bit in
    /// common with this one and one in common with the geometry's. All bits are set at first; an instance without any is
    /// hidden.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`](crate::Error::UnknownInstance) if there is none of that number.
    pub fn set_instance_mask(&mut self, instance: usize, mask: u32) -> Result<()> {
        let hidden = self.instances.mask(instance)? == 0;
        self.instances.set_mask(instance, mask)?;
        self.is_seen_or_hidden(hidden, mask);
        Ok(())
    }

    /// The backend that queries run on.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Runs the following queries on another backend. Costs nothing.
    pub fn set_backend(&mut self, backend: Backend) {
        self.backend = backend;
    }

    /// The mask of a geometry.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`](crate::Error::UnknownGeometry) if there is none of that number.
    pub fn mask(&self, geometry_id: u32) -> Result<u32> {
        self.masks.get(geometry_id)
    }

    /// Gives a geometry another mask: it is met by rays whose [mask](crate::CastOptions::masks) has a bit in common with
    /// it, and rays without a mask have all bits. All bits are set at first; a geometry without any is hidden.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`](crate::Error::UnknownGeometry) if there is none of that number.
    pub fn set_mask(&mut self, geometry_id: u32, mask: u32) -> Result<()> {
        let hidden = self.masks.get(geometry_id)? == 0;
        self.masks.set(geometry_id, mask)?;
        self.is_seen_or_hidden(hidden, mask);
        Ok(())
    }

    /// Forgets what is open if something that was hidden, or was not, is no longer so with this mask.
    fn is_seen_or_hidden(&mut self, hidden: bool, mask: u32) {
        if hidden != (mask == 0) {
            self.found_out.openings = OnceLock::new();
        }
    }

    /// What the tree over the triangles of the scene itself is like. The one over its [other
    /// primitives](Self::statistics_of_others), the one over its instances, and those of the scenes placed in it are
    /// not counted in. A pass over all nodes.
    pub fn statistics(&self) -> BvhStatistics {
        with_default_float_mode(|| self.bvh.statistics())
    }

    /// What the tree over all primitives is like that are no triangles.
    pub fn statistics_of_others(&self) -> BvhStatistics {
        with_default_float_mode(|| self.shapes.statistics())
    }

    /// Checks that the tree is whole: every triangle in one leaf, every box around what is below it.
    ///
    /// # Errors
    /// Says in words what is wrong. That would be a defect of lanecast.
    pub fn validate(&self) -> std::result::Result<(), String> {
        let box_of = |block: &TriangleBlock, number| {
            let corners = block.triangles().find(|&(_, candidate)| candidate == number);
            corners.map_or(Aabb::EMPTY, |(corners, _)| Aabb::of_points(corners))
        };
        let is_elsewhere = |number| self.shapes.hold(number);
        with_default_float_mode(|| self.bvh.validate(self.numbering.count(), is_elsewhere, box_of))
    }

    /// The same queries, where only those hits count that the filter accepts: it is told which ray of the batch (0 for
    /// a single one) meets what, from which side, and says whether it does.
    ///
    /// It is asked about hits in any order, about some more than once and about some that turn out to lie behind
    /// others, from several threads, and should say the same each time. It is called through a pointer: no query is
    /// compiled anew for it.
    ///
    /// ```
    /// use lanecast::{Ray, Scene};
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let leaf = Scene::from_triangles(&vertices, &[[0, 1, 2]])?;
    /// // Cut out where the weight of the first vertex is above a half.
    /// let cut = leaf.filter(&|_ray, hit, _side| hit.u + hit.v >= 0.5);
    /// let [through, onto] = [0.125, 0.375].map(|x| Ray::new([x, x, 1.0], [0.0, 0.0, -1.0]));
    /// assert_eq!((cut.any_hit(&through)?, cut.any_hit(&onto)?), (false, true));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub const fn filter<'a>(
        &'a self,
        accepts: &'a (dyn Fn(usize, &Hit, Side) -> bool + Sync + 'a),
    ) -> Filtered<'a> {
        Filtered::new(self, accepts)
    }

    /// The same queries without the tree.
    pub fn scan(&self) -> SceneScan<'_> {
        SceneScan(self)
    }
}

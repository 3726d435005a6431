//! Geometries, their tree, and the queries over them.

mod caster;
mod change;
mod closed;
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

pub use closed::OpenEdge;
pub use filtered::{Filtered, FilteredF64, FilteredF64Scan, FilteredScan};
pub use geometry::Geometry;
pub use pick::{Pick, PickLimit};
pub use scene_f64::{SceneF64, SceneF64Builder, SceneF64Scan};

use std::sync::{Arc, OnceLock};

use crate::affine::Affine;
use crate::batch::Masks;
use crate::bvh::{BuildQuality, Bvh, BvhStatistics, Shapes};
use crate::error::{Error, Result};
use crate::hit::{Hit, INVALID_ID, Numbering};
use crate::math::MOST_PRIMITIVES;
use crate::primitive::{Aabb, Obb, Primitives, Side, Sphere, TriangleBlock};
use crate::simd::{Backend, with_default_float_mode};
use crate::threads::Threads;
use closed::Openings;
use instances::Instances;

/// Triangle meshes, other primitives and scenes in their places, on their way into a [`Scene`].
///
/// ```
/// use lanecast::{Ray, SceneBuilder};
/// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let scene = SceneBuilder::new().triangle_mesh(&vertices, &[[0, 1, 2]])?.build()?;
/// let hit = scene.closest_hit(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0]))?.expect("a hit");
/// assert_eq!((hit.t, hit.u, hit.v), (1.0, 0.25, 0.5));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SceneBuilder<'a> {
    geometries: Vec<Geometry<'a>>,
    instances: Vec<(Arc<Scene>, Affine)>,
    triangles: usize,
    primitives: usize,
    backend: Option<Backend>,
    threads: Threads,
    quality: BuildQuality,
}

impl<'a> SceneBuilder<'a> {
    /// No geometry yet, the fastest backend or the one that `LANECAST_BACKEND` names, all threads.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a triangle mesh: its geometry id is the number of geometries added before, and the
    /// primitive id of a triangle is its place in `triangles`. A mesh may be empty.
    ///
    /// # Errors
    /// [`Error::VertexOutOfRange`] names the first triangle that names a vertex which is not there,
    /// [`Error::UnusableVertex`] the first vertex with a coordinate that is not finite or beyond
    /// 2¹⁰⁰, [`Error::TooManyTriangles`] says that the scene would have more than 2³⁰ primitives.
    pub fn triangle_mesh(self, vertices: &'a [[f32; 3]], triangles: &'a [[u32; 3]]) -> Result<Self> {
        self.geometry(Geometry::triangle_mesh(vertices, triangles))
    }

    /// Adds a geometry of any kind. Its id is the number of geometries added before.
    ///
    /// # Errors
    /// What [`triangle_mesh`](Self::triangle_mesh), [`oriented_boxes`](Self::oriented_boxes) and
    /// [`primitives`](Self::primitives) say of theirs.
    pub fn geometry(mut self, geometry: Geometry<'a>) -> Result<Self> {
        self.primitives = self.primitives.saturating_add(geometry.primitive_count());
        if self.primitives > MOST_PRIMITIVES {
            return Err(Error::TooManyTriangles { triangles: self.primitives });
        }
        self.triangles += geometry.triangle_count();
        geometry.check(self.geometries.len() as u32)?;
        self.geometries.push(geometry);
        Ok(self)
    }

    /// Adds [boxes](Geometry::boxes) as a geometry.
    ///
    /// # Errors
    /// As [`primitives`](Self::primitives).
    pub fn boxes(self, boxes: &[Aabb]) -> Result<Self> {
        self.geometry(Geometry::boxes(boxes))
    }

    /// Adds [oriented boxes](Geometry::oriented_boxes) as a geometry.
    ///
    /// # Errors
    /// As [`primitives`](Self::primitives), and what [`Obb::new`] reports.
    pub fn oriented_boxes(self, boxes: &[Obb]) -> Result<Self> {
        self.geometry(Geometry::oriented_boxes(boxes))
    }

    /// Adds [spheres](Geometry::spheres) as a geometry.
    ///
    /// # Errors
    /// As [`primitives`](Self::primitives).
    pub fn spheres(self, spheres: &[Sphere]) -> Result<Self> {
        self.geometry(Geometry::spheres(spheres))
    }

    /// Adds [primitives of your own](Geometry::primitives) as a geometry.
    ///
    /// # Errors
    /// [`Error::UnusableBounds`] names the first whose box has a coordinate that is NaN, or that is not finite or beyond
    /// 2¹⁰⁰ while the box is not empty; [`Error::TooManyTriangles`] says that the scene would have more than 2³⁰
    /// primitives.
    pub fn primitives(self, primitives: Arc<dyn Primitives>) -> Result<Self> {
        self.geometry(Geometry::primitives(primitives))
    }

    /// Places a scene in this one, by an affine map: rotated, scaled by any factors, mirrored, sheared and moved. Its id is
    /// the number of instances added before. The scene is shared, not copied: a thousand instances take hardly more
    /// memory than one, and a scene with instances may itself be placed, up to 16 deep.
    ///
    /// A ray is carried into the frame of the instance and rounded to `f32` there: from o and d to A⁻¹·(o − b) and A⁻¹·d
    /// for the map p ↦ A·p + b, in `f64`, each sum from left to right. `t` stays what it is, normals and sides are those of the
    /// primitives where they are placed, and a ray meets what testing every primitive of every instance would find.
    ///
    /// A map that mirrors turns a mesh inside out, as its vertices come to wind the other way. Boxes, oriented boxes, spheres
    /// and primitives of your own do not wind: their fronts and normals stay outside, whatever the map. See
    /// [`Side`](crate::Side).
    ///
    /// ```
    /// use lanecast::{Affine, Ray, Scene, SceneBuilder};
    /// use std::sync::Arc;
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let leaf = Arc::new(Scene::from_triangles(&vertices, &[[0, 1, 2]])?);
    /// let scene = SceneBuilder::new()
    ///     .instance(&leaf, Affine::translation([0.0, 0.0, -1.0]))
    ///     .instance(&leaf, Affine::translation([0.0, 0.0, -2.0]))
    ///     .build()?;
    /// let hits = scene.all_hits(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, -0.5]))?;
    /// assert_eq!([hits[0].t, hits[1].t], [2.0, 4.0]);
    /// assert_eq!([hits[0].instance_id, hits[1].instance_id], [0, 1]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    #[must_use]
    pub fn instance(mut self, scene: &Arc<Scene>, transform: Affine) -> Self {
        self.instances.push((Arc::clone(scene), transform));
        self
    }

    /// The backend that the scene's queries run on.
    #[must_use]
    pub fn backend(self, backend: Backend) -> Self {
        Self { backend: Some(backend), ..self }
    }

    /// The threads that build the tree.
    #[must_use]
    pub fn threads(self, threads: Threads) -> Self {
        Self { threads, ..self }
    }

    /// How much work goes into the tree.
    #[must_use]
    pub fn quality(self, quality: BuildQuality) -> Self {
        Self { quality, ..self }
    }

    /// Builds the tree. The scene keeps copies of the triangles and nothing of the slices.
    ///
    /// # Errors
    /// What [`Backend::detect`] says, unless a backend was set. [`Error::SingularTransform`],
    /// [`Error::InstanceOutOfRange`] and [`Error::NestedTooDeep`] name the instance that cannot be placed,
    /// [`Error::TooManyInstances`] says that there are more than 2³¹ of them, with those in instances.
    pub fn build(self) -> Result<Scene> {
        let backend = self.backend.map_or_else(Backend::detect, Ok)?;
        let geometries = &self.geometries;
        let numbering = Numbering::new(geometries.iter().map(|geometry| geometry.primitive_count() as u32));
        // The tree's triangles, numbered by themselves.
        let triangles = Numbering::new(geometries.iter().map(|geometry| geometry.triangle_count() as u32));
        let corners = |index: u32| {
            let (geometry_id, primitive_id) = triangles.ids(index);
            let number = numbering.numbers(geometry_id).start + primitive_id;
            let mesh = geometries[geometry_id as usize].mesh().expect("what has triangles is a mesh");
            (mesh.corners(primitive_id as usize), number)
        };
        let spread = self.threads.spread(self.triangles);
        let bvh = self.threads.install(|| {
            with_default_float_mode(|| {
                let box_of = |index: u32| Aabb::of_points(corners(index).0);
                let block = |indices: &[u32], _| {
                    let mut triangles = [([[0.0; 3]; 3], 0); 8];
                    for (triangle, &index) in triangles.iter_mut().zip(indices) {
                        *triangle = corners(index);
                    }
                    TriangleBlock::new(&triangles[..indices.len()])
                };
                Bvh::build(self.triangles, box_of, block, self.quality, spread)
            })
        });
        let bvh = bvh.ok_or(Error::TooManyTriangles { triangles: self.triangles })?;
        let masks = Masks::all(geometries.len());
        let others = self.geometries.into_iter().map(Geometry::into_shape).collect();
        let shapes = Shapes::new(others, &numbering, &self.threads);
        let placed = self.instances.into_iter().map(|(scene, transform)| (scene, transform, u32::MAX));
        let instances = Instances::new(placed, &own_bounds(&bvh, &shapes))?;
        Ok(Scene {
            bvh,
            numbering,
            masks,
            triangles: self.triangles,
            backend,
            shapes,
            instances,
            found_out: FoundOut::default(),
            #[cfg(feature = "scene-files")]
            file: None,
        })
    }
}

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
    /// Where it was opened from.
    #[cfg(feature = "scene-files")]
    file: Option<std::sync::Arc<file::SceneFile>>,
}

/// What is found out of a scene when it is asked for. Whoever changes the scene forgets it.
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
    pub const fn filter<F: Fn(usize, &Hit, Side) -> bool + Sync>(&self, accepts: F) -> FilteredScan<'a, F> {
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

    /// How many instances were placed in this scene; those in instances are not counted.
    pub fn instance_count(&self) -> usize {
        self.instances.len()
    }

    /// The instances that a [hit](Hit::instance_id) lies in, each by its number among those of the scene that it was
    /// placed in, outermost first. Empty for [`INVALID_ID`](crate::INVALID_ID).
    ///
    /// # Errors
    /// [`Error::UnknownInstance`] if no hit has that id.
    pub fn instance_path(&self, instance_id: u32) -> Result<Vec<u32>> {
        if instance_id == INVALID_ID { Ok(Vec::new()) } else { self.instances.path(instance_id) }
    }

    /// Where an instance of this scene is, by its number in the order of adding.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`] if there is none of that number.
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
    /// [`Error::UnknownInstance`], [`Error::SingularTransform`] or [`Error::InstanceOutOfRange`] of the first that cannot
    /// be moved. All instances are then where they were.
    pub fn set_transforms(&mut self, transforms: impl IntoIterator<Item = (usize, Affine)>) -> Result<()> {
        self.instances.set_transforms(transforms, &own_bounds(&self.bvh, &self.shapes))
    }

    /// Places other scenes where instances are; their maps and masks stay, the ids of what lies in them are those of the
    /// other scenes.
    ///
    /// Costs what [`set_transforms`](Self::set_transforms) costs: a copy of all instances, with the ids of each counted anew,
    /// and by the next ray the tree over them. The trees of the scenes themselves stay as they are.
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
    /// [`Error::UnknownInstance`], and what [`build`](SceneBuilder::build) says of instances. All are then as they were.
    pub fn set_scenes(&mut self, scenes: impl IntoIterator<Item = (usize, Arc<Self>)>) -> Result<()> {
        self.instances.set_scenes(scenes, &own_bounds(&self.bvh, &self.shapes))?;
        self.found_out = FoundOut::default();
        Ok(())
    }

    /// The mask of an instance.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`] if there is none of that number.
    pub fn instance_mask(&self, instance: usize) -> Result<u32> {
        self.instances.mask(instance)
    }

    /// Gives an instance another mask: a ray meets what is in it if its [mask](crate::CastOptions::masks) has a bit in
    /// common with this one and one in common with the geometry's. All bits are set at first; an instance without any is
    /// hidden.
    ///
    /// # Errors
    /// [`Error::UnknownInstance`] if there is none of that number.
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
    /// [`Error::UnknownGeometry`] if there is none of that number.
    pub fn mask(&self, geometry_id: u32) -> Result<u32> {
        self.masks.get(geometry_id)
    }

    /// Gives a geometry another mask: it is met by rays whose [mask](crate::CastOptions::masks) has a bit in common with
    /// it, and rays without a mask have all bits. All bits are set at first; a geometry without any is hidden.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`] if there is none of that number.
    pub fn set_mask(&mut self, geometry_id: u32, mask: u32) -> Result<()> {
        let hidden = self.masks.get(geometry_id)? == 0;
        self.masks.set(geometry_id, mask)?;
        self.is_seen_or_hidden(hidden, mask);
        Ok(())
    }

    /// Forgets what was found out if something that was hidden, or was not, is no longer so with this mask.
    fn is_seen_or_hidden(&mut self, hidden: bool, mask: u32) {
        if hidden != (mask == 0) {
            self.found_out = FoundOut::default();
        }
    }

    /// What the tree over the triangles of the scene itself is like. The one over its
    /// [other primitives](Self::statistics_of_others), the one over its instances, and those of the scenes placed in it are not
    /// counted in. A pass over all nodes.
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
    /// others, from several threads, and should say the same each time. The queries are compiled with it, in the crate
    /// of the caller and as it is optimised.
    ///
    /// ```
    /// use lanecast::{Ray, Scene};
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let leaf = Scene::from_triangles(&vertices, &[[0, 1, 2]])?;
    /// // Cut out where the weight of the first vertex is above a half.
    /// let cut = leaf.filter(|_ray, hit, _side| hit.u + hit.v >= 0.5);
    /// let [through, onto] = [0.125, 0.375].map(|x| Ray::new([x, x, 1.0], [0.0, 0.0, -1.0]));
    /// assert_eq!((cut.any_hit(&through)?, cut.any_hit(&onto)?), (false, true));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub const fn filter<F: Fn(usize, &Hit, Side) -> bool + Sync>(&self, accepts: F) -> Filtered<'_, F> {
        Filtered::new(self, accepts)
    }

    /// The same queries without the tree.
    pub fn scan(&self) -> SceneScan<'_> {
        SceneScan(self)
    }
}

//! The builder of scenes.

use std::sync::Arc;

use super::change::STOPPED;
use super::fields::tree_of_fields;
use super::geometry::Mesh;
use super::instances::{Instance, Instances};
use super::labels::{Ids, Kept};
use super::precision::build_tree;
use super::weld::weld;
use super::{DerivedCache, Geometry, Precision, Scene};
use crate::answers::Numbering;
use crate::chunks::{Watch, until_stopped};
use crate::columns::{StridedRows, shown};
use crate::error::{Error, Result};
use crate::math::MOST_PRIMITIVES;
use crate::query::Masks;
use crate::shapes::Shapes;
use crate::simd::{Backend, with_default_float_mode};
use crate::threads::{Stop, Threads, step};
use crate::traverse::{Numbered, Target};
use crate::tree::{BuildQuality, Fetch};
use crate::value::Affine;

/// Builds a [`Scene`]; [`new`](Self::new) one of `f32`, `SceneBuilder::<f64>::default()` one of
/// `f64`.
///
/// ```
/// use lanecast::{Ray, SceneBuilder};
/// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let scene = SceneBuilder::new().triangle_mesh(&vertices, &[[0, 1, 2]])?.build()?;
/// let hit = scene.cast(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0])).closest()?.expect("a hit");
/// assert_eq!((hit.t, hit.u, hit.v), (1.0, 0.25, 0.5));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone, Default)]
#[must_use]
pub struct SceneBuilder<'a, T: Precision = f32> {
    geometries: Vec<Geometry<'a, T>>,
    instances: Vec<Result<Instance<T>>>,
    primitives: usize,
    backend: Option<Backend>,
    threads: Option<&'a Threads>,
    quality: BuildQuality,
    tolerance: Option<T>,
    watch: Option<&'a Watch<'a>>,
}

shown!([T: Precision] SceneBuilder<'_, T> as "SceneBuilder", self {
    "geometries": self.geometries.len(),
    "primitives": self.primitives,
    "instances": self.instances.len(),
    "precision": format_args!("{}", std::any::type_name::<T>()),
});

impl SceneBuilder<'_> {
    /// No geometry yet, the fastest backend or the one that `LANECAST_BACKEND` names, all threads.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<'a, T: Precision> SceneBuilder<'a, T> {
    /// Adds a [triangle mesh](Geometry::triangle_mesh), as [`geometry`](Self::geometry).
    ///
    /// # Errors
    /// [`Error::VertexOutOfRange`] names the first triangle with a vertex that does not exist,
    /// [`Error::UnusableVertex`] the first vertex with a coordinate not finite or beyond 2¹⁰⁰;
    /// [`Error::TooManyTriangles`] beyond 2³⁰ primitives.
    pub fn triangle_mesh(
        self,
        vertices: impl Into<StridedRows<'a, T, 3>>,
        triangles: impl Into<StridedRows<'a, u32, 3>>,
    ) -> Result<Self> {
        self.geometry(Geometry::triangle_mesh(vertices, triangles))
    }

    /// Adds [quads](Geometry::quads), with the errors of [`triangle_mesh`](Self::triangle_mesh),
    /// which name the triangle.
    pub fn quads(
        self,
        vertices: impl Into<StridedRows<'a, T, 3>>,
        quads: impl Into<StridedRows<'a, u32, 4>>,
    ) -> Result<Self> {
        self.geometry(Geometry::quads(vertices, quads))
    }

    /// Adds a geometry of any kind, with the errors of its kind: see
    /// [`triangle_mesh`](Self::triangle_mesh) and the methods like it. Its id is the number of
    /// geometries added before.
    pub fn geometry(mut self, geometry: Geometry<'a, T>) -> Result<Self> {
        self.primitives = self.primitives.saturating_add(geometry.primitive_count());
        if self.primitives > MOST_PRIMITIVES {
            return Err(Error::TooManyTriangles { triangles: self.primitives });
        }
        geometry.check(self.geometries.len() as u32)?;
        self.geometries.push(geometry);
        Ok(self)
    }

    /// The default backend of the scene's queries; [`Backend::detect`] unless set.
    pub fn backend(self, backend: Backend) -> Self {
        Self { backend: Some(backend), ..self }
    }

    /// The threads that build the tree; all of them unless set.
    pub fn threads(self, threads: &'a Threads) -> Self {
        Self { threads: Some(threads), ..self }
    }

    /// A watcher, which gets the [progress](crate::Progress) of the build: of all primitives the
    /// share of the work that is done, about as a clock would measure it. All threads of the build
    /// call it, every few thousand primitives, and at last one says that all are done. It may stop
    /// the build: by [`Error::Stopped`], some milliseconds after it breaks.
    ///
    /// ```
    /// use lanecast::{Error, Progress, SceneBuilder};
    /// use std::ops::ControlFlow;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let builder = SceneBuilder::new().triangle_mesh(&vertices, &[[0, 1, 2]])?;
    /// let most = AtomicUsize::new(0);
    /// let watch = |progress: Progress| {
    ///     most.fetch_max(progress.done, Ordering::Relaxed);
    ///     ControlFlow::Continue(())
    /// };
    /// builder.clone().watch(&watch).build()?;
    /// assert_eq!(most.into_inner(), 1);
    /// let stopped = builder.watch(&|_| ControlFlow::Break(())).build();
    /// assert_eq!(stopped.err(), Some(Error::Stopped { done: 0, total: 1 }));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn watch(self, watch: &'a Watch<'a>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// The effort of the tree build.
    pub fn quality(self, quality: BuildQuality) -> Self {
        Self { quality, ..self }
    }

    /// Joins vertices of triangle meshes at most `tolerance` apart, before the tree is built: for
    /// files that write a corner with other last bits in each triangle, so that surfaces are
    /// [open](Scene::open_edge) and lines slip through.
    ///
    /// Vertices are visited in the order in which triangles name them. Each moves to the first
    /// vertex before it that stayed in its place and lies within the tolerance (of the given
    /// places, in `f64`), or else stays. So vertices that stay are farther apart than the
    /// tolerance, and a chain of near vertices is not always joined to one. Neither indices nor
    /// threads matter, and nothing else moves.
    ///
    /// A closed surface stays closed. A triangle with joined corners keeps its id; no ray meets it,
    /// and it is not part of a surface. A tolerance of 0 changes nothing; the last one set counts.
    /// [`Scene::welded`] reports the result, and [`Scene::closing_tolerance`] finds the tolerance
    /// that closes a surface. Vertices that [change](crate::Change::refit) later are not welded.
    /// Some hundred nanoseconds a vertex.
    ///
    /// ```
    /// use lanecast::{Scene, SceneBuilder};
    /// // A tetrahedron of triangles with corners of their own, one of which is off by a rounding.
    /// let [a, b, c, d] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0_f32]];
    /// let vertices = [a, c, b, a, b, d, a, d, [0.0, 4.0_f32.next_up(), 0.0], b, c, d];
    /// let triangles = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]];
    /// let scene = Scene::from_triangles(&vertices, &triangles)?;
    /// assert!(scene.point([0.5; 3]).contains().is_err());
    /// let tolerance = scene.closing_tolerance().expect("a gap of a rounding");
    /// let scene = SceneBuilder::new().triangle_mesh(&vertices, &triangles)?.weld(tolerance)?.build()?;
    /// assert_eq!((scene.point([0.5; 3]).contains()?, scene.welded().map(|welded| welded.joined)), (true, Some(1)));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// [`Error::UnusableTolerance`] if it is NaN, infinite or negative.
    pub fn weld(self, tolerance: T) -> Result<Self> {
        if with_default_float_mode(|| tolerance >= T::ZERO && tolerance.is_finite()) {
            return Ok(Self { tolerance: Some(tolerance), ..self });
        }
        Err(Error::UnusableTolerance { tolerance: tolerance.to_f64() })
    }

    /// Builds the scene, which keeps copies of the triangles.
    ///
    /// # Errors
    /// Those of [`Backend::detect`], unless a backend was set. [`Error::TooManyTriangles`] if the
    /// tree would be larger than 64 GiB. [`Error::SingularTransform`],
    /// [`Error::InstanceOutOfRange`] and [`Error::NestedTooDeep`] name the instance that cannot be
    /// placed. [`Error::TooManyInstances`] if there are more than 2³¹ instances, those in instances
    /// included. [`Error::Stopped`] if the watcher stopped the build.
    pub fn build(self) -> Result<Scene<T>> {
        T::build(self)
    }

    pub(super) fn build_scene(self) -> Result<Scene<T>> {
        until_stopped(self.primitives, self.watch, |stop| self.build_in_steps(stop))
    }

    /// Any error after a stop. Reports all primitives.
    fn build_in_steps(self, stop: Stop<'_>) -> Result<Scene<T>> {
        let backend = self.backend.map_or_else(Backend::detect, Ok)?;
        let (geometries, threads) = (self.geometries, self.threads.unwrap_or(&Threads::ALL));
        let numbering =
            Numbering::new(geometries.iter().map(|geometry| geometry.primitive_count() as u32));
        let mut meshes: Vec<_> = geometries.iter().map(|geometry| geometry.mesh).collect();
        let count: usize = meshes.iter().map(Mesh::count).sum();
        let mut vertices = Vec::new();
        let mut welded = None;
        // A vertex takes as long to weld as a triangle to build, about.
        let of_weld = self.tolerance.map_or(0, |_| {
            let vertices = meshes.iter().map(|mesh| mesh.vertices.len().min(3 * mesh.count()));
            let vertices: usize = vertices.sum();
            let share = vertices as f64 / (vertices + count).max(1) as f64;
            (count as f64 * share) as usize
        });
        if let Some(tolerance) = self.tolerance {
            let weld = |stop: Stop<'_>| weld(&meshes, tolerance, stop);
            let made = step(stop, of_weld, count, |stop| with_default_float_mode(|| weld(stop)));
            let (moved, result) = made.ok_or(STOPPED)?;
            (vertices, welded) = (moved, Some(result));
        }
        for (mesh, vertices) in meshes.iter_mut().zip(&vertices) {
            mesh.vertices = vertices.into();
        }
        let triangles = Triangles::new(&meshes, &numbering);
        let tree = step(stop, count - of_weld, count, |stop| {
            build_tree::<T>(count, &triangles, self.quality, threads, stop)
        })?;
        let masks = Masks::new(vec![u32::MAX; geometries.len()]);
        let ids = Ids::new(geometries.len() as u32);
        let kept = Kept::new(geometries.iter().map(Geometry::kept));
        let shapes = geometries.into_iter().map(|geometry| geometry.shape).collect();
        let shapes = Shapes::new(shapes, &numbering, threads, stop).ok_or(STOPPED)?;
        let fields = tree_of_fields(&shapes, &numbering, stop)?;
        let placed: Vec<_> = self.instances.into_iter().collect::<Result<_>>()?;
        let numbers = Ids::new(placed.len() as u32);
        let instances = Instances::new(
            placed,
            numbers,
            &tree.bounds().union(&shapes.bounds()).union(&fields.bounds()),
        )?;
        Ok(Scene {
            tree,
            numbering,
            masks,
            ids,
            kept,
            triangles: count,
            backend,
            shapes,
            fields,
            instances,
            derived: DerivedCache::default(),
            welded,
            #[cfg(feature = "scene-files")]
            file: None,
        })
    }

    /// Places a scene, which is shared, in this one by an affine map: rotated, scaled by any
    /// factors, mirrored, sheared and moved. The number of the instance is the number of instances
    /// added before. Scenes with instances are placed up to 16 deep.
    ///
    /// A ray is carried into the frame of the instance and rounded to `T` there. For the map p ↦
    /// A·p + b, o and d become A⁻¹·(o − b) and A⁻¹·d, in `f64`, with sums from left to right. A⁻¹
    /// is the transposed matrix of cofactors, each divided by the determinant, which is the first
    /// row of A times its cofactors. `t` stays the same; normals and sides are those of the placed
    /// primitives. A map that mirrors turns a mesh inside out, but no other primitive: see
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
    /// let hits = scene.cast(&Ray::new([0.25, 0.25, 0.0], [0.0, 0.0, -0.5])).all()?;
    /// assert_eq!([hits[0].t, hits[1].t], [2.0, 4.0]);
    /// assert_eq!([hits[0].instance_id, hits[1].instance_id], [0, 1]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn instance(mut self, scene: &Arc<Scene<T>>, transform: Affine) -> Self {
        self.instances.push(Instance::new(
            Arc::clone(scene),
            transform,
            u32::MAX,
            self.instances.len() as u32,
        ));
        self
    }
}

/// The triangles of all meshes.
struct Triangles<'a, T> {
    /// Numbers them by themselves, without shapes.
    of_meshes: Numbering,
    /// Each mesh, with the number of its first primitive in the scene.
    meshes: Vec<(Mesh<'a, T>, u32)>,
}

impl<'a, T: Precision> Triangles<'a, T> {
    fn new(meshes: &[Mesh<'a, T>], numbering: &Numbering) -> Self {
        let of_meshes = Numbering::new(meshes.iter().map(|mesh| mesh.count() as u32));
        Self {
            of_meshes,
            meshes: meshes.iter().copied().zip(numbering.starts().iter().copied()).collect(),
        }
    }
}

impl<T: Precision> Fetch for Triangles<'_, T> {
    type Content = Numbered<T>;

    #[inline(always)]
    fn fetch(&self, index: u32, (corners, number): &mut Numbered<T>) {
        let (geometry_id, primitive_id) = self.of_meshes.ids(index);
        let (mesh, first) = &self.meshes[geometry_id as usize];
        let [a, b, c] = mesh.triangle(primitive_id as usize);
        corners[0] = mesh.vertices.get(a as usize);
        corners[1] = mesh.vertices.get(b as usize);
        corners[2] = mesh.vertices.get(c as usize);
        *number = first + primitive_id;
    }
}

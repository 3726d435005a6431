//! Geometries and scenes on their way into a scene.

use std::sync::Arc;

use super::instances::Instances;
use super::mesh::Mesh;
use super::{FoundOut, Geometry, Scene, own_bounds, weld};
use crate::batch::Masks;
use crate::error::{Error, Result};
use crate::hit::Numbering;
use crate::leaf::{Primitives, TriangleBlock};
use crate::math::MOST_PRIMITIVES;
use crate::shapes::Shapes;
use crate::simd::{Backend, with_default_float_mode};
use crate::threads::Threads;
use crate::tree::{BuildQuality, Bvh};
use crate::value::{Aabb, Affine, Obb, Sphere};

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
    tolerance: Option<f32>,
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
    /// A ray is carried into the frame of the instance and rounded to `f32` there: from o and d to A⁻¹·(o − b) and
    /// A⁻¹·d for the map p ↦ A·p + b, in `f64`, each sum from left to right, where A⁻¹ is the matrix of cofactors,
    /// transposed, and each of them divided by the determinant, which is the first row of A times its cofactors. `t`
    /// stays what it is, normals and sides are those of the primitives where they are placed, and a ray meets what
    /// testing every primitive of every instance would find.
    ///
    /// A map that mirrors turns a mesh inside out, as its vertices come to wind the other way. Boxes, oriented boxes,
    /// spheres and primitives of your own do not wind: their fronts and normals stay outside, whatever the map. See
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

    /// Joins vertices of triangle meshes that lie within `tolerance` of each other, itself included, before the tree is
    /// built: for files that write a corner with other last bits in each triangle, so that their surfaces are
    /// [open](Scene::open_edge) and lines slip through between triangles.
    ///
    /// Vertices of all meshes of the scene take their turns in the order in which triangles name them, geometry by
    /// geometry, triangle by triangle, corner by corner. Each goes to the place of the first that stayed in its own before it
    /// and is within the tolerance (of its own place, in `f64`), or else stays. So coordinates are some that were
    /// given, no vertex moves by more than the tolerance, those that stay are farther apart than it, and of a chain in
    /// which each is near to the next not all come together. Neither how vertices are indexed nor the threads have a
    /// part in it. What no triangle names, other primitives and scenes placed in this one are left as they are.
    ///
    /// A closed surface stays closed. Triangles of which corners come together keep their ids, have no area, and are
    /// neither met nor part of a surface. A tolerance of 0 changes nothing, as equal coordinates are one place anyway; the
    /// last one that is set counts. [`Scene::welded`] says what was done, and
    /// [`Scene::closing_tolerance`] which tolerance closes a surface that is open. What is [refitted](Scene::refit) or
    /// [replaced](Scene::replace) afterwards is taken as it is given.
    ///
    /// Takes some hundred nanoseconds a vertex, on one thread.
    ///
    /// ```
    /// use lanecast::{Scene, SceneBuilder};
    /// // A tetrahedron of triangles with corners of their own, one of which is off by a rounding.
    /// let [a, b, c, d] = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0_f32]];
    /// let vertices = [a, c, b, a, b, d, a, d, [0.0, 4.0_f32.next_up(), 0.0], b, c, d];
    /// let triangles = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]];
    /// let scene = Scene::from_triangles(&vertices, &triangles)?;
    /// assert!(scene.contains([0.5; 3]).is_err());
    /// let tolerance = scene.closing_tolerance().expect("a gap of a rounding");
    /// let scene = SceneBuilder::new().triangle_mesh(&vertices, &triangles)?.weld(tolerance)?.build()?;
    /// assert_eq!((scene.contains([0.5; 3])?, scene.welded().map(|welded| welded.joined)), (true, Some(1)));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnusableTolerance`] if it is NaN, infinite or negative.
    pub fn weld(self, tolerance: f32) -> Result<Self> {
        Ok(Self { tolerance: Some(weld::check(tolerance)?), ..self })
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
        let mut meshes: Vec<_> =
            geometries.iter().map(|geometry| geometry.mesh().unwrap_or(Mesh::EMPTY)).collect();
        let (vertices, welded) = weld::weld(&meshes, self.tolerance);
        for (mesh, vertices) in meshes.iter_mut().zip(&vertices) {
            mesh.vertices = vertices;
        }
        // The tree's triangles, numbered by themselves.
        let triangles = Numbering::new(geometries.iter().map(|geometry| geometry.triangle_count() as u32));
        let corners = |index: u32| {
            let (geometry_id, primitive_id) = triangles.ids(index);
            let number = numbering.numbers(geometry_id).start + primitive_id;
            (meshes[geometry_id as usize].corners(primitive_id as usize), number)
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
            welded,
            #[cfg(feature = "scene-files")]
            file: None,
        })
    }
}

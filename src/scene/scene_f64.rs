//! Scenes whose vertices and rays are of `f64`.

use super::filtered::{FilteredF64, FilteredF64Scan};
use super::mesh::Mesh;
use super::weld::{self, Welded};
use crate::batch::{Caster, Filter, Masks};
use crate::error::{Error, Result};
use crate::hit::{Hit, Numbering};
use crate::leaf::TriangleBlockF64;
use crate::math::MOST_PRIMITIVES;
use crate::query::Target;
use crate::scan::Scan;
use crate::simd::{Backend, with_default_float_mode};
use crate::threads::Threads;
use crate::tree::{AnchoredBvh, BuildQuality, BvhStatistics};
use crate::value::{Aabb, Side};

/// Triangle meshes of `f64` on their way into a [`SceneF64`].
#[derive(Debug, Clone, Default)]
pub struct SceneF64Builder<'a> {
    meshes: Vec<Mesh<'a, f64>>,
    triangles: usize,
    backend: Option<Backend>,
    threads: Threads,
    quality: BuildQuality,
    tolerance: Option<f64>,
}

impl<'a> SceneF64Builder<'a> {
    /// No geometry yet, the fastest backend or the one that `LANECAST_BACKEND` names, all threads.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a triangle mesh, numbered as those of a [`SceneBuilder`](crate::SceneBuilder::triangle_mesh).
    ///
    /// # Errors
    /// [`Error::VertexOutOfRange`] names the first triangle that names a vertex which is not there,
    /// [`Error::UnusableVertex`] the first vertex with a coordinate that is not finite or beyond
    /// 2¹⁰⁰, [`Error::TooManyTriangles`] says that the scene would have more than 2³⁰ triangles.
    pub fn triangle_mesh(mut self, vertices: &'a [[f64; 3]], triangles: &'a [[u32; 3]]) -> Result<Self> {
        self.triangles = self.triangles.saturating_add(triangles.len());
        if self.triangles > MOST_PRIMITIVES {
            return Err(Error::TooManyTriangles { triangles: self.triangles });
        }
        let mesh = Mesh { vertices, triangles };
        mesh.check(self.meshes.len() as u32)?;
        self.meshes.push(mesh);
        Ok(self)
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

    /// Joins vertices that lie within `tolerance` of each other, as [`SceneBuilder::weld`](crate::SceneBuilder::weld) does.
    /// A tolerance below 10⁻¹⁵⁰ joins nothing.
    ///
    /// # Errors
    /// [`Error::UnusableTolerance`] if it is NaN, infinite or negative.
    pub fn weld(self, tolerance: f64) -> Result<Self> {
        Ok(Self { tolerance: Some(weld::check(tolerance)?), ..self })
    }

    /// Builds the tree. The scene keeps copies of the triangles and nothing of the slices.
    ///
    /// # Errors
    /// What [`Backend::detect`] says, unless a backend was set; [`Error::TooManyTriangles`] if the tree would be larger
    /// than 64 GiB.
    pub fn build(self) -> Result<SceneF64> {
        let Self { meshes, triangles, backend, threads, quality, tolerance } = self;
        let backend = backend.map_or_else(Backend::detect, Ok)?;
        let numbering = Numbering::new(meshes.iter().map(|mesh| mesh.triangles.len() as u32));
        let (vertices, welded) = weld::weld(&meshes, tolerance);
        let mut meshes: Vec<Mesh<'_, f64>> = meshes;
        for (mesh, vertices) in meshes.iter_mut().zip(&vertices) {
            mesh.vertices = vertices;
        }
        let corners = |number: u32| {
            let (geometry_id, primitive_id) = numbering.ids(number);
            meshes[geometry_id as usize].corners(primitive_id as usize)
        };
        let spread = threads.spread(triangles);
        let tree = threads.install(|| {
            with_default_float_mode(|| {
                let box_of = |number| box_of(corners(number));
                let block = |numbers: &[u32]| {
                    let mut triangles = [([[0.0; 3]; 3], 0); 8];
                    for (triangle, &number) in triangles.iter_mut().zip(numbers) {
                        *triangle = (corners(number), number);
                    }
                    TriangleBlockF64::new(&triangles[..numbers.len()])
                };
                AnchoredBvh::build(triangles, box_of, block, quality, spread)
            })
        });
        let tree = tree.ok_or(Error::TooManyTriangles { triangles })?;
        let masks = Masks::all(meshes.len());
        let bounds = tree.bounds();
        Ok(SceneF64 { tree, numbering, masks, triangles, backend, bounds, welded })
    }
}

fn box_of([a, b, c]: [[f64; 3]; 3]) -> Aabb<f64> {
    Aabb {
        min: [0, 1, 2].map(|axis| a[axis].min(b[axis]).min(c[axis])),
        max: [0, 1, 2].map(|axis| a[axis].max(b[axis]).max(c[axis])),
    }
}

/// Triangle meshes in `f64` that rays of `f64` can be cast at: for survey coordinates, millions of metres from their
/// origin, and wherever `f32` is too coarse.
///
/// It answers what a [`Scene`](crate::Scene) answers, with `t`, u and v in `f64`. Nothing depends on where the origin of
/// the coordinates is but what `f64` itself rounds: shearing moves each vertex, alike for all triangles that have it, by
/// at most 2 ε X + 4 ε Z, where X and Z are its distances from the ray's origin along an axis and along the direction's
/// longest, and ε is 2⁻⁵³; on these vertices what is met is decided exactly, as by
/// [`Watertight`](crate::primitive::Watertight), u and v are right to 2⁻⁴⁷, and `t` to 2⁻⁴⁶ of the greatest at a vertex;
/// their last bits may be others than those of that test by itself. (Where products of differences of coordinates are below
/// 10⁻²⁹⁰, in triangles smaller than 10⁻¹⁴⁵, nothing is exact.) Boxes of the tree are of `f32`, around a point amid most of
/// the triangles, and wide enough: the answers are those of testing every triangle.
///
/// A leaf takes three times what one of `f32` does. Boxes are finest where most of the triangles are, however far away others
/// lie; of two places, with about as many in each, one is as coarse as `f32` is as far away as the other: make two
/// scenes.
///
/// Not for these scenes, yet: instances, other primitives, points, sight lines, files, picking and refitting. A scene
/// of `f32` may be seen from anywhere, too: subtract the same point of the vertices and of the rays' origins in `f64`,
/// and what is left is rounded as `f32` rounds.
///
/// ```
/// use lanecast::{Ray, SceneF64};
/// // A hectare of ground, in metres from the centre of the earth.
/// let vertices = [[6.378e6, 0.0, 0.0], [6.378e6, 100.0, 0.0], [6.378e6, 0.0, 100.0]];
/// let scene = SceneF64::from_triangles(&vertices, &[[0, 1, 2]])?;
/// let ray = Ray::new([6.378e6 + 0.125, 25.0, 50.0], [-1.0, 0.0, 0.0]);
/// let hit = scene.closest_hit(&ray)?.expect("a hit");
/// assert_eq!((hit.t, hit.u, hit.v), (0.125, 0.25, 0.5));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SceneF64 {
    pub(super) tree: AnchoredBvh<TriangleBlockF64>,
    numbering: Numbering,
    masks: Masks,
    triangles: usize,
    backend: Backend,
    bounds: Aabb<f64>,
    welded: Option<Welded>,
}

/// The same queries as those of [`SceneF64`], answered by testing every ray against every triangle.
///
/// Slow and without a tree: the oracle that the scene's answers are held against.
#[derive(Debug, Clone, Copy)]
pub struct SceneF64Scan<'a>(pub(super) &'a SceneF64);

impl<'a> SceneF64Scan<'a> {
    /// As [`SceneF64::filter`], by brute force.
    pub const fn filter(
        &self,
        accepts: &'a (dyn Fn(usize, &Hit<f64>, Side) -> bool + Sync + 'a),
    ) -> FilteredF64Scan<'a> {
        FilteredF64Scan::new(self.0, accepts)
    }
}

impl SceneF64 {
    /// A scene of one triangle mesh, on the backend of [`Backend::detect`].
    ///
    /// # Errors
    /// Those of [`SceneF64Builder::triangle_mesh`] and [`SceneF64Builder::build`].
    pub fn from_triangles(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        SceneF64Builder::new().triangle_mesh(vertices, triangles)?.build()
    }

    /// How many triangles all meshes have.
    pub fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// How many geometries there are, those without triangles included.
    pub fn geometry_count(&self) -> usize {
        self.masks.count()
    }

    /// What welding did when the scene was built; `None` if it was not asked for.
    pub fn welded(&self) -> Option<Welded> {
        self.welded
    }

    /// All triangles, in the order in which they lie in the tree: geometry id, primitive id, and the corners.
    pub fn triangles(&self) -> impl Iterator<Item = (u32, u32, [[f64; 3]; 3])> {
        self.tree.blocks().iter().flat_map(TriangleBlockF64::triangles).map(|(corners, number)| {
            let (geometry_id, primitive_id) = self.numbering.ids(number);
            (geometry_id, primitive_id, corners)
        })
    }

    /// The least box around all triangles; empty for a scene without any.
    pub fn bounds(&self) -> Aabb<f64> {
        self.bounds
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

    /// Gives a geometry another mask, as [`Scene::set_mask`](crate::Scene::set_mask) does.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`] if there is none of that number.
    pub fn set_mask(&mut self, geometry_id: u32, mask: u32) -> Result<()> {
        self.masks.set(geometry_id, mask)
    }

    /// What the tree is like.
    pub fn statistics(&self) -> BvhStatistics {
        with_default_float_mode(|| self.tree.statistics())
    }

    /// Checks that the tree is whole: every triangle in one leaf, every box around what is below it.
    ///
    /// # Errors
    /// Says in words what is wrong. That would be a defect of lanecast.
    pub fn validate(&self) -> std::result::Result<(), String> {
        let box_of = |block: &TriangleBlockF64, number| {
            let corners = block.triangles().find(|&(_, candidate)| candidate == number);
            box_of(corners.map_or([[f64::NAN; 3]; 3], |(corners, _)| corners))
        };
        with_default_float_mode(|| self.tree.validate(self.triangles, box_of))
    }

    /// The same queries, where only those hits count that the filter accepts: as [`Scene::filter`](crate::Scene::filter).
    pub const fn filter<'a>(
        &'a self,
        accepts: &'a (dyn Fn(usize, &Hit<f64>, Side) -> bool + Sync + 'a),
    ) -> FilteredF64<'a> {
        FilteredF64::new(self, accepts)
    }

    /// The same queries without the tree.
    pub fn scan(&self) -> SceneF64Scan<'_> {
        SceneF64Scan(self)
    }

    /// Casts at the triangles, through whatever leads to them.
    pub(super) fn caster<'a, X: Target<f64>>(
        &'a self,
        target: X,
        filter: Filter<'a, f64>,
    ) -> Caster<'a, X, f64> {
        let Self { numbering, masks, backend, .. } = self;
        Caster { target, numbering, masks, filter, backend: *backend }
    }

    /// Leads to all triangles.
    pub(super) fn brute_force(&self) -> Scan<'_, TriangleBlockF64> {
        Scan { blocks: self.tree.blocks() }
    }
}

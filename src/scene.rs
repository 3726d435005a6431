//! Geometries, their tree, and the queries over them.

use crate::batch::{CastOptions, chunk_size, for_each_chunk};
use crate::bvh::{Bvh, BvhStatistics, MAX_IN_FLIGHT};
use crate::error::{Error, Result};
use crate::hit::{AllHitsBatch, AnyHitBatch, CostBatch, CountBatch, Hit, HitBatch, INVALID_ID, Status};
use crate::math::LARGEST_COORDINATE;
use crate::numbering::Numbering;
use crate::primitive::{Aabb, TriangleBlock};
use crate::query::{AllHits, AnyHit, Casting, ClosestHit, Cost, CountHits, HitColumns, Query, Target};
use crate::ray::{Ray, RayBatch};
use crate::scan::Scan;
use crate::simd::{Backend, Kernel, Lanes, dispatch, with_default_float_mode};
use crate::threads::Threads;

/// Triangle meshes on their way into a [`Scene`].
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
    meshes: Vec<Mesh<'a>>,
    triangles: usize,
    backend: Option<Backend>,
    threads: Threads,
}

#[derive(Debug, Clone, Copy)]
struct Mesh<'a> {
    vertices: &'a [[f32; 3]],
    triangles: &'a [[u32; 3]],
}

impl Mesh<'_> {
    fn corners(&self, triangle: usize) -> [[f32; 3]; 3] {
        self.triangles[triangle].map(|vertex| self.vertices[vertex as usize])
    }
}

impl<'a> SceneBuilder<'a> {
    /// No geometry yet, the fastest backend or the one that `LANECAST_BACKEND` names, all threads.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a triangle mesh: its geometry id is the number of geometries added before, and the
    /// primitive id of a triangle is its place in `triangles`. A mesh may be empty.
    ///
    /// # Errors
    /// [`Error::VertexOutOfRange`] names the first triangle that names a vertex which is not there,
    /// [`Error::UnusableVertex`] the first vertex with a coordinate that is not finite or beyond
    /// 2¹⁰⁰, [`Error::TooManyTriangles`] says that the scene has more than 2³² − 2 triangles.
    pub fn triangle_mesh(mut self, vertices: &'a [[f32; 3]], triangles: &'a [[u32; 3]]) -> Result<Self> {
        let geometry_id = self.meshes.len() as u32;
        let usable = |position: &[f32; 3]| position.iter().all(|x| x.abs() <= LARGEST_COORDINATE);
        if let Some(vertex) = vertices.iter().position(|position| !usable(position)) {
            return Err(Error::UnusableVertex { geometry_id, vertex, position: vertices[vertex] });
        }
        for (primitive_id, triangle) in (0..).zip(triangles) {
            if let Some(&vertex) = triangle.iter().find(|&&vertex| vertex as usize >= vertices.len()) {
                return Err(Error::VertexOutOfRange {
                    geometry_id,
                    primitive_id,
                    vertex,
                    vertices: vertices.len(),
                });
            }
        }
        self.triangles += triangles.len();
        if self.triangles >= INVALID_ID as usize {
            return Err(Error::TooManyTriangles { triangles: self.triangles });
        }
        self.meshes.push(Mesh { vertices, triangles });
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

    /// Builds the tree. The scene keeps copies of the triangles and nothing of the slices.
    ///
    /// # Errors
    /// What [`Backend::detect`] says, unless a backend was set.
    pub fn build(self) -> Result<Scene> {
        let backend = self.backend.map_or_else(Backend::detect, Ok)?;
        let meshes = &self.meshes;
        let numbering = Numbering::new(meshes.iter().map(|mesh| mesh.triangles.len() as u32));
        let corners = |number: u32| {
            let (geometry_id, primitive_id) = numbering.ids(number);
            meshes[geometry_id as usize].corners(primitive_id as usize)
        };
        let spread = self.threads.spread();
        let bvh = self.threads.install(|| {
            with_default_float_mode(|| {
                let boxes: Vec<_> =
                    (0..self.triangles as u32).map(|number| Aabb::around(corners(number))).collect();
                let block = |numbers: &[u32]| {
                    let mut triangles = [([[0.0; 3]; 3], 0); 8];
                    for (triangle, &number) in triangles.iter_mut().zip(numbers) {
                        *triangle = (corners(number), number);
                    }
                    TriangleBlock::new(&triangles[..numbers.len()])
                };
                Bvh::build(&boxes, block, spread)
            })
        });
        Ok(Scene { bvh, numbering, triangles: self.triangles, backend })
    }
}

/// Triangle meshes that rays can be cast at.
///
/// Every query comes for one ray and for batches. The answers depend on nothing but the geometry,
/// the ray and the culling: not on the backend, the threads, the order of the batch, nor the tree.
#[derive(Debug, Clone)]
pub struct Scene {
    bvh: Bvh<TriangleBlock>,
    numbering: Numbering,
    triangles: usize,
    backend: Backend,
}

/// The same queries as those of [`Scene`], answered by testing every ray against every triangle.
///
/// Slow and without a tree: the oracle that the scene's answers are held against.
#[derive(Debug, Clone, Copy)]
pub struct SceneScan<'a>(&'a Scene);

impl Scene {
    /// A scene of one triangle mesh, on the backend of [`Backend::detect`].
    ///
    /// # Errors
    /// Those of [`SceneBuilder::triangle_mesh`] and [`SceneBuilder::build`].
    pub fn from_triangles(vertices: &[[f32; 3]], triangles: &[[u32; 3]]) -> Result<Self> {
        SceneBuilder::new().triangle_mesh(vertices, triangles)?.build()
    }

    /// How many triangles all geometries have.
    pub fn triangle_count(&self) -> usize {
        self.triangles
    }

    /// The least box around everything; empty for a scene without triangles.
    pub fn bounds(&self) -> Aabb {
        self.bvh.bounds()
    }

    /// The backend that queries run on.
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// Runs the following queries on another backend. Costs nothing.
    pub fn set_backend(&mut self, backend: Backend) {
        self.backend = backend;
    }

    /// What the tree is like.
    pub fn statistics(&self) -> BvhStatistics {
        self.bvh.statistics()
    }

    /// Checks that the tree is whole: every triangle in one leaf, every box around what is below it.
    ///
    /// # Errors
    /// Says in words what is wrong. That would be a defect of lanecast.
    pub fn validate(&self) -> std::result::Result<(), String> {
        self.bvh.validate(self.triangles, |block, number| {
            let corners = block.triangles().find(|&(_, candidate)| candidate == number);
            corners.map_or(Aabb::EMPTY, |(corners, _)| Aabb::around(corners))
        })
    }

    /// The same queries without the tree.
    pub fn scan(&self) -> SceneScan<'_> {
        SceneScan(self)
    }
}

/// Work on one chunk of rays, ready to be run on any lanes.
struct Chunk<'a, T, Q> {
    target: &'a T,
    rays: RayBatch<'a>,
    how: Casting,
    query: &'a mut Q,
}

impl<T: Target, Q: Query> Kernel for Chunk<'_, T, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        self.target.cast(lanes, &self.rays, self.how, self.query);
    }
}

/// Everything a query needs beside its rays.
struct Caster<'a, T> {
    target: &'a T,
    numbering: &'a Numbering,
    backend: Backend,
}

impl<T: Target> Caster<'_, T> {
    fn cast(&self, rays: RayBatch<'_>, options: &CastOptions<'_>, query: &mut impl Query) {
        let how = Casting { culling: options.culling, in_flight: options.in_flight.unwrap_or(MAX_IN_FLIGHT) };
        dispatch(self.backend, Chunk { target: self.target, rays, how, query });
    }

    fn closest_hit(&self, rays: &RayBatch<'_>, options: &CastOptions<'_>, hits: &mut HitBatch) -> Result<()> {
        let chunk = chunk_size(rays.len(), options);
        let parts = HitColumns::chunks(hits, rays.len(), options.normals, chunk);
        for_each_chunk(rays.len(), chunk, parts, options, |range, columns| {
            let (rays, numbering) = (rays.slice(range), self.numbering);
            if options.normals {
                self.cast(rays, options, &mut ClosestHit::<true> { numbering, columns });
            } else {
                self.cast(rays, options, &mut ClosestHit::<false> { numbering, columns });
            }
        })
    }

    fn any_hit(&self, rays: &RayBatch<'_>, options: &CastOptions<'_>, hits: &mut AnyHitBatch) -> Result<()> {
        let chunk = chunk_size(rays.len(), options);
        hits.status.resize(rays.len(), Status::Miss);
        for_each_chunk(rays.len(), chunk, hits.status.chunks_mut(chunk), options, |range, status| {
            self.cast(rays.slice(range), options, &mut AnyHit { status });
        })
    }

    fn count_hits(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        counts: &mut CountBatch,
    ) -> Result<()> {
        let chunk = chunk_size(rays.len(), options);
        counts.status.resize(rays.len(), Status::Miss);
        counts.count.resize(rays.len(), 0);
        let parts = counts.status.chunks_mut(chunk).zip(counts.count.chunks_mut(chunk));
        for_each_chunk(rays.len(), chunk, parts, options, |range, (status, count)| {
            self.cast(rays.slice(range), options, &mut CountHits { status, count });
        })
    }

    fn all_hits(
        &self,
        rays: &RayBatch<'_>,
        options: &CastOptions<'_>,
        hits: &mut AllHitsBatch,
    ) -> Result<()> {
        let chunk = chunk_size(rays.len(), options);
        hits.status.resize(rays.len(), Status::Miss);
        let mut found = vec![Vec::new(); rays.len().div_ceil(chunk)];
        let parts = hits.status.chunks_mut(chunk).zip(&mut found);
        for_each_chunk(rays.len(), chunk, parts, options, |range, (status, found)| {
            let mut query = AllHits { status, found: Vec::new() };
            self.cast(rays.slice(range), options, &mut query);
            *found = query.into_sorted();
        })?;
        hits.offsets.clear();
        hits.hits.clear();
        hits.offsets.reserve(rays.len() + 1);
        hits.hits.reserve(found.iter().map(Vec::len).sum());
        for (start, found) in (0..rays.len()).step_by(chunk).zip(&found) {
            let mut rest = found.iter().peekable();
            for row in 0..chunk.min(rays.len() - start) {
                hits.offsets.push(hits.hits.len());
                while let Some((_, candidate)) = rest.next_if(|(of_row, _)| *of_row as usize == row) {
                    hits.hits.push(self.numbering.hit(candidate));
                }
            }
        }
        hits.offsets.push(hits.hits.len());
        Ok(())
    }
}

/// The public queries, the same over the tree and over the scan.
macro_rules! queries {
    ($type:ty, $self:ident => $caster:expr) => {
        impl $type {
            /// The first triangle that the ray meets; of several at the same `t` the one with the
            /// lowest ids.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the ray has a [`defect`](Ray::defect).
            pub fn closest_hit(&$self, ray: &Ray) -> Result<Option<Hit>> {
                let mut hits = HitBatch::new();
                $caster.closest_hit(&RayBatch::from(std::slice::from_ref(ray)), &single(), &mut hits)?;
                refuse_defect(hits.status[0])?;
                Ok(hits.hit(0))
            }

            /// Whether the ray meets any triangle.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the ray has a [`defect`](Ray::defect).
            pub fn any_hit(&$self, ray: &Ray) -> Result<bool> {
                let mut hits = AnyHitBatch::default();
                $caster.any_hit(&RayBatch::from(std::slice::from_ref(ray)), &single(), &mut hits)?;
                refuse_defect(hits.status[0])?;
                Ok(hits.status[0].is_hit())
            }

            /// How many triangles the ray meets.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the ray has a [`defect`](Ray::defect).
            pub fn count_hits(&$self, ray: &Ray) -> Result<u32> {
                let mut counts = CountBatch::default();
                $caster.count_hits(&RayBatch::from(std::slice::from_ref(ray)), &single(), &mut counts)?;
                refuse_defect(counts.status[0])?;
                Ok(counts.count[0])
            }

            /// Every triangle that the ray meets, in the order of `t`, then ids.
            ///
            /// # Errors
            /// [`Error::InvalidRay`] if the ray has a [`defect`](Ray::defect).
            pub fn all_hits(&$self, ray: &Ray) -> Result<Vec<Hit>> {
                let mut hits = AllHitsBatch::default();
                $caster.all_hits(&RayBatch::from(std::slice::from_ref(ray)), &single(), &mut hits)?;
                refuse_defect(hits.status[0])?;
                Ok(hits.hits)
            }

            /// The first triangle that each ray meets, into `hits`, whose memory is reused.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `hits` then holds no answer.
            pub fn closest_hit_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                hits: &mut HitBatch,
            ) -> Result<()> {
                $caster.closest_hit(rays, options, hits)
            }

            /// Whether each ray meets any triangle, into `hits`, whose memory is reused.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `hits` then holds no answer.
            pub fn any_hit_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                hits: &mut AnyHitBatch,
            ) -> Result<()> {
                $caster.any_hit(rays, options, hits)
            }

            /// How many triangles each ray meets, into `counts`, whose memory is reused.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `counts` then holds no answer.
            pub fn count_hits_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                counts: &mut CountBatch,
            ) -> Result<()> {
                $caster.count_hits(rays, options, counts)
            }

            /// Every triangle that each ray meets, in the order of `t`, then ids, into `hits`, whose
            /// memory is reused.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `hits` then holds no answer.
            pub fn all_hits_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                hits: &mut AllHitsBatch,
            ) -> Result<()> {
                $caster.all_hits(rays, options, hits)
            }

            /// What it costs to find the first triangle that each ray meets, into `costs`, whose
            /// memory is reused. Unlike the answers this does depend on the tree.
            ///
            /// # Errors
            /// [`Error::Stopped`] if the watcher stopped it; `costs` then holds no answer.
            pub fn cost_batch(
                &$self,
                rays: &RayBatch<'_>,
                options: &CastOptions<'_>,
                costs: &mut CostBatch,
            ) -> Result<()> {
                $caster.cost(rays, options, costs)
            }
        }
    };
}

queries!(Scene, self => Caster { target: &self.bvh, numbering: &self.numbering, backend: self.backend });
queries!(SceneScan<'_>, self => Caster {
    target: &Scan { blocks: self.0.bvh.blocks() },
    numbering: &self.0.numbering,
    backend: self.0.backend,
});

/// One ray is cast where the caller is.
fn single() -> CastOptions<'static> {
    CastOptions::new().threads(Threads::ONE)
}

fn refuse_defect(status: Status) -> Result<()> {
    if status.is_invalid() { Err(Error::InvalidRay { status }) } else { Ok(()) }
}

//! Scenes that change: vertices that move, geometries that come and go.

use super::mesh::Mesh;
use super::{FoundOut, Geometry, Scene, own_bounds};
use crate::error::{Error, Result};
use crate::hit::{INVALID_ID, Numbering};
use crate::leaf::TriangleBlock;
use crate::math::{LARGEST_COORDINATE, MOST_PRIMITIVES};
use crate::shapes::Shapes;
use crate::simd::with_default_float_mode;
use crate::threads::Threads;
use crate::tree::{BuildQuality, Bvh};
use crate::value::Aabb;

impl Scene {
    /// Moves the vertices of meshes, each given by its geometry id, all of its vertices and the same triangles as before.
    ///
    /// The tree stays what it is, with boxes that fit: one pass over all leaves and one over all nodes, O(n) over the n
    /// triangles of all meshes of this scene whichever of them moved, beside O(n log n) for building (`cargo bench
    /// --bench build` has both). The instances of the scene are copied as by [`set_transforms`](Self::set_transforms),
    /// and the tree over them is made anew by the next ray; a tree over other primitives stays as it is. Answers are
    /// those of a scene built anew. Rays are slower the farther neighbours part; [`statistics`](Self::statistics) says
    /// by how much boxes have grown, and [`rebuild`](Self::rebuild) makes the tree anew.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`] if there is no such mesh, [`Error::TriangleCount`] if it had more or fewer triangles, and
    /// what [`SceneBuilder::triangle_mesh`](super::SceneBuilder::triangle_mesh) says of vertices. The scene is then as it
    /// was.
    #[expect(clippy::type_complexity, reason = "a mesh is its two slices everywhere")]
    pub fn refit(&mut self, meshes: &[(u32, &[[f32; 3]], &[[u32; 3]])], threads: &Threads) -> Result<()> {
        let mut moved = vec![None; self.masks.count()];
        for &(geometry_id, vertices, triangles) in meshes {
            let expected = self.mesh_numbers(geometry_id)?.len();
            if triangles.len() != expected {
                return Err(Error::TriangleCount { geometry_id, found: triangles.len(), expected });
            }
            let mesh = Mesh { vertices, triangles };
            mesh.check(geometry_id)?;
            moved[geometry_id as usize] = Some(mesh);
        }
        let numbering = &self.numbering;
        let rewrite = |block: &mut TriangleBlock| {
            block.rewrite(|corners, number| {
                let (geometry_id, primitive_id) = numbering.ids(number);
                // A damaged file may hold any number.
                let mesh = moved.get(geometry_id as usize).copied().flatten();
                let mesh = mesh.filter(|mesh: &Mesh<'_>| (primitive_id as usize) < mesh.triangles.len());
                (mesh.map_or(corners, |mesh| mesh.corners(primitive_id as usize)), number)
            });
        };
        let box_of =
            |block: &TriangleBlock| Aabb::of_points(block.triangles().flat_map(|(corners, _)| corners));
        let spread = threads.spread(self.triangles);
        let bvh = &mut self.bvh;
        threads.install(|| with_default_float_mode(|| bvh.refit(rewrite, box_of, spread)));
        self.has_moved()
    }

    /// Puts another geometry in the place of one, of any kind and any number of primitives; its id and those of all others
    /// stay. [`Geometry::empty`] removes it.
    ///
    /// Builds the tree over all triangles anew if one of the two is a mesh, and the tree over all other primitives in any
    /// case: O(n log n) in what each holds, as [`build`](super::SceneBuilder::build) takes.
    ///
    /// ```
    /// use lanecast::primitive::Sphere;
    /// use lanecast::{BuildQuality, Geometry, Ray, SceneBuilder, Threads};
    /// let [small, large] = [1.0, 2.0].map(|radius| [Sphere::new([0.0, 0.0, 9.0], radius)]);
    /// let mut scene = SceneBuilder::new().spheres(&small)?.build()?;
    /// scene.replace(0, Geometry::spheres(&large), BuildQuality::default(), &Threads::ONE)?;
    /// let hit = scene.closest_hit(&Ray::new([0.0; 3], [0.0, 0.0, 1.0]))?.expect("a hit");
    /// assert_eq!(hit.t, 7.0);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`] if there is none of that id, and what
    /// [`SceneBuilder::geometry`](super::SceneBuilder::geometry) says. The scene is then as it was.
    pub fn replace(
        &mut self,
        geometry_id: u32,
        geometry: Geometry<'_>,
        quality: BuildQuality,
        threads: &Threads,
    ) -> Result<()> {
        self.masks.get(geometry_id)?;
        geometry.check(geometry_id)?;
        let counts = (0..self.masks.count() as u32).map(|id| {
            if id == geometry_id { geometry.primitive_count() } else { self.numbering.numbers(id).len() }
        });
        let primitives: usize = counts.clone().fold(0, usize::saturating_add);
        if primitives > MOST_PRIMITIVES {
            return Err(Error::TooManyTriangles { triangles: primitives });
        }
        let numbering = Numbering::new(counts.map(|count| count as u32));
        let mut shapes = self.shapes.geometries().to_vec();
        let was_mesh = shapes[geometry_id as usize].is_none();
        let mesh = geometry.mesh();
        shapes[geometry_id as usize] = geometry.into_shape();
        if was_mesh || mesh.is_some() {
            self.build_triangles(Some((geometry_id, mesh)), &numbering, quality, threads)?;
        } else if numbering.starts() != self.numbering.starts() {
            let renumber = |block: &mut TriangleBlock| {
                block.rewrite(|corners, number| (corners, renumbered(number, &self.numbering, &numbering)));
            };
            let spread = threads.spread(self.triangles);
            let bvh = &mut self.bvh;
            threads.install(|| bvh.rewrite(renumber, spread));
        }
        self.shapes = Shapes::new(shapes, &numbering, threads);
        self.numbering = numbering;
        self.has_moved()
    }

    /// Builds the tree over all triangles anew. Answers are the same; after vertices have moved far, rays are faster.
    ///
    /// Costs O(n log n) over the n triangles of all meshes of the scene itself, which are copied for it (40 bytes each
    /// while it works), and of instances what [`set_transforms`](Self::set_transforms) costs. The scenes placed in it
    /// are not touched.
    pub fn rebuild(&mut self, quality: BuildQuality, threads: &Threads) {
        let numbering = self.numbering.clone();
        let built = self.build_triangles(None, &numbering, quality, threads).and_then(|()| self.has_moved());
        built.expect("what was built before can be built again");
    }

    /// The numbers of a mesh's triangles.
    fn mesh_numbers(&self, geometry_id: u32) -> Result<std::ops::Range<u32>> {
        self.masks.get(geometry_id)?;
        if self.shapes.geometry(geometry_id).is_some() {
            return Err(Error::UnknownGeometry { geometry_id, geometries: self.masks.count() });
        }
        Ok(self.numbering.numbers(geometry_id))
    }

    /// Builds the tree of the triangles that there are, each with its new number, without those of one geometry and with
    /// those of the mesh that comes in its place.
    fn build_triangles(
        &mut self,
        replaced: Option<(u32, Option<Mesh<'_>>)>,
        numbering: &Numbering,
        quality: BuildQuality,
        threads: &Threads,
    ) -> Result<()> {
        // A damaged file may hold corners of anything, which count as 0.
        let sound = |x: f32| if x.abs() <= LARGEST_COORDINATE { x } else { 0.0 };
        let mut triangles: Vec<([[f32; 3]; 3], u32)> = Vec::with_capacity(numbering.count());
        for (corners, number) in self.bvh.blocks().iter().flat_map(TriangleBlock::triangles) {
            if replaced.is_none_or(|(replaced, _)| replaced != self.numbering.ids(number).0) {
                let corners = corners.map(|corner| corner.map(sound));
                triangles.push((corners, renumbered(number, &self.numbering, numbering)));
            }
        }
        if let Some((geometry_id, Some(mesh))) = replaced {
            let numbers = numbering.numbers(geometry_id);
            triangles.extend(numbers.zip(0..).map(|(number, id)| (mesh.corners(id), number)));
        }
        // The same input gives the same tree.
        triangles.sort_unstable_by_key(|&(_, number)| number);
        let too_many = Error::TooManyTriangles { triangles: triangles.len() };
        self.bvh = build(&triangles, quality, threads).ok_or(too_many)?;
        self.triangles = triangles.len();
        Ok(())
    }

    /// Forgets what was found out of where things were.
    fn has_moved(&mut self) -> Result<()> {
        self.found_out = FoundOut::default();
        self.instances.set_transforms([], &own_bounds(&self.bvh, &self.shapes))
    }
}

/// What a primitive's number becomes. A damaged file may hold any.
fn renumbered(number: u32, from: &Numbering, to: &Numbering) -> u32 {
    let (geometry_id, primitive_id) = from.ids(number);
    to.numbers(geometry_id).start.saturating_add(primitive_id).min(INVALID_ID - 1)
}

/// A tree over triangles that have their numbers. `None` if it is too large.
fn build(
    triangles: &[([[f32; 3]; 3], u32)],
    quality: BuildQuality,
    threads: &Threads,
) -> Option<Bvh<TriangleBlock>> {
    let box_of = |index: u32| Aabb::of_points(triangles[index as usize].0);
    let block = |indices: &[u32], _| {
        let mut held = [([[0.0; 3]; 3], 0); 8];
        for (into, &index) in held.iter_mut().zip(indices) {
            *into = triangles[index as usize];
        }
        TriangleBlock::new(&held[..indices.len()])
    };
    let spread = threads.spread(triangles.len());
    threads
        .install(|| with_default_float_mode(|| Bvh::build(triangles.len(), box_of, block, quality, spread)))
}

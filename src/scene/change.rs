//! Scenes that change: vertices that move, meshes that come and go.

use std::sync::OnceLock;

use super::{Mesh, Scene, own_bounds};
use crate::bvh::{BuildQuality, Bvh};
use crate::error::{Error, Result};
use crate::hit::{INVALID_ID, Numbering};
use crate::math::{LARGEST_COORDINATE, MOST_PRIMITIVES};
use crate::primitive::{Aabb, TriangleBlock};
use crate::simd::with_default_float_mode;
use crate::threads::Threads;

impl Scene {
    /// Moves the vertices of meshes, each given by its geometry id, all of its vertices and the same triangles as before.
    ///
    /// The tree stays what it is, with boxes that fit: one pass over all leaves and one over all nodes, O(n) over the n
    /// triangles of all meshes of this scene whichever of them moved, beside O(n log n) for building (`cargo bench --bench
    /// build` has both). The instances of the scene are copied as by [`set_transforms`](Self::set_transforms), and the tree over
    /// them is made anew by the next ray; a tree over other primitives stays as it is. Answers are those of a scene built anew. Rays are slower the farther
    /// neighbours part; [`statistics`](Self::statistics) says by how much boxes have grown, and
    /// [`rebuild`](Self::rebuild) makes the tree anew.
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
            let mut triangles = [([[0.0; 3]; 3], 0); 8];
            let mut count = 0;
            for (into, (corners, number)) in triangles.iter_mut().zip(block.triangles()) {
                let (geometry_id, primitive_id) = numbering.ids(number);
                // A damaged file may hold any number.
                let mesh = moved.get(geometry_id as usize).copied().flatten();
                let mesh = mesh.filter(|mesh: &Mesh<'_>| (primitive_id as usize) < mesh.triangles.len());
                *into = (mesh.map_or(corners, |mesh| mesh.corners(primitive_id as usize)), number);
                count += 1;
            }
            *block = TriangleBlock::new(&triangles[..count]);
        };
        let box_of =
            |block: &TriangleBlock| Aabb::of_points(block.triangles().flat_map(|(corners, _)| corners));
        let spread = threads.spread(self.triangles);
        let bvh = &mut self.bvh;
        threads.install(|| with_default_float_mode(|| bvh.refit(rewrite, box_of, spread)));
        self.has_moved()
    }

    /// Puts another mesh in the place of one, of any number of triangles; its id and those of all others stay. A mesh
    /// without triangles removes it. Costs what building the scene costs, as [`rebuild`](Self::rebuild) does.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`] if there is no such mesh, and what
    /// [`SceneBuilder::triangle_mesh`](super::SceneBuilder::triangle_mesh) says. The scene is then as it was.
    pub fn replace(
        &mut self,
        geometry_id: u32,
        vertices: &[[f32; 3]],
        triangles: &[[u32; 3]],
        quality: BuildQuality,
        threads: &Threads,
    ) -> Result<()> {
        self.mesh_numbers(geometry_id)?;
        let mesh = Mesh { vertices, triangles };
        mesh.check(geometry_id)?;
        self.build_anew(Some((geometry_id, mesh)), quality, threads)
    }

    /// Builds the trees anew over what the scene holds itself. Answers are the same; after vertices have moved far, rays are
    /// faster.
    ///
    /// Costs O(n log n) over the n triangles of all its meshes, which are copied for it (40 bytes each while it works), and as
    /// much over its other primitives; of instances what [`set_transforms`](Self::set_transforms) costs. The scenes placed in
    /// it are not touched.
    pub fn rebuild(&mut self, quality: BuildQuality, threads: &Threads) {
        let built = self.build_anew(None, quality, threads);
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

    fn build_anew(
        &mut self,
        replaced: Option<(u32, Mesh<'_>)>,
        quality: BuildQuality,
        threads: &Threads,
    ) -> Result<()> {
        let geometries = self.masks.count() as u32;
        let is_replaced = |geometry_id: u32| replaced.is_some_and(|(replaced, _)| replaced == geometry_id);
        let counts = (0..geometries).map(|geometry_id| match replaced {
            Some((replaced, mesh)) if replaced == geometry_id => mesh.triangles.len(),
            _ => self.numbering.numbers(geometry_id).len(),
        });
        let primitives: usize = counts.clone().sum();
        if primitives > MOST_PRIMITIVES {
            return Err(Error::TooManyTriangles { triangles: primitives });
        }
        let numbering = Numbering::new(counts.map(|count| count as u32));
        // Every triangle with its number, in the order of the old tree and then of the new mesh.
        // A damaged file may hold any number, and corners of anything, which count as 0.
        let renumbered = |geometry_id: u32, primitive_id: u32| {
            numbering.numbers(geometry_id).start.saturating_add(primitive_id).min(INVALID_ID - 1)
        };
        let sound = |x: f32| if x.abs() <= LARGEST_COORDINATE { x } else { 0.0 };
        let mut triangles: Vec<([[f32; 3]; 3], u32)> = Vec::with_capacity(primitives);
        for (corners, number) in self.bvh.blocks().iter().flat_map(TriangleBlock::triangles) {
            let (geometry_id, primitive_id) = self.numbering.ids(number);
            if !is_replaced(geometry_id) {
                let corners = corners.map(|corner| corner.map(sound));
                triangles.push((corners, renumbered(geometry_id, primitive_id)));
            }
        }
        if let Some((geometry_id, mesh)) = replaced {
            let new = 0..mesh.triangles.len() as u32;
            triangles.extend(new.map(|id| (mesh.corners(id as usize), renumbered(geometry_id, id))));
        }
        // The same input gives the same tree.
        triangles.sort_unstable_by_key(|&(_, number)| number);
        let bvh =
            build(&triangles, quality, threads).ok_or(Error::TooManyTriangles { triangles: primitives })?;
        self.shapes = self.shapes.renumbered(&numbering, threads);
        (self.bvh, self.numbering, self.triangles) = (bvh, numbering, triangles.len());
        self.has_moved()
    }

    /// Forgets what was found out of where things were.
    fn has_moved(&mut self) -> Result<()> {
        (self.open_edge, self.block_of_each) = (OnceLock::new(), OnceLock::new());
        self.instances.set_transforms([], &own_bounds(&self.bvh, &self.shapes))
    }
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

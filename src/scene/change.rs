//! Changes of scenes: moved vertices, replaced geometries.

use super::geometry::Mesh;
use super::precision::{BlockOf, Numbered};
use super::{DerivedCache, Geometry, GeometryView, Precision, Scene};
use crate::answers::{INVALID_ID, Numbering};
use crate::error::{Error, Result};
use crate::leaf::TriangleLeaf;
use crate::math::{LARGEST_COORDINATE, MOST_PRIMITIVES};
use crate::shapes::Shapes;
use crate::simd::with_default_float_mode;
use crate::threads::Threads;
use crate::traverse::Target;
use crate::tree::BuildQuality;

impl<T: Precision> Scene<T> {
    /// Moves the vertices of meshes. Each is given by its geometry id, all of its vertices and the same triangles as before.
    ///
    /// The tree keeps its structure, and boxes are fitted, in O(n) in the n triangles of all meshes, whichever of them moved.
    /// Instances cost what they cost in [`set_transforms`](Self::set_transforms). Answers are those of a scene built anew, but
    /// rays get slower the farther neighbours part: [`statistics`](Self::statistics) shows it, [`rebuild`](Self::rebuild) helps.
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`] if there is no such mesh, [`Error::TriangleCount`] if it had more or fewer triangles, and
    /// those of [`triangle_mesh`](super::SceneBuilder::triangle_mesh). After an error the scene is unchanged.
    #[expect(clippy::type_complexity, reason = "a mesh is its two slices everywhere")]
    pub fn refit(&mut self, meshes: &[(u32, &[[T; 3]], &[[u32; 3]])], threads: &Threads) -> Result<()> {
        let mut moved = vec![None; self.masks.of_geometries.len()];
        for &(geometry_id, vertices, triangles) in meshes {
            let GeometryView::Triangles { count: expected } = self.geometry(geometry_id)? else {
                return Err(Error::UnknownGeometry { geometry_id, geometries: moved.len() });
            };
            if triangles.len() != expected {
                return Err(Error::TriangleCount { geometry_id, found: triangles.len(), expected });
            }
            let mesh = Geometry::triangle_mesh(vertices, triangles);
            mesh.check(geometry_id)?;
            moved[geometry_id as usize] = Some(mesh.mesh);
        }
        let numbering = &self.numbering;
        let rewrite = |block: &mut BlockOf<T>| {
            block.rewrite(|corners, number| {
                let (geometry_id, primitive_id) = numbering.ids(number);
                // A damaged file may hold any number.
                let mesh = moved.get(geometry_id as usize).copied().flatten();
                let mesh = mesh.filter(|mesh: &Mesh<'_, T>| (primitive_id as usize) < mesh.count());
                (mesh.map_or(corners, |mesh| mesh.corners(primitive_id as usize)), number)
            });
        };
        let (tree, spread) = (&mut self.tree, threads.spread(self.triangles));
        threads.install(|| with_default_float_mode(|| T::refit(tree, rewrite, spread)));
        self.has_moved()
    }

    /// Replaces a geometry by another of any kind and any number of primitives. All geometry ids stay. Builds the tree over
    /// all triangles anew if one of the two is a mesh, and that over all other primitives: O(n log n) in the content of each.
    ///
    /// ```
    /// use lanecast::primitive::Sphere;
    /// use lanecast::{BuildQuality, Geometry, Ray, SceneBuilder, Threads};
    /// let [small, large] = [1.0, 2.0].map(|radius| [Sphere::new([0.0, 0.0, 9.0], radius)]);
    /// let mut scene = SceneBuilder::new().spheres(&small)?.build()?;
    /// scene.replace(0, Geometry::spheres(&large), BuildQuality::default(), &Threads::ONE)?;
    /// let hit = scene.cast(&Ray::new([0.0; 3], [0.0, 0.0, 1.0])).closest()?.expect("a hit");
    /// assert_eq!(hit.t, 7.0);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`], and those of [`SceneBuilder::geometry`](super::SceneBuilder::geometry). After an error the
    /// scene is unchanged.
    pub fn replace(
        &mut self,
        geometry_id: u32,
        geometry: Geometry<'_, T>,
        quality: BuildQuality,
        threads: &Threads,
    ) -> Result<()> {
        self.masks.get(geometry_id)?;
        geometry.check(geometry_id)?;
        let counts = (0..self.masks.of_geometries.len() as u32).map(|id| {
            if id == geometry_id { geometry.primitive_count() } else { self.numbering.numbers(id).len() }
        });
        let primitives: usize = counts.clone().fold(0, usize::saturating_add);
        if primitives > MOST_PRIMITIVES {
            return Err(Error::TooManyTriangles { triangles: primitives });
        }
        let numbering = Numbering::new(counts.map(|count| count as u32));
        let mut shapes = self.shapes.geometries.clone();
        let was_mesh = shapes[geometry_id as usize].is_none();
        shapes[geometry_id as usize] = geometry.shape;
        if was_mesh || shapes[geometry_id as usize].is_none() {
            self.build_triangles(Some((geometry_id, geometry.mesh)), &numbering, quality, threads)?;
        } else if numbering.starts() != self.numbering.starts() {
            let renumber = |block: &mut BlockOf<T>| {
                block.rewrite(|corners, number| (corners, renumbered(number, &self.numbering, &numbering)));
            };
            let (tree, spread) = (&mut self.tree, threads.spread(self.triangles));
            threads.install(|| tree.bvh_mut().rewrite(renumber, spread));
        }
        self.shapes = Shapes::new(shapes, &numbering, threads);
        self.numbering = numbering;
        self.has_moved()
    }

    /// Builds the tree over all triangles of the scene itself anew, in O(n log n), for faster rays after vertices have moved
    /// far. The triangles are copied meanwhile (40 bytes each); instances cost as by [`set_transforms`](Self::set_transforms).
    pub fn rebuild(&mut self, quality: BuildQuality, threads: &Threads) {
        let numbering = self.numbering.clone();
        let built = self.build_triangles(None, &numbering, quality, threads).and_then(|()| self.has_moved());
        built.expect("what was built before can be built again");
    }

    /// Builds the tree over the present triangles with their new numbers, with a geometry replaced by a mesh.
    fn build_triangles(
        &mut self,
        replaced: Option<(u32, Mesh<'_, T>)>,
        numbering: &Numbering,
        quality: BuildQuality,
        threads: &Threads,
    ) -> Result<()> {
        // A damaged file may hold any bits as corners; unusable ones count as 0.
        let sound = |x: T| if x.abs() <= T::of(LARGEST_COORDINATE) { x } else { T::ZERO };
        let mut triangles: Vec<Numbered<T>> = Vec::with_capacity(numbering.count());
        for (corners, number) in self.tree.bvh().blocks().iter().flat_map(TriangleLeaf::triangles) {
            if replaced.is_none_or(|(replaced, _)| replaced != self.numbering.ids(number).0) {
                let corners = corners.map(|corner| corner.map(sound));
                triangles.push((corners, renumbered(number, &self.numbering, numbering)));
            }
        }
        if let Some((geometry_id, mesh)) = replaced {
            let numbered = (0..mesh.count()).zip(numbering.numbers(geometry_id));
            triangles.extend(numbered.map(|(id, number)| (mesh.corners(id), number)));
        }
        // The same input gives the same tree.
        triangles.sort_unstable_by_key(|&(_, number)| number);
        self.tree = T::tree(triangles.len(), |index| triangles[index as usize], quality, threads)?;
        self.triangles = triangles.len();
        Ok(())
    }

    fn has_moved(&mut self) -> Result<()> {
        self.derived = DerivedCache::default();
        self.place(self.instances.placed.clone())
    }
}

/// The new number of a primitive. A damaged file may hold any number.
fn renumbered(number: u32, from: &Numbering, to: &Numbering) -> u32 {
    let (geometry_id, primitive_id) = from.ids(number);
    to.numbers(geometry_id).start.saturating_add(primitive_id).min(INVALID_ID - 1)
}

//! Changes of scenes: moved vertices; geometries that are added, removed and replaced.

use super::geometry::Mesh;
use super::labels::Ids;
use super::precision::{BlockOf, Numbered};
use super::{DerivedCache, Geometry, Precision, Scene};
use crate::answers::{INVALID_ID, Numbering};
use crate::chunks::WatchedThreads;
use crate::error::{Error, Result};
use crate::leaf::TriangleLeaf;
use crate::math::{LARGEST_COORDINATE, MOST_PRIMITIVES};
use crate::query::Masks;
use crate::shapes::Shapes;
use crate::simd::with_default_float_mode;
use crate::threads::{Stop, Threads, is_stopped};
use crate::traverse::Target;
use crate::tree::BuildQuality;

/// Triangles between two questions whether to stop.
const PIECE: usize = 1 << 16;

/// The progress of stopped work is not reported here.
pub(super) const STOPPED: Error = Error::Stopped { done: 0, total: 0 };

impl<T: Precision> Scene<T> {
    /// Moves the vertices of [deformable meshes](Geometry::deformable_mesh). Each is given by its
    /// geometry id and all of its vertices, in the order in which it was built.
    ///
    /// The tree keeps its structure, and boxes are fitted, in O(n) in the n triangles of all
    /// meshes, whichever of them moved. Instances cost as much as in
    /// [`set_transforms`](Self::set_transforms). Answers are those of a scene built anew, but rays
    /// get slower the farther neighbours part: [`statistics`](Self::statistics) shows it,
    /// [`rebuild`](Self::rebuild) helps.
    ///
    /// ```
    /// use lanecast::{Geometry, SceneBuilder, Threads};
    /// let square = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [1.0, 1.0, z], [0.0, 1.0, z]];
    /// let flat = square(0.0);
    /// let cloth = Geometry::deformable_mesh(&flat, &[[0, 1, 2], [0, 2, 3]]);
    /// let mut scene = SceneBuilder::new().geometry(cloth)?.build()?;
    /// scene.refit(&[(0, &square(2.0))], &Threads::ONE)?;
    /// assert_eq!(scene.point([0.5, 0.5, 0.0]).distance()?, 2.0);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`], [`Error::NotDeformable`], and those of
    /// [`triangle_mesh`](super::SceneBuilder::triangle_mesh), also where there are fewer vertices
    /// than triangles name. [`Error::Stopped`] if a [watcher](Threads::watched) stopped it; with
    /// one the tree is copied first, which costs a twentieth more. After an error the scene is
    /// unchanged.
    pub fn refit<'a>(
        &mut self,
        meshes: &[(u32, &[[T; 3]])],
        threads: impl Into<WatchedThreads<'a>>,
    ) -> Result<()> {
        let threads = threads.into();
        threads.run(self.triangles, |threads, stop| self.refit_until(meshes, threads, stop))
    }

    fn refit_until(
        &mut self,
        meshes: &[(u32, &[[T; 3]])],
        threads: &Threads,
        stop: Stop<'_>,
    ) -> Result<()> {
        let mut moved = vec![None; self.ids.bound() as usize];
        for &(geometry_id, vertices) in meshes {
            self.expect_geometry(geometry_id)?;
            let indices = self.kept.of(geometry_id).indices.as_ref();
            let indices = indices.ok_or(Error::NotDeformable { geometry_id })?;
            let mesh = Geometry::triangle_mesh(vertices, indices);
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
        let (tree, spread) = (&mut self.tree, threads.spread(self.triangles).until(stop));
        let fitted = threads.install(|| {
            with_default_float_mode(|| {
                if stop.is_none() {
                    return T::refit(tree, rewrite, spread);
                }
                let mut copy = T::copy(tree, spread)?;
                T::refit(&mut copy, rewrite, spread)?;
                *tree = copy;
                Some(())
            })
        });
        fitted.ok_or(STOPPED)?;
        self.has_moved()
    }

    /// Adds geometries to the scene. Each gets the lowest id that is free, and with that masks of
    /// all bits. The ids of all others stay. Returns the new ids.
    ///
    /// Builds the tree over all triangles anew if one of them is a mesh, and the tree over all
    /// other primitives: O(n log n) in the content of each, once for all that are added.
    /// [Instances](Self::add_instances) cost less for content that comes and goes often among much
    /// that stays.
    ///
    /// ```
    /// use lanecast::primitive::Sphere;
    /// use lanecast::{BuildQuality, Geometry, Ray, Scene, Threads};
    /// let vertices = [[0.0, 0.0, 9.0], [1.0, 0.0, 9.0], [0.0, 1.0, 9.0]];
    /// let mut scene = Scene::from_triangles(&vertices, &[[0, 1, 2]])?;
    /// let (quality, threads) = (BuildQuality::default(), Threads::ONE);
    /// let ball = Geometry::spheres(&[Sphere::new([0.0, 0.0, 5.0], 2.0)]);
    /// assert_eq!(scene.add(&[ball], quality, &threads)?, [1]);
    /// let hit = |scene: &Scene| scene.cast(&Ray::new([0.0; 3], [0.0, 0.0, 1.0])).closest();
    /// assert_eq!(hit(&scene)?.map(|hit| (hit.t, hit.geometry_id)), Some((3.0, 1)));
    /// scene.remove(&[1], quality, &threads)?;
    /// assert_eq!(hit(&scene)?.map(|hit| (hit.t, hit.geometry_id)), Some((9.0, 0)));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`SceneBuilder::geometry`](super::SceneBuilder::geometry), with the id that the
    /// geometry would get; [`Error::Stopped`] if a [watcher](Threads::watched) stopped it. Nothing
    /// is added then.
    pub fn add<'a>(
        &mut self,
        geometries: &[Geometry<'_, T>],
        quality: BuildQuality,
        threads: impl Into<WatchedThreads<'a>>,
    ) -> Result<Vec<u32>> {
        let mut ids = self.ids.clone();
        let take = |_: &_| {
            let id = ids.removed().next().unwrap_or(ids.bound());
            ids.take(id);
            id
        };
        let added: Vec<u32> = geometries.iter().map(take).collect();
        self.change(ids, added.iter().copied().zip(geometries), quality, threads.into())?;
        Ok(added)
    }

    /// Removes geometries from the scene, with the costs of [`add`](Self::add). The ids of all
    /// others stay. Those that are free go to geometries that are added later.
    ///
    /// [`Error::UnknownGeometry`] names the first that does not exist; [`Error::Stopped`] as of
    /// [`add`](Self::add). Nothing is removed then.
    pub fn remove<'a>(
        &mut self,
        geometry_ids: &[u32],
        quality: BuildQuality,
        threads: impl Into<WatchedThreads<'a>>,
    ) -> Result<()> {
        geometry_ids.iter().try_for_each(|&id| self.expect_geometry(id))?;
        let nothing = Geometry::triangle_mesh(&[], &[]);
        let mut ids = self.ids.clone();
        geometry_ids.iter().for_each(|&id| ids.free(id));
        self.change(ids, geometry_ids.iter().map(|&id| (id, &nothing)), quality, threads.into())
    }

    /// Replaces geometries by others of any kind and any number of primitives, with the costs of
    /// [`add`](Self::add). All ids, masks, names and data stay.
    ///
    /// ```
    /// use lanecast::primitive::Sphere;
    /// use lanecast::{BuildQuality, Geometry, Ray, SceneBuilder, Threads};
    /// let [small, large] = [1.0, 2.0].map(|radius| [Sphere::new([0.0, 0.0, 9.0], radius)]);
    /// let mut scene = SceneBuilder::new().spheres(&small)?.build()?;
    /// scene.replace(&[(0, Geometry::spheres(&large))], BuildQuality::default(), &Threads::ONE)?;
    /// let hit = scene.cast(&Ray::new([0.0; 3], [0.0, 0.0, 1.0])).closest()?.expect("a hit");
    /// assert_eq!(hit.t, 7.0);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`], and those of [`add`](Self::add). After an error the scene is
    /// unchanged.
    pub fn replace<'a>(
        &mut self,
        geometries: &[(u32, Geometry<'_, T>)],
        quality: BuildQuality,
        threads: impl Into<WatchedThreads<'a>>,
    ) -> Result<()> {
        geometries.iter().try_for_each(|&(id, _)| self.expect_geometry(id))?;
        let given = geometries.iter().map(|(id, geometry)| (*id, geometry));
        self.change(self.ids.clone(), given, quality, threads.into())
    }

    /// Replaces the content of some geometries: that of added ones, and that of removed ones by
    /// nothing. `ids` are the ids after the change.
    fn change<'g>(
        &mut self,
        ids: Ids,
        given: impl Iterator<Item = (u32, &'g Geometry<'g, T>)>,
        quality: BuildQuality,
        threads: WatchedThreads<'_>,
    ) -> Result<()> {
        let mut by_id = vec![None; self.ids.bound().max(ids.bound()) as usize];
        given.for_each(|(id, geometry)| by_id[id as usize] = Some(geometry));
        let given = || (0..).zip(&by_id).filter_map(|(id, given)| Some((id, (*given)?)));
        given().try_for_each(|(geometry_id, geometry)| geometry.check(geometry_id))?;
        let counts = (0..).zip(&by_id[..ids.bound() as usize]).map(|(id, given)| {
            given.map_or_else(|| self.numbering.numbers(id).len(), Geometry::primitive_count)
        });
        let primitives: usize = counts.clone().fold(0, usize::saturating_add);
        if primitives > MOST_PRIMITIVES {
            return Err(Error::TooManyTriangles { triangles: primitives });
        }
        let numbering = Numbering::new(counts.map(|count| count as u32));
        let was_mesh = |id: u32| id < self.ids.bound() && self.shapes.geometry(id).is_none();
        let mut shapes = self.shapes.geometries.clone();
        let mut masks = self.masks.of_geometries.clone();
        shapes.resize(ids.bound() as usize, None);
        masks.resize(ids.bound() as usize, u32::MAX);
        for (id, geometry) in given() {
            if let Some(shape) = shapes.get_mut(id as usize) {
                shape.clone_from(&geometry.shape);
            }
            if !ids.has(id) && (id as usize) < masks.len() {
                masks[id as usize] = u32::MAX;
            }
        }
        // All that may be stopped comes before the first change.
        let (triangles, shapes) = threads.run(numbering.count(), |threads, stop| {
            let mut triangles = None;
            if given().any(|(id, geometry)| geometry.shape.is_none() || was_mesh(id)) {
                triangles = Some(self.build_triangles(&by_id, &numbering, quality, threads, stop)?);
            } else if numbering.starts() != self.numbering.starts() {
                let renumber = |block: &mut BlockOf<T>| {
                    block.rewrite(|corners, number| {
                        (corners, renumbered(number, &self.numbering, &numbering))
                    });
                };
                let spread = threads.spread(self.triangles).until(stop);
                let tree = threads.install(|| {
                    let mut tree = T::copy(&self.tree, spread)?;
                    tree.bvh_mut().rewrite(renumber, spread)?;
                    Some(tree)
                });
                triangles = Some((tree.ok_or(STOPPED)?, self.triangles));
            }
            Ok((triangles, Shapes::new(shapes, &numbering, threads, stop).ok_or(STOPPED)?))
        })?;
        given().for_each(|(id, geometry)| *self.kept.of_mut(id) = geometry.kept());
        if let Some(triangles) = triangles {
            (self.tree, self.triangles) = triangles;
        }
        (self.shapes, self.numbering, self.masks, self.ids) =
            (shapes, numbering, Masks::new(masks), ids);
        self.has_moved()
    }

    /// Builds the tree over all triangles of the scene itself anew, in O(n log n), for faster rays
    /// after vertices have moved far. The triangles are copied meanwhile (40 bytes for each
    /// primitive); instances cost as by [`set_transforms`](Self::set_transforms).
    ///
    /// [`Error::Stopped`] if a [watcher](Threads::watched) stopped it, and no other error. The
    /// scene is unchanged then.
    pub fn rebuild<'a>(
        &mut self,
        quality: BuildQuality,
        threads: impl Into<WatchedThreads<'a>>,
    ) -> Result<()> {
        let numbering = &self.numbering;
        (self.tree, self.triangles) = threads.into().run(numbering.count(), |threads, stop| {
            self.build_triangles(&[], numbering, quality, threads, stop)
        })?;
        self.has_moved()
    }

    /// The tree over the present triangles with their new numbers, with the content that is given,
    /// by its ids; and how many there are. After a stop it gives any error.
    fn build_triangles(
        &self,
        given: &[Option<&Geometry<'_, T>>],
        numbering: &Numbering,
        quality: BuildQuality,
        threads: &Threads,
        stop: Stop<'_>,
    ) -> Result<(T::Tree, usize)> {
        let go_on = |done: usize| {
            if done.is_multiple_of(PIECE) && is_stopped(stop) { Err(STOPPED) } else { Ok(()) }
        };
        // A damaged file may hold any bits as corners; unusable ones count as 0.
        let sound = |x: T| if x.abs() <= T::of(LARGEST_COORDINATE) { x } else { T::ZERO };
        // In the order of their numbers, so that the same input gives the same tree; numbers of
        // shapes are left out below.
        let has_triangles =
            self.triangles > 0 || given.iter().flatten().any(|given| given.shape.is_none());
        let room = if has_triangles { numbering.count() } else { 0 };
        let mut triangles: Vec<Numbered<T>> = Vec::with_capacity(room);
        while triangles.len() < room {
            go_on(triangles.len())?;
            triangles.resize(room.min(triangles.len() + PIECE), ([[T::ZERO; 3]; 3], INVALID_ID));
        }
        let mut put = |corners, number: u32| {
            // A damaged file may hold any number too.
            if let Some(triangle) = triangles.get_mut(number as usize) {
                *triangle = (corners, number);
            }
        };
        for (done, (corners, number)) in self.numbered_triangles().enumerate() {
            go_on(done)?;
            if given.get(self.numbering.ids(number).0 as usize).is_none_or(Option::is_none) {
                let corners = corners.map(|corner| corner.map(sound));
                put(corners, renumbered(number, &self.numbering, numbering));
            }
        }
        for (geometry_id, Geometry { mesh, .. }) in
            (0..).zip(given).filter_map(|(id, given)| Some((id, (*given)?)))
        {
            // Shapes have none here, nor have removed geometries, which may be beyond all numbers.
            for id in 0..mesh.count() {
                go_on(id)?;
                put(mesh.corners(id), numbering.numbers(geometry_id).start + id as u32);
            }
        }
        triangles.retain(|&(_, number)| number != INVALID_ID);
        let content = |index: u32| triangles[index as usize];
        Ok((T::tree(triangles.len(), &content, quality, threads, stop)?, triangles.len()))
    }

    fn has_moved(&mut self) -> Result<()> {
        self.derived = DerivedCache::default();
        self.place(self.instances.placed.clone(), self.instances.ids.clone())
    }
}

/// The new number of a primitive. A damaged file may hold any number.
fn renumbered(number: u32, from: &Numbering, to: &Numbering) -> u32 {
    let (geometry_id, primitive_id) = from.ids(number);
    let start = to.starts().get(geometry_id as usize).copied().unwrap_or(0);
    start.saturating_add(primitive_id).min(INVALID_ID - 1)
}

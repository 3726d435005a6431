//! Changes of scenes: moved vertices; geometries that are added, removed and replaced.

use std::marker::PhantomData;

use super::fields::tree_of_fields;
use super::geometry::Mesh;
use super::labels::Ids;
use super::precision::{BlockOf, build_tree};
use super::{DerivedCache, Geometry, Precision, Scene};
use crate::answers::{INVALID_ID, Numbering};
use crate::chunks::{Watch, until_stopped};
use crate::columns::{StridedRows, shown};
use crate::error::{Error, Result};
use crate::leaf::TriangleLeaf;
use crate::math::{LARGEST_COORDINATE, MOST_PRIMITIVES};
use crate::query::Masks;
use crate::shapes::Shapes;
use crate::simd::with_default_float_mode;
use crate::threads::{Spread, Stop, Threads, UNSTOPPED, advanced, step};
use crate::traverse::{Numbered, Target};
use crate::tree::BuildQuality;

/// Triangles between two questions whether to stop.
const PIECE: usize = 1 << 16;

/// How many times as long as to gather the triangles it takes to build the tree over them.
const BUILT: usize = 6;

/// How many triangles get other numbers in the time in which one is built.
const RENUMBERED: usize = 16;

/// How many times as long as a copy of the tree a refit takes.
const REFIT: usize = 4;

/// The progress of stopped work is not reported here.
pub(super) const STOPPED: Error = Error::Stopped { done: 0, total: 0 };

/// A change of the geometries of a scene, and its options; [`Scene::change`] begins one. Setters
/// replace defaults, and the last method makes the change: [`add`](Self::add),
/// [`remove`](Self::remove), [`replace`](Self::replace), [`refit`](Change::refit) or
/// [`rebuild`](Self::rebuild). After an error of any of them the scene is unchanged.
///
/// A refit builds no tree and takes no [quality](Self::quality): `C` is [`Builds`] once it is set,
/// and only the other changes are left.
///
/// ```
/// use lanecast::primitive::Sphere;
/// use lanecast::{BuildQuality, Geometry, Scene, Threads};
/// let mut scene = Scene::from_triangles(&[[0.0, 0.0, 9.0], [1.0, 0.0, 9.0], [0.0, 1.0, 9.0]], &[[0, 1, 2]])?;
/// let ball = Geometry::spheres(&[Sphere::new([0.0, 0.0, 5.0], 2.0)]);
/// let ids = scene.change().threads(&Threads::ONE).quality(BuildQuality::High).add(&[ball])?;
/// assert_eq!(ids, [1]);
/// scene.change().remove(&ids)?;
/// assert_eq!(scene.geometry_count(), 1);
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// ```compile_fail,E0599
/// # use lanecast::{BuildQuality, Scene};
/// # let mut scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// scene.change().quality(BuildQuality::High).refit(&[])?;
/// # Ok::<(), lanecast::Error>(())
/// ```
#[must_use = "a change is made by its last method"]
pub struct Change<'a, T: Precision = f32, C = AllChanges> {
    scene: &'a mut Scene<T>,
    threads: &'a Threads,
    watch: Option<&'a Watch<'a>>,
    quality: BuildQuality,
    changes: PhantomData<fn() -> C>,
}

/// All changes may follow.
#[derive(Debug, Clone, Copy)]
pub struct AllChanges;

/// Changes that build trees may follow: all but refits.
#[derive(Debug, Clone, Copy)]
pub struct Builds;

shown!([T: Precision, C] Change<'_, T, C> as "Change", self {
    "scene": self.scene,
    "threads": self.threads,
    "is_watched": self.watch.is_some(),
    "quality": self.quality,
});

impl<T: Precision> Scene<T> {
    /// A change of the geometries of this scene, on all threads, of
    /// [balanced](BuildQuality::Balanced) quality and without a watcher unless set.
    pub fn change(&mut self) -> Change<'_, T> {
        Change {
            scene: self,
            threads: &Threads::ALL,
            watch: None,
            quality: BuildQuality::default(),
            changes: PhantomData,
        }
    }
}

impl<'a, T: Precision, C> Change<'a, T, C> {
    /// The threads to use. Default: all.
    pub fn threads(self, threads: &'a Threads) -> Self {
        Self { threads, ..self }
    }

    /// A watcher, which gets the [progress](crate::Progress) of the change, and may stop it: by
    /// [`Error::Stopped`], some milliseconds after it breaks. `total` is the number of primitives
    /// that the scene has after it, of a refit that of triangles, and `done` the share of the work
    /// that is done, of `total`.
    ///
    /// ```
    /// use lanecast::{Error, Scene};
    /// use std::ops::ControlFlow;
    /// let mut scene = Scene::from_triangles(&[[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
    /// let stopped = scene.change().watch(&|_| ControlFlow::Break(())).rebuild();
    /// assert_eq!(stopped.err(), Some(Error::Stopped { done: 0, total: 1 }));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn watch(self, watch: &'a Watch<'a>) -> Self {
        Self { watch: Some(watch), ..self }
    }

    /// The effort of tree builds. Default: [`BuildQuality::Balanced`].
    pub fn quality(self, quality: BuildQuality) -> Change<'a, T, Builds> {
        let Self { scene, threads, watch, .. } = self;
        Change { scene, threads, watch, quality, changes: PhantomData }
    }
}

impl<T: Precision> Change<'_, T> {
    /// Moves the vertices of [deformable meshes](Geometry::deformable_mesh). Each is given by its
    /// geometry id and all of its vertices, in the order in which it was built, as a slice of
    /// arrays or other [rows](StridedRows).
    ///
    /// The tree keeps its structure, and boxes are fitted, in O(n) in the n triangles of all
    /// meshes, whichever of them moved. Instances cost what they cost in
    /// [`set_transforms`](Scene::set_transforms). Answers are those of a scene built anew, but rays
    /// get slower the farther neighbours part: [`statistics`](Scene::statistics) shows it,
    /// [`rebuild`](Self::rebuild) helps.
    ///
    /// ```
    /// use lanecast::{Geometry, SceneBuilder};
    /// let square = |z: f32| [[0.0, 0.0, z], [1.0, 0.0, z], [1.0, 1.0, z], [0.0, 1.0, z]];
    /// let flat = square(0.0);
    /// let cloth = Geometry::deformable_mesh(&flat, &[[0, 1, 2], [0, 2, 3]]);
    /// let mut scene = SceneBuilder::new().geometry(cloth)?.build()?;
    /// scene.change().refit(&[(0, &square(2.0))])?;
    /// assert_eq!(scene.point([0.5, 0.5, 0.0]).distance()?, 2.0);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`], [`Error::NotDeformable`], and those of
    /// [`triangle_mesh`](super::SceneBuilder::triangle_mesh), also where there are fewer vertices
    /// than triangles name. [`Error::Stopped`] if a [watcher](Self::watch) stopped it; with one the
    /// tree is copied first, which costs a twentieth more.
    pub fn refit<'v, V>(self, meshes: &[(u32, V)]) -> Result<()>
    where
        V: Copy + Into<StridedRows<'v, T, 3>>,
    {
        let Self { scene, threads, watch, .. } = self;
        let meshes: Vec<_> = meshes.iter().map(|&(id, vertices)| (id, vertices.into())).collect();
        scene.refit_meshes(&meshes, threads, watch)
    }
}

impl<T: Precision, C> Change<'_, T, C> {
    /// Adds geometries to the scene. Each gets the lowest id that is free, and with that masks of
    /// all bits. The ids of all others stay. Returns the new ids.
    ///
    /// Builds the tree over all triangles anew if one of them is a mesh, and that over all other
    /// primitives: O(n log n) in the content of each, once for all that are added. For what comes
    /// and goes often, among much that stays, [instances](Scene::add_instances) cost less.
    ///
    /// ```
    /// use lanecast::primitive::Sphere;
    /// use lanecast::{Geometry, Ray, Scene};
    /// let vertices = [[0.0, 0.0, 9.0], [1.0, 0.0, 9.0], [0.0, 1.0, 9.0]];
    /// let mut scene = Scene::from_triangles(&vertices, &[[0, 1, 2]])?;
    /// let ball = Geometry::spheres(&[Sphere::new([0.0, 0.0, 5.0], 2.0)]);
    /// assert_eq!(scene.change().add(&[ball])?, [1]);
    /// let hit = |scene: &Scene| scene.cast(&Ray::new([0.0; 3], [0.0, 0.0, 1.0])).closest();
    /// assert_eq!(hit(&scene)?.map(|hit| (hit.t, hit.geometry_id)), Some((3.0, 1)));
    /// scene.change().remove(&[1])?;
    /// assert_eq!(hit(&scene)?.map(|hit| (hit.t, hit.geometry_id)), Some((9.0, 0)));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`SceneBuilder::geometry`](super::SceneBuilder::geometry), with the id that the
    /// geometry would get; [`Error::Stopped`] if a [watcher](Self::watch) stopped it.
    #[expect(clippy::should_implement_trait, reason = "it adds geometries, and is no sum")]
    pub fn add(self, geometries: &[Geometry<'_, T>]) -> Result<Vec<u32>> {
        let mut ids = self.scene.ids.clone();
        let take = |_: &_| {
            let id = ids.removed().next().unwrap_or(ids.bound());
            ids.take(id);
            id
        };
        let added: Vec<u32> = geometries.iter().map(take).collect();
        self.give(ids, added.iter().copied().zip(geometries))?;
        Ok(added)
    }

    /// Removes geometries from the scene, with the costs of [`add`](Self::add). The ids of all
    /// others stay. Those that are free go to geometries that are added later.
    ///
    /// [`Error::UnknownGeometry`] names the first that does not exist; [`Error::Stopped`] as of
    /// [`add`](Self::add).
    pub fn remove(self, geometry_ids: &[u32]) -> Result<()> {
        geometry_ids.iter().try_for_each(|&id| self.scene.expect_geometry(id))?;
        let nothing = Geometry::triangle_mesh(&[], &[]);
        let mut ids = self.scene.ids.clone();
        geometry_ids.iter().for_each(|&id| ids.free(id));
        self.give(ids, geometry_ids.iter().map(|&id| (id, &nothing)))
    }

    /// Replaces geometries by others of any kind and any number of primitives, with the costs of
    /// [`add`](Self::add). All ids, masks, names and data stay.
    ///
    /// ```
    /// use lanecast::primitive::Sphere;
    /// use lanecast::{Geometry, Ray, SceneBuilder};
    /// let [small, large] = [1.0, 2.0].map(|radius| [Sphere::new([0.0, 0.0, 9.0], radius)]);
    /// let mut scene = SceneBuilder::new().spheres(&small)?.build()?;
    /// scene.change().replace(&[(0, Geometry::spheres(&large))])?;
    /// let hit = scene.cast(&Ray::new([0.0; 3], [0.0, 0.0, 1.0])).closest()?.expect("a hit");
    /// assert_eq!(hit.t, 7.0);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnknownGeometry`], and those of [`add`](Self::add).
    pub fn replace(self, geometries: &[(u32, Geometry<'_, T>)]) -> Result<()> {
        geometries.iter().try_for_each(|&(id, _)| self.scene.expect_geometry(id))?;
        let (ids, given) = (self.scene.ids.clone(), geometries.iter());
        self.give(ids, given.map(|(id, geometry)| (*id, geometry)))
    }

    /// Builds the tree over all triangles of the scene itself anew, in O(n log n), for faster rays
    /// after vertices have moved far. The triangles are copied meanwhile (40 bytes for each
    /// primitive); instances cost as by [`set_transforms`](Scene::set_transforms).
    ///
    /// [`Error::Stopped`] if a [watcher](Self::watch) stopped it, and no other error.
    pub fn rebuild(self) -> Result<()> {
        let Self { scene, threads, watch, quality, .. } = self;
        let numbering = &scene.numbering;
        (scene.tree, scene.triangles) = until_stopped(numbering.count(), watch, |stop| {
            scene.build_triangles(&[], numbering, quality, threads, stop)
        })?;
        scene.has_moved()
    }

    /// Gives some geometries other content: those that are added, and, empty, those that are
    /// removed. `ids` are those after it.
    fn give<'g>(
        self,
        ids: Ids,
        given: impl Iterator<Item = (u32, &'g Geometry<'g, T>)>,
    ) -> Result<()> {
        let Self { scene, threads, watch, quality, .. } = self;
        let mut by_id = vec![None; scene.ids.bound().max(ids.bound()) as usize];
        given.for_each(|(id, geometry)| by_id[id as usize] = Some(geometry));
        let given = || (0..).zip(&by_id).filter_map(|(id, given)| Some((id, (*given)?)));
        given().try_for_each(|(geometry_id, geometry)| geometry.check(geometry_id))?;
        let counts = (0..).zip(&by_id[..ids.bound() as usize]).map(|(id, given)| {
            given.map_or_else(|| scene.numbering.numbers(id).len(), Geometry::primitive_count)
        });
        let primitives: usize = counts.clone().fold(0, usize::saturating_add);
        if primitives > MOST_PRIMITIVES {
            return Err(Error::TooManyTriangles { triangles: primitives });
        }
        let numbering = Numbering::new(counts.map(|count| count as u32));
        let was_mesh = |id: u32| id < scene.ids.bound() && scene.shapes.geometry(id).is_none();
        let mut shapes = scene.shapes.geometries.clone();
        let mut masks = scene.masks.of_geometries.clone();
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
        let builds = given().any(|(id, geometry)| geometry.shape.is_none() || was_mesh(id));
        let is_renumbered = numbering.starts() != scene.numbering.starts();
        let (total, others) = (numbering.count(), Shapes::count(&shapes, &numbering));
        let of_triangles = match total - others {
            count if builds => count,
            count if is_renumbered => count / RENUMBERED,
            _ => 0,
        };
        // All that may be stopped comes before the first change.
        let in_steps = |stop: Stop<'_>| {
            let mut triangles = None;
            if builds {
                triangles = Some(step(stop, of_triangles, total, |stop| {
                    scene.build_triangles(&by_id, &numbering, quality, threads, stop)
                })?);
            } else if is_renumbered {
                let renumber = |block: &mut BlockOf<T>| {
                    block.rewrite(|corners, number| {
                        (corners, renumbered(number, &scene.numbering, &numbering))
                    });
                };
                let spread = threads.spread(scene.triangles).until(stop);
                let lines = scene.tree.bvh().arena.line_count();
                let tree = threads.install(|| {
                    spread.step(of_triangles, 2 * lines, |spread| {
                        let mut tree = scene.tree.copy(spread)?;
                        tree.bvh_mut().rewrite(renumber, spread)?;
                        Some(tree)
                    })
                });
                triangles = Some((tree.ok_or(STOPPED)?, scene.triangles));
            }
            let shapes = Shapes::new(shapes, &numbering, threads, stop).ok_or(STOPPED)?;
            let fields = tree_of_fields(&shapes, &numbering, stop)?;
            Ok((triangles, shapes, fields))
        };
        let (triangles, shapes, fields) =
            until_stopped(total, watch, |stop| step(stop, total, of_triangles + others, in_steps))?;
        given().for_each(|(id, geometry)| *scene.kept.of_mut(id) = geometry.kept());
        if let Some(triangles) = triangles {
            (scene.tree, scene.triangles) = triangles;
        }
        (scene.shapes, scene.fields) = (shapes, fields);
        (scene.numbering, scene.masks, scene.ids) = (numbering, Masks::new(masks), ids);
        scene.has_moved()
    }
}

impl<T: Precision> Scene<T> {
    fn refit_meshes(
        &mut self,
        meshes: &[(u32, StridedRows<'_, T, 3>)],
        threads: &Threads,
        watch: Option<&Watch<'_>>,
    ) -> Result<()> {
        let mut moved = vec![None; self.ids.bound() as usize];
        for &(geometry_id, vertices) in meshes {
            self.expect_geometry(geometry_id)?;
            let indices = self.kept.of(geometry_id).indices.as_ref();
            let indices = indices.ok_or(Error::NotDeformable { geometry_id })?;
            let mesh = Geometry::triangle_mesh(vertices, &***indices);
            mesh.check(geometry_id)?;
            moved[geometry_id as usize] = Some(mesh.mesh);
        }
        let numbering = &self.numbering;
        let rewrite = |block: &mut BlockOf<T>| {
            block.rewrite(|corners, number| {
                let (geometry_id, primitive_id) = numbering.ids(number);
                // A damaged file may hold any number.
                let mesh: Option<&Mesh<'_, T>> =
                    moved.get(geometry_id as usize).and_then(Option::as_ref);
                let mesh = mesh.filter(|mesh| (primitive_id as usize) < mesh.count());
                (mesh.map_or(corners, |mesh| mesh.corners(primitive_id as usize)), number)
            });
        };
        let (tree, spread) = (&mut self.tree, threads.spread(self.triangles));
        if watch.is_none() {
            let refit = || with_default_float_mode(|| tree.refit(rewrite, spread));
            threads.install(refit).expect(UNSTOPPED);
        } else {
            let (lines, work) = (tree.bvh().arena.line_count(), tree.bvh().work_of_refit());
            let refit = |spread: Spread<'_>| {
                let mut copy = spread.step(lines, lines, |spread| tree.copy(spread))?;
                spread.step(REFIT * lines, work, |spread| copy.refit(rewrite, spread))?;
                Some(copy)
            };
            *tree = until_stopped(self.triangles, watch, |stop| {
                let spread = spread.until(stop);
                let refit = || spread.step(self.triangles, (1 + REFIT) * lines, refit);
                threads.install(|| with_default_float_mode(refit)).ok_or(STOPPED)
            })?;
        }
        self.has_moved()
    }

    /// The tree over the present triangles with their new numbers, with the content that is given,
    /// by its ids; and how many there are. After a stop it gives any error. Reports as
    /// many as there are primitives.
    fn build_triangles(
        &self,
        given: &[Option<&Geometry<'_, T>>],
        numbering: &Numbering,
        quality: BuildQuality,
        threads: &Threads,
        stop: Stop<'_>,
    ) -> Result<(T::Tree, usize)> {
        // A damaged file may hold any bits as corners; unusable ones count as 0.
        let sound = |x: T| if x.abs() <= T::of(LARGEST_COORDINATE) { x } else { T::ZERO };
        // In the order of their numbers, so that the same input gives the same tree; numbers of
        // shapes are left out below.
        let has_triangles =
            self.triangles > 0 || given.iter().flatten().any(|given| given.shape.is_none());
        let room = if has_triangles { numbering.count() } else { 0 };
        let mut triangles: Vec<Numbered<T>> = Vec::with_capacity(room);
        // Each is cleared, and then it comes from the tree or is given.
        let gathered = room / (1 + BUILT);
        step(stop, gathered, 2 * room, |stop| {
            let go_on = |done: usize| {
                let is_next = done.is_multiple_of(PIECE);
                if is_next && advanced(stop, done.min(PIECE)) { Err(STOPPED) } else { Ok(()) }
            };
            while triangles.len() < room {
                go_on(triangles.len())?;
                let length = room.min(triangles.len() + PIECE);
                triangles.resize(length, ([[T::ZERO; 3]; 3], INVALID_ID));
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
                // Shapes have none here, nor have removed geometries, which may be beyond all
                // numbers.
                for id in 0..mesh.count() {
                    go_on(id)?;
                    put(mesh.corners(id), numbering.numbers(geometry_id).start + id as u32);
                }
            }
            Ok(())
        })?;
        triangles.retain(|&(_, number)| number != INVALID_ID);
        let (content, count) = (|index: u32| triangles[index as usize], triangles.len());
        let tree = step(stop, room - gathered, count, |stop| {
            build_tree::<T>(count, &content, quality, threads, stop)
        })?;
        Ok((tree, count))
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

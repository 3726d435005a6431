//! Scenes as files: each scene is in the file once, however often and however deep it is placed.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::fields::tree_of_fields;
use super::instances::{Instance, Instances};
use super::labels::{Ids, Kept, LABEL_SECTIONS};
use super::{DerivedCache, Precision, Scene};
use crate::answers::Numbering;
use crate::chunks::{Watch, Watched, until_stopped};
use crate::columns::shown;
use crate::error::{Error, FileProblem, Result};
use crate::math::MOST_PRIMITIVES;
use crate::memory::FileBytes;
use crate::query::Masks;
use crate::shapes::{MOST_SHAPE_SECTIONS, Shapes, shape_sections};
use crate::simd::{Backend, LANES};
use crate::store::{CACHE_LINE, MOST_SECTIONS, Reading, SectionFile, SectionWriter, damaged};
use crate::threads::{Stop, step};
use crate::traverse::Target;
use crate::tree::{BoxFrame, Bvh};
use crate::value::Affine;

/// The section with the first number of each geometry and the number of all primitives. Every scene
/// has one.
const GEOMETRIES: &str = "geometries";
const MASKS: &str = "masks";
pub(super) const TREE: [&str; 3] = ["tree", "nodes", "triangles"];
const INSTANCES: &str = "instances";
/// The bits of a number, once in a file; files of `f32` go without.
const PRECISION: &str = "precision";
const F64_BITS: u32 = u64::BITS;
/// The viewpoint of the tree, in scenes of `f64` only.
const VIEWPOINT: &str = "viewpoint";
/// All names but those of shapes and labels.
const SECTIONS: [&str; 8] =
    [GEOMETRIES, MASKS, TREE[0], TREE[1], TREE[2], INSTANCES, PRECISION, VIEWPOINT];

/// All names.
fn known() -> Vec<&'static str> {
    [&SECTIONS[..], &shape_sections(), &LABEL_SECTIONS].concat()
}

/// The most scenes in a file: each may have all sections of its precision.
const fn most_scenes<T: Precision>() -> usize {
    let all = SECTIONS.len() - 1 + MOST_SHAPE_SECTIONS + LABEL_SECTIONS.len();
    if T::IS_F64 { (MOST_SECTIONS - 1) / all } else { MOST_SECTIONS / (all - 2) }
}

/// Stands for a path in errors of files that are only bytes.
const OF_BYTES: &str = "the bytes of a scene";

fn refused(path: &Path) -> impl Fn(FileProblem) -> Error {
    move |problem| Error::SceneFile { path: path.display().to_string(), problem }
}

/// What a file holds of a scene and of all that is placed in it.
pub(super) fn sections_of<T: Precision>(
    scene: &Scene<T>,
) -> Result<SectionWriter<'_>, FileProblem> {
    let scenes = all_of(scene);
    let most = most_scenes::<T>();
    if scenes.len() > most {
        return Err(FileProblem::TooManyScenes { scenes: scenes.len(), most });
    }
    for (scene, instance_path) in &scenes {
        if let Some(geometry_id) = scene.shapes.first_unknown() {
            return Err(FileProblem::NotSaved {
                instance_path: instance_path.clone(),
                geometry_id,
            });
        }
    }
    let mut writer = SectionWriter::default();
    store(&scenes, &mut writer);
    Ok(writer)
}

/// Writes sections by a function that gets whom to ask whether to stop, and whom to tell how many
/// bytes are written, and says whether it wrote all.
fn write<'a>(
    writer: SectionWriter<'a>,
    watch: Option<&Watch<'_>>,
    by: impl FnOnce(SectionWriter<'a>, Stop<'_>, &dyn Fn(usize) -> ControlFlow<()>) -> Result<bool>,
) -> Result<()> {
    let watched = Watched::new(writer.length(), watch);
    let stop = |_| watched.report(0).is_break();
    let is_complete = by(writer, Some(&stop), &|more| watched.advance(more))?;
    if is_complete { Ok(()) } else { Err(watched.stopped()) }
}

/// With the feature `scene-files`.
impl<T: Precision> Scene<T> {
    /// Writes the scene to a file for [`open`](Scene::open): the tree as it is, geometries, masks,
    /// names and data, and each placed scene once, with transforms, masks, names and data; neither
    /// backend nor threads. The same scene gives the same file, to the last byte.
    ///
    /// The file gets its name when it is complete; an existing one is replaced, so scenes that are
    /// open from it keep their content. It is as large as the trees in memory, for this version of
    /// lanecast and machines of the same byte order.
    ///
    /// # Errors
    /// [`Error::SceneFile`]: [`FileProblem::System`] if the system refuses, [`FileProblem::NotSaved`] for
    /// [primitives of your own](super::SceneBuilder::primitives), [`FileProblem::TooManyScenes`]
    /// beyond sixty thousand (fifty-five thousand in `f64`).
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.save_until(path.as_ref(), None)
    }

    /// [`save`](Self::save) with a watcher, which gets the number of bytes written.
    /// [`Error::Stopped`] if it stopped the call: an existing file is unchanged then.
    pub fn save_watched(&self, path: impl AsRef<Path>, watch: &Watch<'_>) -> Result<()> {
        self.save_until(path.as_ref(), Some(watch))
    }

    fn save_until(&self, path: &Path, watch: Option<&Watch<'_>>) -> Result<()> {
        let writer = T::sections(self).map_err(refused(path))?;
        write(writer, watch, |writer, stop, written| {
            writer.write(path, stop, written).map_err(refused(path))
        })
    }

    /// The bytes of the file that [`save`](Self::save) writes, for
    /// [`from_bytes`](Self::from_bytes): to send a scene to another process, or to keep it where
    /// there are no files. Errors are those of [`save`](Self::save), but for the system's.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.to_bytes_until(None)
    }

    /// [`to_bytes`](Self::to_bytes) with a watcher, as [`save_watched`](Self::save_watched).
    pub fn to_bytes_watched(&self, watch: &Watch<'_>) -> Result<Vec<u8>> {
        self.to_bytes_until(Some(watch))
    }

    fn to_bytes_until(&self, watch: Option<&Watch<'_>>) -> Result<Vec<u8>> {
        let path = Path::new(OF_BYTES);
        let writer = T::sections(self).map_err(refused(path))?;
        let mut bytes = Vec::with_capacity(writer.length());
        write(writer, watch, |writer, stop, written| {
            writer.write_to(&mut bytes, stop, written).map_err(refused(path))
        })?;
        Ok(bytes)
    }

    /// Checks the whole file that the scene was opened from, and the files of placed scenes: first
    /// all checksums, then, also where these are wrong, that each leaf is as built for its
    /// primitives, and each box holds all below it. A scene from a file in which this finds nothing
    /// gives the answers of [brute force](crate::Cast::brute_force), and panics at no query.
    /// [`FileProblem::Damaged`] names the part that is damaged. Takes some hundred nanoseconds a
    /// primitive.
    ///
    /// The file is checked, not what [changes](Self::change) have made of the scene since it was
    /// opened.
    pub fn check(&self) -> Result<()> {
        self.check_until(None)
    }

    /// [`check`](Self::check) with a watcher, which gets the share of the work that is done, in
    /// bytes of all files. [`Error::Stopped`] if it stopped the call.
    pub fn check_watched(&self, watch: &Watch<'_>) -> Result<()> {
        self.check_until(Some(watch))
    }

    fn check_until(&self, watch: Option<&Watch<'_>>) -> Result<()> {
        let mut seen = HashSet::new();
        let scenes = all_of(self);
        let files = scenes.iter().filter_map(|(scene, _)| scene.file.as_ref());
        let files: Vec<_> = files.filter(|file| seen.insert(Arc::as_ptr(file))).collect();
        until_stopped(files.iter().map(|file| file.length()).sum(), watch, |stop| {
            files.iter().try_for_each(|file| {
                let (length, refused) = (file.length(), refused(&file.path));
                let of_sums = length / SUMS;
                step(stop, of_sums, length, |stop| Reading { file, stop }.check())
                    .map_err(&refused)?;
                step(stop, length - of_sums, LOOKS, |stop| {
                    T::check_file(&Reading { file, stop }, self.backend).map_err(&refused)
                })
            })
        })
    }
}

/// With the feature `scene-files`.
impl<T: Precision> Scene<T> {
    /// Opens a [saved](Self::save) scene of this precision, on the backend of [`Backend::detect`].
    /// Its answers are the same, to the last bit. Name the precision, `Scene::<f32>::open(path)`:
    /// else it is that of the scene's requests, in which number literals without a type are `f64`.
    /// [`SceneFile`] opens one of either precision.
    ///
    /// The file is mapped: its leaves, six sevenths of it, are read when rays reach them, and all
    /// processes that open the same file share its memory. Opening takes some 20 ms for ten million
    /// triangles on two idle cores, if the system has the file in memory. The first ray builds the
    /// tree over instances.
    ///
    /// # Checks
    /// Opening checks the header, the checksums of all parts but those named below, that references
    /// between nodes keep every walk in the tree and end it, and that boxes, spheres, heights and
    /// transforms are possible in a scene.
    ///
    /// It reads no leaf, no vertex indices of [deformable meshes](super::Geometry::deformable_mesh)
    /// and no face ids, and does not compare boxes with their contents. With any content of these,
    /// and checksums that are right or wrong, no query and no change of the scene panics, runs
    /// forever or takes memory beyond that of a sound scene of this size. Answers may be wrong:
    /// primitives are missed, points are NaN, ids name primitives that do not exist (of which
    /// [`locate`](Self::locate) says so), and surfaces are open. [`check`](Self::check) finds all
    /// damage that can make an answer wrong. In a file that was changed with intent, and whose
    /// checksums are right, it finds contradictions, but not another sound scene.
    ///
    /// The file must not be written to while a scene is open from it, as by copying over it;
    /// [`save`](Self::save) never does. Answers would be wrong, walks might panic or not end, and
    /// if the file becomes shorter the system ends the process.
    ///
    /// # Errors
    /// [`Error::SceneFile`] if the file cannot be read, is not a scene file, holds a scene of the
    /// other precision, or is damaged; those of [`Backend::detect`].
    ///
    /// ```
    /// use lanecast::{Ray, Scene};
    /// # let folder = std::env::temp_dir().join(format!("lanecast-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).expect("a folder");
    /// # let path = folder.join("triangle.scene");
    /// let vertices = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// Scene::from_triangles(&vertices, &[[0, 1, 2]])?.save(&path)?;
    ///
    /// let scene = Scene::<f32>::open(&path)?;
    /// assert!(scene.cast(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0])).any()?);
    /// # std::fs::remove_dir_all(&folder).expect("removed");
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        SceneFile::open(path)?.scene()
    }

    /// [`open`](Self::open) with a watcher, as [`SceneFile::scene_watched`].
    pub fn open_watched(path: impl AsRef<Path>, watch: &Watch<'_>) -> Result<Self> {
        SceneFile::open(path)?.scene_watched(watch)
    }

    /// A scene of the bytes of a file, as [`open`](Self::open) has it: of
    /// [`to_bytes`](Self::to_bytes), or a file that was fetched or is part of the program. The bytes
    /// are copied, once, and may have any alignment.
    ///
    /// ```
    /// use lanecast::{Ray, Scene};
    /// let vertices = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let bytes = Scene::from_triangles(&vertices, &[[0, 1, 2]])?.to_bytes()?;
    ///
    /// let scene = Scene::<f32>::from_bytes(&bytes)?;
    /// assert!(scene.cast(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0])).any()?);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        SceneFile::from_bytes(bytes)?.scene()
    }
}

/// With the feature `scene-files`.
impl Scene {
    /// Whether `path` begins like a file of [`save`](Self::save), of any version and byte order; it
    /// need not open.
    pub fn is_scene_file(path: impl AsRef<Path>) -> bool {
        SectionFile::begins_as_one(path.as_ref())
    }
}

/// A file that holds a scene, of `f32` or `f64`: see [`Scene::save`].
///
/// ```
/// use lanecast::{SceneBuilder, scene::SceneFile};
/// # let folder = std::env::temp_dir().join(format!("lanecast-doc-f64-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder).expect("a folder");
/// # let path = folder.join("survey.scene");
/// let vertices = [[6.378e6, 0.0, 0.0], [6.378e6, 100.0, 0.0], [6.378e6, 0.0, 100.0]];
/// SceneBuilder::<f64>::default().triangle_mesh(&vertices, &[[0, 1, 2]])?.build()?.save(&path)?;
///
/// let file = SceneFile::open(&path)?;
/// assert!(file.is_f64());
/// assert_eq!(file.scene::<f64>()?.triangle(0, 0)?, vertices);
/// # std::fs::remove_dir_all(&folder).expect("removed");
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone)]
pub struct SceneFile {
    file: Arc<SectionFile>,
    is_f64: bool,
}

shown!([] SceneFile as "SceneFile", self { "path": self.file.path, "is_f64": self.is_f64 });

impl SceneFile {
    /// Opens a file and reads what it holds, but no scene yet. Errors are those of [`Scene::open`],
    /// which says what is checked.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::of(path, SectionFile::open(path, &known()))
    }

    /// [`open`](Self::open) for the bytes of a file, which are copied.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let path = Path::new(OF_BYTES);
        Self::of(path, SectionFile::of(path, FileBytes::copied(bytes), &known()))
    }

    fn of(path: &Path, file: Result<SectionFile, FileProblem>) -> Result<Self> {
        let file = Arc::new(file.map_err(refused(path))?);
        let is_f64 = file.has(PRECISION, 0);
        if is_f64 {
            let bits: u32 =
                Reading { file: &file, stop: None }.value(PRECISION, 0).map_err(refused(path))?;
            if bits != F64_BITS {
                return Err(refused(path)(damaged(
                    PRECISION,
                    0,
                    format!("numbers of {bits} bits"),
                )));
            }
        }
        Ok(Self { file, is_f64 })
    }

    /// Whether it holds a scene of `f64`, and not of `f32`.
    pub const fn is_f64(&self) -> bool {
        self.is_f64
    }

    /// The scene, as by [`Scene::open`]; [`FileProblem::Precision`] if it is of the other
    /// precision.
    pub fn scene<T: Precision>(&self) -> Result<Scene<T>> {
        self.scene_until(None)
    }

    /// [`scene`](Self::scene) with a watcher, which gets the number of bytes of the file that were
    /// read; those that are only mapped are reported at the end. [`Error::Stopped`] if it stopped
    /// the call.
    pub fn scene_watched<T: Precision>(&self, watch: &Watch<'_>) -> Result<Scene<T>> {
        self.scene_until(Some(watch))
    }

    fn scene_until<T: Precision>(&self, watch: Option<&Watch<'_>>) -> Result<Scene<T>> {
        let refused = refused(&self.file.path);
        let backend = Backend::detect()?;
        if self.is_f64 != T::IS_F64 {
            let [found, asked] =
                [self.is_f64, T::IS_F64].map(|is_f64| if is_f64 { "f64" } else { "f32" });
            return Err(refused(FileProblem::Precision { found, asked }));
        }
        until_stopped(self.file.length(), watch, |stop| {
            T::open_scene(&Reading { file: &self.file, stop }, backend).map_err(refused)
        })
    }
}

/// An instance. Its inverse map and the tree over all instances are computed anew.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Record {
    rows: [[f64; 4]; 3],
    /// The number of the placed scene, greater than that of the scene that places it, so no scene
    /// is in itself.
    scene: u32,
    mask: u32,
    /// The least number of its ids.
    reserved: u32,
    /// 1 for a removed instance, which has no scene.
    is_removed: u32,
}

/// A scene and its first path of instances.
type Found<'a, T> = (&'a Scene<T>, Vec<u32>);

/// A scene and all scenes placed in it at any depth, each once, and before the scenes placed in it.
fn all_of<T: Precision>(scene: &Scene<T>) -> Vec<Found<'_, T>> {
    /// Adds a scene after all scenes placed in it. The recursion is as deep as scenes are nested.
    fn add<'a, T: Precision>(
        scene: &'a Scene<T>,
        path: &[u32],
        seen: &mut HashSet<*const Scene<T>>,
        all: &mut Vec<Found<'a, T>>,
    ) {
        for number in scene.instances.ids.each() {
            let instance = &scene.instances.placed[number as usize];
            if seen.insert(Arc::as_ptr(&instance.scene)) {
                add(&instance.scene, &[path, &[number]].concat(), seen, all);
            }
        }
        all.push((scene, path.to_vec()));
    }
    let mut all = Vec::new();
    add(scene, &[], &mut HashSet::new(), &mut all);
    all.reverse();
    all
}

/// Adds the sections of all scenes. The numbers of scenes are their places in the list.
fn store<'a, T: Precision>(scenes: &[Found<'a, T>], into: &mut SectionWriter<'a>) {
    if T::IS_F64 {
        into.add(PRECISION, 0, CACHE_LINE, bytemuck::bytes_of(&F64_BITS).to_vec());
    }
    let numbers: HashMap<*const Scene<T>, u32> =
        scenes.iter().map(|&(scene, _)| std::ptr::from_ref(scene)).zip(0..).collect();
    for (number, &(scene, _)) in (0..).zip(scenes) {
        into.add(GEOMETRIES, number, CACHE_LINE, bytemuck::cast_slice(scene.numbering.starts()));
        into.add(MASKS, number, CACHE_LINE, bytemuck::cast_slice(&scene.masks.of_geometries));
        let Scene {
            ids: geometries,
            instances: Instances { placed, ids: instances, .. },
            kept,
            ..
        } = scene;
        kept.store([geometries, instances], number, into);
        scene.tree.bvh().store(TREE, number, into);
        scene.tree.viewpoint().store(&scene.tree.bounds(), VIEWPOINT, number, into);
        scene.shapes.store(number, into);
        let record = |(instance, of): (u32, &Instance<T>)| Record {
            rows: of.transform.rows(),
            scene: numbers.get(&Arc::as_ptr(&of.scene)).copied().unwrap_or(0),
            mask: of.mask,
            reserved: of.reserved,
            is_removed: (!instances.has(instance)).into(),
        };
        let records: Vec<Record> = (0..).zip(placed).map(record).collect();
        if !records.is_empty() {
            into.add(INSTANCES, number, CACHE_LINE, bytemuck::cast_slice(&records).to_vec());
        }
    }
}

/// The outermost scene of a file, which is of this precision.
pub(super) fn open_all<T: Precision>(
    file: &Reading<'_>,
    backend: Backend,
) -> Result<Scene<T>, FileProblem> {
    open_each(file, backend).map(|(scene, _)| scene)
}

/// The sums of a file are found in one of so many parts of the time of a check.
const SUMS: usize = 8;

/// What the check of all trees of a file reports.
const LOOKS: usize = 1 << 20;

/// Checks the trees of all scenes of a file. Reports [`LOOKS`].
pub(super) fn check_all<T: Precision>(
    file: &Reading<'_>,
    backend: Backend,
) -> Result<(), FileProblem> {
    // Opening sums again, which is little of the work, and no part of this.
    let (scene, placed) =
        step(file.stop, 0, 0, |stop| open_each::<T>(&Reading { file: file.file, stop }, backend))?;
    let placed = placed.iter().rev().map(Arc::as_ref);
    let mut scenes = (0..).zip(std::iter::once(&scene).chain(placed));
    let lines = scenes.clone().map(|(_, scene)| scene.line_count()).sum();
    step(file.stop, LOOKS, lines, |stop| {
        scenes.try_for_each(|(number, scene)| {
            scene.find_fault(stop).map_err(|fault| fault.in_file(number))
        })
    })
}

/// Instances between two questions whether to stop.
const ASKED: u32 = 1 << 12;

/// The outermost scene of a file, and all that are placed, the last first.
type Opened<T> = (Scene<T>, Vec<Arc<Scene<T>>>);

/// Opens all scenes of a file.
fn open_each<T: Precision>(file: &Reading<'_>, backend: Backend) -> Result<Opened<T>, FileProblem> {
    let count = file.count(GEOMETRIES) as u32;
    // Scenes are opened from the last on: a placed scene is open before the scene that places it,
    // and shared with it then.
    let mut opened = Vec::new();
    for number in (1..count).rev() {
        opened.push(Arc::new(open_one(file, number, &opened, backend)?));
    }
    let scene = open_one(file, 0, &opened, backend)?;
    match (1..count).rev().zip(&opened).find(|(_, scene)| Arc::strong_count(scene) == 1) {
        Some((number, _)) => Err(damaged(GEOMETRIES, number, "of a scene that is placed nowhere")),
        None => Ok((scene, opened)),
    }
}

/// The scene with this number. Scenes with greater numbers are open already, the last first.
fn open_one<T: Precision>(
    file: &Reading<'_>,
    number: u32,
    opened: &[Arc<Scene<T>>],
    backend: Backend,
) -> Result<Scene<T>, FileProblem> {
    let unplaced = |error: Error| damaged(INSTANCES, number, error.to_string());
    let (mut placed, mut removed) = (Vec::new(), Vec::new());
    let nothing = Instance::nothing(backend).map_err(unplaced)?;
    if file.has(INSTANCES, number) {
        let last = number + opened.len() as u32;
        for (instance, record) in (0_u32..).zip(file.values::<Record>(INSTANCES, number)?) {
            if instance.is_multiple_of(ASKED) {
                file.go_on()?;
            }
            let &Record { rows, scene, mask, reserved, is_removed } = record;
            if is_removed != 0 {
                removed.push(instance);
                placed.push(Instance { reserved, ..nothing.clone() });
                continue;
            }
            let of_scene = last.checked_sub(scene).and_then(|place| opened.get(place as usize));
            let Some(of_scene) = of_scene else {
                let what = format!(
                    "instance {instance} is of scene {scene}, which is not behind this one"
                );
                return Err(damaged(INSTANCES, number, what));
            };
            let (of_scene, transform) = (Arc::clone(of_scene), Affine::from_rows(rows));
            let new = Instance::new(of_scene, transform, mask, instance).map_err(unplaced)?;
            placed.push(Instance { reserved, ..new });
        }
    }
    let numbering = Numbering::of_starts(file.values(GEOMETRIES, number)?)
        .filter(|numbering| numbering.count() <= MOST_PRIMITIVES)
        .ok_or_else(|| damaged(GEOMETRIES, number, "numbers that do not follow each other"))?;
    let masks = Masks::new(file.values(MASKS, number)?.to_vec());
    if masks.of_geometries.len() != numbering.starts().len() - 1 {
        return Err(damaged(MASKS, number, "not one for each geometry"));
    }
    let tree = open_tree::<T>(file, number)?;
    let shapes = Shapes::open(file, &numbering, number)?;
    let (triangles, leaves) =
        (numbering.count() - shapes.numbers(&numbering).count(), tree.bvh().blocks().len());
    if triangles < leaves || triangles > LANES * leaves {
        return Err(damaged(TREE[2], number, format!("{leaves} leaves for {triangles} triangles")));
    }
    let bound = placed.len() as u32;
    let mut numbers = Ids::new(bound);
    removed.into_iter().for_each(|instance| numbers.free(instance));
    if numbers.bound() != bound {
        return Err(damaged(INSTANCES, number, "the last instance is removed"));
    }
    let is_mesh = |geometry_id| shapes.geometry(geometry_id).is_none();
    let (ids, kept) = Kept::open(file, number, &numbering, is_mesh, &mut numbers)?;
    let of_fields = tree_of_fields(&shapes, &numbering, None);
    let fields = of_fields.map_err(|error| damaged(GEOMETRIES, number, error.to_string()))?;
    let own = tree.bounds().union(&shapes.bounds()).union(&fields.bounds());
    let instances = Instances::new(placed, numbers, &own).map_err(unplaced)?;
    Ok(Scene {
        tree,
        numbering,
        masks,
        ids,
        kept,
        triangles,
        backend,
        shapes,
        fields,
        instances,
        derived: DerivedCache::default(),
        welded: None,
        file: Some(Arc::clone(file.file)),
    })
}

/// The tree over triangles in the sections of a scene.
fn open_tree<T: Precision>(file: &Reading<'_>, number: u32) -> Result<T::Tree, FileProblem> {
    let bvh = Bvh::open(file, TREE, number)?;
    let (viewpoint, bounds) = BoxFrame::open(&bvh, file, VIEWPOINT, number)?;
    Ok(T::Tree::of_parts(bvh, viewpoint, bounds))
}

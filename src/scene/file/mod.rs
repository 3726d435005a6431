//! Scenes as files.
//!
//! | file | what it does |
//! |---|---|
//! | `nested` | says which scenes are in a file, and places them in each other |
//! | `single` | what is of one scene: geometries, masks, trees |

mod nested;
mod single;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::Scene;
use crate::chunks::{Watch, Watched};
use crate::error::{Error, FileProblem, Result};
use crate::shapes::SHAPE_SECTIONS;
use crate::simd::Backend;
use crate::store::{MOST_SECTIONS, SectionFile, SectionWriter};

/// How many sections a scene has at most.
const SECTIONS_OF_EACH: usize = single::SECTIONS.len() + SHAPE_SECTIONS.len() + 1;

/// How many scenes a file holds at most.
const MOST_SCENES: usize = MOST_SECTIONS / SECTIONS_OF_EACH;

/// The file that a scene was opened from.
#[derive(Debug)]
pub(super) struct SceneFile {
    path: String,
    sections: SectionFile,
}

fn refused(path: &Path) -> impl Fn(FileProblem) -> Error {
    move |problem| Error::SceneFile { path: path.display().to_string(), problem }
}

/// With the feature `scene-files`.
impl Scene {
    /// Writes the scene to a file, for [`open`](Self::open): the tree as it is, the geometries and their masks, and the
    /// scenes placed in it, each once, with their transforms and masks. What is not of the scene but of the run (backend,
    /// threads) is not in it.
    ///
    /// The file has its name when it is complete. A file that was there is replaced and not written to, so that scenes
    /// that are open from it, this one too, keep what they have. The same scene gives the same file, to the last byte.
    ///
    /// A file is as large as the trees in memory. Its numbers are in this machine's byte order, and its version is that
    /// of the layout of trees in memory: a file is for machines of the same byte order and for this version of
    /// lanecast, and is built anew from the mesh for others. Any backend can open it.
    ///
    /// # Errors
    /// [`Error::SceneFile`] with [`FileProblem::System`], if the system does not let it; with
    /// [`FileProblem::NotSaved`], which names the geometry, if the scene or one in it holds primitives of your own
    /// ([`SceneBuilder::primitives`](super::SceneBuilder::primitives)); with [`FileProblem::TooManyScenes`], if it is
    /// made of more than eighty thousand different scenes.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write(path.as_ref(), None)
    }

    /// The same, telling `watch` how many bytes are written.
    ///
    /// # Errors
    /// Those of [`save`](Self::save); [`Error::Stopped`] if the watcher stopped it, which leaves what was there.
    pub fn save_watched(&self, path: impl AsRef<Path>, watch: &Watch<'_>) -> Result<()> {
        self.write(path.as_ref(), Some(watch))
    }

    fn write(&self, path: &Path, watch: Option<&Watch<'_>>) -> Result<()> {
        let scenes = nested::all_of(self);
        if scenes.len() > MOST_SCENES {
            let problem = FileProblem::TooManyScenes { scenes: scenes.len(), most: MOST_SCENES };
            return Err(refused(path)(problem));
        }
        for nested::Found { scene, path: instance_path } in &scenes {
            if let Some(geometry_id) = scene.shapes.first_unknown() {
                let instance_path = instance_path.clone();
                return Err(refused(path)(FileProblem::NotSaved { instance_path, geometry_id }));
            }
        }
        let mut sections = SectionWriter::default();
        nested::store(&scenes, &mut sections);
        let watched = Watched::new(sections.length(), watch);
        if sections.write(path, |more| watched.advance(more)).map_err(refused(path))? {
            return Ok(());
        }
        Err(watched.stopped())
    }

    /// Opens a scene that was [saved](Self::save), on the backend of [`Backend::detect`]. Its answers are those of the
    /// scene that was saved, to the last bit.
    ///
    /// The file is mapped: its leaves, six sevenths of it, are read when rays get there, and all processes that open
    /// the same file share its memory. Opening takes some 20 ms for ten million triangles on two cores, if the system
    /// has the file in memory and nothing else to do. Scenes that were placed several times are shared as they were.
    /// The tree over instances is made when a ray first asks for it, as after building.
    ///
    /// # What is checked
    /// Opening checks all but the leaves: that the file is of this kind, version and byte order, and as long as it
    /// should be; the checksums of all other parts; that nodes refer to each other such that every walk stays in
    /// the tree and ends; and that boxes, spheres and transforms are such as a scene may have. Damage in a leaf goes
    /// unnoticed, and rays that get there have wrong answers, as if a triangle were another, perhaps with the id of one
    /// that does not exist: no crash, no panic, and nothing that takes forever. [`check`](Self::check) finds that, at the
    /// cost of reading the file as a whole. Checksums tell damage and not malice.
    ///
    /// The file must not be written to while a scene is open from it ([`save`](Self::save) never does that; copying
    /// over it does): answers would be wrong, walks might leave the tree, which is a panic, or not end, and if it
    /// becomes shorter the system ends the process.
    ///
    /// # Errors
    /// [`Error::SceneFile`], if it cannot be read, is none, or is damaged; what [`Backend::detect`] says.
    ///
    /// ```
    /// use lanecast::{Ray, Scene};
    /// # let folder = std::env::temp_dir().join(format!("lanecast-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder).expect("a folder");
    /// # let path = folder.join("triangle.scene");
    /// let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// Scene::from_triangles(&vertices, &[[0, 1, 2]])?.save(&path)?;
    ///
    /// let scene = Scene::open(&path)?;
    /// assert!(scene.any_hit(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0]))?);
    /// # std::fs::remove_dir_all(&folder).expect("removed");
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let backend = Backend::detect()?;
        let known = [&single::SECTIONS[..], &SHAPE_SECTIONS, &[nested::INSTANCES]].concat();
        let sections = SectionFile::open(path, &known).map_err(refused(path))?;
        let file = Arc::new(SceneFile { path: path.display().to_string(), sections });
        nested::open(&file, backend).map_err(refused(path))
    }

    /// Whether `path` is, by how it begins, a file that [`save`](Self::save) wrote, in whatever version or byte order;
    /// not whether it can be opened.
    pub fn is_scene_file(path: impl AsRef<Path>) -> bool {
        SectionFile::begins_as_one(path.as_ref())
    }

    /// Checks the file that the scene was opened from as a whole, leaves included, which [`open`](Self::open) does not,
    /// and those from which scenes placed in it were opened. Takes as long as to read them: on two cores some four
    /// gigabytes a second, if the system has them in memory. A scene that was built here has nothing to check itself.
    ///
    /// # Errors
    /// [`Error::SceneFile`] with [`FileProblem::Damaged`] names the part that is no longer what was written.
    pub fn check(&self) -> Result<()> {
        let mut seen = HashSet::new();
        for file in nested::all_of(self).iter().filter_map(|found| found.scene.file.as_ref()) {
            if seen.insert(Arc::as_ptr(file)) {
                let refused = |problem| Error::SceneFile { path: file.path.clone(), problem };
                file.sections.check().map_err(refused)?;
            }
        }
        Ok(())
    }
}

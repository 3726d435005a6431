//! Scenes as files.

mod sections;

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use super::Scene;
use crate::chunks::{Watch, Watched};
use crate::error::{Error, FileProblem, Result};
use crate::simd::Backend;
use crate::store::{SectionFile, SectionWriter};
use sections::{Found, MOST_SCENES};

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
    /// Writes the scene to a file for [`open`](Self::open): the tree as it is, geometries and masks, and each placed scene
    /// once, with transforms and masks; neither backend nor threads. The same scene gives the same file, to the last byte.
    ///
    /// The file gets its name when it is complete. An existing file is replaced and not written to, so scenes that are open
    /// from it, this one too, keep their content. A file is as large as the trees in memory. It is for machines of the same
    /// byte order and for this version of lanecast, as it holds numbers and trees as memory does; any backend can open it. For
    /// others, build it anew from the mesh.
    ///
    /// # Errors
    /// [`Error::SceneFile`]: with [`FileProblem::System`] if the system refuses; with [`FileProblem::NotSaved`], which names
    /// the geometry, if the scene or a placed one holds [primitives of your own](super::SceneBuilder::primitives); with
    /// [`FileProblem::TooManyScenes`] if it consists of more than eighty thousand different scenes.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write(path.as_ref(), None)
    }

    /// [`save`](Self::save) with a watcher, which gets the number of bytes written.
    ///
    /// # Errors
    /// Those of [`save`](Self::save); [`Error::Stopped`] if the watcher stopped the call: an existing file is unchanged then.
    pub fn save_watched(&self, path: impl AsRef<Path>, watch: &Watch<'_>) -> Result<()> {
        self.write(path.as_ref(), Some(watch))
    }

    fn write(&self, path: &Path, watch: Option<&Watch<'_>>) -> Result<()> {
        let scenes = sections::all_of(self);
        if scenes.len() > MOST_SCENES {
            let problem = FileProblem::TooManyScenes { scenes: scenes.len(), most: MOST_SCENES };
            return Err(refused(path)(problem));
        }
        let unknown =
            |found: &Found<'_>| Some((found.scene.others.shapes.first_unknown()?, found.path.clone()));
        if let Some((geometry_id, instance_path)) = scenes.iter().find_map(unknown) {
            return Err(refused(path)(FileProblem::NotSaved { instance_path, geometry_id }));
        }
        let mut writer = SectionWriter::default();
        sections::store(&scenes, &mut writer);
        let watched = Watched::new(writer.length(), watch);
        let is_complete = writer.write(path, |more| watched.advance(more)).map_err(refused(path))?;
        if is_complete { Ok(()) } else { Err(watched.stopped()) }
    }

    /// Opens a [saved](Self::save) scene, on the backend of [`Backend::detect`]. Its answers are those of the saved scene, to
    /// the last bit.
    ///
    /// The file is mapped: its leaves, six sevenths of it, are read when rays reach them, and all processes that open the
    /// same file share its memory. Opening takes some 20 ms for ten million triangles on two idle cores, if the system has
    /// the file in memory. Scenes placed several times are shared again. The first ray builds the tree over instances, as
    /// after building.
    ///
    /// # Checks
    /// Opening checks everything but the leaves: kind, version, byte order and length of the file; the checksums of all
    /// other parts; that the references between nodes keep every walk in the tree and end it; and that boxes, spheres and
    /// transforms are possible in a scene. Rays that reach a damaged leaf have wrong answers, as if a triangle were another,
    /// perhaps with the id of a triangle that does not exist; there is no crash, no panic and no endless walk.
    /// [`check`](Self::check) finds such damage. Checksums detect damage, not malice.
    ///
    /// The file must not be written to while a scene is open from it: [`save`](Self::save) never does, copying over it does.
    /// Answers would be wrong, walks might leave the tree, which is a panic, or not end, and if the file becomes shorter the
    /// system ends the process.
    ///
    /// # Errors
    /// [`Error::SceneFile`] if the file cannot be read, is not a scene file, or is damaged; those of [`Backend::detect`].
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
    /// assert!(scene.cast(&Ray::new([0.25, 0.5, 1.0], [0.0, 0.0, -1.0])).any()?);
    /// # std::fs::remove_dir_all(&folder).expect("removed");
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let backend = Backend::detect()?;
        let sections = SectionFile::open(path, &sections::names()).map_err(refused(path))?;
        let file = Arc::new(SceneFile { path: path.display().to_string(), sections });
        sections::open(&file, backend).map_err(refused(path))
    }

    /// Whether `path` begins like a file of [`save`](Self::save), of any version and byte order; it need not open.
    pub fn is_scene_file(path: impl AsRef<Path>) -> bool {
        SectionFile::begins_as_one(path.as_ref())
    }

    /// Checks the whole file that the scene was opened from, with the leaves, and the files of placed scenes. Takes as long as
    /// reading them: some 4·10⁹ bytes a second on two cores, if the system has the files in memory. A scene that was built in
    /// this process has no file to check.
    ///
    /// # Errors
    /// [`Error::SceneFile`] with [`FileProblem::Damaged`] names the part that differs from what was written.
    pub fn check(&self) -> Result<()> {
        let mut seen = HashSet::new();
        for file in sections::all_of(self).iter().filter_map(|found| found.scene.file.as_ref()) {
            if seen.insert(Arc::as_ptr(file)) {
                let refused = |problem| Error::SceneFile { path: file.path.clone(), problem };
                file.sections.check().map_err(refused)?;
            }
        }
        Ok(())
    }
}

//! `Scene`: its files and pickles, and what it is.
#![expect(clippy::needless_pass_by_value, reason = "arguments come from Python by value")]

use crate::current::{Current, SavedAs};
use crate::errors::{argument, raised, refused};
use crate::number::Content;
use crate::run::run_on_all;
use lanecast::scene::SceneFile;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Content {
    /// On the threads of a process, as everything that may take some: those of the engine do not
    /// outlive a fork.
    fn open(
        py: Python<'_>,
        file: impl FnOnce() -> lanecast::Result<SceneFile> + Send,
    ) -> PyResult<Self> {
        run_on_all(py, 0, |_, watch| {
            let file = file()?;
            Ok(if file.is_f64() {
                Self::F64(Arc::new(file.scene_watched(watch)?))
            } else {
                Self::F32(Arc::new(file.scene_watched(watch)?))
            })
        })
    }

    fn save(&self, py: Python<'_>, path: &Path) -> PyResult<()> {
        run_on_all(py, 0, |_, watch| match self {
            Self::F32(scene) => scene.save_watched(path, watch),
            Self::F64(scene) => scene.save_watched(path, watch),
        })
    }

    fn to_bytes(&self, py: Python<'_>) -> PyResult<Vec<u8>> {
        run_on_all(py, 0, |_, watch| match self {
            Self::F32(scene) => scene.to_bytes_watched(watch),
            Self::F64(scene) => scene.to_bytes_watched(watch),
        })
    }
}

/// Calls a function with the present scene, of whichever precision.
macro_rules! with_scene {
    ($current:expr, $scene:ident => $do:expr) => {{
        let current: &$crate::current::Current = $current;
        match &current.now() {
            $crate::number::Content::F32(content) => {
                let $scene = &current.call(content);
                $do
            }
            $crate::number::Content::F64(content) => {
                let $scene = &current.call(content);
                $do
            }
        }
    }};
}
pub(crate) use with_scene;

#[doc = signature!(static Scene)]
/// Triangles, other shapes and instances of other scenes, with a tree for queries. Queries and
/// changes of several threads at once are safe: a query sees the scene before a change or after it.
///
/// `Scene(vertices, triangles)` is a scene of one mesh: vertices of shape (n, 3), floats or whole
/// numbers, and for each triangle the numbers of its vertices, of shape (m, 3). `Scene.build` makes
/// one of several meshes and other shapes, `Scene.from_mesh` of a file, and `Scene.open` maps a
/// saved one.
#[doc = include_str!("help/build.txt")]
///
/// A scene is pickled as the path of its file, if it was saved or opened, and unpickled by opening
/// that, which must hold the same scene then; else as the bytes of such a file.
///
/// The examples of the methods are of this scene, a square of two triangles in the plane z = 0:
///
/// >>> corners = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
/// >>> scene = lanecast.Scene(corners, [[0, 1, 2], [0, 2, 3]])
/// >>> scene
/// <lanecast.Scene of 2 triangles, float32>
/// >>> scene.closest_hit([[0.75, 0.25, 2, 0, 0, -1]]).t
/// array([2.], dtype=float32)
#[pyclass(name = "Scene", module = "lanecast", frozen)]
pub(crate) struct PyScene {
    pub(crate) content: Current,
}

impl PyScene {
    pub(crate) const fn new(content: Content) -> Self {
        Self { content: Current::new(content, None) }
    }
}

#[pymethods]
impl PyScene {
    /// A scene that was saved to a file, which is mapped into memory: nothing is built, and
    /// processes that open the same file share it. The file may be removed or replaced by another
    /// meanwhile, but not written to.
    ///
    /// Raises `FileNotFoundError` and other `OSError`s for files that cannot be read, `ValueError`
    /// for those that are damaged or were saved by another version.
    ///
    /// >>> scene.save("square.scene")
    /// >>> lanecast.Scene.open("square.scene")
    /// <lanecast.Scene of 2 triangles, float32>
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let content = Content::open(py, || SceneFile::open(&path))?;
        Ok(Self { content: Current::new(content, Some(SavedAs::at(&path)?)) })
    }

    /// Saves the scene with its tree to a file for `Scene.open`, which replaces one of that name
    /// when it is complete. It is a cache for this version of lanecast and this byte order.
    ///
    /// Raises `OSError` for what cannot be written.
    ///
    /// >>> scene.save("square.scene")
    /// >>> scene.path.name
    /// 'square.scene'
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let content = self.content.now();
        content.save(py, &path)?;
        self.content.is_saved(&content, SavedAs::at(&path)?);
        Ok(())
    }

    /// The bytes of the file that `save` writes, for `Scene.from_bytes`: to keep a scene where there
    /// are no files, or to send it.
    ///
    /// >>> scene.to_bytes()[1:9]
    /// b'lanecast'
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.content.now().to_bytes(py)?))
    }

    /// A scene of the bytes of a file, which are copied.
    ///
    /// Raises `ValueError` as `Scene.open`.
    ///
    /// >>> lanecast.Scene.from_bytes(scene.to_bytes())
    /// <lanecast.Scene of 2 triangles, float32>
    #[staticmethod]
    fn from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        Ok(Self::new(Content::open(py, || SceneFile::from_bytes(bytes))?))
    }

    /// A scene is pickled as the path of its file, or if it has none, as the bytes of one.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Self>();
        let (content, file) = self.content.now_and_file();
        if let Some(SavedAs { path, header }) = file {
            return Ok((
                class.getattr("_reopen")?,
                (path, PyBytes::new(py, &header)).into_pyobject(py)?,
            ));
        }
        let bytes = PyBytes::new(py, &content.to_bytes(py)?);
        Ok((class.getattr("from_bytes")?, PyTuple::new(py, [bytes])?))
    }

    #[staticmethod]
    fn _reopen(py: Python<'_>, path: PathBuf, header: &[u8]) -> PyResult<Self> {
        let scene = Self::open(py, path)?;
        let found = scene.content.now_and_file().1;
        if found.as_ref().is_none_or(|found| found.header != header) {
            let path = found.map(|found| found.path.display().to_string()).unwrap_or_default();
            return Err(refused(&path, "it holds another scene than the one that was pickled"));
        }
        Ok(scene)
    }

    pub(crate) fn __copy__(&self) -> Self {
        let (content, file) = self.content.now_and_file();
        Self { content: Current::new(content, file) }
    }

    /// Memory is shared until one of both changes.
    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }

    fn __repr__(&self) -> String {
        let (triangles, primitives, instances) = with_scene!(&self.content, scene => {
            (scene.triangle_count(), scene.primitive_count(), scene.instance_count())
        });
        let mut words = vec![format!("{triangles} triangles")];
        if primitives > triangles {
            words.push(format!("{} other primitives", primitives - triangles));
        }
        if instances > 0 {
            words.push(format!("{instances} instances"));
        }
        format!("<lanecast.Scene of {}, {}>", words.join(", "), self.precision())
    }

    /// "float32" or "float64": the dtype of coordinates and answers.
    ///
    /// >>> scene.precision
    /// 'float32'
    #[getter]
    fn precision(&self) -> &'static str {
        match self.content.now() {
            Content::F32(_) => "float32",
            Content::F64(_) => "float64",
        }
    }

    /// The number of triangles, those of instances not counted.
    ///
    /// >>> scene.triangle_count
    /// 2
    #[getter]
    fn triangle_count(&self) -> usize {
        with_scene!(&self.content, scene => scene.triangle_count())
    }

    /// The number of triangles and other primitives, those of instances not counted.
    ///
    /// >>> scene.primitive_count
    /// 2
    #[getter]
    fn primitive_count(&self) -> usize {
        with_scene!(&self.content, scene => scene.primitive_count())
    }

    /// The number of geometries.
    ///
    /// >>> scene.geometry_count
    /// 1
    #[getter]
    fn geometry_count(&self) -> usize {
        with_scene!(&self.content, scene => scene.geometry_count())
    }

    /// The number of instances.
    ///
    /// >>> scene.instance_count
    /// 0
    #[getter]
    fn instance_count(&self) -> usize {
        with_scene!(&self.content, scene => scene.instance_count())
    }

    /// The name of the backend of queries that do not name one.
    ///
    /// >>> scene.backend in lanecast.backends()
    /// True
    #[getter]
    fn backend(&self) -> &'static str {
        with_scene!(&self.content, scene => scene.backend()).name()
    }

    /// The file that the scene was opened from or saved to, as a `pathlib.Path`; None if there is
    /// none.
    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.content.now_and_file().1.map(|file| file.path)
    }

    /// The least and the greatest corner of everything in the scene, float64 of shape (2, 3).
    ///
    /// >>> scene.bounds
    /// array([[0., 0., 0.],
    ///        [1., 1., 0.]])
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let corners = |min: [f64; 3], max: [f64; 3]| {
            numpy::PyArray2::from_vec2(py, &[min.to_vec(), max.to_vec()])
        };
        let bounds = match &self.content.now() {
            Content::F32(scene) => {
                corners(scene.bounds().min.map(f64::from), scene.bounds().max.map(f64::from))
            }
            Content::F64(scene) => corners(scene.bounds().min, scene.bounds().max),
        };
        bounds.expect("rows of equal length").into_any()
    }

    /// The name of a geometry, "" if it has none. Raises `IndexError` for ids that are not there.
    ///
    /// >>> ball = lanecast.Spheres([[0, 0, 0]], 1.0, name="ball")
    /// >>> lanecast.Scene.build(ball).geometry_name(0)
    /// 'ball'
    fn geometry_name(
        &self,
        #[pyo3(from_py_with = argument::geometry_id)] geometry_id: u32,
    ) -> PyResult<String> {
        with_scene!(&self.content, scene => scene.name(geometry_id).map(str::to_owned))
            .map_err(raised)
    }

    /// The number that the caller gave a geometry as `user_data`, 0 unless given. Raises
    /// `IndexError` for ids that are not there.
    ///
    /// >>> ball = lanecast.Spheres([[0, 0, 0]], 1.0, user_data=7)
    /// >>> lanecast.Scene.build(ball).geometry_user_data(0)
    /// 7
    fn geometry_user_data(
        &self,
        #[pyo3(from_py_with = argument::geometry_id)] geometry_id: u32,
    ) -> PyResult<u64> {
        with_scene!(&self.content, scene => scene.user_data(geometry_id)).map_err(raised)
    }

    /// Reads all of a scene that was opened, also the leaves, which opening does not. Raises
    /// `ValueError` that names what is damaged.
    ///
    /// >>> scene.check()
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        with_scene!(&self.content, scene => {
            run_on_all(py, 0, |_, watch| {
                scene.check_watched(watch)?;
                scene.validate_watched(watch)
            })
        })
    }
}

//! `Scene`: building, files, and what it holds.
#![expect(clippy::needless_pass_by_value, reason = "arguments come from Python by value")]

use crate::arrays::Number;
use crate::current::Current;
use crate::errors::{raised, raised_by_file, refused};
use crate::geometry::{Items, need_f64};
use crate::run::{Machine, backend_of, run, threads_of};
use lanecast::scene::SceneFile;
use lanecast::{BuildQuality, Precision, Scene, SceneBuilder};
use lanecast_io::{Coordinate, Mesh, read_model};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A scene of either precision.
#[derive(Clone)]
pub(crate) enum Content {
    F32(Arc<Scene<f32>>),
    F64(Arc<Scene<f64>>),
}

impl Content {
    fn save(&self, path: &Path) -> lanecast::Result<()> {
        match self {
            Self::F32(scene) => scene.save(path),
            Self::F64(scene) => scene.save(path),
        }
    }

    /// Whether both are one and the same.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::F32(scene), Self::F32(other)) => Arc::ptr_eq(scene, other),
            (Self::F64(scene), Self::F64(other)) => Arc::ptr_eq(scene, other),
            _ => false,
        }
    }
}

/// Calls a function with the present scene, of whichever precision.
macro_rules! with_scene {
    ($current:expr, $scene:ident => $do:expr) => {
        match &$crate::current::Current::now($current) {
            $crate::scene::Content::F32($scene) => $do,
            $crate::scene::Content::F64($scene) => $do,
        }
    };
}
pub(crate) use with_scene;

#[pyclass(name = "Scene", module = "lanecast", frozen)]
pub(crate) struct PyScene {
    pub(crate) content: Current,
}

impl PyScene {
    pub(crate) const fn new(content: Content) -> Self {
        Self { content: Current::new(content, None) }
    }

    fn open_file(path: &Path) -> lanecast::Result<Content> {
        let file = SceneFile::open(path)?;
        Ok(if file.is_f64() {
            Content::F64(Arc::new(file.scene()?))
        } else {
            Content::F32(Arc::new(file.scene()?))
        })
    }
}

/// The effort of building trees by its name.
pub(crate) fn quality_of(quality: &str) -> PyResult<BuildQuality> {
    match quality {
        "balanced" => Ok(BuildQuality::Balanced),
        "high" => Ok(BuildQuality::High),
        _ => Err(refused("quality", format!("it is {quality:?}; 'balanced' or 'high' was expected"))),
    }
}

/// How a scene is built: the keyword arguments of all that build one.
struct How<'py> {
    precision: Option<bool>,
    quality: BuildQuality,
    weld: Option<f64>,
    machine: Machine<'py>,
}

impl How<'_> {
    fn of<'py>(
        precision: &str,
        quality: &str,
        weld: Option<f64>,
        backend: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<How<'py>> {
        let precision = match precision {
            "auto" => None,
            "f32" | "float32" => Some(false),
            "f64" | "float64" => Some(true),
            _ => {
                return Err(refused(
                    "precision",
                    format!("it is {precision:?}; 'auto', 'f32' or 'f64' was expected"),
                ));
            }
        };
        let quality = quality_of(quality)?;
        let backend = backend.map_or(Ok(None), backend_of)?;
        let machine = Machine { threads: threads.map_or(Ok(0), threads_of)?, backend, ..Machine::default() };
        Ok(How { precision, quality, weld, machine })
    }

    /// Builds what `add` adds, without the interpreter's lock.
    fn build<T: Precision + Coordinate>(
        &self,
        py: Python<'_>,
        mut builder: SceneBuilder<'_, T>,
    ) -> PyResult<Scene<T>> {
        if let Some(weld) = self.weld {
            builder = builder.weld(T::nearest(weld)).map_err(raised)?;
        }
        if let Some(backend) = self.machine.backend {
            builder = builder.backend(backend);
        }
        let builder = builder.quality(self.quality);
        // Large enough for the threads; a build cannot be stopped.
        run(py, &self.machine, usize::MAX, |threads, _| builder.threads(threads).build())
    }

    fn of_items<T: Number>(
        &self,
        py: Python<'_>,
        items: &[(String, Bound<'_, PyAny>)],
    ) -> PyResult<Arc<Scene<T>>> {
        let items = Items::<T>::read(items)?;
        let mut scene = self.build(py, items.add(SceneBuilder::default())?)?;
        items.label(&mut scene).map_err(raised)?;
        Ok(Arc::new(scene))
    }

    fn of_any(&self, py: Python<'_>, items: &[(String, Bound<'_, PyAny>)]) -> PyResult<PyScene> {
        let is_f64 = self.precision.map_or_else(|| need_f64(items), Ok)?;
        Ok(PyScene::new(if is_f64 {
            Content::F64(self.of_items(py, items)?)
        } else {
            Content::F32(self.of_items(py, items)?)
        }))
    }

    fn of_meshes<T: Number>(&self, py: Python<'_>, meshes: &[Mesh<T>]) -> PyResult<Arc<Scene<T>>> {
        let mut builder = SceneBuilder::default();
        for mesh in meshes {
            builder = builder.triangle_mesh(&mesh.vertices, &mesh.triangles).map_err(raised)?;
        }
        let mut scene = self.build(py, builder)?;
        for (geometry_id, mesh) in (0..).zip(meshes) {
            scene.set_name(geometry_id, &*mesh.name).map_err(raised)?;
            if let Some(face_ids) = &mesh.face_ids {
                scene.set_face_ids(geometry_id, face_ids).map_err(raised)?;
            }
        }
        Ok(Arc::new(scene))
    }
}

#[pymethods]
impl PyScene {
    #[new]
    #[pyo3(signature = (vertices, triangles, *, precision="auto", quality="balanced", weld=None, backend=None, threads=None))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn of_mesh<'py>(
        py: Python<'py>,
        vertices: Bound<'py, PyAny>,
        triangles: Bound<'py, PyAny>,
        precision: &str,
        quality: &str,
        weld: Option<f64>,
        backend: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let mesh = py.import("lanecast._geometry")?.getattr("Mesh")?.call1((vertices, triangles))?;
        How::of(precision, quality, weld, backend, threads)?.of_any(py, &[(String::new(), mesh)])
    }

    #[staticmethod]
    #[pyo3(signature = (*items, precision="auto", quality="balanced", weld=None, backend=None, threads=None))]
    fn build<'py>(
        items: &Bound<'py, PyTuple>,
        precision: &str,
        quality: &str,
        weld: Option<f64>,
        backend: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let py = items.py();
        let named: Vec<_> =
            items.iter().enumerate().map(|(place, item)| (format!("items[{place}]."), item)).collect();
        How::of(precision, quality, weld, backend, threads)?.of_any(py, &named)
    }

    #[staticmethod]
    #[pyo3(signature = (mesh, *, precision="auto", quality="balanced", weld=None, backend=None, threads=None))]
    fn from_mesh<'py>(
        mesh: &Bound<'py, PyAny>,
        precision: &str,
        quality: &str,
        weld: Option<f64>,
        backend: Option<&Bound<'py, PyAny>>,
        threads: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let py = mesh.py();
        if let (Some(vertices), Some(faces)) = (mesh.getattr_opt("vertices")?, mesh.getattr_opt("faces")?) {
            return Self::of_mesh(py, vertices, faces, precision, quality, weld, backend, threads);
        }
        let path: PathBuf = mesh.extract().map_err(|_| {
            PyTypeError::new_err(
                "mesh: the path of a file, or an object with vertices and faces, was expected",
            )
        })?;
        let how = How::of(precision, quality, weld, backend, threads)?;
        if how.precision != Some(true) {
            let model = py.detach(|| read_model::<f32>(&path)).map_err(raised_by_file)?;
            if how.precision.is_some() || model.coarseness().is_none() {
                return Ok(Self::new(Content::F32(how.of_meshes(py, &model.into_meshes())?)));
            }
        }
        let model = py.detach(|| read_model::<f64>(&path)).map_err(raised_by_file)?;
        Ok(Self::new(Content::F64(how.of_meshes(py, &model.into_meshes())?)))
    }

    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let content = py.detach(|| Self::open_file(&path)).map_err(raised)?;
        Ok(Self { content: Current::new(content, Some(std::path::absolute(&path)?)) })
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let content = self.content.now();
        py.detach(|| content.save(&path)).map_err(raised)?;
        self.content.is_saved(&content, &std::path::absolute(&path)?);
        Ok(())
    }

    /// A scene is pickled as the path of its file, or if it has none, as the bytes of one.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Self>();
        let (content, path) = self.content.now_and_path();
        if let Some(path) = path {
            return Ok((class.getattr("open")?, PyTuple::new(py, [path])?));
        }
        let bytes = py.detach(|| {
            let folder = tempfile::tempdir()?;
            let path = folder.path().join("pickled.scene");
            content.save(&path).map_err(raised)?;
            Ok::<_, PyErr>(std::fs::read(path)?)
        })?;
        Ok((class.getattr("_from_bytes")?, PyTuple::new(py, [PyBytes::new(py, &bytes)])?))
    }

    #[staticmethod]
    fn _from_bytes(py: Python<'_>, bytes: &[u8]) -> PyResult<Self> {
        // The mapping outlives the name.
        let content = py.detach(|| {
            let folder = tempfile::tempdir()?;
            let path = folder.path().join("pickled.scene");
            std::fs::write(&path, bytes)?;
            Self::open_file(&path).map_err(raised)
        })?;
        Ok(Self::new(content))
    }

    pub(crate) fn __copy__(&self) -> Self {
        let (content, path) = self.content.now_and_path();
        Self { content: Current::new(content, path) }
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

    #[getter]
    fn precision(&self) -> &'static str {
        match self.content.now() {
            Content::F32(_) => "float32",
            Content::F64(_) => "float64",
        }
    }

    #[getter]
    fn triangle_count(&self) -> usize {
        with_scene!(&self.content, scene => scene.triangle_count())
    }

    #[getter]
    fn primitive_count(&self) -> usize {
        with_scene!(&self.content, scene => scene.primitive_count())
    }

    #[getter]
    fn geometry_count(&self) -> usize {
        with_scene!(&self.content, scene => scene.geometry_count())
    }

    #[getter]
    fn instance_count(&self) -> usize {
        with_scene!(&self.content, scene => scene.instance_count())
    }

    #[getter]
    fn backend(&self) -> &'static str {
        with_scene!(&self.content, scene => scene.backend()).name()
    }

    #[getter]
    fn path(&self) -> Option<PathBuf> {
        self.content.now_and_path().1
    }

    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        let corners =
            |min: [f64; 3], max: [f64; 3]| numpy::PyArray2::from_vec2(py, &[min.to_vec(), max.to_vec()]);
        let bounds = match &self.content.now() {
            Content::F32(scene) => {
                corners(scene.bounds().min.map(f64::from), scene.bounds().max.map(f64::from))
            }
            Content::F64(scene) => corners(scene.bounds().min, scene.bounds().max),
        };
        bounds.expect("rows of equal length").into_any()
    }

    /// The name of a geometry.
    fn geometry_name(&self, geometry_id: u32) -> PyResult<String> {
        with_scene!(&self.content, scene => scene.name(geometry_id).map(str::to_owned)).map_err(raised)
    }

    /// What the caller keeps of a geometry.
    fn geometry_user_data(&self, geometry_id: u32) -> PyResult<u64> {
        with_scene!(&self.content, scene => scene.user_data(geometry_id)).map_err(raised)
    }

    fn check(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| with_scene!(&self.content, scene => scene.check())).map_err(raised)?;
        let valid = py.detach(|| with_scene!(&self.content, scene => scene.validate()));
        valid.map_err(PyValueError::new_err)
    }
}

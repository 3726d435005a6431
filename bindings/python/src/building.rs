//! What builds a scene: of one mesh, of geometries and instances, or of a file.

use crate::errors::{argument, one_of, raised, raised_by_file, refused};
use crate::geometry::Items;
use crate::number::{Content, Number};
use crate::options::Options;
use crate::precision::Needs;
use crate::run::{Machine, UNKNOWN, run};
use crate::scene::PyScene;
use lanecast::{BuildQuality, Precision, Scene, SceneBuilder};
use lanecast_io::{Coordinate, Model, read_model};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads a file of which each mesh may be copied to where it stands. This is looked at first: also the
/// box around the copies takes time for each.
fn read_to_copy<T: Coordinate>(path: &Path) -> lanecast_io::Result<Model<T>> {
    let model = read_model(path)?;
    model.check_copies().map(|()| model)
}

/// How scenes are built and changed: the keyword arguments of all that do either.
pub(crate) struct How<'py> {
    /// Whether in f64; None where the content says it.
    precision: Option<bool>,
    pub(crate) quality: BuildQuality,
    weld: Option<f64>,
    pub(crate) machine: Machine<'py>,
}

impl<'py> How<'py> {
    pub(crate) fn of(options: &Options<'py>) -> PyResult<Self> {
        let precisions = [
            ("auto", None),
            ("f32", Some(false)),
            ("f64", Some(true)),
            ("float32", Some(false)),
            ("float64", Some(true)),
        ];
        let qualities = [
            ("fast", BuildQuality::Fast),
            ("balanced", BuildQuality::Balanced),
            ("high", BuildQuality::High),
        ];
        let (quality, machine) = (BuildQuality::Balanced, Machine::default());
        let mut how = Self { precision: None, quality, weld: None, machine };
        for (name, value) in options.iter() {
            match name {
                "precision" => how.precision = one_of(name, value, &precisions)?,
                "quality" => how.quality = one_of(name, value, &qualities)?,
                "weld" => how.weld = argument::weld(value)?,
                _ if how.machine.take(name, value)? => {}
                _ => unreachable!("{name} is in the table of options"),
            }
        }
        Ok(how)
    }

    /// Builds what `add` adds, without the interpreter's lock.
    fn build<T: Precision + Coordinate>(
        &self,
        py: Python<'_>,
        mut builder: SceneBuilder<'_, T>,
    ) -> PyResult<Scene<T>> {
        if let Some(weld) = self.weld {
            let problem =
                || refused("weld", format!("it is {weld}; a distance from 0 on was expected"));
            builder = builder.weld(T::nearest(weld)).map_err(|_| problem())?;
        }
        if let Some(backend) = self.machine.backend {
            builder = builder.backend(backend);
        }
        let builder = builder.quality(self.quality);
        run(py, &self.machine, UNKNOWN, |threads, watch| {
            builder.threads(threads).watch(watch).build()
        })
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

    /// A scene of one mesh.
    fn of_parts(
        &self,
        vertices: &Bound<'_, PyAny>,
        triangles: &Bound<'_, PyAny>,
    ) -> PyResult<PyScene> {
        let py = vertices.py();
        let mesh =
            py.import("lanecast._geometry")?.getattr("Mesh")?.call1((vertices, triangles))?;
        self.of_any(py, &[(String::new(), mesh)])
    }

    fn of_any(&self, py: Python<'_>, items: &[(String, Bound<'_, PyAny>)]) -> PyResult<PyScene> {
        let is_f64 = match self.precision {
            Some(is_f64) => is_f64,
            None => {
                let needs = Needs::of(items)?;
                needs.warn(py)?;
                needs.f64()
            }
        };
        Ok(PyScene::new(if is_f64 {
            Content::F64(self.of_items(py, items)?)
        } else {
            Content::F32(self.of_items(py, items)?)
        }))
    }

    fn of_model<T: Number>(&self, py: Python<'_>, model: Model<T>) -> PyResult<Arc<Scene<T>>> {
        let meshes = &model.into_meshes().map_err(raised_by_file)?;
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
    #[pyo3(signature = (vertices, triangles=None, **options), text_signature = None)]
    fn of_mesh<'py>(
        py: Python<'py>,
        vertices: &Bound<'py, PyAny>,
        triangles: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let how = How::of(&options!(Scene, options)?)?;
        let Some(triangles) = triangles else {
            let meshes = py.import("lanecast._meshes")?;
            return Err(PyErr::from_value(meshes.call_method1("instead", (vertices,))?));
        };
        how.of_parts(vertices, triangles)
    }

    #[doc = signature!(static build)]
    /// A scene of geometries and instances: `Mesh`, `Quads`, `Boxes`, `OrientedBoxes`, `Spheres`,
    /// `RoundCones`, `Cylinders`, `HeightField`, each a geometry with the next geometry id, and
    /// `Instance`, each with the next instance id.
    #[doc = include_str!("help/build.txt")]
    ///
    /// >>> ball = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 1.0))
    /// >>> box = lanecast.Boxes([[4, 0, 0]], [[5, 1, 1]])
    /// >>> two = lanecast.Scene.build(lanecast.Instance(ball, np.eye(4)), box)
    /// >>> two
    /// <lanecast.Scene of 0 triangles, 1 other primitives, 1 instances, float32>
    /// >>> two.closest_hit([[-3, 0, 0, 1, 0, 0], [9, 0.5, 0.5, -1, 0, 0]]).instance_id
    /// array([         0, 4294967295], dtype=uint32)
    #[staticmethod]
    #[pyo3(signature = (*items, **options), text_signature = None)]
    fn build<'py>(
        items: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let py = items.py();
        let named: Vec<_> = items
            .iter()
            .enumerate()
            .map(|(place, item)| (format!("items[{place}]."), item))
            .collect();
        How::of(&options!(build, options)?)?.of_any(py, &named)
    }

    #[doc = signature!(static from_mesh)]
    /// A scene of a mesh: the path of a file (OBJ, PLY, STL, OFF, glTF or GLB, also in .gz or
    /// .zst), of which each mesh is a geometry with its name; a mesh of trimesh or Open3D, or
    /// another object with `vertices` and `faces` or `triangles`; or a `trimesh.Scene`, which
    /// becomes one mesh, as its `to_mesh()` makes it.
    #[doc = include_str!("help/build.txt")]
    /// Raises `FileNotFoundError` and other `OSError`s for files that cannot be read.
    ///
    /// >>> with open("square.off", "w") as file:
    /// ...     _ = file.write("OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3")
    /// >>> lanecast.Scene.from_mesh("square.off")
    /// <lanecast.Scene of 2 triangles, float32>
    #[staticmethod]
    #[pyo3(signature = (mesh, **options), text_signature = None)]
    fn from_mesh<'py>(
        mesh: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        let how = How::of(&options!(from_mesh, options)?)?;
        let py = mesh.py();
        let Ok(path) = mesh.extract::<PathBuf>() else {
            let parts = py.import("lanecast._meshes")?.call_method1("parts", (mesh,))?;
            let (vertices, triangles): (Bound<'py, PyAny>, Bound<'py, PyAny>) = parts.extract()?;
            return how.of_parts(&vertices, &triangles);
        };
        if how.precision != Some(true) {
            let model = py.detach(|| read_to_copy::<f32>(&path)).map_err(raised_by_file)?;
            if how.precision.is_some() || model.coarseness().is_none() {
                return Ok(Self::new(Content::F32(how.of_model(py, model)?)));
            }
        }
        let model = py.detach(|| read_to_copy::<f64>(&path)).map_err(raised_by_file)?;
        Ok(Self::new(Content::F64(how.of_model(py, model)?)))
    }
}

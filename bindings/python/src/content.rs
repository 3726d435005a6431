//! What a scene holds: triangles, names, instances, openings, and the shape of its tree.

use crate::current::Current;
use crate::errors::{argument, extracted, raised};
use crate::number::{Content, Number};
use crate::out::{answer, class_of_answers};
use crate::scene::{PyScene, with_scene};
use crate::views::{field, owner, vector_field};
use lanecast::scene::GeometryView;
use lanecast::{Affine, Scene};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// Makes an answer of a class of `_answers.py`, by names.
fn made<'py>(
    py: Python<'py>,
    class: &str,
    fields: impl IntoIterator<Item = (&'static str, Bound<'py, PyAny>)>,
) -> PyResult<Bound<'py, PyAny>> {
    let keywords = PyDict::new(py);
    for (name, value) in fields {
        keywords.set_item(name, value)?;
    }
    class_of_answers(py, class)?.call((), Some(&keywords))
}

/// Rows of three numbers each as an array of shape (N, 3).
fn rows<'py, T: Number, const N: usize>(
    py: Python<'py>,
    rows: &[[T; 3]; N],
) -> PyResult<Bound<'py, PyAny>> {
    numpy::PyArray1::from_slice(py, rows.as_flattened()).call_method1("reshape", ((N, 3),))
}

fn triangles<'py, T: Number>(py: Python<'py>, scene: &Scene<T>) -> PyResult<Bound<'py, PyAny>> {
    let all = py.detach(|| {
        let mut all: Vec<(u32, u32, [T; 9])> = Vec::with_capacity(scene.triangle_count());
        let flat =
            |corners: [[T; 3]; 3]| std::array::from_fn(|place| corners[place / 3][place % 3]);
        all.extend(
            scene
                .triangles()
                .map(|(geometry, primitive, corners)| (geometry, primitive, flat(corners))),
        );
        all.sort_unstable_by_key(|&(geometry_id, primitive_id, _)| (geometry_id, primitive_id));
        Arc::new(all)
    });
    let memory = owner(py, Arc::clone(&all))?;
    let corners = vector_field(&memory, &all, |(_, _, corners): &(u32, u32, [T; 9])| corners);
    let columns = (
        field(&memory, &all, |(geometry_id, ..)| geometry_id),
        field(&memory, &all, |(_, primitive_id, _)| primitive_id),
        corners.call_method1("reshape", ((all.len(), 3, 3),))?,
    );
    answer(py, "Triangles", columns)
}

/// A map as a matrix of shape (4, 4).
fn matrix<'py>(py: Python<'py>, map: &Affine) -> PyResult<Bound<'py, PyAny>> {
    let [x, y, z] = map.rows();
    numpy::PyArray1::from_slice(py, [x, y, z, [0.0, 0.0, 0.0, 1.0]].as_flattened())
        .call_method1("reshape", ((4, 4),))
}

/// A scene that is placed in another, as a scene of Python.
fn placed<'py, T: Number>(py: Python<'py>, scene: &Arc<Scene<T>>) -> PyResult<Bound<'py, PyScene>> {
    Bound::new(py, PyScene { content: Current::new(T::content(Arc::clone(scene)), None) })
}

fn instance<'py, T: Number>(
    py: Python<'py>,
    scene: &Scene<T>,
    instance: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let inner = scene.instance_scene(instance).map_err(raised)?;
    let map = scene.transform(instance).map_err(raised)?;
    let name = scene.instance_name(instance).map_err(raised)?;
    let mask = scene.instance_mask(instance).map_err(raised)?;
    let user_data = scene.instance_user_data(instance).map_err(raised)?;
    let instance_id = scene.instance_id(instance).map_err(raised)?;
    let fields = [
        ("instance", instance.into_pyobject(py)?.into_any()),
        ("instance_id", instance_id.into_pyobject(py)?.into_any()),
        ("scene", placed(py, inner)?.into_any()),
        ("transform", matrix(py, &map)?),
        ("mask", mask.into_pyobject(py)?.into_any()),
        ("name", name.into_pyobject(py)?.into_any()),
        ("user_data", user_data.into_pyobject(py)?.into_any()),
    ];
    made(py, "InstanceInfo", fields)
}

fn geometry<'py, T: Number>(
    py: Python<'py>,
    scene: &Scene<T>,
    id: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let view = scene.geometry(id).map_err(raised)?;
    let kind = match view {
        GeometryView::Triangles { .. } => "mesh",
        GeometryView::Boxes(_) => "boxes",
        GeometryView::OrientedBoxes(_) => "oriented_boxes",
        GeometryView::Spheres(_) => "spheres",
        GeometryView::RoundCones(_) => "round_cones",
        GeometryView::Cylinders(_) => "cylinders",
        GeometryView::HeightField(_) => "height_field",
        GeometryView::Own(_) => "own",
    };
    let fields = [
        ("geometry_id", id.into_pyobject(py)?.into_any()),
        ("kind", kind.into_pyobject(py)?.into_any()),
        ("primitive_count", view.primitive_count().into_pyobject(py)?.into_any()),
        ("mask", scene.mask(id).map_err(raised)?.into_pyobject(py)?.into_any()),
        ("name", scene.name(id).map_err(raised)?.into_pyobject(py)?.into_any()),
        ("user_data", scene.user_data(id).map_err(raised)?.into_pyobject(py)?.into_any()),
    ];
    made(py, "GeometryInfo", fields)
}

#[pymethods]
impl PyScene {
    /// The corners of a triangle of this scene, without instances: shape (3, 3), of the scene's
    /// dtype.
    ///
    /// The first call takes some nanoseconds for each triangle of the scene. Raises IndexError for
    /// one that does not exist.
    ///
    /// >>> scene.triangle(0, 1).tolist()
    /// [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    fn triangle<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::geometry_id)] geometry_id: u32,
        #[pyo3(from_py_with = argument::primitive_id)] primitive_id: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => {
            let corners = py.detach(|| scene.triangle(geometry_id, primitive_id)).map_err(raised)?;
            rows(py, &corners)
        })
    }

    /// All triangles of this scene, without instances, by geometry and primitive.
    ///
    /// Returns `Triangles`: `geometry_id` and `primitive_id`, uint32 of shape (n,), and `vertices`
    /// of shape (n, 3, 3), of the scene's dtype: the three corners of each, where welding and
    /// refits have moved them.
    ///
    /// >>> scene.triangles().vertices[1].tolist()
    /// [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => triangles(py, scene))
    }

    /// The names of all geometries by their ids, as a dict; empty for what has none.
    ///
    /// >>> import lanecast
    /// >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    /// >>> ground = lanecast.Mesh(corners, [[0, 1, 2]], name="ground")
    /// >>> lanecast.Scene.build(ground).geometry_names
    /// {0: 'ground'}
    #[getter]
    fn geometry_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = PyDict::new(py);
        with_scene!(&self.content, scene => {
            for id in scene.geometry_ids() {
                names.set_item(id, scene.name(id).map_err(raised)?)?;
            }
        });
        Ok(names)
    }

    /// What is known of a geometry.
    ///
    /// Returns `GeometryInfo`: its id, its kind ("mesh", "boxes", "oriented_boxes", "spheres",
    /// "round_cones", "cylinders", "height_field"; of quads "mesh"), the number of its primitives,
    /// its mask, its name and the caller's number. Raises IndexError if there is none with that id.
    ///
    /// >>> import lanecast
    /// >>> balls = lanecast.Spheres([[0, 0, 0], [9, 0, 0]], 1, name="balls")
    /// >>> lanecast.Scene.build(balls).geometry(0)
    /// GeometryInfo(geometry_id=0, kind='spheres', primitive_count=2, mask=4294967295,
    /// name='balls', user_data=0)
    fn geometry<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::geometry_id)] geometry_id: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => geometry(py, scene, geometry_id))
    }

    /// The numbers of all instances of this scene, without instances in instances, as a list: 0, 1,
    /// 2 and so on, unless some were removed.
    #[getter]
    pub(crate) fn instances(&self) -> Vec<u32> {
        with_scene!(&self.content, scene => scene.instance_numbers().collect())
    }

    /// What is known of an instance of this scene, by its number.
    ///
    /// Returns `InstanceInfo`: its number; the id that hits in it have, on primitives of the placed
    /// scene itself; the placed scene; its transform as a float64 matrix of shape (4, 4), which
    /// maps points as columns; its mask, its name and the caller's number. Raises IndexError if
    /// there is none with that number.
    ///
    /// >>> import lanecast
    /// >>> leaf = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> at = [[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]]
    /// >>> scene = lanecast.Scene.build(lanecast.Instance(leaf, at, name="a leaf"))
    /// >>> info = scene.instance(0)
    /// >>> info.name, info.transform[:, 3].tolist()
    /// ('a leaf', [5.0, 0.0, 0.0, 1.0])
    fn instance<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::instance)] instance: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => self::instance(py, scene, instance))
    }

    /// The instances around a hit with this instance id, outermost first, by their numbers, as a
    /// tuple; empty for INVALID_ID.
    ///
    /// Raises IndexError if no hit can have that id.
    ///
    /// >>> import lanecast, numpy as np
    /// >>> triangle = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> leaf = lanecast.Instance(triangle, np.eye(4))
    /// >>> tree = lanecast.Instance(lanecast.Scene.build(leaf, leaf), np.eye(4))
    /// >>> lanecast.Scene.build(tree).instance_path(2)
    /// (0, 1)
    fn instance_path<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument::instance_id)] instance_id: u32,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let path = with_scene!(&self.content, scene => scene.instance_path(instance_id))
            .map_err(raised)?;
        PyTuple::new(py, path)
    }

    /// The first edge, by geometry and triangle, at which the surface of all meshes together is
    /// open.
    ///
    /// Returns None if it is closed, else `OpenEdge`: the ids of the first triangle at the edge,
    /// and the ends of the edge, of shape (2, 3). Triangles must use each edge as often in one
    /// direction as in the other, by the coordinates of its ends. What has a mask of 0 is left out,
    /// and so are other primitives: boxes, spheres and cones are closed, and a HeightField, of
    /// which None says nothing, is not.
    ///
    /// >>> scene.open_edge().ends.tolist()
    /// [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    fn open_edge<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        with_scene!(&self.content, scene => {
            let Some(edge) = py.detach(|| scene.open_edge()) else { return Ok(None) };
            let fields = [
                ("geometry_id", edge.geometry_id.into_pyobject(py)?.into_any()),
                ("primitive_id", edge.primitive_id.into_pyobject(py)?.into_any()),
                ("ends", rows(py, &edge.ends)?),
            ];
            made(py, "OpenEdge", fields).map(Some)
        })
    }

    /// The least tolerance at which welding closes the surface of all meshes of this scene, in its
    /// units: a value for `weld` of the calls that build scenes.
    ///
    /// Returns None if the surface is closed, or if no tolerance closes it up to a thousandth of
    /// its size.
    ///
    /// >>> import lanecast
    /// >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [0.5**9, 0, 0]]
    /// >>> triangles = [[0, 2, 1], [0, 1, 3], [4, 3, 2], [1, 2, 3]]
    /// >>> lanecast.Scene(corners, triangles).closing_tolerance()
    /// 0.001953125
    fn closing_tolerance(&self, py: Python<'_>) -> Option<f64> {
        match &self.content.now() {
            Content::F32(scene) => py.detach(|| scene.closing_tolerance()).map(f64::from),
            Content::F64(scene) => py.detach(|| scene.closing_tolerance()),
        }
    }

    /// What welding did when the scene was built: None without it, and for scenes from files; else
    /// `Welded`: the number of vertices that moved, how far the farthest did, in the units of the
    /// scene, and the number of triangles that collapsed.
    ///
    /// >>> import lanecast
    /// >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 0.125], [0, 4, 4]]
    /// >>> lanecast.Scene(corners, [[0, 1, 2], [3, 2, 4]], weld=0.25).welded
    /// Welded(joined=1, farthest=0.125, collapsed=0)
    #[getter]
    fn welded<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let welded = with_scene!(&self.content, scene => scene.welded());
        let Some(welded) = welded else { return Ok(None) };
        let fields = [
            ("joined", welded.joined.into_pyobject(py)?.into_any()),
            ("farthest", welded.farthest.into_pyobject(py)?.into_any()),
            ("collapsed", welded.collapsed.into_pyobject(py)?.into_any()),
        ];
        made(py, "Welded", fields).map(Some)
    }

    #[doc = signature!(statistics)]
    /// The shape of the tree over the scene's own triangles, by a pass over all of its nodes.
    ///
    /// - `others`: the tree over all other primitives.
    ///
    /// Returns `Statistics`. From an `sah_cost` of 1.5 times `sah_cost_as_built` on, `rebuild` soon
    /// pays.
    ///
    /// >>> scene.statistics().primitives
    /// 2
    #[pyo3(signature = (**options), text_signature = None)]
    fn statistics<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(statistics, options)?;
        let mut given = options.iter().map(|(name, value)| extracted(name, value));
        let others = given.next().transpose()?.unwrap_or(false);
        let of = py.detach(|| {
            with_scene!(&self.content, scene => match others {
                true => scene.statistics_of_others(),
                false => scene.statistics(),
            })
        });
        let fields = [
            ("inner_nodes", of.inner_nodes.into_pyobject(py)?.into_any()),
            ("leaves", of.leaves.into_pyobject(py)?.into_any()),
            ("primitives", of.primitives.into_pyobject(py)?.into_any()),
            ("depth", of.depth.into_pyobject(py)?.into_any()),
            ("children_per_node", of.children_per_node.into_pyobject(py)?.into_any()),
            ("primitives_per_leaf", of.primitives_per_leaf.into_pyobject(py)?.into_any()),
            ("sah_cost", of.sah_cost.into_pyobject(py)?.into_any()),
            ("sah_cost_as_built", of.sah_cost_as_built.into_pyobject(py)?.into_any()),
            ("bytes", of.bytes.into_pyobject(py)?.into_any()),
        ];
        made(py, "Statistics", fields)
    }
}

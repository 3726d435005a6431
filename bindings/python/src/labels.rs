//! Masks, names and numbers of geometries and instances.

use crate::changes::changed;
use crate::errors::argument;
use crate::scene::PyScene;
use pyo3::prelude::*;

#[pymethods]
impl PyScene {
    /// Sets the mask of a geometry: rays meet it if their own mask has a bit in common with it; one
    /// with a mask of 0 is hidden.
    ///
    /// Other threads and costs: see `refit`. Raises IndexError if there is none with that id.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 1))
    /// >>> scene.set_mask(0, 0)
    /// >>> bool(scene.any_hit([0.0, 0, 5, 0, 0, -1]))
    /// False
    fn set_mask(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::geometry_id)] geometry_id: u32,
        #[pyo3(from_py_with = argument::mask)] mask: u32,
    ) -> PyResult<()> {
        changed!(self, py, scene => scene.set_mask(geometry_id, mask))
    }

    /// Names a geometry. Other threads and costs: see `refit`. Raises IndexError if there is none
    /// with that id.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 1))
    /// >>> scene.set_name(0, "moon")
    /// >>> scene.geometry_name(0)
    /// 'moon'
    fn set_name(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::geometry_id)] geometry_id: u32,
        #[pyo3(from_py_with = argument::name)] name: String,
    ) -> PyResult<()> {
        changed!(self, py, scene => scene.set_name(geometry_id, name))
    }

    /// Keeps a number of the caller's own, from 0 to 2**64 - 1, with a geometry. Other threads and
    /// costs: see `refit`. Raises IndexError if there is none with that id.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 1))
    /// >>> scene.set_user_data(0, 1969)
    /// >>> scene.geometry_user_data(0)
    /// 1969
    fn set_user_data(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::geometry_id)] geometry_id: u32,
        #[pyo3(from_py_with = argument::user_data)] user_data: u64,
    ) -> PyResult<()> {
        changed!(self, py, scene => scene.set_user_data(geometry_id, user_data))
    }

    /// Sets the mask of an instance: rays meet a geometry in it if their own mask has a bit in
    /// common with it, and one with the mask of the geometry; one with a mask of 0 is hidden.
    ///
    /// Other threads and costs: see `refit`. Raises IndexError if there is none with that number.
    ///
    /// >>> import lanecast, numpy as np
    /// >>> leaf = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> scene = lanecast.Scene.build(lanecast.Instance(leaf, np.eye(4)))
    /// >>> scene.set_instance_mask(0, 0b10)
    /// >>> scene.any_hit([[0.25, 0.25, 5, 0, 0, -1]], mask=1).tolist()
    /// [False]
    fn set_instance_mask(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::instance)] instance: u32,
        #[pyo3(from_py_with = argument::mask)] mask: u32,
    ) -> PyResult<()> {
        changed!(self, py, scene => scene.set_instance_mask(instance, mask))
    }

    /// Names an instance. Other threads and costs: see `refit`. Raises IndexError if there is none
    /// with that number.
    ///
    /// >>> import lanecast, numpy as np
    /// >>> leaf = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> scene = lanecast.Scene.build(lanecast.Instance(leaf, np.eye(4)))
    /// >>> scene.set_instance_name(0, "oak")
    /// >>> scene.instance(0).name
    /// 'oak'
    fn set_instance_name(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::instance)] instance: u32,
        #[pyo3(from_py_with = argument::name)] name: String,
    ) -> PyResult<()> {
        changed!(self, py, scene => scene.set_instance_name(instance, name))
    }

    /// Keeps a number of the caller's own, from 0 to 2**64 - 1, with an instance. Other threads and
    /// costs: see `refit`. Raises IndexError if there is none with that number.
    ///
    /// >>> import lanecast, numpy as np
    /// >>> leaf = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> scene = lanecast.Scene.build(lanecast.Instance(leaf, np.eye(4)))
    /// >>> scene.set_instance_user_data(0, 1712)
    /// >>> scene.instance(0).user_data
    /// 1712
    fn set_instance_user_data(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = argument::instance)] instance: u32,
        #[pyo3(from_py_with = argument::user_data)] user_data: u64,
    ) -> PyResult<()> {
        changed!(self, py, scene => scene.set_instance_user_data(instance, user_data))
    }
}

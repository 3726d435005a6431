//! Scenes that move: vertices, instances, geometries, masks and names.

use crate::arrays::{Vectors, array_of, fits_f32, floats, shown};
use crate::building::How;
use crate::errors::{extracted, refused};
use crate::geometry::Items;
use crate::ids::Ids;
use crate::number::Number;
use crate::precision::Needs;
use crate::scene::{PyScene, with_scene};
use lanecast::{Affine, Geometry, Scene};
use lanecast_io::Extent;
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// Calls a function of any precision with that of a scene.
macro_rules! of_precision {
    ($scene:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $scene.content.is_f64() {
            false => $scene.$function::<f32>($($argument),*),
            true => $scene.$function::<f64>($($argument),*),
        }
    };
}

/// Changes a scene of any precision, at little cost.
macro_rules! changed {
    ($self:expr, $py:expr, $scene:ident => $change:expr) => {
        match $self.content.is_f64() {
            false => $self.content.change::<f32, _>($py, 1, |$scene, _| $change),
            true => $self.content.change::<f64, _>($py, 1, |$scene, _| $change),
        }
    };
}
pub(crate) use changed;

/// Geometries or instances with the names of their arguments.
fn named<'py>(items: &Bound<'py, PyTuple>) -> Vec<(String, Bound<'py, PyAny>)> {
    items.iter().enumerate().map(|(place, item)| (format!("items[{place}]."), item)).collect()
}

/// Maps of shape (n, 3, 4) or (n, 4, 4).
fn affines(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<Affine>> {
    let array = floats::<f64>(argument, value)?;
    let &[maps, rows @ (3 | 4), 4] = array.shape() else {
        let problem =
            format!("its shape is {}; (n, 3, 4) or (n, 4, 4) was expected", shown(array.shape()));
        return Err(refused(argument, problem));
    };
    let numbers = array.as_array();
    let row = |map: usize, row: usize| std::array::from_fn(|column| numbers[[map, row, column]]);
    if let Some(map) = (0..maps).find(|&map| rows == 4 && row(map, 3) != [0.0, 0.0, 0.0, 1.0]) {
        let problem = "the last row of an affine map is 0, 0, 0, 1";
        return Err(refused(&format!("{argument}[{map}, 3]"), problem));
    }
    Ok((0..maps).map(|map| Affine::from_rows([0, 1, 2].map(|place| row(map, place)))).collect())
}

/// The extent of vertices for meshes.
fn vertices_of(meshes: &Bound<'_, PyDict>) -> PyResult<Extent> {
    let mut extent = Extent::EMPTY;
    for (geometry_id, vertices) in meshes {
        let argument = format!("meshes[{geometry_id}]");
        if !fits_f32(&array_of(&argument, &vertices)?) {
            let vertices = Vectors::<f64>::of(&argument, &vertices)?;
            vertices.rows()?.iter().for_each(|&vertex| extent.add(vertex));
        }
    }
    Ok(extent)
}

impl PyScene {
    /// Warns once if a scene of f32 gets content whose coordinates are moved too far by that.
    fn look_at_items(
        &self,
        py: Python<'_>,
        argument: &str,
        items: &[(String, Bound<'_, PyAny>)],
    ) -> PyResult<()> {
        with_scene!(&self.content, scene => {
            scene.look_at_content(py, argument, || Ok(Needs::of(items)?.extent))
        })
    }

    fn refitted<T: Number>(&self, meshes: &Bound<'_, PyDict>, how: &How<'_>) -> PyResult<()> {
        let mut read: Vec<(u32, _)> = Vec::new();
        for (geometry_id, vertices) in meshes {
            let argument = format!("meshes[{geometry_id}]");
            read.push((
                extracted(&argument, &geometry_id)?,
                Vectors::<T>::of(&argument, &vertices)?,
            ));
        }
        let moved = read.iter().map(|(geometry_id, vertices)| Ok((*geometry_id, vertices.rows()?)));
        let moved = moved.collect::<PyResult<Vec<_>>>()?;
        with_scene!(&self.content, scene => {
            scene.look_at_content(meshes.py(), "meshes", || vertices_of(meshes))
        })?;
        self.content.rework::<T, _>(meshes.py(), &how.machine, 0, |scene, means| {
            means.of(scene).refit(&moved)
        })
    }

    fn added<T: Number>(&self, items: &Bound<'_, PyTuple>, how: &How<'_>) -> PyResult<Vec<u32>> {
        let quality = how.quality;
        let read = Items::<T>::read(&named(items))?;
        items.py().check_signals()?;
        self.look_at_items(items.py(), "items", &named(items))?;
        items.py().check_signals()?;
        let (geometries, labels): (Vec<Geometry<'_, T>>, Vec<_>) =
            read.geometries()?.into_iter().unzip();
        let rows = geometries.iter().map(Geometry::primitive_count).sum();
        self.content.rework(items.py(), &how.machine, rows, |scene: &mut Scene<T>, means| {
            let ids = means.of(scene).quality(quality).add(&geometries)?;
            ids.iter().zip(labels).try_for_each(|(&id, label)| label.of_geometry(scene, id))?;
            Ok(ids)
        })
    }

    fn instances_added<T: Number>(&self, items: &Bound<'_, PyTuple>) -> PyResult<Vec<u32>> {
        let read = Items::<T>::read(&named(items))?;
        let placed = read.placed()?;
        self.content.change(items.py(), 1, |scene: &mut Scene<T>, _| {
            let scenes: Vec<_> =
                placed.iter().map(|&(scene, transform, _)| (scene, transform)).collect();
            let numbers = scene.add_instances(&scenes)?;
            let mut labelled = numbers.iter().zip(&placed);
            labelled.try_for_each(|(&number, (.., label))| label.of_instance(scene, number))?;
            Ok(numbers)
        })
    }

    fn replaced<T: Number>(&self, geometries: &Bound<'_, PyDict>, how: &How<'_>) -> PyResult<()> {
        let quality = how.quality;
        let items = geometries.iter().map(|(id, item)| (format!("geometries[{id}]."), item));
        let items: Vec<_> = items.collect();
        // Names first: what a signal raises while one is made is lost.
        let ids = geometries.keys().iter().map(|id| extracted(&format!("geometries[{id}]"), &id));
        let ids = ids.collect::<PyResult<Vec<u32>>>()?;
        let read = Items::<T>::read(&items)?;
        geometries.py().check_signals()?;
        self.look_at_items(geometries.py(), "geometries", &items)?;
        geometries.py().check_signals()?;
        let given =
            ids.into_iter().zip(read.geometries()?.into_iter().map(|(geometry, _)| geometry));
        let given: Vec<_> = given.collect();
        let rows = given.iter().map(|(_, geometry)| geometry.primitive_count()).sum();
        self.content.rework(geometries.py(), &how.machine, rows, |scene: &mut Scene<T>, means| {
            means.of(scene).quality(quality).replace(&given)
        })
    }

    fn scenes_set<T: Number>(&self, scenes: &Bound<'_, PyDict>) -> PyResult<()> {
        let mut read: Vec<(u32, Arc<Scene<T>>)> = Vec::new();
        for (number, scene) in scenes {
            let argument = format!("scenes[{number}]");
            let scene = scene
                .cast::<Self>()
                .map_err(|_| PyTypeError::new_err(format!("{argument}: a Scene was expected")))?;
            let other =
                || refused(&argument, "scenes of f32 and of f64 cannot be placed in one another");
            let scene = T::scene_of(&scene.get().content.now()).cloned().ok_or_else(other)?;
            read.push((extracted(&argument, &number)?, scene));
        }
        self.content.change(scenes.py(), 1, |scene: &mut Scene<T>, _| scene.set_scenes(read))
    }

    fn rebuilt<T: Number>(&self, py: Python<'_>, how: &How<'_>) -> PyResult<()> {
        let quality = how.quality;
        self.content.rework(py, &how.machine, 0, |scene: &mut Scene<T>, means| {
            means.of(scene).quality(quality).rebuild()
        })
    }
}

#[pymethods]
impl PyScene {
    /// A scene with the same content: changes of either do not change the other. Memory is shared
    /// until one of both changes, which copies it.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> other = scene.copy()
    /// >>> other.set_name(0, "roof")
    /// >>> scene.geometry_names, other.geometry_names
    /// ({0: ''}, {0: 'roof'})
    fn copy(&self) -> Self {
        self.__copy__()
    }

    #[doc = signature!(refit)]
    /// Moves the vertices of deformable meshes (`Mesh(..., deformable=True)`), of all of them at
    /// once.
    ///
    /// - `meshes`: a dict; for each geometry id all vertices of that mesh, of shape (n, 3), in the
    ///   order in which it was built.
    /// - `threads`: None for all cores.
    /// - `progress`: is called now and then as progress(done, total), in primitives, or is a bar
    ///   like tqdm's, which advances and keeps its total if it has one. An exception in it ends the
    ///   change, as Ctrl-C does.
    ///
    /// The tree keeps its structure, and its boxes are fitted, in O(n) in the triangles of all
    /// meshes. Rays get slower the farther neighbours part: `statistics` shows it, `rebuild` helps.
    ///
    /// As all changes of scenes: calls that began before see the scene as it was, calls that begin
    /// later as it is then, none a mixture. The scene is changed in its place, and calls that begin
    /// meanwhile wait, if nothing else holds its content; if a call in another thread, a `copy` or
    /// an instance in another scene holds it, it is copied before, which takes the memory of its
    /// content and a twentieth of the time of a refit, and calls that begin meanwhile see it as it
    /// was. So it is done too by `refit`, `rebuild`, `add`, `remove` and `replace` where more than
    /// 65,536 primitives are in the scene or given, or with `progress`: Ctrl-C interrupts these.
    /// After an error or Ctrl-C nothing has changed. A scene that is placed in others stays there as
    /// it was when it was placed: `set_scenes` places it anew. The scene has no `path` any more, and
    /// is pickled by its content.
    ///
    /// Raises IndexError for a geometry that does not exist, ValueError for one that is not
    /// deformable, another shape, and vertices that are not finite.
    ///
    /// >>> import lanecast
    /// >>> corners = [[0, 0, 0], [4, 0, 0], [0, 4, 0]]
    /// >>> sheet = lanecast.Mesh(corners, [[0, 1, 2]], deformable=True)
    /// >>> scene = lanecast.Scene.build(sheet)
    /// >>> scene.refit({0: [[0, 0, 2], [4, 0, 2], [0, 4, 2]]})
    /// >>> float(scene.distance([1.0, 1.0, 0.0]))
    /// 2.0
    #[pyo3(signature = (meshes, **options), text_signature = None)]
    fn refit<'py>(
        &self,
        meshes: &Bound<'py, PyDict>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<()> {
        let how = How::of(&options!(refit, options)?)?;
        of_precision!(self, refitted(meshes, &how))
    }

    #[doc = signature!(rebuild)]
    /// Builds the tree over all triangles anew, in O(n log n), for faster rays after vertices have
    /// moved far.
    ///
    /// - `quality`: "fast", "balanced" or "high".
    /// - `threads`: None for all cores. `progress`: as of `refit`.
    ///
    /// Other threads and costs: see `refit`.
    ///
    /// >>> scene.rebuild(quality="high")
    #[pyo3(signature = (**options), text_signature = None)]
    fn rebuild<'py>(&self, py: Python<'py>, options: Option<&Bound<'py, PyDict>>) -> PyResult<()> {
        let how = How::of(&options!(rebuild, options)?)?;
        of_precision!(self, rebuilt(py, &how))
    }

    #[doc = signature!(add)]
    /// Adds geometries: `Mesh`, `Quads`, `Boxes` and so on, all at once.
    ///
    /// - `quality`, `threads`, `progress`: as of `rebuild`.
    ///
    /// Returns their ids as a list: each the lowest that is free. A mesh builds the tree over all
    /// triangles anew; others that over all other primitives. Other threads: see `refit`. Raises
    /// what building a scene raises, and ValueError for instances.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene([[0, 0, 9], [1, 0, 9], [0, 1, 9]], [[0, 1, 2]])
    /// >>> scene.add(lanecast.Spheres([[0, 0, 5]], 2, name="ball"))
    /// [1]
    #[pyo3(signature = (*geometries, **options), text_signature = None)]
    fn add<'py>(
        &self,
        geometries: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<u32>> {
        let how = How::of(&options!(add, options)?)?;
        of_precision!(self, added(geometries, &how))
    }

    #[doc = signature!(remove)]
    /// Removes geometries by their ids, all at once. The ids of others stay; the removed ones are
    /// free for geometries that are added later.
    ///
    /// - `quality`, `threads`, `progress`: as of `rebuild`.
    ///
    /// Costs are those of `add`; other threads: see `refit`. Raises IndexError for the first that
    /// does not exist.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene([[0, 0, 9], [1, 0, 9], [0, 1, 9]], [[0, 1, 2]])
    /// >>> scene.remove(0)
    /// >>> scene.geometry_count
    /// 0
    #[pyo3(signature = (*geometry_ids, **options), text_signature = None)]
    fn remove<'py>(
        &self,
        py: Python<'py>,
        geometry_ids: &Bound<'py, PyTuple>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<()> {
        let how = How::of(&options!(remove, options)?)?;
        let quality = how.quality;
        let geometry_ids = geometry_ids.iter().map(|id| extracted("geometry_ids", &id));
        let geometry_ids: Vec<u32> = geometry_ids.collect::<PyResult<_>>()?;
        match self.content.is_f64() {
            false => self.content.rework::<f32, _>(py, &how.machine, 0, |scene, means| {
                means.of(scene).quality(quality).remove(&geometry_ids)
            }),
            true => self.content.rework::<f64, _>(py, &how.machine, 0, |scene, means| {
                means.of(scene).quality(quality).remove(&geometry_ids)
            }),
        }
    }

    #[doc = signature!(replace)]
    /// Replaces geometries by others of any kind. Their ids, masks, names and numbers stay as they
    /// are.
    ///
    /// - `geometries`: a dict; for each geometry id a `Mesh`, `Spheres` and so on, whose mask, name
    ///   and number do not count.
    /// - `quality`, `threads`, `progress`: as of `rebuild`.
    ///
    /// Costs are those of `add`; other threads: see `refit`. Raises IndexError for the first that
    /// does not exist, and what building a scene raises.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 1))
    /// >>> scene.replace({0: lanecast.Spheres([[0, 0, 0]], 2)})
    /// >>> float(scene.distance([5.0, 0, 0]))
    /// 3.0
    #[pyo3(signature = (geometries, **options), text_signature = None)]
    fn replace<'py>(
        &self,
        geometries: &Bound<'py, PyDict>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<()> {
        let how = How::of(&options!(replace, options)?)?;
        of_precision!(self, replaced(geometries, &how))
    }

    /// Places scenes in this one, all at once.
    ///
    /// Returns the numbers of the instances as a list: each the lowest that is free. Costs are
    /// those of moving all by `set_transforms`. Raises what building a scene raises, and ValueError
    /// for geometries.
    ///
    /// >>> import lanecast
    /// >>> leaf = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> at = [[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0]]
    /// >>> forest = lanecast.Scene.build()
    /// >>> forest.add_instances(lanecast.Instance(leaf, at))
    /// [0]
    #[pyo3(signature = (*instances))]
    fn add_instances(&self, instances: &Bound<'_, PyTuple>) -> PyResult<Vec<u32>> {
        of_precision!(self, instances_added(instances))
    }

    /// Removes instances by their numbers, all at once. The numbers of others stay; the removed
    /// ones are free for instances that are added later.
    ///
    /// Costs are those of moving all by `set_transforms`. Raises IndexError for the first that does
    /// not exist.
    ///
    /// >>> import lanecast, numpy as np
    /// >>> leaf = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> tree = lanecast.Instance(leaf, np.eye(4))
    /// >>> forest = lanecast.Scene.build(tree, tree)
    /// >>> forest.remove_instances(0)
    /// >>> forest.instances
    /// [1]
    #[pyo3(signature = (*numbers))]
    fn remove_instances(&self, py: Python<'_>, numbers: &Bound<'_, PyTuple>) -> PyResult<()> {
        let numbers = numbers.iter().map(|number| extracted("numbers", &number));
        let numbers: Vec<u32> = numbers.collect::<PyResult<_>>()?;
        changed!(self, py, scene => scene.remove_instances(&numbers))
    }

    /// Moves instances, all at once: all of them, or those whose numbers are given.
    ///
    /// - `transforms`: matrices of shape (n, 3, 4) or (n, 4, 4), which map points as columns.
    /// - `instances`: n numbers of instances; None for all of `instances`, in their order.
    ///
    /// To move one of 10,000 takes 0.3 ms. To move more than a quarter of them, at once or bit by
    /// bit, costs a microsecond for each instance of the scene, at the next call. What they hold
    /// costs nothing. Other threads: see `refit`. Raises IndexError for an instance that does not
    /// exist, ValueError for another shape and for matrices that have no inverse.
    ///
    /// >>> import lanecast, numpy as np
    /// >>> leaf = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> scene = lanecast.Scene.build(lanecast.Instance(leaf, np.eye(4)))
    /// >>> scene.set_transforms([[[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 7]]])
    /// >>> float(scene.distance([0.25, 0.25, 0]))
    /// 7.0
    /// >>> lower = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 5]]
    /// >>> scene.set_transforms([lower], instances=[0])
    /// >>> float(scene.distance([0.25, 0.25, 0]))
    /// 5.0
    #[pyo3(signature = (transforms, instances=None))]
    fn set_transforms(
        &self,
        py: Python<'_>,
        transforms: &Bound<'_, PyAny>,
        instances: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let maps = affines("transforms", transforms)?;
        let numbers: Vec<u32> = match instances {
            None => self.instances(),
            Some(instances) => {
                let ids = Ids::of("instances", instances, false)?;
                ids.values()?.to_vec()
            }
        };
        if numbers.len() != maps.len() {
            let problem =
                format!("there are {} of them, for {} instances", maps.len(), numbers.len());
            return Err(refused("transforms", problem));
        }
        changed!(self, py, scene => scene.set_transforms(numbers.into_iter().zip(maps)))
    }

    /// Puts other scenes in the place of those that are placed, all at once. Transforms, masks,
    /// names and numbers stay.
    ///
    /// - `scenes`: a dict; for each number of an instance a scene, as it is now.
    ///
    /// Costs are those of moving all by `set_transforms`. Raises IndexError for an instance that
    /// does not exist, ValueError for a scene of the other precision.
    ///
    /// >>> import lanecast, numpy as np
    /// >>> small = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 1))
    /// >>> large = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 2))
    /// >>> scene = lanecast.Scene.build(lanecast.Instance(small, np.eye(4)))
    /// >>> scene.set_scenes({0: large})
    /// >>> float(scene.distance([5.0, 0, 0]))
    /// 3.0
    fn set_scenes(&self, scenes: &Bound<'_, PyDict>) -> PyResult<()> {
        of_precision!(self, scenes_set(scenes))
    }
}

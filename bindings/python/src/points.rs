//! Queries of points: closest points, the primitives near them, and distances.

use crate::arrays::{PerRow, Table};
use crate::current::Now;
use crate::errors::{argument, extracted, one_of};
use crate::number::Number;
use crate::options::Options;
use crate::out::{Arrays, Form, Out, answer, codes_of, shaped};
use crate::request::{check_statuses, left_out};
use crate::run::{Machine, run};
use crate::scene::{PyScene, with_scene};
use crate::views::{field, offsets, owner, vector_field};
use lanecast::answers::{self, NearPointBatch};
use lanecast::cast::Points;
use lanecast::{Cast, CastOptions, PointBatch, Scene};
use lanecast_queries::{
    ClosestPoint, Distance, InColumns, NearestPoints, PointLists, PointQuery, PointsWithin,
    SignedDistance,
};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};
use std::sync::Arc;

/// The accuracy of generalised winding numbers where none is given.
pub(crate) const ACCURACY: f64 = 2.0;

/// What applies to points and to grids.
#[derive(Default)]
pub(crate) struct How<'py> {
    pub(crate) machine: Machine<'py>,
    pub(crate) accuracy: Option<f64>,
    normals: bool,
    pub(crate) packed: bool,
    /// Whether a point that cannot be used is no error, and a miss.
    pub(crate) misses: bool,
    out: Option<Bound<'py, PyAny>>,
}

impl<'py> How<'py> {
    pub(crate) fn of(options: &Options<'py>) -> PyResult<Self> {
        let mut how = Self::default();
        for (name, value) in options.iter() {
            if how.machine.take(name, value)? {
                continue;
            }
            match name {
                "generalised_winding" => how.accuracy = accuracy(value)?,
                "normals" => how.normals = extracted(name, value)?,
                "packed" => how.packed = extracted(name, value)?,
                "invalid" => how.misses = one_of(name, value, &[("raise", false), ("miss", true)])?,
                "brute_force" => how.machine.is_slow = extracted(name, value)?,
                // Arguments of queries, which they read.
                "radius" | "accuracy" => {}
                "out" => how.out = (!value.is_none()).then(|| value.clone()),
                _ => unreachable!("{name} is in the table of options"),
            }
        }
        Ok(how)
    }

    /// The options of a cast; a query is slow because it is by brute force.
    pub(crate) fn options<'o, T: Number>(&self) -> CastOptions<'o, T> {
        let options = self.machine.options(self.machine.is_slow).geometric_normals(self.normals);
        self.accuracy.into_iter().fold(options, CastOptions::generalised_winding)
    }
}

/// None and False for none, True for the default.
fn accuracy(value: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
    if value.is_none() {
        return Ok(None);
    }
    match value.cast::<PyBool>() {
        Ok(is_wanted) => Ok(is_wanted.is_true().then_some(ACCURACY)),
        Err(_) => extracted("generalised_winding", value).map(Some),
    }
}

/// A query of points: its arguments, read.
pub(crate) struct Request<'a, 'py, T: Number> {
    pub(crate) py: Python<'py>,
    scene: &'a Arc<Scene<T>>,
    pub(crate) points: Table<'py, T>,
    radius: PerRow<'py, T>,
    pub(crate) how: How<'py>,
}

impl<'a, 'py, T: Number> Request<'a, 'py, T> {
    pub(crate) fn of(
        scene: &Now<'a, T>,
        points: &Bound<'py, PyAny>,
        radius: Option<&Bound<'py, PyAny>>,
        options: &Options<'py>,
    ) -> PyResult<Self> {
        let how = How::of(options)?;
        let py = points.py();
        let (given, points) = (points, Table::of("points", points, &[3])?);
        let radius = radius.map_or(Ok(PerRow::Same(T::INFINITY)), |radius| {
            PerRow::of("radius", radius, points.shape())
        })?;
        scene.look(&[("points", given)])?;
        Ok(Self { py, scene: scene.scene, points, radius, how })
    }

    /// Answers the points, with the options, on the threads, without the interpreter's lock.
    pub(crate) fn cast<R: Send>(
        &self,
        query: impl FnOnce(Cast<'_, T, Points<'_, T>>, answers::PerRow<'_, T>) -> lanecast::Result<R>
        + Send,
    ) -> PyResult<R> {
        let points = PointBatch::from_strided_parts(self.points.vector(0)?)
            .map_err(crate::errors::raised)?;
        let each = match self.radius {
            PerRow::Same(_) => Vec::new(),
            PerRow::Each(_) => self.radius.numbers(points.len()),
        };
        let radius = match self.radius {
            PerRow::Same(radius) => answers::PerRow::Same(radius),
            PerRow::Each(_) => answers::PerRow::Each(&each),
        };
        let (scene, options) = (&**self.scene, self.how.options());
        run(self.py, &self.how.machine, points.len(), |threads, watch| {
            query(scene.points(points).with(&options).threads(threads).watch(watch), radius)
        })
    }

    /// Refuses the first point that could not be used, unless such points are misses.
    pub(crate) fn check(&self, codes: &[u8]) -> PyResult<()> {
        check_statuses::<T>("points", !self.how.misses, codes, self.points.shape())
    }
}

/// Asks a query with an answer a point.
pub(crate) fn ask<'py, T: Number, Q: PointQuery<Answers: InColumns>>(
    scene: &Now<'_, T>,
    (query, form): (Q, Form),
    points: &Bound<'py, PyAny>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, points, options.get("radius"), options)?;
    let (py, shape, out) = (request.py, request.points.shape(), Out(request.how.out.as_ref()));
    let left_out = left_out(scene.instance_count() > 0, request.how.normals);
    let mut arrays = Arrays::of::<Q::Answers>(py, form, &out, shape, &left_out)?;
    let columns = arrays.columns::<Q::Answers>()?;
    request.cast(|cast, radius| query.ask(&cast, radius, columns))?;
    request.check(arrays.codes()?)?;
    arrays.answer(py)
}

/// Asks a query with a list of primitives a point.
fn lists<'py, T: Number, Q: PointQuery<Answers = PointLists>>(
    scene: &Now<'_, T>,
    query: Q,
    points: &Bound<'py, PyAny>,
    radius: Option<&Bound<'py, PyAny>>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, points, radius, options)?;
    let py = request.py;
    let batch: NearPointBatch<T> = request.cast(|cast, radius| query.ask(&cast, radius, ()))?;
    let codes = codes_of(batch.status());
    request.check(&codes)?;
    let batch = Arc::new(batch);
    let memory = owner(py, Arc::clone(&batch))?;
    let near = batch.points();
    let columns = (
        shaped(py, codes, request.points.shape())?,
        offsets(py, batch.offsets()),
        field(&memory, near, |near: &answers::ClosestPoint<T>| &near.distance),
        vector_field(&memory, near, |near| &near.point),
        field(&memory, near, |near| &near.primitive_id),
        field(&memory, near, |near| &near.geometry_id),
        field(&memory, near, |near| &near.instance_id),
        field(&memory, near, |near| &near.u),
        field(&memory, near, |near| &near.v),
    );
    answer(py, "NearPoints", columns)
}

#[pymethods]
impl PyScene {
    #[doc = signature!(closest_point)]
    /// The closest point of the scene's surfaces to each point, and the primitive it lies on.
    ///
    /// - `points`: shape (..., 3), float32, float64 or whole numbers, any strides.
    /// - `radius`: how far away a closest point may be, included; a number, or an array that is
    ///   broadcast to the points. None for any distance.
    /// - `normals`: whether the answers have the normals of the primitives there, outward and of
    ///   any length.
    /// - `invalid`: "raise", or "miss" for points that cannot be used (NaN, infinite or beyond
    ///   2**100) to be answered as misses, with the reason in `status`.
    /// - `out`: a dict of arrays, or answers of an earlier call, to be filled; columns that are not
    ///   there are not made.
    /// - `brute_force`: tests all primitives; slow, with the same answers.
    /// - `threads`, `backend`, `progress`: as of `closest_hit`.
    ///
    /// Returns `ClosestPoints`, arrays of shape (...). A point that has none within the radius, or
    /// that is answered as a miss, has the distance inf, INVALID_ID for ids, and 0 for `point`,
    /// `u`, `v` and `normal`. Distances are in the units of the scene, computed in float64 and
    /// rounded once. Of primitives at equal distances the lowest ids are named. Boxes and spheres
    /// are surfaces, also from within. What has a mask of 0 is left out.
    ///
    /// Raises ValueError for another shape, and for the first point that cannot be used, by its
    /// row; TypeError for another dtype.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    /// >>> closest = scene.closest_point([[1.0, 2.0, 3.0], [0.0, 0.0, 9.0]], radius=5)
    /// >>> closest.distance.tolist()
    /// [3.0, inf]
    /// >>> closest.point[0].tolist()
    /// [1.0, 2.0, 0.0]
    #[pyo3(signature = (points, **options), text_signature = None)]
    fn closest_point<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(closest_point, options)?;
        with_scene!(&self.content, scene => ask(scene, (ClosestPoint, Form::Class("ClosestPoints")), points, &options))
    }

    #[doc = signature!(nearest_points)]
    /// The nearest primitives to each point, at most `count` of them, each with its closest point.
    ///
    /// - `points`, `radius` and further arguments: as of `closest_point`.
    /// - `count`: the most primitives of a point.
    ///
    /// Returns `NearPoints`: those of point i are in the rows `offsets[i]:offsets[i + 1]`, nearest
    /// first, at equal distances by ids. `status` says of each point whether any is within the
    /// radius. Errors are those of `closest_point`.
    ///
    /// >>> import lanecast
    /// >>> balls = lanecast.Spheres([[1, 0, 0], [4, 0, 0], [9, 0, 0]], 0.5)
    /// >>> near = lanecast.Scene.build(balls).nearest_points([[0.0, 0, 0], [8, 0, 0]], 2)
    /// >>> near.offsets.tolist(), near.distance.tolist(), near.primitive_id.tolist()
    /// ([0, 2, 4], [0.5, 3.5, 0.5, 3.5], [0, 1, 2, 1])
    #[pyo3(signature = (points, count, **options), text_signature = None)]
    fn nearest_points<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = argument::count)] count: u32,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(nearest_points, options)?;
        with_scene!(&self.content, scene => lists(scene, NearestPoints(count), points, options.get("radius"), &options))
    }

    #[doc = signature!(points_within)]
    /// All primitives within a radius of each point, which is included, each with its closest
    /// point.
    ///
    /// - `points` and further arguments: as of `closest_point`.
    /// - `radius`: a number, or an array that is broadcast to the points.
    ///
    /// Returns `NearPoints`, as `nearest_points` does. Errors are those of `closest_point`.
    ///
    /// >>> import lanecast
    /// >>> balls = lanecast.Spheres([[1, 0, 0], [4, 0, 0], [9, 0, 0]], 0.5)
    /// >>> near = lanecast.Scene.build(balls).points_within([[0.0, 0, 0], [8, 0, 0]], 3.5)
    /// >>> near.point_id.tolist(), near.primitive_id.tolist()
    /// ([0, 0, 1, 1], [0, 1, 2, 1])
    #[pyo3(signature = (points, radius, **options), text_signature = None)]
    fn points_within<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        radius: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(points_within, options)?;
        let radius = Some(radius).filter(|radius| !radius.is_none());
        with_scene!(&self.content, scene => lists(scene, PointsWithin, points, radius, &options))
    }

    #[doc = signature!(distance)]
    /// The distance of each point to the nearest surface.
    ///
    /// - `points` and further arguments: as of `closest_point`.
    ///
    /// Returns an array of shape (...), in the units of the scene; inf in an empty scene and for
    /// points that are answered as misses. Errors are those of `closest_point`.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 2))
    /// >>> scene.distance([[0.0, 0, 0], [5, 0, 0]]).tolist()
    /// [2.0, 3.0]
    #[pyo3(signature = (points, **options), text_signature = None)]
    fn distance<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(distance, options)?;
        with_scene!(&self.content, scene => ask(scene, (Distance, Form::Array), points, &options))
    }

    #[doc = signature!(signed_distance)]
    /// The distance of each point to the nearest surface, negative inside.
    ///
    /// - `points` and further arguments: as of `closest_point`.
    /// - `generalised_winding`: as of `contains`, which says what is inside.
    ///
    /// Returns an array of shape (...), in the units of the scene. Errors are those of
    /// `closest_point` and of `contains`.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 2))
    /// >>> scene.signed_distance([[0.0, 0, 0], [5, 0, 0]]).tolist()
    /// [-2.0, 3.0]
    #[pyo3(signature = (points, **options), text_signature = None)]
    fn signed_distance<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(signed_distance, options)?;
        with_scene!(&self.content, scene => ask(scene, (SignedDistance, Form::Array), points, &options))
    }
}

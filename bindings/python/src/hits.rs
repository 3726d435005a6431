//! Queries of rays.

use crate::current::Now;
use crate::errors::argument;
use crate::number::Number;
use crate::options::Options;
use crate::out::{Arrays, Form, answer, codes_of, finished, shaped};
use crate::request::Request;
use crate::scene::{PyScene, with_scene};
use crate::views::{field, offsets, owner};
use lanecast::answers::{AllHitsBatch, AnyHitColumns};
use lanecast::{Hit, Status};
use lanecast_queries::{
    AllHits, ClosestHit, Cost, CountHits, FarthestHit, HitLists, InColumns, NearestHits, RayQuery,
    SignedCount,
};
use numpy::PyArrayDyn;
use numpy::prelude::*;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// Asks a query with an answer a ray.
fn ask<'py, T: Number, Q: RayQuery<Answers: InColumns>>(
    scene: &Now<'_, T>,
    (query, form): (Q, Form),
    rays: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, rays, directions, options)?;
    let (py, shape, left_out) = (request.py(), request.shape(), request.left_out());
    let mut arrays = Arrays::of::<Q::Answers>(py, form, &request.out(), shape, &left_out)?;
    let columns = arrays.columns::<Q::Answers>()?;
    request.cast(|cast| query.ask(&cast, columns))?;
    request.copy_statuses(arrays.codes()?)?;
    request.check(arrays.codes()?)?;
    arrays.locate(|codes, t, points| {
        let t = |row: usize| (codes[row] == Status::Hit.code()).then_some(t[row]);
        request.locate(|row| row, t, points)
    })?;
    arrays.answer(py)
}

fn any_hit<'py, T: Number>(
    scene: &Now<'_, T>,
    rays: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, rays, directions, options)?;
    let py = request.py();
    let hit = finished(py, request.out().only::<bool>(py, "out", request.shape())?);
    // Statuses are written there first.
    let mut bytes =
        hit.call_method1("view", ("uint8",))?.cast_into::<PyArrayDyn<u8>>()?.readwrite();
    let codes = bytes.as_slice_mut()?;
    let cast = request.cast(|cast| cast.any_into(AnyHitColumns::new().status(&mut *codes)));
    let copied = request.copy_statuses(codes);
    let checked = cast.and(copied).and_then(|()| request.check(codes));
    if checked.is_err() || !request.raises {
        codes.iter_mut().for_each(|code| *code = u8::from(*code == Status::Hit.code()));
    }
    checked.map(|()| hit)
}

/// Asks a query with a list of hits a ray.
fn lists<'py, T: Number, Q: RayQuery<Answers = HitLists>>(
    scene: &Now<'_, T>,
    query: Q,
    rays: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut request = Request::of(scene, rays, directions, options)?;
    if request.rows() > 256 {
        request.takes_long();
    }
    let py = request.py();
    let batch: AllHitsBatch<T> = request.cast(|cast| query.ask(&cast, ()))?;
    let codes = codes_of(batch.status());
    request.check(&codes)?;
    let batch = Arc::new(batch);
    let memory = owner(py, Arc::clone(&batch))?;
    let hits = batch.hits();
    let first = |ray: usize| batch.offsets()[ray];
    let point = request.points(first, |hit| Some(hits[hit].t), &[hits.len()])?;
    let columns = (
        shaped(py, codes, request.shape())?,
        offsets(py, batch.offsets()),
        field(&memory, hits, |hit: &Hit<T>| &hit.t),
        field(&memory, hits, |hit| &hit.primitive_id),
        field(&memory, hits, |hit| &hit.geometry_id),
        field(&memory, hits, |hit| &hit.instance_id),
        field(&memory, hits, |hit| &hit.u),
        field(&memory, hits, |hit| &hit.v),
        point,
    );
    answer(py, "AllHits", columns)
}

#[pymethods]
impl PyScene {
    #[doc = signature!(closest_hit)]
    /// The closest hit of each ray, as `lanecast.Hits`. At equal `t` the hit of the lowest ids is
    /// taken.
    ///
    #[doc = include_str!("help/rays.txt")]
    /// Options of this query:
    ///
    /// - `normals`, `points`: whether `Hits.normal` and `Hits.point` are wanted.
    /// - `out`: a dict of arrays by the names of `Hits`, or hits of an earlier call, whose arrays
    ///   are filled and returned; columns that are not in it are left out. They must be of the
    ///   answers' shape and dtype, contiguous and writable; after an error their content is
    ///   unspecified.
    #[doc = include_str!("help/options.txt")]
    ///
    /// >>> rays = [[0.75, 0.25, 2, 0, 0, -1], [5, 5, 2, 0, 0, -1]]
    /// >>> hits = scene.closest_hit(np.array(rays, dtype="float32"))
    /// >>> hits.t
    /// array([ 2., inf], dtype=float32)
    /// >>> hits.primitive_id
    /// array([         0, 4294967295], dtype=uint32)
    /// >>> scene.closest_hit([[0.75, 0.25, 2]], [[0, 0, -1]], normals=True).normal
    /// array([[0., 0., 1.]], dtype=float32)
    /// >>> scene.closest_hit([[0.75, 0.25, 2, 0, 0, -1]], points=True).point
    /// array([[0.75, 0.25, 0.  ]], dtype=float32)
    #[pyo3(signature = (rays, directions=None, **options), text_signature = None)]
    fn closest_hit<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(closest_hit, options)?;
        with_scene!(&self.content, scene => ask(scene, (ClosestHit, Form::Hits), rays, directions, &options))
    }

    #[doc = signature!(farthest_hit)]
    /// The farthest hit of each ray, as `lanecast.Hits`.
    ///
    #[doc = include_str!("help/rays.txt")]
    /// Options of this query are `normals`, `points` and `out`, as of `closest_hit`.
    #[doc = include_str!("help/options.txt")]
    ///
    /// >>> two = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0], [0, 0, -5]], 1.0))
    /// >>> two.farthest_hit([[0, 0, 2, 0, 0, -1]]).t
    /// array([8.], dtype=float32)
    #[pyo3(signature = (rays, directions=None, **options), text_signature = None)]
    fn farthest_hit<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(farthest_hit, options)?;
        with_scene!(&self.content, scene => ask(scene, (FarthestHit, Form::Hits), rays, directions, &options))
    }

    #[doc = signature!(any_hit)]
    /// Whether each ray meets anything: bool, of the leading dimensions of the rays. Faster than
    /// the closest hit.
    ///
    #[doc = include_str!("help/rays.txt")]
    /// Options of this query:
    ///
    /// - `out`: a bool array of the answers' shape, contiguous and writable, which is filled and
    ///   returned.
    /// - `status`: a uint8 array for the codes of `lanecast.STATUSES`, which say why a ray is no
    ///   hit.
    #[doc = include_str!("help/options.txt")]
    ///
    /// >>> scene.any_hit([[0.75, 0.25, 2, 0, 0, -1], [5, 5, 2, 0, 0, -1]])
    /// array([ True, False])
    /// >>> scene.any_hit([[0.75, 0.25, 2, 0, 0, -1]], t_max=1.5)
    /// array([False])
    #[pyo3(signature = (rays, directions=None, **options), text_signature = None)]
    fn any_hit<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(any_hit, options)?;
        with_scene!(&self.content, scene => any_hit(scene, rays, directions, &options))
    }

    #[doc = signature!(count_hits)]
    /// How many hits each ray has: uint32, of the leading dimensions of the rays. A crossing of a
    /// surface counts once, also through an edge or a vertex: a line leaves a closed surface as
    /// often as it enters it.
    ///
    #[doc = include_str!("help/rays.txt")]
    /// Options of this query:
    ///
    /// - `contact`: "touch" counts each primitive that the ray touches, and an edge of two
    ///   triangles twice.
    /// - `out`: a uint32 array of the answers' shape, contiguous and writable, which is filled and
    ///   returned.
    /// - `status`: a uint8 array for the codes of `lanecast.STATUSES`.
    #[doc = include_str!("help/options.txt")]
    ///
    /// >>> diagonal = [[0.5, 0.5, 2, 0, 0, -1]]  # through the edge between both triangles
    /// >>> scene.count_hits(diagonal), scene.count_hits(diagonal, contact="touch")
    /// (array([1], dtype=uint32), array([2], dtype=uint32))
    #[pyo3(signature = (rays, directions=None, **options), text_signature = None)]
    fn count_hits<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(count_hits, options)?;
        with_scene!(&self.content, scene => ask(scene, (CountHits, Form::Array), rays, directions, &options))
    }

    #[doc = signature!(signed_count)]
    /// How much deeper each ray is inside at its end than at its start: int32, of the leading
    /// dimensions of the rays. Hits at fronts, where it enters, less those at backs, where it
    /// leaves, each counted as by `count_hits`: at closed surfaces that face outwards the difference
    /// of the winding numbers of both ends, and for a ray without end the negative winding number of
    /// its origin.
    ///
    #[doc = include_str!("help/rays.txt")]
    /// Options of this query:
    ///
    /// - `contact`: as of `count_hits`.
    /// - `out`: an int32 array of the answers' shape, contiguous and writable, which is filled and
    ///   returned.
    /// - `status`: a uint8 array for the codes of `lanecast.STATUSES`.
    #[doc = include_str!("help/options.txt")]
    ///
    /// >>> box = lanecast.Scene.build(lanecast.Boxes([[0, 0, 0]], [[1, 1, 1]]))
    /// >>> box.signed_count([[0.5, 0.5, 0.5, 0, 0, 1], [0.5, 0.5, -1, 0, 0, 1]])
    /// array([-1,  0], dtype=int32)
    /// >>> box.signed_count([[0.5, 0.5, -1, 0, 0, 1]], t_max=1.5)
    /// array([1], dtype=int32)
    #[pyo3(signature = (rays, directions=None, **options), text_signature = None)]
    fn signed_count<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(signed_count, options)?;
        with_scene!(&self.content, scene => ask(scene, (SignedCount, Form::Array), rays, directions, &options))
    }

    #[doc = signature!(all_hits)]
    /// All hits of each ray, nearest first, as `lanecast.AllHits`.
    ///
    #[doc = include_str!("help/rays.txt")]
    /// Options of this query:
    ///
    /// - `contact`: "touch" for each primitive that the ray touches, so that an edge of two
    ///   triangles is two hits.
    /// - `points`: whether `AllHits.point` is wanted.
    ///
    /// Raises `MemoryError` if there are more hits than memory holds.
    #[doc = include_str!("help/options.txt")]
    ///
    /// >>> two = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0], [0, 0, -5]], 1.0))
    /// >>> hits = two.all_hits([[0, 0, 2, 0, 0, -1], [9, 0, 2, 0, 0, -1]])
    /// >>> hits.offsets, hits.t, hits.ray_id
    /// (array([0, 4, 4]), array([1., 3., 6., 8.], dtype=float32), array([0, 0, 0, 0]))
    #[pyo3(signature = (rays, directions=None, **options), text_signature = None)]
    fn all_hits<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(all_hits, options)?;
        with_scene!(&self.content, scene => lists(scene, AllHits, rays, directions, &options))
    }

    #[doc = signature!(nearest_hits)]
    /// The nearest hits of each ray, at most `limit`, nearest first, as `lanecast.AllHits`.
    ///
    #[doc = include_str!("help/rays.txt")]
    /// Options of this query:
    ///
    /// - `contact`: "touch" for each primitive that the ray touches, so that an edge of two
    ///   triangles is two hits.
    /// - `points`: whether `AllHits.point` is wanted.
    #[doc = include_str!("help/options.txt")]
    ///
    /// >>> two = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0], [0, 0, -5]], 1.0))
    /// >>> two.nearest_hits([[0, 0, 2, 0, 0, -1]], 1).t
    /// array([1.], dtype=float32)
    #[pyo3(signature = (rays, limit, directions=None, **options), text_signature = None)]
    fn nearest_hits<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = argument::limit)] limit: u32,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(nearest_hits, options)?;
        with_scene!(&self.content, scene => lists(scene, NearestHits(limit), rays, directions, &options))
    }

    #[doc = signature!(cost)]
    /// What the closest hit of each ray costs, as `lanecast.Cost`: the nodes and boxes that it
    /// tests, and the leaves and primitives.
    ///
    #[doc = include_str!("help/rays.txt")]
    /// Options of this query:
    ///
    /// - `status`: a uint8 array for the codes of `lanecast.STATUSES`.
    #[doc = include_str!("help/options.txt")]
    ///
    /// >>> cost = scene.cost([[0.75, 0.25, 2, 0, 0, -1], [5, 5, 2, 0, 0, -1]])
    /// >>> cost.leaves
    /// array([1, 1], dtype=uint32)
    #[pyo3(signature = (rays, directions=None, **options), text_signature = None)]
    fn cost<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(cost, options)?;
        with_scene!(&self.content, scene => ask(scene, (Cost, Form::WithoutStatus("Cost")), rays, directions, &options))
    }
}

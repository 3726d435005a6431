//! Queries of rays.

use crate::arrays::{Number, finished};
use crate::rays::Request;
use crate::scene::{PyScene, with_scene};
use crate::views::{field, offsets, owner};
use lanecast::answers::{AllHitsBatch, AnyHitColumns, CostColumns, CountColumns, HitColumns};
use lanecast::{Hit, Scene, Status};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use std::sync::Arc;

type Options<'a, 'py> = Option<&'a Bound<'py, PyDict>>;

/// Which hit of each ray.
#[derive(Clone, Copy)]
enum Which {
    Closest,
    Farthest,
}

fn one_hit<'py, T: Number>(
    scene: &Arc<Scene<T>>,
    which: Which,
    rays: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    options: Options<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    const COLUMNS: [&str; 8] =
        ["status", "t", "primitive_id", "geometry_id", "instance_id", "u", "v", "normal"];
    let request = Request::of(scene, rays, directions, options, &["normals", "out"])?;
    let (py, shape, out) = (request.py(), request.shape(), request.out());
    out.check(&COLUMNS)?;
    let mut status = out.array::<u8>(py, "status", shape)?;
    let mut own_status = if status.is_none() { vec![0; request.rows()] } else { Vec::new() };
    let mut t = out.array::<T>(py, "t", shape)?;
    let [mut primitive_id, mut geometry_id] =
        [out.array::<u32>(py, "primitive_id", shape)?, out.array::<u32>(py, "geometry_id", shape)?];
    let has_instances = scene.instance_count() > 0;
    let mut instance_id = if has_instances { out.array::<u32>(py, "instance_id", shape)? } else { None };
    let [mut u, mut v] = [out.array::<T>(py, "u", shape)?, out.array::<T>(py, "v", shape)?];
    let of_vectors = [shape, &[3]].concat();
    let mut normal = if request.normals { out.array::<T>(py, "normal", &of_vectors)? } else { None };
    let codes = match &mut status {
        Some(status) => status.as_slice_mut()?,
        None => &mut own_status,
    };
    let mut hits = HitColumns::new().status(&mut *codes);
    if let Some(t) = &mut t {
        hits = hits.t(t.as_slice_mut()?);
    }
    if let Some(ids) = &mut primitive_id {
        hits = hits.primitive_id(ids.as_slice_mut()?);
    }
    if let Some(ids) = &mut geometry_id {
        hits = hits.geometry_id(ids.as_slice_mut()?);
    }
    if let Some(ids) = &mut instance_id {
        hits = hits.instance_id(ids.as_slice_mut()?);
    }
    if let Some(u) = &mut u {
        hits = hits.u(u.as_slice_mut()?);
    }
    if let Some(v) = &mut v {
        hits = hits.v(v.as_slice_mut()?);
    }
    if let Some(normal) = &mut normal {
        hits = hits.geometric_normal(normal.as_slice_mut()?.as_chunks_mut().0);
    }
    request.cast(|cast| match which {
        Which::Closest => cast.closest_into(hits),
        Which::Farthest => cast.farthest_into(hits),
    })?;
    request.check(codes)?;
    let columns = (
        finished(py, status),
        finished(py, t),
        finished(py, primitive_id),
        finished(py, geometry_id),
        finished(py, instance_id),
        finished(py, u),
        finished(py, v),
        finished(py, normal),
    );
    static HITS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    HITS.import(py, "lanecast._answers", "Hits")?.call1(columns)
}

fn any_hit<'py, T: Number>(
    scene: &Arc<Scene<T>>,
    rays: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    options: Options<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, rays, directions, options, &[])?;
    let py = request.py();
    let mut filled = request.out().array::<u8>(py, "hit", request.shape())?.expect("a new array");
    let codes = filled.as_slice_mut()?;
    request.cast(|cast| cast.any_into(AnyHitColumns::new().status(&mut *codes)))?;
    request.check(codes)?;
    if !request.raises {
        codes.iter_mut().for_each(|code| *code = u8::from(*code == Status::Hit.code()));
    }
    // Of 0 and 1 by now.
    finished(py, Some(filled)).call_method1("view", ("bool",))
}

fn count_hits<'py, T: Number>(
    scene: &Arc<Scene<T>>,
    rays: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    options: Options<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, rays, directions, options, &["contact"])?;
    let py = request.py();
    let mut codes = vec![0; request.rows()];
    let mut count = request.out().array::<u32>(py, "count", request.shape())?.expect("a new array");
    let columns = CountColumns::new().status(&mut *codes).count(count.as_slice_mut()?);
    request.cast(|cast| cast.count_into(columns))?;
    request.check(&codes)?;
    Ok(finished(py, Some(count)))
}

fn all_hits<'py, T: Number>(
    scene: &Arc<Scene<T>>,
    rays: &Bound<'py, PyAny>,
    limit: Option<u32>,
    directions: Option<&Bound<'py, PyAny>>,
    options: Options<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, rays, directions, options, &["contact"])?;
    let py = request.py();
    let batch: AllHitsBatch<T> = request.cast(|cast| match limit {
        Some(limit) => cast.nearest(limit),
        None => cast.all(),
    })?;
    let codes: Vec<u8> = batch.status().iter().map(|status| status.code()).collect();
    request.check(&codes)?;
    let batch = Arc::new(batch);
    let memory = owner(py, Arc::clone(&batch))?;
    let mut status = request.out().array::<u8>(py, "status", request.shape())?.expect("a new array");
    status.as_slice_mut()?.copy_from_slice(&codes);
    let hits = batch.hits();
    let columns = (
        finished(py, Some(status)),
        offsets(py, batch.offsets()),
        field(&memory, hits, |hit: &Hit<T>| &hit.t),
        field(&memory, hits, |hit| &hit.primitive_id),
        field(&memory, hits, |hit| &hit.geometry_id),
        field(&memory, hits, |hit| &hit.instance_id),
        field(&memory, hits, |hit| &hit.u),
        field(&memory, hits, |hit| &hit.v),
    );
    static ALL_HITS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    ALL_HITS.import(py, "lanecast._answers", "AllHits")?.call1(columns)
}

fn cost<'py, T: Number>(
    scene: &Arc<Scene<T>>,
    rays: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    options: Options<'_, 'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, rays, directions, options, &[])?;
    let (py, shape, out) = (request.py(), request.shape(), request.out());
    let mut codes = vec![0; request.rows()];
    let mut columns = CostColumns::new().status(&mut *codes);
    let new = |name| Ok::<_, PyErr>(out.array::<u32>(py, name, shape)?.expect("a new array"));
    let [mut nodes, mut boxes, mut leaves, mut primitives] =
        [new("nodes")?, new("boxes")?, new("leaves")?, new("primitives")?];
    columns = columns.nodes(nodes.as_slice_mut()?).boxes(boxes.as_slice_mut()?);
    columns = columns.leaves(leaves.as_slice_mut()?).primitives(primitives.as_slice_mut()?);
    request.cast(|cast| cast.cost_into(columns))?;
    request.check(&codes)?;
    let columns = [nodes, boxes, leaves, primitives].map(|column| finished(py, Some(column)));
    static COST: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    COST.import(py, "lanecast._answers", "Cost")?.call1(<(_, _, _, _)>::from(columns))
}

#[pymethods]
impl PyScene {
    #[pyo3(signature = (rays, directions=None, **options))]
    fn closest_hit<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => one_hit(scene, Which::Closest, rays, directions, options))
    }

    #[pyo3(signature = (rays, directions=None, **options))]
    fn farthest_hit<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => one_hit(scene, Which::Farthest, rays, directions, options))
    }

    #[pyo3(signature = (rays, directions=None, **options))]
    fn any_hit<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => any_hit(scene, rays, directions, options))
    }

    #[pyo3(signature = (rays, directions=None, **options))]
    fn count_hits<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => count_hits(scene, rays, directions, options))
    }

    #[pyo3(signature = (rays, directions=None, **options))]
    fn all_hits<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => all_hits(scene, rays, None, directions, options))
    }

    #[pyo3(signature = (rays, limit, directions=None, **options))]
    fn nearest_hits<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        limit: u32,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => all_hits(scene, rays, Some(limit), directions, options))
    }

    #[pyo3(signature = (rays, directions=None, **options))]
    fn cost<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_scene!(&self.content, scene => cost(scene, rays, directions, options))
    }
}

//! Points and normals of hits, and hits on both sides of an origin.

use crate::arrays::{PerRow, Vectors, array_of, index_of, shown};
use crate::current::Now;
use crate::errors::{one_of, raised, refused};
use crate::ids::Ids;
use crate::number::Number;
use crate::options::Options;
use crate::out::{answer, codes_of, reshaped, shaped};
use crate::request::Request;
use crate::run::run;
use crate::scene::{PyScene, with_scene};
use crate::views::{field, owner, vector_field};
use lanecast::answers::LineHitBatch;
use lanecast::scene::{Pick, VertexNormals};
use lanecast::{Hit, HitBatch, INVALID_ID, Progress, Scene, Status};
use numpy::PyUntypedArrayMethods;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// So many hits are located in one piece.
const PIECE: usize = 4096;

#[derive(Clone, Copy, PartialEq)]
enum Limit {
    All,
    OnePerGeometry,
    Nearest,
}

fn pick<'py, T: Number>(
    scene: &Now<'_, T>,
    ray: &Bound<'py, PyAny>,
    direction: Option<&Bound<'py, PyAny>>,
    limit: Option<&Bound<'py, PyAny>>,
    options: &Options<'py>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let limits = [
        ("all", Limit::All),
        ("one_per_geometry", Limit::OnePerGeometry),
        ("nearest", Limit::Nearest),
    ];
    let limit = limit.map_or(Ok(Limit::All), |limit| one_of("limit", limit, &limits))?;
    let request = Request::of(scene, ray, direction, options)?;
    if !request.shape().is_empty() {
        let problem = format!("there are {} of them; one ray was expected", shown(request.shape()));
        return Err(refused("rays", problem));
    }
    let batch = request.cast(|cast| match limit {
        Limit::Nearest => cast.nearest(1),
        Limit::All | Limit::OnePerGeometry => cast.all(),
    })?;
    request.check(&[batch.status()[0].code()])?;
    let (ray, mut met) = (request.with_rays(|rays| Ok(rays.ray(0)))?, HashSet::new());
    let hits = batch.hits().iter().filter(|hit| {
        limit != Limit::OnePerGeometry || met.insert((hit.instance_id, hit.geometry_id))
    });
    hits.map(|hit| {
        let pick = request.py().detach(|| scene.locate(&ray, hit)).map_err(raised)?;
        shown_pick(request.py(), scene, &pick)
    })
    .collect()
}

/// A pick as Python's `Pick`, with the names on its way.
fn shown_pick<'py, T: Number>(
    py: Python<'py>,
    scene: &Scene<T>,
    pick: &Pick<T>,
) -> PyResult<Bound<'py, PyAny>> {
    let Hit { t, primitive_id, geometry_id, instance_id, u, v } = pick.hit;
    let [t, u, v] = [t, u, v].map(T::to_f64);
    let instance_id = (instance_id != INVALID_ID).then_some(instance_id);
    let (mut within, mut names) = (scene, Vec::new());
    for &instance in &pick.instance_path {
        names.push(within.instance_name(instance).map_err(raised)?);
        within = within.instance_scene(instance).map_err(raised)?;
    }
    let vector = |vector: &[f64; 3]| numpy::PyArray1::from_slice(py, vector);
    let [point, normal] = [&pick.world_point, &pick.world_normal].map(vector);
    let [local_point, local_normal] = [&pick.local_point, &pick.local_normal].map(vector);
    let (path, names) = (PyTuple::new(py, &pick.instance_path)?, PyTuple::new(py, names)?);
    let name = within.name(geometry_id).map_err(raised)?;
    let hit = (t, primitive_id, geometry_id, instance_id, u, v).into_pyobject(py)?;
    let located =
        (point, normal, local_point, local_normal, name, path, names).into_pyobject(py)?;
    answer(py, "Pick", hit.add(located)?.cast_into::<PyTuple>()?)
}

/// The hits that a caller hands back, as columns.
struct Given<'py, T: Number> {
    t: PerRow<'py, T>,
    u: PerRow<'py, T>,
    v: PerRow<'py, T>,
    primitive_id: Ids<'py>,
    geometry_id: Ids<'py>,
    instance_id: Option<Ids<'py>>,
}

impl<'py, T: Number> Given<'py, T> {
    fn of(hits: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Self> {
        // Hits of another shape are those of other rays, even where it could be broadcast.
        let exact = |name: &str, column: Bound<'py, PyAny>| {
            let array = array_of(&format!("hits.{name}"), &column)?;
            if array.ndim() == 0 || array.shape() == shape {
                return Ok(column);
            }
            let [found, expected] = [array.shape(), shape].map(shown);
            let problem = format!("its shape is {found}; a number or {expected} was expected");
            Err(refused(&format!("hits.{name}"), problem))
        };
        let column = |name: &str| {
            let column = hits.getattr_opt(name)?.filter(|column| !column.is_none());
            column.ok_or_else(|| {
                refused("hits", format!("they have no {name}; answers were expected"))
            })
        };
        let numbers =
            |name: &str| PerRow::of(&format!("hits.{name}"), &exact(name, column(name)?)?, shape);
        let ids = |name: &str, column: Bound<'py, PyAny>| {
            Ids::of_shape(&format!("hits.{name}"), &exact(name, column)?, shape, true)
        };
        let t = column("t")?;
        // `AllHits` as it is, with the rays as they were cast.
        if hits.hasattr("offsets")? && array_of("hits.t", &t)?.shape() != shape {
            let problem =
                "they were cast, but these hits have a row for each hit: give rays[hits.ray_id]";
            return Err(refused("rays", problem));
        }
        let instances = hits.getattr_opt("instance_id")?.filter(|column| !column.is_none());
        Ok(Self {
            t: numbers("t")?,
            u: numbers("u")?,
            v: numbers("v")?,
            primitive_id: ids("primitive_id", column("primitive_id")?)?,
            geometry_id: ids("geometry_id", column("geometry_id")?)?,
            instance_id: instances.map(|column| ids("instance_id", column)).transpose()?,
        })
    }
}

/// The triangles of a mesh and the normals of its vertices.
type Normals<'py, T> = (u32, Ids<'py>, Vectors<'py, T>);

fn vertex_normals<'py, T: Number>(
    value: Option<&Bound<'py, PyDict>>,
) -> PyResult<Vec<Normals<'py, T>>> {
    let mut read = Vec::new();
    for (geometry_id, pair) in value.into_iter().flatten() {
        let argument = format!("vertex_normals[{geometry_id}]");
        let expected = |_| refused(&argument, "a tuple of triangles and normals was expected");
        let (triangles, normals): (Bound<'py, PyAny>, Bound<'py, PyAny>) =
            pair.extract().map_err(expected)?;
        let triangles = Ids::of(&format!("{argument}: triangles"), &triangles, false)?;
        triangles.rows::<3>(&format!("{argument}: triangles"))?;
        read.push((
            geometry_id.extract()?,
            triangles,
            Vectors::of(&format!("{argument}: normals"), &normals)?,
        ));
    }
    Ok(read)
}

fn surface<'py, T: Number>(
    scene: &Now<'_, T>,
    [rays, hits]: [&Bound<'py, PyAny>; 2],
    directions: Option<&Bound<'py, PyAny>>,
    normals: Option<&Bound<'py, PyDict>>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, rays, directions, options)?;
    let (py, shape, scene) = (request.py(), request.shape(), &**scene);
    let (given, normals) = (Given::of(hits, shape)?, vertex_normals::<T>(normals)?);
    let mut of_geometries = HashMap::new();
    for (geometry_id, triangles, normals) in &normals {
        let (triangles, normals) = (triangles.rows::<3>("triangles")?, normals.rows()?);
        VertexNormals::new(scene, *geometry_id, triangles, normals)
            .map_err(|error| refused("vertex_normals", error))?;
        of_geometries.insert(*geometry_id, (triangles, normals));
    }
    let rows = request.rows();
    let [t, u, v] = [&given.t, &given.u, &given.v].map(|column| column.numbers(rows));
    let (primitive_ids, geometry_ids) = (given.primitive_id.values()?, given.geometry_id.values()?);
    let instance_ids = given.instance_id.as_ref().map(Ids::values).transpose()?;
    let mut columns = [(); 3].map(|()| vec![[T::ZERO; 3]; rows]);
    let done = AtomicUsize::new(0);
    let unknown = request.with_rays(|rays| {
        let locate = |row: usize| -> lanecast::Result<[[f64; 3]; 3]> {
            let (primitive_id, geometry_id) = (primitive_ids[row], geometry_ids[row]);
            if primitive_id == INVALID_ID {
                return Ok([[0.0; 3]; 3]);
            }
            let instance_id = instance_ids.map_or(INVALID_ID, |ids| ids[row]);
            let hit =
                Hit { t: t[row], u: u[row], v: v[row], primitive_id, geometry_id, instance_id };
            let pick = scene.locate(&rays.ray(row), &hit)?;
            let of_geometry = of_geometries.get(&geometry_id).filter(|_| instance_id == INVALID_ID);
            let smooth = of_geometry.and_then(|(triangles, normals)| {
                let corners =
                    triangles[primitive_id as usize].map(|vertex| normals[vertex as usize]);
                interpolated(corners, [u[row], v[row]])
            });
            Ok([pick.world_point, pick.world_normal, smooth.unwrap_or(pick.world_normal)])
        };
        run(py, request.machine(), rows, |threads, watch| {
            let [points, unit_normals, shading_normals] =
                columns.each_mut().map(|column| column.chunks_mut(PIECE));
            let pieces = (0..).step_by(PIECE).zip(points).zip(unit_normals).zip(shading_normals);
            let pieces: Vec<_> = pieces.map(|(((first, a), b), c)| (first, [a, b, c])).collect();
            let fill = |(first, columns): (usize, [&mut [[T; 3]]; 3])| {
                let [points, unit_normals, shading_normals] = columns;
                let (located, into) =
                    (points.len(), points.iter_mut().zip(unit_normals).zip(shading_normals));
                for (row, ((point, normal), shading)) in (first..).zip(into) {
                    let vectors = locate(row).map_err(|error| (row, error))?;
                    [*point, *normal, *shading] = vectors.map(|vector| vector.map(T::nearest));
                }
                let done = done.fetch_add(located, Ordering::Relaxed) + located;
                match watch(Progress { done, total: rows }) {
                    ControlFlow::Break(()) => {
                        Err((usize::MAX, lanecast::Error::Stopped { done, total: rows }))
                    }
                    ControlFlow::Continue(()) => Ok(()),
                }
            };
            // Few hits are located on the calling thread, which is none of the pool's.
            let faults: Vec<_> = if threads.count() > 1 {
                pieces.into_par_iter().filter_map(|piece| fill(piece).err()).collect()
            } else {
                pieces.into_iter().filter_map(|piece| fill(piece).err()).collect()
            };
            Ok(faults.into_iter().min_by_key(|&(row, _)| row))
        })
    })?;
    if let Some((row, error)) = unknown {
        return Err(PyIndexError::new_err(format!("hits{}: {error}", index_of(row, shape))));
    }
    let has_normals = !normals.is_empty();
    let of_vectors = [shape, &[3]].concat();
    let [point, normal, shading] =
        columns.map(|column| shaped(py, column.into_flattened(), &of_vectors));
    let shading = if has_normals { shading? } else { py.None().into_bound(py) };
    answer(py, "Surface", (point?, normal?, shading))
}

/// The normal of length 1 where the second and the third vertex have these weights, if there is
/// one.
fn interpolated<T: Number>(normals: [[T; 3]; 3], [u, v]: [T; 2]) -> Option<[f64; 3]> {
    let [u, v] = [u, v].map(T::to_f64);
    let [a, b, c] = normals.map(|normal| normal.map(T::to_f64));
    let normal: [f64; 3] =
        std::array::from_fn(|axis| (1.0 - u - v) * a[axis] + u * b[axis] + v * c[axis]);
    // No square overflows or vanishes beside the largest.
    let largest = normal.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    let normal = normal.map(|x| x / largest);
    let length = normal.iter().map(|x| x * x).sum::<f64>().sqrt();
    (largest > 0.0).then(|| normal.map(|x| x / length))
}

fn line_hits<'py, T: Number>(
    scene: &Now<'_, T>,
    lines: &Bound<'py, PyAny>,
    directions: Option<&Bound<'py, PyAny>>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, lines, directions, options)?.into_lines(options);
    let py = request.py();
    let mut batch = LineHitBatch::<T>::new();
    request.cast(|cast| cast.line_hits_into(&mut batch))?;
    let batch = Arc::new(batch);
    let memory = owner(py, Arc::clone(&batch))?;
    let halves = [batch.ahead(), batch.behind()].map(|hits| half(&memory, &request, hits));
    let [ahead, behind] = halves;
    answer(py, "LineHits", (ahead?, behind?))
}

/// The hits on one side as Python's `Hits`, in the memory of the batch.
fn half<'py, T: Number>(
    memory: &Bound<'py, PyAny>,
    request: &Request<'_, 'py, T>,
    hits: &HitBatch<T>,
) -> PyResult<Bound<'py, PyAny>> {
    let (py, shape) = (request.py(), request.shape());
    let codes = codes_of(hits.status());
    request.check(&codes)?;
    let numbers = |numbers: &[T]| reshaped(&field(memory, numbers, |t| t), shape);
    let ids = |ids: &[u32]| reshaped(&field(memory, ids, |id| id), shape);
    let normals = |normals: &[[T; 3]]| {
        reshaped(&vector_field(memory, normals, |normal| normal), &[shape, &[3]].concat())
    };
    let none = || py.None().into_bound(py);
    let t = |row: usize| (codes[row] == Status::Hit.code()).then_some(hits.t()[row]);
    let point = request.points(|row| row, t, shape)?;
    let columns = (
        shaped(py, codes, shape)?,
        numbers(hits.t())?,
        ids(hits.primitive_id())?,
        ids(hits.geometry_id())?,
        if request.has_instances() { ids(hits.instance_id())? } else { none() },
        numbers(hits.u())?,
        numbers(hits.v())?,
        if request.normals { normals(hits.geometric_normal())? } else { none() },
        point,
    );
    answer(py, "Hits", columns)
}

#[pymethods]
impl PyScene {
    #[doc = signature!(pick)]
    /// The crossings of one ray, each with its point and normal.
    ///
    /// - `ray`: shape (6,), an origin and a direction, or (8,) with `t_min` and `t_max`; or the
    ///   origin alone.
    /// - `direction`: shape (3,), if `ray` is an origin.
    /// - `limit`: "all", "one_per_geometry" for the first of each geometry, in each instance by
    ///   itself, or "nearest".
    /// - `t_min`, `t_max`, `culling`, `mask`, `skip`, `invalid`, `brute_force`, `threads`, `backend`,
    ///   `progress`: as of `closest_hit`.
    ///
    /// Returns a list of `Pick`, in the order of t: each crossing of a surface once, also through
    /// edges and vertices. Points and normals are float64, in the frame of this scene and in that
    /// of the scene which holds the primitive.
    ///
    /// Raises ValueError for another shape and for a ray that cannot be cast.
    ///
    /// >>> import lanecast
    /// >>> ball = lanecast.Spheres([[0, 0, 0]], 1, name="moon")
    /// >>> picks = lanecast.Scene.build(ball).pick([0.0, 0, 5], [0.0, 0, -1])
    /// >>> [(pick.t, pick.point.tolist(), pick.geometry_name) for pick in picks]
    /// [(4.0, [0.0, 0.0, 1.0], 'moon'), (6.0, [0.0, 0.0, -1.0], 'moon')]
    #[pyo3(signature = (ray, direction=None, limit=None, **options), text_signature = None)]
    fn pick<'py>(
        &self,
        ray: &Bound<'py, PyAny>,
        direction: Option<&Bound<'py, PyAny>>,
        limit: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let options = options!(pick, options)?;
        with_scene!(&self.content, scene => pick(scene, ray, direction, limit, &options))
    }

    #[doc = signature!(surface)]
    /// The points and normals of hits.
    ///
    /// - `rays`, `directions`: the rays that were cast, as of `closest_hit`; for `AllHits` those of
    ///   each hit, `rays[hits.ray_id]`.
    /// - `hits`: answers with t, u, v and ids, of the shape of the rays.
    /// - `vertex_normals`: a dict of meshes of this scene: for a geometry id a tuple of its
    ///   triangles, of shape (m, 3), and of normals of its vertices, of shape (n, 3) and of any
    ///   length.
    /// - `threads`, `progress`: as of `closest_hit`.
    ///
    /// Returns `Surface`, of vectors of shape (..., 3): the points in the frame of the scene, and
    /// the normals of length 1; for vertex normals also those that are interpolated, and the former
    /// where there are none. Zeros where there is no hit. All are computed in float64 and rounded
    /// once, which takes as long as casting the rays or longer. Where points are enough
    /// `origins + hits.t[..., None] * directions` is faster, and `closest_hit(..., normals=True)`
    /// gives normals that are not of length 1 and costs little.
    ///
    /// Raises ValueError for another shape and for vertex normals that do not fit, IndexError for
    /// the first hit that names what does not exist, by its row.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene([[0, 0, 0], [4, 0, 0], [0, 4, 0]], [[0, 1, 2]])
    /// >>> rays = [[1.0, 2, 3, 0, 0, -1], [5, 5, 3, 0, 0, -1]]
    /// >>> surface = scene.surface(rays, scene.closest_hit(rays))
    /// >>> surface.point.tolist(), surface.normal.tolist()
    /// ([[1.0, 2.0, 0.0], [0.0, 0.0, 0.0]], [[0.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    #[pyo3(signature = (rays, hits, directions=None, **options), text_signature = None)]
    fn surface<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        hits: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut options = options!(surface, options)?;
        let normals = options.take("vertex_normals");
        let normals = normals.as_ref().map(|normals| normals.cast::<PyDict>()).transpose();
        let normals = normals.map_err(|_| {
            PyTypeError::new_err("vertex_normals: a dict by geometry ids was expected")
        })?;
        let answers = [rays, hits];
        with_scene!(&self.content, scene => surface(scene, answers, directions, normals, &options))
    }

    #[doc = signature!(line_hits)]
    /// The hits nearest to the origin of each line, on either side.
    ///
    /// - `lines`, `directions` and further arguments: as the rays of `closest_hit`; but `t_min` is
    ///   -inf unless it is given.
    ///
    /// Returns `LineHits` with `ahead`, the hits of least t >= 0, and `behind`, those of greatest t
    /// <= 0, both `Hits`. A hit at t = 0 is in both. Errors are those of `closest_hit`.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene.build(lanecast.Spheres([[0, 0, 0]], 2))
    /// >>> hits = scene.line_hits([[0.5, 0, 0, 1, 0, 0]])
    /// >>> hits.ahead.t.tolist(), hits.behind.t.tolist()
    /// ([1.5], [-2.5])
    #[pyo3(signature = (lines, directions=None, **options), text_signature = None)]
    fn line_hits<'py>(
        &self,
        lines: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(line_hits, options)?;
        with_scene!(&self.content, scene => line_hits(scene, lines, directions, &options))
    }
}

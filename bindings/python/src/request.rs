//! Queries of rays: their arguments and options, and how they are cast.

use crate::arrays::index_of;
use crate::current::Now;
use crate::errors::{defect, extracted, one_of, plain, raised, refused};
use crate::ids::Ids;
use crate::makers::PyMaker;
use crate::number::Number;
use crate::options::Options;
use crate::out::{Out, shaped};
use crate::rays::{Made, Rays};
use crate::run::{Machine, run};
use lanecast::cast::RaysOf;
use lanecast::support::with_default_float_mode;
use lanecast::{
    Cast, CastOptions, Coherence, Contact, Culling, Progress, Ray, RayBatch, Status, Threads, Watch,
};
use lanecast_makers::Lidar;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicUsize, Ordering};

/// So many rays are located in one piece.
const LOCATED: usize = 4096;

/// A query of rays: its arguments, read.
pub(crate) struct Request<'a, 'py, T: Number> {
    py: Python<'py>,
    scene: Now<'a, T>,
    rays: Rays<'py, T>,
    machine: Machine<'py>,
    culling: Culling,
    contact: Contact,
    coherence: Coherence,
    brute_force: bool,
    pub(crate) normals: bool,
    pub(crate) points: bool,
    mask: Option<Mask<'py>>,
    skip: Option<[Option<Ids<'py>>; 3]>,
    /// Whether a ray that cannot be cast is an error, and not a miss.
    pub(crate) raises: bool,
    out: Option<Bound<'py, PyAny>>,
    /// An array of the caller's for the statuses of answers that go without.
    status: Option<Bound<'py, PyAny>>,
}

enum Mask<'py> {
    Same(u32),
    Each(Ids<'py>),
}

impl<'a, 'py, T: Number> Request<'a, 'py, T> {
    pub(crate) fn of(
        scene: &Now<'a, T>,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: &Options<'py>,
    ) -> PyResult<Self> {
        let py = rays.py();
        let interval = [options.get("t_min"), options.get("t_max")];
        let (given, rays) = (rays, Rays::of(rays, directions, interval)?);
        // Those that are gathered are looked at while they are.
        if !rays.are_gathered() {
            scene.look(&[(rays.argument(), given)])?;
        }
        let mut request = Self {
            py,
            scene: *scene,
            rays,
            machine: Machine::default(),
            culling: Culling::None,
            contact: Contact::Crossing,
            coherence: Coherence::Detect,
            brute_force: false,
            normals: false,
            points: false,
            mask: None,
            skip: None,
            raises: true,
            out: None,
            status: None,
        };
        for (name, value) in options.iter() {
            request.take(name, value)?;
        }
        request.machine.is_slow = request.brute_force;
        Ok(request)
    }

    fn take(&mut self, name: &str, value: &Bound<'py, PyAny>) -> PyResult<()> {
        if self.machine.take(name, value)? {
            return Ok(());
        }
        match name {
            "t_min" | "t_max" => {}
            "culling" => self.culling = culling(name, value)?,
            "contact" => {
                self.contact = one_of(
                    name,
                    value,
                    &[("crossing", Contact::Crossing), ("touch", Contact::Touch)],
                )?;
            }
            "coherence" => {
                let of = [
                    ("detect", Coherence::Detect),
                    ("coherent", Coherence::Coherent),
                    ("incoherent", Coherence::Incoherent),
                ];
                self.coherence = one_of(name, value, &of)?;
            }
            "brute_force" => self.brute_force = extracted(name, value)?,
            "normals" => self.normals = extracted(name, value)?,
            "points" => self.points = extracted(name, value)?,
            "invalid" => self.raises = one_of(name, value, &[("raise", true), ("miss", false)])?,
            "mask" if value.is_none() => {}
            "mask" => self.mask = Some(mask(value, self.shape())?),
            "skip" if value.is_none() => {}
            "skip" => self.skip = Some(skipped(value, self.shape())?),
            "out" => self.out = (!value.is_none()).then(|| value.clone()),
            "status" => self.status = (!value.is_none()).then(|| value.clone()),
            _ => unreachable!("{name} is in the table of options"),
        }
        Ok(())
    }

    /// The dimensions of the answers.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.rays.shape
    }

    pub(crate) fn rows(&self) -> usize {
        self.rays.rows()
    }

    /// The shares of a pulse's energy of its rays.
    pub(crate) fn weights(&self) -> PyResult<Vec<f64>> {
        self.rays.maker().map_or_else(|| Ok(vec![1.0]), PyMaker::weights)
    }

    /// The scanner whose pulses the rays are, if it is one that made them.
    pub(crate) fn scanner(&self) -> Option<&Lidar> {
        self.rays.maker().and_then(PyMaker::scanner)
    }

    pub(crate) const fn py(&self) -> Python<'py> {
        self.py
    }

    pub(crate) const fn machine(&self) -> &Machine<'py> {
        &self.machine
    }

    /// The columns of answers that are not made unless the caller has arrays for them.
    pub(crate) fn left_out(&self) -> Vec<&'static str> {
        let mut columns = left_out(self.has_instances(), self.normals);
        if !self.points {
            columns.push("point");
        }
        columns
    }

    pub(crate) fn has_instances(&self) -> bool {
        self.scene.instance_count() > 0
    }

    /// Calls a function with the rays.
    pub(crate) fn with_rays<R>(
        &self,
        then: impl FnOnce(&RayBatch<'_, T>) -> PyResult<R>,
    ) -> PyResult<R> {
        self.rays.with(self.py, |rays, _| then(rays))
    }

    /// The same rays from −∞ on, unless they come with a `t_min`.
    pub(crate) fn into_lines(mut self, options: &Options<'py>) -> Self {
        if options.get("t_min").is_none() {
            self.rays = self.rays.into_lines();
        }
        self
    }

    /// Copies the codes of the statuses to the caller's array, if there is one.
    pub(crate) fn copy_statuses(&self, codes: &[u8]) -> PyResult<()> {
        if self.status.is_some() {
            let mut status =
                Out(self.status.as_ref()).only::<u8>(self.py, "status", self.shape())?;
            status.as_slice_mut()?.copy_from_slice(codes);
        }
        Ok(())
    }

    /// That even few rays may take long, as those whose hits are collected.
    pub(crate) const fn takes_long(&mut self) {
        self.machine.is_slow = true;
    }

    /// Where answers go.
    pub(crate) const fn out(&self) -> Out<'_, 'py> {
        Out(self.out.as_ref())
    }

    /// The options of a cast of these rows.
    fn options(&self, rows: Range<usize>) -> PyResult<CastOptions<'_, T>> {
        let mut options = self.machine.options(self.brute_force).culling(self.culling);
        options =
            options.contact(self.contact).coherence(self.coherence).geometric_normals(self.normals);
        match &self.mask {
            None => {}
            Some(Mask::Same(mask)) => options = options.mask(*mask),
            Some(Mask::Each(masks)) => options = options.mask(of_rows(masks, &rows)?),
        }
        if let Some([Some(geometry_ids), Some(primitive_ids), instance_ids]) = &self.skip {
            options = options.skip(of_rows(geometry_ids, &rows)?, of_rows(primitive_ids, &rows)?);
            if let Some(instance_ids) = instance_ids {
                options = options.skip_in(of_rows(instance_ids, &rows)?);
            }
        }
        Ok(options)
    }

    /// Casts the rays, with the options, on the threads, without the interpreter's lock.
    pub(crate) fn cast<R: Send>(
        &self,
        query: impl FnOnce(Cast<'_, T, RaysOf<'_, T>>) -> lanecast::Result<R> + Send,
    ) -> PyResult<R> {
        let (scene, options) = (&**self.scene, self.options(0..self.rows())?);
        let answer = self.rays.with(self.py, |rays, _| {
            let work = |threads: &Threads, watch: &Watch<'_>| {
                query(scene.cast(rays).with(&options).threads(threads).watch(watch))
            };
            run(self.py, &self.machine, rays.len(), work)
        })?;
        self.scene.notice(self.py, self.rays.argument(), self.rays.moved())?;
        Ok(answer)
    }

    /// The same for pieces of so many rows, each on one thread, with the number of its first row
    /// and its rays. Those that are made are stored then, as to make them one by one takes long.
    pub(crate) fn cast_pieces<R: Send>(
        &self,
        rows: usize,
        query: impl Fn(usize, &RayBatch<'_, T>, Cast<'_, T, RaysOf<'_, T>>) -> lanecast::Result<R>
        + Sync,
    ) -> PyResult<Vec<R>> {
        let (scene, total, done) = (&**self.scene, self.rows(), AtomicUsize::new(0));
        let pieces = (0..total).step_by(rows).map(|first| first..total.min(first + rows));
        let pieces = pieces.map(|piece| Ok((self.options(piece.clone())?, piece)));
        let pieces: Vec<_> = pieces.collect::<PyResult<_>>()?;
        let answer = self.rays.with(self.py, |rays, made| {
            let work = |threads: &Threads, watch: &Watch<'_>| {
                let so_far = || Progress { done: done.load(Ordering::Relaxed), total };
                let stop = |_| watch(so_far());
                let cast = |(options, piece): &(CastOptions<'_, T>, Range<usize>)| {
                    // Casts of one piece do not ask.
                    if stop(so_far()).is_break() {
                        return Err(lanecast::Error::Stopped { done: so_far().done, total });
                    }
                    let answer = with_piece(rays, made, piece.clone(), |rays| {
                        let cast = scene.cast(rays).with(options).threads(&Threads::ONE);
                        query(piece.start, rays, cast.watch(&stop))
                    })?;
                    done.fetch_add(piece.len(), Ordering::Relaxed);
                    Ok(answer)
                };
                // Few rays are cast on the calling thread, which is none of the pool's.
                if threads.count() > 1 {
                    pieces.par_iter().map(cast).collect::<lanecast::Result<Vec<R>>>()
                } else {
                    pieces.iter().map(cast).collect()
                }
            };
            run(self.py, &self.machine, total, work)
        })?;
        self.scene.notice(self.py, self.rays.argument(), self.rays.moved())?;
        Ok(answer)
    }

    /// Where each ray is at the `t` of each of its answers, which are those from `first(ray)` to
    /// `first(ray + 1)`: computed in f64 and rounded once. Zeros where there is no `t`.
    pub(crate) fn locate(
        &self,
        first: impl Fn(usize) -> usize + Sync,
        t: impl Fn(usize) -> Option<T> + Sync,
        points: &mut [[T; 3]],
    ) -> PyResult<()> {
        let (total, mut rest, mut pieces) = (self.rows(), points, Vec::new());
        for start in (0..total).step_by(LOCATED) {
            let rows = start..total.min(start + LOCATED);
            let points;
            (points, rest) = rest.split_at_mut(first(rows.end) - first(rows.start));
            pieces.push((rows, points));
        }
        // The cast has told its progress.
        let machine = Machine { threads: self.machine.threads, ..Machine::default() };
        self.rays.with(self.py, |rays, made| {
            run(self.py, &machine, total, |threads, watch| {
                let locate = |(rows, points): (Range<usize>, &mut [[T; 3]])| {
                    let start = first(rows.start);
                    let mut locate = |row: usize, ray: &Ray<T>| {
                        for answer in first(row)..first(row + 1) {
                            let point = t(answer).map(|t| point_at(ray, t));
                            points[answer - start] = point.unwrap_or([T::ZERO; 3]);
                        }
                    };
                    with_piece(rays, made, rows.clone(), |of_piece| {
                        with_default_float_mode(|| {
                            rows.clone()
                                .zip(0..)
                                .for_each(|(row, at)| locate(row, &of_piece.ray(at)));
                        });
                    });
                    let done = Progress { done: rows.end, total };
                    match watch(done) {
                        ControlFlow::Break(()) => {
                            Err(lanecast::Error::Stopped { done: rows.end, total })
                        }
                        ControlFlow::Continue(()) => Ok(()),
                    }
                };
                if threads.count() > 1 {
                    pieces.into_par_iter().try_for_each(locate)
                } else {
                    pieces.into_iter().try_for_each(locate)
                }
            })
        })
    }

    /// The same as an array, of answers of this shape; None unless points are wanted.
    pub(crate) fn points(
        &self,
        first: impl Fn(usize) -> usize + Sync,
        t: impl Fn(usize) -> Option<T> + Sync,
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        if !self.points {
            return Ok(self.py.None().into_bound(self.py));
        }
        let (rows, mut points) = (shape.iter().product(), Vec::new());
        let too_many = |_| raised(lanecast::Error::AnswersTooLarge { rows });
        points.try_reserve_exact(rows).map_err(too_many)?;
        points.resize(rows, [T::ZERO; 3]);
        self.locate(first, t, &mut points)?;
        shaped(self.py, points.into_flattened(), &[shape, &[3]].concat())
    }

    /// Refuses the first ray that could not be cast, by the codes of the statuses, unless such rays
    /// are misses.
    pub(crate) fn check(&self, codes: &[u8]) -> PyResult<()> {
        check_statuses::<T>("rays", self.raises, codes, self.shape())
    }
}

/// Calls a function with the rays of a piece. Those that are made are stored, as to make them one by
/// one takes long.
fn with_piece<T: Number, R>(
    rays: &RayBatch<'_, T>,
    made: Option<Made<'_, T>>,
    piece: Range<usize>,
    then: impl FnOnce(&RayBatch<'_, T>) -> R,
) -> R {
    let Some((maker, [t_min, t_max])) = made else { return then(&rays.slice(piece)) };
    let mut stored = vec![Ray::new([T::ZERO; 3], [T::ZERO; 3]); piece.len()];
    with_default_float_mode(|| maker.make(piece.start, &mut stored));
    then(&RayBatch::from_rays(&stored).with_interval(t_min, t_max))
}

/// The point of a ray at `t`, computed in f64 and rounded once.
fn point_at<T: Number>(ray: &Ray<T>, t: T) -> [T; 3] {
    std::array::from_fn(|axis| {
        T::nearest(ray.origin[axis].to_f64() + ray.direction[axis].to_f64() * t.to_f64())
    })
}

/// The columns of answers that are left out unless they are asked for.
pub(crate) fn left_out(has_instances: bool, has_normals: bool) -> Vec<&'static str> {
    let columns = [("instance_id", has_instances), ("normal", has_normals)];
    columns.into_iter().filter(|(_, is_there)| !is_there).map(|(column, _)| column).collect()
}

/// The sides that are hidden, by their name.
pub(crate) fn culling(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<Culling> {
    let of = [("none", Culling::None), ("front", Culling::Front), ("back", Culling::Back)];
    one_of(argument, value, &of)
}

fn of_rows<'a>(ids: &'a Ids<'_>, rows: &Range<usize>) -> PyResult<&'a [u32]> {
    Ok(&ids.values()?[rows.clone()])
}

/// Refuses the first row that has a defect.
pub(crate) fn check_statuses<T: Number>(
    argument: &str,
    raises: bool,
    codes: &[u8],
    shape: &[usize],
) -> PyResult<()> {
    // In pieces, which the compiler makes vectors of.
    let is_sound = |codes: &[u8]| {
        codes.iter().fold(0, |greatest, &code| greatest.max(code)) <= Status::Hit.code()
    };
    if !raises || codes.chunks(4096).all(is_sound) {
        return Ok(());
    }
    let row =
        codes.iter().position(|&code| code > Status::Hit.code()).expect("a row with a defect");
    let is_f64 = size_of::<T>() == size_of::<f64>();
    let problem = defect(Status::ALL[usize::from(codes[row])], argument == "points", is_f64);
    Err(PyValueError::new_err(format!("{argument}{}: {problem}", index_of(row, shape))))
}

fn mask<'py>(value: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Mask<'py>> {
    if let Some(mask) = plain(value) {
        return Ok(Mask::Same(mask));
    }
    Ok(Mask::Each(Ids::of_shape("mask", value, shape, false)?))
}

/// One primitive for each ray: answers of an earlier call, or a tuple of geometry ids, primitive
/// ids and perhaps instance ids.
fn skipped<'py>(value: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<[Option<Ids<'py>>; 3]> {
    let names = ["geometry_id", "primitive_id", "instance_id"];
    let mut ids = [None, None, None];
    for (place, name) in names.into_iter().enumerate() {
        let column = match value.cast::<PyTuple>() {
            Ok(tuple) if place < tuple.len() => Some(tuple.get_item(place)?),
            Ok(_) => None,
            Err(_) => value.getattr_opt(name)?.filter(|column| !column.is_none()),
        };
        let column =
            column.map(|column| Ids::of_shape(&format!("skip: {name}"), &column, shape, true));
        ids[place] = column.transpose()?;
    }
    if ids[..2].iter().any(Option::is_none) {
        let problem = "answers of an earlier call, or (geometry_ids, primitive_ids) with or without instance_ids, were expected";
        return Err(refused("skip", problem));
    }
    Ok(ids)
}

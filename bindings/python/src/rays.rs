//! The arguments of queries of rays.

use crate::arrays::{Ids, Number, Out, PerRow, Table};
use crate::errors::{extracted, raised, refused};
use crate::gathered::{Gathered, Numbers, is_gathered};
use crate::makers::{PyMaker, maker_of};
use crate::run::{Machine, run};
use lanecast::cast::RaysOf;
use lanecast::{
    Cast, CastOptions, Coherence, Contact, Culling, INVALID_ID, RayBatch, Scene, Status, Threads, Watch,
};
use numpy::PyUntypedArray;
use numpy::prelude::*;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// Rays as they were given.
enum Source<'py, T: Number> {
    /// In two arrays, or in one: then directions and perhaps intervals are in the columns of the origins, from the fourth on.
    Stored {
        origins: Table<'py, T>,
        directions: Option<Table<'py, T>>,
    },
    /// The same, lying as the engine cannot read them.
    Gathered {
        origins: Numbers<'py>,
        directions: Option<Numbers<'py>>,
    },
    /// An array, or a number for all rays, for each of [`COLUMNS`].
    Columns(Box<[PerRow<'py, T>; 6]>, Vec<usize>),
    Made(Bound<'py, PyMaker>),
}

/// The names of the columns of rays that are given as a dict.
const COLUMNS: [&str; 6] = ["ox", "oy", "oz", "dx", "dy", "dz"];

/// Rays, and intervals given as arguments.
struct Rays<'py, T: Number> {
    source: Source<'py, T>,
    shape: Vec<usize>,
    intervals: Option<[PerRow<'py, T>; 2]>,
}

impl<'py, T: Number> Source<'py, T> {
    fn of(rays: &Bound<'py, PyAny>, directions: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        if !rays.is_instance_of::<PyUntypedArray>()
            && let Some(maker) = maker_of(rays)?
        {
            if directions.is_some() {
                return Err(refused("directions", "the rays are made, and have directions of their own"));
            }
            return Ok(Self::Made(maker));
        }
        if directions.is_none()
            && let Ok(columns) = rays.cast::<PyDict>()
        {
            return Self::columns(columns);
        }
        let pair = rays
            .cast::<PyTuple>()
            .ok()
            .filter(|pair| pair.len() == 2)
            .map(|pair| (pair.get_item(0), pair.get_item(1)));
        let (origins, directions) = match (directions, pair) {
            (Some(directions), _) => (rays.clone(), Some(directions.clone())),
            (None, Some((origins, directions))) => (origins?, Some(directions?)),
            (None, None) => (rays.clone(), None),
        };
        let (name, widths): (_, &[usize]) =
            if directions.is_some() { ("origins", &[3]) } else { ("rays", &[6, 8]) };
        let arrays = [Some(&origins), directions.as_ref()];
        if arrays.into_iter().flatten().any(is_gathered::<T>) {
            let numbers = Numbers::of(name, &origins, widths)?;
            let other = directions.as_ref().map(|directions| Numbers::of("directions", directions, &[3]));
            match (numbers, other.transpose()?) {
                (Some(origins), None) => return Ok(Self::Gathered { origins, directions: None }),
                (Some(origins), Some(Some(directions))) => {
                    same_shape(directions.shape(), origins.shape())?;
                    return Ok(Self::Gathered { origins, directions: Some(directions) });
                }
                _ => {}
            }
        }
        let origins = Table::of(name, &origins, widths)?;
        let directions =
            directions.map(|directions| Table::of("directions", &directions, &[3])).transpose()?;
        if let Some(directions) = &directions {
            same_shape(directions.shape(), origins.shape())?;
        }
        Ok(Self::Stored { origins, directions })
    }

    fn columns(given: &Bound<'py, PyDict>) -> PyResult<Self> {
        let of_name = |name: &str| {
            given.get_item(name)?.ok_or_else(|| refused("rays", format!("there is no column {name:?}")))
        };
        for name in given.keys() {
            let name: String = name.extract()?;
            if !COLUMNS.contains(&&*name) {
                let problem = format!("{name:?} is no column of rays; they are {}", COLUMNS.join(", "));
                return Err(refused("rays", problem));
            }
        }
        // That of the first which is no number for all.
        let mut shape = Vec::new();
        for name in COLUMNS {
            shape = crate::arrays::array_of(&format!("rays['{name}']"), &of_name(name)?)?.shape().to_vec();
            if !shape.is_empty() {
                break;
            }
        }
        let column = |name: &str| PerRow::of(&format!("rays['{name}']"), &of_name(name)?, &shape);
        let [ox, oy, oz, dx, dy, dz] = COLUMNS.map(column);
        Ok(Self::Columns(Box::new([ox?, oy?, oz?, dx?, dy?, dz?]), shape))
    }

    /// The dimensions of answers.
    fn shape(&self) -> &[usize] {
        match self {
            Self::Columns(_, shape) => shape,
            Self::Stored { origins, .. } => origins.shape(),
            Self::Gathered { origins, .. } => origins.shape(),
            Self::Made(maker) => maker.get().shape(),
        }
    }

    /// Whether they have intervals of their own.
    fn has_intervals(&self) -> bool {
        match self {
            Self::Stored { origins, .. } => origins.width() == 8,
            Self::Gathered { origins, .. } => origins.width() == 8,
            Self::Columns(..) | Self::Made(_) => false,
        }
    }
}

fn same_shape(directions: &[usize], origins: &[usize]) -> PyResult<()> {
    if directions == origins {
        return Ok(());
    }
    let [rows, other] = [directions, origins].map(crate::arrays::shown);
    Err(refused("directions", format!("there are {rows} of them, and {other} origins")))
}

impl<'py, T: Number> Rays<'py, T> {
    fn of(
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        [t_min, t_max]: [Option<&Bound<'py, PyAny>>; 2],
    ) -> PyResult<Self> {
        let source = Source::of(rays, directions)?;
        let shape = source.shape().to_vec();
        if t_min.is_none() && t_max.is_none() {
            return Ok(Self { source, shape, intervals: None });
        }
        if source.has_intervals() {
            let problem = "rays of eight columns have t_min and t_max in the last two";
            return Err(refused(if t_min.is_some() { "t_min" } else { "t_max" }, problem));
        }
        let interval = |name, value: Option<&Bound<'py, PyAny>>, default| {
            value.map_or(Ok(PerRow::Same(default)), |value| PerRow::of(name, value, &shape))
        };
        let intervals = Some([interval("t_min", t_min, T::ZERO)?, interval("t_max", t_max, T::INFINITY)?]);
        Ok(Self { source, shape, intervals })
    }

    fn rows(&self) -> usize {
        self.shape.iter().product()
    }

    /// Calls a function with the rays as a batch.
    fn with(&self, py: Python<'py>, then: impl FnOnce(&RayBatch<'_, T>) -> PyResult<()>) -> PyResult<()> {
        match &self.source {
            Source::Stored { origins, directions } => {
                let direction =
                    directions.as_ref().map_or_else(|| origins.vector(3), |table| table.vector(0))?;
                let rays = RayBatch::from_strided(origins.vector(0)?, direction).map_err(raised)?;
                if origins.width() == 8 {
                    let rays = rays.with_intervals(origins.column(6)?, origins.column(7)?);
                    return then(&rays.map_err(raised)?);
                }
                then(&self.within(rays)?)
            }
            Source::Gathered { origins, directions } => {
                then(&self.within(RayBatch::made(&Gathered::of(origins, directions.as_ref())))?)
            }
            Source::Columns(columns, _) => {
                let column = |place: usize| columns[place].column(self.rows());
                let origin = [column(0)?, column(1)?, column(2)?];
                let rays = RayBatch::from_strided(origin, [column(3)?, column(4)?, column(5)?]);
                then(&self.within(rays.map_err(raised)?)?)
            }
            Source::Made(maker) => {
                let mut then = Some(then);
                maker.get().with::<T>(py, &mut |maker| {
                    let then = then.take().expect("the maker is used once");
                    then(&self.within(RayBatch::made(maker))?)
                })
            }
        }
    }

    fn within<'r>(&'r self, rays: RayBatch<'r, T>) -> PyResult<RayBatch<'r, T>> {
        let Some([t_min, t_max]) = &self.intervals else { return Ok(rays) };
        let rows = rays.len();
        rays.with_intervals(t_min.column(rows)?, t_max.column(rows)?).map_err(raised)
    }
}

/// A query of rays: its arguments, read.
pub(crate) struct Request<'a, 'py, T: Number> {
    py: Python<'py>,
    scene: &'a Arc<Scene<T>>,
    rays: Rays<'py, T>,
    machine: Machine<'py>,
    culling: Culling,
    contact: Contact,
    coherence: Coherence,
    brute_force: bool,
    pub(crate) normals: bool,
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
        scene: &'a Arc<Scene<T>>,
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
        allowed: &[&str],
    ) -> PyResult<Self> {
        let given = |name: &str| -> PyResult<_> {
            let value = options.map_or(Ok(None), |options| options.get_item(name))?;
            Ok(value.filter(|value| !value.is_none()))
        };
        let (t_min, t_max) = (given("t_min")?, given("t_max")?);
        let py = rays.py();
        let rays = Rays::of(rays, directions, [t_min.as_ref(), t_max.as_ref()])?;
        let mut request = Self {
            py,
            scene,
            rays,
            machine: Machine::default(),
            culling: Culling::None,
            contact: Contact::Crossing,
            coherence: Coherence::Detect,
            brute_force: false,
            normals: false,
            mask: None,
            skip: None,
            raises: true,
            out: None,
            status: None,
        };
        for (name, value) in options.into_iter().flatten() {
            let name: String = name.extract()?;
            request.take(&name, &value, allowed)?;
        }
        request.machine.is_slow = request.brute_force;
        Ok(request)
    }

    fn take(&mut self, name: &str, value: &Bound<'py, PyAny>, allowed: &[&str]) -> PyResult<()> {
        if self.machine.take(name, value)? {
            return Ok(());
        }
        let is_for_all = matches!(
            name,
            "t_min" | "t_max" | "culling" | "mask" | "skip" | "coherence" | "brute_force" | "invalid"
        );
        if !is_for_all && !allowed.contains(&name) {
            return Err(PyTypeError::new_err(format!("there is no argument {name:?} of this query")));
        }
        match name {
            "culling" => {
                let of = [("none", Culling::None), ("front", Culling::Front), ("back", Culling::Back)];
                self.culling = one_of(name, value, &of)?;
            }
            "contact" => {
                self.contact =
                    one_of(name, value, &[("crossing", Contact::Crossing), ("touch", Contact::Touch)])?;
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
            "invalid" => self.raises = one_of(name, value, &[("raise", true), ("miss", false)])?,
            "mask" if value.is_none() => {}
            "mask" => self.mask = Some(mask(value, self.shape())?),
            "skip" if value.is_none() => {}
            "skip" => self.skip = Some(skipped(value, self.shape())?),
            "out" => self.out = (!value.is_none()).then(|| value.clone()),
            "status" => self.status = (!value.is_none()).then(|| value.clone()),
            _ => {}
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

    pub(crate) const fn py(&self) -> Python<'py> {
        self.py
    }

    pub(crate) const fn machine(&self) -> &Machine<'py> {
        &self.machine
    }

    pub(crate) fn has_instances(&self) -> bool {
        self.scene.instance_count() > 0
    }

    /// Calls a function with the rays.
    pub(crate) fn with_rays<R>(&self, then: impl FnOnce(&RayBatch<'_, T>) -> PyResult<R>) -> PyResult<R> {
        let mut done = None;
        self.rays.with(self.py, |rays| {
            done = Some(then(rays)?);
            Ok(())
        })?;
        Ok(done.expect("the function was called"))
    }

    /// The same rays from −∞ on, unless they come with a `t_min`.
    pub(crate) fn into_lines(mut self, options: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        if !self.rays.source.has_intervals()
            && !options.map_or(Ok(false), |options| options.contains("t_min"))?
        {
            let given = self.rays.intervals.take();
            let t_max = given.map_or(PerRow::Same(T::INFINITY), |[_, t_max]| t_max);
            self.rays.intervals = Some([PerRow::Same(T::NEG_INFINITY), t_max]);
        }
        Ok(self)
    }

    /// Copies the codes of the statuses to the caller's array, if there is one.
    pub(crate) fn copy_statuses(&self, codes: &[u8]) -> PyResult<()> {
        if self.status.is_some() {
            let mut status = Out(self.status.as_ref()).only::<u8>(self.py, "status", self.shape())?;
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

    /// Casts the rays, with the options, on the threads, without the interpreter's lock.
    pub(crate) fn cast<R: Send>(
        &self,
        query: impl FnOnce(Cast<'_, T, RaysOf<'_, T>>) -> lanecast::Result<R> + Send,
    ) -> PyResult<R> {
        let mut options =
            CastOptions::new().culling(self.culling).contact(self.contact).coherence(self.coherence);
        options = options.normals(self.normals);
        match &self.mask {
            None => {}
            Some(Mask::Same(mask)) => options = options.mask(*mask),
            Some(Mask::Each(masks)) => options = options.mask(masks.values()?),
        }
        if let Some([Some(geometry_ids), Some(primitive_ids), instance_ids]) = &self.skip {
            options = options.skip(geometry_ids.values()?, primitive_ids.values()?);
            if let Some(instance_ids) = instance_ids {
                options = options.skip_in(instance_ids.values()?);
            }
        }
        if self.brute_force {
            options = options.brute_force();
        }
        if let Some(backend) = self.machine.backend {
            options = options.backend(backend);
        }
        let scene = &**self.scene;
        let mut answer = None;
        self.rays.with(self.py, |rays| {
            let work = |threads: &Threads, watch: Option<&Watch<'_>>| {
                let mut cast = scene.cast(rays).with(&options).threads(threads);
                if let Some(watch) = watch {
                    cast = cast.watch(watch);
                }
                query(cast)
            };
            answer = Some(run(self.py, &self.machine, rays.len(), work)?);
            Ok(())
        })?;
        Ok(answer.expect("the rays were cast"))
    }

    /// Refuses the first ray that could not be cast, by the codes of the statuses, unless such rays are misses.
    pub(crate) fn check(&self, codes: &[u8]) -> PyResult<()> {
        check_statuses("rays", self.raises, codes, self.shape())
    }
}

/// Refuses the first row that has a defect.
pub(crate) fn check_statuses(argument: &str, raises: bool, codes: &[u8], shape: &[usize]) -> PyResult<()> {
    // In pieces, which the compiler makes vectors of.
    let is_sound =
        |codes: &[u8]| codes.iter().fold(0, |greatest, &code| greatest.max(code)) <= Status::Hit.code();
    if !raises || codes.chunks(4096).all(is_sound) {
        return Ok(());
    }
    let row = codes.iter().position(|&code| code > Status::Hit.code()).expect("a row with a defect");
    let problem = crate::errors::defect(Status::ALL[usize::from(codes[row])]);
    Err(PyValueError::new_err(format!("{argument}{}: {problem}", crate::arrays::index_of(row, shape))))
}

/// What an argument of a few words means.
pub(crate) fn one_of<V: Copy>(argument: &str, value: &Bound<'_, PyAny>, of: &[(&str, V)]) -> PyResult<V> {
    let word = value.extract::<String>().ok();
    let found = of.iter().find(|(name, _)| word.as_deref() == Some(*name));
    found.map(|&(_, meaning)| meaning).ok_or_else(|| {
        let names: Vec<_> = of.iter().map(|(name, _)| format!("{name:?}")).collect();
        refused(argument, format!("it is {value:?}; {} was expected", names.join(" or ")))
    })
}

fn mask<'py>(value: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<Mask<'py>> {
    if let Ok(mask) = value.extract::<u32>() {
        return Ok(Mask::Same(mask));
    }
    Ok(Mask::Each(ids_of_shape("mask", value, shape, false)?))
}

fn ids_of_shape<'py>(
    argument: &str,
    value: &Bound<'py, PyAny>,
    shape: &[usize],
    none: bool,
) -> PyResult<Ids<'py>> {
    let ids = Ids::of(argument, value, none)?;
    if ids.shape() == shape {
        return Ok(ids);
    }
    let [found, expected] = [ids.shape(), shape].map(crate::arrays::shown);
    Err(refused(argument, format!("its shape is {found}; {expected} was expected")))
}

/// One primitive for each ray: answers of an earlier call, or a tuple of geometry ids, primitive ids and perhaps instance ids.
fn skipped<'py>(value: &Bound<'py, PyAny>, shape: &[usize]) -> PyResult<[Option<Ids<'py>>; 3]> {
    let names = ["geometry_id", "primitive_id", "instance_id"];
    let mut ids = [None, None, None];
    for (place, name) in names.into_iter().enumerate() {
        let column = match value.cast::<PyTuple>() {
            Ok(tuple) if place < tuple.len() => Some(tuple.get_item(place)?),
            Ok(_) => None,
            Err(_) => value.getattr_opt(name)?.filter(|column| !column.is_none()),
        };
        let column = column.map(|column| ids_of_shape(&format!("skip: {name}"), &column, shape, true));
        ids[place] = column.transpose()?;
    }
    if ids[..2].iter().any(Option::is_none) {
        let problem = "answers of an earlier call, or (geometry_ids, primitive_ids) with or without instance_ids, were expected";
        return Err(refused("skip", problem));
    }
    Ok(ids)
}

const _: () = assert!(INVALID_ID == u32::MAX, "what Python calls INVALID_ID");

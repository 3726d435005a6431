//! The arguments of queries of rays.

use crate::arrays::{Ids, Number, Out, PerRow, Table};
use crate::errors::{raised, refused};
use crate::run::{Machine, run};
use lanecast::cast::RaysOf;
use lanecast::{
    Cast, CastOptions, Coherence, Contact, Culling, INVALID_ID, RayBatch, Scene, Status, Threads, Watch,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// Rays as they were given: one array, or two; with intervals of their own, in two of the eight columns or as arguments.
struct Rays<'py, T: Number> {
    origins: Table<'py, T>,
    /// None: in the columns of the origins, from the fourth on.
    directions: Option<Table<'py, T>>,
    t_min: PerRow<'py, T>,
    t_max: PerRow<'py, T>,
}

impl<'py, T: Number> Rays<'py, T> {
    fn of(
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        [t_min, t_max]: [Option<&Bound<'py, PyAny>>; 2],
    ) -> PyResult<Self> {
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
        let (origins, directions) = match directions {
            None => (Table::of("rays", &origins, &[6, 8])?, None),
            Some(directions) => {
                let (origins, directions) =
                    (Table::of("origins", &origins, &[3])?, Table::of("directions", &directions, &[3])?);
                if origins.shape() != directions.shape() {
                    let [rows, other] = [directions.shape(), origins.shape()].map(crate::arrays::shown);
                    let problem = format!("there are {rows} of them, and {other} origins");
                    return Err(refused("directions", problem));
                }
                (origins, Some(directions))
            }
        };
        if origins.width() == 8 && (t_min.is_some() || t_max.is_some()) {
            let problem = "rays of eight columns have t_min and t_max in the last two";
            return Err(refused(if t_min.is_some() { "t_min" } else { "t_max" }, problem));
        }
        let interval = |name, value: Option<&Bound<'py, PyAny>>, default| {
            value.map_or(Ok(PerRow::Same(default)), |value| PerRow::of(name, value, origins.shape()))
        };
        let (t_min, t_max) = (interval("t_min", t_min, T::ZERO)?, interval("t_max", t_max, T::INFINITY)?);
        Ok(Self { origins, directions, t_min, t_max })
    }

    fn rows(&self) -> usize {
        self.origins.shape().iter().product()
    }

    fn batch(&self) -> PyResult<RayBatch<'_, T>> {
        let direction =
            self.directions.as_ref().map_or_else(|| self.origins.vector(3), |table| table.vector(0))?;
        let rays = RayBatch::from_strided(self.origins.vector(0)?, direction).map_err(raised)?;
        let (t_min, t_max) = match self.origins.width() {
            8 => (self.origins.column(6)?, self.origins.column(7)?),
            _ => (self.t_min.column(rays.len())?, self.t_max.column(rays.len())?),
        };
        rays.with_intervals(t_min, t_max).map_err(raised)
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
        let given = |name: &str| options.map_or(Ok(None), |options| options.get_item(name));
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
            "brute_force" => self.brute_force = value.extract()?,
            "normals" => self.normals = value.extract()?,
            "invalid" => self.raises = one_of(name, value, &[("raise", true), ("miss", false)])?,
            "mask" if value.is_none() => {}
            "mask" => self.mask = Some(mask(value, self.shape())?),
            "skip" if value.is_none() => {}
            "skip" => self.skip = Some(skipped(value, self.shape())?),
            "out" => self.out = (!value.is_none()).then(|| value.clone()),
            _ => {}
        }
        Ok(())
    }

    /// The dimensions of the answers.
    pub(crate) fn shape(&self) -> &[usize] {
        self.rays.origins.shape()
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

    /// The rays.
    pub(crate) fn batch(&self) -> PyResult<RayBatch<'_, T>> {
        self.rays.batch()
    }

    /// The same rays from −∞ on, unless they come with a `t_min`.
    pub(crate) fn into_lines(mut self, options: Option<&Bound<'py, PyDict>>) -> PyResult<Self> {
        if !options.map_or(Ok(false), |options| options.contains("t_min"))? {
            self.rays.t_min = PerRow::Same(T::NEG_INFINITY);
        }
        Ok(self)
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
        let rays = self.rays.batch()?;
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
        run(self.py, &self.machine, rays.len(), |threads: &Threads, watch: Option<&Watch<'_>>| {
            let mut cast = scene.cast(&rays).with(&options).threads(threads);
            if let Some(watch) = watch {
                cast = cast.watch(watch);
            }
            query(cast)
        })
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

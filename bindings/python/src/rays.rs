//! Rays as they are given: arrays, columns by name, or a maker.

use crate::arrays::{PerRow, Table, array_of, broadcast_shapes, shown, split};
use crate::errors::{raised, refused};
use crate::gathered::{Gathered, Numbers, is_gathered};
use crate::makers::{PyMaker, maker_of};
use crate::number::Number;
use lanecast::{Maker, Ray, RayBatch};
use numpy::PyUntypedArray;
use numpy::prelude::*;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::cell::Cell;

/// Rays as they were given.
enum Source<'py, T: Number> {
    /// In two arrays, or in one: then directions and perhaps intervals are in the columns of the
    /// origins, from the fourth on.
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

/// What makes rays, and their interval.
pub(crate) type Made<'a, T> = (&'a dyn Maker<Ray<T>>, [T; 2]);

/// What is done with a batch of rays.
type Then<'a, T> = dyn FnMut(&RayBatch<'_, T>, Option<Made<'_, T>>) -> PyResult<()> + 'a;

/// Rays, and intervals given as arguments.
pub(crate) struct Rays<'py, T: Number> {
    source: Source<'py, T>,
    /// The dimensions of answers.
    pub(crate) shape: Vec<usize>,
    intervals: Option<[PerRow<'py, T>; 2]>,
    /// By how much rounding moved a coordinate of an origin that was gathered.
    moved: Cell<f64>,
}

impl<'py, T: Number> Source<'py, T> {
    fn of(rays: &Bound<'py, PyAny>, directions: Option<&Bound<'py, PyAny>>) -> PyResult<Self> {
        if !rays.is_instance_of::<PyUntypedArray>()
            && let Some(maker) = maker_of(rays)?
        {
            if directions.is_some() {
                return Err(refused(
                    "directions",
                    "the rays are made, and have directions of their own",
                ));
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
        let broadcast = directions.as_ref().map(|directions| broadcast(&origins, directions));
        let (origins, directions) = match broadcast.transpose()?.flatten() {
            Some([origins, directions]) => (origins, Some(directions)),
            None => (origins, directions),
        };
        let (name, widths): (_, &[usize]) =
            if directions.is_some() { ("origins", &[3]) } else { ("rays", &[6, 8]) };
        let arrays = [Some(&origins), directions.as_ref()];
        if arrays.into_iter().flatten().any(is_gathered::<T>) {
            let numbers = Numbers::of(name, &origins, widths)?;
            let other =
                directions.as_ref().map(|directions| Numbers::of("directions", directions, &[3]));
            match (numbers, other.transpose()?) {
                (Some(origins), None) => return Ok(Self::Gathered { origins, directions: None }),
                (Some(origins), Some(Some(directions))) => {
                    return Ok(Self::Gathered { origins, directions: Some(directions) });
                }
                _ => {}
            }
        }
        let origins = Table::of(name, &origins, widths)?;
        let directions =
            directions.map(|directions| Table::of("directions", &directions, &[3])).transpose()?;
        Ok(Self::Stored { origins, directions })
    }

    fn columns(given: &Bound<'py, PyDict>) -> PyResult<Self> {
        let of_name = |name: &str| {
            given
                .get_item(name)?
                .ok_or_else(|| refused("rays", format!("there is no column {name:?}")))
        };
        for name in given.keys() {
            let name: String = name.extract()?;
            if !COLUMNS.contains(&&*name) {
                let problem =
                    format!("{name:?} is no column of rays; they are {}", COLUMNS.join(", "));
                return Err(refused("rays", problem));
            }
        }
        let mut shape = Vec::new();
        for name in COLUMNS {
            let argument = format!("rays['{name}']");
            let array = array_of(&argument, &of_name(name)?)?;
            shape = broadcast_shapes(&shape, array.shape()).ok_or_else(|| {
                let [found, others] = [array.shape(), &shape].map(shown);
                let problem =
                    format!("its shape is {found}, which does not broadcast with {others}");
                refused(&argument, problem)
            })?;
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

/// Origins and directions as arrays of one shape, as NumPy broadcasts them; None if they are such.
fn broadcast<'py>(
    origins: &Bound<'py, PyAny>,
    directions: &Bound<'py, PyAny>,
) -> PyResult<Option<[Bound<'py, PyAny>; 2]>> {
    let given = (origins.cast::<PyUntypedArray>(), directions.cast::<PyUntypedArray>());
    if let (Ok(origins), Ok(directions)) = given
        && origins.shape() == directions.shape()
    {
        return Ok(None);
    }
    let (origins, directions) =
        (array_of("origins", origins)?, array_of("directions", directions)?);
    if origins.shape() == directions.shape() {
        return Ok(Some([origins.into_any(), directions.into_any()]));
    }
    let [rows, other] = [("directions", &directions), ("origins", &origins)]
        .map(|(name, array)| split(name, array.shape(), &[3]).map(|(rows, _)| shown(rows)));
    let (other, rows) = (other?, rows?);
    let numpy = PyModule::import(origins.py(), "numpy")?;
    let both = numpy.call_method1("broadcast_arrays", (&origins, &directions)).map_err(|_| {
        refused("directions", format!("there are {rows} of them, and {other} origins"))
    })?;
    Ok(Some([both.get_item(0)?, both.get_item(1)?]))
}

impl<'py, T: Number> Rays<'py, T> {
    pub(crate) fn of(
        rays: &Bound<'py, PyAny>,
        directions: Option<&Bound<'py, PyAny>>,
        [t_min, t_max]: [Option<&Bound<'py, PyAny>>; 2],
    ) -> PyResult<Self> {
        let source = Source::of(rays, directions)?;
        let shape = source.shape().to_vec();
        if t_min.is_none() && t_max.is_none() {
            return Ok(Self { source, shape, intervals: None, moved: Cell::new(0.0) });
        }
        if source.has_intervals() {
            let problem = "rays of eight columns have t_min and t_max in the last two";
            return Err(refused(if t_min.is_some() { "t_min" } else { "t_max" }, problem));
        }
        let interval = |name, value: Option<&Bound<'py, PyAny>>, default| {
            value.map_or(Ok(PerRow::Same(default)), |value| PerRow::of(name, value, &shape))
        };
        let intervals =
            Some([interval("t_min", t_min, T::ZERO)?, interval("t_max", t_max, T::INFINITY)?]);
        Ok(Self { source, shape, intervals, moved: Cell::new(0.0) })
    }

    pub(crate) fn rows(&self) -> usize {
        self.shape.iter().product()
    }

    /// The name of the argument of origins.
    pub(crate) const fn argument(&self) -> &'static str {
        match &self.source {
            Source::Stored { directions: Some(_), .. }
            | Source::Gathered { directions: Some(_), .. } => "origins",
            _ => "rays",
        }
    }

    /// Whether they are [gathered](crate::gathered) while they are cast.
    pub(crate) const fn are_gathered(&self) -> bool {
        matches!(self.source, Source::Gathered { .. })
    }

    /// By how much rounding moved a coordinate of an origin at most, of the rays that were
    /// gathered.
    pub(crate) const fn moved(&self) -> f64 {
        self.moved.get()
    }

    /// The maker of rays that are made.
    pub(crate) fn maker(&self) -> Option<&PyMaker> {
        if let Source::Made(maker) = &self.source { Some(maker.get()) } else { None }
    }

    /// Calls a function with the rays as a batch, and with their maker and interval, if one makes
    /// them and the other is the same for all.
    pub(crate) fn with<R>(
        &self,
        py: Python<'py>,
        then: impl FnOnce(&RayBatch<'_, T>, Option<Made<'_, T>>) -> PyResult<R>,
    ) -> PyResult<R> {
        let (mut then, mut done) = (Some(then), None);
        self.call(py, &mut |rays, made| {
            done = then.take().map(|then| then(rays, made)).transpose()?;
            Ok(())
        })?;
        Ok(done.expect("it was called"))
    }

    /// The same with a function of one type, so that this is compiled once.
    fn call(&self, py: Python<'py>, then: &mut Then<'_, T>) -> PyResult<()> {
        match &self.source {
            Source::Stored { origins, directions } => {
                let direction = directions
                    .as_ref()
                    .map_or_else(|| origins.vector(3), |table| table.vector(0))?;
                let rays = RayBatch::from_strided(origins.vector(0)?, direction).map_err(raised)?;
                if origins.width() == 8 {
                    let rays = rays.with_intervals(origins.column(6)?, origins.column(7)?);
                    return then(&rays.map_err(raised)?, None);
                }
                then(&self.within(rays)?, None)
            }
            Source::Gathered { origins, directions } => {
                let gathered = Gathered::of(origins, directions.as_ref());
                then(&self.within(RayBatch::made(&gathered))?, None)?;
                self.moved.set(gathered.moved());
                Ok(())
            }
            Source::Columns(columns, _) => {
                let column = |place: usize| columns[place].column(self.rows());
                let origin = [column(0)?, column(1)?, column(2)?];
                let rays = RayBatch::from_strided(origin, [column(3)?, column(4)?, column(5)?]);
                then(&self.within(rays.map_err(raised)?)?, None)
            }
            Source::Made(maker) => {
                let interval = match self.intervals {
                    None => Some([T::ZERO, T::INFINITY]),
                    Some([PerRow::Same(t_min), PerRow::Same(t_max)]) => Some([t_min, t_max]),
                    Some(_) => None,
                };
                maker.get().with::<T>(py, &mut |maker| {
                    then(
                        &self.within(RayBatch::made(maker))?,
                        interval.map(|interval| (maker, interval)),
                    )
                })
            }
        }
    }

    /// The same rays from −∞ on, unless they have a `t_min` of their own.
    pub(crate) fn into_lines(self) -> Self {
        if self.source.has_intervals() {
            return self;
        }
        let t_max = self.intervals.map_or(PerRow::Same(T::INFINITY), |[_, t_max]| t_max);
        Self { intervals: Some([PerRow::Same(T::NEG_INFINITY), t_max]), ..self }
    }

    fn within<'r>(&'r self, rays: RayBatch<'r, T>) -> PyResult<RayBatch<'r, T>> {
        let Some([t_min, t_max]) = &self.intervals else { return Ok(rays) };
        let rows = rays.len();
        rays.with_intervals(t_min.column(rows)?, t_max.column(rows)?).map_err(raised)
    }
}

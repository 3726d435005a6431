//! What is computed of grids of heights, for the functions of `terrain.py`.

use crate::arrays::{Vectors, floats};
use crate::errors::refused;
use crate::out::shaped;
use crate::run::{Machine, UNKNOWN, run};
use lanecast::{CastOptions, Progress, SceneBuilder, Watch};
use lanecast_makers::Sun;
use lanecast_terrain::{Plane, Sight, Terrain, View};
use numpy::prelude::*;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Asks the terrain of heights of shape (rows, columns) whose first pixel has its centre where the
/// transform says, on the machine that `call` describes; the shape.
fn ask<'py, R: Send>(
    heights: &Bound<'py, PyAny>,
    transform: [f64; 6],
    call: &Bound<'py, PyDict>,
    ask: impl FnOnce(&Terrain, &CastOptions<'_, f64>, &Watch<'_>) -> lanecast::Result<R> + Send,
) -> PyResult<(R, [usize; 2])> {
    let mut machine = Machine::default();
    for (name, value) in call {
        machine.take(&name.extract::<String>()?, &value)?;
    }
    let array = floats::<f64>("heights", heights)?;
    let &[rows, columns] = array.shape() else { unreachable!("of two dimensions by then") };
    let heights: Vec<f64> = array.as_array().iter().copied().collect();
    let backend = machine.backend;
    let answers = run(call.py(), &machine, UNKNOWN, |threads, watch| {
        // Who waits is told of rays, and not of the build before.
        let building = |_: Progress| watch(Progress { done: 0, total: 0 });
        let builder = SceneBuilder::<f64>::default().threads(threads).watch(&building);
        let options = CastOptions::new().threads(threads);
        let (builder, options) = match backend {
            Some(backend) => (builder.backend(backend), options.backend(backend)),
            None => (builder, options),
        };
        let terrain = Terrain::new(&heights, [rows, columns], transform, builder)?;
        ask(&terrain, &options, watch)
    })?;
    Ok((answers, [rows, columns]))
}

/// For each pixel how many observers see it, or a bit for each; and the first observer that does
/// not stand on the terrain.
#[pyfunction]
#[pyo3(name = "_viewshed")]
pub(crate) fn viewshed<'py>(
    heights: &Bound<'py, PyAny>,
    transform: [f64; 6],
    observers: &Bound<'py, PyAny>,
    observer_height: f64,
    sight: (f64, f64),
    bits: bool,
    call: &Bound<'py, PyDict>,
) -> PyResult<(Bound<'py, PyAny>, Option<usize>)> {
    let points = Vectors::<f64>::of("observers", observers)?;
    let places: Vec<[f64; 2]> = points.rows()?.iter().map(|[x, y, _]| [*x, *y]).collect();
    let sight = Sight { target_height: sight.0, max_distance: sight.1 };
    let ((seen, beside), shape) = ask(heights, transform, call, |terrain, options, watch| {
        let eyes = terrain.eyes(&places, observer_height, options)?;
        let beside = eyes.iter().position(Option::is_none);
        let seen = match bits {
            true => terrain.viewshed_bits(&eyes, &sight, options, watch),
            false => terrain.viewshed_counts(&eyes, &sight, options, watch),
        };
        Ok((seen?.pixels, beside))
    })?;
    Ok((shaped(heights.py(), seen, &shape)?, beside))
}

/// Elevations of shape (azimuths, rows, columns).
#[pyfunction]
#[pyo3(name = "_horizon")]
#[expect(clippy::needless_pass_by_value, reason = "extracted from a list of Python")]
pub(crate) fn horizon<'py>(
    heights: &Bound<'py, PyAny>,
    transform: [f64; 6],
    azimuths: Vec<f64>,
    view: (f64, f64, f64),
    call: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let view = view_of(view);
    let (found, [rows, columns]) = ask(heights, transform, call, |terrain, options, watch| {
        terrain.horizon(&azimuths, &view, options, watch)
    })?;
    shaped(heights.py(), found, &[azimuths.len(), rows, columns])
}

#[pyfunction]
#[pyo3(name = "_sky_view")]
pub(crate) fn sky_view<'py>(
    heights: &Bound<'py, PyAny>,
    transform: [f64; 6],
    azimuths: usize,
    plane: &str,
    view: (f64, f64, f64),
    call: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let view = view_of(view);
    let plane = match plane {
        "horizontal" => Plane::Horizontal,
        "surface" => Plane::Surface,
        _ => {
            let problem = format!("it is {plane:?}; \"horizontal\" or \"surface\" was expected");
            return Err(refused("plane", problem));
        }
    };
    let (found, shape) = ask(heights, transform, call, |terrain, options, watch| {
        terrain.sky_view(azimuths, plane, &view, options, watch)
    })?;
    shaped(heights.py(), found, &shape)
}

/// Hours of suns, each an azimuth, an altitude and the hours for which it stands there.
#[pyfunction]
#[pyo3(name = "_sun_hours")]
pub(crate) fn sun_hours<'py>(
    heights: &Bound<'py, PyAny>,
    transform: [f64; 6],
    suns: Vec<(f64, f64, f64)>,
    height: f64,
    call: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyAny>> {
    let sun = |(azimuth, altitude, hours): (f64, f64, f64)| (Sun { azimuth, altitude }, hours);
    let suns: Vec<_> = suns.into_iter().map(sun).collect();
    let (found, shape) = ask(heights, transform, call, |terrain, options, watch| {
        terrain.sun_hours(&suns, height, options, watch)
    })?;
    shaped(heights.py(), found, &shape)
}

fn view_of((height, max_distance, tolerance): (f64, f64, f64)) -> View {
    View { height, max_distance, tolerance }
}

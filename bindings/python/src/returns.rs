//! What a scanner measures: the returns of its pulses, by a receiver as `_lidar.py` describes it.

use crate::arrays::{index_of, numbers, shown};
use crate::current::Now;
use crate::errors::{one_of, plain, raised, refused};
use crate::fields::Fields;
use crate::number::Number;
use crate::options::Options;
use crate::out::{answer, codes_of, shaped};
use crate::request::Request;
use crate::scene::{PyScene, with_scene};
use crate::views::offsets;
use lanecast::{Error, HitBatch, RayBatch, Scene};
use lanecast_makers::{
    Geometries, Keep, Lidar, Measured, NotUnit, Receiver, Reflectance, ReturnBatch,
};
use numpy::{Element, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// About so many rays are cast at a time: a chunk of the engine, or fewer, for all threads to have
/// some.
const PIECE: std::ops::RangeInclusive<usize> = 1 << 12..=1 << 15;

/// What the class of `_lidar.py` makes of its fields.
#[pyclass(name = "Receiver", module = "lanecast._lanecast", frozen)]
pub(crate) struct PyReceiver {
    receiver: Receiver<'static>,
    reflectance: Told,
    /// The constant part of the noise, and the part that grows with distances.
    #[pyo3(get)]
    range_noise: (f64, f64),
}

/// Reflectances as they are given.
enum Told {
    Even(f64),
    ById(Vec<f64>),
    ByKey(Vec<(Key, Vec<f64>)>),
}

/// A geometry by its name or its id.
enum Key {
    Name(String),
    Id(u32),
}

impl Key {
    fn geometries(&self) -> Geometries<'_> {
        match self {
            Self::Name(name) => Geometries::Named(name),
            Self::Id(id) => Geometries::Id(*id),
        }
    }

    fn shown(&self) -> String {
        match self {
            Self::Name(name) => format!("reflectance[{name:?}]"),
            Self::Id(id) => format!("reflectance[{id}]"),
        }
    }
}

impl Told {
    fn new(of: &Fields<'_, '_>) -> PyResult<Self> {
        let (name, value) = ("reflectance", of.value("reflectance")?);
        let checked = |place: &str, value: f64| {
            let problem = || format!("it is {value}; it must be from 0 to 1");
            (0.0..=1.0).contains(&value).then_some(value).ok_or_else(|| refused(place, problem()))
        };
        let all_checked = |place: &str, values: Vec<f64>| {
            for (row, &value) in values.iter().enumerate() {
                checked(&format!("{place}[{row}]"), value)?;
            }
            Ok::<_, PyErr>(values)
        };
        if let Ok(dict) = value.cast::<PyDict>() {
            let pair = |(key, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
                let key = plain(&key).map(Key::Name).or_else(|| plain(&key).map(Key::Id));
                let expected = "names and ids of geometries were expected as keys";
                let key = key.ok_or_else(|| PyTypeError::new_err(format!("{name}: {expected}")))?;
                let place = key.shown();
                let values = numbers(&place, &value)?;
                let all = values.as_array().iter().copied().collect();
                let values = match values.shape() {
                    [] => vec![checked(&place, values.as_array()[[].as_slice()])?],
                    [_] => all_checked(&place, all)?,
                    shape => {
                        let expected = "a number, or one for each primitive, was expected";
                        let problem = format!("its shape is {}; {expected}", shown(shape));
                        return Err(refused(&place, problem));
                    }
                };
                Ok((key, values))
            };
            return Ok(Self::ByKey(dict.iter().map(pair).collect::<PyResult<_>>()?));
        }
        let numbers = of.numbers(name)?;
        let values: Vec<f64> = numbers.as_array().iter().copied().collect();
        match (numbers.shape(), &*values) {
            ([], &[even]) => Ok(Self::Even(checked(name, even)?)),
            ([_], _) => Ok(Self::ById(all_checked(name, values)?)),
            (shape, _) => {
                let expected = "a number, one for each geometry, or a dict was expected";
                Err(refused(name, format!("its shape is {}; {expected}", shown(shape))))
            }
        }
    }

    /// Of the geometries of a scene; none where all scatter everything.
    fn meaning<T: Number>(&self, scene: &Scene<T>) -> PyResult<Option<Reflectance>> {
        let reflectance = match self {
            Self::Even(1.0) => return Ok(None),
            Self::Even(even) => Reflectance::even(*even),
            Self::ById(values) => Reflectance::by_id(scene, values),
            Self::ByKey(pairs) => {
                let rows: Vec<_> =
                    pairs.iter().map(|(key, values)| (key.geometries(), &**values)).collect();
                return match Reflectance::of_geometries(scene, &rows) {
                    Err(Error::UnusableRow { row, problem, .. }) => {
                        Err(refused(&pairs[row].0.shown(), problem))
                    }
                    found => found.map(Some).map_err(raised),
                };
            }
        };
        reflectance.map(Some).map_err(raised)
    }
}

#[pymethods]
impl PyReceiver {
    #[new]
    fn new(described: &Bound<'_, PyAny>) -> PyResult<Self> {
        let of = Fields(described);
        let noise = of.numbers("range_noise")?;
        let range_noise =
            match (noise.shape(), &*noise.as_array().iter().copied().collect::<Vec<_>>()) {
                ([], &[constant]) => (constant, 0.0),
                ([2], &[constant, part]) => (constant, part),
                (shape, _) => {
                    let problem =
                        format!("its shape is {}; a number or two were expected", shown(shape));
                    return Err(refused("range_noise", problem));
                }
            };
        let (range, resolution) = (of.number("reference_range")?, of.number("resolution")?);
        let kept = [
            ("strongest", Keep::Strongest),
            ("first", Keep::First),
            ("last", Keep::Last),
            ("all", Keep::All),
        ];
        let receiver = Receiver::new().seed(of.whole("seed")?).keep(one_of(
            "keep",
            &of.value("keep")?,
            &kept,
        )?);
        let receiver = receiver.range_noise(range_noise.0, range_noise.1);
        let receiver = receiver.and_then(|receiver| receiver.reference_range(range));
        let receiver = receiver.and_then(|receiver| receiver.resolution(resolution));
        let receiver = receiver.map_err(raised)?;
        Ok(Self { receiver, reflectance: Told::new(&of)?, range_noise })
    }
}

/// What is measured of some pulses.
struct Piece<T> {
    /// The codes of the statuses of their rays.
    codes: Vec<u8>,
    /// How many returns each has.
    counts: Vec<usize>,
    rows: Vec<Measured<T>>,
    /// What is wrong with the first of the rays with returns whose direction is not of length 1.
    not_unit: Option<NotUnit>,
}

impl<T: Number> Piece<T> {
    /// The returns of pulses whose first ray has this number.
    fn of(
        first: usize,
        rays: &RayBatch<'_, T>,
        hits: &HitBatch<T>,
        returns: &ReturnBatch<T>,
    ) -> Self {
        let counts = (0..returns.len()).map(|pulse| returns.of_pulse(pulse).len()).collect();
        let (rows, not_unit) = match returns.measured(rays, hits) {
            Ok(rows) => (rows, None),
            Err(NotUnit { row, length }) => {
                (Vec::new(), Some(NotUnit { row: first + row, length }))
            }
        };
        Self { codes: codes_of(hits.status()), counts, rows, not_unit }
    }
}

fn lidar_returns<'py, T: Number>(
    scene: &Now<'_, T>,
    rays: &Bound<'py, PyAny>,
    receiver: Option<&Bound<'py, PyAny>>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let made = receiver.map_or(Ok(None), |receiver| receiver.getattr_opt("_receiver"))?;
    let made = made.as_ref().map(|made| made.cast::<PyReceiver>());
    let (receiver, reflectance) = match (receiver, made) {
        (None, _) => (Receiver::new(), None),
        (Some(_), Some(Ok(made))) => {
            let PyReceiver { receiver, reflectance, .. } = made.get();
            (*receiver, reflectance.meaning(scene)?)
        }
        _ => return Err(PyTypeError::new_err("receiver: a lanecast.Receiver was expected")),
    };
    let receiver = match &reflectance {
        Some(reflectance) => receiver.reflectance(reflectance),
        None => receiver,
    };
    let request = Request::of(scene, rays, None, options)?;
    let (py, shape, weights) = (request.py(), request.shape(), request.weights()?);
    let width = weights.len();
    let rows_of_piece =
        (request.rows() / 16).clamp(*PIECE.start(), *PIECE.end()).next_multiple_of(width);
    let pieces = request.cast_pieces(rows_of_piece, |first, rays, cast| {
        let hits = cast.geometric_normals(true).closest()?;
        let returns = receiver.returns(first / width, &weights, rays, &hits)?;
        Ok(Piece::of(first, rays, &hits, &returns))
    })?;
    let codes: Vec<u8> = pieces.iter().flat_map(|piece| &piece.codes).copied().collect();
    request.check(&codes)?;
    if let Some(problem) = pieces.iter().find_map(|piece| piece.not_unit) {
        let argument = format!("rays{}", index_of(problem.row, shape));
        return Err(refused(&argument, problem));
    }
    let mut ends = vec![0];
    for count in pieces.iter().flat_map(|piece| &piece.counts) {
        ends.push(ends[ends.len() - 1] + count);
    }
    let points: Vec<_> = pieces.iter().flat_map(|piece| &piece.rows).map(|row| row.point).collect();
    let of_points = [points.len(), 3];
    let mut columns = vec![
        shaped(py, codes, shape)?,
        offsets(py, &ends),
        column(py, &pieces, |row| row.distance),
        shaped(py, points.into_flattened(), &of_points)?,
        column(py, &pieces, |row| row.number),
        column(py, &pieces, |row| row.count),
        column(py, &pieces, |row| row.incidence),
        column(py, &pieces, |row| row.intensity),
        column(py, &pieces, |row| row.primitive_id),
        column(py, &pieces, |row| row.geometry_id),
        column(py, &pieces, |row| row.instance_id),
    ];
    if let Some(scanner) = request.scanner() {
        columns.extend(fired(py, scanner, &ends));
    }
    answer(py, "Returns", PyTuple::new(py, columns)?)
}

/// One number of each return.
fn column<'py, T, V: Element>(
    py: Python<'py>,
    pieces: &[Piece<T>],
    of: impl Fn(&Measured<T>) -> V,
) -> Bound<'py, PyAny> {
    let numbers = pieces.iter().flat_map(|piece| &piece.rows).map(of).collect();
    numpy::PyArray1::from_vec(py, numbers).into_any()
}

/// When each return was fired, by which beam and at which azimuth; those of each pulse end there.
fn fired<'py>(py: Python<'py>, scanner: &Lidar, ends: &[usize]) -> [Bound<'py, PyAny>; 3] {
    let returns = ends[ends.len() - 1];
    let (mut time, mut azimuth) = (Vec::with_capacity(returns), Vec::with_capacity(returns));
    let mut beam = Vec::with_capacity(returns);
    for (pulse, of_pulse) in ends.windows(2).enumerate().filter(|(_, ends)| ends[0] < ends[1]) {
        let fired = scanner.pulse(pulse);
        time.resize(of_pulse[1], fired.time);
        beam.resize(of_pulse[1], fired.beam as u32);
        azimuth.resize(of_pulse[1], fired.azimuth);
    }
    [
        numpy::PyArray1::from_vec(py, time).into_any(),
        numpy::PyArray1::from_vec(py, beam).into_any(),
        numpy::PyArray1::from_vec(py, azimuth).into_any(),
    ]
}

#[pymethods]
impl PyScene {
    #[doc = signature!(lidar_returns)]
    /// What a scanner measures of the scene: the returns of its pulses, with the errors that its
    /// receiver makes.
    ///
    /// - `rays`: a maker, such as `Lidar`, of which each ray is a pulse, or `Footprint`, of which
    ///   the rays of each cone are one; or rays as of `closest_hit`, each a pulse. Directions have
    ///   length 1, so that `t` is the distance.
    /// - `receiver`: a `Receiver`; None for one without errors, which keeps the strongest return.
    /// - `t_min`, `t_max`: the nearest and farthest that is measured, both included; these and all
    ///   further arguments are as of `closest_hit`.
    ///
    /// Returns `Returns`: those of pulse i are in the rows `offsets[i]:offsets[i + 1]`, with the
    /// times, beams and azimuths of `Lidar.pulses()` where the rays are of a `Lidar` or of a
    /// `Footprint` of one; `Returns.save` writes them to a file. Answers depend on the seed of the
    /// receiver and the number of the pulse, and are the same bits on every machine, for any number
    /// of threads. Rays are not stored.
    ///
    /// Raises ValueError for the first direction of a pulse with returns that is not of length 1,
    /// by its row, and for a reflectance of a geometry that is not there, TypeError for what is no
    /// receiver, and else as `closest_hit` does.
    ///
    /// >>> import lanecast
    /// >>> wall = [[-9, 10, -9], [9, 10, -9], [9, 10, 9], [-9, 10, 9]]
    /// >>> post = [[-9, 4, -9], [0, 4, -9], [0, 4, 9], [-9, 4, 9]]  # before its left half
    /// >>> sides = [[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]]
    /// >>> scene = lanecast.Scene(wall + post, sides)
    /// >>> lidar = lanecast.Lidar([0.0], steps=4)  # ahead, to the right, back, to the left
    /// >>> scene.lidar_returns(lidar).distance.tolist()
    /// [4.0]
    /// >>> beams = lanecast.Footprint(lidar, divergence=3, number=19)
    /// >>> receiver = lanecast.Receiver(0.02, resolution=0.5, keep="all", seed=1)
    /// >>> returns = scene.lidar_returns(beams, receiver)
    /// >>> returns.pulse.tolist(), returns.distance.round(1).tolist()
    /// ([0, 0], [4.0, 10.0])
    /// >>> returns.azimuth.tolist(), returns.incidence.round(1).tolist()
    /// ([0.0, 0.0], [0.0, 0.0])
    /// >>> returns.offsets.tolist()
    /// [0, 2, 2, 2, 2]
    #[pyo3(signature = (rays, receiver=None, **options), text_signature = None)]
    fn lidar_returns<'py>(
        &self,
        rays: &Bound<'py, PyAny>,
        receiver: Option<&Bound<'py, PyAny>>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(lidar_returns, options)?;
        with_scene!(&self.content, scene => lidar_returns(scene, rays, receiver, &options))
    }
}

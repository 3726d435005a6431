//! Rays that are made while they are cast: cameras, scanners and light, as the classes of
//! `_makers.py`, `_lidar.py` and `_light.py` describe them.

use crate::arrays::{Vectors, array_of, shown};
use crate::errors::{extracted, one_of, raised, refused};
use crate::fields::Fields;
use crate::number::{Number, Whole};
use lanecast::support::with_default_float_mode;
use lanecast::{Error, Maker, Ray};
use lanecast_makers::{
    Beam, Footprint, Grid, Hemisphere, Lidar, Panorama, Pinhole, Pose, Prism, Shot, Spread, Sun,
    Sunlight, Utc,
};
use numpy::ndarray::{ArrayViewD, Axis};
use numpy::prelude::*;
use numpy::{IxDyn, PyArrayDyn};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// So many rays are made between two looks for signals.
const PIECE: usize = 1 << 16;

/// What is done with a maker.
type Then<'a, T> = dyn FnMut(&dyn Maker<Ray<T>>) -> PyResult<()> + 'a;

enum Kind {
    Whole(Whole),
    Footprint {
        beams: Py<PyMaker>,
        divergence: f64,
        rays: u32,
    },
    /// Arrays of points stay the caller's, and are read by each query in the precision of its
    /// scene.
    Hemisphere {
        points: Py<PyAny>,
        normals: Py<PyAny>,
        directions: u32,
        spread: Spread,
        seed: u64,
    },
    Sunlight {
        points: Py<PyAny>,
        directions: Vec<[f64; 3]>,
    },
}

/// What a maker of Python holds.
#[pyclass(name = "Maker", module = "lanecast._lanecast", frozen)]
pub(crate) struct PyMaker {
    kind: Kind,
    shape: Vec<usize>,
}

/// The maker that an argument holds, if it is one.
pub(crate) fn maker_of<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyMaker>>> {
    let made = value.getattr_opt("_made")?;
    Ok(made.map(Bound::cast_into::<PyMaker>).transpose()?)
}

impl PyMaker {
    fn whole(whole: Whole, shape: &[usize]) -> Self {
        Self { kind: Kind::Whole(whole), shape: shape.to_vec() }
    }

    fn picture(whole: Whole, [width, height]: [u32; 2]) -> Self {
        Self::whole(whole, &[height as usize, width as usize])
    }

    /// The dimensions of answers to the rays.
    pub(crate) fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Calls a function with the maker, in the precision of a scene.
    pub(crate) fn with<T: Number>(&self, py: Python<'_>, then: &mut Then<'_, T>) -> PyResult<()> {
        match &self.kind {
            Kind::Whole(whole) => then(&*T::maker(whole)),
            Kind::Footprint { beams, divergence, rays } => beams.get().with(py, &mut |beams| {
                let cones = Footprint::<T>::new(beams, *divergence, *rays);
                then(&cones.map_err(raised)?)
            }),
            Kind::Hemisphere { points, normals, directions, spread, seed } => {
                let (points, _) = Vectors::of_any_shape("points", points.bind(py))?;
                let (normals, _) = Vectors::of_any_shape("normals", normals.bind(py))?;
                let maker =
                    Hemisphere::<T>::new(points.rows()?, normals.rows()?, *directions, *spread);
                self.checked(&maker.map_err(raised)?.seed(*seed), then)
            }
            Kind::Sunlight { points, directions } => {
                let (points, _) = Vectors::of_any_shape("points", points.bind(py))?;
                self.checked(&Sunlight::<T>::new(points.rows()?, directions).map_err(raised)?, then)
            }
        }
    }

    /// The caller may have given its array another shape since.
    fn checked<T: Number>(
        &self,
        maker: &dyn Maker<Ray<T>>,
        then: &mut Then<'_, T>,
    ) -> PyResult<()> {
        if maker.len() != self.shape.iter().product::<usize>() {
            return Err(refused("points", "their number has changed since the maker was made"));
        }
        then(maker)
    }

    fn stored<'py, T: Number>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let array = PyArrayDyn::<T>::zeros(py, IxDyn(&[&*self.shape, &[6]].concat()), false);
        let mut filled = array.readwrite();
        let table = filled.as_slice_mut()?.as_chunks_mut::<6>().0;
        self.with::<T>(py, &mut |maker| {
            let mut rays = vec![Ray::new([T::ZERO; 3], [T::ZERO; 3]); PIECE.min(table.len())];
            for (piece, rows) in table.chunks_mut(PIECE).enumerate() {
                let rays = &mut rays[..rows.len()];
                py.detach(|| {
                    with_default_float_mode(|| maker.make(piece * PIECE, rays));
                    for (row, ray) in rows.iter_mut().zip(rays) {
                        let ([a, b, c], [d, e, f]) = (ray.origin, ray.direction);
                        *row = [a, b, c, d, e, f];
                    }
                });
                py.check_signals()?;
            }
            Ok(())
        })?;
        drop(filled);
        Ok(array.into_any())
    }

    /// The same maker, if it can be used.
    fn tried(self, py: Python<'_>, is_f64: bool) -> PyResult<Self> {
        match is_f64 {
            true => self.with::<f64>(py, &mut |_| Ok(()))?,
            false => self.with::<f32>(py, &mut |_| Ok(()))?,
        }
        Ok(self)
    }

    /// The scanner whose pulses are the rays, or those of whose beams the cones are.
    pub(crate) fn scanner(&self) -> Option<&Lidar> {
        match &self.kind {
            Kind::Footprint { beams, .. } => beams.get().lidar().ok(),
            _ => self.lidar().ok(),
        }
    }

    fn lidar(&self) -> PyResult<&Lidar> {
        if let Kind::Whole(Whole::Lidar(lidar)) = &self.kind { Ok(lidar) } else { Err(no_lidar()) }
    }
}

fn no_lidar() -> PyErr {
    PyTypeError::new_err("only a Lidar has pulses")
}

/// Rows of one of these widths, with those of `last` for numbers that are not there.
fn padded<const N: usize>(
    argument: &str,
    rows: &ArrayViewD<'_, f64>,
    widths: &[usize],
    expected: &str,
    last: [f64; N],
) -> PyResult<Vec<[f64; N]>> {
    if !matches!(rows.shape(), [_, width] if widths.contains(width)) {
        let shape = shown(rows.shape());
        return Err(refused(argument, format!("its shape is {shape}; {expected} was expected")));
    }
    let row = |row: ArrayViewD<'_, f64>| {
        let mut padded = last;
        padded.iter_mut().zip(row).for_each(|(number, &given)| *number = given);
        padded
    };
    Ok(rows.outer_iter().map(row).collect())
}

fn pinhole(of: &Fields<'_, '_>) -> PyResult<PyMaker> {
    let (fov, size) = (of.number("fov")?, of.size()?);
    let by_matrices = of.is_given("intrinsic")? || of.is_given("extrinsic")?;
    if by_matrices == (of.is_given("eye")? || of.is_given("target")?) {
        let expected = "either eye and target or intrinsic and extrinsic were expected";
        return Err(PyValueError::new_err(expected));
    }
    let camera = match by_matrices {
        true => Pinhole::from_matrices(of.matrix("intrinsic")?, of.matrix("extrinsic")?, size),
        false => {
            let [eye, target, up] = ["eye", "target", "up"].map(|name| of.vector(name));
            Pinhole::looking_at(eye?, target?, up?, fov, size)
        }
    };
    let camera = camera.map_err(raised)?;
    let is_unit = extracted("unit", &of.value("unit")?)?;
    Ok(PyMaker::picture(
        Whole::Pinhole(if is_unit { camera.unit_directions() } else { camera }),
        size,
    ))
}

fn panorama(of: &Fields<'_, '_>) -> PyResult<PyMaker> {
    let [eye, forward, up] = ["eye", "forward", "up"].map(|name| of.vector(name));
    let size = of.size()?;
    let camera = Panorama::new(eye?, forward?, up?, size).map_err(raised)?;
    Ok(PyMaker::picture(Whole::Panorama(camera), size))
}

fn orthographic(of: &Fields<'_, '_>) -> PyResult<PyMaker> {
    let [eye, target, up] = ["eye", "target", "up"].map(|name| of.vector(name));
    let (height, size) = (of.number("height")?, of.size()?);
    let grid = Grid::orthographic(eye?, target?, up?, height, size).map_err(raised)?;
    Ok(PyMaker::picture(Whole::Grid(grid), size))
}

fn grid(of: &Fields<'_, '_>) -> PyResult<PyMaker> {
    let (corner, direction, size) = (of.vector("corner")?, of.vector("direction")?, of.size()?);
    let grid = Grid::new(corner, of.matrix("edges")?, size, direction).map_err(raised)?;
    Ok(PyMaker::picture(Whole::Grid(grid), size))
}

/// A scanner with beams, and what a turn of it has: firings of beams.
fn scanner_of_beams(of: &Fields<'_, '_>) -> PyResult<(Lidar, Vec<usize>)> {
    let (beams, steps) = (of.numbers("beams")?, of.whole::<u32>("steps")?);
    let mut beams = beams.as_array();
    if beams.ndim() == 1 {
        beams = beams.insert_axis(Axis(1));
    }
    let beams = padded("beams", &beams, &[1, 2, 3], "(n, 1) or (n, 2) or (n, 3)", [0.0; 3])?;
    let beams: Vec<_> = beams
        .into_iter()
        .map(|[elevation, azimuth, delay]| Beam { elevation, azimuth, delay })
        .collect();
    let lidar = Lidar::new(&beams, steps).map_err(raised)?;
    Ok((lidar, vec![steps as usize, beams.len()]))
}

/// A scanner with a pattern, and what a turn of it has: shots.
fn scanner_of_pattern(of: &Fields<'_, '_>, seconds: f64) -> PyResult<(Lidar, Vec<usize>)> {
    let pattern = of.numbers("pattern")?;
    let rows = pattern.as_array();
    let rows = padded("pattern", &rows, &[2, 3, 4], "(n, 2) or (n, 3) or (n, 4)", [0.0; 4])?;
    let shot = |(row, [elevation, azimuth, time, beam]): (usize, [f64; 4])| {
        if !((0.0..=f64::from(u32::MAX)).contains(&beam) && beam.fract() == 0.0) {
            let expected = "a whole number from 0 to 4294967295 was expected";
            let problem = format!("the beam is {beam}; {expected}");
            return Err(refused(&format!("pattern[{row}]"), problem));
        }
        Ok(Shot { time, azimuth, elevation, beam: beam as u32 })
    };
    let mut shots = rows.into_iter().enumerate().map(shot).collect::<PyResult<Vec<_>>>()?;
    if let [_, 2] = pattern.shape() {
        Shot::spread(&mut shots, seconds);
    }
    Ok((Lidar::from_pattern(&shots).map_err(raised)?, vec![shots.len()]))
}

fn lidar(of: &Fields<'_, '_>) -> PyResult<PyMaker> {
    let (turns, seconds) = (of.whole::<u32>("turns")?, of.number("seconds")?);
    let (velocity, yaw_rate) = (of.vector("velocity")?, of.number("yaw_rate")?);
    let given = |name| of.is_given(name);
    let has_pattern = given("pattern")?;
    let by_beams = [given("beams")?, given("steps")?];
    if by_beams != [!has_pattern; 2] {
        let expected = "either beams and steps or pattern were expected";
        return Err(PyValueError::new_err(expected));
    }
    let (lidar, of_turn) = match has_pattern {
        true => scanner_of_pattern(of, seconds)?,
        false => scanner_of_beams(of)?,
    };
    let poses = of.numbers("poses")?;
    let poses = match poses.shape() {
        [3] => vec![Pose::standing(of.vector("poses")?)],
        _ => {
            let standing = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
            let expected = "(3,), (n, 4) or (n, 8)";
            padded("poses", &poses.as_array(), &[4, 8], expected, standing)?
                .into_iter()
                .map(|[time, x, y, z, rotation @ ..]| Pose { time, position: [x, y, z], rotation })
                .collect()
        }
    };
    let start = match of.is_given("start")? {
        true => of.number("start")?,
        false => poses.first().map(|pose| pose.time).unwrap_or_default(),
    };
    let swept = [given("sector")?, given("swath")?, given("prisms")?];
    if swept.iter().filter(|&&is_given| is_given).count() > 1 {
        let expected = "one of sector, swath and prisms was expected";
        return Err(PyValueError::new_err(expected));
    }
    let [has_sector, has_swath, has_prisms] = swept;
    let lidar = match has_sector {
        true => lidar.sector(of.vector("sector")?).map_err(raised)?,
        false => lidar,
    };
    let lidar = match has_swath {
        true => {
            let (angles, duty) = match of.numbers("swath")?.shape() {
                [2] => (of.vector("swath")?, 1.0),
                [3] => of.vector("swath").map(|[from, to, duty]| ([from, to], duty))?,
                shape => {
                    let problem =
                        format!("its shape is {}; (2,) or (3,) was expected", shown(shape));
                    return Err(refused("swath", problem));
                }
            };
            lidar.swath(angles, duty).map_err(raised)?
        }
        false => lidar,
    };
    let lidar = lidar.carried(&poses, start, seconds, turns).map_err(raised)?;
    let lidar = match has_prisms {
        true => {
            let rows = of.numbers("prisms")?;
            let rows = padded("prisms", &rows.as_array(), &[2, 3], "(n, 2) or (n, 3)", [0.0; 3])?;
            let prism = |[deflection, rate, phase]: [f64; 3]| Prism { deflection, rate, phase };
            let prisms: Vec<_> = rows.into_iter().map(prism).collect();
            lidar.prisms(&prisms).map_err(raised)?
        }
        false => lidar,
    };
    let stays = velocity == [0.0; 3];
    let lidar = match stays && yaw_rate == 0.0 {
        true => lidar,
        false => lidar.moving(velocity, yaw_rate).map_err(|error| match error {
            // The other one of the two was given.
            Error::UnusableField { maker, problem, .. } if stays => {
                raised(Error::UnusableField { maker, field: "yaw_rate", problem })
            }
            error => raised(error),
        })?,
    };
    Ok(PyMaker::whole(Whole::Lidar(lidar), &[&[turns as usize], &*of_turn].concat()))
}

fn footprint(of: &Fields<'_, '_>) -> PyResult<PyMaker> {
    let (divergence, rays) = (of.number("divergence")?, of.whole("number")?);
    let expected = || PyTypeError::new_err("beams: a maker of rays, such as a Lidar, was expected");
    let beams = maker_of(&of.value("beams")?)?.ok_or_else(expected)?;
    let shape = [beams.get().shape(), &[rays as usize]].concat();
    let py = beams.py();
    PyMaker { kind: Kind::Footprint { beams: beams.unbind(), divergence, rays }, shape }
        .tried(py, true)
}

fn hemisphere(of: &Fields<'_, '_>) -> PyResult<PyMaker> {
    let (points, normals) = (of.value("points")?, of.value("normals")?);
    let (directions, seed) = (of.whole("directions")?, of.whole("seed")?);
    let words = [("cosine", Spread::Cosine), ("uniform", Spread::Uniform)];
    let spread = one_of("spread", &of.value("spread")?, &words)?;
    let (_, shape) = Vectors::<f64>::of_any_shape("points", &points)?;
    let (_, found) = Vectors::<f64>::of_any_shape("normals", &normals)?;
    if found != shape {
        let [found, expected] = [&found, &shape].map(|shape| shown(shape));
        return Err(refused(
            "normals",
            format!("there are {found} of them, and {expected} points"),
        ));
    }
    let (py, is_f64) = (points.py(), array_of("points", &points)?.dtype().itemsize() == 8);
    let shape = [&*shape, &[directions as usize]].concat();
    let (points, normals) = (points.unbind(), normals.unbind());
    PyMaker { kind: Kind::Hemisphere { points, normals, directions, spread, seed }, shape }
        .tried(py, is_f64)
}

fn sunlight(of: &Fields<'_, '_>) -> PyResult<PyMaker> {
    let (points, directions) = (of.value("points")?, of.value("directions")?);
    // Those of a `Sun`.
    let directions = directions.getattr_opt("_direction")?.unwrap_or(directions);
    let (directions, mut shape) = Vectors::of_any_shape("directions", &directions)?;
    let directions = directions.rows()?.to_vec();
    shape.extend(Vectors::<f64>::of_any_shape("points", &points)?.1);
    let (py, is_f64) = (points.py(), array_of("points", &points)?.dtype().itemsize() == 8);
    PyMaker { kind: Kind::Sunlight { points: points.unbind(), directions }, shape }
        .tried(py, is_f64)
}

#[pymethods]
impl PyMaker {
    /// What an object of a class of makers describes.
    #[new]
    fn new(described: &Bound<'_, PyAny>) -> PyResult<Self> {
        let of = Fields(described);
        match &*of.value("_kind")?.extract::<String>()? {
            "pinhole" => pinhole(&of),
            "panorama" => panorama(&of),
            "orthographic" => orthographic(&of),
            "grid" => grid(&of),
            "lidar" => lidar(&of),
            "footprint" => footprint(&of),
            "hemisphere" => hemisphere(&of),
            "sunlight" => sunlight(&of),
            _ => Err(PyTypeError::new_err(
                "a class of makers was expected: Pinhole, Panorama, Orthographic, Grid, Lidar and others",
            )),
        }
    }

    #[getter(shape)]
    fn dimensions(&self) -> Vec<usize> {
        self.shape.clone()
    }

    /// The rays as an array of shape (..., 6).
    fn rays<'py>(&self, py: Python<'py>, is_f64: bool) -> PyResult<Bound<'py, PyAny>> {
        if is_f64 { self.stored::<f64>(py) } else { self.stored::<f32>(py) }
    }

    /// When each ray is fired, by which beam, and at which azimuth.
    fn pulses<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyAny>; 3]> {
        let lidar = self.lidar()?;
        let shape = IxDyn(&self.shape);
        let [time, azimuth] = [(); 2].map(|()| PyArrayDyn::<f64>::zeros(py, shape.clone(), false));
        let beam = PyArrayDyn::<u32>::zeros(py, shape.clone(), false);
        let (mut times, mut azimuths, mut beams) =
            (time.readwrite(), azimuth.readwrite(), beam.readwrite());
        let rows = times
            .as_slice_mut()?
            .iter_mut()
            .zip(azimuths.as_slice_mut()?)
            .zip(beams.as_slice_mut()?);
        for (ray, ((time, azimuth), beam)) in rows.enumerate() {
            let pulse = lidar.pulse(ray);
            (*time, *azimuth, *beam) = (pulse.time, pulse.azimuth, pulse.beam as u32);
            if ray % PIECE == 0 {
                py.check_signals()?;
            }
        }
        drop((times, azimuths, beams));
        Ok([time.into_any(), beam.into_any(), azimuth.into_any()])
    }

    /// The shares of a beam's energy of the rays of its footprint; of other makers a ray is a beam.
    pub(crate) fn weights(&self) -> PyResult<Vec<f64>> {
        let Kind::Footprint { divergence, rays, .. } = self.kind else { return Ok(vec![1.0]) };
        let one = Pinhole::looking_at([0.0; 3], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0], 1.0, [1, 1])
            .map_err(raised)?;
        Ok(Footprint::<f32>::new(&one, divergence, rays).map_err(raised)?.weights().to_vec())
    }
}

/// Where the sun is at times, each a row of year, month, day, hour, minute and second, as seen from
/// the place of a `Sun`: azimuth, altitude and direction of each.
#[pyfunction]
pub(crate) fn sun_positions(
    times: Vec<(u16, u8, u8, u8, u8, f64)>,
    described: &Bound<'_, PyAny>,
) -> PyResult<Vec<(f64, f64, [f64; 3])>> {
    let of = Fields(described);
    let (latitude, longitude) = (of.number("latitude")?, of.number("longitude")?);
    let at = |(year, month, day, hour, minute, second)| {
        let time = Utc { year, month, day, hour, minute, second };
        let sun = Sun::at(time, latitude, longitude).map_err(raised)?;
        Ok((sun.azimuth, sun.altitude, sun.direction()))
    };
    times.into_iter().map(at).collect()
}

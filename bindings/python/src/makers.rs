//! Rays that are made while they are cast: cameras, scanners and light, as the classes of
//! `_makers.py`, `_lidar.py` and `_light.py` describe them.

use crate::arrays::{Vectors, array_of, floats, shown};
use crate::errors::{one_of, raised, refused};
use crate::number::{Number, Whole};
use lanecast::support::with_default_float_mode;
use lanecast::{Error, Maker, Ray};
use lanecast_makers::{
    Beam, Footprint, Grid, Hemisphere, Lidar, Panorama, Pinhole, Pose, Spread, Sun, Sunlight, Utc,
};
use numpy::prelude::*;
use numpy::{IxDyn, PyArrayDyn};
use pyo3::exceptions::PyTypeError;
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
                let (points, normals) =
                    (rows("points", points.bind(py))?, rows("normals", normals.bind(py))?);
                let maker =
                    Hemisphere::<T>::new(points.rows()?, normals.rows()?, *directions, *spread);
                self.checked(&maker.map_err(raised)?.seed(*seed), then)
            }
            Kind::Sunlight { points, directions } => {
                let points = rows("points", points.bind(py))?;
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

    fn lidar(&self) -> PyResult<&Lidar> {
        if let Kind::Whole(Whole::Lidar(lidar)) = &self.kind { Ok(lidar) } else { Err(no_lidar()) }
    }
}

fn no_lidar() -> PyErr {
    PyTypeError::new_err("only a Lidar has pulses")
}

/// Points of shape (..., 3), one after the other.
fn rows<'py, T: Number>(argument: &str, value: &Bound<'py, PyAny>) -> PyResult<Vectors<'py, T>> {
    let array = floats::<T>(argument, value)?;
    match array.shape() {
        [.., 3] => Vectors::of(argument, &array.call_method1("reshape", ((-1, 3),))?),
        shape => {
            Err(refused(argument, format!("its shape is {}; (..., 3) was expected", shown(shape))))
        }
    }
}

/// The dimensions of an array of vectors.
fn leading(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
    let array = floats::<f64>(argument, value)?;
    match array.shape() {
        [leading @ .., 3] => Ok(leading.to_vec()),
        shape => {
            Err(refused(argument, format!("its shape is {}; (..., 3) was expected", shown(shape))))
        }
    }
}

/// Rows of one of these widths, with those of `last` for numbers that are not there.
fn padded<const N: usize>(
    argument: &str,
    value: &Bound<'_, PyAny>,
    widths: &[usize],
    last: [f64; N],
) -> PyResult<Vec<[f64; N]>> {
    let array = floats::<f64>(argument, value)?;
    match array.shape() {
        &[_, width] if widths.contains(&width) => {}
        shape => {
            let expected: Vec<_> = widths.iter().map(|width| format!("(n, {width})")).collect();
            let problem =
                format!("its shape is {}; {} was expected", shown(shape), expected.join(" or "));
            return Err(refused(argument, problem));
        }
    }
    let row = |row: numpy::ndarray::ArrayViewD<'_, f64>| {
        let mut padded = last;
        padded.iter_mut().zip(row).for_each(|(number, &given)| *number = given);
        padded
    };
    Ok(array.as_array().outer_iter().map(row).collect())
}

#[pymethods]
impl PyMaker {
    #[staticmethod]
    fn pinhole(
        eye: [f64; 3],
        target: [f64; 3],
        up: [f64; 3],
        fov: f64,
        size: [u32; 2],
        unit: bool,
    ) -> PyResult<Self> {
        let camera = Pinhole::looking_at(eye, target, up, fov, size).map_err(raised)?;
        Ok(Self::picture(
            Whole::Pinhole(if unit { camera.unit_directions() } else { camera }),
            size,
        ))
    }

    #[staticmethod]
    fn pinhole_of_matrices(
        intrinsic: [[f64; 3]; 3],
        extrinsic: [[f64; 4]; 4],
        size: [u32; 2],
        unit: bool,
    ) -> PyResult<Self> {
        let camera = Pinhole::from_matrices(intrinsic, extrinsic, size).map_err(raised)?;
        Ok(Self::picture(
            Whole::Pinhole(if unit { camera.unit_directions() } else { camera }),
            size,
        ))
    }

    #[staticmethod]
    fn panorama(eye: [f64; 3], forward: [f64; 3], up: [f64; 3], size: [u32; 2]) -> PyResult<Self> {
        Ok(Self::picture(
            Whole::Panorama(Panorama::new(eye, forward, up, size).map_err(raised)?),
            size,
        ))
    }

    #[staticmethod]
    fn orthographic(
        eye: [f64; 3],
        target: [f64; 3],
        up: [f64; 3],
        height: f64,
        size: [u32; 2],
    ) -> PyResult<Self> {
        let grid = Grid::orthographic(eye, target, up, height, size).map_err(raised)?;
        Ok(Self::picture(Whole::Grid(grid), size))
    }

    #[staticmethod]
    fn grid(
        corner: [f64; 3],
        edges: [[f64; 3]; 2],
        size: [u32; 2],
        direction: [f64; 3],
    ) -> PyResult<Self> {
        Ok(Self::picture(
            Whole::Grid(Grid::new(corner, edges, size, direction).map_err(raised)?),
            size,
        ))
    }

    #[staticmethod]
    #[expect(clippy::too_many_arguments, reason = "those of the class in Python")]
    #[pyo3(name = "lidar")]
    fn of_lidar(
        beams: &Bound<'_, PyAny>,
        steps: u32,
        poses: &Bound<'_, PyAny>,
        sector: [f64; 2],
        start: Option<f64>,
        seconds: f64,
        turns: u32,
        velocity: [f64; 3],
        yaw_rate: f64,
    ) -> PyResult<Self> {
        let beams = padded("beams", beams, &[1, 2, 3], [0.0; 3])?;
        let beams: Vec<_> = beams
            .into_iter()
            .map(|[elevation, azimuth, delay]| Beam { elevation, azimuth, delay })
            .collect();
        let standing = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let poses: Vec<_> = padded("poses", poses, &[4, 8], standing)?
            .into_iter()
            .map(|[time, x, y, z, rotation @ ..]| Pose { time, position: [x, y, z], rotation })
            .collect();
        let start = start.or(poses.first().map(|pose| pose.time)).unwrap_or_default();
        let lidar = Lidar::new(&beams, steps)
            .and_then(|lidar| lidar.sector(sector)?.carried(&poses, start, seconds, turns))
            .map_err(raised)?;
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
        Ok(Self::whole(Whole::Lidar(lidar), &[turns as usize, steps as usize, beams.len()]))
    }

    #[staticmethod]
    fn footprint(beams: &Bound<'_, PyAny>, divergence: f64, rays: u32) -> PyResult<Self> {
        let expected =
            || PyTypeError::new_err("beams: a maker of rays, such as a Lidar, was expected");
        let beams = maker_of(beams)?.ok_or_else(expected)?;
        let shape = [beams.get().shape(), &[rays as usize]].concat();
        let py = beams.py();
        Self { kind: Kind::Footprint { beams: beams.unbind(), divergence, rays }, shape }
            .tried(py, true)
    }

    #[staticmethod]
    fn hemisphere(
        points: &Bound<'_, PyAny>,
        normals: &Bound<'_, PyAny>,
        directions: u32,
        spread: &Bound<'_, PyAny>,
        seed: u64,
    ) -> PyResult<Self> {
        let py = points.py();
        let of = [("cosine", Spread::Cosine), ("uniform", Spread::Uniform)];
        let spread = one_of("spread", spread, &of)?;
        let shape = leading("points", points)?;
        let (found, expected) = (leading("normals", normals)?, &shape);
        if found != *expected {
            let problem =
                format!("there are {} of them, and {} points", shown(&found), shown(expected));
            return Err(refused("normals", problem));
        }
        let is_f64 = array_of("points", points)?.dtype().itemsize() == 8;
        let shape = [&*shape, &[directions as usize]].concat();
        let (points, normals) = (points.clone().unbind(), normals.clone().unbind());
        Self { kind: Kind::Hemisphere { points, normals, directions, spread, seed }, shape }
            .tried(py, is_f64)
    }

    #[staticmethod]
    fn sunlight(points: &Bound<'_, PyAny>, directions: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = points.py();
        let shape = [leading("directions", directions)?, leading("points", points)?].concat();
        let directions = rows::<f64>("directions", directions)?.rows()?.to_vec();
        let is_f64 = array_of("points", points)?.dtype().itemsize() == 8;
        let points = points.clone().unbind();
        Self { kind: Kind::Sunlight { points, directions }, shape }.tried(py, is_f64)
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

/// Where the sun is at times, each a row of year, month, day, hour, minute and second: azimuth,
/// altitude and direction of each.
#[pyfunction]
pub(crate) fn sun_positions(
    times: Vec<(u16, u8, u8, u8, u8, f64)>,
    latitude: f64,
    longitude: f64,
) -> PyResult<Vec<(f64, f64, [f64; 3])>> {
    let at = |(year, month, day, hour, minute, second)| {
        let time = Utc { year, month, day, hour, minute, second };
        let sun = Sun::at(time, latitude, longitude).map_err(raised)?;
        Ok((sun.azimuth, sun.altitude, sun.direction()))
    };
    times.into_iter().map(at).collect()
}

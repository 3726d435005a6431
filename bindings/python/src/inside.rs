//! Queries of points and of grids: inside or outside.

use crate::current::Now;
use crate::errors::{extracted, raised, refused};
use crate::number::Number;
use crate::options::Options;
use crate::out::{Form, finished, new_array};
use crate::points::{ACCURACY, How, Request, ask};
use crate::run::run;
use crate::scene::{PyScene, with_scene};
use lanecast::answers::InsideColumns;
use lanecast::cast::GridPoints;
use lanecast::{Cast, PointGrid, Status};
use lanecast_io::Extent;
use lanecast_queries::WindingNumber;
use pyo3::prelude::*;
use pyo3::types::PyDict;

fn contains<'py, T: Number>(
    scene: &Now<'_, T>,
    points: &Bound<'py, PyAny>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let request = Request::of(scene, points, None, options)?;
    let mut inside = new_array::<u8>(request.py, request.points.shape());
    let codes = inside.as_slice_mut()?;
    request.cast(|cast, _| cast.contains_into(InsideColumns::new().status(&mut *codes)))?;
    request.check(codes)?;
    if request.how.misses {
        codes.iter_mut().for_each(|code| *code = u8::from(*code == Status::Hit.code()));
    }
    // Of 0 and 1 by now.
    finished(request.py, inside).call_method1("view", ("bool",))
}

fn winding_number<'py, T: Number>(
    scene: &Now<'_, T>,
    points: &Bound<'py, PyAny>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let accuracy = match options.get("accuracy") {
        Some(accuracy) => extracted::<f64>("accuracy", accuracy)?,
        None => ACCURACY,
    };
    if accuracy.is_nan() || accuracy < 1.0 {
        return Err(refused("accuracy", format!("it is {accuracy}; it must be at least 1")));
    }
    ask(scene, (WindingNumber(accuracy), Form::Array), points, options)
}

fn occupancy<'py, T: Number>(
    py: Python<'py>,
    scene: &Now<'_, T>,
    [origin, spacing]: [[f64; 3]; 2],
    counts: [usize; 3],
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let how = How::of(options)?;
    scene.look_at_content(py, "origin", || {
        let last =
            |axis: usize| origin[axis] + spacing[axis] * counts[axis].saturating_sub(1) as f64;
        let mut extent = Extent::EMPTY;
        extent.add_rounded(&origin);
        extent.add_rounded(&[0, 1, 2].map(last));
        Ok(extent)
    })?;
    let grid =
        PointGrid::new(origin.map(T::nearest), spacing.map(T::nearest), counts).map_err(raised)?;
    let options = how.options::<T>();
    let bytes = run(py, &how.machine, grid.len(), |threads, watch| {
        let cast: Cast<'_, T, GridPoints<'_, T>> =
            scene.grid(&grid).with(&options).threads(threads).watch(watch);
        if how.packed { cast.occupancy_bits() } else { cast.occupancy_bytes() }
    })?;
    let bytes = numpy::PyArray1::from_vec(py, bytes).into_any();
    if how.packed {
        return Ok(bytes);
    }
    let [x, y, z] = counts;
    bytes
        .call_method1("view", ("bool",))?
        .call_method1("reshape", ((z, y, x),))?
        .call_method0("transpose")
}

/// Three numbers along the axes, or one for all.
fn along_axes(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<[f64; 3]> {
    if let Ok(number) = value.extract::<f64>() {
        return Ok([number; 3]);
    }
    value.extract().map_err(|_| refused(argument, "a number or three of them were expected"))
}

#[pymethods]
impl PyScene {
    #[doc = signature!(contains)]
    /// Whether each point is inside the closed surface that all meshes, other primitives and
    /// instances make together.
    ///
    /// - `points` and further arguments: as of `closest_point`.
    /// - `generalised_winding`: None for the exact winding number of closed surfaces, by crossings.
    ///   A number of 1 or more (or True for 2) for generalised winding numbers, which go over gaps:
    ///   a point is inside where its number rounds to another than 0. Closed surfaces, and those
    ///   with few open edges, take up to four times as long as crossings do. Where triangles hang
    ///   together nowhere 2 takes 30 to 100 times as long, and numbers are off by up to 0.06; 4
    ///   takes four to five times as long as that, and they are off by up to 0.011; inf sums all
    ///   triangles.
    ///
    /// Returns bool, of shape (...); False for points that are answered as misses. Cavities are
    /// outside. A point as near to the surface as the scene's precision rounds may be inside or
    /// outside.
    ///
    /// Raises ValueError for a surface that is not closed, with the edge where it is open (see
    /// `open_edge`), unless generalised winding numbers are to decide, and for a HeightField, which
    /// has no inside; others are those of `closest_point`.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene.build(lanecast.Boxes([[0, 0, 0]], [[1, 1, 1]]))
    /// >>> scene.contains([[0.5, 0.5, 0.5], [0.5, 0.5, 1.5]]).tolist()
    /// [True, False]
    #[pyo3(signature = (points, **options), text_signature = None)]
    fn contains<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(contains, options)?;
        with_scene!(&self.content, scene => contains(scene, points, &options))
    }

    #[doc = signature!(winding_number)]
    /// The generalised winding number of each point: the solid angle of all triangles as seen from
    /// the point, as part of the whole sphere, above 0 where they show their backs. Closed
    /// primitives count by crossings.
    ///
    /// - `points` and further arguments: as of `closest_point`.
    /// - `accuracy`: 1 or more; at 1 numbers were measured to be off by up to 0.24, at 2 by 0.06,
    ///   at 4 by 0.011 and at 8 by 0.003; inf sums all triangles.
    ///
    /// Returns float32, of shape (...), in scenes of both precisions; 0 for points that are
    /// answered as misses. Errors are those of `closest_point`; surfaces need not be closed, but a
    /// HeightField is refused, which has no inside.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2]])
    /// >>> round(float(scene.winding_number([0.0, 0, 0])), 6)
    /// 0.125
    #[pyo3(signature = (points, **options), text_signature = None)]
    fn winding_number<'py>(
        &self,
        points: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(winding_number, options)?;
        with_scene!(&self.content, scene => winding_number(scene, points, &options))
    }

    #[doc = signature!(occupancy)]
    /// Which points of a grid are inside, as `contains` says, without an array of the points.
    ///
    /// - `origin`: three numbers, the point [0, 0, 0] of the grid.
    /// - `spacing`: the distance between neighbours along x, y and z, or a number for all; negative
    ///   and 0 are allowed.
    /// - `counts`: the numbers of points along x, y and z.
    /// - `packed`: whether the answer is bits.
    /// - `generalised_winding`, `brute_force`, `threads`, `backend`, `progress`: as of `contains`.
    ///
    /// Returns bool of shape `counts`: `[i, j, k]` is the point `origin + [i, j, k] * spacing`. In
    /// memory x runs fastest (the order "F" of NumPy), so its transpose, of shape (z, y, x), is
    /// contiguous. If packed, uint8 with eight points each, in the same order from the lowest bit
    /// on: `numpy.unpackbits(bits, count=n, bitorder="little").reshape(counts, order="F")`.
    ///
    /// Raises ValueError for a grid with numbers that cannot be used, and the errors of `contains`.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene.build(lanecast.Boxes([[0, 0, 0]], [[2, 1, 1]]))
    /// >>> scene.occupancy([0.5, 0.5, 0.5], 1, [3, 2, 1])[:, :, 0].tolist()
    /// [[True, False], [True, False], [False, False]]
    #[pyo3(signature = (origin, spacing, counts, **options), text_signature = None)]
    fn occupancy<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        spacing: &Bound<'py, PyAny>,
        counts: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let origin =
            origin.extract().map_err(|_| refused("origin", "three numbers were expected"))?;
        let spacing = along_axes("spacing", spacing)?;
        let counts = counts
            .extract()
            .map_err(|_| refused("counts", "three whole numbers from 0 on were expected"))?;
        let options = options!(occupancy, options)?;
        with_scene!(&self.content, scene => occupancy(py, scene, [origin, spacing], counts, &options))
    }
}

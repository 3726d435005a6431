//! The primitives that overlap with a region of space.

use crate::errors::{extracted, raised, refused};
use crate::number::Number;
use crate::options::Options;
use crate::out::answer;
use crate::run::{Machine, run};
use crate::scene::{PyScene, with_scene};
use crate::views::{field, owner};
use lanecast::answers::PrimitiveIds;
use lanecast::cast::Overlap;
use lanecast::primitive::Sphere;
use lanecast::{Aabb, Cast, Frustum, Region, Scene};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// A region as the classes of `_geometry.py` describe it.
fn region(value: &Bound<'_, PyAny>) -> PyResult<Region> {
    let kind = value.getattr_opt("_region")?.map(|kind| kind.extract::<String>()).transpose()?;
    let vector = |name: &str| -> PyResult<[f64; 3]> {
        let expected =
            |_| PyTypeError::new_err(format!("region.{name}: three numbers were expected"));
        value.getattr(name)?.extract().map_err(expected)
    };
    Ok(match kind.as_deref() {
        Some("box") => (&Aabb { min: vector("min")?, max: vector("max")? }).into(),
        Some("ball") => (&Sphere::new(
            vector("center")?,
            extracted("region.radius", &value.getattr("radius")?)?,
        ))
            .into(),
        Some("frustum") => {
            let planes = value.getattr("planes")?.extract::<Vec<[f64; 4]>>();
            let expected =
                |_| PyTypeError::new_err("region.planes: rows of four numbers were expected");
            (&Frustum::new(&planes.map_err(expected)?).map_err(raised)?).into()
        }
        _ => {
            let found = value.get_type().name()?;
            let problem =
                format!("region: a Box, a Ball or a Frustum was expected, and no {found}");
            return Err(PyTypeError::new_err(problem));
        }
    })
}

/// The planes of a pyramid, for `Frustum.through`.
#[pyfunction(name = "_frustum_through")]
pub(crate) fn frustum_through<'py>(
    py: Python<'py>,
    eye: &Bound<'py, PyAny>,
    directions: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let eye: [f64; 3] = eye.extract().map_err(|_| refused("eye", "three numbers were expected"))?;
    let directions: [[f64; 3]; 4] = directions
        .extract()
        .map_err(|_| refused("directions", "four rows of three numbers were expected"))?;
    let frustum = Frustum::through(eye, directions).map_err(raised)?;
    let planes = numpy::PyArray1::from_slice(py, frustum.planes().as_flattened());
    planes.call_method1("reshape", ((frustum.planes().len(), 4),))
}

/// Asks for what overlaps, without the interpreter's lock.
fn ask<'py, T: Number, R: Send>(
    scene: &Scene<T>,
    value: &Bound<'py, PyAny>,
    options: &Options<'py>,
    query: impl FnOnce(Cast<'_, T, Overlap<'_, T>>) -> lanecast::Result<R> + Send,
) -> PyResult<R> {
    let region = region(value)?;
    let (mut machine, mut cast) = (Machine::default(), scene.overlap(region));
    for (name, value) in options.iter() {
        match name {
            "mask" => cast = cast.mask(extracted::<u32>(name, value)?),
            "brute_force" if extracted(name, value)? => cast = cast.brute_force(),
            "brute_force" => {}
            _ if machine.take(name, value)? => {}
            _ => unreachable!("{name} is in the table of options"),
        }
    }
    if let Some(backend) = machine.backend {
        cast = cast.backend(backend);
    }
    run(value.py(), &machine, 1, |_, watch| query(cast.watch(watch)))
}

fn overlap<'py, T: Number>(
    scene: &Scene<T>,
    region: &Bound<'py, PyAny>,
    options: &Options<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = region.py();
    let found = Arc::new(ask(scene, region, options, |cast| cast.primitives())?);
    let memory = owner(py, Arc::clone(&found))?;
    let columns = (
        field(&memory, &found, |ids: &PrimitiveIds| &ids.primitive_id),
        field(&memory, &found, |ids| &ids.geometry_id),
        field(&memory, &found, |ids| &ids.instance_id),
    );
    answer(py, "PrimitiveIds", columns)
}

#[pymethods]
impl PyScene {
    #[doc = signature!(overlap)]
    /// The primitives that overlap with a region of space.
    ///
    /// - `region`: a `Box`, a `Ball` or a `Frustum`. All are solid, and their surface belongs to
    ///   them.
    /// - `mask`: only what has a bit in common with it counts.
    /// - `brute_force`: tests all primitives; slow, with the same answers.
    /// - `backend`: None for that of the scene, or a name of `backends()`.
    ///
    /// Returns `PrimitiveIds`, sorted by instance (those in none first), geometry and primitive.
    /// Triangles, boxes, oriented boxes, spheres, round cones and cylinders count themselves, all
    /// but triangles as solids, and touching does. Of signed distances the box around them counts.
    ///
    /// Raises ValueError for a region with NaN or a plane without a normal, TypeError for what is
    /// no region.
    ///
    /// >>> import lanecast
    /// >>> square = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    /// >>> scene = lanecast.Scene(square, [[0, 1, 2], [0, 2, 3]])
    /// >>> scene.overlap(lanecast.Box([0.5, 0, -1], [1, 0.25, 0])).primitive_id.tolist()
    /// [0]
    #[pyo3(signature = (region, **options), text_signature = None)]
    fn overlap<'py>(
        &self,
        region: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options!(overlap, options)?;
        with_scene!(&self.content, scene => overlap(scene, region, &options))
    }

    #[doc = signature!(overlaps_any)]
    /// Whether any primitive overlaps with a region of space.
    ///
    /// - `region` and further arguments: as of `overlap`.
    ///
    /// Returns a bool. Errors are those of `overlap`.
    ///
    /// >>> import lanecast
    /// >>> scene = lanecast.Scene([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    /// >>> scene.overlaps_any(lanecast.Ball([0, 0, 2], 1.5))
    /// False
    /// >>> scene.overlaps_any(lanecast.Ball([0, 0, 2], 2))
    /// True
    #[pyo3(signature = (region, **options), text_signature = None)]
    fn overlaps_any(
        &self,
        region: &Bound<'_, PyAny>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<bool> {
        let options = options!(overlaps_any, options)?;
        with_scene!(&self.content, scene => ask(scene, region, &options, |cast| cast.any()))
    }
}

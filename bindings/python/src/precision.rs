//! Which precision a scene needs, and what is said where f32 costs digits: by the rule of the
//! program, which `lanecast_io` has.

use crate::arrays::{PerRow, Vectors, array_of, fits_f32, floats};
use crate::current::Now;
use crate::geometry::{kind, places_of_heights};
use crate::ids::Ids;
use crate::makers::maker_of;
use crate::number::Number;
use crate::scene::PyScene;
use lanecast::{Ray, Scene};
use lanecast_io::{Extent, is_moved_too_far, moved_by_rounding};
use numpy::PyUntypedArray;
use numpy::ndarray::{Axis, Slice};
use numpy::prelude::*;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::CString;
use std::sync::atomic::Ordering;

/// So many rays of a maker are looked at.
const OF_MAKER: usize = 4096;

/// What is known of the content of a scene before it is built.
pub(crate) struct Needs {
    pub(crate) extent: Extent,
    /// Whether a scene of f64, or one of f32, is placed in it: the precision of all.
    places: [bool; 2],
}

impl Needs {
    /// Whether the scene is to be of f64: as f32 could move coordinates too far, which it cannot
    /// hold by their dtype, or as scenes of f64 are placed in it.
    pub(crate) fn f64(&self) -> bool {
        let [of_f64, of_f32] = self.places;
        of_f64 || !of_f32 && self.extent.coarseness().is_some()
    }

    /// Warns if the scene cannot be of f64 and f32 moves coordinates too far.
    pub(crate) fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let (moved, size) = (self.extent.moved(), self.extent.size());
        if !self.f64() && is_moved_too_far(moved, size) {
            warn(py, "items", moved, size, "build the placed scenes with precision=\"f64\"")?;
        }
        Ok(())
    }

    pub(crate) fn of(items: &[(String, Bound<'_, PyAny>)]) -> PyResult<Self> {
        let mut needs = Self { extent: Extent::EMPTY, places: [false; 2] };
        let mut rounded = false;
        for (name, item) in items {
            let kind = kind(name, item)?;
            if kind == "instance" {
                if let Some(scene) = item.getattr_opt("scene")?
                    && let Ok(scene) = scene.cast::<PyScene>()
                {
                    needs.places[usize::from(!scene.get().content.is_f64())] = true;
                }
                continue;
            }
            for field in ["vertices", "min", "max", "center", "start", "end", "heights"] {
                if let Some(value) = item.getattr_opt(field)? {
                    // Places of heights are f64.
                    rounded |= field == "heights"
                        || !fits_f32(&array_of(&format!("{name}{field}"), &value)?);
                }
            }
        }
        // Coordinates of f32 need no look at all.
        for (name, item) in items.iter().filter(|_| rounded) {
            needs.add(&kind(name, item)?, name, item)?;
        }
        Ok(needs)
    }

    fn add(&mut self, kind: &str, name: &str, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let field =
            |field: &str| -> PyResult<_> { Ok((format!("{name}{field}"), item.getattr(field)?)) };
        match kind {
            "mesh" | "quads" => {
                let (argument, value) = field(if kind == "mesh" { "triangles" } else { "quads" })?;
                let corners = Ids::of(&argument, &value, false)?;
                let (argument, value) = field("vertices")?;
                let vertices = Vectors::<f64>::of(&argument, &value)?;
                let (vertices, is_exact) =
                    (vertices.rows()?, fits_f32(&array_of(&argument, &value)?));
                // Vertices that nothing names are no content.
                for &vertex in corners.values()? {
                    if let Some(&vertex) = vertices.get(vertex as usize) {
                        self.add_ball(vertex, [0.0; 3], is_exact);
                    }
                }
            }
            "boxes" => {
                self.add_balls(&field("min")?, None)?.add_balls(&field("max")?, None).map(drop)?;
            }
            "spheres" => self.add_balls(&field("center")?, Some(&field("radius")?)).map(drop)?,
            "round_cones" => {
                self.add_balls(&field("start")?, Some(&field("start_radius")?))?;
                self.add_balls(&field("end")?, Some(&field("end_radius")?))?;
            }
            "cylinders" => {
                let radius = field("radius")?;
                self.add_balls(&field("start")?, Some(&radius))?;
                self.add_balls(&field("end")?, Some(&radius))?;
            }
            "oriented_boxes" => {
                let (argument, value) = field("center")?;
                let is_exact = fits_f32(&array_of(&argument, &value)?);
                let centers = Vectors::<f64>::of(&argument, &value)?;
                let (argument, value) = field("half_extents")?;
                let half_extents = Vectors::<f64>::of(&argument, &value)?;
                let (argument, value) = field("axes")?;
                let axes = floats::<f64>(&argument, &value)?;
                let axes: Vec<f64> = axes.as_array().iter().copied().collect();
                let boxes =
                    centers.rows()?.iter().zip(half_extents.rows()?).zip(axes.as_chunks::<9>().0);
                for ((&center, half), axes) in boxes {
                    let reach = |axis: usize| {
                        (0..3).map(|row| (axes[3 * row + axis] * half[row]).abs()).sum()
                    };
                    self.add_ball(center, [0, 1, 2].map(reach), is_exact);
                }
            }
            "height_field" => self.add_heights(name, item)?,
            _ => {}
        }
        Ok(())
    }

    /// Adds the boxes around balls, or around points.
    fn add_balls(
        &mut self,
        (argument, centers): &(String, Bound<'_, PyAny>),
        radii: Option<&(String, Bound<'_, PyAny>)>,
    ) -> PyResult<&mut Self> {
        let is_exact = fits_f32(&array_of(argument, centers)?);
        let centers = Vectors::<f64>::of(argument, centers)?;
        let rows = centers.rows()?;
        let radii = match radii {
            Some((argument, radii)) => {
                PerRow::<f64>::of(argument, radii, &[rows.len()])?.numbers(rows.len())
            }
            None => vec![0.0; rows.len()],
        };
        for (&center, radius) in rows.iter().zip(radii) {
            self.add_ball(center, [radius; 3], is_exact);
        }
        Ok(self)
    }

    /// Adds what reaches so far from a center along the axes.
    fn add_ball(&mut self, center: [f64; 3], reach: [f64; 3], is_exact: bool) {
        self.extent.add_exact([0, 1, 2].map(|axis| center[axis] - reach[axis]));
        self.extent.add_exact([0, 1, 2].map(|axis| center[axis] + reach[axis]));
        if !is_exact {
            self.extent.add_rounded(&center);
        }
    }

    /// Adds a field of heights, of which places are f64 whatever the heights are.
    fn add_heights(&mut self, name: &str, item: &Bound<'_, PyAny>) -> PyResult<()> {
        let (argument, heights) = (format!("{name}heights"), item.getattr("heights")?);
        let is_exact = fits_f32(&array_of(&argument, &heights)?);
        let heights = floats::<f64>(&argument, &heights)?;
        let &[rows, columns] = heights.shape() else { return Ok(()) };
        let wider = |[low, high]: [f64; 2], &height: &f64| [low.min(height), high.max(height)];
        let [low, high] = heights.as_array().iter().fold([f64::INFINITY, f64::NEG_INFINITY], wider);
        if low > high {
            return Ok(());
        }
        let [[x, y], [step_x, step_y]] = places_of_heights(name, item)?;
        let last =
            |first: f64, step: f64, count: usize| first + step * count.saturating_sub(1) as f64;
        let corners = [[x, y, low], [last(x, step_x, columns), last(y, step_y, rows), high]];
        for corner in corners {
            self.extent.add_exact(corner);
            self.extent.add_rounded(if is_exact { &corner[..2] } else { &corner });
        }
        Ok(())
    }
}

/// The longest side of the box around a scene.
fn size<T: Number>(scene: &Scene<T>) -> f64 {
    let bounds = scene.bounds();
    (0..3).fold(0.0, |size: f64, axis| {
        size.max(bounds.max[axis].to_f64() - bounds.min[axis].to_f64())
    })
}

/// Warns that coordinates of an argument are moved too far for something of this size.
fn warn(py: Python<'_>, argument: &str, moved: f64, size: f64, remedy: &str) -> PyResult<()> {
    let text = format!(
        "{argument}: coordinates are rounded to float32 and moved by up to {}, more than 1/2,000,000 of the scene's size, {}; {remedy}",
        moved as f32, size as f32
    );
    let category = py.import("lanecast._arrays")?.getattr("PrecisionWarning")?;
    PyErr::warn(py, &category, &CString::new(text)?, 1)
}

const REMEDY: &str = "build the scene with precision=\"f64\"";

impl<T: Number> Now<'_, T> {
    /// Whether a query that rounds coordinates is to say so.
    pub(crate) fn looks(&self) -> bool {
        T::DTYPE == f32::DTYPE && !self.warned.load(Ordering::Relaxed)
    }

    /// Warns once if a query rounds coordinates of these arguments to f32 and moves them too far:
    /// origins of rays, points.
    pub(crate) fn look(&self, arguments: &[(&str, &Bound<'_, PyAny>)]) -> PyResult<()> {
        for (argument, value) in arguments.iter().filter(|_| self.looks()) {
            match moved(argument, value) {
                Ok(moved) => self.notice(value.py(), argument, moved)?,
                // What is no array of rays or points is refused by the query. Ctrl-C is no such
                // `Exception`.
                Err(error) if error.is_instance_of::<PyException>(value.py()) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Warns once if coordinates of an argument were moved so far that it is too far.
    pub(crate) fn notice(&self, py: Python<'_>, argument: &str, moved: f64) -> PyResult<()> {
        let size = size(self);
        if self.looks()
            && is_moved_too_far(moved, size)
            && !self.warned.swap(true, Ordering::Relaxed)
        {
            warn(py, argument, moved, size, REMEDY)?;
        }
        Ok(())
    }

    /// The same of content that is added to a scene: too far for the larger of both.
    pub(crate) fn look_at_content(
        &self,
        py: Python<'_>,
        argument: &str,
        content: impl FnOnce() -> PyResult<Extent>,
    ) -> PyResult<()> {
        if !self.looks() {
            return Ok(());
        }
        let content = content()?;
        let (moved, size) = (content.moved(), size(self).max(content.size()));
        if is_moved_too_far(moved, size) && !self.warned.swap(true, Ordering::Relaxed) {
            warn(py, argument, moved, size, REMEDY)?;
        }
        Ok(())
    }
}

/// By how much rounding to f32 moves a coordinate of rays or points at most.
fn moved(argument: &str, value: &Bound<'_, PyAny>) -> PyResult<f64> {
    if let Ok(array) = value.cast::<PyUntypedArray>() {
        return moved_in(argument, array, 3);
    }
    if let Some(maker) = maker_of(value)? {
        let mut moved = 0.0;
        maker.get().with::<f64>(value.py(), &mut |maker| {
            let mut rays = vec![Ray::new([0.0; 3], [0.0; 3]); maker.len().min(OF_MAKER)];
            lanecast::support::with_default_float_mode(|| maker.make(0, &mut rays));
            moved = moved_by_rounding::<f32>(rays.iter().flat_map(|ray| ray.origin));
            Ok(())
        })?;
        return Ok(moved);
    }
    if let Ok(columns) = value.cast::<PyDict>() {
        let mut moved = 0.0_f64;
        for name in ["ox", "oy", "oz"] {
            if let Some(column) = columns.get_item(name)? {
                moved = moved.max(moved_in(argument, &array_of(argument, &column)?, usize::MAX)?);
            }
        }
        return Ok(moved);
    }
    match value.cast::<PyTuple>() {
        Ok(pair) if pair.len() == 2 => moved(argument, &pair.get_item(0)?),
        _ => moved_in(argument, &array_of(argument, value)?, 3),
    }
}

/// The same of the first numbers of each row of an array, so many at most. What is no array of
/// numbers is refused elsewhere.
fn moved_in(argument: &str, array: &Bound<'_, PyUntypedArray>, width: usize) -> PyResult<f64> {
    if fits_f32(array) || !matches!(array.dtype().kind(), b'f' | b'i' | b'u') || array.ndim() == 0 {
        return Ok(0.0);
    }
    let numbers = floats::<f64>(argument, array)?;
    let mut numbers = numbers.as_array();
    let last = Axis(numbers.ndim() - 1);
    if width < numbers.len_of(last) {
        numbers.slice_axis_inplace(last, Slice::from(..width));
    }
    Ok(moved_by_rounding::<f32>(numbers.iter().copied()))
}

//! Which precision a scene needs.

use crate::arrays::{Number, Vectors, array_of, fits_f32, floats};
use crate::geometry::{kind, places_of_heights};
use crate::scene::{Content, PyScene};
use lanecast_io::Coarseness;
use numpy::prelude::*;
use pyo3::prelude::*;

/// Whether items need f64: coordinates that f32 is too coarse for and cannot hold by their dtype, by the rule of mesh files, or a placed scene of f64.
pub(crate) fn need_f64(items: &[(String, Bound<'_, PyAny>)]) -> PyResult<bool> {
    let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    let mut widen = |point: &[f64; 3]| {
        for axis in 0..3 {
            (min[axis], max[axis]) = (min[axis].min(point[axis]), max[axis].max(point[axis]));
        }
    };
    for (name, item) in items {
        kind(name, item)?;
        if let Some(scene) = item.getattr_opt("scene")?
            && matches!(scene.cast::<PyScene>().map(|scene| scene.get().content.now()), Ok(Content::F64(_)))
        {
            return Ok(true);
        }
        for field in ["vertices", "min", "max", "center", "start", "end"] {
            let Some(value) = item.getattr_opt(field)? else { continue };
            let argument = format!("{name}{field}");
            if fits_f32(&array_of(&argument, &value)?) {
                continue;
            }
            Vectors::<f64>::of(&argument, &value)?.rows()?.iter().for_each(&mut widen);
        }
        if let Some(heights) = item.getattr_opt("heights")? {
            corners_of_heights(name, item, &heights)?.iter().flatten().for_each(&mut widen);
        }
    }
    Ok(min[0] <= max[0] && Coarseness::of_f32([min, max]).is_some())
}

/// The least and the greatest corner of a field of heights, of which places are f64 whatever the heights are; None if it has no
/// vertex.
fn corners_of_heights(
    name: &str,
    item: &Bound<'_, PyAny>,
    heights: &Bound<'_, PyAny>,
) -> PyResult<Option<[[f64; 3]; 2]>> {
    let argument = format!("{name}heights");
    let array = array_of(&argument, heights)?;
    let [low, high] = match fits_f32(&array) {
        // Wherever they are: only their extent counts.
        true => extent::<f32>(&argument, heights).map(|[low, high]| [0.0, high - low])?,
        false => extent::<f64>(&argument, heights)?,
    };
    let &[rows, columns] = array.shape() else { return Ok(None) };
    let [[x, y], [step_x, step_y]] = places_of_heights(name, item)?;
    let last = |first: f64, step: f64, count: usize| first + step * count.saturating_sub(1) as f64;
    let corners = [[x, y, low], [last(x, step_x, columns), last(y, step_y, rows), high]];
    Ok((low <= high).then_some(corners))
}

/// The least and the greatest of numbers, without NaN.
fn extent<T: Number>(argument: &str, numbers: &Bound<'_, PyAny>) -> PyResult<[f64; 2]> {
    let numbers = floats::<T>(argument, numbers)?;
    let wider = |[low, high]: [f64; 2], &number: &T| [low.min(number.to_f64()), high.max(number.to_f64())];
    Ok(numbers.as_array().iter().fold([f64::INFINITY, f64::NEG_INFINITY], wider))
}

//! Rays of arrays that the engine cannot read where they lie: of the other precision, with strides
//! that are negative or no whole numbers, or with leading dimensions that are no rows of one table.
//! They are gathered chunk by chunk while they are cast.
#![expect(unsafe_code, reason = "numbers are read by strides")]

use crate::arrays::{array_of, is_masked, split};
use crate::errors::refused;
use crate::number::Number;
use lanecast::{Maker, Ray};
use lanecast_io::moved_by_rounding;
use numpy::prelude::*;
use numpy::{Element, IxDyn, PyArrayDyn, PyReadonlyArray, PyUntypedArray};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// Up to so many rows are copied instead: what is made has a price for each chunk.
const FEW: usize = 4096;

/// Whether an argument is an array of many rows of floats that must be gathered, as the engine
/// reads only tables of `T`.
pub(crate) fn is_gathered<T: Number>(value: &Bound<'_, PyAny>) -> bool {
    let Ok(array) = value.cast::<PyUntypedArray>() else { return false };
    let Some((width, leading)) = array.shape().split_last() else { return false };
    if leading.iter().product::<usize>() <= FEW || *width == 0 || is_masked(array) {
        return false;
    }
    let is_other =
        array.cast::<PyArrayDyn<f32>>().is_ok() || array.cast::<PyArrayDyn<f64>>().is_ok();
    let size = size_of::<T>();
    let strides = array.strides();
    let fits = |&stride: &isize| stride >= 0 && (stride as usize).is_multiple_of(size);
    // Rows are as far apart from the last of one line to the first of the next.
    let lines: Vec<_> = leading.iter().zip(strides).filter(|(length, _)| **length > 1).collect();
    let is_table = lines.windows(2).all(|pair| *pair[0].1 == *pair[1].1 * *pair[1].0 as isize);
    let lies_well = array
        .cast::<PyArrayDyn<T>>()
        .is_ok_and(|array| (array.data() as usize).is_multiple_of(size))
        && strides.iter().all(fits)
        && is_table;
    is_other && !lies_well
}

/// An array of floats as it lies, of shape (..., width).
pub(crate) enum Numbers<'py> {
    F32(PyReadonlyArray<'py, f32, IxDyn>),
    F64(PyReadonlyArray<'py, f64, IxDyn>),
}

impl<'py> Numbers<'py> {
    /// Reads an argument of shape (..., width), for one of these widths, if it is an array of
    /// floats of this machine.
    pub(crate) fn of(
        argument: &str,
        value: &Bound<'py, PyAny>,
        widths: &[usize],
    ) -> PyResult<Option<Self>> {
        let lent = |_| refused(argument, "it shares memory with an array that is written to");
        let array = array_of(argument, value)?;
        split(argument, array.shape(), widths)?;
        if let Ok(array) = array.cast::<PyArrayDyn<f32>>() {
            return Ok(Some(Self::F32(array.try_readonly().map_err(lent)?)));
        }
        let Ok(array) = array.cast::<PyArrayDyn<f64>>() else { return Ok(None) };
        Ok(Some(Self::F64(array.try_readonly().map_err(lent)?)))
    }

    /// The dimensions of the answers.
    pub(crate) fn shape(&self) -> &[usize] {
        let shape = self.rows().shape;
        &shape[..shape.len() - 1]
    }

    pub(crate) fn width(&self) -> usize {
        self.rows().shape[self.shape().len()]
    }

    fn rows(&self) -> Rows<'_> {
        match self {
            Self::F32(array) => Rows::of(array),
            Self::F64(array) => Rows::of(array),
        }
    }
}

/// The rows of an array, for any thread.
#[derive(Clone, Copy)]
struct Rows<'a> {
    shape: &'a [usize],
    /// In bytes.
    strides: &'a [isize],
    /// The address of the first number.
    start: usize,
    is_f64: bool,
}

impl<'a> Rows<'a> {
    fn of<V: Element>(array: &'a PyReadonlyArray<'_, V, IxDyn>) -> Self {
        let (shape, strides) = (array.shape(), array.strides());
        Self { shape, strides, start: array.data() as usize, is_f64: size_of::<V>() == 8 }
    }

    /// Reads `N` numbers, from one place of each row on, of the rows from `first` on.
    fn read<T: Number, const N: usize>(
        &self,
        first: usize,
        place: usize,
        count: usize,
        mut each: impl FnMut(usize, [T; N]),
    ) {
        match self.is_f64 {
            true => self.read_as::<f64, _, N>(first, place, count, |row, numbers| {
                each(row, numbers.map(T::nearest));
            }),
            false => self.read_as::<f32, _, N>(first, place, count, |row, numbers| {
                each(row, numbers.map(|number| T::nearest(f64::from(number))));
            }),
        }
    }

    fn read_as<V: Copy, F: FnMut(usize, [V; N]), const N: usize>(
        &self,
        first: usize,
        place: usize,
        count: usize,
        mut each: F,
    ) {
        let (_, leading) = self.shape.split_last().expect("rows");
        let (step, strides) = self.strides.split_last().expect("rows");
        let mut index = vec![0; leading.len()];
        let mut rest = first;
        for axis in (0..leading.len()).rev() {
            let length = leading[axis].max(1);
            (index[axis], rest) = (rest % length, rest / length);
        }
        let offset = |index: &[usize]| -> isize {
            index.iter().zip(strides).map(|(&i, stride)| i as isize * stride).sum()
        };
        let mut row = 0;
        while row < count {
            // Along the last of the leading dimensions.
            let (length, stride) = match leading.last() {
                Some(&length) => (length - index[leading.len() - 1], strides[leading.len() - 1]),
                None => (1, 0),
            };
            let start = self.start.wrapping_add_signed(offset(&index) + place as isize * step);
            let run = length.min(count - row);
            for along in 0..run {
                let at = start.wrapping_add_signed(along as isize * stride);
                each(
                    row + along,
                    std::array::from_fn(|number| {
                        let number = at.wrapping_add_signed(number as isize * step) as *const V;
                        // SAFETY: an element of the array, by its shape and strides; the array is
                        // borrowed, and is not written to.
                        unsafe { number.read_unaligned() }
                    }),
                );
            }
            row += run;
            // On to the next line of this dimension.
            for axis in (0..leading.len()).rev() {
                index[axis] += if axis + 1 == leading.len() { run } else { 1 };
                if index[axis] < leading[axis] {
                    break;
                }
                index[axis] = 0;
            }
        }
    }
}

/// Rays gathered from one array or two.
pub(crate) struct Gathered<'a> {
    origins: Rows<'a>,
    directions: Option<Rows<'a>>,
    width: usize,
    /// The bits of the greatest distance by which rounding moved a coordinate of an origin.
    moved: AtomicU64,
}

impl<'a> Gathered<'a> {
    pub(crate) fn of(origins: &'a Numbers<'_>, directions: Option<&'a Numbers<'_>>) -> Self {
        Self {
            origins: origins.rows(),
            directions: directions.map(Numbers::rows),
            width: origins.width(),
            moved: AtomicU64::new(0),
        }
    }

    /// By how much rounding moved a coordinate of an origin at most, of the rays that were made so
    /// far.
    pub(crate) fn moved(&self) -> f64 {
        f64::from_bits(self.moved.load(Ordering::Relaxed))
    }
}

impl<T: Number> Maker<Ray<T>> for Gathered<'_> {
    fn len(&self) -> usize {
        self.origins.shape[..self.origins.shape.len() - 1].iter().product()
    }

    fn make(&self, first: usize, rays: &mut [Ray<T>]) {
        let count = rays.len();
        let mut ray = |row: usize, [ox, oy, oz, dx, dy, dz]: [T; 6]| {
            rays[row] = Ray::new([ox, oy, oz], [dx, dy, dz]);
        };
        match &self.directions {
            None => self.origins.read(first, 0, count, &mut ray),
            Some(directions) => {
                self.origins
                    .read(first, 0, count, |row, [x, y, z]: [T; 3]| ray(row, [x, y, z, x, y, z]));
                directions.read(first, 0, count, |row, direction| rays[row].direction = direction);
            }
        }
        if self.origins.is_f64 && size_of::<T>() < size_of::<f64>() {
            let mut moved = 0.0_f64;
            self.origins.read(first, 0, count, |_, origin: [f64; 3]| {
                moved = moved.max(moved_by_rounding::<T>(origin.into_iter()));
            });
            // Of numbers from 0 on bits have the order of the numbers.
            self.moved.fetch_max(moved.to_bits(), Ordering::Relaxed);
        }
        if self.width == 8 {
            self.origins.read(first, 6, count, |row, [t_min, t_max]| {
                (rays[row].t_min, rays[row].t_max) = (t_min, t_max);
            });
        }
    }
}

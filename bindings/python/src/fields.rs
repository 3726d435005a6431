//! Fields of the classes of `_makers.py`, `_lidar.py` and `_light.py`: a few numbers each, read by
//! their names.

use crate::arrays::{numbers, shown};
use crate::errors::refused;
use numpy::prelude::*;
use numpy::{IxDyn, PyReadonlyArray};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;

/// An object of such a class.
pub(crate) struct Fields<'a, 'py>(pub(crate) &'a Bound<'py, PyAny>);

impl<'py> Fields<'_, 'py> {
    pub(crate) fn value(&self, name: &str) -> PyResult<Bound<'py, PyAny>> {
        self.0.getattr(name)
    }

    pub(crate) fn is_given(&self, name: &str) -> PyResult<bool> {
        Ok(!self.value(name)?.is_none())
    }

    pub(crate) fn number(&self, name: &str) -> PyResult<f64> {
        let value = self.value(name)?;
        no_switch(name, &value)?;
        value.extract().map_err(|error| no_number(name, &value, &error))
    }

    /// A whole number from 0 to the greatest of an unsigned type.
    pub(crate) fn whole<V: TryFrom<u64>>(&self, name: &str) -> PyResult<V> {
        let value = self.value(name)?;
        no_switch(name, &value)?;
        let number = match value.extract::<u64>() {
            Ok(number) => V::try_from(number).ok(),
            Err(error) if error.is_instance_of::<PyOverflowError>(value.py()) => None,
            Err(error) => return Err(no_number(name, &value, &error)),
        };
        number.ok_or_else(|| {
            let most = u64::MAX >> (64 - 8 * size_of::<V>());
            refused(name, format!("it is {value}; a whole number from 0 to {most} was expected"))
        })
    }

    /// Numbers in an array of any shape.
    pub(crate) fn numbers(&self, name: &str) -> PyResult<PyReadonlyArray<'py, f64, IxDyn>> {
        numbers(name, &self.value(name)?)
    }

    pub(crate) fn vector<const N: usize>(&self, name: &str) -> PyResult<[f64; N]> {
        self.shaped(name, &[N]).map(|numbers| std::array::from_fn(|place| numbers[place]))
    }

    pub(crate) fn matrix<const R: usize, const C: usize>(
        &self,
        name: &str,
    ) -> PyResult<[[f64; C]; R]> {
        let numbers = self.shaped(name, &[R, C])?;
        Ok(std::array::from_fn(|row| std::array::from_fn(|column| numbers[C * row + column])))
    }

    fn shaped(&self, name: &str, expected: &[usize]) -> PyResult<Vec<f64>> {
        let array = self.numbers(name)?;
        if array.shape() != expected {
            let [shape, expected] = [array.shape(), expected].map(shown);
            return Err(refused(name, format!("its shape is {shape}; {expected} was expected")));
        }
        Ok(array.as_array().iter().copied().collect())
    }

    /// The width and the height of a picture.
    pub(crate) fn size(&self) -> PyResult<[u32; 2]> {
        let size = self.vector::<2>("size")?;
        let is_whole =
            |side: f64| side.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&side);
        if !size.into_iter().all(is_whole) {
            let expected = "two whole numbers, width and height, were expected";
            return Err(refused("size", format!("it is {}; {expected}", self.value("size")?)));
        }
        Ok(size.map(|side| side as u32))
    }
}

/// Refuses True and False, which Python takes for numbers.
fn no_switch(name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match value.extract::<bool>() {
        Ok(_) => Err(PyTypeError::new_err(format!("{name}: it is {value}; a number was expected"))),
        Err(_) => Ok(()),
    }
}

fn no_number(name: &str, value: &Bound<'_, PyAny>, error: &PyErr) -> PyErr {
    let problem = error.value(value.py());
    PyTypeError::new_err(format!("{name}: it is {value:?}; a number was expected: {problem}"))
}

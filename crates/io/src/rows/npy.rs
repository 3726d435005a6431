//! Rows as an NPY array.

use super::array::{Array, ArrayRows, Shape, scalar_of, unexpected_shape};
use super::format::Input;
use super::{Row, Source};
use crate::error::{FileName, InFile, Result};
use crate::npy::NpyHeader;

pub(super) fn open<R: Row>(file: FileName, mut input: Input) -> Result<Source<R>> {
    let header = NpyHeader::read(&file, &mut input)?;
    let scalar = scalar_of(&file, &header)?;
    let shape = shape_of::<R>(&header).in_file(&file)?;
    let total = shape.rows;
    let array = Array::open(file.clone(), &header, scalar, shape, input)?;
    let rows = ArrayRows { arrays: vec![array], total, ..ArrayRows::new(file) };
    Ok(Source::new(rows, Some(total), false, Vec::new()))
}

/// The shape of an array of all numbers of rows.
pub(super) fn shape_of<R: Row>(header: &NpyHeader) -> Result<Shape, String> {
    let (required, all) = (R::REQUIRED, R::NAMES.len());
    let shape = Shape::of(header, required).or_else(|| Shape::of(header, all));
    shape.ok_or_else(|| unexpected_shape(header, R::SHAPES))
}

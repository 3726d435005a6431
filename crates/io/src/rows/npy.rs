//! Rows as an NPY array.

use super::array::{Array, Input, Shape, scalar_of, unexpected_shape};
use super::{Moved, Row, Rows};
use crate::error::{FileName, Result};
use crate::npy::NpyHeader;
use std::marker::PhantomData;

/// Rows are read in pieces, so that a header which promises too much costs no memory.
pub(super) const PIECE: usize = 8192;

pub(super) struct NpyRows<R> {
    array: Array,
    done: u64,
    row: PhantomData<fn() -> R>,
}

impl<R: Row> NpyRows<R> {
    pub(super) fn open(file: FileName, mut input: Input) -> Result<Self> {
        let header = NpyHeader::read(&file, &mut input)?;
        let scalar = scalar_of(&file, &header)?;
        let shape = shape_of::<R>(&header).map_err(|what| file.content(what))?;
        let array = Array::open(file, &header, scalar, shape, input)?;
        Ok(Self { array, done: 0, row: PhantomData })
    }
}

/// The shape of an array of all numbers of rows.
pub(super) fn shape_of<R: Row>(header: &NpyHeader) -> Result<Shape, String> {
    let (required, all) = (R::REQUIRED, R::NAMES.len());
    let shape = Shape::of(header, required).or_else(|| Shape::of(header, all));
    shape.ok_or_else(|| unexpected_shape(header, R::SHAPES))
}

impl<R: Row> Rows<R> for NpyRows<R> {
    fn total(&self) -> Option<u64> {
        Some(self.array.shape.rows)
    }

    fn read(
        &mut self,
        max_rows: usize,
        rows: &mut Vec<R>,
        _ids: &mut Vec<i64>,
        moved: &mut Moved,
    ) -> Result<()> {
        let mut wanted = (self.array.shape.rows - self.done).min(max_rows as u64);
        while wanted > 0 {
            let piece = wanted.min(PIECE as u64);
            let start = rows.len();
            rows.resize(start + piece as usize, R::BLANK);
            let values = bytemuck::cast_slice_mut::<R, R::Number>(&mut rows[start..]);
            self.array.read_numbers(values, R::NAMES.len(), moved)?;
            self.done += piece;
            wanted -= piece;
        }
        if self.done == self.array.shape.rows { self.array.end() } else { Ok(()) }
    }
}

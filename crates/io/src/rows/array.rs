//! Arrays of NPY files, and of members of NPZ files, read in pieces of rows.

use super::format::Input;
use super::lines::fill;
use super::npz::Members;
use super::scalar::{Scalar, Whole};
use super::{Chunk, Column, Moved, Row, Rows};
use crate::error::{FileName, InFile, Result};
use crate::excerpt;
use crate::mesh::Coordinate;
use crate::npy::NpyHeader;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

/// Rows are read in pieces, so that a header which promises too much costs no memory.
pub(super) const PIECE: usize = 8192;

/// What the shape of an array says: how many rows there are, and where in a row each value belongs,
/// in the order in which values, or columns of them, follow each other in the file.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    pub(super) rows: u64,
    pub(super) places: Vec<usize>,
}

impl Shape {
    /// The shape if it is (N, width), (width,), or (N, width / 3, 3) for more than three values.
    pub(super) fn of(header: &NpyHeader, width: usize) -> Option<Self> {
        let (rows, triples) = match header.shape[..] {
            [rows, values] if values == width as u64 => (rows, false),
            [values] if values == width as u64 => (1, false),
            [rows, triples, 3] if triples > 1 && triples * 3 == width as u64 => (rows, true),
            _ => return None,
        };
        let columns = width / 3;
        // In Fortran order all x of a row come before all y.
        let places = (0..width).map(|place| match triples && header.fortran_order {
            true => place % columns * 3 + place / columns,
            false => place,
        });
        Some(Self { rows, places: places.collect() })
    }
}

pub(super) struct Array {
    file: FileName,
    data: Data,
    pub(super) shape: Shape,
    pub(super) scalar: Scalar,
    done: u64,
    /// The rows read last, as they lie in the file.
    bytes: Vec<u8>,
}

/// The numbers of the array: row after row (C order) or column after column (Fortran order, which
/// NumPy gives to a transposed array).
enum Data {
    Rows(Input),
    Columns { file: File, start: u64 },
}

/// The type of an array's values.
pub(super) fn scalar_of(file: &FileName, header: &NpyHeader) -> Result<Scalar> {
    Scalar::of_numpy(&header.descr).ok_or_else(|| {
        let found = excerpt(&header.descr).into_owned();
        file.content(format_args!(
            "values of the type {found:?}; expected f2, f4, f8, i1 to i8 or u1 to u8"
        ))
    })
}

/// The message for a shape that is none of those expected.
pub(super) fn unexpected_shape(header: &NpyHeader, expected: &str) -> String {
    let shape = format!("{:?}", header.shape);
    format!("shape {}; expected {expected}", excerpt(&shape))
}

impl Array {
    /// The values behind a header.
    pub(super) fn open(
        file: FileName,
        header: &NpyHeader,
        scalar: Scalar,
        shape: Shape,
        input: Input,
    ) -> Result<Self> {
        let size = size_of(&shape, scalar);
        let data = match input {
            input if header.fortran_order => columns(input, size, &file)?,
            Input::File(mut opened) => {
                // Of rows that are missing the reading tells the first.
                let (_, there) = left(&mut opened).in_file(&file)?;
                refuse_more(&file, size, there)?;
                Data::Rows(Input::File(opened))
            }
            Input::Pipe(pipe) => Data::Rows(Input::Pipe(pipe)),
        };
        Ok(Self { file, data, shape, scalar, done: 0, bytes: Vec::new() })
    }

    /// Reads the next rows, which there must be by the shape, and hands out their values, row after
    /// row, with the place in a row of each: all at once, or, where columns follow each other, one
    /// column after another.
    pub(super) fn read(
        &mut self,
        rows: usize,
        mut each: impl FnMut(&[usize], &[u8]),
    ) -> Result<()> {
        let (size, width) = (self.scalar.size(), self.shape.places.len());
        if let Data::Columns { start, .. } = self.data {
            for column in 0..width {
                // Checked against the length of the file in `columns`.
                let place = start + (column as u64 * self.shape.rows + self.done) * size as u64;
                if let Data::Columns { file, .. } = &mut self.data {
                    file.seek(SeekFrom::Start(place)).in_file(&self.file)?;
                }
                self.fill(rows, 1)?;
                each(&self.shape.places[column..=column], &self.bytes);
            }
        } else {
            self.fill(rows * width, width)?;
            each(&self.shape.places, &self.bytes);
        }
        self.done += rows as u64;
        Ok(())
    }

    /// Reads the next rows as numbers, each to its place in rows of `width`.
    pub(super) fn read_numbers<T: Coordinate>(
        &mut self,
        to: &mut [T],
        width: usize,
        moved: &mut Moved,
    ) -> Result<()> {
        let scalar = self.scalar;
        self.read(to.len() / width, |places, bytes| scalar.numbers(bytes, places, to, width, moved))
    }

    /// Reads `count` values of the array, which begin with the row `self.done`.
    fn fill(&mut self, count: usize, values_per_row: usize) -> Result<()> {
        let size = self.scalar.size();
        self.bytes.resize(count * size, 0);
        let filled = match &mut self.data {
            Data::Rows(input) => fill(input, &mut self.bytes),
            Data::Columns { file, .. } => fill(file, &mut self.bytes),
        };
        let filled = filled.in_file(&self.file)?;
        if filled < self.bytes.len() {
            let row = self.done + (filled / (values_per_row * size)) as u64;
            let what = format!("truncated: row {row} of {} is incomplete", self.shape.rows);
            return Err(self.file.content(what));
        }
        Ok(())
    }

    /// Refuses a pipe that goes on behind the last row.
    pub(super) fn end(&mut self) -> Result<()> {
        if let Data::Rows(Input::Pipe(pipe)) = &mut self.data {
            let more = pipe.take(1).read_to_end(&mut Vec::new()).in_file(&self.file)?;
            if more > 0 {
                let what = format_args!(
                    "more follows the {} rows that the header promises",
                    self.shape.rows
                );
                return Err(self.file.content(what));
            }
        }
        Ok(())
    }
}

/// Rows whose numbers lie in arrays.
pub(super) struct ArrayRows {
    pub(super) file: FileName,
    pub(super) arrays: Vec<Array>,
    pub(super) ids: Option<(Array, Whole)>,
    /// The arrays of columns that are kept, and where these are looked for.
    pub(super) kept: Vec<Array>,
    pub(super) members: Option<Members>,
    pub(super) total: u64,
    pub(super) done: u64,
}

impl ArrayRows {
    /// Rows of a file without arrays yet.
    pub(super) fn new(file: FileName) -> Self {
        let (arrays, kept) = (Vec::new(), Vec::new());
        Self { file, arrays, ids: None, kept, members: None, total: 0, done: 0 }
    }
}

impl<R: Row> Rows<R> for ArrayRows {
    fn keep(&mut self, names: &[String]) -> Result<Vec<Column>> {
        let Some(members) = &mut self.members else {
            return match names.first() {
                None => Ok(Vec::new()),
                Some(name) => {
                    let (name, file) = (excerpt(name), &self.file);
                    Err(file
                        .content(format_args!("there is no column \"{name}\": it is one array")))
                }
            };
        };
        // Those that were kept before are not kept beside them.
        self.kept = Vec::new();
        let read = names.iter().map(|name| members.column(name, self.total));
        let (kept, columns) = read.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        self.kept = kept;
        Ok(columns)
    }

    fn can_keep(&mut self, name: &str) -> bool {
        let rows = self.total;
        self.members.as_mut().is_some_and(|members| members.can_keep(name, rows))
    }

    fn read(&mut self, max_rows: usize, chunk: &mut Chunk<R>) -> Result<()> {
        let Chunk { rows, ids, kept, moved } = chunk;
        let mut wanted = (self.total - self.done).min((max_rows - rows.len()) as u64);
        while wanted > 0 {
            let piece = wanted.min(PIECE as u64) as usize;
            let start = rows.len();
            rows.resize(start + piece, R::BLANK);
            let values = bytemuck::cast_slice_mut::<R, R::Number>(&mut rows[start..]);
            for array in &mut self.arrays {
                array.read_numbers(values, R::NAMES.len(), moved)?;
            }
            if let Some((array, id_type)) = &mut self.ids {
                let (size, mut beyond) = (array.scalar.size(), None);
                array.read(piece, |_, bytes| {
                    for (row, value) in bytes.chunks_exact(size).enumerate() {
                        match id_type.read(value) {
                            Ok(id) => ids.push(id),
                            Err(id) => beyond = beyond.or(Some((row, id))),
                        }
                    }
                })?;
                refuse_beyond(&array.file, self.done, beyond)?;
            }
            for (array, values) in self.kept.iter_mut().zip(&mut *kept) {
                let (scalar, mut beyond) = (array.scalar, None);
                array.read(piece, |_, bytes| {
                    for (row, value) in bytes.chunks_exact(scalar.size()).enumerate() {
                        if let Err(value) = values.push_number(scalar, value) {
                            beyond = beyond.or(Some((row, value)));
                        }
                    }
                })?;
                refuse_beyond(&array.file, self.done, beyond)?;
            }
            self.done += piece as u64;
            wanted -= piece as u64;
        }
        match self.done == self.total {
            true => self.arrays.iter_mut().try_for_each(Array::end),
            false => Ok(()),
        }
    }
}

/// Refuses a whole number beyond 64 bits with a sign, so many rows behind those that are done.
pub(super) fn refuse_beyond(
    file: &FileName,
    done: u64,
    beyond: Option<(usize, u64)>,
) -> Result<()> {
    let Some((row, value)) = beyond else { return Ok(()) };
    let row = done + row as u64;
    Err(file.content(format_args!("row {row}: {value} is beyond 64 bits with a sign")))
}

/// How many bytes an array takes.
pub(super) fn size_of(shape: &Shape, scalar: Scalar) -> u128 {
    u128::from(shape.rows) * (shape.places.len() * scalar.size()) as u128
}

/// Columns need a file to go to and fro in, `size` bytes long from where it stands.
fn columns(input: Input, size: u128, name: &FileName) -> Result<Data> {
    let open = || -> io::Result<_> {
        let mut file = input.into_file()?;
        let (start, there) = left(&mut file)?;
        Ok((file, start, there))
    };
    let (file, start, there) = open().in_file(name)?;
    if u128::from(there) < size {
        let what =
            format!("truncated: the header promises {size} bytes of values, {there} are there");
        return Err(name.content(what));
    }
    refuse_more(name, size, there)?;
    Ok(Data::Columns { file, start })
}

/// Where a file stands, and how many bytes are left of it.
fn left(file: &mut File) -> io::Result<(u64, u64)> {
    let start = file.stream_position()?;
    Ok((start, file.metadata()?.len().saturating_sub(start)))
}

/// An array that holds more than its shape says: the shape is wrong, or another array follows.
fn refuse_more(file: &FileName, size: u128, there: u64) -> Result<()> {
    if u128::from(there) > size {
        let what = format_args!("the header promises {size} bytes of values, {there} are there");
        return Err(file.content(what));
    }
    Ok(())
}

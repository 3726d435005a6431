//! Rows as an NPY array.

use super::sniff::spool;
use super::{Row, Rows};
use crate::error::{FileName, Result};
use crate::excerpt;
use crate::npy::NpyHeader;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::marker::PhantomData;

/// Rows are read in pieces, so that a header which promises too much costs no memory.
const PIECE: usize = 8192;

/// Where an array comes from.
pub(super) enum Input {
    /// A file, in which one can go to and fro.
    File(File),
    /// A pipe, in which one cannot.
    Pipe(Box<dyn Read + Send>),
}

pub(super) struct NpyRows<R> {
    file: FileName,
    data: Data,
    total: u64,
    done: u64,
    /// Numbers in a row.
    width: usize,
    scalar: Scalar,
    /// A piece of the data as it stands in the file, and as numbers.
    bytes: Vec<u8>,
    values: Vec<f32>,
    row: PhantomData<fn() -> R>,
}

/// The numbers of the array: row after row (C order) or column after column (Fortran order, which
/// NumPy gives to a transposed array).
enum Data {
    Rows(Input),
    Columns { file: File, start: u64 },
}

/// A type of the values: how many bytes they have, and how they become numbers.
#[derive(Clone, Copy)]
struct Scalar {
    size: usize,
    decode: fn(&[u8], &mut Vec<f32>),
}

impl<R: Row> NpyRows<R> {
    pub(super) fn open(file: FileName, mut input: Input) -> Result<Self> {
        let header = NpyHeader::read(&file, &mut input)?;
        let scalar = match header.descr.as_str() {
            "<f4" => Scalar { size: 4, decode: |bytes, values| decode(bytes, values, f32::from_le_bytes) },
            ">f4" => Scalar { size: 4, decode: |bytes, values| decode(bytes, values, f32::from_be_bytes) },
            "<f8" => Scalar {
                size: 8,
                decode: |bytes, values| decode(bytes, values, |b| f64::from_le_bytes(b) as f32),
            },
            ">f8" => Scalar {
                size: 8,
                decode: |bytes, values| decode(bytes, values, |b| f64::from_be_bytes(b) as f32),
            },
            other => {
                let other = excerpt(other);
                return Err(file.content(format_args!("values of the type {other:?}; expected f4 or f8")));
            }
        };
        let widths = [R::REQUIRED, R::NAMES.len()];
        let (total, width) = match header.shape[..] {
            [rows, width] if widths.iter().any(|&known| known as u64 == width) => (rows, width as usize),
            _ => {
                let [required, all] = widths;
                let expected = if required == all {
                    format!("(N, {all})")
                } else {
                    format!("(N, {required}) or (N, {all})")
                };
                let shape = format!("{:?}", header.shape);
                return Err(file.content(format_args!("shape {}; expected {expected}", excerpt(&shape))));
            }
        };
        let size = u128::from(total) * (width * scalar.size) as u128;
        let data = match input {
            input if header.fortran_order => columns(input, size, &file)?,
            Input::File(mut opened) => {
                // Of rows that are missing the reading tells the first.
                let (_, there) = left(&mut opened).map_err(|error| file.system(error))?;
                refuse_more(&file, size, there)?;
                Data::Rows(Input::File(opened))
            }
            Input::Pipe(pipe) => Data::Rows(Input::Pipe(pipe)),
        };
        let (bytes, values) = (Vec::new(), Vec::new());
        Ok(Self { file, data, total, done: 0, width, scalar, bytes, values, row: PhantomData })
    }

    /// Reads `count` values of the array, which begin with the row `self.done`, into `self.values`.
    fn fill(&mut self, count: usize, values_per_row: usize) -> Result<()> {
        self.bytes.resize(count * self.scalar.size, 0);
        let reader: &mut dyn Read = match &mut self.data {
            Data::Rows(input) => input,
            Data::Columns { file, .. } => file,
        };
        let mut filled = 0;
        while filled < self.bytes.len() {
            match reader.read(&mut self.bytes[filled..]) {
                Ok(0) => {
                    let row = self.done + (filled / (values_per_row * self.scalar.size)) as u64;
                    let what = format!("truncated: row {row} of {} is incomplete", self.total);
                    return Err(self.file.content(what));
                }
                Ok(read) => filled += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.file.system(error)),
            }
        }
        (self.scalar.decode)(&self.bytes, &mut self.values);
        Ok(())
    }

    /// Fills in the next rows.
    fn read_piece(&mut self, rows: &mut [R]) -> Result<()> {
        let Data::Columns { start, .. } = self.data else {
            self.fill(rows.len() * self.width, self.width)?;
            for (row, values) in rows.iter_mut().zip(self.values.chunks_exact(self.width)) {
                row.numbers()[..self.width].copy_from_slice(values);
            }
            return Ok(());
        };
        for column in 0..self.width {
            // Checked against the length of the file in `columns`.
            let place = start + (column as u64 * self.total + self.done) * self.scalar.size as u64;
            if let Data::Columns { file, .. } = &mut self.data {
                file.seek(SeekFrom::Start(place)).map_err(|error| self.file.system(error))?;
            }
            self.fill(rows.len(), 1)?;
            for (row, value) in rows.iter_mut().zip(&self.values) {
                row.numbers()[column] = *value;
            }
        }
        Ok(())
    }
}

impl<R: Row> Rows<R> for NpyRows<R> {
    fn total(&self) -> Option<u64> {
        Some(self.total)
    }

    fn read(&mut self, max_rows: usize, rows: &mut Vec<R>, _ids: &mut Vec<i64>) -> Result<()> {
        let mut wanted = (self.total - self.done).min(max_rows as u64);
        while wanted > 0 {
            let piece = wanted.min(PIECE as u64);
            let start = rows.len();
            rows.resize(start + piece as usize, R::BLANK);
            self.read_piece(&mut rows[start..])?;
            self.done += piece;
            wanted -= piece;
        }
        if self.done == self.total
            && let Data::Rows(Input::Pipe(pipe)) = &mut self.data
        {
            let more = pipe.take(1).read_to_end(&mut Vec::new()).map_err(|error| self.file.system(error))?;
            if more > 0 {
                let what = format_args!("more follows the {} rows that the header promises", self.total);
                return Err(self.file.content(what));
            }
        }
        Ok(())
    }
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Pipe(pipe) => pipe.read(buffer),
        }
    }
}

/// Columns need a file to go to and fro in, `size` bytes long from where it stands.
fn columns(input: Input, size: u128, name: &FileName) -> Result<Data> {
    let open = || {
        let mut file = match input {
            Input::File(file) => file,
            Input::Pipe(pipe) => spool(pipe)?,
        };
        let (start, there) = left(&mut file)?;
        Ok((file, start, there))
    };
    let (file, start, there) = open().map_err(|error| name.system(error))?;
    if u128::from(there) < size {
        let what = format!("truncated: the header promises {size} bytes of values, {there} are there");
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

fn decode<const SIZE: usize>(bytes: &[u8], values: &mut Vec<f32>, value: impl Fn([u8; SIZE]) -> f32) {
    values.clear();
    values.extend(bytes.as_chunks::<SIZE>().0.iter().map(|bytes| value(*bytes)));
}

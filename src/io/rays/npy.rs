//! Rays as an NPY array.

use super::Rows;
use crate::io::error::{FileName, Result};
use crate::io::npy::NpyHeader;
use crate::ray::Ray;
use std::io::Read;

/// Rows are read in pieces, so that a header which promises too much costs no memory.
const PIECE: usize = 8192;

pub(super) struct NpyRows {
    file: FileName,
    reader: Box<dyn Read + Send>,
    total: u64,
    done: u64,
    /// 6 or 8.
    width: usize,
    scalar: Scalar,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Scalar {
    F32Little,
    F32Big,
    F64Little,
    F64Big,
}

impl Scalar {
    fn size(self) -> usize {
        match self {
            Self::F32Little | Self::F32Big => 4,
            Self::F64Little | Self::F64Big => 8,
        }
    }
}

impl NpyRows {
    pub(super) fn open(file: FileName, mut reader: Box<dyn Read + Send>) -> Result<Self> {
        let header = NpyHeader::read(&file, &mut reader)?;
        let scalar = match header.descr.as_str() {
            "<f4" => Scalar::F32Little,
            ">f4" => Scalar::F32Big,
            "<f8" => Scalar::F64Little,
            ">f8" => Scalar::F64Big,
            other => {
                return Err(file.content(format_args!(
                    "values of the type {:?}; expected f4 or f8",
                    other.chars().take(20).collect::<String>()
                )));
            }
        };
        let (total, width) = match header.shape[..] {
            [rows, width @ (6 | 8)] => (rows, width as usize),
            _ => {
                return Err(file.content(format_args!("shape {:?}; expected (N, 6) or (N, 8)", header.shape)));
            }
        };
        if header.fortran_order {
            return Err(
                file.content("the array is in Fortran order; save it in C order (numpy.ascontiguousarray)")
            );
        }
        Ok(Self { file, reader, total, done: 0, width, scalar, bytes: Vec::new() })
    }

    /// Fills `self.bytes`.
    fn fill(&mut self) -> Result<()> {
        let mut filled = 0;
        while filled < self.bytes.len() {
            match self.reader.read(&mut self.bytes[filled..]) {
                Ok(0) => {
                    let row = self.done + (filled / (self.width * self.scalar.size())) as u64;
                    let what = format!("truncated: row {row} of {} is incomplete", self.total);
                    return Err(self.file.content(what));
                }
                Ok(read) => filled += read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.file.system(error)),
            }
        }
        Ok(())
    }
}

impl Rows for NpyRows {
    fn total(&self) -> Option<u64> {
        Some(self.total)
    }

    fn read(&mut self, max_rows: usize, rays: &mut Vec<Ray>, _ids: &mut Vec<i64>) -> Result<()> {
        let mut wanted = (self.total - self.done).min(max_rows as u64);
        while wanted > 0 {
            let rows = wanted.min(PIECE as u64);
            self.bytes.resize(rows as usize * self.width * self.scalar.size(), 0);
            self.fill()?;
            let (bytes, width) = (&self.bytes, self.width);
            match self.scalar {
                Scalar::F32Little => decode(bytes, width, rays, f32::from_le_bytes),
                Scalar::F32Big => decode(bytes, width, rays, f32::from_be_bytes),
                Scalar::F64Little => decode(bytes, width, rays, |b| f64::from_le_bytes(b) as f32),
                Scalar::F64Big => decode(bytes, width, rays, |b| f64::from_be_bytes(b) as f32),
            }
            self.done += rows;
            wanted -= rows;
        }
        Ok(())
    }
}

fn decode<const SIZE: usize>(
    bytes: &[u8],
    width: usize,
    rays: &mut Vec<Ray>,
    value: impl Fn([u8; SIZE]) -> f32,
) {
    let (values, _) = bytes.as_chunks::<SIZE>();
    rays.extend(values.chunks_exact(width).map(|row| {
        let mut ray = Ray::new([0.0; 3], [0.0; 3]);
        for (to, from) in bytemuck::cast_mut::<Ray, [f32; 8]>(&mut ray).iter_mut().zip(row) {
            *to = value(*from);
        }
        ray
    }));
}

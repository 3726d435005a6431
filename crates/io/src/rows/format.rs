//! Which format a file of rows has, as its extension or its first bytes say.

#[cfg(feature = "las")]
use super::las;
#[cfg(feature = "tables")]
use super::table;
use super::{Row, Source, csv, npy, npz, pcd, ply, xyz};
use crate::error::{FileName, InFile, Result};
use crate::npy::MAGIC as NPY_MAGIC;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};

/// The longest of the marks below.
const LONGEST_MARK: u64 = 6;
/// Every Arrow IPC file begins so.
pub(super) const ARROW_FILE: &[u8] = b"ARROW1";
const ARROW_STREAM: &[u8] = &[0xff; 4];
const PARQUET: &[u8] = b"PAR1";
const LAS: &[u8] = b"LASF";
const ZIP: &[u8] = b"PK\x03\x04";

/// Where the bytes of a file come from.
pub(super) enum Input {
    /// A file, in which one can go to and fro.
    File(File),
    /// A pipe, in which one cannot.
    Pipe(Box<dyn Read + Send>),
}

impl Input {
    /// A file, to which a pipe is copied.
    pub(super) fn into_file(self) -> io::Result<File> {
        match self {
            Self::File(file) => Ok(file),
            Self::Pipe(mut pipe) => {
                // It has no name and goes with its handle.
                let mut file = tempfile::tempfile()?;
                io::copy(&mut pipe, &mut file)?;
                file.rewind()?;
                Ok(file)
            }
        }
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

#[derive(Debug, Clone, Copy)]
pub(super) enum Format {
    Npy,
    Npz,
    Csv,
    Parquet,
    Arrow,
    Ply,
    Pcd,
    Xyz,
    Las,
}

impl Format {
    /// The format of an extension; those of clouds for rows that they hold.
    pub(super) fn of_extension<R: Row>(extension: &str) -> Option<Self> {
        match extension {
            "npy" => Some(Self::Npy),
            "npz" => Some(Self::Npz),
            "csv" => Some(Self::Csv),
            "parquet" => Some(Self::Parquet),
            "arrow" | "feather" | "ipc" | "arrows" => Some(Self::Arrow),
            _ if !R::IN_CLOUDS => None,
            "ply" => Some(Self::Ply),
            "pcd" => Some(Self::Pcd),
            "xyz" | "asc" | "pts" | "txt" => Some(Self::Xyz),
            "las" | "laz" => Some(Self::Las),
            _ => None,
        }
    }

    /// The format of a pipe, and the pipe from its beginning.
    pub(super) fn of_pipe<R: Row>(
        name: &FileName,
        mut pipe: Box<dyn Read + Send>,
    ) -> Result<(Self, Input)> {
        let mut start = Vec::new();
        let read = pipe.by_ref().take(LONGEST_MARK).read_to_end(&mut start);
        read.in_file(name)?;
        if start.is_empty() {
            return Err(name.content("there is nothing to read"));
        }
        let is = |mark: &[u8]| start.starts_with(mark);
        let format = if is(NPY_MAGIC) {
            Self::Npy
        } else if is(ZIP) {
            Self::Npz
        } else if is(PARQUET) {
            Self::Parquet
        } else if is(ARROW_FILE) || is(ARROW_STREAM) {
            Self::Arrow
        } else if R::IN_CLOUDS && (is(b"ply\n") || is(b"ply\r")) {
            Self::Ply
        } else if R::IN_CLOUDS && pcd::MAGICS.iter().any(|mark| is(mark)) {
            Self::Pcd
        } else if R::IN_CLOUDS && is(LAS) {
            Self::Las
        } else {
            Self::Csv
        };
        Ok((format, Input::Pipe(Box::new(Cursor::new(start).chain(pipe)))))
    }

    /// Opens a file of this format.
    pub(super) fn open<R: Row>(self, name: FileName, input: Input) -> Result<Source<R>> {
        match self {
            Self::Npy => npy::open(name, input),
            Self::Npz => npz::open(&name, input),
            Self::Csv => csv::open(name, Box::new(input)),
            #[cfg(feature = "tables")]
            Self::Parquet => table::open_parquet(name, input),
            #[cfg(feature = "tables")]
            Self::Arrow => table::open_arrow(name, input),
            #[cfg(not(feature = "tables"))]
            Self::Parquet | Self::Arrow => Err(name.without_tables()),
            Self::Ply => ply::open(name, Box::new(input)),
            Self::Pcd => pcd::open(name, Box::new(input)),
            Self::Xyz => xyz::open(&name, Box::new(input)),
            #[cfg(feature = "las")]
            Self::Las => las::open(name, input),
            #[cfg(not(feature = "las"))]
            Self::Las => Err(name.without_las()),
        }
    }
}

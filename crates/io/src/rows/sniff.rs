//! Rows from a pipe: the first bytes tell the format.

use super::{
    Row, Rows, array::Input, csv::CsvRows, npy::NpyRows, npz::NpzRows, open_las, pcd, ply, table,
};
use crate::error::{FileName, Result};
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

pub(super) fn open<R: Row>(
    name: FileName,
    mut reader: Box<dyn Read + Send>,
) -> Result<Box<dyn Rows<R>>> {
    let mut start = Vec::new();
    reader
        .by_ref()
        .take(LONGEST_MARK)
        .read_to_end(&mut start)
        .map_err(|error| name.system(error))?;
    if start.is_empty() {
        return Err(name.content("there is nothing to read"));
    }
    let is_las = start.starts_with(LAS);
    let is = |mark: &[u8]| start.starts_with(mark);
    let (is_zip, is_ply, is_pcd) =
        (is(ZIP), is(b"ply\n") || is(b"ply\r"), pcd::MAGICS.iter().any(|mark| is(mark)));
    let (is_npy, is_arrow, is_parquet) =
        (is(NPY_MAGIC), is(ARROW_FILE) || is(ARROW_STREAM), is(PARQUET));
    let whole: Box<dyn Read + Send> = Box::new(Cursor::new(start).chain(reader));
    Ok(if is_npy {
        Box::new(NpyRows::open(name, Input::Pipe(whole))?)
    } else if R::IN_CLOUDS && is_ply {
        ply::open(name, whole)?
    } else if R::IN_CLOUDS && is_pcd {
        pcd::open(name, whole)?
    } else if R::IN_CLOUDS && is_las {
        let whole = spool(whole).map_err(|error| name.system(error))?;
        open_las(name, whole)?
    } else if is_zip {
        let whole = spool(whole).map_err(|error| name.system(error))?;
        Box::new(NpzRows::open(name, whole)?)
    } else if is_arrow {
        table::arrow(name, whole)?
    } else if is_parquet {
        table::piped_parquet(name, whole)?
    } else {
        Box::new(CsvRows::open(name, whole)?)
    })
}

/// Copies everything to a temporary file that has no name and goes with its handle.
pub(super) fn spool(mut reader: Box<dyn Read + Send>) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    io::copy(&mut reader, &mut file)?;
    file.rewind()?;
    Ok(file)
}

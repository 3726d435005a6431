//! Readers of rays and points in every format: rows, or a line that names the file.
#![no_main]

use lanecast::Precision;
use lanecast_fuzz::{abort_on_own_panics, file, look, named};
use lanecast_io::{Coordinate, Error, PointChunk, PointReader, RayChunk, RayReader, read_values};
use libfuzzer_sys::{Corpus, fuzz_target};
use std::path::Path;

const FORMATS: [&str; 15] = [
    "npy", "npz", "csv", "parquet", "arrow", "arrows", "ply", "pcd", "xyz", "asc", "pts", "txt",
    "las", "laz", "feather",
];
/// Rows that are read of a file: a few bytes may say that there are many.
const MOST: usize = 1 << 14;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Some((format, bytes)) = named(bytes, &FORMATS) else { return Corpus::Reject };
    // What is asked of the file.
    let Some((what, bytes)) = bytes.split_first() else { return Corpus::Reject };
    abort_on_own_panics();
    let path = file(format, bytes);
    let read = match what % 5 {
        0 => rays::<f32>(&path),
        1 => rays::<f64>(&path),
        2 => points::<f32>(&path),
        3 => points::<f64>(&path),
        _ => read_values(&path, Some("t")).map(drop),
    };
    if let Err(error) = read {
        look(&error);
    }
    Corpus::Keep
});

fn rays<T: Coordinate + Precision>(path: &Path) -> Result<(), Error> {
    let (mut reader, mut chunk, mut rows) = (RayReader::<T>::open(path)?, RayChunk::default(), 0);
    while rows < MOST && reader.next_chunk(256, &mut chunk)? {
        assert!(!chunk.rays.is_empty() && chunk.rays.len() <= 256);
        rows += chunk.rays.len();
    }
    Ok(())
}

fn points<T: Coordinate + Precision>(path: &Path) -> Result<(), Error> {
    let (mut reader, mut chunk, mut rows) =
        (PointReader::<T>::open(path)?, PointChunk::default(), 0);
    while rows < MOST && reader.next_chunk(256, &mut chunk)? {
        assert!(!chunk.points.is_empty() && chunk.points.len() <= 256);
        rows += chunk.points.len();
    }
    Ok(())
}

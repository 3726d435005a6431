//! Files: meshes, rays and points in, hits and pictures out.
//!
//! | what | formats |
//! |---|---|
//! | meshes, [`read_model`] | OBJ, PLY (ASCII, binary), STL (ASCII, binary), OFF, glTF, GLB; also in gzip or Zstandard |
//! | rasters of heights, also by `read_raster` and `RasterWriter` | GeoTIFF, ESRI ASCII grids; in compressed alike |
//! | rays, [`RayReader`] | NPY (N, 6), (N, 8) or (N, 2, 3), NPZ, CSV, Parquet, Arrow IPC (file, stream) |
//! | points, [`PointReader`] | NPY (N, 3), NPZ, CSV, Parquet, Arrow IPC (file, stream), PLY, PCD, XYZ (also PTS, TXT), LAS, LAZ |
//! | hits, [`HitWriter`] | NPZ, CSV, Parquet, Arrow IPC (file, stream), with points PLY, PCD, XYZ, LAS, LAZ |
//! | columns of any names, [`TableWriter`] | the same |
//! | who sees whom, [`SightWriter`] | NPY of packed bits |
//! | points alone, [`CloudWriter`] | PLY, PCD, XYZ, LAS, LAZ |
//! | one column of numbers, [`read_values`] | NPY, NPZ, CSV |
//! | pictures, [`write_png`] | PNG |
//!
//! Parquet and Arrow IPC need the feature `tables`, LAS and LAZ the feature `las`, rasters the
//! feature `rasters`, and meshes compressed by Zstandard the feature `zstd`; all are off unless asked for, and without them such
//! files are refused.
//!
//! Columns of a file that are no part of a ray or a point go with its chunks where a [`Keep`] names
//! them, and from there to the writers as further columns.
//!
//! Rays, points and hits stream: memory is bounded by the chunk that the caller asks for (and, for
//! Parquet and Arrow, by the row group or record batch that the file was written with), never by
//! the number of rays. All are read and written in `f32` or `f64`, which is a parameter of their
//! types; values are rounded once.
//!
//! A file that holds more than it counts is refused: triangles beyond the number in an STL header,
//! elements beyond those of a PLY header, points beyond those of a LAS header, values beyond the
//! shape of an array, batches that a footer does not name. One of the two is wrong, and nobody but
//! its writer knows which. Blanks and zeros behind a mesh, with which some writers fill a block,
//! are nothing; behind an array zeros are values.
//!
//! Lengths in files of rays and points are held against the size of the file before memory is
//! allocated for them: a reader takes a small multiple of that size at most, or what its format
//! packs into a byte (zstd 32,768 times, Brotli 65,536), and 64 MiB beyond. A Parquet page may have
//! 16 MiB whatever its packed size, a point of LAZ 4096 bytes. Counts in mesh files are held
//! against the size too; a list of PLY and an accessor of glTF without data may have 65,536 values
//! beyond it, and a raster 4 million pixels, or 32 for each byte, of tiles that are left out. What
//! primitives and nodes of glTF share is made for each, 64 MiB or 256 times the size of the files at
//! most, and no compressed mesh is unpacked to more. Other parts that share bytes, each of which
//! would be unpacked by itself, are refused.
//!
//! The path `-` is standard input or standard output. An output file appears under its name only
//! when it is complete. Whatever a file holds, the answer is a value or an [`Error`] that names the
//! file and the place, never a panic.

mod cloud;
mod error;
mod hits;
mod mesh;
#[cfg(any(feature = "rasters", feature = "tables"))]
mod most;
mod npy;
mod output;
mod picture;
#[cfg(feature = "rasters")]
mod raster;
mod rows;
mod sight;

pub use cloud::{CloudFormat, CloudWriter};
pub use error::{Error, Result};
pub use hits::{Answers, HitFormat, HitKind, HitWriter, TableWriter, Values, Vectors};
#[doc(inline)]
pub use lanecast::support::{excerpt, excerpt_of_name};
pub use mesh::{
    Coarseness, Coordinate, Extent, Mesh, MeshFormat, Model, Placement, files_beside,
    is_moved_too_far, moved_by_rounding, read_model, read_model_as, read_model_from,
};
pub use picture::write_png;
#[cfg(feature = "rasters")]
pub use raster::{GeoKeys, Raster, RasterGrid, RasterWriter, Registration, Sample, read_raster};
pub use rows::{
    Column, Keep, PointChunk, PointReader, RayChunk, RayIds, RayReader, meant_column,
    meant_ray_column, read_values,
};
pub use sight::SightWriter;

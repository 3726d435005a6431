//! Files of rays and of points as the arguments name them.

use crate::failure::Result;
use crate::precision::{Number, can_be_read_twice};
use clap::Args;
use lanecast_io::{Keep, PointChunk, PointReader, RayChunk, RayReader, is_moved_too_far};
use std::path::Path;

/// The extensions of files of rays.
const OF_RAYS: [&str; 8] = ["npy", "npz", "csv", "parquet", "arrow", "feather", "ipc", "arrows"];
/// Those of files of points.
pub(crate) const OF_POINTS: [&str; 16] = [
    "npy", "npz", "csv", "parquet", "arrow", "feather", "ipc", "arrows", "ply", "pcd", "xyz",
    "asc", "pts", "txt", "las", "laz",
];

/// Ids of text, and nothing else beside rays or points.
const IDS: Keep<'_> =
    Keep { columns: &[], all: false, without: &[], as_written: false, text_ids: true };

/// How many rows are looked at ahead.
const ROWS: usize = 1 << 16;

/// Whether a file, of which f32 moves the first rows by `moved`, needs f64 at a mesh of this size; a
/// pipe is not looked at ahead.
fn need_f64(path: &Path, size: f64, moved: impl FnOnce() -> Result<f64>) -> Result<bool> {
    Ok(can_be_read_twice(path) && is_moved_too_far(moved()?, size))
}

#[derive(Debug, Args)]
pub(crate) struct RayFormat {
    /// The format of the rays
    ///
    /// An extension, whatever the file is called; unless given, that of its name, and what comes
    /// from standard input or another pipe is told by its first bytes.
    #[arg(long, value_name = "FORMAT", requires = "rays", value_parser = OF_RAYS, hide_short_help = true)]
    rays_format: Option<String>,
}

impl RayFormat {
    pub(crate) fn open<T: Number>(&self, path: &Path) -> Result<RayReader<T>> {
        self.open_keeping(path, &IDS)
    }

    /// The same with further columns.
    pub(crate) fn open_keeping<T: Number>(
        &self,
        path: &Path,
        keep: &Keep<'_>,
    ) -> Result<RayReader<T>> {
        let reader = match &self.rays_format {
            Some(format) => RayReader::open_as(path, format)?,
            None => RayReader::open(path)?,
        };
        Ok(reader.keep(keep)?)
    }

    /// Whether the origins of a file need f64 at a mesh of this size.
    pub(crate) fn need_f64(&self, path: &Path, size: f64) -> Result<bool> {
        need_f64(path, size, || {
            let (mut reader, mut chunk) = (self.open::<f32>(path)?, RayChunk::default());
            reader.next_chunk(ROWS, &mut chunk)?;
            Ok(chunk.moved)
        })
    }
}

#[derive(Debug, Args)]
pub(crate) struct PointFormat {
    /// The format of the points
    ///
    /// An extension, whatever the file is called; unless given, that of its name, and what comes
    /// from standard input or another pipe is told by its first bytes. Lines of numbers without a
    /// header look like csv: from a pipe they need --points-format xyz.
    #[arg(long, value_name = "FORMAT", value_parser = OF_POINTS, hide_short_help = true)]
    points_format: Option<String>,
}

impl PointFormat {
    pub(crate) fn is_given(&self) -> bool {
        self.points_format.is_some()
    }

    pub(crate) fn open<T: Number>(&self, path: &Path) -> Result<PointReader<T>> {
        self.open_keeping(path, &IDS)
    }

    /// The same with further columns.
    pub(crate) fn open_keeping<T: Number>(
        &self,
        path: &Path,
        keep: &Keep<'_>,
    ) -> Result<PointReader<T>> {
        let reader = match &self.points_format {
            Some(format) => PointReader::open_as(path, format)?,
            None => PointReader::open(path)?,
        };
        Ok(reader.keep(keep)?)
    }

    /// Whether the points of a file need f64 at a mesh of this size.
    pub(crate) fn need_f64(&self, path: &Path, size: f64) -> Result<bool> {
        need_f64(path, size, || {
            let (mut reader, mut chunk) = (self.open::<f32>(path)?, PointChunk::default());
            reader.next_chunk(ROWS, &mut chunk)?;
            Ok(chunk.moved)
        })
    }
}

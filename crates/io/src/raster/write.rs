//! Rasters written.

use super::{RasterGrid, Sample, ascii, geotiff};
use crate::error::{FileName, InFile, Result, counted, extension, unknown_format};
use crate::output::{Output, is_device, is_standard};
use std::io::{Cursor, Write};
use std::path::Path;
use tiff::TiffError;

/// Writes a raster as a GeoTIFF (`tif`, `tiff`; strips by deflate; also on standard output, `-`) or
/// as an ESRI ASCII grid (`asc`), on the grid of another or on one of its own.
///
/// What is read of a file is bit for bit what was written, but y of an ESRI ASCII grid: the file
/// has it for the last row, and the sum is rounded. A GeoTIFF has the tags of its reference system
/// unchanged. A writer that is dropped before [`write`](Self::write) leaves no file.
///
/// ```
/// use lanecast_io::{RasterGrid, RasterWriter, Registration, Sample, read_raster};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("dem.tif");
/// // Two rows of three pixels of 10 by 10, the upper left corner at (500000, 5000000).
/// let grid = RasterGrid {
///     rows: 2,
///     columns: 3,
///     transform: [10.0, 0.0, 500_000.0, 0.0, -10.0, 5_000_000.0],
///     registration: Registration::Area,
///     nodata: Some(-9999.0),
///     crs: None,
/// };
/// let heights = [1.0, 2.0, 3.0, 4.5, -9999.0, 6.0];
/// RasterWriter::create(&path, &grid, Sample::F32)?.write(&heights)?;
/// let raster = read_raster(&path)?;
/// assert_eq!(raster.values, heights);
/// assert_eq!(raster.grid.centre(0, 1), [500_015.0, 4_999_995.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RasterWriter {
    name: FileName,
    output: Output,
    is_text: bool,
    grid: RasterGrid,
    sample: Sample,
}

impl RasterWriter {
    /// Opens a file for values of a type on a grid.
    ///
    /// # Errors
    /// The file cannot be created or is named as another format, or it cannot hold the grid: one
    /// without pixels or area, and as an ESRI ASCII grid one that is not of squares with north up,
    /// or that has a reference system.
    pub fn create(path: &Path, grid: &RasterGrid, sample: Sample) -> Result<Self> {
        let extension = extension(path);
        let is_text = match extension.as_str() {
            "asc" => true,
            "tif" | "tiff" => false,
            _ if is_standard(path) || is_device(path) => false,
            _ => {
                let what = unknown_format("raster", &extension, "tif, tiff, asc");
                return Err(FileName::of(path).content(what));
            }
        };
        let check = || {
            grid.check()?;
            if grid.rows == 0 || grid.columns == 0 {
                return Err(format!("{} rows of {} pixels", grid.rows, grid.columns));
            }
            if is_text { ascii::check(grid) } else { Ok(()) }
        };
        check().map_err(|what| FileName::of(path).content(what))?;
        let (output, name) = Output::create(path)?;
        Ok(Self { name, output, is_text, grid: grid.clone(), sample })
    }

    /// Writes the values, row by row, and gives the file its name.
    ///
    /// # Errors
    /// The system refuses, the values are not as many as pixels, or one of them is none of the type
    /// of the file: nothing is rounded here.
    pub fn write(self, values: &[f64]) -> Result<()> {
        self.finish(&[values], &[])
    }

    /// Writes several bands, each with a name, as those of a GeoTIFF: the values of a pixel one
    /// after the other. [`read_raster`](super::read_raster) reads files of one band.
    ///
    /// # Errors
    /// Those of [`write`](Self::write), and of what is more than one band for an ESRI ASCII grid, or
    /// none or more than 65,535 for a GeoTIFF, or has other than one name for each.
    pub fn write_bands(self, bands: &[Vec<f64>], names: &[String]) -> Result<()> {
        let most = if self.is_text { 1 } else { usize::from(u16::MAX) };
        if !(1..=most).contains(&bands.len()) || bands.len() != names.len() {
            let (bands, names) = (counted(bands.len(), "band"), counted(names.len(), "name"));
            let format = if self.is_text { "an ESRI ASCII grid" } else { "a GeoTIFF" };
            return Err(self.name.content(format_args!(
                "{bands} with {names}; {format} has from 1 to {most}, with a name each"
            )));
        }
        let bands: Vec<&[f64]> = bands.iter().map(Vec::as_slice).collect();
        self.finish(&bands, names)
    }

    fn finish(self, bands: &[&[f64]], names: &[String]) -> Result<()> {
        let Self { name, mut output, is_text, grid, sample } = self;
        for (band, values) in bands.iter().enumerate() {
            let place = if bands.len() > 1 { format!("band {band}: ") } else { String::new() };
            if grid.rows.checked_mul(grid.columns) != Some(values.len()) {
                let (found, rows, columns) = (values.len(), grid.rows, grid.columns);
                return Err(name.content(format_args!(
                    "{place}{found} values for {rows} rows of {columns} pixels"
                )));
            }
            if let Some(number) = values.iter().position(|value| !sample.holds(*value)) {
                let (row, column) = (number / grid.columns, number % grid.columns);
                return Err(name.content(format_args!(
                    "{place}row {row}, column {column}: {} is not {}",
                    values[number],
                    sample.name()
                )));
            }
        }
        if is_text {
            for values in bands {
                ascii::write(&mut output, &grid, sample, values).in_file(&name)?;
            }
        } else {
            // Its parts refer to each other, which a pipe cannot hold.
            let mut bytes = Cursor::new(Vec::new());
            geotiff::write(&mut bytes, &grid, sample, bands, names).map_err(
                |error| match error {
                    TiffError::IoError(error) => name.system(error),
                    other => name.foreign("", other),
                },
            )?;
            output.write_all(bytes.get_ref()).in_file(&name)?;
        }
        output.finish().in_file(&name)
    }
}

//! Rasters of one band: elevation models in, and what is computed of them out.

mod ascii;
mod geo_keys;
mod geotiff;
mod surface;
mod write;

pub use geo_keys::GeoKeys;
pub(crate) use surface::read_model;
pub use write::RasterWriter;

use crate::error::Result;
use crate::mesh::{Input, MeshFormat};
use std::path::Path;

/// A raster of one band.
#[derive(Debug, Clone, PartialEq)]
pub struct Raster {
    /// Where its pixels are.
    pub grid: RasterGrid,
    /// The type of the values in the file.
    pub sample: Sample,
    /// The values, row by row, as the file has them: those of pixels without data too. `f64` holds
    /// every value of every type but large integers of 64 bits, which are refused.
    pub values: Vec<f64>,
}

/// Rows and columns of pixels, where they are, and which value means that there is no data.
#[derive(Debug, Clone, PartialEq)]
pub struct RasterGrid {
    /// The number of rows; the first is at the top of the picture, which mostly is north.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
    /// `[a, b, c, d, e, f]`: column `i` and row `j` are at x = a · i + b · j + c and
    /// y = d · i + e · j + f, in the units of the file. [`registration`](Self::registration) says
    /// which place of a pixel that is.
    pub transform: [f64; 6],
    /// Which place of a pixel the transform gives for its column and row.
    pub registration: Registration,
    /// The value of pixels without data. NaN never is data.
    pub nodata: Option<f64>,
    /// The coordinate reference system, of GeoTIFFs that have one.
    pub crs: Option<GeoKeys>,
}

/// Which place of a pixel is where the transform takes its column and row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registration {
    /// Its corner: `RasterPixelIsArea`, `xllcorner`. The centre is half a pixel further.
    Area,
    /// Its centre: `RasterPixelIsPoint`, `xllcenter`.
    Point,
}

/// The type of the values of a raster in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    /// Unsigned, 8 bits.
    U8,
    /// Signed, 8 bits.
    I8,
    /// Unsigned, 16 bits.
    U16,
    /// Signed, 16 bits.
    I16,
    /// Unsigned, 32 bits.
    U32,
    /// Signed, 32 bits.
    I32,
    /// Unsigned, 64 bits.
    U64,
    /// Signed, 64 bits.
    I64,
    /// Floats of 32 bits; those of 16 bits are read as such too.
    F32,
    /// Floats of 64 bits.
    F64,
}

/// Reads a raster: a GeoTIFF (`tif`, `tiff`) or an ESRI ASCII grid (`asc`), by its extension; also
/// one in gzip, or, with the feature `zstd`, in Zstandard.
///
/// - **GeoTIFF**: also BigTIFF; one band of integers or floats of 8 to 64 bits, in strips or tiles,
///   uncompressed or by LZW, deflate or PackBits (with the feature `zstd` by Zstandard), with a
///   predictor or not. Tiles that the file leaves out hold no data, or 0 if no value means that.
///   Its place is given by `ModelPixelScale` and one `ModelTiepoint`, or by `ModelTransformation`,
///   which may rotate. Overviews are passed over. Several bands or images, palettes, masks and
///   values with a scale or an offset are refused, and the error says how to make a file of them
///   that is read.
/// - **ESRI ASCII grid**: `ncols`, `nrows`, `xllcorner` and `yllcorner`, or `xllcenter` and
///   `yllcenter`, `cellsize`, or `dx` and `dy`, and `NODATA_value`, which is −9999 unless given;
///   then the values, with line breaks anywhere. y of the first row is computed in `f64`. The
///   sample is [`I32`](Sample::I32) where it holds all values, else [`F64`](Sample::F64).
///
/// # Errors
/// The file cannot be read, is neither, is truncated or malformed, or holds what is refused. The
/// message names the file and the place. A file may grow to a gibibyte of values, or 256 times its
/// size if that is more; one that counts more is refused before memory is allocated.
pub fn read_raster(path: &Path) -> Result<Raster> {
    read(&Input::read(path, None)?)
}

fn read(source: &Input) -> Result<Raster> {
    match source.format {
        MeshFormat::GeoTiff => source.file.guarded(|| geotiff::read(source)),
        MeshFormat::AsciiGrid => ascii::read(source),
        _ => Err(source.file.content("no raster; known: tif, tiff, asc")),
    }
}

impl RasterGrid {
    /// x and y of the centre of a pixel.
    pub fn centre(&self, row: usize, column: usize) -> [f64; 2] {
        let half = match self.registration {
            Registration::Area => 0.5,
            Registration::Point => 0.0,
        };
        let [a, b, c, d, e, f] = self.transform;
        let (i, j) = (column as f64 + half, row as f64 + half);
        [a * i + b * j + c, d * i + e * j + f]
    }

    /// Whether a value is that of pixels without data: NaN or [`nodata`](Self::nodata).
    pub fn is_nodata(&self, value: f64) -> bool {
        value.is_nan() || self.nodata == Some(value)
    }

    /// Refuses a transform that has no size or is not finite.
    fn check(&self) -> Result<(), String> {
        let [a, b, _, d, e, _] = self.transform;
        let area = a * e - b * d;
        if self.transform.iter().all(|number| number.is_finite()) && area.is_normal() {
            return Ok(());
        }
        Err(format!("the transform {:?} gives pixels no area", self.transform))
    }

    /// Whether rows are along x, and columns along y.
    fn is_along_axes(&self) -> bool {
        self.transform[1] == 0.0 && self.transform[3] == 0.0
    }
}

impl Sample {
    const fn name(self) -> &'static str {
        match self {
            Self::U8 => "an unsigned integer of 8 bits",
            Self::I8 => "a signed integer of 8 bits",
            Self::U16 => "an unsigned integer of 16 bits",
            Self::I16 => "a signed integer of 16 bits",
            Self::U32 => "an unsigned integer of 32 bits",
            Self::I32 => "a signed integer of 32 bits",
            Self::U64 => "an unsigned integer of 64 bits",
            Self::I64 => "a signed integer of 64 bits",
            Self::F32 => "a float of 32 bits",
            Self::F64 => "a float of 64 bits",
        }
    }

    /// Whether this type has a value, with the same bits.
    fn holds(self, value: f64) -> bool {
        let whole = |least: f64, beyond: f64| {
            value >= least && value < beyond && value.fract() == 0.0 && !is_minus_zero(value)
        };
        match self {
            Self::U8 => whole(0.0, 256.0),
            Self::I8 => whole(-128.0, 128.0),
            Self::U16 => whole(0.0, 65536.0),
            Self::I16 => whole(-32768.0, 32768.0),
            Self::U32 => whole(0.0, 2_f64.powi(32)),
            Self::I32 => whole(-2_f64.powi(31), 2_f64.powi(31)),
            Self::U64 => whole(0.0, 2_f64.powi(64)),
            Self::I64 => whole(-2_f64.powi(63), 2_f64.powi(63)),
            Self::F32 => value.is_nan() || f64::from(value as f32) == value,
            Self::F64 => true,
        }
    }
}

fn is_minus_zero(value: f64) -> bool {
    value == 0.0 && value.is_sign_negative()
}

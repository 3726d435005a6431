//! Points as files of the formats of clouds: PLY, PCD, XYZ, LAS and LAZ.

use super::error::{Result, extension};
use super::hits::{HitFormat, Named, TableWriter};
use super::mesh::Coordinate;
use std::marker::PhantomData;
use std::path::Path;

/// The format of a file of points. Each has a place for other [columns](super::TableWriter) than x,
/// y and z, but XYZ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloudFormat {
    /// PLY, binary: a vertex for each row, with a property for each column, `x`, `y` and `z` first,
    /// in the precision of the points. i64 is `int` for `primitive_id` and `double` for others,
    /// which holds integers up to 2⁵³; status and booleans are `uchar`.
    Ply,
    /// PCD, binary: a point for each row, with a field for each column, of the types of PLY.
    /// `beam`, the number of a scanner's beam, is called `ring` there and has 16 bits.
    Pcd,
    /// A line of text for each point, x, y and z in the fewest digits that read back to the same
    /// number. Other columns are left out.
    Xyz,
    /// LAS, with the feature `las`: each coordinate is a 32-bit integer times a scale, from a whole
    /// number near the points. The scale is the greatest power of ten that is at most 0.001 and at
    /// most the distance of neighbouring `f32` at the coordinate of greatest magnitude, of points
    /// of `f64` at half their extent; or a greater one where points are so far apart that they need
    /// it. Of points alone version 1.2, point format 0; with other columns 1.4 and format 6:
    ///
    /// - `time` is the GPS time of a point, `return_number` and `return_count` are its return and
    ///   the number of returns, from 1 to 15; without them these are 0, 1 and 1.
    /// - `intensity` is the intensity, of 16 bits: whole numbers as they are, floats times 65,535,
    ///   rounded. What is beyond the ends is 0 or 65,535, a NaN is 0.
    /// - Every other column is an extra dimension of its own type, described by a record. i64 has
    ///   32 bits for `primitive_id`, `beam` is called `ring` and has 16, and an `intensity` of
    ///   floats is there as it is too, as `exact_intensity`.
    Las,
    /// The same, compressed.
    Laz,
}

impl CloudFormat {
    /// The format for an extension, in any case and without its dot, whether or not its feature is
    /// on.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_lowercase().as_str() {
            "ply" => Some(Self::Ply),
            "pcd" => Some(Self::Pcd),
            "xyz" | "asc" => Some(Self::Xyz),
            "las" => Some(Self::Las),
            "laz" => Some(Self::Laz),
            _ => None,
        }
    }

    /// As errors call it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Ply => "PLY",
            Self::Pcd => "PCD",
            Self::Xyz => "XYZ",
            Self::Las | Self::Laz => "LAS",
        }
    }
}

/// Writes a cloud of points alone, of `f32` or `f64`, chunk by chunk. A
/// [`TableWriter`](super::TableWriter) writes files of points with other columns.
///
/// The file appears under its name when [`finish`](Self::finish) succeeds; a writer that is dropped
/// before leaves no file. Until then the points lie in a file without a name, as most of these
/// formats begin with their number.
#[derive(Debug)]
pub struct CloudWriter<T: Coordinate = f32> {
    table: TableWriter,
    precision: PhantomData<fn() -> T>,
}

/// The columns of points.
fn columns<T: Coordinate>(axes: &[Vec<T>; 3]) -> [Named<'_>; 3] {
    let [x, y, z] = axes;
    [("x", T::column(x)), ("y", T::column(y)), ("z", T::column(z))]
}

impl<T: Coordinate> CloudWriter<T> {
    /// Opens a file of points in the format of its extension, PLY if that says none; `-` is
    /// standard output.
    ///
    /// # Errors
    /// The file cannot be created, or its format needs the feature `las`.
    pub fn create(path: &Path) -> Result<Self> {
        let format = CloudFormat::from_extension(&extension(path));
        Self::create_as(path, format.unwrap_or(CloudFormat::Ply))
    }

    /// The same in a format, whatever the extension.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub fn create_as(path: &Path, format: CloudFormat) -> Result<Self> {
        let (none, format) = (Default::default(), Some(HitFormat::Cloud(format)));
        let table = TableWriter::create(path, format, &columns::<T>(&none))?;
        Ok(Self { table, precision: PhantomData })
    }

    /// Appends points.
    ///
    /// # Errors
    /// The system refuses.
    pub fn write(&mut self, points: &[[T; 3]]) -> Result<()> {
        let axes = [0, 1, 2].map(|axis| points.iter().map(|point| point[axis]).collect());
        self.table.write(&columns(&axes))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// The system refuses ([`Error::is_broken_pipe`](super::Error::is_broken_pipe) tells a pipe
    /// that was closed), or LAS cannot hold the points: there is one that is not finite.
    pub fn finish(self) -> Result<()> {
        self.table.finish()
    }
}

//! Points as files of the formats of clouds: PLY, PCD, XYZ, LAS and LAZ.

use super::error::{FileName, Result, extension};
use super::mesh::Coordinate;
use super::output::Output;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Seek, Write};
use std::path::Path;

/// The format of a file of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CloudFormat {
    /// Binary PLY of x, y and z in the precision of the points.
    Ply,
    /// Binary PCD of x, y and z in the precision of the points.
    Pcd,
    /// A line of text for each point, in the fewest digits that read back to the same number.
    Xyz,
    /// LAS 1.2, with the feature `las`: each coordinate a 32-bit integer times a power of ten, the least for which all fit.
    /// That rounds by at most 2⁻²⁸ of what the farthest points are apart along an axis.
    Las,
    /// The same, compressed.
    Laz,
}

impl CloudFormat {
    /// The format for an extension, in any case and without its dot, whether or not its feature is on.
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
}

/// Writes a cloud of points of `f32` or `f64` chunk by chunk.
///
/// The file appears under its name when [`finish`](Self::finish) succeeds; a writer that is dropped before leaves no
/// file. Until then the points lie in a file without a name, as most of these formats begin with their number.
#[derive(Debug)]
pub struct CloudWriter<T: Coordinate = f32> {
    name: FileName,
    format: CloudFormat,
    output: Output,
    spool: BufWriter<File>,
    points: u64,
    /// The box around them.
    bounds: [[T; 3]; 2],
}

impl<T: Coordinate> CloudWriter<T> {
    /// Opens a file of points in the format of its extension, PLY if that says none; `-` is standard output.
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
        #[cfg(not(feature = "las"))]
        if matches!(format, CloudFormat::Las | CloudFormat::Laz) {
            return Err(FileName::of(path).without_las());
        }
        let (output, name) = Output::create(path)?;
        let spool = BufWriter::new(output.spool().map_err(|error| name.system(error))?);
        let bounds = [[T::INFINITY; 3], [T::NEG_INFINITY; 3]];
        Ok(Self { name, format, output, spool, points: 0, bounds })
    }

    /// Appends points.
    ///
    /// # Errors
    /// The system refuses.
    pub fn write(&mut self, points: &[[T; 3]]) -> Result<()> {
        self.points += points.len() as u64;
        let [least, greatest] = &mut self.bounds;
        let mut written = Ok(());
        for point in points {
            for (axis, &number) in point.iter().enumerate() {
                least[axis] = least[axis].min(number);
                greatest[axis] = greatest[axis].max(number);
                written = written.and_then(|()| number.write(&mut self.spool));
            }
        }
        written.map_err(|error| self.name.system(error))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// The system refuses ([`Error::is_broken_pipe`](super::Error::is_broken_pipe) tells a pipe that was closed), or LAS
    /// cannot hold the points: there is one that is not finite.
    pub fn finish(self) -> Result<()> {
        let Self { name, format, mut output, spool, points, bounds } = self;
        let rewound = spool.into_inner().map_err(io::IntoInnerError::into_error).and_then(|mut spool| {
            spool.rewind()?;
            Ok(spool)
        });
        let mut spool = rewound.map_err(|error| name.system(error))?;
        let assembled = match format {
            CloudFormat::Ply => write!(
                output,
                "ply\nformat binary_little_endian 1.0\nelement vertex {points}\n\
                 property {0} x\nproperty {0} y\nproperty {0} z\nend_header\n",
                if size_of::<T>() == size_of::<f32>() { "float" } else { "double" }
            )
            .and_then(|()| io::copy(&mut spool, &mut output).map(drop)),
            CloudFormat::Pcd => write!(
                output,
                "# .PCD v.7 - Point Cloud Data file format\nVERSION .7\nFIELDS x y z\nSIZE {0} {0} {0}\nTYPE F F F\n\
                 COUNT 1 1 1\nWIDTH {points}\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {points}\nDATA binary\n",
                size_of::<T>()
            )
            .and_then(|()| io::copy(&mut spool, &mut output).map(drop)),
            CloudFormat::Xyz => each::<T>(spool, points, |[x, y, z]| writeln!(output, "{x} {y} {z}")),
            CloudFormat::Las | CloudFormat::Laz => {
                write_las::<T>(&name, format, &mut output, spool, (points, bounds))?;
                Ok(())
            }
        };
        assembled.and_then(|()| output.finish()).map_err(|error| name.system(error))
    }
}

/// Hands out the points of a spool.
fn each<T: Coordinate>(
    spool: File,
    points: u64,
    mut each: impl FnMut([T; 3]) -> io::Result<()>,
) -> io::Result<()> {
    let mut spool = BufReader::new(spool);
    for _ in 0..points {
        let mut number = || T::read_number(&mut spool);
        each([number()?, number()?, number()?])?;
    }
    Ok(())
}

#[cfg(not(feature = "las"))]
fn write_las<T: Coordinate>(
    name: &FileName,
    _: CloudFormat,
    _: &mut Output,
    _: File,
    _: (u64, [[T; 3]; 2]),
) -> Result<()> {
    Err(name.clone().without_las())
}

#[cfg(feature = "las")]
fn write_las<T: Coordinate>(
    name: &FileName,
    format: CloudFormat,
    output: &mut Output,
    spool: File,
    (points, bounds): (u64, [[T; 3]; 2]),
) -> Result<()> {
    let foreign = |error: las::Error| name.foreign("", error);
    let of_axis = |axis: usize| transform([bounds[0][axis].to_f64(), bounds[1][axis].to_f64()]);
    let [x, y, z] = [0, 1, 2].map(of_axis);
    let not_finite = || name.content("a point is not finite, which LAS cannot hold");
    let transforms = las::Vector {
        x: x.ok_or_else(not_finite)?,
        y: y.ok_or_else(not_finite)?,
        z: z.ok_or_else(not_finite)?,
    };
    let mut builder = las::Builder::default();
    builder.transforms = transforms;
    "lanecast".clone_into(&mut builder.generating_software);
    builder.point_format.is_compressed = format == CloudFormat::Laz;
    let header = builder.into_header().map_err(foreign)?;
    // Its header is completed at the end, which a pipe has no place for.
    let file = output.spool().map_err(|error| name.system(error))?;
    let mut writer = las::Writer::new(BufWriter::new(file), header).map_err(foreign)?;
    let mut refused = None;
    let read = each::<T>(spool, points, |point| {
        let [x, y, z] = point.map(T::to_f64);
        let point = las::Point { x, y, z, return_number: 1, number_of_returns: 1, ..Default::default() };
        writer.write_point(point).map_err(|error| {
            refused = Some(error);
            io::ErrorKind::InvalidData.into()
        })
    });
    if let Some(error) = refused {
        return Err(foreign(error));
    }
    read.map_err(|error| name.system(error))?;
    writer.close().map_err(foreign)?;
    let file = writer.into_inner().map_err(foreign)?;
    let copied = file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|mut file| {
        file.rewind()?;
        io::copy(&mut file, output)
    });
    copied.map(drop).map_err(|error| name.system(error))
}

/// The least power of ten that brings all between two numbers into 31 bits and a sign, seen from their middle; none if
/// they are not finite.
#[cfg(feature = "las")]
fn transform([least, greatest]: [f64; 2]) -> Option<las::Transform> {
    if least > greatest {
        // There are no points.
        return Some(las::Transform { scale: 1e-3, offset: 0.0 });
    }
    let half = 0.5 * (greatest - least);
    if !half.is_finite() {
        return None;
    }
    // Of a single number, what f32 rounds.
    let half = half.max(f64::from(f32::EPSILON) * greatest.abs()).max(1e-30);
    let power = (half / f64::from(1 << 30)).log10().ceil() as i32;
    let scale = 10_f64.powi(power);
    // A whole number of scales, so that decimal numbers stay such.
    Some(las::Transform { scale, offset: (0.5 * (least + greatest) / scale).round() * scale })
}

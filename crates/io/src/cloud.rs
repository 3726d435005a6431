//! Points as files of the formats of clouds: PLY, PCD, XYZ, LAS and LAZ.

use super::error::{FileName, InFile, Result, extension};
use super::mesh::Coordinate;
use super::output::Output;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek, Write};
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
    /// LAS, with the feature `las`: each coordinate is a 32-bit integer times a scale, from a whole
    /// number near the points. The scale is the greatest power of ten that is at most 0.001 and at
    /// most the distance of neighbouring `f32` at the coordinate of greatest magnitude, of points
    /// of `f64` at half their extent; or a greater one where points are so far apart that they need
    /// it. Version 1.2, point format 0; with more than five [returns](CloudWriter::write_returns)
    /// of a pulse 1.4 and format 6.
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
}

/// Writes a cloud of points of `f32` or `f64` chunk by chunk.
///
/// The file appears under its name when [`finish`](Self::finish) succeeds; a writer that is dropped
/// before leaves no file. Until then the points lie in a file without a name, as most of these
/// formats begin with their number.
#[derive(Debug)]
pub struct CloudWriter<T: Coordinate = f32> {
    name: FileName,
    format: CloudFormat,
    output: Output,
    spool: BufWriter<File>,
    points: u64,
    /// The box around them.
    bounds: [[T; 3]; 2],
    /// The most returns of a pulse.
    most_returns: u8,
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
        #[cfg(not(feature = "las"))]
        if matches!(format, CloudFormat::Las | CloudFormat::Laz) {
            return Err(FileName::of(path).without_las());
        }
        let (output, name) = Output::create(path)?;
        let spool = BufWriter::new(output.spool().in_file(&name)?);
        let bounds = [[T::INFINITY; 3], [T::NEG_INFINITY; 3]];
        Ok(Self { name, format, output, spool, points: 0, bounds, most_returns: 1 })
    }

    /// Appends points.
    ///
    /// # Errors
    /// The system refuses.
    pub fn write(&mut self, points: &[[T; 3]]) -> Result<()> {
        self.write_returns(points, &[])
    }

    /// The same of points that are returns of pulses: the number of each, from 1, and how many its
    /// pulse has; without these each is 1 of 1. LAS and LAZ have them, the other formats have no
    /// place for them.
    ///
    /// # Errors
    /// As [`write`](Self::write), and a return of LAS that is not from 1 to 15.
    pub fn write_returns(&mut self, points: &[[T; 3]], returns: &[[u32; 2]]) -> Result<()> {
        self.points += points.len() as u64;
        let [least, greatest] = &mut self.bounds;
        let is_las = matches!(self.format, CloudFormat::Las | CloudFormat::Laz);
        let mut written = Ok(());
        for (row, point) in points.iter().enumerate() {
            for (axis, &number) in point.iter().enumerate() {
                least[axis] = least[axis].min(number);
                greatest[axis] = greatest[axis].max(number);
                written = written.and_then(|()| number.write(&mut self.spool));
            }
            if is_las {
                let [number, count] = returns.get(row).copied().unwrap_or([1; 2]);
                if !(1..=count).contains(&number) || count > 15 {
                    let what = format!(
                        "return {number} of {count}, and LAS numbers them from 1 to 15 at most"
                    );
                    return Err(self.name.content(what));
                }
                self.most_returns = self.most_returns.max(count as u8);
                written = written.and_then(|()| self.spool.write_all(&[number as u8, count as u8]));
            }
        }
        written.in_file(&self.name)
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// The system refuses ([`Error::is_broken_pipe`](super::Error::is_broken_pipe) tells a pipe
    /// that was closed), or LAS cannot hold the points: there is one that is not finite.
    pub fn finish(self) -> Result<()> {
        T::finish(self)
    }

    pub(crate) fn assemble(self) -> Result<()> {
        let Self { name, format, mut output, spool, points, bounds, most_returns } = self;
        let rewound =
            spool.into_inner().map_err(io::IntoInnerError::into_error).and_then(|mut spool| {
                spool.rewind()?;
                Ok(spool)
            });
        let mut spool = rewound.in_file(&name)?;
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
            CloudFormat::Xyz => each::<T, 0>(spool, points, |[x, y, z], []| writeln!(output, "{x} {y} {z}")),
            CloudFormat::Las | CloudFormat::Laz => {
                write_las::<T>(&name, format, &mut output, spool, (points, bounds, most_returns))?;
                Ok(())
            }
        };
        assembled.and_then(|()| output.finish()).in_file(&name)
    }
}

/// Hands out the points of a spool, with the bytes that follow each.
fn each<T: Coordinate, const MORE: usize>(
    spool: File,
    points: u64,
    mut each: impl FnMut([T; 3], [u8; MORE]) -> io::Result<()>,
) -> io::Result<()> {
    let (mut spool, mut more) = (BufReader::new(spool), [0; MORE]);
    for _ in 0..points {
        let mut number = || T::read_number(&mut spool);
        let point = [number()?, number()?, number()?];
        spool.read_exact(&mut more)?;
        each(point, more)?;
    }
    Ok(())
}

#[cfg(not(feature = "las"))]
fn write_las<T: Coordinate>(
    name: &FileName,
    _: CloudFormat,
    _: &mut Output,
    _: File,
    _: (u64, [[T; 3]; 2], u8),
) -> Result<()> {
    Err(name.clone().without_las())
}

/// Where the header of a LAS file has them: the greatest and the least x, then y, then z (ASPRS LAS
/// 1.4, table 3).
#[cfg(feature = "las")]
const BOUNDS_OF_LAS: u64 = 179;

#[cfg(feature = "las")]
fn write_las<T: Coordinate>(
    name: &FileName,
    format: CloudFormat,
    output: &mut Output,
    spool: File,
    (points, bounds, most_returns): (u64, [[T; 3]; 2], u8),
) -> Result<()> {
    let foreign = |error: las::Error| name.foreign("", error);
    let not_finite = || name.content("a point is not finite, which LAS cannot hold");
    let [x, y, z] = transforms(bounds).ok_or_else(not_finite)?;
    let mut builder = las::Builder::default();
    builder.transforms = las::Vector { x, y, z };
    "lanecast".clone_into(&mut builder.generating_software);
    builder.point_format.is_compressed = format == CloudFormat::Laz;
    // What LAS 1.2 counts in its header, and 3 bits of a point hold.
    let is_extended = most_returns > 5;
    if is_extended {
        builder.version = las::Version::new(1, 4);
        builder.point_format.extend();
    }
    let header = builder.into_header().map_err(foreign)?;
    // Its header is completed at the end, which a pipe has no place for.
    let file = output.spool().in_file(name)?;
    let mut writer = las::Writer::new(BufWriter::new(file), header).map_err(foreign)?;
    let mut refused = None;
    let read = each::<T, 2>(spool, points, |point, [return_number, number_of_returns]| {
        let [x, y, z] = point.map(T::to_f64);
        let gps_time = is_extended.then_some(0.0);
        let point = las::Point {
            x,
            y,
            z,
            return_number,
            number_of_returns,
            gps_time,
            ..Default::default()
        };
        writer.write_point(point).map_err(|error| {
            refused = Some(error);
            io::ErrorKind::InvalidData.into()
        })
    });
    if let Some(error) = refused {
        return Err(foreign(error));
    }
    read.in_file(name)?;
    writer.close().map_err(foreign)?;
    let file = writer.into_inner().map_err(foreign)?;
    let copied = file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|mut file| {
        if points == 0 {
            // The bounds of no points are infinite, which not every reader bears.
            file.seek(io::SeekFrom::Start(BOUNDS_OF_LAS))?;
            file.write_all(&[0; 6 * size_of::<f64>()])?;
        }
        file.rewind()?;
        io::copy(&mut file, output)
    });
    copied.map(drop).in_file(name)
}

/// The scales and offsets of the axes, as [`CloudFormat::Las`] has them; none if numbers are not
/// finite.
#[cfg(feature = "las")]
fn transforms<T: Coordinate>([least, greatest]: [[T; 3]; 2]) -> Option<[las::Transform; 3]> {
    if least[0] > greatest[0] {
        // There are no points.
        return Some([las::Transform { scale: 1e-3, offset: 0.0 }; 3]);
    }
    let [least, greatest] = [least, greatest].map(|corner| corner.map(T::to_f64));
    let farthest = least.iter().chain(&greatest).fold(0.0_f64, |farthest, x| farthest.max(x.abs()));
    if !farthest.is_finite() {
        return None;
    }
    let half = (0..3).fold(0.0_f64, |half, axis| half.max(0.5 * (greatest[axis] - least[axis])));
    // In `f64` by the extent: no scanner measures finer than `f32` there.
    let size = if size_of::<T>() == size_of::<f32>() { farthest } else { half } as f32;
    let step = f64::from(size.next_up()) - f64::from(size);
    let finest_that_fits = (half / f64::from(1 << 30)).log10().ceil();
    // Where all is 0 any scale is as fine.
    let power =
        if size == 0.0 { -3.0 } else { step.log10().floor().min(-3.0).max(finest_that_fits) };
    let scale = 10_f64.powi(power as i32);
    let unit = scale.max(1.0);
    let middle = |axis: usize| 0.5 * (least[axis] + greatest[axis]);
    Some(
        [0, 1, 2]
            .map(|axis| las::Transform { scale, offset: (middle(axis) / unit).round() * unit }),
    )
}

//! Rows as the points of a LAS or LAZ file (ASPRS LAS 1.4).
//!
//! Scales, offsets and the numbers of points stand at the beginning of the file, so rows are spooled
//! to a temporary file.

use super::points::{RING, axes, is_float, is_ring, is_small};
use super::values::{Named, Values, rows};
use super::writer::{Sink, write_in_blocks};
use crate::cloud::CloudFormat;
use crate::error::Problem;
use crate::excerpt;
use crate::output::Output;
use lanecast::Threads;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

/// Where the header has the greatest and the least x, then y, then z (table 3).
const BOUNDS_AT: u64 = 179;
/// The intensity of a point for an intensity of 1.
const WHOLE_INTENSITY: f64 = 65_535.0;
/// Returns of a pulse (table 16).
const MOST_RETURNS: f64 = 15.0;
/// The bytes of the name of an extra dimension, of its description, and of all of its record (table
/// 24).
const NAME: usize = 32;
const DESCRIPTION_AT: usize = 160;
const DESCRIPTOR: usize = 192;
/// What a spooled row has before its extra bytes: position, time, intensity, number and count of
/// returns.
const FIXED: usize = 4 * size_of::<f64>() + size_of::<u16>() + 2;

pub(super) struct LasSink {
    output: Output,
    spool: BufWriter<File>,
    is_compressed: bool,
    layout: Layout,
    /// Whether positions are of `f32`.
    is_coarse: bool,
    bounds: [[f64; 3]; 2],
    is_finite: bool,
    rows: u64,
}

/// Where columns go.
#[derive(Default)]
struct Layout {
    axes: [usize; 3],
    /// Those that have a field in every point.
    intensity: Option<usize>,
    time: Option<usize>,
    return_number: Option<usize>,
    return_count: Option<usize>,
    /// The others.
    extra: Vec<Extra>,
}

/// A column in the bytes behind the fields of a point.
struct Extra {
    place: usize,
    name: String,
    kind: Type,
}

/// The type of an extra dimension, by its number (table 25).
#[derive(Debug, Clone, Copy, PartialEq)]
enum Type {
    U8 = 1,
    U16 = 3,
    I32 = 6,
    I64 = 8,
    F32 = 9,
    F64 = 10,
}

impl Type {
    /// None of text.
    fn of(column: &Named<'_>) -> Option<Self> {
        match column.1 {
            Values::I32(_) | Values::I64(_) if is_ring(column) => Some(Self::U16),
            Values::I64(_) if is_small(column.0) => Some(Self::I32),
            Values::I64(_) | Values::OptionI64(_) => Some(Self::I64),
            Values::I32(_) => Some(Self::I32),
            Values::F32(_) | Values::OptionF32(_) => Some(Self::F32),
            Values::F64(_) | Values::OptionF64(_) => Some(Self::F64),
            Values::Bool(_) | Values::OptionBool(_) | Values::Status(_) => Some(Self::U8),
            Values::Text(_) | Values::OptionText(_) => None,
        }
    }

    const fn size(self) -> usize {
        match self {
            Self::U8 => 1,
            Self::U16 => 2,
            Self::I32 | Self::F32 => 4,
            Self::I64 | Self::F64 => 8,
        }
    }
}

impl Extra {
    /// The record that describes it.
    fn descriptor(&self) -> [u8; DESCRIPTOR] {
        let mut bytes = [0; DESCRIPTOR];
        bytes[2] = self.kind as u8;
        bytes[4..4 + self.name.len()].copy_from_slice(self.name.as_bytes());
        let unit: &[u8] = match &*self.name {
            "azimuth" | "incidence" => b"degrees",
            _ => b"",
        };
        bytes[DESCRIPTION_AT..DESCRIPTION_AT + unit.len()].copy_from_slice(unit);
        bytes
    }

    fn write(&self, column: Named<'_>, row: usize, to: &mut Vec<u8>) -> Result<(), Problem> {
        let (name, values) = column;
        let (values, row) = values.at(row).unwrap_or((values, row));
        let whole = match values {
            Values::I64(values) => values[row],
            Values::I32(values) => values[row].into(),
            _ => return Ok(values.write(row, to)?),
        };
        let written = match self.kind {
            Type::U16 => u16::try_from(whole).map(|whole| to.extend(whole.to_le_bytes())),
            Type::I32 => i32::try_from(whole).map(|whole| to.extend(whole.to_le_bytes())),
            _ => {
                to.extend(whole.to_le_bytes());
                Ok(())
            }
        };
        written.map_err(|_| {
            format!("column \"{name}\": {whole} is beyond what LAS holds of it").into()
        })
    }
}

impl Layout {
    fn new(columns: &[Named<'_>], format: CloudFormat) -> Result<Self, Problem> {
        let mut layout = Self { axes: axes(columns, format)?, ..Self::default() };
        for (place, column) in columns.iter().enumerate() {
            let (mut name, values) = *column;
            let is_float = is_float(&values);
            let is_whole = matches!(values, Values::I32(_) | Values::I64(_) | Values::OptionI64(_));
            let field = match name {
                _ if layout.axes.contains(&place) => continue,
                "time" if is_float => Some(&mut layout.time),
                "return_number" if is_whole => Some(&mut layout.return_number),
                "return_count" if is_whole => Some(&mut layout.return_count),
                "intensity" if is_whole => Some(&mut layout.intensity),
                "intensity" if is_float => {
                    // Sixteen bits keep little of it.
                    name = "exact_intensity";
                    layout.intensity = Some(place);
                    None
                }
                _ => None,
            };
            if let Some(field) = field {
                *field = Some(place);
                continue;
            }
            if is_ring(column) {
                name = RING;
            }
            if name.len() > NAME {
                let name = excerpt(name);
                let problem = format!("column \"{name}\": LAS has names of {NAME} bytes at most");
                return Err(problem.into());
            }
            let extra = |kind| Extra { place, name: name.to_owned(), kind };
            layout.extra.extend(Type::of(column).map(extra));
        }
        let most = usize::from(u16::MAX) / DESCRIPTOR;
        if layout.extra.len() > most {
            return Err(format!("LAS has {most} extra dimensions at most").into());
        }
        Ok(layout)
    }

    /// Whether there are points alone.
    fn is_plain(&self) -> bool {
        let Self { intensity, time, return_number, return_count, extra, .. } = self;
        extra.is_empty()
            && [intensity, time, return_number, return_count].iter().all(|place| place.is_none())
    }

    /// The intensity of 16 bits: whole numbers as they are, others times 65,535, what is beyond the
    /// ends as the end, and 0 where there is none.
    fn intensity(&self, columns: &[Named<'_>], row: usize) -> u16 {
        // A cast saturates.
        self.intensity.map_or(0, |place| match columns[place].1 {
            values if is_float(&values) => (WHOLE_INTENSITY * values.number(row)).round() as u16,
            values => values.number(row) as u16,
        })
    }

    /// Which return of its pulse a row is, and of how many.
    fn returns(&self, columns: &[Named<'_>], row: usize) -> Result<[u8; 2], Problem> {
        let [number, count] = [self.return_number, self.return_count]
            .map(|place| place.map_or(1.0, |place| columns[place].1.number(row)));
        if (1.0..=count).contains(&number) && count <= MOST_RETURNS {
            return Ok([number as u8, count as u8]);
        }
        let problem = format!(
            "return {number} of {count}, and LAS numbers them from 1 to {MOST_RETURNS} at most"
        );
        Err(problem.into())
    }

    /// Appends a row to a spool.
    fn write(&self, columns: &[Named<'_>], row: usize, bytes: &mut Vec<u8>) -> Result<(), Problem> {
        let [x, y, z] = self.axes.map(|place| columns[place].1.number(row));
        let time = self.time.map_or(0.0, |place| columns[place].1.number(row));
        [x, y, z, time].iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes.extend(self.intensity(columns, row).to_le_bytes());
        bytes.extend(self.returns(columns, row)?);
        self.extra.iter().try_for_each(|extra| extra.write(columns[extra.place], row, bytes))
    }
}

impl LasSink {
    /// A file in the format LAS or LAZ with columns of which none is text.
    pub(super) fn new(
        output: Output,
        columns: &[Named<'_>],
        format: CloudFormat,
    ) -> Result<Self, Problem> {
        let layout = Layout::new(columns, format)?;
        Ok(Self {
            spool: BufWriter::new(output.spool()?),
            output,
            is_compressed: format == CloudFormat::Laz,
            is_coarse: matches!(columns[layout.axes[0]].1, Values::F32(_) | Values::OptionF32(_)),
            layout,
            bounds: [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]],
            is_finite: true,
            rows: 0,
        })
    }
}

impl Sink for LasSink {
    fn write(&mut self, columns: &[Named<'_>], threads: &Threads) -> Result<(), Problem> {
        let Self { spool, layout, bounds: [least, greatest], is_finite, .. } = self;
        let rows = rows(columns);
        self.rows += rows as u64;
        for (axis, &place) in layout.axes.iter().enumerate() {
            for row in 0..rows {
                let number = columns[place].1.number(row);
                least[axis] = least[axis].min(number);
                greatest[axis] = greatest[axis].max(number);
                *is_finite &= number.is_finite();
            }
        }
        write_in_blocks(spool, rows, threads, &|mut block, bytes| {
            block.try_for_each(|row| layout.write(columns, row, bytes))
        })
    }

    fn finish(self: Box<Self>) -> Result<(), Problem> {
        let foreign =
            |error: las::Error| Problem::Content(excerpt(&error.to_string()).into_owned());
        let Self { mut output, spool, is_compressed, layout, is_coarse, bounds, rows, .. } = *self;
        let (is_extended, extra) = (!layout.is_plain(), &layout.extra);
        if !self.is_finite {
            return Err("a point is not finite, which LAS cannot hold".to_owned().into());
        }
        let [x, y, z] = transforms(bounds, is_coarse);
        let mut builder = las::Builder::default();
        builder.transforms = las::Vector { x, y, z };
        "lanecast".clone_into(&mut builder.generating_software);
        builder.point_format.is_compressed = is_compressed;
        let more: usize = extra.iter().map(|extra| extra.kind.size()).sum();
        if is_extended {
            builder.version = las::Version::new(1, 4);
            builder.point_format.extend();
        }
        if more > 0 {
            builder.point_format.extra_bytes = more as u16;
            builder.vlrs.push(las::Vlr {
                user_id: "LASF_Spec".to_owned(),
                record_id: 4,
                description: "extra dimensions".to_owned(),
                data: extra.iter().flat_map(Extra::descriptor).collect(),
            });
        }
        let header = builder.into_header().map_err(foreign)?;
        // Its header is completed at the end, which a pipe has no place for.
        let file = BufWriter::new(output.spool()?);
        let mut writer = las::Writer::new(file, header).map_err(foreign)?;
        let mut spool = spool.into_inner().map_err(io::IntoInnerError::into_error)?;
        spool.rewind()?;
        let (mut spool, mut row) = (BufReader::new(spool), vec![0; FIXED + more]);
        for _ in 0..rows {
            spool.read_exact(&mut row)?;
            let (numbers, _) = row.as_chunks();
            let [x, y, z, time] = std::array::from_fn(|at| f64::from_le_bytes(numbers[at]));
            let point = las::Point {
                x,
                y,
                z,
                intensity: u16::from_le_bytes([row[32], row[33]]),
                return_number: row[34],
                number_of_returns: row[35],
                gps_time: is_extended.then_some(time),
                extra_bytes: row[FIXED..].to_vec(),
                ..Default::default()
            };
            writer.write_point(point).map_err(foreign)?;
        }
        writer.close().map_err(foreign)?;
        let file = writer.into_inner().map_err(foreign)?;
        let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if rows == 0 {
            // The bounds of no points are infinite, which not every reader bears.
            file.seek(io::SeekFrom::Start(BOUNDS_AT))?;
            file.write_all(&[0; 6 * size_of::<f64>()])?;
        }
        file.rewind()?;
        io::copy(&mut file, &mut output)?;
        Ok(output.finish()?)
    }
}

/// The scales and offsets of the axes, as [`CloudFormat::Las`] has them, of finite numbers.
fn transforms([least, greatest]: [[f64; 3]; 2], is_coarse: bool) -> [las::Transform; 3] {
    if least[0] > greatest[0] {
        // There are no points.
        return [las::Transform { scale: 1e-3, offset: 0.0 }; 3];
    }
    let farthest = least.iter().chain(&greatest).fold(0.0_f64, |farthest, x| farthest.max(x.abs()));
    let half = (0..3).fold(0.0_f64, |half, axis| half.max(0.5 * (greatest[axis] - least[axis])));
    // In `f64` by the extent: no scanner measures finer than `f32` there.
    let size = if is_coarse { farthest } else { half } as f32;
    let step = f64::from(size.next_up()) - f64::from(size);
    let finest_that_fits = (half / f64::from(1 << 30)).log10().ceil();
    // Where all is 0 any scale is as fine.
    let power =
        if size == 0.0 { -3.0 } else { step.log10().floor().min(-3.0).max(finest_that_fits) };
    let scale = 10_f64.powi(power as i32);
    let unit = scale.max(1.0);
    let middle = |axis: usize| 0.5 * (least[axis] + greatest[axis]);
    [0, 1, 2].map(|axis| las::Transform { scale, offset: (middle(axis) / unit).round() * unit })
}

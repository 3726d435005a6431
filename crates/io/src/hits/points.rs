//! Rows as points: the vertices of a PLY file or the points of a PCD file, with a property or a
//! field for each column, and the lines of an XYZ file.
//!
//! PLY and PCD files begin with the number of their points, which is known only at the end, so rows
//! are spooled to a temporary file.

use super::values::{Named, Values, rows};
use super::writer::{Sink, write_in_blocks};
use crate::cloud::CloudFormat;
use crate::error::Problem;
use crate::excerpt;
use crate::output::Output;
use lanecast::Threads;
use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};

/// `f64` holds integers up to here.
const EXACT: u64 = 1 << 53;

/// What the column `beam`, the number of a scanner's beam, is called where files of points have a
/// usual name for it: a number of 16 bits.
pub(super) const RING: &str = "ring";

/// Whether a column is that.
pub(super) fn is_ring((name, values): &Named<'_>) -> bool {
    *name == "beam" && matches!(values, Values::I32(_) | Values::I64(_))
}

/// Primitives are fewer than 2³¹; other integers of 64 bits have no type of their own in PLY.
pub(super) fn is_small(name: &str) -> bool {
    name == "primitive_id"
}

/// Whether values are floats, some of them null perhaps.
pub(super) const fn is_float(values: &Values<'_>) -> bool {
    matches!(values, Values::F32(_) | Values::F64(_) | Values::OptionF32(_) | Values::OptionF64(_))
}

/// The places of x, y and z, which are columns of floats.
pub(super) fn axes(columns: &[Named<'_>], format: CloudFormat) -> Result<[usize; 3], Problem> {
    let place = |axis: &str| {
        let is_axis = |(name, values): &Named<'_>| *name == axis && is_float(values);
        columns.iter().position(is_axis)
    };
    match ["x", "y", "z"].map(place) {
        [Some(x), Some(y), Some(z)] => Ok([x, y, z]),
        _ => {
            let format = format.name();
            Err(format!("{format} files need points: there are no columns x, y and z").into())
        }
    }
}

/// The type of a number in PLY and PCD.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Type {
    U8,
    U16,
    I32,
    F32,
    F64,
}

impl Type {
    /// That of a column in a format; none of text.
    fn of(column: &Named<'_>, format: CloudFormat) -> Option<Self> {
        match column.1 {
            Values::I32(_) | Values::I64(_) if format == CloudFormat::Pcd && is_ring(column) => {
                Some(Self::U16)
            }
            Values::I64(_) if is_small(column.0) => Some(Self::I32),
            Values::I64(_) | Values::OptionI64(_) => Some(Self::F64),
            Values::F64(_) | Values::OptionF64(_) => Some(Self::F64),
            Values::I32(_) => Some(Self::I32),
            Values::F32(_) | Values::OptionF32(_) => Some(Self::F32),
            Values::Bool(_) | Values::OptionBool(_) | Values::Status(_) => Some(Self::U8),
            Values::Text(_) | Values::OptionText(_) => None,
        }
    }

    const fn of_ply(self) -> &'static str {
        match self {
            Self::U8 => "uchar",
            Self::U16 => "ushort",
            Self::I32 => "int",
            Self::F32 => "float",
            Self::F64 => "double",
        }
    }

    /// Its letter and its bytes.
    const fn of_pcd(self) -> (char, usize) {
        match self {
            Self::U8 => ('U', 1),
            Self::U16 => ('U', 2),
            Self::I32 => ('I', 4),
            Self::F32 => ('F', 4),
            Self::F64 => ('F', 8),
        }
    }
}

/// PLY and PCD, binary, the lowest byte first.
pub(super) struct PointSink {
    output: Output,
    spool: BufWriter<File>,
    format: CloudFormat,
    /// The places of the columns in the order of the file, with their names and types there.
    fields: Vec<(usize, String, Type)>,
    rows: u64,
}

impl PointSink {
    /// A file in the format PLY or PCD with columns of which none is text.
    pub(super) fn new(
        output: Output,
        columns: &[Named<'_>],
        format: CloudFormat,
    ) -> Result<Self, Problem> {
        let [x, y, z] = axes(columns, format)?;
        let is_word = |name: &str| !name.is_empty() && !name.contains(char::is_whitespace);
        if let Some((name, _)) = columns.iter().find(|(name, _)| !is_word(name)) {
            let what = if format == CloudFormat::Ply { "property of PLY" } else { "field of PCD" };
            let name = excerpt(name);
            return Err(format!("column \"{name}\": a {what} is called by one word").into());
        }
        let others = (0..columns.len()).filter(|place| ![x, y, z].contains(place));
        let field = |place: usize| {
            let kind = Type::of(&columns[place], format)?;
            let name = if kind == Type::U16 { RING } else { columns[place].0 };
            Some((place, name.to_owned(), kind))
        };
        let fields = [x, y, z].into_iter().chain(others).filter_map(field).collect();
        let spool = BufWriter::new(output.spool()?);
        Ok(Self { output, spool, format, fields, rows: 0 })
    }

    fn header(&self) -> String {
        let Self { format, fields, rows, .. } = self;
        if *format == CloudFormat::Ply {
            let property = |(_, name, kind): &(_, String, Type)| {
                format!("property {} {name}\n", kind.of_ply())
            };
            let properties: String = fields.iter().map(property).collect();
            return format!(
                "ply\nformat binary_little_endian 1.0\nelement vertex {rows}\n{properties}end_header\n"
            );
        }
        let line = |word: &str, of: &dyn Fn(&str, Type) -> String| {
            let words = fields.iter().map(|(_, name, kind)| format!(" {}", of(name, *kind)));
            format!("{word}{}\n", words.collect::<String>())
        };
        [
            "# .PCD v.7 - Point Cloud Data file format\nVERSION .7\n".to_owned(),
            line("FIELDS", &|name, _| name.to_owned()),
            line("SIZE", &|_, kind| kind.of_pcd().1.to_string()),
            line("TYPE", &|_, kind| kind.of_pcd().0.to_string()),
            line("COUNT", &|_, _| "1".to_owned()),
            format!(
                "WIDTH {rows}\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS {rows}\nDATA binary\n"
            ),
        ]
        .concat()
    }
}

impl Sink for PointSink {
    fn write(&mut self, columns: &[Named<'_>], threads: &Threads) -> Result<(), Problem> {
        let (rows, fields, format) = (rows(columns), &self.fields, self.format);
        self.rows += rows as u64;
        write_in_blocks(&mut self.spool, rows, threads, &|block, bytes| {
            for row in block {
                for (place, _, kind) in fields {
                    write_value(bytes, columns[*place], row, *kind, format)?;
                }
            }
            Ok(())
        })
    }

    fn finish(self: Box<Self>) -> Result<(), Problem> {
        let header = self.header();
        let Self { mut output, spool, .. } = *self;
        let mut spool = spool.into_inner().map_err(io::IntoInnerError::into_error)?;
        spool.rewind()?;
        output.write_all(header.as_bytes())?;
        io::copy(&mut spool, &mut output)?;
        Ok(output.finish()?)
    }
}

/// Refuses an integer that its type does not hold.
fn write_value(
    to: &mut impl Write,
    (name, values): Named<'_>,
    row: usize,
    kind: Type,
    format: CloudFormat,
) -> Result<(), Problem> {
    let (values, row) = values.at(row).unwrap_or((values, row));
    let whole = match values {
        Values::I64(values) => values[row],
        Values::I32(values) if kind == Type::U16 => values[row].into(),
        _ => return Ok(values.write(row, to)?),
    };
    let bytes = match kind {
        Type::U16 => u16::try_from(whole).ok().map(|whole| to.write_all(&whole.to_le_bytes())),
        Type::I32 => i32::try_from(whole).ok().map(|whole| to.write_all(&whole.to_le_bytes())),
        _ if whole.unsigned_abs() > EXACT => None,
        _ => Some(to.write_all(&(whole as f64).to_le_bytes())),
    };
    let beyond = || format!("column \"{name}\": a number is beyond what {} holds", format.name());
    Ok(bytes.ok_or_else(beyond)??)
}

/// A line of text for each point. Other columns have no place there.
pub(super) struct XyzSink {
    output: Output,
    axes: [usize; 3],
}

impl XyzSink {
    pub(super) fn new(output: Output, columns: &[Named<'_>]) -> Result<Self, Problem> {
        Ok(Self { output, axes: axes(columns, CloudFormat::Xyz)? })
    }
}

impl Sink for XyzSink {
    fn write(&mut self, columns: &[Named<'_>], threads: &Threads) -> Result<(), Problem> {
        let axes = self.axes;
        write_in_blocks(&mut self.output, rows(columns), threads, &|block, text| {
            for row in block {
                for (place, end) in axes.into_iter().zip(*b"  \n") {
                    match columns[place].1.at(row) {
                        Some((Values::F32(values), row)) => write!(text, "{}", values[row])?,
                        Some((Values::F64(values), row)) => write!(text, "{}", values[row])?,
                        _ => write!(text, "{}", f64::NAN)?,
                    }
                    text.push(end);
                }
            }
            Ok(())
        })
    }

    fn finish(self: Box<Self>) -> Result<(), Problem> {
        Ok(self.output.finish()?)
    }
}

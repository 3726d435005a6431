//! The values of a column, from the answers to every format.

use crate::excerpt;
use bytemuck::NoUninit;
use lanecast::Status;
use std::borrow::Cow;
use std::io::{self, Write};
use std::slice::from_ref;
use std::sync::Arc;

/// The values of a column.
#[derive(Clone, Copy, PartialEq)]
pub enum Values<'a> {
    /// Signed integers of 64 bits.
    I64(&'a [i64]),
    /// Signed integers of 32 bits.
    I32(&'a [i32]),
    /// Floats of 32 bits.
    F32(&'a [f32]),
    /// Floats of 64 bits.
    F64(&'a [f64]),
    /// Booleans.
    Bool(&'a [bool]),
    /// The word of [`Status::name`]; in NPZ and files of points the number of [`Status::code`].
    Status(&'a [Status]),
    /// Text, such as names. NPZ and files of points hold none.
    Text(&'a [Arc<str>]),
    /// Integers of 64 bits, or null: an empty field of CSV. NPZ and files of points hold no null.
    OptionI64(&'a [Option<i64>]),
    /// Floats of 32 bits, or null: NaN in NPZ and files of points.
    OptionF32(&'a [Option<f32>]),
    /// Floats of 64 bits, or null: NaN in NPZ and files of points.
    OptionF64(&'a [Option<f64>]),
    /// Booleans, or null, which NPZ and files of points do not hold.
    OptionBool(&'a [Option<bool>]),
    /// Text, or null.
    OptionText(&'a [Option<Arc<str>>]),
}

/// A column by its name.
pub(crate) type Named<'a> = (&'a str, Values<'a>);

/// A type of values, which decides the kind of their column.
pub(crate) trait Value: Clone {
    fn column(values: &[Self]) -> Values<'_>;
}

/// What is the same for every kind.
macro_rules! kinds {
    ($($kind:ident: $value:ty,)*) => {
        impl Values<'_> {
            /// The number of values.
            pub const fn len(&self) -> usize {
                match self { $(Self::$kind(values) => values.len(),)* }
            }

            /// No values of the same kind.
            pub(crate) const fn none(&self) -> Values<'static> {
                match self { $(Self::$kind(_) => Values::$kind(&[]),)* }
            }

            const fn kind(&self) -> &'static str {
                match self { $(Self::$kind(_) => stringify!($kind),)* }
            }
        }

        $(impl Value for $value {
            fn column(values: &[Self]) -> Values<'_> {
                Values::$kind(values)
            }
        })*
    };
}

kinds! {
    I64: i64,
    I32: i32,
    F32: f32,
    F64: f64,
    Bool: bool,
    Status: Status,
    Text: Arc<str>,
    OptionI64: Option<i64>,
    OptionF32: Option<f32>,
    OptionF64: Option<f64>,
    OptionBool: Option<bool>,
    OptionText: Option<Arc<str>>,
}

impl<'a> Values<'a> {
    /// Whether there is no value.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A value, by where it stands among values that cannot be null; none if it is null.
    #[inline]
    pub(super) fn at(self, row: usize) -> Option<(Self, usize)> {
        let (values, row) = match self {
            Self::OptionI64(values) => (Self::I64(from_ref(values[row].as_ref()?)), 0),
            Self::OptionF32(values) => (Self::F32(from_ref(values[row].as_ref()?)), 0),
            Self::OptionF64(values) => (Self::F64(from_ref(values[row].as_ref()?)), 0),
            Self::OptionBool(values) => (Self::Bool(from_ref(values[row].as_ref()?)), 0),
            Self::OptionText(values) => (Self::Text(from_ref(values[row].as_ref()?)), 0),
            _ => (self, row),
        };
        Some((values, row))
    }

    /// Whether a value may be null.
    #[cfg(feature = "tables")]
    pub(super) const fn is_nullable(&self) -> bool {
        matches!(
            self,
            Self::OptionI64(_)
                | Self::OptionF32(_)
                | Self::OptionF64(_)
                | Self::OptionBool(_)
                | Self::OptionText(_)
        )
    }

    /// The first row that is null where NaN cannot stand for that.
    pub(super) fn null(&self) -> Option<usize> {
        match self {
            Self::OptionI64(values) => values.iter().position(Option::is_none),
            Self::OptionBool(values) => values.iter().position(Option::is_none),
            _ => None,
        }
    }

    /// The bytes of all values, as [`write`](Self::write) has them.
    pub(super) fn bytes(&self) -> Cow<'_, [u8]> {
        match self {
            Self::I64(values) => little_endian(values, i64::to_le_bytes),
            Self::I32(values) => little_endian(values, i32::to_le_bytes),
            Self::F32(values) => little_endian(values, f32::to_le_bytes),
            Self::F64(values) => little_endian(values, f64::to_le_bytes),
            Self::Bool(values) => little_endian(values, |value| [value.into()]),
            Self::Status(values) => values.iter().map(|status| status.code()).collect(),
            Self::OptionF32(values) => {
                values.iter().flat_map(|value| value.unwrap_or(f32::NAN).to_le_bytes()).collect()
            }
            Self::OptionF64(values) => {
                values.iter().flat_map(|value| value.unwrap_or(f64::NAN).to_le_bytes()).collect()
            }
            // No format that asks for bytes holds other nulls, or text.
            Self::OptionI64(values) => {
                values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect()
            }
            Self::OptionBool(values) => {
                values.iter().flatten().map(|&value| value.into()).collect()
            }
            Self::Text(_) | Self::OptionText(_) => Cow::Borrowed(&[]),
        }
    }

    /// A number, or the code of a status; NaN where it is null, and of text.
    #[cfg(feature = "las")]
    pub(super) fn number(self, row: usize) -> f64 {
        match self.at(row) {
            Some((Self::I64(values), row)) => values[row] as f64,
            Some((Self::I32(values), row)) => values[row].into(),
            Some((Self::F32(values), row)) => values[row].into(),
            Some((Self::F64(values), row)) => values[row],
            Some((Self::Bool(values), row)) => u8::from(values[row]).into(),
            Some((Self::Status(values), row)) => values[row].code().into(),
            _ => f64::NAN,
        }
    }

    /// Writes the bytes of a value: of a number the lowest first, of a status its code.
    pub(super) fn write(&self, row: usize, to: &mut impl Write) -> io::Result<()> {
        match self {
            Self::I64(values) => to.write_all(&values[row].to_le_bytes()),
            Self::I32(values) => to.write_all(&values[row].to_le_bytes()),
            Self::F32(values) => to.write_all(&values[row].to_le_bytes()),
            Self::F64(values) => to.write_all(&values[row].to_le_bytes()),
            Self::Bool(values) => to.write_all(&[values[row].into()]),
            Self::Status(values) => to.write_all(&[values[row].code()]),
            Self::OptionF32(values) => to.write_all(&values[row].unwrap_or(f32::NAN).to_le_bytes()),
            Self::OptionF64(values) => to.write_all(&values[row].unwrap_or(f64::NAN).to_le_bytes()),
            // As above.
            Self::OptionI64(values) => to.write_all(&values[row].unwrap_or_default().to_le_bytes()),
            Self::OptionBool(values) => to.write_all(&[values[row].unwrap_or_default().into()]),
            Self::Text(_) | Self::OptionText(_) => Ok(()),
        }
    }
}

/// The bytes of values, the lowest of each first: those in memory, where they lie so.
fn little_endian<V: NoUninit, const N: usize>(
    values: &[V],
    bytes_of: fn(V) -> [u8; N],
) -> Cow<'_, [u8]> {
    match cfg!(target_endian = "little") {
        true => bytemuck::cast_slice(values).into(),
        false => values.iter().flat_map(|&value| bytes_of(value)).collect(),
    }
}

impl std::fmt::Debug for Values<'_> {
    /// Shows how many there are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct(self.kind()).field("len", &self.len()).finish_non_exhaustive()
    }
}

/// How many rows columns of equal length have.
pub(super) fn rows(columns: &[Named<'_>]) -> usize {
    columns.first().map_or(0, |(_, values)| values.len())
}

/// What is said of a column of text where a format holds none.
pub(super) fn no_text(name: &str) -> String {
    format!("column \"{}\" is text, which npz and files of points do not hold", excerpt(name))
}

//! The values of a column, from the answers to every format.

use bytemuck::NoUninit;
use lanecast::Status;
use std::borrow::Cow;
use std::io::{self, Write};
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
    /// The word of [`Status::name`]; in NPZ and PLY the number of [`Status::code`].
    Status(&'a [Status]),
    /// Text, such as names. NPZ and PLY hold none.
    Text(&'a [Arc<str>]),
}

/// A column by its name.
pub(crate) type Named<'a> = (&'static str, Values<'a>);

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
            pub(super) const fn none(&self) -> Values<'static> {
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
}

impl Values<'_> {
    /// Whether there is no value.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
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
            // No format that asks for bytes holds text.
            Self::Text(values) => values.iter().flat_map(|text| text.bytes()).collect(),
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
            Self::Text(values) => to.write_all(values[row].as_bytes()),
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

//! The values of a column as they are handed to a file.

use lanecast::Status;
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
pub(super) type Named<'a> = (&'static str, Values<'a>);

impl std::fmt::Debug for Values<'_> {
    /// Shows how many there are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self {
            Self::I64(_) => "I64",
            Self::I32(_) => "I32",
            Self::F32(_) => "F32",
            Self::F64(_) => "F64",
            Self::Bool(_) => "Bool",
            Self::Status(_) => "Status",
            Self::Text(_) => "Text",
        };
        f.debug_struct(name).field("len", &self.len()).finish_non_exhaustive()
    }
}

impl Values<'_> {
    /// The number of values.
    pub const fn len(&self) -> usize {
        match self {
            Self::I64(values) => values.len(),
            Self::I32(values) => values.len(),
            Self::F32(values) => values.len(),
            Self::F64(values) => values.len(),
            Self::Bool(values) => values.len(),
            Self::Status(values) => values.len(),
            Self::Text(values) => values.len(),
        }
    }

    /// Whether there is no value.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// No values of the same kind.
    pub(super) const fn none(&self) -> Values<'static> {
        match self {
            Self::I64(_) => Values::I64(&[]),
            Self::I32(_) => Values::I32(&[]),
            Self::F32(_) => Values::F32(&[]),
            Self::F64(_) => Values::F64(&[]),
            Self::Bool(_) => Values::Bool(&[]),
            Self::Status(_) => Values::Status(&[]),
            Self::Text(_) => Values::Text(&[]),
        }
    }
}

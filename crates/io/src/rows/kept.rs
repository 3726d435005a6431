//! Columns of a file that are no part of a row and go with it to the answers.

use super::scalar::{Kind, Scalar};
use crate::Values;
use std::sync::Arc;

/// Of a file of text the kinds of columns are told from so many rows, its first.
pub(super) const ROWS_THAT_TELL: usize = 1 << 16;

/// Which columns of a file are kept beside its rays or points. Text takes memory for the characters
/// of each row, also where a file has packed them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Keep<'a> {
    /// The columns, by their names. Those of a row may be among them.
    pub columns: &'a [String],
    /// All that are no part of a row, too, but for what cannot be kept and what `without` names: that
    /// stays among the columns that are ignored.
    pub all: bool,
    /// Columns that `all` leaves out, such as those that the answers have themselves.
    pub without: &'a [&'a str],
    /// Whether columns of CSV and XYZ stay text as it is written. Else they are what their first
    /// 65,536 rows say: integers; numbers; `true` and `false`; or text. A number with zeros before
    /// it (`007`) or a `+`, and a whole number that is none of `f64` beside others that are not
    /// whole, is text. An empty field is null, of text an empty one. A later value that is of
    /// another kind is an error.
    pub as_written: bool,
    /// Whether ids may be text in CSV, XYZ, Parquet and Arrow IPC: of text those are that the first
    /// row begins with text. They are the first of the columns kept then, called `ray_id` or
    /// `point_id`, and the file has no ids otherwise.
    pub text_ids: bool,
}

/// The values of a column that is kept, of which any may be null.
#[derive(Clone, PartialEq)]
pub enum Column {
    /// Integers of all sizes.
    I64(Vec<Option<i64>>),
    /// Floats of 32 bits and fewer.
    F32(Vec<Option<f32>>),
    /// Floats of 64 bits.
    F64(Vec<Option<f64>>),
    /// Booleans.
    Bool(Vec<Option<bool>>),
    /// Text.
    Text(Vec<Option<Arc<str>>>),
}

/// Does the same with the values of each kind.
macro_rules! each {
    ($column:expr, $values:ident => $do:expr) => {
        match $column {
            Column::I64($values) => $do,
            Column::F32($values) => $do,
            Column::F64($values) => $do,
            Column::Bool($values) => $do,
            Column::Text($values) => $do,
        }
    };
}

impl Column {
    /// The number of values.
    pub fn len(&self) -> usize {
        each!(self, values => values.len())
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The values as files take them.
    pub fn values(&self) -> Values<'_> {
        match self {
            Self::I64(values) => Values::OptionI64(values),
            Self::F32(values) => Values::OptionF32(values),
            Self::F64(values) => Values::OptionF64(values),
            Self::Bool(values) => Values::OptionBool(values),
            Self::Text(values) => Values::OptionText(values),
        }
    }

    /// The values of these rows, each as often and in the order as it is named.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn of_rows(&self, rows: impl IntoIterator<Item = usize>) -> Self {
        let rows = rows.into_iter();
        match self {
            Self::I64(values) => Self::I64(rows.map(|row| values[row]).collect()),
            Self::F32(values) => Self::F32(rows.map(|row| values[row]).collect()),
            Self::F64(values) => Self::F64(rows.map(|row| values[row]).collect()),
            Self::Bool(values) => Self::Bool(rows.map(|row| values[row]).collect()),
            Self::Text(values) => Self::Text(rows.map(|row| values[row].clone()).collect()),
        }
    }

    /// No values of the same kind.
    pub(super) fn none(&self) -> Self {
        self.of_rows([])
    }

    /// No values, of the kind in which numbers of this type are kept.
    pub(super) fn of_scalar(kind: Kind) -> Self {
        match kind {
            Kind::F16 | Kind::F32 => Self::F32(Vec::new()),
            Kind::F64 => Self::F64(Vec::new()),
            Kind::Whole { .. } => Self::I64(Vec::new()),
        }
    }

    pub(super) fn clear(&mut self) {
        each!(self, values => values.clear());
    }

    /// Moves the values of another column behind its own.
    ///
    /// # Panics
    /// If the other is of another kind.
    pub fn append(&mut self, other: &mut Self) {
        match (self, other) {
            (Self::I64(values), Self::I64(more)) => values.append(more),
            (Self::F32(values), Self::F32(more)) => values.append(more),
            (Self::F64(values), Self::F64(more)) => values.append(more),
            (Self::Bool(values), Self::Bool(more)) => values.append(more),
            (Self::Text(values), Self::Text(more)) => values.append(more),
            (to, from) => panic!("{from:?} cannot follow {to:?}"),
        }
    }

    /// Appends the number in the bytes of a type; a whole one beyond 64 bits with a sign comes
    /// back.
    pub(super) fn push_number(&mut self, scalar: Scalar, bytes: &[u8]) -> Result<(), u64> {
        let moved = &mut super::Moved::default();
        match (self, scalar.whole()) {
            (Self::I64(values), Some(whole)) => values.push(Some(whole.read(bytes)?)),
            (Self::Bool(values), _) => values.push(Some(bytes.iter().any(|byte| *byte != 0))),
            (Self::F32(values), _) => values.push(Some(scalar.number(bytes, 0, moved))),
            (Self::F64(values), _) => values.push(Some(scalar.number(bytes, 0, moved))),
            (column, _) => unreachable!("{scalar:?} to {column:?}"),
        }
        Ok(())
    }

    /// Appends what a field says; else what it should be comes back. Where a header tells the kind
    /// a number may be written in any way.
    pub(super) fn push_text(&mut self, text: &str, by_header: bool) -> Result<(), &'static str> {
        match self {
            Self::I64(values) => {
                let read = if by_header { |text: &str| text.parse().ok() } else { whole };
                values.push(optional(text, read).ok_or("a whole number")?);
            }
            Self::F64(values) => {
                let read = if by_header { |text: &str| text.parse().ok() } else { number };
                values.push(optional(text, read).ok_or("a number")?);
            }
            Self::F32(values) => {
                values.push(optional(text, |text| text.parse().ok()).ok_or("a number")?);
            }
            Self::Bool(values) => {
                let read = |text: &str| text.parse().ok();
                values.push(optional(text, read).ok_or("true or false")?);
            }
            Self::Text(_) => self.push_str(text),
        }
        Ok(())
    }

    /// Appends text, in the same memory as what stands before if that is the same.
    pub(super) fn push_str(&mut self, text: &str) {
        let Self::Text(values) = self else { unreachable!("text to {self:?}") };
        let last = values.last().and_then(Option::as_ref).filter(|last| ***last == *text);
        let value = last.map_or_else(|| text.into(), Arc::clone);
        values.push(Some(value));
    }

    #[cfg(any(feature = "las", feature = "tables"))]
    pub(super) fn push_null(&mut self) {
        each!(self, values => values.push(None));
    }

    /// Appends a value that it has already.
    #[cfg(feature = "tables")]
    pub(super) fn push_again(&mut self, place: usize) {
        each!(self, values => values.extend_from_within(place..=place));
    }

    /// The same values as what all of them are, if it is text.
    pub(super) fn told_by_text(self) -> Self {
        let Self::Text(texts) = &self else { return self };
        let texts = || texts.iter().map(|text| text.as_deref().unwrap_or_default());
        if texts().all(str::is_empty) {
            return self;
        }
        for mut column in [Self::I64(Vec::new()), Self::F64(Vec::new()), Self::Bool(Vec::new())] {
            if texts().all(|text| column.push_text(text, false).is_ok()) {
                return column;
            }
        }
        self
    }
}

/// What a field says, or null if it is empty; none if it says something else.
fn optional<V>(text: &str, read: impl Fn(&str) -> Option<V>) -> Option<Option<V>> {
    if text.is_empty() { Some(None) } else { read(text).map(Some) }
}

/// An integer that would be written so.
fn whole(text: &str) -> Option<i64> {
    text.parse().ok().filter(|number: &i64| itoa::Buffer::new().format(*number) == text)
}

/// A number that is not text of digits, as the code of a place or of a telephone, and that `f64`
/// holds, but for digits behind its point.
fn number(text: &str) -> Option<f64> {
    const EXACT: f64 = (1_u64 << 53) as f64;
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let is_code = matches!(digits, [b'0', b'0'..=b'9', ..] | [b'+', ..]);
    let number: f64 = text.parse().ok().filter(|_| !is_code)?;
    let is_whole = digits.iter().all(u8::is_ascii_digit);
    let is_beyond = number.is_infinite() && digits.iter().any(u8::is_ascii_digit);
    // Numbers beyond may have been rounded to this one.
    (!(is_beyond || is_whole && number.abs() >= EXACT)).then_some(number)
}

impl std::fmt::Debug for Column {
    /// Shows how many values there are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.values().fmt(f)
    }
}

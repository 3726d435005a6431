//! The common part of batches of answers: a row for each ray or point, as columns of equal length.

use crate::chunks::Chunks;
use crate::columns::ColumnMut;
use crate::error::Result;

/// The optional columns of a batch.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct With {
    /// Instance ids, if the scene has instances.
    pub(crate) instances: bool,
    /// Normals, if the request asks for them.
    pub(crate) normals: bool,
}

/// A batch that [`answers!`] declares, as queries fill it chunk by chunk.
pub(crate) trait Answers {
    /// The caller's columns, or those of a batch.
    type Columns<'c>: Send;
    type Rows<'r>;

    /// Calls `write` with columns of `rows` rows: the caller's, or those of the batch. After an
    /// error the batch is empty.
    fn fill(
        columns: Self::Columns<'_>,
        rows: usize,
        with: With,
        write: impl FnOnce(Self::Columns<'_>, With) -> Result<()>,
    ) -> Result<()>;

    fn parts<'c>(
        columns: Self::Columns<'c>,
        chunks: Chunks,
    ) -> impl Iterator<Item = Self::Columns<'c>>;

    /// Calls `write` with these rows, whose values are unspecified before.
    fn write(
        columns: Self::Columns<'_>,
        rows: usize,
        with: With,
        write: impl FnOnce(Self::Rows<'_>),
    );
}

/// Declares a batch of answers, which owns its columns; the caller's columns in its place; and the
/// rows of a chunk.
///
/// Each column states its value in a row without an answer. One after a condition exists only if
/// that holds.
macro_rules! answers {
    (
        $(#[$doc:meta])*
        $batch:ident $(<$T:ident>)?, $columns:ident, $rows:ident {
            $($([$with:ident])? $(#[$column_doc:meta])* $column:ident: $type:ty = $none:expr,)+
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Default, PartialEq)]
        pub struct $batch $(<$T = f32>)? {
            $($column: Vec<$type>,)+
        }

        impl $(<$T>)? std::fmt::Debug for $batch $(<$T>)? {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($batch)).field("len", &self.status.len()).finish_non_exhaustive()
            }
        }

        impl $(<$T: $crate::simd::Scalar>)? $batch $(<$T>)? {
            /// No rows, and no memory yet.
            pub fn new() -> Self {
                Self::default()
            }

            /// The number of rows.
            pub fn len(&self) -> usize {
                self.status.len()
            }

            /// Whether there is no row.
            pub fn is_empty(&self) -> bool {
                self.status.is_empty()
            }

            /// Removes all rows and keeps the memory.
            pub fn clear(&mut self) {
                $(self.$column.clear();)+
            }

            $($(#[$column_doc])* pub fn $column(&self) -> &[$type] { &self.$column })+

            /// Resizes to `rows` rows of unspecified content.
            pub(crate) fn resize(&mut self, rows: usize, with: $crate::answers::With) -> $rows<'_ $(, $T)?> {
                let _ = with;
                $($crate::answers::batch::resize(&mut self.$column, if true $(&& with.$with)? { rows } else { 0 });)+
                $rows { $($column: &mut self.$column,)+ }
            }
        }

        #[doc = concat!("The caller's own columns in place of a [`", stringify!($batch), "`].")]
        ///
        /// Each must be as long as there are rows. Columns that are not given are not written.
        #[derive(Debug, Default)]
        #[must_use = "columns are filled by a query"]
        pub struct $columns<'a $(, $T = f32)?> {
            batch: Option<&'a mut $batch $(<$T>)?>,
            $($column: Option<$crate::columns::ColumnMut<'a, $type>>,)+
        }

        impl<'a $(, $T: $crate::simd::Scalar)?> From<&'a mut $batch $(<$T>)?> for $columns<'a $(, $T)?> {
            fn from(batch: &'a mut $batch $(<$T>)?) -> Self {
                Self { batch: Some(batch), ..Self::default() }
            }
        }

        impl<'a $(, $T: $crate::simd::Scalar)?> $columns<'a $(, $T)?> {
            /// No columns.
            pub fn new() -> Self {
                Self::default()
            }

            $(
                $(#[$column_doc])*
                pub fn $column(mut self, column: impl Into<$crate::columns::ColumnMut<'a, $type>>) -> Self {
                    self.$column = Some(column.into());
                    self
                }
            )+
        }

        impl $(<$T: $crate::simd::Scalar>)? $crate::answers::Answers for $batch $(<$T>)? {
            type Columns<'c> = $columns<'c $(, $T)?>;
            type Rows<'r> = $rows<'r $(, $T)?>;

            fn fill(
                columns: Self::Columns<'_>,
                rows: usize,
                with: $crate::answers::With,
                write: impl FnOnce(Self::Columns<'_>, $crate::answers::With) -> $crate::error::Result<()>,
            ) -> $crate::error::Result<()> {
                let Some(batch) = columns.batch else {
                    $(if let Some(column) = &columns.$column {
                        $crate::columns::expect_length(stringify!($column), column.len(), rows)?;
                    })+
                    // A given column counts as asked for.
                    #[allow(unused_mut, reason = "not every batch has optional columns")]
                    let mut with = with;
                    $($(with.$with |= columns.$column.is_some();)?)+
                    return write(columns, with);
                };
                let here = batch.resize(rows, with);
                let columns = $columns {
                    batch: None,
                    $($column: (true $(&& with.$with)?).then(|| here.$column.into()),)+
                };
                write(columns, with).inspect_err(|_| batch.clear())
            }

            fn parts<'c>(
                mut columns: Self::Columns<'c>,
                chunks: $crate::chunks::Chunks,
            ) -> impl Iterator<Item = Self::Columns<'c>> {
                chunks.map(move |rows| $columns {
                    batch: None,
                    $($column: columns.$column.as_mut().map(|column| column.take_first(rows.len())),)+
                })
            }

            fn write(
                columns: Self::Columns<'_>,
                rows: usize,
                with: $crate::answers::With,
                write: impl FnOnce(Self::Rows<'_>),
            ) {
                let _ = with;
                $(
                    let rows_here = if true $(&& with.$with)? { rows } else { 0 };
                    let mut $column = $crate::answers::batch::Rows::new(columns.$column, rows_here, $none);
                )+
                write($rows { $($column: $column.slice(),)+ });
            }
        }

        /// The rows of a chunk; columns that are not asked for are empty.
        pub(crate) struct $rows<'a $(, $T = f32)?> {
            $(pub(crate) $column: &'a mut [$type],)+
        }

        #[allow(dead_code, reason = "not every query needs all of them")]
        impl $(<$T: $crate::simd::Scalar>)? $rows<'_ $(, $T)?> {
            pub(crate) fn reborrow(&mut self) -> $rows<'_ $(, $T)?> {
                $rows { $($column: self.$column,)+ }
            }

            /// Sets all rows to their value without an answer.
            pub(crate) fn reset(&mut self) {
                $(self.$column.fill($none);)+
            }

            /// Sets the row of a ray that is not cast: its defect, and no answer.
            pub(crate) fn refuse(&mut self, row: usize, defect: $crate::status::Status) {
                $(if let Some(value) = self.$column.get_mut(row) { *value = $none; })+
                self.status[row] = defect;
            }
        }
    };
}
pub(crate) use answers;

/// Reads and writes rows as values, whose fields are named as columns. Without its column a field
/// has the value of a row without an answer.
macro_rules! values {
    ([$($generics:tt)*] $value:ty { $($field:ident),+ } in $batch:ty, $rows:ty) => {
        impl<$($generics)*> $batch {
            fn value(&self, row: usize) -> $value {
                let mut value = <$value>::NONE;
                $(if let Some(field) = self.$field.get(row) { value.$field = *field; })+
                value
            }
        }

        #[allow(dead_code, reason = "not every query reads what it wrote")]
        impl<$($generics)*> $rows {
            pub(crate) fn value(&self, row: usize) -> $value {
                let mut value = <$value>::NONE;
                $(if let Some(field) = self.$field.get(row) { value.$field = *field; })+
                value
            }

            pub(crate) fn write(&mut self, row: usize, status: $crate::status::Status, value: &$value) {
                self.status[row] = status;
                $(if let Some(field) = self.$field.get_mut(row) { *field = value.$field; })+
            }
        }
    };
}
pub(crate) use values;

/// Resizes a column to unspecified content. New memory comes from the system as zeros, page by page
/// when it is first written. So each thread that writes answers is the first to touch its pages,
/// and not the caller all of them.
pub(crate) fn resize<V: bytemuck::Zeroable + Clone>(column: &mut Vec<V>, rows: usize) {
    if column.capacity() < rows {
        // The old memory goes first.
        *column = Vec::new();
        *column = bytemuck::zeroed_vec(rows);
    }
    column.resize(rows, V::zeroed());
}

/// The rows of a chunk in one column: in place if they are contiguous there, else in a buffer that
/// is copied at the end.
pub(super) enum Rows<'a, V: Copy> {
    InPlace(&'a mut [V]),
    Buffer(Vec<V>, Option<ColumnMut<'a, V>>),
}

impl<'a, V: Copy> Rows<'a, V> {
    pub(super) fn new(column: Option<ColumnMut<'a, V>>, rows: usize, none: V) -> Self {
        match column.map(ColumnMut::into_slice) {
            Some(Ok(slice)) => Self::InPlace(slice),
            column => Self::Buffer(vec![none; rows], column.and_then(Result::err)),
        }
    }

    pub(super) fn slice(&mut self) -> &mut [V] {
        match self {
            Self::InPlace(slice) => slice,
            Self::Buffer(buffer, _) => buffer,
        }
    }
}

impl<V: Copy> Drop for Rows<'_, V> {
    fn drop(&mut self) {
        if let Self::Buffer(buffer, Some(column)) = self {
            column.fill_with(buffer.iter().copied());
        }
    }
}

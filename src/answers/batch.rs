//! The common part of batches of answers: a row for each ray or point, as columns of equal length.

use crate::columns::ColumnMut;
use crate::error::{Error, Result};

/// The optional columns of a batch.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct With {
    /// Instance ids, if the scene has instances.
    pub(crate) instances: bool,
    /// Normals, if the request asks for them.
    pub(crate) normals: bool,
}

/// Declares a batch of answers: the batch itself, which owns its columns; the caller's columns that may take its place; and
/// the rows of one chunk, as queries write them.
///
/// Each column states its value in a row without an answer. A column after a condition in brackets exists only if the
/// condition holds.
macro_rules! answers {
    (
        $(#[$doc:meta])*
        $batch:ident $(<$T:ident>)?, $columns:ident, $rows:ident {
            $($(#[$column_doc:meta])* $column:ident: $type:ty = $none:expr,)+
            $([$with:ident] $(#[$optional_doc:meta])* $optional:ident: $optional_type:ty = $optional_none:expr,)*
        }
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $batch $(<$T = f32>)? {
            $($column: Vec<$type>,)+
            $($optional: Vec<$optional_type>,)*
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
                $(self.$optional.clear();)*
            }

            $($(#[$column_doc])* pub fn $column(&self) -> &[$type] { &self.$column })+
            $($(#[$optional_doc])* pub fn $optional(&self) -> &[$optional_type] { &self.$optional })*

            /// Resizes to `rows` rows of unspecified content.
            fn resize(&mut self, rows: usize, with: $crate::answers::With) {
                let _ = with;
                $(self.$column.resize(rows, $none);)+
                $(self.$optional.resize(if with.$with { rows } else { 0 }, $optional_none);)*
            }
        }

        #[doc = concat!("The caller's own columns in place of a [`", stringify!($batch), "`].")]
        ///
        /// Each must be as long as there are rows. Columns that are not given are not written.
        #[derive(Debug)]
        pub struct $columns<'a $(, $T = f32)?> {
            batch: Option<&'a mut $batch $(<$T>)?>,
            $($column: Option<$crate::columns::ColumnMut<'a, $type>>,)+
            $($optional: Option<$crate::columns::ColumnMut<'a, $optional_type>>,)*
        }

        impl<'a $(, $T)?> From<&'a mut $batch $(<$T>)?> for $columns<'a $(, $T)?> {
            fn from(batch: &'a mut $batch $(<$T>)?) -> Self {
                Self { batch: Some(batch), $($column: None,)+ $($optional: None,)* }
            }
        }

        impl $(<$T>)? Default for $columns<'_ $(, $T)?> {
            fn default() -> Self {
                Self { batch: None, $($column: None,)+ $($optional: None,)* }
            }
        }

        impl<'a $(, $T: $crate::simd::Scalar)?> $columns<'a $(, $T)?> {
            /// No columns.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            $(
                $(#[$column_doc])*
                #[must_use]
                pub fn $column(mut self, column: impl Into<$crate::columns::ColumnMut<'a, $type>>) -> Self {
                    self.$column = Some(column.into());
                    self
                }
            )+
            $(
                $(#[$optional_doc])*
                #[must_use]
                pub fn $optional(
                    mut self,
                    column: impl Into<$crate::columns::ColumnMut<'a, $optional_type>>,
                ) -> Self {
                    self.$optional = Some(column.into());
                    self
                }
            )*

            /// Calls `write` with columns of `rows` rows: the caller's, or those of the batch. After an error the batch is
            /// empty.
            pub(crate) fn fill(
                self,
                rows: usize,
                #[allow(unused_mut, reason = "not every batch has optional columns")]
                mut with: $crate::answers::With,
                write: impl FnOnce($columns<'_ $(, $T)?>, $crate::answers::With) -> $crate::error::Result<()>,
            ) -> $crate::error::Result<()> {
                let Some(batch) = self.batch else {
                    $($crate::answers::batch::check(stringify!($column), &self.$column, rows)?;)+
                    $($crate::answers::batch::check(stringify!($optional), &self.$optional, rows)?;)*
                    // To give a column is to ask for it.
                    $(with.$with |= self.$optional.is_some();)*
                    return write(self, with);
                };
                batch.resize(rows, with);
                let columns = $columns {
                    batch: None,
                    $($column: Some((&mut batch.$column).into()),)+
                    $($optional: with.$with.then(|| (&mut batch.$optional).into()),)*
                };
                write(columns, with).inspect_err(|_| batch.clear())
            }

            /// Chunks of at most `chunk` rows.
            pub(crate) fn chunks(mut self, rows: usize, chunk: usize) -> impl Iterator<Item = Self> {
                (0..rows).step_by(chunk).map(move |first| {
                    let rows = chunk.min(rows - first);
                    Self {
                        batch: None,
                        $($column: self.$column.as_mut().map(|column| column.take_first(rows)),)+
                        $($optional: self.$optional.as_mut().map(|column| column.take_first(rows)),)*
                    }
                })
            }

            /// Calls `write` with these rows, whose values are unspecified before.
            pub(crate) fn write<R>(
                &mut self,
                rows: usize,
                with: $crate::answers::With,
                write: impl FnOnce($rows<'_ $(, $T)?>) -> R,
            ) -> R {
                let _ = with;
                $(let mut $column = $crate::answers::batch::Rows::new(self.$column.take(), rows, $none);)+
                $(
                    let mut $optional = $crate::answers::batch::Rows::new(
                        self.$optional.take(),
                        if with.$with { rows } else { 0 },
                        $optional_none,
                    );
                )*
                write($rows { $($column: $column.slice(),)+ $($optional: $optional.slice(),)* })
            }
        }

        /// The rows of a chunk.
        pub(crate) struct $rows<'a $(, $T = f32)?> {
            $(pub(crate) $column: &'a mut [$type],)+
            $(
                /// Empty if it is not asked for.
                pub(crate) $optional: &'a mut [$optional_type],
            )*
        }

        #[allow(dead_code, reason = "not every query needs all of them")]
        impl $(<$T: $crate::simd::Scalar>)? $rows<'_ $(, $T)?> {
            /// Sets all rows to their value without an answer.
            pub(crate) fn reset(&mut self) {
                $(self.$column.fill($none);)+
                $(self.$optional.fill($optional_none);)*
            }

            /// Sets the row of a ray that is not cast: its defect, and no answer.
            pub(crate) fn refuse(&mut self, row: usize, defect: $crate::status::Status) {
                $(self.$column[row] = $none;)+
                $(if let Some(value) = self.$optional.get_mut(row) { *value = $optional_none; })*
                self.status[row] = defect;
            }
        }
    };
}
pub(crate) use answers;

/// Refuses a column of the caller's whose length is not `rows`.
pub(super) fn check<V: Copy>(
    name: &'static str,
    column: &Option<ColumnMut<'_, V>>,
    rows: usize,
) -> Result<()> {
    match column {
        Some(column) if column.len() != rows => {
            Err(Error::ColumnLength { column: name, found: column.len(), expected: rows })
        }
        _ => Ok(()),
    }
}

/// The rows of a chunk in one column: in place if they are contiguous there, else in a buffer that is copied at the end.
pub(super) struct Rows<'a, V: Copy> {
    column: Option<ColumnMut<'a, V>>,
    buffer: Vec<V>,
}

impl<'a, V: Copy> Rows<'a, V> {
    pub(super) fn new(mut column: Option<ColumnMut<'a, V>>, rows: usize, none: V) -> Self {
        let is_dense = column.as_mut().is_some_and(|column| column.as_slice_mut().is_some());
        Self { column, buffer: if is_dense { Vec::new() } else { vec![none; rows] } }
    }

    pub(super) fn slice(&mut self) -> &mut [V] {
        if self.buffer.is_empty()
            && let Some(column) = &mut self.column
            && let Some(slice) = column.as_slice_mut()
        {
            return slice;
        }
        &mut self.buffer
    }
}

impl<V: Copy> Drop for Rows<'_, V> {
    fn drop(&mut self) {
        if let Some(column) = &mut self.column
            && !self.buffer.is_empty()
        {
            column.write(&self.buffer);
        }
    }
}

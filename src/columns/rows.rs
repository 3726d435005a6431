//! Iteration over the rows of batches.

use std::iter::FusedIterator;
use std::ops::Range;

use super::shown;

/// A batch with numbered rows: [`Columns`](super::Columns) of records, or a batch of answers.
///
/// A reference to a batch is a batch too. Those whose rows are slices of their memory are batches
/// by reference alone.
pub trait Batch {
    /// The value of a row.
    type Row;

    /// The number of rows.
    fn row_count(&self) -> usize;

    /// Row number `index`. Panics if `index` is not below [`row_count`](Self::row_count).
    fn row(&self, index: usize) -> Self::Row;
}

impl<B: Batch> Batch for &B {
    type Row = B::Row;

    #[inline]
    fn row_count(&self) -> usize {
        (**self).row_count()
    }

    #[inline]
    fn row(&self, index: usize) -> B::Row {
        (**self).row(index)
    }
}

/// The rows of a batch in order, from either end: what `iter` and `into_iter` of all batches
/// return.
///
/// ```
/// use lanecast::{Ray, RayBatch, Scene};
/// let scene = Scene::from_triangles(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[[0, 1, 2]])?;
/// let rays = RayBatch::from_points(&[[0.25, 0.25, 1.0], [9.0, 9.0, 1.0]], [0.0, 0.0, -1.0]);
/// let hits = scene.cast(&rays).closest()?;
/// for (ray, hit) in rays.iter().zip(&hits) {
///     if let Some(hit) = hit {
///         assert_eq!((ray.origin, hit.t), ([0.25, 0.25, 1.0], 1.0));
///     }
/// }
/// let farthest_first: Vec<f32> = hits.into_iter().rev().flatten().map(|hit| hit.t).collect();
/// assert_eq!(farthest_first, [1.0]);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "iterators are lazy"]
pub struct RowIter<B> {
    batch: B,
    rows: Range<usize>,
}

shown!([B] RowIter<B> as "RowIter", self { "len": self.rows.len() });

impl<B: Batch> RowIter<B> {
    #[inline]
    pub(crate) fn new(batch: B) -> Self {
        let rows = 0..batch.row_count();
        Self { batch, rows }
    }
}

impl<B: Batch> Iterator for RowIter<B> {
    type Item = B::Row;

    #[inline]
    fn next(&mut self) -> Option<B::Row> {
        self.rows.next().map(|row| self.batch.row(row))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.rows.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<B::Row> {
        self.rows.nth(n).map(|row| self.batch.row(row))
    }
}

impl<B: Batch> DoubleEndedIterator for RowIter<B> {
    #[inline]
    fn next_back(&mut self) -> Option<B::Row> {
        self.rows.next_back().map(|row| self.batch.row(row))
    }

    #[inline]
    fn nth_back(&mut self, n: usize) -> Option<B::Row> {
        self.rows.nth_back(n).map(|row| self.batch.row(row))
    }
}

impl<B: Batch> ExactSizeIterator for RowIter<B> {}

impl<B: Batch> FusedIterator for RowIter<B> {}

/// Makes a type a [`Batch`] by its count of rows and a row by its number, with `iter` and
/// `IntoIterator`: by value too, unless rows borrow from the batch and so it is one by reference.
macro_rules! rows {
    (
        $(#[$doc:meta])*
        [$life:lifetime, $($generics:tt)*]
        &$_life:lifetime $batch:ty => $row:ty, $len:expr, $get:expr
    ) => {
        $crate::columns::rows!(@iter $(#[$doc])* [$life, $($generics)*] [$($generics)*] $batch);

        impl<$life, $($generics)*> $crate::columns::Batch for &$life $batch {
            type Row = $row;

            #[inline]
            fn row_count(&self) -> usize {
                ($len)(*self)
            }

            #[inline]
            fn row(&self, index: usize) -> Self::Row {
                ($get)(*self, index)
            }
        }
    };
    ($(#[$doc:meta])* [$($generics:tt)*] $batch:ty => $row:ty, $len:expr, $get:expr) => {
        $crate::columns::rows!(@iter $(#[$doc])* ['b, $($generics)*] [$($generics)*] $batch);

        impl<$($generics)*> $crate::columns::Batch for $batch {
            type Row = $row;

            #[inline]
            fn row_count(&self) -> usize {
                ($len)(self)
            }

            #[inline]
            fn row(&self, index: usize) -> Self::Row {
                ($get)(self, index)
            }
        }

        impl<$($generics)*> IntoIterator for $batch {
            type Item = $row;
            type IntoIter = $crate::columns::RowIter<Self>;

            #[inline]
            fn into_iter(self) -> Self::IntoIter {
                $crate::columns::RowIter::new(self)
            }
        }
    };
    (@iter $(#[$doc:meta])* [$life:lifetime, $($borrowed:tt)*] [$($generics:tt)*] $batch:ty) => {
        impl<$($generics)*> $batch {
            $(#[$doc])*
            #[inline]
            pub fn iter(&self) -> $crate::columns::RowIter<&Self> {
                $crate::columns::RowIter::new(self)
            }
        }

        impl<$life, $($borrowed)*> IntoIterator for &$life $batch {
            type Item = <Self as $crate::columns::Batch>::Row;
            type IntoIter = $crate::columns::RowIter<Self>;

            #[inline]
            fn into_iter(self) -> Self::IntoIter {
                $crate::columns::RowIter::new(self)
            }
        }
    };
}
pub(crate) use rows;

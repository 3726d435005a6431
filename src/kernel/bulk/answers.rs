//! The answers of tests in bulk.

use crate::columns::{Record, Shape, rows, shown};
use crate::error::{Error, Result};
use crate::kernel::test::Test;
#[cfg(doc)]
use crate::kernel::*;
use crate::simd::Scalar;
#[cfg(doc)]
use crate::value::{Aabb, Obb};

/// Resizes a vector for `rows` rows of an answer, if memory holds it.
pub(super) fn resize<T: Clone>(
    values: &mut Vec<T>,
    length: usize,
    value: T,
    rows: usize,
) -> Result<()> {
    let reserved = values.try_reserve(length.saturating_sub(values.len()));
    reserved.map_err(|_| Error::AnswersTooLarge { rows })?;
    values.resize(length, value);
    Ok(())
}

/// The lines of a call that have a defect, and so meet nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Defects {
    /// The count.
    pub count: usize,
    /// The first; [`Ray::defect`](crate::Ray::defect) or
    /// [`Segment::defect`](crate::Segment::defect) says what it has.
    pub first: Option<usize>,
}

impl Defects {
    pub(super) fn add(&mut self, line: usize) {
        *self = self.join(Self { count: 1, first: Some(line) });
    }

    pub(super) fn join(self, other: Self) -> Self {
        let first = self.first.into_iter().chain(other.first).min();
        Self { count: self.count + other.count, first }
    }
}

/// The answers of a test, one row for each pair, as columns: a code and the values of the
/// [hit](Self::get).
///
/// | test | columns | codes of hits |
/// |---|---|---|
/// | [`Slab`] | `t_enter`, `t_exit` | 1 |
/// | [`EnteredFace`] of an [`Aabb`] | `t_enter`, `t_exit` | 1 + 2 · axis, one more at the greatest coordinate; 255 for no face |
/// | [`EnteredFace`] of an [`Obb`] | the same, then x, y, z of the normal | the same |
/// | [`FaceByFace`] | `t` | the same, without 255 |
/// | [`Clip`] | `t_start`, `t_end`; the coordinates of the start, of the end | 1 |
/// | [`SeparatingAxes`] | none | 1 |
/// | [`Watertight`], [`TripleProduct`] | `t`, `u`, `v` | 1 from the front, 2 from the back |
/// | [`SphereRoots`] | `t_enter`, `t_exit` | 1 from outside, 2 from inside |
/// | [`DiscPlane`] | `t` | 1 from the front, 2 from the back |
///
/// The memory of a table that is passed again is reused.
#[derive(Clone)]
pub struct HitTable<P: Record, K: Test<P>> {
    pub(super) codes: Vec<u8>,
    pub(super) values: Vec<Vec<P::Scalar>>,
    test: std::marker::PhantomData<K>,
}

impl<P: Record, K: Test<P>> HitTable<P, K> {
    /// No rows, and no memory yet.
    pub fn new() -> Self {
        let values = vec![Vec::new(); K::Values::COUNT];
        Self { codes: Vec::new(), values, test: std::marker::PhantomData }
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.columns().clear();
    }

    /// The codes: 0 for every miss, and for every hit as in the table [above](Self).
    pub fn codes(&self) -> &[u8] {
        &self.codes
    }

    /// One column of values, in the order of the table [above](Self). A miss has ∞ in the first, 0
    /// in all others. Panics if the test has no such column.
    pub fn column(&self, place: usize) -> &[P::Scalar] {
        &self.values[place]
    }

    /// Row `index` as a hit, or `None` for a miss. Panics if `index` is not below
    /// [`len`](Self::len).
    pub fn get(&self, index: usize) -> Option<K::Hit> {
        (self.codes[index] != 0).then(|| {
            let mut values = K::Values::filled(P::Scalar::ZERO);
            for (place, column) in self.values.iter().enumerate() {
                *K::Values::at_mut(&mut values, place) = column[index];
            }
            K::hit(self.codes[index], &values)
        })
    }

    pub(super) fn columns(&mut self) -> TableColumns<'_, P::Scalar> {
        const { assert!(K::Values::COUNT <= MAX_VALUES) };
        TableColumns { codes: Some(&mut self.codes), values: &mut self.values }
    }
}

impl<P: Record, K: Test<P>> Default for HitTable<P, K> {
    fn default() -> Self {
        Self::new()
    }
}

rows! {
    /// The rows in order, each as [`get`](Self::get) gives it.
    [P: Record, K: Test<P>] HitTable<P, K> => Option<K::Hit>, Self::len, Self::get
}

shown!([P: Record, K: Test<P>] HitTable<P, K> as "HitTable", self { "len": self.len() });

/// No test has more values.
pub(super) const MAX_VALUES: usize = 8;

/// The columns of a [`HitTable`], or its first one alone.
pub(super) struct TableColumns<'a, T> {
    pub(super) codes: Option<&'a mut Vec<u8>>,
    pub(super) values: &'a mut [Vec<T>],
}

impl<T: Scalar> TableColumns<'_, T> {
    pub(super) fn clear(&mut self) {
        self.codes.iter_mut().for_each(|codes| codes.clear());
        self.values.iter_mut().for_each(Vec::clear);
    }

    pub(super) fn resize(&mut self, rows: usize) -> Result<()> {
        self.codes.iter_mut().try_for_each(|codes| resize(codes, rows, 0, rows))?;
        self.values.iter_mut().try_for_each(|column| resize(column, rows, T::ZERO, rows))
    }

    /// All rows, so many at a time.
    pub(super) fn chunks(
        &mut self,
        len: usize,
        chunk: usize,
    ) -> impl Iterator<Item = TableRows<'_, T>> {
        let mut left = TableRows { len, codes: &mut [], values: Default::default() };
        if let Some(codes) = &mut self.codes {
            left.codes = codes;
        }
        for (into, column) in left.values.iter_mut().zip(&mut *self.values) {
            *into = column;
        }
        std::iter::from_fn(move || (left.len > 0).then(|| left.split_off(chunk.min(left.len))))
    }
}

/// Some rows of such columns; those that are not asked for have none.
pub(super) struct TableRows<'a, T> {
    pub(super) len: usize,
    pub(super) codes: &'a mut [u8],
    pub(super) values: [&'a mut [T]; MAX_VALUES],
}

impl<'a, T> TableRows<'a, T> {
    fn split_off(&mut self, rows: usize) -> Self {
        fn split<'c, X>(column: &mut &'c mut [X], rows: usize) -> &'c mut [X] {
            column.split_off_mut(..rows.min(column.len())).unwrap_or_default()
        }
        self.len -= rows;
        let values = self.values.each_mut().map(|column| split(column, rows));
        Self { len: rows, codes: split(&mut self.codes, rows), values }
    }
}

/// Which primitives each line meets, ascending: those of line `i` are
/// `indices[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HitList {
    /// Where each line's primitives begin; one longer than there are lines, and empty before the
    /// first call.
    pub offsets: Vec<usize>,
    /// The primitives of all lines, one line after the other.
    pub indices: Vec<u32>,
}

shown!([] HitList as "HitList", self {
    "len": self.len(),
    "indices": self.indices.len(),
});

impl HitList {
    /// No rows, and no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The primitives that line `index` meets. Panics if there is no such line.
    pub fn of_line(&self, index: usize) -> &[u32] {
        &self.indices[self.offsets[index]..self.offsets[index + 1]]
    }
}

rows! {
    /// The primitives of each line, in order, as [`of_line`](Self::of_line) gives them.
    ['b,] &'b HitList => &'b [u32], HitList::len, HitList::of_line
}

/// The primitive that each line meets first.
#[derive(Clone, Default, PartialEq)]
pub struct Closest<T = f32> {
    /// Its place in the columns; [`INVALID_ID`](crate::INVALID_ID) where there is none.
    pub index: Vec<u32>,
    /// Its `t` or `t_enter`; ∞ where there is none.
    pub t: Vec<T>,
}

shown!([T] Closest<T> as "Closest", self { "len": self.index.len() });

impl<T: Scalar> Closest<T> {
    /// No rows, and no memory yet.
    pub fn new() -> Self {
        Self::default()
    }
}

//! Columns of the caller's numbers, without copying: rays, and all primitives.

mod arrangement;
mod column;
mod made;
mod out;
mod rows;
mod strided_rows;

pub(crate) use arrangement::{Item, Map, Row, Rows, Shape};
pub(crate) use column::Column;
pub use column::Strided;
pub use made::Maker;
pub use out::{ColumnMut, Fields};
pub(crate) use rows::rows;
pub use rows::{Batch, RowIter};
pub use strided_rows::StridedRows;

pub(crate) use crate::simd::plain_numbers;

use std::ops::Range;

use crate::error::{Error, Result};
use crate::simd::Scalar;
use made::Made;

/// A value of a fixed number of numbers of one precision, in a fixed order: a ray, a box, a
/// triangle. A slice of such values is the memory of a table with one row each; [`Columns`] are any
/// number of them.
///
/// This crate's primitives, rays, segments and points are records; callers need no others.
pub trait Record: bytemuck::Pod + std::fmt::Debug + Send + Sync {
    /// The precision.
    type Scalar: Scalar;

    /// The arrangement of the numbers; their order is that in memory.
    #[doc(hidden)]
    type Shape: Shape;

    /// The name of the column in a place of the shape, for messages.
    fn column_name(place: usize) -> &'static str;

    /// Whether the type has rules that values must keep.
    const HAS_RULES: bool = false;

    /// Refuses a value that breaks the rules of its type by an [`Error`] that names its row and the
    /// rule.
    fn check(&self, row: usize) -> Result<()> {
        let _ = row;
        Ok(())
    }
}

pub(crate) type PartsOf<V, X> = <<V as Record>::Shape as Shape>::Of<X>;

/// Any number of records as columns, borrowed from the caller's memory as it lies: structure of
/// arrays, or rows. Each kind of record has an alias: [`RayBatch`](crate::RayBatch),
/// [`AabbBatch`](crate::primitive::AabbBatch) and so on.
///
/// ```
/// use lanecast::primitive::{Sphere, SphereBatch};
/// // The same two spheres, lying in memory in two ways.
/// let columns = SphereBatch::from_parts([&[0.0, 5.0], &[0.0, 1.0], &[0.0, 2.0], &[1.0, 3.0]])?;
/// let spheres = [Sphere::new([0.0, 0.0, 0.0], 1.0), Sphere::new([5.0, 1.0, 2.0], 3.0)];
/// assert_eq!(columns.get(1), SphereBatch::from_slice(&spheres)?.get(1));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Columns<'a, V: Record> {
    pub(crate) parts: PartsOf<V, Column<'a, V::Scalar>>,
    len: usize,
    /// The maker, if the records are generated. The columns then hold only the numbers that are
    /// [given](Made::given).
    pub(crate) made: Option<Made<'a, V>>,
}

/// Shows a type by what it holds, in a line, and never the content: how many of what, in which
/// precision.
macro_rules! shown {
    ([$($generics:tt)*] $type:ty as $name:literal, $self:ident { $($field:literal: $value:expr),+ $(,)? }) => {
        impl<$($generics)*> std::fmt::Debug for $type {
            fn fmt(&$self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct($name)$(.field($field, &$value))+.finish_non_exhaustive()
            }
        }
    };
}
pub(crate) use shown;

shown!([V: Record] Columns<'_, V> as "Columns", self {
    "len": self.len,
    "is_made": self.made.is_some(),
    "precision": format_args!("{}", std::any::type_name::<V::Scalar>()),
});

impl<'a, V: Record> Columns<'a, V> {
    /// Columns of equal length, one for each number of a record, in the arrangement of the record.
    /// [`Error::ColumnLength`] names the first whose length differs; else as for
    /// [`from_slice`](Self::from_slice).
    pub fn from_parts(columns: PartsOf<V, &'a [V::Scalar]>) -> Result<Self> {
        Self::from_strided_parts(V::Shape::from_fn(|place| {
            Strided::from(*V::Shape::at(&columns, place))
        }))
    }

    /// [`from_parts`](Self::from_parts) of strided columns.
    pub fn from_strided_parts(columns: PartsOf<V, Strided<'a, V::Scalar>>) -> Result<Self> {
        let len = V::Shape::at(&columns, 0).len;
        for place in 0..V::Shape::COUNT {
            expect_length(V::column_name(place), V::Shape::at(&columns, place).len, len)?;
        }
        Self::of_parts(V::Shape::from_fn(|place| V::Shape::at(&columns, place).column), len)
            .checked()
    }

    /// A slice of records. Of those with rules the first that breaks one is refused and named.
    pub fn from_slice(records: &'a [V]) -> Result<Self> {
        Self::of_slice(records).checked()
    }

    /// Rows of numbers, one row a record: the memory of an (N, numbers of a record) array. A row of
    /// another width does not compile; `as_chunks` makes rows of a slice of numbers. Errors are
    /// those of [`from_slice`](Self::from_slice).
    ///
    /// ```
    /// use lanecast::{RayBatch, primitive::SphereBatch};
    /// let spheres = SphereBatch::from_rows(&[[0.0, 0.0, 0.0, 1.0], [5.0, 1.0, 2.0, 3.0]])?;
    /// assert_eq!(spheres.get(1).radius, 3.0);
    /// let rays = RayBatch::from_rows(&[[0.0, 0.0, 5.0, 0.0, 0.0, -1.0, 0.0, f32::INFINITY]])?;
    /// assert_eq!(rays.ray(0).direction, [0.0, 0.0, -1.0]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// Rays have eight numbers; those of six are rows of
    /// [`from_rows6`](crate::RayBatch::from_rows6):
    ///
    /// ```compile_fail,E0080
    /// # use lanecast::RayBatch;
    /// let rays = RayBatch::from_rows(&[[0.0, 0.0, 5.0, 0.0, 0.0, -1.0]])?;
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    pub fn from_rows<const N: usize>(rows: &'a [[V::Scalar; N]]) -> Result<Self> {
        const { assert!(N == V::Shape::COUNT, "a row has the numbers of a record: eight of a ray") };
        Self::of_rows(rows.as_flattened(), rows.len()).checked()
    }

    /// One record, `len` times: many lines against one primitive, row by row.
    ///
    /// ```
    /// use lanecast::Segment;
    /// use lanecast::primitive::{Aabb, AabbBatch, Bulk, Clip, HitTable, SegmentBatch};
    /// let segments = [2.0_f32, 4.0, -1.0].map(|x| Segment::new([x, 0.0, 0.0], [0.0; 3]));
    /// let windows = AabbBatch::repeated(Aabb { min: [0.0; 3], max: [1.0; 3] }, segments.len())?;
    /// let mut clipped = HitTable::new();
    /// Bulk::new(Clip::EXACT).pairwise(&SegmentBatch::from_slice(&segments)?, &windows, &mut clipped)?;
    /// assert_eq!(clipped.column(0), [0.5, 0.75, 1.0], "where each segment enters");
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// Errors are those of [`from_slice`](Self::from_slice).
    pub fn repeated(record: V, len: usize) -> Result<Self> {
        record.check(0)?;
        let numbers: &[V::Scalar] = bytemuck::cast_slice(std::slice::from_ref(&record));
        Ok(Self::of_parts(V::Shape::from_fn(|place| Column::Constant(numbers[place])), len))
    }

    /// The records as they lie in memory, if they lie there one after the other.
    pub(crate) fn as_slice(&self) -> Option<&'a [V]> {
        let Column::Strided { values, first, .. } = *V::Shape::at(&self.parts, 0) else {
            return None;
        };
        let in_place = |place| {
            matches!(*V::Shape::at(&self.parts, place), Column::Strided { values: all, first: begin, stride }
                if std::ptr::eq(values, all) && begin == first + place && stride == V::Shape::COUNT)
        };
        let are_whole = self.made.is_none() && (0..V::Shape::COUNT).all(in_place);
        are_whole.then(|| bytemuck::cast_slice(&values[first..][..self.len * V::Shape::COUNT]))
    }

    /// The number of records.
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Record number `index`, gathered from its columns. Panics if `index` is not below
    /// [`len`](Self::len).
    #[inline(always)]
    pub fn get(&self, index: usize) -> V {
        assert!(index < self.len, "row {index} of a batch of {}", self.len);
        if self.made.is_some() {
            return self.make_one(index);
        }
        let mut record = V::zeroed();
        let numbers: &mut [V::Scalar] = bytemuck::cast_slice_mut(std::slice::from_mut(&mut record));
        for (place, number) in numbers.iter_mut().enumerate() {
            *number = V::Shape::at(&self.parts, place).get(index);
        }
        record
    }

    /// The records of `range` as a batch of their own. Panics if `range` reaches beyond the batch.
    #[inline]
    #[must_use]
    pub fn slice<'r>(&self, range: Range<usize>) -> Columns<'r, V>
    where
        // The compiler does not shorten lifetimes within an arrangement.
        'a: 'r,
    {
        let len = self.len;
        assert!(range.start <= range.end && range.end <= len, "rows {range:?} of a batch of {len}");
        let parts = V::Shape::from_fn(|place| {
            let column: &Column<'a, V::Scalar> = V::Shape::at(&self.parts, place);
            column.skip(range.start)
        });
        let made = self.made.map(|made| Made { first: made.first + range.start, ..made });
        Columns { parts, len: range.len(), made }
    }

    /// [`from_slice`](Self::from_slice) for records without rules.
    pub(crate) fn of_slice(records: &'a [V]) -> Self {
        Self::of_rows(bytemuck::cast_slice(records), records.len())
    }

    fn of_rows(values: &'a [V::Scalar], len: usize) -> Self {
        const {
            assert!(
                size_of::<V>() == V::Shape::COUNT * size_of::<V::Scalar>(),
                "numbers and no more"
            );
        };
        let column = |place| Column::of_rows(values, place, V::Shape::COUNT);
        Self::of_parts(V::Shape::from_fn(column), len)
    }

    pub(crate) const fn of_parts(parts: PartsOf<V, Column<'a, V::Scalar>>, len: usize) -> Self {
        Self { parts, len, made: None }
    }

    /// The columns of records that lie in memory.
    pub(crate) const fn parts(&self) -> &PartsOf<V, Column<'a, V::Scalar>> {
        debug_assert!(self.made.is_none(), "records that are still to be made have no columns");
        &self.parts
    }

    fn checked(self) -> Result<Self> {
        if V::HAS_RULES {
            (0..self.len).try_for_each(|row| self.get(row).check(row))?;
        }
        Ok(self)
    }
}

rows! {
    /// The records in order, each [gathered](Self::get) from its columns. Those that are
    /// [made](Maker) are made one by one, which takes longer than chunks of them.
    ///
    /// ```
    /// use lanecast::RayBatch;
    /// let rays = RayBatch::from_points(&[[0.0, 0.0, 5.0], [1.0, 0.0, 5.0]], [0.0, 0.0, -1.0]);
    /// assert_eq!(rays.iter().map(|ray| ray.origin[0]).sum::<f32>(), 1.0);
    /// ```
    ['a, V: Record] Columns<'a, V> => V, Self::len, Self::get
}

/// Any number of points as columns x, y and z, borrowed from the caller's memory.
///
/// ```
/// use lanecast::PointBatch;
/// let columns = PointBatch::from_parts([&[0.0, 1.0], &[2.0, 3.0], &[4.0, 5.0]])?;
/// assert_eq!(columns.get(1), PointBatch::from(&[[0.0, 2.0, 4.0], [1.0, 3.0, 5.0]]).get(1));
/// # Ok::<(), lanecast::Error>(())
/// ```
pub type PointBatch<'a, T = f32> = Columns<'a, [T; 3]>;

impl<T: Scalar, const D: usize> Record for [T; D] {
    type Scalar = T;
    type Shape = Row<D>;

    fn column_name(place: usize) -> &'static str {
        ["x", "y", "z"].get(place).copied().unwrap_or("a component")
    }
}

impl<'a, T: Scalar, P: AsRef<[[T; 3]]> + ?Sized> From<&'a P> for PointBatch<'a, T> {
    fn from(points: &'a P) -> Self {
        Self::of_slice(points.as_ref())
    }
}

impl<'a, T: Scalar> From<&PointBatch<'a, T>> for PointBatch<'a, T> {
    fn from(points: &PointBatch<'a, T>) -> Self {
        *points
    }
}

impl<'a, T: Scalar> PointBatch<'a, T> {
    /// The points of `range` as a slice: of the caller's memory if they are contiguous there, else
    /// of `room`.
    pub(crate) fn gathered<'r>(
        &self,
        range: Range<usize>,
        room: &'r mut Vec<[T; 3]>,
    ) -> &'r [[T; 3]]
    where
        'a: 'r,
    {
        let rows = self.slice(range);
        if let Some(points) = rows.as_slice() {
            return points;
        }
        room.clear();
        room.extend((0..rows.len()).map(|row| rows.get(row)));
        room
    }
}

pub(crate) fn expect_length(column: &'static str, found: usize, expected: usize) -> Result<()> {
    if found == expected { Ok(()) } else { Err(Error::ColumnLength { column, found, expected }) }
}

pub(crate) fn expect_rows(values: usize, width: usize) -> Result<usize> {
    let rows = values.is_multiple_of(width).then_some(values / width);
    rows.ok_or(Error::RowWidth { found: values, width })
}

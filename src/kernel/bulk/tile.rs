//! Tiles of records as vectors, for any layout of the caller's memory.
//!
//! Records for repeated tests are copied into a tile that fits the first-level cache, so that its loads are aligned too.
//! Records for one test are copied only if they are not contiguous (rows, constants, the last few records): copying a
//! kilobyte of every column ahead of its test stalled. See docs/notebook/tests-in-bulk.md.

use std::marker::PhantomData;
use std::ops::Range;

use crate::columns::{Column, Columns, Map, PartsOf, Record, Shape};
use crate::simd::Vectors;

/// One column of a tile, on cache lines of its own.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct TileColumn<Row, const N: usize>([Row; N]);

/// Up to `N` vectors of records; with `COPIES` all columns are copied, else contiguous ones are read where they lie.
pub(super) struct Tile<'t, 'c, W: Record, V: Vectors<W::Scalar>, const N: usize, const COPIES: bool> {
    records: &'t Columns<'c, W>,
    copies: PartsOf<W, TileColumn<V::Row, N>>,
    in_place: PartsOf<W, Option<&'c [V::Row; N]>>,
    range: Range<usize>,
}

impl<'t, 'c, W: Record, V: Vectors<W::Scalar>, const N: usize, const COPIES: bool>
    Tile<'t, 'c, W, V, N, COPIES>
{
    pub(super) const CAPACITY: usize = N * V::COUNT;

    #[inline(always)]
    pub(super) fn new(records: &'t Columns<'c, W>) -> Self {
        let mut copies = W::Shape::filled(TileColumn([bytemuck::Zeroable::zeroed(); N]));
        for place in 0..W::Shape::COUNT {
            // Constants are the same in every tile.
            if let Column::Constant(value) = *W::Shape::at(records.parts(), place) {
                let copy: &mut TileColumn<V::Row, N> = W::Shape::at_mut(&mut copies, place);
                bytemuck::cast_slice_mut(&mut copy.0).fill(value);
            }
        }
        Self { records, copies, in_place: W::Shape::filled(None), range: 0..0 }
    }

    /// The ranges of records to [`take`](Self::take) one after the other: whole tiles, the first cut short so that the
    /// others begin on a cache line of the first plain column, and with it of most: the system aligns long columns alike.
    /// See docs/notebook/tests-in-bulk.md.
    pub(super) fn passes(&self) -> impl Iterator<Item = Range<usize>> + use<W, V, N, COPIES> {
        let before = (0..W::Shape::COUNT)
            .map(|place| W::Shape::at(self.records.parts(), place).rows_before_cache_line())
            .find(|&rows| rows > 0);
        let len = self.records.len();
        let mut end = 0;
        let mut length = before.unwrap_or(Self::CAPACITY).min(Self::CAPACITY);
        std::iter::from_fn(move || {
            let start = end;
            end = len.min(start + length);
            length = Self::CAPACITY;
            (start < end).then_some(start..end)
        })
    }

    #[inline(always)]
    pub(super) fn take(&mut self, range: Range<usize>) {
        for place in 0..W::Shape::COUNT {
            let column: &Column<'c, W::Scalar> = W::Shape::at(self.records.parts(), place);
            let rows = if COPIES { None } else { column.plain_rows(range.start, Self::CAPACITY) };
            let in_place = rows.and_then(|rows| bytemuck::cast_slice(rows).first_chunk());
            if in_place.is_none() && matches!(column, Column::Strided { .. }) {
                let copy: &mut TileColumn<V::Row, N> = W::Shape::at_mut(&mut self.copies, place);
                let numbers: &mut [W::Scalar] = bytemuck::cast_slice_mut(&mut copy.0);
                column.copy_to(range.start, &mut numbers[..range.len()]);
            }
            *W::Shape::at_mut(&mut self.in_place, place) = in_place;
        }
        self.range = range;
    }

    /// The records that were taken, with their columns in the order of a line.
    #[inline(always)]
    pub(super) fn seen(&self, order: &PartsOf<W, usize>) -> TileView<'_, W, V, N> {
        let columns = W::Shape::map(order, &self);
        TileView { columns, first: self.range.start, count: self.range.len() }
    }
}

/// Finds a column in place, or else its copy.
impl<'s, W: Record, V: Vectors<W::Scalar>, const N: usize, const COPIES: bool> Map<usize, &'s [V::Row; N]>
    for &'s Tile<'_, '_, W, V, N, COPIES>
{
    #[inline(always)]
    fn map(&self, place: &usize) -> &'s [V::Row; N] {
        let copy: &TileColumn<V::Row, N> = W::Shape::at(&self.copies, *place);
        if COPIES {
            return &copy.0;
        }
        W::Shape::at::<Option<&[V::Row; N]>>(&self.in_place, *place).unwrap_or(&copy.0)
    }
}

/// A tile, arranged for one line.
pub(super) struct TileView<'t, W: Record, V: Vectors<W::Scalar>, const N: usize> {
    columns: PartsOf<W, &'t [V::Row; N]>,
    pub(super) first: usize,
    pub(super) count: usize,
}

impl<W: Record, V: Vectors<W::Scalar>, const N: usize> TileView<'_, W, V, N> {
    #[inline(always)]
    pub(super) fn vectors(&self) -> usize {
        self.count.div_ceil(V::COUNT).min(N)
    }

    /// One vector of records. Lanes beyond the last record hold anything.
    #[inline(always)]
    pub(super) fn load(&self, lanes: V, vector: usize) -> PartsOf<W, V::Real> {
        let load = Load { lanes, vector, scalar: PhantomData::<W::Scalar> };
        W::Shape::map(&self.columns, &load)
    }
}

struct Load<T, V> {
    lanes: V,
    vector: usize,
    scalar: PhantomData<T>,
}

impl<T, V: Vectors<T>, const N: usize> Map<&[V::Row; N], V::Real> for Load<T, V> {
    #[inline(always)]
    fn map(&self, column: &&[V::Row; N]) -> V::Real {
        self.lanes.load(&column[self.vector])
    }
}

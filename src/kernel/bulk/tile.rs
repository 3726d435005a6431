//! Tiles of records as vectors, for any layout of the caller's memory.
//!
//! Records for repeated tests are copied into a tile that fits the first-level cache, so that its
//! loads are aligned too. See docs/notebook/tests-in-bulk.md.

use std::marker::PhantomData;
use std::ops::Range;

use crate::columns::{Column, Columns, Map, PartsOf, Record, Shape};
use crate::simd::Vectors;

/// One column of a tile, on cache lines of its own.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct TileColumn<Row, const N: usize>([Row; N]);

/// Up to `N` vectors of records.
pub(super) struct Tile<'t, 'c, W: Record, V: Vectors<W::Scalar>, const N: usize> {
    records: &'t Columns<'c, W>,
    copies: PartsOf<W, TileColumn<V::Row, N>>,
    range: Range<usize>,
}

impl<'t, 'c, W: Record, V: Vectors<W::Scalar>, const N: usize> Tile<'t, 'c, W, V, N> {
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
        Self { records, copies, range: 0..0 }
    }

    #[inline(always)]
    pub(super) fn take(&mut self, range: Range<usize>) {
        for place in 0..W::Shape::COUNT {
            let column: &Column<'c, W::Scalar> = W::Shape::at(self.records.parts(), place);
            if matches!(column, Column::Strided { .. }) {
                let copy: &mut TileColumn<V::Row, N> = W::Shape::at_mut(&mut self.copies, place);
                let numbers: &mut [W::Scalar] = bytemuck::cast_slice_mut(&mut copy.0);
                column.copy_to(range.start, &mut numbers[..range.len()]);
            }
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

/// Finds a column.
impl<'s, W: Record, V: Vectors<W::Scalar>, const N: usize> Map<usize, &'s [V::Row; N]>
    for &'s Tile<'_, '_, W, V, N>
{
    #[inline(always)]
    fn map(&self, place: &usize) -> &'s [V::Row; N] {
        let copy: &TileColumn<V::Row, N> = W::Shape::at(&self.copies, *place);
        &copy.0
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

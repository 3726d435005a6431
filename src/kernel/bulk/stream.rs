//! Columns of records that are read once, in order, as vectors: where they lie, if they are
//! contiguous there.
//!
//! Constants are written to a tile once, and columns that are not contiguous are copied to one
//! ahead of its tests. To copy contiguous ones as well would stall, a kilobyte of each. See
//! docs/notebook/tests-in-bulk.md.

use std::marker::PhantomData;
use std::ops::Range;

use crate::columns::{Column, Columns, Map, PartsOf, Record, Shape};
use crate::memory::Memory;
use crate::simd::{LINE, Vectors};

/// The vectors of a tile.
pub(super) const TILE: usize = 64;

/// The same where columns are copied: the copies stay in the first-level cache.
const TILE_OF_COPIES: usize = 8;

/// `len` records, from number `first` on.
pub(super) struct Stream<'t, 'c, W: Record, V: Vectors<W::Scalar>> {
    records: &'t Columns<'c, W>,
    first: usize,
    sources: PartsOf<W, Source<'c, W::Scalar>>,
    room: Option<Memory<V::Row>>,
    pub(super) tile: usize,
    /// Whether more than constants are in the room.
    copies: bool,
}

#[derive(Clone, Copy)]
enum Source<'c, T> {
    InPlace(&'c [T]),
    /// The number of a tile in the room.
    Room(usize),
}

impl<'t, 'c, W: Record, V: Vectors<W::Scalar>> Stream<'t, 'c, W, V> {
    #[inline(always)]
    pub(super) fn new(records: &'t Columns<'c, W>, first: usize, len: usize) -> Self {
        let mut sources = W::Shape::map(records.parts(), &InPlace { rows: first..first + len });
        let (mut tiles, mut copies) = (0, false);
        for place in 0..W::Shape::COUNT {
            if let Source::Room(number) = W::Shape::at_mut(&mut sources, place) {
                *number = tiles;
                tiles += 1;
                copies |= matches!(W::Shape::at(records.parts(), place), Column::Strided { .. });
            }
        }
        let tile = if copies { TILE_OF_COPIES } else { TILE }.min(len / V::COUNT);
        let mut stream = Self { records, first, sources, room: None, tile, copies };
        if tiles > 0 {
            stream.room = Some(Memory::sparse(tiles * tile));
            stream.copy(0, tile);
        }
        stream
    }

    /// The number of records before the first that begins a cache line in a column that is read in
    /// place, and with it in most: the system aligns long columns alike. 0 if unknown.
    pub(super) fn before_cache_line(&self) -> usize {
        let in_place = |place| match *W::Shape::at(&self.sources, place) {
            // Values that are not a whole number of steps from a line never begin one.
            Source::InPlace(values) => {
                Some(values.as_ptr().align_offset(LINE)).filter(|&before| before < LINE)
            }
            Source::Room(_) => None,
        };
        (0..W::Shape::COUNT).find_map(in_place).unwrap_or(0)
    }

    /// So many vectors of records from number `start` of these on, with their columns in an order.
    #[inline(always)]
    pub(super) fn take(
        &mut self,
        start: usize,
        vectors: usize,
        order: &PartsOf<W, usize>,
    ) -> PartsOf<W, &[V::Row]> {
        if self.copies {
            self.copy(start, vectors);
        }
        W::Shape::map(
            order,
            &Taken { stream: self, rows: start..start + vectors * V::COUNT, vectors },
        )
    }

    /// A column of some records, maybe longer. Not inlined: what is done for each column must be
    /// little, or the compiler unrolls the loop over columns so late that the loop over vectors
    /// keeps a check of each length.
    #[inline(never)]
    fn column(&self, place: usize, rows: Range<usize>) -> &[V::Row] {
        match *W::Shape::at(&self.sources, place) {
            Source::InPlace(values) => bytemuck::cast_slice(&values[rows]),
            Source::Room(number) => &self.room.as_deref().unwrap_or_default()[number * self.tile..],
        }
    }

    #[inline(never)]
    fn copy(&mut self, start: usize, vectors: usize) {
        let Some(room) = &mut self.room else { return };
        for place in 0..W::Shape::COUNT {
            if let Source::Room(number) = *W::Shape::at(&self.sources, place) {
                let column: &Column<'c, W::Scalar> = W::Shape::at(self.records.parts(), place);
                let into = &mut room[number * self.tile..][..vectors];
                column.copy_to(self.first + start, bytemuck::cast_slice_mut(into));
            }
        }
    }
}

/// Finds the rows of a column that are contiguous.
struct InPlace {
    rows: Range<usize>,
}

impl<'c, T: Copy> Map<Column<'c, T>, Source<'c, T>> for InPlace {
    #[inline(always)]
    fn map(&self, column: &Column<'c, T>) -> Source<'c, T> {
        let values = column.plain_rows(self.rows.start, self.rows.len());
        values.map_or(Source::Room(0), Source::InPlace)
    }
}

struct Taken<'s, 't, 'c, W: Record, V: Vectors<W::Scalar>> {
    stream: &'s Stream<'t, 'c, W, V>,
    rows: Range<usize>,
    vectors: usize,
}

impl<'s, W: Record, V: Vectors<W::Scalar>> Map<usize, &'s [V::Row]> for Taken<'s, '_, '_, W, V> {
    #[inline(always)]
    fn map(&self, &place: &usize) -> &'s [V::Row] {
        // So the loop over them knows that all columns are of this length.
        &self.stream.column(place, self.rows.clone())[..self.vectors]
    }
}

/// One vector of each column.
pub(super) struct Load<T, V> {
    lanes: V,
    vector: usize,
    scalar: PhantomData<T>,
}

impl<T, V> Load<T, V> {
    #[inline(always)]
    pub(super) fn new(lanes: V, vector: usize) -> Self {
        Self { lanes, vector, scalar: PhantomData }
    }
}

impl<T, V: Vectors<T>> Map<&[V::Row], V::Real> for Load<T, V> {
    #[inline(always)]
    fn map(&self, column: &&[V::Row]) -> V::Real {
        self.lanes.load(&column[self.vector])
    }
}

/// One record.
pub(super) struct Pick(pub(super) usize);

impl<T: bytemuck::Pod, Row: bytemuck::Pod> Map<&[Row], T> for Pick {
    #[inline(always)]
    fn map(&self, column: &&[Row]) -> T {
        bytemuck::cast_slice(column)[self.0]
    }
}

//! Row by row: line `i` with primitive `i`, or one line with every primitive.

use std::ops::Range;

use super::Bulk;
use super::answers::{Defects, HitTable, TableRows};
use super::tile::Tile;
use crate::chunks::for_each_chunk;
use crate::columns::{Columns, Record, Shape};
use crate::error::Result;
use crate::kernel::test::{Answers, InAllLanes, Test, answers, numbers, of_miss, order};
use crate::simd::{Backend, Mask, Scalar, VectorKernel, Vectors, set_bits};
use crate::value::Line;

/// The vectors of a tile: copies stay in the first-level cache.
const TILE: usize = 8;

/// The rows of a chunk: some hundred kilobytes of input, beside which the hand-over costs nothing.
const CHUNK: usize = 1 << 14;

/// Fills the rows of a table chunk by chunk; an error leaves none.
pub(super) fn fill<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    ready: Result<()>,
    hits: &mut HitTable<P, K>,
    rows: usize,
    run: impl Fn(Backend, Range<usize>, TableRows<'_, P::Scalar>) -> Defects + Sync + Send,
) -> Result<Defects> {
    let filled = ready.and_then(|()| {
        let backend = bulk.chosen_backend()?;
        hits.resize(rows)?;
        let mut defects = vec![Defects::default(); rows.div_ceil(CHUNK)];
        let parts = hits.chunks(CHUNK).zip(&mut defects);
        for_each_chunk(rows, CHUNK, parts, bulk.threads, bulk.watch, &|range, (rows, defects)| {
            *defects = run(backend, range, rows);
        })?;
        Ok(defects.into_iter().fold(Defects::default(), Defects::join))
    });
    filled.inspect_err(|_| hits.clear())
}

pub(super) struct Pairs<'a, 'l, 'p, P: Record, K: Test<P>> {
    pub(super) test: &'a K,
    pub(super) lines: Columns<'l, K::Line>,
    pub(super) primitives: Columns<'p, P>,
    pub(super) rows: TableRows<'a, P::Scalar>,
    pub(super) first: usize,
}

impl<P: Record, K: Test<P>> VectorKernel<P::Scalar> for Pairs<'_, '_, '_, P, K> {
    type Output = Defects;

    #[inline(always)]
    fn run<V: Vectors<P::Scalar>>(self, lanes: V) -> Defects {
        let Self { test, lines, primitives, mut rows, first } = self;
        let mut defects = Defects::default();
        let (mut line_tile, mut primitive_tile) =
            (Tile::<K::Line, V, TILE, false>::new(&lines), Tile::<P, V, TILE, false>::new(&primitives));
        for range in line_tile.passes() {
            let start = range.start;
            line_tile.take(range.clone());
            primitive_tile.take(range.clone());
            let seen_lines = line_tile.seen(&<K::Line as Record>::Shape::places());
            let seen_primitives = primitive_tile.seen(&P::Shape::places());
            let mut doubtful = [0; TILE];
            for (vector, doubtful) in doubtful.iter_mut().enumerate().take(seen_lines.vectors()) {
                let line = seen_lines.load(lanes, vector);
                *doubtful = (!K::Line::surely_sound(&line)).bits();
                let prepared = test.prepare(&line);
                let primitive = K::arrange(seen_primitives.load(lanes, vector), &prepared);
                let answers = answers(lanes, test, &primitive, &prepared);
                write::<P, K, V>(&mut rows, start + vector * V::COUNT, &answers);
            }
            for (vector, doubtful) in doubtful.into_iter().enumerate().filter(|&(_, doubtful)| doubtful != 0)
            {
                for row in set_bits(doubtful).map(|lane| start + vector * V::COUNT + lane) {
                    if row < range.end && lines.get(row).find_line_defect().is_some() {
                        defects.add(first + row);
                        rows.codes[row] = 0;
                        for (place, column) in rows.values.iter_mut().enumerate() {
                            column[row] = of_miss(place);
                        }
                    }
                }
            }
        }
        defects
    }
}

pub(super) struct OneToMany<'a, 'p, P: Record, K: Test<P>> {
    pub(super) test: &'a K,
    pub(super) line: &'a K::Line,
    pub(super) primitives: Columns<'p, P>,
    pub(super) rows: TableRows<'a, P::Scalar>,
}

impl<P: Record, K: Test<P>> VectorKernel<P::Scalar> for OneToMany<'_, '_, P, K> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors<P::Scalar>>(self, lanes: V) {
        let Self { test, line, primitives, mut rows } = self;
        let prepared = test.prepare(&numbers(line));
        let order = order::<P, K>(&prepared);
        let prepared = K::Prepared::map(&prepared, &InAllLanes(lanes));
        let mut tile = Tile::<P, V, TILE, false>::new(&primitives);
        for range in tile.passes() {
            let start = range.start;
            tile.take(range);
            let seen = tile.seen(&order);
            for vector in 0..seen.vectors() {
                let answers = answers(lanes, test, &seen.load(lanes, vector), &prepared);
                write::<P, K, V>(&mut rows, start + vector * V::COUNT, &answers);
            }
        }
    }
}

/// Writes the answers of one vector to the rows from `row` on, at a length known to the compiler, while the tests go on. Rows
/// after the end of a tile are written again by the next.
#[inline(always)]
fn write<P: Record, K: Test<P>, V: Vectors<P::Scalar>>(
    rows: &mut TableRows<'_, P::Scalar>,
    row: usize,
    answers: &Answers<K::Values, V::Row>,
) {
    let left = rows.codes.len() - row;
    if left >= V::COUNT {
        write_some::<P, K, V>(rows, row, V::COUNT, answers);
    } else {
        write_some::<P, K, V>(rows, row, left, answers);
    }
}

#[inline(always)]
fn write_some<P: Record, K: Test<P>, V: Vectors<P::Scalar>>(
    rows: &mut TableRows<'_, P::Scalar>,
    row: usize,
    count: usize,
    answers: &Answers<K::Values, V::Row>,
) {
    for (into, code) in rows.codes[row..][..count].iter_mut().zip(answers.codes.as_ref()) {
        *into = code.to_u8();
    }
    for place in 0..K::Values::COUNT {
        let values: &V::Row = K::Values::at(&answers.values, place);
        rows.values[place][row..][..count].copy_from_slice(&values.as_ref()[..count]);
    }
}

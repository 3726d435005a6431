//! Row by row: line `i` with primitive `i`, or one line with every primitive.

use std::sync::Mutex;

use super::answers::TableRows;
use super::columns::{load, load_in_order};
use super::{Bulk, Defects, HitTable};
use crate::chunks::for_each_chunk;
use crate::columns::{Columns, Record, Shape, expect_length};
use crate::error::Result;
use crate::primitive::{Answers, Test, answers, in_all_lanes, numbers, refuse_defect};
use crate::ray::Line;
use crate::simd::{Mask, Scalar, VectorKernel, Vectors, dispatch_widest};

/// Rows in a chunk: some hundred kilobytes of input, long enough that handing it over is nothing.
const CHUNK: usize = 1 << 14;

pub(super) fn pairwise<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    hits: &mut HitTable<P, K>,
) -> Result<Defects> {
    expect_length("primitives", primitives.len(), lines.len())?;
    let backend = bulk.chosen_backend()?;
    hits.resize(lines.len());
    let all_defects = Mutex::new(Defects::default());
    for_each_chunk(lines.len(), CHUNK, hits.chunks(CHUNK), &bulk.threads, bulk.watch, |range, rows| {
        let first = range.start;
        let (lines, primitives) = (lines.slice(range.clone()), primitives.slice(range));
        let chunk = Pairs { test: &bulk.test, lines, primitives, rows, first };
        let defects = dispatch_widest::<P::Scalar, _>(backend, chunk);
        if defects.count > 0 {
            let mut all = all_defects.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            *all = all.join(defects);
        }
    })
    .inspect_err(|_| hits.clear())?;
    Ok(all_defects.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
}

pub(super) fn one_to_many<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    line: &K::Line,
    primitives: &Columns<'_, P>,
    hits: &mut HitTable<P, K>,
) -> Result<()> {
    refuse_defect(line)?;
    let backend = bulk.chosen_backend()?;
    hits.resize(primitives.len());
    for_each_chunk(primitives.len(), CHUNK, hits.chunks(CHUNK), &bulk.threads, bulk.watch, |range, rows| {
        let chunk = OneToMany { test: &bulk.test, line, primitives: primitives.slice(range), rows };
        dispatch_widest::<P::Scalar, _>(backend, chunk);
    })
    .inspect_err(|_| hits.clear())
}

/// A chunk of pairs.
struct Pairs<'a, 'l, 'p, P: Record, K: Test<P>> {
    test: &'a K,
    lines: Columns<'l, K::Line>,
    primitives: Columns<'p, P>,
    rows: TableRows<'a, P::Scalar>,
    /// The number of the first line.
    first: usize,
}

impl<P: Record, K: Test<P>> VectorKernel<P::Scalar> for Pairs<'_, '_, '_, P, K> {
    type Output = Defects;

    #[inline(always)]
    fn run<V: Vectors<P::Scalar>>(self, lanes: V) -> Defects {
        let Self { test, lines, primitives, mut rows, first } = self;
        let mut defects = Defects::default();
        for start in (0..lines.len()).step_by(V::COUNT) {
            let line = load(lanes, &lines, start);
            let count = V::COUNT.min(lines.len() - start);
            let unsound = !K::Line::sound(&line).bits() & ((1 << count) - 1);
            let prepared = test.prepare(&line);
            let primitive = K::arrange(load(lanes, &primitives, start), &prepared);
            let answers = answers(lanes, test, &primitive, &prepared);
            write::<P, K, V>(&mut rows, start, count, &answers);
            if unsound != 0 {
                for lane in (0..count).filter(|lane| unsound >> lane & 1 == 1) {
                    defects.add(first + start + lane);
                    write_miss(&mut rows, start + lane);
                }
            }
        }
        defects
    }
}

/// One line and a chunk of primitives.
struct OneToMany<'a, 'p, P: Record, K: Test<P>> {
    test: &'a K,
    line: &'a K::Line,
    primitives: Columns<'p, P>,
    rows: TableRows<'a, P::Scalar>,
}

impl<P: Record, K: Test<P>> VectorKernel<P::Scalar> for OneToMany<'_, '_, P, K> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors<P::Scalar>>(self, lanes: V) {
        let Self { test, line, primitives, mut rows } = self;
        let prepared = test.prepare(&numbers(line));
        let order = K::order(&prepared);
        let prepared = in_all_lanes::<_, V, K::Prepared>(lanes, &prepared);
        for start in (0..primitives.len()).step_by(V::COUNT) {
            let primitive = load_in_order(lanes, &primitives, &order, start);
            let answers = answers(lanes, test, &primitive, &prepared);
            write::<P, K, V>(&mut rows, start, V::COUNT.min(primitives.len() - start), &answers);
        }
    }
}

/// Writes the first `count` lanes to the rows from `start` on.
#[inline(always)]
fn write<P: Record, K: Test<P>, V: Vectors<P::Scalar>>(
    rows: &mut TableRows<'_, P::Scalar>,
    start: usize,
    count: usize,
    answers: &Answers<K::Values, V::Row>,
) {
    for (into, code) in rows.codes[start..][..count].iter_mut().zip(answers.codes.as_ref()) {
        *into = code.to_u8();
    }
    for place in 0..K::Values::COUNT {
        let values = K::Values::at(&answers.values, place).as_ref();
        rows.values[place][start..][..count].copy_from_slice(&values[..count]);
    }
}

fn write_miss<T: Scalar>(rows: &mut TableRows<'_, T>, row: usize) {
    rows.codes[row] = 0;
    for (place, column) in rows.values.iter_mut().enumerate() {
        column[row] = if place == 0 { T::INFINITY } else { T::ZERO };
    }
}

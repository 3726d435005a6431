//! Every line with every primitive.
//!
//! Primitives are copied into a tile, and every line of a chunk runs over it before the next tile.
//! The watcher may stop the work between tiles, every few million tests. Where lines are few, the
//! threads share the primitives instead.

use std::ops::{ControlFlow, Range};

use super::answers::Defects;
use super::collect::{Collect, Found, Sink, TILE, Visit, sorted_by_line};
use super::tile::Tile;
use super::{Bulk, refuse_too_many};
use crate::chunks::{Chunks, Watched};
use crate::columns::{Columns, Record, Shape};
use crate::error::Result;
use crate::kernel::test::{InAllLanes, Test, numbers, order};
use crate::simd::{Arithmetic, Vectors, dispatch};
use crate::threads::Threads;
use crate::value::Line;

const CHUNK: usize = 512;

/// The tests that make a task: some 30 µs of boxes, where waking a thread takes 10.
const GRAIN: usize = 1 << 17;

/// The cost of preparing a line, in tests.
const PREPARING: usize = 16;

/// Tests between two calls of the watcher: 2 ms of boxes, 50 of the slowest test, more for tests
/// that decide about most pairs. A quarter of it would cost these 1% for preparing the lines again.
const STEP: usize = 1 << 23;

/// A step takes a multiple of this many primitives, which are whole tiles in the widest vectors.
const TILES: usize = TILE * 16;

/// Answers about every line and every primitive; an error leaves no answer.
pub(super) fn many_to_many<P: Record, K: Test<P>, A: Collect<P, K>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    answer: &mut A,
) -> Result<Defects> {
    let outcome = refuse_too_many(lines.len(), primitives.len()).and_then(|()| {
        answer.reset(lines.len(), primitives.len())?;
        if shares_primitives(lines.len(), primitives.len(), bulk.threads) {
            by_primitives(bulk, lines, primitives, answer)
        } else {
            by_lines(bulk, lines, primitives, answer)
        }
    });
    outcome.inspect_err(|_| *answer = A::default())
}

fn by_lines<P: Record, K: Test<P>, A: Collect<P, K>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    answer: &mut A,
) -> Result<Defects> {
    let backend = bulk.chosen_backend()?;
    let chunk = chunk_size(lines.len(), primitives.len(), bulk.threads);
    let mut told = vec![(Defects::default(), Vec::new()); lines.len().div_ceil(chunk)];
    let parts = answer.sinks(chunk, primitives.len()).zip(&mut told);
    let watched = Watched::new(lines.len().saturating_mul(primitives.len()), bulk.watch);
    let chunks = Chunks::even(lines.len(), chunk);
    watched.for_each_chunk(chunks, parts, bulk.threads, &|range, (mut sink, told)| {
        let mut room = Vec::new();
        let (first, lines) = (range.start, lines.stored(range, &mut room));
        let mut found = Found::new();
        let step = (STEP / lines.len()).max(1).next_multiple_of(TILES);
        // Without primitives, lines still have defects to count.
        for start in (0..primitives.len().max(1)).step_by(step) {
            let range = start..primitives.len().min(start.saturating_add(step));
            let pairs = lines.len() * range.len();
            let tiles = Tiles {
                test: &bulk.test,
                lines,
                first,
                primitives,
                range,
                sink,
                found: &mut found,
            };
            // Every step meets the same lines.
            (told.0, sink) = dispatch!(backend, lanes => tiles.test(P::Scalar::widest(lanes)));
            watched.advance(pairs)?;
        }
        told.1 = sorted_by_line(found, lines.len());
        ControlFlow::Continue(())
    })?;
    let (defects, primitives): (Vec<_>, Vec<_>) = told.into_iter().unzip();
    answer.finish(primitives);
    Ok(defects.into_iter().fold(Defects::default(), Defects::join))
}

/// Whether there are too few lines for all threads, and enough primitives to share instead.
fn shares_primitives(lines: usize, primitives: usize, threads: &Threads) -> bool {
    // Asking for the number of threads may start them, so cheap checks come first.
    lines.saturating_mul(primitives) >= 2 * GRAIN && primitives >= 2 * part_size(lines) && {
        let threads = threads.count();
        threads > 1 && lines < 4 * threads
    }
}

/// Primitives in a part: enough for a task, and a multiple of 64, so that parts begin with a word
/// of bits.
fn part_size(lines: usize) -> usize {
    (GRAIN / lines).max(1).next_multiple_of(64)
}

/// Answers about each part of the primitives, and joins the answers.
fn by_primitives<P: Record, K: Test<P>, A: Collect<P, K>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    answer: &mut A,
) -> Result<Defects> {
    let here = Bulk::new(bulk.test).backend(bulk.chosen_backend()?).threads(&Threads::ONE);
    let part = part_size(lines.len());
    let mut parts: Vec<(A, Result<Defects>)> = Vec::new();
    parts.resize_with(primitives.len().div_ceil(part), || (A::default(), Ok(Defects::default())));
    let watched = Watched::new(lines.len().saturating_mul(primitives.len()), bulk.watch);
    let chunks = Chunks::even(primitives.len(), part);
    watched.for_each_chunk(chunks, parts.iter_mut(), bulk.threads, &|range, into| {
        let pairs = lines.len() * range.len();
        into.1 = many_to_many(&here, lines, &primitives.slice(range), &mut into.0);
        watched.advance(pairs)
    })?;
    // Every part has met the same lines.
    let (mut answers, mut defects) = (Vec::with_capacity(parts.len()), Defects::default());
    for (number, (answer, outcome)) in parts.into_iter().enumerate() {
        defects = outcome?;
        answers.push((number * part, answer));
    }
    answer.join(lines.len(), answers);
    Ok(defects)
}

/// The lines of a chunk: few enough for all threads, but no fewer than make a task, as each chunk
/// copies the primitives.
fn chunk_size(lines: usize, primitives: usize, threads: &Threads) -> usize {
    let work_of_line = primitives.saturating_add(PREPARING);
    // Asking for the number of threads may start them, so cheap checks come first.
    if lines.saturating_mul(work_of_line) < 2 * GRAIN {
        return lines.max(1);
    }
    match threads.count() {
        1 => lines.clamp(1, CHUNK),
        several => (lines / (4 * several)).max(GRAIN / work_of_line).clamp(1, CHUNK),
    }
}

struct Tiles<'a, 'l, 'p, P: Record, K: Test<P>, S> {
    test: &'a K,
    lines: Columns<'l, K::Line>,
    first: usize,
    primitives: &'a Columns<'p, P>,
    /// The primitives; whole tiles, except for the last.
    range: Range<usize>,
    sink: S,
    found: &'a mut Found,
}

impl<P: Record, K: Test<P>, S: Sink<P, K>> Tiles<'_, '_, '_, P, K, S> {
    /// Tests all lines with all primitives of the range.
    #[inline(always)]
    fn test<V: Vectors<P::Scalar>>(self, lanes: V) -> (Defects, S) {
        let Self { test, lines, first: first_line, primitives, range, mut sink, found } = self;
        let mut defects = Defects::default();
        // Prepared once, not once for each tile.
        let mut prepared = Vec::with_capacity(lines.len());
        for number in 0..lines.len() {
            let line = lines.get(number);
            if line.find_line_defect().is_some() {
                defects.add(first_line + number);
            } else {
                let line = test.prepare(&numbers(&line));
                prepared.push((number, line, order::<P, K>(&line)));
            }
        }
        let mut tile = Tile::<P, V, TILE>::new(primitives);
        let (end, capacity) = (range.end, Tile::<P, V, TILE>::CAPACITY);
        for first in range.step_by(capacity) {
            tile.take(first..end.min(first + capacity));
            for (number, prepared, order) in &prepared {
                let prepared = K::Prepared::map(prepared, &InAllLanes(lanes));
                sink.test(
                    &Visit { lanes, test, line: *number, prepared, seen: tile.seen(order) },
                    found,
                );
            }
        }
        (defects, sink)
    }
}

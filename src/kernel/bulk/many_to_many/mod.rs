//! Every line with every primitive: the common loops.
//!
//! Primitives are copied into a tile, and every line of a chunk runs over it before the next tile. The watcher may
//! stop the work between tiles, every few million tests.

mod bits;
mod closest;
mod counts;
mod list;
mod parts;
mod words;

pub(super) use bits::bits;
pub(super) use closest::closest;
pub(super) use counts::counts;
pub(super) use list::list;

use std::ops::{ControlFlow, Range};

use super::Bulk;
use super::answers::{Defects, DefectsOfChunks};
use super::tile::{Tile, TileView};
use crate::chunks::Watched;
use crate::columns::{Columns, Record};
use crate::error::Result;
use crate::kernel::test::{PreparedOf, Test, in_all_lanes, numbers};
use crate::simd::{VectorKernel, Vectors, dispatch_widest};
use crate::threads::Threads;
use crate::value::Line;

/// Vectors of primitives in a tile: 12 kB of boxes, 30 kB of the largest primitive at most. Half as
/// many are 3 to 8% slower, a quarter 10 to 20%.
const TILE: usize = 32;

/// The most lines in a chunk.
const CHUNK: usize = 512;

/// The tests that make a task: some 30 µs of boxes, where waking a thread takes 10.
const GRAIN: usize = 1 << 17;

/// The cost of preparing a line, in tests.
const PREPARING: usize = 16;

/// Tests between two calls of the watcher: 2 ms of boxes, 50 of the slowest test, more for tests that decide about
/// most pairs. A quarter of it would cost these 1% for preparing the lines again.
const STEP: usize = 1 << 23;

/// A step takes a multiple of this many primitives, which are whole tiles in the widest vectors.
const TILES: usize = TILE * 16;

/// The consumer of the tests of lines with tiles.
trait Sink<P: Record, K: Test<P>> {
    /// Tests line number `line` of the chunk with the primitives and keeps the results that it needs.
    fn test<V: Vectors<P::Scalar>>(
        &mut self,
        lanes: V,
        test: &K,
        line: usize,
        prepared: &PreparedOf<P, K, V::Real>,
        seen: &TileView<'_, P, V, TILE>,
    );

    /// All lines of the chunk have met all primitives.
    fn finish(self)
    where
        Self: Sized,
    {
    }
}

/// Hands each chunk of lines to a sink that `sink` makes from its part of the answer.
fn many_to_many<P: Record, K: Test<P>, T: Send, S: Sink<P, K>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    chunk: usize,
    parts: impl Iterator<Item = T>,
    sink: impl Fn(T) -> S + Sync + Send,
) -> Result<Defects> {
    let backend = bulk.chosen_backend()?;
    let defects = DefectsOfChunks::default();
    let watched = Watched::new(tests(lines.len(), primitives.len()), bulk.watch);
    watched.for_each_chunk(lines.len(), chunk, parts, bulk.threads, |range, part| {
        let mut room = Vec::new();
        let (first, lines) = (range.start, lines.stored(range, &mut room));
        let step = (STEP / lines.len()).max(1).next_multiple_of(TILES);
        let mut sink = sink(part);
        let mut start = 0_usize;
        loop {
            let range = start..primitives.len().min(start.saturating_add(step));
            let (end, pairs) = (range.end, lines.len() * range.len());
            let tiles = Tiles { test: &bulk.test, lines, first, primitives, range, sink };
            let found;
            (found, sink) = dispatch_widest::<P::Scalar, _>(backend, tiles);
            if start == 0 {
                defects.add(found);
            }
            watched.advance(pairs)?;
            if end == primitives.len() {
                break;
            }
            start = end;
        }
        sink.finish();
        ControlFlow::Continue(())
    })?;
    Ok(defects.all())
}

/// The number of pairs, saturating.
fn tests(lines: usize, primitives: usize) -> usize {
    lines.saturating_mul(primitives)
}

/// The lines of a chunk: few enough that all threads have some, but enough for a task, and no fewer than that, as
/// each chunk copies the primitives again.
fn chunk_size(lines: usize, primitives: usize, threads: &Threads) -> usize {
    let work_of_line = primitives.saturating_add(PREPARING);
    // Asking for the number of threads may start them, so cheap checks come first.
    if tests(lines, work_of_line) < 2 * GRAIN {
        return lines.max(1);
    }
    match threads.count() {
        1 => lines.clamp(1, CHUNK),
        several => (lines / (4 * several)).max(GRAIN / work_of_line).clamp(1, CHUNK),
    }
}

/// Some lines, some primitives.
struct Tiles<'a, 'l, 'p, P: Record, K: Test<P>, S> {
    test: &'a K,
    lines: Columns<'l, K::Line>,
    /// The number of the first line.
    first: usize,
    primitives: &'a Columns<'p, P>,
    /// The primitives; whole tiles, except for the last.
    range: Range<usize>,
    sink: S,
}

impl<P: Record, K: Test<P>, S: Sink<P, K>> VectorKernel<P::Scalar> for Tiles<'_, '_, '_, P, K, S> {
    /// The defects of the lines, and the sink.
    type Output = (Defects, S);

    #[inline(always)]
    fn run<V: Vectors<P::Scalar>>(self, lanes: V) -> (Defects, S) {
        let Self { test, lines, first: first_line, primitives, range, mut sink } = self;
        let mut defects = Defects::default();
        // Prepared once, not once for each tile.
        let mut prepared = Vec::with_capacity(lines.len());
        for number in 0..lines.len() {
            let line = lines.get(number);
            if line.find_line_defect().is_some() {
                defects.add(first_line + number);
            } else {
                let line = test.prepare(&numbers(&line));
                prepared.push((number, line, K::order(&line)));
            }
        }
        let mut tile = Tile::<P, V, TILE>::new(primitives);
        for first in range.step_by(Tile::<P, V, TILE>::CAPACITY) {
            tile.copy(first);
            for (number, prepared, order) in &prepared {
                let prepared = in_all_lanes::<_, V, K::Prepared>(lanes, prepared);
                sink.test(lanes, test, *number, &prepared, &tile.copied(order));
            }
        }
        (defects, sink)
    }
}

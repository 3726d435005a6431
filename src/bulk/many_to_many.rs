//! Every line with every primitive: the loops that all such answers share.
//!
//! Primitives are copied into a tile, and every line of a chunk runs over it before the next.

use super::tile::{Seen, Tile};
use super::{Bulk, Defects, refuse_too_many};
use crate::chunks::for_each_chunk;
use crate::columns::{Columns, Record};
use crate::error::Result;
use crate::primitive::{PreparedOf, Test, in_all_lanes, numbers};
use crate::ray::Line;
use crate::simd::{Backend, VectorKernel, Vectors, dispatch_widest, with_default_float_mode};
use crate::threads::Threads;

/// Vectors of primitives in a tile: 12 kB of boxes, 30 kB of the largest primitive at most. Half as
/// many are 3 to 8% slower, a quarter 10 to 20%.
pub(super) const TILE: usize = 32;

/// The most lines in a chunk.
const CHUNK: usize = 256;

/// What becomes of the tests of a line with a tile.
pub(super) trait Sink<P: Record, K: Test<P>> {
    /// Tests line number `line` of the chunk with the primitives and keeps what it wants to know.
    fn test<V: Vectors<P::Scalar>>(
        &mut self,
        lanes: V,
        test: &K,
        line: usize,
        prepared: &PreparedOf<P, K, V::Real>,
        seen: &Seen<'_, P, V, TILE>,
    );
}

/// Hands each chunk of lines to a sink that `sink` makes from its part of the answer.
pub(super) fn many_to_many<P: Record, K: Test<P>, T: Send, S: Sink<P, K>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    chunk: usize,
    parts: impl Iterator<Item = T>,
    sink: impl Fn(T) -> S + Sync + Send,
) -> Result<Defects> {
    refuse_too_many(primitives.len())?;
    let backend = bulk.chosen_backend()?;
    for_each_chunk(lines.len(), chunk, parts, &bulk.threads, bulk.watch, |range, part| {
        let tiles = Tiles { test: &bulk.test, lines: lines.slice(range), primitives, sink: sink(part) };
        run(backend, tiles);
    })?;
    // One look at the floating-point mode, not one for each line.
    Ok(with_default_float_mode(|| {
        let mut defects = Defects::default();
        for line in 0..lines.len() {
            if lines.get(line).find_line_defect().is_some() {
                defects.add(line);
            }
        }
        defects
    }))
}

fn run<P: Record, K: Test<P>, S: Sink<P, K>>(backend: Backend, tiles: Tiles<'_, '_, '_, P, K, S>) {
    dispatch_widest::<P::Scalar, _>(backend, tiles);
}

/// How many lines make a chunk: few enough that all threads have some.
pub(super) fn chunk_size(lines: usize, threads: &Threads) -> usize {
    if lines <= 1 {
        return 1;
    }
    (lines / (4 * threads.count())).clamp(1, CHUNK)
}

/// Some lines, all primitives.
struct Tiles<'a, 'l, 'p, P: Record, K: Test<P>, S> {
    test: &'a K,
    lines: Columns<'l, K::Line>,
    primitives: &'a Columns<'p, P>,
    sink: S,
}

impl<P: Record, K: Test<P>, S: Sink<P, K>> VectorKernel<P::Scalar> for Tiles<'_, '_, '_, P, K, S> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors<P::Scalar>>(self, lanes: V) {
        let Self { test, lines, primitives, mut sink } = self;
        // Prepared once, not once for each tile.
        let prepared: Vec<_> = (0..lines.len())
            .filter_map(|number| {
                let line = lines.get(number);
                line.find_line_defect().is_none().then(|| {
                    let prepared = test.prepare(&numbers(&line));
                    (number, prepared, K::order(&prepared))
                })
            })
            .collect();
        let mut tile = Tile::<P, V, TILE>::new(primitives);
        for first in (0..primitives.len()).step_by(Tile::<P, V, TILE>::CAPACITY) {
            tile.copy(first);
            for (number, prepared, order) in &prepared {
                let prepared = in_all_lanes::<_, V, K::Prepared>(lanes, prepared);
                sink.test(lanes, test, *number, &prepared, &tile.copied(order));
            }
        }
    }
}

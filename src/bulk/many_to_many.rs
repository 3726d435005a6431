//! Every line with every primitive: the loops that all such answers share.
//!
//! Primitives are copied into a tile that fits the first-level cache, already as vectors; every line of
//! a chunk then runs over the tile. Copying costs a few loads and stores for each primitive and chunk,
//! and buys aligned loads without a bound to check, whatever the caller's layout is.

use super::columns::load;
use super::{Bulk, Defects, refuse_too_many};
use crate::chunks::for_each_chunk;
use crate::columns::{Columns, PartsOf, Record, Shape};
use crate::error::Result;
use crate::primitive::{PreparedOf, Test, in_all_lanes, numbers};
use crate::ray::Line;
use crate::simd::{Backend, Scalar, VectorKernel, Vectors, dispatch_widest};
use crate::threads::Threads;

/// Vectors of primitives in a tile: at most 15 kB for the largest primitive and the widest vectors.
pub(super) const TILE: usize = 16;

/// The most lines in a chunk.
const CHUNK: usize = 256;

/// What becomes of the tests of a line with a tile.
pub(super) trait Sink<P: Record, K: Test<P>> {
    /// Tests line number `line` of the chunk with the tile's primitives, of which the first is number
    /// `first`, and keeps what it wants to know.
    fn test<V: Vectors<P::Scalar>>(
        &mut self,
        lanes: V,
        test: &K,
        line: usize,
        prepared: &PreparedOf<P, K, V::Real>,
        tile: TileView<'_, P, V>,
    );
}

/// A tile as one line sees it.
pub(super) struct TileView<'t, P: Record, V: Vectors<P::Scalar>> {
    columns: PartsOf<P, &'t [V::Row; TILE]>,
    /// The number of the tile's first primitive.
    pub(super) first: usize,
    /// How many primitives the tile holds.
    pub(super) count: usize,
}

impl<P: Record, V: Vectors<P::Scalar>> TileView<'_, P, V> {
    /// How many vectors hold primitives.
    #[inline(always)]
    pub(super) fn vectors(&self) -> usize {
        self.count.div_ceil(V::COUNT).min(TILE)
    }

    /// One vector of primitives.
    #[inline(always)]
    pub(super) fn load(&self, lanes: V, vector: usize) -> PartsOf<P, V::Real> {
        let mut parts = P::Shape::filled(lanes.splat(P::Scalar::ZERO));
        for place in 0..P::Shape::COUNT {
            let column = *P::Shape::at::<&[V::Row; TILE]>(&self.columns, place);
            *P::Shape::at_mut(&mut parts, place) = lanes.load(&column[vector]);
        }
        parts
    }
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
    let mut defects = Defects::default();
    for line in 0..lines.len() {
        if lines.get(line).line_defect().is_some() {
            defects.add(line);
        }
    }
    Ok(defects)
}

fn run<P: Record, K: Test<P>, S: Sink<P, K>>(backend: Backend, tiles: Tiles<'_, '_, '_, P, K, S>) {
    dispatch_widest::<P::Scalar, _>(backend, tiles);
}

/// How many lines make a chunk: few enough that all threads have some, and that an answer of
/// `words` words a line stays within the cache.
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

/// Primitives as vectors, each on cache lines of its own.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Tile<R>([R; TILE]);

impl<P: Record, K: Test<P>, S: Sink<P, K>> VectorKernel<P::Scalar> for Tiles<'_, '_, '_, P, K, S> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vectors<P::Scalar>>(self, lanes: V) {
        let Self { test, lines, primitives, mut sink } = self;
        // Prepared once, not once for each tile.
        let prepared: Vec<_> = (0..lines.len())
            .filter_map(|number| {
                let line = lines.get(number);
                line.line_defect().is_none().then(|| {
                    let prepared = test.prepare(&numbers(&line));
                    (number, prepared, K::order(&prepared))
                })
            })
            .collect();
        let zero: V::Row = bytemuck::Zeroable::zeroed();
        let mut tile = P::Shape::filled(Tile([zero; TILE]));
        for first in (0..primitives.len()).step_by(TILE * V::COUNT) {
            let count = (primitives.len() - first).min(TILE * V::COUNT);
            for vector in 0..count.div_ceil(V::COUNT).min(TILE) {
                let loaded = load(lanes, primitives, first + vector * V::COUNT);
                for place in 0..P::Shape::COUNT {
                    let column: &mut Tile<V::Row> = P::Shape::at_mut(&mut tile, place);
                    lanes.store(*P::Shape::at(&loaded, place), &mut column.0[vector]);
                }
            }
            for (number, prepared, order) in &prepared {
                let prepared = in_all_lanes::<_, V, K::Prepared>(lanes, prepared);
                let anywhere: &Tile<V::Row> = P::Shape::at(&tile, 0);
                let mut columns = P::Shape::filled(&anywhere.0);
                for place in 0..P::Shape::COUNT {
                    let column: &Tile<V::Row> = P::Shape::at(&tile, *P::Shape::at(order, place));
                    *P::Shape::at_mut(&mut columns, place) = &column.0;
                }
                sink.test(lanes, test, *number, &prepared, TileView { columns, first, count });
            }
        }
    }
}

//! Cuts chunks of rays so that the hits of a piece fit into memory, however many a ray has.

use super::Query;
use std::ops::Range;

/// How many hits a piece is meant to have: some 30 MB, of which three are in memory, and once more
/// on their way to a file.
const HITS: usize = 1 << 20;
/// Rays of the first piece, when nothing is known of their hits.
const FIRST: usize = 1 << 12;
/// A piece of fewer rays is little work for many threads.
const FEWEST: usize = 64;

/// How long pieces are: as the hits of the piece before suggest.
#[derive(Debug)]
pub(super) struct Pieces {
    rays: usize,
}

impl Pieces {
    pub(super) fn new(query: Query) -> Self {
        let rays = match query {
            Query::All => FIRST,
            // One answer per ray.
            Query::Closest | Query::Line | Query::Any | Query::Count | Query::Cost => usize::MAX,
        };
        Self { rays }
    }

    /// Takes the next piece off the `rest` of a chunk.
    pub(super) fn next(&self, rest: &mut Range<usize>) -> Range<usize> {
        let piece = rest.start..rest.end.min(rest.start.saturating_add(self.rays));
        rest.start = piece.end;
        piece
    }

    /// What the rays of a piece have hit, if that is more than one answer for each. The next piece
    /// has at most twice as many rays: they may hit more.
    pub(super) fn learn(&mut self, rays: usize, hits: Option<u64>) {
        if let (Some(hits), true) = (hits, self.rays < usize::MAX) {
            let fitting = HITS.saturating_mul(rays) / (hits as usize).max(1);
            self.rays = fitting.min(2 * self.rays).max(FEWEST);
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/cast/pieces.rs"]
mod tests;

//! Cuts chunks of rays so that the hits of a piece fit into memory, however many a ray has.

use super::answer::Answer;
use crate::precision::Number;
use lanecast_io::{RayChunk, RayIds};
use std::ops::Range;

/// How many hits a piece is meant to have: some 60 MB, and as much again on their way to a file.
const HITS: usize = 1 << 21;
/// Rays of the first piece, when nothing is known of their hits.
const FIRST: usize = 1 << 12;
/// A piece of fewer rays is little work for many threads.
const FEWEST: usize = 64;

/// How long pieces are: as the hits of the piece before suggest.
#[derive(Debug)]
pub(super) struct Pieces {
    rays: usize,
}

impl Default for Pieces {
    fn default() -> Self {
        Self { rays: FIRST }
    }
}

impl Pieces {
    /// Takes the next piece off the `rest` of a chunk; `answer` holds what the piece before found.
    pub(super) fn next(
        &mut self,
        rest: &mut Range<usize>,
        answer: &Answer<impl Number>,
    ) -> Range<usize> {
        let end = match answer {
            Answer::All { hits: before, .. } => {
                self.learn(before.len(), before.hits().len());
                rest.end.min(rest.start + self.rays)
            }
            // One answer per ray.
            Answer::Closest { .. }
            | Answer::Line(_)
            | Answer::Any(_)
            | Answer::Count(_)
            | Answer::Cost(_) => rest.end,
        };
        let piece = rest.start..end;
        rest.start = end;
        piece
    }

    /// At most twice as many rays as before: the next ones may hit more.
    fn learn(&mut self, rays: usize, hits: usize) {
        if rays > 0 {
            let fitting = HITS.saturating_mul(rays) / hits.max(1);
            self.rays = fitting.min(2 * self.rays).max(FEWEST);
        }
    }
}

/// What names the rays of a piece of a chunk.
pub(super) fn ids<T>(chunk: &RayChunk<T>, piece: Range<usize>) -> RayIds<'_> {
    match chunk.ids() {
        RayIds::Rows(first) => RayIds::Rows(first + piece.start as u64),
        RayIds::Given(ids) => RayIds::Given(&ids[piece]),
    }
}

#[cfg(test)]
#[path = "../../tests/unit/cast/pieces.rs"]
mod tests;

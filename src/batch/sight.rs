//! Lines of sight, as bits.

use super::{CastOptions, Caster, Plan};
use crate::chunks::Watched;
use crate::error::Result;
use crate::hit::SightMatrix;
use crate::makers::SightLines;
use crate::query::{AnyHit, Target};
use crate::status::Status;
use crate::value::RayBatch;

/// The most words of a chunk, and the fewest that are worth a task.
const LONGEST: usize = 512;
const SHORTEST: usize = 8;

impl<X: Target> Caster<'_, X> {
    /// A bit for each line that nothing breaks.
    ///
    /// Chunks are whole words, from wherever in an observer's to wherever in another's: their lines follow each other
    /// all the same.
    pub(crate) fn sight(
        &self,
        lines: &SightLines<'_>,
        options: &CastOptions<'_>,
        matrix: &mut SightMatrix,
    ) -> Result<()> {
        let rays = &RayBatch::made(lines);
        options.each.check(rays.len()).inspect_err(|_| matrix.clear())?;
        matrix.resize(lines.observers(), lines.targets())?;
        let (targets, words) = (matrix.targets(), matrix.words.len());
        let in_row = matrix.words_per_observer().max(1);
        let first_line = |word: usize| word / in_row * targets + word % in_row * 64;
        let chunk = match options.threads.count() {
            1 => LONGEST,
            threads => (words / (4 * threads)).clamp(SHORTEST, LONGEST),
        };
        let plan = Plan::of_chunks(chunk * 64);
        let parts = matrix.words.chunks_mut(chunk);
        let watched = Watched::new(rays.len(), options.watch);
        let done = watched.for_each_chunk(words, chunk, parts, &options.threads, |range, words| {
            let rows = first_line(range.start)..first_line(range.end);
            let mut status = vec![Status::Miss; rows.len()];
            let count = rows.len();
            self.cast(rays, rows, options, &plan, &mut AnyHit { status: &mut status });
            let mut rest = status.as_slice();
            for (word, bits) in range.zip(words) {
                let bits_here = (targets - word % in_row * 64).min(64);
                let (here, after) = rest.split_at(bits_here);
                rest = after;
                for (bit, status) in here.iter().enumerate() {
                    // What cannot be cast here is a line without a length: nothing breaks it.
                    *bits |= u64::from(!status.is_hit()) << bit;
                }
            }
            watched.advance(count)
        });
        done.inspect_err(|_| matrix.clear())
    }
}

//! Few lines and many primitives: the threads share the primitives instead.

use crate::bulk::{Bulk, Defects};
use crate::chunks::for_each_chunk;
use crate::columns::{Columns, Record};
use crate::error::Result;
use crate::primitive::Test;
use crate::threads::Threads;

/// Primitives in a part; a multiple of 64, so that parts begin with a word of bits.
const PART: usize = 1 << 14;

/// Whether there are too few lines for all threads, and enough primitives to share instead.
pub(super) fn worth_it(lines: usize, primitives: usize, threads: &Threads) -> bool {
    // Asking for the number of threads may start them: first what is cheap to know.
    lines > 0 && primitives >= 2 * PART && {
        let threads = threads.count();
        threads > 1 && lines < 4 * threads
    }
}

/// Answers for each part of the primitives by itself with `answer`, and gives the answers in order to
/// `merge`, with the number of each part's first primitive.
pub(super) fn by_parts<P: Record, K: Test<P>, A: Default + Send>(
    bulk: &Bulk<'_, K>,
    primitives: &Columns<'_, P>,
    answer: impl Fn(&Bulk<'_, K>, &Columns<'_, P>, &mut A) -> Result<Defects> + Sync + Send,
    mut merge: impl FnMut(usize, A),
) -> Result<Defects> {
    let here =
        Bulk { test: bulk.test, backend: Some(bulk.chosen_backend()?), threads: Threads::ONE, watch: None };
    let mut parts: Vec<(A, Result<Defects>)> = Vec::new();
    parts.resize_with(primitives.len().div_ceil(PART), || (A::default(), Ok(Defects::default())));
    for_each_chunk(primitives.len(), PART, parts.iter_mut(), &bulk.threads, bulk.watch, |range, part| {
        part.1 = answer(&here, &primitives.slice(range), &mut part.0);
    })?;
    let mut defects = Defects::default();
    for (number, (part, outcome)) in parts.into_iter().enumerate() {
        // Every part has met the same lines.
        defects = outcome?;
        merge(number * PART, part);
    }
    Ok(defects)
}

//! Few lines and many primitives: the threads share the primitives instead.

use super::{GRAIN, tests};
use crate::chunks::Watched;
use crate::columns::{Columns, Record};
use crate::error::Result;
use crate::kernel::bulk::Bulk;
use crate::kernel::bulk::answers::Defects;
use crate::kernel::test::Test;
use crate::threads::Threads;

/// Whether there are too few lines for all threads, and enough primitives to share instead.
pub(super) fn worth_it(lines: usize, primitives: usize, threads: &Threads) -> bool {
    // Asking for the number of threads may start them, so cheap checks come first.
    tests(lines, primitives) >= 2 * GRAIN && primitives >= 2 * part(lines) && {
        let threads = threads.count();
        threads > 1 && lines < 4 * threads
    }
}

/// Primitives in a part: enough for a task, and a multiple of 64, so that parts begin with a word of bits.
fn part(lines: usize) -> usize {
    (GRAIN / lines).max(1).next_multiple_of(64)
}

/// Answers each part of the primitives with `answer`, and passes the answers in order to
/// `merge`, with the number of each part's first primitive.
pub(super) fn by_parts<P: Record, K: Test<P>, A: Default + Send>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    answer: impl Fn(&Bulk<'_, K>, &Columns<'_, P>, &mut A) -> Result<Defects> + Sync + Send,
    mut merge: impl FnMut(usize, A),
) -> Result<Defects> {
    let here =
        Bulk { test: bulk.test, backend: Some(bulk.chosen_backend()?), threads: &Threads::ONE, watch: None };
    let part = part(lines.len());
    let mut parts: Vec<(A, Result<Defects>)> = Vec::new();
    parts.resize_with(primitives.len().div_ceil(part), || (A::default(), Ok(Defects::default())));
    let watched = Watched::new(tests(lines.len(), primitives.len()), bulk.watch);
    watched.for_each_chunk(primitives.len(), part, parts.iter_mut(), bulk.threads, |range, part| {
        let pairs = lines.len() * range.len();
        part.1 = answer(&here, &primitives.slice(range), &mut part.0);
        watched.advance(pairs)
    })?;
    let mut defects = Defects::default();
    for (number, (answer, outcome)) in parts.into_iter().enumerate() {
        // Every part has met the same lines.
        defects = outcome?;
        merge(number * part, answer);
    }
    Ok(defects)
}

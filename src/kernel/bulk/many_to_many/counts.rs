//! The number of primitives on each line.

use super::parts::{by_parts, worth_it};
use super::words::{FromWords, WordSink};
use super::{chunk_size, many_to_many};
use crate::columns::{Columns, Record};
use crate::error::Result;
use crate::kernel::bulk::answers::{Defects, resize};
use crate::kernel::bulk::{Bulk, refuse_too_many};
use crate::kernel::test::Test;

struct CountSink<'a>(&'a mut [u32]);

impl WordSink for CountSink<'_> {
    #[inline(always)]
    fn take(&mut self, line: usize, _: usize, bits: u64) {
        self.0[line] += bits.count_ones();
    }
}

pub(in crate::kernel::bulk) fn counts<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    counts: &mut Vec<u32>,
) -> Result<Defects> {
    counts.clear();
    refuse_too_many(lines.len(), primitives.len())?;
    resize(counts, lines.len(), 0, lines.len())?;
    if worth_it(lines.len(), primitives.len(), bulk.threads) {
        let merge = |_, part: Vec<u32>| {
            for (whole, part) in counts.iter_mut().zip(part) {
                *whole += part;
            }
        };
        let outcome =
            by_parts(bulk, lines, primitives, |bulk, part, into| bulk.counts(lines, part, into), merge);
        return outcome.inspect_err(|_| counts.clear());
    }
    let chunk = chunk_size(lines.len(), primitives.len(), bulk.threads);
    many_to_many(bulk, lines, primitives, chunk, counts.chunks_mut(chunk), |counts| {
        FromWords(CountSink(counts))
    })
    .inspect_err(|_| counts.clear())
}

//! A bit for each pair.

use super::parts::{by_parts, worth_it};
use super::words::{FromWords, WordSink};
use super::{chunk_size, many_to_many};
use crate::columns::{Columns, Record};
use crate::error::Result;
use crate::kernel::bulk::answers::{Defects, resize};
use crate::kernel::bulk::{Bulk, refuse_too_many};
use crate::kernel::test::Test;

struct BitSink<'a> {
    words: &'a mut [u64],
    words_of_line: usize,
}

impl WordSink for BitSink<'_> {
    #[inline(always)]
    fn take(&mut self, line: usize, first: usize, bits: u64) {
        self.words[line * self.words_of_line + first / 64] = bits;
    }
}

pub(in crate::kernel::bulk) fn bits<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    bits: &mut Vec<u64>,
) -> Result<Defects> {
    bits.clear();
    refuse_too_many(lines.len(), primitives.len())?;
    let words_of_line = primitives.len().div_ceil(64);
    resize(bits, lines.len().saturating_mul(words_of_line), 0, lines.len())?;
    if worth_it(lines.len(), primitives.len(), bulk.threads) {
        let merge = |first: usize, part: Vec<u64>| {
            let words = part.len() / lines.len();
            for (whole, part) in bits.chunks_exact_mut(words_of_line).zip(part.chunks_exact(words)) {
                whole[first / 64..][..words].copy_from_slice(part);
            }
        };
        let outcome =
            by_parts(bulk, lines, primitives, |bulk, part, into| bulk.bits(lines, part, into), merge);
        return outcome.inspect_err(|_| bits.clear());
    }
    let chunk = chunk_size(lines.len(), primitives.len(), bulk.threads);
    // Without primitives there are no words, but lines still have defects to count.
    let no_words = std::iter::repeat_with(|| &mut [][..]);
    let parts = bits.chunks_mut((chunk * words_of_line).max(1)).chain(no_words);
    many_to_many(bulk, lines, primitives, chunk, parts, |words| FromWords(BitSink { words, words_of_line }))
        .inspect_err(|_| bits.clear())
}

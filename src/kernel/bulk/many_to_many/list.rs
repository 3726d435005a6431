//! The primitives on each line, as compressed rows.

use super::parts::{by_parts, worth_it};
use super::words::{FromWords, WordSink};
use super::{chunk_size, many_to_many};
use crate::columns::{Columns, Record};
use crate::error::Result;
use crate::kernel::bulk::answers::{Defects, HitList, resize};
use crate::kernel::bulk::{Bulk, refuse_too_many};
use crate::kernel::test::Test;

/// The hits of a chunk of lines.
struct ListSink<'a> {
    /// The number of primitives on each line.
    counts: &'a mut [usize],
    /// The primitives, line by line.
    indices: &'a mut Vec<u32>,
    /// Line and primitive, tile by tile.
    found: Vec<(u32, u32)>,
}

impl WordSink for ListSink<'_> {
    #[inline(always)]
    fn take(&mut self, line: usize, first: usize, bits: u64) {
        self.counts[line] += bits.count_ones() as usize;
        let mut bits = bits;
        while bits != 0 {
            self.found.push((line as u32, first as u32 + bits.trailing_zeros()));
            bits &= bits - 1;
        }
    }

    /// Sorts the hits by line. Tiles come in ascending order, and so do the primitives of each line.
    fn finish(self) {
        let mut next = Vec::with_capacity(self.counts.len());
        let mut total = 0;
        for &count in &*self.counts {
            next.push(total);
            total += count;
        }
        self.indices.resize(total, 0);
        for (line, index) in self.found {
            let place = &mut next[line as usize];
            self.indices[*place] = index;
            *place += 1;
        }
    }
}

pub(in crate::kernel::bulk) fn list<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    list: &mut HitList,
) -> Result<Defects> {
    list.offsets.clear();
    list.indices.clear();
    refuse_too_many(lines.len(), primitives.len())?;
    if worth_it(lines.len(), primitives.len(), bulk.threads) {
        let mut of_lines = vec![Vec::new(); lines.len()];
        let merge = |first: usize, part: HitList| {
            for (line, indices) in of_lines.iter_mut().enumerate() {
                indices.extend(part.of_line(line).iter().map(|index| index + first as u32));
            }
        };
        let defects =
            by_parts(bulk, lines, primitives, |bulk, part, into| bulk.list(lines, part, into), merge)?;
        list.offsets.push(0);
        for indices in of_lines {
            list.indices.extend(indices);
            list.offsets.push(list.indices.len());
        }
        return Ok(defects);
    }
    let chunk = chunk_size(lines.len(), primitives.len(), bulk.threads);
    // Counts first; each becomes the end of its line when those of all before it are known.
    resize(&mut list.offsets, lines.len() + 1, 0, lines.len())?;
    let mut found = vec![Vec::new(); lines.len().div_ceil(chunk)];
    let parts = list.offsets[1..].chunks_mut(chunk).zip(&mut found);
    let defects = many_to_many(bulk, lines, primitives, chunk, parts, |(counts, indices)| {
        FromWords(ListSink { counts, indices, found: Vec::new() })
    })
    .inspect_err(|_| list.offsets.clear())?;
    for line in 0..lines.len() {
        list.offsets[line + 1] += list.offsets[line];
    }
    list.indices.reserve(list.offsets[lines.len()]);
    for indices in found {
        list.indices.extend_from_slice(&indices);
    }
    Ok(defects)
}

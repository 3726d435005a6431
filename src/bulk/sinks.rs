//! What is kept of many against many: bits, counts, lists, or the closest.

use super::many_to_many::{Sink, TILE, chunk_size, many_to_many};
use super::parts::{by_parts, worth_it};
use super::tile::Seen;
use super::{Bulk, Closest, Defects, HitList, refuse_too_many};
use crate::columns::{Columns, Record, Shape};
use crate::error::Result;
use crate::primitive::{PreparedOf, Test, answers, hit_bits, set_bits};
use crate::simd::{Mask, Real, Vectors};

/// The bits of a tile: a word holds 64 primitives, a vector at most sixteen.
type Words = [u64; TILE * 16 / 64];

/// Which primitives of the tile a line meets.
#[inline(always)]
fn tile_bits<P: Record, K: Test<P>, V: Vectors<P::Scalar>>(
    lanes: V,
    test: &K,
    prepared: &PreparedOf<P, K, V::Real>,
    seen: &Seen<'_, P, V, TILE>,
) -> Words {
    let mut words: Words = [0; _];
    let vectors_of_word = 64 / V::COUNT;
    let vectors = seen.vectors();
    for (place, word) in words.iter_mut().enumerate().take(vectors.div_ceil(vectors_of_word)) {
        let first = place * vectors_of_word;
        for vector in first..vectors.min(first + vectors_of_word) {
            let bits = hit_bits(lanes, test, &seen.load(lanes, vector), prepared);
            *word |= u64::from(bits) << ((vector - first) * V::COUNT);
        }
    }
    // The last vector may have lanes without a primitive.
    if !seen.count.is_multiple_of(64) {
        words[seen.count / 64] &= (1 << (seen.count % 64)) - 1;
    }
    words
}

struct BitSink<'a> {
    words: &'a mut [u64],
    words_of_line: usize,
}

impl<P: Record, K: Test<P>> Sink<P, K> for BitSink<'_> {
    #[inline(always)]
    fn test<V: Vectors<P::Scalar>>(
        &mut self,
        lanes: V,
        test: &K,
        line: usize,
        prepared: &PreparedOf<P, K, V::Real>,
        seen: &Seen<'_, P, V, TILE>,
    ) {
        let words = tile_bits(lanes, test, prepared, seen);
        let start = line * self.words_of_line + seen.first / 64;
        let full = TILE * V::COUNT / 64;
        if seen.count == TILE * V::COUNT {
            // A number of words that the compiler knows, and copies without a call.
            self.words[start..][..full].copy_from_slice(&words[..full]);
        } else {
            let count = seen.count.div_ceil(64).min(full);
            self.words[start..][..count].copy_from_slice(&words[..count]);
        }
    }
}

pub(super) fn bits<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    bits: &mut Vec<u64>,
) -> Result<Defects> {
    bits.clear();
    refuse_too_many(primitives.len())?;
    let words_of_line = primitives.len().div_ceil(64);
    bits.resize(lines.len() * words_of_line, 0);
    if worth_it(lines.len(), primitives.len(), &bulk.threads) {
        let merge = |first: usize, part: Vec<u64>| {
            let words = part.len() / lines.len();
            for (whole, part) in bits.chunks_exact_mut(words_of_line).zip(part.chunks_exact(words)) {
                whole[first / 64..][..words].copy_from_slice(part);
            }
        };
        let outcome = by_parts(bulk, primitives, |bulk, part, into| bulk.bits(lines, part, into), merge);
        return outcome.inspect_err(|_| bits.clear());
    }
    let chunk = chunk_size(lines.len(), &bulk.threads);
    // Without primitives there are no words, but still lines whose defects are told.
    let no_words = std::iter::repeat_with(|| &mut [][..]);
    let parts = bits.chunks_mut((chunk * words_of_line).max(1)).chain(no_words);
    many_to_many(bulk, lines, primitives, chunk, parts, |words| BitSink { words, words_of_line })
        .inspect_err(|_| bits.clear())
}

struct CountSink<'a>(&'a mut [u32]);

impl<P: Record, K: Test<P>> Sink<P, K> for CountSink<'_> {
    #[inline(always)]
    fn test<V: Vectors<P::Scalar>>(
        &mut self,
        lanes: V,
        test: &K,
        line: usize,
        prepared: &PreparedOf<P, K, V::Real>,
        seen: &Seen<'_, P, V, TILE>,
    ) {
        for word in tile_bits(lanes, test, prepared, seen) {
            self.0[line] += word.count_ones();
        }
    }
}

pub(super) fn counts<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    counts: &mut Vec<u32>,
) -> Result<Defects> {
    counts.clear();
    refuse_too_many(primitives.len())?;
    counts.resize(lines.len(), 0);
    if worth_it(lines.len(), primitives.len(), &bulk.threads) {
        let merge = |_, part: Vec<u32>| {
            for (whole, part) in counts.iter_mut().zip(part) {
                *whole += part;
            }
        };
        let outcome = by_parts(bulk, primitives, |bulk, part, into| bulk.counts(lines, part, into), merge);
        return outcome.inspect_err(|_| counts.clear());
    }
    let chunk = chunk_size(lines.len(), &bulk.threads);
    many_to_many(bulk, lines, primitives, chunk, counts.chunks_mut(chunk), CountSink)
        .inspect_err(|_| counts.clear())
}

/// What a chunk of lines meets.
struct ListSink<'a> {
    /// How many primitives each line meets.
    counts: &'a mut [usize],
    /// The primitives, line by line.
    indices: &'a mut Vec<u32>,
    /// Line and primitive, tile by tile.
    found: Vec<(u32, u32)>,
}

impl<P: Record, K: Test<P>> Sink<P, K> for ListSink<'_> {
    #[inline(always)]
    fn test<V: Vectors<P::Scalar>>(
        &mut self,
        lanes: V,
        test: &K,
        line: usize,
        prepared: &PreparedOf<P, K, V::Real>,
        seen: &Seen<'_, P, V, TILE>,
    ) {
        let words = tile_bits(lanes, test, prepared, seen);
        for (place, mut word) in words.into_iter().enumerate() {
            self.counts[line] += word.count_ones() as usize;
            while word != 0 {
                let index = seen.first + 64 * place + word.trailing_zeros() as usize;
                self.found.push((line as u32, index as u32));
                word &= word - 1;
            }
        }
    }

    /// Sorts what was found by line. Tiles came in ascending order, and so do each line's primitives.
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

pub(super) fn list<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    list: &mut HitList,
) -> Result<Defects> {
    list.offsets.clear();
    list.indices.clear();
    refuse_too_many(primitives.len())?;
    if worth_it(lines.len(), primitives.len(), &bulk.threads) {
        let mut of_lines = vec![Vec::new(); lines.len()];
        let merge = |first: usize, part: HitList| {
            for (line, indices) in of_lines.iter_mut().enumerate() {
                indices.extend(part.of_line(line).iter().map(|index| index + first as u32));
            }
        };
        let defects = by_parts(bulk, primitives, |bulk, part, into| bulk.list(lines, part, into), merge)?;
        list.offsets.push(0);
        for indices in of_lines {
            list.indices.extend(indices);
            list.offsets.push(list.indices.len());
        }
        return Ok(defects);
    }
    let chunk = chunk_size(lines.len(), &bulk.threads);
    // Counts first; each becomes the end of its line when those of all before it are known.
    list.offsets.resize(lines.len() + 1, 0);
    let mut found = vec![Vec::new(); lines.len().div_ceil(chunk)];
    let parts = list.offsets[1..].chunks_mut(chunk).zip(&mut found);
    let defects = many_to_many(bulk, lines, primitives, chunk, parts, |(counts, indices)| ListSink {
        counts,
        indices,
        found: Vec::new(),
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

struct ClosestSink<'a, T> {
    index: &'a mut [u32],
    t: &'a mut [T],
}

impl<P: Record, K: Test<P>> Sink<P, K> for ClosestSink<'_, P::Scalar> {
    #[inline(always)]
    fn test<V: Vectors<P::Scalar>>(
        &mut self,
        lanes: V,
        test: &K,
        line: usize,
        prepared: &PreparedOf<P, K, V::Real>,
        seen: &Seen<'_, P, V, TILE>,
    ) {
        let mut best = self.t[line];
        for vector in 0..seen.vectors() {
            let primitive = seen.load(lanes, vector);
            let answer = test.test(&primitive, prepared);
            let mut bits = answer.hit.bits();
            let mut t: V::Row = bytemuck::Zeroable::zeroed();
            if K::DECIDES {
                if bits == 0 {
                    continue;
                }
                let decided = answers(lanes, test, &primitive, prepared);
                (bits, t) = (decided.bits, *K::Values::at(&decided.values, 0));
            } else {
                // Few primitives are closer than the closest so far: most vectors end here.
                let closer = K::Values::at(&answer.values, 0).lt(lanes.splat(best));
                bits = (answer.hit & closer).bits();
                if bits == 0 {
                    continue;
                }
                lanes.store(*K::Values::at(&answer.values, 0), &mut t);
            }
            let place = vector * V::COUNT;
            for lane in set_bits(bits).take_while(|lane| place + lane < seen.count) {
                // Primitives come in ascending order: at equal `t` the first stays.
                if t.as_ref()[lane] < best {
                    best = t.as_ref()[lane];
                    self.index[line] = (seen.first + place + lane) as u32;
                }
            }
        }
        self.t[line] = best;
    }
}

pub(super) fn closest<P: Record, K: Test<P>>(
    bulk: &Bulk<'_, K>,
    lines: &Columns<'_, K::Line>,
    primitives: &Columns<'_, P>,
    closest: &mut Closest<P::Scalar>,
) -> Result<Defects> {
    const { assert!(K::Values::COUNT > 0, "a test that gives no t has no closest hit") };
    closest.reset(0);
    refuse_too_many(primitives.len())?;
    closest.reset(lines.len());
    if worth_it(lines.len(), primitives.len(), &bulk.threads) {
        let merge = |first: usize, part: Closest<P::Scalar>| {
            for line in 0..part.t.len() {
                // Parts come in ascending order: at equal `t` the first stays.
                if part.t[line] < closest.t[line] {
                    closest.t[line] = part.t[line];
                    closest.index[line] = part.index[line] + first as u32;
                }
            }
        };
        let outcome = by_parts(bulk, primitives, |bulk, part, into| bulk.closest(lines, part, into), merge);
        return outcome.inspect_err(|_| closest.reset(0));
    }
    let chunk = chunk_size(lines.len(), &bulk.threads);
    let parts = closest.index.chunks_mut(chunk).zip(closest.t.chunks_mut(chunk));
    many_to_many(bulk, lines, primitives, chunk, parts, |(index, t)| ClosestSink { index, t })
        .inspect_err(|_| closest.reset(0))
}

//! The answers about every line and every primitive, and the sinks that fill them.

use super::answers::{Closest, HitList, resize};
use super::tile::TileView;
use crate::answers::INVALID_ID;
use crate::columns::{Record, Shape};
use crate::error::Result;
use crate::kernel::test::{PreparedOf, Test, answers};
use crate::simd::{MAX_LANES, Mask, Real, Scalar, Vectors, set_bits};

/// Vectors of a tile: 12 kB of boxes, at most 30 kB. Half as many are 3 to 8% slower, a quarter 10
/// to 20%.
pub(super) const TILE: usize = 32;

/// An answer that is filled by chunks of lines, or joined from answers about parts of the
/// primitives.
pub(super) trait Collect<P: Record, K: Test<P>>: Default + Send {
    /// Removes the answers, and makes room for those about so many lines and primitives.
    fn reset(&mut self, lines: usize, primitives: usize) -> Result<()>;

    fn sinks(
        &mut self,
        lines_of_chunk: usize,
        primitives: usize,
    ) -> impl Iterator<Item = impl Sink<P, K>>;

    fn finish(&mut self, _: Vec<Vec<u32>>) {}

    /// Takes the answers about parts of the primitives, each with the number of its first, in
    /// ascending order.
    fn join(&mut self, lines: usize, parts: Vec<(usize, Self)>);
}

/// `length` new values in the memory of the old ones.
fn renew<T: Clone>(values: &mut Vec<T>, length: usize, value: T, rows: usize) -> Result<()> {
    values.clear();
    resize(values, length, value, rows)
}

/// The hits of a chunk of lines, as line and primitive, tile by tile. Only a list keeps them.
pub(super) type Found = Vec<(u32, u32)>;

/// The primitives of hits, sorted by line. Tiles come in ascending order, and so do the primitives
/// of each line.
pub(super) fn sorted_by_line(found: Found, lines: usize) -> Vec<u32> {
    let mut next = vec![0; lines + 1];
    for &(line, _) in &found {
        next[line as usize + 1] += 1;
    }
    for line in 0..lines {
        next[line + 1] += next[line];
    }
    let mut indices = vec![0; found.len()];
    for (line, index) in found {
        let place = &mut next[line as usize];
        indices[*place] = index;
        *place += 1;
    }
    indices
}

pub(super) trait Sink<P: Record, K: Test<P>>: Send {
    /// Tests a line with a tile, and keeps the results.
    fn test<V: Vectors<P::Scalar>>(&mut self, visit: &Visit<'_, P, K, V>, found: &mut Found);
}

/// A line of a chunk at a tile of primitives.
pub(super) struct Visit<'a, P: Record, K: Test<P>, V: Vectors<P::Scalar>> {
    pub(super) lanes: V,
    pub(super) test: &'a K,
    /// The number of the line in the chunk.
    pub(super) line: usize,
    pub(super) prepared: PreparedOf<P, K, V::Real>,
    pub(super) seen: TileView<'a, P, V, TILE>,
}

/// Takes the bits of line number `line` of the chunk and the primitives from number `first` on;
/// bits of primitives that do not exist are zero. Behind a pointer: with a call per line and tile,
/// a test is compiled once for all such answers.
type TakeWords<'a> = Box<dyn FnMut(usize, usize, &[u64], &mut Found) + Send + 'a>;

impl<P: Record, K: Test<P>> Sink<P, K> for TakeWords<'_> {
    #[inline(always)]
    fn test<V: Vectors<P::Scalar>>(&mut self, visit: &Visit<'_, P, K, V>, found: &mut Found) {
        let &Visit { lanes, test, line, ref prepared, ref seen } = visit;
        let mut words = [0; TILE * MAX_LANES / 64];
        let vectors_of_word = 64 / V::COUNT;
        for vector in 0..seen.vectors() {
            let primitive = seen.load(lanes, vector);
            let mut bits = test.test(&primitive, prepared).hit.bits();
            if K::DECIDES && bits != 0 {
                bits = answers(lanes, test, &primitive, prepared).bits;
            }
            words[vector / vectors_of_word] |=
                u64::from(bits) << (vector % vectors_of_word * V::COUNT);
        }
        let words = &mut words[..seen.count.div_ceil(64)];
        // The last vector may have lanes without a primitive.
        if let (Some(last), rest @ 1..) = (words.last_mut(), seen.count % 64) {
            *last &= (1 << rest) - 1;
        }
        self(line, seen.first, words, found);
    }
}

impl<P: Record, K: Test<P>> Collect<P, K> for Vec<u64> {
    fn reset(&mut self, lines: usize, primitives: usize) -> Result<()> {
        renew(self, lines.saturating_mul(primitives.div_ceil(64)), 0, lines)
    }

    fn sinks(
        &mut self,
        lines_of_chunk: usize,
        primitives: usize,
    ) -> impl Iterator<Item = impl Sink<P, K>> {
        let words_of_line = primitives.div_ceil(64);
        // Without primitives there are no words, but lines still have defects to count.
        let no_words = std::iter::repeat_with(|| &mut [][..]);
        let chunks = self.chunks_mut((lines_of_chunk * words_of_line).max(1)).chain(no_words);
        chunks.map(move |into| {
            let take = move |line: usize, first: usize, words: &[u64], _: &mut Found| {
                into[line * words_of_line + first / 64..][..words.len()].copy_from_slice(words);
            };
            Box::new(take) as TakeWords<'_>
        })
    }

    fn join(&mut self, lines: usize, parts: Vec<(usize, Self)>) {
        let words_of_line = self.len() / lines;
        for (first, part) in parts {
            let words = part.len() / lines;
            for (whole, part) in self.chunks_exact_mut(words_of_line).zip(part.chunks_exact(words))
            {
                whole[first / 64..][..words].copy_from_slice(part);
            }
        }
    }
}

impl<P: Record, K: Test<P>> Collect<P, K> for Vec<u32> {
    fn reset(&mut self, lines: usize, _: usize) -> Result<()> {
        renew(self, lines, 0, lines)
    }

    fn sinks(&mut self, lines_of_chunk: usize, _: usize) -> impl Iterator<Item = impl Sink<P, K>> {
        self.chunks_mut(lines_of_chunk).map(|counts| {
            let take = |line: usize, _: usize, words: &[u64], _: &mut Found| {
                counts[line] += words.iter().map(|word| word.count_ones()).sum::<u32>();
            };
            Box::new(take) as TakeWords<'_>
        })
    }

    fn join(&mut self, _: usize, parts: Vec<(usize, Self)>) {
        for (_, part) in parts {
            self.iter_mut().zip(part).for_each(|(whole, part)| *whole += part);
        }
    }
}

impl<P: Record, K: Test<P>> Collect<P, K> for HitList {
    /// Room for the counts; each becomes the end of its line when those of all before it are known.
    fn reset(&mut self, lines: usize, _: usize) -> Result<()> {
        self.indices.clear();
        renew(&mut self.offsets, lines + 1, 0, lines)
    }

    fn sinks(&mut self, lines_of_chunk: usize, _: usize) -> impl Iterator<Item = impl Sink<P, K>> {
        self.offsets[1..].chunks_mut(lines_of_chunk).map(|counts| {
            let take = |line: usize, first: usize, words: &[u64], found: &mut Found| {
                for (first, &word) in (first..).step_by(64).zip(words) {
                    counts[line] += word.count_ones() as usize;
                    found.extend(set_bits(word).map(|place| (line as u32, (first + place) as u32)));
                }
            };
            Box::new(take) as TakeWords<'_>
        })
    }

    fn finish(&mut self, indices_of_chunks: Vec<Vec<u32>>) {
        for line in 1..self.offsets.len() {
            self.offsets[line] += self.offsets[line - 1];
        }
        self.indices.reserve(self.offsets[self.offsets.len() - 1]);
        for indices in indices_of_chunks {
            self.indices.extend_from_slice(&indices);
        }
    }

    fn join(&mut self, lines: usize, parts: Vec<(usize, Self)>) {
        for line in 0..lines {
            for (first, part) in &parts {
                self.indices.extend(part.of_line(line).iter().map(|index| index + *first as u32));
            }
            self.offsets[line + 1] = self.indices.len();
        }
    }
}

/// The index of the closest primitive of each line, and its `t`.
impl<P: Record, K: Test<P>> Sink<P, K> for (&mut [u32], &mut [P::Scalar]) {
    #[inline(always)]
    fn test<V: Vectors<P::Scalar>>(&mut self, visit: &Visit<'_, P, K, V>, _: &mut Found) {
        let (index, t_of_lines) = self;
        let &Visit { lanes, test, line, ref prepared, ref seen } = visit;
        let mut best = t_of_lines[line];
        for vector in 0..seen.vectors() {
            let primitive = seen.load(lanes, vector);
            let answer = test.test(&primitive, prepared);
            let mut hit = answer.hit;
            if !K::DECIDES {
                // Few primitives are closer than the closest so far: most vectors end here.
                hit = hit & K::Values::at(&answer.values, 0).lt(lanes.splat(best));
            }
            if hit.bits() == 0 {
                continue;
            }
            let answers = answers(lanes, test, &primitive, prepared);
            let t: &V::Row = K::Values::at(&answers.values, 0);
            let place = vector * V::COUNT;
            for lane in
                set_bits(hit.bits() & answers.bits).take_while(|lane| place + lane < seen.count)
            {
                // Primitives come in ascending order: at equal `t` the first stays.
                if t.as_ref()[lane] < best {
                    best = t.as_ref()[lane];
                    index[line] = (seen.first + place + lane) as u32;
                }
            }
        }
        t_of_lines[line] = best;
    }
}

impl<T: Scalar, P: Record<Scalar = T>, K: Test<P>> Collect<P, K> for Closest<T> {
    fn reset(&mut self, lines: usize, _: usize) -> Result<()> {
        const { assert!(K::Values::COUNT > 0, "a test that gives no t has no closest hit") };
        renew(&mut self.index, lines, INVALID_ID, lines)?;
        renew(&mut self.t, lines, T::INFINITY, lines)
    }

    fn sinks(&mut self, lines_of_chunk: usize, _: usize) -> impl Iterator<Item = impl Sink<P, K>> {
        self.index.chunks_mut(lines_of_chunk).zip(self.t.chunks_mut(lines_of_chunk))
    }

    fn join(&mut self, lines: usize, parts: Vec<(usize, Self)>) {
        for (first, part) in parts {
            for line in 0..lines {
                // Parts come in ascending order: at equal `t` the first stays.
                if part.t[line] < self.t[line] {
                    self.t[line] = part.t[line];
                    self.index[line] = part.index[line] + first as u32;
                }
            }
        }
    }
}

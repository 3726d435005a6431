//! Results as bits, for answers that need no more.

use super::{Sink, TILE};
use crate::columns::Record;
use crate::kernel::bulk::tile::TileView;
use crate::kernel::test::{PreparedOf, Test, hit_bits};
use crate::simd::Vectors;

/// The consumer of the bits.
pub(super) trait WordSink {
    /// Takes the bits of line number `line` of the chunk and the 64 primitives from `first` on. Bits of primitives
    /// that do not exist are zero.
    fn take(&mut self, line: usize, first: usize, bits: u64);

    /// All lines of the chunk have met all primitives.
    fn finish(self)
    where
        Self: Sized,
    {
    }
}

/// A sink that passes bits on.
///
/// Each word is passed on as soon as it is complete: collected in an array first, they were copied by a call, whose
/// wide loads stalled on the narrow stores before them.
pub(super) struct FromWords<S>(pub(super) S);

impl<P: Record, K: Test<P>, S: WordSink> Sink<P, K> for FromWords<S> {
    #[inline(always)]
    fn test<V: Vectors<P::Scalar>>(
        &mut self,
        lanes: V,
        test: &K,
        line: usize,
        prepared: &PreparedOf<P, K, V::Real>,
        seen: &TileView<'_, P, V, TILE>,
    ) {
        let vectors = seen.vectors();
        let vectors_of_word = 64 / V::COUNT;
        for first in (0..vectors).step_by(vectors_of_word) {
            let mut word = 0;
            for vector in first..vectors.min(first + vectors_of_word) {
                let bits = hit_bits(lanes, test, &seen.load(lanes, vector), prepared);
                word |= u64::from(bits) << ((vector - first) * V::COUNT);
            }
            let first = first * V::COUNT;
            // The last vector may have lanes without a primitive.
            let primitives = seen.count - first;
            if primitives < 64 {
                word &= (1 << primitives) - 1;
            }
            self.0.take(line, seen.first + first, word);
        }
    }

    fn finish(self) {
        self.0.finish();
    }
}

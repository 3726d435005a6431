//! Lines of sight as bits.

use crate::columns::{rows, shown};
use crate::error::{Error, Result};

/// A bit for each pair of observer and target, set if the target is in sight.
///
/// Observer `i` has the words `i` · `w` to `i` · `w` + `w` − 1, with `w` = ⌈targets / 64⌉; target
/// `j` is bit `j` % 64 of word `j` / 64 of these. Bits beyond the last target are zero.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct SightMatrix {
    pub(crate) words: Vec<u64>,
    pub(crate) observers: usize,
    pub(crate) targets: usize,
}

shown!([] SightMatrix as "SightMatrix", self { "observers": self.observers, "targets": self.targets });

rows! {
    /// The bits of each observer, in order, as [`of_observer`](Self::of_observer) gives them.
    ['b,] &'b SightMatrix => &'b [u64], SightMatrix::observers, SightMatrix::of_observer
}

impl SightMatrix {
    /// The bits of all observers.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// The number of observers.
    pub const fn observers(&self) -> usize {
        self.observers
    }

    /// The number of targets.
    pub const fn targets(&self) -> usize {
        self.targets
    }

    pub(crate) const fn words_per_observer(&self) -> usize {
        self.targets.div_ceil(64)
    }

    /// The bits of an observer. Panics if there is no such observer.
    pub fn of_observer(&self, observer: usize) -> &[u64] {
        &self.words[observer * self.words_per_observer()..][..self.words_per_observer()]
    }

    /// Whether a target is in sight of an observer. Panics if there is no such observer or target.
    pub fn sees(&self, observer: usize, target: usize) -> bool {
        assert!(target < self.targets, "target {target} of {}", self.targets);
        self.of_observer(observer)[target / 64] >> (target % 64) & 1 == 1
    }

    /// The number of targets in sight of an observer. Panics if there is no such observer.
    pub fn count(&self, observer: usize) -> usize {
        self.of_observer(observer).iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Resizes to zeros and reuses the memory. If memory does not hold the bits, the matrix is
    /// empty.
    pub(crate) fn resize(&mut self, observers: usize, targets: usize) -> Result<()> {
        self.clear();
        let too_large = || Error::AnswersTooLarge { rows: observers.saturating_mul(targets) };
        let words = observers.checked_mul(targets.div_ceil(64)).ok_or_else(too_large)?;
        self.words.try_reserve_exact(words).map_err(|_| too_large())?;
        self.words.resize(words, 0);
        (self.observers, self.targets) = (observers, targets);
        Ok(())
    }

    pub(crate) fn clear(&mut self) {
        (self.observers, self.targets) = (0, 0);
        self.words.clear();
    }
}

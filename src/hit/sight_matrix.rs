//! Who sees what.

use crate::error::{Error, Result};

/// Which targets are in sight of which observers, a bit for each pair.
///
/// Observer `i` has the words `i` · `w` to `i` · `w` + `w` − 1, with `w` = ⌈targets / 64⌉; target `j` is bit `j` % 64
/// of word `j` / 64 of these, set if it is in sight. Bits beyond the last target are zero.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SightMatrix {
    /// The bits of all observers.
    pub words: Vec<u64>,
    pub(crate) observers: usize,
    pub(crate) targets: usize,
}

impl SightMatrix {
    /// How many observers there are.
    pub const fn observers(&self) -> usize {
        self.observers
    }

    /// How many targets there are.
    pub const fn targets(&self) -> usize {
        self.targets
    }

    /// Words of each observer.
    pub const fn words_per_observer(&self) -> usize {
        self.targets.div_ceil(64)
    }

    /// The bits of an observer.
    ///
    /// # Panics
    /// If there is no such observer.
    pub fn of_observer(&self, observer: usize) -> &[u64] {
        &self.words[observer * self.words_per_observer()..][..self.words_per_observer()]
    }

    /// Whether a target is in sight of an observer.
    ///
    /// # Panics
    /// If there is no such observer or target.
    pub fn sees(&self, observer: usize, target: usize) -> bool {
        assert!(target < self.targets, "target {target} of {}", self.targets);
        self.of_observer(observer)[target / 64] >> (target % 64) & 1 == 1
    }

    /// How many targets are in sight of an observer.
    ///
    /// # Panics
    /// If there is no such observer.
    pub fn count(&self, observer: usize) -> usize {
        self.of_observer(observer).iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Target `target` is in sight of `observer`.
    pub(crate) fn set(&mut self, observer: usize, target: usize) {
        let word = observer * self.words_per_observer() + target / 64;
        self.words[word] |= 1 << (target % 64);
    }

    /// Makes room, keeping the memory.
    ///
    /// # Errors
    /// [`Error::AnswersTooLarge`] if memory does not hold the bits. The matrix is then empty.
    pub(crate) fn resize(&mut self, observers: usize, targets: usize) -> Result<()> {
        self.clear();
        let too_large = || Error::AnswersTooLarge { rows: observers.saturating_mul(targets) };
        let words = observers.checked_mul(targets.div_ceil(64)).ok_or_else(too_large)?;
        self.words.try_reserve_exact(words).map_err(|_| too_large())?;
        self.words.resize(words, 0);
        (self.observers, self.targets) = (observers, targets);
        Ok(())
    }

    /// Holds nothing from now on.
    pub(crate) fn clear(&mut self) {
        (self.observers, self.targets) = (0, 0);
        self.words.clear();
    }
}

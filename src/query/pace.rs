//! When to try again what did not pay.

use std::sync::{Mutex, PoisonError};

/// When to try again after a try that did not pay: at once after the first such, and the more often in a row it
/// did not, the later.
///
/// Among groups of rays that pay there are always some that do not, as where they cross the edge of what is
/// seen: to let another go untried for each of these cost shadow rays in a kitchen a third.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// How often still to go without.
    waiting: u32,
    /// How often that is to be the next time.
    longer: u32,
}

impl Pace {
    const LONGEST: u32 = 31;

    /// Whether to try now.
    pub(crate) const fn tries(&mut self) -> bool {
        let tries = self.waiting == 0;
        self.waiting = self.waiting.saturating_sub(1);
        tries
    }

    /// Takes note of whether the last try paid.
    pub(crate) fn record(&mut self, paid: bool) {
        self.waiting = if paid { 0 } else { self.longer };
        self.longer = if paid { 0 } else { (2 * self.longer + 1).min(Self::LONGEST) };
    }
}

/// A pace that the chunks of a batch have in common.
#[derive(Debug)]
pub(crate) struct SharedPace(Mutex<Pace>);

impl SharedPace {
    pub(crate) const fn new() -> Self {
        // Chunks are long: the first that does not pay says enough of the next.
        Self(Mutex::new(Pace { waiting: 0, longer: 1 }))
    }

    /// Whether to try now.
    pub(crate) fn tries(&self) -> bool {
        self.with(Pace::tries)
    }

    /// Takes note of whether a try paid.
    pub(crate) fn record(&self, paid: bool) {
        self.with(|pace| pace.record(paid));
    }

    fn with<T>(&self, act: impl FnOnce(&mut Pace) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

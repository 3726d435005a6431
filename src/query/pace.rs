//! When to try again what did not pay.

use std::sync::{Mutex, PoisonError};

/// How often to try: the more often in a row it did not pay, the later again.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// How often still to go without.
    waiting: u32,
    /// How often that was the last time.
    last: u32,
}

impl Pace {
    const LONGEST: u32 = 31;

    pub(crate) const NEW: Self = Self { waiting: 0, last: 0 };

    /// Whether to try now.
    pub(crate) const fn tries(&mut self) -> bool {
        let tries = self.waiting == 0;
        self.waiting = self.waiting.saturating_sub(1);
        tries
    }

    /// Takes note of whether the last try paid.
    pub(crate) fn heed(&mut self, paid: bool) {
        self.last = if paid { 0 } else { (2 * self.last + 1).min(Self::LONGEST) };
        self.waiting = self.last;
    }
}

/// A pace that the chunks of a batch have in common.
#[derive(Debug)]
pub(crate) struct SharedPace(Mutex<Pace>);

impl SharedPace {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Pace::NEW))
    }

    /// Whether to try now.
    pub(crate) fn tries(&self) -> bool {
        self.with(Pace::tries)
    }

    /// Takes note of whether a try paid.
    pub(crate) fn heed(&self, paid: bool) {
        self.with(|pace| pace.heed(paid));
    }

    fn with<T>(&self, act: impl FnOnce(&mut Pace) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

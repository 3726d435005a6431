//! The pace of tries: when to try groups or streams again after they did not pay.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The pace of tries: at once after the first try that did not pay, and later the more tries in a
/// row did not pay.
///
/// Among groups that pay some do not, such as those across the edge of an object. To skip another
/// group for each of these cost shadow rays in a kitchen a third.
#[derive(Debug)]
pub(crate) struct Pace {
    waiting: u32,
    /// The number of tries to skip the next time.
    longer: u32,
    /// The most tries to skip.
    most: u32,
}

impl Pace {
    /// Of groups, of which a chunk has hundreds: some are tried in each.
    pub(crate) const GROUPS: Self = Self { waiting: 0, longer: 0, most: 127 };

    /// Of streams, of which a chunk has one: one that does not pay is enough to skip the next.
    const STREAMS: Self = Self { waiting: 0, longer: 1, most: 31 };

    pub(crate) const fn tries(&mut self) -> bool {
        let tries = self.waiting == 0;
        self.waiting = self.waiting.saturating_sub(1);
        tries
    }

    pub(crate) fn record(&mut self, paid: bool) {
        self.waiting = if paid { 0 } else { self.longer };
        self.longer = if paid { 0 } else { (2 * self.longer + 1).min(self.most) };
    }
}

/// A pace that the chunks of a batch share.
#[derive(Debug)]
pub(crate) struct SharedPace {
    streams: Mutex<Pace>,
    /// Whether streams of one octant pay.
    by_octant: AtomicBool,
}

impl SharedPace {
    pub(crate) const fn new() -> Self {
        Self { streams: Mutex::new(Pace::STREAMS), by_octant: AtomicBool::new(false) }
    }

    pub(crate) fn go_by_octant(&self) -> bool {
        self.by_octant.load(Ordering::Relaxed)
    }

    pub(crate) fn set_by_octant(&self) {
        self.by_octant.store(true, Ordering::Relaxed);
    }

    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut Pace) -> T) -> T {
        act(&mut self.streams.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
#[path = "../../tests/unit/query/pace.rs"]
mod tests;

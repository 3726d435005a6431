//! Whether it pays to walk rays together.

/// What walking a group has cost.
#[derive(Debug, Default)]
pub(super) struct Tally {
    /// Vectors of rays that were tested against a box.
    pub(super) vectors: u64,
    /// Rays that met the boxes that they were tested against.
    pub(super) met: u64,
}

impl Tally {
    /// Whether the rays would have taken longer each on its own way.
    ///
    /// A vector costs a group as much whether one of its rays meets the box or all do, while a ray on
    /// its own pays for each node. Camera, shadow and lidar rays at the dragon, the gyroid and the
    /// terrain gain 1.3 to 3 times from 3.3 rays a vector on and lose up to 1.5 times below 1.8.
    pub(super) const fn pays(&self) -> bool {
        2 * self.met >= 5 * self.vectors
    }
}

/// When to try the next group after one that did not pay: the more often in a row it did not, the later.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// Groups that still go without trying.
    waiting: u32,
    /// How many went so the last time.
    last: u32,
}

impl Pace {
    const LONGEST: u32 = 31;

    /// Whether to try the next group.
    pub(super) const fn tries(&mut self) -> bool {
        let tries = self.waiting == 0;
        self.waiting = self.waiting.saturating_sub(1);
        tries
    }

    /// Takes note of whether the last try paid.
    pub(super) fn heed(&mut self, paid: bool) {
        self.last = if paid { 0 } else { (2 * self.last + 1).min(Self::LONGEST) };
        self.waiting = self.last;
    }
}

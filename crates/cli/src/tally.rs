//! What answers add up to.

use lanecast::Status;

/// What became of all rays or points so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Tally {
    by_status: [u64; Status::ALL.len()],
    found: Option<u64>,
}

impl Tally {
    /// Adds what became of some more, and how many hits they have where more than one is looked
    /// for.
    pub(crate) fn add(&mut self, status: &[Status], found: Option<u64>) {
        for status in status {
            self.by_status[usize::from(status.code())] += 1;
        }
        if let Some(found) = found {
            *self.found.get_or_insert(0) += found;
        }
    }

    /// How many there are.
    pub(crate) fn rows(&self) -> u64 {
        self.by_status.iter().sum()
    }

    pub(crate) fn of(&self, status: Status) -> u64 {
        self.by_status[usize::from(status.code())]
    }

    pub(crate) fn found(&self) -> Option<u64> {
        self.found
    }

    /// The reasons for which some were not answered, each with their number.
    pub(crate) fn invalid(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Status::ALL
            .into_iter()
            .filter(|status| status.is_invalid())
            .map(|status| (status.name(), self.of(status)))
            .filter(|&(_, rows)| rows > 0)
    }
}

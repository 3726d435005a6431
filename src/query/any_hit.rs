//! Whether each ray meets anything.

use crate::hit::Candidate;
use crate::query::Query;
use crate::status::Status;

/// Stops a ray at the first hit that turns up.
pub(crate) struct AnyHit<'a> {
    pub(crate) status: &'a mut [Status],
}

impl Query for AnyHit<'_> {
    type State = bool;

    const NARROWS: bool = false;
    const START: bool = false;

    #[inline(always)]
    fn offer(&mut self, _row: usize, met: &mut bool, _: Candidate, _: impl FnOnce() -> [f32; 3]) {
        *met = true;
    }

    #[inline(always)]
    fn is_settled(met: &bool) -> bool {
        *met
    }

    #[inline(always)]
    fn finish(&mut self, row: usize, met: &bool) {
        self.status[row] = if *met { Status::Hit } else { Status::Miss };
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.status[row] = defect;
    }
}

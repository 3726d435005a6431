//! How many primitives each ray meets.

use crate::hit::Candidate;
use crate::kernel::ExactScalar;
use crate::query::{Each, Query};
use crate::status::Status;
use crate::value::Side;

/// Counts.
pub(crate) struct CountHits<'a> {
    pub(crate) status: &'a mut [Status],
    pub(crate) count: &'a mut [u32],
}

impl<T: ExactScalar> Query<T> for CountHits<'_> {
    type State = u32;
    type Group = Each<u32>;

    const NARROWS: bool = false;
    const COUNTS_CONTACTS: bool = true;
    const START: u32 = 0;

    #[inline(always)]
    fn offer(&mut self, _row: usize, count: &mut u32, _: Candidate<T>, _: Side, _: impl Fn() -> [T; 3]) {
        *count += 1;
    }

    #[inline(always)]
    fn finish(&mut self, row: usize, &count: &u32) {
        self.status[row] = if count > 0 { Status::Hit } else { Status::Miss };
        self.count[row] = count;
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.status[row] = defect;
        self.count[row] = 0;
    }
}

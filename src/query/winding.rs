//! How often a closed surface goes around the points from which rays start.

use crate::hit::Candidate;
use crate::kernel::ExactScalar;
use crate::query::{Each, Query};
use crate::status::Status;
use crate::value::Side;

/// Counts crossings by their side: one more for each surface that a ray leaves, one less for each that it enters.
pub(crate) struct Winding<'a> {
    pub(crate) status: &'a mut [Status],
    pub(crate) winding: &'a mut [i32],
}

impl<T: ExactScalar> Query<T> for Winding<'_> {
    type State = i32;
    type Group = Each<i32>;

    const NARROWS: bool = false;
    const COUNTS_CONTACTS: bool = true;
    const START: i32 = 0;

    #[inline(always)]
    fn offer(&mut self, _: usize, winding: &mut i32, _: Candidate<T>, side: Side, _: impl Fn() -> [T; 3]) {
        *winding += match side {
            Side::Back => 1,
            Side::Front => -1,
        };
    }

    #[inline(always)]
    fn finish(&mut self, row: usize, &winding: &i32) {
        self.status[row] = if winding == 0 { Status::Miss } else { Status::Hit };
        self.winding[row] = winding;
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.status[row] = defect;
        self.winding[row] = 0;
    }
}

//! Every primitive along each ray, in order.

use crate::hit::Candidate;
use crate::kernel::ExactScalar;
use crate::query::{Each, Query};
use crate::status::Status;
use crate::value::Side;

/// Collects every hit of every ray of a chunk.
pub(crate) struct AllHits<'a, T = f32> {
    pub(crate) status: &'a mut [Status],
    /// Each hit with its row, in the order in which they turn up.
    pub(crate) found: Vec<(u32, Candidate<T>)>,
}

impl<T: ExactScalar> AllHits<'_, T> {
    /// The hits by row, then `t`, then number.
    pub(crate) fn into_sorted(mut self) -> Vec<(u32, Candidate<T>)> {
        self.found.sort_unstable_by(|(row_a, a), (row_b, b)| row_a.cmp(row_b).then(a.order(b)));
        self.found
    }
}

impl<T: ExactScalar> Query<T> for AllHits<'_, T> {
    type State = bool;
    type Group = Each<bool>;

    const NARROWS: bool = false;
    const COUNTS_CONTACTS: bool = true;
    const MAY_STREAM: bool = false;
    const START: bool = false;

    fn offer(
        &mut self,
        row: usize,
        met: &mut bool,
        candidate: Candidate<T>,
        _: Side,
        _: impl Fn() -> [T; 3],
    ) {
        *met = true;
        self.found.push((row as u32, candidate));
    }

    fn finish(&mut self, row: usize, met: &bool) {
        self.status[row] = if *met { Status::Hit } else { Status::Miss };
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.status[row] = defect;
    }
}

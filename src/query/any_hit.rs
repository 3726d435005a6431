//! Any hit of each ray: the traversal of its own.

use crate::answers::Candidate;
use crate::kernel::{ExactScalar, Met};
use crate::query::group_state::{in_eighth, run};
use crate::query::{Needs, Offer, Query};
use crate::simd::{Mask, Vectors};
use crate::status::Status;
use crate::value::{GROUP, Side};

pub(crate) struct AnyHit<'a> {
    pub(crate) status: &'a mut [Status],
    /// The rows of the rays there, if they were cast elsewhere before: rays without a hit then keep
    /// their status.
    pub(crate) rows: Option<&'a [u32]>,
}

/// The statuses of eight rays, by the bits of those with a hit.
static BY_BITS: [[Status; 8]; 256] = {
    let mut by_bits = [[Status::Miss; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut place = 0;
        while place < 8 {
            if bits >> place & 1 == 1 {
                by_bits[bits][place] = Status::Hit;
            }
            place += 1;
        }
        bits += 1;
    }
    by_bits
};

impl AnyHit<'_> {
    #[inline(always)]
    fn write(&mut self, row: usize, met: bool) {
        match self.rows {
            None => self.status[row] = if met { Status::Hit } else { Status::Miss },
            Some(rows) if met => self.status[rows[row] as usize] = Status::Hit,
            Some(_) => {}
        }
    }
}

impl<T: ExactScalar> Query<T> for AnyHit<'_> {
    type State = bool;
    /// The rays with a hit.
    type Group = u64;

    const NEEDS: Needs =
        Needs { touches: true, any_hit_settles: true, forgets: true, ..Needs::ALL_HITS };
    const START: bool = false;
    const GROUP_START: u64 = 0;

    #[inline(always)]
    fn take_certain_hit(met: &mut bool) {
        *met = true;
    }

    #[inline(always)]
    fn take_certain_hits(met: &mut u64, lanes: u64) {
        *met |= lanes;
    }

    #[inline(always)]
    fn offer(
        &mut self,
        _row: usize,
        met: &mut bool,
        _: Candidate<T>,
        _: Side,
        _: impl Fn() -> [T; 3],
    ) {
        *met = true;
    }

    #[inline(always)]
    fn offer_vector<V: Vectors<T>, M: Met<V::Real>>(
        &mut self,
        met: &mut u64,
        _: V,
        offer: Offer<'_, V::Real, M>,
        _: impl Fn() -> [T; 3],
    ) -> u32 {
        let hits = offer.met.hits().0.bits();
        *met |= u64::from(hits) << (offer.vector * V::COUNT);
        hits
    }

    #[inline(always)]
    fn is_settled(met: &bool) -> bool {
        *met
    }

    #[inline(always)]
    fn finish(&mut self, row: usize, met: &bool) {
        self.write(row, *met);
    }

    #[inline(always)]
    fn finish_group(&mut self, met: &u64, rows: &[u32; GROUP], lanes: u64) {
        for eighth in 0..GROUP / 8 {
            if let (None, Some(first)) = (self.rows, run(rows, lanes, eighth)) {
                let status: &mut [Status; 8] =
                    (&mut self.status[first..first + 8]).try_into().expect("eight");
                *status = BY_BITS[usize::from((met >> (8 * eighth)) as u8)];
            } else {
                for lane in in_eighth(lanes, eighth) {
                    self.write(rows[lane] as usize, met >> lane & 1 == 1);
                }
            }
        }
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        if self.rows.is_none() {
            self.status[row] = defect;
        }
    }
}

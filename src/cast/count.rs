//! The number of hits of each ray.

use super::one::met_or_refused;
use super::rays::owned;
use super::{Cast, OneRay, RaysOf};
use crate::answers::{CountBatch, CountColumns, CountRows, Hit, With};
use crate::error::Result;
use crate::query::{Kind, Sink};
use crate::scene::Precision;
use crate::simd::Scalar;
use crate::status::Status;
use crate::value::Side;

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// The number of crossings of each ray, or of touches with [`Contact::Touch`](crate::Contact::Touch). A crossing
    /// through an edge or a vertex that triangles share counts once. A box or a sphere counts where the ray enters and
    /// where it leaves. The number of crossings may be 0 at the rim of an open surface, where [`closest`](Self::closest)
    /// hits.
    ///
    /// # Errors
    /// As [`closest`](Self::closest).
    pub fn count(&self) -> Result<CountBatch> {
        owned(|counts| self.count_into(counts))
    }

    /// [`count`](Self::count) into a batch, whose memory is reused, or into the caller's columns.
    ///
    /// # Errors
    /// As [`closest_into`](Self::closest_into).
    pub fn count_into<'o>(&self, counts: impl Into<CountColumns<'o>>) -> Result<()> {
        self.count_columns(counts.into())
    }

    fn count_columns(&self, counts: CountColumns<'_>) -> Result<()> {
        counts.fill(self.len(), With::default(), |columns, with| {
            let plan = self.plan()?;
            self.for_each_chunk(&plan, columns.chunks(self.len(), plan.chunk), |chunk, mut columns| {
                columns.write(chunk.rows.len(), with, |rows| chunk.run(&mut Count { rows }));
            })
        })
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// The number of crossings of the ray, or of touches with [`Contact::Touch`](crate::Contact::Touch), as
    /// [of a batch](Cast::count).
    ///
    /// # Errors
    /// As [`closest`](Self::closest).
    pub fn count(&self) -> Result<u32> {
        let (mut status, mut count) = ([Status::Miss], [0]);
        self.as_batch().count_into(CountColumns::new().status(&mut status).count(&mut count))?;
        met_or_refused(status[0]).map(|_| count[0])
    }
}

/// Counts hits.
pub(super) struct Count<'a> {
    pub(super) rows: CountRows<'a>,
}

impl<T: Scalar> Sink<T> for Count<'_> {
    fn kind(&self) -> Kind {
        Kind::ALL
    }

    fn reset(&mut self) {
        self.rows.reset();
    }

    fn status(&self) -> &[Status] {
        self.rows.status
    }

    fn offer(&mut self, row: usize, _: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        self.rows.count[row] = self.rows.count[row].saturating_add(1);
    }

    fn forget(&mut self, row: usize) {
        (self.rows.status[row], self.rows.count[row]) = (Status::Miss, 0);
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.rows.refuse(row, defect);
    }
}

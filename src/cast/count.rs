//! The number of hits of each ray.

use super::{
    Cast, Hit, Kind, OneRay, Precision, RaysOf, Result, Scalar, Side, Sink, Status, in_rows, met_or_refused,
    owned,
};
use crate::answers::{CountBatch, CountColumns, CountRows};

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// The number of crossings of each ray, or of touches with [`Contact::Touch`](crate::Contact::Touch). A crossing
    /// through an edge or a vertex that triangles share counts once. A box or a sphere counts where the ray enters and
    /// where it leaves. At the rim of an open surface, where [`closest`](Self::closest) hits, it may be 0. Errors are
    /// those of [`closest`](Self::closest).
    pub fn count(&self) -> Result<CountBatch> {
        owned(|counts| self.count_into(counts))
    }

    /// [`count`](Self::count) into a batch, whose memory is reused, or into the caller's columns; errors are those of
    /// [`closest_into`](Self::closest_into).
    pub fn count_into<'o>(&self, counts: impl Into<CountColumns<'o>>) -> Result<()> {
        self.answer::<CountBatch>(counts.into(), |chunk, rows| chunk.run(&mut Count { rows }))
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// The number of crossings or [touches](crate::Contact::Touch) of the ray, as [of a batch](Cast::count). Errors are
    /// those of [`closest`](Self::closest).
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
    in_rows!();

    fn kind(&self) -> Kind {
        Kind::ALL
    }

    fn offer(&mut self, row: usize, _: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        self.rows.count[row] = self.rows.count[row].saturating_add(1);
    }

    fn forget(&mut self, row: usize) {
        (self.rows.status[row], self.rows.count[row]) = (Status::Miss, 0);
    }
}

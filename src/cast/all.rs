//! Every hit of each ray, in order.

use super::{
    AnyHitRows, Cast, Hit, Kind, OneRay, Precision, RaysOf, Result, Scalar, Side, Sink, Status, in_rows,
    met_or_refused, owned,
};
use crate::answers::AllHitsBatch;

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// Every crossing of each ray, or every touch with [`Contact::Touch`](crate::Contact::Touch), in the order of `t`,
    /// then ids. At a shared edge or vertex there is one crossing for each sheet of the surface, at an open rim perhaps
    /// none. Errors are those of [`closest`](Self::closest).
    pub fn all(&self) -> Result<AllHitsBatch<T>> {
        owned(|hits| self.all_into(hits))
    }

    /// [`all`](Self::all) into a batch, whose memory is reused; after an error it is empty.
    pub fn all_into(&self, hits: &mut AllHitsBatch<T>) -> Result<()> {
        self.put_together(hits, |chunk, status| {
            let mut sink = AllHits { rows: AnyHitRows { status }, found: Vec::new() };
            chunk.run(&mut sink);
            sink.into_sorted()
        })
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// Every crossing or [touch](crate::Contact::Touch) of the ray, in the order of `t`, then ids. Errors are those of
    /// [`closest`](Self::closest).
    pub fn all(&self) -> Result<Vec<Hit<T>>> {
        let hits = self.as_batch().all()?;
        met_or_refused(hits.status[0]).map(|_| hits.hits)
    }
}

/// Collects every hit of every ray of a chunk.
pub(super) struct AllHits<'a, T = f32> {
    pub(super) rows: AnyHitRows<'a>,
    /// Each hit with its row, in the order of offers.
    pub(super) found: Vec<(u32, Hit<T>)>,
}

impl<T: Scalar> AllHits<'_, T> {
    /// The hits, sorted by row, then along the ray.
    pub(super) fn into_sorted(mut self) -> Vec<(u32, Hit<T>)> {
        self.found.retain(|(row, _)| self.rows.status[*row as usize].is_hit());
        self.found.sort_unstable_by(|(row_a, a), (row_b, b)| row_a.cmp(row_b).then_with(|| a.order(b)));
        self.found
    }
}

impl<T: Scalar> Sink<T> for AllHits<'_, T> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { forgets: false, ..Kind::ALL }
    }

    fn offer(&mut self, row: usize, hit: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
        self.found.push((row as u32, *hit));
    }
}

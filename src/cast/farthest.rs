//! The last hit of each ray.

use super::{
    Cast, Hit, Kind, OneRay, Precision, RaysOf, Result, Scalar, Side, Sink, Status, in_rows, met_or_refused,
    owned,
};
use crate::answers::{HitBatch, HitColumns, HitRows};

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// The last primitive that each ray meets within its interval; at equal `t` the one with the lowest ids. Every hit
    /// of a ray is looked at: costs are those of [`all`](Self::all), not of [`closest`](Self::closest). Errors are
    /// those of [`closest`](Self::closest).
    pub fn farthest(&self) -> Result<HitBatch<T>> {
        owned(|hits| self.farthest_into(hits))
    }

    /// [`farthest`](Self::farthest) into a batch, whose memory is reused, or into the caller's columns; errors are
    /// those of [`closest_into`](Self::closest_into).
    pub fn farthest_into<'o>(&self, hits: impl Into<HitColumns<'o, T>>) -> Result<()> {
        self.answer::<HitBatch<T>>(hits.into(), |chunk, rows| chunk.run(&mut Farthest { rows }))
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// The last primitive that the ray meets within its interval; at equal `t` the one with the lowest ids. Errors are
    /// those of [`closest`](Self::closest).
    pub fn farthest(&self) -> Result<Option<Hit<T>>> {
        let hits = self.as_batch().farthest()?;
        met_or_refused(hits.status()[0]).map(|_| hits.hit(0))
    }
}

/// Keeps the hit that comes last; at equal `t` the lowest ids.
struct Farthest<'a, T> {
    rows: HitRows<'a, T>,
}

impl<T: Scalar> Sink<T> for Farthest<'_, T> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { narrows: false, ..Kind::NEAREST }
    }

    fn offer(&mut self, row: usize, hit: &Hit<T>, _: Side, geometric_normal: &dyn Fn() -> [T; 3]) {
        let known = self.rows.hit(row);
        let is_first = !self.rows.status[row].is_hit();
        if is_first || hit.t > known.t || (hit.t == known.t && hit.order(&known).is_lt()) {
            self.rows.write(row, Status::Hit, hit);
            if let Some(normal) = self.rows.geometric_normal.get_mut(row) {
                *normal = geometric_normal();
            }
        }
    }
}

//! Whether each ray hits anything.

use super::{
    AnyHitRows, Cast, Hit, Kind, OneRay, Precision, RaysOf, Result, Scalar, Side, Sink, Status, in_rows,
    met_or_refused, owned,
};
use crate::answers::{AnyHitBatch, AnyHitColumns};
use crate::query::{Direct, Family};

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// Whether each ray meets any primitive. Errors are those of [`closest`](Self::closest).
    pub fn any(&self) -> Result<AnyHitBatch> {
        owned(|hits| self.any_into(hits))
    }

    /// [`any`](Self::any) into a batch, whose memory is reused, or into the caller's column; errors are those of
    /// [`closest_into`](Self::closest_into).
    pub fn any_into<'o>(&self, hits: impl Into<AnyHitColumns<'o>>) -> Result<()> {
        self.answer::<AnyHitBatch>(hits.into(), |chunk, rows| chunk.run(&mut Any { rows }))
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// Whether the ray meets any primitive. Errors are those of [`closest`](Self::closest).
    // Always: the request is then never stored, and takes no time.
    #[inline(always)]
    pub fn any(&self) -> Result<bool> {
        let OneRay { scene, ray } = self.asked;
        if self.options.is_plain() && scene.is_plain() {
            return met_or_refused(T::any(scene, self.options.backend_of(scene), ray));
        }
        self.copied().find_any()
    }

    /// Any hit, found by a batch of one.
    #[inline(never)]
    fn find_any(self) -> Result<bool> {
        let mut status = Status::Miss;
        self.as_batch().any_into(AnyHitColumns::new().status(std::slice::from_mut(&mut status)))?;
        met_or_refused(status)
    }
}

/// Stops a ray at the first hit offered.
pub(super) struct Any<'a> {
    pub(super) rows: AnyHitRows<'a>,
}

impl<T: Scalar> Sink<T> for Any<'_> {
    in_rows!();

    fn kind(&self) -> Kind {
        Kind { family: Family::Any, narrows: false, ..Kind::NEAREST }
    }

    fn direct(&mut self) -> Direct<'_, T> {
        Direct::Any(self.rows.status)
    }

    fn offer(&mut self, row: usize, _: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.rows.status[row] = Status::Hit;
    }

    fn end(&self, row: usize) -> T {
        if self.rows.status[row].is_hit() { T::NEG_INFINITY } else { T::INFINITY }
    }
}

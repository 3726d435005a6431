//! Whether each ray hits anything.

use super::one::met_or_refused;
use super::rays::owned;
use super::{Cast, OneRay, RaysOf};
use crate::answers::{AnyHitBatch, AnyHitColumns, Hit, With};
use crate::error::Result;
use crate::query::{Direct, Family, Kind, Sink};
use crate::scene::Precision;
use crate::simd::Scalar;
use crate::status::Status;
use crate::value::Side;

impl<T: Precision> Cast<'_, T, RaysOf<'_, T>> {
    /// Whether each ray meets any primitive.
    ///
    /// # Errors
    /// As [`closest`](Self::closest).
    pub fn any(&self) -> Result<AnyHitBatch> {
        owned(|hits| self.any_into(hits))
    }

    /// [`any`](Self::any) into a batch, whose memory is reused, or into the caller's column.
    ///
    /// # Errors
    /// As [`closest_into`](Self::closest_into).
    pub fn any_into<'o>(&self, hits: impl Into<AnyHitColumns<'o>>) -> Result<()> {
        self.any_columns(hits.into())
    }

    fn any_columns(&self, hits: AnyHitColumns<'_>) -> Result<()> {
        hits.fill(self.len(), With::default(), |columns, with| {
            let plan = self.plan()?;
            self.for_each_chunk(&plan, columns.chunks(self.len(), plan.chunk), |chunk, mut columns| {
                columns.write(chunk.rows.len(), with, |rows| chunk.run(&mut Any { status: rows.status }));
            })
        })
    }
}

impl<T: Precision> Cast<'_, T, OneRay<'_, T>> {
    /// Whether the ray meets any primitive.
    ///
    /// # Errors
    /// As [`closest`](Self::closest).
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
    pub(super) status: &'a mut [Status],
}

impl<T: Scalar> Sink<T> for Any<'_> {
    fn kind(&self) -> Kind {
        Kind { family: Family::Any, narrows: false, ..Kind::NEAREST }
    }

    fn reset(&mut self) {
        self.status.fill(Status::Miss);
    }

    fn direct(&mut self) -> Direct<'_, T> {
        Direct::Any(self.status)
    }

    fn status(&self) -> &[Status] {
        self.status
    }

    fn offer(&mut self, row: usize, _: &Hit<T>, _: Side, _: &dyn Fn() -> [T; 3]) {
        self.status[row] = Status::Hit;
    }

    fn end(&self, row: usize) -> T {
        if self.status[row].is_hit() { T::NEG_INFINITY } else { T::INFINITY }
    }

    fn refuse(&mut self, row: usize, defect: Status) {
        self.status[row] = defect;
    }
}

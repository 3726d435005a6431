//! The memory layout of a batch of rays, detected once.

use std::ops::Range;

use super::RayParts;
use super::batch::RayBatch;
use crate::columns::Column;
use crate::simd::{Scalar, prefetch};

/// A batch with its layout, for fast gathers of rays.
#[derive(Clone, Copy)]
pub(crate) struct RaySource<'a> {
    pub(super) rays: RayBatch<'a>,
    /// Rows of eight numbers in two halves, if the rays lie so.
    pub(super) records: Option<&'a [[[f32; 4]; 2]]>,
}

/// The rows, if they are consecutive. All are compared: of rows that groups left, the last may be first + 7 with
/// others between.
#[inline(always)]
pub(super) fn run_of(rows: &[u32; 8]) -> Option<Range<usize>> {
    let mut apart = 0;
    for (place, &row) in rows.iter().enumerate() {
        apart |= row ^ rows[0].wrapping_add(place as u32);
    }
    let first = rows[0] as usize;
    (apart == 0).then_some(first..first + 8)
}

impl<'a> RaySource<'a> {
    pub(crate) fn new(rays: &RayBatch<'a>) -> Self {
        Self { rays: *rays, records: Column::rows_of(rays.parts().in_order()).map(bytemuck::cast_slice) }
    }

    /// Prefetches the rays in these rows, clamped to the batch.
    #[inline(always)]
    pub(crate) fn prefetch(&self, rows: Range<usize>) {
        let Some(records) = self.records else { return self.rays.prefetch(rows) };
        // Two share a cache line.
        for row in (rows.start..rows.end.min(self.rays.len())).step_by(2) {
            prefetch(&records[row]);
        }
    }
}

impl<T: Scalar> RayBatch<'_, T> {
    /// Prefetches the rays in these rows, clamped to the batch, in any layout.
    #[inline(always)]
    pub(crate) fn prefetch(&self, rows: Range<usize>) {
        let rows = rows.start..rows.end.min(self.len());
        let RayParts { origin, direction, t_min, t_max } = self.parts();
        // Rows: the first component brings the others.
        let components = if origin[0].is_spread() { 1 } else { 3 };
        for axis in 0..components {
            origin[axis].prefetch_rows(rows.clone());
            direction[axis].prefetch_rows(rows.clone());
        }
        if components == 3 {
            t_min.prefetch_rows(rows.clone());
            t_max.prefetch_rows(rows);
        }
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/value/ray/source.rs"]
mod tests;

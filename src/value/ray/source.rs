//! The memory layout of a batch of rays, detected once.

use std::ops::Range;

use super::RayParts;
use super::batch::RayBatch;
use crate::columns::Column;
use crate::simd::{PER_LINE, Scalar, prefetch};

/// A batch with its layout, for fast gathers of eight rays.
#[derive(Clone, Copy)]
pub(crate) struct RaySource<'a> {
    pub(super) rays: RayBatch<'a>,
    pub(super) layout: Layout<'a>,
}

/// The layouts with a faster gather than number by number.
#[derive(Clone, Copy)]
pub(super) enum Layout<'a> {
    /// Rows of eight numbers, in two halves.
    Records(&'a [[[f32; 4]; 2]]),
    /// A plain column for each number; intervals may be constant.
    Columns {
        /// Origins, then directions.
        numbers: [&'a [f32]; 6],
        ends: [Column<'a, f32>; 2],
    },
    /// Any other layout.
    Other,
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
        let RayParts { origin: [ox, oy, oz], direction: [dx, dy, dz], t_min, t_max } = rays.parts();
        let layout = if let Some(records) = Column::rows_of([ox, oy, oz, dx, dy, dz, t_min, t_max]) {
            Layout::Records(bytemuck::cast_slice::<[f32; 8], _>(records))
        } else {
            Self::columns(rays).unwrap_or(Layout::Other)
        };
        Self { rays: *rays, layout }
    }

    fn columns(rays: &RayBatch<'a>) -> Option<Layout<'a>> {
        let RayParts { origin, direction, t_min, t_max } = rays.parts();
        let mut numbers: [&[f32]; 6] = [&[]; 6];
        for (numbers, column) in numbers.iter_mut().zip(origin.iter().chain(direction)) {
            *numbers = column.plain_rows(0, rays.len())?;
        }
        Some(Layout::Columns { numbers, ends: [*t_min, *t_max] })
    }

    /// Prefetches the rays in these rows, clamped to the batch.
    #[inline(always)]
    pub(crate) fn prefetch(&self, rows: Range<usize>) {
        let rows = rows.start..rows.end.min(self.rays.len());
        match self.layout {
            Layout::Records(records) => {
                // Two share a cache line.
                for row in rows.step_by(2) {
                    prefetch(&records[row]);
                }
            }
            Layout::Columns { numbers, ends } => {
                for row in rows.step_by(PER_LINE) {
                    for column in numbers {
                        prefetch(&column[row]);
                    }
                    for column in &ends {
                        column.prefetch(row);
                    }
                }
            }
            Layout::Other => self.rays.prefetch(rows),
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

//! Rays in no order, octant by octant.
//!
//! A stream walks the rays of each octant apart. In no order an eighth of its rays are of one
//! octant, so that its lists are an eighth as long as those of a stream of one octant. The rays are
//! copied: read from where they lie, each eighth or so, every cache line would be read eight times.

use std::cell::Cell;
use std::ops::Range;

use crate::memory::{Memory, grow, reused};
use crate::simd::Scalar;
use crate::value::{Ray, RayBatch};

pub(super) const OCTANTS: usize = 8;

/// Copies of rays by octant, with their rows.
#[derive(Default)]
pub(super) struct ByOctant {
    /// Rays of either precision.
    numbers: Memory<f64>,
    rows: Vec<u32>,
    ends: [usize; OCTANTS],
}

thread_local! {
    /// The memory of the last cast on this thread.
    static BUFFERS: Cell<ByOctant> = Cell::default();
}

impl ByOctant {
    /// Copies the rays in these rows.
    pub(super) fn new<T: Scalar>(rays: &RayBatch<'_, T>, rows: Range<usize>) -> Self {
        let mut all = reused(BUFFERS.take());
        let mut counts = [0; OCTANTS];
        for row in rows.clone() {
            counts[octant(rays, row)] += 1;
        }
        let mut end = 0;
        for (start, count) in all.ends.iter_mut().zip(counts) {
            *start = end;
            end += count;
        }
        let numbers = rows.len() * (size_of::<Ray<T>>() / size_of::<f64>());
        all.numbers.grow(numbers, 0.0);
        grow(&mut all.rows, rows.len(), rows.len(), 0);
        let copies: &mut [Ray<T>] = bytemuck::cast_slice_mut(&mut all.numbers[..numbers]);
        for row in rows {
            let end = &mut all.ends[octant(rays, row)];
            copies[*end] = rays.ray(row);
            all.rows[*end] = row as u32;
            *end += 1;
        }
        all
    }

    /// The rays of each octant, and their rows.
    pub(super) fn parts<T: Scalar>(&self) -> impl Iterator<Item = (RayBatch<'_, T>, &[u32])> {
        // Behind the last ray lie numbers of earlier casts, maybe of the other precision.
        let numbers = self.ends[OCTANTS - 1] * (size_of::<Ray<T>>() / size_of::<f64>());
        let rays: &[Ray<T>] = bytemuck::cast_slice(&self.numbers[..numbers]);
        let mut first = 0;
        self.ends.into_iter().map(move |end| {
            let part = std::mem::replace(&mut first, end)..end;
            (RayBatch::from_rays(&rays[part.clone()]), &self.rows[part])
        })
    }

    /// Keeps the memory for the next cast.
    pub(super) fn put_back(self) {
        BUFFERS.set(self);
    }
}

#[inline(always)]
fn octant<T: Scalar>(rays: &RayBatch<'_, T>, row: usize) -> usize {
    let is_negative = |axis: usize| rays.parts().direction[axis].get(row) < T::ZERO;
    usize::from(is_negative(0))
        | usize::from(is_negative(1)) << 1
        | usize::from(is_negative(2)) << 2
}

#[cfg(test)]
#[path = "../../tests/unit/traverse/by_octant.rs"]
mod tests;

//! Whether the rays of a batch lie in any order.

use super::{GROUP, Ray, RayBatch};
use crate::simd::Scalar;

/// The runs of rays that are looked at.
const RUNS: usize = 16;

/// Of no more rays it does not matter.
const FEW: usize = 1 << 16;

/// Whether rays that follow each other are about as far apart as any others of the batch, in each number of their origins and
/// directions in which rays differ.
pub(crate) fn is_missing<T: Scalar>(rays: &RayBatch<'_, T>) -> bool {
    if rays.len() < FEW {
        return false;
    }
    let (mut all, mut widths, mut room) = ([Extent::NOTHING; 6], [T::ZERO; 6], Vec::new());
    for run in 0..RUNS {
        // By the golden section, so that no period of the batch is that of the runs.
        let first = ((run * 40_503 % (1 << 16)) * (rays.len() - GROUP)) >> 16;
        let run = rays.stored(first..first + GROUP, &mut room);
        let mut here = [Extent::NOTHING; 6];
        for row in 0..GROUP {
            let Ray { origin, direction, .. } = run.ray(row);
            for (extent, number) in here.iter_mut().zip(origin.into_iter().chain(direction)) {
                *extent = extent.with(Extent([number; 2]));
            }
        }
        for ((all, width), here) in all.iter_mut().zip(&mut widths).zip(here) {
            *all = all.with(here);
            *width = *width + here.width();
        }
    }
    // At least half as far apart in the mean. Random numbers come to 0.7 and more.
    let mut differing = all.iter().zip(widths).filter(|(all, _)| all.width() > T::ZERO).peekable();
    differing.peek().is_some()
        && differing.all(|(all, width)| width >= T::of(0.5 * RUNS as f32) * all.width())
}

/// The least and the greatest of some numbers. What is not a number is passed over.
#[derive(Clone, Copy)]
struct Extent<T>([T; 2]);

impl<T: Scalar> Extent<T> {
    const NOTHING: Self = Self([T::INFINITY, T::NEG_INFINITY]);

    fn with(self, Self([low, high]): Self) -> Self {
        Self([low.min(self.0[0]), high.max(self.0[1])])
    }

    fn width(self) -> T {
        self.0[1] - self.0[0]
    }
}

#[cfg(test)]
#[path = "../../../tests/unit/value/ray/order.rs"]
mod tests;

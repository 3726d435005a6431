//! Whether the rays of a batch lie in any order.

use super::plan::TUNING;
use crate::simd::Scalar;
use crate::value::{Aabb, GROUP, Ray, RayBatch};

/// The runs of rays that are measured.
const RUNS: usize = 16;

/// Whether rays that follow each other are about as far apart as any others of the batch, in each
/// number of their origins and directions in which rays differ.
pub(super) fn is_missing<T: Scalar>(rays: &RayBatch<'_, T>) -> bool {
    if rays.len() < 2 * TUNING.chunk_lengths[1] {
        return false;
    }
    let (mut all, mut widths, mut room) = (Aabb::EMPTY, [T::ZERO; 6], Vec::new());
    for run in 0..RUNS {
        // Steps are those of the golden section, so that no period of the batch is that of the
        // runs.
        let first = ((run * 40_503 % (1 << 16)) * (rays.len() - GROUP)) >> 16;
        let run = rays.stored(first..first + GROUP, &mut room);
        let here = Aabb::of_points((0..GROUP).map(|row| {
            let Ray { origin: [x, y, z], direction: [dx, dy, dz], .. } = run.ray(row);
            [x, y, z, dx, dy, dz]
        }));
        all = all.merged(&here);
        for (number, width) in widths.iter_mut().enumerate() {
            *width = *width + (here.max[number] - here.min[number]);
        }
    }
    let all = std::array::from_fn::<_, 6, _>(|number| all.max[number] - all.min[number]);
    let mut differing = all.into_iter().zip(widths).filter(|&(all, _)| all > T::ZERO).peekable();
    differing.peek().is_some()
        && differing.all(|(all, width)| width >= T::of(TUNING.disorder * RUNS as f32) * all)
}

#[cfg(test)]
#[path = "../../tests/unit/traverse/order.rs"]
mod tests;

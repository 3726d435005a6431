//! The rays of a stream by octant.

use super::StreamRays;
use crate::memory::grow;
use crate::simd::{MAX_LANES, MAX_STREAM_RAYS, Mask, NO_ENTRY, Real, Rearrange};
use crate::traverse::by_octant::OCTANTS;
use crate::traverse::slab::SlabRecord;

/// The rays of each octant.
#[derive(Default)]
pub(super) struct Octants {
    lists: [Vec<u32>; OCTANTS],
    lengths: [usize; OCTANTS],
}

impl Octants {
    /// Sorts `count` rays by octant, and copies their limits.
    #[inline(always)]
    pub(super) fn fill<V: Rearrange>(
        &mut self,
        lanes: V,
        count: usize,
        t_min: &[f32; MAX_STREAM_RAYS],
        StreamRays { slabs, limits, .. }: &mut StreamRays,
    ) {
        let limits: &mut [V::Row] = bytemuck::cast_slice_mut(&mut limits[..]);
        let t_min: &[V::Row] = bytemuck::cast_slice(&t_min[..]);
        self.lengths = [0; OCTANTS];
        for list in &mut self.lists {
            // The last vector is stored whole.
            grow(list, count + MAX_LANES, count + MAX_LANES, NO_ENTRY);
        }
        let mut numbers = [0; MAX_LANES];
        for first in (0..count).step_by(V::COUNT) {
            for (lane, number) in numbers.iter_mut().enumerate() {
                *number = (first + lane) as u32;
            }
            let numbers = lanes.load_u32(&numbers);
            let there = lanes.first((count - first).min(V::COUNT) as u32);
            let [x, y, z, t_max] = SlabRecord::inverses_and_t_max(lanes, &slabs[first..]);
            let vector = first / V::COUNT;
            lanes.store(t_max, &mut limits[vector]);
            let t_min = lanes.load(&t_min[vector]);
            let (zero, never) = (lanes.splat(0.0), lanes.splat(f32::NAN));
            let [x, y, z] = [x.lt(zero), y.lt(zero), z.lt(zero)];
            for (octant, (list, length)) in self.lists.iter_mut().zip(&mut self.lengths).enumerate()
            {
                let x = if octant & 1 == 0 { !x } else { x };
                let y = if octant & 2 == 0 { !y } else { y };
                let z = if octant & 4 == 0 { !z } else { z };
                let here = x & y & z & there;
                if here.bits() != 0 {
                    *length += lanes.compress_hits(
                        t_min,
                        t_max.select(here, never),
                        numbers,
                        &mut list[*length..],
                    );
                }
            }
        }
    }

    /// The number of rays of the octant with most.
    pub(super) fn most(&self) -> usize {
        self.lengths.into_iter().max().unwrap_or(0)
    }

    pub(super) fn list(&self, octant: usize) -> &[u32] {
        &self.lists[octant][..self.lengths[octant]]
    }
}

//! The rays of a stream by octant, or together.

use std::ops::Range;

use super::StreamRays;
use crate::memory::grow;
use crate::simd::{MAX_LANES, MAX_STREAM_RAYS, Mask, NO_ENTRY, Real, Rearrange, Vectors};
use crate::traverse::by_octant::OCTANTS;
use crate::traverse::slab::SlabRecord;

type MaskOf<V> = <<V as Vectors<f32>>::Real as Real>::Mask;

/// The number of the list of rays of all octants.
pub(super) const ALL: usize = OCTANTS;

/// The rays of each octant, and those of all that are left.
#[derive(Default)]
pub(super) struct Octants {
    lists: [Vec<u32>; OCTANTS + 1],
    lengths: [usize; OCTANTS + 1],
}

impl Octants {
    /// Sorts `count` rays by octant, and copies their limits.
    #[inline(always)]
    pub(super) fn fill<V: Rearrange>(
        &mut self,
        lanes: V,
        count: usize,
        t_min: &[f32; MAX_STREAM_RAYS],
        slab_rays: &mut StreamRays,
    ) {
        self.clear(0..OCTANTS, count);
        let (lists, lengths) = (&mut self.lists[..OCTANTS], &mut self.lengths[..OCTANTS]);
        for_each_vector(
            lanes,
            (count, t_min),
            slab_rays,
            true,
            |[x, y, z], there, [t_min, t_max], numbers| {
                for (octant, (list, length)) in lists.iter_mut().zip(&mut *lengths).enumerate() {
                    let here = of_octant(octant, [x, y, z]) & there;
                    if here.bits() != 0 {
                        let t_max = t_max.select(here, lanes.splat(f32::NAN));
                        *length += lanes.compress_hits(t_min, t_max, numbers, &mut list[*length..]);
                    }
                }
            },
        );
    }

    /// Lists all rays that are not of the octant that is `done`, as they lie. If none is, this copies
    /// their limits.
    #[inline(always)]
    pub(super) fn fill_rest<V: Rearrange>(
        &mut self,
        lanes: V,
        done: Option<usize>,
        (count, t_min): (usize, &[f32; MAX_STREAM_RAYS]),
        slab_rays: &mut StreamRays,
    ) {
        self.clear(ALL..ALL + 1, count);
        let (list, length) = (&mut self.lists[ALL], &mut self.lengths[ALL]);
        for_each_vector(
            lanes,
            (count, t_min),
            slab_rays,
            done.is_none(),
            |negative, there, [t_min, t_max], numbers| {
                let rest = match done {
                    Some(octant) => !of_octant(octant, negative) & there,
                    None => there,
                };
                let t_max = t_max.select(rest, lanes.splat(f32::NAN));
                *length += lanes.compress_hits(t_min, t_max, numbers, &mut list[*length..]);
            },
        );
    }

    /// Empties some lists, and makes room for so many rays in each.
    fn clear(&mut self, lists: Range<usize>, count: usize) {
        self.lengths[lists.clone()].fill(0);
        for list in &mut self.lists[lists] {
            // The last vector is stored whole.
            grow(list, count + MAX_LANES, count + MAX_LANES, NO_ENTRY);
        }
    }

    /// The octant with most rays.
    pub(super) fn largest(&self) -> usize {
        (0..OCTANTS).max_by_key(|&octant| self.lengths[octant]).unwrap_or(0)
    }

    /// The number of its rays.
    pub(super) fn most(&self) -> usize {
        self.lengths[self.largest()]
    }

    /// The rays of an octant, or of [`ALL`].
    pub(super) fn list(&self, octant: usize) -> &[u32] {
        &self.lists[octant][..self.lengths[octant]]
    }
}

/// The rays of an octant, by whether each component of their directions is negative.
#[inline(always)]
fn of_octant<M: Mask>(octant: usize, [x, y, z]: [M; 3]) -> M {
    let x = if octant & 1 == 0 { !x } else { x };
    let y = if octant & 2 == 0 { !y } else { y };
    let z = if octant & 4 == 0 { !z } else { z };
    x & y & z
}

/// Hands over `count` rays, a vector at a time: whether each component of their directions is
/// negative, which lanes have a ray, their intervals, and their numbers. Copies their limits if that
/// is asked for.
#[inline(always)]
fn for_each_vector<V: Rearrange>(
    lanes: V,
    (count, t_min): (usize, &[f32; MAX_STREAM_RAYS]),
    StreamRays { slabs, limits, .. }: &mut StreamRays,
    copies_limits: bool,
    mut act: impl FnMut([MaskOf<V>; 3], MaskOf<V>, [V::Real; 2], V::U32),
) {
    let limits: &mut [V::Row] = bytemuck::cast_slice_mut(&mut limits[..]);
    let t_min: &[V::Row] = bytemuck::cast_slice(&t_min[..]);
    let mut numbers = [0; MAX_LANES];
    for first in (0..count).step_by(V::COUNT) {
        for (lane, number) in numbers.iter_mut().enumerate() {
            *number = (first + lane) as u32;
        }
        let there = lanes.first((count - first).min(V::COUNT) as u32);
        let [x, y, z, t_max] = SlabRecord::inverses_and_t_max(lanes, &slabs[first..]);
        let vector = first / V::COUNT;
        if copies_limits {
            lanes.store(t_max, &mut limits[vector]);
        }
        let zero = lanes.splat(0.0);
        let negative = [x.lt(zero), y.lt(zero), z.lt(zero)];
        act(negative, there, [lanes.load(&t_min[vector]), t_max], lanes.load_u32(&numbers));
    }
}

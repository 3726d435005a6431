//! Trees over boxes, and the boxes that a ray may meet.

use super::single::{RayStack, Visitor};
use super::slab::{SlabAxes, SlabLanes};
use crate::simd::{Backend, Kernel, LANES, Lanes, Mask, Real, dispatch, set_bits};
use crate::threads::Spread;
use crate::tree::{AabbBlock, BuildQuality, Bvh, Leaf};
use crate::value::{Aabb, Ray, RayBatch};

/// Eight boxes in a leaf, and the numbers of their contents.
#[derive(Debug, Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
pub(crate) struct BoxBlock {
    pub(crate) boxes: AabbBlock,
    pub(crate) numbers: [u32; LANES],
    count: u32,
    /// Fills up the last cache line.
    unused: [u32; 7],
}

impl Leaf for BoxBlock {
    fn count(&self) -> usize {
        // A damaged file may hold any number.
        (self.count as usize).min(LANES)
    }

    fn numbers(&self) -> impl Iterator<Item = u32> {
        self.numbers.into_iter().take(self.count())
    }
}

/// A ray of a batch, and a box that it meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Overlap {
    /// The ray's row.
    pub(crate) row: u32,
    /// The content of the box.
    pub(crate) number: u32,
    /// The `t` at which the ray enters the box; at most that of any hit in it.
    pub(crate) t_enter: f32,
}

/// A tree over boxes.
#[derive(Debug, Clone)]
pub(crate) struct BoxTree {
    pub(crate) bvh: Bvh<BoxBlock>,
    /// The slack of planes for the origin of a ray, relative to that for triangles.
    pub(crate) stretch: f32,
}

impl BoxTree {
    /// A tree over boxes, each with a number, widened for `anchor`, or for a point amid most of them. The ray
    /// that meets the content of a box may differ from the ray of a query: see
    /// [`SlabAxes::if_sound_and_in_range`] for `stretch`; the part that does not depend on the origin is in
    /// the boxes. Empty boxes are never met. There are at most 2³⁰.
    pub(crate) fn new(boxes: &[(Aabb, u32)], anchor: Option<[f32; 3]>, stretch: f32, spread: Spread) -> Self {
        let filled: Vec<(Aabb, u32)> = boxes.iter().filter(|(aabb, _)| !aabb.is_empty()).copied().collect();
        let box_of = |index: u32| filled[index as usize].0;
        let block = |indices: &[u32], anchor| {
            let mut held =
                BoxBlock { boxes: AabbBlock::EMPTY, numbers: [0; LANES], count: 0, unused: [0; 7] };
            let mut inside = [Aabb::EMPTY; LANES];
            for (lane, &index) in indices.iter().enumerate() {
                (inside[lane], held.numbers[lane]) = filled[index as usize];
            }
            held.boxes = AabbBlock::anchored(&inside, anchor);
            held.count = indices.len() as u32;
            held
        };
        let bvh = Bvh::build_around(anchor, filled.len(), box_of, block, BuildQuality::Balanced, spread);
        Self { bvh: bvh.expect("2^30 boxes fill less than 64 GiB"), stretch }
    }

    /// Adds the boxes that each ray without defect meets within its interval, up to the limit `t_max`; `None`
    /// skips the ray. They come in the order of the rays, those of one ray in no order.
    pub(crate) fn overlaps(
        &self,
        backend: Backend,
        rays: &RayBatch<'_>,
        t_max: impl Fn(usize, &Ray) -> Option<f32>,
        overlaps: &mut Vec<Overlap>,
    ) {
        dispatch(backend, Collecting { tree: self, rays, t_max, overlaps });
    }
}

struct Collecting<'a, 'r, T> {
    tree: &'a BoxTree,
    rays: &'a RayBatch<'r>,
    t_max: T,
    overlaps: &'a mut Vec<Overlap>,
}

impl<T: Fn(usize, &Ray) -> Option<f32>> Kernel for Collecting<'_, '_, T> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { tree: &BoxTree { ref bvh, stretch }, rays, t_max, overlaps } = self;
        let mut stack = RayStack::new(bvh.stack);
        for row in 0..rays.len() {
            let ray = rays.ray(row);
            let Some(t_max) = t_max(row, &ray) else { continue };
            let axes = SlabAxes::if_sound_and_in_range(&ray, bvh.arena.anchor, bvh.range, stretch);
            let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(&ray));
            bvh.walk(lanes, &mut stack, axes, [ray.t_min, t_max], &mut Collector { row, overlaps });
        }
        stack.put_back();
    }
}

struct Collector<'a> {
    row: usize,
    overlaps: &'a mut Vec<Overlap>,
}

impl Visitor<BoxBlock> for Collector<'_> {
    const NARROWS: bool = false;

    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        block: &BoxBlock,
        slabs: &SlabLanes<L>,
        t_max: &mut f32,
    ) -> bool {
        let (t_enter, t_exit) = slabs.slabs(lanes, &block.boxes, *t_max);
        let mut t_enters = [0.0; LANES];
        lanes.store(t_enter, &mut t_enters);
        for lane in set_bits(Real::le(t_enter, t_exit).bits() as u8) {
            let (row, number) = (self.row as u32, block.numbers[lane]);
            self.overlaps.push(Overlap { row, number, t_enter: t_enters[lane] });
        }
        false
    }
}

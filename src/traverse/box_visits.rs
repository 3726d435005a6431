//! Visits of the contents of boxes, with the rays that meet the boxes.

use super::box_tree::{BoxBlock, BoxTree};
use super::plan::TUNING;
use super::rows::ChunkRows;
use super::single::{RayStack, Visitor};
use super::slab::{SlabAxes, SlabLanes};
use super::streams::{BoxContents, visit_in_streams};
use crate::simd::{Backend, LANES, Lanes, Mask, Real, dispatch, set_bits};
use crate::tree::{Bvh, HasBoxFrame};
use crate::value::{GROUP, Ray, RayGroup};

impl<T: HasBoxFrame> BoxTree<T> {
    /// Hands `contents` the rays that meet each box, of `count` rays; `width` is that of a line if
    /// they are a picture. If hits narrow intervals, each ray comes to near boxes first, and not to
    /// boxes beyond its end. Streams see boxes with other roundings than a ray by itself; `alone`:
    /// whether all go by themselves.
    pub(crate) fn visit_contents(
        &self,
        backend: Backend,
        (count, width): (usize, Option<usize>),
        (narrows, alone): (bool, bool),
        contents: &mut dyn BoxContents,
    ) {
        let boxes = (&self.bvh, self.stretch);
        if count >= TUNING.fewest_at_boxes && !alone && !cfg!(lanecast_small) {
            return visit_in_streams(
                boxes,
                backend,
                ChunkRows::new(count, width),
                narrows,
                contents,
            );
        }
        let rows: Vec<u32> = (0..count as u32).collect();
        rows.chunks(GROUP)
            .for_each(|rows| visit_one_by_one(boxes, backend, rows, narrows, contents));
    }
}

/// See [`visit_contents`](BoxTree::visit_contents).
fn visit_one_by_one(
    boxes: (&Bvh<BoxBlock>, f32),
    backend: Backend,
    rows: &[u32],
    narrows: bool,
    contents: &mut dyn BoxContents,
) {
    let (mut group, mut overlaps, mut ends) = (RayGroup::EMPTY, Vec::new(), Vec::new());
    contents.gather(rows, &mut group);
    for (lane, row) in rows.chunks(1).enumerate() {
        overlaps.clear();
        let ray = &group.ray(lane);
        dispatch!(backend, lanes => collect(lanes, boxes, ray, &mut overlaps));
        overlaps.sort_unstable_by(|a, b| a.t_enter.total_cmp(&b.t_enter));
        for overlap in &overlaps {
            if narrows {
                contents.ends(row, &mut ends);
            }
            // What lies at the same `t` as a hit may have lower ids.
            if narrows && overlap.t_enter > ends[0] {
                break;
            }
            if contents.visit(overlap.number, row).is_break() {
                return;
            }
        }
    }
}

/// A box that a ray meets, and where the ray enters it.
struct Overlap {
    number: u32,
    /// At most the `t` of any hit in the box.
    t_enter: f32,
}

/// Collects the boxes that a ray meets within its interval, in no order. Their contents are visited
/// afterwards.
#[inline(always)]
fn collect<L: Lanes>(
    lanes: L,
    (bvh, stretch): (&Bvh<BoxBlock>, f32),
    ray: &Ray,
    overlaps: &mut Vec<Overlap>,
) {
    if ray.t_min > ray.t_max {
        return;
    }
    let mut stack = RayStack::new(bvh.stack);
    let axes = SlabAxes::if_sound_and_in_range(ray, bvh.arena.anchor, bvh.range, stretch);
    let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(ray));
    bvh.walk(lanes, &mut stack, axes, [ray.t_min, ray.t_max], &mut Collector(overlaps));
    stack.put_back();
}

struct Collector<'a>(&'a mut Vec<Overlap>);

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
            self.0.push(Overlap { number: block.numbers[lane], t_enter: t_enters[lane] });
        }
        false
    }
}

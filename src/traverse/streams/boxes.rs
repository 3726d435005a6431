//! Streams at a tree over boxes: whoever has the content of a box is handed the rays that meet it.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::children::compact_into_children;
use super::walk::{Visit, Walk};
use super::{MOST, Stream, StreamLeaves, StreamRays};
use crate::memory::{Memory, grow, reused};
use crate::simd::{
    Backend, LANES, Lanes, MAX_LANES, MAX_STREAM_RAYS, NO_ENTRY, call, dispatch, least_t, number_of,
};
use crate::traverse::box_tree::BoxBlock;
use crate::traverse::plan::Mixing;
use crate::traverse::ready::ray_column;
use crate::traverse::rows::ChunkRows;
use crate::traverse::slab::{STRETCHED, SlabRecord};
use crate::tree::arena::Arena;
use crate::tree::{Bvh, Leaf};
use crate::value::{GROUP, RayGroup};

/// The contents of the boxes of a tree.
pub(crate) trait BoxContents {
    /// Gathers the rays in these rows, one to [`GROUP`] of them, without defect, as boxes see them;
    /// each with the interval in which its hits matter, an empty one if no hit does.
    fn gather(&mut self, rows: &[u32], into: &mut RayGroup);

    /// Visits the content of a box, by its number, with the rays in these rows, all of which meet
    /// the box. Breaks if the call is to stop.
    fn visit(&mut self, number: u32, rows: &[u32]) -> ControlFlow<()>;

    /// Replaces `into` by the greatest `t` at which hits of the ray in each row matter now; −∞ if
    /// no hit does.
    fn ends(&mut self, rows: &[u32], into: &mut Vec<f32>);
}

/// Buffers kept for the next cast.
#[derive(Default)]
struct BoxBuffers {
    slabs: Memory<SlabRecord>,
    columns: Option<[Box<[f32; MAX_STREAM_RAYS]>; 2]>,
    walk: Walk,
    rows: Vec<u32>,
    leaf: LeafBuffers,
}

/// Buffers of a visit of a leaf.
#[derive(Default)]
struct LeafBuffers {
    /// Eight lists: the rays that meet each box.
    met: Vec<u32>,
    /// The rays that come to the content of one box: their numbers, their rows, and their ends.
    numbers: Vec<u16>,
    rows: Vec<u32>,
    ends: Vec<f32>,
}

thread_local! {
    /// The memory of the last casts on this thread: contents may be trees over boxes themselves,
    /// and are visited meanwhile.
    static BUFFERS: Cell<Vec<BoxBuffers>> = const { Cell::new(Vec::new()) };
}

/// See [`BoxTree::visit_contents`](crate::traverse::BoxTree::visit_contents). A box tree is its
/// tree and its stretch.
pub(in crate::traverse) fn visit_in_streams(
    boxes @ (bvh, _): (&Bvh<BoxBlock>, f32),
    backend: Backend,
    mut order: ChunkRows,
    narrows: bool,
    contents: &mut dyn BoxContents,
) {
    let mut left = BUFFERS.take();
    let BoxBuffers { slabs, columns, mut walk, mut rows, mut leaf } =
        reused(left.pop().unwrap_or_default());
    BUFFERS.set(left);
    let [mut t_min, limits] = columns.unwrap_or_else(|| [ray_column(), ray_column()]);
    let mut slab_rays = StreamRays { slabs, limits, narrowed: 0 };
    slab_rays.slabs.grow(MAX_STREAM_RAYS, SlabRecord::NONE);
    let mut group = [0; GROUP];
    loop {
        rows.clear();
        while rows.len() + GROUP <= MOST {
            let taken = order.next_group(&mut group);
            if taken == 0 {
                break;
            }
            rows.extend_from_slice(&group[..taken]);
        }
        if rows.is_empty() {
            break;
        }
        slab_rays.narrowed = 0;
        let (rows, slabs) = (&rows[..], &mut slab_rays.slabs);
        dispatch!(backend, lanes => prepare(lanes, boxes, rows, contents, &mut t_min, slabs));
        let mut leaves =
            BoxVisits { backend, arena: &bvh.arena, narrows, rows, contents, buffers: &mut leaf };
        let mut stream = Stream {
            boxes: bvh.arena.boxes(),
            root: bvh.root,
            most: bvh.stack,
            check_after: None,
            mixing: Mixing::Never,
            mixed: false,
            count: rows.len(),
            t_min: &t_min,
            slab_rays: &mut slab_rays,
            walk: &mut walk,
            leaves: &mut leaves,
        };
        stream.walk_on(backend, narrows);
    }
    walk.lists.free_if_large();
    let mut left = BUFFERS.take();
    left.push(BoxBuffers {
        slabs: slab_rays.slabs,
        columns: Some([t_min, slab_rays.limits]),
        walk,
        rows,
        leaf,
    });
    BUFFERS.set(left);
}

/// Prepares all rays for boxes.
#[inline(always)]
fn prepare<L: Lanes>(
    lanes: L,
    (bvh, stretch): (&Bvh<BoxBlock>, f32),
    rows: &[u32],
    contents: &mut dyn BoxContents,
    t_min: &mut [f32; MAX_STREAM_RAYS],
    slabs: &mut [SlabRecord],
) {
    let (wide, mut group) = (lanes.widest(), RayGroup::EMPTY);
    for (rows, first) in rows.chunks(GROUP).zip((0..).step_by(GROUP)) {
        contents.gather(rows, &mut group);
        let slabs = (&mut slabs[first..first + GROUP]).try_into().expect("a group");
        // A ray out of the finite range meets every box.
        let per_reach = stretch * STRETCHED;
        SlabRecord::prepare_group(wide, &group, (bvh.arena.anchor, per_reach), bvh.range, slabs);
        t_min[first..first + GROUP].copy_from_slice(&group.columns.t_min.0);
    }
}

/// The leaves of the tree.
struct BoxVisits<'a> {
    backend: Backend,
    arena: &'a Arena<BoxBlock>,
    narrows: bool,
    /// The rows of the rays, by their numbers.
    rows: &'a [u32],
    contents: &'a mut dyn BoxContents,
    buffers: &'a mut LeafBuffers,
}

impl StreamLeaves for BoxVisits<'_> {
    fn visit(&mut self, walk: &mut Walk, slab_rays: &mut StreamRays) {
        let mut made = None;
        let block = self.arena.block(walk.next.reference, &mut made);
        let LeafBuffers { met, numbers, rows, ends } = &mut *self.buffers;
        let (lengths, stride) =
            call!(self.backend, lanes => list_by_box(lanes, block, walk, slab_rays, met));
        let mut boxes = [(f32::INFINITY, 0); LANES];
        for (lane, (t_enter, place)) in boxes.iter_mut().enumerate() {
            *place = lane;
            if self.narrows {
                let list = &met[lane * stride..][..lengths[lane] as usize];
                *t_enter =
                    list.iter().fold(f32::INFINITY, |least, &entry| least.min(least_t(entry)));
            }
        }
        boxes.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        for (_, lane) in boxes {
            numbers.clear();
            rows.clear();
            for &entry in &met[lane * stride..][..lengths[lane] as usize] {
                let number = number_of(entry);
                // What lies at the same `t` as a hit may have lower ids. A settled ray has no
                // limit.
                if least_t(entry) <= slab_rays.limits[usize::from(number)] {
                    numbers.push(number);
                    rows.push(self.rows[usize::from(number)]);
                }
            }
            if rows.is_empty() {
                continue;
            }
            if self.contents.visit(block.number(lane), rows).is_break() {
                return slab_rays.settle_all();
            }
            if !self.narrows {
                continue;
            }
            self.contents.ends(rows, ends);
            for (&number, &end) in numbers.iter().zip(&*ends) {
                let limit = &mut slab_rays.limits[usize::from(number)];
                if end < *limit {
                    *limit = end;
                    slab_rays.slabs[usize::from(number)].t_max = end;
                    slab_rays.narrowed = slab_rays.narrowed.wrapping_add(1);
                }
                if end == f32::NEG_INFINITY {
                    slab_rays.settle(number);
                }
            }
        }
    }
}

/// Tests the boxes of a leaf against the rays of its list. Returns the lengths of the eight lists of
/// rays that meet them, and how far apart these begin.
#[inline(always)]
fn list_by_box<L: Lanes>(
    lanes: L,
    block: &BoxBlock,
    walk: &mut Walk,
    slab_rays: &StreamRays,
    into: &mut Vec<u32>,
) -> ([u32; LANES], usize) {
    let length = walk.compact(lanes, slab_rays);
    let Visit { first, .. } = walk.next;
    let stride = length.next_multiple_of(MAX_LANES);
    // A vector is stored whole at the end of a list.
    grow(into, LANES * stride + MAX_LANES, LANES * stride + MAX_LANES, NO_ENTRY);
    let list = (walk.lists.list(first, length), length);
    let rays = slab_rays.slabs.first_chunk().expect("a table for all numbers");
    let boxes = (&block.boxes, block.count());
    let (wide, into) = (lanes.widest(), (&mut into[..], stride));
    (compact_into_children::<_, false>(wide, boxes, walk.octant, rays, list, into, None), stride)
}

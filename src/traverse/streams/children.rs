//! The lists of the children of a node.

use super::mixed::{self, Entered};
use crate::simd::{LANES, MAX_STREAM_RAYS, Real, Rearrange};
use crate::traverse::slab::{SlabRecord, SlabVector};
use crate::tree::AabbBlock;
use crate::tree::arena::{BY_SIZE, Node};

/// [Compacts](compact_into_children) a list into one for each child of a node. Returns their lengths
/// and the order in which they are pushed.
#[inline(always)]
pub(super) fn visit_children<V: Rearrange, const NARROWS: bool, const MIXED: bool>(
    lanes: V,
    node: &Node,
    octant: usize,
    rays: &[SlabRecord; MAX_STREAM_RAYS],
    list: (&[u32], usize),
    into: (&mut [u32], usize),
) -> ([u32; LANES], u32) {
    let boxes = (&node.boxes, node.slots());
    if MIXED && NARROWS {
        let mut entered = [lanes.splat(0.0); LANES];
        let sums = Some(&mut entered);
        let lengths = compact_into_children::<V, MIXED>(lanes, boxes, 0, rays, list, into, sums);
        (lengths, mixed::far_to_near(lanes, entered, &lengths))
    } else {
        let lengths =
            compact_into_children::<V, MIXED>(lanes, boxes, octant, rays, list, into, None);
        (lengths, order::<NARROWS>(node, octant))
    }
}

/// The order in which children are pushed: the nearest last where that saves visits, else the
/// largest.
#[inline(always)]
pub(super) fn order<const NARROWS: bool>(node: &Node, octant: usize) -> u32 {
    if NARROWS { node.far_to_near[octant] } else { BY_SIZE }
}

/// Compacts a list into one list per box of those in use; these begin at multiples of `stride`.
/// Returns their lengths, and adds the `t` at which rays enter the boxes to `entered`. The list is
/// readable up to a multiple of [`MAX_LANES`]. `MIXED`: whether its rays are of any octant.
#[inline(always)]
pub(super) fn compact_into_children<V: Rearrange, const MIXED: bool>(
    lanes: V,
    (boxes, in_use): (&AabbBlock, usize),
    octant: usize,
    rays: &[SlabRecord; MAX_STREAM_RAYS],
    (list, length): (&[u32], usize),
    (into, stride): (&mut [u32], usize),
    mut entered: Option<&mut Entered<V>>,
) -> [u32; LANES] {
    let mut lengths = [0; LANES];
    for first in (0..length).step_by(V::COUNT) {
        let entries = &list[first..first + V::COUNT];
        let (numbers, t_min) = lanes.unpack(entries, length - first);
        let rays = SlabVector::take(lanes, rays, entries, t_min);
        for (slot, count) in lengths.iter_mut().enumerate().take(in_use) {
            let (t_enter, t_exit) = if MIXED {
                rays.slabs_of_any_octant(boxes.planes(lanes, slot, 0))
            } else {
                rays.slabs(boxes.planes(lanes, slot, octant))
            };
            let end = slot * stride + *count as usize;
            *count += lanes.compress_hits(t_enter, t_exit, numbers, &mut into[end..end + V::COUNT])
                as u32;
            if let Some(entered) = entered.as_deref_mut() {
                let zero = lanes.splat(0.0);
                entered[slot] = entered[slot] + t_enter.select(t_enter.le(t_exit), zero);
            }
        }
    }
    lengths
}

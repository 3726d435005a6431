//! Closest points, one query point after the other.
//!
//! The walk is that of a single ray: on to the nearest child without a trip over the stack. The others wait
//! in the order of their distances, and are dropped when popped if they are too far by then.

use super::single::RayStack;
use crate::leaf::{InPlace, RayBlock, TriangleBlock, View};
use crate::query::{Asked, Nearest, PointAnswer, Visible};
use crate::simd::{Backend, Kernel, LANES, Lanes, Mask, dispatch, set_bits};
use crate::tree::arena::{NodeKind, Reference};
use crate::tree::{Bvh, Leaf};

/// The answer to a point by its nearest triangle.
#[inline(always)]
pub(crate) fn answer_in_block(
    visible: &Visible<'_>,
    view: &impl View,
    point: [f64; 3],
    nearest: &Nearest<(&TriangleBlock, usize)>,
    normals: bool,
) -> PointAnswer {
    let Some((block, lane)) = nearest.place else { return PointAnswer::NONE };
    let foot = block.foot(lane, view, point);
    let normal = if normals { view.normal(block.geometric_normal(lane)) } else { [0.0; 3] };
    visible.answer(nearest.number, foot, normal)
}

impl Bvh<TriangleBlock> {
    /// Finds the closest point to each of the points; `into` has as many rows.
    pub(crate) fn closest_points(&self, backend: Backend, asked: &Asked<'_>, into: &mut [PointAnswer]) {
        dispatch(backend, SinglePoints { bvh: self, asked, into });
    }

    /// Offers `nearest` every primitive that may matter to it, as seen from a point.
    #[inline(always)]
    pub(crate) fn find_nearest<'b, L: Lanes>(
        &'b self,
        lanes: L,
        stack: &mut RayStack,
        view: &impl View,
        point: [f64; 3],
        visible: &Visible<'_>,
        nearest: &mut Nearest<(&'b TriangleBlock, usize)>,
    ) {
        let limit = view.reach(nearest.squared_distance);
        self.approach(lanes, stack, view.point(), limit, &mut Measuring { view, point, visible, nearest });
    }
}

struct SinglePoints<'a> {
    bvh: &'a Bvh<TriangleBlock>,
    asked: &'a Asked<'a>,
    into: &'a mut [PointAnswer],
}

impl Kernel for SinglePoints<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { bvh, asked, into } = self;
        let mut stack = RayStack::new(bvh.stack);
        let mut before: Option<(&TriangleBlock, usize)> = None;
        for (row, answer) in into.iter_mut().enumerate() {
            let (point, radius) = match asked.of(row) {
                Ok(sound) => sound,
                Err(defect) => {
                    *answer = PointAnswer::refused(defect);
                    continue;
                }
            };
            let (view, wide) = (InPlace(point), point.map(f64::from));
            let mut nearest = Nearest::within(radius);
            // The answer of the point before is offered first: it is a candidate in any case, and spares
            // neighbours most of the walk.
            if let Some((block, lane)) = before {
                let foot = block.foot(lane, &view, wide);
                nearest.offer(foot.squared_distance, block.number(lane), (block, lane), &asked.visible);
            }
            let visible = &asked.visible;
            bvh.find_nearest(lanes, &mut stack, &view, wide, visible, &mut nearest);
            *answer = answer_in_block(visible, &view, wide, &nearest, asked.normals);
            before = nearest.place.or(before);
        }
        stack.put_back();
    }
}

/// Measures the distances of primitives from a point.
struct Measuring<'a, 'b, W> {
    view: &'a W,
    point: [f64; 3],
    visible: &'a Visible<'a>,
    nearest: &'a mut Nearest<(&'b TriangleBlock, usize)>,
}

impl<'b, W: View> PointVisitor<'b, TriangleBlock> for Measuring<'_, 'b, W> {
    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &'b TriangleBlock, _: &[L::F32; 3], limit: &mut f32) {
        let Self { view, point, visible, ref mut nearest } = *self;
        let mut squared_distances = [0.0; LANES];
        let most = nearest.squared_distance;
        let within = block.squared_distances(lanes.widest(), view, point, most, &mut squared_distances);
        for lane in set_bits(within) {
            nearest.offer(squared_distances[lane], block.number(lane), (block, lane), visible);
        }
        *limit = view.reach(nearest.squared_distance);
    }
}

/// The operations on the leaves near a point.
pub(crate) trait PointVisitor<'b, B> {
    /// Visits a leaf. Lowers `limit` to the distance that still matters.
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &'b B, point: &[L::F32; 3], limit: &mut f32);
}

impl<B: Leaf> Bvh<B> {
    /// Visits every leaf whose box is no farther than `limit`, a squared distance as boxes compute it.
    #[inline(always)]
    pub(crate) fn approach<'b, L: Lanes>(
        &'b self,
        lanes: L,
        stack: &mut RayStack,
        point: [f32; 3],
        mut limit: f32,
        visitor: &mut impl PointVisitor<'b, B>,
    ) {
        let in_lanes = [lanes.splat(point[0]), lanes.splat(point[1]), lanes.splat(point[2])];
        let nodes = self.arena.nodes();
        let (references, distances) = (&mut stack.references[..], &mut stack.t_enter[..]);
        let mut next = self.root;
        // The top of the stack; the mark of the end is at 0.
        let mut top = 0;
        loop {
            match next.kind() {
                NodeKind::Inner => {
                    let node = &nodes[next.node()];
                    let (squared, met) = node.boxes.squared_distances(lanes, &in_lanes, limit);
                    let mut bits = met.bits();
                    if bits != 0 {
                        let (slot, _) = lanes.take_least(met, squared);
                        next = Reference::from_bits(node.children[slot]);
                        bits &= !(1 << slot);
                        let mut place = top + bits.count_ones() as usize;
                        top = place;
                        if bits != 0 {
                            let mut entered = [0.0; LANES];
                            lanes.store(squared, &mut entered);
                            // The farthest at the bottom.
                            while bits != 0 {
                                let (slot, _) = lanes.take_least(lanes.mask_of_bits(bits), squared);
                                references[place] = node.children[slot];
                                distances[place] = entered[slot];
                                place -= 1;
                                bits &= !(1 << slot);
                            }
                        }
                        continue;
                    }
                }
                NodeKind::Leaf => visitor.visit_leaf(lanes, self.arena.block(next), &in_lanes, &mut limit),
                NodeKind::End => break,
            }
            // Ties stay: they may have lower ids.
            while distances[top] > limit {
                top -= 1;
            }
            next = Reference::from_bits(references[top]);
            top = top.wrapping_sub(1);
        }
    }
}

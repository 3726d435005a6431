//! Closest points, one query point after the other.
//!
//! The walk is that of a single ray: on to the nearest child without a trip over the stack. The others wait
//! in the order of their distances, and are dropped when popped if they are too far by then.

use std::marker::PhantomData;

use super::Target;
use super::single::RayStack;
use crate::kernel::ExactScalar;
use crate::leaf::{InPlace, RayBlock, TriangleLeaf, View, foot, squared_distances};
use crate::query::{Asked, Nearest, PointAnswer, Visible};
use crate::simd::{Kernel, LANES, Lanes, Mask, Scalar, set_bits};
use crate::tree::arena::{NodeKind, Reference};
use crate::tree::{Bvh, Leaf};

/// The answer to a point by its nearest triangle.
#[inline(always)]
pub(crate) fn answer_in_block<T: Scalar, B: RayBlock<T> + TriangleLeaf<T>>(
    visible: &Visible<'_>,
    view: &impl View<T>,
    point: [f64; 3],
    nearest: &Nearest<(&B, usize)>,
    normals: bool,
) -> PointAnswer<T> {
    let Some((block, lane)) = nearest.place else { return PointAnswer::NONE };
    let foot = foot(block, lane, view, point);
    let normal = if normals { view.normal(block.geometric_normal(lane)) } else { [T::ZERO; 3] };
    visible.answer(nearest.number, foot, normal)
}

/// Offers `nearest` every triangle that may matter to it, as seen from a point.
#[inline(always)]
pub(crate) fn find_nearest<'b, T: Scalar, L: Lanes, B: TriangleLeaf<T>>(
    bvh: &'b Bvh<B>,
    lanes: L,
    stack: &mut RayStack,
    view: &impl View<T>,
    point: [f64; 3],
    visible: &Visible<'_>,
    nearest: &mut Nearest<(&'b B, usize)>,
) {
    let limit = view.reach(nearest.squared_distance);
    let mut measuring = Measuring { view, point, visible, nearest, precision: PhantomData };
    bvh.approach(lanes, stack, view.point(), limit, &mut measuring);
}

/// Finds the closest point of a tree to each of the points, in place; `into` has as many rows.
pub(crate) struct SinglePoints<'a, T: ExactScalar, X> {
    pub(crate) tree: &'a X,
    pub(crate) asked: &'a Asked<'a, T>,
    pub(crate) into: &'a mut [PointAnswer<T>],
}

impl<T: ExactScalar, X: Target<T>> Kernel for SinglePoints<'_, T, X> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { tree, asked, into } = self;
        let bvh = tree.bvh();
        let mut stack = RayStack::new(bvh.stack);
        let mut before: Option<(&X::Block, usize)> = None;
        for (row, answer) in into.iter_mut().enumerate() {
            let (point, radius) = match asked.of(row) {
                Ok(sound) => sound,
                Err(defect) => {
                    *answer = PointAnswer::refused(defect);
                    continue;
                }
            };
            let view = InPlace::new(point, tree.viewpoint());
            let point = [point[0].to_f64(), point[1].to_f64(), point[2].to_f64()];
            let mut nearest = Nearest::within(radius);
            // The answer of the point before is offered first: it is a candidate in any case, and spares
            // neighbours most of the walk.
            if let Some((block, lane)) = before {
                let foot = foot(block, lane, &view, point);
                nearest.offer(foot.squared_distance, block.number(lane), (block, lane), &asked.visible);
            }
            let visible = &asked.visible;
            find_nearest(bvh, lanes, &mut stack, &view, point, visible, &mut nearest);
            *answer = answer_in_block(visible, &view, point, &nearest, asked.normals);
            before = nearest.place.or(before);
        }
        stack.put_back();
    }
}

/// Measures the distances of triangles from a point.
struct Measuring<'a, 'b, T, B, W> {
    view: &'a W,
    point: [f64; 3],
    visible: &'a Visible<'a>,
    nearest: &'a mut Nearest<(&'b B, usize)>,
    precision: PhantomData<T>,
}

impl<'b, T: Scalar, B: TriangleLeaf<T>, W: View<T>> PointVisitor<'b, B> for Measuring<'_, 'b, T, B, W> {
    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &'b B, _: &[L::F32; 3], limit: &mut f32) {
        let Self { view, point, visible, ref mut nearest, .. } = *self;
        let mut squares = [0.0; LANES];
        let most = nearest.squared_distance;
        let within = squared_distances(block, lanes.widest(), view, point, most, &mut squares);
        for lane in set_bits(within) {
            nearest.offer(squares[lane], block.number(lane), (block, lane), visible);
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

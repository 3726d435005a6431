//! Closest points, one query point after the other.
//!
//! The walk is like that of a single ray, one node a step: on to the nearest child without a trip
//! over the stack. The others wait in the order of their distances, and are dropped when popped if
//! they are too far by then.

use std::marker::PhantomData;

use super::Target;
use super::single::RayStack;
use crate::chunks::Chunk;
use crate::kernel::ExactScalar;
use crate::leaf::{
    InPlace, RayBlock, TriangleLeaf, View, foot, squared_distance, squared_distances,
};
use crate::query::{Asked, KeepNearest, Nearest, PointAnswer};
use crate::simd::{LANES, Lanes, MapEach, Mask, Scalar, set_bits};
use crate::tree::arena::{NodeKind, Reference};
use crate::tree::{Bvh, Leaf};

/// A leaf and a lane of it.
pub(crate) type LeafPlace = (Reference, usize);

/// Visits the leaves of a tree that may be near a point, or all of them.
#[inline(always)]
pub(crate) fn visit_near_leaves<L: Lanes, B: Leaf>(
    lanes: L,
    bvh: &Bvh<B>,
    (point, mut limit): ([f32; 3], f32),
    brute_force: bool,
    mut visitor: impl PointVisitor<B>,
) {
    if brute_force {
        let point = point.map_each(|x| lanes.splat(x));
        let mut made = None;
        for leaf in bvh.arena.leaves() {
            let block = bvh.arena.block(leaf, &mut made);
            visitor.visit_leaf(lanes, (leaf, block), &point, &mut limit);
            if limit == f32::NEG_INFINITY {
                break;
            }
        }
        return;
    }
    let mut stack = RayStack::new(bvh.stack);
    bvh.approach(lanes, &mut stack, point, limit, &mut visitor);
    stack.put_back();
}

/// Finds the closest point of a tree to each of the points, in place; `into` has as many rows.
#[inline(always)]
pub(crate) fn find_closest_points<L: Lanes, T: ExactScalar, X: Target<T>>(
    lanes: L,
    tree: &X,
    asked: &Asked<'_, T>,
    into: &mut [PointAnswer<T>],
) {
    let (bvh, visible) = (tree.bvh(), asked.visible);
    let mut stack = RayStack::new(bvh.stack);
    let (mut before, mut made): (Option<LeafPlace>, _) = (None, None);
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
        let mut nearest = Nearest::within(radius, visible);
        // The answer of the point before is offered first: it is a candidate in any case, and
        // spares neighbours most of the walk.
        if let Some((leaf, lane)) = before {
            let block = bvh.arena.block(leaf, &mut made);
            let squared_distance = squared_distance(point, block.corners_f64(lane));
            nearest.offer(squared_distance, block.number(lane), (leaf, lane));
        }
        let limit = view.reach(nearest.squared_bound());
        let mut measuring = Measuring::new(view, point, asked.chunk, nearest);
        bvh.approach(lanes, &mut stack, view.point(), limit, &mut measuring);
        let nearest = measuring.nearest;
        *answer = PointAnswer::NONE;
        if let Some((leaf, lane)) = nearest.place {
            let block = bvh.arena.block(leaf, &mut made);
            let foot = foot(point, block.corners_f64(lane));
            let normal = if asked.normals { block.geometric_normal(lane) } else { [T::ZERO; 3] };
            *answer = visible.answer(nearest.number, foot, normal);
        }
        before = nearest.place.or(before);
    }
    stack.put_back();
}

/// Measures the distances of triangles from a point. By value, for registers: through references a
/// point took 5 to 9% longer.
pub(crate) struct Measuring<'a, T, W, K> {
    view: W,
    point: [f64; 3],
    chunk: &'a Chunk<'a>,
    nearest: K,
    precision: PhantomData<T>,
}

impl<'a, T, W, K> Measuring<'a, T, W, K> {
    /// Begins with the nearest so far, or a bound.
    pub(crate) fn new(view: W, point: [f64; 3], chunk: &'a Chunk<'a>, nearest: K) -> Self {
        Self { view, point, chunk, nearest, precision: PhantomData }
    }
}

impl<T: Scalar, B: TriangleLeaf<T>, W: View, K: KeepNearest<LeafPlace>> PointVisitor<B>
    for Measuring<'_, T, W, K>
{
    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        (leaf, block): (Reference, &B),
        _: &[L::F32; 3],
        limit: &mut f32,
    ) {
        let Self { view, point, chunk, nearest, .. } = self;
        if chunk.work(4).is_break() {
            // All that waits is too far.
            *limit = f32::NEG_INFINITY;
            return;
        }
        let mut squares = [0.0; LANES];
        let squared_bound = nearest.squared_bound();
        let within =
            squared_distances(block, lanes.widest(), view, *point, squared_bound, &mut squares);
        for lane in set_bits(within) {
            nearest.offer(squares[lane], block.number(lane), (leaf, lane));
        }
        *limit = view.reach(nearest.squared_bound());
    }
}

/// The operations on the leaves near a point.
pub(crate) trait PointVisitor<B> {
    /// Visits a leaf. Lowers `limit` to the distance that still matters.
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        leaf: (Reference, &B),
        point: &[L::F32; 3],
        limit: &mut f32,
    );
}

impl<B: Leaf> Bvh<B> {
    /// Visits every leaf whose box is no farther than `limit`, a squared distance as boxes compute
    /// it.
    #[inline(always)]
    pub(crate) fn approach<L: Lanes>(
        &self,
        lanes: L,
        stack: &mut RayStack,
        point: [f32; 3],
        mut limit: f32,
        visitor: &mut impl PointVisitor<B>,
    ) {
        let in_lanes = [lanes.splat(point[0]), lanes.splat(point[1]), lanes.splat(point[2])];
        let nodes = self.arena.nodes();
        let (references, distances) = (&mut stack.references[..], &mut stack.t_enter[..]);
        let mut next = self.root;
        // The top of the stack; the mark of the end is at 0.
        let (mut top, mut made) = (0, None);
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
                NodeKind::Leaf => {
                    let block = self.arena.block(next, &mut made);
                    visitor.visit_leaf(lanes, (next, block), &in_lanes, &mut limit);
                }
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

//! Closest points, one query point after the other.
//!
//! The walk goes one node a step, on to the nearest child without a trip over the stack. The others
//! wait as the distances of their node's children in lanes: they are put in order one by one, as
//! the walk comes back, and most are too far by then.

use std::marker::PhantomData;

use super::Target;
use super::single::RayStack;
use crate::chunks::Chunk;
use crate::kernel::ExactScalar;
use crate::leaf::{
    InPlace, RayBlock, TriangleLeaf, View, closest_of_triangle, closest_of_triangles, foot_at,
};
use crate::query::{Asked, KeepNearest, Nearest, PointAnswer};
use crate::simd::{LANES, Lanes, MapEach, Mask, Real, Scalar, set_bits};
use crate::tree::arena::{NodeKind, Reference};
use crate::tree::{Bvh, Leaf};

/// A triangle, by its leaf and lane, and the weights of its second and third vertex at its closest
/// point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearTriangle {
    pub(crate) leaf: Reference,
    pub(crate) lane: usize,
    pub(crate) weights: [f64; 2],
}

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
    let (mut before, mut made): (Option<NearTriangle>, _) = (None, None);
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
        if let Some(NearTriangle { leaf, lane, .. }) = before {
            let block = bvh.arena.block(leaf, &mut made);
            let [squared_distance, u, v] = closest_of_triangle(point, block.corners_f64(lane));
            let place = NearTriangle { leaf, lane, weights: [u, v] };
            nearest.offer(squared_distance, block.number(lane), place);
        }
        let limit = view.reach(nearest.squared_bound());
        let mut measuring = Measuring::new(view, point, asked.chunk, nearest);
        bvh.approach(lanes, &mut stack, view.point(), limit, &mut measuring);
        let nearest = measuring.nearest;
        *answer = PointAnswer::NONE;
        if let Some(NearTriangle { leaf, lane, weights }) = nearest.place {
            let block = bvh.arena.block(leaf, &mut made);
            let foot = foot_at(nearest.squared_bound(), weights, block.corners_f64(lane));
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
    is_first: bool,
    precision: PhantomData<T>,
}

impl<'a, T, W, K> Measuring<'a, T, W, K> {
    /// Begins with the nearest so far, or a bound.
    pub(crate) fn new(view: W, point: [f64; 3], chunk: &'a Chunk<'a>, nearest: K) -> Self {
        Self { view, point, chunk, nearest, is_first: true, precision: PhantomData }
    }
}

impl<T: Scalar, B: TriangleLeaf<T>, W: View, K: KeepNearest<NearTriangle>> PointVisitor<B>
    for Measuring<'_, T, W, K>
{
    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        (leaf, block): (Reference, &B),
        in_lanes: &[L::F32; 3],
        limit: &mut f32,
    ) {
        let Self { view, point, chunk, nearest, is_first, .. } = self;
        if chunk.work(4).is_break() {
            // All that waits is too far.
            *limit = f32::NEG_INFINITY;
            return;
        }
        // A leaf that is met first holds what bounds the others, as a rule.
        if !std::mem::take(is_first)
            && nearest.narrows()
            && block.near(lanes, in_lanes, *limit) == 0
        {
            return;
        }
        let (mut closest, squared_bound) = ([[0.0; LANES]; 3], nearest.squared_bound());
        let within =
            closest_of_triangles(block, lanes.widest(), view, *point, squared_bound, &mut closest);
        let [squares, u, v] = &closest;
        for lane in set_bits(within) {
            let place = NearTriangle { leaf, lane, weights: [u[lane], v[lane]] };
            nearest.offer(squares[lane], block.number(lane), place);
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
        let (references, rows) = (&mut stack.references[..], stack.t_enter.as_chunks_mut().0);
        // Row 0 stays: it holds the end mark of rays.
        let (mut next, mut top, mut made) = (self.root, 0, None);
        loop {
            match next.kind() {
                NodeKind::Inner => {
                    let node = &nodes[next.node()];
                    let (squared, met) = node.boxes.squared_distances(lanes, &in_lanes, limit);
                    let bits = met.bits();
                    if bits != 0 {
                        let (slot, others) = lanes.take_least(met, squared);
                        if bits & (bits - 1) != 0 {
                            // Empty boxes are at infinity, which a limit may be too.
                            let others = others.select(met, lanes.splat(f32::NAN));
                            top += 1;
                            references[top] = next.bits();
                            lanes.store(others, &mut rows[top]);
                        }
                        next = Reference::from_bits(node.children[slot]);
                        continue;
                    }
                }
                NodeKind::Leaf => {
                    let block = self.arena.block(next, &mut made);
                    visitor.visit_leaf(lanes, (next, block), &in_lanes, &mut limit);
                }
                NodeKind::End => break,
            }
            // On to the nearest of the children that wait in the last node that has some.
            next = Reference::END;
            while top > 0 {
                let row = lanes.load(&rows[top]);
                // Ties stay: they may have lower ids. A child that was visited is NaN.
                let met = row.le(lanes.splat(limit));
                let bits = met.bits();
                if bits == 0 {
                    top -= 1;
                    continue;
                }
                let (slot, others) = lanes.take_least(met, row);
                let node = &nodes[Reference::from_bits(references[top]).node()];
                next = Reference::from_bits(node.children[slot]);
                if bits & (bits - 1) == 0 {
                    top -= 1;
                } else {
                    lanes.store(others, &mut rows[top]);
                }
                break;
            }
        }
    }
}

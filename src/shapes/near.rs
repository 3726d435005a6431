//! Closest points of shapes, and the boxes of instances by their distance from a point.

use super::Shapes;
use crate::leaf::{Carried, Foot, NearestPoint, Primitives, View};
use crate::math::{dot, sub};
use crate::query::{Nearest, Visible};
use crate::simd::{LANES, Lanes, Mask, set_bits};
use crate::traverse::{BoxBlock, BoxTree, PointVisitor, RayStack};
use crate::tree::arena::{NodeKind, Reference};

/// The closest point of a shape, and the normal in the frame of the primitive.
pub(crate) type ShapeFoot = (Foot, [f32; 3]);

/// Offers `nearest` the closest points of shapes to `point`, as `view` places them.
pub(crate) struct NearShapes<'a> {
    pub(crate) shapes: &'a Shapes,
    pub(crate) view: &'a Carried,
    pub(crate) point: [f64; 3],
    pub(crate) visible: &'a Visible<'a>,
    pub(crate) nearest: &'a mut Nearest<ShapeFoot>,
}

impl NearShapes<'_> {
    /// Offers one primitive. The distance follows from its closest point.
    fn offer(&mut self, number: u32) {
        let (geometry_id, primitive_id) = self.shapes.numbering.ids(number);
        let shape = self.shapes.geometry(geometry_id).and_then(Primitives::nearest_points);
        let found = shape.and_then(|shape| shape.nearest_point(primitive_id, self.point, &self.view.map));
        let Some(NearestPoint { point, u, v, normal }) = found else { return };
        let off = sub(point, self.point);
        let squared_distance = dot(off, off);
        let foot = Foot { squared_distance, point: point.map(|x| x as f32), u, v };
        // False for NaN.
        if squared_distance.is_finite() {
            self.nearest.offer(squared_distance, number, (foot, normal), self.visible);
        }
    }

    /// Offers every primitive that may matter, or every one.
    #[inline(always)]
    pub(crate) fn run<L: Lanes, const TREES: bool>(&mut self, lanes: L) {
        if !TREES {
            return self.shapes.numbers().for_each(|number| self.offer(number));
        }
        let (bvh, view) = (&self.shapes.tree.bvh, self.view);
        let mut stack = RayStack::new(bvh.stack);
        bvh.approach(lanes, &mut stack, view.point(), view.reach(self.nearest.squared_distance), self);
        stack.put_back();
    }
}

impl PointVisitor<'_, BoxBlock> for NearShapes<'_> {
    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &BoxBlock, point: &[L::F32; 3], limit: &mut f32) {
        let (_, near) = block.boxes.squared_distances(lanes, point, *limit);
        for lane in set_bits(near.bits() as u8) {
            self.offer(block.numbers[lane]);
        }
        *limit = self.view.reach(self.nearest.squared_distance);
    }
}

/// The content of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Inside {
    /// A node or leaf with more boxes.
    Boxes(u32),
    /// The thing with a number.
    Thing(u32),
}

impl BoxTree {
    /// Lists the content of a box, each with its squared distance from a point as boxes compute it, up to `limit`.
    #[inline(always)]
    pub(crate) fn open<L: Lanes>(
        &self,
        lanes: L,
        boxes: u32,
        point: [f32; 3],
        limit: f32,
        mut show: impl FnMut(f32, Inside),
    ) {
        let (arena, reference) = (&self.bvh.arena, Reference::from_bits(boxes));
        let (boxes, numbers, are_things) = match reference.kind() {
            NodeKind::Inner => {
                let node = &arena.nodes()[reference.node()];
                (&node.boxes, &node.children, false)
            }
            NodeKind::Leaf => {
                let block = arena.block(reference);
                (&block.boxes, &block.numbers, true)
            }
            NodeKind::End => return,
        };
        let in_lanes = [lanes.splat(point[0]), lanes.splat(point[1]), lanes.splat(point[2])];
        let (squared, near) = boxes.squared_distances(lanes, &in_lanes, limit);
        let mut squared_distances = [0.0; LANES];
        lanes.store(squared, &mut squared_distances);
        for lane in set_bits(near.bits() as u8) {
            let inside = if are_things { Inside::Thing(numbers[lane]) } else { Inside::Boxes(numbers[lane]) };
            show(squared_distances[lane], inside);
        }
    }
}

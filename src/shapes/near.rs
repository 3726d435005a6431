//! Closest points of shapes, and the boxes of instances by their distance from a point.

use super::Shapes;
use crate::leaf::{Carried, Foot, NearestPoint, Primitives, View};
use crate::math::{dot, sub};
use crate::query::{Nearest, Visible};
use crate::simd::{LANES, Lanes, Mask, set_bits};
use crate::traverse::{BoxBlock, BoxTree, PointVisitor, RayStack};
use crate::tree::arena::{NodeKind, Reference};
use crate::value::Affine;

/// The closest point of a shape.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ShapeFoot {
    pub(crate) foot: Foot,
    /// In the frame of the primitive.
    pub(crate) normal: [f32; 3],
}

impl Shapes {
    /// Offers the closest point of a primitive to `point`, where `map` takes it. The distance follows from the point.
    fn offer_foot(
        &self,
        number: u32,
        map: &Affine,
        point: [f64; 3],
        visible: &Visible<'_>,
        nearest: &mut Nearest<ShapeFoot>,
    ) {
        let (geometry_id, primitive_id) = self.numbering.ids(number);
        let shape = self.geometry(geometry_id).and_then(Primitives::nearest_points);
        let found = shape.and_then(|shape| shape.nearest_point(primitive_id, point, map));
        let Some(NearestPoint { point: at, u, v, normal }) = found else { return };
        let off = sub(at, point);
        let squared_distance = dot(off, off);
        let foot = Foot { squared_distance, point: at.map(|x| x as f32), u, v };
        // False for NaN.
        if squared_distance.is_finite() {
            nearest.offer(squared_distance, number, ShapeFoot { foot, normal }, visible);
        }
    }

    /// Offers `nearest` every primitive that may matter to it, as seen from a point.
    #[inline(always)]
    pub(crate) fn offer_nearest<L: Lanes>(
        &self,
        lanes: L,
        view: &Carried,
        point: [f64; 3],
        visible: &Visible<'_>,
        nearest: &mut Nearest<ShapeFoot>,
    ) {
        let bvh = &self.tree.bvh;
        let mut stack = RayStack::new(bvh.stack);
        let limit = view.reach(nearest.squared_distance);
        let mut asking = ShapePointVisitor { shapes: self, view, point, visible, nearest };
        bvh.approach(lanes, &mut stack, view.point(), limit, &mut asking);
        stack.put_back();
    }

    /// Offers `nearest` every primitive.
    pub(crate) fn offer_all(
        &self,
        map: &Affine,
        point: [f64; 3],
        visible: &Visible<'_>,
        nearest: &mut Nearest<ShapeFoot>,
    ) {
        for number in self.numbers() {
            self.offer_foot(number, map, point, visible, nearest);
        }
    }
}

/// Measures the primitives near a point.
struct ShapePointVisitor<'a> {
    shapes: &'a Shapes,
    view: &'a Carried,
    point: [f64; 3],
    visible: &'a Visible<'a>,
    nearest: &'a mut Nearest<ShapeFoot>,
}

impl PointVisitor<'_, BoxBlock> for ShapePointVisitor<'_> {
    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &BoxBlock, point: &[L::F32; 3], limit: &mut f32) {
        let (_, near) = block.boxes.squared_distances(lanes, point, *limit);
        for lane in set_bits(near.bits() as u8) {
            let number = block.numbers[lane];
            self.shapes.offer_foot(number, &self.view.map, self.point, self.visible, self.nearest);
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
    /// All of them.
    pub(crate) fn everything(&self) -> Inside {
        Inside::Boxes(self.bvh.root.bits())
    }

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
                let node = arena.node(reference);
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

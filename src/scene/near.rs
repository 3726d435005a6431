//! Closest points in a scene that holds more than its own triangles.
//!
//! The corners of a triangle are carried in `f64` by one map, the product of the maps of its
//! instances from the outermost inwards. Distances are measured in the frame of the points. The
//! least squared distance in `f64` wins, at equal ones the lowest (instance id, geometry id,
//! primitive id), primitives in no instance first. No answer depends on a tree.
//!
//! A kernel answers a chunk of points by the triangles of the scene itself. Then each point visits
//! its other primitives, and opens the nearest known box at any depth of nesting: boxes of
//! instances, and at their end an instance as a scene with a frame of its own. Boxes and instances
//! are in one heap. Entries that are too far when they come up are dropped. This search is compiled
//! once for each precision, and calls the walks of trees on the lanes of the backend. Brute force
//! is [that of many](super::near_many), asked for one.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::instances::Instance;
use super::precision::BlockOf;
use super::{Lack, Precision, Scene};
use crate::answers::INVALID_ID;
use crate::chunks::{Chunk, OF_OWN};
use crate::error::{Error, Result};
use crate::leaf::{
    Carried, Foot, NearestPoint, Placed, Primitives, RayBlock, TriangleLeaf, View, before_mirrors,
    foot,
};
use crate::math::{dot, sub};
use crate::query::{Asked, Nearest, PointAnswer};
use crate::simd::{LANES, Lanes, MapEach, Mask, call, set_bits};
use crate::status::Status;
use crate::traverse::{BoxBlock, Measuring, PointVisitor, RayStack, Target, find_nearest};
use crate::tree::arena::{Node, NodeKind, Reference};
use crate::tree::{AabbBlock, Bvh, Leaf};
use crate::value::Affine;

/// A scene in its place, as a point sees it.
pub(super) struct Frame<'a, T: Precision> {
    pub(super) scene: &'a Scene<T>,
    /// The instance id of the scene's own primitives.
    pub(super) instance_id: u32,
    /// Whether an odd number of the maps on the path mirror. Their product does not show it, as
    /// rounding may lose its sign.
    mirrored: bool,
    pub(super) placed: Placed,
}

impl<'a, T: Precision> Frame<'a, T> {
    pub(super) fn outermost(scene: &'a Scene<T>, point: [f64; 3]) -> Self {
        let placed = Placed::new(Affine::IDENTITY, point, scene.instances.frames.reach);
        Self { scene, instance_id: INVALID_ID, mirrored: false, placed }
    }

    pub(super) fn within(&self, number: u32, point: [f64; 3]) -> Self {
        let instances = &self.scene.instances;
        let Instance { scene, transform, is_mirrored, .. } = &instances.placed[number as usize];
        // The map of the outermost scene is the identity, and is left out of products.
        let map = if self.is_outermost() { *transform } else { self.placed.map * *transform };
        let instance_id = self.instance_id.wrapping_add(1) + instances.starts[number as usize];
        let placed = Placed::new(map, point, scene.instances.frames.reach);
        Self { scene, instance_id, mirrored: self.mirrored != *is_mirrored, placed }
    }

    pub(super) fn is_outermost(&self) -> bool {
        self.instance_id == INVALID_ID
    }

    /// The order of instances, in the upper half: primitives in no instance come first.
    pub(super) fn rank(&self) -> u64 {
        u64::from(self.instance_id.wrapping_add(1)) << 32
    }

    /// The answer to a point by the primitive of this number, which is the nearest.
    pub(super) fn answer(
        &self,
        (number, place): (u32, FoundPrimitive<'_, T>),
        point: [f64; 3],
        normals: bool,
    ) -> PointAnswer<T> {
        let map = (!self.is_outermost()).then_some(&self.placed.map);
        let (foot, normal) = match place {
            FoundPrimitive::Triangle(block, lane) => {
                let mut corners = block.corners_f64(lane);
                if let Some(map) = map {
                    corners = corners.map_each(|corner| map.carry(corner));
                }
                (
                    foot(point, corners),
                    if normals { block.geometric_normal(lane) } else { [T::ZERO; 3] },
                )
            }
            FoundPrimitive::Shape(foot, normal) if map.is_some() => {
                (foot, before_mirrors(normal, self.mirrored))
            }
            FoundPrimitive::Shape(foot, normal) => (foot, normal),
        };
        let normal = match (normals, map) {
            (false, _) => [T::ZERO; 3],
            (true, None) => normal,
            (true, Some(map)) => map.normal_of(normal),
        };
        let mut answer = self.scene.visible().answer(number, foot, normal);
        answer.found.instance_id = self.instance_id;
        answer
    }
}

/// A primitive as it was found: of a shape with its closest point, and its normal there in its own
/// frame.
#[derive(Clone, Copy)]
pub(super) enum FoundPrimitive<'a, T: Precision> {
    Triangle(&'a BlockOf<T>, usize),
    Shape(Foot<T>, [T; 3]),
}

impl<T: Precision> Asked<'_, T> {
    /// The point in `row` and its radius, or their defect, where rays are refused, too.
    pub(super) fn sound_in(&self, scene: &Scene<T>, row: usize) -> Result<([T; 3], T), Status> {
        let (point, radius) = self.of(row)?;
        scene.defect_of_point(point).map_or(Ok((point, radius)), Err)
    }
}

/// The content of a box: a node or leaf with more boxes, or the instance with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Inside {
    Boxes(u32),
    Instance(u32),
}

/// A box or an instance that was not visited yet: its approximate distance and the squared distance
/// of its box in its frame, as bits, which order numbers that are not negative, and its frame.
pub(super) type Waiting<I> = Reverse<(u32, u32, u32, I)>;

/// The best so far around a point.
struct Best<'a, T> {
    asked: &'a Asked<'a, T>,
    point: [f64; 3],
    squared_distance: f64,
    /// The [rank](Frame::rank) of its instance, and its number in the lower half.
    order: u64,
    answer: PointAnswer<T>,
}

impl<T: Precision> Best<'_, T> {
    /// Visits the content of a frame itself; triangles in no instance are known.
    fn visit(&mut self, frame: &Frame<'_, T>) {
        if !frame.is_outermost() && frame.scene.triangles > 0 {
            self.visit_meshes(frame);
        }
        if !frame.scene.shapes.is_empty {
            self.visit_shapes(frame);
        }
    }

    /// The bound for candidates in a frame: at an equal distance only lower numbers come before it.
    fn in_frame<P>(&self, frame: &Frame<'_, T>) -> Nearest<P> {
        let number = self.order.saturating_sub(frame.rank()).min(INVALID_ID.into()) as u32;
        Nearest { squared_distance: self.squared_distance, number, place: None }
    }

    fn take(
        &mut self,
        frame: &Frame<'_, T>,
        squared_distance: f64,
        number: u32,
        place: FoundPrimitive<'_, T>,
    ) {
        self.squared_distance = squared_distance;
        self.order = frame.rank() | u64::from(number);
        self.answer = frame.answer((number, place), self.point, self.asked.normals);
    }

    fn visit_meshes(&mut self, frame: &Frame<'_, T>) {
        let tree = &frame.scene.tree;
        let (bvh, view) = (tree.bvh(), frame.placed.seen_from(tree.viewpoint()));
        let measuring = Measuring::new(
            view,
            self.point,
            (frame.scene.visible(), self.asked.chunk),
            self.in_frame(frame),
        );
        let mut stack = RayStack::new(bvh.stack);
        let nearest =
            call!(self.asked.backend, lanes => find_nearest(lanes, bvh, &mut stack, measuring));
        stack.put_back();
        if let Some((block, lane)) = nearest.place {
            self.take(
                frame,
                nearest.squared_distance,
                nearest.number,
                FoundPrimitive::Triangle(block, lane),
            );
        }
    }

    fn visit_shapes(&mut self, frame: &Frame<'_, T>) {
        let scene = frame.scene;
        let view = &frame.placed.seen_from(&scene.shapes.tree.viewpoint);
        let (chunk, nearest) = (self.asked.chunk, self.in_frame(frame));
        let search = NearShapes { scene, view, point: self.point, chunk, nearest };
        let nearest = call!(self.asked.backend, lanes => search.run(lanes));
        if let Some((foot, normal)) = nearest.place {
            self.take(
                frame,
                nearest.squared_distance,
                nearest.number,
                FoundPrimitive::Shape(foot, normal),
            );
        }
    }
}

/// Offers `nearest` the closest points of shapes to `point`, as `view` places them.
struct NearShapes<'a, T: Precision> {
    scene: &'a Scene<T>,
    view: &'a Carried,
    point: [f64; 3],
    chunk: &'a Chunk<'a>,
    nearest: Nearest<(Foot<T>, [T; 3])>,
}

impl<T: Precision> NearShapes<'_, T> {
    /// Walks the tree of the shapes. Returns the nearest.
    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> Nearest<(Foot<T>, [T; 3])> {
        let bvh = &self.scene.shapes.tree.bvh;
        let mut stack = RayStack::new(bvh.stack);
        let limit = self.view.reach(self.nearest.squared_distance);
        bvh.approach(lanes, &mut stack, self.view.point(), limit, &mut self);
        stack.put_back();
        self.nearest
    }

    fn offer(&mut self, number: u32) {
        if let Some(place) = self.scene.foot_on_shape(number, self.point, &self.view.map) {
            self.nearest.offer(place.0.squared_distance, number, place, &self.scene.visible());
        }
    }
}

impl<T: Precision> PointVisitor<'_, BoxBlock> for NearShapes<'_, T> {
    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        block: &BoxBlock,
        point: &[L::F32; 3],
        limit: &mut f32,
    ) {
        let (_, near) = block.boxes.squared_distances(lanes, point, *limit);
        for lane in set_bits(near.bits() as u8) {
            let Scene { shapes, numbering, .. } = self.scene;
            // Each may be the caller's own.
            if self.chunk.work(OF_OWN).is_break() {
                *limit = f32::NEG_INFINITY;
                return;
            }
            shapes.each_in_box(block.numbers[lane], numbering, |number| self.offer(number));
        }
        *limit = self.view.reach(self.nearest.squared_distance);
    }
}

impl<T: Precision> Scene<T> {
    /// Finds the closest points of all content through the trees. `into` has those of triangles in
    /// no instance.
    pub(super) fn find_one_by_one(&self, asked: &Asked<'_, T>, into: &mut [PointAnswer<T>]) {
        // Frames with instances, and how their tree sees the point.
        let mut frames: Vec<(Frame<'_, T>, Carried)> = Vec::new();
        let mut waiting = BinaryHeap::<Waiting<Inside>>::new();
        for (row, into) in into.iter_mut().enumerate() {
            let (point, radius) = match asked.sound_in(self, row) {
                Ok(sound) => sound,
                Err(defect) => {
                    *into = PointAnswer::refused(defect);
                    continue;
                }
            };
            let (point, answer) = (point.map(T::to_f64), *into);
            let (squared_distance, order) = if answer.status.is_hit() {
                (answer.squared_distance, answer.number.into())
            } else {
                (Nearest::<()>::within(radius).squared_distance, u64::MAX)
            };
            let mut best = Best { asked, point, squared_distance, order, answer };
            frames.clear();
            waiting.clear();
            let mut next = Some(Frame::outermost(self, point));
            loop {
                if let Some(frame) = next.take() {
                    best.visit(&frame);
                    let (instances, number) = (&frame.scene.instances, frames.len() as u32);
                    if !instances.placed.is_empty() {
                        let tree = instances.tree();
                        waiting.push(Reverse((0, 0, number, Inside::Boxes(tree.bvh.root.bits()))));
                        let view = frame.placed.seen_from(&tree.viewpoint);
                        frames.push((frame, view));
                    }
                }
                if asked.chunk.work(8).is_break() {
                    return;
                }
                let Some(Reverse((_, squared_distance, number, inside))) = waiting.pop() else {
                    break;
                };
                let (frame, view) = &frames[number as usize];
                let limit = view.reach(best.squared_distance);
                if f32::from_bits(squared_distance) > limit {
                    continue;
                }
                let instances = &frame.scene.instances;
                let boxes = match inside {
                    Inside::Boxes(boxes) => boxes,
                    Inside::Instance(instance) => {
                        let is_visible = instances.placed[instance as usize].mask != 0;
                        next = is_visible.then(|| frame.within(instance, point));
                        continue;
                    }
                };
                let (boxes, numbers, content): (_, _, fn(u32) -> Inside) =
                    match opened(&instances.tree().bvh, boxes) {
                        Opened::Node(node) => (&node.boxes, &node.children, Inside::Boxes),
                        Opened::Leaf(block) => (&block.boxes, &block.numbers, Inside::Instance),
                        Opened::End => continue,
                    };
                let (squared_distances, near) =
                    call!(asked.backend, lanes => near_boxes(lanes, boxes, view.point(), limit));
                for lane in set_bits(near) {
                    let (about, exact) =
                        (view.about(squared_distances[lane]), squared_distances[lane]);
                    waiting.push(Reverse((
                        about.to_bits(),
                        exact.to_bits(),
                        number,
                        content(numbers[lane]),
                    )));
                }
            }
            *into = best.answer;
        }
    }

    /// The foot of a point on a primitive of a shape, as `map` places it, and the normal there in
    /// its own frame. The distance follows from it, and is finite.
    #[inline(always)]
    pub(super) fn foot_on_shape(
        &self,
        number: u32,
        from: [f64; 3],
        map: &Affine,
    ) -> Option<(Foot<T>, [T; 3])> {
        let (geometry_id, primitive_id) = self.numbering.ids(number);
        let shape = self.shapes.geometry(geometry_id)?.nearest_points()?;
        let NearestPoint { point, u, v, normal } = shape.nearest_point(primitive_id, from, map)?;
        let off = sub(point, from);
        let squared_distance = dot(off, off);
        let foot = Foot { squared_distance, point: point.map(T::nearest_to), u, v };
        squared_distance.is_finite().then_some((foot, normal))
    }

    pub(crate) fn refuse_without_nearest(&self) -> Result<()> {
        self.first_lacking(Lack::ClosestPoints)
            .cloned()
            .map_or(Ok(()), |(geometry_id, instance_path)| {
                Err(Error::NotForPoints { geometry_id, instance_path })
            })
    }
}

/// The target of a reference of a tree.
pub(super) enum Opened<'a, B> {
    Node(&'a Node),
    Leaf(&'a B),
    End,
}

pub(super) fn opened<B: Leaf>(bvh: &Bvh<B>, at: u32) -> Opened<'_, B> {
    let at = Reference::from_bits(at);
    match at.kind() {
        NodeKind::Inner => Opened::Node(&bvh.arena.nodes()[at.node()]),
        NodeKind::Leaf => Opened::Leaf(bvh.arena.block(at)),
        NodeKind::End => Opened::End,
    }
}

/// The squared distances of boxes from a point, and those that are no greater than `limit`, as bits.
#[inline(always)]
pub(super) fn near_boxes<L: Lanes>(
    lanes: L,
    boxes: &AabbBlock,
    [x, y, z]: [f32; 3],
    limit: f32,
) -> ([f32; LANES], u8) {
    let point = [lanes.splat(x), lanes.splat(y), lanes.splat(z)];
    let (squared, near) = boxes.squared_distances(lanes, &point, limit);
    let mut squared_distances = [0.0; LANES];
    lanes.store(squared, &mut squared_distances);
    (squared_distances, near.bits() as u8)
}

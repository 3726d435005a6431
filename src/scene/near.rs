//! Closest points in a scene that holds more than its own triangles.
//!
//! The corners of a triangle are carried in `f64` by one map, the product of the maps of its instances from the outermost
//! inwards. Distances are measured in the frame of the points. The least squared distance in `f64` wins, at equal ones the
//! lowest (instance id, geometry id, primitive id), primitives in no instance first. No answer depends on a tree.
//!
//! Each point visits the triangles and the primitives of the scene itself. Then it opens the nearest known box at any depth
//! of nesting: boxes of instances, and at their end an instance as a scene with a frame of its own. Boxes and instances are
//! in one heap, so that one kernel answers a chunk of points. Entries that are too far when they come up are dropped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::instances::Instance;
use super::precision::BlockOf;
use super::{Lack, Precision, Scene};
use crate::answers::INVALID_ID;
use crate::error::{Error, Result};
use crate::leaf::{
    Carried, Foot, InPlace, NearestPoint, Placed, Primitives, View, before_mirrors, squared_distances,
};
use crate::math::{dot, sub};
use crate::query::{Asked, Nearest, PointAnswer, Visible};
use crate::shapes::Shapes;
use crate::simd::{Backend, Kernel, LANES, Lanes, Mask, dispatch, set_bits};
use crate::traverse::{
    BoxBlock, PointVisitor, RayStack, SinglePoints, Target, answer_in_block, find_nearest,
};
use crate::tree::Leaf;
use crate::tree::arena::{NodeKind, Reference};
use crate::value::{Affine, Ray};

/// A scene in its place, as a point sees it.
pub(super) struct Frame<'a, T: Precision> {
    pub(super) scene: &'a Scene<T>,
    /// The instance id of the scene's own primitives.
    pub(super) instance_id: u32,
    /// Whether an odd number of the maps on the path mirror. Their product does not show it, as rounding may lose its sign.
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
        let map = if self.is_outermost() { *transform } else { self.placed.map.after(transform) };
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
}

/// The content of a box: a node or leaf with more boxes, or the instance with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Inside {
    Boxes(u32),
    Instance(u32),
}

/// A box or an instance that was not visited yet: its approximate distance and the squared distance of its box in its frame,
/// as bits, which order numbers that are not negative, and its frame.
type Waiting = Reverse<(u32, u32, u32, Inside)>;

struct OneByOne<'a, T: Precision, const TREES: bool> {
    scene: &'a Scene<T>,
    asked: &'a Asked<'a, T>,
    into: &'a mut [PointAnswer<T>],
}

impl<T: Precision, const TREES: bool> Kernel for OneByOne<'_, T, TREES> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { scene, asked, into } = self;
        // Frames with instances, and how their tree sees the point.
        let mut frames: Vec<(Frame<'_, T>, Carried)> = Vec::new();
        let mut waiting = BinaryHeap::<Waiting>::new();
        for (row, answer) in into.iter_mut().enumerate() {
            // A point is refused where rays are.
            let defect = |point| scene.instances.frames.defect(&Ray::new(point, [T::ONE, T::ZERO, T::ZERO]));
            let sound = asked.of(row).and_then(|sound| defect(sound.0).map_or(Ok(sound), Err));
            let (point, radius) = match sound {
                Ok(sound) => sound,
                Err(defect) => {
                    *answer = PointAnswer::refused(defect);
                    continue;
                }
            };
            let wide = point.map(T::to_f64);
            let mut best = Best {
                point: wide,
                normals: asked.normals,
                squared_distance: Nearest::<()>::within(radius).squared_distance,
                order: u64::MAX,
                answer: PointAnswer::NONE,
            };
            frames.clear();
            waiting.clear();
            let mut next = Some(Frame::outermost(scene, wide));
            loop {
                if let Some(frame) = next.take() {
                    if frame.is_outermost() {
                        let view = InPlace::new(point, frame.scene.tree.viewpoint());
                        best.visit_meshes::<L, TREES>(lanes, &frame, &view);
                    } else if frame.scene.triangles > 0 {
                        let view = frame.placed.seen_from(frame.scene.tree.viewpoint());
                        best.visit_meshes::<L, TREES>(lanes, &frame, &view);
                    }
                    best.visit_shapes::<L, TREES>(lanes, &frame);
                    let (instances, number) = (&frame.scene.instances, frames.len() as u32);
                    if !instances.placed.is_empty() {
                        if TREES {
                            let root = Inside::Boxes(instances.tree().bvh.root.bits());
                            waiting.push(Reverse((0, 0, number, root)));
                        } else {
                            let all = (0..instances.placed.len() as u32).map(Inside::Instance);
                            waiting.extend(all.map(|instance| Reverse((0, 0, number, instance))));
                        }
                        // Without trees no box is asked.
                        let view = if TREES {
                            frame.placed.seen_from(&instances.tree().viewpoint)
                        } else {
                            frame.placed.seen_from(frame.scene.tree.viewpoint())
                        };
                        frames.push((frame, view));
                    }
                }
                let Some(Reverse((_, squared_distance, number, inside))) = waiting.pop() else { break };
                let (frame, view) = &frames[number as usize];
                let limit = view.within(best.squared_distance);
                if TREES && f32::from_bits(squared_distance) > limit {
                    continue;
                }
                let instances = &frame.scene.instances;
                match inside {
                    Inside::Boxes(boxes) => {
                        let (arena, boxes) = (&instances.tree().bvh.arena, Reference::from_bits(boxes));
                        let (boxes, numbers, are_instances) = match boxes.kind() {
                            NodeKind::Inner => {
                                let node = &arena.nodes()[boxes.node()];
                                (&node.boxes, &node.children, false)
                            }
                            NodeKind::Leaf => {
                                let block = arena.block(boxes);
                                (&block.boxes, &block.numbers, true)
                            }
                            NodeKind::End => continue,
                        };
                        let [x, y, z] = view.seen();
                        let point = [lanes.splat(x), lanes.splat(y), lanes.splat(z)];
                        let (squared, near) = boxes.squared_distances(lanes, &point, limit);
                        let mut squared_distances = [0.0; LANES];
                        lanes.store(squared, &mut squared_distances);
                        for lane in set_bits(near.bits() as u8) {
                            let squared_distance = squared_distances[lane];
                            let inside = if are_instances { Inside::Instance } else { Inside::Boxes };
                            let (about, exact) = (view.about(squared_distance), squared_distance.to_bits());
                            waiting.push(Reverse((about.to_bits(), exact, number, inside(numbers[lane]))));
                        }
                    }
                    Inside::Instance(instance) if instances.placed[instance as usize].mask == 0 => {}
                    Inside::Instance(instance) => next = Some(frame.within(instance, wide)),
                }
            }
            *answer = best.answer;
        }
    }
}

struct Best<T> {
    point: [f64; 3],
    normals: bool,
    squared_distance: f64,
    /// The [rank](Frame::rank) of its instance, and its number in the lower half.
    order: u64,
    answer: PointAnswer<T>,
}

impl<T: Precision> Best<T> {
    /// The bound for candidates in a frame: at an equal distance only lower numbers come before it.
    fn in_frame<P>(&self, frame: &Frame<'_, T>) -> Nearest<P> {
        let number = self.order.saturating_sub(frame.rank()).min(INVALID_ID.into()) as u32;
        Nearest { squared_distance: self.squared_distance, number, place: None }
    }

    fn take<P>(&mut self, frame: &Frame<'_, T>, nearest: &Nearest<P>, answer: PointAnswer<T>) {
        let &Nearest { squared_distance, number, .. } = nearest;
        *self = Self { squared_distance, order: frame.rank() | u64::from(number), answer, ..*self };
        self.answer.found.instance_id = frame.instance_id;
    }

    #[inline(always)]
    fn visit_meshes<L: Lanes, const TREES: bool>(
        &mut self,
        lanes: L,
        frame: &Frame<'_, T>,
        view: &impl View<T>,
    ) {
        let (bvh, visible, point) = (frame.scene.tree.bvh(), frame.scene.visible(), self.point);
        let mut nearest: Nearest<(&BlockOf<T>, usize)> = self.in_frame(frame);
        if TREES {
            let mut stack = RayStack::new(bvh.stack);
            find_nearest(bvh, lanes, &mut stack, view, point, &visible, &mut nearest);
            stack.put_back();
        } else {
            let mut squares = [0.0; LANES];
            for block in bvh.blocks() {
                // All of them, every time: the oracle skips nothing.
                let most = f64::INFINITY;
                let all = squared_distances(block, lanes.widest(), view, point, most, &mut squares);
                for lane in set_bits(all) {
                    nearest.offer(squares[lane], block.number(lane), (block, lane), &visible);
                }
            }
        }
        if nearest.place.is_some() {
            let answer = answer_in_block(&visible, view, point, &nearest, self.normals);
            self.take(frame, &nearest, answer);
        }
    }

    #[inline(always)]
    fn visit_shapes<L: Lanes, const TREES: bool>(&mut self, lanes: L, frame: &Frame<'_, T>) {
        let Scene { shapes, numbering, .. } = frame.scene;
        if shapes.is_empty {
            return;
        }
        let view = &frame.placed.seen_from(&shapes.tree.viewpoint);
        let (visible, nearest) = (frame.scene.visible(), self.in_frame(frame));
        let mut search = NearShapes { shapes, view, point: self.point, visible, nearest };
        if TREES {
            let (bvh, limit) = (&shapes.tree.bvh, view.within(nearest.squared_distance));
            let mut stack = RayStack::new(bvh.stack);
            bvh.approach(lanes, &mut stack, view.seen(), limit, &mut search);
            stack.put_back();
        } else {
            shapes.numbers(numbering).for_each(|number| search.offer(number));
        }
        let nearest = search.nearest;
        if let Some((foot, normal)) = nearest.place {
            let normal = match (self.normals, frame.is_outermost()) {
                (false, _) => [T::ZERO; 3],
                (true, true) => normal,
                (true, false) => view.map.normal_of(before_mirrors(normal, frame.mirrored)),
            };
            self.take(frame, &nearest, visible.answer(nearest.number, foot, normal));
        }
    }
}

/// Offers `nearest` the closest points of shapes to `point`, as `view` places them, with normals in their own frame.
struct NearShapes<'a, T: Precision> {
    shapes: &'a Shapes<T>,
    view: &'a Carried,
    point: [f64; 3],
    visible: Visible<'a>,
    nearest: Nearest<(Foot<T>, [T; 3])>,
}

impl<T: Precision> NearShapes<'_, T> {
    /// Offers one primitive. The distance follows from its closest point.
    fn offer(&mut self, number: u32) {
        let (geometry_id, primitive_id) = self.visible.numbering.ids(number);
        let shape = self.shapes.geometry(geometry_id).and_then(Primitives::nearest_points);
        let found = shape.and_then(|shape| shape.nearest_point(primitive_id, self.point, &self.view.map));
        let Some(NearestPoint { point, u, v, normal }) = found else { return };
        let off = sub(point, self.point);
        let squared_distance = dot(off, off);
        let foot = Foot { squared_distance, point: point.map(T::nearest_to), u, v };
        // False for NaN.
        if squared_distance.is_finite() {
            self.nearest.offer(squared_distance, number, (foot, normal), &self.visible);
        }
    }
}

impl<T: Precision> PointVisitor<'_, BoxBlock> for NearShapes<'_, T> {
    #[inline(always)]
    fn visit_leaf<L: Lanes>(&mut self, lanes: L, block: &BoxBlock, point: &[L::F32; 3], limit: &mut f32) {
        let (_, near) = block.boxes.squared_distances(lanes, point, *limit);
        for lane in set_bits(near.bits() as u8) {
            let (shapes, numbering) = (self.shapes, self.visible.numbering);
            shapes.each_in_box(block.numbers[lane], numbering, |number| self.offer(number));
        }
        *limit = self.view.within(self.nearest.squared_distance);
    }
}

impl<T: Precision> Scene<T> {
    /// Finds the closest points of all content: through the trees, or by brute force. Called where it is compiled, by
    /// [`closest_points`](super::precision::Parts::closest_points).
    pub(super) fn find_closest_points(
        &self,
        backend: Backend,
        brute_force: bool,
        asked: &Asked<'_, T>,
        into: &mut [PointAnswer<T>],
    ) {
        if brute_force {
            dispatch(backend, OneByOne::<T, false> { scene: self, asked, into });
        } else if self.has_only_triangles() {
            dispatch(backend, SinglePoints { tree: &self.tree, asked, into });
        } else {
            self.instances.make_trees();
            dispatch(backend, OneByOne::<T, true> { scene: self, asked, into });
        }
    }

    pub(crate) fn refuse_without_nearest(&self) -> Result<()> {
        self.first_lacking(Lack::ClosestPoints).cloned().map_or(Ok(()), |(geometry_id, instance_path)| {
            Err(Error::NotForPoints { geometry_id, instance_path })
        })
    }
}

//! Primitives near a point: the closest, the nearest few, or all within a radius.
//!
//! The map of its frame carries the corners of a triangle, in `f64`. Distances are measured in the
//! frame of the points. The least squared distance in `f64` wins, at equal ones the lowest
//! (instance id, geometry id, primitive id), primitives in no instance first. No answer depends on a
//! tree.
//!
//! The [search](super::search) visits the frames. In each, a kernel walks the tree over triangles,
//! and one the tree over shapes. As soon as enough primitives are kept, the farthest of them is the
//! bound. For closest points, another kernel first measures the triangles in no instance, for many
//! points at a time.

use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::search::{BoxTest, Frame, FrameVisitor, Search};
use super::{Lack, Precision, Scene};
use crate::answers::INVALID_ID;
use crate::chunks::OF_OWN;
use crate::error::{Error, Result};
use crate::leaf::{
    Carried, Foot, InPlace, NearestPoint, Placed, Primitives, RayBlock, TriangleLeaf, View,
    before_mirrors, foot_at,
};
use crate::math::{dot, sub};
use crate::query::{Asked, KeepNearest, PointAnswer, squared_radius};
use crate::simd::{Lanes, MapEach, Mask, Scalar, call, set_bits, with_default_float_mode};
use crate::status::Status;
use crate::traverse::{
    BoxBlock, Measuring, NearTriangle, PointVisitor, Target, find_closest_points, visit_near_leaves,
};
use crate::tree::arena::Reference;
use crate::tree::{BoxFrame, HasBoxFrame};
use crate::value::Affine;

/// A search around one point after the other, with memory that is kept.
pub(crate) struct PointSearch<'a, T: Precision> {
    search: Search<'a, T>,
    nearest: NearestPrimitives<'a, T>,
}

/// The nearest primitives so far.
struct NearestPrimitives<'a, T: Precision> {
    asked: &'a Asked<'a, T>,
    /// Whether the triangles in no instance are left out, as they were measured before.
    skips_outermost_triangles: bool,
    point: [f64; 3],
    /// How many are kept.
    most: usize,
    /// Only what comes before this counts.
    bound: Order,
    /// Those that are kept, each with its index in `places`, until there are as many as are to be;
    /// from then on in a heap, the last on top.
    kept: Vec<(Order, usize)>,
    heap: BinaryHeap<(Order, usize)>,
    /// Primitives, each with the index of its frame.
    places: Vec<(usize, FoundPrimitive<T>)>,
    /// The frames of these, and the frame that is visited.
    frames: Vec<Frame<'a, T>>,
    frame: Frame<'a, T>,
}

/// The order of answers: the bits of the squared distance, then the rank of the instance in the
/// upper half and the number of the primitive in the lower.
type Order = (u64, u64);

/// A primitive as it was found: of a shape with its closest point, and its normal there in its own
/// frame.
#[derive(Clone, Copy)]
enum FoundPrimitive<T: Precision> {
    /// Of the tree over fields of heights, or that over meshes.
    Triangle(NearTriangle, bool),
    Shape(Foot<T>, [T; 3]),
}

impl<'a, T: Precision> PointSearch<'a, T> {
    pub(crate) fn new(scene: &'a Scene<T>, asked: &'a Asked<'a, T>) -> Self {
        let search = Search::new(scene, u32::MAX, asked.backend, asked.brute_force, asked.chunk);
        let nearest = NearestPrimitives {
            asked,
            skips_outermost_triangles: false,
            point: [0.0; 3],
            most: 1,
            bound: (0, 0),
            kept: Vec::new(),
            heap: BinaryHeap::new(),
            places: Vec::new(),
            frames: Vec::new(),
            frame: Frame::outermost(scene),
        };
        Self { search, nearest }
    }

    /// Gives the nearest primitives around the point in a row, at most `most`, nearest first. The
    /// status says whether there is any, even if none is to be given.
    pub(super) fn find(
        &mut self,
        row: usize,
        most: u32,
        give: &mut dyn FnMut(PointAnswer<T>),
    ) -> Status {
        let (point, radius) = match self.nearest.asked.sound_in(self.search.scene, row) {
            Ok(sound) => sound,
            Err(defect) => return defect,
        };
        let _ = self.run(point, most.max(1) as usize, order_within(radius));
        let Self { nearest, .. } = self;
        let mut kept = nearest.take_kept();
        let status = if kept.is_empty() { Status::Miss } else { Status::Hit };
        let chunk = nearest.asked.chunk;
        if chunk.sort(&mut kept, Ord::cmp).is_continue() {
            for found in kept.iter().take(most as usize) {
                if chunk.work(8).is_break() {
                    break;
                }
                give(nearest.answer(found));
            }
        }
        nearest.kept = kept;
        status
    }

    /// Keeps the nearest primitives, at most `most`, that come before `bound`. What is kept does
    /// not matter if it breaks.
    fn run(&mut self, point: [T; 3], most: usize, bound: Order) -> ControlFlow<()> {
        let nearest = &mut self.nearest;
        (nearest.point, nearest.most, nearest.bound) = (point.map(T::to_f64), most, bound);
        nearest.kept = nearest.take_kept();
        nearest.kept.clear();
        nearest.places.clear();
        nearest.frames.clear();
        self.search.run(nearest)
    }
}

/// What comes before this is within the radius, which is included.
fn order_within<T: Scalar>(radius: T) -> Order {
    (squared_radius(radius).to_bits(), u64::MAX)
}

impl<'a, T: Precision> NearestPrimitives<'a, T> {
    /// Keeps a primitive of the frame that is visited, if it is among the nearest.
    fn take(&mut self, squared_distance: f64, number: u32, found: FoundPrimitive<T>) {
        let Frame { scene, instance_id, .. } = self.frame;
        // Primitives in no instance come first.
        let rank = u64::from(instance_id.wrapping_add(1)) << 32;
        // Adding 0 maps −0 to 0. The bits of NaN come after those of all numbers.
        let order = ((squared_distance + 0.0).to_bits(), rank | u64::from(number));
        // Empty lanes have no number.
        if order >= self.bound || number == INVALID_ID || !scene.visible().shows(number) {
            return;
        }
        if self.frames.last().is_none_or(|last| last.instance_id != instance_id) {
            self.frames.push(self.frame);
        }
        let place = (self.frames.len() - 1, found);
        if self.kept.len() < self.most && self.heap.is_empty() {
            self.kept.push((order, self.places.len()));
            self.places.push(place);
            if self.kept.len() < self.most {
                return;
            }
            self.heap = std::mem::take(&mut self.kept).into();
        } else if let Some(mut last) = self.heap.peek_mut() {
            last.0 = order;
            self.places[last.1] = place;
        }
        if let Some(last) = self.heap.peek() {
            self.bound = last.0;
        }
    }

    /// Those that are kept, in any order. None are left.
    fn take_kept(&mut self) -> Vec<(Order, usize)> {
        let (kept, heap) = (std::mem::take(&mut self.kept), std::mem::take(&mut self.heap));
        if heap.is_empty() { kept } else { heap.into_vec() }
    }

    // Inlined, as kernels compile it for their backend.
    #[inline(always)]
    fn measure_shape(&mut self, number: u32) {
        let Frame { scene, to_world, .. } = &self.frame;
        if let Some((foot, normal)) = scene.foot_on_shape(number, self.point, to_world) {
            self.take(foot.squared_distance, number, FoundPrimitive::Shape(foot, normal));
        }
    }

    /// The squared distance up to which primitives matter. Brute force measures all primitives.
    fn squared_bound(&self) -> f64 {
        if self.asked.brute_force { f64::INFINITY } else { f64::from_bits(self.bound.0) }
    }

    /// The point for a tree in a frame.
    fn view(&self, frame: &Frame<'a, T>, viewpoint: &impl BoxFrame<T>) -> Carried {
        let reach = frame.scene.instances.frames.reach;
        Placed::new(frame.to_world, self.point, reach).seen_from(viewpoint)
    }

    fn answer(&self, &((squared_distance, order), place): &(Order, usize)) -> PointAnswer<T> {
        let (frame, found) = &self.places[place];
        let Frame { scene, instance_id, to_world, is_mirrored } = &self.frames[*frame];
        let map = (*instance_id != INVALID_ID).then_some(to_world);
        let squared_distance = f64::from_bits(squared_distance);
        let (foot, normal) = match *found {
            FoundPrimitive::Triangle(NearTriangle { leaf, lane, weights }, of_field) => {
                let (tree, mut made) = (if of_field { &scene.fields } else { &scene.tree }, None);
                let block = tree.bvh().arena.block(leaf, &mut made);
                let mut corners = block.corners_f64(lane);
                if let Some(map) = map {
                    corners = corners.map_each(|corner| map.carry(corner));
                }
                let normals = self.asked.normals;
                let normal = if normals { block.geometric_normal(lane) } else { [T::ZERO; 3] };
                (
                    foot_at(squared_distance, weights, corners),
                    before_mirrors(normal, of_field && *is_mirrored),
                )
            }
            FoundPrimitive::Shape(foot, normal) => (foot, before_mirrors(normal, *is_mirrored)),
        };
        let normal = match (self.asked.normals, map) {
            (false, _) => [T::ZERO; 3],
            (true, None) => normal,
            (true, Some(map)) => map.normal_of(normal),
        };
        let mut answer = scene.visible().answer(order as u32, foot, normal);
        answer.found.instance_id = *instance_id;
        answer
    }
}

impl<'a, T: Precision> FrameVisitor<'a, T> for NearestPrimitives<'a, T> {
    fn visit(&mut self, frame: &Frame<'a, T>) -> ControlFlow<()> {
        self.frame = *frame;
        let Frame { scene, .. } = *frame;
        let Asked { backend, brute_force, chunk, .. } = *self.asked;
        for (of_field, tree) in [(false, &scene.tree), (true, &scene.fields)] {
            let is_known = std::ptr::eq(tree, scene.first_tree())
                && self.skips_outermost_triangles
                && frame.is_outermost();
            if tree.bvh().is_empty() || is_known {
                continue;
            }
            let (bvh, point, bound) = (tree.bvh(), self.point, self.squared_bound());
            let nearest = KeptTriangles { nearest: &mut *self, of_field };
            // Carrying by the identity took a sixth of the time.
            if frame.is_outermost() {
                let view = InPlace::new(point.map_each(T::nearest_to), tree.viewpoint());
                let start = (view.point(), view.reach(bound));
                let visitor = Measuring::new(view, point, chunk, nearest);
                call!(backend, lanes => visit_near_leaves(lanes, bvh, start, brute_force, visitor));
            } else {
                let view = nearest.nearest.view(frame, tree.viewpoint());
                let start = (view.point(), view.reach(bound));
                let visitor = Measuring::new(view, point, chunk, nearest);
                call!(backend, lanes => visit_near_leaves(lanes, bvh, start, brute_force, visitor));
            }
        }
        if !scene.shapes.has_others {
            return ControlFlow::Continue(());
        }
        if brute_force {
            for number in scene.shapes.numbers_of_others(&scene.numbering) {
                chunk.work(OF_OWN)?;
                self.measure_shape(number);
            }
            return ControlFlow::Continue(());
        }
        let tree = &scene.shapes.tree;
        let view = self.view(frame, &tree.viewpoint);
        let (bvh, limit) = (&tree.bvh, view.reach(self.squared_bound()));
        let point = view.point();
        let visitor = MeasuringShapes { view, nearest: self };
        call!(backend, lanes => {
            visit_near_leaves(lanes, bvh, (point, limit), brute_force, visitor);
        });
        ControlFlow::Continue(())
    }

    fn box_test(&self, frame: &Frame<'a, T>, viewpoint: &<T as HasBoxFrame>::Viewpoint) -> BoxTest {
        BoxTest::Point(self.view(frame, viewpoint))
    }

    fn squared_bound(&self) -> f64 {
        self.squared_bound()
    }
}

/// The triangles of a tree.
struct KeptTriangles<'s, 'a, T: Precision> {
    nearest: &'s mut NearestPrimitives<'a, T>,
    of_field: bool,
}

impl<T: Precision> KeepNearest<NearTriangle> for KeptTriangles<'_, '_, T> {
    fn squared_bound(&self) -> f64 {
        self.nearest.squared_bound()
    }

    fn narrows(&self) -> bool {
        !self.nearest.heap.is_empty()
    }

    fn offer(&mut self, squared_distance: f64, number: u32, place: NearTriangle) {
        let found = FoundPrimitive::Triangle(place, self.of_field);
        self.nearest.take(squared_distance, number, found);
    }
}

/// Measures the distances of shapes in a frame.
struct MeasuringShapes<'s, 'a, T: Precision> {
    view: Carried,
    nearest: &'s mut NearestPrimitives<'a, T>,
}

impl<T: Precision> PointVisitor<BoxBlock> for MeasuringShapes<'_, '_, T> {
    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        (_, block): (Reference, &BoxBlock),
        point: &[L::F32; 3],
        limit: &mut f32,
    ) {
        let Self { view, nearest } = self;
        let (_, near) = block.boxes.squared_distances(lanes, point, *limit);
        for lane in set_bits(near.bits() as u8) {
            let Scene { shapes, numbering, .. } = nearest.frame.scene;
            // Each may be the caller's own.
            if nearest.asked.chunk.work(OF_OWN).is_break() {
                *limit = f32::NEG_INFINITY;
                return;
            }
            if shapes.has(block.numbers[lane], numbering) {
                nearest.measure_shape(block.numbers[lane]);
            }
        }
        *limit = view.reach(nearest.squared_bound());
    }
}

impl<T: Precision> Asked<'_, T> {
    /// The point in `row` and its radius, or their defect, where rays are refused, too.
    fn sound_in(&self, scene: &Scene<T>, row: usize) -> Result<([T; 3], T), Status> {
        let (point, radius) = self.of(row)?;
        scene.defect_of_point(point).map_or(Ok((point, radius)), Err)
    }
}

impl<T: Precision> Scene<T> {
    /// Finds the closest points of all content: through the trees, or by brute force.
    pub(super) fn closest_points_of_all(&self, asked: &Asked<'_, T>, into: &mut [PointAnswer<T>]) {
        with_default_float_mode(|| {
            if asked.brute_force {
                into.fill(PointAnswer::NONE);
            } else {
                call!(asked.backend, lanes => find_closest_points(lanes, self.first_tree(), asked, into));
                if self.has_only_triangles() {
                    return;
                }
            }
            let mut closest = PointSearch::new(self, asked);
            closest.nearest.skips_outermost_triangles = !asked.brute_force;
            for (row, into) in into.iter_mut().enumerate() {
                let (point, radius) = match asked.sound_in(self, row) {
                    Ok(sound) => sound,
                    Err(defect) => {
                        *into = PointAnswer::refused(defect);
                        continue;
                    }
                };
                let bound = match into.status {
                    Status::Hit => (into.squared_distance.to_bits(), into.number.into()),
                    _ => order_within(radius),
                };
                if closest.run(point, 1, bound).is_break() {
                    return;
                }
                if let Some(found) = closest.nearest.heap.peek() {
                    *into = closest.nearest.answer(found);
                }
            }
        });
    }

    /// The foot of a point on a primitive of a shape, as `map` places it, and the normal there in
    /// its own frame. The distance follows from it, and is finite.
    #[inline(always)]
    fn foot_on_shape(
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

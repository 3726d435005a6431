//! Primitives tested one by one: those whose boxes a ray meets, or all of them.

mod near;
#[cfg(feature = "scene-files")]
mod stored;

pub(crate) use near::{Inside, ShapeFoot};
#[cfg(feature = "scene-files")]
pub(crate) use stored::SHAPE_SECTIONS;

use std::mem;

use crate::hit::{Candidate, Numbering};
use crate::leaf::{Primitives, Shape, SurfacePoint, before_mirrors};
use crate::query::{Casting, Known, Query, Sink, Target};
use crate::simd::{Backend, Kernel, Lanes, Mask, Real, dispatch, set_bits, with_default_float_mode};
use crate::threads::Threads;
use crate::traverse::{BoxBlock, BoxTree, RayStack, SlabAxes, SlabLanes, Visitor};
use crate::tree::{BvhStatistics, Leaf};
use crate::value::{Aabb, Ray, RayBatch, Rules, Side};

/// The geometries of a scene that are no meshes, with the numbers of their primitives in the scene.
#[derive(Debug, Clone)]
pub(crate) struct Shapes {
    /// By geometry id; `None` for meshes.
    geometries: Vec<Option<Shape>>,
    numbering: Numbering,
    tree: BoxTree,
    /// The first geometry without closest points.
    without_nearest: Option<u32>,
}

/// The slack of boxes relative to triangles: hits are as accurate as the primitives report them.
const STRETCH: f32 = 4.0;

impl Shapes {
    /// The geometries that are not meshes, of all that `numbering` numbers.
    pub(crate) fn new(geometries: Vec<Option<Shape>>, numbering: &Numbering, threads: &Threads) -> Self {
        let mut boxes = Vec::new();
        for (geometry_id, primitives) in (0..).zip(&geometries) {
            if let Some(primitives) = primitives {
                let numbers = numbering.numbers(geometry_id);
                boxes.extend((0..).zip(numbers).map(|(id, number)| (primitives.bounds(id), number)));
            }
        }
        let spread = threads.spread(boxes.len());
        let build = || with_default_float_mode(|| BoxTree::new(&boxes, None, STRETCH, spread));
        let tree = threads.install(build);
        Self::with_tree(geometries, numbering.clone(), tree)
    }

    /// The same with a given tree.
    fn with_tree(geometries: Vec<Option<Shape>>, numbering: Numbering, tree: BoxTree) -> Self {
        let is_silent = |shapes: &Shape| shapes.count() > 0 && shapes.nearest_points().is_none();
        let without_nearest = (0..)
            .zip(&geometries)
            .find(|(_, shapes)| shapes.as_ref().is_some_and(is_silent))
            .map(|(geometry_id, _)| geometry_id);
        Self { geometries, numbering, tree, without_nearest }
    }

    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.geometries.iter().all(Option::is_none)
    }

    /// The number of primitives.
    #[cfg(feature = "scene-files")]
    pub(crate) fn count(&self) -> usize {
        self.geometries.iter().flatten().map(Primitives::count).sum()
    }

    /// Statistics of the tree.
    pub(crate) fn statistics(&self) -> BvhStatistics {
        self.tree.bvh.statistics()
    }

    /// The geometries that are not meshes.
    pub(crate) fn geometries(&self) -> &[Option<Shape>] {
        &self.geometries
    }

    /// One of them.
    pub(crate) fn geometry(&self, geometry_id: u32) -> Option<&Shape> {
        self.geometries.get(geometry_id as usize)?.as_ref()
    }

    /// The first geometry without closest points, if there is one.
    pub(crate) fn without_nearest(&self) -> Option<u32> {
        self.without_nearest
    }

    /// The first geometry that `counts` and whose primitives enclose no solid, if there is one.
    pub(crate) fn first_open(&self, counts: impl Fn(u32) -> bool) -> Option<u32> {
        let mut geometries = (0..).zip(&self.geometries);
        let is_open = |shape: &Shape| shape.count() > 0 && !shape.is_closed();
        geometries.find(|(id, shape)| counts(*id) && shape.as_ref().is_some_and(is_open)).map(|(id, _)| id)
    }

    /// Whether a number is of one of them.
    pub(crate) fn hold(&self, number: u32) -> bool {
        self.geometries[self.numbering.ids(number).0 as usize].is_some()
    }

    /// The box around everything.
    pub(crate) fn bounds(&self) -> Aabb {
        self.tree.bvh.bounds()
    }

    /// The numbers of all primitives.
    fn numbers(&self) -> impl Iterator<Item = u32> {
        let geometries = (0..).zip(&self.geometries).filter(|(_, primitives)| primitives.is_some());
        geometries.flat_map(|(geometry_id, _)| self.numbering.numbers(geometry_id))
    }
}

/// Shapes in the frame of their scene, which an instance may mirror.
///
/// The caller maps answers out of a mirrored frame as those of triangles, which mirrors turn inside out: it swaps
/// sides, and with them culling and winding, and maps normals accordingly. The outside of a shape stays outside. So
/// in a frame with an odd number of mirrors, sides and normals of shapes are reported swapped, and the caller swaps
/// them back.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SeenShapes<'a> {
    pub(crate) shapes: &'a Shapes,
    /// Whether the number of mirrors is odd.
    pub(crate) mirrored: bool,
}

impl SeenShapes<'_> {
    /// Offers the hits of a ray with a primitive within its interval. Returns the `t` up to which further hits
    /// matter.
    fn offer(&self, number: u32, row: usize, ray: &Ray, rules: Rules, sink: &mut dyn Sink<f32>) -> f32 {
        let Self { shapes, mirrored } = *self;
        let (geometry_id, primitive_id) = shapes.numbering.ids(number);
        let mut end = f32::INFINITY;
        let Some(primitives) = &shapes.geometries[geometry_id as usize] else { return end };
        let (tells_in_order, mut enters) = (primitives.tells_in_order(), true);
        primitives.intersect(primitive_id, ray, &mut |point| {
            // Adding 0 maps −0 to 0.
            let SurfacePoint { t, u, v, normal } = SurfacePoint { t: point.t + 0.0, ..point };
            let is_front = if tells_in_order { mem::take(&mut enters) } else { point.is_front(ray) };
            let side = Side::front_if(is_front != mirrored);
            if t.is_finite() && ray.t_min <= t && t <= ray.t_max && rules.culling.lets_pass(side) {
                let normal = || before_mirrors(normal, mirrored);
                end = end.min(sink.offer(row, Candidate { t, u, v, number }, side, &normal));
            }
        });
        end
    }
}

/// Rays go through the tree one after the other.
impl Target for SeenShapes<'_> {
    fn cast<Q: Query>(&self, backend: Backend, rays: &RayBatch<'_>, how: Casting<'_>, query: &mut Q) {
        let mut states = vec![Q::START; rays.len()];
        self.cast_each(backend, rays, how.rules, &mut Known::new(query, &mut states), Q::NARROWS);
    }

    fn cast_single<Q: Query>(&self, backend: Backend, ray: &Ray, rules: Rules, query: &mut Q) {
        let (rays, mut states) = (&RayBatch::from_rays(std::slice::from_ref(ray)), [Q::START]);
        self.cast_each(backend, rays, rules, &mut Known::new(query, &mut states), Q::NARROWS);
    }
}

impl SeenShapes<'_> {
    fn cast_each(
        &self,
        backend: Backend,
        rays: &RayBatch<'_>,
        rules: Rules,
        sink: &mut dyn Sink<f32>,
        narrows: bool,
    ) {
        let shapes = *self;
        if narrows {
            dispatch(backend, ShapeRays::<true> { shapes, rays, rules, sink });
        } else {
            dispatch(backend, ShapeRays::<false> { shapes, rays, rules, sink });
        }
    }

    #[inline(always)]
    fn cast_ray<L: Lanes, const NARROWS: bool>(
        &self,
        lanes: L,
        stack: &mut RayStack,
        row: usize,
        ray: &Ray,
        rules: Rules,
        sink: &mut dyn Sink<f32>,
    ) {
        if let Some(defect) = ray.find_defect() {
            return sink.refuse(row, defect);
        }
        let BoxTree { bvh, stretch } = &self.shapes.tree;
        let axes = SlabAxes::if_sound_and_in_range(ray, bvh.arena.anchor, bvh.range, *stretch);
        let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(ray));
        let mut asking = ShapeVisitor::<NARROWS> { shapes: *self, row, ray, rules, sink };
        bvh.walk(lanes, stack, axes, [ray.t_min, ray.t_max], &mut asking);
        asking.sink.finish(row);
    }
}

struct ShapeRays<'a, 'r, const NARROWS: bool> {
    shapes: SeenShapes<'a>,
    rays: &'a RayBatch<'r>,
    rules: Rules,
    sink: &'a mut dyn Sink<f32>,
}

impl<const NARROWS: bool> Kernel for ShapeRays<'_, '_, NARROWS> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { shapes, rays, rules, sink } = self;
        let mut stack = RayStack::new(shapes.shapes.tree.bvh.stack);
        for row in 0..rays.len() {
            shapes.cast_ray::<L, NARROWS>(lanes, &mut stack, row, &rays.ray(row), rules, sink);
        }
        stack.put_back();
    }
}

/// Tests a ray against the primitives in the leaves that it visits.
struct ShapeVisitor<'a, const NARROWS: bool> {
    shapes: SeenShapes<'a>,
    row: usize,
    ray: &'a Ray,
    rules: Rules,
    sink: &'a mut dyn Sink<f32>,
}

impl<const NARROWS: bool> Visitor<BoxBlock> for ShapeVisitor<'_, NARROWS> {
    const NARROWS: bool = NARROWS;

    #[inline(always)]
    fn visit_node(&mut self, boxes: impl FnOnce() -> usize) {
        self.sink.visit_node(self.row, boxes());
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        block: &BoxBlock,
        slabs: &SlabLanes<L>,
        t_max: &mut f32,
    ) -> bool {
        let Self { shapes, row, ray, rules, ref mut sink } = *self;
        let (t_enter, t_exit) = slabs.slabs(lanes, &block.boxes, *t_max);
        let met = set_bits(Real::le(t_enter, t_exit).bits() as u8);
        sink.visit_leaf(row, block.count());
        let mut end = f32::INFINITY;
        for lane in met {
            end = end.min(shapes.offer(block.numbers[lane], row, ray, rules, &mut **sink));
        }
        *t_max = t_max.min(end);
        // No further hit matters then.
        end == f32::NEG_INFINITY
    }
}

/// Brute force over the same primitives.
pub(crate) struct ShapeScan<'a>(pub(crate) SeenShapes<'a>);

impl Target for ShapeScan<'_> {
    fn cast<Q: Query>(&self, _: Backend, rays: &RayBatch<'_>, how: Casting<'_>, query: &mut Q) {
        let mut states = vec![Q::START; rays.len()];
        let sink = &mut Known::new(query, &mut states);
        with_default_float_mode(|| {
            for row in 0..rays.len() {
                self.cast_ray(row, &rays.ray(row), how.rules, sink);
            }
        });
    }

    fn cast_single<Q: Query>(&self, _: Backend, ray: &Ray, rules: Rules, query: &mut Q) {
        let mut states = [Q::START];
        let sink = &mut Known::new(query, &mut states);
        with_default_float_mode(|| self.cast_ray(0, ray, rules, sink));
    }
}

impl ShapeScan<'_> {
    fn cast_ray(&self, row: usize, ray: &Ray, rules: Rules, sink: &mut dyn Sink<f32>) {
        if let Some(defect) = ray.find_defect() {
            return sink.refuse(row, defect);
        }
        let shapes = self.0.shapes;
        sink.visit_leaf(row, shapes.numbers().count());
        for number in shapes.numbers() {
            self.0.offer(number, row, ray, rules, sink);
        }
        sink.finish(row);
    }
}

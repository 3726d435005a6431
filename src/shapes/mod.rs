//! Primitives tested one by one: those whose boxes a ray meets, or all of them.

#[cfg(feature = "scene-files")]
mod stored;

use std::sync::Arc;

#[cfg(feature = "scene-files")]
pub(crate) use stored::{MOST_SHAPE_SECTIONS, TREE as SHAPE_TREE, shape_sections};

use crate::answers::{Candidate, Numbering};
use crate::chunks::OF_OWN;
use crate::leaf::surface::HeightField;
use crate::leaf::{Primitives, Shape, SurfacePoint, before_mirrors};
use crate::query::Offers;
use crate::simd::{
    Backend, LANES, Lanes, MapEach, Mask, Real, dispatch, set_bits, with_default_float_mode,
};
use crate::threads::{Stop, Threads, advanced, is_stopped, step};
use crate::traverse::{BallLine, BoxBlock, BoxRay, BoxTree, RayStack, SlabLanes, Visitor};
use crate::tree::{BoxFrame, Bvh, Fault, HasBoxFrame, Leaf, stopped};
use crate::value::{Aabb, Ray, RayBatch, Rules, Side, Sphere};

/// The geometries of a scene that are no meshes, and the tree over the numbers of their primitives
/// but the triangles of fields of heights, which have a tree of their own.
#[derive(Debug, Clone)]
pub(crate) struct Shapes<T: HasBoxFrame> {
    /// By geometry id; `None` for meshes.
    pub(crate) geometries: Vec<Option<Shape<T>>>,
    pub(crate) tree: BoxTree<T>,
    /// Whether all geometries are meshes.
    pub(crate) is_empty: bool,
    /// Whether one is neither a mesh nor a field of heights.
    pub(crate) has_others: bool,
}

/// The slack of boxes relative to triangles: hits are as accurate as the primitives report them.
const STRETCH: f32 = 4.0;

impl<T: HasBoxFrame> Shapes<T> {
    /// The geometries that are not meshes, of all that `numbering` numbers. `None` if `stop` says
    /// so. Reports all primitives but the triangles of fields.
    pub(crate) fn new(
        geometries: Vec<Option<Shape<T>>>,
        numbering: &Numbering,
        threads: &Threads,
        stop: Stop<'_>,
    ) -> Option<Self> {
        let fields = geometries.iter().flatten().filter_map(Shape::field);
        let of_fields: usize = fields.map(|field| field.count()).sum();
        let (count, mut boxes) = (Self::count(&geometries, numbering) - of_fields, Vec::new());
        // The boxes take an eighth of the time, unless they are the caller's own.
        let of_boxes = count / 8;
        step(stop, of_boxes, count, |stop| {
            for (geometry_id, shape) in (0..).zip(&geometries) {
                let Some(shape) = shape else { continue };
                let start = numbering.numbers(geometry_id).start;
                let mut reported = boxes.len();
                if shape.field().is_some() {
                    continue;
                }
                for id in 0..shape.count() as u32 {
                    // The caller's own may take long.
                    if id % 64 == 0 {
                        let more = boxes.len() - std::mem::replace(&mut reported, boxes.len());
                        if advanced(stop, more) {
                            return None;
                        }
                    }
                    boxes.push((shape.bounds(id), start + id));
                }
            }
            Some(())
        })?;
        let spread = threads.spread(boxes.len()).until(stop);
        let mark_balls = |block: &mut BoxBlock| mark_balls(block, &geometries, numbering);
        let build = || {
            let mut tree = spread.step(count - of_boxes, boxes.len(), |spread| {
                with_default_float_mode(|| BoxTree::new(&boxes, None, STRETCH, spread))
            })?;
            spread.step(0, 0, |spread| tree.bvh.rewrite(mark_balls, spread))?;
            Some(tree)
        };
        Some(Self::with_tree(threads.install(build)?, geometries))
    }

    /// The number of primitives of geometries that are not meshes.
    pub(crate) fn count(geometries: &[Option<Shape<T>>], numbering: &Numbering) -> usize {
        let shapes = (0..).zip(geometries).filter(|(_, shape)| shape.is_some());
        shapes.map(|(geometry_id, _)| numbering.numbers(geometry_id).len()).sum()
    }

    fn with_tree(tree: BoxTree<T>, geometries: Vec<Option<Shape<T>>>) -> Self {
        let mut shapes = geometries.iter().flatten();
        let has_others = shapes.clone().any(|shape| shape.field().is_none());
        Self { is_empty: shapes.next().is_none(), has_others, geometries, tree }
    }

    pub(crate) fn geometry(&self, geometry_id: u32) -> Option<&Shape<T>> {
        self.geometries.get(geometry_id as usize)?.as_ref()
    }

    pub(crate) fn bounds(&self) -> Aabb<T> {
        self.tree.bounds
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = (u32, &Shape<T>)> {
        (0..).zip(&self.geometries).filter_map(|(id, shape)| Some((id, shape.as_ref()?)))
    }

    /// The fields of heights, each with its geometry id.
    pub(crate) fn fields(&self) -> impl Iterator<Item = (u32, &Arc<HeightField<T>>)> {
        self.each().filter_map(|(id, shape)| Some((id, shape.field()?)))
    }

    /// Whether there is a primitive with this number: the tree may be damaged.
    pub(crate) fn has(&self, number: u32, numbering: &Numbering) -> bool {
        let (geometry_id, primitive_id) = numbering.ids(number);
        self.geometry(geometry_id).is_some_and(|shape| (primitive_id as usize) < shape.count())
    }

    /// What is wrong with the tree, or with a leaf, which holds what was built for its primitives.
    /// Reports all lines of the tree.
    pub(crate) fn find_fault(&self, numbering: &Numbering, stop: Stop<'_>) -> Result<(), Fault> {
        let BoxTree { bvh, viewpoint, bounds, .. } = &self.tree;
        // Those with a box in the tree.
        let mut is_known = vec![false; if self.is_empty { 0 } else { numbering.count() }];
        for (geometry_id, shape) in self.each() {
            if shape.field().is_some() {
                continue;
            }
            let start = numbering.numbers(geometry_id).start;
            for id in 0..shape.count() as u32 {
                if id % 64 == 0 && is_stopped(stop) {
                    return Err(stopped());
                }
                is_known[(start + id) as usize] = !shape.bounds(id).is_empty();
            }
        }
        let boxes_of = |block: &BoxBlock| {
            let mut content = [(Aabb::EMPTY, 0); LANES];
            let count = block.count();
            for (lane, into) in content.iter_mut().enumerate().take(count) {
                let number = block.numbers[lane];
                let (geometry_id, id) = numbering.ids(number);
                let shape = self.geometry(geometry_id).filter(|_| is_known[number as usize]);
                let aabb = shape
                    .ok_or_else(|| format!("primitive {number} is not in this tree"))?
                    .bounds(id);
                if !bounds.contains(&aabb) {
                    return Err(format!("primitive {number} sticks out of the bounds"));
                }
                *into = (viewpoint.box_of(&aabb), number);
            }
            let mut built = BoxBlock::of(&content[..count], bvh.arena.anchor);
            mark_balls(&mut built, &self.geometries, numbering);
            if bytemuck::bytes_of(&built) != bytemuck::bytes_of(block) {
                return Err("it is not what was built".to_owned());
            }
            Ok(content.map_each(|(aabb, _)| aabb))
        };
        bvh.validate(is_known.len(), |number| !is_known[number as usize], boxes_of, stop)
    }

    #[cfg(feature = "scene-files")]
    pub(crate) fn numbers(&self, numbering: &Numbering) -> impl Iterator<Item = u32> {
        self.each().flat_map(|(geometry_id, _)| numbering.numbers(geometry_id))
    }

    /// Those of primitives that are no triangles of fields.
    pub(crate) fn numbers_of_others(&self, numbering: &Numbering) -> impl Iterator<Item = u32> {
        let others = self.each().filter(|(_, shape)| shape.field().is_none());
        others.flat_map(|(geometry_id, _)| numbering.numbers(geometry_id))
    }
}

/// Marks the lanes of a leaf whose boxes are those of spheres.
fn mark_balls<T: HasBoxFrame>(
    block: &mut BoxBlock,
    geometries: &[Option<Shape<T>>],
    numbering: &Numbering,
) {
    let is_ball = |&lane: &usize| {
        let geometry = &geometries[numbering.ids(block.numbers[lane]).0 as usize];
        geometry.as_ref().is_some_and(|shape| shape.values::<Sphere<T>>().is_some())
    };
    block.balls = (0..block.count()).filter(is_ball).fold(0, |bits, lane| bits | 1 << lane);
}

/// Shapes in the frame of their scene, which an instance may mirror.
///
/// The caller maps hits out of a mirrored frame as those of triangles, which mirrors turn inside
/// out: it swaps sides, with them culling, and normals. The outside of a shape stays outside, so
/// its sides and normals are reported swapped there.
pub(crate) struct ShapeCast<'a, 'r, 's, T: HasBoxFrame> {
    pub(crate) shapes: &'a Shapes<T>,
    pub(crate) numbering: &'a Numbering,
    pub(crate) rays: &'a RayBatch<'r, T>,
    pub(crate) rules: Rules,
    pub(crate) is_mirrored: bool,
    pub(crate) offers: Offers<'s, T>,
}

impl<T: HasBoxFrame> ShapeCast<'_, '_, '_, T> {
    /// Offers the points in which a ray meets a primitive within its interval. Says up to which `t`
    /// further hits matter: none if the call is to stop.
    fn offer(&mut self, number: u32, row: usize, ray: &Ray<T>) -> T {
        let Self { shapes, numbering, rules, is_mirrored, ref mut offers, .. } = *self;
        let (geometry_id, primitive_id) = numbering.ids(number);
        let mut end = T::INFINITY;
        let Some(primitives) = &shapes.geometries[geometry_id as usize] else { return end };
        let work = if matches!(primitives, Shape::Own(_)) { OF_OWN } else { 8 };
        if offers.work(work).is_break() {
            return T::NEG_INFINITY;
        }
        // A test of the caller's own may take long and end early. The others cost less than it
        // takes to ask.
        let matters = match primitives {
            Shape::Own(_) => Ray { t_max: ray.t_max.min(offers.end(row)), ..*ray },
            _ => *ray,
        };
        let ray = &matters;
        let mut take = |point: SurfacePoint<T>, is_front: bool| {
            // Adding 0 maps −0 to 0.
            let SurfacePoint { t, u, v, normal } = SurfacePoint { t: point.t + T::ZERO, ..point };
            let side = Side::front_if(is_front != is_mirrored);
            if t.is_finite() && ray.t_min <= t && t <= ray.t_max && rules.culling.lets_pass(side) {
                let normal = || before_mirrors(normal, is_mirrored);
                end = end.min(offers.offer(row, &Candidate { t, u, v, number }, side, &normal));
            }
        };
        let (tells_in_order, mut enters) = (primitives.tells_in_order(), true);
        primitives.intersect(primitive_id, ray, &mut |point| {
            let is_front = if tells_in_order { enters } else { point.is_front(ray) };
            enters = !enters;
            take(point, is_front);
        });
        end
    }

    /// Tests rays, one after the other, against the primitives whose boxes they meet. `narrows` is
    /// that of the sink.
    pub(crate) fn run(self, backend: Backend, narrows: bool) {
        let (bvh, rays, counts_visits) =
            (&self.shapes.tree.bvh, self.rays.len(), self.offers.counts_visits());
        let mut asked =
            InTree { ray: Ray::new([T::ZERO; 3], [T::ZERO; 3]), scale: 1.0, cast: self };
        if narrows {
            dispatch!(backend, lanes => cast::<_, true>(lanes, bvh, rays, counts_visits, &mut asked));
        } else {
            dispatch!(backend, lanes => cast::<_, false>(lanes, bvh, rays, counts_visits, &mut asked));
        }
    }

    /// Tests rays against all primitives, without the tree.
    pub(crate) fn run_brute_force(mut self) {
        let all: Vec<u32> = self.shapes.numbers_of_others(self.numbering).collect();
        for row in 0..self.rays.len() {
            let ray = self.rays.ray(row);
            if let Some(defect) = ray.find_defect() {
                self.offers.refuse(row, defect);
                continue;
            }
            self.offers.visit(row, [0, 0, 1, all.len() as u32]);
            for &number in &all {
                self.offer(number, row, &ray);
                if self.offers.work(0).is_break() {
                    return;
                }
            }
        }
    }
}

/// What a walk through a tree of shapes asks of its rays, one after the other. It is asked through
/// a pointer, so that walks are compiled once for both precisions.
trait ShapeRays {
    /// How boxes see the ray in `row`; `None` if it is not cast.
    fn begin(&mut self, row: usize) -> Option<BoxRay>;

    /// Tests a primitive with it. Says up to which `t`, as boxes see it, further hits matter.
    fn test(&mut self, row: usize, number: u32) -> f32;

    fn visit(&mut self, row: usize, visits: [u32; 4]);
}

/// Rays at shapes in their tree.
struct InTree<'a, 'r, 's, T: HasBoxFrame> {
    cast: ShapeCast<'a, 'r, 's, T>,
    /// The present ray, and the factor of its `t` in the tree.
    ray: Ray<T>,
    scale: f64,
}

impl<T: HasBoxFrame> ShapeRays for InTree<'_, '_, '_, T> {
    fn begin(&mut self, row: usize) -> Option<BoxRay> {
        let ray = self.cast.rays.ray(row);
        if self.cast.offers.work(1).is_break() {
            return None;
        }
        if let Some(defect) = ray.find_defect() {
            self.cast.offers.refuse(row, defect);
            return None;
        }
        // What was found elsewhere ends the way; below the start of the interval nothing is left of
        // it.
        let t_max = ray.t_max.min(self.cast.offers.end(row));
        if t_max < ray.t_min {
            return None;
        }
        let (seen, scale) = self.cast.shapes.tree.seen(&Ray { t_max, ..ray });
        (self.ray, self.scale) = (ray, scale);
        Some(seen)
    }

    fn test(&mut self, row: usize, number: u32) -> f32 {
        let end = self.cast.offer(number, row, &self.ray);
        T::Viewpoint::limit(end, self.scale)
    }

    fn visit(&mut self, row: usize, visits: [u32; 4]) {
        self.cast.offers.visit(row, visits);
    }
}

/// Takes so many rays through the tree, one after the other.
#[inline(always)]
fn cast<L: Lanes, const NARROWS: bool>(
    lanes: L,
    bvh: &Bvh<BoxBlock>,
    rays: usize,
    counts_visits: bool,
    asked: &mut dyn ShapeRays,
) {
    let mut stack = RayStack::new(bvh.stack);
    for row in 0..rays {
        let Some((axes, interval, line)) = asked.begin(row) else { continue };
        let mut visitor = ShapeVisitor::<NARROWS> { asked: &mut *asked, row, line, counts_visits };
        bvh.walk(lanes, &mut stack, axes, interval, &mut visitor);
    }
    stack.put_back();
}

struct ShapeVisitor<'a, const NARROWS: bool> {
    asked: &'a mut dyn ShapeRays,
    row: usize,
    line: BallLine,
    counts_visits: bool,
}

impl<const NARROWS: bool> Visitor<BoxBlock> for ShapeVisitor<'_, NARROWS> {
    const NARROWS: bool = NARROWS;

    #[inline(always)]
    fn counts_visits(&self) -> bool {
        self.counts_visits
    }

    #[inline(always)]
    fn visit_node(&mut self, boxes: impl FnOnce() -> usize) {
        if self.counts_visits {
            self.asked.visit(self.row, [1, boxes() as u32, 0, 0]);
        }
    }

    #[inline(always)]
    fn visit_leaf<L: Lanes>(
        &mut self,
        lanes: L,
        block: &BoxBlock,
        slabs: &SlabLanes<L>,
        t_max: &mut f32,
    ) -> bool {
        let (t_enter, t_exit) = slabs.slabs(lanes, &block.boxes, *t_max);
        let mut met = Real::le(t_enter, t_exit).bits() as u8;
        if u32::from(met) & block.balls != 0 {
            met &= block.undecided_balls(lanes, &self.line);
        }
        if self.counts_visits {
            self.asked.visit(self.row, [0, 0, 1, block.count() as u32]);
        }
        let mut end = f32::INFINITY;
        for lane in set_bits(met) {
            end = end.min(self.asked.test(self.row, block.numbers[lane]));
        }
        *t_max = t_max.min(end);
        // No further hit matters then.
        end == f32::NEG_INFINITY
    }
}

//! Primitives tested one by one: those whose boxes a ray meets, or all of them.

#[cfg(feature = "scene-files")]
mod stored;

#[cfg(feature = "scene-files")]
pub(crate) use stored::SHAPE_SECTIONS;

use std::mem;

use crate::answers::{Candidate, Numbering};
use crate::leaf::{Primitives, Shape, SurfacePoint, before_mirrors};
use crate::query::Offers;
use crate::simd::{Kernel, Lanes, Mask, Real, set_bits, with_default_float_mode};
use crate::threads::Threads;
use crate::traverse::{BallLine, BoxBlock, BoxTree, RayStack, SlabAxes, SlabLanes, Visitor};
use crate::tree::Leaf;
use crate::value::{Aabb, Ray, RayBatch, Rules, Side};

/// The geometries of a scene that are no meshes, and the tree over the numbers of their primitives.
#[derive(Debug, Clone)]
pub(crate) struct Shapes {
    /// By geometry id; `None` for meshes.
    pub(crate) geometries: Vec<Option<Shape>>,
    pub(crate) tree: BoxTree,
    /// Whether all geometries are meshes.
    pub(crate) is_empty: bool,
}

/// The slack of boxes relative to triangles: hits are as accurate as the primitives report them.
const STRETCH: f32 = 4.0;

impl Shapes {
    /// The geometries that are not meshes, of all that `numbering` numbers.
    pub(crate) fn new(geometries: Vec<Option<Shape>>, numbering: &Numbering, threads: &Threads) -> Self {
        let mut boxes = Vec::new();
        for (geometry_id, shape) in (0..).zip(&geometries) {
            let Some(shape) = shape else { continue };
            let numbers = (0..).zip(numbering.numbers(geometry_id));
            boxes.extend(numbers.map(|(id, number)| (shape.bounds(id), number)));
        }
        let spread = threads.spread(boxes.len());
        let is_ball = |number| {
            let geometry = &geometries[numbering.ids(number).0 as usize];
            matches!(geometry, Some(Shape::Spheres(_)))
        };
        let mark_balls = |block: &mut BoxBlock| {
            let balls = (0..block.count()).filter(|&lane| is_ball(block.numbers[lane]));
            block.balls = balls.fold(0, |bits, lane| bits | 1 << lane);
        };
        let build = || {
            let mut tree = with_default_float_mode(|| BoxTree::new(&boxes, None, STRETCH, spread));
            tree.bvh.rewrite(mark_balls, spread);
            tree
        };
        Self::with_tree(threads.install(build), geometries)
    }

    fn with_tree(tree: BoxTree, geometries: Vec<Option<Shape>>) -> Self {
        Self { is_empty: geometries.iter().all(Option::is_none), geometries, tree }
    }

    pub(crate) fn geometry(&self, geometry_id: u32) -> Option<&Shape> {
        self.geometries.get(geometry_id as usize)?.as_ref()
    }

    pub(crate) fn bounds(&self) -> Aabb {
        self.tree.bvh.bounds
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = (u32, &Shape)> {
        (0..).zip(&self.geometries).filter_map(|(id, shape)| Some((id, shape.as_ref()?)))
    }

    pub(crate) fn numbers(&self, numbering: &Numbering) -> impl Iterator<Item = u32> {
        self.each().flat_map(|(geometry_id, _)| numbering.numbers(geometry_id))
    }
}

/// Shapes in the frame of their scene, which an instance may mirror.
///
/// The caller maps hits out of a mirrored frame as those of triangles, which mirrors turn inside out: it swaps sides, with
/// them culling, and normals. The outside of a shape stays outside, so its sides and normals are reported swapped there.
pub(crate) struct ShapeCast<'a, 'r, 's> {
    pub(crate) shapes: &'a Shapes,
    pub(crate) numbering: &'a Numbering,
    pub(crate) rays: &'a RayBatch<'r>,
    pub(crate) rules: Rules,
    pub(crate) is_mirrored: bool,
    pub(crate) offers: Offers<'s, f32>,
    /// Whether rays are tested against all primitives, without the tree.
    pub(crate) brute_force: bool,
}

impl ShapeCast<'_, '_, '_> {
    /// Offers the points in which a ray meets a primitive within its interval. Says up to which `t` further hits matter.
    fn offer(&mut self, number: u32, row: usize, ray: &Ray) -> f32 {
        let Self { shapes, numbering, rules, is_mirrored, ref mut offers, .. } = *self;
        let (geometry_id, primitive_id) = numbering.ids(number);
        let mut end = f32::INFINITY;
        let Some(primitives) = &shapes.geometries[geometry_id as usize] else { return end };
        let (tells_in_order, mut enters) = (primitives.tells_in_order(), true);
        primitives.intersect(primitive_id, ray, &mut |point| {
            // Adding 0 maps −0 to 0.
            let SurfacePoint { t, u, v, normal } = SurfacePoint { t: point.t + 0.0, ..point };
            let is_front = if tells_in_order { mem::take(&mut enters) } else { point.is_front(ray) };
            let side = Side::front_if(is_front != is_mirrored);
            if t.is_finite() && ray.t_min <= t && t <= ray.t_max && rules.culling.lets_pass(side) {
                let normal = || before_mirrors(normal, is_mirrored);
                end = end.min(offers.offer(row, &Candidate { t, u, v, number }, side, &normal));
            }
        });
        end
    }
}

/// Tests rays, one after the other, against the primitives whose boxes they meet, or against all.
pub(crate) struct CastShapes<'a, 'r, 's, const NARROWS: bool>(pub(crate) ShapeCast<'a, 'r, 's>);

impl<const NARROWS: bool> Kernel for CastShapes<'_, '_, '_, NARROWS> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self(mut cast) = self;
        let BoxTree { bvh, stretch } = &cast.shapes.tree;
        let mut stack = RayStack::new(bvh.stack);
        let all = cast.brute_force.then(|| cast.shapes.numbers(cast.numbering).collect::<Vec<_>>());
        for row in 0..cast.rays.len() {
            let ray = &cast.rays.ray(row);
            if let Some(defect) = ray.find_defect() {
                cast.offers.refuse(row, defect);
                continue;
            }
            if let Some(all) = &all {
                cast.offers.visit(row, [0, 0, 1, all.len() as u32]);
                for &number in all {
                    cast.offer(number, row, ray);
                }
                continue;
            }
            // What was found elsewhere ends the way; below the start of the interval nothing is left of it.
            let t_max = ray.t_max.min(cast.offers.end(row));
            if t_max < ray.t_min {
                continue;
            }
            let axes = SlabAxes::if_sound_and_in_range(ray, bvh.arena.anchor, bvh.range, *stretch);
            let axes = axes.unwrap_or_else(|| SlabAxes::unbounded(ray));
            let counts_visits = cast.offers.counts_visits();
            let line = BallLine::new(ray);
            let mut visitor = ShapeVisitor::<NARROWS> { cast: &mut cast, row, ray, line, counts_visits };
            bvh.walk(lanes, &mut stack, axes, [ray.t_min, t_max], &mut visitor);
        }
        stack.put_back();
    }
}

struct ShapeVisitor<'a, 'c, 'r, 's, const NARROWS: bool> {
    cast: &'a mut ShapeCast<'c, 'r, 's>,
    row: usize,
    ray: &'a Ray,
    line: BallLine,
    counts_visits: bool,
}

impl<const NARROWS: bool> Visitor<BoxBlock> for ShapeVisitor<'_, '_, '_, '_, NARROWS> {
    const NARROWS: bool = NARROWS;

    #[inline(always)]
    fn visit_node(&mut self, boxes: impl FnOnce() -> usize) {
        if self.counts_visits {
            self.cast.offers.visit(self.row, [1, boxes() as u32, 0, 0]);
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
            self.cast.offers.visit(self.row, [0, 0, 1, block.count() as u32]);
        }
        let mut end = f32::INFINITY;
        for lane in set_bits(met) {
            end = end.min(self.cast.offer(block.numbers[lane], self.row, self.ray));
        }
        *t_max = t_max.min(end);
        // No further hit matters then.
        end == f32::NEG_INFINITY
    }
}

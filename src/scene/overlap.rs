//! The primitives that overlap with a region.
//!
//! Boxes of trees and primitives are tested where they lie: planes are carried into their frame, a
//! ball is seen from there. A primitive is a [solid](crate::leaf::Solid), tested in `f64`.
//! Rounding moves planes outwards, so that nothing that overlaps is lost.

use std::ops::ControlFlow;

use super::near::{Opened, near_boxes, opened};
use super::{Precision, Scene};
use crate::answers::{INVALID_ID, PrimitiveIds};
use crate::chunks::Chunk;
use crate::leaf::{Carried, Placed, Plane, Solid, TriangleLeaf, View};
use crate::math::dot;
use crate::simd::{Backend, LANES, MapEach, Scalar, dispatch, set_bits};
use crate::traverse::Target;
use crate::tree::{AabbBlock, BoxFrame, Bvh, Leaf};
use crate::value::{Aabb, Affine, Extent, Triangle};

/// A search for the primitives that overlap with a region.
pub(crate) struct Overlaps<'a> {
    pub(crate) extent: &'a Extent,
    pub(crate) mask: u32,
    pub(crate) backend: Backend,
    pub(crate) brute_force: bool,
    /// Whether one is enough.
    pub(crate) any: bool,
    pub(crate) chunk: &'a Chunk<'a>,
    pub(crate) found: Vec<PrimitiveIds>,
}

/// The planes of a region, or its ball, as a frame sees them: its content, or as the boxes of a
/// tree there do.
enum RegionInFrame<Q, P> {
    Planes(Vec<Q>),
    Ball(P, f64),
}

/// A plane as the boxes of a tree see it, and how far beyond it a box may be that counts.
type BoxPlane = ([f64; 4], f64);

impl Overlaps<'_> {
    /// Finds all in a scene, or any one. They come in no order.
    pub(super) fn find<T: Precision>(&mut self, scene: &Scene<T>) {
        if !self.brute_force {
            scene.instances.make_trees();
        }
        if *self.extent != Extent::Nothing {
            let _ = self.visit(scene, INVALID_ID, &Affine::IDENTITY);
        }
    }

    fn visit<T: Precision>(
        &mut self,
        scene: &Scene<T>,
        instance_id: u32,
        to_world: &Affine,
    ) -> ControlFlow<()> {
        let (instances, backend, brute_force) = (&scene.instances, self.backend, self.brute_force);
        let reach = instances.frames.reach;
        let seen = RegionInFrame::new(self.extent, to_world, reach);
        let near = |seen: &RegionInFrame<BoxPlane, Carried>, boxes: &AabbBlock| match brute_force {
            true => u8::MAX,
            false => seen.near(backend, boxes),
        };
        let by_triangles = seen.in_box_frame(scene.tree.viewpoint(), reach);
        each_leaf(
            scene.tree.bvh(),
            brute_force,
            &|boxes| near(&by_triangles, boxes),
            &mut |block| {
                self.chunk.work(16)?;
                for (corners, number) in block.triangles() {
                    let solid = || Triangle::new(corners.map_each(|corner| corner.map(T::to_f64)));
                    if self.sees(scene, number) && seen.overlaps(&solid()) {
                        self.add(scene, instance_id, number)?;
                    }
                }
                ControlFlow::Continue(())
            },
        )?;
        let by_shapes = seen.in_box_frame(&scene.shapes.tree.viewpoint, reach);
        let near_shapes = |boxes: &_| near(&by_shapes, boxes);
        each_leaf(&scene.shapes.tree.bvh, brute_force, &near_shapes, &mut |block| {
            for lane in set_bits(near_shapes(&block.boxes)).take_while(|&lane| lane < block.count())
            {
                let (geometry_id, known_by) = scene.numbering.ids(block.numbers[lane]);
                let Some(shape) = scene.shapes.geometry(geometry_id) else { continue };
                let mut flow = self.chunk.work(16);
                shape.each_in_box(known_by, |id| {
                    let number = block.numbers[lane] - known_by + id;
                    let overlaps = || shape.overlaps(id, |solid| seen.overlaps(solid));
                    if flow.is_continue() && self.sees(scene, number) {
                        flow = self.chunk.work(16);
                        if flow.is_continue() && overlaps() {
                            flow = self.add(scene, instance_id, number);
                        }
                    }
                });
                flow?;
            }
            ControlFlow::Continue(())
        })?;
        if !scene.has_instances() {
            return ControlFlow::Continue(());
        }
        let mut enter = |number: usize| {
            let instance = &instances.placed[number];
            self.chunk.work(16)?;
            if instance.mask & self.mask == 0 {
                return ControlFlow::Continue(());
            }
            let instance_id = instance_id.wrapping_add(1) + instances.starts[number];
            self.visit(&instance.scene, instance_id, &(*to_world * instance.transform))
        };
        if brute_force {
            return (0..instances.placed.len()).try_for_each(enter);
        }
        let by_instances = seen.in_box_frame(&instances.tree().viewpoint, reach);
        let near_instances = |boxes: &_| near(&by_instances, boxes);
        each_leaf(&instances.tree().bvh, false, &near_instances, &mut |block| {
            let lanes =
                set_bits(near_instances(&block.boxes)).take_while(|&lane| lane < block.count());
            lanes.map(|lane| block.numbers[lane] as usize).try_for_each(&mut enter)
        })
    }

    fn sees<T: Precision>(&self, scene: &Scene<T>, number: u32) -> bool {
        scene.masks.of_geometries[scene.numbering.ids(number).0 as usize] & self.mask != 0
    }

    fn add<T: Precision>(
        &mut self,
        scene: &Scene<T>,
        instance_id: u32,
        number: u32,
    ) -> ControlFlow<()> {
        let (geometry_id, primitive_id) = scene.numbering.ids(number);
        self.found.push(PrimitiveIds { instance_id, geometry_id, primitive_id });
        if self.any { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Visits the leaves in boxes that are near, or all.
fn each_leaf<B: Leaf>(
    bvh: &Bvh<B>,
    all: bool,
    near: &dyn Fn(&AabbBlock) -> u8,
    visit: &mut dyn FnMut(&B) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if all {
        return bvh.blocks().iter().try_for_each(visit);
    }
    let mut waiting = vec![bvh.root.bits()];
    while let Some(next) = waiting.pop() {
        match opened(bvh, next) {
            Opened::Node(node) => {
                waiting.extend(set_bits(near(&node.boxes)).map(|slot| node.children[slot]));
            }
            Opened::Leaf(block) => visit(block)?,
            Opened::End => {}
        }
    }
    ControlFlow::Continue(())
}

impl RegionInFrame<Plane, Placed> {
    fn new(extent: &Extent, to_world: &Affine, reach: f64) -> Self {
        match *extent {
            Extent::Between(frustum) => {
                let planes = frustum.planes().iter();
                Self::Planes(planes.map(|&plane| Plane::carried_back(plane, to_world)).collect())
            }
            Extent::Ball { center, radius } => {
                Self::Ball(Placed::new(*to_world, center, reach), radius)
            }
            Extent::Nothing | Extent::Unusable(_) => Self::Planes(Vec::new()),
        }
    }

    fn overlaps<S: Solid + ?Sized>(&self, solid: &S) -> bool {
        match self {
            Self::Planes(planes) => solid.overlaps_planes(planes),
            Self::Ball(placed, radius) => solid.overlaps_ball(placed, *radius),
        }
    }

    /// The region as the boxes of a tree see it; coordinates of the content are no greater than
    /// `reach`.
    fn in_box_frame<T: Scalar>(
        &self,
        viewpoint: &impl BoxFrame<T>,
        reach: f64,
    ) -> RegionInFrame<BoxPlane, Carried> {
        match self {
            Self::Planes(planes) => {
                let (anchor, scale) = (viewpoint.place([0.0; 3]), viewpoint.scale());
                let moved = |plane: &Plane| {
                    let [a, b, c] = plane.normal.map_each(|x| x / scale);
                    // The room is four times that of corners, for the rounding of both. The anchor
                    // is amid the content.
                    ([a, b, c, dot(plane.normal, anchor) + plane.offset], 4.0 * plane.room(reach))
                };
                RegionInFrame::Planes(planes.iter().map(moved).collect())
            }
            Self::Ball(placed, radius) => {
                RegionInFrame::Ball(placed.seen_from(viewpoint), radius * radius)
            }
        }
    }
}

impl RegionInFrame<BoxPlane, Carried> {
    /// The boxes that may overlap, as bits.
    fn near(&self, backend: Backend, boxes: &AabbBlock) -> u8 {
        match self {
            Self::Planes(planes) => (0..LANES).fold(0, |bits, lane| {
                let aabb = boxes.get(lane);
                let near = !aabb.is_empty()
                    && planes.iter().all(|(plane, room)| most_in(&aabb, plane) >= -room);
                bits | u8::from(near) << lane
            }),
            Self::Ball(view, squared) => {
                let (point, limit) = (view.point(), view.reach(*squared));
                dispatch!(backend, lanes => near_boxes(lanes, boxes, point, limit)).1
            }
        }
    }
}

/// The greatest value of a plane's equation in a box.
fn most_in(aabb: &Aabb, &[a, b, c, d]: &[f64; 4]) -> f64 {
    [a, b, c].into_iter().zip(0..3).fold(d, |most, (factor, axis)| {
        let ends = [aabb.min[axis], aabb.max[axis]].map_each(|x| factor * f64::from(x));
        most + ends[0].max(ends[1])
    })
}

//! The primitives that overlap with a region.
//!
//! Boxes of trees and primitives are tested where they lie: planes and the center of a ball are
//! carried into their frame. A primitive is a [solid](crate::leaf::Solid), tested in `f64`.
//! Rounding moves planes outwards, so that nothing that overlaps is lost.

use std::ops::ControlFlow;

use super::precision::BlockOf;
use super::search::{BoxTest, Frame, FrameVisitor, Search};
use super::{Precision, Scene};
use crate::answers::PrimitiveIds;
use crate::chunks::Chunk;
use crate::leaf::{Placed, Plane, Solid, TriangleLeaf};
use crate::math::dot;
use crate::simd::{Backend, MapEach, Scalar, set_bits};
use crate::traverse::Target;
use crate::tree::arena::{NodeKind, Reference};
use crate::tree::{AabbBlock, BoxFrame, Bvh, HasBoxFrame, Leaf};
use crate::value::{Extent, Triangle};

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

/// A region in a frame: its planes and the greatest coordinate there, or its ball.
enum Region {
    Planes(Vec<Plane>, f64),
    Ball(Placed, f64),
}

impl Overlaps<'_> {
    /// Finds all in a scene, or any one. They come in no order.
    pub(super) fn find<T: Precision>(&mut self, scene: &Scene<T>) {
        let Self { extent, mask, backend, brute_force, chunk, .. } = *self;
        if *extent != Extent::Nothing {
            let _ = Search::new(scene, mask, backend, brute_force, chunk).run(self);
        }
    }

    /// Adds a primitive if its solid overlaps.
    fn offer<T: Precision>(
        &mut self,
        frame: &Frame<'_, T>,
        number: u32,
        overlaps: impl FnOnce() -> bool,
    ) -> ControlFlow<()> {
        let Frame { scene, instance_id, .. } = *frame;
        let (geometry_id, primitive_id) = scene.numbering.ids(number);
        let is_visible = scene.masks.of_geometries[geometry_id as usize] & self.mask != 0;
        if is_visible && overlaps() {
            self.found.push(PrimitiveIds { instance_id, geometry_id, primitive_id });
            if self.any {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

impl<'a, T: Precision> FrameVisitor<'a, T> for Overlaps<'_> {
    fn visit(&mut self, frame: &Frame<'a, T>) -> ControlFlow<()> {
        let Self { backend, brute_force, chunk, .. } = *self;
        let (scene, region) = (frame.scene, Region::new(self.extent, frame));
        let squared_bound = FrameVisitor::<T>::squared_bound(self);
        // Many instances are of scenes without triangles, or without shapes.
        for tree in [&scene.tree, &scene.fields].into_iter().filter(|tree| !tree.bvh().is_empty()) {
            let test = region.box_test(tree.viewpoint());
            let near = |boxes: &AabbBlock| test.run(backend, boxes, squared_bound).1;
            each_leaf(tree.bvh(), brute_force, &near, &mut |block: &BlockOf<T>| {
                chunk.work(16)?;
                block.triangles().try_for_each(|(corners, number)| {
                    let solid = || Triangle::new(corners.map_each(|corner| corner.map(T::to_f64)));
                    self.offer(frame, number, || region.overlaps(&solid()))
                })
            })?;
        }
        if !scene.shapes.has_others {
            return ControlFlow::Continue(());
        }
        let mut offer_shape = |number: u32| {
            chunk.work(16)?;
            let (geometry_id, primitive_id) = scene.numbering.ids(number);
            let shape = scene.shapes.geometry(geometry_id);
            self.offer(frame, number, || {
                shape.is_some_and(|shape| {
                    shape.overlaps(primitive_id, |solid| region.overlaps(solid))
                })
            })
        };
        if brute_force {
            return scene.shapes.numbers_of_others(&scene.numbering).try_for_each(offer_shape);
        }
        let tree = &scene.shapes.tree;
        let test = region.box_test(&tree.viewpoint);
        let near = |boxes: &AabbBlock| test.run(backend, boxes, squared_bound).1;
        each_leaf(&tree.bvh, false, &near, &mut |block| {
            set_bits(near(&block.boxes)).try_for_each(|lane| {
                let number = block.numbers[lane];
                if scene.shapes.has(number, &scene.numbering) {
                    offer_shape(number)?;
                }
                chunk.work(16)
            })
        })
    }

    fn box_test(&self, frame: &Frame<'a, T>, viewpoint: &<T as HasBoxFrame>::Viewpoint) -> BoxTest {
        Region::new(self.extent, frame).box_test(viewpoint)
    }

    fn squared_bound(&self) -> f64 {
        match self.extent {
            Extent::Ball { radius, .. } => radius * radius,
            _ => f64::INFINITY,
        }
    }
}

/// Visits the leaves in boxes that are near, or all.
fn each_leaf<B: Leaf>(
    bvh: &Bvh<B>,
    all: bool,
    near: &dyn Fn(&AabbBlock) -> u8,
    visit: &mut dyn FnMut(&B) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut made = None;
    if all {
        return bvh.arena.leaves().try_for_each(|leaf| visit(bvh.arena.block(leaf, &mut made)));
    }
    let mut waiting = vec![bvh.root];
    while let Some(next) = waiting.pop() {
        match next.kind() {
            NodeKind::Inner => {
                let node = &bvh.arena.nodes()[next.node()];
                let child = |slot: usize| Reference::from_bits(node.children[slot]);
                waiting.extend(set_bits(near(&node.boxes)).map(child));
            }
            NodeKind::Leaf => visit(bvh.arena.block(next, &mut made))?,
            NodeKind::End => {}
        }
    }
    ControlFlow::Continue(())
}

impl Region {
    fn new<T: Precision>(extent: &Extent, frame: &Frame<'_, T>) -> Self {
        let (to_world, reach) = (frame.to_world, frame.scene.instances.frames.reach);
        match *extent {
            Extent::Between(frustum) => {
                let planes = frustum.planes().iter();
                let carried = planes.map(|&plane| Plane::carried_back(plane, &to_world));
                Self::Planes(carried.collect(), reach)
            }
            Extent::Ball { center, radius } => {
                Self::Ball(Placed::new(to_world, center, reach), radius)
            }
            Extent::Nothing | Extent::Unusable(_) => Self::Planes(Vec::new(), reach),
        }
    }

    fn overlaps<S: Solid + ?Sized>(&self, solid: &S) -> bool {
        match self {
            Self::Planes(planes, _) => solid.overlaps_planes(planes),
            Self::Ball(placed, radius) => solid.overlaps_ball(placed, *radius),
        }
    }

    /// The region in the coordinates of the boxes of a tree.
    fn box_test<T: Scalar>(&self, viewpoint: &impl BoxFrame<T>) -> BoxTest {
        match self {
            Self::Planes(planes, reach) => {
                let (anchor, scale) = (viewpoint.place([0.0; 3]), viewpoint.scale());
                let moved = |plane: &Plane| {
                    let [a, b, c] = plane.normal.map_each(|x| x / scale);
                    // The room is four times that of corners, for the rounding of both. The anchor
                    // is amid the content.
                    ([a, b, c, dot(plane.normal, anchor) + plane.offset], 4.0 * plane.room(*reach))
                };
                BoxTest::Planes(planes.iter().map(moved).collect())
            }
            Self::Ball(placed, _) => BoxTest::Point(placed.seen_from(viewpoint)),
        }
    }
}

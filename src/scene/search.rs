//! The search through a scene and all that is placed in it, at any depth.
//!
//! Each scene has a frame. The boxes of instances, and the instances in them, wait in one heap with
//! the nearest on top. An instance that comes up is a frame, and a [`FrameVisitor`] visits its
//! primitives. An entry that is too far when it comes up is dropped. Brute force visits all frames
//! and tests no boxes.
//!
//! The search is compiled once for each precision and visitor, and calls the tests of boxes on the
//! lanes of the backend.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::{Precision, Scene};
use crate::answers::INVALID_ID;
use crate::chunks::Chunk;
use crate::leaf::{Carried, View};
use crate::simd::{Backend, LANES, Lanes, MapEach, Mask, call, set_bits};
use crate::tree::arena::{NodeKind, Reference};
use crate::tree::{AabbBlock, HasBoxFrame};
use crate::value::{Aabb, Affine};

/// A scene in its place.
#[derive(Clone, Copy)]
pub(super) struct Frame<'a, T: Precision> {
    pub(super) scene: &'a Scene<T>,
    /// The instance id of the scene's own primitives.
    pub(super) instance_id: u32,
    /// The product of the maps of the instances on the path, from the outermost inwards.
    pub(super) to_world: Affine,
    /// Whether an odd number of these maps mirror. Their product does not show it, as rounding may
    /// lose its sign.
    pub(super) is_mirrored: bool,
}

impl<'a, T: Precision> Frame<'a, T> {
    pub(super) fn outermost(scene: &'a Scene<T>) -> Self {
        let (instance_id, to_world) = (INVALID_ID, Affine::IDENTITY);
        Self { scene, instance_id, to_world, is_mirrored: false }
    }

    /// The frame of an instance, unless `mask` hides it.
    fn within(&self, number: u32, mask: u32) -> Option<Self> {
        let instances = &self.scene.instances;
        let instance = &instances.placed[number as usize];
        // The map of the outermost scene is the identity, and is left out of products.
        let to_world = match self.is_outermost() {
            true => instance.transform,
            false => self.to_world * instance.transform,
        };
        let is_visible = instance.mask & mask != 0;
        is_visible.then(|| Self {
            scene: &instance.scene,
            instance_id: self.instance_id.wrapping_add(1) + instances.starts[number as usize],
            to_world,
            is_mirrored: self.is_mirrored != instance.is_mirrored,
        })
    }

    pub(super) fn is_outermost(&self) -> bool {
        self.instance_id == INVALID_ID
    }
}

/// Visits the frames of a search, and says what matters to it.
pub(super) trait FrameVisitor<'a, T: Precision> {
    /// Visits the primitives of the scene itself. A break ends the search.
    fn visit(&mut self, frame: &Frame<'a, T>) -> ControlFlow<()>;

    /// The test of the boxes of a tree in the frame.
    fn box_test(&self, frame: &Frame<'a, T>, viewpoint: &<T as HasBoxFrame>::Viewpoint) -> BoxTest;

    /// The squared distance up to which primitives matter now. Not used with planes.
    fn squared_bound(&self) -> f64;
}

/// Whether boxes of a tree are near a point, or on the inner sides of planes.
pub(super) enum BoxTest {
    Point(Carried),
    /// Planes in the coordinates of the boxes, and how far beyond each a box may be that counts.
    Planes(Vec<([f64; 4], f64)>),
}

impl BoxTest {
    /// The squared distance, as boxes compute it, up to which they matter.
    fn reach(&self, squared_bound: f64) -> f32 {
        match self {
            Self::Point(view) => view.reach(squared_bound),
            Self::Planes(_) => f32::INFINITY,
        }
    }

    /// The squared distances of boxes, and which are within reach, as bits.
    pub(super) fn run(
        &self,
        backend: Backend,
        boxes: &AabbBlock,
        squared_bound: f64,
    ) -> ([f32; LANES], u8) {
        match self {
            Self::Point(view) => {
                let (point, reach) = (view.point(), view.reach(squared_bound));
                call!(backend, lanes => squared_distances(lanes, boxes, point, reach))
            }
            Self::Planes(planes) => {
                let near = (0..LANES).fold(0, |bits, lane| {
                    let aabb = boxes.get(lane);
                    let near = !aabb.is_empty()
                        && planes.iter().all(|(plane, room)| most_in(&aabb, plane) >= -room);
                    bits | u8::from(near) << lane
                });
                ([0.0; LANES], near)
            }
        }
    }

    /// An estimate of a distance in the frame of the query.
    fn estimate(&self, squared_distance: f32) -> f32 {
        match self {
            Self::Point(view) => view.about(squared_distance),
            Self::Planes(_) => 0.0,
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

/// The squared distances of boxes from a point, and those that are no greater than `reach`, as bits.
#[inline(always)]
fn squared_distances<L: Lanes>(
    lanes: L,
    boxes: &AabbBlock,
    [x, y, z]: [f32; 3],
    reach: f32,
) -> ([f32; LANES], u8) {
    let point = [lanes.splat(x), lanes.splat(y), lanes.splat(z)];
    let (squared, near) = boxes.squared_distances(lanes, &point, reach);
    let mut squared_distances = [0.0; LANES];
    lanes.store(squared, &mut squared_distances);
    (squared_distances, near.bits() as u8)
}

/// A box or an instance that is yet to be visited. Bits of numbers that are not negative are in
/// their order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// The bits of the estimated distance.
    distance: u32,
    /// The bits of the squared distance, as boxes compute it.
    squared_distance: u32,
    /// The place of the frame that holds it.
    frame: u32,
    content: Content,
}

/// Of contents of one frame that are equally far, as all are where boxes are tested against planes,
/// instances come first, then leaves, then the deepest nodes: one overlap may be enough.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Content {
    Instance(u32),
    /// A node or a leaf of the tree over the instances of a frame. In memory children are behind
    /// their parents, and leaves behind all nodes.
    Boxes(Reverse<u32>),
}

/// A search, with memory that is kept for the next.
pub(super) struct Search<'a, T: Precision> {
    pub(super) scene: &'a Scene<T>,
    /// Instances are visited whose mask has a bit of this.
    mask: u32,
    backend: Backend,
    brute_force: bool,
    chunk: &'a Chunk<'a>,
    /// Frames with instances.
    frames: Vec<(Frame<'a, T>, BoxTest)>,
    waiting: BinaryHeap<Reverse<Waiting>>,
}

impl<'a, T: Precision> Search<'a, T> {
    pub(super) fn new(
        scene: &'a Scene<T>,
        mask: u32,
        backend: Backend,
        brute_force: bool,
        chunk: &'a Chunk<'a>,
    ) -> Self {
        if !brute_force {
            scene.instances.make_trees();
        }
        let (frames, waiting) = (Vec::new(), BinaryHeap::new());
        Self { scene, mask, backend, brute_force, chunk, frames, waiting }
    }

    /// Visits all frames that matter. Breaks if the call is to stop or the visitor breaks.
    pub(super) fn run(&mut self, visitor: &mut impl FrameVisitor<'a, T>) -> ControlFlow<()> {
        self.frames.clear();
        self.waiting.clear();
        self.enter(Frame::outermost(self.scene), visitor)?;
        while let Some(Reverse(next)) = self.waiting.pop() {
            self.chunk.work(8)?;
            let (frame, test) = &self.frames[next.frame as usize];
            let squared_bound = visitor.squared_bound();
            if f32::from_bits(next.squared_distance) > test.reach(squared_bound) {
                continue;
            }
            let at = match next.content {
                Content::Boxes(Reverse(at)) => at,
                Content::Instance(number) => {
                    if let Some(frame) = frame.within(number, self.mask) {
                        self.enter(frame, visitor)?;
                    }
                    continue;
                }
            };
            let (arena, at) = (&frame.scene.instances.tree().bvh.arena, Reference::from_bits(at));
            let mut made = None;
            let (boxes, numbers, content): (_, _, fn(u32) -> Content) = match at.kind() {
                NodeKind::Inner => {
                    let node = &arena.nodes()[at.node()];
                    (&node.boxes, &node.children, |at| Content::Boxes(Reverse(at)))
                }
                NodeKind::Leaf => {
                    let block = arena.block(at, &mut made);
                    (&block.boxes, &block.numbers, Content::Instance)
                }
                NodeKind::End => continue,
            };
            let (squared_distances, bits) = test.run(self.backend, boxes, squared_bound);
            for lane in set_bits(bits) {
                let squared_distance = squared_distances[lane];
                self.waiting.push(Reverse(Waiting {
                    distance: test.estimate(squared_distance).to_bits(),
                    squared_distance: squared_distance.to_bits(),
                    frame: next.frame,
                    content: content(numbers[lane]),
                }));
            }
        }
        ControlFlow::Continue(())
    }

    /// Visits a frame, and adds its instances to the heap; by brute force it enters all of them.
    fn enter(
        &mut self,
        frame: Frame<'a, T>,
        visitor: &mut impl FrameVisitor<'a, T>,
    ) -> ControlFlow<()> {
        visitor.visit(&frame)?;
        let instances = &frame.scene.instances;
        if self.brute_force {
            for number in 0..instances.placed.len() as u32 {
                self.chunk.work(16)?;
                if let Some(inner) = frame.within(number, self.mask) {
                    self.enter(inner, visitor)?;
                }
            }
        } else if frame.scene.has_instances() {
            let tree = instances.tree();
            let content = Content::Boxes(Reverse(tree.bvh.root.bits()));
            let number = self.frames.len() as u32;
            let root = Waiting { distance: 0, squared_distance: 0, frame: number, content };
            self.waiting.push(Reverse(root));
            let test = visitor.box_test(&frame, &tree.viewpoint);
            self.frames.push((frame, test));
        }
        ControlFlow::Continue(())
    }
}

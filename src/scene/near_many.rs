//! Many primitives near a point: the nearest few, or all within a radius.
//!
//! The boxes of all trees wait in one heap, the nearest on top. The nearest so far are kept in the
//! order of [one closest point](super::near): by the squared distance in `f64`, then by ids. So no
//! answer depends on a tree.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use super::near::{FoundPrimitive, Frame, Opened, Waiting, near_boxes, opened};
use super::precision::BlockOf;
use super::{Precision, Scene};
use crate::answers::INVALID_ID;
use crate::chunks::OF_OWN;
use crate::leaf::{Carried, View, squared_distances as of_triangles};
use crate::query::{Asked, Nearest, PointAnswer};
use crate::simd::{LANES, Lanes, call, set_bits, with_default_float_mode};
use crate::status::Status;
use crate::traverse::{Target, find_closest_points};
use crate::tree::{AabbBlock, Leaf};

/// An entry of the heap: a node or leaf of one of the trees of a frame, or an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Inside {
    Triangles(u32),
    Shapes(u32),
    Instances(u32),
    Instance(u32),
}

/// A search around one point after the other, with memory that is kept.
pub(crate) struct NearMany<'a, T: Precision> {
    scene: &'a Scene<T>,
    asked: &'a Asked<'a, T>,
    point: [f64; 3],
    /// How many are kept, and up to which squared distance.
    most: usize,
    squared_distance: f64,
    /// Frames, with the point as the trees of triangles, of shapes and of instances see it.
    frames: Vec<(Frame<'a, T>, [Carried; 3])>,
    waiting: BinaryHeap<Waiting<Inside>>,
    /// Primitives by the squared distance, as bits, then the order of ids, each with its index in
    /// `places`, so that the map is compiled once.
    kept: BTreeMap<(u64, u64), usize>,
    /// The places of primitives, each with its frame.
    places: Vec<(u32, FoundPrimitive<'a, T>)>,
}

impl<'a, T: Precision> NearMany<'a, T> {
    pub(crate) fn new(scene: &'a Scene<T>, asked: &'a Asked<'a, T>) -> Self {
        if !asked.brute_force {
            scene.instances.make_trees();
        }
        let (frames, waiting, kept, places) =
            (Vec::new(), BinaryHeap::new(), BTreeMap::new(), Vec::new());
        let (point, most, squared_distance) = ([0.0; 3], 0, 0.0);
        Self { scene, asked, point, most, squared_distance, frames, waiting, kept, places }
    }

    /// Gives the nearest primitives around the point in a row, at most `most`, nearest first. The
    /// status says whether there is any, even if none is to be given.
    pub(super) fn find(
        &mut self,
        row: usize,
        most: u32,
        give: &mut dyn FnMut(PointAnswer<T>),
    ) -> Status {
        let (point, radius) = match self.asked.sound_in(self.scene, row) {
            Ok(sound) => sound,
            Err(defect) => return defect,
        };
        self.point = point.map(T::to_f64);
        self.most = most.max(1) as usize;
        self.squared_distance = Nearest::<()>::within(radius).squared_distance;
        self.frames.clear();
        self.waiting.clear();
        self.kept.clear();
        self.places.clear();
        self.open(Frame::outermost(self.scene, self.point));
        while let Some(Reverse((_, squared_distance, number, inside))) = self.waiting.pop() {
            if self.asked.chunk.work(16).is_break() {
                return Status::Miss;
            }
            if f32::from_bits(squared_distance) <= self.reach(number, inside)
                || self.asked.brute_force
            {
                self.visit(number, inside);
            }
        }
        for (&(_, order), &place) in self.kept.iter().take(most as usize) {
            if self.asked.chunk.work(8).is_break() {
                break;
            }
            let (number, place) = self.places[place];
            let (frame, _) = &self.frames[number as usize];
            give(frame.answer((order as u32, place), self.point, self.asked.normals));
        }
        if self.kept.is_empty() { Status::Miss } else { Status::Hit }
    }

    /// How the tree of a frame that holds this sees the point.
    fn view(&self, frame: u32, of: Inside) -> &Carried {
        let [triangles, shapes, instances] = &self.frames[frame as usize].1;
        match of {
            Inside::Triangles(_) => triangles,
            Inside::Shapes(_) => shapes,
            Inside::Instances(_) | Inside::Instance(_) => instances,
        }
    }

    /// The squared distance, as boxes of a frame compute it, up to which they matter.
    fn reach(&self, frame: u32, of: Inside) -> f32 {
        self.view(frame, of).reach(self.squared_distance)
    }

    /// Adds a frame, and all that is in it to the heap; without trees all of it is visited.
    fn open(&mut self, frame: Frame<'a, T>) {
        let (scene, number) = (frame.scene, self.frames.len() as u32);
        let mut views = [frame.placed.seen_from(scene.tree.viewpoint()); 3];
        if !scene.shapes.is_empty {
            views[1] = frame.placed.seen_from(&scene.shapes.tree.viewpoint);
        }
        if scene.has_instances() && !self.asked.brute_force {
            views[2] = frame.placed.seen_from(&scene.instances.tree().viewpoint);
        }
        self.frames.push((frame, views));
        let mut wait = |inside| self.waiting.push(Reverse((0, 0, number, inside)));
        if !self.asked.brute_force {
            wait(Inside::Triangles(scene.tree.bvh().root.bits()));
            wait(Inside::Shapes(scene.shapes.tree.bvh.root.bits()));
            if scene.has_instances() {
                wait(Inside::Instances(scene.instances.tree().bvh.root.bits()));
            }
            return;
        }
        (0..scene.instances.placed.len() as u32)
            .for_each(|instance| wait(Inside::Instance(instance)));
        for block in scene.tree.bvh().blocks() {
            if self.asked.chunk.work(16).is_break() {
                return;
            }
            self.offer_triangles(number, block);
        }
        for shape in scene.shapes.numbers(&scene.numbering) {
            if self.asked.chunk.work(OF_OWN).is_break() {
                return;
            }
            self.offer_shape(number, shape);
        }
    }

    fn visit(&mut self, number: u32, inside: Inside) {
        let scene = self.frames[number as usize].0.scene;
        match inside {
            Inside::Triangles(at) => match opened(scene.tree.bvh(), at) {
                Opened::Node(node) => {
                    self.wait(number, &node.boxes, &node.children, Inside::Triangles);
                }
                Opened::Leaf(block) => self.offer_triangles(number, block),
                Opened::End => {}
            },
            Inside::Shapes(at) => match opened(&scene.shapes.tree.bvh, at) {
                Opened::Node(node) => {
                    self.wait(number, &node.boxes, &node.children, Inside::Shapes);
                }
                Opened::Leaf(block) => {
                    for lane in set_bits(self.near(number, inside, &block.boxes).1) {
                        let known_by = block.numbers[lane];
                        if self.asked.chunk.work(OF_OWN).is_break() {
                            return;
                        }
                        let offer = |shape| self.offer_shape(number, shape);
                        scene.shapes.each_in_box(known_by, &scene.numbering, offer);
                    }
                }
                Opened::End => {}
            },
            Inside::Instances(at) => match opened(&scene.instances.tree().bvh, at) {
                Opened::Node(node) => {
                    self.wait(number, &node.boxes, &node.children, Inside::Instances);
                }
                Opened::Leaf(block) => {
                    self.wait(number, &block.boxes, &block.numbers, Inside::Instance);
                }
                Opened::End => {}
            },
            Inside::Instance(instance) => {
                if scene.instances.placed[instance as usize].mask != 0 {
                    let frame = self.frames[number as usize].0.within(instance, self.point);
                    self.open(frame);
                }
            }
        }
    }

    /// The squared distances of boxes from the point, and those that matter, as bits.
    fn near(&self, frame: u32, of: Inside, boxes: &AabbBlock) -> ([f32; LANES], u8) {
        let (point, limit) = (self.view(frame, of).point(), self.reach(frame, of));
        call!(self.asked.backend, lanes => near_boxes(lanes, boxes, point, limit))
    }

    /// Adds the boxes that matter to the heap, each with its content.
    fn wait(
        &mut self,
        frame: u32,
        boxes: &AabbBlock,
        content: &[u32; LANES],
        inside: fn(u32) -> Inside,
    ) {
        let (squared_distances, near) = self.near(frame, inside(0), boxes);
        for lane in set_bits(near) {
            let squared_distance = squared_distances[lane];
            let about = self.view(frame, inside(0)).about(squared_distance);
            let waiting =
                (about.to_bits(), squared_distance.to_bits(), frame, inside(content[lane]));
            self.waiting.push(Reverse(waiting));
        }
    }

    fn offer_triangles(&mut self, number: u32, block: &'a BlockOf<T>) {
        let (view, point) = (&self.frames[number as usize].1[0], self.point);
        // Brute force tests all triangles against no bound.
        let most = if self.asked.brute_force { f64::INFINITY } else { self.squared_distance };
        let (squared_distances, near) = call!(self.asked.backend, lanes => near_triangles::<T, _>(lanes, block, view, point, most));
        for lane in set_bits(near) {
            self.offer(
                number,
                block.number(lane),
                squared_distances[lane],
                FoundPrimitive::Triangle(block, lane),
            );
        }
    }

    fn offer_shape(&mut self, frame: u32, number: u32) {
        let Frame { scene, placed, .. } = &self.frames[frame as usize].0;
        if let Some((foot, normal)) = scene.foot_on_shape(number, self.point, &placed.map) {
            self.offer(frame, number, foot.squared_distance, FoundPrimitive::Shape(foot, normal));
        }
    }

    fn offer(
        &mut self,
        number: u32,
        primitive: u32,
        squared_distance: f64,
        place: FoundPrimitive<'a, T>,
    ) {
        let (frame, _) = &self.frames[number as usize];
        // Empty lanes have no number. False for NaN.
        let counts = primitive != INVALID_ID && squared_distance <= self.squared_distance;
        if !counts || !squared_distance.is_finite() || !frame.scene.visible().shows(primitive) {
            return;
        }
        // Adding 0 maps −0 to 0.
        let key = ((squared_distance + 0.0).to_bits(), frame.rank() | u64::from(primitive));
        if self.kept.contains_key(&key) {
            return;
        }
        if self.kept.len() < self.most {
            self.kept.insert(key, self.places.len());
            self.places.push((number, place));
        } else if let Some(farthest) = self.kept.last_entry()
            && *farthest.key() > key
        {
            let freed = farthest.remove();
            self.places[freed] = (number, place);
            self.kept.insert(key, freed);
        }
        if self.kept.len() == self.most
            && let Some((&(farthest, _), _)) = self.kept.last_key_value()
        {
            // At an equal distance lower ids come before it.
            self.squared_distance = f64::from_bits(farthest);
        }
    }
}

impl<T: Precision> Scene<T> {
    /// Finds the closest points of all content: through the trees, or by brute force.
    pub(super) fn find_closest_points(&self, asked: &Asked<'_, T>, into: &mut [PointAnswer<T>]) {
        with_default_float_mode(|| {
            if asked.brute_force {
                let mut search = NearMany::new(self, asked);
                for (row, into) in into.iter_mut().enumerate() {
                    *into = PointAnswer::NONE;
                    into.status = search.find(row, 1, &mut |answer| *into = answer);
                }
            } else {
                call!(asked.backend, lanes => {
                    find_closest_points(lanes, &self.tree, asked, into);
                });
                if !self.has_only_triangles() {
                    self.instances.make_trees();
                    self.find_one_by_one(asked, into);
                }
            }
        });
    }
}

#[inline(always)]
fn near_triangles<T: Precision, L: Lanes>(
    lanes: L,
    block: &BlockOf<T>,
    view: &Carried,
    point: [f64; 3],
    most: f64,
) -> ([f64; LANES], u8) {
    let mut squared_distances = [0.0; LANES];
    let near = of_triangles(block, lanes.widest(), view, point, most, &mut squared_distances);
    (squared_distances, near)
}

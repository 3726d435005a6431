//! What is nearest to points in a scene that holds more than its own triangles.
//!
//! # What the answer is
//!
//! A triangle is where its corners are carried, in `f64`, by the maps of the instances that it lies in, which are
//! multiplied from the outermost inwards into one. Distances are measured there, where the points are, and so is where
//! another primitive is nearest. Of all triangles and primitives the least squared distance in `f64` counts, and of equal
//! ones the lowest (instance id, geometry id, primitive id), what is in no instance first: no tree has a part in it.
//!
//! # How it is found
//!
//! Each point goes through the triangles and the primitives of the scene itself, then opens the box that is nearest of all
//! that it knows, wherever it is nested: boxes of instances until it comes to one, then that instance as a scene with a
//! frame of its own. Boxes and scenes wait in one heap, so that nothing lies on the call stack below a kernel, and one
//! kernel answers for a chunk of points. What is too far by the time that it is next is dropped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::marker::PhantomData;

use super::Scene;
use super::caster::Way;
use super::instances::Instance;
use crate::hit::INVALID_ID;
use crate::leaf::{Carried, InPlace, TriangleBlock, View, before_mirrors};
use crate::query::{Asked, Nearest, PointAnswer, PointTarget, Visible};
use crate::scan::Scan;
use crate::shapes::{Inside, ShapeFoot};
use crate::simd::{Backend, Kernel, Lanes, dispatch};
use crate::value::{Affine, Ray};

/// All that a scene holds, for points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Everything<'a, W> {
    scene: &'a Scene,
    way: PhantomData<W>,
}

impl<'a, W: Way> Everything<'a, W> {
    pub(super) fn new(scene: &'a Scene) -> Self {
        scene.instances.make_trees();
        Self { scene, way: PhantomData }
    }
}

impl<W: Way> PointTarget for Everything<'_, W> {
    fn closest_points(&self, backend: Backend, asked: &Asked<'_>, into: &mut [PointAnswer]) {
        dispatch(backend, OneByOne { everything: self, asked, into });
    }

    fn has_instances(&self) -> bool {
        !self.scene.instances.is_empty()
    }
}

/// A scene where it is placed, as a point sees it.
struct Frame<'a> {
    scene: &'a Scene,
    /// The id of what the scene holds itself.
    instance_id: u32,
    /// Whether an odd number of the maps on the way mirror. Not told by their product, of which roundings may leave no
    /// sign.
    mirrored: bool,
    view: Carried,
}

impl<'a> Frame<'a> {
    fn outermost(scene: &'a Scene, point: [f64; 3]) -> Self {
        let view = Carried::new(Affine::IDENTITY, point, scene.instances.frames().reach());
        Self { scene, instance_id: INVALID_ID, mirrored: false, view }
    }

    /// That of an instance.
    fn within(&self, number: u32, point: [f64; 3]) -> Self {
        let instances = &self.scene.instances;
        let Instance { scene, transform, is_mirrored, .. } = &instances.placed()[number as usize];
        // The outermost is where it is, and leaves no trace in products.
        let map = if self.is_outermost() { *transform } else { self.view.map.after(transform) };
        let first_id = instances.first_id(number as usize);
        let instance_id = self.instance_id.wrapping_add(1).wrapping_add(first_id);
        let mirrored = self.mirrored != *is_mirrored;
        Self {
            scene,
            instance_id,
            mirrored,
            view: Carried::new(map, point, scene.instances.frames().reach()),
        }
    }

    fn is_outermost(&self) -> bool {
        self.instance_id == INVALID_ID
    }

    /// What is in no instance comes first.
    fn rank(&self) -> u32 {
        self.instance_id.wrapping_add(1)
    }

    fn visible(&self) -> Visible<'a> {
        Visible { numbering: &self.scene.numbering, masks: self.scene.masks.that_hide() }
    }
}

/// What is nearest so far.
struct Best {
    squared_distance: f64,
    rank: u32,
    number: u32,
    answer: PointAnswer,
}

impl Best {
    fn within(radius: f32) -> Self {
        let squared_distance = Nearest::<()>::within(radius).squared_distance;
        Self { squared_distance, rank: u32::MAX, number: INVALID_ID, answer: PointAnswer::NONE }
    }

    /// What may still come before it in a frame: of what is as near, that with a lower number.
    fn in_frame<P: Copy>(&self, frame: &Frame<'_>) -> Nearest<P> {
        let number = match frame.rank().cmp(&self.rank) {
            std::cmp::Ordering::Less => INVALID_ID,
            std::cmp::Ordering::Equal => self.number,
            std::cmp::Ordering::Greater => 0,
        };
        Nearest { squared_distance: self.squared_distance, number, place: None }
    }

    /// Takes what came before it.
    fn take<P>(&mut self, frame: &Frame<'_>, nearest: &Nearest<P>, mut answer: PointAnswer) {
        answer.found.instance_id = frame.instance_id;
        let &Nearest { squared_distance, number, .. } = nearest;
        *self = Self { squared_distance, rank: frame.rank(), number, answer };
    }
}

/// A box that has not been opened, or an instance that has not been gone into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// About how far it is; as bits, whose order is that of numbers that are not negative.
    about: u32,
    /// The squared distance of its box in its frame, as bits.
    squared_distance: u32,
    frame: u32,
    inside: Inside,
}

struct OneByOne<'a, 's, W> {
    everything: &'a Everything<'s, W>,
    asked: &'a Asked<'a>,
    into: &'a mut [PointAnswer],
}

impl<W: Way> Kernel for OneByOne<'_, '_, W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { everything: &Everything { scene, .. }, asked, into } = self;
        let (mut frames, mut waiting) = (Vec::new(), BinaryHeap::new());
        for (row, answer) in into.iter_mut().enumerate() {
            let sound = asked.of(row).and_then(|(point, radius)| {
                // As rays from there are refused.
                let ray = Ray::new(point, [1.0, 0.0, 0.0]);
                let defect =
                    if scene.instances.is_empty() { None } else { scene.instances.frames().defect(&ray) };
                defect.map_or(Ok((point, radius)), Err)
            });
            let (point, radius) = match sound {
                Ok(sound) => sound,
                Err(defect) => {
                    *answer = PointAnswer::refused(defect);
                    continue;
                }
            };
            let wide = point.map(f64::from);
            let mut best = Best::within(radius);
            frames.clear();
            waiting.clear();
            let mut next = Some(Frame::outermost(scene, wide));
            loop {
                if let Some(frame) = next.take() {
                    triangles::<L, W>(lanes, &frame, point, wide, asked.normals, &mut best);
                    if !frame.scene.shapes.is_empty() {
                        shapes::<L, W>(lanes, &frame, wide, asked.normals, &mut best);
                    }
                    if !frame.scene.instances.is_empty() {
                        wait::<W>(&frame, frames.len() as u32, &mut waiting);
                        frames.push(frame);
                    }
                }
                let Some(Reverse(Waiting { squared_distance, frame: number, inside, .. })) = waiting.pop()
                else {
                    break;
                };
                let frame = &frames[number as usize];
                let limit = frame.view.reach(best.squared_distance);
                if W::CULLS && f32::from_bits(squared_distance) > limit {
                    continue;
                }
                match inside {
                    Inside::Boxes(boxes) => {
                        let tree = frame.scene.instances.tree();
                        tree.open(lanes, boxes, frame.view.point(), limit, |squared_distance, inside| {
                            let about = frame.view.about(squared_distance).to_bits();
                            let squared_distance = squared_distance.to_bits();
                            waiting.push(Reverse(Waiting { about, squared_distance, frame: number, inside }));
                        });
                    }
                    Inside::Thing(instance) => {
                        if frame.scene.instances.placed()[instance as usize].mask != 0 {
                            next = Some(frame.within(instance, wide));
                        }
                    }
                }
            }
            *answer = best.answer;
        }
    }
}

/// Puts what is placed in a scene with what waits.
fn wait<W: Way>(frame: &Frame<'_>, number: u32, waiting: &mut BinaryHeap<Reverse<Waiting>>) {
    let instances = &frame.scene.instances;
    let entry = |inside| Reverse(Waiting { about: 0, squared_distance: 0, frame: number, inside });
    if W::CULLS {
        waiting.push(entry(instances.tree().everything()));
    } else {
        waiting.extend((0..instances.len() as u32).map(|instance| entry(Inside::Thing(instance))));
    }
}

/// The triangles of a scene in its frame.
#[inline(always)]
fn triangles<L: Lanes, W: Way>(
    lanes: L,
    frame: &Frame<'_>,
    point: [f32; 3],
    wide: [f64; 3],
    normals: bool,
    best: &mut Best,
) {
    if frame.is_outermost() {
        triangles_seen::<L, W>(lanes, frame, &InPlace(point), wide, normals, best);
    } else {
        triangles_seen::<L, W>(lanes, frame, &frame.view, wide, normals, best);
    }
}

#[inline(always)]
fn triangles_seen<L: Lanes, W: Way>(
    lanes: L,
    frame: &Frame<'_>,
    view: &impl View,
    point: [f64; 3],
    normals: bool,
    best: &mut Best,
) {
    let (bvh, visible) = (&frame.scene.bvh, frame.visible());
    let mut nearest: Nearest<(&TriangleBlock, usize)> = best.in_frame(frame);
    if W::CULLS {
        bvh.offer_nearest(lanes, view, point, &visible, &mut nearest);
    } else {
        Scan { blocks: bvh.blocks() }.find_nearest(lanes, view, point, &visible, &mut nearest);
    }
    if let Some((block, lane)) = nearest.place {
        let answer = visible.answer_in_block(view, point, (block, lane), nearest.number, normals);
        best.take(frame, &nearest, answer);
    }
}

/// What else a scene holds, in its frame.
#[inline(always)]
fn shapes<L: Lanes, W: Way>(lanes: L, frame: &Frame<'_>, point: [f64; 3], normals: bool, best: &mut Best) {
    let (shapes, visible, view) = (&frame.scene.shapes, frame.visible(), &frame.view);
    let mut nearest: Nearest<ShapeFoot> = best.in_frame(frame);
    if W::CULLS {
        shapes.offer_nearest(lanes, view, point, &visible, &mut nearest);
    } else {
        shapes.offer_all(&view.map, point, &visible, &mut nearest);
    }
    if let Some(ShapeFoot { foot, normal }) = nearest.place {
        let normal = match (normals, frame.is_outermost()) {
            (false, _) => [0.0; 3],
            (true, true) => normal,
            (true, false) => view.normal(before_mirrors(normal, frame.mirrored)),
        };
        best.take(frame, &nearest, visible.answer(nearest.number, foot, normal));
    }
}

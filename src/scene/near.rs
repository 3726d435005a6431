//! Closest points in a scene that holds more than its own triangles.
//!
//! # The answer
//!
//! The corners of a triangle are carried in `f64` by one map, the product of the maps of its instances from the outermost
//! inwards. Distances to triangles and other primitives are measured in the frame of the points. The least squared distance
//! in `f64` wins, at equal ones the lowest (instance id, geometry id, primitive id), primitives in no instance first. The
//! answer does not depend on a tree.
//!
//! # The search
//!
//! Each point visits the triangles and the primitives of the scene itself. Then it opens the nearest known box at any depth
//! of nesting: boxes of instances, and at their end an instance as a scene with a frame of its own. Boxes and instances are
//! in one heap, so no kernel is below another on the call stack, and one kernel answers a chunk of points. Entries that are
//! too far when they come up are dropped.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Scene;
use super::instances::Instance;
use crate::answers::INVALID_ID;
use crate::error::{Error, Result};
use crate::leaf::{Carried, InPlace, TriangleBlock, View, before_mirrors};
use crate::query::{Asked, Nearest, PointAnswer, PointTarget, Visible};
use crate::scan::find_nearest;
use crate::shapes::{Inside, ShapeFoot};
use crate::simd::{Backend, Kernel, Lanes, dispatch};
use crate::value::Affine;
use crate::value::Ray;

/// All content of a scene as a target of points: through the trees, or by brute force.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Everything<'a, const TREES: bool> {
    scene: &'a Scene,
}

impl<'a, const TREES: bool> Everything<'a, TREES> {
    pub(crate) fn new(scene: &'a Scene) -> Self {
        scene.others.instances.make_trees();
        Self { scene }
    }
}

impl<const TREES: bool> PointTarget for Everything<'_, TREES> {
    fn closest_points(&self, backend: Backend, asked: &Asked<'_>, into: &mut [PointAnswer]) {
        dispatch(backend, OneByOne { everything: self, asked, into });
    }
}

/// A scene in its place, as a point sees it.
struct Frame<'a> {
    scene: &'a Scene,
    /// The instance id of the scene's own primitives.
    instance_id: u32,
    /// Whether an odd number of the maps on the path mirror. Their product does not show it, as rounding may lose its sign.
    mirrored: bool,
    view: Carried,
}

impl<'a> Frame<'a> {
    fn outermost(scene: &'a Scene, point: [f64; 3]) -> Self {
        let view = Carried::new(Affine::IDENTITY, point, scene.others.instances.frames().reach());
        Self { scene, instance_id: INVALID_ID, mirrored: false, view }
    }

    /// The frame of an instance.
    fn within(&self, number: u32, point: [f64; 3]) -> Self {
        let instances = &self.scene.others.instances;
        let Instance { scene, transform, is_mirrored, .. } = &instances.placed()[number as usize];
        // The map of the outermost scene is the identity, and is left out of products.
        let map = if self.is_outermost() { *transform } else { self.view.map.after(transform) };
        let first_id = instances.first_id(number as usize);
        let instance_id = self.instance_id.wrapping_add(1).wrapping_add(first_id);
        let mirrored = self.mirrored != *is_mirrored;
        Self {
            scene,
            instance_id,
            mirrored,
            view: Carried::new(map, point, scene.others.instances.frames().reach()),
        }
    }

    fn is_outermost(&self) -> bool {
        self.instance_id == INVALID_ID
    }

    /// The order of instances: primitives in no instance come first.
    fn rank(&self) -> u32 {
        self.instance_id.wrapping_add(1)
    }

    fn visible(&self) -> Visible<'a> {
        Visible { numbering: &self.scene.numbering, masks: self.scene.masks.that_hide() }
    }
}

/// The closest point so far.
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

    /// The bound for candidates in a frame: at an equal distance only lower numbers come before it.
    fn in_frame<P: Copy>(&self, frame: &Frame<'_>) -> Nearest<P> {
        let number = match frame.rank().cmp(&self.rank) {
            std::cmp::Ordering::Less => INVALID_ID,
            std::cmp::Ordering::Equal => self.number,
            std::cmp::Ordering::Greater => 0,
        };
        Nearest { squared_distance: self.squared_distance, number, place: None }
    }

    /// Takes a candidate that comes before it.
    fn take<P>(&mut self, frame: &Frame<'_>, nearest: &Nearest<P>, mut answer: PointAnswer) {
        answer.found.instance_id = frame.instance_id;
        let &Nearest { squared_distance, number, .. } = nearest;
        *self = Self { squared_distance, rank: frame.rank(), number, answer };
    }
}

/// A box or an instance that was not visited yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// The approximate distance as bits, which order numbers that are not negative.
    about: u32,
    /// The squared distance of its box in its frame, as bits.
    squared_distance: u32,
    frame: u32,
    inside: Inside,
}

struct OneByOne<'a, 's, const TREES: bool> {
    everything: &'a Everything<'s, TREES>,
    asked: &'a Asked<'a>,
    into: &'a mut [PointAnswer],
}

impl<const TREES: bool> Kernel for OneByOne<'_, '_, TREES> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { everything: &Everything { scene, .. }, asked, into } = self;
        let (mut frames, mut waiting) = (Vec::new(), BinaryHeap::new());
        for (row, answer) in into.iter_mut().enumerate() {
            let sound = asked.of(row).and_then(|(point, radius)| {
                // A point is refused where rays are.
                let ray = Ray::new(point, [1.0, 0.0, 0.0]);
                let defect = if scene.others.instances.is_empty() {
                    None
                } else {
                    scene.others.instances.frames().defect(&ray)
                };
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
                    triangles::<L, TREES>(lanes, &frame, point, wide, asked.normals, &mut best);
                    if !frame.scene.others.shapes.is_empty() {
                        shapes::<L, TREES>(lanes, &frame, wide, asked.normals, &mut best);
                    }
                    if !frame.scene.others.instances.is_empty() {
                        wait::<TREES>(&frame, frames.len() as u32, &mut waiting);
                        frames.push(frame);
                    }
                }
                let Some(Reverse(Waiting { squared_distance, frame: number, inside, .. })) = waiting.pop()
                else {
                    break;
                };
                let frame = &frames[number as usize];
                let limit = frame.view.reach(best.squared_distance);
                if TREES && f32::from_bits(squared_distance) > limit {
                    continue;
                }
                match inside {
                    Inside::Boxes(boxes) => {
                        let tree = frame.scene.others.instances.tree();
                        tree.open(lanes, boxes, frame.view.point(), limit, |squared_distance, inside| {
                            let about = frame.view.about(squared_distance).to_bits();
                            let squared_distance = squared_distance.to_bits();
                            waiting.push(Reverse(Waiting { about, squared_distance, frame: number, inside }));
                        });
                    }
                    Inside::Thing(instance) => {
                        if frame.scene.others.instances.placed()[instance as usize].mask != 0 {
                            next = Some(frame.within(instance, wide));
                        }
                    }
                }
            }
            *answer = best.answer;
        }
    }
}

/// Adds the instances of a scene to the heap.
fn wait<const TREES: bool>(frame: &Frame<'_>, number: u32, waiting: &mut BinaryHeap<Reverse<Waiting>>) {
    let instances = &frame.scene.others.instances;
    let entry = |inside| Reverse(Waiting { about: 0, squared_distance: 0, frame: number, inside });
    if TREES {
        waiting.push(entry(instances.tree().everything()));
    } else {
        waiting.extend((0..instances.len() as u32).map(|instance| entry(Inside::Thing(instance))));
    }
}

/// Visits the triangles of a scene in its frame.
#[inline(always)]
fn triangles<L: Lanes, const TREES: bool>(
    lanes: L,
    frame: &Frame<'_>,
    point: [f32; 3],
    wide: [f64; 3],
    normals: bool,
    best: &mut Best,
) {
    if frame.is_outermost() {
        triangles_seen::<L, TREES>(lanes, frame, &InPlace(point), wide, normals, best);
    } else {
        triangles_seen::<L, TREES>(lanes, frame, &frame.view, wide, normals, best);
    }
}

#[inline(always)]
fn triangles_seen<L: Lanes, const TREES: bool>(
    lanes: L,
    frame: &Frame<'_>,
    view: &impl View,
    point: [f64; 3],
    normals: bool,
    best: &mut Best,
) {
    let (tree, visible) = (&frame.scene.tree, frame.visible());
    let mut nearest: Nearest<(&TriangleBlock, usize)> = best.in_frame(frame);
    if TREES {
        tree.offer_nearest(lanes, view, point, &visible, &mut nearest);
    } else {
        find_nearest(lanes, tree.blocks(), view, point, &visible, &mut nearest);
    }
    if let Some((block, lane)) = nearest.place {
        let answer = visible.answer_in_block(view, point, (block, lane), nearest.number, normals);
        best.take(frame, &nearest, answer);
    }
}

/// Visits the other primitives of a scene in its frame.
#[inline(always)]
fn shapes<L: Lanes, const TREES: bool>(
    lanes: L,
    frame: &Frame<'_>,
    point: [f64; 3],
    normals: bool,
    best: &mut Best,
) {
    let (shapes, visible, view) = (&frame.scene.others.shapes, frame.visible(), &frame.view);
    let mut nearest: Nearest<ShapeFoot> = best.in_frame(frame);
    if TREES {
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

impl Scene {
    /// Whether there are primitives without closest points.
    pub(super) fn has_without_nearest(&self) -> bool {
        self.others.shapes.without_nearest().is_some() || self.others.instances.without_nearest().is_some()
    }

    pub(crate) fn refuse_without_nearest(&self) -> Result<()> {
        let (mut scene, mut instance_path) = (self, Vec::new());
        loop {
            if let Some(geometry_id) = scene.others.shapes.without_nearest() {
                return Err(Error::NotForPoints { geometry_id, instance_path });
            }
            let Some(number) = scene.others.instances.without_nearest() else { return Ok(()) };
            instance_path.push(number as u32);
            scene = &scene.others.instances.placed()[number].scene;
        }
    }
}

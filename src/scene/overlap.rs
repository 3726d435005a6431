//! The primitives that overlap with a region.
//!
//! Boxes of trees are tested where they lie: planes are carried into their frame, a ball is seen from there. A triangle is
//! carried to the region and tested there in `f64`: by the polygon that planes leave of it, or by its closest point. Rounding
//! moves planes outwards, so that nothing that overlaps is lost.

use std::ops::ControlFlow;

use super::near::{NearBoxes, Opened, opened};
use super::{Precision, Scene};
use crate::answers::{INVALID_ID, PrimitiveIds};
use crate::leaf::{Carried, Placed, Primitives, TriangleLeaf, View, foot};
use crate::math::{dot, largest};
use crate::simd::{Backend, LANES, MapEach, Scalar, dispatch, set_bits};
use crate::traverse::Target;
use crate::tree::{AabbBlock, Bvh, Leaf, Sees};
use crate::value::{Aabb, Affine, Extent};

/// A search for the primitives that overlap with a region.
pub(crate) struct Overlaps<'a> {
    pub(crate) extent: &'a Extent,
    pub(crate) mask: u32,
    pub(crate) backend: Backend,
    pub(crate) brute_force: bool,
    /// Whether one is enough.
    pub(crate) any: bool,
    pub(crate) found: Vec<PrimitiveIds>,
}

/// The planes of a region, or its ball, from a frame, or as the boxes of a tree there see them. A triangle may count that is so
/// far beyond a plane as says the number beside it.
enum Seen<P> {
    Planes(Vec<([f64; 4], f64)>),
    Ball(P, f64),
}

/// More than what rounding in `f64` moves a plane by, relative to the magnitudes that are added.
const ROOM: f64 = 1.0 / (1_u64 << 44) as f64;

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
        let seen = Seen::new(self.extent, to_world, instances.frames.reach);
        let near = |seen: &Seen<Carried>, boxes: &AabbBlock| match brute_force {
            true => u8::MAX,
            false => seen.near(backend, boxes),
        };
        let by_triangles = seen.seen_by(scene.tree.viewpoint());
        each_leaf(scene.tree.bvh(), brute_force, &|boxes| near(&by_triangles, boxes), &mut |block| {
            for (corners, number) in block.triangles() {
                let corners = corners.map_each(|corner| to_world.carry(corner.map(T::to_f64)));
                if self.sees(scene, number) && overlaps_triangle(self.extent, corners) {
                    self.add(scene, instance_id, number)?;
                }
            }
            ControlFlow::Continue(())
        })?;
        let by_shapes = seen.seen_by(&scene.shapes.tree.viewpoint);
        let near_shapes = |boxes: &_| near(&by_shapes, boxes);
        each_leaf(&scene.shapes.tree.bvh, brute_force, &near_shapes, &mut |block| {
            for lane in set_bits(near_shapes(&block.boxes)).take_while(|&lane| lane < block.count()) {
                let (geometry_id, known_by) = scene.numbering.ids(block.numbers[lane]);
                let Some(shape) = scene.shapes.geometry(geometry_id) else { continue };
                let mut flow = ControlFlow::Continue(());
                shape.each_in_box(known_by, |id| {
                    let number = block.numbers[lane] - known_by + id;
                    let overlaps = || match shape.triangle(id) {
                        _ if shape.bounds(id).is_empty() => false,
                        Some(corners) => {
                            let carried = corners.map_each(|corner| to_world.carry(corner.map(T::to_f64)));
                            overlaps_triangle(self.extent, carried)
                        }
                        None => overlaps_box(&seen, &shape.bounds(id)),
                    };
                    if flow.is_continue() && self.sees(scene, number) && overlaps() {
                        flow = self.add(scene, instance_id, number);
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
            if instance.mask & self.mask == 0 {
                return ControlFlow::Continue(());
            }
            let instance_id = instance_id.wrapping_add(1) + instances.starts[number];
            self.visit(&instance.scene, instance_id, &to_world.after(&instance.transform))
        };
        if brute_force {
            return (0..instances.placed.len()).try_for_each(enter);
        }
        let by_instances = seen.seen_by(&instances.tree().viewpoint);
        let near_instances = |boxes: &_| near(&by_instances, boxes);
        each_leaf(&instances.tree().bvh, false, &near_instances, &mut |block| {
            let lanes = set_bits(near_instances(&block.boxes)).take_while(|&lane| lane < block.count());
            lanes.map(|lane| block.numbers[lane] as usize).try_for_each(&mut enter)
        })
    }

    fn sees<T: Precision>(&self, scene: &Scene<T>, number: u32) -> bool {
        scene.masks.of_geometries[scene.numbering.ids(number).0 as usize] & self.mask != 0
    }

    fn add<T: Precision>(&mut self, scene: &Scene<T>, instance_id: u32, number: u32) -> ControlFlow<()> {
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

impl Seen<Placed> {
    fn new(extent: &Extent, to_world: &Affine, reach: f64) -> Self {
        match *extent {
            Extent::Between(frustum) => {
                let rows = to_world.rows();
                let farthest = to_world.stretch() * reach + to_world.distance();
                let carry_back = |plane: &[f64; 4]| {
                    let along = |column: usize| (0..3).map(|row| plane[row] * rows[row][column]).sum::<f64>();
                    let size: f64 = plane[..3].iter().map(|x| x.abs()).sum();
                    // The room that corners have, and again for the rounding of both.
                    let room = 4.0 * ROOM * (size * farthest + plane[3].abs());
                    ([along(0), along(1), along(2), along(3) + plane[3]], room)
                };
                Self::Planes(frustum.planes().iter().map(carry_back).collect())
            }
            Extent::Ball { center, radius } => {
                Self::Ball(Placed::new(*to_world, center, reach), radius * radius)
            }
            Extent::Nothing | Extent::Unusable(_) => Self::Planes(Vec::new()),
        }
    }

    /// As the boxes of a tree see it.
    fn seen_by<T: Scalar>(&self, viewpoint: &impl Sees<T>) -> Seen<Carried> {
        match self {
            Self::Planes(planes) => {
                let (anchor, scale) = (viewpoint.place([0.0; 3]), viewpoint.scale());
                let moved = |&([a, b, c, d], room): &([f64; 4], f64)| {
                    // The anchor is amid the content, within whose reach the room is for.
                    ([a / scale, b / scale, c / scale, dot([a, b, c], anchor) + d], room)
                };
                Seen::Planes(planes.iter().map(moved).collect())
            }
            Self::Ball(placed, squared) => Seen::Ball(placed.seen_from(viewpoint), *squared),
        }
    }
}

impl Seen<Carried> {
    /// The boxes that may overlap, as bits.
    fn near(&self, backend: Backend, boxes: &AabbBlock) -> u8 {
        match self {
            Self::Planes(planes) => (0..LANES).fold(0, |bits, lane| {
                let aabb = boxes.get(lane);
                let near =
                    !aabb.is_empty() && planes.iter().all(|(plane, room)| reach_of(&aabb, plane)[0] >= -room);
                bits | u8::from(near) << lane
            }),
            Self::Ball(view, squared) => {
                let (point, limit) = (view.point(), view.reach(*squared));
                dispatch(backend, NearBoxes { boxes, point, limit }).1
            }
        }
    }
}

/// The greatest value of a plane's equation in a box, and the magnitudes that were added.
fn reach_of<T: Scalar>(aabb: &Aabb<T>, &[a, b, c, d]: &[f64; 4]) -> [f64; 2] {
    let (mut most, mut added) = (d, d.abs());
    for (factor, axis) in [a, b, c].into_iter().zip(0..3) {
        let ends = [aabb.min[axis], aabb.max[axis]].map_each(|x| factor * x.to_f64());
        most += ends[0].max(ends[1]);
        added += ends[0].abs().max(ends[1].abs());
    }
    [most, added]
}

fn overlaps_triangle(extent: &Extent, corners: [[f64; 3]; 3]) -> bool {
    match *extent {
        Extent::Between(frustum) => is_left(frustum.planes(), &corners),
        Extent::Ball { center, radius } => foot::<f64>(center, corners).squared_distance <= radius * radius,
        Extent::Nothing | Extent::Unusable(_) => false,
    }
}

/// A polygon in a plane, of a triangle of which up to six planes cut corners off: each adds one at most.
struct Polygon {
    corners: [[f64; 3]; 9],
    count: usize,
}

impl Polygon {
    fn push(&mut self, corner: [f64; 3]) {
        // Rounding may let a plane cut a polygon more than twice; what is left then is left also without the rest.
        if let Some(place) = self.corners.get_mut(self.count) {
            *place = corner;
            self.count += 1;
        }
    }
}

/// Whether planes leave anything of a triangle. Sutherland and Hodgman, "Reentrant Polygon Clipping", CACM 17(1), 1974.
fn is_left(planes: &[[f64; 4]], triangle: &[[f64; 3]; 3]) -> bool {
    let mut left = Polygon { corners: [[0.0; 3]; 9], count: 0 };
    triangle.iter().for_each(|&corner| left.push(corner));
    for &[a, b, c, d] in planes {
        let normal = [a, b, c];
        let (size, corners) = (a.abs() + b.abs() + c.abs(), left);
        let above = |corner: [f64; 3]| {
            let room = ROOM * (size * largest(&corner) + d.abs());
            dot(normal, corner) + d + room
        };
        left = Polygon { corners: [[0.0; 3]; 9], count: 0 };
        for place in 0..corners.count {
            let (from, to) = (corners.corners[place], corners.corners[(place + 1) % corners.count]);
            let (here, there) = (above(from), above(to));
            if here >= 0.0 {
                left.push(from);
            }
            if (here >= 0.0) != (there >= 0.0) {
                let along = here / (here - there);
                left.push([0, 1, 2].map_each(|axis| from[axis] + along * (to[axis] - from[axis])));
            }
        }
        if left.count == 0 {
            return false;
        }
    }
    true
}

/// The corners of the triangles of a box, by bits: x, y and z at its max where the bit is set.
const FACES: [[usize; 3]; 12] = [
    [0, 1, 3],
    [0, 3, 2],
    [4, 5, 7],
    [4, 7, 6],
    [0, 1, 5],
    [0, 5, 4],
    [2, 3, 7],
    [2, 7, 6],
    [0, 2, 6],
    [0, 6, 4],
    [1, 3, 7],
    [1, 7, 5],
];

/// Whether a box that is not empty, carried, is not all on the outer side of a plane, or whether it is no farther than a radius
/// from a center.
fn overlaps_box<T: Precision>(seen: &Seen<Placed>, aabb: &Aabb<T>) -> bool {
    match seen {
        Seen::Planes(planes) => planes.iter().all(|(plane, _)| {
            let [most, added] = reach_of(aabb, plane);
            most >= -ROOM * added
        }),
        Seen::Ball(placed, squared) => {
            let (min, max) = (aabb.min.map(T::to_f64), aabb.max.map(T::to_f64));
            if (0..3).all(|axis| (min[axis]..=max[axis]).contains(&placed.back[axis])) {
                return true;
            }
            let corner = |bits: usize| {
                let side = |axis: usize| if bits >> axis & 1 == 1 { max[axis] } else { min[axis] };
                placed.map.carry([0, 1, 2].map(side))
            };
            FACES.iter().any(|face| foot::<f64>(placed.point, face.map(corner)).squared_distance <= *squared)
        }
    }
}

//! Boxes as surfaces.

use super::planes::{Plane, Planes};
use super::solid::room_at_ball;
use super::{GeometryView, NearestPoint, Solid, Surface, SurfacePoint, Vector};
use crate::columns::Record;
use crate::error::Result;
use crate::kernel::ExactScalar;
use crate::leaf::block::Foot;
use crate::leaf::triangle::foot;
use crate::leaf::view::Placed;
use crate::math::{add, cross, dot, largest, sub};
use crate::simd::{MapEach, Scalar};
use crate::value::{Aabb, Affine, Obb, Ray};

/// The `t` at which a line enters and leaves a box around the origin of its frame, each with the
/// face: its axis, and 1 if it is at the max, −1 if at the min. A line in a face meets the box.
pub(super) fn slabs(
    origin: Vector,
    direction: Vector,
    min: Vector,
    max: Vector,
) -> Option<[(f64, usize, f64); 2]> {
    let mut enter = (f64::NEG_INFINITY, 0, 0.0);
    let mut exit = (f64::INFINITY, 0, 0.0);
    for axis in 0..3 {
        let (o, d) = (origin[axis], direction[axis]);
        if d == 0.0 {
            if o < min[axis] || max[axis] < o {
                return None;
            }
            continue;
        }
        let (near, far) = if d > 0.0 { (min[axis], max[axis]) } else { (max[axis], min[axis]) };
        let (t_near, t_far) = ((near - o) / d, (far - o) / d);
        if t_near > enter.0 {
            enter = (t_near, axis, -d.signum());
        }
        if t_far < exit.0 {
            exit = (t_far, axis, d.signum());
        }
    }
    // Each is off by three roundings: a line that touches an edge is not lost.
    (enter.0 - exit.0 <= 8.0 * f64::EPSILON * enter.0.abs().max(exit.0.abs()))
        .then_some([enter, exit])
}

/// The closest point of a box: from outside the clamped point, from within the point on the nearest
/// face, of faces as near that of the first axis and at its min. With the axis of the face, and 1
/// if it is at the max, else −1.
fn nearest_on_box(point: Vector, min: Vector, max: Vector) -> (Vector, usize, f64) {
    let (mut nearest, mut outside) = (point, None);
    let mut face = (f64::INFINITY, 0, -1.0);
    for axis in 0..3 {
        for (off, sign, at) in
            [(point[axis] - min[axis], -1.0, min[axis]), (max[axis] - point[axis], 1.0, max[axis])]
        {
            if off < 0.0 {
                nearest[axis] = at;
                outside = outside.or(Some((axis, sign)));
            }
            if off < face.0 {
                face = (off, axis, sign);
            }
        }
    }
    let (axis, sign) = outside.unwrap_or((face.1, face.2));
    if outside.is_none() {
        nearest[axis] = if sign < 0.0 { min[axis] } else { max[axis] };
    }
    (nearest, axis, sign)
}

/// A box carried by an affine map: a corner and the three edges from there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parallelepiped {
    corner: Vector,
    edges: [Vector; 3],
}

impl Parallelepiped {
    /// The box around `middle`; each of `halves` leads from there to the middle of a face.
    pub(super) fn around(middle: Vector, halves: [Vector; 3]) -> Self {
        Self {
            corner: halves.iter().fold(middle, |corner, &half| sub(corner, half)),
            edges: halves.map_each(|half| half.map_each(|x| 2.0 * x)),
        }
    }

    pub(super) fn placed(&self, map: &Affine) -> Self {
        Self { corner: map.point(self.corner), edges: self.edges.map_each(|edge| map.vector(edge)) }
    }

    /// The closest point of the surface to `point`, and a face that it lies on: the edge along
    /// which that lies, and 1 at its end, −1 at its start. Of several faces the first by edge, the
    /// one at its start before the one at its end. Each face is two triangles, tested as those of a
    /// mesh: flat ones need no case of their own.
    pub(super) fn nearest(&self, point: Vector) -> (Vector, usize, f64) {
        let mut least = (f64::INFINITY, self.corner, 0, -1.0);
        for axis in 0..3 {
            for (at_end, sign) in [(false, -1.0), (true, 1.0)] {
                let [along, across] = [(axis + 1) % 3, (axis + 2) % 3];
                let corner = |of_along: bool, of_across: bool| {
                    let mut ends = [false; 3];
                    (ends[axis], ends[along], ends[across]) = (at_end, of_along, of_across);
                    self.vertex(ends)
                };
                let (from, to) = (corner(false, false), corner(true, true));
                for middle in [corner(true, false), corner(false, true)] {
                    let Foot { squared_distance, point, .. } = foot(point, [from, middle, to]);
                    if squared_distance < least.0 {
                        least = (squared_distance, point, axis, sign);
                    }
                }
            }
        }
        (least.1, least.2, least.3)
    }

    /// A vertex, added up in the same order for all faces that meet there.
    fn vertex(&self, ends: [bool; 3]) -> Vector {
        let edges = self.edges.iter().zip(ends).filter(|&(_, at_end)| at_end);
        edges.fold(self.corner, |vertex, (&edge, _)| add(vertex, edge))
    }
}

impl<T: ExactScalar> Surface<T> for Aabb<T> {
    fn view(boxes: &[Self]) -> GeometryView<'_, T> {
        GeometryView::Boxes(boxes)
    }

    fn bounds(&self) -> Self {
        *self
    }

    /// Tests slabs in `f64`. The normal is that of the face, of length 1.
    fn each_point(&self, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
        if self.is_empty() {
            // Within the room of the slab test an empty box may count as a box.
            return;
        }
        let [origin, direction, min, max] =
            [ray.origin, ray.direction, self.min, self.max].map_each(|v| v.map(T::to_f64));
        for (t, axis, sign) in slabs(origin, direction, min, max).into_iter().flatten() {
            let mut normal = [0.0; 3];
            normal[axis] = sign;
            meet(SurfacePoint::at(t, normal));
        }
    }

    /// Carried by a map it is the parallelepiped of its carried corners.
    fn nearest_point(&self, point: Vector, placed: &Affine) -> Option<NearestPoint<T>> {
        if (0..3).any(|axis| self.min[axis] > self.max[axis]) {
            return None;
        }
        let [min, max] = [self.min, self.max].map_each(|v| v.map(T::to_f64));
        let (nearest, axis, sign) = if *placed == Affine::IDENTITY {
            nearest_on_box(point, min, max)
        } else {
            let mut edges = [[0.0; 3]; 3];
            for axis in 0..3 {
                edges[axis][axis] = max[axis] - min[axis];
            }
            Parallelepiped { corner: min, edges }.placed(placed).nearest(point)
        };
        let mut normal = [0.0; 3];
        normal[axis] = sign;
        Some(NearestPoint::at(nearest, normal))
    }

    fn solid(&self) -> Option<impl Solid> {
        BoxSolid::of(self)
    }
}

impl<T: ExactScalar> Surface<T> for Obb<T> {
    fn view(boxes: &[Self]) -> GeometryView<'_, T> {
        GeometryView::OrientedBoxes(boxes)
    }

    fn check(&self, row: usize) -> Result<()> {
        Record::check(self, row)
    }

    fn bounds(&self) -> Aabb<T> {
        let Self { center, axes, half_extents } = *self;
        let mut aabb = Aabb::EMPTY;
        for axis in 0..3 {
            let reach: f64 =
                (0..3).map(|i| axes[i][axis].to_f64().abs() * half_extents[i].to_f64()).sum();
            // Axes are orthonormal to 2⁻¹⁶ an entry (2⁻⁴⁰ in `f64`): the inverse, which counts, is
            // their transpose to no worse than three times that of the longest half extent.
            let longest = half_extents.iter().fold(0.0_f64, |most, x| most.max(x.to_f64()));
            let reach = reach + 4.0 * Self::AXES_TOLERANCE * 3.0 * longest;
            aabb.min[axis] = T::nearest_to(center[axis].to_f64() - reach).next_down();
            aabb.max[axis] = T::nearest_to(center[axis].to_f64() + reach).next_up();
        }
        aabb
    }

    /// Tests slabs in `f64`, in the box's frame by its axes as stored. The normal is the axis of
    /// the face, outwards.
    fn each_point(&self, ray: &Ray<T>, meet: &mut dyn FnMut(SurfacePoint<T>)) {
        let Self { center, axes, half_extents } = *self;
        let axes = axes.map_each(|axis| axis.map(T::to_f64));
        let local =
            |v: Vector| axes.map_each(|axis| axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2]);
        let from_center =
            [0, 1, 2].map_each(|axis| ray.origin[axis].to_f64() - center[axis].to_f64());
        let (origin, direction) = (local(from_center), local(ray.direction.map(T::to_f64)));
        let extents = half_extents.map(T::to_f64);
        for (t, axis, sign) in
            slabs(origin, direction, extents.map_each(|x| -x), extents).into_iter().flatten()
        {
            meet(SurfacePoint::at(t, axes[axis].map_each(|x| sign * x)));
        }
    }

    /// The closest of all points p with |`axes[i]` · (p − `center`)| = `half_extents[i]`, the
    /// surface that rays meet.
    fn nearest_point(&self, point: Vector, placed: &Affine) -> Option<NearestPoint<T>> {
        let solid = Parallelepiped::around(self.center.map(T::to_f64), halves(self));
        let axes = self.axes.map_each(|axis| axis.map(T::to_f64));
        let (nearest, axis, sign) = solid.placed(placed).nearest(point);
        Some(NearestPoint::at(nearest, axes[axis].map_each(|x| sign * x)))
    }

    fn solid(&self) -> Option<impl Solid> {
        Some(BoxSolid { middle: self.center.map(T::to_f64), halves: halves(self) })
    }
}

/// The vectors from the middle of an oriented box to those of three faces, by the inverse of its
/// axes as stored.
fn halves<T: Scalar>(Obb { axes, half_extents, .. }: &Obb<T>) -> [Vector; 3] {
    let axes = axes.map_each(|axis| axis.map(T::to_f64));
    let columns = [cross(axes[1], axes[2]), cross(axes[2], axes[0]), cross(axes[0], axes[1])];
    let determinant = dot(axes[0], columns[0]);
    [0, 1, 2]
        .map_each(|axis| columns[axis].map_each(|x| x / determinant * half_extents[axis].to_f64()))
}

/// A box of any orientation: its middle, and the vectors from there to the middle of a face of each
/// pair.
pub(super) struct BoxSolid {
    middle: Vector,
    halves: [Vector; 3],
}

impl BoxSolid {
    /// `None` if it is empty.
    pub(super) fn of<T: Scalar>(aabb: &Aabb<T>) -> Option<Self> {
        if aabb.is_empty() {
            return None;
        }
        let [min, max] = [aabb.min, aabb.max].map_each(|corner| corner.map(T::to_f64));
        let mut halves = [[0.0; 3]; 3];
        for axis in 0..3 {
            halves[axis][axis] = 0.5 * (max[axis] - min[axis]);
        }
        Some(Self { middle: [0, 1, 2].map_each(|axis| 0.5 * (min[axis] + max[axis])), halves })
    }

    /// The greatest magnitude of its coordinates, or more.
    fn reach(&self) -> f64 {
        let reach = |axis: usize| {
            self.halves.iter().fold(self.middle[axis].abs(), |sum, half| sum + half[axis].abs())
        };
        largest(&[0, 1, 2].map_each(reach))
    }
}

impl Solid for BoxSolid {
    fn overlaps_planes(&self, planes: &[Plane]) -> bool {
        Planes { planes, reach: self.reach() }.hold_of_box(self.middle, &self.halves)
    }

    fn overlaps_ball(&self, placed: &Placed, radius: f64) -> bool {
        let Self { middle, halves } = *self;
        let room = room_at_ball(placed, radius, self.reach());
        let off = sub(placed.back, middle);
        let volume = dot(halves[0], cross(halves[1], halves[2]));
        let is_within = (0..3).all(|i| {
            let across = cross(halves[(i + 1) % 3], halves[(i + 2) % 3]);
            (dot(off, across) / volume).abs() <= 1.0
        });
        let placed_box = Parallelepiped::around(middle, halves).placed(&placed.map);
        let off = sub(placed.point, placed_box.nearest(placed.point).0);
        is_within || dot(off, off).sqrt() <= radius + room
    }
}

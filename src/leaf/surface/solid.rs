//! Primitives as convex solids, and whether one overlaps with a ball; [`planes`](super::planes)
//! holds them against planes.

use super::boxes::{Parallelepiped, halves};
use super::planes::{Plane, Planes, ROOM, any_ball_between};
use super::{Shape, Surface, Vector};
use crate::kernel::ExactScalar;
use crate::leaf::triangle::foot;
use crate::leaf::view::Placed;
use crate::math::{add, cross, dot, largest, sub};
use crate::simd::{MapEach, Scalar};
use crate::value::{Aabb, Sphere};

/// A convex solid in the frame of its scene.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Solid {
    Triangle([Vector; 3]),
    /// A box of any orientation: its middle, and the vectors from there to the middle of a face of
    /// each pair.
    Box {
        middle: Vector,
        halves: [Vector; 3],
    },
    /// The convex hull of two balls.
    Balls {
        centers: [Vector; 2],
        radii: [f64; 2],
    },
}

impl Solid {
    fn of_box<T: Scalar>(aabb: &Aabb<T>) -> Option<Self> {
        if aabb.is_empty() {
            return None;
        }
        let [min, max] = [aabb.min, aabb.max].map_each(|corner| corner.map(T::to_f64));
        let mut halves = [[0.0; 3]; 3];
        for axis in 0..3 {
            halves[axis][axis] = 0.5 * (max[axis] - min[axis]);
        }
        Some(Self::Box { middle: [0, 1, 2].map_each(|axis| 0.5 * (min[axis] + max[axis])), halves })
    }

    /// The greatest magnitude of its coordinates, or more.
    fn reach(&self) -> f64 {
        match self {
            Self::Triangle(corners) => largest(corners.as_flattened()),
            Self::Box { middle, halves } => {
                let reach = |axis: usize| {
                    halves.iter().fold(middle[axis].abs(), |sum, half| sum + half[axis].abs())
                };
                largest(&[0, 1, 2].map_each(reach))
            }
            Self::Balls { centers, radii } => {
                let reach = |end: usize| largest(&centers[end]) + radii[end];
                largest(&[0, 1].map_each(reach))
            }
        }
    }

    /// Whether a point of it is on the inner sides of all planes as its frame sees them, or beyond
    /// them by rounding alone.
    pub(crate) fn overlaps_planes(&self, planes: &[Plane]) -> bool {
        let planes = Planes { planes, reach: self.reach() };
        match self {
            Self::Triangle(corners) => planes.hold_of_triangle(corners),
            Self::Box { middle, halves } => planes.hold_of_box(*middle, halves),
            Self::Balls { centers, radii } => planes.hold_of_balls(centers, radii),
        }
    }

    /// Whether a point of it, carried, is no farther than `radius` from the point of `placed`.
    pub(crate) fn overlaps_ball(&self, placed: &Placed, radius: f64) -> bool {
        let Placed { map, point, back, .. } = placed;
        let reach = self.reach();
        let room = ROOM * (map.stretch() * reach + map.distance() + largest(point) + radius);
        match *self {
            // The rule is that of queries of points within a radius.
            Self::Triangle(corners) => {
                let corners = corners.map_each(|corner| map.carry(corner));
                foot::<f64>(*point, corners).squared_distance <= radius * radius
            }
            Self::Box { middle, halves } => {
                let off = sub(*back, middle);
                let volume = dot(halves[0], cross(halves[1], halves[2]));
                let is_within = (0..3).all(|i| {
                    let across = cross(halves[(i + 1) % 3], halves[(i + 2) % 3]);
                    (dot(off, across) / volume).abs() <= 1.0
                });
                let (nearest, ..) =
                    Parallelepiped::around(middle, halves).placed(map).nearest(*point);
                let off = sub(*point, nearest);
                is_within || dot(off, off).sqrt() <= radius + room
            }
            Self::Balls { centers, radii } => any_ball_between(|s| {
                let [start, end] = centers;
                let center = add(start, sub(end, start).map_each(|x| s * x));
                let own = radii[0] + s * (radii[1] - radii[0]);
                let off = sub(*back, center);
                if dot(off, off) <= own * own {
                    return None;
                }
                let nearest = Sphere::new(center, own).nearest_point(*point, map)?.point;
                let off = sub(*point, nearest);
                let distance = dot(off, off).sqrt();
                if distance <= radius + room {
                    return None;
                }
                // The plane between them: how far beyond it towards the point the carried balls
                // reach at most.
                let normal = off.map_each(|x| x / distance);
                let rows = map.rows();
                let along =
                    [0, 1, 2].map_each(|j| dot(normal, [rows[0][j], rows[1][j], rows[2][j]]));
                let stretched = dot(along, along).sqrt();
                Some([0, 1].map_each(|end| {
                    let center = sub(map.carry(centers[end]), *point);
                    dot(normal, center) + radii[end] * stretched + radius + room
                }))
            }),
        }
    }
}

impl<T: ExactScalar> Shape<T> {
    /// A primitive as a convex solid; of the caller's own the box around it. `None` if it is empty,
    /// a hole, or does not exist.
    pub(crate) fn solid(&self, id: u32) -> Option<Solid> {
        let place = id as usize;
        match self {
            Self::Boxes(boxes) => Solid::of_box(boxes.get(place)?),
            Self::OrientedBoxes(boxes) => {
                let obb = boxes.get(place)?;
                Some(Solid::Box { middle: obb.center.map(T::to_f64), halves: halves(obb) })
            }
            Self::Spheres(spheres) => {
                let Sphere { center, radius } = spheres.get(place)?;
                let radii = [radius.to_f64(); 2];
                (radii[0] >= 0.0)
                    .then(|| Solid::Balls { centers: [center.map(T::to_f64); 2], radii })
            }
            Self::RoundCones(cones) => {
                let cone = cones.get(place)?;
                let radii = cone.radii.map(T::to_f64);
                let centers = cone.ends.map_each(|end| end.map(T::to_f64));
                radii.iter().all(|&radius| radius >= 0.0).then_some(Solid::Balls { centers, radii })
            }
            Self::HeightField(field) => {
                let corners = field.corners(id).map_each(|corner| corner.map(T::to_f64));
                let is_hole = corners.as_flattened().iter().any(|x| x.is_nan());
                (!is_hole).then_some(Solid::Triangle(corners))
            }
            Self::Own(primitives) => Solid::of_box(&primitives.bounds(id)),
        }
    }
}

//! Primitives as solids, and whether one overlaps with a ball; [`planes`](super::planes) holds them
//! against planes.

use super::Vector;
use super::planes::{Plane, Planes, ROOM, any_between};
use crate::leaf::triangle::foot;
use crate::leaf::view::Placed;
use crate::math::{dot, largest, sub};
use crate::simd::MapEach;
use crate::value::Triangle;

/// A solid in the frame of its scene.
pub(crate) trait Solid {
    /// Whether a point of it is on the inner sides of all planes as its frame sees them, or beyond
    /// them by rounding alone.
    fn overlaps_planes(&self, planes: &[Plane]) -> bool;

    /// Whether a point of it, carried, is no farther than `radius` from the point of `placed`.
    fn overlaps_ball(&self, placed: &Placed, radius: f64) -> bool;
}

impl Solid for Triangle<f64> {
    fn overlaps_planes(&self, planes: &[Plane]) -> bool {
        let planes = Planes { planes, reach: largest(self.vertices.as_flattened()) };
        planes.hold_of_triangle(&self.vertices)
    }

    /// The rule is that of queries of points within a radius.
    fn overlaps_ball(&self, placed: &Placed, radius: f64) -> bool {
        let corners = self.vertices.map_each(|corner| placed.map.carry(corner));
        foot::<f64>(placed.point, corners).squared_distance <= radius * radius
    }
}

/// More than rounding moves a carried solid away from a ball; no coordinate of the solid, in its
/// own frame, is greater than `reach`.
pub(super) fn room_at_ball(placed: &Placed, radius: f64, reach: f64) -> f64 {
    let Placed { map, point, .. } = placed;
    ROOM * (map.stretch() * reach + map.distance() + largest(point) + radius)
}

/// Whether any of the sets between two, as a map carries them, is no farther than `radius` from the
/// point of `placed`, with a `room`: see [`any_between`]. `centers` are those of the two.
///
/// `nearest` is the point of the carried set with a parameter that is nearest, `None` if the set
/// holds the point of `placed`. `beyond` is how far the sets at the ends reach beyond their centers
/// along a vector, of any length, in their own frame: the greatest product of it with a vector from
/// the center to a point of the set.
pub(super) fn any_near_between(
    placed: &Placed,
    [radius, room]: [f64; 2],
    centers: &[Vector; 2],
    nearest: impl Fn(f64) -> Option<Vector>,
    beyond: impl Fn(Vector) -> [f64; 2],
) -> bool {
    let Placed { map, point, .. } = placed;
    any_between(|s| {
        let off = sub(*point, nearest(s)?);
        let distance = dot(off, off).sqrt();
        if distance <= radius + room {
            return None;
        }
        // The plane between them: how far beyond it towards the point the carried sets reach at
        // most.
        let normal = off.map_each(|x| x / distance);
        let rows = map.rows();
        let along = [0, 1, 2].map_each(|j| dot(normal, [rows[0][j], rows[1][j], rows[2][j]]));
        let beyond = beyond(along);
        Some([0, 1].map_each(|end| {
            let center = sub(map.carry(centers[end]), *point);
            dot(normal, center) + beyond[end] + radius + room
        }))
    })
}

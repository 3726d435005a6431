//! Closest points of boxes.

use super::parallelepiped::Parallelepiped;
use super::{NearestPoint, NearestPoints};
use crate::math::{cross, dot, sub};
use crate::value::{Aabb, Affine, Obb};

type Vector = [f64; 3];

/// The closest point of a box: from outside the clamped point, from within the point on the nearest face, of faces
/// as near that of the first axis and at its min. With the axis of the face, and 1 if it is at the max, else −1.
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

/// A surface without coordinates of its own.
fn on_face(point: Vector, normal: Vector) -> NearestPoint {
    NearestPoint { point, u: 0.0, v: 0.0, normal: normal.map(|x| x as f32) }
}

fn sign_of(at_end: bool) -> f64 {
    if at_end { 1.0 } else { -1.0 }
}

impl NearestPoints for [Aabb] {
    /// Carried by a map it is the parallelepiped of its carried corners.
    fn nearest_point(&self, primitive_id: u32, point: Vector, placed: &Affine) -> Option<NearestPoint> {
        let &Aabb { min, max } = self.get(primitive_id as usize)?;
        if (0..3).any(|axis| min[axis] > max[axis]) {
            return None;
        }
        let [min, max] = [min, max].map(|v| v.map(f64::from));
        let (nearest, axis, sign) = if *placed == Affine::IDENTITY {
            nearest_on_box(point, min, max)
        } else {
            let mut edges = [[0.0; 3]; 3];
            for axis in 0..3 {
                edges[axis][axis] = max[axis] - min[axis];
            }
            let (nearest, (axis, at_max)) =
                Parallelepiped { corner: min, edges }.placed(placed).nearest(point);
            (nearest, axis, sign_of(at_max))
        };
        let mut normal = [0.0; 3];
        normal[axis] = sign;
        Some(on_face(nearest, normal))
    }
}

impl NearestPoints for [Obb] {
    /// Of all points p with |`axes[i]` · (p − `center`)| = `half_extents[i]`, which is what rays meet, by the axes as they
    /// are.
    fn nearest_point(&self, primitive_id: u32, point: Vector, placed: &Affine) -> Option<NearestPoint> {
        let &Obb { center, axes, half_extents } = self.get(primitive_id as usize)?;
        let axes = axes.map(|axis| axis.map(f64::from));
        // The columns of the inverse of the axes.
        let columns = [cross(axes[1], axes[2]), cross(axes[2], axes[0]), cross(axes[0], axes[1])];
        let determinant = dot(axes[0], columns[0]);
        let mut corner = center.map(f64::from);
        let mut edges = [[0.0; 3]; 3];
        for axis in 0..3 {
            let half = columns[axis].map(|x| x / determinant * f64::from(half_extents[axis]));
            edges[axis] = half.map(|x| 2.0 * x);
            corner = sub(corner, half);
        }
        let (nearest, (axis, at_end)) = Parallelepiped { corner, edges }.placed(placed).nearest(point);
        Some(on_face(nearest, axes[axis].map(|x| sign_of(at_end) * x)))
    }
}

//! Whether a point is inside: of a closed mesh by the solid angles of its triangles, of what has an inside by its own
//! coordinates.

use super::frame::{Blur, solved};
use super::nearest::nearest_in_f64;
use super::shape::Shape;
use super::{Vector, cross, dot, length, minus};

/// The part of all directions in which a point sees the back of a shape, less that in which it sees the front; 1 inside of
/// what has an inside. `None` so near to the surface that roundings decide.
pub fn around(point: Vector, own: Shape, placed: Shape, blur: &Blur) -> Option<f64> {
    let reach = 2.0 * length(point) + 2.0 * placed.size();
    let (margins, coordinates) = match (own, placed) {
        (_, Shape::Triangle(corners)) => {
            let margin = 4.0 * blur.outside(reach);
            let is_off = placed.at_least(point) > margin || nearest_in_f64(point, corners).1 > margin;
            return is_off.then(|| solid_angle(corners, point) / (2.0 * std::f64::consts::TAU));
        }
        (
            Shape::Ellipsoid(_, own) | Shape::Parallelepiped(_, own),
            Shape::Ellipsoid(middle, half) | Shape::Parallelepiped(middle, half),
        ) => (own.map(|axis| 4.0 * blur.inside(reach) / length(axis)), solved(half, minus(point, middle))),
        _ => unreachable!("a shape is of its kind wherever it is"),
    };
    let beyond = match placed {
        Shape::Ellipsoid(..) => [length(coordinates) - 1.0; 3],
        _ => coordinates.map(|x| x.abs() - 1.0),
    };
    if (0..3).any(|i| beyond[i] > margins[i]) {
        Some(0.0)
    } else {
        (0..3).all(|i| beyond[i] < -margins[i]).then_some(1.0)
    }
}

/// The solid angle of a triangle as seen from a point, above 0 where it shows its back.
///
/// Van Oosterom and Strackee, "The Solid Angle of a Plane Triangle", IEEE Transactions on Biomedical Engineering, 1983.
pub fn solid_angle(corners: [Vector; 3], point: Vector) -> f64 {
    let [a, b, c] = corners.map(|corner| minus(corner, point));
    let [la, lb, lc] = [length(a), length(b), length(c)];
    let volume = dot(a, cross(b, c));
    let around = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    2.0 * volume.atan2(around)
}

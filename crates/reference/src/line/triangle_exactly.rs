//! Whether a ray that passes by an edge meets the triangle: decided as the engine defines it, without an error.
//!
//! The definition, from the docs of `lanecast::primitive::Watertight`: the direction's longest axis is z, the first of
//! several, and x and y follow in turn, or change places where the ray runs against z. A vertex is taken relative to
//! the origin, and x and y lose z times the direction's quotients, each operation rounded to `f32`. Products of these
//! numbers are exact in `f64`, and their differences have the right sign: what follows is exact.

use super::triangle::far;
use super::{Passage, normal_of};
use crate::vector::{LEAST, ROUNDOFF};
use lanecast::{Ray, Side};

/// Which axes are x, y and z to one who looks along a ray.
pub fn axes(ray: &Ray) -> [usize; 3] {
    let mut z = 0;
    for axis in 1..3 {
        if ray.direction[axis].abs() > ray.direction[z].abs() {
            z = axis;
        }
    }
    let [x, y] = [(z + 1) % 3, (z + 2) % 3];
    if ray.direction[z] < 0.0 { [y, x, z] } else { [x, y, z] }
}

/// Where the line of the ray passes through the triangle, edges and vertices included; it crosses there if it does so
/// after it was moved by (δ, δ²), with a δ that is positive and less than any number.
pub fn decide(ray: &Ray, corners: [[f32; 3]; 3]) -> Option<Passage> {
    let [x, y, z] = axes(ray);
    let depth = ray.direction[z];
    let shear = [ray.direction[x] / depth, ray.direction[y] / depth];
    let [a, b, c] = corners.map(|corner| {
        let [x, y, z] = [x, y, z].map(|axis| corner[axis] - ray.origin[axis]);
        [x - shear[0] * z, y - shear[1] * z, z]
    });
    let areas = [area(c, b), area(a, c), area(b, a)];
    if areas.iter().any(|&area| area > 0.0) && areas.iter().any(|&area| area < 0.0) {
        return None;
    }
    let whole: f64 = areas.iter().sum();
    let (z, depth) = ([a, b, c].map(|vertex| f64::from(vertex[2])), f64::from(depth));
    let t = (areas[0] * z[0] + areas[1] * z[1] + areas[2] * z[2]) / (whole * depth);
    // Without area, or seen from its edge, it is not met.
    if !t.is_finite() {
        return None;
    }
    let signs = [moved_sign(areas[0], c, b), moved_sign(areas[1], a, c), moved_sign(areas[2], b, a)];
    Some(Passage {
        t,
        t_error: 2.0 * ROUNDOFF * t.abs() + far(z, depth) + LEAST,
        weights: [areas[1] / whole, areas[2] / whole],
        weight_errors: [2.0 * ROUNDOFF; 2],
        crosses: signs == [1; 3] || signs == [-1; 3],
        side: side(whole),
        normal: normal_of(corners),
    })
}

/// The side that is seen, by the sum of the areas that the edges span with the line: above 0 where the vertices run
/// counter-clockwise as seen from where the line comes.
pub fn side(whole: f64) -> Side {
    if whole > 0.0 { Side::Front } else { Side::Back }
}

/// Twice the area of the triangle from 0 to `p` and `q`, rounded once.
fn area(p: [f32; 3], q: [f32; 3]) -> f64 {
    let [p, q] = [p, q].map(|point| point.map(f64::from));
    p[0] * q[1] - p[1] * q[0]
}

/// The sign of (px − δ)(qy − δ²) − (py − δ²)(qx − δ) = area + δ (py − qy) + δ² (qx − px).
fn moved_sign(area: f64, p: [f32; 3], q: [f32; 3]) -> i32 {
    let sign = |x: f64| if x > 0.0 { 1 } else { -i32::from(x < 0.0) };
    let [p, q] = [p, q].map(|point| point.map(f64::from));
    [area, p[1] - q[1], q[0] - p[0]].into_iter().map(sign).find(|&sign| sign != 0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::watertight::{crossed_from_front, sheared_meeting};
    use crate::random::Random;
    use lanecast::primitive::Triangle;

    #[test]
    fn an_edge_belongs_to_both_triangles_and_is_crossed_once() {
        let [a, b, c, d] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        for direction in [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]] {
            let on_diagonal = Ray::line([0.5, 0.5, 2.0], direction);
            let halves = [[a, b, c], [a, c, d]].map(|half| decide(&on_diagonal, half).expect("touched"));
            assert_eq!(halves.map(|half| half.t * f64::from(direction[2])), [-2.0; 2]);
            assert_eq!(halves.iter().filter(|half| half.crosses).count(), 1);
        }
        assert_eq!(decide(&Ray::line([2.0, 0.5, 2.0], [0.0, 0.0, -1.0]), [a, b, c]), None);
        assert_eq!(decide(&Ray::line([0.5, 0.5, 2.0], [0.0, 0.0, -1.0]), [a, c, c]), None, "no area");
        assert_eq!(decide(&Ray::line([0.5, 2.0, 0.0], [0.0, -1.0, 0.0]), [a, b, c]), None, "from its edge");
    }

    /// Coordinates on a lattice, so that lines run through edges and vertices.
    #[test]
    fn what_is_decided_in_f64_is_what_rationals_say() {
        let random = &mut Random::new(1);
        let (mut met, mut crossed) = (0, 0);
        for _ in 0..4_000 {
            let mut point = || [(); 3].map(|()| random.below(9) as f32 * 0.25 - 1.0);
            let (corners, origin, target) = ([point(), point(), point()], point(), point());
            let direction = [0, 1, 2].map(|axis| target[axis] - origin[axis]);
            let ray = Ray::line(origin, direction);
            if ray.defect().is_some() {
                continue;
            }
            let triangle = Triangle::new(corners);
            let (found, exact) = (decide(&ray, corners), sheared_meeting(&ray, &triangle));
            assert_eq!(found.is_some(), exact.is_some(), "{ray:?} {corners:?}");
            let (Some(found), Some(exact)) = (found, exact) else { continue };
            let context = || format!("{ray:?} {corners:?}: {found:?} {exact:?}");
            assert_eq!(found.side == Side::Front, exact.front, "{}", context());
            let crossing = crossed_from_front(&ray, &triangle);
            assert_eq!(found.crosses, crossing.is_some(), "{}", context());
            let [u, v] = found.weights;
            let near = [(found.t, &exact.t), (u, &exact.u), (v, &exact.v)];
            assert!(
                near.iter().all(|(found, exact)| (found - exact.to_f64()).abs() < 1e-12),
                "{}",
                context()
            );
            (met, crossed) = (met + 1, crossed + usize::from(found.crosses));
        }
        assert!(met > 400 && crossed < met - 50, "{met} met, {crossed} crossed");
    }
}

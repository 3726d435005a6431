//! Whether a ray that passes by an edge meets the triangle: decided as the engine defines it,
//! without an error.
//!
//! The definition, from the docs of `lanecast::primitive::Watertight`: the direction's longest axis
//! is z, the first of several, and x and y follow in turn, or change places where the ray runs
//! against z. A vertex is taken relative to the origin, and x and y lose z times the direction's
//! quotients, each operation rounded to the engine's precision. Products of these numbers are exact
//! in [`Wide`], and their differences have the right sign: what follows is exact.

use super::triangle::{LEAST_PRODUCT, far};
use super::{Passage, normal_of};
use crate::double::Wide;
use crate::vector::{Numbers, Vector, vector};
use lanecast::{Ray, Scalar, Side};

/// Which axes are x, y and z to one who looks along a ray.
pub fn axes<T: Scalar>(ray: &Ray<T>) -> [usize; 3] {
    let mut z = 0;
    for axis in 1..3 {
        if ray.direction[axis].abs() > ray.direction[z].abs() {
            z = axis;
        }
    }
    let [x, y] = [(z + 1) % 3, (z + 2) % 3];
    if ray.direction[z] < T::ZERO { [y, x, z] } else { [x, y, z] }
}

/// Where the line of the ray passes through the triangle, edges and vertices included; it crosses
/// there if it does so after it was moved by (δ, δ²), with a δ that is positive and less than any
/// number.
pub fn decide<T: Numbers>(ray: &Ray<T>, corners: [[T; 3]; 3]) -> Option<Passage> {
    let [a, b, c] = sheared(ray, corners);
    let areas = [area::<T>(c, b), area::<T>(a, c), area::<T>(b, a)];
    let signs = areas.map(|area| sign(area.to_f64()));
    if signs.contains(&1) && signs.contains(&-1) {
        return None;
    }
    let z = [a, b, c].map(|vertex| vertex[2]);
    let depth = ray.direction[axes(ray)[2]].to_f64();
    let [of_a, of_b, of_c] = [0, 1, 2].map(|i| areas[i] * z[i].into());
    let whole = areas[0] + areas[1] + areas[2];
    let t = ((of_a + of_b + of_c) / (whole * depth.into())).to_f64();
    // Without area, or seen from its edge, it is not met.
    if !t.is_finite() {
        return None;
    }
    let signs =
        [moved_sign(signs[0], c, b), moved_sign(signs[1], a, c), moved_sign(signs[2], b, a)];
    Some(Passage {
        t,
        t_error: 2.0 * T::ROUNDOFF * t.abs() + far::<T>(z, depth) + T::LEAST,
        weights: [areas[1], areas[2]].map(|area| (area / whole).to_f64()),
        weight_errors: [T::OF_WEIGHTS; 2],
        crosses: signs == [1; 3] || signs == [-1; 3],
        side: side(whole.to_f64()),
        normal: normal_of(corners),
    })
}

/// The vertices as the ray sees them.
fn sheared<T: Numbers>(ray: &Ray<T>, corners: [[T; 3]; 3]) -> [Vector; 3] {
    let axes = axes(ray);
    let [x, y, z] = axes.map(|axis| ray.direction[axis]);
    let shear = [x / z, y / z];
    corners.map(|corner| {
        let [x, y, z] = axes.map(|axis| corner[axis] - ray.origin[axis]);
        vector([x - shear[0] * z, y - shear[1] * z, z])
    })
}

/// Whether all of it is exact: in `f64` products that are not 0 and below 10⁻²⁹⁰ are not, as the
/// docs of `lanecast::Scene` say.
pub fn is_exact<T: Numbers>(ray: &Ray<T>, corners: [[T; 3]; 3]) -> bool {
    let [a, b, c] = sheared(ray, corners);
    let is_exact = |[p, q]: [Vector; 2]| {
        let products = [[p[0], q[1]], [p[1], q[0]]];
        products.iter().all(|[x, y]| *x == 0.0 || *y == 0.0 || (x * y).abs() >= LEAST_PRODUCT)
    };
    [[c, b], [a, c], [b, a]].into_iter().all(is_exact)
}

/// The side that is seen, by the sum of the areas that the edges span with the line: above 0 where
/// the vertices run counter-clockwise as seen from where the line comes.
pub fn side(whole: f64) -> Side {
    if whole > 0.0 { Side::Front } else { Side::Back }
}

/// Twice the area of the triangle from 0 to `p` and `q`, rounded once.
fn area<T: Numbers>(p: Vector, q: Vector) -> T::Finer {
    T::Finer::product(p[0], q[1]) - T::Finer::product(p[1], q[0])
}

fn sign(x: f64) -> i32 {
    if x > 0.0 { 1 } else { -i32::from(x < 0.0) }
}

/// The sign of (px − δ)(qy − δ²) − (py − δ²)(qx − δ) = area + δ (py − qy) + δ² (qx − px).
fn moved_sign(area: i32, p: Vector, q: Vector) -> i32 {
    [area, sign(p[1] - q[1]), sign(q[0] - p[0])].into_iter().find(|&sign| sign != 0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::watertight::{crossed_from_front, sheared_meeting};
    use crate::random::Random;
    use lanecast::primitive::Triangle;

    #[test]
    fn an_edge_belongs_to_both_triangles_and_is_crossed_once() {
        let [a, b, c, d] = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
        for direction in [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]] {
            let on_diagonal = Ray::line([0.5, 0.5, 2.0], direction);
            let halves =
                [[a, b, c], [a, c, d]].map(|half| decide(&on_diagonal, half).expect("touched"));
            assert_eq!(halves.map(|half| half.t * f64::from(direction[2])), [-2.0; 2]);
            assert_eq!(halves.iter().filter(|half| half.crosses).count(), 1);
        }
        assert_eq!(decide(&Ray::line([2.0, 0.5, 2.0], [0.0, 0.0, -1.0]), [a, b, c]), None);
        assert_eq!(
            decide(&Ray::line([0.5, 0.5, 2.0], [0.0, 0.0, -1.0]), [a, c, c]),
            None,
            "no area"
        );
        assert_eq!(
            decide(&Ray::line([0.5, 2.0, 0.0], [0.0, -1.0, 0.0]), [a, b, c]),
            None,
            "from its edge"
        );
    }

    #[test]
    fn what_is_decided_is_what_rationals_say() {
        hold_to_rationals::<f32>(0.0);
        hold_to_rationals::<f64>(6.4e6);
    }

    /// Coordinates on a lattice, so that lines run through edges and vertices.
    fn hold_to_rationals<T: Numbers>(away: f64) {
        let random = &mut Random::new(1);
        let (mut met, mut crossed) = (0, 0);
        for _ in 0..4_000 {
            let mut point =
                || [(); 3].map(|()| T::nearest(random.below(9) as f64 * 0.25 - 1.0 + away));
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
            // What is computed in twice the digits is rounded once.
            let [u, v] = found.weights;
            for (found, exact) in [(found.t, &exact.t), (u, &exact.u), (v, &exact.v)] {
                let bound = if T::Finer::IS_DEAR { f64::EPSILON } else { 1e-12 };
                assert!(
                    (found - exact.to_f64()).abs() < bound * exact.to_f64().abs().max(1.0),
                    "{}",
                    context()
                );
            }
            (met, crossed) = (met + 1, crossed + usize::from(found.crosses));
        }
        assert!(met > 400 && crossed < met - 50, "{met} met, {crossed} crossed");
    }
}

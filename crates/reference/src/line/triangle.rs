//! Whether a ray meets a triangle, in plain `f64`.
//!
//! That decides all but those of whose edges the ray passes so near that the engine's rounding could carry a vertex to
//! its other side: the test of `lanecast::primitive::Watertight` rounds each vertex to `f32` as the ray sees it, and
//! promises that nothing errs from there on. These are [decided exactly](super::triangle_exactly) on the vertices so rounded.

use super::{Passage, normal_of, triangle_exactly};
use crate::vector::{LEAST, ROUNDOFF, Vector, minus, vector};
use lanecast::Ray;

/// Bounds of errors are derived to first order: so much more is more than the rest.
const MORE: f64 = 1.01;

/// How the line of a ray and a triangle lie to each other.
pub enum Verdict {
    Misses,
    Meets(Passage),
    /// The line passes an edge by less than what rounding may do.
    Open,
}

/// A ray as one who looks along it: the longest axis of its direction is z, and what lies along the ray is sheared
/// to x = y = 0.
pub struct Eye {
    origin: Vector,
    axes: [usize; 3],
    shear: [f64; 2],
    depth: f64,
}

impl Eye {
    pub fn new(ray: &Ray) -> Self {
        let axes = triangle_exactly::axes(ray);
        let direction = vector(ray.direction);
        let [x, y, z] = axes.map(|axis| direction[axis]);
        Self { origin: vector(ray.origin), axes, shear: [x / z, y / z], depth: z }
    }

    /// Sees a vertex at x, y and z, and how far off x and y may come out in `f32`: by at most 2 ε X + 4 ε Z, where X and
    /// Z are the distances from the ray's origin along x and z.
    fn see(&self, corner: [f32; 3]) -> (Vector, [f64; 2]) {
        let from_origin = minus(vector(corner), self.origin);
        let [x, y, z] = self.axes.map(|axis| from_origin[axis]);
        let off = |x: f64| MORE * ROUNDOFF * (2.0 * x.abs() + 4.0 * z.abs()) + 4.0 * LEAST;
        ([x - self.shear[0] * z, y - self.shear[1] * z, z], [off(x), off(y)])
    }

    pub fn look(&self, corners: [[f32; 3]; 3]) -> Verdict {
        let [(a, off_a), (b, off_b), (c, off_c)] = corners.map(|corner| self.see(corner));
        // Twice the areas that x = y = 0 spans with the edges opposite to a, b and c.
        let areas = [area(c, b), area(a, c), area(b, a)];
        let off = [area_off(c, off_c, b, off_b), area_off(a, off_a, c, off_c), area_off(b, off_b, a, off_a)];
        let surely = |sign: f64| (0..3).map(move |i| sign * areas[i] > off[i]);
        if surely(1.0).any(|it_is| it_is) && surely(-1.0).any(|it_is| it_is) {
            return Verdict::Misses;
        }
        if !surely(1.0).all(|it_is| it_is) && !surely(-1.0).all(|it_is| it_is) {
            return Verdict::Open;
        }
        let (whole, whole_off) = (areas.iter().sum::<f64>(), off.iter().sum::<f64>());
        let least_whole = whole.abs() - whole_off;
        let z = [a, b, c].map(|vertex| vertex[2]);
        let t = (areas[0] * z[0] + areas[1] * z[1] + areas[2] * z[2]) / (whole * self.depth);
        // Moved vertices change the weights of their depths, as seen from where the ray passes, and depths are rounded.
        let moved: f64 = (0..3)
            .map(|i| {
                off[i] * (z[i] - t * self.depth).abs() + (areas[i].abs() + off[i]) * ROUNDOFF * z[i].abs()
            })
            .sum();
        let t_error =
            moved / (least_whole * self.depth.abs()) + far(z, self.depth) + 2.0 * ROUNDOFF * t.abs();
        let weights = [areas[1] / whole, areas[2] / whole];
        let weight_error =
            |i: usize| MORE * (off[i] + weights[i - 1] * whole_off) / least_whole + 2.0 * ROUNDOFF;
        Verdict::Meets(Passage {
            t,
            t_error: MORE * t_error + LEAST,
            weights,
            weight_errors: [weight_error(1), weight_error(2)],
            crosses: true,
            side: triangle_exactly::side(whole),
            normal: normal_of(corners),
        })
    }

    /// A passage that was [decided exactly](super::triangle_exactly) on the vertices as they are seen, with bounds that also hold of the line
    /// and the triangle as they are. These the engine goes by where its own `t` is a rounding outside of the ray's interval.
    pub fn as_it_is(&self, corners: [[f32; 3]; 3], passage: Passage) -> Passage {
        let [(a, off_a), (b, off_b), (c, off_c)] = corners.map(|corner| self.see(corner));
        let whole = area(c, b) + area(a, c) + area(b, a);
        let off = [area_off(c, off_c, b, off_b), area_off(a, off_a, c, off_c), area_off(b, off_b, a, off_a)];
        let whole_off = off.iter().sum::<f64>();
        // Where nothing is known of the weights they are between 0 and 1, and `t` between those of the vertices.
        let per_area = 1.0 / (whole.abs() - whole_off).max(0.0);
        let depths = [a, b, c].map(|vertex| (vertex[2] - passage.t * self.depth).abs());
        let moved = MORE * per_area * (0..3).map(|i| off[i] * depths[i]).sum::<f64>();
        let reach = depths.into_iter().fold(0.0, f64::max);
        let weight_error = |i: usize| (MORE * per_area * (off[i] + whole_off)).min(1.0);
        Passage {
            t_error: 2.0 * passage.t_error + moved.min(reach) / self.depth.abs(),
            weight_errors: [1, 2].map(|i| passage.weight_errors[i - 1] + weight_error(i)),
            ..passage
        }
    }
}

/// What the engine's `f64` may be off by: 2⁻⁴⁸ of the greatest `t` at a vertex, and as much again for ours.
pub fn far(z: [f64; 3], depth: f64) -> f64 {
    z.iter().fold(0.0_f64, |far, z| far.max(z.abs())) / depth.abs() / (1_u64 << 47) as f64
}

/// Twice the area of the triangle from 0 to `p` and `q`.
fn area(p: Vector, q: Vector) -> f64 {
    p[0] * q[1] - p[1] * q[0]
}

/// By how much it changes if the ends move by so much.
fn area_off(p: Vector, off_p: [f64; 2], q: Vector, off_q: [f64; 2]) -> f64 {
    let product = |p: f64, off_p: f64, q: f64, off_q: f64| p.abs() * off_q + q.abs() * off_p + off_p * off_q;
    MORE * (product(p[0], off_p[0], q[1], off_q[1]) + product(p[1], off_p[1], q[0], off_q[0]))
}

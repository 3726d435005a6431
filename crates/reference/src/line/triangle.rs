//! Whether a ray meets a triangle: in plain `f64` for `f32`, and for `f64` with twice its digits.
//!
//! That decides all but those of whose edges the ray passes so near that the engine's rounding
//! could carry a vertex to its other side: the test of `lanecast::primitive::Watertight` rounds
//! each vertex to its precision as the ray sees it, and promises that nothing errs from there on.
//! These are [decided exactly](super::triangle_exactly) on the vertices so rounded.

use super::{Passage, normal_of, triangle_exactly};
use crate::double::Wide;
use crate::vector::Numbers;
use lanecast::{Ray, Side};

/// Bounds of errors are derived to first order: so much more is more than the rest.
const MORE: f64 = 1.01;

/// How the line of a ray and a triangle lie to each other.
pub enum Verdict {
    Misses,
    Meets(Passage),
    /// The line passes an edge by less than what rounding may do.
    Open,
}

/// Products that are not 0 and below this are not exact in `f64`; of `f32` there are none.
pub const LEAST_PRODUCT: f64 = 1e-290;

/// A ray as one who looks along it: the longest axis of its direction is z, and what lies along the
/// ray is sheared to x = y = 0.
pub struct Eye<T: Numbers> {
    view: View<T::Finer>,
    /// The same in `f64`, which may be off by as much as the engine.
    plain: View<f64>,
}

/// What an eye of numbers `W` sees.
struct View<W> {
    axes: [usize; 3],
    origin: [W; 3],
    shear: [W; 2],
    depth: W,
    /// The unit roundoff and the least number by which vertices are off.
    off_by: [f64; 2],
}

/// A triangle as it is seen.
struct Seen<W> {
    vertices: [[W; 3]; 3],
    /// Twice the areas that x = y = 0 spans with the edges opposite to the vertices, and how far
    /// off they are.
    areas: [W; 3],
    off: [f64; 3],
}

impl<W: Wide> View<W> {
    fn new<T: Numbers>(ray: &Ray<T>, times: f64) -> Self {
        let axes = triangle_exactly::axes(ray);
        let wide = |x: T| W::from(x.to_f64());
        let [x, y, z] = axes.map(|axis| wide(ray.direction[axis]));
        let off_by = [times * MORE * T::ROUNDOFF, times * 4.0 * T::LEAST];
        Self { axes, origin: ray.origin.map(wide), shear: [x / z, y / z], depth: z, off_by }
    }

    /// Sees a vertex at x, y and z, and how far off x and y may come out in the engine: by at most
    /// 2 ε X + 4 ε Z, where X and Z are the distances from the ray's origin along x and z.
    fn see_vertex<T: Numbers>(&self, corner: [T; 3]) -> ([W; 3], [f64; 2]) {
        let [x, y, z] = self.axes.map(|axis| W::from(corner[axis].to_f64()) - self.origin[axis]);
        let [roundoff, least] = self.off_by;
        let off = |x: W| roundoff * (2.0 * x.to_f64().abs() + 4.0 * z.to_f64().abs()) + least;
        ([x - self.shear[0] * z, y - self.shear[1] * z, z], [off(x), off(y)])
    }

    fn see<T: Numbers>(&self, corners: [[T; 3]; 3]) -> Seen<W> {
        let [(a, off_a), (b, off_b), (c, off_c)] = corners.map(|corner| self.see_vertex(corner));
        let areas = [area(c, b), area(a, c), area(b, a)];
        let off = [[(c, off_c), (b, off_b)], [(a, off_a), (c, off_c)], [(b, off_b), (a, off_a)]]
            .map(area_off::<T, W>);
        Seen { vertices: [a, b, c], areas, off }
    }
}

impl<W: Wide> Seen<W> {
    /// Of each area whether it is surely above 0 (1), or below (−1).
    fn are_surely(&self, sign: f64) -> impl Iterator<Item = bool> {
        (0..3).map(move |i| sign * self.areas[i].to_f64() > self.off[i])
    }

    fn is_missed(&self) -> bool {
        self.are_surely(1.0).any(|it_is| it_is) && self.are_surely(-1.0).any(|it_is| it_is)
    }
}

impl<T: Numbers> Eye<T> {
    pub fn new(ray: &Ray<T>) -> Self {
        // What `f64` rounds moves vertices by as much as the engine does, and is less than that
        // again in products.
        Self { view: View::new(ray, 1.0), plain: View::new(ray, 3.0) }
    }

    pub fn look(&self, corners: [[T; 3]; 3]) -> Verdict {
        if T::Finer::IS_DEAR && self.plain.see(corners).is_missed() {
            return Verdict::Misses;
        }
        let seen = self.view.see(corners);
        if seen.is_missed() {
            return Verdict::Misses;
        }
        if !seen.are_surely(1.0).all(|it_is| it_is) && !seen.are_surely(-1.0).all(|it_is| it_is) {
            return Verdict::Open;
        }
        let Seen { vertices, areas, off } = seen;
        let (whole, whole_off) = (areas[0] + areas[1] + areas[2], off.iter().sum::<f64>());
        let least_whole = whole.to_f64().abs() - whole_off;
        let z = vertices.map(|vertex| vertex[2]);
        let of_depths = areas[0] * z[0] + areas[1] * z[1] + areas[2] * z[2];
        let t = (of_depths / (whole * self.view.depth)).to_f64();
        let (z, depth) = (z.map(T::Finer::to_f64), self.view.depth.to_f64());
        // Moved vertices change the weights of their depths, as seen from where the ray passes, and
        // depths are rounded.
        let moved: f64 = (0..3)
            .map(|i| {
                off[i] * (z[i] - t * depth).abs()
                    + (areas[i].to_f64().abs() + off[i]) * T::ROUNDOFF * z[i].abs()
            })
            .sum();
        let t_error =
            moved / (least_whole * depth.abs()) + far::<T>(z, depth) + 2.0 * T::ROUNDOFF * t.abs();
        let promised = self.promised_error(vertices, t, least_whole) + far::<T>(z, depth);
        let t_error = t_error.min(promised);
        let weights = [areas[1], areas[2]].map(|area| (area / whole).to_f64());
        let weight_error =
            |i: usize| MORE * (off[i] + weights[i - 1] * whole_off) / least_whole + T::OF_WEIGHTS;
        Verdict::Meets(Passage {
            t,
            t_error: MORE * t_error + T::LEAST,
            weights,
            weight_errors: [weight_error(1), weight_error(2)],
            crosses: true,
            side: triangle_exactly::side(whole.to_f64()),
            normal: normal_of(corners),
        })
    }

    /// How far off the engine says that `t` is at most, where the line meets the triangle: by
    /// `Watertight`'s docs 4 ε of itself and 12 ε for each unit by which the depth of the plane
    /// changes per unit along x, and along y.
    fn promised_error(&self, vertices: [[T::Finer; 3]; 3], t: f64, least_whole: f64) -> f64 {
        let [a, b, c] = vertices;
        let [ab, ac] = [b, c].map(|vertex| [0, 1, 2].map(|axis| vertex[axis] - a[axis]));
        let normal = [area([ab[2], ab[0]], [ac[2], ac[0]]), area([ab[1], ab[2]], [ac[1], ac[2]])];
        let slopes = normal.iter().map(|x| x.to_f64().abs()).sum::<f64>() / least_whole;
        (4.0 + 12.0 * slopes) * T::ROUNDOFF * t.abs()
    }

    /// Whether a coordinate of a vertex, as it is seen, is about twice the depth of the passage or
    /// more, so that the engine's `t` may be that of the plane.
    pub fn may_reach_far(&self, corners: [[T; 3]; 3], passage: &Passage) -> bool {
        let coordinates = self.view.see(corners).vertices.into_iter().flatten();
        let reach = coordinates.fold(0.0_f64, |most, x| most.max(x.to_f64().abs()));
        reach > 1.999 * (passage.t * self.view.depth.to_f64()).abs()
    }

    /// A passage of which nothing is known but that it is within the triangle.
    pub fn anywhere(&self, corners: [[T; 3]; 3]) -> Passage {
        let depth = self.view.depth.to_f64();
        let t = self.view.see(corners).vertices.map(|vertex| vertex[2].to_f64() / depth);
        let [least, greatest] =
            [t.iter().copied().fold(t[0], f64::min), t.into_iter().fold(t[0], f64::max)];
        Passage {
            t: 0.5 * (least + greatest),
            t_error: greatest - least + T::LEAST,
            weights: [0.5; 2],
            weight_errors: [0.5; 2],
            crosses: true,
            side: Side::Front,
            normal: None,
        }
    }

    /// A passage that was [decided exactly](super::triangle_exactly) on the vertices as they are
    /// seen, with bounds that also hold of the line and the triangle as they are. These the engine
    /// goes by where its own `t` is a rounding outside of the ray's interval.
    pub fn as_it_is(&self, corners: [[T; 3]; 3], passage: Passage) -> Passage {
        let Seen { vertices, areas, off } = self.view.see(corners);
        let whole = (areas[0] + areas[1] + areas[2]).to_f64();
        let (whole_off, depth) = (off.iter().sum::<f64>(), self.view.depth.to_f64());
        // Where nothing is known of the weights they are between 0 and 1, and `t` between those of
        // the vertices.
        let per_area = 1.0 / (whole.abs() - whole_off).max(0.0);
        let depths = vertices.map(|vertex| (vertex[2].to_f64() - passage.t * depth).abs());
        let moved = MORE * per_area * (0..3).map(|i| off[i] * depths[i]).sum::<f64>();
        let reach = depths.into_iter().fold(0.0, f64::max);
        let weight_error = |i: usize| (MORE * per_area * (off[i] + whole_off)).min(1.0);
        // Beside the triangle `t` may be that of the plane, if that is as near.
        let farthest =
            vertices.iter().fold(0.0_f64, |most, vertex| most.max(vertex[2].to_f64().abs()));
        let of_plane = 5.0 * T::ROUNDOFF * farthest;
        Passage {
            t_error: 2.0 * passage.t_error + (moved.min(reach) + of_plane) / depth.abs(),
            weight_errors: [1, 2].map(|i| passage.weight_errors[i - 1] + weight_error(i)),
            ..passage
        }
    }
}

/// What the engine's numbers may be off by, and ours: a part of the greatest `t` at a vertex.
pub fn far<T: Numbers>(z: [f64; 3], depth: f64) -> f64 {
    z.iter().fold(0.0_f64, |far, z| far.max(z.abs())) / depth.abs() * T::OF_REACH
}

/// Twice the area of the triangle from 0 to `p` and `q`.
fn area<W: Wide, const N: usize>(p: [W; N], q: [W; N]) -> W {
    p[0] * q[1] - p[1] * q[0]
}

/// By how much it changes if the ends move by so much.
fn area_off<T: Numbers, W: Wide>([(p, off_p), (q, off_q)]: [([W; 3], [f64; 2]); 2]) -> f64 {
    let product = |p: W, off_p: f64, q: W, off_q: f64| {
        p.to_f64().abs() * off_q + q.to_f64().abs() * off_p + off_p * off_q
    };
    let off =
        MORE * (product(p[0], off_p[0], q[1], off_q[1]) + product(p[1], off_p[1], q[0], off_q[0]));
    if T::Finer::IS_DEAR { off + LEAST_PRODUCT } else { off }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::watertight::{exactly, sheared_meeting, signed_volumes};
    use crate::random::Random;
    use crate::vector::{Vector, minus, plus, rounded, times, vector};
    use lanecast::primitive::Triangle;

    #[test]
    fn what_is_not_left_open_is_what_rationals_say() {
        hold_to_rationals::<f32>([0.0; 3]);
        hold_to_rationals::<f64>([0.0; 3]);
        hold_to_rationals::<f64>([6.4e6, -3.2e6, 1.6e6]);
    }

    /// Lines that pass an edge by from a tenth of a triangle's size to less than a rounding.
    fn hold_to_rationals<T: Numbers>(away: Vector) {
        let random = &mut Random::new(1);
        let mut counts = [0; 3];
        for _ in 0..6_000 {
            let mut point = || rounded::<T>(plus(away, random.point(-1.0, 1.0).map(f64::from)));
            let (corners, origin) = ([point(), point(), point()], point());
            // As seen from the origin, where less is rounded.
            let [a, b, c] = corners.map(|corner| minus(vector(corner), vector(origin)));
            let on_edge = plus(a, times(random.unit_f64(), minus(b, a)));
            let past = 0.1 * 2_f64.powi(-(random.below(60) as i32)) * (random.unit_f64() - 0.5);
            let ray = Ray::line(origin, rounded::<T>(plus(on_edge, times(past, minus(c, a)))));
            let triangle = Triangle::new(corners);
            let exact = sheared_meeting(&ray, &triangle);
            let context = || format!("{ray:?} {corners:?}: {exact:?}");
            match Eye::new(&ray).look(corners) {
                Verdict::Open => counts[0] += 1,
                Verdict::Misses => {
                    assert!(exact.is_none(), "{}", context());
                    counts[1] += 1;
                }
                Verdict::Meets(passage) => {
                    let exact = exact.as_ref().unwrap_or_else(|| panic!("{}", context()));
                    let as_it_lies = signed_volumes(&ray, &triangle);
                    let t_as_it_lies = &as_it_lies.t_d / &as_it_lies.d;
                    for (found, error, exact) in [
                        (passage.t, passage.t_error, &t_as_it_lies),
                        (passage.weights[0], passage.weight_errors[0], &exact.u),
                        (passage.weights[1], passage.weight_errors[1], &exact.v),
                    ] {
                        assert!(
                            (exactly(found) - exact).abs() <= exactly(error),
                            "{passage:?} {}",
                            context()
                        );
                    }
                    counts[2] += 1;
                }
            }
        }
        assert!(counts.iter().all(|&count| count > 600), "{counts:?}");
    }
}

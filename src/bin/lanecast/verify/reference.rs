//! What a ray meets, by brute force in `f64`, written for reading. It shares no code with the engine.
//!
//! A ray is tested against every triangle in plain `f64`. That decides all but those of whose edges the ray
//! passes so near that the engine's rounding could carry a vertex to its other side: the test of
//! `lanecast::primitive::Watertight` rounds each vertex to `f32` as the ray sees it, and promises that nothing
//! errs from there on. These are [decided exactly](super::exact) on the vertices so rounded.

use super::exact;
use super::place::Place;
use crate::vector::{Vector, from_f32, sub};
use lanecast::io::Mesh;
use lanecast::{Ray, Status};

/// The unit roundoff of `f32`.
pub(super) const ROUNDOFF: f64 = 1.0 / (1_u64 << 24) as f64;
/// The least positive `f32`.
pub(super) const LEAST: f64 = f32::from_bits(1) as f64;
/// Bounds of errors are derived to first order: so much more is more than the rest.
const MORE: f64 = 1.01;

/// A triangle that a ray meets, or perhaps meets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Meeting {
    pub(super) instance_id: u32,
    pub(super) geometry_id: u32,
    pub(super) primitive_id: u32,
    pub(super) passage: Passage,
    /// Whether `t` is within the ray's interval by more than its error; if not, it is at one of its ends.
    pub(super) is_certain: bool,
}

/// Where the line of a ray passes through a triangle, and by how much the engine may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Passage {
    pub(super) t: f64,
    pub(super) t_error: f64,
    /// Those of the second and third vertex.
    pub(super) weights: [f64; 2],
    pub(super) weight_errors: [f64; 2],
    /// Whether it counts as a crossing of the surface; if not, a neighbour's does.
    pub(super) crosses: bool,
}

/// All that a ray meets.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Expected {
    /// What is wrong with the ray if it is not to be cast.
    pub(super) defect: Option<Status>,
    /// In the order of ids.
    pub(super) meetings: Vec<Meeting>,
    /// Whether plain `f64` left any triangle open.
    pub(super) is_near_an_edge: bool,
}

/// Tests a ray against every triangle of every mesh, in each of the places that they have.
pub(super) fn cast(meshes: &[Mesh], places: &[Place], ray: &Ray) -> Expected {
    let defect = defect(ray);
    let mut expected = Expected { defect, ..Expected::default() };
    if defect.is_none() {
        for place in places {
            cast_at(meshes, &place.sees(ray), place.instance_id, &mut expected);
        }
    }
    expected
}

fn cast_at(meshes: &[Mesh], ray: &Ray, instance_id: u32, expected: &mut Expected) {
    let eye = Eye::new(ray);
    for (geometry_id, mesh) in (0..).zip(meshes) {
        for (primitive_id, triangle) in (0..).zip(&mesh.triangles) {
            let corners = triangle.map(|vertex| mesh.vertices[vertex as usize]);
            let passage = match eye.look(corners) {
                Verdict::Misses => continue,
                Verdict::Meets(passage) => passage,
                Verdict::Open => {
                    expected.is_near_an_edge = true;
                    match exact::decide(ray, corners) {
                        Some(passage) => passage,
                        None => continue,
                    }
                }
            };
            if let Some(is_certain) = within(ray, &passage) {
                let meeting = Meeting { instance_id, geometry_id, primitive_id, passage, is_certain };
                expected.meetings.push(meeting);
            }
        }
    }
}

/// What is wrong with a ray, by the words at `Status`.
fn defect(ray: &Ray) -> Option<Status> {
    let bound = 2.0_f32.powi(100);
    let largest = ray.direction.iter().fold(0.0, |largest: f32, x| largest.max(x.abs()));
    if ray.origin.iter().any(|x| x.is_nan() || x.abs() > bound) {
        Some(Status::InvalidOrigin)
    } else if ray.direction.iter().any(|x| !x.is_finite()) {
        Some(Status::InvalidDirection)
    } else if largest == 0.0 {
        Some(Status::ZeroDirection)
    } else if largest > bound || largest < 1.0 / bound {
        Some(Status::DirectionOutOfRange)
    } else if ray.t_min.is_nan() || ray.t_max.is_nan() {
        Some(Status::InvalidInterval)
    } else if ray.t_min > ray.t_max {
        Some(Status::EmptyInterval)
    } else {
        None
    }
}

/// Whether the passage is within the interval: surely (`true`), perhaps (`false`), or surely not.
fn within(ray: &Ray, passage: &Passage) -> Option<bool> {
    let [t_min, t_max] = [ray.t_min, ray.t_max].map(f64::from);
    let [least, greatest] = [passage.t - passage.t_error, passage.t + passage.t_error];
    if greatest < t_min || t_max < least {
        return None;
    }
    // A `t` that `f32` cannot hold is none.
    Some(t_min <= least && greatest <= t_max && least.abs().max(greatest.abs()) < f64::from(f32::MAX))
}

/// How the line of a ray and a triangle lie to each other.
enum Verdict {
    Misses,
    Meets(Passage),
    /// The line passes an edge by less than what rounding may do.
    Open,
}

/// A ray as one who looks along it: the longest axis of its direction is z, and what lies along the ray is sheared
/// to x = y = 0.
struct Eye {
    origin: Vector,
    axes: [usize; 3],
    shear: [f64; 2],
    depth: f64,
}

impl Eye {
    fn new(ray: &Ray) -> Self {
        let axes = exact::axes(ray);
        let direction = from_f32(ray.direction);
        let [x, y, z] = axes.map(|axis| direction[axis]);
        Self { origin: from_f32(ray.origin), axes, shear: [x / z, y / z], depth: z }
    }

    /// Sees a vertex at x, y and z, and how far off x and y may come out in `f32`: by at most 2 ε X + 4 ε Z, where X and
    /// Z are the distances from the ray's origin along x and z.
    fn see(&self, corner: [f32; 3]) -> (Vector, [f64; 2]) {
        let from_origin = sub(from_f32(corner), self.origin);
        let [x, y, z] = self.axes.map(|axis| from_origin[axis]);
        let off = |x: f64| MORE * ROUNDOFF * (2.0 * x.abs() + 4.0 * z.abs()) + 4.0 * LEAST;
        ([x - self.shear[0] * z, y - self.shear[1] * z, z], [off(x), off(y)])
    }

    fn look(&self, corners: [[f32; 3]; 3]) -> Verdict {
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
        })
    }
}

/// What the engine's `f64` may be off by: 2⁻⁴⁸ of the greatest `t` at a vertex, and as much again for ours.
pub(super) fn far(z: [f64; 3], depth: f64) -> f64 {
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

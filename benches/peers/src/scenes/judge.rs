//! The right answers, in f64 and triangle by triangle, written for reading.
//!
//! Rounded coordinates decide otherwise near a border than exact ones, and no contestant is wrong
//! there. So a ray surely meets a triangle if it meets it further inside than the tolerance, surely
//! misses it if it passes further outside than that, and what lies between is nobody's mistake.

use lanecast::Ray;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelIterator as _, ParallelIterator as _};

use super::mesh::Mesh;
use super::ray_set::Query;
use crate::vector::{cross, dot, length, minus, times};

/// Parts of the largest coordinate by which positions may be off.
const TOLERANCE: f64 = 2e-6;

/// Every triangle that a ray may be said to meet.
#[derive(Debug, Default)]
pub(crate) struct Verdict {
    /// Least and greatest `t`, and whether the ray surely meets it within its interval.
    meetings: Vec<([f64; 2], bool)>,
}

impl Verdict {
    /// What can be said of a ray.
    pub(crate) fn of(ray: &Ray, mesh: &Mesh) -> Self {
        let range = 0..mesh.triangles.len();
        let meetings = range.into_par_iter().with_min_len(10_000);
        Self {
            meetings: meetings
                .filter_map(|triangle| meeting(ray, mesh.corners(triangle)))
                .collect(),
        }
    }

    /// Whether `t` is a right answer; infinite says that the ray meets nothing.
    pub(crate) fn allows(&self, query: Query, t: f32) -> bool {
        let t = f64::from(t);
        let nothing_surely_before =
            |t: f64| !self.meetings.iter().any(|(ts, sure)| *sure && ts[1] < t);
        match query {
            _ if t == f64::INFINITY => nothing_surely_before(f64::INFINITY),
            Query::Any => !self.meetings.is_empty(),
            Query::Closest => {
                let there = self
                    .meetings
                    .iter()
                    .any(|([least, greatest], _)| (*least..=*greatest).contains(&t));
                there && nothing_surely_before(t)
            }
        }
    }
}

/// How a ray and a triangle may meet, if they may.
fn meeting(ray: &Ray, [a, b, c]: [[f64; 3]; 3]) -> Option<([f64; 2], bool)> {
    let (origin, direction) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
    let corners = [a, b, c].map(|corner| minus(corner, origin));
    let normal = cross(minus(b, a), minus(c, a));
    let across = dot(normal, direction);
    let speed = length(direction);
    // Rounding moves a point by this much.
    let largest = |point: [f64; 3]| point.into_iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let reach = [a, b, c, origin].into_iter().map(largest).fold(0.0, f64::max);
    let off = TOLERANCE * reach;
    let slant = across.abs() / (length(normal) * speed);
    if slant.is_nan() || slant <= 0.0 {
        // Without area, or seen exactly edge-on.
        return None;
    }
    let t = dot(normal, corners[0]) / across;
    let t_off = off / (slant * speed) + 1e-6 * t.abs();
    let (t_min, t_max) = (f64::from(ray.t_min), f64::from(ray.t_max));
    if t + t_off < t_min || t - t_off > t_max {
        return None;
    }
    // How far inside each edge the ray passes, seen along the ray.
    let point = times(direction, t);
    let mut inside = f64::INFINITY;
    for (from, to) in [(0, 1), (1, 2), (2, 0)] {
        let (edge, out) = (minus(corners[to], corners[from]), minus(point, corners[from]));
        let area = dot(cross(edge, out), normal) / length(normal);
        inside = inside.min(area / length(edge));
    }
    let border = off / slant;
    if inside.is_nan() || inside < -border {
        return None;
    }
    let sure = inside > border && t - t_off > t_min && t + t_off < t_max;
    Some(([t - t_off, t + t_off], sure))
}

#[cfg(test)]
mod tests {
    use super::Verdict;
    use crate::scenes::mesh::MeshBuilder;
    use crate::scenes::ray_set::Query;
    use lanecast::Ray;

    #[test]
    fn both_hit_and_miss_are_allowed_only_at_a_border() {
        let mut mesh = MeshBuilder::default();
        mesh.triangle([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]);
        let mesh = mesh.finish();
        let says = |x: f32, t: f32| {
            Verdict::of(&Ray::new([x, 0.25, 0.0], [0.0, 0.0, 0.5]), &mesh).allows(Query::Closest, t)
        };
        assert_eq!(
            [says(0.25, 2.0), says(0.25, 2.1), says(0.25, f32::INFINITY)],
            [true, false, false]
        );
        assert_eq!([says(-0.25, 2.0), says(-0.25, f32::INFINITY)], [false, true]);
        assert_eq!([says(0.0, 2.0), says(0.0, f32::INFINITY)], [true, true]);
    }
}

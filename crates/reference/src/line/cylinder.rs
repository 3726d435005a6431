//! Where a line goes through a capped cylinder: by its signed distance, which along a line falls
//! and then rises.

use super::chord::{Chord, by_distance};
use super::{OF_NORMALS, Passage};
use crate::vector::{Numbers, Vector, dot, length, minus, times, unit, vector};
use lanecast::primitive::Cylinder;
use lanecast::{Ray, Scalar};

/// The place of a point along the axis, and its way from there: what is off the axis.
fn along_and_off<T: Scalar>(cylinder: &Cylinder<T>, point: Vector) -> (f64, Vector) {
    let [a, b] = cylinder.ends.map(vector);
    let direction = unit(minus(b, a));
    let along = dot(minus(point, a), direction);
    (along, minus(minus(point, a), times(along, direction)))
}

/// The signed distance of a point from the surface, and the place along the axis, from 0 to 1, of
/// the nearest point of the solid. After Quilez, "Capped Cylinder SDF"
/// (iquilezles.org/articles/distfunctions).
pub fn distance<T: Scalar>(cylinder: &Cylinder<T>, point: Vector) -> (f64, f64) {
    let size = length(minus(vector(cylinder.ends[1]), vector(cylinder.ends[0])));
    let (along, off) = along_and_off(cylinder, point);
    let beside = length(off) - cylinder.radius.to_f64();
    let beyond = (-along).max(along - size);
    let inside = beside.max(beyond).min(0.0);
    (inside + beside.max(0.0).hypot(beyond.max(0.0)), (along / size).clamp(0.0, 1.0))
}

/// Whether there is anything to meet.
pub fn is_there<T: Scalar>(cylinder: &Cylinder<T>) -> bool {
    cylinder.radius >= T::ZERO && cylinder.ends[0] != cylinder.ends[1]
}

/// A cylinder as it is seen from the ray's origin. However far they are from 0, differences are off
/// by a rounding of theirs.
fn seen<T: Scalar>(cylinder: &Cylinder<T>, ray: &Ray<T>) -> Cylinder<f64> {
    let ends = cylinder.ends.map(|end| minus(vector(end), vector(ray.origin)));
    Cylinder { ends, radius: cylinder.radius.to_f64() }
}

/// The normal at a point of the surface, which may be off by so much; `None` near a rim.
fn normal(cylinder: &Cylinder<f64>, point: Vector, off_by: f64) -> Option<(Vector, f64)> {
    let axis = minus(cylinder.ends[1], cylinder.ends[0]);
    let (along, off) = along_and_off(cylinder, point);
    let near = |gap: f64| gap.abs() <= off_by;
    let [first, last, side] =
        [along, along - length(axis), length(off) - cylinder.radius].map(near);
    match [first, last, side] {
        [true, false, false] => Some((times(-1.0, unit(axis)), OF_NORMALS)),
        [false, true, false] => Some((unit(axis), OF_NORMALS)),
        [false, false, true] if cylinder.radius > 0.0 => {
            Some((unit(off), OF_NORMALS + 2.0 * off_by / cylinder.radius))
        }
        _ => None,
    }
}

/// Where the distance is as far from 0 as the engine's surface may be off.
pub fn of_cylinder<T: Scalar>(cylinder: &Cylinder<T>, ray: &Ray<T>) -> Option<Chord> {
    if !is_there(cylinder) {
        return None;
    }
    let cylinder = &seen(cylinder, ray);
    let (direction, ends) = (vector(ray.direction), cylinder.ends);
    let size = length(minus(ends[1], ends[0])) + cylinder.radius;
    let far = ends.iter().map(|&end| length(end)).fold(0.0, f64::max);
    let chord = by_distance(|point| distance(cylinder, point).0, size, far, direction)?;
    let speed = length(direction);
    let normals = chord.ends.map(|[a, b]| {
        let t = 0.5 * (a + b);
        let off_by = 8.0 * ((b - a) * speed + 1e-7 * (t * speed).abs() + 1e-9 * size);
        normal(cylinder, times(t, direction), off_by)
    });
    Some(Chord { normals, ..chord })
}

/// What the engine tells of them, with the place along the axis as u.
pub fn passages<T: Numbers>(cylinder: &Cylinder<T>, ray: &Ray<T>, chord: &Chord) -> [Passage; 2] {
    let (cylinder, passages) = (seen(cylinder, ray), chord.passages::<T>());
    [0, 1].map(|end| {
        let [one, other] =
            chord.ends[end].map(|t| distance(&cylinder, times(t, vector(ray.direction))).1);
        let weight_errors = [(other - one).abs() + 1e-6, 0.0];
        Passage { weights: [0.5 * (one + other), 0.0], weight_errors, ..passages[end] }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::vector::{cross, plus};

    /// The least distance of many points of the caps and the side.
    fn sampled(cylinder: &Cylinder, point: Vector) -> f64 {
        let [a, b] = cylinder.ends.map(vector);
        let axis = minus(b, a);
        let one = unit(cross(axis, [0.3, 0.5, 0.8]));
        let other = unit(cross(axis, one));
        let radius = f64::from(cylinder.radius);
        let steps = 200;
        let places = (0..steps).flat_map(|turn| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(turn) / 200.0).sin_cos();
            let way = plus(times(cos, one), times(sin, other));
            (0..=100).flat_map(move |step| {
                let part = f64::from(step) / 100.0;
                let rim = plus(a, times(part, axis));
                [
                    plus(rim, times(radius, way)),
                    plus(a, times(part * radius, way)),
                    plus(b, times(part * radius, way)),
                ]
            })
        });
        places.map(|place| length(minus(place, point))).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn the_distance_is_that_of_the_nearest_point_of_many() {
        let mut random = Random::new(1);
        let mut inside = 0;
        for _ in 0..200 {
            let cylinder = Cylinder {
                ends: [random.point(-1.0, 1.0), random.point(-1.0, 1.0)],
                radius: random.between(0.1, 1.0),
            };
            let point = random.point(-0.8, 0.8).map(f64::from);
            let (closed, near) = (distance(&cylinder, point).0, sampled(&cylinder, point));
            assert!((closed.abs() - near).abs() < 0.05, "{cylinder:?} {point:?}: {closed} {near}");
            let (along, off) = along_and_off(&cylinder, point);
            let [a, b] = cylinder.ends.map(vector);
            let is_inside = 0.0 < along
                && along < length(minus(b, a))
                && length(off) < f64::from(cylinder.radius);
            assert_eq!(closed < 0.0, is_inside, "{cylinder:?} {point:?}");
            inside += usize::from(is_inside);
        }
        assert!(inside > 10, "{inside}");
    }

    #[test]
    fn a_line_goes_through_side_and_caps() {
        let cylinder = Cylinder { ends: [[0.0; 3], [4.0, 0.0, 0.0]], radius: 1.0 };
        for (ray, expected) in [
            (Ray::new([2.0, 0.0, 5.0], [0.0, 0.0, -2.0]), [2.0, 3.0]),
            (Ray::new([-3.0, 0.5, 0.0], [1.0, 0.0, 0.0]), [3.0, 7.0]),
            (Ray::new([-1.0, 0.0, 0.0], [1.0, 0.25, 0.0]), [1.0, 4.0]),
        ] {
            let chord = of_cylinder(&cylinder, &ray).expect("met");
            assert!(chord.is_certain);
            for ([least, greatest], t) in chord.ends.into_iter().zip(expected) {
                assert!(least <= t && t <= greatest && greatest - least < 1e-9, "{chord:?}");
            }
        }
        for missing in [[2.0, 1.1, 5.0], [4.1, 0.0, 5.0]] {
            assert_eq!(of_cylinder(&cylinder, &Ray::new(missing, [0.0, 0.0, -2.0])), None);
        }
    }
}

//! Where a line goes through a round cone: by its signed distance, which along a line falls and
//! then rises.

use super::chord::{Chord, by_distance};
use super::{OF_NORMALS, Passage};
use crate::vector::{Numbers, Vector, dot, length, minus, plus, times, unit, vector};
use lanecast::primitive::RoundCone;
use lanecast::{Ray, Scalar};

/// The signed distance of a point from the surface, and the parameter of the ball that touches the
/// surface where it is nearest: the least of what the balls say, of which there are a thousand and
/// then, between the best, thirty cuts of a third.
pub fn sampled_distance<T: Scalar>(cone: &RoundCone<T>, point: Vector) -> (f64, f64) {
    let of = |s: f64| of_ball(cone, s, point);
    let (mut low, mut high) = (0..=1000)
        .map(|i| f64::from(i) / 1000.0)
        .min_by(|&a, &b| of(a).total_cmp(&of(b)))
        .map_or((0.0, 1.0), |s| ((s - 1e-3).max(0.0), (s + 1e-3).min(1.0)));
    for _ in 0..60 {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if of(a) <= of(b) { high = b } else { low = a }
    }
    let s = [0.0, 1.0, 0.5 * (low + high)].into_iter().min_by(|&a, &b| of(a).total_cmp(&of(b)));
    s.map_or((f64::NAN, 0.0), |s| (of(s), s))
}

fn of_ball<T: Scalar>(cone: &RoundCone<T>, s: f64, point: Vector) -> f64 {
    let ([a, b], [ra, rb]) = (cone.ends.map(vector), cone.radii.map(T::to_f64));
    length(minus(point, plus(a, times(s, minus(b, a))))) - (ra + s * (rb - ra))
}

/// The same in closed form, after Quilez, "Round Cone SDF" (iquilezles.org/articles/distfunctions).
pub fn distance<T: Scalar>(cone: &RoundCone<T>, point: Vector) -> (f64, f64) {
    let ([a, b], [ra, rb]) = (cone.ends.map(vector), cone.radii.map(T::to_f64));
    let (axis, from) = (minus(b, a), minus(point, a));
    let (square, fall) = (dot(axis, axis), ra - rb);
    if square <= fall * fall {
        let s = if ra < rb { 1.0 } else { 0.0 };
        return (of_ball(cone, s, point), s);
    }
    // Of the plane through the axis and the point: along the axis, and away from it.
    let along = dot(from, axis) / square.sqrt();
    let away = length(minus(from, times(along / square.sqrt(), axis)));
    let lateral = (square - fall * fall).sqrt();
    // Along the lateral line, from where it touches the first ball: `lateral` long.
    let tau = (along * lateral - away * fall) / square.sqrt();
    let s = (tau / lateral).clamp(0.0, 1.0);
    (of_ball(cone, s, point), s)
}

/// A cone as it is seen from the ray's origin. However far they are from 0, differences are off by
/// a rounding of theirs.
fn seen<T: Scalar>(cone: &RoundCone<T>, ray: &Ray<T>) -> RoundCone<f64> {
    let ends = cone.ends.map(|end| minus(vector(end), vector(ray.origin)));
    RoundCone { ends, radii: cone.radii.map(T::to_f64) }
}

/// Where the distance is as far from 0 as the engine's surface may be off.
pub fn of_round_cone<T: Scalar>(cone: &RoundCone<T>, ray: &Ray<T>) -> Option<Chord> {
    let cone = &seen(cone, ray);
    let (direction, ends) = (vector(ray.direction), cone.ends);
    let radii = cone.radii[0] + cone.radii[1];
    if cone.radii.iter().any(|&radius| radius < 0.0) {
        return None;
    }
    let size = length(minus(ends[1], ends[0])) + radii;
    let far = ends.iter().map(|&end| length(end)).fold(0.0, f64::max);
    let chord = by_distance(|point| distance(cone, point).0, size, far, direction)?;
    let (at, speed) = (|t: f64| times(t, direction), length(direction));
    let normal = |[a, b]: [f64; 2]| {
        let t = 0.5 * (a + b);
        let s = distance(cone, at(t)).1;
        let radius = cone.radii[0] * (1.0 - s) + cone.radii[1] * s;
        let [from, to] = cone.ends;
        let center = plus(from, times(s, minus(to, from)));
        let moved = 8.0 * ((b - a) * speed + 1e-7 * (t * speed).abs()) / radius;
        (radius > 0.0).then(|| (unit(minus(at(t), center)), OF_NORMALS + moved))
    };
    Some(Chord { normals: chord.ends.map(normal), ..chord })
}

/// What the engine tells of them, with the parameter as u.
pub fn passages<T: Numbers>(cone: &RoundCone<T>, ray: &Ray<T>, chord: &Chord) -> [Passage; 2] {
    let (cone, passages) = (seen(cone, ray), chord.passages::<T>());
    [0, 1].map(|end| {
        let [least, greatest] =
            chord.ends[end].map(|t| distance(&cone, times(t, vector(ray.direction))).1);
        let weight_errors = [(greatest - least).abs() + 1e-6, 0.0];
        Passage { weights: [0.5 * (least + greatest), 0.0], weight_errors, ..passages[end] }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn both_distances_agree() {
        let mut random = Random::new(1);
        for _ in 0..2_000 {
            let cone = RoundCone {
                ends: [random.point(-1.0, 1.0), random.point(-1.0, 1.0)],
                radii: [random.between(0.0, 1.0), random.between(0.0, 1.0)],
            };
            let point = random.point(-3.0, 3.0).map(f64::from);
            let (closed, sampled) = (distance(&cone, point).0, sampled_distance(&cone, point).0);
            assert!((closed - sampled).abs() < 1e-9, "{cone:?} {point:?}: {closed} {sampled}");
        }
    }

    #[test]
    fn a_line_goes_through_a_cylinder_with_caps() {
        let cone = RoundCone { ends: [[0.0; 3], [4.0, 0.0, 0.0]], radii: [1.0; 2] };
        for (ray, expected) in [
            (Ray::new([2.0, 0.0, 5.0], [0.0, 0.0, -2.0]), [2.0, 3.0]),
            (Ray::new([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]), [2.0, 8.0]),
        ] {
            let chord = of_round_cone(&cone, &ray).expect("met");
            assert!(chord.is_certain);
            for ([least, greatest], t) in chord.ends.into_iter().zip(expected) {
                assert!(least <= t && t <= greatest && greatest - least < 1e-9, "{chord:?}");
            }
        }
        assert_eq!(of_round_cone(&cone, &Ray::new([2.0, 1.1, 5.0], [0.0, 0.0, -2.0])), None);
    }
}

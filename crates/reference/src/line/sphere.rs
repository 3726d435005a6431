//! Where a line goes through a sphere: half a chord before and behind the foot of the perpendicular
//! from the center.

use super::OF_NORMALS;
use super::chord::Chord;
use crate::vector::{FINE, Numbers, dot, length, minus, times, unit, vector};
use lanecast::Ray;
use lanecast::primitive::Sphere;

/// With L from the ray's origin to the center, the engine's sphere is as if its center were off by
/// 8 L roundings, and both ends by 8 (L + radius), as the docs of
/// `lanecast::primitive::SphereRoots` say. What is computed here is off by no more than twice that.
pub fn of_sphere<T: Numbers>(sphere: &Sphere<T>, ray: &Ray<T>) -> Option<Chord> {
    let radius = sphere.radius.to_f64();
    if radius < 0.0 {
        return None;
    }
    let direction = vector(ray.direction);
    let to_center = minus(vector(sphere.center), vector(ray.origin));
    let foot = dot(to_center, direction) / dot(direction, direction);
    let away = length(minus(to_center, times(foot, direction)));
    let far = length(to_center);
    let off = 24.0 * FINE * far;
    if away - off > radius {
        return None;
    }
    // By how much the square of half the chord changes if the line is off by so much, and the
    // square is rounded.
    let changes = (2.0 * away + off) * off + 8.0 * FINE * radius * radius;
    let half = ((radius - away) * (radius + away)).max(0.0).sqrt();
    let error =
        (24.0 * FINE * (far + radius) + changes.sqrt().min(changes / half)) / length(direction);
    let half = half / length(direction);
    let end = |t: f64| [t - error, t + error];
    // In the middle between what the ends may be, which is off by half of that and what rounding
    // does to `t`.
    let normal = |t: f64| {
        let out = minus(times(t, direction), to_center);
        let moved = 4.0 * (error + T::ROUNDOFF * t.abs()) * length(direction) / radius;
        (radius > 0.0).then(|| (unit(out), OF_NORMALS + moved))
    };
    let ends = [foot - half, foot + half];
    Some(Chord { ends: ends.map(end), normals: ends.map(normal), is_certain: away + off < radius })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_goes_in_and_comes_out() {
        let sphere = Sphere::new([5.0, 0.0, 0.0], 5.0);
        let chord = of_sphere(&sphere, &Ray::new([-1.0, 3.0, 0.0], [2.0, 0.0, 0.0])).expect("met");
        assert!(chord.is_certain);
        for ([least, greatest], t) in chord.ends.into_iter().zip([1.0, 5.0]) {
            assert!(least <= t && t <= greatest && greatest - least < 1e-13, "{chord:?}");
        }
        assert_eq!(of_sphere(&sphere, &Ray::new([-1.0, 5.1, 0.0], [2.0, 0.0, 0.0])), None);
        let inside_out = Sphere { radius: -5.0, ..sphere };
        assert_eq!(of_sphere(&inside_out, &Ray::new([-1.0, 3.0, 0.0], [2.0, 0.0, 0.0])), None);
    }

    /// The farther away the origin, the less is known of where the line passes.
    #[test]
    fn a_line_that_touches_is_left_open_and_its_neighbours_are_not() {
        let sphere = Sphere::new([0.0; 3], 1.0);
        let past = |y: f32, x: f32| of_sphere(&sphere, &Ray::new([x, y, 0.0], [1.0, 0.0, 0.0]));
        for x in [-1.0, -100.0] {
            let touching = past(1.0, x).expect("perhaps met");
            assert!(!touching.is_certain);
            let far = touching.ends[1][1] - touching.ends[0][0];
            assert!(far < 1e-5, "{far}");
            assert!(past(1.0_f32.next_down(), x).is_some_and(|chord| chord.is_certain));
            assert_eq!(past(1.0_f32.next_up(), x), None);
        }
        // Its center might be off by more than that from here.
        assert!(past(1.0_f32.next_up(), -1e10).is_some_and(|chord| !chord.is_certain));
    }
}

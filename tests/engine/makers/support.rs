//! What the tests share: vectors in `f64`, and how rays are taken from a maker.

use lanecast::{Maker, Ray};
use lanecast_reference::random::Random;

pub(crate) use lanecast_reference::vector::{
    Vector, cross, dot, length, minus, plus, times, unit, vector,
};

pub(crate) fn random_point(random: &mut Random) -> Vector {
    vector(random.point(-10.0, 10.0))
}

pub(crate) fn random_unit(random: &mut Random) -> Vector {
    unit(vector(random.direction()))
}

/// Turned around a unit axis by an angle in radians (Rodrigues' formula).
pub(crate) fn turned(v: Vector, axis: Vector, angle: f64) -> Vector {
    let (sine, cosine) = angle.sin_cos();
    let along = times(dot(axis, v) * (1.0 - cosine), axis);
    plus(plus(times(cosine, v), times(sine, cross(axis, v))), along)
}

/// All rays of a maker.
pub(crate) fn all(maker: &dyn Maker<Ray>) -> Vec<Ray> {
    let mut rays = vec![Ray::new([f32::NAN; 3], [f32::NAN; 3]); maker.len()];
    maker.make(0, &mut rays);
    rays
}

/// Fails unless the numbers are what rounding to `f32` once leaves of the others, and a few
/// roundings of `f64`.
#[track_caller]
pub(crate) fn assert_rounded(found: [f32; 3], expected: Vector, what: &str) {
    for axis in 0..3 {
        let size = length(expected).max(f64::MIN_POSITIVE);
        let off = (f64::from(found[axis]) - expected[axis]).abs() - expected[axis].abs() * 6e-8;
        assert!(off <= 1e-13 * size, "{what}: {found:?} instead of {expected:?}");
    }
}

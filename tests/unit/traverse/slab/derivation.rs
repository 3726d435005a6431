//! What the derivation at [`AabbBlock`](crate::tree::AabbBlock) asks of rays that are made ready,
//! in `f64`.

use crate::math::{UNIT_ROUNDOFF, longest_axis};
use crate::tree::aabb_block::{ENDLESS, SLACK};
use crate::value::{GROUP, Ray};

/// Rays along axes, nearly along axes, from far away and of lengths far from 1, as many as a group
/// at most.
pub(super) fn hazards() -> Vec<Ray> {
    let numbers = [1.0_f32, -3.0, 0.0, 1e-30, -1e30, 2.5e-9, 4e-8];
    let mut rays = Vec::new();
    for (place, x) in numbers.into_iter().enumerate() {
        for y in numbers {
            let z = numbers[(place + 2) % numbers.len()];
            rays.push(Ray::new([y, x, z], [x, y, z]).with_interval(-2.0, x.abs() + 7.0));
        }
    }
    rays.retain(|ray| ray.find_defect().is_none());
    assert!(rays.len() > 30 && rays.len() <= GROUP);
    rays
}

/// Asserts that offsets for near and for far planes and reciprocals are what they must be, and
/// planes not moved farther than need be.
///
/// Components of the direction up to `zero` times the unit roundoff of the longest must count as
/// zero. The origin may be taken to be as far from 0 as `farthest`.
pub(super) fn assert_moved_outwards(
    ray: &Ray,
    anchor: [f32; 3],
    [near_offset, far_offset, inverse]: [[f32; 3]; 3],
    [zero, farthest]: [f32; 2],
) {
    let longest = longest_axis(ray.direction.map(f32::abs));
    let length = ray.direction[longest].abs();
    let reach = |axis: usize| f64::from((ray.origin[axis] - anchor[axis]).abs());
    for axis in 0..3 {
        let (direction, inverse) = (ray.direction[axis], inverse[axis]);
        assert_eq!(inverse < 0.0, direction < 0.0, "{ray:?}");
        let counts_as_zero = direction.abs() <= zero * UNIT_ROUNDOFF * length;
        let least_inverse = if counts_as_zero { 0.999 * ENDLESS / length } else { 0.0 };
        assert!(
            inverse.abs() >= least_inverse && inverse.abs() <= 1.001 * ENDLESS / length,
            "{ray:?}"
        );
        assert!(counts_as_zero || inverse == 1.0 / direction, "{ray:?}");
        let inverse = f64::from(inverse);
        let origin = f64::from(ray.origin[axis]);
        // A little of the slack, twice of what is needed, may be lost as offsets are rounded; the
        // product with a plane may be rounded too.
        let least = 0.9 * f64::from(SLACK) * (reach(axis) + reach(longest))
            + f64::from(UNIT_ROUNDOFF) * origin.abs();
        let near = (-f64::from(near_offset[axis]) / inverse - origin) * inverse.signum();
        let far = (origin + f64::from(far_offset[axis]) / inverse) * inverse.signum();
        assert!(near >= least && far >= least, "{ray:?}: {near:e}, {far:e}, {least:e}");
        let most = 4.0 * f64::from(SLACK) * (0..3).map(reach).fold(0.0, f64::max)
            + 16.0 * f64::from(UNIT_ROUNDOFF) * f64::from(farthest)
            + 4.0 * f64::from(f32::MIN_POSITIVE);
        assert!(near <= most && far <= most, "{ray:?}: {near:e}, {far:e}, {most:e}");
    }
}

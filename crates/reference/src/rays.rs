//! Rays: aimed, at random, and with defects.

use crate::random::Random;
use crate::vector::{Vector, length, minus, plus, rounded, times, vector};
use lanecast::{Aabb, Ray, Scalar, Status};

/// A ray from `origin` that is at `target` at t = 1, or as near as rounding lets it, shortened by a
/// power of two; `None` if that is no ray.
pub fn aimed(origin: [f32; 3], target: [f32; 3], [t_min, t_max]: [f32; 2]) -> Option<Ray> {
    let direction = std::array::from_fn(|axis| target[axis] - origin[axis]);
    let ray = Ray { origin, direction, t_min, t_max };
    ray.defect().is_none().then_some(ray)
}

/// Rays with something wrong with them, each with the finding it should lead to.
pub fn defective() -> Vec<(Ray, Status)> {
    let sound = Ray::new([0.0, 0.0, -5.0], [0.0, 0.0, 1.0]);
    let mut rays = Vec::new();
    for axis in 0..3 {
        for bad in [f32::NAN, -f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let (mut origin, mut direction) = (sound.origin, sound.direction);
            (origin[axis], direction[axis]) = (bad, bad);
            rays.push((Ray { origin, ..sound }, Status::InvalidOrigin));
            rays.push((Ray { direction, ..sound }, Status::InvalidDirection));
        }
        for too_large in [1.2676508e30, f32::MAX, -f32::MAX] {
            let mut origin = sound.origin;
            origin[axis] = too_large;
            rays.push((Ray { origin, ..sound }, Status::InvalidOrigin));
        }
        for unfit in [1e-45, 7.8e-31, 1.2676508e30, -f32::MAX, f32::MIN_POSITIVE] {
            let mut direction = [0.0, -0.0, 0.0];
            direction[axis] = unfit;
            rays.push((Ray { direction, ..sound }, Status::DirectionOutOfRange));
        }
    }
    for direction in [[0.0; 3], [-0.0; 3], [0.0, -0.0, 0.0]] {
        rays.push((Ray { direction, ..sound }, Status::ZeroDirection));
    }
    for [t_min, t_max] in [[f32::NAN, 1.0], [0.0, f32::NAN], [f32::NAN, f32::NAN]] {
        rays.push((sound.with_interval(t_min, t_max), Status::InvalidInterval));
    }
    for [t_min, t_max] in
        [[1.0, 0.5], [f32::INFINITY, 0.0], [1.0, f32::NEG_INFINITY], [0.0, -1e-45]]
    {
        rays.push((sound.with_interval(t_min, t_max), Status::EmptyInterval));
    }
    rays
}

/// The ray's interval in `f64`.
pub fn interval(ray: &Ray) -> [f64; 2] {
    [f64::from(ray.t_min), f64::from(ray.t_max)]
}

/// The length of a box from corner to corner.
pub fn diagonal<T: Scalar>(bounds: &Aabb<T>) -> f64 {
    if bounds.is_empty() { 0.0 } else { length(minus(vector(bounds.max), vector(bounds.min))) }
}

/// The middle of a box.
pub fn center<T: Scalar>(bounds: &Aabb<T>) -> Vector {
    times(0.5, plus(vector(bounds.min), vector(bounds.max)))
}

/// Rays from random points of a box towards other random points of it. `t` is 1 at the second point
/// and does not end there.
pub fn random_rays(bounds: &Aabb, count: usize, seed: u64) -> Vec<Ray> {
    let mut random = Random::new(seed);
    (0..count)
        .map(|_| {
            let [start, end] =
                [(); 2].map(|()| random.within([bounds.min, bounds.max].map(vector)));
            Ray::new(rounded(start), rounded(minus(end, start)))
        })
        .collect()
}

//! Nests at random, and rays at what is in them.

use crate::instances::RAYS;
use lanecast::Ray;
use lanecast_reference::nests::{Nest, Placed};
use lanecast_reference::random::Random;

/// Rays at what is there, past it, from far away, along axes, and some that cannot be cast.
pub(crate) fn rays_at(triangles: &[Placed], random: &mut Random) -> Vec<Ray> {
    (0..RAYS)
        .map(|_| {
            let far = random.pick(&[3.0, 3.0, 30.0, 3e4]);
            let origin = random.point(-far, far);
            let Placed { corners: [a, b, c], .. } = &triangles[random.below(triangles.len())];
            let [u, v] = random.pick(&[[0.0, 0.0], [0.5, 0.0], [0.25, 0.5], [0.3, 0.3]]);
            let target: [f64; 3] =
                std::array::from_fn(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]));
            let scale = random.pick(&[1.0, 0.01, 40.0]);
            let ray =
                Ray::new(origin, std::array::from_fn(|axis| scale * (target[axis] as f32 - origin[axis])));
            match random.below(12) {
                0 => Ray { direction: [0.0; 3], ..ray },
                1 => Ray::new(random.point(-2.0, 2.0), random.direction()),
                2 => Ray::new(
                    random.point(-2.0, 2.0),
                    random.pick(&[[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 2.0]]),
                ),
                3 => Ray::line(origin, ray.direction),
                4 => ray.with_interval(0.5 / scale, 1.0 / scale),
                5 => ray.with_interval(f32::NAN, 1.0),
                _ => ray,
            }
        })
        .collect()
}

pub(crate) fn drawn(seed: u64) -> (Nest, Vec<Ray>) {
    let mut random = Random::new(seed);
    let nest = Nest::drawn(1 + seed as u32 % 3, &mut random);
    let rays = rays_at(&nest.triangles, &mut random);
    (nest, rays)
}

pub(crate) fn reach(ray: &Ray) -> f32 {
    ray.origin.iter().fold(0.0, |most, x| x.abs().max(most))
}

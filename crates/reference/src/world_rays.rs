//! Rays at all that a random world holds.

use crate::placed::shape::Shape;
use crate::random::Random;
use crate::random_worlds::RandomWorld;
use crate::vector::{Numbers, Vector, plus, times};
use lanecast::Ray;

/// A point on a triangle, or on the surface of what has an inside or within.
pub fn point_of(shape: Shape, random: &mut Random) -> Vector {
    let (first, axes, weights) = match shape {
        Shape::Triangle([a, b, c]) => {
            let [u, v] = random.pick(&[[0.3, 0.3], [0.1, 0.8], [0.6, 0.2]]);
            return plus(times(1.0 - u - v, a), plus(times(u, b), times(v, c)));
        }
        Shape::Ellipsoid(middle, half) => (middle, half, random.direction()),
        Shape::Parallelepiped(middle, half) => (middle, half, random.point(-1.0, 1.0)),
    };
    let on = |point, axis: usize| plus(point, times(f64::from(weights[axis]), axes[axis]));
    (0..3).fold(first, on)
}

/// A point of something.
pub fn target<T: Numbers>(world: &RandomWorld<T>, random: &mut Random) -> [T; 3] {
    point_of(world.things[random.below(world.things.len())].shape, random).map(T::nearest)
}

/// Rays from outside, from inside, from far away, and along axes; some of them lines, some with
/// ends.
pub fn rays_at(world: &RandomWorld, count: usize, random: &mut Random) -> Vec<Ray> {
    (0..count).map(|number| ray_at(world, number, random)).collect()
}

fn ray_at(world: &RandomWorld, number: usize, random: &mut Random) -> Ray {
    let at = target(world, random);
    let origin = match number % 6 {
        0 => target(world, random),
        1 => random.point(-30.0, 30.0),
        2 => random.point(-300.0, 300.0),
        _ => random.point(-3.0, 3.0),
    };
    let scale = random.pick(&[1.0, 1.0, 0.01, 40.0]);
    let towards: [f32; 3] = std::array::from_fn(|axis| scale * (at[axis] - origin[axis]));
    let ray = match random.below(10) {
        0 | 1 => {
            let axis = random.below(3);
            let (mut origin, mut direction) = (at, random.pick(&[[0.0; 3], [-0.0; 3]]));
            origin[axis] += random.pick(&[-4.0, 0.0, 4.0]);
            direction[axis] = random.pick(&[-1.0, 1.0, 3.0]);
            Ray::new(origin, direction)
        }
        2 => Ray::new(origin, random.direction()),
        _ => Ray::new(origin, towards),
    };
    let ray = match random.below(8) {
        0 | 1 => Ray::line(ray.origin, ray.direction),
        2 => ray.with_interval(0.5 / scale, 1.3 / scale),
        3 => ray.with_interval(-1.0 / scale, 1.1 / scale),
        4 => ray.with_interval(f32::NEG_INFINITY, 0.7 / scale),
        _ => ray,
    };
    // From a target that is drawn twice nothing leads to itself.
    if ray.defect().is_some() { Ray::new(origin, [0.0, 0.0, 1.0]) } else { ray }
}

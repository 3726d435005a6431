//! Directions over a surface, as light comes from an even sky.

use crate::vector::{Vector, add, scale, tangents};
use std::f64::consts::TAU;

/// A direction over the surface with the unit normal `normal`, of length 1. For `u` and `v` spread
/// evenly from 0 to 1 the directions are spread as the cosine with the normal (Malley's method: even
/// on the disc below, lifted to the sphere).
pub(crate) fn hemisphere_direction(normal: Vector, [u, v]: [f64; 2]) -> Vector {
    let [x, y] = tangents(normal);
    let (radius, angle) = (u.sqrt(), TAU * v);
    let flat = add(scale(x, radius * angle.cos()), scale(y, radius * angle.sin()));
    add(flat, scale(normal, (1.0 - u).max(0.0).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::{dot, length};

    #[test]
    fn directions_have_length_one_and_stay_above_the_surface() {
        let normal = [0.6, 0.0, 0.8];
        for u in [0.0, 0.25, 0.999] {
            for v in [0.0, 0.4, 0.9] {
                let direction = hemisphere_direction(normal, [u, v]);
                assert!((length(direction) - 1.0).abs() < 1e-12);
                assert!((dot(direction, normal) - (1.0 - u).sqrt()).abs() < 1e-12);
            }
        }
    }
}

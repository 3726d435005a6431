//! A camera without a lens: every ray starts at the eye and goes through a point of the picture.

use super::{center, ray};
use crate::vector::{Vector, add, cross, dot, from_f32, length, scale, sub, tangents, unit};
use lanecast::{Aabb, Ray};

/// Where a camera stands and what it sees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pinhole {
    eye: Vector,
    forward: Vector,
    right: Vector,
    up: Vector,
    /// Half the picture's width and height at distance 1.
    half: [f64; 2],
    size: [u32; 2],
}

impl Pinhole {
    /// A camera at `eye` that looks at `target`, `up` being up in the picture, with a vertical field
    /// of view in degrees. Where `up` is along the line of sight, any direction is as good.
    pub(crate) fn new(eye: Vector, target: Vector, up: Vector, fov: f64, size: [u32; 2]) -> Self {
        let forward = unit(sub(target, eye));
        let right = match cross(forward, unit(up)) {
            side if length(side) > 1e-9 => unit(side),
            _ => tangents(forward)[0],
        };
        let tall = (fov.to_radians() / 2.0).tan();
        let half = [tall * f64::from(size[0]) / f64::from(size[1]), tall];
        Self { eye, forward, right, up: cross(right, forward), half, size }
    }

    /// A camera that sees the whole of a box from the direction `from`, as near as that allows.
    pub(crate) fn fitted(bounds: &Aabb, from: Vector, up: Vector, fov: f64, size: [u32; 2]) -> Self {
        /// How much of the picture the box may fill.
        const FILL: f64 = 0.94;
        let (min, max) = (from_f32(bounds.min), from_f32(bounds.max));
        let center = center(bounds);
        let from = unit(from);
        let camera = Self::new(add(center, from), center, up, fov, size);
        // A corner is in the picture if its offset sideways is within the half width at its depth.
        let mut distance = 0.0_f64;
        for corner in 0..8 {
            let corner =
                std::array::from_fn(|axis| if corner >> axis & 1 == 0 { min[axis] } else { max[axis] });
            let offset = sub(corner, center);
            for (side, half) in [camera.right, camera.up].into_iter().zip(camera.half) {
                distance = distance.max(dot(offset, side).abs() / (half * FILL) + dot(offset, from));
            }
        }
        let distance = if distance > 0.0 { distance } else { 1.0 };
        Self { eye: add(center, scale(from, distance)), ..camera }
    }

    pub(crate) fn eye(&self) -> Vector {
        self.eye
    }

    pub(crate) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The ray through a point of the picture, in pixels from its upper left corner. Its direction
    /// has length 1.
    pub(crate) fn ray(&self, [x, y]: [f64; 2]) -> Ray {
        let across = (2.0 * x / f64::from(self.size[0]) - 1.0) * self.half[0];
        let upward = (1.0 - 2.0 * y / f64::from(self.size[1])) * self.half[1];
        let direction = add(self.forward, add(scale(self.right, across), scale(self.up, upward)));
        ray(self.eye, unit(direction))
    }

    /// Where a point appears in the picture, in pixels, and its distance from the eye; `None` if it
    /// lies behind.
    pub(crate) fn project(&self, point: Vector) -> Option<([f64; 2], f64)> {
        let offset = sub(point, self.eye);
        let depth = dot(offset, self.forward);
        if depth <= 0.0 {
            return None;
        }
        let across = dot(offset, self.right) / (depth * self.half[0]);
        let upward = dot(offset, self.up) / (depth * self.half[1]);
        let [width, height] = self.size.map(f64::from);
        Some(([(across + 1.0) / 2.0 * width, (1.0 - upward) / 2.0 * height], length(offset)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT_BOX: Aabb = Aabb { min: [0.0; 3], max: [1.0; 3] };

    #[test]
    fn a_fitted_camera_sees_every_corner_and_wastes_little() {
        let camera = Pinhole::fitted(&UNIT_BOX, [0.5, -1.0, 0.6], [0.0, 0.0, 1.0], 40.0, [320, 200]);
        let mut reach = 0.0_f64;
        for corner in 0..8_u32 {
            let corner = std::array::from_fn(|axis| f64::from(corner >> axis & 1));
            let ([x, y], _) = camera.project(corner).expect("in front of the camera");
            assert!((0.0..=320.0).contains(&x) && (0.0..=200.0).contains(&y));
            reach = reach.max((x / 160.0 - 1.0).abs()).max((y / 100.0 - 1.0).abs());
        }
        assert!(reach > 0.9);
    }

    #[test]
    fn projecting_undoes_a_ray() {
        let camera = Pinhole::new([3.0, -2.0, 1.0], [0.0; 3], [0.0, 0.0, 1.0], 50.0, [64, 48]);
        let point = camera.ray([10.25, 40.5]).at(2.0);
        let ([x, y], distance) = camera.project(from_f32(point)).expect("in front of the camera");
        assert!((x - 10.25).abs() < 1e-4 && (y - 40.5).abs() < 1e-4 && (distance - 2.0).abs() < 1e-6);
    }

    #[test]
    fn looking_along_up_still_gives_a_picture() {
        let camera = Pinhole::new([0.0, 0.0, 5.0], [0.0; 3], [0.0, 0.0, 1.0], 50.0, [4, 4]);
        assert_eq!(camera.ray([1.0, 1.0]).defect(), None);
    }
}

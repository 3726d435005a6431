//! A camera without a lens: every ray starts at the eye and goes through a point of the picture.

use super::ray;
use crate::vector::{Vector, add, cross, dot, length, scale, sub, tangents, unit};
use lanecast::Ray;

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

    /// A camera that sees all of `points` from the direction `from`, as near as that allows.
    ///
    /// A point at depth `d` before the middle and `l` to a side is within the half width `h` of a
    /// camera at distance `D`, moved sideways by `s`, if `|l − s| ≤ (D − d) h`. So `D h + s` must
    /// reach the greatest `l + d h`, and `D h − s` the greatest `d h − l`.
    pub(crate) fn fitted(
        points: impl Iterator<Item = Vector>,
        from: Vector,
        up: Vector,
        fov: f64,
        size: [u32; 2],
    ) -> Self {
        /// How much of the picture the points may fill.
        const FILL: f64 = 0.92;
        let from = unit(from);
        let camera = Self::new(from, [0.0; 3], up, fov, size);
        let sides = [(camera.right, FILL * camera.half[0]), (camera.up, FILL * camera.half[1])];
        let mut reach = [[f64::NEG_INFINITY; 2]; 2];
        let mut nearest = f64::NEG_INFINITY;
        for point in points {
            let depth = dot(point, from);
            nearest = nearest.max(depth);
            for ([ahead, behind], (side, half)) in reach.iter_mut().zip(sides) {
                let (across, slope) = (dot(point, side), depth * half);
                *ahead = ahead.max(slope + across);
                *behind = behind.max(slope - across);
            }
        }
        let mut eye = [0.0; 3];
        let mut distance = f64::NEG_INFINITY;
        for ([ahead, behind], (side, half)) in reach.into_iter().zip(sides) {
            eye = add(eye, scale(side, (ahead - behind) / 2.0));
            distance = distance.max((ahead + behind) / (2.0 * half));
        }
        // Points all in one place have no size to keep away from.
        let distance = if distance > nearest { distance } else { nearest + 1.0 };
        Self { eye: add(eye, scale(from, distance)), ..camera }
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
    use crate::vector::from_f32;

    #[test]
    fn a_fitted_camera_sees_every_point_and_wastes_little() {
        let corners = (0..8_u32).map(|corner| std::array::from_fn(|axis| f64::from(corner >> axis & 1)));
        let camera = Pinhole::fitted(corners.clone(), [0.5, -1.0, 0.6], [0.0, 0.0, 1.0], 40.0, [320, 200]);
        let places: Vec<_> = corners.map(|corner| camera.project(corner).expect("in front").0).collect();
        assert!(places.iter().all(|[x, y]| (0.0..=320.0).contains(x) && (0.0..=200.0).contains(y)));
        // The picture is wider than the cube, so the cube touches both margins above and below.
        let lowest = places.iter().fold(0.0_f64, |lowest, [_, y]| lowest.max(*y));
        let highest = places.iter().fold(200.0_f64, |highest, [_, y]| highest.min(*y));
        assert!((lowest - 192.0).abs() < 1e-9 && (highest - 8.0).abs() < 1e-9, "{highest} {lowest}");
    }

    #[test]
    fn a_single_point_is_seen_from_a_distance() {
        let camera = Pinhole::fitted([[5.0; 3]].into_iter(), [0.0, -1.0, 0.0], [0.0, 0.0, 1.0], 40.0, [8, 8]);
        assert_eq!(camera.project([5.0; 3]).map(|(_, distance)| distance), Some(1.0));
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

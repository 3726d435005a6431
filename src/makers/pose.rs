//! Positions and rotations over time.

use super::checks::Asked;
use super::vector::{Vector, add, cross, scale, sub};
use crate::error::Result;

/// A position and a rotation at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The time in seconds, from any origin.
    pub time: f64,
    /// The position.
    pub position: [f64; 3],
    /// The rotation from its own axes to those of the scene: a quaternion x, y, z, w, of any length but zero.
    pub rotation: [f64; 4],
}

impl Pose {
    /// Upright at a position, at time 0.
    pub const fn standing(position: [f64; 3]) -> Self {
        Self { time: 0.0, position, rotation: [0.0, 0.0, 0.0, 1.0] }
    }

    /// A direction in its own axes, carried to the axes of the scene; the rotation's length must be 1.
    pub(super) fn turned(&self, direction: Vector) -> Vector {
        let [x, y, z, w] = self.rotation;
        let axis = [x, y, z];
        // d + 2 a × (a × d + w d)
        let inner = add(cross(axis, direction), scale(direction, w));
        add(direction, scale(cross(axis, inner), 2.0))
    }
}

/// Poses in the order of time, with rotations of length 1.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Path(Vec<Pose>);

impl Path {
    /// Refuses poses, the field `poses` of a maker, if there are none, one is unusable, or they are not in order.
    pub(super) fn new(asked: Asked, poses: &[Pose]) -> Result<Self> {
        let mut path = Vec::with_capacity(poses.len());
        if poses.is_empty() {
            return asked.refuse("poses", "are none; there must be one at least");
        }
        for (number, pose) in poses.iter().enumerate() {
            asked.point("poses", pose.position)?;
            let [x, y, z, w] = pose.rotation;
            let length = (x * x + y * y + z * z + w * w).sqrt();
            if !(1e-100..=1e100).contains(&length) {
                let rotation = pose.rotation;
                return asked.refuse("poses", format!("have {rotation:?} at {number}, which is no rotation"));
            }
            let before = path.last().map_or(f64::NEG_INFINITY, |pose: &Pose| pose.time);
            if !(pose.time.is_finite() && pose.time > before) {
                let time = pose.time;
                return asked.refuse("poses", format!("have the time {time} at {number}, after {before}"));
            }
            path.push(Pose { rotation: pose.rotation.map(|x| x / length), ..*pose });
        }
        Ok(Self(path))
    }

    /// The interval of time that the poses cover; all times if there is one pose.
    pub(super) fn times(&self) -> [f64; 2] {
        match self.0.as_slice() {
            [first, .., last] => [first.time, last.time],
            _ => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }

    /// The pose at a time within [`times`](Self::times): positions on straight lines, turning evenly.
    pub(super) fn at(&self, time: f64) -> Pose {
        let next = self.0.partition_point(|pose| pose.time <= time);
        let Some((a, b)) = next.checked_sub(1).and_then(|last| Some((self.0[last], *self.0.get(next)?)))
        else {
            // The only one, or the last.
            return Pose { time, ..self.0[next.saturating_sub(1)] };
        };
        let part = (time - a.time) / (b.time - a.time);
        let position = add(a.position, scale(sub(b.position, a.position), part));
        Pose { time, position, rotation: between(a.rotation, b.rotation, part) }
    }
}

/// Part of the way from one rotation to another, the short way round at an even speed (Shoemake, "Animating Rotation
/// with Quaternion Curves", SIGGRAPH 1985).
fn between(a: [f64; 4], b: [f64; 4], part: f64) -> [f64; 4] {
    let cosine: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    // A rotation and its negative are the same.
    let (sign, cosine) = if cosine < 0.0 { (-1.0, -cosine) } else { (1.0, cosine) };
    let [from, to] = if cosine > 1.0 - 1e-9 {
        // The angle is too small to divide by its sine, and the straight line is the arc.
        [1.0 - part, part]
    } else {
        let angle = libm::acos(cosine);
        let sine = libm::sin(angle);
        [libm::sin((1.0 - part) * angle) / sine, libm::sin(part * angle) / sine]
    };
    let blend: [f64; 4] = std::array::from_fn(|i| from * a[i] + sign * to * b[i]);
    let length = blend.iter().map(|x| x * x).sum::<f64>().sqrt();
    blend.map(|x| x / length)
}

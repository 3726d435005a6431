//! Where a maker is over time: poses, and how it moves between them and on from them.

use crate::common::*;

/// A position and a rotation at a time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The time in seconds, from any origin.
    pub time: f64,
    /// The position.
    pub position: [f64; 3],
    /// The rotation from its own axes to those of the scene: a quaternion x, y, z, w, of any length
    /// but zero.
    pub rotation: [f64; 4],
}

impl Pose {
    /// Upright at a position, at time 0.
    pub const fn standing(position: [f64; 3]) -> Self {
        Self { time: 0.0, position, rotation: [0.0, 0.0, 0.0, 1.0] }
    }

    /// A direction in its own axes, carried to the axes of the scene; the rotation's length must
    /// be 1.
    #[inline(always)]
    pub(crate) fn turned(&self, direction: Vector) -> Vector {
        let [x, y, z, w] = self.rotation;
        let axis = [x, y, z];
        // d + 2 a × (a × d + w d)
        let inner = add(cross(axis, direction), scale(direction, w));
        add(direction, scale(cross(axis, inner), 2.0))
    }
}

/// The way of what is carried along poses, or moves on from one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Way {
    /// In the order of time, with rotations of length 1.
    pub(crate) poses: Vec<Pose>,
    /// How a single pose moves: the velocity, and degrees a second around its z.
    velocity: Vector,
    yaw_rate: f64,
}

impl Way {
    /// Upright at the origin.
    pub(crate) fn standing() -> Self {
        Self { poses: vec![Pose::standing([0.0; 3])], velocity: [0.0; 3], yaw_rate: 0.0 }
    }

    /// Checks poses, and gives rotations the length 1.
    pub(crate) fn along(self, asked: Asked, poses: &[Pose]) -> Result<Self> {
        ensure!(!poses.is_empty(), asked, "poses", "are none; there must be one at least");
        let mut before = f64::NEG_INFINITY;
        let checked = |(row, pose): (usize, &Pose)| {
            let &Pose { time, position, rotation } = pose;
            let refused = |problem| asked.row("poses", row, problem);
            if asked.point("position", position).is_err() {
                return Err(refused(format!(
                    "the position is {position:?}; it must be finite and at most 2^100 in magnitude"
                )));
            }
            let length = length(rotation);
            if !(1e-100..=1e100).contains(&length) {
                return Err(refused(format!("the quaternion {rotation:?} is no rotation")));
            }
            if !time.is_finite() {
                return Err(refused(format!("the time is {time}; times must be finite")));
            }
            if time <= before {
                return Err(refused(format!(
                    "the time {time} follows {before}; times must ascend"
                )));
            }
            before = time;
            Ok(Pose { time, position, rotation: rotation.map(|x| x / length) })
        };
        let poses = poses.iter().enumerate().map(checked).collect::<Result<_>>()?;
        Ok(Self { poses, ..self })
    }

    /// Checks that there are poses from one time to another.
    pub(crate) fn covers(&self, asked: Asked, [first, last]: [f64; 2]) -> Result<()> {
        if let [Pose { time: from, .. }, .., Pose { time: to, .. }] = self.poses[..] {
            let found = format_args!("are for {from} to {to} s");
            let covers = from <= first && last <= to;
            ensure!(covers, asked, "poses", "{found}, but it fires from {first} to {last} s");
        }
        Ok(())
    }

    /// The way of a single pose that moves on, and that has a place at these times.
    pub(crate) fn moving(
        self,
        asked: Asked,
        velocity: Vector,
        yaw_rate: f64,
        times: [f64; 2],
    ) -> Result<Self> {
        let poses = self.poses.len();
        ensure!(poses == 1, asked, "velocity", "is for a scanner with one pose; there are {poses}");
        ensure!(yaw_rate.is_finite(), asked, "yaw_rate", "is {yaw_rate}; it must be finite");
        asked.point("velocity", velocity)?;
        let way = Self { velocity, yaw_rate, ..self };
        for time in times {
            asked.point("velocity", way.at(time).position)?;
        }
        Ok(way)
    }

    /// The pose at a time for which there are poses.
    pub(crate) fn at(&self, time: f64) -> Pose {
        let next = self.poses.partition_point(|pose| pose.time <= time);
        if let ([.., a], [b, ..]) = self.poses.split_at(next) {
            let part = (time - a.time) / (b.time - a.time);
            let position = add(a.position, scale(sub(b.position, a.position), part));
            return Pose { time, position, rotation: between(a.rotation, b.rotation, part) };
        }
        // The only one, or the last.
        let pose = self.poses[next.saturating_sub(1)];
        if self.velocity == [0.0; 3] && self.yaw_rate == 0.0 {
            return Pose { time, ..pose };
        }
        let passed = time - pose.time;
        let position = add(pose.position, scale(self.velocity, passed));
        let (sine, cosine) = libm::sincos((0.5 * self.yaw_rate * passed).to_radians());
        let [x, y, z, w] = pose.rotation;
        // The product of the rotation and (0, 0, sine, cosine).
        let rotation = [
            x * cosine + y * sine,
            y * cosine - x * sine,
            z * cosine + w * sine,
            w * cosine - z * sine,
        ];
        Pose { time, position, rotation }
    }
}

/// A part of the short way from one rotation to another (Shoemake, "Animating Rotation with
/// Quaternion Curves", 1985).
fn between(a: [f64; 4], b: [f64; 4], part: f64) -> [f64; 4] {
    let cosine: f64 = (0..4).map(|i| a[i] * b[i]).sum();
    // A rotation and its negative are the same.
    let (sign, cosine) = if cosine < 0.0 { (-1.0, -cosine) } else { (1.0, cosine) };
    // Where the angle is too small to divide by its sine, the straight line is the arc.
    let angle = if cosine > 1.0 - 1e-9 { 0.0 } else { libm::acos(cosine) };
    let sine = libm::sin(angle);
    let share = |x: f64| if angle == 0.0 { x } else { libm::sin(x * angle) / sine };
    let [from, to] = [share(1.0 - part), share(part)];
    let blend: [f64; 4] = std::array::from_fn(|i| from * a[i] + sign * to * b[i]);
    let length = length(blend);
    blend.map(|x| x / length)
}

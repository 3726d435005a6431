//! Where a line goes through a solid: what brute force finds of all that has an inside.
//!
//! The engine answers in `f64`, and for `f32` rounds `t` once. So does this, by other steps, and
//! says how far apart the two may be.

use super::Passage;
use crate::vector::{Numbers, Vector, length, times};
use lanecast::Side;

/// Where a line enters a solid and where it leaves it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chord {
    /// Each as the least and the greatest `t` that rounding to `f64` leaves possible.
    pub ends: [[f64; 2]; 2],
    /// The normals at both ends, outwards, if it is known which face has them.
    pub normals: [Option<(Vector, f64)>; 2],
    /// Whether the line meets the solid for certain; if not, it passes its edge by less than
    /// rounding may do.
    pub is_certain: bool,
}

impl Chord {
    /// The same with what the engine tells of it: `t` in its precision.
    pub fn passages<T: Numbers>(&self) -> [Passage; 2] {
        [0, 1].map(|end| {
            let ([least, greatest], side) = (self.ends[end], [Side::Front, Side::Back][end]);
            let [t, fine] = if least.is_finite() && greatest.is_finite() {
                [0.5 * (least + greatest), 0.5 * (greatest - least)]
            } else {
                [0.0, f64::INFINITY]
            };
            let t_error = 1.01 * (fine + T::ROUNDOFF * t.abs()) + T::LEAST;
            let (weights, weight_errors, normal) = ([0.0; 2], [0.0; 2], self.normals[end]);
            Passage { t, t_error, weights, weight_errors, crosses: true, side, normal }
        })
    }
}

/// What the docs of `lanecast::primitive::RoundCone` and `lanecast::primitive::Cylinder` allow, of
/// the sum of the lengths that they name.
const ALLOWED: f64 = 1.0 / (1_u64 << 40) as f64;

/// Where the signed distance from a convex solid, by points as seen from the ray's origin, is as
/// far from 0 as the engine's surface may be off: of a solid of this size, no part of which is
/// farther than `far` and the size away. It has no normals yet.
pub fn by_distance(
    distance: impl Fn(Vector) -> f64,
    size: f64,
    far: f64,
    direction: Vector,
) -> Option<Chord> {
    let off = ALLOWED * (size + far);
    let of = |t: f64| distance(times(t, direction));
    // All of it is between these, in units of t.
    let speed = length(direction);
    let (mut low, mut high) = (-2.0 * (far + size) / speed, 2.0 * (far + size) / speed);
    let [first, last] = [low, high];
    for _ in 0..300 {
        let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
        if of(a) <= of(b) { high = b } else { low = a }
    }
    let middle = 0.5 * (low + high);
    let least = of(middle);
    if least > off {
        return None;
    }
    // The place between the middle and an end where the distance passes a value; the middle if it
    // never does.
    let pass = |end: f64, value: f64| {
        if least > value {
            return middle;
        }
        let (mut inside, mut outside) = (middle, end);
        for _ in 0..200 {
            let between = 0.5 * (inside + outside);
            if of(between) <= value { inside = between } else { outside = between }
        }
        0.5 * (inside + outside)
    };
    let rounding = 4.0 * ALLOWED * (size + far) / speed;
    let bracket = |end: f64| {
        let [a, b] = [pass(end, off), pass(end, -off)];
        [a.min(b) - rounding, a.max(b) + rounding]
    };
    let mut ends = [bracket(first), bracket(last)];
    if least > -off {
        // It is met anywhere between, or not.
        ends = [[ends[0][0], ends[1][1]]; 2];
    }
    Some(Chord { ends, normals: [None; 2], is_certain: least < -off })
}

//! The axes of a camera.

use super::checks::Asked;
use super::vector::{Vector, cross, length, sub, tangents, unit};
use crate::error::Result;

/// Unit vectors perpendicular to each other.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    pub(super) forward: Vector,
    pub(super) right: Vector,
    pub(super) up: Vector,
}

impl View {
    /// The axes of a view from `eye` to `target`. If `up` is along the line of sight, upwards is some direction
    /// perpendicular to it.
    pub(super) fn at(asked: Asked, eye: Vector, target: Vector, up: Vector) -> Result<Self> {
        let (eye, target) = (asked.point("eye", eye)?, asked.point("target", target)?);
        if eye == target {
            return asked.refuse("target", format!("is where the eye is, at {eye:?}"));
        }
        let up = unit(asked.direction("up", up)?);
        Ok(Self::along(asked.direction("target", sub(target, eye))?, up))
    }

    /// The axes of a view in a direction that is not zero; `up` has length 1.
    pub(super) fn along(forward: Vector, up: Vector) -> Self {
        let forward = unit(forward);
        let right = match cross(forward, up) {
            side if length(side) > 1e-9 => unit(side),
            _ => tangents(forward)[0],
        };
        Self { forward, right, up: cross(right, forward) }
    }
}

//! Affine maps, and what is rounded on the way into the frames that they lead from.

use super::shape::own_axes;
use crate::vector::{ROUNDOFF, Vector, cross, dot, length, plus};
use lanecast::Affine;

/// Where a point comes to lie.
pub fn carried(map: &Affine, point: Vector) -> Vector {
    let moved_by = map.rows().map(|row| row[3]);
    plus(carried_vector(map, point), moved_by)
}

/// What becomes of a direction.
pub fn carried_vector(map: &Affine, vector: Vector) -> Vector {
    map.rows().map(|[x, y, z, _]| dot([x, y, z], vector))
}

/// What becomes of a normal, of another length; a map that mirrors turns it round, as it does the
/// corners of a triangle.
pub fn carried_normal(map: &Affine, normal: Vector) -> Vector {
    let [x, y, z] = map.rows().map(|[x, y, z, _]| [x, y, z]);
    [cross(y, z), cross(z, x), cross(x, y)].map(|row| dot(row, normal))
}

/// How much three columns stretch what they stretch least, and most.
pub fn stretches(columns: [Vector; 3]) -> [f64; 2] {
    let squares = own_axes(columns).0;
    [f64::min, f64::max]
        .map(|pick| squares.into_iter().reduce(pick).expect("three").max(0.0).sqrt())
}

/// How far a line may be off in the frame of an instance in instances: the engine rounds it to
/// `f32` in each of the frames on its way there.
#[derive(Debug, Clone)]
pub struct Blur {
    /// How much the way into each frame stretches at most, and how far away that frame's zero is;
    /// outermost first.
    frames: Vec<[f64; 2]>,
    /// How much the way back through all of them stretches at most.
    stretch: f64,
}

impl Blur {
    /// Of these maps, outermost first.
    pub fn of(maps: &[Affine]) -> Self {
        let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let columns = |map: &Affine| {
            let rows = map.rows();
            [0, 1, 2].map(|j| [0, 1, 2].map(|i| rows[i][j]))
        };
        for map in maps.iter().rev() {
            axes = axes.map(|axis| carried_vector(map, axis));
        }
        let frame =
            |map: &Affine| [1.0 / stretches(columns(map))[0], length(map.rows().map(|row| row[3]))];
        Self { frames: maps.iter().map(frame).collect(), stretch: stretches(axes)[1] }
    }

    /// How far the part of a line may be off in the innermost frame which lies about something,
    /// where that, the line's origin and the way between them are within `reach` together.
    pub fn inside(&self, reach: f64) -> f64 {
        let (mut reach, mut off) = (reach, 0.0);
        for [into, away] in &self.frames {
            reach = into * (reach + 3.0 * away);
            off = into * off + 2.0 * ROUNDOFF * reach;
        }
        // What the tests of primitives may round.
        off + 16.0 * ROUNDOFF * reach
    }

    /// The same in the outermost frame.
    pub fn outside(&self, reach: f64) -> f64 {
        self.stretch * self.inside(reach)
    }
}

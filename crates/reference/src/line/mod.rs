//! The line of a ray and one primitive: where it passes through the surface, and by how much the
//! engine may be off.
//!
//! [`triangle`], [`boxes`], [`sphere`], [`round_cone`] and [`cylinder`] say what the engine must answer.
//! [`triangle`] leaves open what passes an edge by less than rounding may do, [`triangle_exactly`]
//! decides it. [`separation`] says how a line and a triangle lie to each other, for tests that keep
//! away from edges.

pub mod boxes;
pub mod chord;
pub mod cylinder;
pub mod round_cone;
pub mod separation;
pub mod sphere;
pub mod triangle;
pub mod triangle_exactly;

use crate::vector::{Vector, cross, minus, unit, vector};
use lanecast::{Scalar, Side};

/// How far normals are off that are rounded to `f32` on their way.
pub const OF_NORMALS: f64 = 1e-5;

/// The normal of a triangle, as a [passage](Passage) has it.
fn normal_of<T: Scalar>([a, b, c]: [[T; 3]; 3]) -> Option<(Vector, f64)> {
    let [a, b, c] = [a, b, c].map(vector);
    let normal = unit(cross(minus(b, a), minus(c, a)));
    normal[0].is_finite().then_some((normal, OF_NORMALS))
}

/// Where the line of a ray passes through a surface, and by how much the engine may be off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Passage {
    pub t: f64,
    pub t_error: f64,
    /// Those of the second and third vertex of a triangle; the parameter and 0 on a round cone
    /// and a cylinder, on others 0.
    pub weights: [f64; 2],
    pub weight_errors: [f64; 2],
    /// Whether it counts as a crossing of the surface; if not, a neighbour's does.
    pub crosses: bool,
    /// Of a triangle by its vertices, of what has an inside the front where the line enters.
    pub side: Side,
    /// The normal of a triangle by its vertices, outwards of what has an inside, and how far it may
    /// be off, of a length of 1. None so near to an edge that it may be that of another face, and
    /// of a triangle without area.
    pub normal: Option<(Vector, f64)>,
}

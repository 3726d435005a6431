//! Answers to points: what is nearest to them, and how far it is.

use super::INVALID_ID;
use crate::status::Status;

/// The point of a scene that is nearest to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoint {
    /// How far it is; rounded once from the `f64` in which it is found.
    pub distance: f32,
    /// Where it is.
    pub point: [f32; 3],
    /// The primitive that it lies on, within its geometry.
    pub primitive_id: u32,
    /// The geometry within its scene, in the order of adding.
    pub geometry_id: u32,
    /// The [instance](crate::SceneBuilder::instance) whose scene that is, as in [`Hit`](crate::Hit); [`INVALID_ID`] if the
    /// scene itself.
    pub instance_id: u32,
    /// Weight of the triangle's second vertex; 0 on primitives that are no triangles, unless they have coordinates of
    /// their own.
    pub u: f32,
    /// Weight of the triangle's third vertex; the first has 1 − u − v.
    pub v: f32,
}

impl ClosestPoint {
    /// What stands in the columns of a point to which nothing is near: a distance of ∞, ids [`INVALID_ID`].
    pub const NONE: Self = Self {
        distance: f32::INFINITY,
        point: [0.0; 3],
        primitive_id: INVALID_ID,
        geometry_id: INVALID_ID,
        instance_id: INVALID_ID,
        u: 0.0,
        v: 0.0,
    };
}

/// The closest points to those of a batch, one row per point, as columns of equal length.
///
/// A row that is not a hit holds a distance of ∞, [`INVALID_ID`] as ids and zeros. To answer batch after batch without
/// allocating, pass the same value again: its memory is reused.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ClosestPointBatch {
    /// A hit where there is anything, a miss where there is nothing or nothing within the radius; else what is wrong with
    /// the point or its radius.
    pub status: Vec<Status>,
    /// How far the closest point is.
    pub distance: Vec<f32>,
    /// The closest point.
    pub point: Vec<[f32; 3]>,
    /// The primitive that it lies on, within its geometry.
    pub primitive_id: Vec<u32>,
    /// The geometry within its scene.
    pub geometry_id: Vec<u32>,
    /// The instance, as in [`ClosestPoint`]; empty for a scene without instances.
    pub instance_id: Vec<u32>,
    /// Weight of the second vertex.
    pub u: Vec<f32>,
    /// Weight of the third vertex.
    pub v: Vec<f32>,
    /// The right-handed normal (v1 − v0) × (v2 − v0) of the triangle where it is placed, not normalised; on other
    /// primitives what hits have there, outwards; empty unless asked for.
    pub geometric_normal: Vec<[f32; 3]>,
}

impl ClosestPointBatch {
    /// What row `index` found, or `None` if nothing is near that point or it was not asked.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len).
    pub fn get(&self, index: usize) -> Option<ClosestPoint> {
        self.status[index].is_hit().then(|| ClosestPoint {
            distance: self.distance[index],
            point: self.point[index],
            primitive_id: self.primitive_id[index],
            geometry_id: self.geometry_id[index],
            instance_id: self.instance_id.get(index).copied().unwrap_or(INVALID_ID),
            u: self.u[index],
            v: self.v[index],
        })
    }
}

/// How far each point of a batch is from a scene.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DistanceBatch {
    /// A hit where there is anything, a miss in a scene that holds nothing; else what is wrong with the point.
    pub status: Vec<Status>,
    /// The distance to the closest point, negative inside where it is signed; ∞ where the status is not a hit.
    pub distance: Vec<f32>,
}

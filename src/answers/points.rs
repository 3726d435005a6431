//! Answers to queries of points: closest points and distances.

use super::{INVALID_ID, answers, values};
use crate::status::Status;

/// The closest point of a scene to a given point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosestPoint {
    /// The distance, computed in `f64` and rounded once.
    pub distance: f32,
    /// The closest point.
    pub point: [f32; 3],
    /// The primitive that it lies on, within its geometry.
    pub primitive_id: u32,
    /// The geometry within its scene, in the order of adding.
    pub geometry_id: u32,
    /// The [instance](crate::SceneBuilder::instance) that holds the geometry, as in [`Hit`](crate::Hit); [`INVALID_ID`] for
    /// geometries of the scene itself.
    pub instance_id: u32,
    /// Weight of the triangle's second vertex; 0 on other primitives, unless they have coordinates of their own.
    pub u: f32,
    /// Weight of the triangle's third vertex; the first has 1 − u − v.
    pub v: f32,
}

impl ClosestPoint {
    /// The values in the row of a point without a closest point: a distance of ∞, ids [`INVALID_ID`], zeros.
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

answers! {
    /// The closest points to those of a batch, one row per point, as columns of equal length. A row that is not a hit holds
    /// a distance of ∞, [`INVALID_ID`] as ids and zeros. A batch that is passed again reuses its memory.
    ClosestPointBatch, ClosestPointColumns, ClosestPointRows {
        /// A hit if there is a closest point, a miss if none is within the radius; else the defect of point or radius.
        status: Status = Status::Miss,
        /// The distance to the closest point.
        distance: f32 = f32::INFINITY,
        /// The closest point.
        point: [f32; 3] = [0.0; 3],
        /// The primitive that it lies on, within its geometry.
        primitive_id: u32 = INVALID_ID,
        /// The geometry within its scene.
        geometry_id: u32 = INVALID_ID,
        /// Weight of the second vertex.
        u: f32 = 0.0,
        /// Weight of the third vertex.
        v: f32 = 0.0,
        [instances]
        /// The instance, as in [`ClosestPoint`]; empty for a scene without instances.
        instance_id: u32 = INVALID_ID,
        [normals]
        /// The normal in the frame of the scene, not normalised: of a triangle (v1 − v0) × (v2 − v0), right-handed, by its
        /// vertices where it is placed; of other primitives the outward normal of a hit there. Empty unless
        /// [asked for](crate::Cast::normals).
        geometric_normal: [f32; 3] = [0.0; 3],
    }
}

impl ClosestPointBatch {
    /// Row `index` as a closest point; `None` if there is none or the point has a defect.
    /// Panics if `index` is not below [`len`](Self::len).
    pub fn get(&self, index: usize) -> Option<ClosestPoint> {
        self.status[index].is_hit().then(|| self.value(index))
    }
}

values!(
    [] ClosestPoint { distance, point, primitive_id, geometry_id, instance_id, u, v }
    in ClosestPointBatch, ClosestPointRows<'_>
);

answers! {
    /// The distance of each point of a batch to a scene.
    DistanceBatch, DistanceColumns, DistanceRows {
        /// A hit if there is a closest point, a miss in an empty scene; else the defect of the point.
        status: Status = Status::Miss,
        /// The distance to the closest point, negative inside if it is signed; ∞ if the status is not a hit.
        distance: f32 = f32::INFINITY,
    }
}

//! Answers to points: closest points, distances, inside or outside, winding numbers.

use super::{INVALID_ID, answers, values};
use crate::columns::rows;
use crate::simd::Scalar;
use crate::status::Status;

/// The closest point of a scene to a given point.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "T: serde::Serialize",
        deserialize = "T: Scalar + serde::Deserialize<'de>"
    ))
)]
pub struct ClosestPoint<T = f32> {
    /// The distance, computed in `f64` and rounded once.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "crate::math::or_infinity"))]
    pub distance: T,
    /// The closest point.
    pub point: [T; 3],
    /// The primitive that it lies on, within its geometry.
    pub primitive_id: u32,
    /// The geometry within its scene, in the order of adding.
    pub geometry_id: u32,
    /// The [instance](crate::SceneBuilder::instance) that holds the geometry, as in
    /// [`Hit`](crate::Hit), or [`INVALID_ID`].
    pub instance_id: u32,
    /// Weight of the triangle's second vertex; 0 on other primitives, unless they have coordinates
    /// of their own.
    pub u: T,
    /// Weight of the triangle's third vertex; the first has 1 − u − v.
    pub v: T,
}

impl<T: Scalar> ClosestPoint<T> {
    /// The values in the row of a point without a closest point: a distance of ∞, ids
    /// [`INVALID_ID`], zeros.
    pub const NONE: Self = Self {
        distance: T::INFINITY,
        point: [T::ZERO; 3],
        primitive_id: INVALID_ID,
        geometry_id: INVALID_ID,
        instance_id: INVALID_ID,
        u: T::ZERO,
        v: T::ZERO,
    };

    /// The instance that holds the geometry, `instance_id` as an option: `None` for the scene
    /// itself.
    pub fn instance(&self) -> Option<u32> {
        (self.instance_id != INVALID_ID).then_some(self.instance_id)
    }
}

answers! {
    /// The closest points to those of a batch, one row per point, as columns of equal length. A row
    /// that is not a hit holds a distance of ∞, [`INVALID_ID`] as ids and zeros. A batch that is
    /// passed again reuses its memory.
    ClosestPointBatch<T>, ClosestPointColumns, ClosestPointRows {
        /// A hit if there is a closest point, a miss if none is within the radius; else the defect
        /// of point or radius.
        status: Status = Status::Miss,
        /// The distance to the closest point.
        distance: T = T::INFINITY,
        /// The closest point.
        point: [T; 3] = [T::ZERO; 3],
        /// The primitive that it lies on, within its geometry.
        primitive_id: u32 = INVALID_ID,
        /// The geometry within its scene.
        geometry_id: u32 = INVALID_ID,
        /// Weight of the second vertex.
        u: T = T::ZERO,
        /// Weight of the third vertex.
        v: T = T::ZERO,
        [instances]
        /// The instance, as in [`ClosestPoint`]; empty for a scene without instances.
        instance_id: u32 = INVALID_ID,
        [normals]
        /// The normal in the frame of the scene, not normalised: of a triangle (v1 − v0) × (v2 −
        /// v0), right-handed, by its vertices where it is placed; of other primitives the outward
        /// normal of a hit there. Empty unless [asked for](crate::Cast::geometric_normals).
        geometric_normal: [T; 3] = [T::ZERO; 3],
    }
}

impl<T: Scalar> ClosestPointBatch<T> {
    /// Row `index`; `None` if there is no closest point. Panics if `index` is not below
    /// [`len`](Self::len).
    pub fn get(&self, index: usize) -> Option<ClosestPoint<T>> {
        self.status[index].is_hit().then(|| self.value(index))
    }
}

rows! {
    /// The rows in order, each as [`get`](Self::get) gives it.
    [T: Scalar] ClosestPointBatch<T> => Option<ClosestPoint<T>>, Self::len, Self::get
}

values!(
    [T: Scalar] ClosestPoint<T> { distance, point, primitive_id, geometry_id, instance_id, u, v }
    in ClosestPointBatch<T>, ClosestPointRows<'_, T>
);

answers! {
    /// The distance of each point of a batch to a scene.
    DistanceBatch<T>, DistanceColumns, DistanceRows {
        /// A hit if there is a closest point, a miss in an empty scene; else the defect of the
        /// point.
        status: Status = Status::Miss,
        /// The distance to the closest point, negative inside if it is signed; ∞ if the status is
        /// not a hit.
        distance: T = T::INFINITY,
    }
}

rows! {
    /// The distance of each point, in order: ∞ in an empty scene, `None` if it has a defect.
    [T: Scalar] DistanceBatch<T> => Option<T>, Self::len, |distances: &Self, row: usize| {
        distances.status[row].answer(distances.distance[row])
    }
}

answers! {
    /// Whether each point of a batch is inside.
    InsideBatch, InsideColumns, InsideRows {
        /// A hit for points inside, a miss for points outside; else the defect of the point.
        status: Status = Status::Miss,
        /// The winding number of the surface around the point: 1 inside a solid whose triangles
        /// have their fronts outside, −1 if they have their backs outside, 2 in the overlap of two
        /// solids, 0 outside and in a cavity. A box or a sphere counts 1 wherever it is placed. A
        /// mesh with its fronts outside, in an instance that mirrors, counts −1.
        winding: i32 = 0,
    }
}

rows! {
    /// Whether each point is inside, in order; `None` if it has a defect.
    [] InsideBatch => Option<bool>, Self::len, |inside: &Self, row: usize| {
        inside.status[row].answer(inside.status[row].is_hit())
    }
}

answers! {
    /// The generalised winding number of each point of a batch.
    WindingBatch, WindingColumns, WindingRows {
        /// A hit for points inside, where the number rounds to another than 0; a miss outside; else
        /// the defect of the point.
        status: Status = Status::Miss,
        /// The solid angle of the surface around the point over 4π, above 0 where triangles show
        /// their backs.
        winding_number: f32 = 0.0,
    }
}

rows! {
    /// The winding number of each point, in order; `None` if it has a defect.
    [] WindingBatch => Option<f32>, Self::len, |windings: &Self, row: usize| {
        windings.status[row].answer(windings.winding_number[row])
    }
}

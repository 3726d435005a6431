//! Points and normals of hits.

use super::answers;
use crate::status::Status;

answers! {
    /// The points and normals of the hits of a batch, one row per ray, as columns of equal length. A row that is not a hit
    /// holds zeros. A batch that is passed again reuses its memory.
    SurfaceBatch<T>, SurfaceColumns, SurfaceRows {
        /// The status of the ray, as in the batch of hits.
        status: Status = Status::Miss,
        /// The point in the frame of the scene: on a triangle that with the weights of the hit, else that on the ray. Computed
        /// in `f64` and rounded once.
        point: [T; 3] = [T::ZERO; 3],
        /// The normal that [the cast gives on request](crate::Cast::normals), bit for bit; or that scaled to length 1, if
        /// [asked for](crate::Cast::unit_normals).
        geometric_normal: [T; 3] = [T::ZERO; 3],
        [normals]
        /// The normal interpolated from those [of the vertices](crate::Cast::vertex_normals), of length 1. Where there are
        /// none, or where they cancel out, the geometric normal scaled to length 1. Empty unless vertex normals are given.
        shading_normal: [T; 3] = [T::ZERO; 3],
    }
}

//! The closest hits of a batch.

use super::{Hit, INVALID_ID, answers, values};
use crate::simd::Scalar;
use crate::status::Status;

answers! {
    /// The closest hits of a batch, one row per ray, as columns of equal length. A row that is not a hit holds `t` = ∞,
    /// [`INVALID_ID`] as ids and zeros. A batch that is passed again reuses its memory.
    HitBatch<T>, HitColumns, HitRows {
        /// The status of each ray: hit, miss, or the reason why it was not cast.
        status: Status = Status::Miss,
        /// The ray parameter of the hit.
        t: T = T::INFINITY,
        /// The primitive within its geometry.
        primitive_id: u32 = INVALID_ID,
        /// The geometry within its scene.
        geometry_id: u32 = INVALID_ID,
        /// Weight of the second vertex.
        u: T = T::ZERO,
        /// Weight of the third vertex.
        v: T = T::ZERO,
        [instances]
        /// The instance, as in [`Hit`]; empty for a scene without instances.
        instance_id: u32 = INVALID_ID,
        [normals]
        /// The normal in the frame of the scene, not normalised: of a triangle (v1 − v0) × (v2 − v0), right-handed, by its
        /// vertices where it is placed; of other primitives their outward normal, of any length. It points to the
        /// [front](crate::Side). Empty unless [asked for](crate::Cast::normals).
        geometric_normal: [T; 3] = [T::ZERO; 3],
    }
}

impl<T: Scalar> HitBatch<T> {
    /// Row `index` as a hit; `None` if the ray met nothing or was not cast.
    /// Panics if `index` is not below [`len`](Self::len).
    pub fn hit(&self, index: usize) -> Option<Hit<T>> {
        self.status[index].is_hit().then(|| self.value(index))
    }
}

values!([T: Scalar] Hit<T> { t, primitive_id, geometry_id, instance_id, u, v } in HitBatch<T>, HitRows<'_, T>);

/// The hits of a line nearest to its origin, one on either side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LineHits<T = f32> {
    /// The least `t` ≥ 0.
    pub ahead: Option<Hit<T>>,
    /// The greatest `t` ≤ 0.
    pub behind: Option<Hit<T>>,
}

/// The hits of each line of a batch nearest to its origin, one row per line on either side. A line that cannot be cast has
/// the reason as status on both sides. A batch that is passed again reuses its memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LineHitBatch<T = f32> {
    pub(crate) ahead: HitBatch<T>,
    pub(crate) behind: HitBatch<T>,
}

impl<T: Scalar> LineHitBatch<T> {
    /// No rows, and no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The hits of least `t` ≥ 0.
    pub fn ahead(&self) -> &HitBatch<T> {
        &self.ahead
    }

    /// The hits of greatest `t` ≤ 0; a row that is not a hit holds `t` = ∞ here too.
    pub fn behind(&self) -> &HitBatch<T> {
        &self.behind
    }

    /// The number of lines.
    pub fn len(&self) -> usize {
        self.ahead.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.ahead.is_empty()
    }

    /// The status of line `index`: a hit if there is one on either side. Panics if there is no such line.
    pub fn status(&self, index: usize) -> Status {
        let (ahead, behind) = (self.ahead.status()[index], self.behind.status()[index]);
        if behind.is_hit() { behind } else { ahead }
    }

    /// The hits of line `index`. Panics if there is no such line.
    pub fn of_line(&self, index: usize) -> LineHits<T> {
        LineHits { ahead: self.ahead.hit(index), behind: self.behind.hit(index) }
    }
}

//! Answers: one by one, and as columns.

mod limit;
mod numbering;
mod points;
mod radius;
mod sight_matrix;

pub use limit::Limit;
pub(crate) use numbering::Numbering;
pub use points::{ClosestPoint, ClosestPointBatch, DistanceBatch};
pub use radius::Radius;
pub use sight_matrix::SightMatrix;

use std::cmp::Ordering;

use crate::simd::Scalar;
use crate::status::Status;

/// Stands where there is no primitive, geometry or instance to name.
pub const INVALID_ID: u32 = u32::MAX;

/// One point at which a ray meets a primitive. The type `Hit` by itself is that of a ray of `f32`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<T = f32> {
    /// The ray parameter: the point is `origin + t · direction`.
    pub t: T,
    /// The primitive within its geometry.
    pub primitive_id: u32,
    /// The geometry within its scene, in the order of adding.
    pub geometry_id: u32,
    /// The [instance](crate::SceneBuilder::instance) whose scene that is; [`INVALID_ID`] if the scene itself. Of
    /// instances in instances one number stands for all that are passed through:
    /// [`instance_path`](crate::Scene::instance_path) names them.
    pub instance_id: u32,
    /// Weight of the triangle's second vertex; 0 on primitives that are no triangles, unless they have coordinates of their
    /// own.
    pub u: T,
    /// Weight of the triangle's third vertex, of which the first has 1 − u − v; on others as `u`.
    pub v: T,
}

impl<T: Scalar> Hit<T> {
    /// What stands in the columns of a ray that meets nothing: `t` infinite, ids [`INVALID_ID`].
    pub const NONE: Self = Self {
        t: T::INFINITY,
        primitive_id: INVALID_ID,
        geometry_id: INVALID_ID,
        instance_id: INVALID_ID,
        u: T::ZERO,
        v: T::ZERO,
    };

    /// The order of hits along a ray: by `t`, then ids.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        self.t.total_order(other.t).then_with(|| self.order_of_ids(other))
    }

    /// The order of hits the other way along a line; of several at the same `t` the same comes first.
    pub(crate) fn order_behind(&self, other: &Self) -> Ordering {
        other.t.total_order(self.t).then_with(|| self.order_of_ids(other))
    }

    /// By instance, geometry and primitive; what is in no instance comes first.
    fn order_of_ids(&self, other: &Self) -> Ordering {
        let ids = |hit: &Self| (hit.instance_id.wrapping_add(1), hit.geometry_id, hit.primitive_id);
        ids(self).cmp(&ids(other))
    }
}

/// A primitive that a ray meets, as a kernel reports it: still under its number within the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate<T = f32> {
    pub(crate) t: T,
    pub(crate) u: T,
    pub(crate) v: T,
    pub(crate) number: u32,
}

impl<T: Scalar> Candidate<T> {
    /// What stands before anything is found; every hit comes before it.
    pub(crate) const NONE: Self = Self { t: T::INFINITY, u: T::ZERO, v: T::ZERO, number: INVALID_ID };

    /// The order of hits along a ray: by `t`, and at equal `t` by geometry and primitive, which is
    /// the order of the numbers.
    #[inline(always)]
    pub(crate) fn comes_before(&self, other: &Self) -> bool {
        self.t < other.t || (self.t == other.t && self.number < other.number)
    }

    /// The same order for sorting: a hit's `t` is never NaN nor −0, so that this is the numerical order.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        self.t.total_order(other.t).then(self.number.cmp(&other.number))
    }
}

/// The closest hits of a batch, one row per ray, as columns of equal length.
///
/// A row that is not a hit holds `t` = ∞, [`INVALID_ID`] as ids and zeros. To answer batch after
/// batch without allocating, pass the same value again: its memory is reused.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HitBatch<T = f32> {
    /// What became of each ray.
    pub status: Vec<Status>,
    /// The ray parameter of the hit.
    pub t: Vec<T>,
    /// The primitive within its geometry.
    pub primitive_id: Vec<u32>,
    /// The geometry within its scene.
    pub geometry_id: Vec<u32>,
    /// The instance, as in [`Hit`]; empty for a scene without instances.
    pub instance_id: Vec<u32>,
    /// Weight of the second vertex.
    pub u: Vec<T>,
    /// Weight of the third vertex.
    pub v: Vec<T>,
    /// The right-handed normal (v1 − v0) × (v2 − v0) of the triangle where it is placed, not normalised; of other
    /// primitives theirs, outwards, wherever they are placed, and of any length. It points to the front that
    /// [`Side`](crate::Side) speaks of. Empty unless asked for.
    pub geometric_normal: Vec<[T; 3]>,
}

impl<T: Scalar> HitBatch<T> {
    /// Row `index` as a hit, or `None` if that ray met nothing or was not cast.
    ///
    /// # Panics
    /// If `index` is not below [`len`](Self::len).
    pub fn hit(&self, index: usize) -> Option<Hit<T>> {
        self.status[index].is_hit().then(|| Hit {
            t: self.t[index],
            primitive_id: self.primitive_id[index],
            geometry_id: self.geometry_id[index],
            instance_id: self.instance_id.get(index).copied().unwrap_or(INVALID_ID),
            u: self.u[index],
            v: self.v[index],
        })
    }
}

/// The hits of a line that are nearest to its origin: the first on either side, if there is one.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LineHits<T = f32> {
    /// The least `t` ≥ 0.
    pub ahead: Option<Hit<T>>,
    /// The greatest `t` ≤ 0.
    pub behind: Option<Hit<T>>,
}

/// The hits of each line of a batch that are nearest to its origin, one row per line on either side.
///
/// A line that cannot be cast says why on both sides. To answer batch after batch without allocating, pass the same
/// value again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LineHitBatch<T = f32> {
    /// The hits of least `t` ≥ 0.
    pub ahead: HitBatch<T>,
    /// The hits of greatest `t` ≤ 0; a row that is not a hit holds `t` = ∞ here too.
    pub behind: HitBatch<T>,
}

impl<T: Scalar> LineHitBatch<T> {
    /// No rows, and no memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.ahead.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.ahead.is_empty()
    }

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.ahead.clear();
        self.behind.clear();
    }

    /// Adds the rows of another, which has the same columns.
    pub(crate) fn append(&mut self, other: Self) {
        self.ahead.append(other.ahead);
        self.behind.append(other.behind);
    }

    /// What became of line `index`: a hit if there is one on either side.
    ///
    /// # Panics
    /// If there is no such line.
    pub fn status(&self, index: usize) -> Status {
        let (ahead, behind) = (self.ahead.status[index], self.behind.status[index]);
        if behind.is_hit() { behind } else { ahead }
    }

    /// The hits of line `index`.
    ///
    /// # Panics
    /// If there is no such line.
    pub fn of_line(&self, index: usize) -> LineHits<T> {
        LineHits { ahead: self.ahead.hit(index), behind: self.behind.hit(index) }
    }
}

/// Whether each ray of a batch meets anything.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AnyHitBatch {
    /// What became of each ray.
    pub status: Vec<Status>,
}

/// Whether each point of a batch is inside.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InsideBatch {
    /// A hit for points inside, a miss for points outside; else what is wrong with the point.
    pub status: Vec<Status>,
    /// How often the surface goes around the point: 1 inside a solid whose triangles show their fronts outwards, −1
    /// where they show their backs, 2 where two solids overlap, 0 outside and in a cavity. A box or a sphere counts 1
    /// however it is placed; a mesh of the first kind in an instance that mirrors shows its backs, and counts −1.
    pub winding: Vec<i32>,
}

/// How many primitives each ray of a batch meets.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CountBatch {
    /// What became of each ray.
    pub status: Vec<Status>,
    /// How many hits the ray has within its interval. Of [crossings](crate::Contact::Crossing) there may be 0 at the rim
    /// of an open surface, where the closest hit is one.
    pub count: Vec<u32>,
}

/// What it cost to find the closest hit of each ray of a batch.
///
/// A test is one step of the walk: the ray against the eight lanes of one node or of one leaf, of which not all
/// need to hold something. What is counted is counted for each ray on a way of its own, one node after the other,
/// also where rays that are cast for their answers share their tests in groups or streams.
///
/// In a scene that holds more than triangles it is the sum over all trees that the ray is cast at, and another walk
/// than that of the closest hit: what was found in one of them does not shorten the ray for the others. The tree over
/// the boxes and spheres is walked with the ray's own interval, and so is every instance whose box the ray meets, in
/// whatever order, where the closest hit goes to the nearest first and not to those that lie beyond what it found. What
/// it takes to find out which instances these are, in the tree over them, is not counted. So in the trees of what is
/// placed a closest hit mostly takes less than these numbers say, and above them more.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CostBatch {
    /// What became of each ray.
    pub status: Vec<Status>,
    /// Tests of nodes: inner nodes of the tree whose boxes the ray was tested against.
    pub nodes: Vec<u32>,
    /// Boxes in those nodes, at most eight in each: lanes without a child do not count.
    pub boxes: Vec<u32>,
    /// Tests of leaves: blocks of primitives that the ray was tested against. By brute force these are all blocks.
    pub leaves: Vec<u32>,
    /// Primitives in those leaves, at most eight in each, whether met or not: lanes without a primitive
    /// do not count.
    pub primitives: Vec<u32>,
}

impl CostBatch {
    /// How full the lanes of the tests of ray `index` were, from 0 to 1: `boxes + primitives` of the
    /// 8 · (`nodes` + `leaves`) lanes held something. 0 for a ray that was tested against nothing.
    ///
    /// # Panics
    /// If there is no such ray.
    pub fn lanes_filled(&self, index: usize) -> f32 {
        let tests = u64::from(self.nodes[index]) + u64::from(self.leaves[index]);
        let filled = u64::from(self.boxes[index]) + u64::from(self.primitives[index]);
        // In `f64` both are exact, and what is rounded is the quotient alone.
        if tests == 0 { 0.0 } else { (filled as f64 / (8 * tests) as f64) as f32 }
    }
}

/// Every hit of every ray of a batch, or the nearest of each, in compressed rows.
///
/// The hits of ray `i` are rows `offsets[i]..offsets[i + 1]`, in the order of `t`, then
/// `instance_id`, `geometry_id` and `primitive_id`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AllHitsBatch<T = f32> {
    /// What became of each ray.
    pub status: Vec<Status>,
    /// Where each ray's hits begin; one longer than there are rays, and empty before the first batch.
    pub offsets: Vec<usize>,
    /// The hits of all rays, one ray after the other.
    pub hits: Vec<Hit<T>>,
}

impl<T: Scalar> AllHitsBatch<T> {
    /// The hits of ray `index`, nearest first.
    ///
    /// # Panics
    /// If there is no such ray.
    pub fn of_ray(&self, index: usize) -> &[Hit<T>] {
        &self.hits[self.offsets[index]..self.offsets[index + 1]]
    }
}

/// What every batch of answers has: a row for each ray or point.
macro_rules! rows {
    ($batch:ident $(<$number:ident>)?: $($column:ident),+) => {
        impl $(<$number: Scalar>)? $batch $(<$number>)? {
            /// No rows, and no memory yet.
            pub fn new() -> Self {
                Self::default()
            }

            /// How many rows there are.
            pub fn len(&self) -> usize {
                self.status.len()
            }

            /// Whether there is no row.
            pub fn is_empty(&self) -> bool {
                self.status.is_empty()
            }

            /// Removes all rows and keeps the memory.
            pub fn clear(&mut self) {
                $(self.$column.clear();)+
            }
        }
    };
}

/// The same for batches whose columns are all as long as there are rays, or empty.
macro_rules! plain_rows {
    ($batch:ident $(<$number:ident>)?: $($column:ident),+) => {
        rows!($batch $(<$number>)?: $($column),+);

        impl $(<$number: Scalar>)? $batch $(<$number>)? {
            /// Adds the rows of another, which has the same columns.
            pub(crate) fn append(&mut self, mut other: Self) {
                $(self.$column.append(&mut other.$column);)+
            }
        }
    };
}

plain_rows!(HitBatch<T>: status, t, primitive_id, geometry_id, instance_id, u, v, geometric_normal);
plain_rows!(AnyHitBatch: status);
plain_rows!(CountBatch: status, count);
plain_rows!(InsideBatch: status, winding);
plain_rows!(CostBatch: status, nodes, boxes, leaves, primitives);
rows!(AllHitsBatch<T>: status, offsets, hits);
rows!(
    ClosestPointBatch: status,
    distance,
    point,
    primitive_id,
    geometry_id,
    instance_id,
    u,
    v,
    geometric_normal
);
rows!(DistanceBatch: status, distance);

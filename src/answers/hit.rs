//! One hit.

use std::cmp::Ordering;

use crate::simd::Scalar;

/// The id that names no primitive, geometry or instance.
pub const INVALID_ID: u32 = u32::MAX;

/// One point at which a ray meets a primitive. `Hit` without a parameter is a hit of a ray of `f32`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit<T = f32> {
    /// The ray parameter: the point is `origin + t · direction`.
    pub t: T,
    /// The primitive within its geometry.
    pub primitive_id: u32,
    /// The geometry within its scene, in the order of adding.
    pub geometry_id: u32,
    /// The [instance](crate::SceneBuilder::instance) that holds the geometry; [`INVALID_ID`] for geometries of the scene
    /// itself. One number stands for a whole path of instances in instances:
    /// [`instance_path`](crate::Scene::instance_path) names them.
    pub instance_id: u32,
    /// Weight of the triangle's second vertex; 0 on other primitives, unless they have coordinates of their own.
    pub u: T,
    /// Weight of the triangle's third vertex; the first has 1 − u − v. On other primitives as `u`.
    pub v: T,
}

impl<T: Scalar> Hit<T> {
    /// The values in the row of a ray that meets nothing: `t` = ∞, ids [`INVALID_ID`], zeros.
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

    /// By instance, geometry and primitive; primitives in no instance come first.
    fn order_of_ids(&self, other: &Self) -> Ordering {
        let ids = |hit: &Self| (hit.instance_id.wrapping_add(1), hit.geometry_id, hit.primitive_id);
        ids(self).cmp(&ids(other))
    }
}

/// A hit as a kernel reports it: the primitive by its number within the scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Candidate<T = f32> {
    pub(crate) t: T,
    pub(crate) u: T,
    pub(crate) v: T,
    pub(crate) number: u32,
}

impl<T: Scalar> Candidate<T> {
    /// The value before any hit; every hit comes before it.
    pub(crate) const NONE: Self = Self { t: T::INFINITY, u: T::ZERO, v: T::ZERO, number: INVALID_ID };

    /// The order of hits along a ray: by `t`, and at equal `t` by geometry and primitive, which is
    /// the order of the numbers.
    #[inline(always)]
    pub(crate) fn comes_before(&self, other: &Self) -> bool {
        self.t < other.t || (self.t == other.t && self.number < other.number)
    }
}

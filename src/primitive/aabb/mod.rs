//! The axis-aligned box, and everything that is tested against it.

mod clip;
#[cfg(test)]
mod conservative;
#[cfg(test)]
mod derivation;
mod distance;
#[cfg(test)]
#[path = "../../../tests/common/rays.rs"]
#[expect(dead_code, unreachable_pub, reason = "the tests of the engine use the rest")]
mod drawn_rays;
mod face_by_face;
mod group;
mod record;
mod single;
mod slab;
mod tree;

pub use clip::{Clip, ClippedSegment};
pub use face_by_face::{FaceByFace, FacePoint};
pub use slab::{EnteredFace, Face, FaceHit, IntervalHit, Slab};

pub(crate) use distance::reach;
pub(crate) use group::{SlabHull, SlabRays};
pub(crate) use record::{SlabOffsets, SlabRecord};
pub(crate) use single::{STRETCHED, SlabAxes, SlabLanes};
pub(super) use slab::{
    choose_near_and_far, clamp_interval, entered_face, entering_code, face_of_code, interval_values, inverse,
    slabs, unclamp_interval,
};
pub(crate) use tree::{AabbBlock, SlabVector, TameRays};

use crate::columns::{Columns, Record, Rows, plain_numbers};
use crate::error::Result;
use crate::primitive::Test;
use crate::ray::Ray;
use crate::simd::{Scalar, with_default_float_mode};

/// A box whose faces are square to the axes: all points with `min ≤ p ≤ max`, faces included.
///
/// Where `min > max` on any axis the box is empty. `Aabb` by itself is a box of `f32` in space;
/// [`Rect`] is the box of two axes.
#[doc(alias = "box")]
#[doc(alias = "bounding box")]
#[doc(alias = "ray against box")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Aabb<T = f32, const D: usize = 3> {
    /// The corner with the least coordinates.
    pub min: [T; D],
    /// The corner with the greatest coordinates.
    pub max: [T; D],
}

/// A rectangle in the plane with sides along the axes.
pub type Rect<T = f32> = Aabb<T, 2>;

/// Any number of boxes as columns: the least and the greatest coordinates.
pub type AabbBatch<'a, T = f32, const D: usize = 3> = Columns<'a, Aabb<T, D>>;

/// Any number of rectangles as columns.
pub type RectBatch<'a, T = f32> = AabbBatch<'a, T, 2>;

plain_numbers!(Aabb, D);

impl<T: Scalar, const D: usize> Record for Aabb<T, D> {
    type Scalar = T;
    type Shape = Rows<2, D>;

    fn column_name(place: usize) -> &'static str {
        const NAMES: [[&str; 3]; 2] = [["min x", "min y", "min z"], ["max x", "max y", "max z"]];
        NAMES[place / D].get(place % D).copied().unwrap_or("a component")
    }
}

impl<T: Scalar, const D: usize> Aabb<T, D> {
    /// The box of no points.
    pub const EMPTY: Self = Self { min: [T::INFINITY; D], max: [T::NEG_INFINITY; D] };

    /// The least box around `points`.
    pub fn around(points: impl IntoIterator<Item = [T; D]>) -> Self {
        with_default_float_mode(|| Self::of_points(points))
    }

    /// The least box around both.
    pub fn union(&self, other: &Self) -> Self {
        with_default_float_mode(|| self.merged(other))
    }

    /// Whether no point lies within.
    pub fn is_empty(&self) -> bool {
        with_default_float_mode(|| (0..D).any(|axis| self.min[axis] > self.max[axis]))
    }

    /// Whether every point of `other` lies within.
    pub fn contains(&self, other: &Self) -> bool {
        let holds = |axis| self.min[axis] <= other.min[axis] && other.max[axis] <= self.max[axis];
        other.is_empty() || with_default_float_mode(|| (0..D).all(holds))
    }

    /// [`around`](Self::around) for where the floating-point mode is known to be the default.
    pub(crate) fn of_points(points: impl IntoIterator<Item = [T; D]>) -> Self {
        points.into_iter().fold(Self::EMPTY, |aabb, p| aabb.merged(&Self { min: p, max: p }))
    }

    /// [`union`](Self::union) for where the floating-point mode is known to be the default.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        // A NaN in `other` changes nothing.
        Self {
            min: std::array::from_fn(|axis| other.min[axis].min(self.min[axis])),
            max: std::array::from_fn(|axis| other.max[axis].max(self.max[axis])),
        }
    }

    /// Where a line, ray or segment overlaps the box, by the [slab test](Slab); `None` if they do not
    /// meet.
    ///
    /// ```
    /// use lanecast::{Aabb, Ray};
    /// let aabb = Aabb { min: [-1.0; 3], max: [1.0; 3] };
    /// let hit = aabb.intersect(&Ray::segment([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]))?;
    /// assert_eq!(hit.map(|hit| [hit.t_enter, hit.t_exit]), Some([0.5, 1.0]));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect).
    pub fn intersect(&self, ray: &Ray<T, D>) -> Result<Option<IntervalHit<T>>> {
        Slab.intersect(self, ray)
    }
}

impl Aabb {
    /// Half the area of the surface, in `f64`, where no finite box overflows; 0 for an empty box.
    pub fn half_area(&self) -> f64 {
        with_default_float_mode(|| self.find_half_area())
    }

    /// [`half_area`](Self::half_area) for where the floating-point mode is known to be the default.
    pub(crate) fn find_half_area(&self) -> f64 {
        let [x, y, z] =
            [0, 1, 2].map(|axis| (f64::from(self.max[axis]) - f64::from(self.min[axis])).max(0.0));
        x * y + y * z + z * x
    }

    /// The middle.
    pub(crate) fn center(&self) -> [f32; 3] {
        [0, 1, 2].map(|axis| 0.5 * self.min[axis] + 0.5 * self.max[axis])
    }
}

//! The axis-aligned box.

use crate::columns::{Columns, Record, Rows, plain_numbers};
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

    /// [`around`](Self::around) for callers in the default floating-point mode.
    pub(crate) fn of_points(points: impl IntoIterator<Item = [T; D]>) -> Self {
        points.into_iter().fold(Self::EMPTY, |aabb, p| aabb.merged(&Self { min: p, max: p }))
    }

    /// [`union`](Self::union) for callers in the default floating-point mode.
    pub(crate) fn merged(&self, other: &Self) -> Self {
        // A NaN in `other` changes nothing.
        Self {
            min: std::array::from_fn(|axis| other.min[axis].min(self.min[axis])),
            max: std::array::from_fn(|axis| other.max[axis].max(self.max[axis])),
        }
    }
}

impl Aabb {
    /// Half the area of the surface, in `f64`, where no finite box overflows; 0 for an empty box.
    pub(crate) fn find_half_area(&self) -> f64 {
        let [x, y, z] =
            [0, 1, 2].map(|axis| (f64::from(self.max[axis]) - f64::from(self.min[axis])).max(0.0));
        x * y + y * z + z * x
    }

    pub(crate) fn center(&self) -> [f32; 3] {
        [0, 1, 2].map(|axis| 0.5 * self.min[axis] + 0.5 * self.max[axis])
    }
}

//! Primitives without rules: the axis-aligned box, the triangle, the sphere and the disc.

use crate::columns::{Columns, Record, Row, Rows, Shape, plain_numbers};
use crate::math::{cross, sub};
use crate::simd::{MapEach, Scalar, with_default_float_mode};

/// A box whose faces are square to the axes: all points with `min ≤ p ≤ max`, faces included.
///
/// Empty where `min > max` on any axis. `Aabb` by itself is a box of `f32` in space, [`Rect`] the
/// box of two axes.
#[doc(alias = "box")]
#[doc(alias = "bounding box")]
#[doc(alias = "ray against box")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(
        serialize = "[T; D]: serde::Serialize",
        deserialize = "[T; D]: serde::Deserialize<'de>"
    ))
)]
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

plain_numbers!(Aabb<D>: 2 * D);

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

    /// The middle of a box that is not empty.
    pub(crate) fn center(&self) -> [T; D] {
        let half = T::of(0.5);
        std::array::from_fn(|axis| half * self.min[axis] + half * self.max[axis])
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
        let [x, y, z] = [0, 1, 2]
            .map_each(|axis| (f64::from(self.max[axis]) - f64::from(self.min[axis])).max(0.0));
        x * y + y * z + z * x
    }
}

/// A triangle by its three vertices; edges and vertices belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Triangle<T = f32> {
    /// The front is where they are seen to run counter-clockwise.
    pub vertices: [[T; 3]; 3],
}

/// A triangle that carries the normal of its plane, for tests that else would compute it for each
/// line.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct TriangleWithNormal<T = f32> {
    /// As of the [triangle](Triangle::vertices).
    pub vertices: [[T; 3]; 3],
    /// (v1 − v0) × (v2 − v0), not normalised: weights are measured by it, and any other vector
    /// gives wrong answers.
    pub normal: [T; 3],
}

/// A ball: all points at most `radius` from `center`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Sphere<T = f32> {
    /// The middle.
    pub center: [T; 3],
    /// At least 0; a sphere whose radius is negative or NaN is never met.
    pub radius: T,
}

/// A flat disc: the points of a plane at most `radius` from `center`.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Disc<T = f32> {
    /// The middle.
    pub center: [T; 3],
    /// Square to the plane, of any length but zero. It points to the front.
    pub normal: [T; 3],
    /// At least 0; a disc whose radius is negative or NaN is never met.
    pub radius: T,
}

/// Any number of triangles as columns: x, y and z of the first vertex, of the second, of the third.
pub type TriangleBatch<'a, T = f32> = Columns<'a, Triangle<T>>;

/// Any number of triangles with normals as columns: the vertices as of a [`TriangleBatch`], then x,
/// y and z of the normal.
pub type TriangleWithNormalBatch<'a, T = f32> = Columns<'a, TriangleWithNormal<T>>;

/// Any number of spheres as columns: x, y and z of the centers, and radii.
pub type SphereBatch<'a, T = f32> = Columns<'a, Sphere<T>>;

/// Any number of discs as columns: x, y and z of the centers and of the normals, and radii.
pub type DiscBatch<'a, T = f32> = Columns<'a, Disc<T>>;

/// A record without rules, by its shape and the names of its columns.
macro_rules! record {
    ($name:ident, $shape:ty, $names:expr) => {
        plain_numbers!($name: <$shape as Shape>::COUNT);

        impl<T: Scalar> Record for $name<T> {
            type Scalar = T;
            type Shape = $shape;

            fn column_name(place: usize) -> &'static str {
                $names[place]
            }
        }
    };
}

const TRIANGLE: [[&str; 3]; 4] = [
    ["first vertex x", "first vertex y", "first vertex z"],
    ["second vertex x", "second vertex y", "second vertex z"],
    ["third vertex x", "third vertex y", "third vertex z"],
    ["normal x", "normal y", "normal z"],
];

record!(Triangle, Rows<3, 3>, TRIANGLE.as_flattened());
record!(TriangleWithNormal, Rows<4, 3>, TRIANGLE.as_flattened());
record!(Sphere, Row<4>, ["center x", "center y", "center z", "radius"]);
record!(
    Disc,
    Row<7>,
    ["center x", "center y", "center z", "normal x", "normal y", "normal z", "radius"]
);

impl<T: Scalar> Triangle<T> {
    /// The triangle of three vertices.
    pub const fn new(vertices: [[T; 3]; 3]) -> Self {
        Self { vertices }
    }

    /// The same triangle with the normal of its plane: tests answer for both with the same bits.
    #[must_use]
    pub fn with_normal(&self) -> TriangleWithNormal<T> {
        with_default_float_mode(|| {
            let [a, b, c] = self.vertices;
            let normal = cross(sub(b, a), sub(c, a));
            TriangleWithNormal { vertices: self.vertices, normal }
        })
    }
}

impl<T: Scalar> Sphere<T> {
    /// The sphere around `center`.
    pub const fn new(center: [T; 3], radius: T) -> Self {
        Self { center, radius }
    }
}

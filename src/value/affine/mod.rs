//! Affine maps, the transforms of instances: this file applies them, `making` makes them of parts.

mod making;
#[cfg(feature = "mint")]
mod mint;

use std::ops::Mul;

use crate::math::{UNIT_ROUNDOFF, cross, dot, largest, power_of_two, rounded_normal, sub};
use crate::simd::{MapEach, Real, Scalar, with_default_float_mode};

/// An affine map of space, p ↦ A·p + b: rotation, scale of any sign and shear, then a translation.
///
/// Kept in `f64`, so that maps which are multiplied or read from decimals keep their meaning.
///
/// [`from_columns`](Self::from_columns) and [`columns`](Self::columns) exchange maps with
/// `to_cols_array_2d` and `from_cols_array_2d` of glam, in `f32` and `f64`. The feature `mint` adds
/// conversions from and into the types of `mint`, which glam (feature `mint-05`), nalgebra (feature
/// `convert-mint`) and others convert to:
///
/// ```
/// # #[cfg(feature = "mint")] {
/// use lanecast::Affine;
/// let map = glam::DAffine3::from_rotation_translation(glam::DQuat::from_rotation_z(0.5), glam::DVec3::X);
/// let matrix: mint::ColumnMatrix4<f64> = glam::DMat4::from(map).into();
/// let placed = Affine::from(matrix);
/// assert_eq!(placed.point([1.0, 2.0, 3.0]), map.transform_point3(glam::DVec3::new(1.0, 2.0, 3.0)).to_array());
///
/// let matrix = glam::Mat4::from(mint::ColumnMatrix4::<f32>::from(placed));
/// assert!(matrix.abs_diff_eq(glam::DMat4::from(map).as_mat4(), 1e-6));
/// let quaternion: mint::Quaternion<f64> = glam::DQuat::from_rotation_z(0.5).into();
/// assert!((Affine::from(quaternion).vector([1.0, 0.0, 0.0])[1] - 0.5_f64.sin()).abs() < 1e-15);
/// # }
/// ```
///
/// nalgebra in the same way: `Affine::from(mint::ColumnMatrix4::from(isometry.to_homogeneous()))`,
/// and back `nalgebra::Matrix4::from(mint::ColumnMatrix4::<f64>::from(placed))`.
///
/// ```
/// use lanecast::Affine;
/// // Twice as large along x, mirrored along z, then moved.
/// let placed = Affine::from_rows([[2.0, 0.0, 0.0, 10.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, 0.0]]);
/// assert_eq!(placed.point([1.0, 2.0, 3.0]), [12.0, 2.0, -3.0]);
/// assert_eq!(placed.vector([1.0, 2.0, 3.0]), [2.0, 2.0, -3.0]);
/// assert_eq!(placed.inverse().expect("not singular").point([12.0, 2.0, -3.0]), [1.0, 2.0, 3.0]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Affine {
    linear: [[f64; 3]; 3],
    translation: [f64; 3],
}

/// The [identity](Affine::IDENTITY).
impl Default for Affine {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// The composition `outer * inner` maps by `inner` first and then by `outer`, as the product of
/// their matrices does: `(outer * inner).point(p)` is `outer.point(inner.point(p))`, but for
/// rounding. For a node of a scene graph `inner` is the transform of the node, `outer` that of its
/// parent.
///
/// ```
/// use lanecast::Affine;
/// let (moved, scaled) = (Affine::translation([1.0, 0.0, 0.0]), Affine::scale(2.0));
/// assert_eq!((moved * scaled).point([3.0, 0.0, 0.0]), [7.0, 0.0, 0.0]);
/// assert_eq!((scaled * moved).point([3.0, 0.0, 0.0]), [8.0, 0.0, 0.0]);
/// ```
impl Mul for Affine {
    type Output = Self;

    fn mul(self, inner: Self) -> Self {
        with_default_float_mode(|| {
            let column = |j: usize| [0, 1, 2].map_each(|i: usize| inner.linear[i][j]);
            let columns = [0, 1, 2].map_each(|j| multiply(&self.linear, column(j)));
            Self {
                linear: [0, 1, 2].map_each(|i| [0, 1, 2].map_each(|j| columns[j][i])),
                translation: self.carry(inner.translation),
            }
        })
    }
}

impl Affine {
    /// Every point stays where it is.
    pub const IDENTITY: Self =
        Self { linear: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [0.0; 3] };

    /// The map with these three upper rows of a 4 × 4 matrix that maps columns: each row of A, then
    /// the component of b.
    pub const fn from_rows([[a, b, c, x], [d, e, f, y], [g, h, i, z]]: [[f64; 4]; 3]) -> Self {
        Self { linear: [[a, b, c], [d, e, f], [g, h, i]], translation: [x, y, z] }
    }

    /// The map with these columns of a 4 × 4 matrix as OpenGL, glTF, `glam::Mat4` and `glam::DMat4`
    /// hold it, of `f32` or `f64`; its last row counts as 0 0 0 1.
    pub fn from_columns<T: Scalar>([x, y, z, w]: [[T; 4]; 4]) -> Self {
        let row = |i: usize| [x[i], y[i], z[i], w[i]].map(T::to_f64);
        Self::from_rows([row(0), row(1), row(2)])
    }

    /// The three upper rows of the matrix.
    pub fn rows(&self) -> [[f64; 4]; 3] {
        let Self { linear, translation } = self;
        [0, 1, 2].map_each(|i| [linear[i][0], linear[i][1], linear[i][2], translation[i]])
    }

    /// The columns of the 4 × 4 matrix, whose last row is 0 0 0 1, as
    /// [`from_columns`](Self::from_columns) takes them.
    pub fn columns(&self) -> [[f64; 4]; 4] {
        let [x, y, z] = self.rows();
        [0, 1, 2, 3].map_each(|j| [x[j], y[j], z[j], if j == 3 { 1.0 } else { 0.0 }])
    }

    /// Maps a point.
    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        with_default_float_mode(|| self.carry(p))
    }

    /// Maps a direction, without the translation.
    pub fn vector(&self, v: [f64; 3]) -> [f64; 3] {
        with_default_float_mode(|| multiply(&self.linear, v))
    }

    /// The map back; `None` if there is none, or if this map flattens so much that `f64` loses what
    /// the way back needs: where the greatest stretch is more than 2²⁰ times the least.
    pub fn inverse(&self) -> Option<Self> {
        with_default_float_mode(|| {
            // One over a power of two near the largest entry, so that products neither overflow nor
            // vanish.
            let largest = largest(self.linear.as_flattened());
            if !(largest > 0.0
                && largest.is_finite()
                && self.translation.iter().all(|x| x.is_finite()))
            {
                return None;
            }
            let scale = 1.0 / power_of_two(largest);
            let scaled = self.linear.map_each(|row| row.map_each(|x| x * scale));
            let (cofactors, determinant) = cofactors(&scaled);
            let linear = [0, 1, 2]
                .map_each(|i| [0, 1, 2].map_each(|j| cofactors[j][i] / determinant * scale));
            let back = Self { linear, translation: [0.0; 3] };
            // Entries are NaN or infinite where the determinant is 0.
            let is_flat = !back.linear.as_flattened().iter().all(|x| x.is_finite())
                || self.stretch() * back.stretch() > f64::from(MOST_FLATTENING);
            if is_flat {
                return None;
            }
            let translation = multiply(&back.linear, self.translation).map_each(|x| -x);
            Some(Self { translation, ..back })
        })
    }

    /// Whether it changes handedness.
    pub fn is_mirrored(&self) -> bool {
        cofactors(&self.linear).1 < 0.0
    }

    /// Whether it keeps angles: turns, mirrors, scales alike in all directions and moves, to 2⁻²⁰.
    pub(crate) fn keeps_angles(&self) -> bool {
        let column = |j: usize| [0, 1, 2].map_each(|i: usize| self.linear[i][j]);
        let square = dot(column(0), column(0));
        let off =
            |i: usize, j: usize| dot(column(i), column(j)) - if i == j { square } else { 0.0 };
        [(0, 1), (0, 2), (1, 2), (1, 1), (2, 2)]
            .into_iter()
            .all(|(i, j)| off(i, j).abs() <= square / f64::from(1 << 20))
    }

    /// The greatest sum of magnitudes in a row of A: no vector's largest component grows by more.
    pub(crate) fn stretch(&self) -> f64 {
        let sum = |row: &[f64; 3]| row.iter().map(|x| x.abs()).sum::<f64>();
        self.linear.iter().map(sum).fold(0.0, f64::max)
    }

    /// A lower bound of the length of a mapped unit vector, near the least singular value of A, or
    /// 0 where that is lost among roundings: |det A| over the norm of the cofactors, the greatest
    /// product of two singular values.
    pub(crate) fn least_stretch(&self) -> f64 {
        const ROUNDING: f64 = 32.0 * f64::EPSILON;
        let (n, determinant) = cofactors(&self.linear);
        let sums = self.linear.map_each(|row| row.iter().map(|x| x.abs()).sum::<f64>());
        let volume = determinant.abs() - ROUNDING * (sums[0] * sums[1] * sums[2]);
        // No eigenvalue is above a row's sum of magnitudes (Gershgorin). Of N Nᵀ and Nᵀ N one is
        // diagonal where the map is a rotation before or after a scale.
        let bound = |n: [[f64; 3]; 3]| {
            largest(&n.map_each(|row| n.iter().map(|other| dot(row, *other).abs()).sum()))
        };
        let squared = bound(n).min(bound([0, 1, 2].map_each(|j| n.map_each(|row| row[j]))));
        let longest = largest(&sums);
        let area = squared.sqrt() * (1.0 + ROUNDING) + ROUNDING * longest * longest;
        let least = volume / area;
        // False for NaN.
        if least > 0.0 && least.is_finite() { least * (1.0 - ROUNDING) } else { 0.0 }
    }

    /// Maps points in lanes, by the same operations as [`point`](Self::point).
    #[inline(always)]
    pub(crate) fn carry<R: Real<Scalar = f64>>(&self, [x, y, z]: [R; 3]) -> [R; 3] {
        let mut carried = [x, y, z];
        for (axis, into) in carried.iter_mut().enumerate() {
            let [a, b, c] = self.linear[axis];
            *into =
                x.splat(a) * x + x.splat(b) * y + x.splat(c) * z + x.splat(self.translation[axis]);
        }
        carried
    }

    /// The approximate preimage of a point; not a number or infinite where the map is too flat.
    pub(crate) fn about_back(&self, p: [f64; 3]) -> [f64; 3] {
        let (n, determinant) = cofactors(&self.linear);
        let moved = sub(p, self.translation);
        [0, 1, 2].map_each(|j| {
            (n[0][j] * moved[0] + n[1][j] * moved[1] + n[2][j] * moved[2]) / determinant
        })
    }

    /// The greatest sum of magnitudes in a row of A − 1.
    pub(crate) fn off_identity(&self) -> f64 {
        let off = |i: usize| {
            (0..3).map(|j| (self.linear[i][j] - f64::from(u8::from(i == j))).abs()).sum()
        };
        largest(&[off(0), off(1), off(2)])
    }

    pub(crate) fn distance(&self) -> f64 {
        largest(&self.translation)
    }

    /// The inverse map of a point, subtracting b before A is inverted: `self` is a map and `back`
    /// its inverse.
    #[inline(always)]
    pub(crate) fn point_back<T: Scalar>(&self, back: &Self, p: [T; 3]) -> [T; 3] {
        multiply(&back.linear, sub(p.map(T::to_f64), self.translation)).map(T::nearest_to)
    }

    #[inline(always)]
    pub(crate) fn direction<T: Scalar>(&self, d: [T; 3]) -> [T; 3] {
        multiply(&self.linear, d.map(T::to_f64)).map(T::nearest_to)
    }

    /// Maps a normal as by [`normal`](Self::normal), rounded: in `f32` as by [`rounded_normal`].
    pub(crate) fn normal_of<T: Scalar>(&self, n: [T; 3]) -> [T; 3] {
        let normal = self.normal([n[0].to_f64(), n[1].to_f64(), n[2].to_f64()]);
        if size_of::<T>() == size_of::<f32>() {
            rounded_normal(normal).map(T::of)
        } else {
            normal.map(T::nearest_to)
        }
    }

    /// Maps the normal (b − a) × (c − a) of a triangle whose corners are mapped.
    pub(crate) fn normal(&self, n: [f64; 3]) -> [f64; 3] {
        multiply(&cofactors(&self.linear).0, n)
    }
}

/// 2²⁰: numbers that are mapped back and rounded to `f32` are then still rounded once, as `f64`
/// carries 29 bits more.
const MOST_FLATTENING: f32 = 0.0625 / UNIT_ROUNDOFF;

#[inline(always)]
fn multiply(matrix: &[[f64; 3]; 3], vector: [f64; 3]) -> [f64; 3] {
    // Four rows, so that compilers multiply them in a vector: a ray is carried into an instance in
    // a third of the instructions.
    let column = |column: usize| [matrix[0][column], matrix[1][column], matrix[2][column], 0.0];
    let [x, y, z] = [column(0), column(1), column(2)];
    let mut product = [0.0; 4];
    for row in 0..4 {
        product[row] = dot([x[row], y[row], z[row]], vector);
    }
    [product[0], product[1], product[2]]
}

/// The matrix of cofactors, which is the inverse's transpose times the determinant, and the
/// determinant.
fn cofactors(m: &[[f64; 3]; 3]) -> ([[f64; 3]; 3], f64) {
    let cofactors = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    (cofactors, dot(m[0], cofactors[0]))
}

#[cfg(test)]
#[path = "../../../tests/unit/value/affine.rs"]
mod tests;

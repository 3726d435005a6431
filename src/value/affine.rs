//! Affine maps, the transforms of instances.

use crate::math::{LARGEST_COORDINATE, UNIT_ROUNDOFF, power_of_two};
use crate::simd::{Real, with_default_float_mode};

/// An affine map of space, p ↦ A·p + b: rotation, scale of any sign and shear, then a translation.
///
/// Three rows of four numbers, as the upper rows of a 4 × 4 matrix that maps columns: each row of A, then the
/// component of b. Kept in `f64`, so that maps which are multiplied or read from decimals keep their meaning.
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

impl Affine {
    /// Every point stays where it is.
    pub const IDENTITY: Self =
        Self { linear: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation: [0.0; 3] };

    /// From the three upper rows of a matrix that maps columns.
    pub const fn from_rows([[a, b, c, x], [d, e, f, y], [g, h, i, z]]: [[f64; 4]; 3]) -> Self {
        Self { linear: [[a, b, c], [d, e, f], [g, h, i]], translation: [x, y, z] }
    }

    /// From the columns of a 4 × 4 matrix that maps columns, as OpenGL, glTF and `glam::Mat4` hold it; its last row is
    /// taken for 0 0 0 1.
    pub fn from_columns([x, y, z, w]: [[f32; 4]; 4]) -> Self {
        let row = |i: usize| [x[i], y[i], z[i], w[i]].map(f64::from);
        Self::from_rows([row(0), row(1), row(2)])
    }

    /// Moves everything by `by`.
    pub const fn translation(by: [f64; 3]) -> Self {
        Self { translation: by, ..Self::IDENTITY }
    }

    /// The three upper rows of the matrix.
    pub fn rows(&self) -> [[f64; 4]; 3] {
        let Self { linear, translation } = self;
        [0, 1, 2].map(|i| [linear[i][0], linear[i][1], linear[i][2], translation[i]])
    }

    /// Maps a point.
    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        with_default_float_mode(|| {
            let v = multiply(&self.linear, p);
            [0, 1, 2].map(|i| v[i] + self.translation[i])
        })
    }

    /// Maps a direction, without the translation.
    pub fn vector(&self, v: [f64; 3]) -> [f64; 3] {
        with_default_float_mode(|| multiply(&self.linear, v))
    }

    /// This map after `first`.
    #[must_use]
    pub fn after(&self, first: &Self) -> Self {
        let columns = [0, 1, 2].map(|j| self.vector([0, 1, 2].map(|i| first.linear[i][j])));
        Self {
            linear: [0, 1, 2].map(|i| [0, 1, 2].map(|j| columns[j][i])),
            translation: self.point(first.translation),
        }
    }

    /// The map back; `None` if there is none, or if this map flattens so much that `f64` loses what the way back needs:
    /// where the greatest stretch is more than 2²⁰ times the least.
    pub fn inverse(&self) -> Option<Self> {
        with_default_float_mode(|| {
            // One over a power of two near the largest entry, so that products neither overflow nor vanish.
            let largest = self.linear.as_flattened().iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            if !(largest > 0.0 && largest.is_finite() && self.translation.iter().all(|x| x.is_finite())) {
                return None;
            }
            let scale = 1.0 / power_of_two(largest);
            let scaled = self.linear.map(|row| row.map(|x| x * scale));
            let cofactors = cofactors(&scaled);
            let determinant: f64 = (0..3).map(|j| scaled[0][j] * cofactors[0][j]).sum();
            let linear = [0, 1, 2].map(|i| [0, 1, 2].map(|j| cofactors[j][i] / determinant * scale));
            let back = Self { linear, translation: [0.0; 3] };
            // Not a number, or infinite, where the determinant is 0.
            let is_flat = !back.linear.as_flattened().iter().all(|x| x.is_finite())
                || self.stretch() * back.stretch() > f64::from(MOST_FLATTENING);
            if is_flat {
                return None;
            }
            let translation = multiply(&back.linear, self.translation).map(|x| -x);
            Some(Self { translation, ..back })
        })
    }

    /// Whether it changes handedness.
    pub fn is_mirrored(&self) -> bool {
        let cofactors = cofactors(&self.linear);
        (0..3).map(|j| self.linear[0][j] * cofactors[0][j]).sum::<f64>() < 0.0
    }

    /// The greatest sum of magnitudes in a row of A: no vector's largest component grows by more.
    pub(crate) fn stretch(&self) -> f64 {
        let sum = |row: &[f64; 3]| row.iter().map(|x| x.abs()).sum::<f64>();
        self.linear.iter().map(sum).fold(0.0, f64::max)
    }

    /// A lower bound of how long the map leaves a vector of length 1, near the least singular value of A where that is
    /// not lost among roundings, and 0 where it is: |det A| over the norm of the cofactors, which is the greatest product
    /// of two singular values.
    pub(crate) fn least_stretch(&self) -> f64 {
        const ROUNDING: f64 = 32.0 * f64::EPSILON;
        let a = &self.linear;
        let n = cofactors(a);
        let determinant: f64 = (0..3).map(|j| a[0][j] * n[0][j]).sum();
        let sums = a.map(|row| row.iter().map(|x| x.abs()).sum::<f64>());
        let volume = determinant.abs() - ROUNDING * (sums[0] * sums[1] * sums[2]);
        // No eigenvalue is above a row's sum of magnitudes (Gershgorin). Of N Nᵀ and Nᵀ N one is diagonal where the map is
        // a rotation before or after a scale.
        let (mut rows, mut columns) = (0.0_f64, 0.0_f64);
        for i in 0..3 {
            let of_rows = |j: usize| (n[i][0] * n[j][0] + n[i][1] * n[j][1] + n[i][2] * n[j][2]).abs();
            let of_columns = |j: usize| (n[0][i] * n[0][j] + n[1][i] * n[1][j] + n[2][i] * n[2][j]).abs();
            rows = rows.max(of_rows(0) + of_rows(1) + of_rows(2));
            columns = columns.max(of_columns(0) + of_columns(1) + of_columns(2));
        }
        let largest = sums[0].max(sums[1]).max(sums[2]);
        let area = rows.min(columns).sqrt() * (1.0 + ROUNDING) + ROUNDING * largest * largest;
        let least = volume / area;
        // False for NaN.
        if least > 0.0 && least.is_finite() { least * (1.0 - ROUNDING) } else { 0.0 }
    }

    /// Maps points in lanes, by the same operations as [`point`](Self::point).
    #[inline(always)]
    pub(crate) fn carry<R: Real<Scalar = f64>>(&self, [x, y, z]: [R; 3]) -> [R; 3] {
        let mut carried = [x, y, z];
        for (into, ([a, b, c], moved)) in
            carried.iter_mut().zip(self.linear.into_iter().zip(self.translation))
        {
            let rotated = x.splat(a) * x + x.splat(b) * y + x.splat(c) * z;
            *into = rotated + x.splat(moved);
        }
        carried
    }

    /// The approximate preimage of a point; clamped to the bound of coordinates where the map is too flat.
    pub(crate) fn about_back(&self, p: [f64; 3]) -> [f32; 3] {
        let n = cofactors(&self.linear);
        let determinant: f64 = (0..3).map(|j| self.linear[0][j] * n[0][j]).sum();
        let moved = [0, 1, 2].map(|i| p[i] - self.translation[i]);
        [0, 1, 2].map(|j| {
            let back = (n[0][j] * moved[0] + n[1][j] * moved[1] + n[2][j] * moved[2]) / determinant;
            let most = f64::from(LARGEST_COORDINATE);
            if back.is_nan() { 0.0 } else { back.clamp(-most, most) as f32 }
        })
    }

    /// The greatest magnitude of a component of b.
    pub(crate) fn distance(&self) -> f64 {
        self.translation.iter().fold(0.0, |most, x| most.max(x.abs()))
    }

    /// The inverse map of a point, subtracting b before A is inverted: `self` is a map and `back` its inverse.
    pub(crate) fn point_back(&self, back: &Self, p: [f32; 3]) -> [f32; 3] {
        let moved = [0, 1, 2].map(|i| f64::from(p[i]) - self.translation[i]);
        multiply(&back.linear, moved).map(|x| x as f32)
    }

    /// Maps a direction, rounded once.
    pub(crate) fn direction(&self, d: [f32; 3]) -> [f32; 3] {
        multiply(&self.linear, d.map(f64::from)).map(|x| x as f32)
    }

    /// Maps the normal (b − a) × (c − a) of a triangle whose corners are mapped.
    pub(crate) fn normal(&self, n: [f64; 3]) -> [f64; 3] {
        multiply(&cofactors(&self.linear), n)
    }
}

/// 2²⁰, the most that a map may stretch one way more than another: what is rounded to `f32` on the way back is then still
/// rounded once, as `f64` carries 29 bits more.
const MOST_FLATTENING: f32 = 0.0625 / UNIT_ROUNDOFF;

fn multiply(matrix: &[[f64; 3]; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| matrix[i][0] * x + matrix[i][1] * y + matrix[i][2] * z)
}

/// The matrix of cofactors: the inverse's transpose, times the determinant.
fn cofactors(m: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|i| {
        let (p, q) = (m[(i + 1) % 3], m[(i + 2) % 3]);
        [0, 1, 2].map(|j| p[(j + 1) % 3] * q[(j + 2) % 3] - p[(j + 2) % 3] * q[(j + 1) % 3])
    })
}

#[cfg(test)]
#[path = "../../tests/unit/value/affine.rs"]
mod tests;

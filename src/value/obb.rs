//! The oriented box.

use crate::columns::{Columns, Record, Rows, plain_numbers};
use crate::error::{Error, Result};
use crate::simd::{MapEach, Scalar, with_default_float_mode};

/// A box whose faces are square to three axes of its own: all points p with
/// |`axes[i]` · (p − `center`)| ≤ `half_extents[i]` for every i, faces included.
///
/// The axes are orthonormal, right-handed or left-handed, and are taken as stored. No entry of A·Aᵀ
/// − I, with the axes as rows of A, may be greater than 2⁻¹⁶ in magnitude (2⁻⁴⁰ in `f64`): room for
/// the error of a hundred rotations multiplied (thousands), as a rounded axis is off by 2⁻²³ at
/// most (2⁻⁵²), and far below a forgotten normalisation or a shear.
///
/// [`Slab`](crate::primitive::Slab) and [`EnteredFace`](crate::primitive::EnteredFace) carry the
/// line into the box's frame, O' = A(O − C) and D' = AD, and find the overlap with \[−e, e\];
/// [`SeparatingAxes`](crate::primitive::SeparatingAxes) says only whether there is one. All are
/// closed and conservative: a line that truly meets the box, touching included, is found. One that
/// is found though it passes by would meet the box with half extents greater by 32ε(|O − C|₁ +
/// |e|₁), with ε the unit roundoff and |·|₁ the sum of magnitudes, or by a few of the least normal
/// numbers. The overlap holds the true one and lies within that with the greater box, all to within
/// 4ε of `t`. For `t` that are no normal numbers see the slab test of an
/// [`Aabb`](crate::primitive::Aabb).
///
/// A half extent of 0 makes a plate, a rod or a point, which is met like any box. Infinite half
/// extents are refused: how far rounding can move a ray is relative to the box's size.
#[doc(alias = "oriented box")]
#[doc(alias = "oriented bounding box")]
#[doc(alias = "ray against oriented box")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[repr(C)]
pub struct Obb<T = f32> {
    /// The middle. At most 2¹⁰⁰ in magnitude, 2³⁰⁰ in `f64`.
    pub center: [T; 3],
    /// Three unit vectors, square to each other.
    pub axes: [[T; 3]; 3],
    /// The distances from the middle to the faces along each axis, at least 0. At most 2¹⁰⁰, 2³⁰⁰
    /// in `f64`.
    pub half_extents: [T; 3],
}

/// Any number of oriented boxes as columns: centers, first, second and third axes, half extents.
pub type ObbBatch<'a, T = f32> = Columns<'a, Obb<T>>;

plain_numbers!(Obb: 15);

impl<T: Scalar> Record for Obb<T> {
    type Scalar = T;
    type Shape = Rows<5, 3>;

    fn column_name(place: usize) -> &'static str {
        const NAMES: [[&str; 3]; 5] = [
            ["center x", "center y", "center z"],
            ["first axis x", "first axis y", "first axis z"],
            ["second axis x", "second axis y", "second axis z"],
            ["third axis x", "third axis y", "third axis z"],
            ["first half extent", "second half extent", "third half extent"],
        ];
        NAMES[place / 3][place % 3]
    }

    const HAS_RULES: bool = true;

    fn check(&self, row: usize) -> Result<()> {
        // A thread that counts subnormals as zero would let a negative one pass.
        with_default_float_mode(|| {
            let unusable = |place: usize, value: T| Error::UnusableObb {
                row,
                component: Self::column_name(place),
                value: value.to_f64(),
            };
            for axis in 0..3 {
                // No range contains NaN.
                let (center, half_extent) = (self.center[axis], self.half_extents[axis]);
                if !(T::ZERO..=T::LARGEST_COORDINATE).contains(&center.abs()) {
                    return Err(unusable(axis, center));
                }
                if !(T::ZERO..=T::LARGEST_COORDINATE).contains(&half_extent) {
                    return Err(unusable(4 * 3 + axis, half_extent));
                }
            }
            let off = self.axes_off();
            if off <= Self::AXES_TOLERANCE {
                Ok(())
            } else {
                Err(Error::AxesNotOrthonormal { row, off })
            }
        })
    }
}

impl<T: Scalar> Obb<T> {
    /// The greatest magnitude of an entry of A·Aᵀ − I: 2⁻¹⁶ in `f32`, 2⁻⁴⁰ in `f64`.
    pub const AXES_TOLERANCE: f64 =
        1.0 / (1_u64 << if size_of::<T>() == 4 { 16 } else { 40 }) as f64;

    /// The box around `center` with these axes and half extents along them.
    ///
    /// ```
    /// use lanecast::primitive::Obb;
    /// use lanecast::Error;
    /// let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
    /// assert!(Obb::<f32>::new([0.0; 3], axes, [1.0, 2.0, 3.0]).is_ok());
    /// let sheared = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.25, 0.0, 1.0]];
    /// let refused = Obb::<f32>::new([0.0; 3], sheared, [1.0, 2.0, 3.0]);
    /// assert!(matches!(refused, Err(Error::AxesNotOrthonormal { off, .. }) if (off - 0.2).abs() < 1e-6));
    /// ```
    ///
    /// # Errors
    /// [`Error::AxesNotOrthonormal`] says how far off the axes are, [`Error::UnusableObb`] which
    /// other number is unusable.
    pub fn new(center: [T; 3], axes: [[T; 3]; 3], half_extents: [T; 3]) -> Result<Self> {
        let obb = Self { center, axes, half_extents };
        obb.check(0)?;
        Ok(obb)
    }

    /// The greatest magnitude among the entries of A·Aᵀ − I, in `f64`; NaN if there is one.
    fn axes_off(&self) -> f64 {
        let axes = self.axes.map_each(|axis| axis.map(T::to_f64));
        let mut off = 0.0_f64;
        for i in 0..3 {
            for j in 0..=i {
                let start = if i == j { -1.0 } else { 0.0 };
                let entry = (0..3).fold(start, |sum, k| sum + axes[i][k] * axes[j][k]);
                if entry.is_nan() || entry.abs() > off {
                    off = entry.abs();
                }
            }
        }
        off
    }
}

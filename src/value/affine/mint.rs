//! Conversions from and into the types of `mint`.

use mint::{ColumnMatrix3x4, ColumnMatrix4, IntoMint, Quaternion};

use super::Affine;
use crate::simd::Scalar;

/// The last row counts as 0 0 0 1.
impl<T: Scalar> From<ColumnMatrix4<T>> for Affine {
    fn from(matrix: ColumnMatrix4<T>) -> Self {
        Self::from_columns(<[[T; 4]; 4]>::from(matrix))
    }
}

impl<T: Scalar> From<ColumnMatrix3x4<T>> for Affine {
    fn from(matrix: ColumnMatrix3x4<T>) -> Self {
        Self::from_columns(<[[T; 3]; 4]>::from(matrix).map(|[x, y, z]| [x, y, z, T::ZERO]))
    }
}

/// A rotation, as by [`from_quaternion`](Affine::from_quaternion).
impl<T: Scalar> From<Quaternion<T>> for Affine {
    fn from(quaternion: Quaternion<T>) -> Self {
        Self::from_quaternion(<[T; 4]>::from(quaternion).map(T::to_f64))
    }
}

impl<T: Scalar> From<Affine> for ColumnMatrix4<T> {
    fn from(map: Affine) -> Self {
        map.columns().map(|column| column.map(T::nearest_to)).into()
    }
}

impl<T: Scalar> From<Affine> for ColumnMatrix3x4<T> {
    fn from(map: Affine) -> Self {
        map.columns().map(|[x, y, z, _]| [x, y, z].map(T::nearest_to)).into()
    }
}

impl IntoMint for Affine {
    type MintType = ColumnMatrix4<f64>;
}

//! Conversions from and into the types of `mint`.

use mint::{ColumnMatrix3x4, ColumnMatrix4, IntoMint, Quaternion};

use super::Affine;

macro_rules! conversions {
    ($($number:ty),+) => {$(
        /// The last row counts as 0 0 0 1.
        impl From<ColumnMatrix4<$number>> for Affine {
            fn from(matrix: ColumnMatrix4<$number>) -> Self {
                Self::from_columns(<[[$number; 4]; 4]>::from(matrix))
            }
        }

        impl From<ColumnMatrix3x4<$number>> for Affine {
            fn from(matrix: ColumnMatrix3x4<$number>) -> Self {
                let columns: [[$number; 3]; 4] = matrix.into();
                Self::from_columns(columns.map(|[x, y, z]| [x, y, z, 0.0]))
            }
        }

        /// A rotation, as by [`from_quaternion`](Affine::from_quaternion).
        impl From<Quaternion<$number>> for Affine {
            fn from(quaternion: Quaternion<$number>) -> Self {
                let xyzw: [$number; 4] = quaternion.into();
                Self::from_quaternion(xyzw.map(f64::from))
            }
        }

        impl From<Affine> for ColumnMatrix4<$number> {
            fn from(map: Affine) -> Self {
                map.columns().map(|column| column.map(|x| x as $number)).into()
            }
        }

        impl From<Affine> for ColumnMatrix3x4<$number> {
            fn from(map: Affine) -> Self {
                map.columns().map(|[x, y, z, _]| [x, y, z].map(|x| x as $number)).into()
            }
        }
    )+};
}

conversions!(f32, f64);

impl IntoMint for Affine {
    type MintType = ColumnMatrix4<f64>;
}

//! Maps made of parts: translations, scales, rotations, views.

use super::Affine;
use crate::math::{cross, dot, largest, sub};
use crate::simd::{MapEach, with_default_float_mode};

impl Affine {
    /// Moves everything by `by`.
    pub const fn translation(by: [f64; 3]) -> Self {
        Self { translation: by, ..Self::IDENTITY }
    }

    /// Scales everything by `factor`, from the origin; a negative one mirrors.
    pub const fn scale(factor: f64) -> Self {
        Self::scale_axes([factor; 3])
    }

    /// Scales by a factor along each axis, from the origin.
    pub const fn scale_axes([x, y, z]: [f64; 3]) -> Self {
        Self { linear: [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]], ..Self::IDENTITY }
    }

    /// Turns everything about the line through the origin along `axis`, of any length, by an angle:
    /// anticlockwise, seen from where the axis points to.
    ///
    /// The angle is given by its sine and cosine, as `f64::sin_cos` returns them. The last bits of
    /// the standard library's sine differ from machine to machine, and with them all answers would;
    /// the sine of the crate `libm` is the same everywhere. A quarter turn is exact, as its pair is
    /// (1, 0).
    ///
    /// ```
    /// use lanecast::Affine;
    /// let quarter = Affine::rotation([0.0, 0.0, 2.0], (1.0, 0.0));
    /// assert_eq!(quarter.point([3.0, 1.0, 5.0]), [-1.0, 3.0, 5.0]);
    /// let turned = Affine::rotation([1.0, 1.0, 0.0], 30_f64.to_radians().sin_cos());
    /// // Scaled first, then turned, then moved.
    /// let placed = Affine::translation([10.0, 0.0, 0.0]) * turned * Affine::scale(2.0);
    /// assert_eq!(placed.point([0.0; 3]), [10.0, 0.0, 0.0]);
    /// ```
    ///
    /// The map of an axis without length is not finite, and refused by scenes
    /// ([`SingularTransform`](crate::Error::SingularTransform)), as are those of the functions
    /// below in such cases.
    pub fn rotation(axis: [f64; 3], (sin, cos): (f64, f64)) -> Self {
        with_default_float_mode(|| {
            let [x, y, z] = unit(axis);
            let rest = 1.0 - cos;
            // Rodrigues' formula: cos · I + sin · \[a\]× + (1 − cos) · a aᵀ.
            let linear = [
                [rest * x * x + cos, rest * x * y - sin * z, rest * x * z + sin * y],
                [rest * y * x + sin * z, rest * y * y + cos, rest * y * z - sin * x],
                [rest * z * x - sin * y, rest * z * y + sin * x, rest * z * z + cos],
            ];
            Self { linear, ..Self::IDENTITY }
        })
    }

    /// The rotation of a quaternion x, y, z, w, the real part last as in glam, glTF and the
    /// coordinates of nalgebra. It may have any length but 0.
    ///
    /// ```
    /// use lanecast::Affine;
    /// // A quarter turn about z, as glTF writes it: the sine and the cosine of half the angle.
    /// let half = 0.5_f64.sqrt();
    /// let turned = Affine::from_quaternion([0.0, 0.0, half, half]).point([1.0, 0.0, 0.0]);
    /// assert!(turned[0].abs() < 1e-15 && (turned[1] - 1.0).abs() < 1e-15);
    /// ```
    pub fn from_quaternion(xyzw: [f64; 4]) -> Self {
        with_default_float_mode(|| {
            let largest = largest(&xyzw);
            let [x, y, z, w] = xyzw.map_each(|part| part / largest);
            // Twice the squares and products of the unit quaternion.
            let s = 2.0 / (x * x + y * y + z * z + w * w);
            let linear = [
                [1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)],
                [s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)],
                [s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)],
            ];
            Self { linear, ..Self::IDENTITY }
        })
    }

    /// Places a viewer that looks along its −z, with y upwards, as cameras of OpenGL and glTF do:
    /// its origin goes to `eye`, and it looks at `target`. `up`, of any length, is upwards as
    /// nearly as can be; if it is along the line of sight, another direction takes its place. The
    /// [inverse](Self::inverse) is the view matrix, that of `look_at_rh` of glam and OpenGL.
    ///
    /// ```
    /// use lanecast::Affine;
    /// let camera = Affine::look_at([5.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]);
    /// assert_eq!(camera.point([0.0, 0.0, -5.0]), [0.0, 0.0, 1.0]);
    /// assert_eq!(camera.vector([0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
    /// ```
    pub fn look_at(eye: [f64; 3], target: [f64; 3], up: [f64; 3]) -> Self {
        with_default_float_mode(|| {
            let back = unit(sub(eye, target));
            let side = |up| cross(up, back);
            let mut right = side(unit(up));
            if dot(right, right) < 1e-18 {
                let [x, y, z] = back.map(f64::abs);
                let farthest = if x <= y && x <= z { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
                right = side(if z < x && z < y { [0.0, 0.0, 1.0] } else { farthest });
            }
            let right = unit(right);
            let up = cross(back, right);
            Self {
                linear: [0, 1, 2].map_each(|axis| [right[axis], up[axis], back[axis]]),
                translation: eye,
            }
        })
    }
}

/// The vector scaled to length 1; not finite if it has no length.
fn unit(v: [f64; 3]) -> [f64; 3] {
    let largest = largest(&v);
    let v = v.map_each(|x| x / largest);
    let length = dot(v, v).sqrt();
    v.map_each(|x| x / length)
}

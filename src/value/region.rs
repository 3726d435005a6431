//! Regions of space: boxes, balls, and the space between planes.

use super::{Aabb, Sphere};
use crate::error::{Error, Result};
use crate::math::{cross, dot};
use crate::simd::{MapEach, Scalar, with_default_float_mode};

/// The space on one side of each of up to six planes, such as the view of a camera. It may be
/// without an end, flat, or empty, and then nothing overlaps with it.
///
/// ```
/// use lanecast::{Frustum, Scene};
/// let vertices = [[0.0, 0.0, -5.0], [1.0, 0.0, -5.0], [0.0, 1.0, -5.0], [9.0, 0.0, -5.0], [9.0, 1.0, -5.0]];
/// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [1, 3, 4]])?;
/// // A rectangle of the picture, by the directions of the rays through its corners, one after the other.
/// let corners = [[-0.1, -0.1, -1.0], [0.1, -0.1, -1.0], [0.1, 0.1, -1.0], [-0.1, 0.1, -1.0]];
/// let picked = scene.overlap(&Frustum::through([0.0; 3], corners)?).primitives()?;
/// assert_eq!(picked.iter().map(|ids| ids.primitive_id).collect::<Vec<_>>(), [0]);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frustum {
    planes: [[f64; 4]; Self::MOST],
    count: usize,
}

/// The range of depths over which clip space is visible, z/w from the near to the far plane; either
/// way round, as with reversed depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum ClipDepth {
    /// From 0 to 1: Vulkan, Direct3D, Metal, WebGPU.
    ZeroToOne,
    /// From −1 to 1: OpenGL, WebGL.
    MinusOneToOne,
}

impl Frustum {
    /// The most planes.
    pub(crate) const MOST: usize = 6;
    const EVERYWHERE: Self = Self { planes: [[0.0; 4]; Self::MOST], count: 0 };

    /// The points p with a·x + b·y + c·z + d ≥ 0 for each plane `[a, b, c, d]`; (a, b, c), of any
    /// length, points inwards.
    ///
    /// # Errors
    /// [`Error::UnusableField`] for none or more than six planes, and for a plane with a number
    /// that is not finite or beyond 2¹⁰⁰, or without a normal.
    pub fn new(planes: &[[f64; 4]]) -> Result<Self> {
        let refused = |problem| Error::UnusableField { maker: "frustum", field: "planes", problem };
        if planes.is_empty() || planes.len() > Self::MOST {
            return Err(refused(format!("are {}; there must be from one to six", planes.len())));
        }
        let mut frustum = Self { count: planes.len(), ..Self::EVERYWHERE };
        for (number, (plane, into)) in planes.iter().zip(&mut frustum.planes).enumerate() {
            let usable = |x: &f64| x.abs() <= f64::from(crate::math::LARGEST_COORDINATE);
            if !plane.iter().all(usable) || plane[..3] == [0.0; 3] {
                let problem =
                    "its numbers must be finite and at most 2^100, and its normal not zero";
                return Err(refused(format!("hold {plane:?} as plane {number}; {problem}")));
            }
            *into = *plane;
        }
        Ok(frustum)
    }

    /// The pyramid without an end from `eye` between four directions, which follow each other
    /// either way round, such as those of the rays through the corners of a rectangle of a picture.
    ///
    /// # Errors
    /// [`Error::UnusableField`] if a number is not finite or the directions span no such pyramid.
    pub fn through(eye: [f64; 3], directions: [[f64; 3]; 4]) -> Result<Self> {
        with_default_float_mode(|| {
            let middle = [0, 1, 2]
                .map_each(|axis| directions.iter().map(|direction| direction[axis]).sum::<f64>());
            let planes = [0, 1, 2, 3].map_each(|place| {
                let normal = cross(directions[place], directions[(place + 1) % 4]);
                let inwards =
                    if dot(normal, middle) < 0.0 { normal.map_each(|x| -x) } else { normal };
                [inwards[0], inwards[1], inwards[2], -dot(inwards, eye)]
            });
            Self::new(&planes)
        })
    }

    /// The points that a camera sees, by the product projection · view of its matrices, of `f32` or
    /// `f64`. The matrix takes a point (x, y, z, 1) as a column to (x', y', z', w'), and sees it if
    /// −w' ≤ x' ≤ w', −w' ≤ y' ≤ w', and 0 ≤ z' ≤ w' or −w' ≤ z' ≤ w', as `depth` says. Without the
    /// view it is the frustum in the frame of the camera.
    ///
    /// `columns` are the columns of the matrix, as OpenGL, Vulkan and `glam::Mat4` hold them and as
    /// [`Affine::from_columns`](super::Affine::from_columns) takes them. A matrix that takes points
    /// as rows, as those of DirectXMath do, is the transpose: its rows are these columns. A matrix
    /// for columns that is stored by rows, as in NumPy, is to be transposed.
    ///
    /// The planes are left, right, bottom, top, near and far, not normalised. They are sums and
    /// differences of rows in `f64` (Gribb and Hartmann 2001, "Fast Extraction of Viewing Frustum
    /// Planes from the World-View-Projection Matrix"). A plane at infinity bounds nothing and is
    /// left out.
    ///
    /// ```
    /// use lanecast::{ClipDepth, Frustum, Scene};
    /// let vertices = [[0.0, 0.0, -5.0], [1.0, 0.0, -5.0], [0.0, 1.0, -5.0], [9.0, 0.0, -5.0], [9.0, 1.0, -5.0]];
    /// let scene = Scene::from_triangles(&vertices, &[[0, 1, 2], [1, 3, 4]])?;
    /// // A camera at the origin that looks along −z, with a field of view of 20 degrees.
    /// let projection = glam::camera::rh::proj::vulkan::perspective(20_f32.to_radians(), 1.0, 0.1, 100.0);
    /// let view = glam::camera::rh::view::look_at_mat4(glam::Vec3::ZERO, glam::Vec3::NEG_Z, glam::Vec3::Y);
    /// let columns = (projection * view).to_cols_array_2d();
    /// let frustum = Frustum::from_view_projection(columns, ClipDepth::ZeroToOne)?;
    /// let seen = scene.overlap(&frustum).primitives()?;
    /// assert_eq!(seen.iter().map(|ids| ids.primitive_id).collect::<Vec<_>>(), [0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::UnusableField`] as of [`new`](Self::new), for a matrix with numbers that are not
    /// finite, or whose planes have no normals.
    pub fn from_view_projection<T: Scalar>(columns: [[T; 4]; 4], depth: ClipDepth) -> Result<Self> {
        with_default_float_mode(|| {
            let row = |row: usize| columns.map_each(|column| column[row].to_f64());
            let [x, y, z, w] = [0, 1, 2, 3].map_each(row);
            let minus_w = w.map_each(|x| -x);
            let difference = |a: [f64; 4], b: [f64; 4]| [0, 1, 2, 3].map_each(|i| a[i] - b[i]);
            let near = match depth {
                ClipDepth::ZeroToOne => z,
                ClipDepth::MinusOneToOne => difference(z, minus_w),
            };
            let sides = [x, y].map_each(|row| [difference(row, minus_w), difference(w, row)]);
            let [[left, right], [bottom, top]] = sides;
            let planes = [left, right, bottom, top, near, difference(w, z)];
            // Everywhere or nowhere at least 0; the latter is refused.
            let bounds = |[a, b, c, d]: &[f64; 4]| [*a, *b, *c] != [0.0; 3] || *d < 0.0;
            Self::new(&planes.into_iter().filter(bounds).collect::<Vec<_>>())
        })
    }

    /// The planes.
    pub fn planes(&self) -> &[[f64; 4]] {
        &self.planes[..self.count]
    }
}

/// A region of space, for [`Scene::overlap`](crate::Scene::overlap): an [`Aabb`], a [`Sphere`] as a
/// solid ball, or a [`Frustum`], by reference and of either precision. All are closed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region(pub(crate) Extent);

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Extent {
    Between(Frustum),
    Ball {
        center: [f64; 3],
        radius: f64,
    },
    Nothing,
    /// With the name of the field that is NaN.
    Unusable(&'static str),
}

impl<T: Scalar> From<&Aabb<T>> for Region {
    /// A side at infinity bounds nothing. An empty box overlaps with nothing.
    fn from(&Aabb { min, max }: &Aabb<T>) -> Self {
        if min.iter().chain(&max).any(|x| x.is_nan()) {
            return Self(Extent::Unusable("box"));
        }
        let mut sides = Frustum::EVERYWHERE;
        for axis in 0..3 {
            if min[axis] > max[axis] || min[axis] == T::INFINITY || max[axis] == T::NEG_INFINITY {
                return Self(Extent::Nothing);
            }
            for (side, sign) in [(min[axis], 1.0), (max[axis], -1.0)] {
                if side.is_finite() {
                    let plane = &mut sides.planes[sides.count];
                    (plane[axis], plane[3]) = (sign, -sign * side.to_f64());
                    sides.count += 1;
                }
            }
        }
        Self(Extent::Between(sides))
    }
}

impl<T: Scalar> From<&Sphere<T>> for Region {
    /// A negative radius overlaps with nothing, an infinite one with everything.
    fn from(&Sphere { center, radius }: &Sphere<T>) -> Self {
        if radius.is_nan() || !center.iter().all(|x| x.is_finite()) {
            return Self(Extent::Unusable("sphere"));
        }
        Self(match radius.to_f64() {
            f64::INFINITY => Extent::Between(Frustum::EVERYWHERE),
            radius @ 0.0.. => Extent::Ball { center: center.map(T::to_f64), radius },
            _ => Extent::Nothing,
        })
    }
}

impl From<&Frustum> for Region {
    fn from(frustum: &Frustum) -> Self {
        Self(Extent::Between(*frustum))
    }
}

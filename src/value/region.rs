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

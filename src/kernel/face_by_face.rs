//! A box face by face: a second, independent way to the same answer.

use super::slab::{Face, entering_code, face_of_code, with_finite_interval};
use super::test::{Answer, Test};
use crate::columns::Row;
use crate::simd::{Real, Scalar};
use crate::value::{Aabb, Ray, RayParts, RayShape};

/// Intersects the plane of the face that the ray approaches on each axis and keeps the one whose point
/// lies within its face: where the ray enters the box from outside.
///
/// It is here to hold the [slab test](crate::primitive::Slab) against, and to show what that one gains. The two
/// differ where they classically do:
///
/// - An origin inside the box. No face that the ray approaches lies ahead, so this test reports a miss;
///   the slab test reports the overlap, which begins with the ray itself.
/// - A hit exactly on an edge or a corner. The point is computed and rounded, and may come to lie just
///   outside of both faces: this test then loses the hit, the slab test never does. If it lies within
///   both, the face of the lowest axis counts.
/// - A ray that runs in a face. It is parallel to that face, and enters through the one at its end.
///
/// The method as in Woo, "Fast Ray-Box Intersection", Graphics Gems, 1990. `t` carries a relative error of at most 2
/// units of roundoff. A `t` beyond 2¹²⁷ in magnitude (2¹⁰²³ in `f64`) is a miss, and a side at ±∞ is never entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FaceByFace;

/// Where a ray enters a box from outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FacePoint<T = f32> {
    /// The ray parameter of the point.
    pub t: T,
    /// The face on which it lies.
    pub face: Face,
}

impl<T: Scalar, const D: usize> Test<Aabb<T, D>> for FaceByFace {
    type Line = Ray<T, D>;
    type Hit = FacePoint<T>;
    type Values = Row<1>;
    type Prepared = RayShape<D>;

    #[inline(always)]
    fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, D>) -> RayParts<R, D> {
        // Else a line would enter a side at infinity, and a `t` that overflows be one of a hit.
        with_finite_interval(ray)
    }

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(&self, [min, max]: &[[R; D]; 2], ray: &RayParts<R, D>) -> Answer<R, Row<1>> {
        let zero = ray.t_min.splat(T::ZERO);
        let mut hit = zero.lt(zero);
        let (mut code, mut first) = (zero, ray.t_min.splat(T::INFINITY));
        for axis in 0..D {
            let direction = ray.direction[axis];
            let backwards = direction.lt(zero);
            let plane = max[axis].select(backwards, min[axis]);
            let t = (plane - ray.origin[axis]) / direction;
            let mut within = (backwards | zero.lt(direction)) & ray.t_min.le(t) & t.le(ray.t_max);
            for other in 0..D {
                // On the axis itself the point lies in the plane: that asks whether the box is empty.
                let point = if other == axis { plane } else { ray.origin[other] + t * ray.direction[other] };
                within = within & min[other].le(point) & point.le(max[other]);
            }
            let keep = within & !hit;
            first = t.select(keep, first);
            code = entering_code(axis, backwards, zero).select(keep, code);
            hit = hit | within;
        }
        Answer { hit, code, values: [first] }
    }

    fn hit(code: u8, &[t]: &[T; 1]) -> FacePoint<T> {
        FacePoint { t, face: face_of_code(code).unwrap_or(Face { axis: 0, at_max: false }) }
    }
}

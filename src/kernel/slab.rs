//! The slab test of a box, and a test face by face to hold it against.

use super::test::{Answer, Test, choose_code};
use crate::columns::Row;
use crate::simd::{Real, Scalar};
use crate::value::{Aabb, Ray, RayParts, RayShape};

/// The slab test of a line, ray or segment against a box: the interval in which they overlap.
///
/// Closed and conservative: a ray that touches a face, an edge or a corner, or runs in a face,
/// meets the box. One that passes the box by less than 16 units of roundoff of `t`, in terms of its
/// length up to there, may meet it too. The bounds of the interval have a relative error of at most
/// 4 units of roundoff; of a segment inside they are exactly \[0, 1\].
///
/// That holds for `t` that are normal numbers. `t` from 2¹²⁷ on (2¹⁰²³ in `f64`) counts as
/// infinite. A direction component whose reciprocal overflows counts as zero. A `min` of −∞, a
/// `max` of +∞ and NaN are no bound.
///
/// An [oriented box](crate::primitive::Obb) is tested in its own frame, within bounds stated there.
///
/// ```
/// use lanecast::primitive::{Aabb, Slab, Test};
/// use lanecast::Ray;
/// let aabb = Aabb { min: [-1.0; 3], max: [1.0; 3] };
/// let hit = Slab.intersect(&aabb, &Ray::segment([-3.0, 0.0, 0.0], [1.0, 0.0, 0.0]))?;
/// assert_eq!(hit.map(|hit| [hit.t_enter, hit.t_exit]), Some([0.5, 1.0]));
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// Kay and Kajiya, "Ray Tracing Complex Scenes", SIGGRAPH 1986; the last comparison is widened
/// after Ize, "Robust BVH Ray Traversal", JCGT 2(2), 2013, on both sides of zero.
#[doc(alias = "ray against box")]
#[doc(alias = "Kay and Kajiya")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slab;

/// Where a line, ray or segment overlaps a solid, its own interval included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct IntervalHit<T = f32> {
    /// Where the overlap begins: at the boundary, or with the line's own `t_min` if that is later.
    pub t_enter: T,
    /// Where the overlap ends: at the boundary, or with the line's own `t_max` if that is earlier.
    pub t_exit: T,
}

/// The [slab test](Slab) that also says through which face the box is entered.
///
/// Of faces that the ray enters at the same `t`, through an edge or a corner, the one of the lowest
/// axis counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EnteredFace;

/// An overlap with a box, and the face where it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FaceHit<T = f32> {
    /// As of [`IntervalHit`].
    pub t_enter: T,
    /// As of [`IntervalHit`].
    pub t_exit: T,
    /// The face through which the ray enters; `None` if its interval begins inside the box or on
    /// its boundary.
    pub face: Option<Face>,
}

/// One face of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Face {
    /// The axis to which it is square: 0, 1 or 2.
    pub axis: usize,
    /// Whether it is the face at the greatest coordinate of that axis.
    pub at_max: bool,
}

impl Face {
    /// The unit normal, outwards.
    pub fn normal<T: Scalar, const D: usize>(&self) -> [T; D] {
        let outwards = if self.at_max { T::ONE } else { -T::ONE };
        std::array::from_fn(|axis| if axis == self.axis { outwards } else { T::ZERO })
    }
}

/// Codes of hits: 1 + 2 · axis for the least face of an axis, one more for its greatest.
const FIRST_FACE: u8 = 1;

/// The code of a hit that enters through no face.
const INSIDE: u8 = u8::MAX;

pub(super) fn face_of_code(code: u8) -> Option<Face> {
    (code != INSIDE).then(|| Face {
        axis: usize::from((code - FIRST_FACE) / 2),
        at_max: (code - FIRST_FACE) % 2 == 1,
    })
}

#[inline(always)]
pub(super) fn inverse<R: Real<Scalar: Scalar>, const D: usize>(direction: [R; D]) -> [R; D] {
    let mut inverse = direction;
    for axis in 0..D {
        inverse[axis] = direction[axis].splat(Scalar::ONE) / direction[axis];
    }
    inverse
}

/// Whether an overlap is a hit: t_enter ≤ t_exit, and a little more.
///
/// Each is off by three rounded operations, (1 + ε)³. If the true ones overlap, the computed ones
/// do after t_exit has been moved outwards by 8ε, more than ((1 + ε)/(1 − ε))³ − 1 ≈ 6ε and the
/// rounding of the product. With t_exit ≥ 0 the greater product is the one with 1 + 8ε, below the
/// one with 1 − 8ε.
#[inline(always)]
fn overlap<R: Real<Scalar = T>, T: Scalar>(t_enter: R, t_exit: R) -> R::Mask {
    let slack = T::of(8.0) * T::UNIT_ROUNDOFF;
    let (outwards, inwards) = (t_exit.splat(T::ONE + slack), t_exit.splat(T::ONE - slack));
    t_enter.le((t_exit * outwards).max(t_exit * inwards))
}

/// The code of the face of an axis through which a ray enters: at the greatest coordinate if it
/// goes backwards.
#[inline(always)]
pub(super) fn entering_code<R: Real<Scalar: Scalar>>(axis: usize, backwards: R::Mask, any: R) -> R {
    let at_min = FIRST_FACE + 2 * axis as u8;
    choose_code(backwards, [at_min + 1, at_min], any)
}

/// So that no infinite parameter is within.
#[inline(always)]
pub(super) fn clamp_interval<R: Real<Scalar = T>, T: Scalar>(t_min: R, t_max: R) -> (R, R) {
    let (least, greatest) = (t_min.splat(-T::INFINITE_T), t_max.splat(T::INFINITE_T));
    (t_min.max(least), t_max.min(greatest))
}

/// Maps clamped ends of an interval back to infinite ones.
#[inline(always)]
pub(super) fn unclamp_interval<R: Real<Scalar = T>, T: Scalar>(
    [t_enter, t_exit]: [R; 2],
) -> [R; 2] {
    let (least, greatest) = (t_enter.splat(-T::INFINITE_T), t_enter.splat(T::INFINITE_T));
    let before_all = t_enter.splat(T::NEG_INFINITY).select(t_enter.le(least), t_enter);
    [before_all, t_exit.splat(T::INFINITY).select(greatest.le(t_exit), t_exit)]
}

#[inline(always)]
pub(super) fn with_finite_interval<R: Real<Scalar: Scalar>, const D: usize>(
    ray: &RayParts<R, D>,
) -> RayParts<R, D> {
    let (t_min, t_max) = clamp_interval(ray.t_min, ray.t_max);
    RayParts { t_min, t_max, ..*ray }
}

#[inline(always)]
pub(super) fn choose_near_and_far<R: Real<Scalar: Scalar>, const D: usize>(
    [min, max]: [[R; D]; 2],
    inv_direction: &[R; D],
) -> [[R; D]; 2] {
    let mut arranged = [min, max];
    for axis in 0..D {
        let backwards = inv_direction[axis].lt(min[axis].splat(Scalar::ZERO));
        arranged[0][axis] = max[axis].select(backwards, min[axis]);
        arranged[1][axis] = min[axis].select(backwards, max[axis]);
    }
    arranged
}

/// Tests of rays as they are, with a finite interval: an infinite plane or radius would take an
/// infinite `t` for a hit.
macro_rules! finite_ray_test {
    ($d:tt) => {
        type Line = Ray<T, $d>;
        type Prepared = RayShape<$d>;

        #[inline(always)]
        fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, $d>) -> RayParts<R, $d> {
            with_finite_interval(ray)
        }
    };
}

pub(super) use finite_ray_test;

macro_rules! slab_test {
    () => {
        type Line = Ray<T, D>;
        type Values = Row<2>;
        /// The ray with a finite interval, and with the reciprocal of its direction.
        type Prepared = RayShape<D>;

        #[inline(always)]
        fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, D>) -> RayParts<R, D> {
            RayParts { direction: inverse(ray.direction), ..with_finite_interval(ray) }
        }

        #[inline(always)]
        fn arrange<R: Real<Scalar = T>>(aabb: [[R; D]; 2], ray: &RayParts<R, D>) -> [[R; D]; 2] {
            choose_near_and_far(aabb, &ray.direction)
        }
    };
}

impl<T: Scalar, const D: usize> Test<Aabb<T, D>> for Slab {
    type Hit = IntervalHit<T>;

    slab_test!();

    /// The parameter of a plane is the first argument of `min` and `max`, so that 0 · ∞, of a ray
    /// along it, changes nothing.
    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        [near, far]: &[[R; D]; 2],
        ray: &RayParts<R, D>,
    ) -> Answer<R, Row<2>> {
        let (mut t_enter, mut t_exit) = (ray.t_min, ray.t_max);
        for axis in 0..D {
            t_enter = ((near[axis] - ray.origin[axis]) * ray.direction[axis]).max(t_enter);
            t_exit = ((far[axis] - ray.origin[axis]) * ray.direction[axis]).min(t_exit);
        }
        let hit = overlap(t_enter, t_exit);
        // Within the ray's interval and in order, also if only the slack made it a hit.
        let t_enter = t_enter.min(ray.t_max);
        let values = unclamp_interval([t_enter, t_exit.max(t_enter)]);
        Answer { hit, code: ray.t_min.splat(T::ONE), values }
    }

    fn hit(_: u8, &[t_enter, t_exit]: &[T; 2]) -> IntervalHit<T> {
        IntervalHit { t_enter, t_exit }
    }
}

impl<T: Scalar, const D: usize> Test<Aabb<T, D>> for EnteredFace {
    type Hit = FaceHit<T>;

    slab_test!();

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        planes: &[[R; D]; 2],
        ray: &RayParts<R, D>,
    ) -> Answer<R, Row<2>> {
        // The first axis whose near plane is met last, and after the interval has begun.
        let (mut last, mut code) = (ray.t_min, ray.t_min.splat(T::of(f32::from(INSIDE))));
        for (axis, &near) in planes[0].iter().enumerate() {
            let t_near = (near - ray.origin[axis]) * ray.direction[axis];
            let backwards = ray.direction[axis].lt(ray.t_min.splat(T::ZERO));
            code = entering_code(axis, backwards, ray.t_min).select(last.lt(t_near), code);
            last = t_near.max(last);
        }
        Answer { code, ..Test::<Aabb<T, D>>::test(&Slab, planes, ray) }
    }

    fn hit(code: u8, &[t_enter, t_exit]: &[T; 2]) -> FaceHit<T> {
        FaceHit { t_enter, t_exit, face: face_of_code(code) }
    }
}

/// Where a ray enters a box from outside: intersects the plane of the face that it approaches on
/// each axis, and keeps the one whose point lies within its face. It is here to hold the [slab
/// test](Slab) against:
///
/// - From an origin inside the box no approached face lies ahead: a miss. The slab test reports the
///   overlap.
/// - The point on an edge or a corner is rounded, and may come to lie just outside of both faces:
///   this test then loses the hit, the slab test never does. If it lies within both, the face of
///   the lowest axis counts.
/// - A ray that runs in a face is parallel to it, and enters through the one at its end.
///
/// `t` carries a relative error of at most 2 units of roundoff. A `t` beyond 2¹²⁷ in magnitude
/// (2¹⁰²³ in `f64`) is a miss, and a side at ±∞ is never entered. Woo, "Fast Ray-Box Intersection",
/// Graphics Gems, 1990.
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
    type Hit = FacePoint<T>;
    type Values = Row<1>;

    finite_ray_test!(D);

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        [min, max]: &[[R; D]; 2],
        ray: &RayParts<R, D>,
    ) -> Answer<R, Row<1>> {
        let zero = ray.t_min.splat(T::ZERO);
        let mut hit = zero.lt(zero);
        let (mut code, mut first) = (zero, ray.t_min.splat(T::INFINITY));
        for axis in 0..D {
            let direction = ray.direction[axis];
            let backwards = direction.lt(zero);
            let plane = max[axis].select(backwards, min[axis]);
            let t = (plane - ray.origin[axis]) / direction;
            let mut within = ray.t_min.le_in(t, backwards | zero.lt(direction));
            within = t.le_in(ray.t_max, within);
            for other in 0..D {
                // On the axis itself the point lies in the plane: that asks whether the box is
                // empty.
                let point = if other == axis {
                    plane
                } else {
                    ray.origin[other] + t * ray.direction[other]
                };
                within = point.le_in(max[other], min[other].le_in(point, within));
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

//! The classic test of a line against a triangle, by triple products.

use super::slab::with_finite_interval;
use super::test::{Answer, Test, code_of_side};
use crate::columns::Row;
use crate::math::{cross, dot, sub};
use crate::simd::{Real, Scalar};
use crate::value::{Culling, Ray, RayParts, RayShape, Side, Triangle, TriangleWithNormal};

/// The classic test of a line, ray or segment against a triangle: `t` and the weights as quotients
/// of triple products.
///
/// With the plane's normal n = (v1 − v0) × (v2 − v0) and d = −direction · n, the plane is met where
/// t · d = (origin − v0) · n. A line with d = 0, also in the plane, misses; so does one from a side
/// that does not count. Then t_min · d ≤ t · d ≤ t_max · d is asked, and whether the weights, times
/// d, are at least 0 and their sum at most d.
///
/// It takes the same 66 operations for every pair. The [watertight](crate::primitive::Watertight)
/// test rejects with 36, but decides what is left one by one: it is the faster one in bulk while
/// less than about one pair in a hundred meets (one in four hundred in `f64`), this one beyond.
/// With a [precomputed](Triangle::with_normal) normal it is about as fast. Next to a border it may
/// err, so that a ray through the edge that two triangles share may miss both.
///
/// # Precision
///
/// Let E be the largest component of the edges at v0, D of the direction, R of origin − v0, and ε
/// the unit roundoff, 2⁻²⁴ or 2⁻⁵³. To first order, d is off by at most 45 ε D E², t · d by 51 ε R
/// E², and either weight times d by 45 ε D E R; `t`, `u` and `v` are off by that over |d|, and by
/// as much relative to themselves as d is. What lies clear of the border, and t clear of the
/// interval's ends, by more than that is decided rightly; d comes near to 0, and the bounds are of
/// no use, for triangles that are thin or seen edge-on. `t` is exactly within the interval, `u` and
/// `v` are at least 0, and u + v is at most 1 + 2ε.
///
/// Products of three lengths are formed. Where E, D and R are between 2⁻³⁵ and 2⁴⁰ (2⁻³⁰⁰ and 2³⁰⁰
/// in `f64`) none overflows, and what is lost below the least normal number is far below the bounds
/// above. Beyond, a triangle is missed once a product overflows or d vanishes, and before it does
/// the bounds are of no use. A `t` of 2¹²⁷ (2¹⁰²³) or more is a miss.
///
/// Möller and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", Journal of Graphics
/// Tools 2(1), 1997, in the grouping by the plane's normal of Ericson, Real-Time Collision
/// Detection, 2005, section 5.3.6, for either side.
#[doc(alias = "ray against triangle")]
#[doc(alias = "Möller–Trumbore")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TripleProduct {
    /// Which sides do not count.
    pub culling: Culling,
}

impl TripleProduct {
    /// Both sides count.
    pub const TWO_SIDED: Self = Self { culling: Culling::None };
    /// Only the front counts.
    pub const ONE_SIDED: Self = Self { culling: Culling::Back };

    /// By the first vertex a, the edges from there and their cross product.
    #[inline(always)]
    fn in_plane<R: Real<Scalar = T>, T: Scalar>(
        self,
        a: [R; 3],
        [ab, ac]: [[R; 3]; 2],
        normal: [R; 3],
        ray: &RayParts<R, 3>,
    ) -> Answer<R, Row<3>> {
        let (zero, one) = (ray.t_min.splat(T::ZERO), ray.t_min.splat(T::ONE));
        let backwards = ray.direction;
        let signed_d = dot(backwards, normal);
        let front = zero.lt(signed_d);
        // All products are turned so that d is positive: one set of comparisons serves both sides.
        let towards = match self.culling {
            Culling::None => one.select(front, zero - one),
            Culling::Back => one,
            Culling::Front => zero - one,
        };
        let d = signed_d * towards;
        let from_a = sub(ray.origin, a);
        let t_d = dot(from_a, normal) * towards;
        let across = cross(backwards, from_a);
        let u_d = dot(ac, across) * towards;
        let v_d = (zero - dot(ab, across)) * towards;
        // Neither end is infinite: a product with d is never NaN. An overflow, of a part or of the
        // whole, makes the sum of the first line infinite or NaN, or that of the last.
        let hit = zero.lt(d)
            & (d + t_d.abs()).lt(zero.splat(T::INFINITY))
            & (ray.t_min * d).le(t_d)
            & t_d.le(ray.t_max * d)
            & zero.le(u_d)
            & zero.le(v_d)
            & (u_d + v_d).le(d);
        // Rounding t_max · d and then the quotient may lead past the end by a unit in the last
        // place.
        let t = (t_d / d).max(ray.t_min).min(ray.t_max);
        // Adding zero turns −0 into 0: equal values have equal bits.
        Answer {
            hit,
            code: code_of_side(front, zero),
            values: [t + zero, u_d / d + zero, v_d / d + zero],
        }
    }
}

/// Where a line, ray or segment passes through a triangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TriangleHit<T = f32> {
    /// The ray parameter of the point.
    pub t: T,
    /// The weight of the second vertex.
    pub u: T,
    /// The weight of the third vertex; the first has 1 − u − v.
    pub v: T,
    /// From which side the line comes.
    pub side: Side,
}

macro_rules! triple_product_test {
    () => {
        type Line = Ray<T>;
        type Hit = TriangleHit<T>;
        type Values = Row<3>;
        /// The ray, its direction reversed and the ends of its interval finite.
        type Prepared = RayShape<3>;

        #[inline(always)]
        fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, 3>) -> RayParts<R, 3> {
            let zero = ray.t_min.splat(T::ZERO);
            RayParts { direction: sub([zero; 3], ray.direction), ..with_finite_interval(ray) }
        }

        fn hit(code: u8, &[t, u, v]: &[T; 3]) -> TriangleHit<T> {
            TriangleHit { t, u, v, side: Side::of_code(code) }
        }
    };
}

impl<T: Scalar> Test<Triangle<T>> for TripleProduct {
    triple_product_test!();

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        &[a, b, c]: &[[R; 3]; 3],
        ray: &RayParts<R, 3>,
    ) -> Answer<R, Row<3>> {
        let (ab, ac) = (sub(b, a), sub(c, a));
        self.in_plane(a, [ab, ac], cross(ab, ac), ray)
    }
}

impl<T: Scalar> Test<TriangleWithNormal<T>> for TripleProduct {
    triple_product_test!();

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        &[a, b, c, normal]: &[[R; 3]; 4],
        ray: &RayParts<R, 3>,
    ) -> Answer<R, Row<3>> {
        self.in_plane(a, [sub(b, a), sub(c, a)], normal, ray)
    }
}

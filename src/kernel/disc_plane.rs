//! The test of a disc.

use super::slab::{finite_ray_test, with_finite_interval};
use super::test::{Answer, Test, code_of_side};
use crate::columns::Row;
use crate::simd::{Real, Scalar};
use crate::value::{Disc, Ray, RayParts, RayShape, Side};

/// Where a line, ray or segment passes a disc, from either side.
///
/// The rim belongs to the disc; a line in or along its plane does not meet it.
///
/// Let L be the distance of the line's origin from the center, D that from the origin to the point
/// at the reported `t`, and ε the unit roundoff. That point is at most 4 (L + D) ε off the plane,
/// whatever the angle, and counts as on the disc up to (L + D + 3 radius) ε beyond or within the
/// rim. Along the line the height is divided by |cos|, the cosine of the angle between line and
/// normal: at the rim the disc is as if its radius were off by 8 (L + D) ε / |cos|. Where
/// |cos| is below 4 ε, the line may count as along the plane or not, and as coming from either side.
///
/// Products of lengths are formed: the bounds hold where L, the radius and the lengths of direction
/// and normal are 0 or between 2⁻⁶⁰ and 2⁶⁰ (2⁻⁵⁰⁰ and 2⁵⁰⁰ in `f64`). Where one overflows, but for
/// the radius's square, there is no hit. A `t` beyond 2¹²⁷ (2¹⁰²³ in `f64`) counts as infinite,
/// which is no hit.
///
/// ```
/// use lanecast::primitive::{Disc, DiscPlane, Side, Test};
/// use lanecast::Ray;
/// let disc = Disc { center: [0.0, 0.0, 4.0], normal: [0.0, 0.0, -1.0], radius: 1.0 };
/// let hit = DiscPlane.intersect(&disc, &Ray::new([1.0, 0.0, 0.0], [0.0, 0.0, 2.0]))?.expect("its rim is its own");
/// assert_eq!((hit.t, hit.side), (2.0, Side::Front));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiscPlane;

/// Where a line, ray or segment passes a disc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DiscHit<T = f32> {
    /// The ray parameter.
    pub t: T,
    /// From which side it comes: the front is where the normal points to.
    pub side: Side,
}

impl<T: Scalar> Test<Disc<T>> for DiscPlane {
    type Hit = DiscHit<T>;
    type Values = Row<1>;

    finite_ray_test!(3);

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        &[cx, cy, cz, nx, ny, nz, radius]: &[R; 7],
        ray: &RayParts<R, 3>,
    ) -> Answer<R, Row<1>> {
        let ([ox, oy, oz], [dx, dy, dz]) = (ray.origin, ray.direction);
        let zero = ray.t_min.splat(T::ZERO);
        let (x, y, z) = (ox - cx, oy - cy, oz - cz);
        let along_normal = dx * nx + dy * ny + dz * nz;
        let t = (zero - (x * nx + y * ny + z * nz)) / along_normal;
        let (x, y, z) = (x + t * dx, y + t * dy, z + t * dz);
        // Overflow makes it neither steep nor near, but an infinite radius would reach all finite
        // points.
        let (steepness, greatest) = (along_normal.abs(), zero.splat(T::GREATEST));
        let crosses = zero.lt(steepness) & steepness.le(greatest);
        let near = (x * x + y * y + z * z).le((radius * radius).min(greatest));
        let within = crosses & near & zero.le(radius);
        let hit = within & ray.t_min.le(t) & t.le(ray.t_max);
        Answer { hit, code: code_of_side(along_normal.lt(zero), zero), values: [t] }
    }

    fn hit(code: u8, &[t]: &[T; 1]) -> DiscHit<T> {
        DiscHit { t, side: Side::of_code(code) }
    }
}

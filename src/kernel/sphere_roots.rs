//! The test of a sphere.

use super::slab::{clamp_interval, unclamp_interval};
use super::test::{Answer, Test, choose_code};
use crate::columns::{Row, Rows};
use crate::simd::{Real, Scalar};
use crate::value::{Ray, RayParts, Sphere};

/// Where a line, ray or segment is within a ball.
///
/// The distance of the center from the line is measured at the foot of the perpendicular: a far
/// origin costs no more than its own rounding. With L the origin's distance from the center, the
/// ball is as if its center were off by 8 L units of roundoff, and both ends of the interval, as
/// lengths, by 8 (L + radius), where the line does not graze.
///
/// Squares of lengths are formed. A radius from 2⁶⁴ on (2⁵¹² in `f64`) has none, and such a sphere
/// is never met; squares of the least lengths vanish, as if the radius were off by another 2⁻⁷³
/// (2⁻⁵³⁵). `t` from 2¹²⁷ on (2¹⁰²³ in `f64`) counts as infinite: a ball met only there is not met.
///
/// ```
/// use lanecast::primitive::{Sphere, SphereRoots, Test};
/// use lanecast::Ray;
/// let sphere = Sphere::new([0.0, 0.0, 5.0], 1.0);
/// let hit = SphereRoots.intersect(&sphere, &Ray::new([0.0; 3], [0.0, 0.0, 2.0]))?.expect("straight at it");
/// assert_eq!((hit.t_enter, hit.t_exit, hit.inside), (2.0, 3.0, false));
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// Haines, Günther and Akenine-Möller, "Precision Improvements for Ray/Sphere Intersection", Ray
/// Tracing Gems, 2019.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SphereRoots;

/// Where a line, ray or segment overlaps a ball, its own interval included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SphereHit<T = f32> {
    /// Where the overlap begins: at the surface, or with the line's own `t_min` if that is later.
    pub t_enter: T,
    /// Where the overlap ends: at the surface, or with the line's own `t_max` if that is earlier.
    pub t_exit: T,
    /// Whether the line's interval begins in the ball or on its surface: then `t_enter` is `t_min`.
    pub inside: bool,
}

const OUTSIDE: u8 = 1;
const INSIDE: u8 = 2;

impl<T: Scalar> Test<Sphere<T>> for SphereRoots {
    type Line = Ray<T>;
    type Hit = SphereHit<T>;
    type Values = Row<2>;
    /// Origin; unit direction; the interval, and the reciprocal of the direction's length; the
    /// interval as lengths.
    type Prepared = Rows<4, 3>;

    #[inline(always)]
    fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, 3>) -> [[R; 3]; 4] {
        let one = ray.t_min.splat(T::ONE);
        // The largest component first: squares of the rest neither overflow nor vanish.
        let [x, y, z] = ray.direction;
        let largest = x.abs().max(y.abs()).max(z.abs());
        let inv_largest = one / largest;
        let (x, y, z) = (x * inv_largest, y * inv_largest, z * inv_largest);
        let length = (x * x + y * y + z * z).sqrt();
        let inv_length = one / length;
        let unit = [x * inv_length, y * inv_length, z * inv_length];
        let (length, inv_length) = (length * largest, inv_length * inv_largest);
        let (t_min, t_max) = clamp_interval(ray.t_min, ray.t_max);
        let (start, end) = clamp_interval(t_min * length, t_max * length);
        // No length is within an interval that begins beyond all t.
        let start = start.select(t_min.le(t_max), one.splat(T::INFINITY));
        [ray.origin, unit, [t_min, t_max, inv_length], [start, end, one]]
    }

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        &[cx, cy, cz, radius]: &[R; 4],
        &[[ox, oy, oz], [ux, uy, uz], [t_min, t_max, inv_length], [start, end, _]]: &[[R; 3]; 4],
    ) -> Answer<R, Row<2>> {
        let (x, y, z) = (cx - ox, cy - oy, cz - oz);
        let foot = x * ux + y * uy + z * uz;
        let (x, y, z) = (x - foot * ux, y - foot * uy, z - foot * uz);
        let radius_squared = radius * radius;
        let half_chord_squared = radius_squared - (x * x + y * y + z * z);
        let zero = start.splat(T::ZERO);
        // The point of the line's own interval that is nearest to the foot is within the chord:
        // that needs no root, and a test without values does not compute one.
        let gap = foot.min(end).max(start) - foot;
        // Zero is not a number where the square is infinite, and then no radius is large enough.
        let hit = (gap * gap).le(half_chord_squared) & (radius_squared * zero).le(radius);
        let half_chord = half_chord_squared.sqrt();
        let (t_near, t_far) = ((foot - half_chord) * inv_length, (foot + half_chord) * inv_length);
        let t_enter = t_near.max(t_min).min(t_max);
        let t_exit = t_far.min(t_max).max(t_enter);
        let code = choose_code(t_min.lt(t_near), [OUTSIDE, INSIDE], t_min);
        Answer { hit, code, values: unclamp_interval([t_enter, t_exit]) }
    }

    fn hit(code: u8, &[t_enter, t_exit]: &[T; 2]) -> SphereHit<T> {
        SphereHit { t_enter, t_exit, inside: code == INSIDE }
    }
}

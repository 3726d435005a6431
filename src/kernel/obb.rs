//! Tests of oriented boxes: by slabs in the frame of the box, and by separating axes.

use super::slab::{
    EnteredFace, Face, IntervalHit, Slab, choose_near_and_far, entering_code, face_of_code,
    finite_ray_test, inverse, with_finite_interval,
};
use super::test::{Answer, Test};
use crate::columns::Row;
use crate::math::{dot, sub};
use crate::simd::{Real, Scalar};
use crate::value::{Aabb, Obb, Ray, RayParts, RayShape};

/// O' and D', a line along the box's axes from the center, and the half extents, moved outwards by
/// `slack` units of roundoff of |m|₁ + |e|₁, and the least normal number for what is subnormal.
///
/// # Why nothing slips through
///
/// Write ε for the unit roundoff, m for O − C, aᵢ for the axes as they are stored, and e for the
/// half extents. The box is
/// |aᵢ · (p − C)| ≤ eᵢ, so in exact arithmetic Oᵢ' = aᵢ · m and Dᵢ' = aᵢ · D carry the line into the frame, and the box
/// becomes \[−e, e\], whether or not the axes are orthonormal.
///
/// - The rounded Oᵢ' is off by at most 4ε |aᵢ||m|: one difference, one product and two sums.
/// - The rounded Dᵢ', also where it is noise around zero, is off by at most 3ε |aᵢ||D|. At a point
///   in the box that matters t times, and there |t||D| ≤ |m| + |e|, since the point is no farther
///   than |e| from C.
///
/// So the point of the rounded line at the same t is off by at most (7|m| + 3|e|)ε along each axis;
/// axes that are off by 2⁻¹⁶ at most change this by as much, relatively. |m|₁ and |e|₁, sums of
/// magnitudes, are at least the lengths; the slack leaves room for what each test does afterwards
/// and for rounding e itself.
#[inline(always)]
fn line_in_box<R: Real<Scalar = T>, T: Scalar>(
    &[center, u, v, w, extents]: &[[R; 3]; 5],
    ray: &RayParts<R, 3>,
    slack: f32,
) -> [[R; 3]; 3] {
    let [ex, ey, ez] = extents;
    let m = sub(ray.origin, center);
    let size = (m[0].abs() + m[1].abs() + m[2].abs()) + (ex + ey + ez);
    let slack = size * size.splat(T::of(slack) * T::UNIT_ROUNDOFF) + size.splat(T::MIN_POSITIVE);
    let origin = [dot(u, m), dot(v, m), dot(w, m)];
    let direction = [dot(u, ray.direction), dot(v, ray.direction), dot(w, ray.direction)];
    [origin, direction, [ex + slack, ey + slack, ez + slack]]
}

/// An overlap with an oriented box, and the face where it begins.
///
/// ```
/// use lanecast::primitive::{EnteredFace, Face, Obb, Test};
/// use lanecast::Ray;
/// // A quarter turn about z: the first axis of the box points along y.
/// let axes = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
/// let obb = Obb::new([0.0, 5.0, 0.0], axes, [2.0, 1.0, 1.0])?;
/// let hit = EnteredFace.intersect(&obb, &Ray::new([0.0; 3], [0.0, 1.0, 0.0]))?.expect("straight at it");
/// assert!((hit.t_enter - 3.0_f32).abs() < 1e-4 && (hit.t_exit - 7.0).abs() < 1e-4);
/// assert_eq!(hit.face, Some(Face { axis: 0, at_max: false }));
/// assert_eq!(hit.normal, [0.0, -1.0, 0.0]);
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObbHit<T = f32> {
    /// As of [`IntervalHit`].
    pub t_enter: T,
    /// As of [`IntervalHit`].
    pub t_exit: T,
    /// The face through which the ray enters, by its axis among the box's; `None` if its interval
    /// begins inside the box, on its boundary, or as near to it as the faces are moved.
    pub face: Option<Face>,
    /// The face's normal in the space of the ray, outwards: the box's axis or its negative, as it
    /// is stored; else zeros.
    pub normal: [T; 3],
}

/// The slack for slabs: 7|m| + 3|e| for the frame, as [`line_in_box`] derives, and |e| for rounding
/// e itself. The slab test has a slack of its own. A component of the direction whose reciprocal
/// overflows counts as zero there; over the reach of the box it is below ε/16 of it.
const SLACK_OF_SLABS: f32 = 8.0;

/// A box and a ray in its frame, as the slab test of an [`Aabb`] arranges and prepares them.
#[inline(always)]
fn in_frame<R: Real<Scalar: Scalar>>(
    obb: &[[R; 3]; 5],
    ray: &RayParts<R, 3>,
) -> ([[R; 3]; 2], RayParts<R, 3>) {
    let [origin, direction, half_extents] = line_in_box(obb, ray, SLACK_OF_SLABS);
    let direction = inverse(direction);
    let min = sub([ray.t_min.splat(Scalar::ZERO); 3], half_extents);
    (choose_near_and_far([min, half_extents], &direction), RayParts { origin, direction, ..*ray })
}

impl<T: Scalar> Test<Obb<T>> for Slab {
    type Hit = IntervalHit<T>;
    type Values = Row<2>;

    finite_ray_test!(3);

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        obb: &[[R; 3]; 5],
        ray: &RayParts<R, 3>,
    ) -> Answer<R, Row<2>> {
        let (planes, ray) = in_frame(obb, ray);
        Test::<Aabb<T>>::test(self, &planes, &ray)
    }

    fn hit(_: u8, &[t_enter, t_exit]: &[T; 2]) -> IntervalHit<T> {
        IntervalHit { t_enter, t_exit }
    }
}

impl<T: Scalar> Test<Obb<T>> for EnteredFace {
    type Hit = ObbHit<T>;
    /// Both parameters, then the normal.
    type Values = Row<5>;

    finite_ray_test!(3);

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        obb: &[[R; 3]; 5],
        ray: &RayParts<R, 3>,
    ) -> Answer<R, Row<5>> {
        let (planes, ray) = in_frame(obb, ray);
        let Answer { hit, code, values: [t_enter, t_exit] } =
            Test::<Aabb<T>>::test(self, &planes, &ray);
        let zero = code.splat(T::ZERO);
        let (&[_, u, v, w, _], mut normal) = (obb, [zero; 3]);
        for (axis, direction) in [u, v, w].into_iter().enumerate() {
            let backwards = ray.direction[axis].lt(zero);
            let face = entering_code(axis, backwards, code);
            let entered = face.le(code) & code.le(face);
            for component in 0..3 {
                let outwards = direction[component].select(backwards, zero - direction[component]);
                normal[component] = outwards.select(entered, normal[component]);
            }
        }
        let [x, y, z] = normal;
        Answer { hit, code, values: [t_enter, t_exit, x, y, z] }
    }

    fn hit(code: u8, &[t_enter, t_exit, x, y, z]: &[T; 5]) -> ObbHit<T> {
        ObbHit { t_enter, t_exit, face: face_of_code(code), normal: [x, y, z] }
    }
}

/// The test by separating axes: whether a line, ray or segment meets a box, and no more.
///
/// Two convex bodies are apart if on some axis their shadows are. For a segment and a box the axes
/// are those of the box and their cross products with the segment's direction; for a line the cross
/// products alone; for a ray the box's axes count on the side where the ray ends. The test has no
/// division.
///
/// Closed and conservative, within the bounds that stand at [`Obb`]. A cross product of length
/// zero, or as good as that, separates nothing. An infinite end is infinite here, while the [slab
/// test](crate::primitive::Slab) gives up at `t` = 2¹²⁷ (2¹⁰²³ in `f64`).
///
/// ```
/// use lanecast::Ray;
/// use lanecast::primitive::{Obb, SeparatingAxes, Test};
/// let axes = [[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]];
/// let obb = Obb::<f32>::new([5.0, 0.0, 0.0], axes, [1.0, 2.0, 0.5])?;
/// let meets = |ray| SeparatingAxes.intersect(&obb, &ray).map(|hit| hit.is_some());
/// assert!(meets(Ray::new([0.0; 3], [1.0, 0.0, 0.0]))?);
/// assert!(!meets(Ray::segment([0.0; 3], [3.0, 0.0, 0.0]))?);
/// # Ok::<(), lanecast::Error>(())
/// ```
///
/// Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996; for segments as in Ericson, Real-Time
/// Collision Detection, 2005, section 5.3.3; for lines and rays as in Schneider and Eberly,
/// Geometric Tools for Computer Graphics, 2002.
#[doc(alias = "SAT")]
#[doc(alias = "separating axis test")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeparatingAxes;

/// The slack for separating axes. The frame needs 8|m| + 4|e|: what [`line_in_box`] derives, and
/// one more for the scaled direction. An end of the line is one rounded parameter, one product and
/// one sum: if it is truly below eᵢ + s then the computed one is below eᵢ + s + ε(2|m| + 3|e|),
/// also if it is far below, where the error grows no faster than the distance. A cross product is
/// off by 2ε|m| times the components that multiply e on the other side, which is off by 2ε|e| times
/// the same. And |e| for rounding e itself: 10|m| + 8|e| at most.
const SLACK_OF_AXES: f32 = 12.0;

impl<T: Scalar> Test<Obb<T>> for SeparatingAxes {
    type Line = Ray<T>;
    type Hit = ();
    type Values = Row<0>;
    /// The direction divided by its largest component, the interval multiplied by it.
    type Prepared = RayShape<3>;

    #[inline(always)]
    fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, 3>) -> RayParts<R, 3> {
        // Else the cross products of a long direction would overflow, and those of a short one
        // vanish.
        let [x, y, z] = ray.direction;
        let largest = x.abs().max(y.abs()).max(z.abs());
        let direction = [x / largest, y / largest, z / largest];
        RayParts {
            origin: ray.origin,
            direction,
            t_min: ray.t_min * largest,
            t_max: ray.t_max * largest,
        }
    }

    /// Hits where no axis has a gap between the shadows of the line and the box.
    ///
    /// A gap is always the first argument of `max`, so that one which is NaN separates nothing. An
    /// infinite end times a component that is zero makes such a one: that axis then bounds nothing
    /// that the cross products do not.
    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        obb: &[[R; 3]; 5],
        ray: &RayParts<R, 3>,
    ) -> Answer<R, Row<0>> {
        let [origin, direction, half_extents] = line_in_box(obb, ray, SLACK_OF_AXES);
        let zero = ray.t_min.splat(T::ZERO);
        let mut widest = zero;
        for axis in 0..3 {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            // The axis of the box.
            let first = origin[axis] + ray.t_min * direction[axis];
            let second = origin[axis] + ray.t_max * direction[axis];
            let (least, greatest) = (first.min(second), first.max(second));
            widest = (least - half_extents[axis]).max(widest);
            widest = (zero - greatest - half_extents[axis]).max(widest);
            // Its cross product with the direction.
            let distance = origin[next] * direction[last] - origin[last] * direction[next];
            let radius = half_extents[next] * direction[last].abs()
                + half_extents[last] * direction[next].abs();
            widest = (distance.abs() - radius).max(widest);
        }
        // Products that underflow are below this.
        let hit = widest.le(zero.splat(T::MIN_POSITIVE));
        Answer { hit, code: zero.splat(T::ONE), values: [] }
    }

    fn hit(_: u8, &[]: &[T; 0]) {}
}

//! The slab test in the frame of an oriented box.

use super::obb_frame::LineInBox;
use super::slab::{
    EnteredFace, Face, IntervalHit, Slab, choose_near_and_far, clamp_interval, entered_face, entering_code,
    face_of_code, interval_values, inverse, slabs,
};
use super::test::{Answer, Test};
use crate::columns::{PartsOf, Row};
use crate::error::Result;
use crate::simd::{Real, Scalar};
use crate::value::{Obb, Ray, RayParts, RayShape};

/// An overlap with an oriented box, and the face where it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ObbHit<T = f32> {
    /// Where the overlap begins: at the boundary, or with the line's own `t_min` if that is later.
    pub t_enter: T,
    /// Where the overlap ends: at the boundary, or with the line's own `t_max` if that is earlier.
    pub t_exit: T,
    /// The face through which the ray enters, by its axis among the box's; `None` if its interval begins
    /// inside the box, on its boundary, or as near to it as the faces are moved.
    pub face: Option<Face>,
    /// The face's normal in the space of the ray, outwards: the box's axis or its negative, as it is
    /// stored, so a unit vector as far as that is one. Zeros if there is no face.
    pub normal: [T; 3],
}

/// The outward shift of the faces, in units of roundoff of |m|₁ + |e|₁: 7|m| + 3|e| for the frame, as [`LineInBox`]
/// derives, and |e| for rounding e itself. The slab test has a slack of its own. A component of the direction whose
/// reciprocal overflows counts as zero there; over the reach of the box it is below ε/16 of it.
const SLACK: f32 = 8.0;

/// The near and the far planes in the frame of each lane's box, with the line's origin and reciprocal
/// direction.
struct Planes<R> {
    near: [R; 3],
    far: [R; 3],
    origin: [R; 3],
    inv_direction: [R; 3],
}

impl<R: Real<Scalar = T>, T: Scalar> Planes<R> {
    #[inline(always)]
    fn new(obb: &PartsOf<Obb<T>, R>, ray: &RayParts<R, 3>) -> Self {
        let LineInBox { origin, direction, half_extents } =
            LineInBox::new(obb, ray.origin, ray.direction, SLACK);
        let inv_direction = inverse(direction);
        let zero = ray.t_min.splat(T::ZERO);
        let mut min = half_extents;
        for extent in &mut min {
            *extent = zero - *extent;
        }
        let [near, far] = choose_near_and_far([min, half_extents], &inv_direction);
        Self { near, far, origin, inv_direction }
    }

    #[inline(always)]
    fn interval(&self, ray: &RayParts<R, 3>) -> (R::Mask, [R; 2]) {
        let Self { near, far, origin, inv_direction } = *self;
        let overlap = slabs(near, far, origin, origin, inv_direction, (ray.t_min, ray.t_max));
        interval_values(overlap, ray.t_max)
    }
}

#[inline(always)]
fn with_finite_interval<R: Real<Scalar = T>, T: Scalar>(ray: &RayParts<R, 3>) -> RayParts<R, 3> {
    let (t_min, t_max) = clamp_interval(ray.t_min, ray.t_max);
    RayParts { t_min, t_max, ..*ray }
}

impl<T: Scalar> Test<Obb<T>> for Slab {
    type Line = Ray<T>;
    type Hit = IntervalHit<T>;
    type Values = Row<2>;
    type Prepared = RayShape<3>;

    #[inline(always)]
    fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, 3>) -> RayParts<R, 3> {
        with_finite_interval(ray)
    }

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(&self, obb: &PartsOf<Obb<T>, R>, ray: &RayParts<R, 3>) -> Answer<R, Row<2>> {
        let (hit, values) = Planes::new(obb, ray).interval(ray);
        Answer { hit, code: ray.t_min.splat(T::ONE), values }
    }

    fn hit(_: u8, &[t_enter, t_exit]: &[T; 2]) -> IntervalHit<T> {
        IntervalHit { t_enter, t_exit }
    }
}

impl<T: Scalar> Test<Obb<T>> for EnteredFace {
    type Line = Ray<T>;
    type Hit = ObbHit<T>;
    /// Both parameters, then the normal.
    type Values = Row<5>;
    type Prepared = RayShape<3>;

    #[inline(always)]
    fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, 3>) -> RayParts<R, 3> {
        with_finite_interval(ray)
    }

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(&self, obb: &PartsOf<Obb<T>, R>, ray: &RayParts<R, 3>) -> Answer<R, Row<5>> {
        let planes = Planes::new(obb, ray);
        let (hit, [t_enter, t_exit]) = planes.interval(ray);
        let code = entered_face(planes.near, planes.origin, planes.inv_direction, ray.t_min);
        let [nx, ny, nz] = normal(obb, &planes.inv_direction, code);
        Answer { hit, code, values: [t_enter, t_exit, nx, ny, nz] }
    }

    fn hit(code: u8, &[t_enter, t_exit, nx, ny, nz]: &[T; 5]) -> ObbHit<T> {
        ObbHit { t_enter, t_exit, face: face_of_code(code), normal: [nx, ny, nz] }
    }
}

/// The outward normal of the face of a code; zeros for none.
#[inline(always)]
fn normal<R: Real<Scalar = T>, T: Scalar>(
    &[_, u, v, w, _]: &PartsOf<Obb<T>, R>,
    inv_direction: &[R; 3],
    code: R,
) -> [R; 3] {
    let zero = code.splat(T::ZERO);
    let mut normal = [zero; 3];
    for (axis, direction) in [u, v, w].into_iter().enumerate() {
        let backwards = inv_direction[axis].lt(zero);
        let face = entering_code(axis, backwards, code);
        let entered = face.le(code) & code.le(face);
        for component in 0..3 {
            let outwards = direction[component].select(backwards, zero - direction[component]);
            normal[component] = outwards.select(entered, normal[component]);
        }
    }
    normal
}

impl<T: Scalar> Obb<T> {
    /// Where a line, ray or segment overlaps the box and through which face it enters, by the
    /// [slab test](EnteredFace); `None` if they do not meet.
    ///
    /// ```
    /// use lanecast::primitive::{Face, Obb};
    /// use lanecast::Ray;
    /// // A quarter turn about z: the first axis of the box points along y.
    /// let axes = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    /// let obb = Obb::new([0.0, 5.0, 0.0], axes, [2.0, 1.0, 1.0])?;
    /// let hit = obb.intersect(&Ray::new([0.0; 3], [0.0, 1.0, 0.0]))?.expect("straight at it");
    /// assert!((hit.t_enter - 3.0_f32).abs() < 1e-4 && (hit.t_exit - 7.0).abs() < 1e-4);
    /// assert_eq!(hit.face, Some(Face { axis: 0, at_max: false }));
    /// assert_eq!(hit.normal, [0.0, -1.0, 0.0]);
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidRay`](crate::Error::InvalidRay) if the ray has a [`defect`](Ray::defect); what [`new`](Self::new) reports if
    /// the box breaks a rule.
    pub fn intersect(&self, ray: &Ray<T>) -> Result<Option<ObbHit<T>>> {
        EnteredFace.intersect(self, ray)
    }
}

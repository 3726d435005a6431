//! The test by separating axes.

use super::obb_frame::LineInBox;
use super::test::{Answer, Test};
use crate::columns::{PartsOf, Row};
use crate::simd::{Real, Scalar};
use crate::value::{Obb, Ray, RayParts, RayShape};

/// The test by separating axes: whether a line, ray or segment meets a box, and no more.
///
/// Two convex bodies are apart if on some axis their shadows are. For a segment and a box the axes are
/// those of the box and their cross products with the segment's direction; for a line the cross products
/// alone; for a ray the box's axes count on the side where the ray ends. Nothing but the interval tells
/// them apart: the shadow of an end at ±∞ is as long as it can be. There is no division in the test; one
/// for each component of the direction makes a line ready.
///
/// Closed and conservative, within the bounds that stand at [`Obb`]. A cross product of length zero, or as
/// good as that, separates nothing: both sides of the comparison shrink with it, and the slack is in the half
/// extents. An infinite end is infinite here, while the [slab test](crate::primitive::Slab) gives up at
/// `t` = 2¹²⁷ (2¹⁰²³ in `f64`).
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
/// After Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH 1996; for segments as in Ericson, Real-Time
/// Collision Detection, 2005, section 5.3.3; for lines and rays as in Schneider and Eberly, Geometric Tools
/// for Computer Graphics, 2002. There the middle and the half length of the segment stand for its two ends,
/// and an epsilon is added against short cross products; the bounds are derived here instead.
#[doc(alias = "SAT")]
#[doc(alias = "separating axis test")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SeparatingAxes;

/// By how many units of roundoff of |m|₁ + |e|₁ the faces are moved outwards.
///
/// The frame needs 8|m| + 4|e|: what [`LineInBox`] derives, and one more for the scaled direction. An end of the
/// line is one rounded parameter, one product and one sum: if it is truly below eᵢ + s then the computed
/// one is below eᵢ + s + ε(2|m| + 3|e|), also if it is far below, where the error grows no faster than the
/// distance. A cross product is off by 2ε|m| times the components that multiply e on the
/// other side, which is off by 2ε|e| times the same. And |e| for rounding e itself: 10|m| + 8|e| at most.
const SLACK: f32 = 12.0;

impl<T: Scalar> Test<Obb<T>> for SeparatingAxes {
    type Line = Ray<T>;
    type Hit = ();
    type Values = Row<0>;
    /// The direction divided by its largest component, the interval multiplied by it.
    type Prepared = RayShape<3>;

    #[inline(always)]
    fn prepare<R: Real<Scalar = T>>(&self, ray: &RayParts<R, 3>) -> RayParts<R, 3> {
        // Else the cross products of a long direction would overflow, and those of a short one vanish.
        let [x, y, z] = ray.direction;
        let largest = x.abs().max(y.abs()).max(z.abs());
        RayParts {
            origin: ray.origin,
            direction: [x / largest, y / largest, z / largest],
            t_min: ray.t_min * largest,
            t_max: ray.t_max * largest,
        }
    }

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(&self, obb: &PartsOf<Obb<T>, R>, ray: &RayParts<R, 3>) -> Answer<R, Row<0>> {
        let line = LineInBox::new(obb, ray.origin, ray.direction, SLACK);
        let gap = widest_gap(&line, ray.t_min, ray.t_max);
        // Products that underflow are below this.
        let hit = gap.le(gap.splat(T::MIN_POSITIVE));
        Answer { hit, code: gap.splat(T::ONE), values: [] }
    }

    fn hit(_: u8, &[]: &[T; 0]) {}
}

/// The widest gap between the shadows of a line and the box on any axis, in lengths of that axis; no more
/// than zero if the shadows overlap on all.
///
/// A gap is always the first argument of `max`, so that one which is NaN separates nothing. An infinite end
/// times a component that is zero makes such a one: that axis then bounds nothing that the cross products
/// do not.
#[inline(always)]
fn widest_gap<R: Real<Scalar = T>, T: Scalar>(line: &LineInBox<R>, t_min: R, t_max: R) -> R {
    let LineInBox { origin, direction, half_extents } = line;
    let zero = t_min.splat(T::ZERO);
    let mut widest = zero;
    for axis in 0..3 {
        let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
        // The axis of the box.
        let first = origin[axis] + t_min * direction[axis];
        let second = origin[axis] + t_max * direction[axis];
        let (least, greatest) = (first.min(second), first.max(second));
        widest = (least - half_extents[axis]).max(widest);
        widest = (zero - greatest - half_extents[axis]).max(widest);
        // Its cross product with the direction.
        let distance = origin[next] * direction[last] - origin[last] * direction[next];
        let radius = half_extents[next] * direction[last].abs() + half_extents[last] * direction[next].abs();
        widest = (distance.abs() - radius).max(widest);
    }
    widest
}

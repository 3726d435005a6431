//! Clips segments to boxes.

use super::slab::{Slab, choose_near_and_far, inverse};
use super::test::{Answer, Test};
use crate::columns::{Row, Rows};
use crate::simd::{Real, Scalar};
use crate::value::{Aabb, RayParts, Segment};

/// Clips a segment to a box or rectangle: what lies inside, as points and as parameters.
///
/// Closed and conservative as the [slab test](crate::primitive::Slab) is; an end that is not cut
/// off comes back bit for bit. A point that is cut is off by at most 8 units of roundoff of the
/// largest coordinate of the segment. A segment whose ends are the same point is clipped to itself
/// or to nothing.
///
/// ```
/// use lanecast::primitive::{Aabb, Clip, Test};
/// use lanecast::Segment;
/// let aabb = Aabb { min: [0.0; 3], max: [1.0; 3] };
/// let segment = Segment::new([0.5, 0.5, -1.0], [0.5, 0.5, 0.5]);
/// let clipped = Clip::EXACT.intersect(&aabb, &segment)?.expect("they meet");
/// assert_eq!((clipped.start[2], clipped.end), (0.0, [0.5, 0.5, 0.5]));
/// # Ok::<(), lanecast::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip<T = f32> {
    /// The margin beyond the faces at which the segment is cut, in lengths of the segment; never
    /// beyond its ends. Scene graphs pick with 1e-5, so that an intersection in a face is not lost.
    /// 0, a negative number and NaN cut at the faces. It finds no segment that passes the box by.
    pub widening: T,
}

impl<T: Scalar> Clip<T> {
    /// Cuts at the faces.
    pub const EXACT: Self = Self { widening: T::ZERO };
}

/// A clipped segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClippedSegment<T = f32, const D: usize = 3> {
    /// The parameter of the new start: 0 if it is the old one.
    pub t_start: T,
    /// The parameter of the new end: 1 if it is the old one.
    pub t_end: T,
    /// The new start.
    pub start: [T; D],
    /// The new end.
    pub end: [T; D],
}

impl<T: Scalar, const D: usize> Test<Aabb<T, D>> for Clip<T> {
    type Line = Segment<T, D>;
    type Hit = ClippedSegment<T, D>;
    /// Both parameters, then both points.
    type Values = (Row<2>, Rows<2, D>);
    /// Start, end, direction and its reciprocal.
    type Prepared = Rows<4, D>;

    #[inline(always)]
    fn prepare<R: Real<Scalar = T>>(&self, &[start, end]: &[[R; D]; 2]) -> [[R; D]; 4] {
        // The direction is a difference, so that there is one rounding more than the slack of
        // `overlap` is derived from. With m the significand, from 1 to 2, that costs at most ε / m
        // and the reciprocal at most ε m / 2, together 1.5 ε: entry and exit are off by 7 ε from
        // one another, and the slack of 8 ε suffices. Rounding the product with the slack never
        // takes it past another number.
        let mut direction = end;
        for axis in 0..D {
            direction[axis] = end[axis] - start[axis];
        }
        [start, end, direction, inverse(direction)]
    }

    #[inline(always)]
    fn arrange<R: Real<Scalar = T>>(aabb: [[R; D]; 2], prepared: &[[R; D]; 4]) -> [[R; D]; 2] {
        choose_near_and_far(aabb, &prepared[3])
    }

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        &[near, far]: &[[R; D]; 2],
        &[start, end, direction, inv_direction]: &[[R; D]; 4],
    ) -> Answer<R, (Row<2>, Rows<2, D>)> {
        let (zero, one) = (near[0].splat(T::ZERO), near[0].splat(T::ONE));
        let ray = RayParts { origin: start, direction: inv_direction, t_min: zero, t_max: one };
        let Answer { hit, values: [t_enter, t_exit], .. } =
            Test::<Aabb<T, D>>::test(&Slab, &[near, far], &ray);
        // NaN is not greater than zero either.
        let widening = zero.splat(self.widening.max(T::ZERO));
        let (t_start, t_end) = ((t_enter - widening).max(zero), (t_exit + widening).min(one));
        let (mut new_start, mut new_end) = (start, end);
        for axis in 0..D {
            let (at_start, at_end) =
                (start[axis] + t_start * direction[axis], start[axis] + t_end * direction[axis]);
            new_start[axis] = at_start.select(zero.lt(t_start), start[axis]);
            new_end[axis] = at_end.select(t_end.lt(one), end[axis]);
        }
        Answer { hit, code: one, values: ([t_start, t_end], [new_start, new_end]) }
    }

    fn hit(
        _: u8,
        &([t_start, t_end], [start, end]): &([T; 2], [[T; D]; 2]),
    ) -> ClippedSegment<T, D> {
        ClippedSegment { t_start, t_end, start, end }
    }
}

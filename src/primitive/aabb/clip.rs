//! What a box leaves of a segment.

use super::Aabb;
use super::slab::{choose_near_and_far, interval_values, inverse, near_and_far, slabs};
use crate::columns::{PartsOf, Row, Rows};
use crate::error::Result;
use crate::primitive::test::{Answer, Test};
use crate::ray::Segment;
use crate::simd::{Real, Scalar};

/// Clips a segment to a box: what lies inside, as points and as parameters.
///
/// Closed and conservative as the [slab test](super::Slab) is; an end that is not cut off comes back
/// bit for bit. A point that is cut is off by at most 8 units of roundoff of the largest coordinate of
/// the segment. A segment whose ends are the same point is clipped to itself or to nothing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clip<T = f32> {
    /// How far beyond the faces the segment is cut, in lengths of the segment; never beyond its ends.
    /// Scene graphs pick with 1e-5, so that what lies in a face is not lost. 0 cuts at the faces; it is
    /// not negative. It finds no segment that passes the box by.
    pub widening: T,
}

impl<T: Scalar> Clip<T> {
    /// Cuts at the faces.
    pub const EXACT: Self = Self { widening: T::ZERO };
}

/// What is left of a segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClippedSegment<T = f32> {
    /// The parameter of the new start: 0 if it is the old one.
    pub t_start: T,
    /// The parameter of the new end: 1 if it is the old one.
    pub t_end: T,
    /// The new start.
    pub start: [T; 3],
    /// The new end.
    pub end: [T; 3],
}

impl<T: Scalar> Segment<T> {
    /// What lies inside a box, faces included, or `None`: [`Clip`] without widening.
    ///
    /// ```
    /// use lanecast::{Aabb, Segment};
    /// let aabb = Aabb { min: [0.0; 3], max: [1.0; 3] };
    /// let clipped = Segment::new([0.5, 0.5, -1.0], [0.5, 0.5, 0.5]).clip(&aabb)?.expect("they meet");
    /// assert_eq!((clipped.start[2], clipped.end), (0.0, [0.5, 0.5, 0.5]));
    /// # Ok::<(), lanecast::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::InvalidRay`](crate::Error::InvalidRay) if an end is NaN or beyond the bound on
    /// coordinates.
    pub fn clip(&self, aabb: &Aabb<T>) -> Result<Option<ClippedSegment<T>>> {
        Clip::EXACT.intersect(aabb, self)
    }
}

impl<T: Scalar> Test<Aabb<T>> for Clip<T> {
    type Line = Segment<T>;
    type Hit = ClippedSegment<T>;
    /// Both parameters, then both points.
    type Values = Row<8>;
    /// Start, end, direction and its reciprocal.
    type Prepared = Rows<4, 3>;

    #[inline(always)]
    fn prepare<R: Real<Scalar = T>>(&self, &[start, end]: &[[R; 3]; 2]) -> [[R; 3]; 4] {
        // Four roundings lie between a segment and its parameters, one more than the slack of `overlap`
        // is derived from: the direction is itself a difference. With m the significand of that, from 1 to
        // 2, its rounding costs at most ε / m and that of the reciprocal at most ε m / 2, together 1.5 ε:
        // entry and exit are off by 7 ε from one another, and the slack of 8 ε suffices. Rounding the
        // product with the slack costs nothing: that never takes it past another number.
        let mut direction = end;
        for axis in 0..3 {
            direction[axis] = end[axis] - start[axis];
        }
        [start, end, direction, inverse(direction)]
    }

    #[inline(always)]
    fn order([_, _, _, inv_direction]: &[[T; 3]; 4]) -> PartsOf<Aabb<T>, usize> {
        near_and_far(inv_direction)
    }

    #[inline(always)]
    fn arrange<R: Real<Scalar = T>>(
        aabb: [[R; 3]; 2],
        [_, _, _, inv_direction]: &[[R; 3]; 4],
    ) -> [[R; 3]; 2] {
        choose_near_and_far(aabb, inv_direction)
    }

    #[inline(always)]
    fn test<R: Real<Scalar = T>>(
        &self,
        &[near, far]: &[[R; 3]; 2],
        &[start, end, direction, inv_direction]: &[[R; 3]; 4],
    ) -> Answer<R, Row<8>> {
        let (zero, one) = (near[0].splat(T::ZERO), near[0].splat(T::ONE));
        let overlap = slabs(near, far, start, start, inv_direction, (zero, one));
        let (hit, [t_enter, t_exit]) = interval_values(overlap, one);
        let widening = zero.splat(self.widening);
        let (t_start, t_end) = ((t_enter - widening).max(zero), (t_exit + widening).min(one));
        let (mut new_start, mut new_end) = (start, end);
        for axis in 0..3 {
            let (at_start, at_end) =
                (start[axis] + t_start * direction[axis], start[axis] + t_end * direction[axis]);
            new_start[axis] = at_start.select(zero.lt(t_start), start[axis]);
            new_end[axis] = at_end.select(t_end.lt(one), end[axis]);
        }
        let ([sx, sy, sz], [ex, ey, ez]) = (new_start, new_end);
        Answer { hit, code: one, values: [t_start, t_end, sx, sy, sz, ex, ey, ez] }
    }

    fn hit(_: u8, &[t_start, t_end, sx, sy, sz, ex, ey, ez]: &[T; 8]) -> ClippedSegment<T> {
        ClippedSegment { t_start, t_end, start: [sx, sy, sz], end: [ex, ey, ez] }
    }
}

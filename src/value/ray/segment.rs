//! A segment by its two ends.

use super::{Line, Ray};
use crate::columns::{Columns, Record, Rows, plain_numbers};
use crate::simd::{Real, Scalar};
use crate::status::Status;

/// A segment given by its ends, both of which belong to it; they may be the same point.
///
/// Most tests take the segment as a ray ([`Ray::segment`], or `Ray::from`); clipping takes its
/// ends, so that an end which is not cut off comes back bit for bit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Segment<T = f32, const D: usize = 3> {
    /// The point at `t` = 0.
    pub start: [T; D],
    /// The point at `t` = 1.
    pub end: [T; D],
}

/// Any number of segments as columns: starts and ends.
pub type SegmentBatch<'a, T = f32, const D: usize = 3> = Columns<'a, Segment<T, D>>;

plain_numbers!(Segment, D);

impl<T: Scalar, const D: usize> Segment<T, D> {
    /// The segment between two points.
    pub const fn new(start: [T; D], end: [T; D]) -> Self {
        Self { start, end }
    }

    /// The defect of this segment, or `None` if it can be clipped: [`Status::InvalidOrigin`] for a
    /// start and [`Status::InvalidDirection`] for an end that is NaN or beyond the bound on coordinates.
    pub fn defect(&self) -> Option<Status> {
        self.line_defect()
    }
}

/// The segment as most tests take it.
///
/// ```
/// use lanecast::{Ray, Segment};
/// let segment = Segment::new([1.0, 0.0, 0.0], [3.0, 0.0, 4.0]);
/// assert_eq!(Ray::from(segment), Ray::segment([1.0, 0.0, 0.0], [3.0, 0.0, 4.0]));
/// ```
impl<T: Scalar, const D: usize> From<Segment<T, D>> for Ray<T, D> {
    fn from(Segment { start, end }: Segment<T, D>) -> Self {
        Self::segment(start, end)
    }
}

impl<T: Scalar, const D: usize> Record for Segment<T, D> {
    type Scalar = T;
    type Shape = Rows<2, D>;

    fn column_name(place: usize) -> &'static str {
        if place < D { "a component of the starts" } else { "a component of the ends" }
    }
}

impl<T: Scalar, const D: usize> Line for Segment<T, D> {
    #[inline]
    fn find_line_defect(&self) -> Option<Status> {
        let unusable = |point: &[T; D]| !point.iter().all(|x| x.abs() <= T::LARGEST_COORDINATE);
        if unusable(&self.start) {
            Some(Status::InvalidOrigin)
        } else {
            unusable(&self.end).then_some(Status::InvalidDirection)
        }
    }

    #[inline(always)]
    fn surely_sound<R: Real<Scalar = T>>([start, end]: &[[R; D]; 2]) -> R::Mask {
        let mut sum = start[0].abs() + end[0].abs();
        for axis in 1..D {
            sum = sum + (start[axis].abs() + end[axis].abs());
        }
        sum.le(sum.splat(T::LARGEST_COORDINATE))
    }
}

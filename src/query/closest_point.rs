//! Closest points.
//!
//! Traversal and brute force offer primitives in any order, each with its squared distance in
//! `f64`. The least distance is kept, at equal ones the lowest number, so the answer depends only
//! on the point and the primitives.

use crate::answers::{ClosestPoint, INVALID_ID, Numbering, PerRow};
use crate::chunks::Chunk;
use crate::leaf::Foot;
use crate::simd::{Backend, Scalar};
use crate::status::Status;
use crate::value::Ray;

/// Points, and how they are answered.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a, T> {
    pub(crate) backend: Backend,
    pub(crate) brute_force: bool,
    pub(crate) points: &'a [[T; 3]],
    pub(crate) radius: PerRow<'a, T>,
    pub(crate) visible: Visible<'a>,
    pub(crate) normals: bool,
    pub(crate) chunk: &'a Chunk<'a>,
}

impl<T: Scalar> Asked<'_, T> {
    /// The point in `row` and its radius, or their defect.
    #[inline(always)]
    pub(crate) fn of(&self, row: usize) -> Result<([T; 3], T), Status> {
        let (point, radius) = (self.points[row], self.radius.of(row));
        // The rules of a ray's origin and of its interval.
        let ray = Ray::new(point, [T::ONE, T::ZERO, T::ZERO]).with_interval(T::ZERO, radius);
        ray.find_defect().map_or(Ok((point, radius)), Err)
    }
}

/// The primitives that queries of points see.
#[derive(Clone, Copy)]
pub(crate) struct Visible<'a> {
    pub(crate) numbering: &'a Numbering,
    /// The masks of geometries, 0 if hidden; empty if none is hidden.
    pub(crate) masks: &'a [u32],
}

impl Visible<'_> {
    #[inline(always)]
    pub(crate) fn shows(&self, number: u32) -> bool {
        self.masks.is_empty() || self.masks[self.numbering.ids(number).0 as usize] != 0
    }

    /// The answer to a point by the foot on its nearest primitive.
    #[inline(always)]
    pub(crate) fn answer<T: Scalar>(
        &self,
        number: u32,
        foot: Foot<T>,
        geometric_normal: [T; 3],
    ) -> PointAnswer<T> {
        let (geometry_id, primitive_id) = self.numbering.ids(number);
        let Foot { squared_distance, point, u, v } = foot;
        let (status, distance) = (Status::Hit, T::nearest_to(squared_distance.sqrt()));
        let instance_id = INVALID_ID;
        let found = ClosestPoint { distance, point, primitive_id, geometry_id, instance_id, u, v };
        PointAnswer { status, found, geometric_normal, squared_distance, number }
    }
}

/// The greatest squared distance within a radius, which is included.
#[inline(always)]
pub(crate) fn squared_radius<T: Scalar>(radius: T) -> f64 {
    let radius = radius.to_f64();
    let mut squared_distance = radius * radius;
    // The square of an `f32` is exact. Else the greatest whose root is rounded to the radius is
    // sought, so that what is at a reported distance is within it.
    if size_of::<T>() > size_of::<f32>() {
        while squared_distance.sqrt() > radius {
            squared_distance = squared_distance.next_down();
        }
        while squared_distance < f64::INFINITY && squared_distance.next_up().sqrt() <= radius {
            squared_distance = squared_distance.next_up();
        }
    }
    squared_distance
}

/// Keeps the nearest of the primitives that it is offered.
pub(crate) trait KeepNearest<P> {
    /// The squared distance up to which primitives matter.
    fn squared_bound(&self) -> f64;

    /// Whether the bound becomes less.
    fn narrows(&self) -> bool;

    fn offer(&mut self, squared_distance: f64, number: u32, place: P);
}

/// The nearest primitive, at equal distances the one with the lowest number.
#[derive(Clone, Copy)]
pub(crate) struct Nearest<'a, P> {
    squared_distance: f64,
    pub(crate) number: u32,
    pub(crate) place: Option<P>,
    visible: Visible<'a>,
}

impl<'a, P> Nearest<'a, P> {
    /// No primitive yet. The radius is a bound and included.
    #[inline(always)]
    pub(crate) fn within<T: Scalar>(radius: T, visible: Visible<'a>) -> Self {
        let squared_distance = squared_radius(radius);
        Self { squared_distance, number: INVALID_ID, place: None, visible }
    }
}

impl<P> KeepNearest<P> for Nearest<'_, P> {
    #[inline(always)]
    fn squared_bound(&self) -> f64 {
        self.squared_distance
    }

    #[inline(always)]
    fn narrows(&self) -> bool {
        true
    }

    #[inline(always)]
    fn offer(&mut self, squared_distance: f64, number: u32, place: P) {
        let comes_before = squared_distance < self.squared_distance
            || (squared_distance == self.squared_distance && number < self.number);
        // Empty lanes have no number.
        if comes_before && number != INVALID_ID && self.visible.shows(number) {
            (self.squared_distance, self.number, self.place) =
                (squared_distance, number, Some(place));
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct PointAnswer<T> {
    pub(crate) status: Status,
    pub(crate) found: ClosestPoint<T>,
    pub(crate) geometric_normal: [T; 3],
    /// As it was compared, and the number of the primitive.
    pub(crate) squared_distance: f64,
    pub(crate) number: u32,
}

impl<T: Scalar> PointAnswer<T> {
    pub(crate) const NONE: Self = Self {
        status: Status::Miss,
        found: ClosestPoint::NONE,
        geometric_normal: [T::ZERO; 3],
        squared_distance: f64::INFINITY,
        number: INVALID_ID,
    };

    pub(crate) const fn refused(status: Status) -> Self {
        Self { status, ..Self::NONE }
    }
}

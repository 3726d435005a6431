//! Closest points.
//!
//! Traversal and brute force offer primitives in any order, each with its squared distance in `f64`. The least distance is
//! kept, at equal ones the lowest number, so the answer depends only on the point and the primitives.

use crate::answers::{ClosestPoint, INVALID_ID, Numbering, PerRow};
use crate::leaf::Foot;
use crate::status::Status;
use crate::value::Ray;

#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) points: &'a [[f32; 3]],
    pub(crate) radius: PerRow<'a, f32>,
    pub(crate) visible: Visible<'a>,
    pub(crate) normals: bool,
}

impl Asked<'_> {
    /// The point in `row` and its radius, or their defect.
    #[inline(always)]
    pub(crate) fn of(&self, row: usize) -> Result<([f32; 3], f32), Status> {
        let (point, radius) = (self.points[row], self.radius.of(row));
        // The rules of a ray's origin and of its interval.
        match Ray::new(point, [1.0, 0.0, 0.0]).with_interval(0.0, radius).find_defect() {
            Some(defect) => Err(defect),
            None => Ok((point, radius)),
        }
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
    pub(crate) fn answer(&self, number: u32, foot: Foot, geometric_normal: [f32; 3]) -> PointAnswer {
        let (geometry_id, primitive_id) = self.numbering.ids(number);
        let Foot { squared_distance, point, u, v } = foot;
        let (status, distance) = (Status::Hit, squared_distance.sqrt() as f32);
        let instance_id = INVALID_ID;
        let found = ClosestPoint { distance, point, primitive_id, geometry_id, instance_id, u, v };
        PointAnswer { status, found, geometric_normal }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearest<P> {
    pub(crate) squared_distance: f64,
    pub(crate) number: u32,
    pub(crate) place: Option<P>,
}

impl<P: Copy> Nearest<P> {
    /// No primitive yet. The radius is a bound and included.
    #[inline(always)]
    pub(crate) fn within(radius: f32) -> Self {
        let radius = f64::from(radius);
        Self { squared_distance: radius * radius, number: INVALID_ID, place: None }
    }

    /// Keeps a nearer primitive, at equal distances the one with the lower number.
    #[inline(always)]
    pub(crate) fn offer(&mut self, squared_distance: f64, number: u32, place: P, visible: &Visible<'_>) {
        let comes_before = squared_distance < self.squared_distance
            || (squared_distance == self.squared_distance && number < self.number);
        // Empty lanes have no number.
        if comes_before && number != INVALID_ID && visible.shows(number) {
            *self = Self { squared_distance, number, place: Some(place) };
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct PointAnswer {
    pub(crate) status: Status,
    pub(crate) found: ClosestPoint,
    pub(crate) geometric_normal: [f32; 3],
}

impl PointAnswer {
    pub(crate) const NONE: Self =
        Self { status: Status::Miss, found: ClosestPoint::NONE, geometric_normal: [0.0; 3] };

    pub(crate) const fn refused(status: Status) -> Self {
        Self { status, ..Self::NONE }
    }
}

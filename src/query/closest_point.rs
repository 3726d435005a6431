//! What is nearest to points.
//!
//! Traversal and brute force offer primitives in any order, each with its squared distance in `f64`. Kept is the least,
//! and of equal ones the lowest number: an answer that depends on nothing but the point and the primitives.

use crate::hit::{INVALID_ID, Numbering, Radius};
use crate::primitive::{Foot, PointBlock};
use crate::ray::Ray;
use crate::simd::Backend;
use crate::status::Status;

/// What points can be near to.
pub(crate) trait PointTarget: Sync {
    /// Finds what is nearest to each of the points; `into` has as many rows.
    fn closest_points(&self, backend: Backend, asked: &Asked<'_>, into: &mut [PointAnswer]);
}

impl<T: PointTarget> PointTarget for &T {
    fn closest_points(&self, backend: Backend, asked: &Asked<'_>, into: &mut [PointAnswer]) {
        T::closest_points(self, backend, asked, into);
    }
}

/// Points and what is asked of them.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) points: &'a [[f32; 3]],
    pub(crate) radius: Radius<'a>,
    pub(crate) visible: Visible<'a>,
    pub(crate) normals: bool,
}

impl Asked<'_> {
    /// The point in `row` and what nothing may be farther than, or what is wrong with them.
    #[inline(always)]
    pub(crate) fn of(&self, row: usize) -> Result<([f32; 3], f32), Status> {
        let (point, radius) = (self.points[row], self.radius.of(row));
        // The rules of a ray's origin and of its interval.
        match Ray::new(point, [1.0, 0.0, 0.0]).with_interval(0.0, radius).find_defect() {
            Some(defect) => Err(defect),
            None => Ok((point, radius)),
        }
    }

    /// The answer to a point by what is nearest to it.
    #[inline(always)]
    pub(crate) fn answer<B: PointBlock>(
        &self,
        point: [f64; 3],
        nearest: &Nearest<(&B, usize)>,
    ) -> PointAnswer {
        let Some((block, lane)) = nearest.place else { return PointAnswer::NONE };
        let Foot { squared_distance, point, u, v } = block.foot(lane, point);
        PointAnswer {
            status: Status::Hit,
            distance: squared_distance.sqrt() as f32,
            point,
            u,
            v,
            number: nearest.number,
            geometric_normal: if self.normals { block.geometric_normal(lane) } else { [0.0; 3] },
        }
    }
}

/// Which primitives there are for those who look for near ones.
#[derive(Clone, Copy)]
pub(crate) struct Visible<'a> {
    pub(crate) numbering: &'a Numbering,
    /// By geometry: 0 where it is hidden; empty where none is.
    pub(crate) masks: &'a [u32],
}

impl Visible<'_> {
    #[inline(always)]
    pub(crate) fn shows(&self, number: u32) -> bool {
        self.masks.is_empty() || self.masks[self.numbering.ids(number).0 as usize] != 0
    }
}

/// The nearest primitive so far, and where it is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearest<P> {
    pub(crate) squared_distance: f64,
    pub(crate) number: u32,
    pub(crate) place: Option<P>,
}

impl<P: Copy> Nearest<P> {
    /// Nothing yet, and nothing beyond the radius, which is included.
    #[inline(always)]
    pub(crate) fn within(radius: f32) -> Self {
        let radius = f64::from(radius);
        Self { squared_distance: radius * radius, number: INVALID_ID, place: None }
    }

    /// Takes what is nearer, and of what is as near what has the lower number.
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

/// The answer to a point, still under the number of the primitive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointAnswer {
    pub(crate) status: Status,
    pub(crate) distance: f32,
    pub(crate) point: [f32; 3],
    pub(crate) u: f32,
    pub(crate) v: f32,
    pub(crate) number: u32,
    pub(crate) geometric_normal: [f32; 3],
}

impl PointAnswer {
    /// Nothing was found.
    pub(crate) const NONE: Self = Self {
        status: Status::Miss,
        distance: f32::INFINITY,
        point: [0.0; 3],
        u: 0.0,
        v: 0.0,
        number: INVALID_ID,
        geometric_normal: [0.0; 3],
    };

    /// The point was not asked for.
    pub(crate) const fn refused(status: Status) -> Self {
        Self { status, ..Self::NONE }
    }
}

//! Primitives as a point query sees them: in place, or carried by an affine map.
//!
//! Distances are measured in the frame of the point, and the boxes of a tree lie in the frame of
//! the primitives. So a query needs a bound, in that frame, on the distance of primitives that are
//! near in its own.
//!
//! # Why nothing near is lost
//!
//! Let q ↦ M·q + b be the stored map, σ the least singular value of M, p the point and p' any point
//! of the frame, best one that maps near p. With the rest r = M·p' + b − p, every q of the frame
//! has
//!
//! |M·q + b − p| = |M·(q − p') + r| ≥ σ|q − p'| − |r|.
//!
//! So a primitive no farther than d from p is no farther than (d + |r|)/σ from p'. The accuracy of
//! the way back to p' does not matter, as the rest is computed forwards.
//!
//! All this is computed with the unit roundoff η of `f64`. The corners, the rest and the products
//! of nested maps, whose order may differ, are each off by at most kη times the magnitudes that are
//! added: |M|(R + |p'|) + |b| +
//! |p|, where R is an upper bound of the sums within the frame, and k is below 2⁸ for scenes 16 deep. The bound
//! allows 2⁻³⁸ of that.
//!
//! A tree of `f64` sees its frame from a viewpoint. p' is then the point as seen from there in
//! `f32`, so that r holds the roundings on the way, and distances are scaled. For primitives in
//! place M is the identity, σ is 1, and nothing is added up but coordinates and a viewpoint: a few
//! η of them are below 2⁻⁵⁰.

use std::marker::PhantomData;

use crate::math::{dot, largest, sub};
use crate::simd::{Real, Scalar};
use crate::tree::{BoxFrame, reach};
use crate::value::Affine;

/// The placement of the primitives of a tree: in place, unless it says otherwise.
pub(crate) trait View {
    /// The point as the tree sees it, or near it.
    fn point(&self) -> [f32; 3];

    /// Maps a point of the scene to the frame of the query.
    #[inline(always)]
    fn carry<R: Real<Scalar = f64>>(&self, point: [R; 3]) -> [R; 3] {
        point
    }

    /// The squared distance from [`point`](Self::point), as boxes compute it, up to which a box may
    /// hold a primitive at `squared_distance` in the frame of the query.
    fn reach(&self, squared_distance: f64) -> f32;
}

/// Primitives in place, and a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InPlace<T> {
    point: [f32; 3],
    /// As in [`Carried`]; not used in `f32`, where nothing is rounded.
    per_distance: f64,
    more: f64,
    precision: PhantomData<T>,
}

/// More than the rounding of the coordinates of points in place.
const ALLOWED_IN_PLACE: f64 = 1.0 / (1_u64 << 50) as f64;

impl<T: Scalar> InPlace<T> {
    const IS_EXACT: bool = size_of::<T>() == size_of::<f32>();

    #[inline(always)]
    pub(crate) fn new([x, y, z]: [T; 3], viewpoint: &impl BoxFrame<T>) -> Self {
        let given = [x.to_f64(), y.to_f64(), z.to_f64()];
        let (point, mut more) = (viewpoint.point(given), 0.0);
        if !Self::IS_EXACT {
            let place = viewpoint.place(point);
            let rest = sub(place, given);
            let added = largest(&place) + largest(&given);
            more = dot(rest, rest).sqrt() + ALLOWED_IN_PLACE * added + f64::MIN_POSITIVE;
        }
        Self { point, per_distance: viewpoint.scale(), more, precision: PhantomData }
    }
}

impl<T: Scalar> View for InPlace<T> {
    #[inline(always)]
    fn point(&self) -> [f32; 3] {
        self.point
    }

    #[inline(always)]
    fn reach(&self, squared_distance: f64) -> f32 {
        if Self::IS_EXACT {
            return reach(squared_distance);
        }
        let most =
            (squared_distance.sqrt() * (1.0 + ALLOWED_IN_PLACE) + self.more) * self.per_distance;
        reach(most * most)
    }
}

/// A map, and a point to which its images are compared.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placed {
    pub(crate) map: Affine,
    pub(crate) point: [f64; 3],
    /// The point in the frame that the map leads from, approximately.
    pub(crate) back: [f64; 3],
    /// 1/σ; infinite if σ is unknown: then no box is too far.
    per_distance: f64,
    /// An upper bound of the magnitudes in the frame.
    reach: f64,
}

impl Placed {
    pub(crate) fn new(map: Affine, point: [f64; 3], reach: f64) -> Self {
        let (back, per_distance) = (map.about_back(point), 1.0 / map.least_stretch());
        Self { map, point, back, per_distance, reach }
    }

    /// The placement as seen by a tree with this viewpoint.
    pub(crate) fn seen_from<T: Scalar>(&self, viewpoint: &impl BoxFrame<T>) -> Carried {
        let Self { map, point, back, per_distance, reach } = *self;
        let near = viewpoint.point(back);
        let wide = viewpoint.place(near);
        let rest = sub(map.carry(wide), point);
        let off = dot(rest, rest).sqrt();
        let added = map.stretch() * (reach + largest(&wide)) + map.distance() + largest(&point);
        // Never 0, so that 0 times infinity does not come up.
        let more = off + ALLOWED * added + f64::MIN_POSITIVE;
        Carried { map, point: near, per_distance: per_distance * viewpoint.scale(), more }
    }
}

/// Primitives carried by a map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carried {
    pub(crate) map: Affine,
    point: [f32; 3],
    /// 1/σ, by the scale of the tree.
    per_distance: f64,
    /// |r| plus the bound of rounding errors.
    more: f64,
}

const ALLOWED: f64 = 1.0 / (1_u64 << 38) as f64;

impl Carried {
    /// An estimate of the distance of a box in the frame of the query from that in its own frame.
    #[inline(always)]
    pub(crate) fn about(&self, squared_distance: f32) -> f32 {
        (f64::from(squared_distance).sqrt() / self.per_distance) as f32
    }
}

impl View for Carried {
    #[inline(always)]
    fn point(&self) -> [f32; 3] {
        self.point
    }

    #[inline(always)]
    fn carry<R: Real<Scalar = f64>>(&self, point: [R; 3]) -> [R; 3] {
        self.map.carry(point)
    }

    #[inline(always)]
    fn reach(&self, squared_distance: f64) -> f32 {
        let most = (squared_distance.sqrt() * (1.0 + ALLOWED) + self.more) * self.per_distance;
        reach(most * most)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/leaf/view.rs"]
mod tests;

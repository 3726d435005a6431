//! Primitives as a point query sees them: in place, or carried by an affine map.
//!
//! Distances are measured in the frame of the point, and the boxes of a tree lie in the frame of the primitives. So
//! a query needs a bound, in that frame, on the distance of primitives that are near in its own.
//!
//! # Why nothing near is lost
//!
//! Let q ↦ M·q + b be the stored map, σ the least singular value of M, p the point and p' any point of the frame,
//! best one that maps near p. With the rest r = M·p' + b − p, every q of the frame has
//!
//! |M·q + b − p| = |M·(q − p') + r| ≥ σ|q − p'| − |r|.
//!
//! So a primitive no farther than d from p is no farther than (d + |r|)/σ from p'. The accuracy of the way back to
//! p' does not matter, as the rest is computed forwards.
//!
//! All this is computed with the unit roundoff η of `f64`. The corners, the rest and the products of nested maps,
//! whose order may differ, are each off by at most kη times the magnitudes that are added: |M|(R + |p'|) + |b| +
//! |p|, where R is an upper bound of the sums within the frame, and k is below 2⁸ for scenes 16 deep. The bound
//! allows 2⁻³⁸ of that.

use crate::math::{dot, largest, rounded_normal, sub};
use crate::simd::Real;
use crate::tree::reach;
use crate::value::Affine;

/// The placement of the primitives of a tree: in place, unless it says otherwise.
pub(crate) trait View {
    /// The point in the frame of the tree, or near it.
    fn point(&self) -> [f32; 3];

    /// Maps a point of the tree to the frame of the query.
    #[inline(always)]
    fn carry<R: Real<Scalar = f64>>(&self, point: [R; 3]) -> [R; 3] {
        point
    }

    /// Maps a geometric normal of the tree to the frame of the query.
    #[inline(always)]
    fn normal(&self, normal: [f32; 3]) -> [f32; 3] {
        normal
    }

    /// The squared distance from [`point`](Self::point), as boxes compute it, up to which a box may hold a primitive at
    /// `squared_distance` in the frame of the query.
    #[inline(always)]
    fn reach(&self, squared_distance: f64) -> f32 {
        reach(squared_distance)
    }
}

/// Primitives in place, and a point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InPlace(pub(crate) [f32; 3]);

impl View for InPlace {
    #[inline(always)]
    fn point(&self) -> [f32; 3] {
        self.0
    }
}

/// Primitives carried by a map.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carried {
    pub(crate) map: Affine,
    point: [f32; 3],
    /// 1/σ; infinite if σ is unknown: then no box is too far.
    per_distance: f64,
    /// |r| plus the bound of rounding errors.
    more: f64,
}

const ALLOWED: f64 = 1.0 / (1_u64 << 38) as f64;

impl Carried {
    /// A view from `point`. `map` leads from the frame to `point`, and the magnitudes in the frame are at most `reach`.
    pub(crate) fn new(map: Affine, point: [f64; 3], reach: f64) -> Self {
        let near = map.about_back(point);
        let wide = near.map(f64::from);
        let rest = sub(map.carry(wide), point);
        let off = dot(rest, rest).sqrt();
        let added = map.stretch() * (reach + largest(&wide)) + map.distance() + largest(&point);
        // Never 0, so that 0 times infinity does not come up.
        let more = off + ALLOWED * added + f64::MIN_POSITIVE;
        Self { map, point: near, per_distance: 1.0 / map.least_stretch(), more }
    }

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
    fn normal(&self, normal: [f32; 3]) -> [f32; 3] {
        rounded_normal(self.map.normal([f64::from(normal[0]), f64::from(normal[1]), f64::from(normal[2])]))
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

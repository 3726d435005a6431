//! How a point sees what a tree holds: where it lies, or carried elsewhere by an affine map.
//!
//! Distances are measured where the point is, and the boxes of a tree lie in the frame of what is carried. So a bound is
//! needed of how far away, in that frame, something may be that is near.
//!
//! # Why nothing near is lost
//!
//! Let q ↦ M·q + b be the map as it is stored, σ the least singular value of M, p the point and p' any point of the frame
//! at all, best one that comes to lie near p. With the rest r = M·p' + b − p, every q there has
//!
//! |M·q + b − p| = |M·(q − p') + r| ≥ σ|q − p'| − |r|.
//!
//! So what comes to lie no farther from p than d is no farther from p' than (d + |r|)/σ. How exact the way back to p' is
//! does not matter, as the rest is found by going forward.
//!
//! What is said of exact numbers is computed with the unit roundoff η of `f64`. Of the corners, of the rest and of the
//! maps of what is nested deeper, which may be computed by another order of products, each is off by at most kη times the
//! magnitudes that are added on the way: |M|(R + |p'|) + |b| + |p|, where R is an upper bound of all that is added up
//! within the frame, and k is below 2⁸ for scenes 16 deep. 2⁻³⁸ of that is allowed for.

use crate::math::rounded_normal;
use crate::simd::Real;
use crate::tree::reach;
use crate::value::Affine;

/// What is seen of the things in a tree.
pub(crate) trait View {
    /// The point in the frame of the tree, or near it.
    fn point(&self) -> [f32; 3];

    /// Where a point of the tree is seen.
    fn carry<R: Real<Scalar = f64>>(&self, point: [R; 3]) -> [R; 3];

    /// The geometric normal there of what has this one in the tree.
    fn normal(&self, normal: [f32; 3]) -> [f32; 3];

    /// Up to which squared distance from [`point`](Self::point), as
    /// [`AabbBlock::squared_distances`](crate::tree::AabbBlock::squared_distances) computes it, a box may hold what is seen at
    /// most at this one.
    fn reach(&self, squared_distance: f64) -> f32;
}

/// Everything where it lies; from this point.
#[derive(Debug, Clone, Copy)]
pub(crate) struct InPlace(pub(crate) [f32; 3]);

impl View for InPlace {
    #[inline(always)]
    fn point(&self) -> [f32; 3] {
        self.0
    }

    #[inline(always)]
    fn carry<R: Real<Scalar = f64>>(&self, point: [R; 3]) -> [R; 3] {
        point
    }

    #[inline(always)]
    fn normal(&self, normal: [f32; 3]) -> [f32; 3] {
        normal
    }

    #[inline(always)]
    fn reach(&self, squared_distance: f64) -> f32 {
        reach(squared_distance)
    }
}

/// Everything where a map takes it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carried {
    pub(crate) map: Affine,
    point: [f32; 3],
    /// 1/σ; infinite if nothing is known of σ: then nothing is too far.
    per_distance: f64,
    /// |r|, and what roundings may add.
    more: f64,
}

/// 2⁻³⁸, as told above.
const ALLOWED: f64 = 1.0 / (1_u64 << 38) as f64;

impl Carried {
    /// From `point`, where `map` is the way from the frame to there, and nothing in the frame is made of numbers greater
    /// than `reach`.
    pub(crate) fn new(map: Affine, point: [f64; 3], reach: f64) -> Self {
        let greatest = |v: [f64; 3]| v.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let near = map.about_back(point);
        let wide = near.map(f64::from);
        let carried = map.carry(wide);
        let rest = [0, 1, 2].map(|axis| carried[axis] - point[axis]);
        let off = (rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]).sqrt();
        let added = map.stretch() * (reach + greatest(wide)) + map.distance() + greatest(point);
        // Never 0, so that 0 times infinity does not come up.
        let more = off + ALLOWED * added + f64::MIN_POSITIVE;
        Self { map, point: near, per_distance: 1.0 / map.least_stretch(), more }
    }

    /// About how far from the point a box is where it is seen, if it is so far in the frame.
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

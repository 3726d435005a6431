//! The hits nearest to the origin of each line: the closest hits of its two halves.
//!
//! Traversal narrows an interval from above. So the hit behind the origin is found by the reversed
//! ray, with its interval and its sides reversed, and then its `t` is negated. The test of a
//! triangle gives the same bits for a line and its reverse but for the sign of `t`: the axes are
//! swapped with the winding, and all further operations are odd or even.

use crate::answers::HitRows;
use crate::simd::Scalar;
use crate::status::Status;
use crate::value::{Culling, Ray, RayBatch, Side};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    /// `t` ≥ 0.
    Ahead,
    /// `t` ≤ 0.
    Behind,
}

impl Half {
    /// The ray from the origin along this half, within the interval of `ray`. Its interval may be
    /// empty where that of `ray` is not; it has any other defect if and only if `ray` has it.
    pub(crate) fn ray<T: Scalar>(self, ray: &Ray<T>) -> Ray<T> {
        // Not `max`, which would hide a NaN.
        let from_origin = |t: T| if t < T::ZERO { T::ZERO } else { t };
        match self {
            Self::Ahead => Ray { t_min: from_origin(ray.t_min), ..*ray },
            Self::Behind => Ray {
                origin: ray.origin,
                direction: ray.direction.map(T::neg),
                t_min: from_origin(-ray.t_max),
                t_max: -ray.t_min,
            },
        }
    }

    pub(crate) fn culling(self, culling: Culling) -> Culling {
        if self == Self::Behind { culling.mirrored() } else { culling }
    }

    /// The `t` and side of a hit of that ray, as those of the line.
    #[inline(always)]
    pub(crate) fn of_line<T: Scalar>(self, t: T, side: Side) -> (T, Side) {
        if self == Self::Behind { (turned(t), side.other()) } else { (t, side) }
    }

    /// Converts the answers of those rays into those of `rays`.
    pub(crate) fn turn_back<T: Scalar>(self, rays: &RayBatch<'_, T>, hits: &mut HitRows<'_, T>) {
        for (row, (status, t)) in hits.status.iter_mut().zip(&mut *hits.t).enumerate() {
            if *status == Status::EmptyInterval && rays.ray(row).find_defect().is_none() {
                // The line has no part on this side.
                *status = Status::Miss;
            } else if self == Self::Behind && status.is_hit() {
                *t = turned(*t);
            }
        }
    }
}

/// The `t` of the same place on the reversed line; never −0.
#[inline(always)]
fn turned<T: Scalar>(t: T) -> T {
    T::ZERO - t
}

#[cfg(test)]
#[path = "../../tests/unit/query/line_hits.rs"]
mod tests;

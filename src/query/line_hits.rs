//! The first primitive on either side of the origin of each line: two closest hits, of its halves.
//!
//! A ray on its way narrows its interval from above. So what lies behind is found by the ray that goes the other way:
//! its interval and its sides are turned round, and so is the `t` that comes of it. The test of a triangle gives the
//! same bits for a line and its reverse but for the sign of `t`: its axes change places with the winding, and from there
//! on every operation is odd or even.

use crate::hit::Candidate;
use crate::query::HitColumns;
use crate::simd::Scalar;
use crate::status::Status;
use crate::value::{Culling, Ray, RayBatch, Side};

/// A part of each line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    /// Where `t` ≥ 0.
    Ahead,
    /// Where `t` ≤ 0.
    Behind,
}

impl Half {
    /// The ray that goes from the origin along this half, as far as the interval of `ray` reaches: it may be empty where
    /// that of `ray` is not. Any other defect it has if and only if `ray` does.
    pub(crate) fn ray<T: Scalar>(self, ray: &Ray<T>) -> Ray<T> {
        // Not `max`, which would hide a NaN.
        let from_origin = |t: T| if t < T::ZERO { T::ZERO } else { t };
        match self {
            Self::Ahead => Ray { t_min: from_origin(ray.t_min), ..*ray },
            Self::Behind => Ray {
                origin: ray.origin,
                direction: ray.direction.map(T::negated),
                t_min: from_origin(ray.t_max.negated()),
                t_max: ray.t_min.negated(),
            },
        }
    }

    /// What does not count of the sides as that ray sees them.
    pub(crate) fn culling(self, culling: Culling) -> Culling {
        match self {
            Self::Ahead => culling,
            Self::Behind => culling.mirrored(),
        }
    }

    /// What that ray meets, as the line meets it.
    #[inline(always)]
    pub(crate) fn of_line<T: Scalar>(self, candidate: &Candidate<T>, side: Side) -> (Candidate<T>, Side) {
        match self {
            Self::Ahead => (*candidate, side),
            Self::Behind => (Candidate { t: turned(candidate.t), ..*candidate }, side.other()),
        }
    }

    /// Turns the answers of those rays into those of `rays`.
    pub(crate) fn turn_back<T: Scalar>(self, rays: &RayBatch<'_, T>, columns: &mut HitColumns<'_, T>) {
        let (status, t) = columns.status_and_t();
        for (row, (status, t)) in status.iter_mut().zip(t).enumerate() {
            if *status == Status::EmptyInterval && rays.ray(row).find_defect().is_none() {
                // Nothing of the line is on this side.
                *status = Status::Miss;
            } else if self == Self::Behind && status.is_hit() {
                *t = turned(*t);
            }
        }
    }
}

/// The same place seen from the other way; never −0.
#[inline(always)]
pub(crate) fn turned<T: Scalar>(t: T) -> T {
    T::ZERO - t
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_within_the_interval_and_share_the_origin() {
        let ray = |t_min, t_max| Ray::new([1.0, 2.0, 3.0], [1.0, -2.0, 0.0]).with_interval(t_min, t_max);
        let intervals = |t_min, t_max| {
            [Half::Ahead, Half::Behind]
                .map(|half| half.ray(&ray(t_min, t_max)))
                .map(|ray| [ray.t_min, ray.t_max])
        };
        assert_eq!(intervals(-2.0, 3.0), [[0.0, 3.0], [0.0, 2.0]]);
        assert_eq!(intervals(f32::NEG_INFINITY, f32::INFINITY), [[0.0, f32::INFINITY]; 2]);
        assert_eq!(intervals(1.0, 3.0)[0], [1.0, 3.0]);
        assert_eq!(intervals(-3.0, -1.0)[1], [1.0, 3.0]);
        for (t_min, t_max, half) in [(1.0, 3.0, Half::Behind), (-3.0, -1.0, Half::Ahead)] {
            assert_eq!(half.ray(&ray(t_min, t_max)).find_defect(), Some(Status::EmptyInterval));
        }
        for (t_min, t_max) in [(f32::NAN, 1.0), (0.0, f32::NAN), (2.0, 1.0), (-1.0, -2.0), (1.0, -1.0)] {
            let defect = ray(t_min, t_max).find_defect();
            for half in [Half::Ahead, Half::Behind] {
                assert_eq!(half.ray(&ray(t_min, t_max)).find_defect(), defect, "{t_min} {t_max} {half:?}");
            }
        }
        assert_eq!(Half::Behind.ray(&ray(0.0, 1.0)).direction, [-1.0, 2.0, 0.0]);
    }
}

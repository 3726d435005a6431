//! Lines in the frame of an oriented box.

use crate::columns::PartsOf;
use crate::math::{dot, sub};
use crate::simd::{Real, Scalar};

use crate::value::Obb;

/// A line in the frame of a box: its coordinates along the box's axes, from the center.
///
/// # Why nothing slips through
///
/// Write ε for the unit roundoff, m for O − C, aᵢ for the axes as they are stored, and e for the half
/// extents. The box is |aᵢ · (p − C)| ≤ eᵢ, so in exact arithmetic Oᵢ' = aᵢ · m and Dᵢ' = aᵢ · D carry the
/// line into the frame, and the box becomes \[−e, e\], whether or not the axes are orthonormal.
///
/// - The rounded Oᵢ' is off by at most 4ε |aᵢ||m|: one difference, one product and two sums.
/// - The rounded Dᵢ' is off by at most 3ε |aᵢ||D|. At a point in the box that matters t times, and there
///   |t||D| ≤ |m| + |e|, since the point is no farther than |e| from C.
/// - Dᵢ' needs no more than this: where it should be zero and is rounding noise, the noise is within
///   the bound like any other error.
///
/// So the point of the rounded line at the same t is off by at most (7|m| + 3|e|)ε along each axis. That
/// the axes are off by 2⁻¹⁶ at most changes this by as much, relatively. The tests move the faces outwards by
/// a multiple of ε(|m|₁ + |e|₁), sums of magnitudes, which are at least the lengths; the multiple leaves room
/// for what each test does afterwards and for rounding e itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineInBox<R> {
    /// O', from the center.
    pub(super) origin: [R; 3],
    /// D'.
    pub(super) direction: [R; 3],
    /// The half extents, moved outwards.
    pub(super) half_extents: [R; 3],
}

impl<R: Real<Scalar = T>, T: Scalar> LineInBox<R> {
    /// A line in the frame of a box whose faces are moved outwards by `slack` units of roundoff of
    /// |m|₁ + |e|₁, and the least normal number for what is not relative because it is subnormal.
    #[inline(always)]
    pub(super) fn new(
        &[center, u, v, w, half_extents]: &PartsOf<Obb<T>, R>,
        origin: [R; 3],
        direction: [R; 3],
        slack: f32,
    ) -> Self {
        let [ex, ey, ez] = half_extents;
        let m = sub(origin, center);
        let size = (m[0].abs() + m[1].abs() + m[2].abs()) + (ex + ey + ez);
        let slack = size * size.splat(T::of(slack) * T::UNIT_ROUNDOFF) + size.splat(T::MIN_POSITIVE);
        Self {
            origin: [dot(u, m), dot(v, m), dot(w, m)],
            direction: [dot(u, direction), dot(v, direction), dot(w, direction)],
            half_extents: [ex + slack, ey + slack, ez + slack],
        }
    }
}

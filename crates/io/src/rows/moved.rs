//! By how much rounding moves what is read.

use crate::mesh::{Coordinate, FARTHEST};

/// So many numbers of a row, its first, are coordinates of a place.
const COORDINATES: usize = 3;

/// Rounds the numbers of rows, each by its place in a row, and keeps by how much a coordinate was
/// moved at most.
#[derive(Debug, Default)]
pub(crate) struct Moved {
    pub(super) most: f64,
}

impl Moved {
    #[inline(always)]
    fn see(&mut self, place: usize, from: f64, by: f64) {
        // Not so of NaN, which infinities less themselves are too.
        if place < COORDINATES && by > self.most && from.abs() <= FARTHEST {
            self.most = by;
        }
    }

    #[inline(always)]
    pub(super) fn nearest<T: Coordinate>(&mut self, place: usize, from: f64) -> T {
        let to = T::nearest(from);
        self.see(place, from, (from - to.to_f64()).abs());
        to
    }

    /// The nearest to a whole number, which has 65 bits at most.
    pub(super) fn nearest_to_whole<T: Coordinate>(&mut self, place: usize, from: i128) -> T {
        let to = T::of_whole(from);
        self.see(place, from as f64, (from - to.to_f64() as i128).unsigned_abs() as f64);
        to
    }

    /// The nearest to a decimal number, which is moved from the nearest `f64`.
    pub(super) fn nearest_to_text<T: Coordinate>(&mut self, place: usize, text: &str) -> Option<T> {
        let wide: f64 = text.parse().ok()?;
        let to: T = self.nearest(place, wide);
        // Midway between two f32, or where these are subnormal, rounding twice may give another one
        // than rounding once.
        let is_midway = wide.to_bits() & 0x1fff_ffff == 0x1000_0000;
        let is_subnormal = wide != 0.0 && wide.abs() < f32::MIN_POSITIVE.into();
        if is_midway || is_subnormal { text.parse().ok() } else { Some(to) }
    }
}

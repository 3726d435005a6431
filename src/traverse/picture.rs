//! Whether the rays of a batch are the lines of a picture.

use super::plan::{TILE, TUNING};
use crate::math::{dot, sub};
use crate::simd::{MapEach, Scalar};
use crate::value::{Ray, RayBatch};

/// The places at which lines are tested again.
const SAMPLES: usize = 32;

/// How many rays make a line, or a channel of a lidar, if directions go on in small steps and then
/// jump, and jump again as far on, and rays a line apart are about as near as neighbours. Of parallel
/// rays, as those of the sun from a raster, origins do.
///
/// Without the last rule edges of objects pass for ends of lines: shadow rays in the city, where
/// two such edges are 68 rays apart, go 0.4 times as fast in tiles of distant rays.
pub(super) fn row_width<T: Scalar>(rays: &RayBatch<'_, T>) -> Option<usize> {
    (rays.len() > TUNING.chunk_lengths[0]).then(|| lines(rays)).flatten()
}

/// The same however few they are.
fn lines<T: Scalar>(rays: &RayBatch<'_, T>) -> Option<usize> {
    let last = rays.len().checked_sub(2)?;
    let by_direction = apart(direction(&rays.ray(0)), direction(&rays.ray(1)));
    // The first lines are searched one ray after the other: made rays are made at once for that.
    let mut room = Vec::new();
    let head = rays.stored(0..rays.len().min(TUNING.chunk_lengths[1]), &mut room);
    let ray = |row: usize| if row < head.len() { head.ray(row) } else { rays.ray(row) };
    if by_direction > T::ZERO {
        let columns = head.parts().direction;
        let measured = |row: usize| {
            let direction = columns.map_each(|column| column.get(row));
            (direction, dot(direction, direction))
        };
        Search { place: |row: usize| direction(&ray(row)), measured, last }.width()
    } else {
        let place = |row: usize| ray(row).origin;
        Search { place, measured: |row| (place(row), T::ONE), last }.width()
    }
}

/// A search for lines.
struct Search<P, M> {
    /// Where each ray is.
    place: P,
    /// The same times some length, and the square of that length.
    measured: M,
    /// The number of the last ray but one.
    last: usize,
}

impl<P, M> Search<P, M> {
    fn width<T: Scalar>(&self) -> Option<usize>
    where
        P: Fn(usize) -> [T; 3],
        M: Fn(usize) -> ([T; 3], T),
    {
        let Self { place, measured, last } = self;
        let step = |row: usize| apart(place(row), place(row + 1));
        let usual = step(0);
        // Rays of a picture go on in small steps up to a jump.
        let is_jump = |row: usize| step(row) > T::of(TUNING.jump_of_lines) * usual;
        // Directions of length 1 are no farther apart than those given, by the length of the
        // shorter: most steps are small, but for rounding, without roots and quotients.
        let small = T::of(0.975 * TUNING.jump_of_lines) * usual;
        let mut next = measured(1);
        let is_far = |&row: &usize| {
            let (from, square) = std::mem::replace(&mut next, measured(row + 1));
            let apart = sub(next.0, from);
            let is_small = dot(apart, apart) < small * small * square.min(next.1);
            !is_small && is_jump(row)
        };
        // A second line has to end within the batch.
        let width = (1..last.div_ceil(2).min(TUNING.chunk_lengths[1] / 2)).find(is_far)? + 1;
        if width < TILE || !is_jump(2 * width - 1) || is_jump(width) {
            return None;
        }
        // Not farther than a tile's length of steps; else eight lines of eight are no nearer
        // together than one of 64.
        let are_near =
            |row: usize| apart(place(row), place(row + width)) <= T::of(TILE as f32) * step(row);
        let count = last + 2 - width;
        // Multiples of the golden section, so that no line is as long as the samples are apart.
        let samples = (0..SAMPLES).map(|sample| ((sample * 40_503 % (1 << 16)) * count) >> 16);
        let near = samples.filter(|&row| are_near(row)).count();
        (4 * near >= 3 * SAMPLES).then_some(width)
    }
}

/// The direction of a ray, of length 1.
fn direction<T: Scalar>(ray: &Ray<T>) -> [T; 3] {
    let length = dot(ray.direction, ray.direction).sqrt();
    ray.direction.map_each(|x| x / length)
}

/// How far apart two places are, at most along an axis.
fn apart<T: Scalar>(a: [T; 3], b: [T; 3]) -> T {
    // NaN is passed over.
    (0..3).map(|axis| (a[axis] - b[axis]).abs()).fold(T::ZERO, |most, apart| apart.max(most))
}

#[cfg(test)]
#[path = "../../tests/unit/traverse/picture.rs"]
mod tests;

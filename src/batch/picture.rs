//! Whether the rays of a batch are the lines of a picture.

use crate::simd::Scalar;
use crate::value::{Ray, RayBatch};

/// Tiles of a picture are eight by eight rays.
pub(super) const TILE: usize = 8;

/// The widest picture that is recognised.
const WIDEST: usize = 1 << 14;

/// At so many places it is looked whether lines are what they seem.
const SAMPLES: usize = 32;

/// How many rays make a line, if directions go on in small steps and then jump, and jump again as far
/// on, and rays a line apart go about the same way. The channels of a lidar are found the same way.
///
/// Without the last, edges of things pass for the ends of lines: shadow rays in the city, of which two such edges were
/// 68 rays apart, went 0.4 times as fast in tiles of what lay nowhere near each other.
pub(super) fn row_width<T: Scalar>(rays: &RayBatch<'_, T>) -> Option<usize> {
    let last = rays.len().checked_sub(2)?;
    let usual = apart(&rays.ray(0), &rays.ray(1));
    // Rays of a picture or a lidar go less than ten degrees apart.
    if usual > T::of(0.17) {
        return None;
    }
    // The lines at the beginning are looked at one ray after the other: if rays have to be made, at once.
    let mut room = Vec::new();
    let head = rays.stored(0..rays.len().min(2 * WIDEST), &mut room);
    let ray = |row: usize| if row < head.len() { head.ray(row) } else { rays.ray(row) };
    let step = |row: usize| apart(&ray(row), &ray(row + 1));
    // A step that is not a small one says that these are no picture.
    let is_jump = |row: usize| step(row) > T::of(4.0) * usual;
    let width = (1..last.min(WIDEST)).find(|&row| is_jump(row))? + 1;
    let again = 2 * width - 1;
    if width < TILE || again > last || !is_jump(again) || is_jump(width) {
        return None;
    }
    // Not farther than a tile's length of steps; else eight lines of eight are no nearer together than one of 64.
    let are_near = |row: usize| apart(&ray(row), &ray(row + width)) <= T::of(TILE as f32) * step(row);
    let count = rays.len() - width;
    // Multiples of the golden section, so that no line is as long as the samples are apart.
    let samples = (0..SAMPLES).map(|sample| ((sample * 40_503 % (1 << 16)) * count) >> 16);
    let near = samples.filter(|&row| are_near(row)).count();
    (4 * near >= 3 * SAMPLES).then_some(width)
}

/// How far the directions of two rays are apart, at most along an axis, taken as of length 1.
fn apart<T: Scalar>(first: &Ray<T>, second: &Ray<T>) -> T {
    let direction = |ray: &Ray<T>| {
        let length = ray.direction.iter().fold(T::ZERO, |sum, &x| sum + x * x).sqrt();
        ray.direction.map(|x| x / length)
    };
    let (a, b) = (direction(first), direction(second));
    // What is not a number is passed over.
    (0..3).map(|axis| (a[axis] - b[axis]).abs()).fold(T::ZERO, |most, apart| apart.max(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn width_of(rays: &[Ray]) -> Option<usize> {
        row_width(&RayBatch::from_rays(rays))
    }

    fn picture(width: usize, height: usize) -> Vec<Ray> {
        let ray =
            |x: usize, y: usize| Ray::new([0.0; 3], [x as f32 / 500.0 - 0.3, y as f32 / 500.0 - 0.2, 1.0]);
        (0..height).flat_map(|y| (0..width).map(move |x| ray(x, y))).collect()
    }

    #[test]
    fn lines_of_a_picture_and_channels_of_a_lidar_are_found() {
        for width in [8, 64, 333, 1024] {
            assert_eq!(width_of(&picture(width, 9)), Some(width));
        }
        let channel = |azimuth: usize, channel: usize| {
            let (a, e) = (azimuth as f32 * 0.004, channel as f32 * 0.007 - 0.3);
            Ray::new([0.0; 3], [e.cos() * a.cos(), e.cos() * a.sin(), e.sin()])
        };
        let lidar: Vec<Ray> = (0..50).flat_map(|a| (0..64).map(move |c| channel(a, c))).collect();
        assert_eq!(width_of(&lidar), Some(64));
    }

    /// Two ends of things in the first line, as far from its beginning as from each other.
    #[test]
    fn edges_are_no_ends_of_lines() {
        let mut rays = picture(1024, 40);
        for ray in &mut rays {
            let x = ray.direction[0] + 0.3;
            // 68 rays, 68 others that are elsewhere, and the rest.
            if x < 136.0 / 500.0 {
                ray.direction[1] += if x < 68.0 / 500.0 { 0.5 } else { 0.8 };
            }
        }
        let jumps = |row: usize| (rays[row].direction[1] - rays[row + 1].direction[1]).abs() > 0.25;
        assert!(jumps(67) && jumps(135) && !jumps(66) && !jumps(68), "edges where they belong");
        assert_eq!(width_of(&rays), None);
        assert_eq!(width_of(&picture(1024, 40)), Some(1024));
    }

    #[test]
    fn what_is_no_picture_has_no_lines() {
        assert_eq!(width_of(&[]), None);
        assert_eq!(width_of(&picture(64, 1)), None, "one line");
        assert_eq!(width_of(&picture(4, 100)), None, "too narrow for tiles");
        assert_eq!(width_of(&[Ray::new([0.0; 3], [f32::NAN; 3]); 100]), None);
        assert_eq!(width_of(&[Ray::new([0.0; 3], [0.0, 0.0, 1.0]); 100]), None, "parallel rays");
        let mut state = 1_u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0 - 0.5
        };
        let rays: Vec<Ray> = (0..500).map(|_| Ray::new([0.0; 3], [random(), random(), random()])).collect();
        assert_eq!(width_of(&rays), None);
    }
}

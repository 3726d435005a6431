//! Vectors of three numbers, plain or in lanes, each operation rounded by itself in the order
//! written; and rounding.

mod double;
mod exact;
#[cfg(feature = "serde")]
mod infinite;
#[cfg(test)]
#[path = "../../tests/unit/math/mod.rs"]
mod tests;

pub(crate) use double::Double;
pub(crate) use exact::{Coordinate, determinant, determinant_sign};
#[cfg(feature = "serde")]
pub(crate) use infinite::{or_infinity, or_minus_infinity};

use std::ops::{Add, Mul, Sub};

/// Half the distance between 1 and the next `f32`: the relative error of one rounded operation.
pub(crate) const UNIT_ROUNDOFF: f32 = f32::EPSILON * 0.5;

/// 2¹⁰⁰, the bound on every coordinate: differences, reach and margins stay finite.
pub(crate) const LARGEST_COORDINATE: f32 = f32::from_bits((127 + 100) << 23);

/// 2³⁰, the bound on the primitives of a scene: references into its tree have 30 bits.
pub(crate) const MOST_PRIMITIVES: usize = 1 << 30;

#[inline(always)]
pub(crate) fn add<T: Add<Output = T>>([ax, ay, az]: [T; 3], [bx, by, bz]: [T; 3]) -> [T; 3] {
    [ax + bx, ay + by, az + bz]
}

#[inline(always)]
pub(crate) fn sub<T: Sub<Output = T>>([ax, ay, az]: [T; 3], [bx, by, bz]: [T; 3]) -> [T; 3] {
    [ax - bx, ay - by, az - bz]
}

#[inline(always)]
pub(crate) fn cross<T: Copy + Mul<Output = T> + Sub<Output = T>>(
    [ax, ay, az]: [T; 3],
    [bx, by, bz]: [T; 3],
) -> [T; 3] {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

#[inline(always)]
pub(crate) fn dot<T: Mul<Output = T> + Add<Output = T>>(
    [ax, ay, az]: [T; 3],
    [bx, by, bz]: [T; 3],
) -> T {
    ax * bx + ay * by + az * bz
}

/// (b − a) × (c − a), right-handed and not normalised, rounded once from `f64` as by
/// [`rounded_normal`].
pub(crate) fn triangle_normal([a, b, c]: [[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = [a, b, c].map(|corner| corner.map(f64::from));
    rounded_normal(cross(sub(b, a), sub(c, a)))
}

/// A normal rounded to `f32`, scaled by a power of two where its length does not fit: no component
/// is infinite or NaN, and all are zero only if they truly are.
pub(crate) fn rounded_normal(normal: [f64; 3]) -> [f32; 3] {
    let largest = largest(&normal);
    let fits = f64::from(f32::MIN_POSITIVE)..=f64::from(f32::MAX);
    let scale =
        if largest == 0.0 || fits.contains(&largest) { 1.0 } else { 1.0 / power_of_two(largest) };
    normal.map(|x| (x * scale) as f32)
}

/// The greatest magnitude; NaN is passed over.
pub(crate) fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// The axis along which a vector is longest, by its magnitudes along each; the first of equals.
#[inline]
pub(crate) fn longest_axis<T: PartialOrd>([x, y, z]: [T; 3]) -> usize {
    if x >= y && x >= z { 0 } else { 2 - usize::from(y >= z) }
}

/// The median along each axis; 0 without points.
pub(crate) fn median(points: &[[f64; 3]]) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let mut along: Vec<f64> = points.iter().map(|point| point[axis]).collect();
        let half = along.len() / 2;
        if along.is_empty() { 0.0 } else { *along.select_nth_unstable_by(half, f64::total_cmp).1 }
    })
}

/// Orders pairs of a number and an index: by the number, and equal numbers by the index.
pub(crate) fn by_number((x, i): &(f64, usize), (y, j): &(f64, usize)) -> std::cmp::Ordering {
    x.total_cmp(y).then_with(|| i.cmp(j))
}

/// The greatest power of two that is not above a positive normal number; 0 for a subnormal one.
#[inline(always)]
pub(crate) fn power_of_two(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & 0x7ff << 52)
}

/// The mixing of SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
/// Generators", OOPSLA 2014.
pub const fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

//! What SIMD128 does in fewer instructions than `wide` takes. Pairs of vectors are one after the other.

use std::arch::wasm32::*;

use bytemuck::cast;
use wide::{f32x4, f64x2, i32x4, u32x4};

use crate::simd::macros::inlined;

inlined! {
    /// Bit `i` is set where lane `i` is all ones; others are all zeros.
    pub(super) fn bits_of_eight(low: f32x4, high: f32x4) -> u32 = {
        let words = i16x8_narrow_i32x4(cast(low), cast(high));
        u32::from(i8x16_bitmask(i8x16_narrow_i16x8(words, i16x8_splat(0))))
    };
    /// The same of lanes of 64 bits.
    pub(super) fn bits_of_four(low: f64x2, high: f64x2) -> u32 =
        u32::from(i32x4_bitmask(cast(narrow_lanes(low, high))));
    /// The bytes of those numbers, of the 32 in a pair.
    pub(super) fn permute(values: [u32x4; 2], bytes: [u32x4; 2]) -> [u32x4; 2] =
        [permuted(values, bytes[0]), permuted(values, bytes[1])];
    fn permuted([low, high]: [u32x4; 2], bytes: u32x4) -> u32x4 = {
        // Of numbers above 15 the instruction makes zeros.
        let in_high = v128_xor(cast(bytes), u8x16_splat(16));
        cast(v128_or(u8x16_swizzle(cast(low), cast(bytes)), u8x16_swizzle(cast(high), in_high)))
    };
    /// The bytes of those numbers.
    pub(super) fn pick(values: u32x4, bytes: u32x4) -> u32x4 = cast(u8x16_swizzle(cast(values), cast(bytes)));
    /// The least of eight.
    pub(super) fn least([low, high]: [i32x4; 2]) -> i32 = {
        let four = i32x4_min(cast(low), cast(high));
        let two = i32x4_min(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
        i32x4_extract_lane::<0>(i32x4_min(two, i32x4_shuffle::<1, 0, 3, 2>(two, two)))
    };
    pub(super) fn widen(values: f32x4) -> [f64x2; 2] = {
        let values: v128 = cast(values);
        let high = i32x4_shuffle::<2, 3, 0, 1>(values, values);
        [cast(f64x2_promote_low_f32x4(values)), cast(f64x2_promote_low_f32x4(high))]
    };
    /// Rounded to the nearest.
    pub(super) fn narrow(low: f64x2, high: f64x2) -> f32x4 = {
        let (low, high) = (f32x4_demote_f64x2_zero(cast(low)), f32x4_demote_f64x2_zero(cast(high)));
        cast(i32x4_shuffle::<0, 1, 4, 5>(low, high))
    };
    /// The lower half of each lane.
    pub(super) fn narrow_lanes(low: f64x2, high: f64x2) -> f32x4 =
        cast(i32x4_shuffle::<0, 2, 4, 6>(cast(low), cast(high)));
}

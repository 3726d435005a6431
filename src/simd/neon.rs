//! What NEON does in fewer instructions than `wide` takes. Pairs of vectors are one after the other.
#![expect(unsafe_code, reason = "the compiler has to know that the target has NEON")]

use std::arch::aarch64::*;

use bytemuck::cast;
use wide::{f32x4, f64x2, i32x4, u32x4};

/// Functions that are always inlined, of intrinsics that take no pointers.
macro_rules! neon {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),+) -> $result:ty = $body:expr;)+) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub(super) fn $name($($argument: $type),+) -> $result {
                // SAFETY: this file is compiled only where all CPUs of the target have NEON, which is
                // all that the intrinsics ask for.
                unsafe { $body }
            }
        )+
    };
}

neon! {
    /// Bit `i` is set where lane `i` is all ones; others are all zeros.
    fn bits_of_eight(low: f32x4, high: f32x4) -> u32 = {
        let lanes = vuzp1q_u16(cast(low), cast(high));
        vaddvq_u16(vandq_u16(lanes, cast([1_u16, 2, 4, 8, 16, 32, 64, 128]))).into()
    };
    /// The same of lanes of 64 bits.
    fn bits_of_four(low: f64x2, high: f64x2) -> u32 = {
        let lanes = vuzp1q_u32(cast(low), cast(high));
        vaddvq_u32(vandq_u32(lanes, cast([1_u32, 2, 4, 8])))
    };
    /// The bytes of those numbers, of the 32 in a pair.
    fn permute(values: [u32x4; 2], bytes: [u32x4; 2]) -> [u32x4; 2] = {
        let values = uint8x16x2_t(cast(values[0]), cast(values[1]));
        [cast(vqtbl2q_u8(values, cast(bytes[0]))), cast(vqtbl2q_u8(values, cast(bytes[1])))]
    };
    /// The bytes of those numbers.
    fn pick(values: u32x4, bytes: u32x4) -> u32x4 = cast(vqtbl1q_u8(cast(values), cast(bytes)));
    /// The least of eight.
    fn least(values: [i32x4; 2]) -> i32 = vminvq_s32(vminq_s32(cast(values[0]), cast(values[1])));
    fn widen(values: f32x4) -> [f64x2; 2] = [
        cast(vcvt_f64_f32(vget_low_f32(cast(values)))),
        cast(vcvt_high_f64_f32(cast(values))),
    ];
    /// Rounded to the nearest.
    fn narrow(low: f64x2, high: f64x2) -> f32x4 = cast(vcvt_high_f32_f64(vcvt_f32_f64(cast(low)), cast(high)));
    /// The lower half of each lane.
    fn narrow_lanes(low: f64x2, high: f64x2) -> f32x4 = cast(vuzp1q_u32(cast(low), cast(high)));
}

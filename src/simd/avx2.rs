//! Masks on AVX2: vectors whose lanes are all ones or all zeros.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;

use super::lanes::{LANES, Mask};
use super::ymm::{Masking, Ymm};

/// Lanes on AVX2.
pub(crate) type Avx2 = Ymm<VectorMasks>;

/// Safe to call where AVX2 is enabled, which is inside the entry function and nowhere else.
#[target_feature(enable = "avx2")]
pub(super) fn token() -> Avx2 {
    // SAFETY: the caller has AVX2.
    unsafe { Ymm::new(VectorMasks(())) }
}

/// Masks as vectors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct VectorMasks(());

/// All bits of a lane say yes, none says no; comes from a comparison only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes(__m256);

/// For each mask, the lanes it names from the lowest to the highest; AVX2 has no compress.
static COMPRESSED: [[u32; LANES]; 256] = {
    let mut table = [[0; LANES]; 256];
    let mut mask = 0;
    while mask < table.len() {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if mask >> lane & 1 == 1 {
                table[mask][count] = lane as u32;
                count += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

impl Masking for VectorMasks {
    type Mask = Yes;

    #[inline(always)]
    unsafe fn lt(a: __m256, b: __m256) -> Yes {
        // SAFETY: the caller proves AVX2.
        Yes(unsafe { _mm256_cmp_ps::<_CMP_LT_OQ>(a, b) })
    }

    #[inline(always)]
    unsafe fn le(a: __m256, b: __m256) -> Yes {
        // SAFETY: the caller proves AVX2.
        Yes(unsafe { _mm256_cmp_ps::<_CMP_LE_OQ>(a, b) })
    }

    #[inline(always)]
    unsafe fn compress(mask: Yes, values: __m256i) -> __m256i {
        let lanes = &COMPRESSED[usize::from(mask.bits())];
        // SAFETY: the caller proves AVX2; a row of the table is 32 readable bytes.
        unsafe { _mm256_permutevar8x32_epi32(values, _mm256_loadu_si256(lanes.as_ptr().cast())) }
    }
}

impl Mask for Yes {
    #[inline(always)]
    fn bits(self) -> u8 {
        // SAFETY: masks come from vectors, which come from a token, which proves AVX2.
        unsafe { _mm256_movemask_ps(self.0) as u8 }
    }
}

impl std::ops::BitAnd for Yes {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        // SAFETY: masks come from vectors, which come from a token, which proves AVX2.
        Self(unsafe { _mm256_and_ps(self.0, other.0) })
    }
}

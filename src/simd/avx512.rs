//! Masks on AVX-512: registers of their own, and an instruction that compresses.
//!
//! Vectors stay at 256 bits; 512 are left to kernels that have sixteen things to test at a time.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;

use super::lanes::Mask;
use super::ymm::{Masking, Ymm};

/// Lanes on AVX-512.
pub(crate) type Avx512 = Ymm<BitMasks>;

/// Safe to call where AVX-512 is enabled, which is inside the entry function and nowhere else.
#[target_feature(enable = "avx512f,avx512vl")]
pub(super) fn token() -> Avx512 {
    // SAFETY: the caller has AVX-512, which includes AVX2.
    unsafe { Ymm::new(BitMasks(())) }
}

/// Masks as bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BitMasks(());

/// A bit for each lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes(__mmask8);

impl Masking for BitMasks {
    type Mask = Yes;

    #[inline(always)]
    unsafe fn lt(a: __m256, b: __m256) -> Yes {
        // SAFETY: the caller proves AVX-512.
        Yes(unsafe { _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b) })
    }

    #[inline(always)]
    unsafe fn le(a: __m256, b: __m256) -> Yes {
        // SAFETY: the caller proves AVX-512.
        Yes(unsafe { _mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b) })
    }

    #[inline(always)]
    unsafe fn compress(mask: Yes, values: __m256i) -> __m256i {
        // SAFETY: the caller proves AVX-512. Compressing to memory instead is slow on Zen 4.
        unsafe { _mm256_maskz_compress_epi32(mask.0, values) }
    }
}

impl Mask for Yes {
    #[inline(always)]
    fn bits(self) -> u8 {
        self.0
    }
}

impl std::ops::BitAnd for Yes {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

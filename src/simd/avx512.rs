//! Masks on AVX-512: registers of their own, and an instruction that compresses.
//!
//! Blocks of eight `f32` stay at 256 bits; long columns fill registers of 512.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;
use std::ops::{BitAnd, BitOr, Not};

use super::lanes::{Mask, Real, Vectors};
use super::vector::vector;
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
pub(crate) struct Yes<B>(B);

impl Masking for BitMasks {
    type Mask = Yes<__mmask8>;
    type Widest = Zmm;

    #[inline(always)]
    fn widest(proof: Avx512) -> Zmm {
        Zmm(proof)
    }

    #[inline(always)]
    unsafe fn lt(a: __m256, b: __m256) -> Yes<__mmask8> {
        // SAFETY: the caller proves AVX-512.
        Yes(unsafe { _mm256_cmp_ps_mask::<_CMP_LT_OQ>(a, b) })
    }

    #[inline(always)]
    unsafe fn le(a: __m256, b: __m256) -> Yes<__mmask8> {
        // SAFETY: the caller proves AVX-512.
        Yes(unsafe { _mm256_cmp_ps_mask::<_CMP_LE_OQ>(a, b) })
    }

    #[inline(always)]
    unsafe fn select(mask: Yes<__mmask8>, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the caller proves AVX-512.
        unsafe { _mm256_mask_blend_ps(mask.0, b, a) }
    }

    #[inline(always)]
    unsafe fn compress(mask: Yes<__mmask8>, values: __m256i) -> __m256i {
        // SAFETY: the caller proves AVX-512. Compressing to memory instead is slow on Zen 4.
        unsafe { _mm256_maskz_compress_epi32(mask.0, values) }
    }
}

/// Proof that the CPU has AVX-512, for its registers of 512 bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Zmm(Avx512);

vector!(
    /// Sixteen `f32`.
    F32x16: 16 f32 in __m512, proof Zmm, mask Yes<__mmask16>,
    _mm512_set1_ps _mm512_loadu_ps _mm512_storeu_ps _mm512_add_ps _mm512_sub_ps _mm512_mul_ps
    _mm512_div_ps _mm512_min_ps _mm512_max_ps _mm512_sqrt_ps,
    lt(a, b) = Yes(_mm512_cmp_ps_mask::<_CMP_LT_OQ>(a, b)),
    le(a, b) = Yes(_mm512_cmp_ps_mask::<_CMP_LE_OQ>(a, b)),
    abs(a) = _mm512_abs_ps(a),
    select(mask, a, b) = _mm512_mask_blend_ps(mask.0, b, a)
);

vector!(
    /// Eight `f64`.
    F64x8: 8 f64 in __m512d, proof Zmm, mask Yes<__mmask8>,
    _mm512_set1_pd _mm512_loadu_pd _mm512_storeu_pd _mm512_add_pd _mm512_sub_pd _mm512_mul_pd
    _mm512_div_pd _mm512_min_pd _mm512_max_pd _mm512_sqrt_pd,
    lt(a, b) = Yes(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(a, b)),
    le(a, b) = Yes(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(a, b)),
    abs(a) = _mm512_abs_pd(a),
    select(mask, a, b) = _mm512_mask_blend_pd(mask.0, b, a)
);

impl<B: Copy + BitAnd<Output = B> + BitOr<Output = B> + Not<Output = B> + Into<u32>> Mask for Yes<B> {
    #[inline(always)]
    fn bits(self) -> u32 {
        self.0.into()
    }
}

impl<B: BitAnd<Output = B>> BitAnd for Yes<B> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl<B: BitOr<Output = B>> BitOr for Yes<B> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl<B: Not<Output = B>> Not for Yes<B> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

//! AVX2: masks are vectors whose lanes are all ones or all zeros; four `f64` fill a register.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;

use super::lanes::{LANES, Mask, Real, Vectors};
use super::vector::vector;
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

/// All bits of a lane of `f32` say yes, none says no; comes from a comparison only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes(__m256);

/// The same for lanes of `f64`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes64(__m256d);

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
    type Widest = Avx2;

    #[inline(always)]
    fn widest(proof: Avx2) -> Avx2 {
        proof
    }

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
    unsafe fn select(mask: Yes, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the caller proves AVX2.
        unsafe { _mm256_blendv_ps(b, a, mask.0) }
    }

    #[inline(always)]
    unsafe fn compress(mask: Yes, values: __m256i) -> __m256i {
        let lanes = &COMPRESSED[mask.bits() as usize];
        // SAFETY: the caller proves AVX2; a row of the table is 32 readable bytes.
        unsafe { _mm256_permutevar8x32_epi32(values, _mm256_loadu_si256(lanes.as_ptr().cast())) }
    }
}

vector!(
    /// Four `f64`.
    F64: 4 f64 in __m256d, proof Avx2, mask Yes64,
    _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd
    _mm256_div_pd _mm256_min_pd _mm256_max_pd _mm256_sqrt_pd,
    lt(a, b) = Yes64(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b)),
    le(a, b) = Yes64(_mm256_cmp_pd::<_CMP_LE_OQ>(a, b)),
    abs(a) = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a),
    select(mask, a, b) = _mm256_blendv_pd(b, a, mask.0)
);

macro_rules! mask {
    ($name:ident: $and:ident $or:ident $xor:ident $cast:ident $bits:ident) => {
        impl Mask for $name {
            #[inline(always)]
            fn bits(self) -> u32 {
                // SAFETY: masks come from vectors, which carry a proof.
                unsafe { $bits(self.0).cast_unsigned() }
            }
        }

        impl std::ops::BitAnd for $name {
            type Output = Self;
            #[inline(always)]
            fn bitand(self, other: Self) -> Self {
                // SAFETY: masks come from vectors, which carry a proof.
                Self(unsafe { $and(self.0, other.0) })
            }
        }

        impl std::ops::BitOr for $name {
            type Output = Self;
            #[inline(always)]
            fn bitor(self, other: Self) -> Self {
                // SAFETY: masks come from vectors, which carry a proof.
                Self(unsafe { $or(self.0, other.0) })
            }
        }

        impl std::ops::Not for $name {
            type Output = Self;
            #[inline(always)]
            fn not(self) -> Self {
                // SAFETY: masks come from vectors, which carry a proof.
                Self(unsafe { $xor(self.0, $cast(_mm256_set1_epi32(-1))) })
            }
        }
    };
}

mask!(Yes: _mm256_and_ps _mm256_or_ps _mm256_xor_ps _mm256_castsi256_ps _mm256_movemask_ps);
mask!(Yes64: _mm256_and_pd _mm256_or_pd _mm256_xor_pd _mm256_castsi256_pd _mm256_movemask_pd);

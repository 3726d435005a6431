//! AVX2: masks are vectors whose lanes are all ones or all zeros; four `f64` fill a register.
#![expect(unsafe_code, reason = "std::arch intrinsics; the token proves that the CPU has them")]

use std::arch::x86_64::*;

use super::backend::Enter;
use super::halves::Halves;
use super::lanes::{BothPrecisions, LANES, Mask, Real, Vectors, Widening};
use super::macros::{inlined, operators};
use super::vector::{vector, x86_backend};
use super::ymm::{F32, Masking, Ymm};

x86_backend!(Avx2 = "avx2", VectorMasks: "avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct VectorMasks(());

/// All bits of a lane of `f32` say yes, none says no; comes from a comparison only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes(__m256);

/// The same for lanes of `f64`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes64(__m256d);

/// For each mask, its lanes from the lowest to the highest, then lane 0: AVX2 has no compress.
static COMPRESSED: [[u32; LANES]; 1 << LANES] = {
    let mut table = [[0; LANES]; 1 << LANES];
    let mut at = 0;
    while at < table.as_flattened().len() {
        let (mask, lane) = (at / LANES, at % LANES);
        if mask >> lane & 1 == 1 {
            let below: usize = mask & ((1 << lane) - 1);
            table[mask][below.count_ones() as usize] = lane as u32;
        }
        at += 1;
    }
    table
};

impl Masking for VectorMasks {
    type Mask = Yes;
    type Widest = Avx2;

    inlined! { fn widest(self) -> Avx2 = Ymm(self); }
    inlined! { unsafe
        fn lt(self, a: __m256, b: __m256) -> Yes = Yes(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b));
        fn le(self, a: __m256, b: __m256) -> Yes = Yes(_mm256_cmp_ps::<_CMP_LE_OQ>(a, b));
        fn select(self, mask: Yes, a: __m256, b: __m256) -> __m256 = _mm256_blendv_ps(b, a, mask.0);
        fn compress(self, bits: u32, values: __m256i) -> __m256i = {
            let lanes = &COMPRESSED[bits as usize & 0xff];
            _mm256_permutevar8x32_epi32(values, _mm256_loadu_si256(lanes.as_ptr().cast()))
        };
        fn mask(self, lanes: __m256i) -> Yes = Yes(_mm256_castsi256_ps(lanes));
    }
}

vector!(
    F64: 4 f64 in __m256d, proof Avx2, mask Yes64,
    _mm256_set1_pd _mm256_loadu_pd _mm256_storeu_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd
    _mm256_div_pd _mm256_min_pd _mm256_max_pd _mm256_sqrt_pd _mm256_fmsub_pd,
    |a, b| lt Yes64(_mm256_cmp_pd::<_CMP_LT_OQ>(a.0, b.0)), le Yes64(_mm256_cmp_pd::<_CMP_LE_OQ>(a.0, b.0)),
    abs _mm256_andnot_pd(_mm256_set1_pd(-0.0), a.0), select(mask) _mm256_blendv_pd(b.0, a.0, mask.0),
    bytes(numbers) {
        let words = _mm_packus_epi32(_mm256_cvtpd_epi32(numbers), _mm_setzero_si128());
        _mm_cvtsi128_si32(_mm_packus_epi16(words, words)).to_le_bytes()
    }
);

impl BothPrecisions for Avx2 {
    inlined! { fn join(self, low: F64, high: F64) -> Halves<F64, 4> = Halves(low, high); }

    #[inline(always)]
    fn load_transposed_wide<const W: usize>(self, rows: &[[f64; W]], first: usize) -> [F64; 4] {
        // SAFETY: `self` proves AVX2; each pointer is to 32 readable bytes.
        unsafe {
            let mut loaded = [_mm256_setzero_pd(); 4];
            for (loaded, row) in loaded.iter_mut().zip(&rows[..4]) {
                *loaded = _mm256_loadu_pd(row[first..first + 4].as_ptr());
            }
            let [a, b, c, d] = self.transpose(loaded);
            [F64(a, self), F64(b, self), F64(c, self), F64(d, self)]
        }
    }

    #[inline(always)]
    fn store_transposed_wide<const W: usize>(
        self,
        columns: [F64; 4],
        first: usize,
        into: &mut [[f64; W]],
    ) {
        // SAFETY: `self` proves AVX2; each pointer is to 32 writable bytes.
        unsafe {
            let [a, b, c, d] = columns;
            let rows = self.transpose([a.0, b.0, c.0, d.0]);
            for (row, into) in rows.into_iter().zip(&mut into[..4]) {
                _mm256_storeu_pd(into[first..first + 4].as_mut_ptr(), row);
            }
        }
    }
}

impl Avx2 {
    inlined! { unsafe
        fn transpose(self, [a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] = {
            let (ab_even, ab_odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (cd_even, cd_odd) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            [
                _mm256_permute2f128_pd::<0x20>(ab_even, cd_even),
                _mm256_permute2f128_pd::<0x20>(ab_odd, cd_odd),
                _mm256_permute2f128_pd::<0x31>(ab_even, cd_even),
                _mm256_permute2f128_pd::<0x31>(ab_odd, cd_odd),
            ]
        };
    }
}

impl Widening for F32<VectorMasks> {
    type Wide = Halves<F64, 4>;

    #[inline(always)]
    fn widen(self) -> Self::Wide {
        // SAFETY: vectors carry a proof.
        let (low, high) = unsafe {
            let high = _mm256_extractf128_ps::<1>(self.0);
            (_mm256_cvtps_pd(_mm256_castps256_ps128(self.0)), _mm256_cvtps_pd(high))
        };
        Halves(F64(low, self.1), F64(high, self.1))
    }

    inlined! { unsafe
        fn narrow(Halves(low, high): Self::Wide) -> Self =
            Self(_mm256_set_m128(_mm256_cvtpd_ps(high.0), _mm256_cvtpd_ps(low.0)), low.1);
    }

    #[inline(always)]
    fn narrow_mask(Halves(low, high): Halves<Yes64, 4>) -> Yes {
        // SAFETY: masks come from vectors, which carry a proof.
        Yes(unsafe {
            // Half of each lane, in each 128 bits first of the low ones, then of the high ones.
            let (low, high) = (_mm256_castpd_ps(low.0), _mm256_castpd_ps(high.0));
            let mixed = _mm256_castps_pd(_mm256_shuffle_ps::<0b10_00_10_00>(low, high));
            _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(mixed))
        })
    }
}

macro_rules! mask {
    ($name:ident: $and:ident $or:ident $xor:ident $cast:ident $bits:ident) => {
        impl Mask for $name {
            inlined! { unsafe fn bits(self) -> u32 = $bits(self.0).cast_unsigned(); }
        }

        operators!({unsafe} [] $name:
            BitAnd bitand |a, b| Self($and(a.0, b.0)),
            BitOr bitor |a, b| Self($or(a.0, b.0))
        );

        impl std::ops::Not for $name {
            type Output = Self;
            inlined! { unsafe fn not(self) -> Self = Self($xor(self.0, $cast(_mm256_set1_epi32(-1)))); }
        }
    };
}

mask!(Yes: _mm256_and_ps _mm256_or_ps _mm256_xor_ps _mm256_castsi256_ps _mm256_movemask_ps);
mask!(Yes64: _mm256_and_pd _mm256_or_pd _mm256_xor_pd _mm256_castsi256_pd _mm256_movemask_pd);

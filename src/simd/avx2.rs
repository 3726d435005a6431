//! AVX2: masks are vectors whose lanes are all ones or all zeros; four `f64` fill a register.
#![expect(unsafe_code, reason = "the token proves that the CPU has AVX2")]

use std::arch::x86_64::*;

use super::backend::Enter;
use super::compressed::compressed;
use super::features::{Proof, compiled, intrinsics};
use super::halves::Halves;
use super::lanes::{BothPrecisions, LANES, Mask, Real, Vectors, Widening};
use super::macros::{inlined, operators};
use super::map_each::MapEach;
use super::vector::{Compare, vector, x86_backend};
use super::ymm::{F32, Masking, Ymm};

x86_backend!(Avx2 = "avx2", VectorMasks, avx2: "avx2" "fma" "bmi1" "bmi2" "lzcnt" "popcnt");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct VectorMasks(());

/// All bits of a lane of `f32` say yes, none says no; comes from a comparison only.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes(__m256, VectorMasks);

/// The same for lanes of `f64`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Yes64(__m256d, VectorMasks);

/// The lanes in each mask: AVX2 has no compress.
static COMPRESSED: [[u32; LANES]; 1 << LANES] = compressed(1, 0);

macro_rules! compare {
    ($register:ident, $mask:ident: $compare:ident $blend:ident) => {
        impl Compare<$register> for VectorMasks {
            type Mask = $mask;

            inlined! {
                fn lt(self, a: $register, b: $register) -> $mask = $mask(
                    compiled!(avx2(self) fn(a: $register, b: $register) -> $register = $compare::<_CMP_LT_OQ>(a, b)),
                    self,
                );
                fn le(self, a: $register, b: $register) -> $mask = $mask(
                    compiled!(avx2(self) fn(a: $register, b: $register) -> $register = $compare::<_CMP_LE_OQ>(a, b)),
                    self,
                );
                fn select(self, mask: $mask, a: $register, b: $register) -> $register = compiled!(
                    avx2(self) fn(mask: $register = mask.0, a: $register, b: $register) -> $register = $blend(b, a, mask)
                );
            }
        }
    };
}

compare!(__m256, Yes: _mm256_cmp_ps _mm256_blendv_ps);
compare!(__m256d, Yes64: _mm256_cmp_pd _mm256_blendv_pd);

// SAFETY: only detection of the backend, which asks for AVX2 and FMA, makes the token.
unsafe impl Proof<256> for VectorMasks {}

impl Masking for VectorMasks {
    type Widest = Avx2;

    inlined! {
        fn widest(self) -> Avx2 = Ymm(self);
        fn compress(self, bits: u32, values: __m256i) -> __m256i = {
            let lanes: __m256i = bytemuck::cast(COMPRESSED[bits as usize & 0xff]);
            compiled!(
                avx2(self) fn(values: __m256i, lanes: __m256i) -> __m256i = _mm256_permutevar8x32_epi32(values, lanes)
            )
        };
        fn mask(self, lanes: __m256i) -> Yes = Yes(bytemuck::cast(lanes), self);
    }
}

vector!(
    F64: 4 f64 in __m256d, proof Avx2, mask Yes64, avx2 _mm256_set1_pd _mm256_add_pd _mm256_sub_pd _mm256_mul_pd
    _mm256_div_pd _mm256_min_pd _mm256_max_pd _mm256_sqrt_pd _mm256_fmsub_pd _mm256_fmadd_pd,
    abs(numbers) _mm256_andnot_pd(_mm256_set1_pd(-0.0), numbers),
    bytes(numbers) {
        let words = _mm_packus_epi32(_mm256_cvtpd_epi32(numbers), _mm_setzero_si128());
        _mm_cvtsi128_si32(_mm_packus_epi16(words, words)).to_le_bytes()
    }
);

impl BothPrecisions for Avx2 {
    inlined! { fn join(self, low: F64, high: F64) -> Halves<F64, 4> = Halves(low, high); }

    #[inline(always)]
    fn load_transposed_wide<const W: usize>(self, rows: &[[f64; W]], first: usize) -> [F64; 4] {
        let mut loaded: [__m256d; 4] = bytemuck::Zeroable::zeroed();
        for (loaded, row) in loaded.iter_mut().zip(&rows[..4]) {
            let four: [f64; 4] = *row[first..].first_chunk().expect("four numbers");
            *loaded = bytemuck::cast(four);
        }
        self.transpose(loaded).map_each(|column| F64(column, self))
    }

    #[inline(always)]
    fn store_transposed_wide<const W: usize>(
        self,
        columns: [F64; 4],
        first: usize,
        into: &mut [[f64; W]],
    ) {
        let rows = self.transpose(columns.map_each(|column| column.0));
        for (row, into) in rows.into_iter().zip(&mut into[..4]) {
            let four: &mut [f64; 4] = into[first..].first_chunk_mut().expect("four numbers");
            *four = bytemuck::cast(row);
        }
    }
}

impl Avx2 {
    intrinsics! { avx2(self.0)
        fn transpose(self, columns: [__m256d; 4]) -> [__m256d; 4] = {
            let [a, b, c, d] = columns;
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
        let (low, high) = compiled!(
            avx2(self.1.0) fn(all: __m256 = self.0) -> (__m256d, __m256d) = {
                let high = _mm256_extractf128_ps::<1>(all);
                (_mm256_cvtps_pd(_mm256_castps256_ps128(all)), _mm256_cvtps_pd(high))
            }
        );
        Halves(F64(low, self.1), F64(high, self.1))
    }

    #[inline(always)]
    fn narrow(Halves(low, high): Self::Wide) -> Self {
        let all = compiled!(
            avx2(low.1.0) fn(low: __m256d = low.0, high: __m256d = high.0) -> __m256 =
                _mm256_set_m128(_mm256_cvtpd_ps(high), _mm256_cvtpd_ps(low))
        );
        Self(all, low.1)
    }

    #[inline(always)]
    fn narrow_mask(Halves(low, high): Halves<Yes64, 4>) -> Yes {
        let all = compiled!(
            avx2(low.1) fn(low: __m256d = low.0, high: __m256d = high.0) -> __m256 = {
                // Half of each lane, in each 128 bits first of the low ones, then of the high ones.
                let (low, high) = (_mm256_castpd_ps(low), _mm256_castpd_ps(high));
                let mixed = _mm256_castps_pd(_mm256_shuffle_ps::<0b10_00_10_00>(low, high));
                _mm256_castpd_ps(_mm256_permute4x64_pd::<0b11_01_10_00>(mixed))
            }
        );
        Yes(all, low.1)
    }
}

macro_rules! mask {
    ($name:ident in $register:ident: $and:ident $or:ident $xor:ident $cast:ident $bits:ident) => {
        impl Mask for $name {
            inlined! {
                fn bits(self) -> u32 =
                    compiled!(avx2(self.1) fn(lanes: $register = self.0) -> i32 = $bits(lanes)).cast_unsigned();
            }
        }

        operators!([] $name:
            BitAnd bitand |a, b| Self(compiled!(avx2(a.1) fn(a: $register = a.0, b: $register = b.0) -> $register = $and(a, b)), a.1),
            BitOr bitor |a, b| Self(compiled!(avx2(a.1) fn(a: $register = a.0, b: $register = b.0) -> $register = $or(a, b)), a.1)
        );

        impl std::ops::Not for $name {
            type Output = Self;
            inlined! {
                fn not(self) -> Self = Self(
                    compiled!(avx2(self.1) fn(lanes: $register = self.0) -> $register = $xor(lanes, $cast(_mm256_set1_epi32(-1)))),
                    self.1,
                );
            }
        }
    };
}

mask!(Yes in __m256: _mm256_and_ps _mm256_or_ps _mm256_xor_ps _mm256_castsi256_ps _mm256_movemask_ps);
mask!(Yes64 in __m256d: _mm256_and_pd _mm256_or_pd _mm256_xor_pd _mm256_castsi256_pd _mm256_movemask_pd);
